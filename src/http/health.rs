//! Health checks for monitoring.

use axum::{Router, extract::State, routing::get};
use lusoria_protocol::{Health, Status};

use super::{Http, error::HandlerResult, json::Json};

pub(super) fn router() -> Router<Http> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

fn health(http: &Http) -> Json<Health> {
    Json(Health {
        status: Status::Ok,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        lost_commits: http.app.lost_commits(),
        loss_unknown: http.app.is_loss_unknown(),
    })
}

/// The process runs.
async fn alive(State(http): State<Http>) -> Json<Health> {
    health(&http)
}

/// It can serve requests: the store is readable and has space, and the server is not stopping.
async fn ready(State(http): State<Http>) -> HandlerResult<Json<Health>> {
    http.app.ready().await?;
    Ok(health(&http))
}
