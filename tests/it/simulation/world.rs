//! Everything of a run but the server itself: the time, the agenda, the connections, the
//! clients, what the store has committed, and what has gone wrong.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use axum::extract::ws::{CloseFrame, Message};
use lusoria::ws::Ending;
use lusoria_play::{Event, MatchEnd, MatchId, Millis, PlayerId, Recorded};
use lusoria_store::Card;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::{sync::Notify, time::Instant};

use super::{
    asked::{Question, RequestId},
    client::Client,
    cluster_plan::ClusterPlan,
    guest::Guest,
    heal::Healing,
    invariants::{self, Verdict},
    ledger::Ledger,
    network::{Frame, Link},
    node::{NodeState, RECOVERS_MS},
    plan::Plan,
    seekers::Pairing,
    trace::Trace,
};
use crate::support::random::Random;

/// How long an idempotency key is known at least, in milliseconds.
const KEY_KNOWN_MS: u64 = 7 * 86_400_000;

/// By how much the time of a node of several may be off that of the store, in milliseconds.
const SKEW_MS: u64 = 150;

/// When every run begins, in milliseconds since the epoch.
pub(super) const EPOCH: Millis = 1_700_000_000_000;

/// A world that the driver, the store and the connections share.
pub(super) type Shared = Arc<Mutex<World>>;

/// What is to happen at some time.
#[derive(Debug)]
pub(super) enum Occurrence {
    /// A frame reaches the server.
    ToServer { link: usize, text: Message },
    /// A client may read its next frame.
    ToClient { link: usize },
    /// A client learns that its connection is over.
    HungUp { link: usize },
    /// The server's end of a connection breaks.
    Cut { link: usize },
    /// A client has time to do something.
    Think { client: usize },
    /// A turn that was kept back is played just before the clock runs out.
    LastMoment { client: usize, id: MatchId, seq: u32 },
    /// The weather changes.
    Weather { node: usize },
    /// Something happens to a node of several.
    Node { node: usize, what: NodeEvent },
    /// Something happens to several nodes.
    Cluster(ClusterEvent),
    /// The server is killed, or told to stop.
    Down { killed: bool },
    /// The faults end.
    Heal,
}

/// When somebody was connected.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// When the last time of it began.
    pub(super) since: u64,
    /// When it was last so.
    pub(super) last: u64,
    /// When the time before that ended.
    pub(super) before: u64,
}

/// What can happen to a node of several.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeEvent {
    /// It is started.
    Start,
    /// It is killed, told to stop, or made to stand still.
    Struck,
    /// It goes on.
    Resume,
}

/// What can happen to several nodes.
#[derive(Debug, Clone, Copy)]
pub(super) enum ClusterEvent {
    /// All go down.
    AllDown,
    /// Two do not hear each other any more, or one hears nobody and knows it.
    Part,
    /// They hear each other again.
    Rejoin,
    /// An operator replaces somebody's name everywhere.
    Rename,
    /// Somebody ends the sessions of their other devices.
    Revoke,
    /// Another history begins, as of a restored backup.
    NewHistory,
}

/// At which of its commits a node is killed: between it and whatever follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Doom {
    /// The how manyth, from 1.
    pub(super) commit: u64,
    /// Whether only new matches count.
    pub(super) of_new_matches: bool,
}

/// Something that must always hold did not.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) invariant: &'static str,
    pub(super) why: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.why)
    }
}

/// All of a run but the server.
#[derive(Default)]
pub(super) struct World {
    pub(super) plan: Plan,
    pub(super) random: Random,
    pub(super) trace: Trace,
    /// The servers that run beside each other; one, if it is not a cluster.
    pub(super) nodes: Vec<NodeState>,
    /// What may go wrong between them, if it is a cluster.
    pub(super) cluster: Option<ClusterPlan>,
    pub(super) ledger: Ledger,
    pub(super) asked: RequestId,
    pub(super) links: Vec<Link>,
    pub(super) clients: Vec<Client>,
    pub(super) guests: Vec<Guest>,
    /// The codes of invitations that are known, by match.
    pub(super) codes: BTreeMap<MatchId, String>,
    /// Turns that are kept back until the clock has all but run out.
    pub(super) kept_back: BTreeSet<(MatchId, u32)>,
    pub(super) failure: Option<Failure>,
    /// How often what happened: to see that a run is not tame.
    pub(super) reached: BTreeMap<String, u64>,
    pub(super) healing: bool,
    pub(super) health: Healing,
    /// Links that the server has not yet begun to read.
    pub(super) opened: Vec<usize>,
    /// When the players of matches were connected to any server, of a cluster.
    pub(super) seen: BTreeMap<(MatchId, PlayerId), Seen>,
    /// The guests whose first name an operator has replaced everywhere, and when that was done.
    pub(super) renamed: BTreeMap<PlayerId, u64>,
    /// How often the computer has thought of a turn.
    pub(super) thoughts: u64,
    /// The numbers of the last events of appends that were lost with an unknown outcome. Another node may have done
    /// the same at the same time.
    pub(super) lost: BTreeSet<(MatchId, u32)>,
    /// When the last of the histories began, and how many have.
    pub(super) history: (u64, u128),
    /// What has been asked for and done, and when.
    pub(super) done: BTreeMap<Question, u64>,
    pub(super) changed: Arc<Notify>,
    /// Who was paired with whom.
    pub(super) pairings: Vec<Pairing>,
    /// When anybody was first told of an event, by the server's time.
    pub(super) told: BTreeMap<(MatchId, u32), Millis>,
    /// The nodes that are killed at one of their next commits.
    pub(super) doomed: BTreeMap<usize, Doom>,
    agenda: BTreeMap<(u64, u64), Occurrence>,
    entries: u64,
    base_ms: u64,
    /// By how much the server's clock is fast, in milliseconds; slow if negative.
    clock_off_ms: i64,
    started: Option<Instant>,
}

