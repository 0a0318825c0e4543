//! Starts matches between two guests.

use std::net::{IpAddr, SocketAddr};

use lusoria_protocol::{
    CreateGuest, CreateMatch, Created, Guest, JoinMatch, MatchId,
    socket::{ApiRequest, OnLag, Op, Watch, WatchOk},
};

use super::{Connection, MatchView, Origin, RequestError};

impl Connection {
    /// Opens a connection as a new guest.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub async fn open_as_guest(
        origin: &Origin,
        address: SocketAddr,
        from: Option<IpAddr>,
    ) -> Result<(Self, Guest), RequestError> {
        let (mut stranger, _) = Self::open(origin, address, from, None).await?;
        let guest: Guest = stranger.ask(ApiRequest::post("/guests", &CreateGuest::default())).await?;
        stranger.close().await;
        let (connection, _) = Self::open(origin, address, from, Some(&guest.token)).await?;
        Ok((connection, guest))
    }

    /// Watches a match from now on.
    ///
    /// # Errors
    /// If there is no such match, or the server refuses.
    pub async fn watch(&mut self, id: MatchId, on_lag: OnLag) -> Result<MatchView, RequestError> {
        self.begin_to_watch(Watch { id, since: None, on_lag, positions: true, spectating: true }).await
    }

    /// The same, without the position after each turn: the view plays the turns itself.
    ///
    /// # Errors
    /// If there is no such match, or the server refuses.
    pub async fn watch_without_positions(
        &mut self,
        id: MatchId,
        on_lag: OnLag,
    ) -> Result<MatchView, RequestError> {
        self.begin_to_watch(Watch { id, since: None, on_lag, positions: false, spectating: true }).await
    }

    async fn begin_to_watch(&mut self, watch: Watch) -> Result<MatchView, RequestError> {
        let watching: WatchOk = self.ask(Op::Watch(watch)).await?;
        let snapshot = watching.snapshot.ok_or_else(RequestError::no_snapshot)?;
        Ok(MatchView::from(*snapshot))
    }
}

/// Starts a match between two guests, who both watch it: the first creates it, the second joins.
///
/// # Errors
/// If the server refuses.
pub async fn start_match(
    one: &mut Connection,
    two: &mut Connection,
    terms: CreateMatch,
) -> Result<[MatchView; 2], RequestError> {
    let made: Created = one.ask(ApiRequest::post("/matches", &terms)).await?;
    let id = made.created.id;
    let join = Op::command(id, None, JoinMatch { seed: None });
    let _: serde::de::IgnoredAny = two.ask(join).await?;
    Ok([one.watch(id, OnLag::Journal).await?, two.watch(id, OnLag::Journal).await?])
}
