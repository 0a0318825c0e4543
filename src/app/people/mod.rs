//! Guests and accounts: what proves that a request is theirs, what they keep, and what remains when they leave.

pub(super) mod accounts;
pub(super) mod api_tokens;
pub(super) mod departures;
pub(super) mod exports;
pub(super) mod guest_names;
pub(super) mod handles;
pub(super) mod identity;
pub(super) mod passkeys;
pub(super) mod passwords;
pub(super) mod preferences;
pub(super) mod remains;
pub(super) mod secrets;
pub(super) mod sessions;
pub(super) mod sign_in_attempts;
