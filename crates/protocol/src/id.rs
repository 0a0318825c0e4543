//! Ids: lower-case UUIDs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The text is not a UUID in its usual form: 36 characters, lower case, with hyphens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id is a lower-case UUID such as 0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f")]
pub struct InvalidId;

fn parse(text: &str) -> Result<Uuid, InvalidId> {
    let uuid = Uuid::try_parse(text).map_err(|_| InvalidId)?;
    let mut buffer = Uuid::encode_buffer();
    if uuid.hyphenated().encode_lower(&mut buffer) == text { Ok(uuid) } else { Err(InvalidId) }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(
            value_type = String,
            format = "uuid",
            pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            example = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f"
        )]
        pub struct $name(pub Uuid);

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                parse(&text).map(Self)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                parse(text).map(Self)
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
    MatchId
}

id! {
    /// The id of a guest.
    GuestId
}

id! {
    /// The id of a session.
    SessionId
}
