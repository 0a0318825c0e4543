//! What must hold for everything that the server writes, at the moment when it does.

use std::sync::Arc;

use lusoria::{app::wire, live::Render, ws::Ending};
use lusoria_play::{AbortReason, Clock, Event, GameEnd, Match, MatchEnd, MatchId, Millis, PlayerId, Seat};
use lusoria_protocol::{MatchCard, Record, Snapshot};
use lusoria_records::replay;
use lusoria_store::MatchRow;
use serde_json::Value;

use super::{Verdict, holds};
use crate::simulation::{
    asked::{Question, RequestId},
    client::{Request, id_in},
    ledger::{Book, Ledger},
    world::World,
};

/// How long an answer may take while all is well, in milliseconds.
const ANSWERED_WITHIN_MS: u64 = 1_000;

/// How long a node waits for the answers of others, in milliseconds.
const ASKS_OTHERS_MS: u64 = 2_000;

/// How long it may take until a node that is well tells other names that were replaced over another one, in
/// milliseconds.
const RENAMED_WITHIN_MS: u64 = 4_000;

/// What takes longer keeps a conversation from everything else, in milliseconds.
pub(super) const BUSY_MS: u64 = 500;

/// How long it takes until the last socket is closed after a node has said so, in milliseconds: it may wait for
/// the answers of others, and for a store that stalls.
const INTERRUPTED_MS: u64 = 45_000;

/// How long after it stood still a node may take a client for one that does not read, in milliseconds.
const STOOD_STILL_MS: u64 = 20_000;

/// How long a conversation takes to end, in milliseconds.
const FAREWELL_MS: u64 = 3_000;

/// Judges a message of the server as it is written.
pub(in crate::simulation) fn judge(world: &mut World, link: usize, text: &str, value: &Value) {
    let verdicts = if value.get("re").is_some() || value.get("error").is_some() {
        answer(world, link, value)
    } else {
        pushed(world, link, text, value)
    };
    if value["type"] == "turned" && value.get("position").is_none() {
        world.reach("turned without its position");
    }
    for (invariant, verdict) in verdicts {
        world.must(invariant, verdict.map_err(|why| format!("link {link}: {why}: {text}")));
    }
    note_sent(world, link, value);
    let verdict = super::cluster::may_hear(world, link);
    world.must("revoked_tokens_hear_nothing", verdict.map_err(|why| format!("link {link}: {why}: {text}")));
}

/// Notes how far the match of an event has been sent.
fn note_sent(world: &mut World, link: usize, value: &Value) {
    let (id, seq) = match value["notice"].as_str() {
        None => (&value["match"], &value["seq"]),
        Some("skipped") => (&value["match"], &value["to"]),
        Some(_) => return,
    };
    if let (Some(id), Some(seq)) = (id_in(id), seq.as_u64().and_then(|seq| u32::try_from(seq).ok()))
        && let Some((sent, _)) = world.links[link].sent.get_mut(&id)
    {
        *sent = seq;
        let now = world.server_time();
        world.told.entry((id, seq)).or_insert(now);
    }
}

/// An event as it is told, and as it was told before names were replaced.
type Lines<'a> = Vec<&'a (String, Value)>;

type Verdicts = Vec<(&'static str, Verdict)>;

fn pushed(world: &World, link: usize, text: &str, value: &Value) -> Verdicts {
    let viewer = viewer(world, link);
    match value["notice"].as_str() {
        None => vec![("published_is_committed", is_committed(world, link, text, value))],
        Some("skipped") => vec![("a_snapshot_is_the_fold", snapshot(world, &value["snapshot"], viewer))],
        Some("your_turn" | "match_changed") => {
            vec![("a_card_is_the_fold", card(world, &value["match"], viewer))]
        }
        Some("opened") => vec![("a_card_is_the_fold", card(world, &value["match"], None))],
        Some(_) => Vec::new(),
    }
}

/// An event that is published has been committed, and reads the same for everybody.
fn is_committed(world: &World, link: usize, text: &str, event: &Value) -> Verdict {
    let (id, lines) = committed(&world.ledger, event, world.names_since(link))?;
    let (told, says) = lines[0];
    if world.links[link].without_positions.contains(&id) && event["type"] == "turned" {
        holds(*event == without_position(says), || format!("the journal says {told}"))?;
        let cut = wire::JsonRender.without_position(&told.clone().into());
        return holds(cut == text, || "it reads another way for others".to_owned());
    }
    holds(lines.iter().any(|(told, _)| told == text), || format!("the journal says {told}"))
}

impl World {
    /// Until when other names than those that have been put in their places must have been told last, over a
    /// link: what somebody has replaced elsewhere is found by looking.
    fn names_since(&self, link: usize) -> Millis {
        let well_since = self.well_since_of(link).map_or(u64::MAX, |since| since + RENAMED_WITHIN_MS);
        if well_since > self.now() || !self.links[link].reads_well() {
            return 0;
        }
        self.server_time() - RENAMED_WITHIN_MS
    }
}

/// The match of an event that was told, and what the journal says of it.
fn committed<'a>(
    ledger: &'a Ledger,
    event: &Value,
    names_since: Millis,
) -> Result<(MatchId, Lines<'a>), String> {
    let id = id_in(&event["match"]).ok_or("no match")?;
    let seq = event["seq"].as_u64().and_then(|seq| u32::try_from(seq).ok()).ok_or("no number")?;
    let lines = ledger.books.get(&id).map(|book| book.all_lines(seq, names_since)).unwrap_or_default();
    holds(!lines.is_empty(), || "not committed".to_owned())?;
    Ok((id, lines))
}

