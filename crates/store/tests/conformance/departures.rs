//! Guests who leave: adopted by an account, or erased.

use std::sync::Arc;

use lusoria_play::{Bytes32, Event, Millis, Player, PlayerKind, Recorded, Seat, SeatSeed};
use lusoria_store::{
    AdoptionBeginning, Append, AppendError, BLOCKS_PER_GUEST_MAX, Card, ChallengeEnd, Departure, DeviceCode,
    ErasureBeginning, ErasureBy, Guest, HandingOver, MatchFilter, MatchState, NewAdoption, NewMatch, Proof,
    Shown, Store, Version,
};

use proptest::prelude::*;

use super::{
    accounts::{password, proof, with_accounts},
    append, card_of, challenges,
    conditional::turns,
    events, guest, guest_of, hash, key, match_id,
    model::words,
    new_match, on_all_stores, player, seeks, session, session_id, version,
};

on_all_stores!(
    who_is_adopted_can_do_nothing_any_more,
    an_adoption_is_refused_for_each_reason,
    an_account_adopts_several_guests_one_after_the_other,
    follows_and_blocks_are_the_adopters_each_once,
    beyond_the_most_blocks_the_oldest_are_dropped,
    keys_are_the_adopters,
    a_match_is_handed_over_with_its_seat_and_its_maker,
    conditional_turns_are_handed_over_with_their_match,
    only_a_match_of_this_version_is_handed_over,
    an_adopter_joins_no_match_of_the_guest,
    an_erasure_needs_its_proof,
    who_is_erased_can_do_nothing_any_more,
    what_was_to_be_adopted_goes_with_the_adopter,
    an_erasure_takes_the_place_of_an_adoption,
    who_leaves_is_not_unblocked,
    a_departure_ends_once,
);

/// Guests 1 (with an account), 2 and 3, each with the session of their number.
async fn with_guests(store: &Arc<Store>) {
    with_accounts(store, &[1]).await;
    for n in [2, 3] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("few"))).await.expect("added");
    }
}

/// The adoption of guest `of` by guest `by`.
pub(super) fn adoption(of: u8, by: u8) -> NewAdoption {
    NewAdoption {
        adopter: player(by.into()),
        by: session_id(by),
        guest: player(of.into()),
        session: session_id(of),
        at: 7_000,
    }
}

fn adopted(of: u8, by: u8) -> Departure {
    Departure { guest: player(of.into()), adopter: Some(player(by.into())), since: 7_000 }
}

fn erased(n: u8) -> Departure {
    Departure { guest: player(n.into()), adopter: None, since: 8_000 }
}

async fn adopt(store: &Arc<Store>, of: u8, by: u8) -> AdoptionBeginning {
    store.begin_adoption(adoption(of, by)).await.expect("asked")
}

async fn erase(store: &Arc<Store>, n: u8) {
    let begun = store.begin_erasure(player(n.into()), ErasureBy::Operator, 8_000).await.expect("asked");
    assert_eq!(begun, ErasureBeginning::Begun);
}

async fn departures(store: &Arc<Store>) -> Vec<Departure> {
    store.departures().await.expect("read")
}

/// A match of guest `one` against guest `two`, if they have joined.
pub(super) fn match_of(n: u32, one: u32, two: Option<u32>) -> NewMatch {
    let state = if two.is_some() { MatchState::Live } else { MatchState::Open };
    NewMatch { card: card_of(state, player(one), two.map(player)), ..new_match(n) }
}

