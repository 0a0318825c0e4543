//! Reports, what was imposed on guests, the moderators' log, and who left which match.

use super::*;

on_all_stores!(
    reports_are_read_as_they_were_made,
    so_many_reports_are_made_a_day_and_each_once,
    a_report_is_closed_once_and_can_be_made_again,
    a_mute_takes_the_place_of_another_and_is_lifted,
    a_ban_is_told_with_the_bearer_of_a_token,
    warnings_are_read_once_and_the_oldest_go,
    the_log_has_a_row_for_what_was_done_and_none_for_what_was_refused,
    a_sweep_deletes_what_is_over,
    all_goes_with_the_guest_but_the_log,
    a_match_is_left_once,
);

pub(super) fn report_id(n: u64) -> ReportId {
    ReportId(numbered(0x0190_0000_0000_7000_8000_0000_0000_8000, n))
}

pub(super) fn sanction_id(n: u64) -> SanctionId {
    SanctionId(numbered(0x0190_0000_0000_7000_8000_0000_0000_9000, n))
}

/// Report `n` by guest `by` of guest `whom` in match `of`, at `n` seconds.
pub(super) fn report(n: u64, of: u32, by: u32, whom: u32) -> NewReport {
    NewReport {
        id: report_id(n),
        of: match_id(of),
        reporter: player(by),
        reported: player(whom),
        reason: ReportReason::ALL[few::<usize>(n) % ReportReason::ALL.len()],
        words: n.is_multiple_of(2).then(|| format!("\"they said\" {n}")),
        made_at: n * 1_000,
    }
}

/// Sanction `n`, imposed at `n` seconds.
pub(super) fn sanction(n: u64, kind: SanctionKind, until: Option<Millis>) -> Sanction {
    let words = n.is_multiple_of(2).then(|| format!("\"be nice\" {n}"));
    Sanction { id: sanction_id(n), kind, imposed_at: n * 1_000, until, words, read_at: None }
}

pub(super) fn row(n: u64, done_at: Millis, act: ModeratorAct, guest: Option<u32>) -> LogRow {
    let (id, guest) = (numbered(0x0190_0000_0000_7000_8000_0000_0000_a000, n), guest.map(|of| player(of).0));
    LogRow { id, done_at, act, guest, of: None, tournament: None, report: None, until: None, note: None }
}

/// A row of the log, and nothing else that it does.
pub(super) fn only(row: LogRow) -> Moderated {
    Moderated { row, imposes: None, lifts: None, closes_report: false, closes_flag: None }
}

pub(super) fn imposing(of: u32, sanction: Sanction) -> Moderated {
    let act = match sanction.kind {
        SanctionKind::Warning => ModeratorAct::Warn,
        SanctionKind::Mute => ModeratorAct::Mute,
        SanctionKind::Ban => ModeratorAct::Ban,
    };
    let row = row(sanction.imposed_at, sanction.imposed_at, act, Some(of));
    Moderated { imposes: Some(sanction), ..only(row) }
}

pub(super) async fn imposed(s: &Fixture, of: u32, sanction: Sanction) {
    is!(s.moderate(imposing(of, sanction)), Moderating::Done);
}

fn lifting(n: u64, at: Millis, of: u32, kind: SanctionKind) -> Moderated {
    let act = if kind == SanctionKind::Ban { ModeratorAct::Unban } else { ModeratorAct::Unmute };
    Moderated { lifts: Some(kind), ..only(row(n, at, act, Some(of))) }
}

pub(super) fn closing(n: u64, at: Millis, report: ReportId) -> Moderated {
    let row = LogRow { report: Some(report.0), ..row(n, at, ModeratorAct::Close, None) };
    Moderated { closes_report: true, ..only(row) }
}

/// Guests 1 to 3, and matches 1 to 8.
async fn with_matches(s: &Fixture) {
    s.guests(1..=3).await;
    s.matches(1..=8).await;
}

fn made(n: u64) -> ReportAdding {
    ReportAdding::Made { id: report_id(n), made_at: n * 1_000 }
}

async fn make(s: &Fixture, all: &[(u64, u32, u32, u32)]) {
    for &(n, of, by, whom) in all {
        is!(s.add_report(report(n, of, by, whom)), made(n));
    }
}

async fn reports_are(s: &Fixture, only_open: bool, limit: u32, expected: &[u64]) {
    let found: Vec<_> = done!(s.reports(only_open, limit)).into_iter().map(|report| report.id).collect();
    assert_eq!(found, expected.iter().map(|n| report_id(*n)).collect::<Vec<_>>());
}

