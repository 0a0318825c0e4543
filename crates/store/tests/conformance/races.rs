//! Two nodes at one store, at the same moment: of what cannot both be, one is refused.
//!
//! Each race is run many times, from a seed that is printed: `LUSORIA_RACES_SEED` runs one again.

use tokio::task::yield_now;

use super::{
    departures::{adoption, joining},
    operating::made,
    *,
};

/// How often each race is run.
const RACES: u32 = 150;

/// The accounts of races that need some.
const ACCOUNTS: [u32; 2] = [1_001, 1_002];

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

async fn later<T>(yields: u64, then: impl Future<Output = T>) -> T {
    for _ in 0..yields {
        yield_now().await;
    }
    then.await
}

/// Runs a race: what is there before, what two nodes do at once, one perhaps a little later, and what must hold of both
/// answers. Each is told which race it is.
async fn race<A, B>(
    before: impl AsyncFn(&Fixture, u32),
    a: impl AsyncFn(&Fixture, u32) -> A,
    b: impl AsyncFn(&Fixture, u32) -> B,
    holds: impl AsyncFn(&Fixture, u32, A, B),
) {
    let (database, mut chance) = (Database::new().expect("a database"), Chance::new());
    let mut nodes = [(); 2].map(|()| None);
    for node in &mut nodes {
        *node = Some(Fixture(open_postgres(&database.url()).await));
    }
    let mut nodes = nodes.map(|node| node.expect("opened"));
    nodes[0].with_accounts(ACCOUNTS).await;
    for n in 0..RACES {
        if chance.below(2) == 0 {
            nodes.reverse();
        }
        before(&nodes[0], n).await;
        let (one, other) =
            (later(chance.below(12), a(&nodes[0], n)), later(chance.below(12), b(&nodes[1], n)));
        let (one, other) = tokio::join!(one, other);
        holds(&nodes[1], n, one, other).await;
    }
    for s in nodes {
        s.close().await;
    }
}

/// Makes a test of each race.
macro_rules! races {
    ($($name:ident($before:expr, $a:expr, $b:expr, $holds:expr $(,)?);)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            race($before, $a, $b, $holds).await;
        }
    )*};
}

/// That of two, which cannot both be, one is; and why the other is not.
fn one_of<E: Debug>(one: Result<(), E>, other: Result<(), E>) -> E {
    match (one, other) {
        (Ok(()), Err(why)) | (Err(why), Ok(())) => why,
        both => panic!("one of two: {both:?}"),
    }
}

/// Whether a guest made or joined a match; else they were gone by then.
fn is_seated(done: Result<(), AppendError>, n: u32) -> bool {
    match done {
        Ok(()) => true,
        Err(GuestGone(gone)) if gone == player(n) => false,
        Err(error) => panic!("{error:?}"),
    }
}

async fn nothing(_: &Fixture, _: u32) {}

async fn with_match(s: &Fixture, n: u32) {
    s.matches([n]).await;
}

async fn with_guest(s: &Fixture, n: u32) {
    s.guests([n]).await;
}

/// A guest with a match of their number.
async fn with_both(s: &Fixture, n: u32) {
    s.guests([n]).await;
    done!(s.create(match_of(n, n, None)));
}

/// A match of that number with invitation 1.
async fn with_invitation(s: &Fixture, n: u32) {
    done!(s.create(NewMatch { invitation: Some(invitation(1)), ..new_match(n) }));
}

async fn join(s: &Fixture, n: u32) -> Result<(), AppendError> {
    s.append(Append { spends: Some(hash(1)), ..append(n, 1) }).await
}

async fn create_own(s: &Fixture, n: u32) -> Result<(), AppendError> {
    s.create(made(n, seated(n), None)).await
}

/// Match `2 * n + m`, made or continued with the same key.
async fn use_key(s: &Fixture, n: u32, m: u32) -> Result<(), AppendError> {
    let used = Some(key(1, &format!("key {n}")));
    if is_made(n, m) {
        s.append(Append { key: used, ..append(2 * n + m, 1) }).await
    } else {
        s.create(NewMatch { key: used, ..new_match(2 * n + m) }).await
    }
}

fn is_made(n: u32, m: u32) -> bool {
    (n >> m) & 1 == 1
}

