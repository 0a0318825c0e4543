//! The load generator against a server: its sums must come out.

use std::{net::SocketAddr, time::Duration};

use lusoria_bench::{Arrival, BenchError, Load, Pace, Report, Transport, run};
use lusoria_client::RequestError;
use lusoria_protocol::{Game, socket::OnLag};
use tokio_util::sync::CancellationToken;

use crate::support::server::{GENEROUS, server_with};

/// So many turns over two matches, however long they take.
fn load(address: SocketAddr, turns: u64) -> Load {
    Load {
        connects_per_s: 100_000.0,
        matches: 2,
        pace: Pace::Closed,
        turns_max: Some(turns),
        warm_up: Duration::ZERO,
        duration: None,
        watchers: 6,
        ..Load::modest(address.into())
    }
}

async fn report(load: Load) -> Report {
    // In a task of its own: other things run beside it.
    let run = tokio::spawn(run(load, CancellationToken::new(), Box::new(|_| {})));
    run.await.expect("no panic").expect("the load gets into place")
}

/// Every turn was answered, received, and delivered to everybody who watched.
fn assert_whole(report: &Report, turns: u64) {
    assert!(report.is_clean(), "{report}");
    let players = &report.players;
    assert_eq!(
        (players.turns_sent, players.turns_acknowledged, players.turns_received, players.turns_unsent),
        (turns, turns, turns, 0)
    );
    for latency in [&players.acknowledged, &players.received, &players.late] {
        assert_eq!(latency.expect("turns were timed").count, turns);
    }
    assert_eq!(report.watchers.turns_delivered, report.watchers.turns_shown);
}

#[tokio::test]
async fn every_turn_is_acknowledged_received_and_delivered() {
    let server = server_with(&GENEROUS).await;
    let turns = 600;
    let report = report(Load { idle: 3, ..load(server.address(), turns) }).await;
    assert_whole(&report, turns);
    // Three of the six watch each match, and events other than turns are delivered too.
    assert_eq!(report.watchers.turns_shown, 3 * turns);
    assert!(report.watchers.deliveries > 3 * turns);
    let to_all = report.watchers.delivered_to_all.expect("turns were timed");
    assert_eq!(to_all.count, turns);
    assert!(to_all.max_us >= report.watchers.delivered.expect("turns were timed").p50_us);
    assert_eq!(report.idle.map(|idle| idle.sockets), Some(3));
}

#[tokio::test]
async fn a_pair_plays_one_match_after_the_other_with_everybody_watching() {
    let server = server_with(&GENEROUS).await;
    let turns = 500;
    let load = Load { game: Game::Tablut, watch_one: true, guests: Some(3), ..load(server.address(), turns) };
    let report = report(Load { matches: 1, ..load }).await;
    assert_whole(&report, turns);
    assert!(report.players.matches_finished > 0, "{report}");
    assert_eq!(report.watchers.turns_shown, 6 * turns);
}

#[tokio::test]
async fn turns_at_a_rate_come_by_their_schedule() {
    let server = server_with(&[]).await;
    let pace = Pace::Rate { turns_per_s: 1_000.0, arrival: Arrival::Poisson };
    let report = report(Load { pace, ..load(server.address(), 200) }).await;
    assert_whole(&report, 200);
    assert!(report.measured_s > 0.1, "{report}");
}

/// Over plain HTTP the same sums come out, however matches follow each other, and watchers read the same events
/// over their sockets.
#[tokio::test]
async fn turns_over_plain_http_are_acknowledged_received_and_delivered() {
    let server = server_with(&GENEROUS).await;
    let turns = 500;
    let load = Load { game: Game::Tablut, over: Transport::Http, ..load(server.address(), turns) };
    let report = report(Load { matches: 1, ..load }).await;
    assert_whole(&report, turns);
    assert!(report.players.matches_finished > 0, "{report}");
    assert_eq!(report.watchers.turns_shown, 6 * turns);
    assert_eq!(report.load.over, Transport::Http);
    assert!(report.to_string().contains("over HTTP"), "{report}");
}

#[tokio::test]
async fn refusals_over_plain_http_are_counted_and_the_turns_played_later() {
    let strict = server_with(&["--guest-requests-per-s", "1", "--guest-burst", "4"]).await;
    let load = Load { over: Transport::Http, matches: 1, watchers: 0, ..load(strict.address(), 8) };
    let held_back = report(load).await;
    assert_eq!((held_back.players.turns_received, held_back.is_clean()), (8, false), "{held_back}");
    assert!(held_back.errors.contains_key("too_many_requests"), "{held_back}");
}

#[tokio::test]
async fn watchers_who_hardly_read_are_no_fault() {
    let server = server_with(&GENEROUS).await;
    let load = Load {
        slow_share: 0.5,
        slow_pause: Duration::from_millis(1),
        silent_share: 0.5,
        on_lag: OnLag::Snapshot,
        ..load(server.address(), 200)
    };
    let report = report(load).await;
    assert_whole(&report, 200);
    assert_eq!(report.watchers.deliveries, 0);
    assert!(report.watchers.slow_deliveries > 0, "{report}");
}

