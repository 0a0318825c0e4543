//! What the computer thinks of matches that are over. It is worked out when somebody asks for
//! it, once, and kept; whatever else the computer has to think of comes first.

mod lookback;
mod queue;

pub(super) use queue::Analyses;

use std::{sync::Arc, time::Duration};

use lusoria_play::{Corrupt, Match, MatchId, Refusal};
use lusoria_protocol::{AnalysedGame, Analysis, AnalysisState, Problem, Record};
use lusoria_rules::Game;
use lusoria_search::{Budget, edition};
use tokio_util::task::TaskTracker;

use super::{App, ClientAddress, problem, question::stakes, read::EVENTS_MAX, wire};
use crate::{
    live::CommandError,
    store::{KeptAnalysis, StoreError},
};
use lookback::Lookback;

/// The form in which analyses are kept; to be raised when an old one can no longer be read, or
/// says something else.
const FORM: u32 = 1;

/// A match of more turns has no more looked at than one of so many: no match keeps the others
/// waiting for long.
const FULL_TURNS: u32 = 1_000;

/// A longer text is read aside.
const SHORT_BYTES: usize = 16 * 1024;

/// How soon an analysis is offered again to a store that could not take it.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why an analysis was given up. Whoever asks again begins it anew.
#[derive(Debug, thiserror::Error)]
enum GivenUp {
    #[error(transparent)]
    Match(#[from] CommandError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the journal: {0}")]
    Journal(#[from] Corrupt),
    #[error("it could not be written down")]
    Unwritten,
}

impl App {
    /// Works out the analyses that are asked for, as many at a time as the computer has threads,
    /// until the live matches stop. It runs in `tasks`.
    pub fn start_analyses(self: &Arc<Self>, tasks: &TaskTracker) {
        for _ in 0..self.limits.computer_threads {
            let app = Arc::clone(self);
            tasks.spawn(async move {
                tokio::select! {
                    biased;
                    () = app.live.stopping().cancelled() => {}
                    () = app.work_out_analyses() => {}
                }
            });
        }
    }

    /// A match that is over as the computer sees it: what there is of it so far. Asking for it
    /// has it worked out.
    ///
    /// # Errors
    /// `no_such_match`; `match_not_over`; `too_many_requests` if the address asks for too much,
    /// or has too many analyses waiting; `unavailable`, also if too many are waiting.
    pub async fn analysis(&self, id: MatchId, address: ClientAddress) -> Result<Analysis, Problem> {
        let state = self.state(id).await?;
        if state.end().is_none() {
            return Err(problem::refusal(&Refusal::NotOver));
        }
        let turns = state.turns();
        let analysis = |state, done, games| Analysis { id: wire::match_id(id), state, done, turns, games };
        if turns == 0 {
            return Ok(analysis(AnalysisState::Ready, 0, Vec::new()));
        }
        if let Some(games) = self.kept_analysis(&state).await? {
            self.admit_items(address, turns as usize)?;
            return Ok(analysis(AnalysisState::Ready, turns, games));
        }
        self.admit_items(address, self.analyses.done(id) as usize)?;
        let (done, games) = self.analyses.ask(id, address)?;
        Ok(analysis(AnalysisState::Pending, done, games))
    }

    /// The record of a match with its analysis, if that is ready.
    ///
    /// # Errors
    /// As [`App::record`].
    pub async fn record_with_analysis(&self, id: MatchId, address: ClientAddress) -> Result<Record, Problem> {
        let record = self.record(id, address).await?;
        let state = self.state(id).await?;
        let games = if record.result.is_some() { self.kept_analysis(&state).await? } else { None };
        let turns = state.turns();
        let ready =
            |games| Analysis { id: record.id, state: AnalysisState::Ready, done: turns, turns, games };
        Ok(Record { analysis: games.map(ready), ..record })
    }

    /// The analysis that is kept, if the computer would think the same today.
    async fn kept_analysis(&self, state: &Match) -> Result<Option<Vec<AnalysedGame>>, Problem> {
        let kept = self.store().analysis(state.id()).await.map_err(problem::store)?;
        let engine = self.engine(state.terms().variant.game());
        let Some(KeptAnalysis { body, .. }) = kept.filter(|kept| kept.engine == engine) else {
            return Ok(None);
        };
        let read = self.aside.unless_short(body.len() > SHORT_BYTES, move || serde_json::from_str(&body));
        match read.await.ok_or_else(problem::internal)? {
            Ok(games) => Ok(Some(games)),
            Err(error) => {
                tracing::error!(id = %state.id().0, %error, "an analysis cannot be read");
                Ok(None)
            }
        }
    }

    /// What looks at matches of that game: another one would think otherwise.
    fn engine(&self, game: Game) -> String {
        format!("{FORM}/{}/{:016x}", self.limits.analysis_nodes, edition(game))
    }

    async fn work_out_analyses(&self) {
        loop {
            let id = self.analyses.next().await;
            match self.work_out(id).await {
                Ok(()) => metrics::counter!("lusoria_analyses_total").increment(1),
                Err(error) => tracing::error!(id = %id.0, %error, "an analysis was given up"),
            }
            self.analyses.forget(id);
        }
    }

    async fn work_out(&self, id: MatchId) -> Result<(), GivenUp> {
        let state = self.live.state(id).await?;
        let engine = self.engine(state.terms().variant.game());
        // It may have been asked for just when it had become ready.
        if self.store().analysis(id).await?.is_some_and(|kept| kept.engine == engine) {
            return Ok(());
        }
        self.look_back(&state).await?;
        let (_, games) = self.analyses.so_far(id);
        let written = self.aside.run(move || serde_json::to_string(&games)).await;
        let body = written.and_then(Result::ok).ok_or(GivenUp::Unwritten)?;
        self.keep_analysis(id, KeptAnalysis { engine, body }).await?;
        Ok(())
    }

    /// Looks at every turn of a match. Between two turns whatever else there is to think of is
    /// thought of.
    async fn look_back(&self, state: &Match) -> Result<(), GivenUp> {
        let (id, head) = (state.id(), state.head());
        let budget = Budget { nodes: self.limits.analysis_nodes };
        let shared = Budget { nodes: budget.nodes.saturating_mul(FULL_TURNS) }.shared_by(state.turns());
        let mut lookback = Lookback::new(state, budget.min(shared));
        let mut since = 0;
        while since < head {
            let page = self.store().events(id, since, EVENTS_MAX).await?;
            let Some(last) = page.last() else { return Err(Corrupt::Empty.into()) };
            since = last.seq;
            for recorded in page {
                if let Some(question) = lookback.question(&recorded) {
                    let reviewed = self.thinking.run_later(move || question.review()).await;
                    if reviewed.is_none() {
                        tracing::error!(id = %id.0, seq = recorded.seq, "a look back at a turn failed");
                    }
                    let found = reviewed.flatten().and_then(|reviewed| lookback.found(&recorded, reviewed));
                    self.analyses.add(id, lookback.game(), found, &recorded, stakes(state));
                    tokio::task::yield_now().await;
                }
                lookback.go_on(recorded)?;
            }
        }
        Ok(())
    }

    /// Keeps an analysis, as soon as the store can take it.
    async fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> Result<(), StoreError> {
        loop {
            match self.store().keep_analysis(id, analysis.clone()).await {
                Ok(_) => return Ok(()),
                Err(error @ (StoreError::Busy(_) | StoreError::Full(_) | StoreError::Unknown(_))) => {
                    tracing::warn!(id = %id.0, %error, "an analysis is not kept yet");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error @ (StoreError::Corrupt(_) | StoreError::Closed | StoreError::Failed(_))) => {
                    return Err(error);
                }
            }
        }
    }
}
