//! The memory of a live match that nobody touches.
//!
//! `cargo bench --bench memory`: matches of each game are played by two players who watch them, until so
//! many turns were played or the match was over. After a minute in which nothing happens the memory is
//! counted that goes when nobody watches it any more: its room and state, and the watches of both players
//! without their connections. What the store keeps is not in it, nor the note when its players were last
//! there, which is kept for a day, nor what the allocator rounds up.

use std::{alloc::System, sync::Arc, time::Duration};

use lusoria::{
    app::wire::JsonRender,
    live::{Cluster, Creation, Live, Mailbox, MatchRequest, ServerTime, Watch},
};
use lusoria_play::{Clock, Command, Length, MatchId, Player, PlayerId, PlayerKind, SeedBrought, Terms};
use lusoria_rules::{Game, Variant};
use lusoria_store::{Guest, NewSession, SecretHash, SessionId, Store};
use lusoria_testkit::{first_turn, seeded_bytes};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Matches of each game.
const MATCHES: usize = 100;

/// How many turns are played in each.
const TURNS: [u32; 3] = [0, 40, 400];

const START: u64 = 1_700_000_000_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    tokio::time::pause();
    println!("game     turns  bytes_a_match");
    for game in Game::ALL {
        for turns in TURNS {
            println!("{:7}  {turns:5}  {:13}", game.id(), bytes_a_match(game, turns).await);
        }
    }
}

async fn bytes_a_match(game: Game, turns: u32) -> usize {
    let store = Arc::new(Store::in_memory());
    for n in 1..=2 {
        let Player { id, name, kind } = player(n);
        let session = NewSession { id: SessionId(id.0), token: SecretHash([n; 32]), device: None };
        let guest = Guest { id, name, kind, created_at: START, blocked_at: None };
        store.add_guest(guest, session).await.expect("a new guest");
    }
    let (time, bytes) = (ServerTime::from_epoch(START), Arc::new(seeded_bytes(1)));
    let live = Live::prepare(store.clone(), Cluster::none(), time, bytes, Arc::new(JsonRender));
    live.begin().await.expect("it starts");
    let mailboxes = [Arc::new(Mailbox::default()), Arc::new(Mailbox::default())];
    let mut watches = Vec::with_capacity(2 * MATCHES);
    for _ in 0..MATCHES {
        play(&live, game, turns, &mailboxes, &mut watches).await;
    }
    // Nobody has anything to read.
    for mailbox in &mailboxes {
        mailbox.take().await;
    }
    tokio::time::sleep(Duration::from_mins(1)).await;
    let freed = Region::new(ALLOCATOR);
    watches.clear();
    // Player 2 was told that the other has gone.
    mailboxes[1].take().await;
    let freed = freed.change();
    let bytes = (freed.bytes_deallocated - freed.bytes_allocated) / MATCHES;
    live.stop().await;
    bytes
}

/// Plays a match, and watches it as both players.
async fn play(live: &Live, game: Game, turns: u32, mailboxes: &[Arc<Mailbox>; 2], watches: &mut Vec<Watch>) {
    let terms = Terms {
        clock: Clock::None {},
        length: Length::Points(99),
        ..lusoria_testkit::terms(Variant::standard(game))
    };
    let creation = Creation {
        terms,
        creator: player(1),
        made_by: None,
        joiner: None,
        seed: SeedBrought::Nothing,
        invite: None,
        key: None,
        answers: None,
    };
    let id = live.create(creation).await.expect("good terms").id();
    for (n, mailbox) in (1..).zip(mailboxes) {
        watches.push(live.watch(id, Arc::clone(mailbox), Some(player(n).id)).await.expect("a match"));
    }
    command(live, id, Command::Join { player: player(2), seed: None }).await;
    for _ in 0..turns {
        let state = live.state(id).await.expect("a match");
        if state.to_play().is_none() {
            break;
        }
        command(live, id, first_turn(&state)).await;
    }
}

async fn command(live: &Live, id: MatchId, command: Command) {
    let request = MatchRequest::Command { command, key: None, spends: None };
    live.request(id, request).await.expect("a legal command");
}

fn player(n: u8) -> Player {
    let id = PlayerId(Uuid::from_u128(n.into()));
    Player { id, name: format!("Player {n}"), kind: PlayerKind::Person }
}