impl World {
    pub(super) fn new(plan: Plan, random: Random) -> Self {
        Self { plan, random, nodes: vec![NodeState::default()], ..Self::default() }
    }

    // --- time ------------------------------------------------------------------

    /// Milliseconds since the beginning.
    pub(super) fn now(&self) -> u64 {
        let elapsed = self.started.map_or(0, |started| started.elapsed().as_millis());
        self.base_ms + u64::try_from(elapsed).expect("a run is short")
    }

    /// The time as the server tells it.
    pub(super) fn server_time(&self) -> Millis {
        (EPOCH + self.now()).saturating_add_signed(self.clock_off_ms)
    }

    /// The server's clock tells `time` now.
    pub(super) fn server_tells(&mut self, time: Millis) {
        self.clock_off_ms = time.cast_signed() - (EPOCH + self.now()).cast_signed();
    }

    /// From now on the time is that of the present runtime.
    pub(super) fn runtime_started(&mut self) {
        self.started = Some(Instant::now());
    }

    /// The present runtime is about to go: the time stands still.
    pub(super) fn runtime_ends(&mut self) {
        self.base_ms = self.now();
        self.started = None;
    }

    /// So much time passes without a runtime.
    pub(super) fn pass(&mut self, for_ms: u64) {
        self.base_ms += for_ms;
    }

    // --- the agenda --------------------------------------------------------------

    /// Puts something on the agenda, so many milliseconds from now.
    pub(super) fn later(&mut self, in_ms: u64, what: Occurrence) {
        let at = self.now() + in_ms;
        self.entries += 1;
        self.agenda.insert((at, self.entries), what);
        self.changed.notify_one();
    }

    /// When the next thing happens.
    pub(super) fn next_at(&self) -> Option<u64> {
        self.agenda.keys().next().map(|(at, _)| *at)
    }

    /// What happens next, if its time has come.
    pub(super) fn next(&mut self) -> Option<Occurrence> {
        let now = self.now();
        let entry = self.agenda.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(entry.remove())
    }

    /// Whether anything has been sent and has not arrived.
    pub(super) fn is_something_on_its_way(&self) -> bool {
        let open = |link: usize| !self.links[link].broken && self.links[link].ending.is_none();
        self.agenda.values().any(|what| match *what {
            Occurrence::ToServer { link, .. } | Occurrence::ToClient { link } => open(link),
            Occurrence::Cut { .. } | Occurrence::HungUp { .. } => true,
            _ => false,
        })
    }

    /// Everything that was to happen.
    pub(super) fn clear_agenda(&mut self) -> Vec<Occurrence> {
        std::mem::take(&mut self.agenda).into_values().collect()
    }

    // --- what is noted and what must hold ------------------------------------------

    pub(super) fn note(&mut self, what: impl fmt::Display) {
        let now = self.now();
        self.trace.note(now, &what.to_string());
    }

    /// Fails unless it holds; the first failure counts.
    pub(super) fn must(&mut self, invariant: &'static str, verdict: Verdict) {
        if let Err(why) = verdict
            && self.failure.is_none()
        {
            self.note(format_args!("VIOLATED {invariant}: {why}"));
            self.failure = Some(Failure { invariant, why });
            self.changed.notify_one();
        }
    }

    /// Since when nothing has been wrong with the store and a server; none if
    /// something is.
    pub(super) fn well_since(&self, node: usize) -> Option<u64> {
        let recovers_ms = if self.cluster.is_some() { RECOVERS_MS } else { 0 };
        Some(self.nodes[node].well_since(self.now())? + recovers_ms)
    }

