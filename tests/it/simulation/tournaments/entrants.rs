//! Who plays: they do what a reader of `you` would do, over any node, and some come late, go away, pause or leave.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lusoria::app::{App, Caller};
use lusoria_play::{Command, MatchId, PlayerId, TournamentId};
use lusoria_protocol::{PlayTurn, Problem, Resign, ResignScope};
use lusoria_testkit::first_turn;
use parking_lot::Mutex;
use serde_json::{Value, from_slice, from_value, json};
use tokio::time::{sleep, timeout};

use super::course::Habits;
use crate::{
    simulation::{nodes::Open, world::Shared},
    support::random::Random,
};

/// How long somebody waits for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A player.
pub(super) struct Person {
    pub(super) caller: Caller,
    pub(super) habits: Habits,
    pub(super) random: Random,
    pub(super) world: Shared,
    pub(super) open: Arc<Open>,
    /// The players that the operator blocks or erases, and by when.
    pub(super) gone: Arc<Mutex<BTreeMap<PlayerId, u64>>>,
}

/// The answer, if one comes in time.
pub(super) async fn heard<T, E>(answer: impl Future<Output = Result<T, E>>) -> Option<T> {
    timeout(PATIENCE, answer).await.ok()?.ok()
}

impl Person {
    /// Plays until the tournament has ended.
    pub(super) async fn play(mut self, id: TournamentId) {
        sleep(Duration::from_millis(self.habits.comes_at_ms)).await;
        while !self.gone.lock().contains_key(&self.caller.id()) {
            let now = self.world.lock().now();
            if let Some((from, back)) = self.habits.away_ms
                && (from..back).contains(&now)
            {
                if back == u64::MAX {
                    return;
                }
                sleep(Duration::from_millis(back - now)).await;
                continue;
            }
            let app = self.open.any(&mut self.random).await;
            if self.act(&app, id).await == Some(true) {
                return;
            }
            let pace_ms = self.habits.pace_ms;
            sleep(Duration::from_millis(self.random.between(pace_ms / 2, pace_ms * 3 / 2))).await;
        }
    }

    /// Looks, and does something. Whether it has ended; none if no answer came.
    async fn act(&mut self, app: &App, id: TournamentId) -> Option<bool> {
        let seen: Value = from_slice(&heard(app.tournament(id, Some(&self.caller))).await?).expect("JSON");
        if seen["phase"] == "ended" {
            return Some(true);
        }
        let you = &seen["you"];
        let may = |name: &str| you["may"].as_array().is_some_and(|may| may.contains(&json!(name)));
        let playing = from_value::<MatchId>(you["pairing"]["match"].clone()).ok();
        if may("enter") {
            self.enter(app, id, json!({"command": "enter"})).await?;
        } else if self.habits.is_restless && may("withdraw") && self.random.permille(40) {
            let command = match self.random.below(4) {
                0 => "withdraw",
                _ => "pause",
            };
            if self.enter(app, id, json!({"command": command})).await.is_some() {
                let playing = if playing.is_some() { "while they play" } else { "between matches" };
                self.world.lock().reach(format!("{command} {playing}"));
            }
        } else if self.habits.is_restless && may("ask_bye") && self.random.permille(40) {
            let round = seen["round"].as_u64().unwrap_or(0) + 1;
            if self.enter(app, id, json!({"command": "ask_bye", "round": round})).await.is_some() {
                self.world.lock().reach("a bye asked for");
            }
        } else if let Some(playing) = playing {
            self.play_turn(app, playing).await?;
        } else if may("here") && you["state"] != "playing" && self.is_to_be_said(you, &seen) {
            self.enter(app, id, json!({"command": "here"})).await?;
        }
        Some(false)
    }

    /// Whether it is time to say that they are here: also again before it lapses.
    fn is_to_be_said(&mut self, you: &Value, seen: &Value) -> bool {
        if you["state"] == "paused" && !self.random.permille(100) {
            return false;
        }
        let soon = self.world.lock().server_time() + 4 * 60_000;
        let lapses = you["here_until"].as_u64().is_none_or(|until| until < soon);
        seen["phase"] != "announced" && (you["state"] != "here" || lapses)
    }

    async fn enter(&self, app: &App, id: TournamentId, command: Value) -> Option<()> {
        let request = from_value(command).expect("a command");
        heard::<_, Problem>(app.enter_tournament(&self.caller, id, &request)).await.map(drop)
    }

    async fn play_turn(&mut self, app: &App, id: MatchId) -> Option<()> {
        let state = heard(app.live().state(id)).await?;
        let mover = state.waits_for().and_then(|seat| state.player(seat)).map(|player| player.id);
        if mover != Some(self.caller.id()) || state.to_play().is_none() {
            return None;
        }
        if self.random.permille(self.habits.resigns_permille) {
            let resign = Resign { scope: ResignScope::Match };
            heard(app.command(&self.caller, id, None, resign)).await.map(drop)
        } else {
            let Command::Turn { answers, steps, .. } = first_turn(&state) else { unreachable!("a turn") };
            let turn = PlayTurn { seq: answers, steps };
            heard(app.command(&self.caller, id, None, turn)).await.map(drop)
        }
    }
}
