//! Statistics of the games. Finished matches are counted in the background, each once, and the results are
//! public.
//!
//! Each match stores the round in which it was counted, in the transaction that adds its counts. Counting
//! again begins another round. Nodes of an earlier release, whose definitions are older, then stop counting.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::try_join_all;
use lusoria_play::{MatchId, Millis, Recorded};
use lusoria_protocol::{CountedGame, Game, GameStatistics, Problem, StatisticsList};
use lusoria_statistics::{Counts, DEFINITIONS, csv, of_match, summary};
use lusoria_store::{CountingRound, GameCountRows, StoreError};
use tokio::time::MissedTickBehavior;

use crate::app::{App, admin::Failed, problem};

/// How often the server looks for finished matches.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// How many matches are counted at the same time, so that their transactions are committed together.
const TOGETHER: u32 = 16;

/// The pause between such groups while matches are played, so that counting many does not delay turns.
const PAUSE: Duration = Duration::from_millis(100);

/// How many matches that cannot be counted are skipped until the next start.
const UNREADABLE_MAX: usize = 1_000;

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// How long counts are cached, in milliseconds, unless this node counts more. Other nodes may change them.
const KEPT_MS: Millis = 10_000;

/// The statistics of a game.
pub struct Counted {
    /// The statistics.
    pub statistics: GameStatistics,
    /// The counts as a CSV file.
    pub csv: String,
}

/// The state of the counting.
#[derive(Default)]
pub(super) struct Counting {
    /// Held while a group is counted.
    one_at_a_time: tokio::sync::Mutex<()>,
    /// How often this node has changed counts.
    changes: AtomicU64,
    /// The cached response of each game, and its time.
    told: [tokio::sync::Mutex<Option<Told>>; Game::ALL.len()],
}

struct Told {
    counted: Arc<Counted>,
    changes: u64,
    read_at: Millis,
}

/// The result of a pass over the waiting matches.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// Matches that were counted by this node.
    pub(super) counted: u64,
    /// Matches that could not be read. They are left out.
    pub(super) unreadable: BTreeSet<MatchId>,
    /// The reasons, for the operator.
    pub(super) failed: Failed,
}

