//! Guests who leave: adopted by an account, or erased.

use AdoptionBeginning::*;

use super::{
    accounts::{password, proof},
    conditional::turns,
    *,
};

on_all_stores!(
    an_adopted_guest_can_do_nothing,
    an_adoption_is_refused_for_each_reason,
    a_departure_ends_once,
    follows_and_blocks_are_the_adopters_each_once,
    beyond_the_most_blocks_the_oldest_are_dropped,
    keys_are_the_adopters,
    what_guests_have_said_and_earned_is_the_adopters,
    a_match_is_handed_over_with_its_seat_and_its_maker,
    conditional_turns_are_handed_over_with_their_match,
    only_a_match_of_this_version_is_handed_over,
    an_adopter_joins_no_match_of_the_guest,
    an_erasure_needs_its_proof,
    an_erased_guest_can_do_nothing,
    what_was_to_be_adopted_goes_with_the_adopter,
);

/// Guests 1 (with an account), 2 and 3, each with the session of their number.
async fn with_guests(s: &Fixture) {
    s.with_accounts([1]).await;
    s.guests([2, 3]).await;
}

/// The adoption of guest `of` by guest `by`.
pub(super) fn adoption(of: u32, by: u32) -> NewAdoption {
    NewAdoption {
        adopter: player(by),
        by: session_id(by),
        guest: player(of),
        session: session_id(of),
        at: 7_000,
    }
}

fn adopted(of: u32, by: u32) -> Departure {
    Departure { guest: player(of), adopter: Some(player(by)), since: 7_000 }
}

fn erased(n: u32) -> Departure {
    Departure { guest: player(n), adopter: None, since: 8_000 }
}

async fn adopt(s: &Fixture, of: u32, by: u32) {
    is!(s.begin_adoption(adoption(of, by)), Begun);
}

async fn erase(s: &Fixture, n: u32) {
    is!(s.begin_erasure(player(n), ErasureBy::Operator, 8_000), ErasureBeginning::Begun);
}

async fn an_adopted_guest_can_do_nothing(s: Fixture) {
    with_guests(&s).await;
    yes!(s.add_code(2, 2));
    done!(s.add_seek(seeks::seek(1, 2)));
    for new in [challenges::challenge(1, 2, 3), challenges::challenge(2, 3, 2)] {
        done!(s.add_challenge(new));
    }
    adopt(&s, 2, 1).await;
    is!(s.departures(), [adopted(2, 1)]);
    is!(s.guest_of(2), None, "their session has ended");
    is!(s.spend_code(9), None);
    is!(s.seeks_of(player(2), 0), []);
    for id in [1, 2] {
        assert_eq!(there!(s.challenge(match_id(id), 0)).challenge.end, Some(ChallengeEnd::Withdrawn));
    }
    is!(s.guest(player(2)), Some(Guest { blocked_at: Some(7_000), ..guest(2) }));
    is!(s.guest_of(1), Some(guest(1)), "who adopts them goes on");
    for since in [None, Some(9)] {
        no!(s.set_blocked(player(2), since), "who leaves is neither unblocked nor blocked again");
    }
    is!(s.blocked_at(2), Some(7_000));
}

async fn an_adoption_is_refused_for_each_reason(s: Fixture) {
    s.with_accounts([1, 4]).await;
    s.guests([2, 3, 5, 6]).await;
    done!(s.add_guest(Guest { kind: PlayerKind::Bot, ..guest(7) }, session(7)));
    done!(s.create(match_of(1, 5, Some(1))));
    done!(s.create(match_of(2, 1, Some(6))));
    s.block(3).await;
    for (new, refused) in [
        (NewAdoption { by: session_id(2), ..adoption(2, 1) }, SessionEnded),
        (adoption(2, 3), SessionEnded),
        (adoption(1, 2), NoAccount),
        (adoption(1, 1), Yourself),
        (NewAdoption { session: session_id(4), ..adoption(2, 1) }, GuestSessionEnded),
        (adoption(9, 1), GuestSessionEnded),
        (adoption(3, 1), GuestBlocked),
        (adoption(4, 1), GuestHasAccount),
        (adoption(7, 1), OtherKind),
        (adoption(5, 1), PlayedEachOther),
        (adoption(6, 1), PlayedEachOther),
    ] {
        is!(s.begin_adoption(new), refused, "{new:?}");
    }
    is!(s.departures(), []);
    is!(s.guest(player(2)), Some(guest(2)), "nothing has changed");
}