async fn who_is_adopted_can_do_nothing_any_more(store: Arc<Store>) {
    with_guests(&store).await;
    let code = DeviceCode { hash: hash(200), guest: player(2), expires_at: 9_000 };
    assert!(store.add_device_code(code, session_id(2)).await.expect("added"));
    store.add_seek(seeks::seek(1, 2)).await.expect("added");
    store.add_challenge(challenges::challenge(1, 2, 3)).await.expect("added");
    store.add_challenge(challenges::challenge(2, 3, 2)).await.expect("added");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    assert_eq!(departures(&store).await, [adopted(2, 1)]);
    assert_eq!(guest_of(&store, 2).await, None, "their session has ended");
    assert_eq!(store.spend_device_code(hash(200), session(9), 1).await.expect("asked"), None);
    assert_eq!(store.seeks_of(player(2), 0).await.expect("read"), []);
    for id in [1, 2] {
        let found = store.challenge(match_id(id), 0).await.expect("read").expect("it is kept for a while");
        assert_eq!(found.challenge.end, Some(ChallengeEnd::Withdrawn));
    }
    let blocked = Guest { blocked_at: Some(7_000), ..guest(2) };
    assert_eq!(store.guest(player(2)).await.expect("read"), Some(blocked));
    assert_eq!(guest_of(&store, 1).await, Some(guest(1)), "who adopts them goes on");
}

async fn an_adoption_is_refused_for_each_reason(store: Arc<Store>) {
    with_accounts(&store, &[1, 4]).await;
    for n in [2, 3, 5, 6] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("few"))).await.expect("added");
    }
    let bot = Guest { kind: PlayerKind::Bot, ..guest(7) };
    store.add_guest(bot, session(7)).await.expect("added");
    store.create(match_of(1, 5, Some(1))).await.expect("created");
    store.create(match_of(2, 1, Some(6))).await.expect("created");
    store.set_blocked(player(3), Some(5)).await.expect("blocked");
    for (new, refused) in [
        (NewAdoption { by: session_id(2), ..adoption(2, 1) }, AdoptionBeginning::SessionEnded),
        (adoption(2, 3), AdoptionBeginning::SessionEnded),
        (adoption(1, 2), AdoptionBeginning::NoAccount),
        (adoption(1, 1), AdoptionBeginning::Yourself),
        (NewAdoption { session: session_id(4), ..adoption(2, 1) }, AdoptionBeginning::GuestSessionEnded),
        (adoption(9, 1), AdoptionBeginning::GuestSessionEnded),
        (adoption(3, 1), AdoptionBeginning::GuestBlocked),
        (adoption(4, 1), AdoptionBeginning::GuestHasAccount),
        (adoption(7, 1), AdoptionBeginning::OtherKind),
        (adoption(5, 1), AdoptionBeginning::PlayedEachOther),
        (adoption(6, 1), AdoptionBeginning::PlayedEachOther),
    ] {
        assert_eq!(store.begin_adoption(new).await.expect("asked"), refused, "{new:?}");
    }
    assert_eq!(departures(&store).await, []);
    assert_eq!(store.guest(player(2)).await.expect("read"), Some(guest(2)), "nothing has changed");
}

async fn an_account_adopts_several_guests_one_after_the_other(store: Arc<Store>) {
    with_guests(&store).await;
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::GuestSessionEnded);
    assert_eq!(adopt(&store, 3, 1).await, AdoptionBeginning::Begun);
    assert_eq!(departures(&store).await, [adopted(2, 1), adopted(3, 1)]);
}

async fn follows_and_blocks_are_the_adopters_each_once(store: Arc<Store>) {
    with_guests(&store).await;
    for n in [4, 5, 6] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("few"))).await.expect("added");
    }
    for (of, to, at) in
        [(1, 4, 10), (2, 4, 20), (2, 5, 30), (2, 1, 40), (1, 2, 50), (3, 2, 60), (3, 1, 70), (6, 2, 80)]
    {
        store.add_follow(player(of), player(to), at).await.expect("followed");
        store.add_block(player(of), player(to), at).await.expect("blocked");
    }
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    let ids = |guests: Vec<Guest>| guests.into_iter().map(|guest| guest.id).collect::<Vec<_>>();
    for (of, to) in [(1, vec![5, 4]), (2, vec![]), (3, vec![1]), (6, vec![1])] {
        let to: Vec<_> = to.into_iter().map(player).collect();
        assert_eq!(ids(store.followed_by(player(of)).await.expect("read")), to, "{of} follows");
        assert_eq!(ids(store.blocked_by(player(of)).await.expect("read")), to, "{of} blocks");
    }
    let mut around = store.blocks_around(player(1)).await.expect("read");
    around.sort_unstable();
    assert_eq!(around, [3, 4, 5, 6].map(player));
}

