//! The caller of a request.

use axum::{extract::FromRequestParts, http::request::Parts};
use lusoria_protocol::{Code, Problem};

use crate::{
    app::{self, Caller},
    http::{Http, error::Failure},
    live::Arrived,
};

/// The result of the token's look-up, in the request's extensions. An invalid token matters only to handlers that
/// need a caller.
#[derive(Clone)]
pub(in crate::http) struct Who(pub(in crate::http) Result<Option<Caller>, Problem>);

/// A guest: requests without a token are refused.
pub(in crate::http) struct Guest(pub(in crate::http) Caller);

/// A guest, or a reader without a token.
pub(in crate::http) struct Viewer(pub(in crate::http) Option<Caller>);

impl FromRequestParts<Http> for Viewer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let Who(caller) = parts.extensions.get::<Who>().ok_or(Code::Internal)?;
        Ok(Self(caller.clone()?))
    }
}

impl FromRequestParts<Http> for Guest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Failure> {
        let Viewer(caller) = Viewer::from_request_parts(parts, http).await?;
        let caller = caller.ok_or_else(app::unauthorized)?;
        Ok(Self(caller.asking(parts.extensions.get::<Arrived>().cloned())))
    }
}
