//! What a store promises, checked on all of them.

mod accounts;
mod alive;
mod api_tokens;
mod backup;
mod challenges;
mod codes;
mod conditional;
mod damage;
mod databases;
mod departures;
mod doubt;
mod fair_play;
mod game_counts;
mod journal;
mod lists;
mod model;
mod moderation;
mod moving;
mod nodes;
mod operating;
mod passkeys;
mod postgres;
mod preferences;
mod pushes;
mod races;
mod ratings;
mod seeks;
mod sessions;
mod sqlite;
mod talk;
mod tournaments;

use std::{fmt::Debug, ops::Deref, path::Path, sync::Arc, time::Duration};

use AppendError::{ChallengeGone, Conflict, GuestGone, InvitationGone, KeyUsed, Outdated, SeekGone};
use futures_util::future::join_all;
use lusoria_dice::Secret;
use lusoria_play::*;
use lusoria_rules::{Game, Variant};
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::{postgres::PostgresOptions, sqlite::SqliteOptions, *};
use tempfile::TempDir;
use uuid::Uuid;

/// Makes a test of each of these functions on a store in memory and on PostgreSQL.
macro_rules! on_all_stores {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(crate::Fixture::in_memory()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let database = lusoria_services::postgres::Database::new().expect("a database");
                let store = crate::open_postgres(&database.url()).await;
                super::$test(crate::Fixture(store.clone())).await;
                store.close().await;
            })*
        }
    };
}

/// The same, and on a file, which has a writer and readers of its own.
macro_rules! on_all_stores_and_a_file {
    ($($test:ident),* $(,)?) => {
        crate::on_all_stores!($($test),*);
        crate::on_a_file!($($test),*);
    };
}

/// Makes a test of each of these functions on a file.
macro_rules! on_a_file {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let folder = tempfile::tempdir().expect("a folder");
                let store = crate::open(&folder.path().join("test.db")).await;
                super::$test(crate::Fixture(store.clone())).await;
                store.close().await;
            })*
        }
    };
}

/// What a store answers, which must not fail.
macro_rules! done {
    ($asked:expr) => {
        $asked.await.expect("an answer")
    };
}

/// What a store finds, which must be there.
macro_rules! there {
    ($asked:expr) => {
        crate::done!($asked).expect("it is there")
    };
}

/// Checks what a store answers.
macro_rules! is {
    ($asked:expr, $expected:expr $(, $($why:tt)*)?) => {
        assert_eq!(crate::done!($asked), $expected $(, $($why)*)?)
    };
}

/// Checks that a store says yes.
macro_rules! yes {
    ($asked:expr $(, $($why:tt)*)?) => {
        assert!(crate::done!($asked) $(, $($why)*)?)
    };
}

/// Checks that a store says no.
macro_rules! no {
    ($asked:expr $(, $($why:tt)*)?) => {
        assert!(!crate::done!($asked) $(, $($why)*)?)
    };
}

/// Checks why a store refuses.
macro_rules! refused {
    ($asked:expr, $why:pat $(, $($note:tt)*)?) => {{
        let answer = $asked.await;
        assert!(matches!(answer, Err($why)), "{answer:?}");
    }};
}
use {done, is, no, on_a_file, on_all_stores, on_all_stores_and_a_file, refused, there, yes};

type Answer<T> = Result<T, StoreError>;

/// A store, and short verbs for what most tests do with it.
#[derive(Clone)]
struct Fixture(Arc<Store>);