async fn beyond_the_most_blocks_the_oldest_are_dropped(store: Arc<Store>) {
    with_guests(&store).await;
    let of = |n: u32| 100 + n;
    for n in 0..=BLOCKS_PER_GUEST_MAX {
        let new = Guest { id: player(of(n)), ..guest(2) };
        let mut session = session(2);
        (session.id, session.token) = (
            lusoria_store::SessionId(player(of(n)).0),
            lusoria_store::SecretHash({
                let mut hash = [3; 32];
                hash[..4].copy_from_slice(&n.to_be_bytes());
                hash
            }),
        );
        store.add_guest(new, session).await.expect("added");
    }
    for n in 0..BLOCKS_PER_GUEST_MAX - 1 {
        store.add_block(player(1), player(of(n)), 10).await.expect("blocked");
    }
    let (older, newer) = (of(BLOCKS_PER_GUEST_MAX - 1), of(BLOCKS_PER_GUEST_MAX));
    store.add_block(player(2), player(newer), 30).await.expect("blocked");
    store.add_block(player(2), player(older), 20).await.expect("blocked");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    let blocked = store.blocked_by(player(1)).await.expect("read");
    assert_eq!(blocked.len(), BLOCKS_PER_GUEST_MAX as usize);
    assert!(blocked.iter().any(|guest| guest.id == player(newer)));
    assert!(blocked.iter().all(|guest| guest.id != player(older)));
}

async fn keys_are_the_adopters(store: Arc<Store>) {
    with_guests(&store).await;
    store.create(NewMatch { key: Some(key(2, "both")), ..match_of(1, 2, None) }).await.expect("created");
    store.create(NewMatch { key: Some(key(2, "one")), ..match_of(2, 2, None) }).await.expect("created");
    store.create(NewMatch { key: Some(key(1, "both")), ..match_of(3, 1, None) }).await.expect("created");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    let used = async |guest, key: &str| {
        let used = store.used_key(player(guest), key.to_owned()).await.expect("read");
        used.map(|used| used.id)
    };
    assert_eq!(used(1, "one").await, Some(match_id(2)));
    assert_eq!(used(1, "both").await, Some(match_id(3)), "their own stays");
    assert_eq!((used(2, "one").await, used(2, "both").await), (None, None));
}

/// A card with these players, live.
fn live(one: u32, two: u32) -> Card {
    card_of(MatchState::Live, player(one), Some(player(two)))
}

async fn hand_over(store: &Arc<Store>, n: u32, of: Version, adoption: Departure, card: Card) -> HandingOver {
    let mut changed = events(0, 1, 1_000);
    changed[0].event = Event::DrawOffered { seat: Seat::Two };
    store.hand_over(match_id(n), of, adoption, changed, card).await.expect("asked")
}

