//! After the faults: all clients reconnect, everything comes to rest, and every match is played to its end.

use std::collections::BTreeMap;

use lusoria_play::{MatchId, Phase, Seat};
use serde_json::json;

use super::{
    client::Request,
    turns::legal_turn,
    world::{Occurrence, World},
};

/// How long it may take until everything has come to rest, in milliseconds.
const RESTS_WITHIN_MS: u64 = 300_000;

/// How long nothing may happen until that counts as rest.
const REST_MS: u64 = 2_000;

/// How often a client does something meanwhile.
const PACE_MS: u64 = 40;

/// How long a client waits for the answer to its hello before it says it again.
const HELLO_AGAIN_MS: u64 = 2_000;

/// How many of its questions a client asks again at the end.
const REPEATS: u32 = 4;

/// How far the healing has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Clients come back and read on.
    #[default]
    Return,
    /// Matches are played to their ends.
    Finish,
}

/// What is known of the healing.
#[derive(Default)]
pub(super) struct Healing {
    stage: Stage,
    began_at: u64,
    rest_since: Option<u64>,
    turns: BTreeMap<MatchId, u32>,
    repeats: BTreeMap<usize, u32>,
}

impl World {
    /// Nothing goes wrong any more.
    pub(super) fn begin_to_heal(&mut self) {
        let now = self.now();
        self.note("the faults have ended");
        self.healing = true;
        self.health = Healing { began_at: now, ..Healing::default() };
        self.nodes.iter_mut().for_each(|node| node.weather.clear(now));
        for link in 0..self.links.len() {
            if self.links[link].left {
                self.links[link].cut();
            } else {
                self.later(1, Occurrence::ToClient { link });
            }
        }
        for client in 0..self.clients.len() {
            self.clients[client].stalled_until = 0;
            if self.clients[client].revoked_at.is_some() {
                if let Some(link) = self.clients[client].link {
                    self.links[link].left = true;
                    self.links[link].cut();
                }
                self.clients[client].disconnected();
                self.gives_up_token(client);
            }
            self.give_up_waiting(client);
        }
    }

    /// Goes on to the next stage; true if there is none.
    pub(super) fn heal_on(&mut self) -> bool {
        let now = self.now();
        let Healing { stage, .. } = self.health;
        self.note(format_args!("everything has come to rest: {stage:?}"));
        self.health = Healing { stage: Stage::Finish, began_at: now, ..Healing::default() };
        if self.failure.is_none() && stage == Stage::Return {
            for client in 0..self.clients.len() {
                self.ask(client, Request::new("lobby", json!({"on": true})));
                if self.clients[client].guest.is_some() {
                    self.ask(client, Request::new("personal", json!({"on": true})));
                }
            }
            return false;
        }
        true
    }

    /// The stage in which everything has come to rest, once it has.
    pub(super) fn settled(&mut self) -> Option<Stage> {
        let (now, stage) = (self.now(), self.health.stage);
        if let Some(why) = self.unrest() {
            self.health.rest_since = None;
            if now > self.health.began_at + RESTS_WITHIN_MS {
                self.must("everything_comes_to_rest", Err(format!("{stage:?}: {why}")));
            }
            return None;
        }
        let since = *self.health.rest_since.get_or_insert(now);
        (now >= since + REST_MS).then_some(stage)
    }

    /// What has not come to rest.
    fn unrest(&self) -> Option<String> {
        for (number, client) in self.clients.iter().enumerate() {
            if client.link.is_none() && self.health.stage == Stage::Return && self.deserts(number) {
                continue;
            }
            if client.link.is_none() || !client.greeted {
                return Some(format!("client {number} is not connected"));
            }
            if let Some(id) = client.waiting.keys().next() {
                return Some(format!("client {number} waits for the answer to {id}"));
            }
            if !client.errands.is_empty() {
                return Some(format!("client {number} has {} errands", client.errands.len()));
            }
            for (id, view) in &client.views {
                let head = self.ledger.books.get(id).map_or(0, super::ledger::Book::head);
                if view.watching && view.cursor != head {
                    return Some(format!("client {number} has read {} to {} of {head}", id.0, view.cursor));
                }
            }
        }
        if self.is_something_on_its_way() {
            return Some("something is on its way".to_owned());
        }
        let running = |id: &&MatchId| !matches!(self.ledger.books[id].now().phase(), Phase::Ended(_));
        match (self.health.stage, self.ledger.order.iter().find(running)) {
            (Stage::Finish, Some(id)) => Some(format!("{} has not ended", id.0)),
            _ => None,
        }
    }

