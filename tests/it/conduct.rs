//! Reports, warnings, mutes and bans, and who is not paired because they leave.

use std::time::Duration;

use lusoria::{
    app::{
        Operation,
        admin::{AdminAction, AdminOutcome, AdminQuery, Grounds},
    },
    config::TalkPolicy,
};
use lusoria_play::{MatchId, Phrase, TalkRoom};
use lusoria_protocol::{Code, CreateReport, ReadWarnings, ReportReason, Say};
use serde_json::{from_value, json};
use uuid::Uuid;

use crate::{
    accounts::get_as,
    http::{assert_problem, guest, post, tablut},
    support::server::server_with,
    talk::World,
};

fn grounds(say: &str, report: Option<Uuid>) -> Grounds {
    Grounds { say: Some(say.to_owned()), note: Some("a note".to_owned()), report }
}

async fn administer(world: &World, act: AdminAction) -> AdminOutcome {
    world.app.administer(act).await.expect("done")
}

async fn log(world: &World) -> Vec<String> {
    let log = administer(world, AdminAction::Query(AdminQuery::Log { guest: None })).await;
    let AdminOutcome::Log { rows } = log else { panic!("{log:?}") };
    rows.iter().map(|row| row.act.column().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_report_reaches_the_operator_with_what_was_said() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two, watcher) = (world.guest("One").await, world.guest("Two").await, world.guest("W").await);
    let id = world.played(&one, &two).await;
    let say = Say { room: TalkRoom::Players, phrase: Some(Phrase::Lucky), text: None };
    world.app.say(&two, id, &say).await.expect("said");
    let of = |player| CreateReport { player, reason: ReportReason::Abuse, text: None };
    let made = world.app.report(&one, id, &of(two.id())).await.expect("made");
    assert_eq!(world.app.report(&one, id, &of(two.id())).await.expect("the same"), made);
    assert_eq!(world.app.report(&one, id, &of(one.id())).await.expect_err("no").code, Code::Yourself);
    assert_eq!(world.app.report(&one, id, &of(watcher.id())).await.expect_err("no").code, Code::NotInMatch);
    let say = Say { room: TalkRoom::Watchers, phrase: Some(Phrase::Oops), text: None };
    world.app.say(&watcher, id, &say).await.expect("said");
    world.app.report(&one, id, &of(watcher.id())).await.expect("made");

    let AdminOutcome::Reports { reports } =
        administer(&world, AdminAction::Query(AdminQuery::Reports { all: false })).await
    else {
        panic!("reports")
    };
    assert_eq!(reports.len(), 2);
    let shown = administer(&world, AdminAction::Query(AdminQuery::Report { id: made.id.0 })).await;
    let AdminOutcome::Report { report, talk } = shown else { panic!("{shown:?}") };
    assert_eq!((&*report.reported.name, &*report.reason), ("Two", "abuse"));
    assert_eq!(talk.iter().map(|remark| &*remark.said).collect::<Vec<_>>(), ["[lucky]", "[oops]"]);

    let warn = AdminAction::Warn { guest: "Two".to_owned(), grounds: grounds("Be nice", Some(made.id.0)) };
    administer(&world, warn.clone()).await;
    assert!(world.app.administer(warn).await.is_err(), "the report is closed");
    assert_eq!(log(&world).await, ["warn"]);
    let standing = world.app.standing(&two).await.expect("read");
    assert_eq!(standing.warnings[0].text.as_deref(), Some("Be nice"));
    let read = ReadWarnings { upto: standing.warnings[0].id };
    assert_eq!(world.app.read_warnings(&two, &read).await.expect("read").warnings, []);
    let long = Grounds { say: Some("x".repeat(501)), ..Grounds::default() };
    assert!(
        world.app.administer(AdminAction::Warn { guest: "Two".to_owned(), grounds: long }).await.is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn too_many_reports_are_refused_with_the_time_of_the_next() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two) = (world.guest("One").await, world.guest("Two").await);
    let of = CreateReport { player: two.id(), reason: ReportReason::Abuse, text: None };
    for _ in 0..5 {
        let id = world.played(&one, &two).await;
        tokio::time::sleep(Duration::from_mins(1)).await;
        world.app.report(&one, id, &of).await.expect("made");
    }
    let id = world.played(&one, &two).await;
    let refused = world.app.report(&one, id, &of).await.expect_err("too many");
    assert_eq!((refused.code, refused.limit), (Code::TooManyReports, Some(5)));
    let after_s = refused.retry_after_s.expect("a time");
    assert!((86_000..=86_400 - 240).contains(&after_s), "{after_s}");
    tokio::time::advance(Duration::from_secs(after_s)).await;
    world.app.report(&one, id, &of).await.expect("made");
}

