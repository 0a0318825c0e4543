//! Reports, what was imposed on guests, the moderators' log, and who left which match.

use std::sync::Arc;

use lusoria_play::{LEAVINGS_COUNT_FOR_MS, Millis, PlayerId, ReportId, ReportReason, SanctionId};
use lusoria_store::{
    AdoptionBeginning, Ban, CLOSED_REPORTS_KEPT_MS, LogRow, Moderated, Moderating, ModeratorAct, NewReport,
    PAST_SANCTIONS_KEPT_MS, REPORTS_A_DAY_MAX, ReportAdding, Sanction, SanctionKind, Store,
    WARNINGS_PER_GUEST_MAX,
};
use uuid::Uuid;

use super::{
    accounts::with_accounts, departures, guest, hash, match_id, new_match, on_all_stores, player, session,
};

on_all_stores!(
    reports_are_read_as_they_were_made,
    the_same_report_again_is_the_one_that_is_open,
    nobody_makes_more_than_five_reports_a_day,
    nothing_is_reported_that_is_not_there,
    a_report_is_closed_once_and_can_be_made_again,
    a_mute_takes_the_place_of_another_and_is_lifted,
    a_ban_is_told_with_the_bearer_of_a_token,
    warnings_are_read_once_and_the_oldest_go,
    the_log_has_a_row_for_what_was_done_and_none_for_what_was_refused,
    a_sweep_deletes_what_is_over,
    all_goes_with_the_guest_but_the_log,
    an_adopter_takes_over_what_the_guest_has_earned,
    a_match_is_left_once,
);

pub(super) fn report_id(n: u64) -> ReportId {
    ReportId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_8000 | u128::from(n)))
}

fn sanction_id(n: u64) -> SanctionId {
    SanctionId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_9000 | u128::from(n)))
}

/// Report `n` by guest `by` of guest `whom` in match `of`, at `n` seconds.
pub(super) fn report(n: u64, of: u32, by: u32, whom: u32) -> NewReport {
    NewReport {
        id: report_id(n),
        of: match_id(of),
        reporter: player(by),
        reported: player(whom),
        reason: ReportReason::ALL[usize::try_from(n).expect("small") % ReportReason::ALL.len()],
        words: n.is_multiple_of(2).then(|| format!("\"they said\" {n}")),
        made_at: n * 1_000,
    }
}

/// Sanction `n`, imposed at `n` seconds.
pub(super) fn sanction(n: u64, kind: SanctionKind, until: Option<Millis>) -> Sanction {
    let words = n.is_multiple_of(2).then(|| format!("\"be nice\" {n}"));
    Sanction { id: sanction_id(n), kind, imposed_at: n * 1_000, until, words, read_at: None }
}

fn row(n: u64, done_at: Millis, act: ModeratorAct, guest: Option<u32>) -> LogRow {
    let id = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_a000 | u128::from(n));
    let guest = guest.map(|guest| player(guest).0);
    LogRow { id, done_at, act, guest, of: None, report: None, until: None, note: None }
}

async fn moderate(store: &Arc<Store>, moderated: Moderated) -> Moderating {
    store.moderate(moderated).await.expect("asked")
}

pub(super) fn imposing(of: u32, sanction: Sanction) -> Moderated {
    let act = match sanction.kind {
        SanctionKind::Warning => ModeratorAct::Warn,
        SanctionKind::Mute => ModeratorAct::Mute,
        SanctionKind::Ban => ModeratorAct::Ban,
    };
    let row = row(sanction.imposed_at, sanction.imposed_at, act, Some(of));
    Moderated { row, imposes: Some(sanction), lifts: None, closes_report: false, closes_flag: None }
}

pub(super) async fn imposed(store: &Arc<Store>, of: u32, sanction: Sanction) {
    assert_eq!(moderate(store, imposing(of, sanction)).await, Moderating::Done);
}

