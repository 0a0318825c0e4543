//! Two nodes at one store, at the same moment: of what cannot both be, one is refused.
//!
//! Each race is run many times, from a seed that is printed: `LUSORIA_RACES_SEED` runs one again.

use std::{fmt::Debug, future::Future, sync::Arc};

use lusoria_play::{Bytes32, Seat, SeatSeed};
use lusoria_play::{Event, JOURNAL_VERSION, Player, PlayerKind};
use lusoria_services::postgres::Database;
use lusoria_store::{
    AccountOpening, AdoptionBeginning, Append, AppendError, DeviceCode, ErasureBeginning, ErasureBy,
    MatchState, NewAccount, NewMatch, SessionId, Store, StoreError, Version,
};
use tokio::task::yield_now;
use uuid::Uuid;

use super::{
    accounts::{new_account, with_accounts},
    append, card,
    departures::{adoption, joined, match_of},
    events, guest, hash, invitation, key, match_id, new_match, player, session, version,
};

/// How often each race is run.
const RACES: u32 = 150;

/// In how many races there is a guest of their own, beside the accounts 141 and 142.
const GUESTS: u32 = 140;

/// Two nodes with one store.
struct Nodes {
    of: [Arc<Store>; 2],
    chance: Chance,
    /// None in memory.
    database: Option<Database>,
}

impl Nodes {
    fn in_memory() -> Self {
        let store: Arc<Store> = Arc::new(Store::shared_in_memory(|| 1_000));
        Self { of: [Arc::clone(&store), store], chance: Chance::new(), database: None }
    }

    async fn in_postgres() -> Self {
        let database = Database::new().expect("a database");
        let of = [super::open_postgres(&database.url()).await, super::open_postgres(&database.url()).await];
        Self { of, chance: Chance::new(), database: Some(database) }
    }

    /// The nodes in any order.
    fn pair(&mut self) -> [Arc<Store>; 2] {
        let mut of = self.of.clone();
        if self.chance.below(2) == 0 {
            of.reverse();
        }
        of
    }

    /// Runs both, one perhaps a little later than the other.
    async fn race<A, B>(&mut self, a: impl Future<Output = A>, b: impl Future<Output = B>) -> (A, B) {
        let (before_a, before_b) = (self.chance.below(12), self.chance.below(12));
        tokio::join!(later(before_a, a), later(before_b, b))
    }
}

async fn later<T>(yields: u64, then: impl Future<Output = T>) -> T {
    for _ in 0..yields {
        yield_now().await;
    }
    then.await
}

/// Numbers that only look random (xorshift).
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        let given = std::env::var("LUSORIA_RACES_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed: u64 = given.unwrap_or_else(|| Uuid::new_v4().as_u64_pair().0 | 1);
        println!("LUSORIA_RACES_SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Makes a test of each of these functions on each store that nodes share.
macro_rules! on_shared_stores {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(super::Nodes::in_memory()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(super::Nodes::in_postgres().await).await;
            })*
        }
    };
}

on_shared_stores!(
    append_and_append,
    rewrite_and_append,
    settle_and_append,
    settle_and_create,
    key_and_key,
    create_and_create,
    invitation_and_invitation,
    withdraw_and_join,
    block_and_create,
    block_and_join,
    device_code_and_device_code,
    revoke_and_add_code,
    block_and_add_code,
    adoption_and_adoption,
    adoption_and_join_by_the_adopter,
    adoption_and_create_by_the_guest,
    adoption_and_erasure_of_the_adopter,
    many_at_once,
);

/// That of two, which cannot both be, one is; and why the other is not.
fn one_of<E: Debug>(done: (Result<(), E>, Result<(), E>)) -> E {
    match done {
        (Ok(()), Err(why)) | (Err(why), Ok(())) => why,
        both => panic!("one of two: {both:?}"),
    }
}

async fn head(store: &Arc<Store>, n: u32) -> Option<Version> {
    store.head(match_id(n)).await.expect("read").map(|head| head.version)
}

