//! Talk beside matches: who may say and read what, on virtual time.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use lusoria::{
    app::{App, BackgroundPool, Caller, wire},
    config::{Limits, Site, TalkPolicy},
    live::{Cluster, Live, Mailbox, ServerTime},
};
use lusoria_bus::Hub;
use lusoria_play::{BySeat, MatchEnd, MatchId, Phrase, Player, PlayerId, Seat, TalkRoom};
use lusoria_protocol::{
    Code, CreateGuest, JoinMatch, Name, Problem, Remark, RemarkText, Resign, ResignScope, Say, Speech, Talk,
    WhyNoText,
};
use lusoria_store::{
    Card, CardResult, NewMatch, NodeId, Store, TEXT_AFTER_MATCHES, TEXT_AFTER_MS, TalkSettings,
};
use lusoria_testkit::seeded_bytes;
use serde_json::{Value, from_value, json};
use uuid::Uuid;

use crate::{
    accounts::account,
    http::{assert_problem, get, guest, post, send, tablut},
    support::{
        database::{self, SharedStore},
        http::Request,
        server::{self, server_with},
    },
};

const START: u64 = 1_700_000_000_000;

pub(crate) struct World {
    pub(crate) app: Arc<App>,
    pub(crate) store: Arc<Store>,
}

fn policy(talk: TalkPolicy, childrens_mode: bool) -> Limits {
    Limits { talk, childrens_mode, ..Limits::usual() }
}

impl World {
    pub(crate) async fn new(talk: TalkPolicy) -> Self {
        Self::at(database::store(), START, 0, &policy(talk, false)).await
    }

    /// A server on this store, from this time on.
    pub(crate) async fn at(store: Arc<Store>, now: u64, seed: u64, limits: &Limits) -> Self {
        let app = server::app(store.clone(), now, seed, limits).await.expect("the store starts");
        Self { app, store }
    }

    pub(crate) async fn guest(&self, name: &str) -> Caller {
        let name = Name::try_from(name.to_owned()).expect("a name");
        server::guest(&self.app, CreateGuest { name: Some(name), ..CreateGuest::default() }).await.0
    }

    /// Somebody with an account that is old enough, who has played enough and takes words.
    async fn writer(&self, name: &str) -> Caller {
        let writer = self.guest(name).await;
        self.open_account(&writer, name, START - TEXT_AFTER_MS).await;
        for _ in 0..TEXT_AFTER_MATCHES {
            self.finish_match(writer.id()).await;
        }
        let settings = TalkSettings { takes_text: true, has_childrens_mode: false };
        assert!(self.store.set_talk_settings(writer.id(), settings).await.expect("set"));
        writer
    }

    pub(crate) async fn open_account(&self, of: &Caller, handle: &str, created_at: u64) {
        server::open_account(&self.store, of.id(), handle, created_at).await;
    }

    /// A match that somebody has finished against somebody else.
    async fn finish_match(&self, one: PlayerId) {
        let other = self.guest("Agathias").await;
        let player = |id| Player { id, name: "x".to_owned(), kind: lusoria_play::PlayerKind::Person };
        let id = self.played(&other, &self.guest("Zeno").await).await;
        let state = self.app.live().state(id).await.expect("a match");
        let card = Card {
            players: BySeat(Some(player(one)), Some(player(other.id()))),
            result: CardResult::Ended(MatchEnd::Won(Seat::One)),
            ..Card::of(&state)
        };
        // Its first append; the card says how it ended.
        let events = self.store.events(id, 0, 100).await.expect("read").events;
        let events = events.into_iter().filter(|recorded| recorded.first == 1).collect();
        let secret = self.store.secret(id).await.expect("read").expect("a secret");
        let new = NewMatch {
            id: MatchId(Uuid::from_u128(id.0.as_u128() ^ 1)),
            events,
            secret,
            card,
            made_by: None,
            deadline: None,
            invitation: None,
            key: None,
            answers: None,
        };
        self.store.create(new).await.expect("created");
    }

    /// A match of tablut between two.
    pub(crate) async fn played(&self, by: &Caller, with: &Caller) -> MatchId {
        self.played_on(by, with, json!({"kind": "none"})).await
    }

