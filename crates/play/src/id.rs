//! Ids: lower-case UUIDs.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};
use uuid::Uuid;

/// The text is not a UUID in its usual form: 36 characters, lower case, with hyphens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id is a lower-case UUID such as 0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f")]
pub struct InvalidId;

/// Reads an id from a string.
struct IdVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err = InvalidId>> Visitor<'_> for IdVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! id {
    ($(#[$attribute:meta])* $name:ident) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
        $(#[$attribute])*
        pub struct $name(pub Uuid);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(IdVisitor(PhantomData))
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let uuid = Uuid::try_parse(text).map_err(|_| InvalidId)?;
                let is_usual = uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text;
                if is_usual { Ok(Self(uuid)) } else { Err(InvalidId) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    /// The id of a seek.
    // Of version 7, so that ids sort by time.
    SeekId
}

id! {
    /// The id of a tournament.
    // Of version 7, so that ids sort by time.
    TournamentId
}

id! {
    /// The id of a session.
    // A session is a token of a guest; the id names it and is not secret.
    SessionId
}

id! {
    /// The id of an API token.
    // It names the token and is not secret.
    ApiTokenId
}

id! {
    /// The id of a passkey.
    // It names the passkey and is not secret.
    PasskeyId
}

id! {
    /// The id of a push subscription.
    // It names the subscription and is not secret, as its endpoint is.
    PushSubscriptionId
}

id! {
    /// The id of something said in a match.
    // Of version 7, so that ids sort by time.
    RemarkId
}

id! {
    /// The id of a report.
    // Of version 7, so that ids sort by time.
    ReportId
}

id! {
    /// The id of a flag for help from an engine.
    // Of version 7, so that ids sort by time.
    FlagId
}

id! {
    /// The id of a warning, a mute or a ban.
    // Of version 7, so that ids sort by time.
    SanctionId
}
