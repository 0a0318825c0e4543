//! What the person who runs the server asks of a store.

use std::sync::Arc;

use lusoria_play::{
    Admission, Bytes32, Clock, Colours, Event, JOURNAL_VERSION, Length, Level, MatchId, Millis, Player,
    PlayerKind, Seat, SeatSeed, Terms,
};
use lusoria_rules::{Game, Variant};
use lusoria_store::{
    Append, AppendError, Card, DeviceCode, Guest, Journal, MatchState, MatchesOfGame, NewMatch, Recent,
    Statistics, Store, Version,
};
use uuid::{NoContext, Timestamp, Uuid};

use super::{
    append, card, card_of, events, guest, guest_of, hash, invitation, key, match_id, new_match,
    on_all_stores, player, session, session_id, version,
};

on_all_stores![
    guests_are_found_by_name_the_newest_first,
    a_guest_stays_blocked_until_unblocked,
    a_blocked_guest_has_no_device_code,
    a_forgotten_guest_has_nothing_left,
    only_a_guest_who_is_not_blocked_is_seated,
    the_matches_of_a_guest_are_those_they_play_in_or_made,
    events_are_rewritten_only_at_the_version_that_was_read,
    who_read_an_earlier_edition_appends_nothing,
    stale_matches_are_unfinished_and_old,
    only_a_match_that_has_ended_is_forgotten,
    everything_is_counted,
];

async fn guests_are_found_by_name_the_newest_first(store: Arc<Store>) {
    for n in 1..=3 {
        let name = if n == 2 { "Agathias" } else { "Zeno" };
        let session = session(u8::try_from(n).expect("small"));
        store.add_guest(Guest { name: name.to_owned(), ..guest(n) }, session).await.expect("added");
    }
    let named = async |name: &str, limit| {
        let found = store.guests_named(name.to_owned(), limit).await.expect("read");
        found.into_iter().map(|guest| guest.id).collect::<Vec<_>>()
    };
    assert_eq!(named("Zeno", 10).await, [player(3), player(1)]);
    assert_eq!(named("Zeno", 1).await, [player(3)]);
    assert_eq!(named("zeno", 10).await, []);
}

async fn a_guest_stays_blocked_until_unblocked(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    let blocked_at = async || {
        let shown = guest_of(&store, 1).await.expect("a guest");
        assert_eq!(store.guest(player(1)).await.expect("read"), Some(shown.clone()));
        shown.blocked_at
    };
    assert_eq!(blocked_at().await, None);
    assert!(store.set_blocked(player(1), Some(5_000)).await.expect("set"));
    assert_eq!(blocked_at().await, Some(5_000));
    assert!(store.set_blocked(player(1), None).await.expect("set"));
    assert_eq!(blocked_at().await, None);
    assert!(!store.set_blocked(player(2), Some(1)).await.expect("set"));
}

async fn a_blocked_guest_has_no_device_code(store: Arc<Store>) {
    store.add_guest(guest(1), session(1)).await.expect("added");
    let code = || DeviceCode { hash: hash(7), guest: player(1), expires_at: 9_000 };
    assert!(store.add_device_code(code(), session_id(1)).await.expect("added"));
    assert!(store.set_blocked(player(1), Some(5_000)).await.expect("set"));
    // A request that was let in just before.
    assert!(!store.add_device_code(code(), session_id(1)).await.expect("asked"));
    assert!(store.set_blocked(player(1), None).await.expect("set"));
    assert_eq!(store.spend_device_code(hash(7), session(8), 6_000).await.expect("asked"), None);
    assert_eq!(store.sessions(player(1)).await.expect("read").len(), 1);
    assert!(store.add_device_code(code(), session_id(1)).await.expect("added"));
    assert!(store.spend_device_code(hash(7), session(8), 6_000).await.expect("spent").is_some());
}

async fn a_forgotten_guest_has_nothing_left(store: Arc<Store>) {
    for n in [1, 2] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    let code = DeviceCode { hash: hash(7), guest: player(1), expires_at: 9_000 };
    assert!(store.add_device_code(code, session_id(1)).await.expect("added"));
    store.create(NewMatch { key: Some(key(1, "make")), ..new_match(1) }).await.expect("created");
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert!(!store.forget_guest(player(1)).await.expect("there is none"));
    assert_eq!(store.guest(player(1)).await.expect("read"), None);
    assert_eq!(guest_of(&store, 1).await, None);
    assert_eq!(store.spend_device_code(hash(7), session(8), 0).await.expect("read"), None);
    assert_eq!(store.used_key(player(1), "make".to_owned()).await.expect("read"), None);
    assert!(store.head(match_id(1)).await.expect("read").is_some(), "their matches stay");
    assert!(guest_of(&store, 2).await.is_some(), "no other guest is touched");
    let computer = lusoria_play::Level::ALL[0].player_id();
    assert!(!store.forget_guest(computer).await.expect("refused"));
    let kind = store.guest(computer).await.expect("read").expect("it is still there").kind;
    assert!(matches!(kind, PlayerKind::Computer(_)));
}

