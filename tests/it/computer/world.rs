//! A server with the computer in it, under virtual time.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use lusoria::{
    app::{App, BackgroundPool, Caller, ClientAddress},
    bots::{self, Mind, ThinkRequest},
    config::{Config, Limits},
    live::MatchRequest,
};
use lusoria_play::{Command, Match, MatchId, PlayerKind, Seat};
use lusoria_protocol::{
    CreateGuest, CreateMatch, Created, EventKind, Legal, LegalQuestion, OfferAction, PlayTurn, Problem,
    Resign, ResignScope, Takeback,
};
use lusoria_search::{Choice, Player, Value, choose};
use lusoria_store::Store;
use lusoria_testkit::parsed;
use parking_lot::Mutex;
use serde_json::{Value as Json, json};
use tokio_util::task::TaskTracker;

use crate::support::{database, server};

pub(super) const START: u64 = 1_700_000_000_000;

pub(super) const ADDRESS: ClientAddress = ClientAddress(server::ADDRESS);

/// Plays anything, and notes what it was asked.
#[derive(Default)]
pub(super) struct Anything {
    pub(super) asked: Mutex<Vec<ThinkRequest>>,
    /// What it finds positions worth, one after the other; even if there are none left.
    pub(super) values: Mutex<VecDeque<Value>>,
}

impl Mind for Anything {
    fn choose(&self, question: &ThinkRequest) -> Choice {
        self.asked.lock().push(question.clone());
        Choice { value: self.appraise(question), nodes: question.budget.nodes, ..any(question) }
    }

    fn appraise(&self, _: &ThinkRequest) -> Value {
        self.values.lock().pop_front().unwrap_or(Value::EVEN)
    }
}

/// Some turn.
pub(super) fn any(question: &ThinkRequest) -> Choice {
    choose(&question.turn.decision(), Player::Random, question.budget, question.seed)
}

pub(super) struct World {
    pub(super) app: Arc<App>,
    limits: Limits,
    tasks: TaskTracker,
}

impl World {
    /// A server with the computer in it.
    pub(super) async fn new(mind: Arc<dyn Mind>) -> Self {
        let world = Self::with(&[]).await;
        world.start_inline(mind);
        world
    }

    /// A server with these flags, without the computer until [`Self::start`].
    pub(super) async fn with(flags: &[&str]) -> Self {
        Self::over(database::store(), START, flags).await
    }

    /// The same over any store and at any time.
    pub(super) async fn over(store: Arc<Store>, now: u64, flags: &[&str]) -> Self {
        let limits = parsed::<Config>(flags).limits;
        let app = server::app(store, now, now, &limits).await.expect("the store starts");
        Self { app, limits, tasks: TaskTracker::new() }
    }

    /// Lets the computer play.
    pub(super) fn start(&self, mind: Arc<dyn Mind>, background: Arc<BackgroundPool>) {
        bots::start(self.app.live(), mind, background, &self.limits, &self.tasks);
    }

    /// Lets the computer play, its thoughts done at once.
    pub(super) fn start_inline(&self, mind: Arc<dyn Mind>) {
        self.start(mind, Arc::new(BackgroundPool::Inline));
    }

    /// Lets the computer look back at matches that are over.
    pub(super) fn analyse(&self) {
        self.app.start_analyses(&self.tasks);
    }

    pub(super) async fn stop(self) {
        self.app.live().stop().await;
        self.tasks.close();
        self.tasks.wait().await;
    }

    pub(super) async fn guest(&self, bot: bool) -> Caller {
        let request = CreateGuest { bot, ..CreateGuest::default() };
        server::guest(&self.app, request).await.0
    }

    pub(super) async fn try_create(&self, by: &Caller, request: Json) -> Result<Created, Problem> {
        let request: CreateMatch = serde_json::from_value(request).expect("a request");
        self.app.create(by, &request, None).await
    }

    pub(super) async fn create(&self, by: &Caller, request: Json) -> MatchId {
        let created = self.try_create(by, request).await.expect("a new match");
        created.created.id
    }

