//! What the person who runs the server asks of a store.

use uuid::{NoContext, Timestamp};

use super::*;

on_all_stores!(
    guests_are_found_by_name_the_newest_first,
    a_blocked_guest_has_no_device_code,
    a_forgotten_guest_has_nothing_left,
    only_a_guest_who_is_not_blocked_is_seated,
    the_matches_of_a_guest_are_those_they_play_in_or_made,
    events_are_rewritten_only_at_the_version_that_was_read,
    stale_matches_are_unfinished_and_old,
    only_a_match_that_has_ended_is_forgotten,
    everything_is_counted,
);

async fn guests_are_found_by_name_the_newest_first(s: Fixture) {
    s.guests(1..=3).await;
    for (n, name) in [(1, "Zeno"), (2, "Agathias"), (3, "Zeno")] {
        yes!(s.rename_guest(player(n), name.to_owned()));
    }
    no!(s.rename_guest(player(4), "Zeno".to_owned()));
    for (name, limit, expected) in [("Zeno", 9, &[3, 1][..]), ("Zeno", 1, &[3]), ("zeno", 9, &[])] {
        let found: Vec<_> = done!(s.guests_named(name.to_owned(), limit)).iter().map(|of| of.id).collect();
        assert_eq!(found, expected.iter().map(|n| player(*n)).collect::<Vec<_>>());
    }
}

async fn a_blocked_guest_has_no_device_code(s: Fixture) {
    s.guests([1]).await;
    yes!(s.add_code(1, 1));
    s.block(1).await;
    is!(s.guest_of(1), Some(Guest { blocked_at: Some(5), ..guest(1) }));
    // A request that was let in just before.
    no!(s.add_code(1, 1));
    s.unblock(1).await;
    is!(s.spend_code(8), None);
    is!(s.session_ids(1), [session_id(1)]);
    yes!(s.add_code(1, 1));
    is!(s.spend_code(8), Some(guest(1)));
    no!(s.set_blocked(player(2), Some(1)));
}

async fn a_forgotten_guest_has_nothing_left(s: Fixture) {
    s.guests([1, 2]).await;
    yes!(s.add_code(1, 1));
    done!(s.create(NewMatch { key: Some(key(1, "make")), ..new_match(1) }));
    s.forget(1).await;
    no!(s.forget_guest(player(1)));
    is!(s.guest(player(1)), None);
    is!(s.guest_of(1), None);
    is!(s.spend_code(8), None);
    is!(s.used_key(player(1), "make".to_owned()), None);
    is!(s.length(1), 1, "their matches stay");
    is!(s.guest_of(2), Some(guest(2)), "no other guest is touched");
    // The computer is a guest at every level, who is never forgotten nor added.
    for level in Level::ALL {
        let Player { id, name, kind } = Player::computer(level);
        no!(s.forget_guest(id));
        let computer = Guest { id, name, kind, created_at: 0, blocked_at: None };
        is!(s.guest(id), Some(computer.clone()));
        refused!(s.add_guest(computer, session(9)), StoreError::Failed(_));
    }
    is!(s.guest_of(9), None);
}

/// Match `n` with the event that tells who made it, perhaps in the place of the computer.
pub(super) fn made(n: u32, creator: Player, made_by: Option<Player>) -> NewMatch {
    let mut new = new_match(n);
    new.events[0].event = Event::Created {
        version: JOURNAL_VERSION,
        terms: new.card.terms,
        creator,
        commitment: Bytes32([0; 32]),
        seed: SeatSeed::Hash(Bytes32([0; 32])),
        rematch_of: None,
        made_by,
        tournament: None,
    };
    new
}

/// Even if the guest was not blocked yet when they asked.
async fn only_a_guest_who_is_not_blocked_is_seated(s: Fixture) {
    let joins = |head, n| Append { events: joined(head, n).into(), ..append(1, head) };
    let gone = async |answer: Result<(), AppendError>, n: u32| {
        assert!(matches!(answer, Err(GuestGone(gone)) if gone == player(n)), "{answer:?}");
    };
    let by_computer = |n, by| made(n, Player::computer(Level::ALL[0]), Some(seated(by)));
    s.guests([1, 2]).await;
    done!(s.create(made(1, seated(1), None)));
    s.block(1).await;
    gone(s.create(made(2, seated(1), None)).await, 1).await;
    gone(s.create(by_computer(2, 1)).await, 1).await;
    let rematch = Some(Box::new(made(2, seated(1), None)));
    gone(s.append(Append { create: rematch, ..append(1, 1) }).await, 1).await;
    gone(s.append(Append { spends: Some(hash(1)), ..joins(1, 1) }).await, 1).await;
    // Beside others in one transaction: what is no seat goes on.
    let (join, turn) = tokio::join!(s.append(joins(1, 3)), s.append(append(1, 1)));
    gone(join, 3).await;
    turn.expect("appended");
    is!(s.length(2), 0);
    s.unblock(1).await;
    done!(s.create(by_computer(2, 1)));
    done!(s.append(joins(2, 2)));
    s.forget(2).await;
    gone(s.append(joins(3, 2)).await, 2).await;
    let used = || Some(key(1, "again"));
    done!(s.create(NewMatch { key: used(), ..made(3, seated(1), None) }));
    s.block(1).await;
    // What was done before is found.
    refused!(s.create(NewMatch { key: used(), ..made(4, seated(1), None) }), KeyUsed);
}

