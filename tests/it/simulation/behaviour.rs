//! What clients do during the faults: they play, watch, look, lose their connections, stop reading, and send
//! requests that must be refused.

use std::sync::Arc;

use lusoria_play::{Admission, Match, MatchId, Phase, Seat};
use serde_json::{Value, json};

use super::{
    asked::Question,
    client::Request,
    turns::{legal_turn, odd_turn, turn_request},
    weather::Kind,
    world::{Occurrence, World},
};

/// How long a client waits for an answer before it does something about it, in milliseconds.
const PATIENCE_MS: u64 = 12_000;

/// A turn is kept back until the last moment if the number of the event that gave it is divisible
/// by this …
const KEPT_BACK_EVERY: u32 = 2;

/// … and the clock has no more than this left, in milliseconds.
const KEPT_BACK_MAX_MS: u64 = 70_000;

/// How long something takes the store at most when such a turn comes, in milliseconds.
const SLOW_MS: u64 = 300;

impl World {
    /// A client has time to do something.
    pub(super) fn think(&mut self, client: usize) {
        let pace_ms = self.plan.pace_ms * self.clients[client].slowness;
        let in_ms = self.random.between(pace_ms / 5 + 1, pace_ms * 2);
        self.later(in_ms, Occurrence::Think { client });
        if self.clients[client].revoked_at.is_some() {
            // It listens, as long as it may.
            if self.clients[client].link.is_none() {
                self.gives_up_token(client);
            }
            return;
        }
        let deserts = self.deserts(client);
        let Some(link) = self.clients[client].link else {
            if !deserts && self.is_any_up() && self.random.permille(700) {
                self.connect(client);
            }
            return;
        };
        if deserts || self.random.permille(self.plan.cut_permille) {
            return self.leave(client, link);
        }
        if self.random.permille(self.plan.stall_permille) {
            let for_ms = self.random.between(500, 90_000);
            self.clients[client].stalled_until = self.now() + for_ms;
            self.note(format_args!("client {client} reads nothing for {for_ms} ms"));
        }
        let now = self.now();
        let impatient = self.clients[client].waiting.values().any(|asked_at| asked_at + PATIENCE_MS < now);
        if impatient {
            if self.random.permille(300) {
                return self.leave(client, link);
            }
            self.give_up_waiting(client);
            if !self.clients[client].greeted {
                self.say_hello(client);
            }
        }
        if !self.clients[client].greeted {
            if self.random.permille(50) {
                self.ask(client, Request::new("lobby", json!({"on": true})));
            }
            return;
        }
        if self.random.permille(500)
            && let Some(errand) = self.clients[client].errands.pop()
        {
            return self.ask(client, errand);
        }
        if !self.sleeps(client) {
            self.act(client);
        }
    }

    /// Whether a client's guest has gone away for long.
    pub(super) fn deserts(&self, client: usize) -> bool {
        let deserted = self.plan.deserted_at_ms.is_some_and(|at_ms| at_ms < self.now());
        deserted && self.clients[client].guest == Some(0) && !self.sleep()
    }

    /// Whether a game without a clock may come to be claimed.
    fn is_long(&self) -> bool {
        self.cluster.as_ref().is_some_and(|plan| plan.is_long)
    }

    /// Whether those who would go away stay connected and do nothing.
    fn sleep(&self) -> bool {
        self.cluster.as_ref().is_some_and(|plan| plan.sleeps)
    }

    fn sleeps(&self, client: usize) -> bool {
        let is_late = self.plan.deserted_at_ms.is_some_and(|at_ms| at_ms < self.now());
        self.sleep() && is_late && self.clients[client].guest == Some(0)
    }

    /// What was asked and not answered will be asked again, if it matters.
    pub(super) fn give_up_waiting(&mut self, client: usize) {
        let asker = &mut self.clients[client];
        for id in std::mem::take(&mut asker.waiting).into_keys() {
            let request = &asker.requests[&id];
            if request.insists {
                asker.errands.push(request.clone());
            }
        }
    }