/// Even if the guest was not blocked yet when they asked.
async fn only_a_guest_who_is_not_blocked_is_seated(store: Arc<Store>) {
    for n in [1, 2] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    let named = |n| Player { id: player(n), name: format!("guest {n}"), kind: PlayerKind::Person };
    let made = |n, creator, made_by| {
        let mut new = new_match(n);
        new.events[0].event = Event::Created {
            version: JOURNAL_VERSION,
            terms: Terms {
                variant: Variant::standard(Game::Tavla),
                length: Length::SINGLE,
                clock: Clock::None {},
                colours: Colours::Lot,
                admission: Admission::Open,
                rated: false,
            },
            creator,
            commitment: Bytes32([0; 32]),
            seed: SeatSeed::Hash(Bytes32([0; 32])),
            rematch_of: None,
            made_by,
        };
        new
    };
    let joined = |head, n| {
        let mut events = events(head, 1, 2_000);
        events[0].event = Event::Joined { player: named(n), seed: SeatSeed::Hash(Bytes32([0; 32])) };
        Append { events: events.into(), ..append(1, head) }
    };
    let gone = |answer: Result<(), AppendError>, n| {
        assert!(matches!(answer, Err(AppendError::GuestGone(gone)) if gone == player(n)), "{answer:?}");
    };
    let computer = || Player::computer(Level::ALL[0]);
    store.create(made(1, named(1), None)).await.expect("created");
    store.set_blocked(player(1), Some(5_000)).await.expect("set");
    gone(store.create(made(2, named(1), None)).await, 1);
    gone(store.create(made(2, computer(), Some(named(1)))).await, 1);
    gone(store.append(Append { create: Some(Box::new(made(2, named(1), None))), ..append(1, 1) }).await, 1);
    gone(store.append(Append { spends: Some(hash(1)), ..joined(1, 1) }).await, 1);
    // Beside others in one transaction: what is no seat goes on.
    let (join, turn) = tokio::join!(store.append(joined(1, 3)), store.append(append(1, 1)));
    gone(join, 3);
    turn.expect("appended");
    assert!(store.head(match_id(2)).await.expect("read").is_none());
    store.set_blocked(player(1), None).await.expect("set");
    store.create(made(2, computer(), Some(named(1)))).await.expect("created");
    store.append(joined(2, 2)).await.expect("appended");
    store.forget_guest(player(2)).await.expect("forgotten");
    gone(store.append(joined(3, 2)).await, 2);
    let used = key(1, "again");
    store.create(NewMatch { key: Some(used.clone()), ..made(3, named(1), None) }).await.expect("created");
    store.set_blocked(player(1), Some(5_000)).await.expect("set");
    let again = store.create(NewMatch { key: Some(used), ..made(4, named(1), None) }).await;
    assert!(matches!(again, Err(AppendError::KeyUsed)), "what was done before is found: {again:?}");
}

async fn the_matches_of_a_guest_are_those_they_play_in_or_made(store: Arc<Store>) {
    let seats = |seat1, seat2| card_of(MatchState::Live, seat1, seat2);
    for (n, card, made_by) in [
        (1, seats(player(1), Some(player(2))), None),
        (2, seats(player(2), Some(player(1))), None),
        (3, seats(player(2), Some(player(3))), None),
        (4, seats(player(2), None), Some(player(1))),
        (5, seats(player(1), Some(player(1))), None),
    ] {
        store.create(NewMatch { card, made_by, ..new_match(n) }).await.expect("created");
    }
    let page = async |after: Option<u32>, limit| {
        store.matches_of(player(1), after.map(match_id), limit).await.expect("read")
    };
    assert_eq!(page(None, 10).await, [1, 2, 4, 5].map(match_id));
    assert_eq!(page(None, 3).await, [1, 2, 4].map(match_id));
    assert_eq!(page(Some(4), 3).await, [match_id(5)]);
    assert_eq!(page(Some(5), 3).await, []);
}

async fn events_are_rewritten_only_at_the_version_that_was_read(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    let mut other = events(0, 1, 1_000);
    other[0].event = Event::DrawOffered { seat: Seat::Two };
    let renamed = || Card { turns: 7, updated_at: 2_000, ..card(MatchState::Live) };
    let rewrite =
        async |n, of| store.rewrite(match_id(n), of, other.clone(), renamed()).await.expect("answered");
    for (n, of) in [(1, version(1)), (2, version(1)), (2, version(0)), (1, Version { head: 2, edition: 1 })] {
        assert!(!rewrite(n, of).await, "match {n}, {of:?}");
    }
    let journal = store.events(match_id(1), 0, 1).await.expect("read");
    assert_eq!(journal, Journal { edition: 0, events: events(0, 1, 1_000) });
    assert!(rewrite(1, version(2)).await);
    assert!(!rewrite(1, version(2)).await, "it is another edition");
    let journal = store.events(match_id(1), 0, 9).await.expect("read");
    assert_eq!(journal, Journal { edition: 1, events: [other.clone(), events(1, 1, 2_000)].concat() });
    let row = store.row(match_id(1)).await.expect("read").expect("a row");
    assert_eq!((row.head, row.card), (2, renamed()));
    assert!(rewrite(1, Version { head: 2, edition: 1 }).await);
    assert_eq!(
        store.events(match_id(1), 2, 9).await.expect("read"),
        Journal { edition: 2, events: Vec::new() }
    );
}