async fn reports_are_read_as_they_were_made(s: Fixture) {
    with_matches(&s).await;
    make(&s, &[(1, 1, 1, 2), (2, 1, 2, 1), (3, 2, 1, 3)]).await;
    let NewReport { id, of, reason, words, made_at, .. } = report(2, 1, 2, 1);
    let (by, whom) = (seated(2), seated(1));
    let expected = Report { id, of, reporter: by, reported: whom, reason, words, made_at, closed_at: None };
    is!(s.report(report_id(2)), Some(expected));
    is!(s.report(report_id(9)), None);
    reports_are(&s, true, 2, &[3, 2]).await;
    reports_are(&s, false, 9, &[3, 2, 1]).await;
    let by: Vec<_> = done!(s.reports_by(player(1), 9)).into_iter().map(|report| report.id).collect();
    assert_eq!(by, [3, 1].map(report_id));
}

async fn so_many_reports_are_made_a_day_and_each_once(s: Fixture) {
    use ReportAdding::*;
    with_matches(&s).await;
    for n in 1..=REPORTS_A_DAY_MAX {
        make(&s, &[(n.into(), n, 1, 2)]).await;
    }
    s.block(3).await;
    let next_day = NewReport { made_at: 86_401_000, ..report(9, 6, 1, 2) };
    for (new, expected) in [
        (report(6, 6, 1, 2), TooMany),
        (report(7, 1, 1, 2), made(1)),
        (report(8, 6, 2, 3), made(8)),
        (next_day, Made { id: report_id(9), made_at: 86_401_000 }),
        (report(10, 1, 9, 2), ReportAdding::GuestGone),
        (report(10, 1, 3, 2), ReportAdding::GuestGone),
        (report(10, 1, 2, 9), NoSuchGuest),
        (report(10, 99, 2, 1), NoSuchMatch),
    ] {
        is!(s.add_report(new.clone()), expected, "{new:?}");
    }
    reports_are(&s, false, 9, &[9, 8, 5, 4, 3, 2, 1]).await;
}

async fn a_report_is_closed_once_and_can_be_made_again(s: Fixture) {
    use Moderating::{Done, NoSuchReport};
    with_matches(&s).await;
    make(&s, &[(1, 1, 1, 2)]).await;
    for (n, at, report, expected) in
        [(1, 9_000, 2, NoSuchReport), (1, 9_000, 1, Done), (2, 9_500, 1, NoSuchReport)]
    {
        is!(s.moderate(closing(n, at, report_id(report))), expected);
    }
    assert_eq!(there!(s.report(report_id(1))).closed_at, Some(9_000));
    reports_are(&s, true, 9, &[]).await;
    make(&s, &[(3, 1, 1, 2)]).await;
    for only_open in [true, false] {
        reports_are(&s, only_open, 9, &[3]).await;
    }
}

async fn a_mute_takes_the_place_of_another_and_is_lifted(s: Fixture) {
    use SanctionKind::{Ban, Mute};
    with_matches(&s).await;
    let first = sanction(1, Mute, Some(50_000));
    let (second, ban) = (sanction(2, Mute, None), sanction(3, Ban, None));
    for (imposes, expected) in [
        (&first, vec![first.clone()]),
        (&second, vec![second.clone()]),
        (&ban, vec![ban.clone(), second.clone()]),
    ] {
        imposed(&s, 1, imposes.clone()).await;
        is!(s.sanctions(player(1)), expected);
    }
    is!(s.moderate(lifting(7, 9_000, 1, Mute)), Moderating::Done);
    is!(s.sanctions(player(1)), [ban]);
    is!(s.moderate(lifting(8, 9_000, 1, Mute)), Moderating::NothingToLift);
    is!(s.moderate(imposing(9, sanction(4, Mute, None))), Moderating::NoSuchGuest);
    imposed(&s, 2, sanction(5, Mute, Some(6_000))).await;
    is!(s.moderate(lifting(9, 6_000, 2, Mute)), Moderating::NothingToLift, "it has expired");
}

async fn a_ban_is_told_with_the_bearer_of_a_token(s: Fixture) {
    with_matches(&s).await;
    let until = Ban { until: Some(5_000), words: Some("\"be nice\" 2".to_owned()) };
    for (imposes, ban) in [
        (sanction(1, SanctionKind::Mute, None), None),
        (sanction(2, SanctionKind::Ban, Some(5_000)), Some(until)),
        (sanction(3, SanctionKind::Ban, None), Some(Ban { until: None, words: None })),
    ] {
        imposed(&s, 2, imposes).await;
        assert_eq!(there!(s.bearer(hash(2))).ban, ban);
    }
    assert_eq!(there!(s.bearer(hash(3))).ban, None);
    is!(s.moderate(lifting(7, 9_000, 2, SanctionKind::Ban)), Moderating::Done);
    assert_eq!(there!(s.bearer(hash(2))).ban, None);
}

