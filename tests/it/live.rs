//! The live matches, under virtual time.

mod conditional;
mod nodes;
mod outages;
mod pairings;
mod ratings;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use lusoria::live::{
    Cluster, CommandError, Creation, Live, Mailbox, MatchRequest, Notice, Outcome, Positions, Render,
    ServerTime,
};
use lusoria_dice::verify;
use lusoria_play::{
    AbortReason, Clock, Command, Event, GameEnd, Match, MatchEnd, MatchId, Phase, Player, PlayerId,
    PlayerKind, Recorded, Refusal, Seat, SeedBrought, Terms,
};
use lusoria_rules::{Game, Variant};
use lusoria_store::{Guest, KeyUse, NewSession, SecretHash, SessionId, Store, StoreError};
use lusoria_testkit::{first_turn, seeded_bytes};
use serde_json::Value;
use tracing::Instrument;
use uuid::Uuid;

use crate::support::{
    database,
    store::{FailingStore, Fault},
};

const START: u64 = 1_700_000_000_000;

/// Events as their numbers: enough to see what is published.
struct Numbers;

impl Render for Numbers {
    fn event(&self, _: &Match, recorded: &Recorded) -> Bytes {
        Bytes::from(recorded.seq.to_string())
    }

    fn without_position(&self, turn: &Bytes) -> Bytes {
        [turn, &b" without"[..]].concat().into()
    }

    fn notice(&self, notice: &Notice) -> Bytes {
        Bytes::from(match notice {
            Notice::Presence { seat, connected, .. } => format!("presence {} {connected}", seat.number()),
            Notice::Spectators { count, .. } => format!("{count} watch"),
            Notice::Building { .. } => "building".to_owned(),
            Notice::YourTurn { row, .. } => format!("your turn {}", row.head),
            Notice::MatchChanged { row, .. } => format!("changed {}", row.head),
            Notice::Opened { .. } => "opened".to_owned(),
            Notice::Closed { .. } => "closed".to_owned(),
            Notice::Seek(_) => "seek".to_owned(),
            Notice::Challenge(_) => "challenge".to_owned(),
            Notice::TournamentChanged { .. } | Notice::TournamentCall(_) | Notice::TournamentEnded { .. } => {
                "tournament".to_owned()
            }
        })
    }
}

/// What is published, with a line in the log for each: the task of the match writes it.
struct Logged;

impl Render for Logged {
    fn event(&self, state: &Match, recorded: &Recorded) -> Bytes {
        tracing::info!(seq = recorded.seq, "published");
        Numbers.event(state, recorded)
    }

    fn without_position(&self, turn: &Bytes) -> Bytes {
        Numbers.without_position(turn)
    }

    fn notice(&self, notice: &Notice) -> Bytes {
        Numbers.notice(notice)
    }
}

struct World {
    live: Arc<Live>,
    store: Arc<Store>,
}

impl World {
    async fn new() -> Self {
        Self::on(database::store(), START, 0).await
    }

    /// A server that starts at `now`; `run` tells its random numbers from another's.
    async fn on(store: Arc<Store>, now: u64, run: u64) -> Self {
        Self::told_by(Arc::new(Numbers), store, now, run).await
    }

    async fn told_by(render: Arc<dyn Render>, store: Arc<Store>, now: u64, run: u64) -> Self {
        let (time, bytes) = (ServerTime::from_epoch(now), Arc::new(seeded_bytes(run)));
        let live = Live::prepare(store.clone(), Cluster::none(), time, bytes, render);
        live.begin().await.expect("the store starts");
        let world = Self { live, store };
        world.know_players().await;
        world
    }

    /// The store knows the players of all tests.
    async fn know_players(&self) {
        for n in 1..=3 {
            let Player { id, name, kind } = player(n);
            let session = NewSession {
                id: SessionId(id.0),
                token: SecretHash([u8::try_from(n).expect("small"); 32]),
                device: None,
            };
            // They are there already if it is not the first server.
            let guest = Guest { id, name, kind, created_at: START, blocked_at: None };
            let _ = self.store.add_guest(guest, session).await;
        }
    }