fn made_by(n: u32, guest: u32) -> NewMatch {
    let mut new = new_match(n);
    new.events[0].event = Event::Created {
        version: JOURNAL_VERSION,
        terms: new.card.terms,
        creator: named(guest),
        commitment: Bytes32([0; 32]),
        seed: SeatSeed::Hash(Bytes32([0; 32])),
        rematch_of: None,
        made_by: None,
    };
    new
}

fn joined_by(n: u32, guest: u32) -> Append {
    let mut events = events(1, 1, 2_000);
    events[0].event = Event::Joined { player: named(guest), seed: SeatSeed::Hash(Bytes32([0; 32])) };
    Append { events: events.into(), ..append(n, 1) }
}

fn named(guest: u32) -> Player {
    Player { id: player(guest), name: format!("guest {guest}"), kind: PlayerKind::Person }
}

async fn append_and_append(mut nodes: Nodes) {
    nodes.of[0].create(new_match(1)).await.expect("created");
    for head in 1..RACES {
        let [a, b] = nodes.pair();
        let why = one_of(nodes.race(a.append(append(1, head)), b.append(append(1, head))).await);
        assert!(matches!(why, AppendError::Conflict), "{why:?}");
    }
    let events = nodes.of[0].events(match_id(1), 0, 1_000).await.expect("read").events;
    assert!(events.iter().map(|event| event.seq).eq(1..=RACES));
}

/// Else who is erased would come back with the card.
async fn rewrite_and_append(mut nodes: Nodes) {
    nodes.of[0].create(new_match(1)).await.expect("created");
    let mut now = version(1);
    for _ in 0..RACES {
        let [a, b] = nodes.pair();
        let mut other = events(0, 1, 1_000);
        other[0].event = Event::DrawOffered { seat: Seat::Two };
        let rewrite = a.rewrite(match_id(1), now, other, card(MatchState::Live));
        let (rewritten, appended) =
            nodes.race(rewrite, b.append(Append { of: now, ..append(1, now.head) })).await;
        match (rewritten.expect("answered"), appended) {
            (true, Err(AppendError::Conflict)) => now.edition += 1,
            (false, Ok(())) => now.head += 1,
            both => panic!("one of two: {both:?}"),
        }
        assert_eq!(head(&a, 1).await, Some(now));
    }
}

async fn settle_and_append(mut nodes: Nodes) {
    nodes.of[0].create(new_match(1)).await.expect("created");
    for _ in 0..RACES {
        let [a, b] = nodes.pair();
        let now = head(&a, 1).await.expect("a head");
        let append = b.append(Append { of: now, ..append(1, now.head) });
        let (settled, appended) = nodes.race(a.settle(match_id(1)), append).await;
        let settled = settled.expect("settled").expect("a head").version;
        let is_in = match appended {
            Ok(()) => true,
            Err(AppendError::Conflict) => false,
            Err(error) => panic!("{error:?}"),
        };
        // Memory has no doubts, and shuts nobody out.
        if nodes.database.is_some() {
            assert_eq!(settled.head, now.head + u32::from(is_in), "what is not in by then never will be");
        }
        assert_eq!(head(&b, 1).await.expect("a head").head, now.head + u32::from(is_in));
    }
}

async fn settle_and_create(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        let (settled, created) = nodes.race(a.settle(match_id(n)), b.create(new_match(n))).await;
        let settled = settled.expect("settled");
        assert!(matches!(created, Ok(()) | Err(AppendError::Conflict)), "{created:?}");
        if nodes.database.is_some() {
            assert_eq!(settled.is_some(), created.is_ok(), "what is not in by then never will be");
            let again = b.create(new_match(n)).await;
            assert!(matches!(again, Err(AppendError::Conflict)), "{again:?}");
        }
        assert_eq!(b.secret(match_id(n)).await.expect("read").is_some(), created.is_ok());
    }
}