    /// A client leaves: with a farewell, by a line that breaks, or without anybody noticing.
    fn leave(&mut self, client: usize, link: usize) {
        self.links[link].left = true;
        let (how, in_ms) = (self.random.below(3), self.latency_ms());
        self.note(format_args!("client {client} leaves {link}: {how}"));
        match how {
            0 => {
                let text = axum::extract::ws::Message::Close(None);
                self.later(in_ms, Occurrence::ToServer { link, text });
            }
            1 => self.later(in_ms, Occurrence::Cut { link }),
            _ => {}
        }
        self.clients[client].disconnected();
    }

    fn act(&mut self, client: usize) {
        let guest = self.clients[client].guest;
        match (self.random.below(100), guest) {
            (0..58, Some(guest)) => self.play(client, guest),
            (58..66, Some(guest)) => self.create_or_join(client, guest),
            (66..72, Some(guest)) => self.odd(client, guest),
            (72..84, _) | (0..40, None) => self.watch_something(client),
            (84..90, _) | (40..50, None) => self.switch_topics(client),
            _ => self.look(client),
        }
    }

    // --- playing -------------------------------------------------------------------

    /// A match in which the guest has a seat, as the client knows it.
    fn own_match(&mut self, client: usize, guest: usize) -> Option<(MatchId, std::sync::Arc<Match>)> {
        let (guest, mut own) = (&self.guests[guest], Vec::new());
        for (&id, view) in &self.clients[client].views {
            if let Some(state) = self.ledger.at(id, view.cursor)
                && !guest.seats(state).is_empty()
            {
                own.push((id, std::sync::Arc::clone(state)));
            }
        }
        let own_turn: Vec<_> = own
            .iter()
            .filter(|(_, state)| state.waits_for().is_some_and(|seat| guest.seats(state).contains(&seat)))
            .cloned()
            .collect();
        if !own_turn.is_empty() && self.random.permille(850) {
            return self.random.pick(&own_turn).cloned();
        }
        let is_over = |of: &Match| matches!(of.phase(), Phase::Ended(_));
        let running: Vec<_> = own.iter().filter(|(_, state)| !is_over(state)).cloned().collect();
        let from = if running.is_empty() || self.random.permille(100) { &own } else { &running };
        self.random.pick(from).cloned()
    }

    fn play(&mut self, client: usize, guest: usize) {
        let Some((id, state)) = self.own_match(client, guest) else {
            return self.create_or_join(client, guest);
        };
        let mine = state.waits_for().is_some_and(|seat| self.guests[guest].seats(&state).contains(&seat));
        match state.phase() {
            Phase::Open => {
                if self.random.permille(30) {
                    self.keyed(client, guest, Request::of("abort", id, json!({})));
                }
            }
            Phase::AwaitingSeeds(_) => {
                let seed = self.guests[guest].unrevealed(&state).map(str::to_owned);
                match (seed, self.random.below(10)) {
                    (Some(seed), 0..7) => {
                        self.keyed(client, guest, Request::of("seed", id, json!({"seed": seed})));
                    }
                    (_, 7) => self.keyed(client, guest, Request::of("seed", id, json!({"seed": "wrong"}))),
                    (_, 8) => self.keyed(client, guest, Request::of("abort", id, json!({}))),
                    _ => {}
                }
            }
            Phase::Playing => match self.random.below(100) {
                0..75 if mine && self.waits_for_last_moment(client, id, &state) => {}
                0..75 if mine => {
                    if let Some((seq, steps)) = legal_turn(&state, &mut self.random) {
                        self.turn(client, guest, id, seq, steps);
                    }
                }
                75..82 => {
                    if let Some((seq, steps)) = odd_turn(&state, &self.ledger.books[&id], &mut self.random) {
                        self.turn(client, guest, id, seq, steps);
                    }
                }
                82 => self.building(client, id, &state),
                83..91 if self.is_long() => self.keyed(client, guest, Request::of("claim", id, json!({}))),
                83..86 => self.offer(client, guest, "draw", id, state.draw_offer()),
                86..88 => self.takeback(client, guest, id, &state),
                88 => {
                    let scope = if self.random.permille(500) { "game" } else { "match" };
                    self.keyed(client, guest, Request::of("resign", id, json!({"scope": scope})));
                }
                89..91 => self.keyed(client, guest, Request::of("abort", id, json!({}))),
                91..96 => self.keyed(client, guest, Request::of("claim", id, json!({}))),
                _ => {}
            },
            Phase::Ended(_) => {
                if state.rematch().next().is_some() || self.random.permille(500) {
                    return self.create_or_join(client, guest);
                }
                if self.ledger.order.len() < 2 * self.plan.matches + 2 {
                    let offered = state.rematch().offer_standing().map(|offer| offer.seat);
                    self.offer(client, guest, "rematch", id, offered);
                }
            }
        }
    }

