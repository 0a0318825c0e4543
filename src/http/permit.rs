//! Whether an operation may be asked for: by the table of `app::Operation`, before its handler.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};
use lusoria_protocol::Code;
use utoipa::openapi::{OpenApi, path::PathItem};

use super::{error::Failure, extract::Who};
use crate::app::Operation;

/// Which operation each method of each path is.
#[derive(Clone)]
pub(super) struct Operations(Arc<BTreeMap<String, Vec<(Method, Operation)>>>);

impl Operations {
    /// Those of the description.
    ///
    /// # Panics
    /// If one is not in the table of `app::access`: nobody would know who may ask for it.
    pub(super) fn described(document: &OpenApi) -> Self {
        let of_path =
            |item: &PathItem| methods(item).map(|(method, described)| (method, listed(described))).collect();
        let paths = document.paths.paths.iter();
        Self(Arc::new(paths.map(|(path, item)| (path.clone(), of_path(item))).collect()))
    }

    fn of(&self, path: &str, method: &Method) -> Option<Operation> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.0.get(path)?.iter().find(|(known, _)| known == method).map(|(_, operation)| *operation)
    }
}

fn listed(described: &utoipa::openapi::path::Operation) -> Operation {
    let id = described.operation_id.as_deref().unwrap_or_default();
    Operation::of_id(id).unwrap_or_else(|| panic!("app::access does not list the operation {id:?}"))
}

fn methods(item: &PathItem) -> impl Iterator<Item = (Method, &utoipa::openapi::path::Operation)> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    let methods = [
        (Method::GET, get),
        (Method::PUT, put),
        (Method::POST, post),
        (Method::DELETE, delete),
        (Method::PATCH, patch),
    ];
    methods.into_iter().filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

/// Refuses those who may not ask for the operation. Its handler sees only callers who make a difference to it.
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
        // A token that is not good matters only where somebody asks who it is.
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