async fn key_and_key(mut nodes: Nodes) {
    for n in 0..RACES {
        let (one, two) = (2 * n, 2 * n + 1);
        let [a, b] = nodes.pair();
        let used = || Some(key(1, &format!("key {n}")));
        let is_made = [nodes.chance.below(2) == 0, nodes.chance.below(2) == 0];
        for (n, is_made) in [one, two].into_iter().zip(is_made) {
            if is_made {
                a.create(new_match(n)).await.expect("created");
            }
        }
        let write = |store: Arc<Store>, n, is_made| async move {
            if is_made {
                store.append(Append { key: used(), ..append(n, 1) }).await
            } else {
                store.create(NewMatch { key: used(), ..new_match(n) }).await
            }
        };
        let done = nodes.race(write(a.clone(), one, is_made[0]), write(b, two, is_made[1])).await;
        let winner = if done.0.is_ok() { one } else { two };
        let why = one_of(done);
        assert!(matches!(why, AppendError::KeyUsed), "{why:?}");
        let found = a.used_key(player(1), format!("key {n}")).await.expect("read").expect("used");
        assert_eq!(found.id, match_id(winner));
        for (n, is_made) in [one, two].into_iter().zip(is_made) {
            let expected = u32::from(is_made) + u32::from(n == winner);
            assert_eq!(head(&a, n).await.map_or(0, |head| head.head), expected);
        }
    }
}

async fn create_and_create(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        let why = one_of(nodes.race(a.create(new_match(n)), b.create(new_match(n))).await);
        assert!(matches!(why, AppendError::Conflict), "{why:?}");
        assert_eq!(head(&a, n).await, Some(version(1)));
    }
}

async fn invitation_and_invitation(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        a.create(NewMatch { invitation: Some(invitation(1)), ..new_match(n) }).await.expect("created");
        let join = || Append { spends: Some(hash(1)), ..append(n, 1) };
        let why = one_of(nodes.race(a.append(join()), b.append(join())).await);
        assert!(matches!(why, AppendError::InvitationGone), "{why:?}");
        assert_eq!(a.invited_to(hash(1), 0).await.expect("read"), None);
    }
}

async fn withdraw_and_join(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        a.create(NewMatch { invitation: Some(invitation(1)), ..new_match(n) }).await.expect("created");
        let withdraw = async {
            assert!(a.set_invitation(match_id(n), None).await.expect("withdrawn"));
            head(&a, n).await.expect("a head").head
        };
        let (head, joined) =
            nodes.race(withdraw, b.append(Append { spends: Some(hash(1)), ..append(n, 1) })).await;
        match joined {
            Ok(()) => assert_eq!(head, 2, "nobody joins with it later"),
            Err(AppendError::InvitationGone) => assert_eq!(head, 1),
            Err(error) => panic!("{error:?}"),
        }
    }
}

async fn block_and_create(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        let block = async {
            assert!(a.set_blocked(player(n), Some(5)).await.expect("blocked"));
            head(&a, n).await.is_some()
        };
        let (was_there, created) = nodes.race(block, b.create(made_by(n, n))).await;
        match created {
            Ok(()) => assert!(was_there, "nobody who is blocked makes a match"),
            Err(AppendError::GuestGone(gone)) => assert!(gone == player(n) && !was_there),
            Err(error) => panic!("{error:?}"),
        }
    }
}

