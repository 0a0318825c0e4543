//! Metrics for Prometheus, on an address of their own.

use std::future::Future;

use axum::{Router, routing::get};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Installs the recorder and serves `/metrics` until the server stops.
///
/// # Errors
/// If a recorder is installed already.
pub(super) fn serve(
    listener: TcpListener,
    stopping: CancellationToken,
) -> Result<impl Future<Output = ()> + Send, String> {
    let handle = PrometheusBuilder::new().install_recorder().map_err(|error| error.to_string())?;
    let router = Router::new().route("/metrics", get(async move || handle.render()));
    Ok(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stopping.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "metrics are no longer served");
        }
    })
}