async fn a_match_is_handed_over_with_its_seat_and_its_maker(store: Arc<Store>) {
    with_guests(&store).await;
    store.create(match_of(1, 2, Some(3))).await.expect("created");
    store.create(match_of(2, 3, Some(2))).await.expect("created");
    store.create(NewMatch { made_by: Some(player(2)), ..match_of(3, 3, None) }).await.expect("created");
    store.create(match_of(4, 2, Some(2))).await.expect("created");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    let open = card_of(MatchState::Open, player(3), None);
    for (n, card) in [(1, live(1, 3)), (2, live(3, 1)), (3, open), (4, live(1, 1))] {
        let outcome = hand_over(&store, n, version(1), adopted(2, 1), card.clone()).await;
        assert_eq!(outcome, HandingOver::HandedOver, "{n}");
        let row = store.row(match_id(n)).await.expect("read").expect("a row");
        assert_eq!(row.card.players, card.players);
        let journal = store.events(match_id(n), 0, 9).await.expect("read");
        assert_eq!((journal.edition, &journal.events[0].event), (1, &Event::DrawOffered { seat: Seat::Two }));
    }
    let of = async |n| store.matches_of(player(n), None, 9).await.expect("read");
    assert_eq!(of(1).await, [1, 2, 3, 4].map(match_id));
    assert_eq!(of(2).await, []);
    let listed = MatchFilter::Of { player: player(1), state: Some(MatchState::Live) };
    let listed = store.list(listed, None, 9).await.expect("read").rows;
    assert_eq!(listed.iter().map(|row| row.id).collect::<Vec<_>>(), [4, 2, 1].map(match_id));
    assert_eq!(store.unfinished_created_by(player(1)).await.expect("read"), 3);
}

async fn conditional_turns_are_handed_over_with_their_match(store: Arc<Store>) {
    with_guests(&store).await;
    for n in 1..=3 {
        store.create(match_of(n, 2, Some(3))).await.expect("created");
    }
    for (n, of, laid) in [(1, 2, 5), (1, 3, 4), (2, 2, 7), (3, 2, 8), (3, 1, 1)] {
        assert!(store.set_conditional_turns(match_id(n), player(of), turns(laid)).await.expect("asked"));
    }
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    for n in [1, 3] {
        let outcome = hand_over(&store, n, version(1), adopted(2, 1), live(1, 3)).await;
        assert_eq!(outcome, HandingOver::HandedOver);
    }
    let moved_on = hand_over(&store, 2, version(2), adopted(2, 1), live(1, 3)).await;
    assert_eq!(moved_on, HandingOver::MovedOn);
    let of = async |n| store.conditional_turns_of(player(n)).await.expect("read");
    assert_eq!(of(1).await, [(match_id(1), turns(5)), (match_id(3), turns(1))], "their own stay");
    assert_eq!(of(3).await, [(match_id(1), turns(4))]);
    assert!(of(2).await.contains(&(match_id(2), turns(7))), "that match is not handed over yet");
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    assert_eq!(of(1).await.len(), 2, "they do not go with the guest");
}

async fn only_a_match_of_this_version_is_handed_over(store: Arc<Store>) {
    with_guests(&store).await;
    store.create(match_of(1, 2, Some(3))).await.expect("created");
    let hand_over = async |n, of, adoption| hand_over(&store, n, of, adoption, live(1, 3)).await;
    assert_eq!(hand_over(1, version(1), adopted(2, 1)).await, HandingOver::Ended, "it has not begun");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    assert_eq!(hand_over(1, version(2), adopted(2, 1)).await, HandingOver::MovedOn);
    assert_eq!(hand_over(9, version(1), adopted(2, 1)).await, HandingOver::MovedOn);
    assert_eq!(hand_over(1, version(1), adopted(2, 3)).await, HandingOver::Ended);
    assert_eq!(
        hand_over(1, version(1), Departure { adopter: None, ..adopted(2, 1) }).await,
        HandingOver::Ended
    );
    assert_eq!(hand_over(1, version(1), adopted(2, 1)).await, HandingOver::HandedOver);
    assert_eq!(hand_over(1, version(1), adopted(2, 1)).await, HandingOver::MovedOn, "it is another edition");
}

/// Guest `two` joins match `n` of guest `one`.
pub(super) fn joined(n: u32, of: Version, one: u32, two: u32) -> Append {
    let mut append = Append { of, card: live(one, two), ..append(n, of.head) };
    let joiner = Player { id: player(two), name: format!("guest {two}"), kind: PlayerKind::Person };
    let event = Event::Joined { player: joiner, seed: SeatSeed::Hash(Bytes32([0; 32])) };
    append.events = vec![Recorded { seq: of.head + 1, first: of.head + 1, at: 2_000, event }].into();
    append
}

