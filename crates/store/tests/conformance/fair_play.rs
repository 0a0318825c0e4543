//! What the turns of rated matches lost, and who is flagged for it.

use super::*;

on_all_stores!(
    matches_are_checked_once_the_last_first,
    what_is_kept_first_stays,
    losses_are_listed_from_the_last,
    a_player_is_compared_with_other_people_of_their_rating,
    a_flag_is_raised_once_and_closed_once,
    losses_and_flags_go_with_the_guest_and_with_time,
);

const KEY: RatingKey = RatingKey { game: Game::Tavla, pace: Pace::Live };

/// What the turns of the player lost in match `n`, that ended at `n` seconds.
pub(super) fn losses(n: u32, seat: Seat, of: u32) -> TurnLosses {
    TurnLosses {
        of: match_id(n),
        seat,
        player: player(of),
        key: KEY,
        ended_at: u64::from(n) * 1_000,
        points: 1_500.0 + f64::from(of) / 3.0,
        turns: 30 + n,
        lost: f64::from(n) / 7.0,
        judge: "2/20000/00ff".to_owned(),
    }
}

/// Flag `n` of a player.
pub(super) fn flag(n: u64, of: u32) -> NewFlag {
    NewFlag {
        id: flag_id(n),
        player: player(of),
        key: KEY,
        raised_at: n * 1_000,
        grounds: FlagGrounds { points: 1_600.5, matches: 5, turns: 151, lost: 0.1, expected: 0.3 / 7.0 },
    }
}

fn flag_id(n: u64) -> FlagId {
    FlagId(numbered(0x0190_0000_0000_7000_8000_0000_0000_b000, n))
}

/// Closes a flag of a guest, at `n` seconds.
fn close(n: u64, flag: u64, of: u32) -> Moderated {
    let row = moderation::row(n, n * 1_000, ModeratorAct::CloseFlag, Some(of));
    Moderated { closes_flag: Some(flag_id(flag)), ..moderation::only(row) }
}

async fn keep<const N: usize>(s: &Fixture, losses: [TurnLosses; N]) {
    done!(s.keep_turn_losses(losses.to_vec()));
}

pub(super) async fn of(s: &Fixture, of: u32) -> Answer<Vec<TurnLosses>> {
    s.turn_losses(player(of), KEY, 0..=u64::MAX >> 1, 99).await
}

async fn matches_are_checked_once_the_last_first(s: Fixture) {
    ratings::with_matches(&s).await;
    ratings::rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    ratings::rate(&s, 2, (1, 1), (3, 0), 6_000).await;
    ratings::rate(&s, 3, (2, 1), (3, 1), 7_000).await;
    for (since, limit, due) in [(0, 9, &[3, 2, 1][..]), (6_000, 9, &[3, 2]), (0, 1, &[3])] {
        is!(s.matches_to_check(since, limit), due.iter().map(|n| match_id(*n)).collect::<Vec<_>>());
    }
    keep(&s, [losses(3, Seat::Two, 3)]).await;
    is!(s.matches_to_check(0, 9), [2, 1].map(match_id));
    ratings::take_back(&s, 2).await;
    is!(s.matches_to_check(0, 9), [match_id(1)]);
}

async fn what_is_kept_first_stays(s: Fixture) {
    ratings::with_matches(&s).await;
    let first = losses(1, Seat::One, 1);
    keep(&s, [first.clone(), losses(1, Seat::Two, 2)]).await;
    let again = TurnLosses { turns: 7, ..first.clone() };
    // Player 9 is not there, nor is match 99.
    keep(&s, [again, losses(2, Seat::One, 9), losses(99, Seat::One, 1)]).await;
    is!(of(&s, 1), [first]);
    is!(of(&s, 2), [losses(1, Seat::Two, 2)]);
    is!(of(&s, 9), []);
}

async fn losses_are_listed_from_the_last(s: Fixture) {
    ratings::with_matches(&s).await;
    let [one, two, three, four] = [1, 2, 3, 4].map(|n| losses(n, Seat::One, 1));
    keep(&s, [one.clone(), two.clone(), three.clone(), four.clone()]).await;
    keep(&s, [TurnLosses { key: RatingKey { pace: Pace::Days, ..KEY }, ..losses(5, Seat::One, 1) }]).await;
    is!(of(&s, 1), [four, three.clone(), two.clone(), one]);
    is!(s.turn_losses(player(1), KEY, 2_000..=3_000, 99), [three.clone(), two]);
    is!(s.turn_losses(player(1), KEY, 2_000..=3_000, 1), [three]);
}