fn without_position(event: &Value) -> Value {
    let mut event = event.clone();
    if let Some(fields) = event.as_object_mut().filter(|fields| fields["type"] == "turned") {
        fields.remove("position");
    }
    event
}

fn answer(world: &mut World, link: usize, value: &Value) -> Verdicts {
    let now = world.now();
    let re = value.get("re").and_then(Value::as_u64).and_then(|re| u32::try_from(re).ok());
    let Some((id, arrived_at)) = world.links[link].unanswered.pop_front() else {
        return vec![("a_request_is_answered_once", Err("nothing was asked".to_owned()))];
    };
    if now - arrived_at > BUSY_MS {
        world.links[link].busy_until = now;
    }
    let mut verdicts =
        vec![("requests_are_answered_in_order", holds(id == re, || format!("{id:?} was to be answered")))];
    let blocked_at = world.links[link].blocked_at;
    let well = world.well_since_of(link).is_some_and(|since| since + ANSWERED_WITHIN_MS < arrived_at);
    if well && blocked_at.is_none_or(|at| at < arrived_at) {
        let took_ms = now - arrived_at;
        let is_claim = re.and_then(|re| world.request_of(link, re)).is_some_and(|asked| asked.op == "claim");
        // A node that does not answer whether somebody is connected to it holds a claim up.
        let asks_ms = if is_claim && !world.hears_all() { ASKS_OTHERS_MS } else { 0 };
        let in_time = holds(took_ms <= ANSWERED_WITHIN_MS + asks_ms, || format!("it took {took_ms} ms"));
        verdicts.push(("an_answer_comes_in_time", in_time));
    }
    let Some(request) = re.and_then(|re| world.request_of(link, re)).cloned() else { return verdicts };
    let viewer = viewer(world, link);
    let op = request.op;
    let granted = if value.get("error").is_some() { "refused" } else { "granted" };
    world.reach(format!("{op} {granted}"));
    if let Some(error) = value.get("error") {
        let code = error["code"].as_str().unwrap_or_default();
        world.reach(format!("refusal {code}"));
        verdicts.push(("a_refusal_has_a_reason", refusal(world, link, &request, viewer, error, arrived_at)));
        if let Some(question) = &request.question {
            verdicts.push(("a_refusal_changes_nothing", changed_nothing(world, question, error)));
            world.asked.answered(question);
        }
        return verdicts;
    }
    let ok = &value["ok"];
    if op == "hello" {
        let history = ok["history"].as_str().and_then(|id| uuid::Uuid::try_parse(id).ok());
        world.links[link].history = history.map(|id| id.as_u128());
    }
    if let ("watch", Some(id)) = (op, request.of) {
        let matches = &mut world.links[link].without_positions;
        let _ = if request.fields["positions"] == false { matches.insert(id) } else { matches.remove(&id) };
        let since = request.fields.get("since").and_then(Value::as_u64).or(ok["head"].as_u64());
        let since = since.and_then(|since| u32::try_from(since).ok()).unwrap_or(0);
        world.links[link].sent.insert(id, (since, now));
        let at = world.server_time();
        world.told.entry((id, since)).or_insert(at);
    }
    if let ("unwatch", Some(id)) = (op, request.of) {
        world.links[link].sent.remove(&id);
    }
    verdicts.push(("what_is_acknowledged_is_committed", events_are_committed(world, link, &request, ok)));
    verdicts.push(("an_answer_is_the_truth", truth(world, &request, ok, viewer)));
    if let Some(question) = &request.question {
        let lasting = lasting(&request, ok, world.cluster.is_some());
        let first = world.asked.first_answer(question, lasting.clone()).clone();
        let same = holds(first == lasting, || format!("{question:?} was answered {}", World::brief(&first)));
        verdicts.push(("the_same_question_gets_the_same_answer", same));
        world.asked.answered(question);
    }
    verdicts
}