async fn an_adopter_joins_no_match_of_the_guest(store: Arc<Store>) {
    with_guests(&store).await;
    for n in [1, 2] {
        store.create(match_of(n, 2, None)).await.expect("created");
    }
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    let refused = store.append(joined(1, version(1), 2, 1)).await;
    assert!(matches!(refused, Err(AppendError::GuestGone(_) | AppendError::Conflict)), "{refused:?}");
    let now = store.head(match_id(1)).await.expect("read").expect("a head").version;
    assert_eq!(now, Version { head: 1, edition: 1 });
    let refused = store.append(joined(1, now, 2, 1)).await;
    assert!(matches!(refused, Err(AppendError::GuestGone(gone)) if gone == player(1)), "{refused:?}");
    store.append(joined(2, now, 2, 3)).await.expect("others join");
}

async fn an_erasure_needs_its_proof(store: Arc<Store>) {
    with_guests(&store).await;
    let wrong = Proof { shown: Shown::Password(password(2)), ..proof(1) };
    for (of, by, outcome) in [
        (1, ErasureBy::Session(session_id(1)), ErasureBeginning::HasAccount),
        (1, ErasureBy::Session(session_id(2)), ErasureBeginning::NotProven),
        (1, ErasureBy::Account(wrong), ErasureBeginning::NotProven),
        (2, ErasureBy::Account(proof(1)), ErasureBeginning::NotProven),
        (2, ErasureBy::Session(session_id(3)), ErasureBeginning::NotProven),
    ] {
        let begun = store.begin_erasure(player(of), by.clone(), 8_000).await.expect("asked");
        assert_eq!(begun, outcome, "{by:?}");
    }
    assert_eq!(departures(&store).await, []);
    for (of, by) in [(1, ErasureBy::Account(proof(1))), (2, ErasureBy::Session(session_id(2)))] {
        let begun = store.begin_erasure(player(of), by, 8_000).await.expect("asked");
        assert_eq!(begun, ErasureBeginning::Begun);
    }
    assert_eq!(departures(&store).await, [erased(1), erased(2)]);
}

async fn who_is_erased_can_do_nothing_any_more(store: Arc<Store>) {
    with_guests(&store).await;
    store.set_blocked(player(3), Some(5)).await.expect("blocked");
    for n in [1, 2, 3, 9] {
        erase(&store, n).await;
    }
    for n in [1, 2, 3] {
        assert_eq!(guest_of(&store, n).await, None);
    }
    let blocked_at = async |n| store.guest(player(n)).await.expect("read").expect("a guest").blocked_at;
    assert_eq!((blocked_at(1).await, blocked_at(3).await), (Some(8_000), Some(5)));
    let signed_in = store.sign_in(player(1), password(1), session(20), 1).await.expect("asked");
    assert!(signed_in.is_some_and(|guest| guest.blocked_at.is_some()), "nothing changes for who is blocked");
    assert!(matches!(store.append(joined(1, version(1), 2, 1)).await, Err(AppendError::GuestGone(_))));
}

async fn what_was_to_be_adopted_goes_with_the_adopter(store: Arc<Store>) {
    with_guests(&store).await;
    store.create(match_of(1, 2, Some(3))).await.expect("created");
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    erase(&store, 1).await;
    let left = [Departure { adopter: None, ..adopted(2, 1) }, erased(1)];
    assert_eq!(departures(&store).await, left);
    let outcome = hand_over(&store, 1, version(1), adopted(2, 1), live(1, 3)).await;
    assert_eq!(outcome, HandingOver::Ended, "or it would come back");
    assert!(!store.end_departure(adopted(2, 1)).await.expect("asked"));
}

async fn an_erasure_takes_the_place_of_an_adoption(store: Arc<Store>) {
    with_guests(&store).await;
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    erase(&store, 2).await;
    assert_eq!(departures(&store).await, [Departure { adopter: None, ..adopted(2, 1) }]);
}