impl App {
    /// Counts finished matches as long as the server runs.
    pub async fn keep_counting(&self) {
        let mut pass = Pass::default();
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.count_waiting(&mut pass, PAUSE).await {
                tracing::warn!(%error, "could not count finished matches; trying again later");
            }
        }
    }

    /// Counts everything again from the journals.
    ///
    /// # Errors
    /// If the store fails. Finished work stays; running servers continue with the rest.
    pub(super) async fn count_again(&self) -> Result<Option<Pass>, StoreError> {
        let _one_at_a_time = self.counting.one_at_a_time.lock().await;
        if self.store().count_again(DEFINITIONS).await?.is_none() {
            return Ok(None);
        }
        let mut pass = Pass::default();
        self.count_all(&mut pass, Duration::ZERO).await?;
        Ok(Some(pass))
    }

    async fn count_waiting(&self, pass: &mut Pass, pause: Duration) -> Result<(), StoreError> {
        let _one_at_a_time = self.counting.one_at_a_time.lock().await;
        self.count_all(pass, pause).await
    }

    async fn count_all(&self, pass: &mut Pass, pause: Duration) -> Result<(), StoreError> {
        // None: a later release counts, with definitions that this one does not know.
        while let Some(round) = self.store().counting_round(DEFINITIONS).await? {
            let unreadable = u32::try_from(pass.unreadable.len()).unwrap_or(u32::MAX);
            let mut found = self.store().uncounted(round, TOGETHER.saturating_add(unreadable)).await?;
            found.retain(|id| !pass.unreadable.contains(id));
            if found.is_empty() {
                break;
            }
            let come_to = try_join_all(found.iter().map(|&id| self.counts_of(id))).await?;
            let mut corrupt = None;
            let mut by_game = BTreeMap::<Game, Vec<(MatchId, Counts)>>::new();
            for (id, come_to) in found.into_iter().zip(come_to) {
                match come_to {
                    Ok(Some((game, counts))) => by_game.entry(game).or_default().push((id, counts)),
                    // It was deleted meanwhile.
                    Ok(None) => {}
                    Err(why) if pass.unreadable.len() < UNREADABLE_MAX => {
                        tracing::error!(id = %id.0, why, "could not count a match; leaving it out until the next start");
                        pass.failed.add(id, why);
                        pass.unreadable.insert(id);
                    }
                    Err(why) => corrupt = Some(StoreError::Corrupt(why)),
                }
            }
            for (game, matches) in by_game {
                pass.counted += self.count(round, game, matches).await?;
            }
            if let Some(corrupt) = corrupt {
                return Err(corrupt);
            }
            self.counting.changes.fetch_add(1, Ordering::Relaxed);
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
        }
        Ok(())
    }

    /// Counts matches of a game together; each for itself if not all of them still wait. Returns how many it counted.
    async fn count(
        &self,
        round: CountingRound,
        game: Game,
        matches: Vec<(MatchId, Counts)>,
    ) -> Result<u64, StoreError> {
        let mut all = Counts::default();
        for (_, counts) in &matches {
            all.extend(counts.clone());
        }
        let ids: Vec<MatchId> = matches.iter().map(|(id, _)| *id).collect();
        if self.store().count_matches(round, ids, game, all.rows()).await? {
            return Ok(matches.len() as u64);
        }
        let mut counted = 0;
        for (id, counts) in matches {
            counted += u64::from(self.store().count_matches(round, vec![id], game, counts.rows()).await?);
        }
        Ok(counted)
    }

    /// What a match comes to; none if it is gone; or why it cannot be read.
    async fn counts_of(&self, id: MatchId) -> Result<Result<Option<(Game, Counts)>, String>, StoreError> {
        let events = match self.whole_journal(id).await {
            Ok(events) => events,
            Err(StoreError::Corrupt(why)) => return Ok(Err(why)),
            Err(error) => return Err(error),
        };
        let Some(terms) = events.first().and_then(|first| first.event.terms()) else { return Ok(Ok(None)) };
        let game = terms.variant.game();
        let counts = self.background.run(move || of_match(&events).map(|of| of.counts)).await;
        let Some(counts) = counts else { return Ok(Err("counting it panicked".to_owned())) };
        Ok(Ok(Some((game, counts.unwrap_or_default()))))
    }

    async fn whole_journal(&self, id: MatchId) -> Result<Vec<Recorded>, StoreError> {
        let mut events: Vec<Recorded> = Vec::new();
        loop {
            let since = events.last().map_or(0, |last| last.seq);
            let page = self.store().events(id, since, PAGE).await?.events;
            let is_last = page.len() < PAGE as usize;
            events.extend(page);
            if is_last {
                return Ok(events);
            }
        }
    }

    /// How many matches of each game have been counted.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn statistics(&self) -> Result<StatisticsList, Problem> {
        let mut list = StatisticsList { games: Vec::with_capacity(Game::ALL.len()), waiting: 0 };
        for game in Game::ALL {
            let counted = self.game_statistics(game).await?;
            let tables = &counted.statistics.tables;
            let matches =
                tables.iter().map(|of| of.matches_won + of.matches_drawn + of.matches_aborted).sum();
            let games = tables.iter().map(|of| of.games).sum();
            list.games.push(CountedGame { game, matches, games });
            // More may have been counted since the first game was read.
            list.waiting = list.waiting.max(counted.statistics.waiting);
        }
        Ok(list)
    }

    /// The statistics of a game, at most some seconds old.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn game_statistics(&self, game: Game) -> Result<Arc<Counted>, Problem> {
        // Concurrent requests wait for the same read.
        let mut told = self.counting.told[game as usize].lock().await;
        let (now, changes) = (self.live.now(), self.counting.changes.load(Ordering::Relaxed));
        if let Some(told) = &*told
            && told.changes == changes
            && now < told.read_at + KEPT_MS
        {
            return Ok(Arc::clone(&told.counted));
        }
        let rows = self.store().game_counts(game).await.map_err(problem::store)?;
        let counted = Arc::new(self.in_background(move || come_to(game, rows)).await??);
        *told = Some(Told { counted: Arc::clone(&counted), changes, read_at: now });
        Ok(counted)
    }
}

fn come_to(game: Game, GameCountRows { rows, waiting }: GameCountRows) -> Result<Counted, Problem> {
    let counts = Counts::from_rows(rows).map_err(|error| {
        tracing::error!(%game, %error, "could not read the counts of a game");
        problem::internal()
    })?;
    Ok(Counted { statistics: summary(game, &counts, waiting), csv: csv(game, &counts) })
}
