//! What several tests need.

pub(crate) mod http;
pub(crate) mod random_match;
pub(crate) mod server;
pub(crate) mod store;