fn lifting(n: u64, at: Millis, of: u32, kind: SanctionKind) -> Moderated {
    let act = if kind == SanctionKind::Ban { ModeratorAct::Unban } else { ModeratorAct::Unmute };
    Moderated {
        row: row(n, at, act, Some(of)),
        imposes: None,
        lifts: Some(kind),
        closes_report: false,
        closes_flag: None,
    }
}

pub(super) fn closing(n: u64, at: Millis, report: ReportId) -> Moderated {
    let row = LogRow { report: Some(report.0), ..row(n, at, ModeratorAct::Close, None) };
    Moderated { row, imposes: None, lifts: None, closes_report: true, closes_flag: None }
}

/// Guests 1 (with an account), 2 and 3, and matches 1 to 8.
async fn with_matches(store: &Arc<Store>) {
    with_accounts(store, &[1]).await;
    for n in [2, 3] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    for n in 1..=8 {
        store.create(new_match(n)).await.expect("created");
    }
}

async fn add(store: &Arc<Store>, new: NewReport) -> ReportAdding {
    store.add_report(new).await.expect("asked")
}

fn made(n: u64) -> ReportAdding {
    ReportAdding::Made { id: report_id(n), made_at: n * 1_000 }
}

async fn ids(store: &Arc<Store>, only_open: bool, limit: u32) -> Vec<ReportId> {
    store.reports(only_open, limit).await.expect("read").into_iter().map(|report| report.id).collect()
}

async fn reports_are_read_as_they_were_made(store: Arc<Store>) {
    with_matches(&store).await;
    for (n, of, by, whom) in [(1, 1, 1, 2), (2, 1, 2, 1), (3, 2, 1, 3)] {
        assert_eq!(add(&store, report(n, of, by, whom)).await, made(n));
    }
    let read = store.report(report_id(2)).await.expect("read").expect("there");
    let NewReport { id, of, reporter, reported, reason, words, made_at } = report(2, 1, 2, 1);
    assert_eq!((read.id, read.of, read.reason, read.made_at), (id, of, reason, made_at));
    assert_eq!((read.reporter.id, read.reported.id, read.closed_at), (reporter, reported, None));
    assert_eq!(read.words, words);
    assert_eq!((&*read.reporter.name, &*read.reported.name), ("guest 2", "guest 1"));
    assert_eq!(ids(&store, true, 2).await, [3, 2].map(report_id));
    assert_eq!(ids(&store, false, 9).await, [3, 2, 1].map(report_id));
    let by: Vec<_> = store.reports_by(player(1), 9).await.expect("read");
    assert_eq!(by.iter().map(|report| report.id).collect::<Vec<_>>(), [3, 1].map(report_id));
    assert_eq!(store.report(report_id(9)).await.expect("read"), None);
}

async fn the_same_report_again_is_the_one_that_is_open(store: Arc<Store>) {
    with_matches(&store).await;
    assert_eq!(add(&store, report(1, 1, 1, 2)).await, made(1));
    assert_eq!(add(&store, report(2, 1, 1, 2)).await, made(1));
    assert_eq!(ids(&store, false, 9).await, [report_id(1)]);
}

async fn nobody_makes_more_than_five_reports_a_day(store: Arc<Store>) {
    with_matches(&store).await;
    let most = REPORTS_A_DAY_MAX;
    for n in 1..=most {
        assert_eq!(add(&store, report(n.into(), n, 1, 2)).await, made(n.into()));
    }
    assert_eq!(add(&store, report(6, 6, 1, 2)).await, ReportAdding::TooMany);
    assert_eq!(add(&store, report(7, 1, 1, 2)).await, made(1), "which is open");
    assert_eq!(add(&store, report(8, 6, 3, 2)).await, made(8), "others may");
    let next_day = NewReport { made_at: 86_401_000, ..report(9, 6, 1, 2) };
    assert!(matches!(add(&store, next_day).await, ReportAdding::Made { .. }));
}