    async fn create(&self, terms: Terms) -> MatchId {
        self.create_with(terms, SeedBrought::Nothing).await
    }

    async fn create_by(&self, terms: Terms, creator: Player) -> MatchId {
        self.create_as(terms, creator, SeedBrought::Nothing).await
    }

    async fn create_with(&self, terms: Terms, seed: SeedBrought) -> MatchId {
        self.create_as(terms, player(1), seed).await
    }

    async fn create_as(&self, terms: Terms, creator: Player, seed: SeedBrought) -> MatchId {
        let creation = Creation {
            terms,
            creator,
            made_by: None,
            joiner: None,
            seed,
            invite: None,
            key: None,
            answers: None,
        };
        self.live.create(creation).await.expect("good terms").id()
    }

    async fn start(&self, terms: Terms) -> MatchId {
        let id = self.create(terms).await;
        self.command(id, Command::Join { player: player(2), seed: None }).await.expect("an open match");
        id
    }

    async fn command(&self, id: MatchId, command: Command) -> Result<Outcome, CommandError> {
        self.live.request(id, MatchRequest::Command { command, key: None, spends: None }).await
    }

    async fn state(&self, id: MatchId) -> Arc<Match> {
        self.live.state(id).await.expect("a match that was made")
    }

    /// Plays the first legal turn.
    async fn play(&self, id: MatchId) -> Outcome {
        self.command(id, first_turn(&*self.state(id).await)).await.expect("a legal turn")
    }

    async fn journal(&self, id: MatchId) -> Vec<Recorded> {
        self.store.events(id, 0, 100_000).await.expect("the store reads").events
    }
}

fn player(n: u128) -> Player {
    Player { id: PlayerId(Uuid::from_u128(n)), name: format!("Player {n}"), kind: PlayerKind::Person }
}

fn terms(game: Game, clock: Clock) -> Terms {
    Terms { clock, ..lusoria_testkit::terms(Variant::standard(game)) }
}

const BLITZ: Clock = Clock::Fischer { base_ms: 60_000, increment_ms: 0 };

/// A match in which both have played their free turns, and the clock of one runs from now on.
async fn blitz() -> (World, MatchId) {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, BLITZ)).await;
    world.play(id).await;
    world.play(id).await;
    (world, id)
}

impl World {
    /// The server stops, and another one starts on its store after so many milliseconds.
    async fn starts_again(self, after_ms: u64) -> Self {
        let died_at = self.live.now();
        self.live.stop().await;
        Self::on(self.store, died_at + after_ms, 1).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_is_played_to_its_end_and_its_dice_can_be_checked() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tavla, Clock::None {})).await;
    while world.state(id).await.phase() == Phase::Playing {
        world.play(id).await;
    }
    let journal = world.journal(id).await;
    assert!(journal.iter().map(|recorded| recorded.seq).eq(1..=u32::try_from(journal.len()).unwrap()));
    let state = world.state(id).await;
    assert_eq!(
        *state,
        Match::from_journal(id, journal.clone()).unwrap(),
        "the state is the fold of its journal"
    );

    let secret = journal.iter().find_map(|recorded| match &recorded.event {
        Event::GameEnded { secret, .. } => Some(secret.0),
        _ => None,
    });
    let secret = secret.expect("a game that has ended reveals its secret");
    assert!(verify::secret_fits(1, &secret, &state.commitment().0), "the secret belongs to the commitment");
}

