//! Ids: lower-case UUIDs.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The text is not a UUID in its usual form: 36 characters, lower case, with hyphens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id is a lower-case UUID such as 0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f")]
pub struct InvalidId;

macro_rules! id {
    ($(#[$attribute:meta])* $name:ident) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(
            feature = "schema",
            derive(utoipa::ToSchema),
            schema(
                value_type = String,
                format = "uuid",
                pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                example = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f"
            )
        )]
        #[serde(try_from = "String", into = "String")]
        $(#[$attribute])*
        pub struct $name(pub Uuid);

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let uuid = Uuid::try_parse(text).map_err(|_| InvalidId)?;
                let id = Self(uuid);
                if id.to_string() == text { Ok(id) } else { Err(InvalidId) }
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    };
}

id! {
    /// The id of a match.
    // Of version 7, so that ids sort by time.
    MatchId
}

id! {
    /// The id of a guest.
    // Every player is one, the computer too.
    #[cfg_attr(feature = "schema", schema(as = GuestId))]
    PlayerId
}

id! {
    /// The id of a session.
    // A session is a token of a guest; the id names it and is not secret.
    SessionId
}
