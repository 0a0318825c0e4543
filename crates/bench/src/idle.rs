//! Sockets on which nothing happens.

use std::sync::Arc;

use lusoria_protocol::{
    Admission, CreateMatch, Created, MatchId, Token,
    socket::{OnLag, Op, Watch},
};
use serde::de::IgnoredAny;
use tokio::sync::{mpsc, watch};

use super::{connector::Connector, course::Course, tally::Tally, trouble::Trouble};

/// Makes a match that nobody joins.
pub(super) async fn quiet_match(
    connector: &Connector,
    token: &Token,
    terms: CreateMatch,
) -> Result<MatchId, Trouble> {
    let mut connection = connector.open(Some(token)).await?;
    let terms = CreateMatch { admission: Admission::Invitation, ..terms };
    let made: Created = connection.ask(Op::create(None, terms)).await?;
    connection.close().await;
    Ok(made.created.id)
}

/// Watches the match until the run is over. Says so once it does.
pub(super) async fn watch_nothing(
    connector: Arc<Connector>,
    course: Arc<Course>,
    id: MatchId,
    ready: mpsc::Sender<()>,
    mut over: watch::Receiver<bool>,
) -> Result<Tally, Trouble> {
    let mut connection = connector.open(None).await?;
    let watch = Watch { id, since: None, on_lag: OnLag::Journal };
    let _: IgnoredAny = connection.ask(Op::Watch(watch)).await?;
    // The run may have given up waiting.
    let _ = ready.send(()).await;
    drop(ready);
    let mut tally = Tally::default();
    let lost = async {
        loop {
            if let Err(lost) = connection.hear().await {
                return lost;
            }
        }
    };
    tokio::select! {
        lost = lost => tally.trouble(&lost.into(), &course),
        _ = over.wait_for(|&over| over) => {}
    }
    Ok(tally)
}