    /// What a client does while the world heals.
    pub(super) fn heal(&mut self, client: usize) {
        let in_ms = self.random.between(PACE_MS / 2, PACE_MS * 2);
        self.later(in_ms, Occurrence::Think { client });
        let now = self.now();
        // Everybody must see that the guest is away before they come back.
        let stays_away = self.health.stage == Stage::Return && self.deserts(client);
        if self.clients[client].link.is_none() {
            if !stays_away && self.is_any_up() {
                self.connect(client);
            }
            return;
        }
        if !self.clients[client].greeted {
            if self.clients[client].waiting.values().all(|asked_at| asked_at + HELLO_AGAIN_MS < now) {
                self.say_hello(client);
            }
            return;
        }
        for errand in std::mem::take(&mut self.clients[client].errands) {
            self.ask(client, errand);
        }
        if !self.clients[client].waiting.is_empty() {
            return;
        }
        if let Some(id) = self.should_watch(client) {
            let since = self.clients[client].views.get(&id).map_or(0, |view| view.cursor);
            return self.watch(client, id, Some(since));
        }
        if self.health.stage == Stage::Finish {
            self.finish(client);
        }
    }

    /// A match that the client should watch and does not.
    fn should_watch(&self, client: usize) -> Option<MatchId> {
        let reader = &self.clients[client];
        let seen = reader.views.iter().filter(|(_, view)| !view.watching).map(|(id, _)| *id);
        let guest = reader.guest.map(|guest| &self.guests[guest]);
        let own = self.ledger.order.iter().copied().filter(|id| {
            guest.is_some_and(|guest| !guest.seats(self.ledger.books[id].now()).is_empty())
                && !reader.views.contains_key(id)
        });
        seen.chain(own).next()
    }

    /// Plays the client's matches on, and then gives them up; asks some old questions again.
    fn finish(&mut self, client: usize) {
        let Some(guest) = self.clients[client].guest else { return };
        if *self.health.repeats.entry(client).or_default() < REPEATS {
            *self.health.repeats.entry(client).or_default() += 1;
            return self.ask_again(client);
        }
        let first = self.clients.iter().position(|other| other.guest == Some(guest));
        if first != Some(client) {
            return;
        }
        for id in self.ledger.order.clone() {
            let state = std::sync::Arc::clone(self.ledger.books[&id].now());
            let seats = self.guests[guest].seats(&state);
            if seats.is_empty() {
                continue;
            }
            let own_turn = state.waits_for().is_some_and(|seat| seats.contains(&seat));
            match state.phase() {
                Phase::Open if seats.contains(&Seat::One) => {
                    return self.keyed(client, guest, Request::of("abort", id, json!({})));
                }
                Phase::AwaitingSeeds(_) => {
                    if let Some(seed) = self.guests[guest].unrevealed(&state) {
                        let fields = json!({"seed": seed});
                        return self.keyed(client, guest, Request::of("seed", id, fields));
                    }
                }
                Phase::Playing if own_turn => return self.play_on(client, guest, id),
                Phase::Open | Phase::Playing | Phase::Ended(_) => {}
            }
        }
    }

    fn play_on(&mut self, client: usize, guest: usize, id: MatchId) {
        let turns = self.health.turns.entry(id).or_default();
        *turns += 1;
        if *turns > self.plan.turns_after {
            let fields = json!({"scope": "match"});
            return self.keyed(client, guest, Request::of("resign", id, fields));
        }
        let state = std::sync::Arc::clone(self.ledger.books[&id].now());
        if let Some((seq, steps)) = legal_turn(&state, &mut self.random) {
            self.turn(client, guest, id, seq, steps);
        }
    }

    /// Asks something again that makes a difference only once.
    fn ask_again(&mut self, client: usize) {
        let asked = self.clients[client].requests.values().filter(|request| request.question.is_some());
        let asked: Vec<_> = asked.cloned().collect();
        if let Some(request) = self.random.pick(&asked).cloned() {
            self.ask(client, request);
        }
    }
}