#[tokio::test(start_paused = true)]
async fn a_muted_guest_writes_nothing_until_it_ends_or_is_lifted() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two) = (world.guest("One").await, world.guest("Two").await);
    let id = world.played(&one, &two).await;
    let say = async || {
        let say = Say { room: TalkRoom::Players, phrase: Some(Phrase::Hello), text: None };
        world.app.say(&one, id, &say).await
    };
    let mute =
        |for_ms| AdminAction::Mute { guest: "One".to_owned(), for_ms, grounds: grounds("Silence", None) };
    administer(&world, mute(Some(3_600_000))).await;
    let refused = say().await.expect_err("muted");
    assert_eq!((refused.code, &*refused.detail), (Code::Muted, "Silence"));
    assert_eq!(refused.until, world.app.standing(&one).await.expect("read").muted.expect("muted").until);
    tokio::time::advance(Duration::from_hours(1)).await;
    say().await.expect("said");
    administer(&world, mute(None)).await;
    let refused = say().await.expect_err("muted");
    assert_eq!((refused.code, refused.until), (Code::Muted, None));
    administer(&world, AdminAction::Unmute { guest: "One".to_owned(), grounds: Grounds::default() }).await;
    say().await.expect("said");
    let again = AdminAction::Unmute { guest: "One".to_owned(), grounds: Grounds::default() };
    assert!(world.app.administer(again).await.is_err());
    assert_eq!(log(&world).await, ["unmute", "mute", "mute"]);
}

#[tokio::test(start_paused = true)]
async fn a_banned_guest_may_only_resign_and_see_why() {
    let world = World::new(TalkPolicy::Phrases).await;
    let one = world.guest("One").await;
    let seek = json!({"games": ["zeno"], "points": [1], "clocks": [{"kind": "days", "days": 3}]});
    world.app.seek(&one, &from_value(seek).expect("a request")).await.expect("sought");
    let open = world.app.create(&one, &from_value(json!({"game": "zeno"})).expect("a request"), None).await;
    let open = open.expect("made").created.id;
    let ban = |for_ms| AdminAction::Ban { guest: "One".to_owned(), for_ms, grounds: grounds("Enough", None) };
    administer(&world, ban(Some(7_200_000))).await;
    assert_eq!(world.app.seeks(&one).await.expect("read").seeks.len(), 0, "what waits has ended");
    assert!(world.app.live().state(open).await.expect("a match").end().is_some());

    let banned = world.app.authenticate_again(&one).await.expect("they can sign in");
    let refused = Operation::PlayTurn.permit(Some(&banned)).expect_err("banned");
    assert_eq!((refused.code, &*refused.detail), (Code::Banned, "Enough"));
    assert!(refused.until.is_some());
    for operation in [Operation::Say, Operation::CreateSeek, Operation::CreateMatch, Operation::Join] {
        assert_eq!(operation.permit(Some(&banned)).expect_err("banned").code, Code::Banned);
    }
    for operation in
        [Operation::Resign, Operation::Abort, Operation::Standing, Operation::Me, Operation::Archive]
    {
        assert!(operation.permit(Some(&banned)).is_ok(), "{operation:?}");
    }
    assert!(world.app.standing(&banned).await.expect("read").banned.is_some());
    tokio::time::advance(Duration::from_hours(2)).await;
    let free = world.app.authenticate_again(&banned).await.expect("they can sign in");
    assert!(Operation::PlayTurn.permit(Some(&free)).is_ok());
    administer(&world, ban(None)).await;
    administer(&world, AdminAction::Unban { guest: "One".to_owned(), grounds: Grounds::default() }).await;
    let free = world.app.authenticate_again(&free).await.expect("they can sign in");
    assert!(Operation::PlayTurn.permit(Some(&free)).is_ok());
}