/// Else it would write the old name back with its card.
async fn who_read_an_earlier_edition_appends_nothing(store: Arc<Store>) {
    store.create(new_match(1)).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    assert!(
        store.rewrite(match_id(1), version(2), Vec::new(), card(MatchState::Live)).await.expect("rewritten")
    );
    assert!(matches!(store.append(append(1, 2)).await, Err(AppendError::Conflict)));
    let now = Version { head: 2, edition: 1 };
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version, now);
    let later = Version { head: 2, edition: 2 };
    assert!(matches!(store.append(Append { of: later, ..append(1, 2) }).await, Err(AppendError::Conflict)));
    store.append(Append { of: now, ..append(1, 2) }).await.expect("appended");
    let version = store.head(match_id(1)).await.expect("read").expect("a head").version;
    assert_eq!(version, Version { head: 3, edition: 1 }, "an append is no other edition");
}

async fn stale_matches_are_unfinished_and_old(store: Arc<Store>) {
    for (n, state, at) in [
        (1, MatchState::Open, 1_000),
        (2, MatchState::Finished, 1_000),
        (3, MatchState::Live, 1_999),
        (4, MatchState::Live, 2_000),
    ] {
        let new = NewMatch { events: events(0, 1, at), card: card(state), ..new_match(n) };
        store.create(new).await.expect("created");
    }
    let stale = async |after: Option<u32>, limit| {
        let rows = store.stale(2_000, after.map(match_id), limit).await.expect("read");
        rows.rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(stale(None, 10).await, [1, 3].map(match_id));
    assert_eq!(stale(None, 1).await, [match_id(1)]);
    assert_eq!(stale(Some(1), 10).await, [match_id(3)]);
}

async fn only_a_match_that_has_ended_is_forgotten(store: Arc<Store>) {
    let new = NewMatch { key: Some(key(1, "make")), invitation: Some(invitation(1)), ..new_match(1) };
    store.create(new).await.expect("created");
    assert!(!store.forget_match(match_id(1), 1).await.expect("refused"), "it has not ended");
    let mut ends = append(1, 1);
    ends.card = card(MatchState::Finished);
    store.append(ends).await.expect("appended");
    assert!(!store.forget_match(match_id(1), 1).await.expect("refused"), "it has moved on");
    assert!(store.forget_match(match_id(1), 2).await.expect("forgotten"));
    assert!(store.head(match_id(1)).await.expect("read").is_none());
    assert!(store.secret(match_id(1)).await.expect("read").is_none());
    assert_eq!(store.events(match_id(1), 0, 9).await.expect("read").events, []);
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
    assert_eq!(store.used_key(player(1), "make".to_owned()).await.expect("read"), None);
    assert!(!store.forget_match(match_id(1), 2).await.expect("there is none"));
}

async fn everything_is_counted(store: Arc<Store>) {
    let day: Millis = 86_400_000;
    let made = |at: Millis, n: u8| {
        let id = Uuid::new_v7(Timestamp::from_unix(NoContext, at / 1_000, 0));
        NewMatch { id: MatchId(id), events: events(0, u32::from(n), at), ..new_match(1) }
    };
    for (n, kind, at) in [(1, PlayerKind::Person, 0), (2, PlayerKind::Bot, day), (3, PlayerKind::Person, day)]
    {
        store
            .add_guest(Guest { kind, created_at: at, ..guest(n) }, session(u8::try_from(n).expect("small")))
            .await
            .expect("added");
    }
    store.set_blocked(player(3), Some(5)).await.expect("set");
    store.create(made(day - 1_000, 1)).await.expect("created");
    store.create(made(day, 2)).await.expect("created");
    let mut finished = made(2 * day, 3);
    finished.card = card(MatchState::Finished);
    finished.card.terms.variant = Variant::standard(Game::Zeno);
    store.create(finished).await.expect("created");
    let Statistics { people, bots, blocked, matches, recent, .. } =
        store.statistics(vec![day, 2 * day]).await.expect("counted");
    assert_eq!((people, bots, blocked), (2, 1, 1));
    assert_eq!(
        matches,
        [
            MatchesOfGame { game: Game::Tavla, state: MatchState::Open, matches: 2, events: 3 },
            MatchesOfGame { game: Game::Zeno, state: MatchState::Finished, matches: 1, events: 3 },
        ]
    );
    assert_eq!(
        recent,
        [
            Recent { since: day, guests: 2, made: 2, touched: 2 },
            Recent { since: 2 * day, guests: 0, made: 1, touched: 1 },
        ]
    );
}