fn viewer(world: &World, link: usize) -> Option<PlayerId> {
    world.links[link].guest.map(|guest| world.guests[guest].id)
}

/// What of an answer must be the same the next time: all but the time, and who is there.
fn lasting(request: &Request, ok: &Value, names_change: bool) -> Value {
    if request.op == "create" {
        let made = &ok["match"];
        return serde_json::json!([made["id"], made["head"], made["dice"], ok["invitation"]]);
    }
    let mut ok = ok.clone();
    if names_change {
        take_names_out(&mut ok);
    }
    ok
}

/// Names may have been replaced since.
fn take_names_out(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("name");
            fields.values_mut().for_each(take_names_out);
        }
        Value::Array(list) => list.iter_mut().for_each(take_names_out),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn events_are_committed(world: &World, link: usize, request: &Request, ok: &Value) -> Verdict {
    for event in ok["events"].as_array().into_iter().flatten() {
        let (_, lines) = committed(&world.ledger, event, world.names_since(link))?;
        let same = |(_, says): &&(String, Value)| {
            if request.fields["positions"] == false {
                without_position(says) == *event
            } else {
                *says == *event
            }
        };
        holds(lines.iter().any(same), || format!("the journal says {}", lines[0].0))?;
    }
    Ok(())
}

impl World {
    /// Whether another history has just begun, which nodes have to notice first.
    pub(in crate::simulation) fn is_history_new(&self) -> bool {
        self.history.1 > 0 && self.history.0 + FAREWELL_MS > self.now()
    }

    /// A match after an event, with all names that it has had.
    fn states(&self, id: MatchId, head: u32) -> Vec<&Arc<Match>> {
        self.ledger.books.get(&id).map(|book| book.all_at(head, 0)).unwrap_or_default()
    }
}

/// The response about a match agrees with its journal.
fn truth(world: &World, request: &Request, ok: &Value, viewer: Option<PlayerId>) -> Verdict {
    match request.op {
        "watch" if ok.get("snapshot").is_some() => snapshot(world, &ok["snapshot"], viewer),
        "snapshot" => snapshot(world, ok, viewer),
        "create" => snapshot(world, &ok["match"], viewer),
        "look_invitation" => snapshot(world, ok, None),
        "lobby" => cards(world, &ok["open"], None),
        "personal" => cards(world, &ok["waiting"], viewer),
        "matches" => cards(world, &ok["matches"], None),
        "my_matches" => cards(world, &ok["matches"], viewer),
        "record" => record(world, ok),
        _ => Ok(()),
    }
}

fn snapshot(world: &World, value: &Value, viewer: Option<PlayerId>) -> Verdict {
    let told: Snapshot = serde_json::from_value(value.clone()).map_err(|why| why.to_string())?;
    let id = told.id;
    let gone_since = |seat: Seat| match seat {
        Seat::One => told.players.one.gone_since_at,
        Seat::Two => told.players.two.as_ref().and_then(|player| player.gone_since_at),
    };
    // A journal does not know who watches, nor how far a turn has been shown.
    let fold = |state: &&Arc<Match>| Snapshot {
        spectators: told.spectators,
        building: told.building.clone(),
        ..wire::snapshot(state, told.server_time, gone_since, viewer)
    };
    let states = world.states(id, told.head);
    let folded = states.first().map(fold).ok_or("its head is not committed")?;
    holds(states.iter().map(fold).any(|folded| told == folded), || {
        format!("the journal folds to {}", serde_json::to_string(&folded).unwrap_or_default())
    })?;
    let now = world.server_time();
    holds(told.server_time <= now + world.skew_ms(), || format!("it is {now}"))
}

fn cards(world: &World, list: &Value, viewer: Option<PlayerId>) -> Verdict {
    list.as_array().into_iter().flatten().try_for_each(|value| card(world, value, viewer))
}