    /// Gives up the game that is played.
    pub(super) async fn resign(&self, by: &Caller, id: MatchId) {
        let resign = Resign { scope: ResignScope::Game };
        self.app.command(by, id, None, resign).await.expect("a game is played");
    }

    /// A match of a new guest against the computer.
    pub(super) async fn against(&self, game: &str, level: u8) -> (Caller, MatchId) {
        self.made(json!({"game": game, "opponent": {"computer": level}})).await
    }

    /// A match that a new guest makes.
    pub(super) async fn made(&self, request: Json) -> (Caller, MatchId) {
        let guest = self.guest(false).await;
        let id = self.create(&guest, request).await;
        (guest, id)
    }

    pub(super) async fn state(&self, id: MatchId) -> Arc<Match> {
        self.app.live().state(id).await.expect("a match that was made")
    }

    /// Waits until the match is as it should be.
    pub(super) async fn until(&self, id: MatchId, is_so: impl Fn(&Match) -> bool) -> Arc<Match> {
        for _ in 0..100_000 {
            let state = self.state(id).await;
            if is_so(&state) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it never comes to that: {:#?}", self.state(id).await);
    }

    /// Waits until it is the guest's turn, or the match has ended.
    pub(super) async fn until_turn(&self, id: MatchId, of: &Caller) -> Arc<Match> {
        self.until(id, |state| state.end().is_some() || is_turn_of(state, of)).await
    }

    /// Plays a legal turn of the guest.
    pub(super) async fn play(&self, by: &Caller, id: MatchId) {
        let turn = self.some_turn(id).await;
        self.app.command(by, id, None, turn.clone()).await.expect("a legal turn");
    }

    /// Takes the guest's last turn back.
    pub(super) async fn take_back(&self, by: &Caller, id: MatchId) {
        let seq = self.state(id).await.may_take_back(by.id()).expect("a turn to take back");
        self.app
            .command(by, id, None, Takeback { seq, action: OfferAction::Offer })
            .await
            .expect("their own turn");
    }

    /// Plays a legal turn in the computer's place, where it is not there to do so.
    pub(super) async fn play_as_computer(&self, id: MatchId) {
        let PlayTurn { seq: answers, steps } = self.some_turn(id).await;
        let state = self.state(id).await;
        let by = state.player(computers_seat(&state)).expect("the computer").id;
        let command = Command::Turn { by, answers, steps, thought: None, lag_ms: 0 };
        let wanted = MatchRequest::Command { command, key: None, spends: None };
        self.app.live().request(id, wanted).await.expect("a legal turn");
    }

    async fn some_turn(&self, id: MatchId) -> PlayTurn {
        let mut steps = Vec::new();
        loop {
            let question = LegalQuestion { steps: steps.clone() };
            let legal = self.app.legal(None, id, &question).await.expect("a turn");
            let Legal { seq, complete, steps: next, .. } = legal;
            if complete {
                return PlayTurn { seq, steps };
            }
            // Not always the same one, so that tablut does not go in circles.
            let pick = seq as usize % next.len();
            steps.extend(next.into_iter().nth(pick));
        }
    }

    /// What the computer spent on its turns so far.
    pub(super) async fn budgets(&self, id: MatchId) -> Vec<u32> {
        let record = self.app.record(id, ADDRESS).await.expect("a record");
        let budget = |kind: &EventKind| match kind {
            EventKind::Turned { thought, .. } => thought.map(|thought| thought.budget),
            _ => None,
        };
        record.events.iter().filter_map(|event| budget(&event.kind)).collect()
    }
}

pub(super) fn is_turn_of(state: &Match, of: &Caller) -> bool {
    state.waits_for().and_then(|seat| state.player(seat)).is_some_and(|player| player.id == of.id())
}

/// The seat of the computer in a match against somebody.
pub(super) fn computers_seat(state: &Match) -> Seat {
    Seat::BOTH
        .into_iter()
        .find(|&seat| state.player(seat).is_some_and(|player| matches!(player.kind, PlayerKind::Computer(_))))
        .expect("the computer has a seat")
}