async fn who_leaves_is_not_unblocked(store: Arc<Store>) {
    with_guests(&store).await;
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    erase(&store, 3).await;
    for n in [2, 3] {
        for since in [None, Some(9)] {
            assert!(!store.set_blocked(player(n), since).await.expect("asked"));
        }
        let blocked_at = store.guest(player(n)).await.expect("read").expect("a guest").blocked_at;
        assert!(blocked_at.is_some_and(|at: Millis| at >= 7_000));
    }
}

async fn a_departure_ends_once(store: Arc<Store>) {
    with_guests(&store).await;
    assert_eq!(adopt(&store, 2, 1).await, AdoptionBeginning::Begun);
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    assert_eq!(departures(&store).await, [adopted(2, 1)], "it outlasts the guest");
    assert!(!store.end_departure(adopted(2, 3)).await.expect("asked"));
    assert!(store.end_departure(adopted(2, 1)).await.expect("asked"));
    assert!(!store.end_departure(adopted(2, 1)).await.expect("asked"));
    assert_eq!(departures(&store).await, []);
}

/// What is done with guests who leave where stores are compared.
#[derive(Debug, Clone)]
pub(super) enum DepartureOp {
    Follow { n: u32, followed: u32 },
    Adopt { n: u32, by: u8, of: u32, session: u8 },
    Erase { n: u32 },
    HandOver { n: u32, of: u32, to: u32 },
    End { n: u32, adopter: Option<u32> },
}

/// One of them, among so many guests and codes.
pub(super) fn op(guests: u32, codes: u8) -> impl Strategy<Value = DepartureOp> {
    let (n, code) = (0..guests, 0..codes);
    prop_oneof![
        1 => (n.clone(), n.clone()).prop_map(|(n, followed)| DepartureOp::Follow { n, followed }),
        4 => (n.clone(), code.clone(), n.clone(), code)
            .prop_map(|(n, by, of, session)| DepartureOp::Adopt { n, by, of, session }),
        1 => n.clone().prop_map(|n| DepartureOp::Erase { n }),
        2 => (n.clone(), n.clone(), n.clone()).prop_map(|(n, of, to)| DepartureOp::HandOver { n, of, to }),
        1 => (n.clone(), prop::option::of(n)).prop_map(|(n, adopter)| DepartureOp::End { n, adopter }),
    ]
}

/// Does it, and tells what came of it.
pub(super) async fn apply(store: &Arc<Store>, op: DepartureOp) -> String {
    match op {
        DepartureOp::Follow { n, followed } => words(store.add_follow(player(n), player(followed), 6).await),
        DepartureOp::Adopt { n, by, of, session } => {
            let new = NewAdoption {
                adopter: player(n),
                by: session_id(by),
                guest: player(of),
                session: session_id(session),
                at: 8,
            };
            words(store.begin_adoption(new).await)
        }
        DepartureOp::Erase { n } => words(store.begin_erasure(player(n), ErasureBy::Operator, 9).await),
        DepartureOp::HandOver { n, of, to } => {
            let Some(row) = store.row(match_id(n)).await.expect("read") else { return String::new() };
            let now = store.head(match_id(n)).await.expect("read").map_or(version(0), |head| head.version);
            let mut card = row.card;
            for seat in [&mut card.players.0, &mut card.players.1] {
                if let Some(seated) = seat.as_mut().filter(|seated| seated.id == player(of)) {
                    seated.id = player(to);
                }
            }
            let adoption = Departure { guest: player(of), adopter: Some(player(to)), since: 0 };
            words(store.hand_over(match_id(n), now, adoption, Vec::new(), card).await)
        }
        DepartureOp::End { n, adopter } => {
            let departure = Departure { guest: player(n), adopter: adopter.map(player), since: 0 };
            words(store.end_departure(departure).await)
        }
    }
}