impl Deref for Fixture {
    type Target = Store;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Fixture {
    fn in_memory() -> Self {
        Self(Arc::new(Store::in_memory()))
    }

    /// Adds guests, each with the session of their number.
    async fn guests(&self, numbers: impl IntoIterator<Item = u32>) {
        for n in numbers {
            done!(self.add_guest(guest(n), session(n)));
        }
    }

    /// Adds guests with accounts.
    async fn with_accounts(&self, numbers: impl IntoIterator<Item = u32>) {
        for n in numbers {
            self.guests([n]).await;
            is!(self.open_account(accounts::new_account(n)), AccountOpening::Opened);
        }
    }

    /// Makes open matches by player 1.
    async fn matches(&self, numbers: impl IntoIterator<Item = u32>) {
        for n in numbers {
            done!(self.create(new_match(n)));
        }
    }

    /// Ends a match that has one event.
    async fn end(&self, n: u32) {
        done!(self.append(ending(n)));
    }

    /// How many events a match has; none if there is no such match.
    async fn length(&self, n: u32) -> Answer<u32> {
        Ok(self.head(match_id(n)).await?.map_or(0, |head| head.version.head))
    }

    async fn card(&self, n: u32) -> Answer<Card> {
        Ok(self.row(match_id(n)).await?.expect("a row").card)
    }

    async fn journal(&self, n: u32) -> Answer<Vec<Recorded>> {
        Ok(self.events(match_id(n), 0, 1_000).await?.events)
    }

    /// Whose token has that number.
    async fn guest_of(&self, token: u32) -> Answer<Option<Guest>> {
        Ok(self.bearer(hash(token)).await?.map(|bearer| bearer.guest))
    }

    async fn session_ids(&self, of: u32) -> Answer<Vec<SessionId>> {
        Ok(self.sessions(player(of)).await?.into_iter().map(|session| session.id).collect())
    }

    async fn blocked_at(&self, n: u32) -> Answer<Option<Millis>> {
        Ok(self.guest(player(n)).await?.and_then(|guest| guest.blocked_at))
    }

    /// Blocks a guest, at 5.
    async fn block(&self, n: u32) {
        yes!(self.set_blocked(player(n), Some(5)));
    }

    async fn unblock(&self, n: u32) {
        yes!(self.set_blocked(player(n), None));
    }

    async fn forget(&self, n: u32) {
        yes!(self.forget_guest(player(n)));
    }

    /// Makes device code 200 of a guest, by one of their sessions, good until 9000.
    async fn add_code(&self, of: u32, by: u32) -> Answer<bool> {
        let code = DeviceCode { hash: hash(200), guest: player(of), expires_at: 9_000 };
        self.add_device_code(code, session_id(by)).await
    }

    /// Begins a session with device code 200, at 2000.
    async fn spend_code(&self, new: u32) -> Answer<Option<Guest>> {
        self.spend_device_code(hash(200), session(new), 2_000).await
    }

    /// Begins session `new` of guest `n` with password `with`, at 3000.
    async fn enter(&self, n: u32, with: u32, new: u32) -> Answer<Option<Guest>> {
        self.sign_in(player(n), accounts::password(with), session(new), 3_000).await
    }

    /// Begins session `new` of guest `n` with a recovery code, and sets password 9.
    async fn recover_with(&self, n: u32, code: u32, new: u32) -> Answer<Option<Guest>> {
        self.recover(player(n), hash(code), accounts::password(9), session(new), 3_000).await
    }

    /// Sets the password of guest `n` with a proof of theirs.
    async fn set_password(&self, proof: Proof, new: u32, api_tokens: bool) -> Answer<bool> {
        self.change_password(proof, accounts::password(new), Revoking { api_tokens, passkeys: false }).await
    }
}

/// A folder, and the path of a database in it.
fn folder() -> (TempDir, std::path::PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("test.db");
    (folder, path)
}

/// Opens the database with the usual settings.
async fn open_postgres(url: &str) -> Arc<Store> {
    Arc::new(Store::open_server(url, PostgresOptions::default()).await.expect("the database opens"))
}

/// Opens the file with the usual settings.
async fn open(path: &Path) -> Arc<Store> {
    Arc::new(Store::open_file(path, SqliteOptions::default()).await.expect("the file opens"))
}

/// A small number, whatever its type.
fn few<T>(n: impl TryInto<T, Error: Debug>) -> T {
    n.try_into().expect("a small number")
}

fn match_id(n: impl TryInto<u32, Error: Debug>) -> MatchId {
    MatchId(numbered(0x0190_0000_0000_7000_8000_0000_0000_0000, n))
}

fn player(n: impl TryInto<u32, Error: Debug>) -> PlayerId {
    PlayerId(numbered(0x4000_8000_0000_0000_0000, n))
}

fn numbered(base: u128, n: impl TryInto<u32, Error: Debug>) -> Uuid {
    Uuid::from_u128(base + u128::from(few::<u32>(n)))
}

fn hash(n: impl TryInto<u32, Error: Debug>) -> SecretHash {
    let mut hash = [7; 32];
    hash[..4].copy_from_slice(&few::<u32>(n).to_be_bytes());
    SecretHash(hash)
}

/// A session whose token has that hash.
fn session(n: impl TryInto<u32, Error: Debug>) -> NewSession {
    let n: u32 = few(n);
    NewSession { id: session_id(n), token: hash(n), device: (n % 2 == 1).then(|| format!("device {n}")) }
}

fn session_id(n: impl TryInto<u32, Error: Debug>) -> SessionId {
    SessionId(numbered(0x4000_8000_0000_0001_0000, n))
}

fn guest(n: impl TryInto<u32, Error: Debug>) -> Guest {
    let n: u32 = few(n);
    Guest {
        id: player(n),
        name: format!("guest {n}"),
        kind: PlayerKind::Person,
        created_at: 1_000 + Millis::from(n),
        blocked_at: None,
    }
}

/// Guest `n` in a seat.
fn seated(n: u32) -> Player {
    let Guest { id, name, kind, .. } = guest(n);
    Player { id, name, kind }
}

fn key(guest: u32, key: &str) -> KeyUse {
    KeyUse { guest: player(guest), key: key.to_owned(), digest: [7; 32], at: 1_000 }
}

fn invitation(n: u32) -> Invitation {
    Invitation { hash: hash(n), expires_at: 5_000 }
}

/// That head, of a match that was never rewritten.
const fn version(head: u32) -> Version {
    Version { head, edition: 0 }
}

fn node_id(n: u32) -> NodeId {
    NodeId(numbered(0x4000_8000_0000_0002_0000, n))
}

/// A node with that number in its id and its name.
fn node(n: u32) -> NewNode {
    NewNode { id: node_id(n), name: format!("node {n}"), release: "0.1.0".to_owned() }
}

/// The id of the history that a store's journals tell.
async fn history_of(store: &Store) -> Uuid {
    done!(store.join(node(1), 0)).history
}

/// Events that follow number `head`, as one append, at that time.
fn events(head: u32, count: u32, at: Millis) -> Vec<Recorded> {
    (1..=count).map(|n| recorded(head, n, at, Event::DrawOffered { seat: Seat::One })).collect()
}

fn recorded(head: u32, n: u32, at: Millis, event: Event) -> Recorded {
    Recorded { seq: head + n, first: head + 1, at, event }
}

/// The event after `head` by which a guest joins.
fn joined(head: u32, guest: u32) -> Vec<Recorded> {
    let event = Event::Joined { player: seated(guest), seed: SeatSeed::Hash(Bytes32([0; 32])) };
    vec![recorded(head, 1, 2_000, event)]
}

/// A card of player 1 against player 2, once they have joined.
fn card(state: MatchState) -> Card {
    card_of(state, player(1), (state != MatchState::Open).then(|| player(2)))
}

/// A card of a match between these players.
fn card_of(state: MatchState, one: PlayerId, two: Option<PlayerId>) -> Card {
    let named = |name: &str, id| Player { id, name: name.to_owned(), kind: PlayerKind::Person };
    Card {
        terms: Terms {
            variant: Variant::standard(Game::Tavla),
            length: Length::SINGLE,
            clock: Clock::None {},
            colours: Colours::Lot,
            admission: Admission::Open,
            rated: false,
        },
        tournament: None,
        players: BySeat(Some(named("Zeno", one)), two.map(|two| named("Agathias", two))),
        score: BySeat(0, 0),
        white: None,
        waits_for: Some(Seat::One),
        turns: 0,
        takebacks: 0,
        created_at: 1_000,
        updated_at: 1_000,
        result: match state {
            MatchState::Open => CardResult::Open,
            MatchState::Live => CardResult::Live,
            MatchState::Finished => CardResult::Ended(MatchEnd::Aborted(AbortReason::Player(Seat::One))),
        },
        draw_offer: None,
        takeback_offer: None,
        rematch_offer: None,
    }
}

/// A new open match by player 1, with one event.
fn new_match(n: u32) -> NewMatch {
    NewMatch {
        id: match_id(n),
        events: events(0, 1, 1_000),
        secret: Secret::new([9; 32]),
        card: card(MatchState::Open),
        made_by: None,
        deadline: Some(10_000),
        invitation: None,
        key: None,
        answers: None,
    }
}

/// A match of guest `one` against guest `two`, if they have joined.
fn match_of(n: u32, one: u32, two: Option<u32>) -> NewMatch {
    let state = if two.is_some() { MatchState::Live } else { MatchState::Open };
    NewMatch { card: card_of(state, player(one), two.map(player)), ..new_match(n) }
}

/// An append of one event to match `n` with that head.
fn append(n: u32, head: u32) -> Append {
    Append {
        id: match_id(n),
        of: version(head),
        era: Era::default(),
        events: events(head, 1, 2_000).into(),
        card: card(MatchState::Live),
        deadline: Some(20_000),
        key: None,
        spends: None,
        create: None,
        rates: None,
        unrates: false,
        tournament: None,
    }
}

/// The append that ends a match of one event.
fn ending(n: u32) -> Append {
    Append { card: card(MatchState::Finished), deadline: None, ..append(n, 1) }
}
