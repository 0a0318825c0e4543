//! Several nodes on one store. The bus of most tests loses everything: nothing may depend on it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use lusoria::live::{
    Cluster, CommandError, LastRead, Live, Mailbox, MatchRequest, Notice, Positions, Presence, Render,
    Rewriting, ServerTime,
};
use lusoria_bus::{Bus, Hub, Seal, Subject};
use lusoria_play::{
    Clock, Command, Event, GameEnd, Match, MatchEnd, MatchId, Phase, Recorded, Refusal, Seat,
};
use lusoria_rules::Game;
use lusoria_store::{JoinError, KeyPurpose, NodeId, SecretKey, Store};
use lusoria_testkit::{first_turn, seeded_bytes};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::{BLITZ, Numbers, START, World, player, terms};
use crate::support::{database::SharedStore, store::Delayed};

/// As [`Numbers`], with notices as JSON: they travel.
struct Lines;

impl Render for Lines {
    fn event(&self, state: &Match, recorded: &Recorded) -> Bytes {
        Numbers.event(state, recorded)
    }

    fn without_position(&self, turn: &Bytes) -> Bytes {
        Numbers.without_position(turn)
    }

    fn notice(&self, notice: &Notice) -> Bytes {
        [b"\"", &*Numbers.notice(notice), b"\""].concat().into()
    }
}

/// Player 2 is called so.
fn renaming(name: &str) -> Rewriting {
    Rewriting::Name { player: player(2).id, name: name.to_owned() }
}

/// A store that nodes share, and the bus between them.
pub(super) struct Nodes {
    store: SharedStore,
    hub: Hub,
}

impl Nodes {
    /// The bus carries everything at once.
    pub(super) fn new() -> Self {
        let started = Instant::now();
        let clock = move || START + u64::try_from(started.elapsed().as_millis()).expect("a short while");
        Self { store: SharedStore::new(clock), hub: Hub::default() }
    }

    /// The bus loses everything.
    fn deaf() -> Self {
        let nodes = Self::new();
        nodes.hub.set_policy(|_| Vec::new());
        nodes
    }

    /// A node whose own clock is wrong by hours; `run` tells it from others of its number.
    fn prepare(&self, number: usize, run: u64) -> (Arc<Live>, Arc<Store>) {
        let store = self.store.connect();
        (self.prepare_over(store.clone(), number, run), store)
    }

    fn prepare_over(&self, store: Arc<Store>, number: usize, run: u64) -> Arc<Live> {
        let cluster = Cluster {
            id: NodeId(Uuid::from_u128(u128::from(run) << 64 | number as u128)),
            name: format!("node {number}"),
            bus: Arc::new(self.hub.connect(number)),
        };
        let time = ServerTime::from_epoch(START - 7_200_000 * number as u64);
        let bytes = Arc::new(seeded_bytes(run * 100 + number as u64));
        Live::prepare(store, cluster, time, bytes, Arc::new(Lines))
    }

    async fn start(&self, number: usize) -> World {
        let (live, store) = self.prepare(number, 0);
        live.begin().await.expect("a name of its own");
        let world = World { live, store };
        world.know_players().await;
        world
    }

    pub(super) async fn start_two(&self) -> [World; 2] {
        let nodes = [self.start(1).await, self.start(2).await];
        // Until each knows the other.
        sleep(Duration::from_millis(1_500)).await;
        nodes
    }
}

/// What comes into a mailbox within that time, as numbers of events and as notices, but for how many watch.
async fn mail(world: &World, id: MatchId, mailbox: &Mailbox, since: u32, within: Duration) -> Vec<String> {
    let told = all_mail(world, id, mailbox, since, within).await;
    told.into_iter().filter(|line| !line.ends_with(" watch")).collect()
}

