//! Counts long responses as unread until their clients have read them.

use axum::{
    body::HttpBody,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{Http, error::Failure, held_body};
use crate::app::{self, ClientAddress};

/// Counts the response, or replaces it with a refusal if too much is unread.
pub(super) async fn count_unread(State(http): State<Http>, request: Request, next: Next) -> Response {
    let address: Option<ClientAddress> = request.extensions().get().copied();
    let Some(address) = address else { return Failure(app::internal()).into_response() };
    let response = next.run(request).await;
    // A stream has no length; its own buffer is bounded.
    let bytes = response.body().size_hint().exact().unwrap_or(0);
    match http.app.count_unread(address, bytes) {
        Ok(None) => response,
        Ok(Some(unread)) => response.map(|body| held_body(body, unread)),
        Err(problem) => Failure(problem).into_response(),
    }
}