    pub(crate) async fn played_on(&self, by: &Caller, with: &Caller, clock: Value) -> MatchId {
        let request = json!({"game": "tablut", "clock": clock});
        let made = self.app.create(by, &from_value(request).expect("a request"), None).await;
        let id = made.expect("a new match").created.id;
        self.app.command(with, id, None, JoinMatch::default()).await.expect("an open match");
        id
    }

    async fn say(&self, by: &Caller, of: MatchId, room: TalkRoom, what: &str) -> Result<Remark, Problem> {
        self.app.say(by, of, &said(room, what)).await
    }

    async fn talk(&self, who: Option<&Caller>, of: MatchId, room: TalkRoom) -> Result<Talk, Problem> {
        self.app.talk(who, of, room).await
    }

    /// What somebody reads in the players' room.
    async fn read(&self, who: &Caller, of: MatchId) -> Vec<String> {
        let talk = self.talk(Some(who), of, TalkRoom::Players).await.expect("heard");
        talk.remarks.iter().map(told).collect()
    }
}

/// A phrase, or words if it is none.
fn said(room: TalkRoom, what: &str) -> Say {
    let phrase = Phrase::named(what);
    let text = phrase.is_none().then(|| RemarkText::given_before(what.to_owned()));
    Say { room, phrase, text }
}

fn told(remark: &Remark) -> String {
    match (&remark.phrase, &remark.text) {
        (Some(phrase), None) => phrase.as_str().to_owned(),
        (None, Some(text)) => text.as_str().to_owned(),
        other => panic!("{other:?}"),
    }
}

/// What is in a mailbox now.
async fn heard(mailbox: &Mailbox) -> Vec<String> {
    // Who may read it is looked up first.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mail = mailbox.take().now_or_never().unwrap_or_default();
    let notices = mail.notices.iter().map(|line| serde_json::from_slice::<Value>(line).expect("JSON"));
    let said = notices
        .filter(|notice| notice["notice"] == "remark")
        .map(|notice| from_value::<Remark>(notice["remark"].clone()).expect("a remark"));
    said.map(|remark| told(&remark)).collect()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Problem>) -> Code {
    answer.expect_err("refused").code
}

#[tokio::test(start_paused = true)]
async fn players_and_watchers_hear_only_themselves_until_the_match_has_ended() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two, watcher) = (world.guest("One").await, world.guest("Two").await, world.guest("W").await);
    let id = world.played(&one, &two).await;
    let (players, watchers) = (TalkRoom::Players, TalkRoom::Watchers);
    world.say(&one, id, players, "good_luck").await.expect("said");
    world.say(&watcher, id, watchers, "well_played").await.expect("said");
    assert_eq!(world.read(&two, id).await, ["good_luck"]);
    assert_eq!(refused(world.talk(Some(&watcher), id, players).await), Code::OtherRoom);
    assert_eq!(refused(world.talk(None, id, players).await), Code::OtherRoom);
    assert_eq!(refused(world.talk(Some(&one), id, watchers).await), Code::OtherRoom);
    assert_eq!(refused(world.say(&one, id, watchers, "hello").await), Code::OtherRoom);
    assert_eq!(refused(world.say(&watcher, id, players, "hello").await), Code::OtherRoom);
    let by_a_stranger = world.talk(None, id, watchers).await.expect("heard");
    assert_eq!(by_a_stranger.remarks.iter().map(told).collect::<Vec<_>>(), ["well_played"]);
    assert_eq!((by_a_stranger.speech, by_a_stranger.why), (Speech::Nothing, Some(Code::Unauthorized)));

    world.app.command(&one, id, None, Resign { scope: ResignScope::Match }).await.expect("resigned");
    let afterwards = world.talk(Some(&one), id, watchers).await.expect("heard");
    assert_eq!(afterwards.remarks.len(), 1);
    world.say(&one, id, watchers, "thanks").await.expect("said");
    assert_eq!(refused(world.talk(Some(&watcher), id, players).await), Code::OtherRoom);
    tokio::time::advance(Duration::from_hours(3 * 24 + 1)).await;
    assert_eq!(refused(world.say(&one, id, players, "goodbye").await), Code::NoTalk);
    assert_eq!(world.read(&one, id).await, ["good_luck"], "it can still be read");
}

