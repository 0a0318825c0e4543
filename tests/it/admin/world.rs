//! An application over a store that fails as it is told.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use lusoria::{
    app::{
        App, BackgroundPool, Caller,
        admin::{AdminAction, AdminError, AdminOutcome},
        wire,
    },
    config::Limits,
    live::{Live, MatchRequest, OsEntropy, ServerTime},
};
use lusoria_play::{Command, MatchId};
use lusoria_protocol::{CreateGuest, CreateMatch, Created, JoinMatch, Name, Problem};
use lusoria_store::Store;
use serde_json::{Value as Json, from_value, json};

use crate::support::store::FailingStore;

pub(super) struct World {
    pub(super) app: Arc<App>,
    pub(super) store: Arc<FailingStore>,
}

impl World {
    pub(super) async fn new() -> Self {
        let store = Arc::new(FailingStore::default());
        let time = ServerTime::from_epoch(1_700_000_000_000);
        let live = Live::start(
            Arc::clone(&store) as Arc<dyn Store>,
            time,
            Arc::new(OsEntropy),
            Arc::new(wire::Lines),
        );
        let live = live.await.expect("the memory store always starts");
        let app = App::new(live, Limits::usual(), BackgroundPool::Inline, Arc::new(BackgroundPool::Inline));
        Self { app, store }
    }

    /// A guest whose token has just been checked.
    pub(super) async fn guest(&self, name: &str) -> Caller {
        let name = Name::try_from(name.to_owned()).expect("a name");
        let request = CreateGuest { name: Some(name), ..CreateGuest::default() };
        let guest = self.app.create_guest(request, IpAddr::V4(Ipv4Addr::LOCALHOST)).await.expect("a guest");
        self.app.authenticate(guest.token).await.expect("a good token")
    }

    pub(super) async fn try_create(&self, by: &Caller, request: Json) -> Result<Created, Problem> {
        let request: CreateMatch = from_value(request).expect("a request");
        self.app.create(by, &request, None).await
    }

    /// A match that waits for an opponent.
    pub(super) async fn open(&self, by: &Caller) -> MatchId {
        let created = self.try_create(by, json!({"game": "tablut"})).await.expect("a new match");
        wire::play_match_id(created.created.id)
    }

    /// A match that is played.
    pub(super) async fn played(&self, by: &Caller, with: &Caller) -> MatchId {
        let id = self.open(by).await;
        self.app.join(with, id, &JoinMatch::default(), None).await.expect("an open match");
        id
    }

    /// Plays some turn, whosever it is.
    pub(super) async fn turn(&self, id: MatchId) {
        let state = self.app.live().state(id).await.expect("a match");
        let to_play = state.to_play().expect("a match that is played");
        let mut turn = state.turn().expect("a turn");
        let mut steps = Vec::new();
        while !turn.is_complete() {
            let step = turn.steps().into_iter().next().expect("a step");
            turn.play(&step).expect("a listed step is legal");
            steps.push(step);
        }
        let by = state.player(to_play.seat).expect("seated").id;
        let command = Command::Turn { by, answers: to_play.given_by, steps, thought: None };
        let wanted = MatchRequest::Command { command, key: None, spends: None };
        self.app.live().command(id, wanted).await.expect("a legal turn");
    }

    pub(super) async fn act(&self, act: AdminAction) -> Result<AdminOutcome, AdminError> {
        self.app.administer(act).await
    }

    pub(super) async fn block(&self, guest: &Caller) -> AdminOutcome {
        self.act(AdminAction::Block { guest: guest.id().0.to_string() }).await.expect("blocked")
    }
}

/// The code of a refusal.
pub(super) fn code<T: std::fmt::Debug>(answer: Result<T, Problem>) -> String {
    answer.expect_err("a refusal").code.as_str().to_owned()
}
