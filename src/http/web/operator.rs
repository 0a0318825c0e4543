//! What documents say of the server that they come from.

use crate::config::{Config, Contact};

/// What documents say of their server.
#[derive(Debug, Clone, Default)]
pub(super) struct Operator {
    /// The origin under which browsers reach the server.
    pub(super) origin: Option<String>,
    /// Where its operator can be reached.
    pub(super) contact: Option<Contact>,
    /// Where its source code is.
    pub(super) source_url: Option<String>,
}

impl Operator {
    /// What the configuration says.
    pub(super) fn of(config: &Config) -> Self {
        Self {
            origin: config.site.public_url.as_ref().map(crate::config::PublicUrl::origin),
            contact: config.site.contact.clone(),
            source_url: config.site.source_url.as_ref().map(ToString::to_string),
        }
    }
}