/// The same with how many watch.
async fn all_mail(
    world: &World,
    id: MatchId,
    mailbox: &Mailbox,
    since: u32,
    within: Duration,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut cursor = since;
    let until = Instant::now() + within;
    while let Ok(mail) = tokio::time::timeout_at(until, mailbox.take()).await {
        told.extend(mail.notices.iter().map(|line| String::from_utf8_lossy(line).replace('"', "")));
        if mail.advanced.contains(&id) {
            let room = world.live.room(id).await.expect("a match");
            let events = world.live.events_of(&room, cursor, 100, Positions::Sent).await.expect("events");
            cursor = events.last().map_or(cursor, |last| last.seq);
            told.extend(events.iter().map(|event| String::from_utf8_lossy(&event.text).into_owned()));
        }
    }
    told
}

#[tokio::test(start_paused = true)]
async fn a_node_looks_at_the_journal_before_it_refuses() {
    let nodes = Nodes::deaf();
    let [a, b] = nodes.start_two().await;
    let id = a.create(terms(Game::Tavla, Clock::None {})).await;
    // From here on node b has the match in memory, and nobody tells it anything.
    let in_memory = b.live.room(id).await.expect("a match");
    a.command(id, Command::Join { player: player(2), seed: None }).await.expect("a free seat");
    let refused = b.command(id, Command::Join { player: player(3), seed: None }).await;
    assert!(matches!(refused, Err(CommandError::Refused(Refusal::Full))), "{refused:?}");
    for turn in 0..20 {
        let known = a.state(id).await;
        let node = if turn % 2 == 0 { &b } else { &a };
        node.command(id, first_turn(&known)).await.expect("the turn of the one who plays it");
    }
    let reached = b.state(id).await.head();
    assert_eq!(in_memory.state().head(), reached);
    let journal = a.journal(id).await;
    assert!(journal.iter().map(|recorded| recorded.seq).eq(1..=u32::try_from(journal.len()).unwrap()));
}