    /// The same of the server with which nothing has been wrong for longest.
    pub(super) fn one_well_since(&self) -> Option<u64> {
        (0..self.nodes.len()).filter_map(|node| self.well_since(node)).min()
    }

    /// The same of the server at the other end of a link.
    pub(super) fn well_since_of(&self, link: usize) -> Option<u64> {
        self.well_since(self.links[link].node)
    }

    /// Whether everything that servers tell each other arrives, in order and once.
    pub(super) fn hears_all(&self) -> bool {
        self.cluster.as_ref().is_none_or(|plan| plan.is_orderly() && plan.is_calm())
    }

    /// By how much the time of a server may be off, in milliseconds.
    pub(super) const fn skew_ms(&self) -> u64 {
        if self.cluster.is_some() { SKEW_MS } else { 0 }
    }

    /// Counts something that a run may reach.
    pub(super) fn reach(&mut self, what: impl Into<String>) {
        *self.reached.entry(what.into()).or_default() += 1;
    }

    // --- the store -------------------------------------------------------------------

    /// A node has made a commit. Whether it is killed now.
    pub(super) fn strikes(&mut self, node: usize, makes_match: bool) -> bool {
        let Some(doom) = self.doomed.get_mut(&node) else { return false };
        if doom.of_new_matches && !makes_match {
            return false;
        }
        doom.commit -= 1;
        let is_struck = doom.commit == 0;
        if is_struck {
            self.doomed.remove(&node);
            self.note(format_args!("node {node} is killed after a commit"));
            self.changed.notify_one();
        }
        is_struck
    }

    /// The store has committed these events.
    pub(super) fn committed(&mut self, id: MatchId, events: Vec<Recorded>) {
        use invariants::journal;
        let now = self.server_time();
        for recorded in events {
            self.note(format_args!("journal {}: {recorded:?}", id.0));
            let seq = recorded.seq;
            let (before, after) = match self.ledger.take(id, recorded.clone(), now) {
                Ok(taken) => taken,
                Err(why) => return self.must("the_journal_folds", Err(why)),
            };
            self.reach(name_of(&recorded.event));
            let is_turn = matches!(recorded.event, Event::Turned { .. });
            let deadline = before.as_ref().and_then(|before| before.next_deadline());
            if is_turn && deadline.is_some_and(|deadline| recorded.at < deadline && deadline <= now) {
                self.reach("a turn played after its deadline");
            }
            let before = before.as_deref();
            let book = &self.ledger.books[&id];
            let verdicts = [
                (
                    "numbers_and_times_follow",
                    journal::numbers_and_times_follow(before, &recorded, now + self.skew_ms()),
                ),
                ("only_who_has_the_turn_plays", journal::only_who_has_the_turn_plays(before, &recorded)),
                (
                    "nothing_happens_unasked",
                    journal::nothing_happens_unasked(before, &after, &recorded, &self.asked),
                ),
                ("clocks_are_fair", journal::clocks_are_fair(&self.ledger, book, &recorded)),
                (
                    "nobody_is_late_too_early",
                    journal::nobody_is_late_too_early(&self.ledger, book, before, &recorded),
                ),
                ("replaced_names_stay_so", invariants::cluster::has_no_replaced_name(self, &recorded)),
                (
                    "a_claim_needs_somebody_gone",
                    invariants::cluster::may_be_claimed(self, id, &after, &recorded),
                ),
                ("credit_is_for_outages", journal::credit_is_for_outages(&self.ledger, book, &recorded)),
            ];
            for (invariant, verdict) in verdicts {
                self.must(invariant, verdict.map_err(|why| format!("{} event {seq}: {why}", id.0)));
            }
            if let Event::Turned { seat, answers, steps, .. } = &recorded.event
                && let Some(player) = after.player(*seat).filter(|_| !after.is_computer(*seat))
            {
                let steps: Vec<_> = steps.iter().map(lusoria_play::TakenStep::step).collect();
                let steps = serde_json::to_string(&steps).expect("steps are plain data");
                let question = Question::Turn(player.id, id, u64::from(*answers), steps);
                self.carried_out(&question);
            }
        }
    }

    /// What a question asks for has been committed.
    pub(super) fn carried_out(&mut self, question: &Question) {
        let verdict = invariants::answers::still_to_be_answered(&self.asked, question);
        self.must("nothing_is_done_after_its_answer", verdict);
        if !self.is_remembered(question) {
            self.asked.begins_anew(question);
        }
        self.done.insert(question.clone(), self.now());
    }

    /// Whether what was asked for has been done, and the server must still know that it has:
    /// turns for ever, keys for a week (api.md).
    pub(super) fn is_remembered(&self, question: &Question) -> bool {
        self.done.get(question).is_some_and(|done_at| match question {
            Question::Turn(..) => true,
            Question::Key(..) => self.now() <= done_at + KEY_KNOWN_MS,
        })
    }

