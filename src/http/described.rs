//! What handlers are described with. Descriptions are made in tests alone: see `openapi`.
//!
//! The refusals that operations declare are named by their status; which codes those can be is
//! in the description of the response.

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
    /// 403: it is not for you.
    Forbidden "403",
    /// 404: there is no such thing.
    NotFound "404",
    /// 409: it does not fit the match or the rules of the game as they are.
    Conflict "409",
}

/// Everything that descriptions mention, for the files of handlers.
pub(super) mod prelude {
    pub(in crate::http) use super::{Conflict, Forbidden, NotFound};
    pub(in crate::http) use crate::http::extract::{
        ApiTokenPath, ChallengePath, GamePath, GuestPath, HandlePath, KeyHeader, MatchPath, PairPath,
        PasskeyPath, PlayerRatingPath, PushSubscriptionPath, RatingPath, SeekPath, SessionPath,
    };
    pub(in crate::http) use lusoria_protocol::*;
    pub(in crate::http) use utoipa::{IntoParams, ToSchema};
}