#[tokio::test(start_paused = true)]
async fn a_side_that_runs_out_of_time_loses_although_nobody_looks() {
    let (world, id) = blitz().await;
    let loser = world.state(id).await.to_play().unwrap().seat;
    tokio::time::sleep(Duration::from_secs(61)).await;
    let state = world.state(id).await;
    assert_eq!(state.phase(), Phase::Ended(MatchEnd::Won(loser.other())));
    let clocks = state.clocks_ms(world.live.now()).unwrap();
    assert_eq!((*clocks.get(loser), *clocks.get(loser.other())), (0, 60_000));
    let ended =
        world.journal(id).await.into_iter().find(|r| matches!(r.event, Event::GameEnded { .. })).unwrap();
    assert!(matches!(ended.event, Event::GameEnded { reason: GameEnd::Time, .. }));
    assert!(ended.at >= START + 60_000 && ended.at < START + 61_000, "at {}", ended.at - START);
}

#[tokio::test(start_paused = true)]
async fn a_side_that_never_plays_aborts_the_match_after_a_minute() {
    let world = World::new().await;
    let id = world.start(terms(Game::Zeno, BLITZ)).await;
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(world.state(id).await.phase(), Phase::Playing);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let Phase::Ended(MatchEnd::Aborted(AbortReason::NoShow(_))) = world.state(id).await.phase() else {
        panic!("{:?}", world.state(id).await.phase());
    };
}

/// A match without a clock whose creator has not revealed their seed, with the deadline in its row that
/// servers once wrote. Returns when the seed is due.
async fn awaiting_seed(world: &World) -> (MatchId, u64) {
    let hash = lusoria_play::Bytes32(lusoria_dice::seed_hash("alea iacta est"));
    let id = world.create_with(terms(Game::Zeno, Clock::None {}), SeedBrought::Hash(hash)).await;
    world.command(id, Command::Join { player: player(2), seed: None }).await.expect("an open match");
    let due = world.state(id).await.next_deadline().expect("a term for the seed");
    (id, due)
}

const SEED_NOT_REVEALED: Phase = Phase::Ended(MatchEnd::Aborted(AbortReason::SeedNotRevealed(Seat::One)));

#[tokio::test(start_paused = true)]
async fn without_a_clock_a_seed_is_due_in_ten_minutes() {
    let world = World::new().await;
    let (id, due) = awaiting_seed(&world).await;
    assert_eq!(due - world.live.now(), 600_000);
    tokio::time::sleep(Duration::from_secs(599)).await;
    assert_eq!(world.state(id).await.phase(), Phase::AwaitingSeeds(vec![Seat::One]));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(matches!(world.journal(id).await.last().unwrap().event, Event::MatchEnded { .. }));
    assert_eq!(world.state(id).await.phase(), SEED_NOT_REVEALED);
}

/// Servers once wrote thirty days into the row. The match has the ten minutes from when it is
/// loaded next, and nobody need look then.
#[tokio::test(start_paused = true)]
async fn the_longer_term_of_a_stored_match_is_corrected_when_it_is_loaded() {
    for looks_in_time in [true, false] {
        let store = database::store();
        let world = World::on(store.clone(), START, 0).await;
        let (id, due) = awaiting_seed(&world).await;
        let (stopped_at, head) = (world.live.now(), world.state(id).await.head());
        world.live.stop().await;
        store.set_deadline(id, head, Some(START + 30 * Clock::DAY_MS)).await.unwrap();

        let world = World::on(store.clone(), stopped_at, 1).await;
        if looks_in_time {
            assert_eq!(world.state(id).await.next_deadline(), Some(due));
            assert_eq!(store.head(id).await.unwrap().unwrap().deadline, Some(due));
        }
        tokio::time::sleep(Duration::from_secs(601)).await;
        let ended = matches!(world.journal(id).await.last().unwrap().event, Event::MatchEnded { .. });
        assert_eq!(ended, looks_in_time, "who is not loaded is not woken by the row");
        assert_eq!(world.state(id).await.phase(), SEED_NOT_REVEALED);
    }
}

