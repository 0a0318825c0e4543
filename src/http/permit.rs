//! Checks access before the handler, by the table of `app::Operation`.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};
use lusoria_protocol::Code;

use super::{error::Failure, extract::Who, routes::BASE};
use crate::app::Operation;

/// The operation of each method of each path.
#[derive(Clone)]
pub(super) struct Operations(Arc<BTreeMap<String, Vec<(Method, Operation)>>>);

impl Operations {
    /// The operations of routes below the path of the API.
    pub(super) fn new(routes: &[(&'static str, Method, Operation)]) -> Self {
        let mut operations: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (path, method, operation) in routes {
            operations.entry(format!("{BASE}{path}")).or_default().push((method.clone(), *operation));
        }
        Self(Arc::new(operations))
    }

    fn of(&self, path: &str, method: &Method) -> Option<Operation> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.0.get(path)?.iter().find(|(known, _)| known == method).map(|(_, operation)| *operation)
    }
}

/// Refuses callers without access. The handler sees only callers that make a difference to it.
pub(super) async fn permit(
    State(operations): State<Operations>,
    path: MatchedPath,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(operation) = operations.of(path.as_str(), request.method()) else {
        return Failure(Code::MethodNotAllowed.into()).into_response();
    };
    let permitted = match request.extensions().get::<Who>() {
        // An invalid token matters only to operations that need a caller.
        _ if operation.ignores_callers() => Ok(None),
        Some(Who(Ok(caller))) => operation.permit(caller.as_ref()),
        Some(Who(Err(problem))) => Err(problem.clone()),
        None => Err(Code::Internal.into()),
    };
    match permitted.map(|caller| caller.is_none()) {
        Ok(is_nobody) => {
            if is_nobody {
                request.extensions_mut().insert(Who(Ok(None)));
            }
            next.run(request).await
        }
        Err(problem) => Failure(problem).into_response(),
    }
}
