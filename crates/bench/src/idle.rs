//! Idle sockets.

use std::sync::Arc;

use lusoria_protocol::{
    Admission, CreateMatch, Created, MatchId, Token,
    socket::{ApiRequest, OnLag, Op, Watch},
};
use serde::de::IgnoredAny;
use tokio::sync::{mpsc, watch};

use super::{connection_opener::ConnectionOpener, error::ClientError, run_state::RunState, tally::Tally};

/// Creates a match that nobody joins.
pub(super) async fn quiet_match(
    opener: &ConnectionOpener,
    token: &Token,
    terms: CreateMatch,
) -> Result<MatchId, ClientError> {
    let mut connection = opener.open(Some(token)).await?;
    let terms = CreateMatch { admission: Admission::Invitation, ..terms };
    let made: Created = connection.ask(ApiRequest::post("/matches", &terms)).await?;
    connection.close().await;
    Ok(made.created.id)
}

/// Watches the match until the run is over. Notifies the run when it begins.
pub(super) async fn watch_nothing(
    opener: Arc<ConnectionOpener>,
    run_state: Arc<RunState>,
    id: MatchId,
    ready: mpsc::Sender<()>,
    mut over: watch::Receiver<bool>,
) -> Result<Tally, ClientError> {
    let mut connection = opener.open(None).await?;
    let watch = Watch { id, since: None, on_lag: OnLag::Journal, positions: true, spectating: true };
    let _: IgnoredAny = connection.ask(Op::Watch(watch)).await?;
    // The run may have given up waiting.
    let _ = ready.send(()).await;
    drop(ready);
    let mut tally = Tally::default();
    let lost = async {
        loop {
            if let Err(lost) = connection.receive().await {
                return lost;
            }
        }
    };
    tokio::select! {
        lost = lost => tally.count_error(&lost.into(), &run_state),
        _ = over.wait_for(|&over| over) => {}
    }
    Ok(tally)
}