fn card(world: &World, value: &Value, viewer: Option<PlayerId>) -> Verdict {
    let told: MatchCard = serde_json::from_value(value.clone()).map_err(|why| why.to_string())?;
    let id = told.id;
    let fold = |state: &&Arc<Match>| wire::card(&MatchRow::of(state), viewer, None);
    let states = world.states(id, told.head);
    let folded = states.first().map(fold).ok_or("its head is not committed")?;
    holds(states.iter().map(fold).any(|folded| told == folded), || {
        format!("the journal folds to {}", serde_json::to_string(&folded).unwrap_or_default())
    })
}

fn record(world: &World, value: &Value) -> Verdict {
    let told: Record = serde_json::from_value(value.clone()).map_err(|why| why.to_string())?;
    let id = told.id;
    let head = u32::try_from(told.events.len()).map_err(|why| why.to_string())?;
    let states = world.states(id, head);
    let editions = world.ledger.books.get(&id).into_iter().flat_map(|book| book.editions(0));
    let mut records = states
        .iter()
        .zip(editions)
        .map(|(state, events)| wire::record(state, &events[..told.events.len().min(events.len())]));
    holds(records.any(|record| told == record), || "the journal says otherwise".to_owned())?;
    let report = replay::judge(&told);
    holds(report.is_sound(), || format!("{:?}", report.faults))
}

/// The store and the server are blamed only if something was wrong with them; a legal turn
/// is refused only if it was not there to be played.
fn refusal(
    world: &World,
    link: usize,
    request: &Request,
    viewer: Option<PlayerId>,
    error: &Value,
    arrived_at: u64,
) -> Verdict {
    let code = error["code"].as_str().ok_or("no code")?;
    let well = world.well_since_of(link).is_some_and(|since| since < arrived_at);
    match code {
        "unavailable" | "stopping" => {
            return holds(!well || world.is_history_new(), || "all was well".to_owned());
        }
        "too_many_requests"
        | "too_many_guests"
        | "too_many_matches"
        | "too_many_watches"
        | "too_many_connections"
        | "unknown_op"
        | "invalid_json"
        | "internal" => {
            return Err("nobody has deserved this".to_owned());
        }
        "unknown_token" => {
            let client = &world.clients[world.links[link].client];
            return holds(client.revoked_at.is_some() || client.was_revoked, || {
                "nobody has revoked it".to_owned()
            });
        }
        // It came before hello.
        "hello_required" => return Ok(()),
        _ => {}
    }
    if code == "ahead_of_journal" {
        is_ahead(world, request, arrived_at)?;
    }
    if let Some(question) = &request.question {
        // Another node may have done it since this one has refused it.
        let since = if world.cluster.is_some() { arrived_at } else { u64::MAX };
        let is_old = world.done.get(question).is_some_and(|done_at| *done_at < since);
        holds(!(is_old && world.is_remembered(question)), || "this has been done before".to_owned())?;
    }
    let (Some(Question::Turn(_, id, seq, steps)), Some(player)) = (&request.question, viewer) else {
        return Ok(());
    };
    let Some(book) = world.ledger.books.get(id) else { return Ok(()) };
    let state = book.now();
    let steps: Vec<lusoria_rules::Step> = serde_json::from_str(steps).map_err(|why| why.to_string())?;
    let arrived = world.server_time() - (world.now() - arrived_at);
    ran_out_in_time(book, player, *seq, &steps, arrived, well, world.skew_ms())?;
    let due = state.next_deadline().is_some_and(|deadline| deadline <= world.server_time());
    holds(due || !could_be_played(state, player, *seq, &steps), || "this turn could be played".to_owned())
}

/// A client is told that it knows more than the journal only if it does. A commit counts if any client had received it
/// when the request arrived: before that its server may not know yet that it was made.
fn is_ahead(world: &World, request: &Request, arrived_at: u64) -> Verdict {
    let since = request.fields["since"].as_u64().and_then(|since| u32::try_from(since).ok()).unwrap_or(0);
    let book = request.of.and_then(|id| world.ledger.books.get(&id));
    let committed_at = book.and_then(|book| book.committed_at(since));
    let arrived = world.server_time() - (world.now() - arrived_at);
    let was_told = |from: u64| {
        let mut told = request.of.into_iter().flat_map(|id| world.told.range((id, since)..=(id, u32::MAX)));
        told.any(|(_, at)| (from..arrived).contains(at))
    };
    let is_ahead = committed_at.is_none_or(|at| at >= arrived || !was_told(at));
    holds(is_ahead, || "it does not".to_owned())
}

/// How long a deadline waits for what arrived before it, in milliseconds.
const HELD_UP_MS: Millis = 2_000;

