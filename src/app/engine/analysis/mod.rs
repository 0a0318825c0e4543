//! The computer's analysis of finished matches. It is computed once, on the first request, and stored. All
//! other work of the computer goes first.

mod checks;
mod lookback;
mod queue;
mod rollouts;

pub(in crate::app) use lookback::ReviewRequest;
pub(in crate::app) use queue::Analyses;
pub(in crate::app) use rollouts::Rollouts;

use std::{ops::Range, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use lusoria_play::{Corrupt, Match, MatchId, Millis, Recorded, Refusal};
use lusoria_protocol::{Analysis, AnalysisState, Problem, Record, ToJson};
use lusoria_rules::Variant;
use lusoria_search::{Budget, edition};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::{
    app::{
        App, ClientAddress,
        matches::{read::EVENTS_MAX, turn_to_play::stakes},
        problem,
    },
    live::CommandError,
};
use lookback::{Found, Lookback};
use lusoria_store::{KeptAnalysis, StoreError};
use queue::SoFar;

/// The version of the stored format. Raise it when old analyses can no longer be read or mean something else.
pub const FORM: u32 = 2;

/// In a longer match only this many turns are reviewed, so that no match keeps the others waiting for long.
const FULL_TURNS: u32 = 1_000;

/// A longer JSON text is parsed in the background.
const SHORT_BYTES: usize = 16 * 1024;

/// An analysis of more turns is serialised in the background.
const SHORT_TURNS: u32 = 20;

/// The pause before storing a failed write again, and before looking for an analysis that another node
/// computes.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How long a node's lease on the analysis of a match lasts, in milliseconds. The node renews it while it
/// works.
const LEASE_MS: Millis = 60_000;
const LEASE_AGAIN: Duration = Duration::from_secs(20);

/// An [`Analysis`] as it is sent. A stored one is sent as stored.
#[derive(Debug, Serialize)]
pub struct ToldAnalysis {
    #[serde(rename = "match")]
    id: MatchId,
    state: AnalysisState,
    done: u32,
    turns: u32,
    games: Box<RawValue>,
}

impl ToJson for ToldAnalysis {
    fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("wire types are plain data")
    }
}