/// A server that another writer has overtaken reads on from what it knows.
#[tokio::test(start_paused = true)]
async fn after_a_conflict_only_what_is_new_is_read() {
    let store = FailingStore::default();
    let one = World::on(store.clone(), START, 0).await;
    let two = World::on(store.clone(), START, 1).await;
    let id = one.start(terms(Game::Tablut, Clock::None {})).await;
    // Held, so that the match stays in memory.
    let room = two.live.room(id).await.expect("a match that was made");
    let known = room.state().head();
    one.play(id).await;
    one.play(id).await;
    store.events_read();
    let by = two.state(id).await.player(Seat::One).expect("a player").id;
    two.command(id, Command::Resign { by, whole_match: true }).await.expect("a match in progress");
    assert_eq!(store.events_read(), [known]);
    assert_eq!(*two.state(id).await, Match::from_journal(id, one.journal(id).await).expect("a journal"));
}

/// Nobody else asks for the match meanwhile.
#[tokio::test(start_paused = true)]
async fn what_a_commit_of_unknown_outcome_made_is_published_when_it_is_known() {
    let store = FailingStore::default();
    let world = World::on(store.clone(), START, 0).await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let _watch = world.live.watch(id, mailbox.clone(), None).await.expect("a match that was made");
    let by = world.state(id).await.player(Seat::One).expect("a player").id;
    store.fail(id, Fault::Unanswered);
    let told = world.command(id, Command::Resign { by, whole_match: true }).await;
    assert!(matches!(told, Err(CommandError::Store(StoreError::Unknown(_)))), "{told:?}");
    store.heal();
    let advanced = async {
        loop {
            let mail = mailbox.take().await;
            if !mail.advanced.is_empty() {
                return mail.advanced;
            }
        }
    };
    let advanced = tokio::time::timeout(Duration::from_mins(1), advanced).await;
    assert_eq!(advanced.expect("the watcher is told"), [id]);
}

#[tokio::test(start_paused = true)]
async fn strangers_are_refused_before_the_queue() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let refused = world.command(id, Command::Resign { by: player(3).id, whole_match: false }).await;
    assert!(matches!(refused, Err(CommandError::Refused(Refusal::NotAPlayer))));
    let refused = world.command(id, Command::Join { player: player(3), seed: None }).await;
    assert!(matches!(refused, Err(CommandError::Refused(Refusal::Full))));
}

