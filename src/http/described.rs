//! Types for the descriptions of handlers. Descriptions are made in tests only: see `openapi`.
//!
//! An operation declares its refusals by their status; the description of the response lists the possible codes.

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses,
    openapi::{Ref, RefOr, Response},
};

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident $status:literal,)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                let response = Ref::from_response_name(concat!("Problem", $status));
                BTreeMap::from([($status.to_owned(), response.into())])
            }
        }
    )*};
}

refusals! {
    /// 403: the caller may not do this.
    Forbidden "403",
    /// 404: it does not exist.
    NotFound "404",
    /// 409: the match or the rules do not allow it now.
    Conflict "409",
}

/// Everything that the descriptions of handlers mention.
pub(super) mod prelude {
    pub(in crate::http) use super::{Conflict, Forbidden, NotFound};
    pub(in crate::http) use crate::http::extract::{
        ApiTokenPath, ChallengePath, GamePath, GuestPath, HandlePath, KeyHeader, MatchPath, PairPath,
        PasskeyPath, PlayerRatingPath, PushSubscriptionPath, RatingPath, SeekPath, SessionPath,
        TournamentPath,
    };
    pub(in crate::http) use lusoria_protocol::*;
    pub(in crate::http) use utoipa::{IntoParams, ToSchema};
}