async fn a_player_is_compared_with_other_people_of_their_rating(s: Fixture) {
    ratings::with_matches(&s).await;
    done!(s.add_guest(Guest { kind: PlayerKind::Bot, ..guest(7) }, session(7)));
    s.guests([4, 5]).await;
    let far = TurnLosses { points: 1_700.0, ..losses(2, Seat::One, 2) };
    let by_another = TurnLosses { judge: "other".to_owned(), ..losses(3, Seat::One, 2) };
    keep(&s, [losses(1, Seat::One, 1), losses(1, Seat::Two, 2), far, by_another]).await;
    keep(&s, [losses(4, Seat::One, 3), losses(4, Seat::Two, 7)]).await;
    keep(&s, [losses(5, Seat::One, 4), losses(5, Seat::Two, 5)]).await;
    let judge = losses(1, Seat::One, 1).judge;
    let near = NearLosses { except: player(1), key: KEY, judge, points: 1_450.0..=1_550.0 };
    let sum_is = async |matches: &[u32]| {
        let sum = done!(s.losses_near(near.clone()));
        assert_eq!(sum.turns, matches.iter().map(|n| u64::from(30 + n)).sum::<u64>());
        let lost: f64 = matches.iter().map(|n| f64::from(*n) / 7.0).sum();
        assert!((sum.lost - lost).abs() < 1e-12, "{sum:?} {lost}");
    };
    sum_is(&[1, 4, 5, 5]).await;
    yes!(s.raise_flag(flag(1, 3)));
    moderation::imposed(&s, 4, moderation::sanction(2, SanctionKind::Ban, None)).await;
    sum_is(&[1, 5]).await;
    is!(s.moderate(close(9, 1, 3)), Moderating::Done);
    sum_is(&[1, 4, 5]).await;
    is!(s.losses_near(NearLosses { points: 0.0..=1.0, ..near.clone() }), LossSum::default());
}

async fn a_flag_is_raised_once_and_closed_once(s: Fixture) {
    use Moderating::{Done, NoSuchFlag};

    ratings::with_matches(&s).await;
    let flags_are = async |only_open, expected: &[u64]| {
        let found: Vec<_> = done!(s.flags(only_open, 9)).into_iter().map(|flag| flag.id).collect();
        assert_eq!(found, expected.iter().map(|n| flag_id(*n)).collect::<Vec<_>>());
    };
    is!(s.flagged_at(player(1), KEY), None);
    for (n, of, is_raised) in [(1, 1, true), (2, 1, false), (2, 99, false), (3, 2, true)] {
        is!(s.raise_flag(flag(n, of)), is_raised, "{n} of {of}");
    }
    let read = there!(s.flag(flag_id(1)));
    let NewFlag { id, key, raised_at: at, grounds, .. } = flag(1, 1);
    assert_eq!((read.id, read.key, read.raised_at, read.grounds), (id, key, at, grounds));
    assert_eq!((read.player, read.closed_at), (seated(1), None));
    flags_are(true, &[3, 1]).await;
    for (n, flag, expected) in [(5, 8, NoSuchFlag), (5, 1, Done), (6, 1, NoSuchFlag)] {
        is!(s.moderate(close(n, flag, 1)), expected);
    }
    flags_are(true, &[3]).await;
    flags_are(false, &[3, 1]).await;
    assert_eq!(there!(s.flag(flag_id(1))).closed_at, Some(5_000));
    is!(s.flagged_at(player(1), KEY), Some(1_000));
    let log = done!(s.moderation_log(Some(player(1)), 9));
    assert_eq!(log.iter().map(|row| row.act).collect::<Vec<_>>(), [ModeratorAct::CloseFlag]);
    yes!(s.raise_flag(flag(7, 1)), "another one");
    is!(s.flagged_at(player(1), KEY), Some(7_000));
    is!(s.flag(flag_id(9)), None);
}

async fn losses_and_flags_go_with_the_guest_and_with_time(s: Fixture) {
    ratings::with_matches(&s).await;
    keep(&s, [losses(1, Seat::One, 1), losses(1, Seat::Two, 2), losses(2, Seat::Two, 2)]).await;
    yes!(s.raise_flag(flag(1, 1)));
    s.forget(1).await;
    is!(of(&s, 1), []);
    is!(s.flags(false, 9), []);
    done!(s.sweep(TURN_LOSSES_KEPT_MS + 1_000));
    is!(of(&s, 2), [losses(2, Seat::Two, 2)]);
}