/// What of a block and a seat came first; a block may be an erasure.
async fn block(s: &Fixture, n: u32) -> u32 {
    if n.is_multiple_of(2) {
        s.block(n).await;
    } else {
        s.forget(n).await;
    }
    done!(s.length(n))
}

/// Another guest of that race, none of whose recovery codes is that of another's.
fn other(n: u32) -> u32 {
    2_000 + 100 * n
}

fn server_key(n: u32) -> SecretKey {
    SecretKey(n.to_be_bytes().to_vec())
}

async fn adopt(s: &Fixture, n: u32, by: u32) -> Answer<AdoptionBeginning> {
    s.begin_adoption(adoption(n, by)).await
}

async fn code(s: &Fixture, n: u32, new: u32) -> bool {
    done!(s.spend_code(10_000 * new + n)).is_some()
}

races! {
    append_and_append(
        async |s, n| if n == 0 { s.matches([1]).await },
        async |s, n| s.append(append(1, n + 1)).await,
        async |s, n| s.append(append(1, n + 1)).await,
        async |s, n, one, other| {
            assert!(matches!(one_of(one, other), Conflict));
            assert!(done!(s.journal(1)).iter().map(|event| event.seq).eq(1..=n + 2));
        },
    );
    // Else who is erased would come back with the card.
    rewrite_and_append(
        with_match,
        async |s, n| s.rewrite(match_id(n), version(1), events(0, 1, 1_000), card(MatchState::Live)).await,
        async |s, n| s.append(append(n, 1)).await,
        async |s, n, rewritten, appended| {
            let (head, edition) = match (done!(async { rewritten }), appended) {
                (true, Err(Conflict)) => (1, 1),
                (false, Ok(())) => (2, 0),
                both => panic!("one of two: {both:?}"),
            };
            assert_eq!(there!(s.head(match_id(n))).version, Version { head, edition });
        },
    );
    settle_and_append(
        with_match,
        async |s, n| there!(s.settle(match_id(n))).version,
        async |s, n| s.append(append(n, 1)).await,
        async |s, n, settled, appended| {
            assert!(matches!(appended, Ok(()) | Err(Conflict)), "{appended:?}");
            assert_eq!(settled.head, 1 + u32::from(appended.is_ok()), "what is not in by then never will be");
            is!(s.length(n), settled.head);
        },
    );
    settle_and_create(
        nothing,
        async |s, n| done!(s.settle(match_id(n))).is_some(),
        async |s, n| s.create(new_match(n)).await,
        async |s, n, is_there, created| {
            assert!(matches!(created, Ok(()) | Err(Conflict)), "{created:?}");
            assert_eq!(is_there, created.is_ok(), "what is not in by then never will be");
            refused!(s.create(new_match(n)), Conflict);
            assert_eq!(done!(s.secret(match_id(n))).is_some(), is_there);
        },
    );
    key_and_key(
        async |s, n| s.matches([0, 1].into_iter().filter(|m| is_made(n, *m)).map(|m| 2 * n + m)).await,
        async |s, n| use_key(s, n, 0).await,
        async |s, n| use_key(s, n, 1).await,
        async |s, n, one, other| {
            let winner = u32::from(one.is_err());
            assert!(matches!(one_of(one, other), KeyUsed));
            assert_eq!(there!(s.used_key(player(1), format!("key {n}"))).id, match_id(2 * n + winner));
            for m in [0, 1] {
                is!(s.length(2 * n + m), u32::from(is_made(n, m)) + u32::from(m == winner));
            }
        },
    );
    create_and_create(
        nothing,
        async |s, n| s.create(new_match(n)).await,
        async |s, n| s.create(new_match(n)).await,
        async |s, n, one, other| {
            assert!(matches!(one_of(one, other), Conflict));
            is!(s.length(n), 1);
        },
    );
    invitation_and_invitation(with_invitation, join, join, async |s, _, one, other| {
        assert!(matches!(one_of(one, other), InvitationGone));
        is!(s.invited_to(hash(1), 0), None);
    });
    withdraw_and_join(
        with_invitation,
        async |s, n| {
            yes!(s.set_invitation(match_id(n), None));
            done!(s.length(n))
        },
        join,
        async |_, _, length, joined| {
            assert!(matches!(joined, Ok(()) | Err(InvitationGone)), "{joined:?}");
            assert_eq!(length == 2, joined.is_ok(), "nobody joins with it later");
        },
    );
    block_and_create(with_guest, block, create_own, async |_, n, length, created| {
        assert_eq!(length == 1, is_seated(created, n), "a blocked guest makes no match");
    });
    block_and_join(
        with_both,
        block,
        async |s, n| s.append(Append { events: joined(1, n).into(), ..append(n, 1) }).await,
        async |_, n, length, joined| {
            assert_eq!(length == 2, is_seated(joined, n), "a blocked guest takes no seat");
        },
    );
    // Of two accounts that adopt the same guest, one gets them.
    adoption_and_adoption(
        with_guest,
        async |s, n| adopt(s, n, ACCOUNTS[0]).await,
        async |s, n| adopt(s, n, ACCOUNTS[1]).await,
        async |s, n, one, other| {
            let begun = [one, other].map(|begun| begun.expect("asked") == AdoptionBeginning::Begun);
            assert!(begun[0] != begun[1], "{begun:?}");
            let adopter = Some(player(ACCOUNTS[usize::from(begun[1])]));
            let left = done!(s.departures());
            assert_eq!(left, [Departure { guest: player(n), adopter, since: 7_000 }]);
            yes!(s.end_departure(left[0]));
        },
    );
    // A match never has an adopter and the guest whom they adopt.
    adoption_and_join_by_the_adopter(
        with_both,
        async |s, n| adopt(s, n, ACCOUNTS[0]).await,
        async |s, n| s.append(joining(n, version(1), n, ACCOUNTS[0])).await,
        async |s, n, begun, joined| match (done!(async { begun }), joined) {
            (AdoptionBeginning::PlayedEachOther, Ok(())) => {}
            (AdoptionBeginning::Begun, Err(Conflict | GuestGone(_))) => {
                let now = there!(s.head(match_id(n))).version;
                assert!(!is_seated(s.append(joining(n, now, n, ACCOUNTS[0])).await, ACCOUNTS[0]));
            }
            other => panic!("{other:?}"),
        },
    );
    // Who is adopted gets no further match: all that they have are found afterwards.
    adoption_and_create_by_the_guest(
        with_guest,
        async |s, n| {
            is!(adopt(s, n, ACCOUNTS[0]), AdoptionBeginning::Begun);
            done!(s.length(n))
        },
        create_own,
        async |_, n, length, created| assert_eq!(length == 1, is_seated(created, n)),
    );
    // Nothing of a guest becomes the matches of an account that is erased.
    adoption_and_erasure_of_the_adopter(
        async |s, n| {
            s.guests([n]).await;
            s.with_accounts([other(n)]).await;
        },
        async |s, n| done!(adopt(s, n, other(n))),
        async |s, n| done!(s.begin_erasure(player(other(n)), ErasureBy::Operator, 8_000)),
        async |s, _, begun, erased| {
            assert_eq!(erased, ErasureBeginning::Begun);
            assert!(matches!(begun, AdoptionBeginning::Begun | AdoptionBeginning::SessionEnded), "{begun:?}");
            let left = done!(s.departures());
            assert_eq!(left.len(), 1 + usize::from(begun == AdoptionBeginning::Begun));
            for departure in left {
                assert_eq!(departure.adopter, None);
                yes!(s.end_departure(departure));
            }
        },
    );
    device_code_and_device_code(
        async |s, n| {
            s.guests([n]).await;
            yes!(s.add_code(n, n));
        },
        async |s, n| code(s, n, 1).await,
        async |s, n| code(s, n, 2).await,
        async |s, n, one, other| {
            assert!(one != other, "it begins one session: {one}, {other}");
            assert_eq!(done!(s.session_ids(n)).len(), 2);
        },
    );
    revoke_and_add_code(
        async |s, n| {
            s.guests([n]).await;
            yes!(s.add_code(n, n));
            assert!(code(s, n, 1).await);
        },
        async |s, n| s.revoke_session(player(n), session_id(n), session_id(10_000 + n)).await,
        async |s, n| s.add_code(n, n).await,
        async |s, n, revoked, _| {
            yes!(async { revoked });
            assert!(!code(s, n, 2).await, "a session that has ended leaves no code");
        },
    );
    block_and_add_code(
        with_guest,
        async |s, n| s.set_blocked(player(n), Some(5)).await,
        async |s, n| s.add_code(n, n).await,
        async |s, n, blocked, _| {
            yes!(async { blocked });
            s.unblock(n).await;
            assert!(!code(s, n, 1).await, "who is blocked has no code");
        },
    );
    sign_up_code_and_sign_up_code(
        async |s, n| {
            s.guests([other(n), other(n) + 1]).await;
            done!(s.set_sign_ups(SignUpPolicy::InviteOnly));
            done!(s.add_sign_up_codes(vec![hash(50)], 3_000));
        },
        async |s, n| done!(accounts::open_with(s, other(n) + 1, Some(50))),
        async |s, n| done!(accounts::open_with(s, other(n), Some(50))),
        async |_, _, one, other| {
            use AccountOpening::{Opened, UnknownSignUpCode};
            assert!([(Opened, UnknownSignUpCode), (UnknownSignUpCode, Opened)].contains(&(one, other)));
        },
    );
    preference_and_preference(
        nothing,
        async |s, n| preferences::set(s, ACCOUNTS[0], "a", n).await,
        async |s, n| preferences::set(s, ACCOUNTS[0], "b", n).await,
        async |s, n, one, other| {
            let n = n.to_string();
            let both = preferences::values(&[("a", &n), ("b", &n)]);
            is!(s.preferences(player(ACCOUNTS[0])), both);
            assert!([one, other].contains(&PreferenceChange::Changed(both)), "the second sees the first");
        },
    );
    passkey_and_passkey(
        async |s, n| if n == 0 {
            done!(s.add_passkey(accounts::proof(ACCOUNTS[0]), Passkey {
                credential: Credential { counter: 0, ..passkeys::passkey(10, 0).credential },
                ..passkeys::passkey(10, ACCOUNTS[0])
            }));
        },
        passkeys::count_to,
        passkeys::count_to,
        async |_, _, one, other| assert!(one != other, "one of two uses by one counter counts"),
    );
    rating_and_rating(
        ratings::with_pair,
        async |s, n| ratings::end_first(s, 2 * n, n).await,
        async |s, n| ratings::end_first(s, 2 * n + 1, n).await,
        async |_, _, one, other| assert!(matches!(one_of(one, other), Conflict)),
    );
    key_of_the_server_and_another(
        nothing,
        async |s, n| done!(s.server_key(KeyPurpose::Push, server_key(n))),
        async |s, n| done!(s.server_key(KeyPurpose::Push, server_key(999 + n))),
        async |s, _, one, other| {
            assert!(one == other && [0, 999].map(server_key).contains(&one), "the first stays");
            let messages = done!(s.server_key(KeyPurpose::Messages, server_key(5)));
            assert!(messages == server_key(5), "each purpose has its own");
        },
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_on_a_file() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    many_at_once([Fixture(store.clone()), Fixture(store)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_on_a_server() {
    let database = Database::new().expect("a database");
    let url = database.url();
    many_at_once([Fixture(open_postgres(&url).await), Fixture(open_postgres(&url).await)]).await;
}

/// Batches that overlap, from both: nothing waits in a circle, and nothing is lost or done twice.
async fn many_at_once(nodes: [Fixture; 2]) {
    const MATCHES: u32 = 12;
    let mut chance = Chance::new();
    nodes[0].guests(0..MATCHES).await;
    nodes[0].matches(0..MATCHES).await;
    for round in 0..40 {
        let head = round + 1;
        let mut writes = Vec::new();
        for n in 0..MATCHES {
            let first = usize::from(chance.below(2) == 0);
            for s in [&nodes[first], &nodes[1 - first]] {
                let mut append = append(n, head);
                if chance.below(3) == 0 {
                    append.events = joined(head, (n + round) % MATCHES).into();
                }
                append.key = (chance.below(3) == 0).then(|| key(n, &format!("{round}")));
                let yields = chance.below(6);
                writes.push(async move {
                    let made = later(yields, s.append(append)).await;
                    // Locks guests the other way round.
                    yes!(s.rename_guest(player((n + 1) % MATCHES), format!("round {round}")));
                    (n, made)
                });
            }
        }
        let mut made = vec![0; MATCHES as usize];
        for (n, done) in join_all(writes).await {
            match done {
                Ok(()) => made[n as usize] += 1,
                Err(Conflict | KeyUsed) => {}
                Err(error) => panic!("match {n}: {error:?}"),
            }
        }
        assert!(made.iter().all(|made| *made == 1), "{made:?}");
    }
    for s in nodes {
        s.close().await;
        refused!(s.head(match_id(0)), StoreError::Closed);
    }
}