#[tokio::test(start_paused = true)]
async fn watchers_get_every_number_once_and_in_order_even_when_they_are_slow() {
    let world = World::new().await;
    let id = world.start(terms(Game::Zeno, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let watch = world.live.watch(id, mailbox.clone(), None).await.unwrap();
    let mut seen = Vec::new();
    for round in 0..60 {
        if world.state(id).await.phase() != Phase::Playing {
            break;
        }
        world.play(id).await;
        // This reader looks only now and then: by then memory no longer reaches back.
        if round == 39 || round == 59 {
            assert_eq!(mailbox.take().await.advanced, [id]);
            loop {
                let since = seen.last().copied().unwrap_or(0);
                let events = world.live.events_of(watch.room(), since, 7, Positions::Sent).await.unwrap();
                if events.is_empty() {
                    break;
                }
                seen.extend(events.iter().map(|published| published.seq));
            }
        }
    }
    let head = *seen.last().unwrap();
    assert!(head >= 60, "the reader fell far behind: {head}");
    assert!(seen.into_iter().eq(1..=head));
}

/// Counts how often a line is written without its position.
#[derive(Default)]
struct Counted(AtomicUsize);

impl Render for Counted {
    fn event(&self, state: &Match, recorded: &Recorded) -> Bytes {
        Numbers.event(state, recorded)
    }

    fn without_position(&self, turn: &Bytes) -> Bytes {
        self.0.fetch_add(1, Ordering::Relaxed);
        Numbers.without_position(turn)
    }

    fn notice(&self, notice: &Notice) -> Bytes {
        Numbers.notice(notice)
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_written_without_its_position_once_and_only_if_somebody_wants_it() {
    let render = Arc::new(Counted::default());
    let world = World::told_by(render.clone(), database::store(), START, 0).await;
    let id = world.start(terms(Game::Zeno, Clock::None {})).await;
    let watch = world.live.watch(id, Arc::default(), None).await.unwrap();
    let since = world.state(id).await.head();
    for _ in 0..3 {
        world.play(id).await;
    }
    let turns = |events: &[Recorded]| {
        events.iter().filter(|recorded| matches!(recorded.event, Event::Turned { .. })).count()
    };
    let turns = turns(&world.journal(id).await);
    let read = async |positions| world.live.events_of(watch.room(), since, 20, positions).await.unwrap();
    let full = read(Positions::Sent).await;
    assert_eq!(render.0.load(Ordering::Relaxed), 0, "nobody wants it");
    for _ in 0..3 {
        let lean = read(Positions::LeftOut).await;
        assert!(lean.iter().map(|event| event.seq).eq(full.iter().map(|event| event.seq)));
        let cut = lean.iter().filter(|event| event.text.ends_with(b" without")).count();
        assert_eq!((cut, render.0.load(Ordering::Relaxed)), (turns, turns));
    }
    assert!(read(Positions::Sent).await.iter().all(|event| !event.text.ends_with(b" without")));
}

#[tokio::test(start_paused = true)]
async fn players_hear_of_each_other_and_of_their_turns() {
    let world = World::new().await;
    let lobby = Arc::new(Mailbox::default());
    let _in_lobby = world.live.subscribe_lobby(&lobby);
    let mine = Arc::new(Mailbox::default());
    let _personal = world.live.subscribe_personal(&mine, player(1).id);
    let id = world.create(terms(Game::Tablut, Clock::None {})).await;
    let mailbox = Arc::new(Mailbox::default());
    let _watch = world.live.watch(id, mailbox.clone(), Some(player(1).id)).await.unwrap();
    assert_eq!(mailbox.take().await.notices, ["presence 1 true"]);
    world.command(id, Command::Join { player: player(2), seed: None }).await.unwrap();
    let other = world.live.watch(id, Arc::default(), Some(player(2).id)).await.unwrap();
    assert_eq!(mailbox.take().await.notices, ["presence 2 true"]);
    drop(other);
    assert_eq!(mailbox.take().await.notices, ["presence 2 false"]);
    assert_eq!(lobby.take().await.notices, ["opened", "closed"]);
    let first = world.state(id).await.to_play().unwrap().seat;
    let told = mine.take().await.notices;
    assert_eq!(told, [if first == Seat::One { "your turn 3" } else { "changed 3" }]);
}

#[tokio::test(start_paused = true)]
async fn a_key_is_used_once_however_many_try() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let resign = || MatchRequest::Command {
        command: Command::Resign { by: player(1).id, whole_match: false },
        key: Some(KeyUse { guest: player(1).id, key: "k".to_owned(), digest: [1; 32], at: START }),
        spends: None,
    };
    let (first, second) = tokio::join!(world.live.request(id, resign()), world.live.request(id, resign()));
    assert_eq!([&first, &second].iter().filter(|answer| answer.is_ok()).count(), 1);
    let used = world.store.used_key(player(1).id, "k".to_owned()).await.unwrap().expect("the key is used up");
    assert_eq!((used.id, used.first), (id, world.state(id).await.head() - 1));
}

#[tokio::test(start_paused = true)]
async fn a_rematch_is_made_with_the_acceptance() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    world.command(id, Command::Resign { by: player(1).id, whole_match: false }).await.unwrap();
    world.command(id, Command::OfferRematch { by: player(1).id, seed_hash: None }).await.unwrap();
    let winners = Arc::new(Mailbox::default());
    let _winner = world.live.subscribe_personal(&winners, player(2).id);
    let losers = Arc::new(Mailbox::default());
    let _loser = world.live.subscribe_personal(&losers, player(1).id);
    let accept = MatchRequest::AcceptRematch { by: player(2).id, seed: None, key: None };
    let next = world.live.request(id, accept).await.unwrap().next.expect("a rematch");
    let state = world.state(next).await;
    assert_eq!(state.rematch_of(), Some(id));
    assert_eq!(state.phase(), Phase::Playing);
    assert_eq!(state.game().unwrap().white, Seat::Two, "the winner, who accepted, takes the king");
    let told = losers.take().await.notices;
    assert!(told.contains(&Bytes::from("your turn 3")), "the attackers begin: {told:?}");
}

#[tokio::test(start_paused = true)]
async fn an_idle_match_leaves_memory_and_the_journal_brings_it_back() {
    let world = World::new().await;
    let id = world.start(terms(Game::Scripta, Clock::None {})).await;
    let before = world.play(id).await.state;
    tokio::time::sleep(Duration::from_mins(2)).await;
    assert_eq!(*world.state(id).await, *before);
    world.play(id).await;
}

#[tokio::test(start_paused = true)]
async fn a_refusal_changes_nothing() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let before = world.journal(id).await;
    let refused = world.command(id, Command::OfferRematch { by: player(1).id, seed_hash: None }).await;
    assert!(matches!(refused, Err(CommandError::Refused(Refusal::NotOver))));
    assert_eq!(world.journal(id).await, before);
    let nowhere = world.live.state(MatchId(Uuid::from_u128(9))).await;
    assert!(matches!(nowhere, Err(CommandError::NoSuchMatch)));
}

#[tokio::test(start_paused = true)]
async fn stopping_finishes_what_was_begun() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let turn = first_turn(&*world.state(id).await);
    let by = turn.by().expect("a player's command");
    let (played, ()) = tokio::join!(world.command(id, turn), world.live.stop());
    let head = world.store.head(id).await.unwrap().unwrap().version.head;
    match played {
        Ok(answered) => assert_eq!(answered.state.head(), head),
        Err(error) => assert!(matches!(error, CommandError::Stopping), "{error}"),
    }
    assert!(matches!(world.command(id, Command::Abort { by }).await, Err(CommandError::Stopping)));
    tokio::task::yield_now().await;
    assert_eq!(world.store.head(id).await.unwrap().unwrap().version.head, head, "nothing has changed");
}

