//! The journal: one order, nothing lost, nothing half done.

use super::*;

on_all_stores_and_a_file!(
    a_new_match_is_kept_whole,
    an_append_moves_the_head,
    heads_are_read_together,
    what_does_not_follow_is_refused,
    of_concurrent_appends_one_wins,
    events_are_read_from_any_number,
    a_key_is_used_once,
    the_first_of_several_reasons_is_given,
    a_rematch_is_made_with_its_append_or_neither,
    a_deadline_is_corrected_only_for_its_head,
    an_analysis_is_kept_until_another_comes,
    of_many_appends_at_once_each_is_made_or_refused_for_itself,
);

async fn a_new_match_is_kept_whole(s: Fixture) {
    let bytes: [u8; 32] = std::array::from_fn(|n| few(n * 8));
    let new = NewMatch { events: events(0, 3, 1_500), secret: Secret::new(bytes), ..new_match(1) };
    done!(s.create(new));
    is!(s.head(match_id(1)), Some(Head { version: version(3), deadline: Some(10_000) }));
    is!(s.journal(1), events(0, 3, 1_500));
    let MatchRow { id, head, card: of, .. } = there!(s.row(match_id(1)));
    assert_eq!((id, head, of), (match_id(1), 3, Card { updated_at: 1_500, ..card(MatchState::Open) }));
    assert_eq!(there!(s.secret(match_id(1))).reveal(), &bytes);
    refused!(s.create(new_match(1)), Conflict);
    is!(s.head(match_id(2)), None);
    is!(s.row(match_id(2)), None);
    is!(s.journal(2), []);
    assert!(done!(s.secret(match_id(2))).is_none());
}

async fn an_append_moves_the_head(s: Fixture) {
    s.matches([1]).await;
    let live = |takebacks| Card { takebacks, ..card(MatchState::Live) };
    for (takebacks, head) in [(0, 1), (1, 2), (2, 3)] {
        done!(s.append(Append { card: live(takebacks), ..append(1, head) }));
        is!(s.card(1), Card { updated_at: 2_000, ..live(takebacks) });
    }
    let turn = Append { events: events(4, 12, 2_500).into(), of: version(4), ..ending(1) };
    done!(s.append(turn));
    is!(s.head(match_id(1)), Some(Head { version: version(16), deadline: None }));
    is!(s.card(1), Card { updated_at: 2_500, ..card(MatchState::Finished) });
    let turns = (1..4).flat_map(|head| events(head, 1, 2_000));
    is!(
        s.journal(1),
        events(0, 1, 1_000).into_iter().chain(turns).chain(events(4, 12, 2_500)).collect::<Vec<_>>()
    );
}

async fn heads_are_read_together(s: Fixture) {
    s.matches(1..=3).await;
    done!(s.append(append(2, 1)));
    let mut heads = done!(s.heads([4, 3, 2].map(match_id).to_vec()));
    heads.sort_by_key(|(id, _)| *id);
    let head = |n, deadline| Head { version: version(n), deadline: Some(deadline) };
    assert_eq!(heads, [(match_id(2), head(2, 20_000)), (match_id(3), head(1, 10_000))]);
    is!(s.heads(Vec::new()), []);
}

async fn what_does_not_follow_is_refused(s: Fixture) {
    s.matches([1]).await;
    for (id, head) in [(1, 0), (1, 2), (2, 0), (2, 1)] {
        refused!(s.append(append(id, head)), Conflict);
    }
    let two = [events(1, 1, 2_000), events(2, 1, 2_000)].concat();
    for wrong in [Vec::new(), events(2, 1, 2_000), two] {
        let gap = Append { events: wrong.into(), ..append(1, 1) };
        refused!(s.append(gap), AppendError::Store(StoreError::Failed(_)));
    }
    is!(s.length(1), 1);
    is!(s.journal(1), events(0, 1, 1_000));
}