#[tokio::test(start_paused = true)]
async fn watchers_on_other_nodes_reach_the_head_at_once_or_without_a_bus_in_two_seconds() {
    for (nodes, within_ms) in [(Nodes::new(), 50), (Nodes::deaf(), 2_100)] {
        let [a, b] = nodes.start_two().await;
        let id = a.start(terms(Game::Zeno, Clock::None {})).await;
        let mailbox = Arc::new(Mailbox::default());
        let watch = b.live.watch(id, mailbox.clone(), None).await.expect("a match");
        let seen = watch.room().state().head();
        assert_eq!(seen, a.state(id).await.head(), "what came before is there from the beginning");
        for _ in 0..5 {
            a.play(id).await;
        }
        let head = a.state(id).await.head();
        let told = mail(&b, id, &mailbox, seen, Duration::from_millis(within_ms)).await;
        let expected: Vec<_> = (seen + 1..=head).map(|seq| seq.to_string()).collect();
        assert_eq!(told, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_player_who_is_connected_to_any_node_is_not_gone() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let _spectator = a.live.watch(id, mailbox.clone(), None).await.expect("a match");
    let connected = b.live.watch(id, Arc::default(), Some(player(2).id)).await.expect("a match");
    sleep(Duration::from_secs(700)).await;
    assert_eq!(a.live.presence(id, Seat::Two), Presence::Connected, "as spectators are told");
    assert_eq!(a.live.presence_everywhere(id, Seat::Two).await, Presence::Connected);
    // A node on which nobody follows the match asks.
    let c = nodes.start(3).await;
    assert_ne!(c.live.presence(id, Seat::Two), Presence::Connected);
    c.live.glimpse_presence(id).await;
    assert_eq!(c.live.presence(id, Seat::Two), Presence::Connected);
    sleep(Duration::from_secs(3)).await;
    assert_ne!(c.live.presence(id, Seat::Two), Presence::Connected, "it has not asked again");
    c.live.stop().await;
    // A node that does not answer may have them.
    nodes.hub.part(1, 2);
    assert_eq!(a.live.presence_everywhere(id, Seat::Two).await, Presence::Connected);
    nodes.hub.rejoin();
    drop(connected);
    sleep(Duration::from_millis(10)).await;
    let left_at = a.live.now();
    let told = mail(&a, id, &mailbox, a.state(id).await.head(), Duration::from_mins(1)).await;
    assert_eq!(told, ["presence 2 true", "presence 2 false"]);
    let Presence::Gone { since } = a.live.presence_everywhere(id, Seat::Two).await else {
        panic!("they have left");
    };
    assert!(left_at.abs_diff(since) < 100, "{since} is not {left_at}");
}

#[tokio::test(start_paused = true)]
async fn the_spectators_of_all_nodes_are_counted_and_told_little_by_little() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let _player = a.live.watch(id, mailbox.clone(), Some(player(1).id)).await.expect("a match");
    let _here = a.live.watch(id, Arc::default(), None).await.expect("a match");
    let head = a.state(id).await.head();
    let counts = async |within_s| {
        let told = all_mail(&a, id, &mailbox, head, Duration::from_secs(within_s)).await;
        told.into_iter().filter(|line| line.ends_with("watch")).collect::<Vec<_>>()
    };
    let mut there = Vec::new();
    for _ in 0..100 {
        there.push(b.live.watch(id, Arc::default(), None).await.expect("a match"));
    }
    let told = counts(5).await;
    assert_eq!(told.last().map(String::as_str), Some("101 watch"));
    assert!(told.len() <= 3, "{told:?}");
    assert_eq!((a.live.spectators(id), b.live.spectators(id)), (101, 101));
    drop(there);
    assert_eq!(counts(5).await, ["1 watch"]);
    assert_eq!((a.live.spectators(id), b.live.spectators(id)), (1, 0), "nobody at b hears of it");
    // What was not heard is told again when nodes compare.
    nodes.hub.part(1, 2);
    let there = b.live.watch(id, Arc::default(), None).await.expect("a match");
    assert!(counts(5).await.is_empty());
    nodes.hub.rejoin();
    assert_eq!(counts(45).await.last().map(String::as_str), Some("2 watch"));
    // Nor that nobody watches there any more: what is not told again counts for a minute.
    nodes.hub.part(1, 2);
    drop(there);
    assert!(counts(5).await.is_empty());
    nodes.hub.rejoin();
    assert_eq!(counts(70).await, ["1 watch"]);
    let _there = b.live.watch(id, Arc::default(), None).await.expect("a match");
    assert_eq!(counts(5).await, ["2 watch"]);
    b.live.stop().await;
    assert_eq!(counts(10).await, ["1 watch"]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_shown_while_it_is_built_is_known_on_every_node_that_follows_the_match() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tablut, Clock::None {})).await;
    let _player = a.live.watch(id, Arc::default(), Some(player(1).id)).await.expect("a match");
    let _spectator = b.live.watch(id, Arc::default(), None).await.expect("a match");
    let state = a.state(id).await;
    let given = state.to_play().expect("a turn").given_by;
    assert_eq!((a.live.shown_steps(id, given), b.live.shown_steps(id, given)), (None, None));
    let room = a.live.room(id).await.expect("a match");
    let position = state.turn().expect("a turn").position();
    let notice = Notice::Building { id, seat: Seat::One, answers: given, steps: Vec::new(), position };
    assert!(a.live.show_building(&room, &notice));
    sleep(Duration::from_millis(10)).await;
    assert_eq!((a.live.shown_steps(id, given), b.live.shown_steps(id, given)), (Some(vec![]), Some(vec![])));
    assert_eq!(b.live.shown_steps(id, given + 1), None, "of another turn nothing was shown");
}

#[tokio::test(start_paused = true)]
async fn a_player_counts_as_connected_until_the_node_that_may_have_had_them_was_lost() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    a.live.saw(id, Seat::Two);
    sleep(Duration::from_secs(700)).await;
    let stopped_at = a.live.now();
    b.live.stop().await;
    sleep(Duration::from_secs(5)).await;
    let Presence::Gone { since } = a.live.presence_everywhere(id, Seat::Two).await else {
        panic!("no node has them");
    };
    assert!(since + 1_100 >= stopped_at, "{since} is before {stopped_at}");
}