/// Why an analysis failed. The next request starts it again.
#[derive(Debug, thiserror::Error)]
enum GivenUp {
    #[error(transparent)]
    Match(#[from] CommandError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("journal: {0}")]
    Journal(#[from] Corrupt),
    #[error("it is not rated")]
    NotRated,
    #[error("the analysis could not be serialised")]
    Unwritten,
    #[error("the analysis panicked")]
    Panicked,
}

impl App {
    /// Starts computing requested analyses, one per thread of the computer, and rollouts, until the live
    /// matches stop. They run in `tasks`.
    pub fn start_analyses(self: &Arc<Self>, tasks: &TaskTracker) {
        let app = Arc::clone(self);
        tasks.spawn(async move {
            tokio::select! {
                biased;
                () = app.live.stopping().cancelled() => {}
                () = app.work_out_rollouts() => {}
            }
        });
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

    /// The analysis of a finished match, as far as it has come. The first request starts it.
    ///
    /// # Errors
    /// `no_such_match`; `match_not_over`; `too_many_requests` if the address asks too often, or has too many
    /// analyses waiting; `unavailable`, also if too many are waiting.
    pub async fn analysis(&self, id: MatchId, address: ClientAddress) -> Result<ToldAnalysis, Problem> {
        let state = self.state(id).await?;
        if state.end().is_none() {
            return Err(problem::refusal(&Refusal::NotOver));
        }
        let turns = state.turns();
        if turns == 0 {
            return self.told(id, AnalysisState::Ready, (0, Arc::default()), 0).await;
        }
        if let Some(so_far) = self.analyses.so_far(id) {
            self.admit_items(address, so_far.0 as usize)?;
            return self.told(id, AnalysisState::Pending, so_far, turns).await;
        }
        self.admit_items(address, turns as usize)?;
        if let Some(kept) = self.kept_analysis(&state, address).await? {
            let written = self.background.run_if_long(is_long(&kept), || RawValue::from_string(kept)).await;
            match written.ok_or_else(problem::internal)? {
                Ok(games) => {
                    let state = AnalysisState::Ready;
                    return Ok(ToldAnalysis { id, state, done: turns, turns, games });
                }
                Err(error) => tracing::error!(id = %id.0, %error, "could not read a stored analysis"),
            }
        }
        self.told(id, AnalysisState::Pending, self.analyses.ask(id, address)?, turns).await
    }

    /// The analysis so far, as it is sent.
    async fn told(
        &self,
        id: MatchId,
        state: AnalysisState,
        (done, games): SoFar,
        turns: u32,
    ) -> Result<ToldAnalysis, Problem> {
        let written = self.background.run_if_long(done > SHORT_TURNS, move || to_raw_value(&*games)).await;
        let games = written.ok_or_else(problem::internal)?.map_err(|_| problem::internal())?;
        Ok(ToldAnalysis { id, state, done, turns, games })
    }

    /// The record of a match, with its analysis if that is ready.
    ///
    /// # Errors
    /// As [`App::record`].
    pub async fn record_with_analysis(&self, id: MatchId, address: ClientAddress) -> Result<Record, Problem> {
        let record = self.record(id, address).await?;
        let state = self.state(id).await?;
        if record.result.is_none() {
            return Ok(record);
        }
        let turns = state.turns();
        self.admit_items(address, turns as usize)?;
        let Some(kept) = self.kept_analysis(&state, address).await? else { return Ok(record) };
        let read = self.background.run_if_long(is_long(&kept), move || serde_json::from_str(&kept)).await;
        let analysis = match read.ok_or_else(problem::internal)? {
            Ok(games) => {
                Some(Analysis { id: record.id, state: AnalysisState::Ready, done: turns, turns, games })
            }
            Err(error) => {
                tracing::error!(id = %id.0, %error, "could not read a stored analysis");
                None
            }
        };
        Ok(Record { analysis, ..record })
    }

    /// The games of the stored analysis, if today's engine made it. Like records, only a few are read at a
    /// time.
    async fn kept_analysis(&self, state: &Match, address: ClientAddress) -> Result<Option<String>, Problem> {
        let _passed = self.records.acquire(address).await?;
        let kept = self.store().analysis(state.id()).await.map_err(problem::store)?;
        let engine = self.engine(state.terms().variant);
        Ok(kept.filter(|kept| kept.engine == engine).map(|kept| kept.body))
    }

    /// Names the engine that analyses this variant. A stored analysis by another engine is not used.
    fn engine(&self, variant: Variant) -> String {
        format!("{FORM}/{}/{:016x}", self.limits.analysis_nodes, edition(variant))
    }

    async fn work_out_analyses(&self) {
        loop {
            let id = self.analyses.next().await;
            let worked_out = AssertUnwindSafe(self.work_out(id)).catch_unwind().await;
            match worked_out.unwrap_or(Err(GivenUp::Panicked)) {
                Ok(()) => metrics::counter!("lusoria_analyses_total").increment(1),
                Err(error) => tracing::error!(id = %id.0, %error, "could not analyse a match; giving up"),
            }
            self.analyses.forget(id);
        }
    }

    async fn work_out(&self, id: MatchId) -> Result<(), GivenUp> {
        let state = self.live.state(id).await?;
        let engine = self.engine(state.terms().variant);
        loop {
            // It may have been requested just when it became ready.
            if self.store().analysis(id).await?.is_some_and(|kept| kept.engine == engine) {
                return Ok(());
            }
            if self.takes(id, state.head()).await? {
                break;
            }
            // Another node computes it.
            tokio::time::sleep(RETRY_AFTER).await;
        }
        let add = |game, found: Option<Found>, at: &Recorded| {
            self.analyses.add(id, game, found, at, stakes(&state));
        };
        self.look_back(&state, add).await?;
        let (_, games) = self.analyses.so_far(id).unwrap_or_default();
        let written = self.background.run(move || serde_json::to_string(&*games)).await;
        let body = written.and_then(Result::ok).ok_or(GivenUp::Unwritten)?;
        self.keep_analysis(id, KeptAnalysis { engine, body }).await?;
        Ok(())
    }

    /// Reviews every turn of a match, and passes on each result with its event and game number. Between two
    /// turns the computer's other work runs.
    async fn look_back(
        &self,
        state: &Match,
        mut hand_over: impl FnMut(u16, Option<Found>, &Recorded),
    ) -> Result<(), GivenUp> {
        let (id, head) = (state.id(), state.head());
        let budget = Budget { nodes: self.limits.analysis_nodes };
        let shared = Budget { nodes: budget.nodes.saturating_mul(FULL_TURNS) }.shared_by(state.turns());
        let taken_back = self.taken_back(state).await?;
        let mut lookback = Lookback::new(state, budget.min(shared), taken_back);
        let (mut since, mut leased_at) = (0, Instant::now());
        while since < head {
            let page = self.store().events(id, since, EVENTS_MAX).await?.events;
            let Some(last) = page.last() else { return Err(Corrupt::Empty.into()) };
            since = last.seq;
            for recorded in page {
                if let Some(question) = lookback.question(&recorded) {
                    let reviewed = self.thinking.run_when_idle(move || question.review()).await;
                    if reviewed.is_none() {
                        tracing::error!(id = %id.0, seq = recorded.seq, "could not analyse a turn");
                    }
                    let found = reviewed.flatten().and_then(|reviewed| lookback.found(&recorded, reviewed));
                    hand_over(lookback.game(), found, &recorded);
                    tokio::task::yield_now().await;
                }
                lookback.go_on(recorded)?;
                if self.live.is_shared() && leased_at.elapsed() >= LEASE_AGAIN {
                    self.takes(id, head).await?;
                    leased_at = Instant::now();
                }
            }
        }
        Ok(())
    }

    /// The events of turns that were taken back. They are not reviewed.
    async fn taken_back(&self, state: &Match) -> Result<Vec<Range<u32>>, GivenUp> {
        let (mut taken_back, mut since) = (Vec::new(), 0);
        while state.takebacks() > 0 && since < state.head() {
            let page = self.store().events(state.id(), since, EVENTS_MAX).await?.events;
            since = page.last().ok_or(Corrupt::Empty)?.seq;
            taken_back.extend(lusoria_play::taken_back(&page));
        }
        Ok(taken_back)
    }

    /// Takes or renews this node's lease on a match; false if another node has it.
    async fn takes(&self, id: MatchId, head: u32) -> Result<bool, StoreError> {
        self.store().lease(id, head, self.live.node(), LEASE_MS).await
    }

    /// Stores an analysis as soon as the store accepts it.
    async fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> Result<(), StoreError> {
        loop {
            match self.store().keep_analysis(id, analysis.clone()).await {
                Ok(_) => return Ok(()),
                Err(error @ (StoreError::Busy(_) | StoreError::Full(_) | StoreError::Unknown(_))) => {
                    tracing::warn!(id = %id.0, %error, "could not store an analysis; retrying");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
                Err(error @ (StoreError::Corrupt(_) | StoreError::Closed | StoreError::Failed(_))) => {
                    return Err(error);
                }
            }
        }
    }
}

fn is_long(text: &str) -> bool {
    text.len() > SHORT_BYTES
}