    /// Offers something, or answers what has been offered; now and then the wrong way round.
    fn offer(&mut self, client: usize, guest: usize, op: &'static str, id: MatchId, by: Option<Seat>) {
        let actions = match by {
            Some(_) => ["accept", "accept", "decline", "offer"],
            None => ["offer", "offer", "offer", "accept"],
        };
        let action = *self.random.pick(&actions).expect("there are some");
        let mut fields = json!({"action": action});
        if op == "rematch" && action != "decline" && self.random.permille(300) {
            let drawn = self.random.number();
            fields["seed_hash"] = self.guests[guest].new_seed(drawn).1.into();
        }
        self.keyed(client, guest, Request::of(op, id, fields));
    }

    /// Asks to take a turn back, or answers such an offer, which may be one's own.
    fn takeback(&mut self, client: usize, guest: usize, id: MatchId, state: &Match) {
        let offered = state.takeback_offer().map(|offer| offer.turned);
        let own = self.guests[guest].id;
        let Some(seq) = offered.or_else(|| state.may_take_back(own)) else { return };
        let actions = if offered.is_some() { ["accept", "decline"] } else { ["offer", "offer"] };
        let action = *self.random.pick(&actions).expect("there are some");
        self.keyed(client, guest, Request::of("takeback", id, json!({"seq": seq, "action": action})));
    }

    fn building(&mut self, client: usize, id: MatchId, state: &Match) {
        if let Some((seq, steps)) = legal_turn(state, &mut self.random) {
            let kept = usize::try_from(self.random.below(steps.len() as u64 + 1)).expect("a few");
            let fields = turn_request(seq, &steps[..kept]);
            self.ask(client, Request::of("building", id, fields));
        }
    }

    /// Some turns are kept back until the clock has all but run out. Whether this is one of them.
    fn waits_for_last_moment(&mut self, client: usize, id: MatchId, state: &Match) -> bool {
        let (Some(to_play), Some(deadline)) = (state.to_play(), state.next_deadline()) else { return false };
        let left_ms = deadline.saturating_sub(self.server_time());
        let seq = to_play.given_by;
        if !self.plan.keeps_back || !seq.is_multiple_of(KEPT_BACK_EVERY) || left_ms > KEPT_BACK_MAX_MS {
            return false;
        }
        if self.kept_back.insert((id, seq)) {
            let early_ms = self.random.below(self.plan.latency_ms + 8);
            let in_ms = left_ms.saturating_sub(early_ms);
            self.later(in_ms, Occurrence::LastMoment { client, id, seq });
        }
        true
    }

    /// The clock has all but run out.
    pub(super) fn last_moment(&mut self, client: usize, id: MatchId, seq: u32) {
        let (Some(guest), true) = (self.clients[client].guest, self.clients[client].greeted) else { return };
        let state = Arc::clone(self.ledger.books[&id].now());
        if let Some((given, steps)) = legal_turn(&state, &mut self.random).filter(|(given, _)| *given == seq)
        {
            // The store is slow then, so that the turn is judged after its deadline.
            let now = self.now();
            let slow = Kind::Slow { up_to_ms: SLOW_MS };
            self.nodes.iter_mut().for_each(|node| node.weather.turn(slow, now, now + 2 * SLOW_MS));
            self.turn(client, guest, id, given, steps);
        }
    }

