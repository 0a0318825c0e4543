//! The calls of a caller's tournaments, told again when the caller begins to listen.

use lusoria_protocol::{Notice, Problem, YourPairing};
use lusoria_store::TournamentFilter;

use crate::app::{App, Caller, problem};

/// How many tournaments are looked at, the newest.
const TOURNAMENTS_MAX: u32 = 20;

impl App {
    /// A notice for each tournament in which the caller's pairing waits for them, or their live match has not ended. Those
    /// by correspondence wait for nobody at the board.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn tournament_calls(&self, caller: &Caller) -> Result<Vec<Notice>, Problem> {
        let playing = TournamentFilter::PlayedBy(caller.id());
        let page = self.store().tournaments(playing, None, TOURNAMENTS_MAX).await.map_err(problem::store)?;
        let mut calls = Vec::new();
        for row in page.rows {
            let known = self.known_tournament(row.id).await?;
            let settings = known.state.settings();
            let Some(entry) =
                known.state.entrant_of(caller.id()).filter(|_| !settings.clock.is_correspondence())
            else {
                continue;
            };
            let pairing = self.your_pairing(&known.state, entry, self.live.now()).await?;
            if let Some(YourPairing { round, opponent, match_id, until, .. }) = pairing
                && (match_id.is_some() || until.is_some())
            {
                calls.push(Notice::TournamentCall {
                    tournament: row.id,
                    name: settings.name.clone(),
                    round,
                    opponent: Box::new(opponent),
                    id: match_id,
                    until,
                });
            }
        }
        Ok(calls)
    }
}