#[tokio::test(start_paused = true)]
async fn a_name_that_was_replaced_does_not_come_back_by_a_node_that_did_not_hear_of_it() {
    let nodes = Nodes::deaf();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let _held = b.live.room(id).await.expect("a match");
    a.live.rewrite(id, renaming("Erased")).await.expect("renamed");
    b.play(id).await;
    b.play(id).await;
    let row = a.store.row(id).await.expect("read").expect("a match");
    let named = row.card.players.get(Seat::Two).as_ref().expect("seated").name.clone();
    assert_eq!(named, "Erased");
    for state in [a.state(id).await, b.state(id).await] {
        assert_eq!(state.player(Seat::Two).expect("seated").name, "Erased");
    }
    assert!(!format!("{:?}", b.journal(id).await).contains(&player(2).name));
}

#[tokio::test(start_paused = true)]
async fn what_is_found_when_a_name_is_replaced_is_sent_to_those_who_watch() {
    let nodes = Nodes::deaf();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let _watch = b.live.watch(id, mailbox.clone(), None).await.expect("a match");
    let seen = b.live.known_state(id).await.expect("a match").head();
    a.play(id).await;
    b.live.rewrite(id, renaming("Renamed")).await.expect("renamed");
    let head = a.state(id).await.head();
    let told = mail(&b, id, &mailbox, seen, Duration::from_millis(10)).await;
    let expected: Vec<_> = (seen + 1..=head).map(|seq| seq.to_string()).collect();
    assert_eq!(told, expected);
}

/// A stranger who may publish to NATS tells of a draw that nobody offered and of a turn that nobody played, and what makes no
/// sense: as it is, sealed with a wrong key, and, as if no message were sealed, with the right one.
#[tokio::test(start_paused = true)]
async fn what_no_node_has_sent_changes_nothing() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let SecretKey(key) =
        a.store.server_key(KeyPurpose::Messages, SecretKey(Vec::new())).await.expect("it was made");
    let another = a.start(terms(Game::Tablut, Clock::None {})).await;
    a.play(another).await;
    let turned = a.journal(another).await.into_iter().map(|recorded| recorded.event);
    let turned = turned.into_iter().find(|event| matches!(event, Event::Turned { .. })).expect("a turn");
    let stranger = nodes.hub.connect(9);
    for key in [None, Some(&b"a guess"[..]), Some(&key)] {
        let seal = key.map(|key| Seal::new(key, Uuid::from_u128(9)));
        let id = a.start(terms(Game::Tablut, Clock::None {})).await;
        let mailbox = Arc::new(Mailbox::default());
        let _watch = b.live.watch(id, mailbox.clone(), None).await.expect("a match");
        let (before, head) = (b.journal(id).await, a.state(id).await.head());
        let committed = |history: Uuid, head: u32, events: &[Event]| json!({"committed": {"history": history, "head": head, "edition": 0, "events": events, "at": 1}});
        let forged = [
            Value::Null,
            json!({"a newer release says": {}}),
            json!({"who_is_there": 7}),
            committed(Uuid::max(), head + 1, &[]),
            committed(b.live.history(), u32::MAX, &[]),
            committed(b.live.history(), 0, &[]),
            committed(b.live.history(), head + 1, &[Event::DrawOffered { seat: Seat::One }]),
            committed(b.live.history(), head + 1, std::slice::from_ref(&turned)),
        ];
        for message in forged {
            for subject in [Subject::All, Subject::Lobby, Subject::Match(id), Subject::Player(player(1).id)] {
                let message = message.to_string().into_bytes();
                let now = a.live.now();
                let sealed = seal.as_ref().map(|seal| seal.close(subject, now, &message));
                stranger.publish(subject, sealed.unwrap_or_else(|| message.into()));
            }
        }
        sleep(Duration::from_millis(10)).await;
        assert_eq!(b.journal(id).await, before);
        assert_eq!(b.live.known_state(id).await.expect("a match"), a.state(id).await);
        a.play(id).await;
        b.play(id).await;
        let played = a.state(id).await.head();
        let told = mail(&b, id, &mailbox, head, Duration::from_millis(10)).await;
        let expected: Vec<_> = (head + 1..=played).map(|seq| seq.to_string()).collect();
        assert_eq!(told, expected, "and it goes on listening");
    }
}

