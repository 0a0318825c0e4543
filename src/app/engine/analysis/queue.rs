//! The requested analyses: those that wait, and those in progress with their results so far.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use lusoria_play::{Event, MatchId, Recorded};
use lusoria_protocol::{AnalysedGame, AnalysisTotals, BySeat, Chances, Problem, Seat};
use lusoria_search::Stakes;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::lookback::Found;
use crate::{
    app::{
        ClientAddress,
        limits::{
            permits::take_one,
            quota::{AddressQuota, QuotaShare},
        },
        problem, wire,
    },
    config::Limits,
};

/// The smallest loss that makes a turn a mistake: in chances of winning, and in points.
const MISTAKE_CHANCE: f32 = 0.05;
const MISTAKE_POINTS: f32 = 0.1;

/// Analyses that are requested and not ready.
pub(in crate::app) struct Analyses {
    waiting_max: usize,
    lines: Mutex<Lines>,
    arrived: Notify,
    quota: AddressQuota,
}

#[derive(Default)]
struct Lines {
    /// Those not in progress, the oldest first.
    waiting: VecDeque<MatchId>,
    /// All of them.
    asked: HashMap<MatchId, Asked>,
}

/// How many turns have been reviewed, and the results.
pub(super) type SoFar = (u32, Arc<Vec<AnalysedGame>>);

struct Asked {
    done: u32,
    /// Shared with the responses that are being written.
    games: Arc<Vec<AnalysedGame>>,
    /// A share of the quota of the first address that asked.
    _share: QuotaShare,
}

impl Analyses {
    pub(in crate::app) fn new(limits: &Limits) -> Self {
        Self {
            waiting_max: limits.analyses_waiting as usize,
            lines: Mutex::default(),
            arrived: Notify::new(),
            quota: AddressQuota::per_address(limits.costly_per_address),
        }
    }

    /// The results so far; none if nobody has asked for it, or it is ready.
    pub(super) fn so_far(&self, id: MatchId) -> Option<SoFar> {
        self.lines.lock().so_far(id)
    }

    /// The results so far. Queues the analysis if nobody has asked for it yet.
    ///
    /// # Errors
    /// `unavailable` if too many are waiting; `too_many_requests` if too many of them are from this address.
    pub(super) fn ask(&self, id: MatchId, address: ClientAddress) -> Result<SoFar, Problem> {
        let mut lines = self.lines.lock();
        if let Some(so_far) = lines.so_far(id) {
            return Ok(so_far);
        }
        if lines.waiting.len() >= self.waiting_max {
            return Err(problem::unavailable());
        }
        let share = take_one(&self.quota, address)?;
        lines.asked.insert(id, Asked { done: 0, games: Arc::default(), _share: share });
        lines.waiting.push_back(id);
        lines.tell();
        drop(lines);
        self.arrived.notify_one();
        Ok(SoFar::default())
    }

    /// Waits for one and takes it from the queue.
    pub(super) async fn next(&self) -> MatchId {
        loop {
            let arrived = self.arrived.notified();
            if let Some(id) = self.take() {
                return id;
            }
            arrived.await;
        }
    }

    fn take(&self) -> Option<MatchId> {
        let mut lines = self.lines.lock();
        let id = lines.waiting.pop_front()?;
        lines.tell();
        if !lines.waiting.is_empty() {
            self.arrived.notify_one();
        }
        Some(id)
    }

    /// Adds the result for an event of a game; none if the turn could not be reviewed.
    pub(super) fn add(&self, id: MatchId, game: u16, found: Option<Found>, at: &Recorded, stakes: Stakes) {
        let mut lines = self.lines.lock();
        let Some(asked) = lines.asked.get_mut(&id) else { return };
        asked.done += u32::from(matches!(at.event, Event::Turned { .. }));
        let games = Arc::make_mut(&mut asked.games);
        if games.last().is_none_or(|last| last.game != game) {
            let (turns, passes, totals) = (Vec::new(), Vec::new(), BySeat::default());
            games.push(AnalysedGame { game, turns, passes, totals, unknown: None });
        }
        if let (Some(of), Some(found)) = (games.last_mut(), found) {
            add(of, found, stakes);
        }
    }

    /// Removes an analysis that is ready or was given up.
    pub(super) fn forget(&self, id: MatchId) {
        self.lines.lock().asked.remove(&id);
    }
}

impl Lines {
    fn so_far(&self, id: MatchId) -> Option<SoFar> {
        self.asked.get(&id).map(|asked| (asked.done, Arc::clone(&asked.games)))
    }

    fn tell(&self) {
        #[expect(clippy::cast_precision_loss, reason = "there are at most a few thousand")]
        metrics::gauge!("lusoria_analyses_waiting").set(self.waiting.len() as f64);
    }
}

fn add(game: &mut AnalysedGame, found: Found, stakes: Stakes) {
    let (seat, luck, ends) = match &found {
        Found::Turn(turn) => (turn.seat, turn.luck, turn.played),
        Found::Pass(pass) => (pass.seat, pass.luck, pass.thrown),
    };
    let totals: &mut AnalysisTotals = match seat {
        Seat::One => &mut game.totals.one,
        Seat::Two => &mut game.totals.two,
    };
    totals.luck = wire::rounded(totals.luck + luck);
    match found {
        Found::Turn(turn) => {
            let mistake = match stakes {
                Stakes::Game => MISTAKE_CHANCE,
                Stakes::Points => MISTAKE_POINTS,
            };
            totals.lost = wire::rounded(totals.lost + turn.lost);
            totals.turns += 1;
            totals.mistakes += u32::from(turn.lost >= mistake);
            game.turns.push(turn);
        }
        Found::Pass(pass) => game.passes.push(pass),
    }
    game.unknown = Some(unknown(game, (seat, &ends), stakes));
}

/// The part of the result so far that neither luck nor loss explains.
fn unknown(game: &AnalysedGame, (seat, ends): (Seat, &Chances), stakes: Stakes) -> f32 {
    // The two sides' chances add up to one, their points to zero.
    let both = match stakes {
        Stakes::Game => 1.0,
        Stakes::Points => 0.0,
    };
    let of_one = |seat, chances: &Chances| match seat {
        Seat::One => wire::worth(stakes, chances),
        Seat::Two => both - wire::worth(stakes, chances),
    };
    let turn = game.turns.first().map(|turn| (turn.seq, turn.seat, &turn.before));
    let pass = game.passes.first().map(|pass| (pass.seq, pass.seat, &pass.before));
    let Some((_, first, begins)) = turn.into_iter().chain(pass).min_by_key(|(seq, ..)| *seq) else {
        return 0.0;
    };
    let BySeat { one, two } = &game.totals;
    let explained = (one.luck - one.lost) - (two.luck - two.lost);
    wire::rounded(of_one(seat, ends) - of_one(first, begins) - explained)
}