async fn the_matches_of_a_guest_are_those_they_play_in_or_made(s: Fixture) {
    for (n, one, two, by) in [
        (1, 1, Some(2), None),
        (2, 2, Some(1), None),
        (3, 2, Some(3), None),
        (4, 2, None, Some(1)),
        (5, 1, Some(1), None),
    ] {
        done!(s.create(NewMatch { made_by: by.map(player), ..match_of(n, one, two) }));
    }
    for (after, limit, expected) in
        [(None, 10, &[1, 2, 4, 5][..]), (None, 3, &[1, 2, 4]), (Some(4), 3, &[5]), (Some(5), 3, &[])]
    {
        let expected: Vec<_> = expected.iter().map(|n| match_id(*n)).collect();
        is!(s.matches_of(player(1), after.map(match_id), limit), expected);
    }
}

/// Else who knows the edition before would write the old name back with its card.
async fn events_are_rewritten_only_at_the_version_that_was_read(s: Fixture) {
    s.matches([1]).await;
    done!(s.append(append(1, 1)));
    let at = |head, edition| Version { head, edition };
    let other = vec![recorded(0, 1, 1_000, Event::DrawOffered { seat: Seat::Two })];
    let renamed = || Card { turns: 7, updated_at: 2_000, ..card(MatchState::Live) };
    let rewrite = async |n: u32, of| s.rewrite(match_id(n), of, other.clone(), renamed()).await;
    for (n, of) in [(1, at(1, 0)), (2, at(1, 0)), (2, at(0, 0)), (1, at(2, 1))] {
        no!(rewrite(n, of), "match {n}, {of:?}");
    }
    is!(s.events(match_id(1), 0, 1), Journal { edition: 0, events: events(0, 1, 1_000) });
    yes!(rewrite(1, at(2, 0)));
    no!(rewrite(1, at(2, 0)), "it is another edition");
    let events = [other.clone(), events(1, 1, 2_000)].concat();
    is!(s.events(match_id(1), 0, 9), Journal { edition: 1, events });
    is!(s.card(1), renamed());
    yes!(rewrite(1, at(2, 1)));
    is!(s.events(match_id(1), 2, 9), Journal { edition: 2, events: Vec::new() });
    for edition in [0, 1, 3] {
        refused!(s.append(Append { of: at(2, edition), ..append(1, 2) }), Conflict);
    }
    done!(s.append(Append { of: at(2, 2), ..append(1, 2) }));
    assert_eq!(there!(s.head(match_id(1))).version, at(3, 2), "an append is no other edition");
}

async fn stale_matches_are_unfinished_and_old(s: Fixture) {
    for (n, state, at) in [
        (1, MatchState::Open, 1_000),
        (2, MatchState::Finished, 1_000),
        (3, MatchState::Live, 1_999),
        (4, MatchState::Live, 2_000),
    ] {
        done!(s.create(NewMatch { events: events(0, 1, at), card: card(state), ..new_match(n) }));
    }
    for (after, limit, expected) in [(None, 10, &[1, 3][..]), (None, 1, &[1]), (Some(1), 10, &[3])] {
        let rows = done!(s.stale(2_000, after.map(match_id), limit)).rows;
        let expected: Vec<_> = expected.iter().map(|n| match_id(*n)).collect();
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), expected);
    }
}

async fn only_a_match_that_has_ended_is_forgotten(s: Fixture) {
    let new = NewMatch { key: Some(key(1, "make")), invitation: Some(invitation(1)), ..new_match(1) };
    done!(s.create(new));
    no!(s.forget_match(match_id(1), 1), "it has not ended");
    s.end(1).await;
    no!(s.forget_match(match_id(1), 1), "it has moved on");
    yes!(s.forget_match(match_id(1), 2));
    is!(s.head(match_id(1)), None);
    assert!(done!(s.secret(match_id(1))).is_none());
    is!(s.journal(1), []);
    is!(s.invited_to(hash(1), 0), None);
    is!(s.used_key(player(1), "make".to_owned()), None);
    no!(s.forget_match(match_id(1), 2), "there is none");
}

async fn everything_is_counted(s: Fixture) {
    const DAY: Millis = 86_400_000;
    let made = |at: Millis, n: u32| {
        let id = MatchId(Uuid::new_v7(Timestamp::from_unix(NoContext, at / 1_000, 0)));
        NewMatch { id, events: events(0, n, at), ..new_match(1) }
    };
    for (n, kind, at) in [(1, PlayerKind::Person, 0), (2, PlayerKind::Bot, DAY), (3, PlayerKind::Person, DAY)]
    {
        done!(s.add_guest(Guest { kind, created_at: at, ..guest(n) }, session(n)));
    }
    s.block(3).await;
    done!(s.create(made(DAY - 1_000, 1)));
    done!(s.create(made(DAY, 2)));
    let mut finished = NewMatch { card: card(MatchState::Finished), ..made(2 * DAY, 3) };
    finished.card.terms.variant = Variant::standard(Game::Zeno);
    done!(s.create(finished));
    let of = |game, state, matches| MatchesOfGame { game, state, matches, events: 3 };
    let recent = |days, guests, made| Recent { since: days * DAY, guests, made, touched: made };
    let counted = done!(s.statistics(vec![DAY, 2 * DAY]));
    let expected = Statistics {
        people: 2,
        bots: 1,
        blocked: 1,
        matches: vec![of(Game::Tavla, MatchState::Open, 2), of(Game::Zeno, MatchState::Finished, 1)],
        recent: vec![recent(1, 2, 2), recent(2, 0, 1)],
        bytes: counted.bytes,
    };
    assert_eq!(counted, expected);
}