#[tokio::test(start_paused = true)]
async fn who_leaves_live_matches_again_and_again_waits() {
    let world = World::new(TalkPolicy::Phrases).await;
    let (one, two) = (world.guest("One").await, world.guest("Two").await);
    let blitz = json!({"kind": "fischer", "base_ms": 300_000, "increment_ms": 3_000});
    let days = json!({"kind": "days", "days": 3});
    let seek = async |clock: &serde_json::Value| {
        let request = json!({"games": ["zeno"], "points": [1], "clocks": [clock]});
        let sought = world.app.seek(&one, &from_value(request).expect("a request")).await;
        if let Ok(seek) = &sought {
            world.app.withdraw_seek(&one, seek.id).await.expect("withdrawn");
        }
        sought
    };
    let leave = async || -> MatchId {
        // The player who is to begin does not; it is `one` in both seats of the lot.
        loop {
            let id = world.played_on(&one, &two, blitz.clone()).await;
            tokio::time::sleep(Duration::from_mins(10)).await;
            let left = world.store.leavings(one.id(), 0).await.expect("read");
            if left.iter().any(|(of, _)| *of == id) {
                return id;
            }
        }
    };
    leave().await;
    seek(&blitz).await.expect("once is nothing");
    leave().await;
    let standing = world.app.standing(&one).await.expect("read");
    let refused = seek(&blitz).await;
    // They have waited while the second match ran out; the third is too much at once.
    match refused {
        Err(problem) => {
            assert_eq!((problem.code, problem.until), (Code::LeftTooOften, standing.unpaired_until));
        }
        Ok(_) => assert_eq!(standing.unpaired_until, None),
    }
    leave().await;
    let problem = seek(&blitz).await.expect_err("again and again");
    assert_eq!(problem.code, Code::LeftTooOften);
    assert!(problem.retry_after_s.is_some_and(|wait_s| wait_s <= 48 * 3_600));
    seek(&days).await.expect("correspondence seeks stay allowed");
    world.played_on(&one, &two, blitz.clone()).await;
    // That match runs out first.
    tokio::time::sleep(Duration::from_mins(10)).await;
    tokio::time::advance(Duration::from_hours(49)).await;
    seek(&blitz).await.expect("it is over");
}

#[tokio::test]
async fn reports_and_standing_over_http() {
    let server = server_with(&[]).await;
    let (id, [one, two]) = tablut(&server).await;
    let whom = get_as(&server, &two, "/me").await.json()["id"].clone();
    let path = format!("/matches/{id}/reports");
    let answer = post(
        &server,
        &one,
        &path,
        &json!({"player": whom, "reason": "stalling", "text": "It took an hour."}),
    )
    .await;
    assert_eq!((answer.status, &answer.json()["player"]), (201, &whom), "{answer:?}");
    let long = json!({"player": whom, "reason": "abuse", "text": "x".repeat(501)});
    assert_problem(&post(&server, &one, &path, &long).await, 422, "invalid_body");
    let unknown = json!({"player": whom, "reason": "boring"});
    assert_problem(&post(&server, &one, &path, &unknown).await, 422, "invalid_body");
    let stranger = guest(&server).await;
    let stranger = get_as(&server, &stranger, "/me").await.json()["id"].clone();
    let about = json!({"player": stranger, "reason": "abuse"});
    assert_problem(&post(&server, &one, &path, &about).await, 409, "not_in_match");
    let standing = get_as(&server, &one, "/me/standing").await;
    assert_eq!(standing.json(), json!({"warnings": []}));
}
