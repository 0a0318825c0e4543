//! An application over a store that fails as it is told.

use std::sync::Arc;

use lusoria::{
    app::{
        App, Caller,
        admin::{AdminAction, AdminError, AdminOutcome},
    },
    config::Limits,
    live::MatchRequest,
};
use lusoria_play::MatchId;
use lusoria_protocol::{CreateGuest, CreateMatch, Created, JoinMatch, Name, Problem};
use lusoria_testkit::first_turn;
use serde_json::{Value as Json, from_value, json};

use crate::support::{server, store::FailingStore};

pub(super) struct World {
    pub(super) app: Arc<App>,
    pub(super) store: FailingStore,
}

impl World {
    pub(super) async fn new() -> Self {
        let store = FailingStore::default();
        let app = server::app(store.clone(), 1_700_000_000_000, 0, &Limits::usual()).await;
        Self { app: app.expect("the store starts"), store }
    }

    /// A guest whose token has just been checked.
    pub(super) async fn guest(&self, name: &str) -> Caller {
        let name = Name::try_from(name.to_owned()).expect("a name");
        let request = CreateGuest { name: Some(name), ..CreateGuest::default() };
        server::guest(&self.app, request).await.0
    }

    pub(super) async fn try_create(&self, by: &Caller, request: Json) -> Result<Created, Problem> {
        let request: CreateMatch = from_value(request).expect("a request");
        self.app.create(by, &request, None).await
    }

    /// A match that waits for an opponent.
    pub(super) async fn open(&self, by: &Caller) -> MatchId {
        let created = self.try_create(by, json!({"game": "tablut"})).await.expect("a new match");
        created.created.id
    }

    /// A match that is played.
    pub(super) async fn played(&self, by: &Caller, with: &Caller) -> MatchId {
        let id = self.open(by).await;
        self.app.command(with, id, None, JoinMatch::default()).await.expect("an open match");
        id
    }

    /// Plays some turn, whosever it is.
    pub(super) async fn turn(&self, id: MatchId) {
        let state = self.app.live().state(id).await.expect("a match");
        let command = first_turn(&state);
        let wanted = MatchRequest::Command { command, key: None, spends: None };
        self.app.live().request(id, wanted).await.expect("a legal turn");
    }

    pub(super) async fn act(&self, act: AdminAction) -> Result<AdminOutcome, AdminError> {
        self.app.administer(act).await
    }

    /// Takes the name of a guest out of every match.
    pub(super) async fn rename(&self, guest: &str, name: &str) -> AdminOutcome {
        let (guest, name) = (guest.to_owned(), name.to_owned());
        self.act(AdminAction::Rename { guest, name, everywhere: true }).await.expect("renamed")
    }

    pub(super) async fn block(&self, guest: &Caller) -> AdminOutcome {
        self.act(AdminAction::Block { guest: guest.id().0.to_string() }).await.expect("blocked")
    }
}

/// The code of a refusal.
pub(super) fn code<T: std::fmt::Debug>(answer: Result<T, Problem>) -> String {
    answer.expect_err("a refusal").code.as_str().to_owned()
}