    /// Whether the server at the other end of a link stands still.
    pub(super) fn is_paused(&self, link: usize) -> bool {
        self.nodes[self.links[link].node].paused
    }

    // --- names, tokens, histories -------------------------------------------------------

    /// The store has put other names into a match.
    pub(super) fn rewritten(&mut self, id: MatchId, events: Vec<Recorded>) {
        let now = self.server_time();
        self.note(format_args!("names in {} are replaced: {} events", id.0, events.len()));
        self.reach("names replaced");
        let Some(book) = self.ledger.books.get_mut(&id) else { return };
        let verdict = book.rewrite(events, now);
        self.must("the_journal_folds", verdict);
    }

    /// The store has taken what lists show of a match with its events.
    pub(super) fn carded(&mut self, id: MatchId, card: &Card) {
        let verdict = invariants::cluster::is_card_of(&self.ledger.books[&id], card);
        self.must("a_stored_card_is_the_fold", verdict);
    }

    // --- connections -------------------------------------------------------------------

    /// The server reads a request.
    pub(super) fn server_hears(&mut self, link: usize, id: Option<u32>) {
        let request = id.and_then(|id| self.request_of(link, id));
        if let Some(question) = request.and_then(|request| request.question.clone()) {
            self.asked.read(&question);
        }
    }

    /// The server sends something.
    pub(super) fn server_says(&mut self, link: usize, message: Message) {
        let frame = match message {
            Message::Text(text) => {
                self.note(format_args!("{link} < {text}"));
                match serde_json::from_str(&text) {
                    Ok(value) => {
                        invariants::answers::judge(self, link, &text, &value);
                        Frame::Text(text.to_string(), value)
                    }
                    Err(why) => return self.must("the_server_speaks_json", Err(format!("{why}: {text}"))),
                }
            }
            Message::Ping(number) => {
                self.links[link].pings += 1;
                Frame::Ping(number)
            }
            Message::Close(Some(CloseFrame { code, .. })) => Frame::Close(code),
            Message::Close(None) => Frame::Close(1005),
            Message::Binary(_) | Message::Pong(_) => {
                return self.must("the_server_speaks_json", Err("a binary frame or a pong".to_owned()));
            }
        };
        self.links[link].dismissed |= matches!(frame, Frame::Close(_));
        self.links[link].unread.push_back(frame);
        let in_ms = self.latency_ms();
        self.later(in_ms, Occurrence::ToClient { link });
    }

    /// The conversation on a link has ended.
    pub(super) fn conversation_ended(&mut self, link: usize, ending: Ending) {
        self.note(format_args!("{link} ended: {}", ending.name()));
        self.reach(format!("ending {}", ending.name()));
        let verdict = invariants::answers::ending_has_a_reason(self, link, ending);
        self.must("ending_has_a_reason", verdict);
        self.links[link].ending = Some(ending);
        let in_ms = 50 + self.latency_ms();
        self.later(in_ms, Occurrence::HungUp { link });
    }

    /// How long a frame takes, in milliseconds.
    pub(super) fn latency_ms(&mut self) -> u64 {
        if self.healing {
            return 1;
        }
        let usual = self.plan.latency_ms;
        if self.random.permille(self.plan.late_permille) {
            self.random.between(usual, usual * 20 + 500)
        } else {
            self.random.below(usual + 1)
        }
    }

    /// A client sends a text.
    pub(super) fn client_sends(&mut self, link: usize, text: &str) {
        self.note(format_args!("{link} > {text}"));
        let copies = match self.random.below(1_000) {
            _ if self.healing => 1,
            drawn if drawn < self.plan.lost_permille => 0,
            drawn if drawn < self.plan.lost_permille + self.plan.twice_permille => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let in_ms = self.latency_ms();
            self.later(in_ms, Occurrence::ToServer { link, text: Message::Text(text.into()) });
        }
    }

    /// What the client of a link asked under that id, and who asked.
    pub(super) fn request_of(&self, link: usize, id: u32) -> Option<&super::client::Request> {
        self.clients[self.links[link].client].requests.get(&id)
    }

    /// The value of a message as JSON, for a verdict.
    pub(super) fn brief(value: &Value) -> String {
        value.to_string().chars().take(600).collect()
    }
}

/// What kind of event it is, with the reason of an end.
fn name_of(event: &Event) -> String {
    match event {
        Event::GameEnded { reason, .. } => format!("game ended: {reason:?}"),
        Event::MatchEnded { end: MatchEnd::Aborted(reason) } => {
            let reason = format!("{reason:?}");
            format!("aborted: {}", reason.split('(').next().unwrap_or_default())
        }
        event => {
            let event = format!("{event:?}");
            event.split([' ', '{']).next().unwrap_or_default().to_owned()
        }
    }
}