async fn warnings_are_read_once_and_the_oldest_go(s: Fixture) {
    const MOST: u64 = WARNINGS_PER_GUEST_MAX as u64;
    with_matches(&s).await;
    let warn = async |numbers: std::ops::RangeInclusive<u64>| {
        for n in numbers {
            imposed(&s, 1, sanction(n, SanctionKind::Warning, None)).await;
        }
    };
    warn(1..=3).await;
    for (at, noted) in [(8_000, 2), (9_000, 0)] {
        is!(s.note_warnings_read(player(1), sanction_id(2), at), noted);
    }
    let told: Vec<_> = done!(s.sanctions(player(1))).into_iter().map(|warning| warning.read_at).collect();
    assert_eq!(told, [None, Some(8_000), Some(8_000)]);
    warn(4..=MOST + 2).await;
    let kept: Vec<_> = done!(s.sanctions(player(1))).into_iter().map(|warning| warning.id).collect();
    assert_eq!(kept, (3..=MOST + 2).rev().map(sanction_id).collect::<Vec<_>>());
}

async fn the_log_has_a_row_for_what_was_done_and_none_for_what_was_refused(s: Fixture) {
    with_matches(&s).await;
    make(&s, &[(1, 1, 1, 2)]).await;
    let muted = LogRow {
        of: Some(match_id(1).0),
        report: Some(report_id(1).0),
        until: Some(77_000),
        note: Some("\"κ\"".to_owned()),
        ..row(5, 5_000, ModeratorAct::Mute, Some(2))
    };
    let mute = Some(sanction(5, SanctionKind::Mute, Some(77_000)));
    let both = Moderated { imposes: mute, closes_report: true, ..only(muted.clone()) };
    is!(s.moderate(both.clone()), Moderating::Done);
    is!(s.moderate(both), Moderating::NoSuchReport);
    let annulled = LogRow { of: Some(match_id(3).0), ..row(6, 6_000, ModeratorAct::Annul, None) };
    is!(s.moderate(only(annulled.clone())), Moderating::Done);
    let tournament = Some(match_id(4).0);
    let excluded = LogRow { tournament, ..row(7, 7_000, ModeratorAct::Exclude, Some(3)) };
    is!(s.moderate(only(excluded.clone())), Moderating::Done);
    for (of, limit, expected) in [
        (None, 9, vec![excluded.clone(), annulled, muted.clone()]),
        (None, 1, vec![excluded.clone()]),
        (Some(player(2)), 9, vec![muted]),
        (Some(player(3)), 9, vec![excluded]),
        (Some(player(1)), 9, vec![]),
    ] {
        is!(s.moderation_log(of, limit), expected);
    }
}

async fn a_sweep_deletes_what_is_over(s: Fixture) {
    with_matches(&s).await;
    make(&s, &[(1, 1, 1, 2), (2, 2, 1, 2), (3, 3, 1, 2)]).await;
    for (n, at) in [(1, 10_000), (2, 11_000)] {
        is!(s.moderate(closing(n, at, report_id(n))), Moderating::Done);
    }
    imposed(&s, 1, sanction(3, SanctionKind::Mute, Some(10_000))).await;
    imposed(&s, 2, sanction(4, SanctionKind::Mute, Some(11_000))).await;
    imposed(&s, 3, sanction(5, SanctionKind::Ban, None)).await;
    assert_eq!(PAST_SANCTIONS_KEPT_MS, CLOSED_REPORTS_KEPT_MS);
    done!(s.sweep(CLOSED_REPORTS_KEPT_MS + 10_000));
    reports_are(&s, false, 9, &[3, 2]).await;
    for (n, left) in [(1, 0), (2, 1), (3, 1)] {
        assert_eq!(done!(s.sanctions(player(n))).len(), left, "{n}");
    }
    assert_eq!(done!(s.moderation_log(None, 9)).len(), 5);
}

async fn all_goes_with_the_guest_but_the_log(s: Fixture) {
    with_matches(&s).await;
    make(&s, &[(1, 1, 1, 2), (2, 1, 2, 1), (3, 1, 3, 1)]).await;
    imposed(&s, 2, sanction(5, SanctionKind::Mute, None)).await;
    done!(s.note_leaving(match_id(1), player(2), 3_000));
    s.forget(2).await;
    reports_are(&s, false, 9, &[3]).await;
    is!(s.sanctions(player(2)), []);
    is!(s.leavings(player(2), 0), []);
    assert_eq!(done!(s.moderation_log(Some(player(2)), 9)).len(), 1);
}

async fn a_match_is_left_once(s: Fixture) {
    with_matches(&s).await;
    for (of, by, at) in
        [(2, 1, 5_000), (1, 1, 7_000), (1, 2, 8_000), (1, 1, 9_000), (9, 1, 9_000), (3, 9, 9_000)]
    {
        done!(s.note_leaving(match_id(of), player(by), at));
    }
    let (first, second) = ((match_id(2), 5_000), (match_id(1), 7_000));
    for (by, since, expected) in [(1, 0, &[first, second][..]), (1, 5_001, &[second]), (2, 0, &[])] {
        is!(s.leavings(player(by), since), expected);
    }
    done!(s.sweep(LEAVINGS_COUNT_FOR_MS + 5_000));
    is!(s.leavings(player(1), 0), [second]);
}
