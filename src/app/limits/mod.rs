//! How much anybody may ask for, and where costly work runs.

pub(super) mod background;
pub(super) mod permits;
pub(super) mod quota;
pub(super) mod rate_limiters;
pub(super) mod shares;
pub(super) mod single_flight;
pub(super) mod streams;
pub(super) mod unread_quota;