async fn block_and_join(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        a.create(new_match(n)).await.expect("created");
        let is_erased = nodes.chance.below(2) == 0;
        let block = async {
            let done = if is_erased {
                a.forget_guest(player(n)).await
            } else {
                a.set_blocked(player(n), Some(5)).await
            };
            assert!(done.expect("done"));
            head(&a, n).await.expect("a head").head
        };
        let (head, joined) = nodes.race(block, b.append(joined_by(n, n))).await;
        match joined {
            Ok(()) => assert_eq!(head, 2, "nobody who is blocked takes a seat"),
            Err(AppendError::GuestGone(gone)) => assert_eq!((gone, head), (player(n), 1)),
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Of two accounts that adopt the same guest, one gets them.
async fn adoption_and_adoption(mut nodes: Nodes) {
    with_accounts(&nodes.of[0], &[141, 142]).await;
    for n in 0..GUESTS {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        let of = u8::try_from(n).expect("few");
        let (one, other) =
            nodes.race(a.begin_adoption(adoption(of, 141)), b.begin_adoption(adoption(of, 142))).await;
        let outcomes = [one.expect("asked"), other.expect("asked")];
        assert_eq!(
            outcomes.iter().filter(|begun| **begun == AdoptionBeginning::Begun).count(),
            1,
            "{outcomes:?}"
        );
        assert!(outcomes.contains(&AdoptionBeginning::GuestSessionEnded), "{outcomes:?}");
        let adopter = if outcomes[0] == AdoptionBeginning::Begun { 141 } else { 142 };
        let left = a.departures().await.expect("read");
        assert_eq!(left.iter().map(|of| of.adopter).collect::<Vec<_>>(), [Some(player(adopter))]);
        assert!(b.end_departure(left[0]).await.expect("ended"));
    }
}

/// A match never has an adopter and the guest whom they adopt.
async fn adoption_and_join_by_the_adopter(mut nodes: Nodes) {
    with_accounts(&nodes.of[0], &[141]).await;
    for n in 0..GUESTS {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        a.create(match_of(n, n, None)).await.expect("created");
        let of = u8::try_from(n).expect("few");
        let join = b.append(joined(n, version(1), n, 141));
        match nodes.race(a.begin_adoption(adoption(of, 141)), join).await {
            (Ok(AdoptionBeginning::PlayedEachOther), Ok(())) => {}
            (Ok(AdoptionBeginning::Begun), Err(AppendError::Conflict | AppendError::GuestGone(_))) => {
                let now = head(&a, n).await.expect("a head");
                let again = b.append(joined(n, now, n, 141)).await;
                assert!(
                    matches!(again, Err(AppendError::GuestGone(gone)) if gone == player(141)),
                    "{again:?}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Who is adopted gets no further match: all that they have are found afterwards.
async fn adoption_and_create_by_the_guest(mut nodes: Nodes) {
    with_accounts(&nodes.of[0], &[141]).await;
    for n in 0..GUESTS {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        let of = u8::try_from(n).expect("few");
        let adopt = async {
            let begun = a.begin_adoption(adoption(of, 141)).await.expect("asked");
            assert_eq!(begun, AdoptionBeginning::Begun);
            head(&a, n).await.is_some()
        };
        match nodes.race(adopt, b.create(made_by(n, n))).await {
            (was_there, Ok(())) => assert!(was_there),
            (was_there, Err(AppendError::GuestGone(gone))) => assert!(gone == player(n) && !was_there),
            (_, Err(error)) => panic!("{error:?}"),
        }
    }
}

/// Nothing of a guest becomes the matches of an account that is erased.
async fn adoption_and_erasure_of_the_adopter(mut nodes: Nodes) {
    for n in 0..GUESTS / 2 {
        let [a, b] = nodes.pair();
        let (of, by) = (u8::try_from(n).expect("few"), u8::try_from(GUESTS / 2 + n).expect("few"));
        with_guest(&a, n).await;
        a.add_guest(guest(by.into()), session(by)).await.expect("added");
        let account = NewAccount { recovery_codes: Vec::new(), ..new_account(by) };
        assert_eq!(a.open_account(account).await.expect("opened"), AccountOpening::Opened);
        let erase = b.begin_erasure(player(by.into()), ErasureBy::Operator, 8_000);
        let (begun, erased) = nodes.race(a.begin_adoption(adoption(of, by)), erase).await;
        assert_eq!(erased.expect("asked"), ErasureBeginning::Begun);
        let expected = match begun.expect("asked") {
            AdoptionBeginning::Begun => 2,
            AdoptionBeginning::SessionEnded => 1,
            other => panic!("{other:?}"),
        };
        let left = a.departures().await.expect("read");
        assert_eq!(left.len(), expected);
        for departure in left {
            assert_eq!(departure.adopter, None);
            assert!(b.end_departure(departure).await.expect("ended"));
        }
    }
}

/// A guest with a session of that number.
async fn with_guest(store: &Arc<Store>, n: u32) {
    let number = u8::try_from(n).expect("few");
    store.add_guest(guest(n), session(number)).await.expect("added");
}

/// A session that is a guest's second: which one is told by its number.
fn second(n: u32) -> lusoria_store::NewSession {
    let mut token = [0xee; 32];
    token[..4].copy_from_slice(&n.to_be_bytes());
    lusoria_store::NewSession {
        id: SessionId(Uuid::from_u128(0x4000_8000_0000_0000_7000_0000 | u128::from(n))),
        token: lusoria_store::SecretHash(token),
        device: None,
    }
}

fn code(n: u32) -> DeviceCode {
    DeviceCode { hash: hash(7), guest: player(n), expires_at: 9_000 }
}

async fn device_code_and_device_code(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        assert!(
            a.add_device_code(code(n), super::session_id(u8::try_from(n).expect("few")))
                .await
                .expect("added")
        );
        let spend = |store: &Arc<Store>, session| {
            let store = Arc::clone(store);
            async move { store.spend_device_code(hash(7), second(session), 1).await.expect("asked").is_some() }
        };
        let (one, two) = nodes.race(spend(&a, 2 * n), spend(&b, 2 * n + 1)).await;
        assert!(one != two, "it begins one session: {one}, {two}");
        assert_eq!(a.sessions(player(n)).await.expect("read").len(), 2);
    }
}

async fn revoke_and_add_code(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        let first = super::session_id(u8::try_from(n).expect("few"));
        assert!(a.add_device_code(code(n), first).await.expect("added"));
        assert!(a.spend_device_code(hash(7), second(n), 1).await.expect("spent").is_some());
        let (revoked, _) = nodes
            .race(a.revoke_session(player(n), first, second(n).id), b.add_device_code(code(n), first))
            .await;
        assert!(revoked.expect("answered"));
        let spent = b.spend_device_code(hash(7), second(1_000 + n), 1).await.expect("asked");
        assert_eq!(spent, None, "a session that has ended leaves no code");
    }
}

async fn block_and_add_code(mut nodes: Nodes) {
    for n in 0..RACES {
        let [a, b] = nodes.pair();
        with_guest(&a, n).await;
        let first = super::session_id(u8::try_from(n).expect("few"));
        let (blocked, _) =
            nodes.race(a.set_blocked(player(n), Some(5)), b.add_device_code(code(n), first)).await;
        assert!(blocked.expect("answered"));
        assert!(a.set_blocked(player(n), None).await.expect("answered"));
        let spent = b.spend_device_code(hash(7), second(n), 1).await.expect("asked");
        assert_eq!(spent, None, "who is blocked has no code");
    }
}

/// Batches that overlap, from both: nothing waits in a circle, and nothing is lost or done twice.
async fn many_at_once(mut nodes: Nodes) {
    const MATCHES: u32 = 12;
    for n in 0..MATCHES {
        with_guest(&nodes.of[0], n).await;
        nodes.of[0].create(new_match(n)).await.expect("created");
    }
    let mut heads = vec![1; MATCHES as usize];
    for round in 0..40 {
        let mut writes = Vec::new();
        for n in 0..MATCHES {
            for store in nodes.pair() {
                let head = heads[n as usize];
                let used = (nodes.chance.below(3) == 0).then(|| key(n, &format!("{round}")));
                let mut append = if nodes.chance.below(3) == 0 {
                    Append { of: version(head), ..joined_by(n, (n + round) % MATCHES) }
                } else {
                    append(n, head)
                };
                let renumbered = append.events.iter().cloned().map(|mut event| {
                    (event.seq, event.first) = (head + 1, head + 1);
                    event
                });
                (append.events, append.key) = (renumbered.collect(), used);
                let yields = nodes.chance.below(6);
                writes.push(async move {
                    let blocked = later(yields, store.append(append)).await;
                    // Locks guests the other way round.
                    let renamed =
                        store.rename_guest(player((n + 1) % MATCHES), format!("round {round}")).await;
                    assert!(renamed.expect("renamed"));
                    (n, blocked)
                });
            }
        }
        let mut made = vec![0; MATCHES as usize];
        for (n, done) in futures_util::future::join_all(writes).await {
            match done {
                Ok(()) => made[n as usize] += 1,
                Err(AppendError::Conflict | AppendError::KeyUsed) => {}
                Err(error) => panic!("match {n}: {error:?}"),
            }
        }
        assert!(made.iter().all(|made| *made == 1), "{made:?}");
        for head in &mut heads {
            *head += 1;
        }
    }
    nodes.of[0].close().await;
    assert!(matches!(nodes.of[0].head(match_id(0)).await, Err(StoreError::Closed)));
}