/// A recorded message of a node cannot be replayed by others: here that a player disconnected.
#[tokio::test(start_paused = true)]
async fn messages_of_a_node_cannot_be_replayed_by_others() {
    let nodes = Nodes::new();
    let heard: Arc<Mutex<Vec<(Subject, Bytes)>>> = Arc::default();
    let tape = Arc::clone(&heard);
    nodes.hub.set_policy(move |passing| {
        tape.lock().push((passing.subject, passing.payload.clone()));
        vec![Duration::ZERO]
    });
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let _spectator = a.live.watch(id, Arc::default(), None).await.expect("a match");
    let watch = async || b.live.watch(id, Arc::default(), Some(player(2).id)).await.expect("a match");
    drop(watch().await);
    sleep(Duration::from_secs(10)).await;
    assert_ne!(a.live.presence(id, Seat::Two), Presence::Connected, "they have gone");
    let _back = watch().await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(a.live.presence(id, Seat::Two), Presence::Connected);
    let stranger = nodes.hub.connect(9);
    let repeated = heard.lock().clone();
    for (subject, message) in repeated {
        stranger.publish(subject, message);
    }
    sleep(Duration::from_millis(10)).await;
    assert_eq!(a.live.presence(id, Seat::Two), Presence::Connected);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_is_applied_once_and_in_time() {
    let nodes = Nodes::deaf();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tablut, BLITZ)).await;
    a.play(id).await;
    b.play(id).await;
    let deadline = b.state(id).await.next_deadline().expect("a clock runs");
    sleep(Duration::from_secs(63)).await;
    let journal = a.journal(id).await;
    let ended: Vec<_> =
        journal.iter().filter(|recorded| matches!(recorded.event, Event::GameEnded { .. })).collect();
    assert!(
        matches!(ended[..], [recorded] if matches!(recorded.event, Event::GameEnded { reason: GameEnd::Time, .. }))
    );
    assert!(
        (deadline..deadline + 1_800).contains(&ended[0].at),
        "{} after {deadline}",
        ended[0].at - deadline
    );
}

#[tokio::test(start_paused = true)]
async fn only_a_time_without_any_node_is_an_outage() {
    let nodes = Nodes::deaf();
    let [a, b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tablut, BLITZ)).await;
    a.play(id).await;
    a.play(id).await;
    let credits = async |world: &World| {
        let journal = world.journal(id).await;
        journal.iter().filter(|recorded| matches!(recorded.event, Event::Credited { .. })).count()
    };
    b.live.stop().await;
    let c = nodes.start(3).await;
    sleep(Duration::from_secs(5)).await;
    c.play(id).await;
    assert_eq!(credits(&c).await, 0, "a node left, another joined");
    a.live.stop().await;
    c.live.stop().await;
    sleep(Duration::from_mins(10)).await;
    let d = nodes.start(4).await;
    assert_eq!(d.state(id).await.phase(), Phase::Playing, "ten minutes are charged to nobody");
    assert_eq!(credits(&d).await, 1);
    sleep(Duration::from_secs(70)).await;
    assert!(matches!(d.state(id).await.phase(), Phase::Ended(MatchEnd::Won(_))));
}