async fn a_departure_ends_once(s: Fixture) {
    with_guests(&s).await;
    adopt(&s, 2, 1).await;
    is!(s.begin_adoption(adoption(2, 1)), GuestSessionEnded);
    adopt(&s, 3, 1).await;
    s.forget(2).await;
    is!(s.departures(), [adopted(2, 1), adopted(3, 1)], "it outlasts the guest");
    for (departure, ends) in [(adopted(2, 3), false), (adopted(2, 1), true), (adopted(2, 1), false)] {
        is!(s.end_departure(departure), ends);
    }
    is!(s.departures(), [adopted(3, 1)]);
}

async fn follows_and_blocks_are_the_adopters_each_once(s: Fixture) {
    with_guests(&s).await;
    s.guests(4..=6).await;
    for (of, to, at) in
        [(1, 4, 10), (2, 4, 20), (2, 5, 30), (2, 1, 40), (1, 2, 50), (3, 2, 60), (3, 1, 70), (6, 2, 80)]
    {
        done!(s.add_follow(player(of), player(to), at));
        done!(s.add_block(player(of), player(to), at));
    }
    adopt(&s, 2, 1).await;
    let ids = |guests: Vec<Guest>| guests.into_iter().map(|guest| guest.id).collect::<Vec<_>>();
    for (of, to) in [(1, vec![5, 4]), (2, vec![]), (3, vec![1]), (6, vec![1])] {
        let to: Vec<_> = to.into_iter().map(player).collect();
        assert_eq!(ids(done!(s.followed_by(player(of)))), to, "{of} follows");
        assert_eq!(ids(done!(s.blocked_by(player(of)))), to, "{of} blocks");
    }
    let mut around = done!(s.blocks_around(player(1)));
    around.sort_unstable();
    assert_eq!(around, [3, 4, 5, 6].map(player));
}

async fn beyond_the_most_blocks_the_oldest_are_dropped(s: Fixture) {
    const MOST: u32 = BLOCKS_PER_GUEST_MAX;
    with_guests(&s).await;
    s.guests(100..=100 + MOST).await;
    for n in 100..99 + MOST {
        is!(s.add_block(player(1), player(n), 10), Blocking::Blocked);
    }
    let (older, newer) = (player(99 + MOST), player(100 + MOST));
    for (blocked, at) in [(newer, 30), (older, 20)] {
        is!(s.add_block(player(2), blocked, at), Blocking::Blocked);
    }
    adopt(&s, 2, 1).await;
    let blocked: Vec<_> = done!(s.blocked_by(player(1))).into_iter().map(|guest| guest.id).collect();
    assert_eq!(blocked.len(), MOST as usize);
    assert!(blocked.contains(&newer) && !blocked.contains(&older));
}

async fn keys_are_the_adopters(s: Fixture) {
    with_guests(&s).await;
    for (n, used) in [(1, key(2, "both")), (2, key(2, "one")), (3, key(1, "both"))] {
        done!(s.create(NewMatch { key: Some(used), ..match_of(n, 2, None) }));
    }
    adopt(&s, 2, 1).await;
    // Their own stays.
    for (guest, key, id) in [(1, "one", Some(2)), (1, "both", Some(3)), (2, "one", None), (2, "both", None)] {
        let used = done!(s.used_key(player(guest), key.to_owned()));
        assert_eq!(used.map(|used| used.id), id.map(match_id), "{key} of {guest}");
    }
}

