//! The response to a command, which is JSON already.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};

use crate::app::CommandResponse;

impl IntoResponse for CommandResponse {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.into_json()).into_response()
    }
}