async fn nothing_is_reported_that_is_not_there(store: Arc<Store>) {
    with_matches(&store).await;
    assert_eq!(add(&store, report(1, 1, 9, 2)).await, ReportAdding::GuestGone);
    assert_eq!(add(&store, report(1, 1, 1, 9)).await, ReportAdding::NoSuchGuest);
    assert_eq!(add(&store, report(1, 99, 1, 2)).await, ReportAdding::NoSuchMatch);
    store.set_blocked(player(2), Some(5)).await.expect("blocked");
    assert_eq!(add(&store, report(1, 1, 2, 1)).await, ReportAdding::GuestGone);
    assert_eq!(add(&store, report(1, 1, 1, 2)).await, made(1), "who is blocked can be reported");
}

async fn a_report_is_closed_once_and_can_be_made_again(store: Arc<Store>) {
    with_matches(&store).await;
    add(&store, report(1, 1, 1, 2)).await;
    assert_eq!(moderate(&store, closing(1, 9_000, report_id(2))).await, Moderating::NoSuchReport);
    assert_eq!(moderate(&store, closing(1, 9_000, report_id(1))).await, Moderating::Done);
    assert_eq!(moderate(&store, closing(2, 9_500, report_id(1))).await, Moderating::NoSuchReport);
    let closed = store.report(report_id(1)).await.expect("read").expect("there");
    assert_eq!(closed.closed_at, Some(9_000));
    assert_eq!(ids(&store, true, 9).await, []);
    assert_eq!(add(&store, report(3, 1, 1, 2)).await, made(3));
    assert_eq!(ids(&store, false, 9).await, [report_id(3)]);
    assert_eq!(ids(&store, true, 9).await, [report_id(3)]);
}

async fn sanctions(store: &Arc<Store>, of: u32) -> Vec<Sanction> {
    store.sanctions(player(of)).await.expect("read")
}

async fn a_mute_takes_the_place_of_another_and_is_lifted(store: Arc<Store>) {
    with_matches(&store).await;
    assert_eq!(sanctions(&store, 1).await, []);
    let first = sanction(1, SanctionKind::Mute, Some(50_000));
    let (second, ban) = (sanction(2, SanctionKind::Mute, None), sanction(3, SanctionKind::Ban, None));
    imposed(&store, 1, first.clone()).await;
    assert_eq!(sanctions(&store, 1).await, [first]);
    imposed(&store, 1, second.clone()).await;
    imposed(&store, 1, ban.clone()).await;
    assert_eq!(sanctions(&store, 1).await, [ban.clone(), second]);
    assert_eq!(moderate(&store, lifting(7, 9_000, 1, SanctionKind::Mute)).await, Moderating::Done);
    assert_eq!(sanctions(&store, 1).await, [ban]);
    let again = moderate(&store, lifting(8, 9_000, 1, SanctionKind::Mute)).await;
    assert_eq!(again, Moderating::NothingToLift);
    let gone = moderate(&store, imposing(9, sanction(4, SanctionKind::Mute, None))).await;
    assert_eq!(gone, Moderating::NoSuchGuest);
    // One that has expired holds nobody.
    imposed(&store, 2, sanction(5, SanctionKind::Mute, Some(6_000))).await;
    let late = moderate(&store, lifting(9, 6_000, 2, SanctionKind::Mute)).await;
    assert_eq!(late, Moderating::NothingToLift);
}