/// A match decides in the tasks of its requesters. Its log lines name their requests.
#[tokio::test(start_paused = true)]
async fn a_match_logs_the_id_of_the_request_that_it_answers() {
    let log = tempfile::NamedTempFile::new().expect("a temporary file");
    let writer = log.reopen().expect("the same file");
    let subscriber =
        tracing_subscriber::fmt().json().with_max_level(tracing::Level::DEBUG).with_writer(writer).finish();
    let _here = tracing::subscriber::set_default(subscriber);
    let world = World::told_by(Arc::new(Logged), database::store(), START, 0).await;
    let id = world.create(terms(Game::Tavla, Clock::None {})).await;
    let joins = async || world.command(id, Command::Join { player: player(2), seed: None }).await;
    joins().instrument(tracing::info_span!("request", id = "first")).await.expect("an open match");
    let plays = async || world.play(id).await;
    plays().instrument(tracing::info_span!("request", id = "second")).await;
    plays().await;
    let text = std::fs::read_to_string(log.path()).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut told: Vec<_> = lines
        .filter(|line| line["fields"]["message"] == "published" && line["span"]["name"] == "match")
        .map(|line| {
            assert_eq!(line["span"]["id"], id.0.to_string());
            let spans = line["spans"].as_array().expect("spans");
            spans.iter().filter_map(|span| Some(span.get("id")?.as_str()?.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    told.dedup();
    let of = |request: &str| vec![request.to_owned(), id.0.to_string()];
    assert_eq!(told, [of("first"), of("second"), vec![id.0.to_string()]]);
}