/// The store takes no beats for a while, and the node goes on afterwards.
#[tokio::test(start_paused = true)]
async fn an_outage_in_which_a_node_ran_is_credited_before_anybody_sees_the_clocks() {
    let (started, away_ms) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let clock = {
        let away_ms = Arc::clone(&away_ms);
        move || {
            let ran_ms = u64::try_from(started.elapsed().as_millis()).expect("a short while");
            START + ran_ms + away_ms.load(Ordering::Relaxed)
        }
    };
    let nodes = Nodes { store: SharedStore::new(clock), hub: Hub::default() };
    let node = nodes.start(1).await;
    let ids = [node.start(terms(Game::Tablut, BLITZ)).await, node.start(terms(Game::Tablut, BLITZ)).await];
    for id in ids {
        node.play(id).await;
        node.play(id).await;
    }
    let [watched, read] = ids;
    let mailbox = Arc::new(Mailbox::default());
    let _watch = node.live.watch(watched, mailbox.clone(), None).await.expect("a match");
    let heads = [node.state(watched).await.head(), node.state(read).await.head()];
    away_ms.store(20_000, Ordering::Relaxed);
    let told = mail(&node, watched, &mailbox, heads[0], Duration::from_secs(3)).await;
    assert_eq!(told, [(heads[0] + 1).to_string()], "watchers receive the credit");
    let state = node.state(read).await;
    assert_eq!(state.head(), heads[1] + 1);
    let left_ms =
        *state.clocks_ms(node.live.now()).expect("clocks").get(state.to_play().expect("a turn").seat);
    assert!((56_000..=60_000).contains(&left_ms), "{left_ms} ms are left after an outage of 20 s");
}

#[tokio::test(start_paused = true)]
async fn two_nodes_of_one_name_do_not_run_side_by_side() {
    let nodes = Nodes::new();
    let a = nodes.start(1).await;
    let (second, _) = nodes.prepare(1, 1);
    let refused = second.begin().await;
    assert!(matches!(&refused, Err(JoinError::NameTaken(name)) if name == "node 1"), "{refused:?}");
    a.live.stop().await;
    let (third, _) = nodes.prepare(1, 2);
    third.begin().await.expect("the name is free");
}

/// Its clients would be refused until its next beat, and there may be no other node for them.
#[tokio::test(start_paused = true)]
async fn a_node_serves_from_its_first_moment_however_long_joining_took() {
    let nodes = Nodes::deaf();
    let store = nodes.store.connect_failing();
    store.delay(Delayed::Join, Duration::from_secs(2));
    let live = nodes.prepare_over(store.store(), 1, 0);
    live.begin().await.expect("a name of its own");
    assert!(live.is_well());
}

#[tokio::test(start_paused = true)]
async fn after_another_history_has_begun_all_is_read_anew_and_connections_are_closed() {
    let nodes = Nodes::deaf();
    let [a, _b] = nodes.start_two().await;
    let id = a.start(terms(Game::Tavla, Clock::None {})).await;
    let (before, held) = (a.live.history(), a.live.room(id).await.expect("a match"));
    nodes.store.begin_new_history();
    timeout(Duration::from_secs(2), a.live.interrupted()).await.expect("connections are closed");
    assert_ne!(a.live.history(), before);
    let anew = a.live.room(id).await.expect("a match");
    assert!(!Arc::ptr_eq(&anew, &held));
    a.play(id).await;
    // Who still holds what was known before changes nothing any more.
    let command = first_turn(&*a.state(id).await);
    let request = MatchRequest::Command { command, key: None, spends: None };
    let arrived = a.live.arrived(&LastRead::default(), Some(id));
    let refused = a.live.submit(&held, request, &arrived).await;
    assert!(matches!(refused, Err(CommandError::Store(_))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn the_lobby_players_and_doubts_are_told_on_every_node() {
    let nodes = Nodes::new();
    let [a, b] = nodes.start_two().await;
    let (lobby, personal) = (Arc::new(Mailbox::default()), Arc::new(Mailbox::default()));
    let _in_lobby = b.live.subscribe_lobby(&lobby);
    let _as_player = b.live.subscribe_personal(&personal, player(1).id);
    let id = a.create(terms(Game::Tavla, Clock::None {})).await;
    a.command(id, Command::Join { player: player(2), seed: None }).await.expect("a free seat");
    let notices = async |mailbox: &Mailbox| mail(&b, id, mailbox, 0, Duration::from_secs(1)).await;
    assert_eq!(notices(&lobby).await, ["opened", "closed"]);
    assert!(!notices(&personal).await.is_empty());
    let known = b.live.revocations();
    a.live.doubt(player(1).id);
    sleep(Duration::from_millis(10)).await;
    assert_eq!(b.live.revocations(), known + 1);
}