async fn a_ban_is_told_with_the_bearer_of_a_token(store: Arc<Store>) {
    with_matches(&store).await;
    let ban = async || store.bearer(hash(2)).await.expect("read").expect("a bearer").ban;
    imposed(&store, 2, sanction(1, SanctionKind::Mute, None)).await;
    assert_eq!(ban().await, None);
    imposed(&store, 2, sanction(2, SanctionKind::Ban, Some(5_000))).await;
    assert_eq!(ban().await, Some(Ban { until: Some(5_000), words: Some("\"be nice\" 2".to_owned()) }));
    imposed(&store, 2, sanction(3, SanctionKind::Ban, None)).await;
    assert_eq!(ban().await, Some(Ban { until: None, words: None }));
    let other = store.bearer(hash(3)).await.expect("read").expect("a bearer");
    assert_eq!(other.ban, None);
    assert_eq!(moderate(&store, lifting(7, 9_000, 2, SanctionKind::Ban)).await, Moderating::Done);
    assert_eq!(ban().await, None);
}

async fn warnings_are_read_once_and_the_oldest_go(store: Arc<Store>) {
    with_matches(&store).await;
    for n in 1..=3 {
        imposed(&store, 1, sanction(n, SanctionKind::Warning, None)).await;
    }
    let read =
        async |upto, at| store.note_warnings_read(player(1), sanction_id(upto), at).await.expect("noted");
    assert_eq!(read(2, 8_000).await, 2);
    assert_eq!(read(2, 9_000).await, 0);
    let told: Vec<_> = sanctions(&store, 1).await.into_iter().map(|warning| warning.read_at).collect();
    assert_eq!(told, [None, Some(8_000), Some(8_000)]);
    let most = u64::from(WARNINGS_PER_GUEST_MAX);
    for n in 4..=most + 2 {
        imposed(&store, 1, sanction(n, SanctionKind::Warning, None)).await;
    }
    let kept: Vec<_> = sanctions(&store, 1).await.into_iter().map(|warning| warning.id).collect();
    assert_eq!(kept, (3..=most + 2).rev().map(sanction_id).collect::<Vec<_>>());
}

async fn the_log_has_a_row_for_what_was_done_and_none_for_what_was_refused(store: Arc<Store>) {
    with_matches(&store).await;
    add(&store, report(1, 1, 1, 2)).await;
    let warned = LogRow {
        of: Some(match_id(1).0),
        report: Some(report_id(1).0),
        until: Some(77_000),
        note: Some("\"κ\"".to_owned()),
        ..row(5, 5_000, ModeratorAct::Mute, Some(2))
    };
    let both = Moderated {
        row: warned.clone(),
        imposes: Some(sanction(5, SanctionKind::Mute, Some(77_000))),
        lifts: None,
        closes_report: true,
        closes_flag: None,
    };
    assert_eq!(moderate(&store, both.clone()).await, Moderating::Done);
    assert_eq!(moderate(&store, both).await, Moderating::NoSuchReport);
    let annulled = LogRow { of: Some(match_id(3).0), ..row(6, 6_000, ModeratorAct::Annul, None) };
    let annuls = Moderated {
        row: annulled.clone(),
        imposes: None,
        lifts: None,
        closes_report: false,
        closes_flag: None,
    };
    assert_eq!(moderate(&store, annuls).await, Moderating::Done);
    let log = async |of: Option<PlayerId>, limit| store.moderation_log(of, limit).await.expect("read");
    assert_eq!(log(None, 9).await, [annulled.clone(), warned.clone()]);
    assert_eq!(log(None, 1).await, [annulled]);
    assert_eq!(log(Some(player(2)), 9).await, [warned]);
    assert_eq!(log(Some(player(1)), 9).await, []);
}