#[tokio::test(start_paused = true)]
async fn there_is_no_talk_with_nobody_the_computer_or_oneself() {
    let world = World::new(TalkPolicy::Phrases).await;
    let one = world.guest("One").await;
    let room = TalkRoom::Players;
    for more in [json!({}), json!({"opponent": {"computer": 1}}), json!({"admission": "both_seats"})] {
        let mut request = json!({"game": "tablut"});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let made = world.app.create(&one, &from_value(request).expect("a request"), None).await;
        let id = made.expect("a match").created.id;
        assert_eq!(refused(world.say(&one, id, room, "hello").await), Code::NoTalk);
        let talk = world.talk(Some(&one), id, room).await.expect("heard");
        assert_eq!((talk.speech, talk.why), (Speech::Nothing, Some(Code::NoTalk)));
    }
}

#[tokio::test(start_paused = true)]
async fn where_there_is_no_talk_nothing_is_said_or_read() {
    let world = World::new(TalkPolicy::Off).await;
    let (one, two) = (world.guest("One").await, world.guest("Two").await);
    let id = world.played(&one, &two).await;
    assert_eq!(refused(world.say(&one, id, TalkRoom::Players, "hello").await), Code::TalkOff);
    assert_eq!(refused(world.talk(Some(&one), id, TalkRoom::Players).await), Code::TalkOff);
    assert_eq!(world.app.talk_settings(&one).await.expect("read").server_speech, Speech::Nothing);
}

