//! The analyses that are asked for: those that wait, and those in hand with what has been found
//! so far.

use std::collections::{HashMap, VecDeque};

use lusoria_play::{Event, MatchId, Recorded};
use lusoria_protocol::{AnalysedGame, AnalysisTotals, BySeat, Problem, Seat};
use lusoria_search::Stakes;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::lookback::Found;
use crate::{
    app::{
        ClientAddress,
        costly::{Place, Places},
        problem, wire,
    },
    config::Limits,
};

/// From which loss on a turn counts as a mistake: in chances of winning, and in points.
const MISTAKE_CHANCE: f32 = 0.05;
const MISTAKE_POINTS: f32 = 0.1;

/// Analyses that are asked for and not ready.
pub(in crate::app) struct Analyses {
    waiting_max: usize,
    lines: Mutex<Lines>,
    arrived: Notify,
    places: Places,
}

#[derive(Default)]
struct Lines {
    /// Those that nobody has in hand, the longest first.
    waiting: VecDeque<MatchId>,
    /// All of them.
    asked: HashMap<MatchId, Asked>,
}

struct Asked {
    done: u32,
    games: Vec<AnalysedGame>,
    /// Of whoever asked first.
    _place: Place,
}

impl Analyses {
    pub(in crate::app) fn new(limits: &Limits) -> Self {
        Self {
            waiting_max: limits.analyses_waiting as usize,
            lines: Mutex::default(),
            arrived: Notify::new(),
            places: Places::new(limits.costly_per_address),
        }
    }

    /// How many turns of a match have been looked at.
    pub(super) fn done(&self, id: MatchId) -> u32 {
        self.lines.lock().asked.get(&id).map_or(0, |asked| asked.done)
    }

    /// What has been found so far.
    pub(super) fn so_far(&self, id: MatchId) -> (u32, Vec<AnalysedGame>) {
        let lines = self.lines.lock();
        lines.asked.get(&id).map_or_else(Default::default, |asked| (asked.done, asked.games.clone()))
    }

    /// What has been found so far; if nobody has asked for it yet, it waits from now on.
    ///
    /// # Errors
    /// `unavailable` if too many are waiting; `too_many_requests` if too many of them are the
    /// address's.
    pub(super) fn ask(
        &self,
        id: MatchId,
        address: ClientAddress,
    ) -> Result<(u32, Vec<AnalysedGame>), Problem> {
        let mut lines = self.lines.lock();
        if let Some(asked) = lines.asked.get(&id) {
            return Ok((asked.done, asked.games.clone()));
        }
        if lines.waiting.len() >= self.waiting_max {
            return Err(problem::unavailable());
        }
        let place = self.places.take(address)?;
        lines.asked.insert(id, Asked { done: 0, games: Vec::new(), _place: place });
        lines.waiting.push_back(id);
        lines.tell();
        drop(lines);
        self.arrived.notify_one();
        Ok((0, Vec::new()))
    }

    /// Waits for one and takes it in hand.
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

    /// Adds what was found at an event of a game; nothing, if it could not be looked at.
    pub(super) fn add(&self, id: MatchId, game: u16, found: Option<Found>, at: &Recorded, stakes: Stakes) {
        let mut lines = self.lines.lock();
        let Some(asked) = lines.asked.get_mut(&id) else { return };
        asked.done += u32::from(matches!(at.event, Event::Turned { .. }));
        if asked.games.last().is_none_or(|last| last.game != game) {
            let (turns, passes, totals) = (Vec::new(), Vec::new(), BySeat::default());
            asked.games.push(AnalysedGame { game, turns, passes, totals });
        }
        if let (Some(of), Some(found)) = (asked.games.last_mut(), found) {
            let mistake = match stakes {
                Stakes::Game => MISTAKE_CHANCE,
                Stakes::Points => MISTAKE_POINTS,
            };
            add(of, found, mistake);
        }
    }

    /// It is ready, or given up.
    pub(super) fn forget(&self, id: MatchId) {
        self.lines.lock().asked.remove(&id);
    }
}

impl Lines {
    fn tell(&self) {
        #[expect(clippy::cast_precision_loss, reason = "there are at most a few thousand")]
        metrics::gauge!("lusoria_analyses_waiting").set(self.waiting.len() as f64);
    }
}

fn add(game: &mut AnalysedGame, found: Found, mistake: f32) {
    let (seat, luck) = match &found {
        Found::Turn(turn) => (turn.seat, turn.luck),
        Found::Pass(pass) => (pass.seat, pass.luck),
    };
    let totals: &mut AnalysisTotals = match seat {
        Seat::One => &mut game.totals.one,
        Seat::Two => &mut game.totals.two,
    };
    totals.luck = wire::rounded(totals.luck + luck);
    match found {
        Found::Turn(turn) => {
            totals.lost = wire::rounded(totals.lost + turn.lost);
            totals.turns += 1;
            totals.mistakes += u32::from(turn.lost >= mistake);
            game.turns.push(turn);
        }
        Found::Pass(pass) => game.passes.push(pass),
    }
}
