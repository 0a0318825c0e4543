//! Responses in JSON.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use lusoria_protocol::ToJson;

use crate::app::CommandResponse;

/// A value as the JSON body of a response.
pub(super) struct Json<T>(pub(super) T);

impl<T: ToJson> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        of_bytes(self.0.to_json())
    }
}

impl IntoResponse for CommandResponse {
    fn into_response(self) -> Response {
        of_bytes(self.into_json())
    }
}

/// A response whose JSON is already written.
pub(super) fn of_bytes(json: impl Into<axum::body::Bytes>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json.into()).into_response()
}
