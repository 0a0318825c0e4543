//! The refusals that operations declare, each by its status; which codes those can be is
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