async fn what_guests_have_said_and_earned_is_the_adopters(s: Fixture) {
    use moderation::{imposed, report, report_id, sanction, sanction_id};
    with_guests(&s).await;
    s.matches(1..=3).await;
    for (n, of, by, whom) in [(1, 1, 2, 3), (2, 2, 3, 2), (3, 3, 1, 3), (4, 3, 2, 3)] {
        done!(s.add_report(report(n, of, by, whom)));
    }
    is!(s.add_remark(talk::remark(1, 1, 2)), RemarkAdding::Added);
    imposed(&s, 2, sanction(5, SanctionKind::Mute, None)).await;
    imposed(&s, 2, sanction(6, SanctionKind::Ban, None)).await;
    imposed(&s, 1, sanction(7, SanctionKind::Mute, Some(90_000))).await;
    done!(s.note_leaving(match_id(1), player(2), 3_000));
    done!(s.keep_turn_losses(vec![fair_play::losses(1, Seat::One, 2)]));
    yes!(s.raise_flag(fair_play::flag(1, 2)));
    adopt(&s, 2, 1).await;
    // A report like one of theirs stays the guest's.
    for (n, reporter, reported) in [(1, 1, 3), (2, 3, 1), (3, 1, 3), (4, 2, 3)] {
        let report = there!(s.report(report_id(n)));
        assert_eq!((report.reporter.id, report.reported.id), (player(reporter), player(reported)), "{n}");
    }
    let held: Vec<_> = done!(s.sanctions(player(1))).into_iter().map(|of| of.id).collect();
    assert_eq!(held, [7, 6].map(sanction_id), "their own mute stays, the ban comes");
    is!(s.leavings(player(1), 0), [(match_id(1), 3_000)]);
    assert_eq!(done!(s.remarks(match_id(1), TalkRoom::Players, 9))[0].by, seated(1));
    is!(fair_play::of(&s, 1), [TurnLosses { player: player(1), ..fair_play::losses(1, Seat::One, 2) }]);
    assert_eq!(done!(s.flags(true, 9))[0].player.id, player(1));
}

/// A card with these players, live.
fn live(one: u32, two: u32) -> Card {
    card_of(MatchState::Live, player(one), Some(player(two)))
}

async fn hand_over(s: &Fixture, n: u32, of: Version, adoption: Departure, card: Card) -> Answer<HandingOver> {
    let changed = vec![recorded(0, 1, 1_000, Event::DrawOffered { seat: Seat::Two })];
    s.hand_over(match_id(n), of, adoption, changed, card).await
}

async fn a_match_is_handed_over_with_its_seat_and_its_maker(s: Fixture) {
    with_guests(&s).await;
    done!(s.create(match_of(1, 2, Some(3))));
    done!(s.create(match_of(2, 3, Some(2))));
    done!(s.create(NewMatch { made_by: Some(player(2)), ..match_of(3, 3, None) }));
    done!(s.create(match_of(4, 2, Some(2))));
    adopt(&s, 2, 1).await;
    let open = card_of(MatchState::Open, player(3), None);
    for (n, card) in [(1, live(1, 3)), (2, live(3, 1)), (3, open), (4, live(1, 1))] {
        is!(hand_over(&s, n, version(1), adopted(2, 1), card.clone()), HandingOver::HandedOver, "{n}");
        assert_eq!(done!(s.card(n)).players, card.players);
        let journal = done!(s.events(match_id(n), 0, 9));
        assert_eq!((journal.edition, &journal.events[0].event), (1, &Event::DrawOffered { seat: Seat::Two }));
    }
    is!(s.matches_of(player(1), None, 9), [1, 2, 3, 4].map(match_id));
    is!(s.matches_of(player(2), None, 9), []);
    let listed = MatchFilter::Of { player: player(1), state: Some(MatchState::Live) };
    let listed: Vec<_> = done!(s.list(listed, None, 9)).rows.into_iter().map(|row| row.id).collect();
    assert_eq!(listed, [4, 2, 1].map(match_id));
    is!(s.unfinished_created_by(player(1)), 3);
}

async fn conditional_turns_are_handed_over_with_their_match(s: Fixture) {
    with_guests(&s).await;
    for n in 1..=3 {
        done!(s.create(match_of(n, 2, Some(3))));
    }
    for (n, of, laid) in [(1, 2, 5), (1, 3, 4), (2, 2, 7), (3, 2, 8), (3, 1, 1)] {
        yes!(s.set_conditional_turns(match_id(n), player(of), turns(laid)));
    }
    adopt(&s, 2, 1).await;
    for (n, of, expected) in
        [(1, 1, HandingOver::HandedOver), (3, 1, HandingOver::HandedOver), (2, 2, HandingOver::MovedOn)]
    {
        is!(hand_over(&s, n, version(of), adopted(2, 1), live(1, 3)), expected);
    }
    let of = async |n: u32| s.conditional_turns_of(player(n)).await;
    let theirs = [(match_id(1), turns(5)), (match_id(3), turns(1))];
    is!(of(1), theirs, "their own stay");
    is!(of(3), [(match_id(1), turns(4))]);
    assert!(done!(of(2)).contains(&(match_id(2), turns(7))), "that match is not handed over yet");
    s.forget(2).await;
    is!(of(1), theirs, "they do not go with the guest");
}