    /// Plays a turn, and insists on it.
    pub(super) fn turn(
        &mut self,
        client: usize,
        guest: usize,
        id: MatchId,
        seq: u32,
        steps: Vec<lusoria_rules::Step>,
    ) {
        let player = self.guests[guest].id;
        let text = serde_json::to_string(&steps).expect("steps are plain data");
        let mut request = Request::of("turn", id, turn_request(seq, &steps));
        request.question = Some(Question::Turn(player, id, seq.into(), text));
        request.insists = true;
        self.asked.ask_turn(player, id, seq, steps);
        self.ask(client, request);
    }

    /// Asks under a key, mostly, and then insists.
    pub(super) fn keyed(&mut self, client: usize, guest: usize, mut request: Request) {
        if self.healing || self.random.permille(800) {
            let key = format!("k{:016x}", self.random.number());
            request.fields["key"] = key.clone().into();
            request.question = Some(Question::Key(self.guests[guest].id, key));
            request.insists = true;
        }
        self.ask(client, request);
    }

    // --- making matches and sitting down ------------------------------------------------

    fn create_or_join(&mut self, client: usize, guest: usize) {
        let player = self.guests[guest].id;
        let open = self.ledger.order.iter().copied().filter(|id| {
            let book = &self.ledger.books[id];
            book.now().phase() == Phase::Open && book.now().player(Seat::One).map(|p| p.id) != Some(player)
        });
        let open: Vec<_> = open.collect();
        if let Some(&id) = self.random.pick(&open)
            && self.random.permille(800)
        {
            return self.join(client, guest, id);
        }
        if self.ledger.order.len() < self.plan.matches {
            self.create(client, guest);
        }
    }

    fn join(&mut self, client: usize, guest: usize, id: MatchId) {
        let mut fields = json!({});
        if self.random.permille(400) {
            fields["seed"] = format!("joiner {:08x}", self.random.below(1 << 32)).into();
        }
        let invited = self.ledger.books[&id].now().terms().admission == Admission::Invitation;
        match self.codes.get(&id) {
            Some(code) if invited => {
                fields["code"] = code.clone().into();
                let op = if self.random.permille(150) { "look_invitation" } else { "spend_invitation" };
                if op == "look_invitation" {
                    let fields = json!({"code": code});
                    return self.ask(client, Request::new(op, fields));
                }
                self.keyed(client, guest, Request::new(op, fields));
            }
            _ => self.keyed(client, guest, Request::of("join", id, fields)),
        }
        self.watch(client, id, None);
    }

    fn create(&mut self, client: usize, guest: usize) {
        let game =
            *self.random.pick(&["zeno", "tavla", "scripta", "tabula", "tablut"]).expect("there are some");
        let options = match (game, self.random.below(3)) {
            ("zeno", 0) => json!({"shift": "die"}),
            ("tavla", 0) => json!({"mother": "double_loss"}),
            ("scripta", 0) => json!({"row_a_gate": true}),
            ("tablut", 0) => json!({"throne": "closed"}),
            _ => json!({}),
        };
        let clock = match self.random.below(10) {
            _ if self.is_long() => json!({"kind": "none"}),
            0..3 => json!({"kind": "none"}),
            3..7 => {
                let (base, step) = (self.random.between(5, 40), self.random.below(4));
                json!({"kind": "fischer", "base_ms": base * 1_000, "increment_ms": step * 1_000})
            }
            7..9 => {
                let (base, step) = (self.random.between(5, 30), self.random.below(5));
                json!({"kind": "delay", "base_ms": base * 1_000, "delay_ms": step * 1_000})
            }
            _ => json!({"kind": "days", "days": 1}),
        };
        let admission = match self.random.below(10) {
            0..6 => "open",
            6..9 => "invitation",
            _ => "both_seats",
        };
        let points = *self.random.pick(&[1, 1, 1, 2, 3]).expect("there are some");
        let mut fields = json!({
            "game": game, "options": options, "points": points, "clock": clock, "admission": admission,
        });
        if self.cluster.is_some() && self.random.permille(250) {
            let fields = json!({
                "game": game, "options": options, "points": points, "clock": clock, "opponent": {"computer": 1},
            });
            return self.keyed(client, guest, Request::new("create", fields));
        }
        if self.random.permille(350) {
            let drawn = self.random.number();
            fields["seed_hash"] = self.guests[guest].new_seed(drawn).1.into();
        }
        self.keyed(client, guest, Request::new("create", fields));
    }

