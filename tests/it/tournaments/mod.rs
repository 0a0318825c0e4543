//! Tournaments over the API, on virtual time.

mod changed;
mod failing;
mod operator;
mod played;
mod refused;
pub(crate) mod served;

use std::{collections::BTreeMap, time::Duration};

use lusoria::{
    app::{Caller, ClientAddress, Table},
    config::TalkPolicy,
};
use lusoria_play::{Command, MatchId, TournamentId};
use lusoria_protocol::{PlayTurn, Problem, Resign, ResignScope};
use lusoria_testkit::first_turn;
use serde_json::{Value, from_value, json};

use crate::{support::server::ADDRESS, talk};

pub(crate) const START: u64 = 1_700_000_000_000;
const MINUTE_MS: u64 = 60_000;

/// A server with people who play tournaments.
struct World {
    inner: talk::World,
    people: Vec<Person>,
}

/// A player who takes part.
#[derive(Clone)]
struct Person {
    caller: Caller,
    /// From when on they do nothing any more.
    vanishes_at: Option<u64>,
}

impl Person {
    fn id(&self) -> String {
        self.caller.id().to_string()
    }
}

/// JSON of a response.
fn read(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

impl World {
    /// With so many people, the first of whom organises. The later resign against the earlier.
    async fn of(people: usize) -> Self {
        Self::with(people, talk::World::new(TalkPolicy::Phrases).await).await
    }

    async fn with(people: usize, inner: talk::World) -> Self {
        let mut world = Self { inner, people: Vec::new() };
        for n in 0..people {
            world.join(&format!("Player{n}")).await;
        }
        world
    }

    /// Four people who have entered and checked in, at a second before the start.
    async fn about_to_begin(&self, more: &Value) -> TournamentId {
        let id = self.announce(more).await;
        for person in 0..4 {
            self.enter(person, id).await;
        }
        tokio::time::sleep(Duration::from_millis(29 * MINUTE_MS)).await;
        for person in 0..4 {
            self.entry(person, id, json!({"command": "here"})).await.expect("check-in is open");
        }
        tokio::time::sleep(Duration::from_millis(MINUTE_MS - 1_000)).await;
        id
    }

    async fn join(&mut self, name: &str) {
        let caller = self.inner.guest(name).await;
        self.inner.open_account(&caller, name, START).await;
        self.people.push(Person { caller, vanishes_at: None });
    }

    fn now(&self) -> u64 {
        self.inner.app.now()
    }

    /// Announces a tournament that begins in half an hour, with these settings over the usual ones.
    async fn announce(&self, more: &Value) -> TournamentId {
        let created = self.try_announce(more).await.expect("good settings");
        from_value(created["id"].clone()).expect("an id")
    }

    async fn try_announce(&self, more: &Value) -> Result<Value, Problem> {
        let mut request = json!({
            "name": "A Cup", "game": "tablut", "format": {"kind": "swiss"},
            "clock": {"kind": "fischer", "base_ms": 180_000, "increment_ms": 2_000},
            "begins_at": self.now() + 30 * MINUTE_MS,
        });
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let request = from_value(request).expect("a request");
        let created = self.inner.app.create_tournament(&self.people[0].caller, &request, None).await?;
        Ok(read(&created))
    }

    async fn entry(&self, person: usize, id: TournamentId, command: Value) -> Result<Value, Problem> {
        let request = from_value(command).expect("a command");
        let caller = &self.people[person].caller;
        self.inner.app.enter_tournament(caller, id, &request).await.map(|bytes| read(&bytes))
    }

    async fn enter(&self, person: usize, id: TournamentId) {
        self.entry(person, id, json!({"command": "enter"})).await.expect("they may enter");
    }

    /// The organiser changes the settings.
    async fn edit(&self, id: TournamentId, change: Value) -> Result<Value, Problem> {
        let change = from_value(change).expect("a change");
        let edited = self.inner.app.edit_tournament(&self.people[0].caller, id, change).await;
        edited.map(|bytes| read(&bytes))
    }

    async fn seen_by(&self, person: usize, id: TournamentId) -> Value {
        let caller = Some(&self.people[person].caller);
        read(&self.inner.app.tournament(id, caller).await.expect("a tournament"))
    }

    /// Everybody does what a reader of `you` would do, every so often, until the tournament has ended.
    async fn play_on(&self, id: TournamentId, every: Duration, for_at_most: Duration) -> Value {
        let until = self.now() + u64::try_from(for_at_most.as_millis()).expect("small");
        loop {
            let seen = self.seen_by(0, id).await;
            if seen["phase"] == "ended" {
                return seen;
            }
            assert!(self.now() < until, "it does not end: {seen:#}");
            for person in 0..self.people.len() {
                self.act(person, id).await;
            }
            tokio::time::sleep(every).await;
        }
    }

    async fn act(&self, person: usize, id: TournamentId) {
        let Person { caller, vanishes_at } = &self.people[person];
        if vanishes_at.is_some_and(|at| at <= self.now()) {
            return;
        }
        let seen = self.seen_by(person, id).await;
        let you = &seen["you"];
        let may = |name: &str| you["may"].as_array().is_some_and(|may| may.contains(&json!(name)));
        let playing = &you["pairing"]["match"];
        if let Ok(playing) = from_value::<MatchId>(playing.clone()) {
            let opponent = you["pairing"]["opponent"]["id"].as_str().expect("an opponent");
            let of_opponent = self.people.iter().position(|other| other.id() == opponent);
            if of_opponent.expect("one of them") < person {
                let resign = Resign { scope: ResignScope::Match };
                // The match may have ended meanwhile.
                let _ = self.inner.app.command(caller, playing, None, resign).await;
            } else {
                self.play_turn(caller, playing).await;
            }
        } else if may("here") && you["state"] != "here" && you["state"] != "playing" {
            let is_time = seen["phase"] != "announced";
            if is_time {
                // It may have ended meanwhile.
                let _ = self.entry(person, id, json!({"command": "here"})).await;
            }
        }
    }

    async fn play_turn(&self, caller: &Caller, id: MatchId) {
        let state = self.inner.app.live().state(id).await.expect("a match");
        let mover = state.waits_for().and_then(|seat| state.player(seat)).map(|player| player.id);
        if mover == Some(caller.id()) && state.to_play().is_some() {
            let Command::Turn { answers, steps, .. } = first_turn(&state) else { unreachable!("a turn") };
            let turn = PlayTurn { seq: answers, steps };
            self.inner.app.command(caller, id, None, turn).await.expect("a legal turn");
        }
    }

    /// The standings: players with their half points, as the server has them.
    async fn standings(&self, id: TournamentId) -> Value {
        let bytes = self.inner.app.tournament_table(id, Table::Standings, ClientAddress(ADDRESS)).await;
        read(&bytes.expect("standings"))
    }

    async fn pairings(&self, id: TournamentId) -> Value {
        let bytes = self.inner.app.tournament_table(id, Table::Pairings(None), ClientAddress(ADDRESS)).await;
        read(&bytes.expect("pairings"))
    }
}

/// The half points of each player in the standings.
fn points(standings: &Value) -> BTreeMap<String, u64> {
    let rows = standings["standings"].as_array().expect("rows").iter();
    let row = |row: &Value| {
        let player = row["player"]["id"].as_str().expect("an id").to_owned();
        (player, row["half_points"].as_u64().expect("a number"))
    };
    rows.map(row).collect()
}