async fn a_sweep_deletes_what_is_over(store: Arc<Store>) {
    with_matches(&store).await;
    for n in [1, 2, 3] {
        add(&store, report(n, u32::try_from(n).expect("small"), 1, 2)).await;
    }
    moderate(&store, closing(1, 10_000, report_id(1))).await;
    moderate(&store, closing(2, 11_000, report_id(2))).await;
    imposed(&store, 1, sanction(3, SanctionKind::Mute, Some(10_000))).await;
    imposed(&store, 2, sanction(4, SanctionKind::Mute, Some(11_000))).await;
    imposed(&store, 3, sanction(5, SanctionKind::Ban, None)).await;
    store.sweep(CLOSED_REPORTS_KEPT_MS + 10_000).await.expect("swept");
    assert_eq!(ids(&store, false, 9).await, [3, 2].map(report_id));
    assert_eq!(PAST_SANCTIONS_KEPT_MS, CLOSED_REPORTS_KEPT_MS);
    let left = [1, 2, 3].map(|n| sanctions(&store, n));
    let left = futures_util::future::join_all(left).await;
    assert_eq!(left.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(store.moderation_log(None, 9).await.expect("read").len(), 5);
}

async fn all_goes_with_the_guest_but_the_log(store: Arc<Store>) {
    with_matches(&store).await;
    add(&store, report(1, 1, 1, 2)).await;
    add(&store, report(2, 1, 2, 1)).await;
    add(&store, report(3, 1, 3, 1)).await;
    imposed(&store, 2, sanction(5, SanctionKind::Mute, None)).await;
    store.note_leaving(match_id(1), player(2), 3_000).await.expect("noted");
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    assert_eq!(ids(&store, false, 9).await, [report_id(3)]);
    assert_eq!(sanctions(&store, 2).await, []);
    assert_eq!(store.leavings(player(2), 0).await.expect("read"), []);
    assert_eq!(store.moderation_log(Some(player(2)), 9).await.expect("read").len(), 1);
}

async fn an_adopter_takes_over_what_the_guest_has_earned(store: Arc<Store>) {
    with_matches(&store).await;
    add(&store, report(1, 1, 2, 3)).await;
    add(&store, report(2, 2, 3, 2)).await;
    add(&store, report(3, 3, 1, 3)).await;
    add(&store, report(4, 3, 2, 3)).await;
    imposed(&store, 2, sanction(5, SanctionKind::Mute, None)).await;
    imposed(&store, 2, sanction(6, SanctionKind::Ban, None)).await;
    imposed(&store, 1, sanction(7, SanctionKind::Mute, Some(90_000))).await;
    store.note_leaving(match_id(1), player(2), 3_000).await.expect("noted");
    let begun = store.begin_adoption(departures::adoption(2, 1)).await.expect("asked");
    assert_eq!(begun, AdoptionBeginning::Begun);
    let reporter = async |n| store.report(report_id(n)).await.expect("read").expect("there").reporter.id;
    assert_eq!((reporter(1).await, reporter(3).await, reporter(4).await), (player(1), player(1), player(2)));
    let second = store.report(report_id(2)).await.expect("read").expect("there");
    assert_eq!(second.reported.id, player(1));
    let held: Vec<_> = sanctions(&store, 1).await.into_iter().map(|of| of.id).collect();
    assert_eq!(held, [7, 6].map(sanction_id), "their own mute stays, the ban comes");
    assert_eq!(store.leavings(player(1), 0).await.expect("read"), [(match_id(1), 3_000)]);
}

async fn a_match_is_left_once(store: Arc<Store>) {
    with_matches(&store).await;
    for (of, by, at) in [(2, 1, 5_000), (1, 1, 7_000), (1, 2, 8_000), (1, 1, 9_000), (9, 1, 9_000)] {
        store.note_leaving(match_id(of), player(by), at).await.expect("noted");
    }
    store.note_leaving(match_id(3), player(9), 9_000).await.expect("passed over");
    let leavings = async |by, since| store.leavings(player(by), since).await.expect("read");
    assert_eq!(leavings(1, 0).await, [(match_id(2), 5_000), (match_id(1), 7_000)]);
    assert_eq!(leavings(1, 5_001).await, [(match_id(1), 7_000)]);
    assert_eq!(leavings(2, 0).await, []);
    store.sweep(LEAVINGS_COUNT_FOR_MS + 5_000).await.expect("swept");
    assert_eq!(leavings(1, 0).await, [(match_id(1), 7_000)]);
}