#[tokio::test]
async fn refusals_are_counted_and_say_what_would_help() {
    let strict = server_with(&["--guest-requests-per-s", "1", "--guest-burst", "4"]).await;
    let held_back = report(Load { matches: 1, ..load(strict.address(), 8) }).await;
    assert_eq!((held_back.players.turns_received, held_back.is_clean()), (8, false), "{held_back}");
    assert!(held_back.errors.contains_key("too_many_requests"), "{held_back}");
    assert!(held_back.to_string().contains("--guest-requests-per-s"), "{held_back}");

    let strict = server_with(&["--new-guests-per-hour", "3"]).await;
    let refused = run(load(strict.address(), 1), CancellationToken::new(), Box::new(|_| {})).await;
    let error = refused.expect_err("four guests are needed");
    assert!(error.to_string().contains("--new-guests-per-hour"), "{error}");
    let BenchError::Opening { why: lusoria_bench::ClientError::Ask(RequestError::Problem(problem)), .. } =
        error
    else {
        panic!("{error}")
    };
    assert_eq!(problem.code.as_str(), "too_many_guests");
}

#[tokio::test]
async fn a_run_can_be_stopped() {
    let server = server_with(&GENEROUS).await;
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let told = move |progress: &lusoria_bench::Progress| {
        if progress.turns > 0 {
            stopping.cancel();
        }
    };
    let report =
        run(Load { turns_max: Some(u64::MAX), ..load(server.address(), 0) }, stop, Box::new(told)).await;
    let report = report.expect("the load gets into place");
    assert!(report.players.turns_received > 0);
    assert_whole(&report, report.players.turns_sent);
}

#[tokio::test]
async fn a_server_that_never_answers_can_be_left() {
    let mute = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = mute.local_addr().expect("a bound port");
    let stop = CancellationToken::new();
    let (left, accepted) = tokio::join!(run(load(address, 1), stop.clone(), Box::new(|_| {})), async {
        let accepted = mute.accept().await;
        stop.cancel();
        accepted
    });
    assert!(matches!(left, Err(BenchError::Stopped)), "{left:?}");
    accepted.expect("a connection");
}

fn a_good_report() -> Report {
    let mut report: Report = serde_json::from_str(include_str!("bench/report.json")).expect("a report");
    (report.missing, report.repeated, report.changed) = (0, 0, 0);
    report.errors.clear();
    report.players.turns_sent = report.players.turns_received;
    report.players.turns_unsent = 0;
    report
}

#[test]
fn a_load_that_the_server_could_not_bear_is_not_clean() {
    assert!(a_good_report().is_clean());
    let mut last = a_good_report();
    last.players.turns_unsent = 28_000;
    assert!(last.is_clean(), "less than one of a thousand");
    let bad = |change: fn(&mut Report)| {
        let mut report = a_good_report();
        change(&mut report);
        assert!(!report.is_clean(), "{report}");
        report
    };
    let overloaded = bad(|report| report.players.turns_unsent = 30_000);
    assert!(overloaded.to_string().contains("could not keep up"), "{overloaded}");
    bad(|report| report.players.turns_acknowledged -= 1);
    bad(|report| report.players.turns_received -= 1);
    bad(|report| report.watchers.turns_delivered -= 1);
}

#[test]
fn the_share_of_the_bare_echo_is_told_where_it_says_something() {
    let mut report = a_good_report();
    assert!(!report.to_string().contains('%'), "at a rate both do what they are asked");
    report.load.turns_per_s = None;
    assert!(report.to_string().contains("turns are 6 % of that"), "{report}");
    report.echo.as_mut().expect("an echo").turns_per_s = 0.0;
    assert!(!report.to_string().contains('%'), "{report}");
}

#[test]
fn a_report_fits_on_a_page_and_is_json() {
    let report: Report = serde_json::from_str(include_str!("bench/report.json")).expect("a report");
    assert!(report.to_string().lines().all(|line| line.chars().count() <= 80), "{report}");
    let written = serde_json::to_value(&report).expect("a report is plain data");
    let read: serde_json::Value = serde_json::from_str(include_str!("bench/report.json")).expect("JSON");
    assert_eq!(written, read);
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_play_against_the_computer_beside_the_pairs() {
    let server = server_with(&[]).await;
    let load = Load {
        computers: 2,
        pace: Pace::Rate { turns_per_s: 20.0, arrival: Arrival::Even },
        turns_max: None,
        duration: Some(Duration::from_secs(3)),
        ..load(server.address(), 0)
    };
    let report = report(load).await;
    assert!(report.is_clean(), "{report}");
    let computer = report.computer.expect("it has played");
    assert_eq!(computer.matches, 2);
    assert!(computer.turns > 0 && computer.budget_mean > 0, "{report}");
    assert_eq!(computer.answered.expect("its turns were timed").count, computer.turns);
}
