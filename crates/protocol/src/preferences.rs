//! Preferences: stored with an account, for every device where its holder signs in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{PreferenceName, PreferenceValue};

/// Your preferences. Pages choose names and values; the server does not interpret them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Preferences {
    /// Values by the names of your preferences: at most 64.
    pub preferences: BTreeMap<PreferenceName, PreferenceValue>,
}

/// Changes some of your preferences; the others stay.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangePreferences {
    /// New values by the names of the preferences.
    #[serde(default)]
    pub preferences: BTreeMap<PreferenceName, PreferenceValue>,
    /// The names of removed preferences, unless they have a new value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 64))]
    pub removed: Vec<PreferenceName>,
}