async fn of_concurrent_appends_one_wins(s: Fixture) {
    s.matches([1]).await;
    for head in 1..20 {
        let answers = join_all((0..8).map(|_| s.append(append(1, head)))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
        assert!(answers.iter().all(|answer| matches!(answer, Ok(()) | Err(Conflict))));
    }
    assert!(done!(s.journal(1)).iter().map(|event| event.seq).eq(1..=20));
}

async fn events_are_read_from_any_number(s: Fixture) {
    done!(s.create(NewMatch { events: events(0, 10, 1_000), ..new_match(1) }));
    let all = events(0, 10, 1_000);
    for (since, limit, expected) in [
        (0, 3, &all[..3]),
        (3, 3, &all[3..6]),
        (8, 100, &all[8..]),
        (9, 1, &all[9..]),
        (10, 5, &[]),
        (u32::MAX, 5, &[]),
        (0, 0, &[]),
    ] {
        assert_eq!(done!(s.events(match_id(1), since, limit)).events, expected, "{limit} since {since}");
    }
}

async fn a_key_is_used_once(s: Fixture) {
    let used = |name| Some(key(1, name));
    done!(s.create(NewMatch { key: used("make"), ..new_match(1) }));
    done!(s.append(Append { key: used("resign"), ..append(1, 1) }));
    let by = |first| Some(UsedKey { digest: [7; 32], id: match_id(1), first });
    for (guest, key, expected) in [(1, "make", by(1)), (1, "resign", by(2)), (2, "make", None)] {
        is!(s.used_key(player(guest), key.to_owned()), expected);
    }
    refused!(s.create(NewMatch { key: used("resign"), ..new_match(2) }), KeyUsed);
    refused!(s.append(Append { key: used("make"), ..append(1, 2) }), KeyUsed);
    for (n, length) in [(1, 2), (2, 0)] {
        is!(s.length(n), length);
    }
    // Another guest's key of the same name.
    done!(s.append(Append { key: Some(key(2, "make")), ..append(1, 2) }));
}

async fn the_first_of_several_reasons_is_given(s: Fixture) {
    let used = |name| Some(key(1, name));
    done!(s.create(NewMatch { key: used("make"), invitation: Some(invitation(1)), ..new_match(1) }));
    let asks = |head, name, code| Append { key: used(name), spends: Some(hash(code)), ..append(1, head) };
    // A repeated request to join: the key, the invitation and the head have all been used.
    refused!(s.append(asks(0, "make", 2)), KeyUsed);
    refused!(s.append(asks(0, "other", 2)), InvitationGone);
    // Neither refusal used anything up.
    done!(s.append(asks(1, "other", 1)));
}

async fn a_rematch_is_made_with_its_append_or_neither(s: Fixture) {
    s.matches([1]).await;
    let agreed = |head, n| Append { create: Some(Box::new(new_match(n))), ..append(1, head) };
    let are = async |lengths: [u32; 2]| {
        assert_eq!([done!(s.length(1)), done!(s.length(2))], lengths);
        assert_eq!(done!(s.secret(match_id(2))).is_some(), lengths[1] > 0);
    };
    refused!(s.append(agreed(5, 2)), Conflict);
    are([1, 0]).await;
    done!(s.append(agreed(1, 2)));
    are([2, 1]).await;
    refused!(s.append(agreed(2, 2)), Conflict);
    are([2, 1]).await;
}

async fn a_deadline_is_corrected_only_for_its_head(s: Fixture) {
    s.matches([1]).await;
    for (head, deadline, expected) in
        [(2, Some(1), Some(10_000)), (1, Some(30_000), Some(30_000)), (1, None, None)]
    {
        done!(s.set_deadline(match_id(1), head, deadline));
        is!(s.next_deadline(), expected);
        is!(s.head(match_id(1)), Some(Head { version: version(1), deadline: expected }));
    }
}

pub(super) fn analysis(engine: u32) -> KeptAnalysis {
    KeptAnalysis { engine: format!("engine {engine}"), body: format!(r#"[{{"game": {engine}}}]"#) }
}

async fn an_analysis_is_kept_until_another_comes(s: Fixture) {
    no!(s.keep_analysis(match_id(1), analysis(1)), "there is no such match");
    s.matches([1, 2]).await;
    is!(s.analysis(match_id(1)), None);
    for engine in [1, 2] {
        yes!(s.keep_analysis(match_id(1), analysis(engine)));
        is!(s.analysis(match_id(1)), Some(analysis(engine)));
    }
    is!(s.analysis(match_id(2)), None, "it is of another match");
}

/// More than fit into one transaction, of which some are refused.
async fn of_many_appends_at_once_each_is_made_or_refused_for_itself(s: Fixture) {
    const MATCHES: u32 = 300;
    for answer in join_all((0..MATCHES).map(|n| s.create(new_match(n)))).await {
        answer.expect("created");
    }
    for answer in join_all((0..MATCHES).map(|n| s.append(append(n, 1)))).await {
        answer.expect("joined");
    }
    let turn = |n, head, at| Append { events: events(head, 2, at).into(), ..append(n, head) };
    let mut appends = Vec::new();
    for n in 0..MATCHES {
        match n % 5 {
            // Two that cannot both be made.
            0 => appends.extend([turn(n, 2, 3_000), turn(n, 2, 4_000)]),
            1 => appends.push(Append { card: card(MatchState::Finished), ..turn(n, 2, 3_000) }),
            2 => appends.push(turn(n, 1, 3_000)),
            3 => appends.push(Append { key: Some(key(n, "once")), ..turn(n, 2, 3_000) }),
            _ => appends.push(turn(n, 2, 3_000)),
        }
    }
    let asked: Vec<_> = appends.iter().map(|append| (append.id, append.events.clone())).collect();
    let made = join_all(appends.into_iter().map(|append| s.append(append))).await;
    for n in 0..MATCHES {
        let of_match = asked.iter().zip(&made).filter(|((id, _), _)| *id == match_id(n));
        let (good, bad): (Vec<_>, Vec<_>) = of_match.partition(|(_, made)| made.is_ok());
        assert!(bad.iter().all(|(_, refused)| matches!(refused, Err(Conflict))), "match {n}: {bad:?}");
        assert_eq!(good.len(), usize::from(n % 5 != 2), "match {n}");
        let expected = good.first().map_or(&[][..], |((_, events), _)| events);
        assert_eq!(done!(s.journal(n))[2..], *expected, "match {n}");
        is!(s.length(n), if n % 5 == 2 { 2 } else { 4 }, "match {n}");
        let state = if n % 5 == 1 { MatchState::Finished } else { MatchState::Live };
        assert_eq!(done!(s.card(n)).state(), state, "match {n}");
    }
}