async fn only_a_match_of_this_version_is_handed_over(s: Fixture) {
    with_guests(&s).await;
    done!(s.create(match_of(1, 2, Some(3))));
    is!(hand_over(&s, 1, version(1), adopted(2, 1), live(1, 3)), HandingOver::Ended, "it has not begun");
    adopt(&s, 2, 1).await;
    for (n, of, adoption, expected) in [
        (1, 2, adopted(2, 1), HandingOver::MovedOn),
        (9, 1, adopted(2, 1), HandingOver::MovedOn),
        (1, 1, adopted(2, 3), HandingOver::Ended),
        (1, 1, Departure { adopter: None, ..adopted(2, 1) }, HandingOver::Ended),
        (1, 1, adopted(2, 1), HandingOver::HandedOver),
        (1, 1, adopted(2, 1), HandingOver::MovedOn),
    ] {
        is!(hand_over(&s, n, version(of), adoption, live(1, 3)), expected, "{n} {of} {adoption:?}");
    }
}

/// Guest `two` joins match `n` of guest `one`.
pub(super) fn joining(n: u32, of: Version, one: u32, two: u32) -> Append {
    Append { of, card: live(one, two), events: joined(of.head, two).into(), ..append(n, of.head) }
}

async fn an_adopter_joins_no_match_of_the_guest(s: Fixture) {
    with_guests(&s).await;
    for n in [1, 2] {
        done!(s.create(match_of(n, 2, None)));
    }
    adopt(&s, 2, 1).await;
    refused!(s.append(joining(1, version(1), 2, 1)), GuestGone(_) | Conflict);
    let now = there!(s.head(match_id(1))).version;
    assert_eq!(now, Version { head: 1, edition: 1 });
    let refused = s.append(joining(1, now, 2, 1)).await;
    assert!(matches!(refused, Err(GuestGone(gone)) if gone == player(1)), "{refused:?}");
    done!(s.append(joining(2, now, 2, 3)));
}

async fn an_erasure_needs_its_proof(s: Fixture) {
    use ErasureBeginning::*;
    with_guests(&s).await;
    let by = |n| ErasureBy::Session(session_id(n));
    let wrong = ErasureBy::Account(Proof { shown: Shown::Password(password(2)), ..proof(1) });
    for (of, by, expected) in [
        (1, by(1), HasAccount),
        (1, by(2), NotProven),
        (1, wrong, NotProven),
        (2, ErasureBy::Account(proof(1)), NotProven),
        (2, by(3), NotProven),
    ] {
        is!(s.begin_erasure(player(of), by.clone(), 8_000), expected, "{by:?}");
    }
    is!(s.departures(), []);
    for (of, by) in [(1, ErasureBy::Account(proof(1))), (2, by(2))] {
        is!(s.begin_erasure(player(of), by, 8_000), Begun);
    }
    is!(s.departures(), [erased(1), erased(2)]);
}

async fn an_erased_guest_can_do_nothing(s: Fixture) {
    with_guests(&s).await;
    s.block(3).await;
    for n in [1, 2, 3, 9] {
        erase(&s, n).await;
    }
    for (n, since) in [(1, Some(8_000)), (2, Some(8_000)), (3, Some(5))] {
        is!(s.guest_of(n), None);
        is!(s.blocked_at(n), since);
        no!(s.set_blocked(player(n), None));
    }
    assert!(there!(s.enter(1, 1, 20)).blocked_at.is_some(), "nothing changes for who is blocked");
    refused!(s.append(joining(1, version(1), 2, 1)), GuestGone(_));
}

async fn what_was_to_be_adopted_goes_with_the_adopter(s: Fixture) {
    with_guests(&s).await;
    done!(s.create(match_of(1, 2, Some(3))));
    for n in [2, 3] {
        adopt(&s, n, 1).await;
    }
    // An erasure takes the place of an adoption.
    erase(&s, 3).await;
    let without = |n| Departure { adopter: None, ..adopted(n, 1) };
    is!(s.departures(), [adopted(2, 1), without(3)]);
    erase(&s, 1).await;
    is!(s.departures(), [without(2), without(3), erased(1)]);
    is!(hand_over(&s, 1, version(1), adopted(2, 1), live(1, 3)), HandingOver::Ended, "or it would come back");
    no!(s.end_departure(adopted(2, 1)));
}