/// A legal turn that arrived before its deadline is not refused because this has passed.
fn ran_out_in_time(
    book: &Book,
    player: PlayerId,
    seq: u64,
    steps: &[lusoria_rules::Step],
    arrived: Millis,
    well: bool,
    skew_ms: u64,
) -> Verdict {
    let by_deadline = book.events.iter().find(|recorded| match recorded.event {
        Event::GameEnded { reason: GameEnd::Time | GameEnd::NoShow, .. } => u64::from(recorded.seq) > seq,
        Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::NoShow(_)) } => true,
        _ => false,
    });
    let Some(ended) = by_deadline else { return Ok(()) };
    // Another node cannot know what has reached one that is cut off from the store.
    if skew_ms > 0 && !well {
        return Ok(());
    }
    let Some(stood) = book.at(ended.first - 1) else { return Ok(()) };
    let Some(deadline) = stood.next_deadline() else { return Ok(()) };
    // A match without a clock is aborted by a claim.
    if matches!(stood.terms().clock, Clock::None {}) || !could_be_played(stood, player, seq, steps) {
        return Ok(());
    }
    // A deadline is dated at the command that brings it about. While the store stands still, both wait, and it
    // is decided later than it is dated.
    let decided = if well { ended.at } else { book.committed_at(ended.seq).unwrap_or(ended.at) };
    holds(arrived + 1 + skew_ms >= deadline || decided >= arrived + HELD_UP_MS, || {
        format!("it arrived at {arrived}, before the deadline {deadline}, which came at {}", ended.at)
    })
}

fn could_be_played(state: &Match, player: PlayerId, seq: u64, steps: &[lusoria_rules::Step]) -> bool {
    let (Some(to_play), Some(mut turn)) = (state.to_play(), state.turn()) else { return false };
    u64::from(to_play.given_by) == seq
        && state.player(to_play.seat).is_some_and(|sitting| sitting.id == player)
        && steps.iter().all(|step| turn.play(step).is_ok())
        && turn.is_complete()
}

/// Nothing has been done of what was refused, unless it was asked more than once.
fn changed_nothing(world: &World, question: &Question, error: &Value) -> Verdict {
    let unknown = error["detail"].as_str().is_some_and(|detail| detail.contains("unknown whether"));
    let count = world.asked.count(question);
    if unknown || count.read + count.answered > 1 {
        return Ok(());
    }
    holds(!world.done.contains_key(question), || "but it has been done".to_owned())
}

/// What is done was requested by a client that has not been answered yet.
pub(in crate::simulation) fn still_to_be_answered(asked: &RequestId, question: &Question) -> Verdict {
    let count = asked.count(question);
    holds(count.read > count.answered, || format!("{question:?} was read and answered: {count:?}"))
}

/// A server closes its sockets when it stops; one of several also when something was wrong with it.
fn may_stop(world: &World, link: usize) -> bool {
    let node = &world.nodes[world.links[link].node];
    node.stopping
        || world.links[link].broken
        || node.interrupted_at.is_some_and(|at| at + INTERRUPTED_MS > world.now())
}

/// Whether the node of a link stands still, or did a moment ago: its clock goes on.
fn stood_still(world: &World, link: usize) -> bool {
    let node = world.nodes.get(world.links[link].node);
    let resumed = |at: u64| at > 0 && at + STOOD_STILL_MS > world.now();
    node.is_some_and(|node| node.paused || resumed(node.resumed_at))
}

/// The server ends no conversation without a reason.
pub(in crate::simulation) fn ending_has_a_reason(world: &World, link: usize, ending: Ending) -> Verdict {
    let (now, ended) = (world.now(), &world.links[link]);
    let reason = match ending {
        Ending::Closed | Ending::Broken => ended.broken || ended.left,
        Ending::Silent => now - ended.heard_at >= 60_000,
        Ending::Stuck => {
            let is_slow = ended.left || ended.stalls > 0;
            is_slow && ended.blocked_at.is_some_and(|at| now - at <= 60_000) || stood_still(world, link)
        }
        Ending::NoHello => true,
        Ending::Unavailable => world.well_since_of(link).is_none_or(|since| since + FAREWELL_MS > now),
        Ending::Stopping => may_stop(world, link),
        Ending::TokenRevoked => {
            world.clients[ended.client].revoked_at.is_some() || world.clients[ended.client].was_revoked
        }
        Ending::Flood
        | Ending::Binary
        | Ending::TooBig
        | Ending::NotUtf8
        | Ending::BadFrame
        | Ending::TokenExpired
        | Ending::Blocked => false,
    };
    holds(reason, || ending.name().to_owned())
}