    // --- watching and looking ------------------------------------------------------------

    /// Watches a match from a number, or from where it stands.
    pub(super) fn watch(&mut self, client: usize, id: MatchId, since: Option<u32>) {
        let skips = !self.healing && self.random.permille(200);
        let mut fields = json!({"on_lag": if skips { "snapshot" } else { "journal" }});
        if self.random.permille(250) {
            fields["positions"] = false.into();
        }
        if let Some(since) = since {
            fields["since"] = since.into();
        }
        self.ask(client, Request::of("watch", id, fields));
    }

    fn watch_something(&mut self, client: usize) {
        let Some(&id) = self.random.pick(&self.ledger.order) else { return };
        let (head, drawn) = (self.ledger.books[&id].head(), self.random.below(10));
        let cursor = self.clients[client].views.get(&id).map(|view| view.cursor);
        match (drawn, cursor) {
            (0, Some(_)) => self.ask(client, Request::of("unwatch", id, json!({}))),
            (1..4, _) => {
                let since = self.random.below(u64::from(head) + 2);
                self.watch(client, id, u32::try_from(since).ok());
            }
            (4..6, _) => self.watch(client, id, None),
            (_, cursor) => self.watch(client, id, Some(cursor.unwrap_or(0))),
        }
    }

    fn switch_topics(&mut self, client: usize) {
        let on = self.random.permille(800);
        let op = if self.clients[client].guest.is_none() || self.random.permille(500) {
            "lobby"
        } else {
            "personal"
        };
        self.ask(client, Request::new(op, json!({"on": on})));
    }

    fn look(&mut self, client: usize) {
        let Some(&id) = self.random.pick(&self.ledger.order) else { return };
        let request = match self.random.below(10) {
            0..3 => Request::of("snapshot", id, json!({})),
            3..5 => {
                let since = self.random.below(u64::from(self.ledger.books[&id].head()) + 1);
                let limit = self.random.between(1, 60);
                let positions = self.random.permille(500);
                Request::of("events", id, json!({"since": since, "limit": limit, "positions": positions}))
            }
            5 => Request::of("record", id, json!({})),
            6 => Request::new("matches", json!({"state": "live"})),
            7 => Request::new("my_matches", json!({})),
            8 => Request::of("legal", id, json!({"steps": []})),
            _ => Request::new("ping", json!({})),
        };
        self.ask(client, request);
    }

    /// What is rare: names, codes, invitations.
    fn odd(&mut self, client: usize, guest: usize) {
        let own = self.own_match(client, guest).map(|(id, _)| id);
        let request = match (self.random.below(6), own) {
            (0, _) => {
                let name = format!("Name {}", self.random.below(100));
                Request::new("rename", json!({"name": name}))
            }
            (1, _) => Request::new("device_code", json!({})),
            (2, Some(id)) => Request::of("invite", id, json!({})),
            (3, Some(id)) => Request::of("withdraw_invitation", id, json!({})),
            (4, _) => Request::new("hello", Value::Object(serde_json::Map::new())),
            _ => Request::new("me", json!({})),
        };
        self.ask(client, request);
    }
}
