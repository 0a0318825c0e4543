//! Who asks.

use axum::{extract::FromRequestParts, http::request::Parts};
use lusoria_protocol::{Code, Problem};

use crate::{
    app::{self, Caller},
    http::{Http, error::Failure},
    live::Arrived,
};

/// What the layer that looks at tokens has found, in the request's extensions. A token that
/// is not good matters only where somebody asks who it is.
#[derive(Clone)]
pub(in crate::http) struct Who(pub(in crate::http) Result<Option<Caller>, Problem>);

/// A guest: without a token the request is refused.
pub(in crate::http) struct Guest(pub(in crate::http) Caller);

/// A guest, or somebody who only looks.
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