#[tokio::test(start_paused = true)]
async fn words_take_the_server_and_both_players() {
    let world = World::new(TalkPolicy::Text).await;
    let (one, two, other) = (world.writer("one").await, world.writer("two").await, world.guest("X").await);
    let (room, id) = (TalkRoom::Players, world.played(&one, &two).await);
    let talk = world.talk(Some(&one), id, room).await.expect("heard");
    assert_eq!((talk.speech, talk.why), (Speech::Text, None));
    world.say(&one, id, room, "That was the wrong king!").await.expect("said");
    assert_eq!(world.read(&two, id).await, ["That was the wrong king!"]);
    // A guest writes none, and is written none.
    let with_guest = world.played(&one, &other).await;
    assert_eq!(refused(world.say(&one, with_guest, room, "Hi").await), Code::NoText);
    assert_eq!(refused(world.say(&other, with_guest, room, "Hi").await), Code::NoText);
    // Who switches them off reads none any more, not even earlier ones of others.
    let off = TalkSettings::default();
    world.store.set_talk_settings(two.id(), off).await.expect("set");
    assert_eq!(world.read(&two, id).await, [""; 0]);
    assert_eq!(world.read(&one, id).await, ["That was the wrong king!"]);
    assert_eq!(refused(world.say(&one, id, room, "Hello?").await), Code::NoText);
    let settings = world.app.talk_settings(&two).await.expect("read");
    assert_eq!(settings.why_no_text, Some(WhyNoText::NotSwitchedOn));
    // The same on a server that permits phrases alone, or is in children's mode.
    for limits in [policy(TalkPolicy::Phrases, false), policy(TalkPolicy::Text, true)] {
        let stricter = World::at(Arc::clone(&world.store), START + 1_000, 7, &limits).await;
        assert_eq!(refused(stricter.say(&one, id, room, "Hello?").await), Code::NoText);
        let settings = stricter.app.talk_settings(&one).await.expect("read");
        assert_eq!(
            (settings.server_speech, settings.why_no_text),
            (Speech::Phrases, Some(WhyNoText::Server))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn who_listens_hears_what_they_may_read_at_that_moment() {
    let world = World::new(TalkPolicy::Text).await;
    let (one, two) = (world.writer("one").await, world.writer("two").await);
    let (room, id) = (TalkRoom::Players, world.played(&one, &two).await);
    let mailbox = Arc::new(Mailbox::default());
    let subscription = world.app.live().subscribe_talk(&mailbox, id, room, Some(two.id()));
    world.say(&one, id, room, "hello").await.expect("said");
    world.say(&one, id, room, "How do you do?").await.expect("said");
    let mut all = heard(&mailbox).await;
    all.sort_unstable();
    assert_eq!(all, ["How do you do?", "hello"]);
    let childrens = TalkSettings { takes_text: true, has_childrens_mode: true };
    world.store.set_talk_settings(two.id(), childrens).await.expect("set");
    assert_eq!(refused(world.say(&one, id, room, "How do you do?").await), Code::NoText);
    world
        .store
        .set_talk_settings(two.id(), TalkSettings { has_childrens_mode: false, ..childrens })
        .await
        .expect("set");
    tokio::time::sleep(Duration::from_secs(11)).await;
    // A block holds at once, both ways, and is not told.
    world.app.add_block(&two, one.id()).await.expect("blocked");
    world.say(&one, id, room, "thanks").await.expect("said");
    assert_eq!(heard(&mailbox).await, [""; 0]);
    assert_eq!(world.read(&two, id).await, [""; 0]);
    world.app.remove_block(&two, one.id()).await.expect("removed");
    let mut read = world.read(&two, id).await;
    // Those of one millisecond are in no order.
    read.sort_unstable();
    assert_eq!(read, ["How do you do?", "hello", "thanks"]);
    drop(subscription);
    world.say(&one, id, room, "goodbye").await.expect("said");
    assert_eq!(heard(&mailbox).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn who_sits_down_no_longer_hears_the_watchers() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two, watcher) = (world.guest("One").await, world.guest("Two").await, world.guest("W").await);
    let made = world.app.create(&one, &from_value(json!({"game": "tablut"})).expect("a request"), None).await;
    let id = made.expect("a match").created.id;
    let (of_two, of_watcher) = (Arc::new(Mailbox::default()), Arc::new(Mailbox::default()));
    let _listens: Vec<_> = [(&of_two, &two), (&of_watcher, &watcher)]
        .map(|(mailbox, who)| {
            world.app.live().subscribe_talk(mailbox, id, TalkRoom::Watchers, Some(who.id()))
        })
        .into();
    world.app.command(&two, id, None, JoinMatch::default()).await.expect("joined");
    world.say(&watcher, id, TalkRoom::Watchers, "well_played").await.expect("said");
    assert_eq!((heard(&of_watcher).await, heard(&of_two).await), (vec!["well_played".to_owned()], vec![]));
}

#[tokio::test(start_paused = true)]
async fn another_node_tells_what_was_said_on_this_one() {
    let clock = tokio::time::Instant::now();
    let clock = move || START + u64::try_from(clock.elapsed().as_millis()).expect("soon");
    let (shared, hub) = (SharedStore::new(clock), Hub::default());
    let node = async |n: u128| {
        let id = NodeId(Uuid::from_u128(n));
        let bus = Arc::new(hub.connect(usize::try_from(n).expect("small")));
        let cluster = Cluster { id, name: format!("node {n}"), bus };
        let (time, bytes) =
            (ServerTime::from_epoch(START), Arc::new(seeded_bytes(u64::try_from(n).expect("small"))));
        let store = shared.connect();
        let live = Live::prepare(Arc::clone(&store), cluster, time, bytes, Arc::new(wire::JsonRender));
        live.begin().await.expect("it starts");
        let limits = Limits::usual();
        let pool = Arc::new(BackgroundPool::Inline);
        World { app: App::new(live, limits, Site::default(), BackgroundPool::Inline, pool), store }
    };
    let (here, there) = (node(1).await, node(2).await);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (one, two) = (here.guest("One").await, here.guest("Two").await);
    let id = here.played(&one, &two).await;
    let mailbox = Arc::new(Mailbox::default());
    let _listens = there.app.live().subscribe_talk(&mailbox, id, TalkRoom::Players, Some(two.id()));
    here.say(&one, id, TalkRoom::Players, "hello").await.expect("said");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(heard(&mailbox).await, ["hello"]);
    assert_eq!(there.read(&two, id).await, ["hello"]);
}

#[tokio::test(start_paused = true)]
async fn in_childrens_mode_only_followed_players_challenge() {
    let world = World::new(TalkPolicy::Text).await;
    let (child, stranger) = (world.writer("child").await, world.guest("S").await);
    let challenge = async || {
        let request = json!({"to": child.id(), "game": "tablut"});
        world.app.challenge(&stranger, &from_value(request).expect("a request")).await
    };
    let settings = TalkSettings { takes_text: false, has_childrens_mode: true };
    world.store.set_talk_settings(child.id(), settings).await.expect("set");
    assert_eq!(refused(challenge().await), Code::ChallengeNotTaken);
    world.app.add_follow(&child, stranger.id()).await.expect("followed");
    challenge().await.expect("taken");
}

#[tokio::test]
async fn leaving_childrens_mode_needs_the_password() {
    let server = server_with(&["--talk", "text"]).await;
    let (_, token, _) = account(&server, "child").await;
    let put = async |body: Value| {
        send(&server, Request::new("PUT", "/api/v1/me/talk-settings").token(&token).json(&body)).await
    };
    let on = put(json!({"text": true, "childrens_mode": true})).await;
    assert_eq!(on.status, 200, "{on:?}");
    assert_eq!((&on.json()["text"], &on.json()["why_no_text"]), (&json!(true), &json!("childrens_mode")));
    let off = json!({"text": true, "childrens_mode": false});
    assert_problem(&put(off.clone()).await, 422, "invalid_body");
    let mut wrong = off.clone();
    wrong["password"] = json!("not the one at all");
    assert_problem(&put(wrong).await, 403, "wrong_credentials");
    let mut right = off;
    right["password"] = json!("three rolls of the dice");
    let answer = put(right).await;
    assert_eq!((answer.status, &answer.json()["childrens_mode"]), (200, &json!(false)), "{answer:?}");
    // A guest has nothing to set.
    let other = guest(&server).await;
    let request = Request::new("PUT", "/api/v1/me/talk-settings").token(&other);
    let answer = send(&server, request.json(&json!({"text": true, "childrens_mode": false}))).await;
    assert_problem(&answer, 404, "no_account");
}

#[tokio::test]
async fn talk_over_http() {
    let server = server_with(&[]).await;
    let (id, [one, _]) = tablut(&server).await;
    let path = format!("/matches/{id}/talk");
    let answer = post(&server, &one, &path, &json!({"room": "players", "phrase": "hello"})).await;
    assert_eq!((answer.status, &answer.json()["phrase"]), (201, &json!("hello")), "{answer:?}");
    for body in [json!({"room": "players"}), json!({"room": "players", "phrase": "hello", "text": "x"})] {
        assert_problem(&post(&server, &one, &path, &body).await, 422, "invalid_body");
    }
    let long = json!({"room": "players", "text": "x".repeat(151)});
    assert_problem(&post(&server, &one, &path, &long).await, 422, "invalid_body");
    let text = json!({"room": "players", "text": "x"});
    assert_problem(&post(&server, &one, &path, &text).await, 403, "no_text");
    for _ in 0..3 {
        post(&server, &one, &path, &json!({"room": "players", "phrase": "hello"})).await;
    }
    let fifth = post(&server, &one, &path, &json!({"room": "players", "phrase": "hello"})).await;
    assert_problem(&fifth, 429, "too_much_talk");
    assert!((1..=10).contains(&fifth.json()["retry_after_s"].as_u64().expect("a time")));
    let request = Request::new("GET", &format!("/api/v1{path}?room=players")).token(&one);
    let talk = send(&server, request).await.json();
    assert_eq!((talk["remarks"].as_array().expect("a list").len(), &talk["speech"]), (4, &json!("phrases")));
    assert_eq!(talk["why"], "no_text");
    assert_problem(&get(&server, &format!("/api/v1{path}?room=players")).await, 403, "other_room");
    assert_problem(&get(&server, &format!("/api/v1{path}?room=kitchen")).await, 400, "invalid_query");
}
