//! The operator's data in documents.

use crate::config::{Config, Contact};

/// The operator's data in documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Operator {
    /// The origin under which browsers reach the server.
    pub(super) origin: Option<String>,
    /// The contact address of the operator.
    pub(super) contact: Option<Contact>,
    /// The address of the source code.
    pub(super) source_url: Option<String>,
}

impl Operator {
    /// From the configuration.
    pub(super) fn of(config: &Config) -> Self {
        Self {
            origin: config.site.public_url.as_ref().map(crate::config::PublicUrl::origin),
            contact: config.site.contact.clone(),
            source_url: config.site.source_url.as_ref().map(ToString::to_string),
        }
    }
}
