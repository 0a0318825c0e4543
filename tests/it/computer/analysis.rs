//! Matches that are over, as the computer sees them afterwards.

use std::{net::IpAddr, ops::Range, sync::Arc, time::Duration};

use lusoria::app::{Caller, ClientAddress};
use lusoria_play::MatchId;
use lusoria_protocol::{
    Abort, AnalysedGame, AnalysedTurn, Analysis, AnalysisState, AnalysisTotals, BySeat, Chances, Event,
    EventKind, GameEnd, Problem, Record, Seat,
};
use lusoria_store::{KeptAnalysis, Store};
use serde_json::json;

use super::world::{ADDRESS, Anything, START, World};
use crate::support::{
    assert_sound, database,
    store::{Delayed, FailingStore, Fault},
};

const ELSEWHERE: ClientAddress = ClientAddress(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));

/// Few enough to be quick.
const QUICK: [&str; 2] = ["--analysis-nodes", "300"];

pub(super) async fn world_with(store: Arc<Store>, flags: &[&str]) -> World {
    let world = World::over(store, START, flags).await;
    world.start_inline(Arc::new(Anything::default()));
    world
}

/// Plays a match to its end.
async fn finish(world: &World, guest: &Caller, id: MatchId) {
    while world.until_turn(id, guest).await.end().is_none() {
        world.play(guest, id).await;
    }
}

/// A match that is over.
pub(super) async fn over(world: &World, request: serde_json::Value) -> MatchId {
    let guest = world.guest(false).await;
    let id = world.create(&guest, request).await;
    finish(world, &guest, id).await;
    id
}

/// A short match that is over: given up after a turn of the guest's.
pub(super) async fn given_up(world: &World) -> MatchId {
    let (guest, id) =
        world.made(json!({"game": "tablut", "side": "attackers", "opponent": {"computer": 1}})).await;
    world.until_turn(id, &guest).await;
    world.play(&guest, id).await;
    world.resign(&guest, id).await;
    id
}

/// The response to a request for it.
async fn asked_from(world: &World, id: MatchId, address: ClientAddress) -> Result<Analysis, Problem> {
    let told = world.app.analysis(id, address).await?;
    let text = serde_json::to_string(&told).expect("it can be written");
    Ok(serde_json::from_str(&text).expect("an analysis"))
}

async fn asked(world: &World, id: MatchId) -> Result<Analysis, Problem> {
    asked_from(world, id, ADDRESS).await
}

/// Asks until it is ready, as long as `wait` takes in between; every answer on the way.
async fn until_ready_with(world: &World, id: MatchId, wait: impl AsyncFn()) -> Vec<Analysis> {
    let mut answers = Vec::new();
    for _ in 0..100_000 {
        let analysis = asked(world, id).await.expect("a match that is over");
        let state = analysis.state;
        answers.push(analysis);
        if state == AnalysisState::Ready {
            return answers;
        }
        wait().await;
    }
    panic!("it never is: {:?}", answers.last());
}

async fn until_ready(world: &World, id: MatchId) -> Vec<Analysis> {
    until_ready_with(world, id, async || tokio::time::sleep(Duration::from_millis(10)).await).await
}

pub(super) async fn analysed(world: &World, id: MatchId) -> (Analysis, Record) {
    let mut answers = until_ready(world, id).await;
    let record = world.app.record(id, ADDRESS).await.expect("a record");
    (answers.pop().expect("an answer"), record)
}

fn close(one: f32, other: f32, within: f32) -> bool {
    (one - other).abs() <= within
}

pub(super) fn score(value: &Chances) -> f32 {
    value.win + value.draw / 2.0
}

pub(super) fn points(value: &Chances) -> f32 {
    2.0 * value.win - (1.0 - value.draw) + value.win_double - value.lose_double
}

/// What holds for every analysis of that match, of which luck and loss are told in `worth`.
fn holds(analysis: &Analysis, record: &Record, worth: fn(&Chances) -> f32, mistake: f32) {
    let Analysis { state, done, turns, games, .. } = analysis;
    assert_eq!((*state, done), (AnalysisState::Ready, turns));
    let taken_back: Vec<_> = record.events.iter().filter_map(taken_back).collect();
    let counts = |event: &&Event| !taken_back.iter().any(|range| range.contains(&event.seq));
    let played = record.events.iter().filter(counts).filter_map(|event| match &event.kind {
        EventKind::Turned { seat, side, answers, notation, .. } => {
            Some((event.seq, *answers, *seat, *side, notation.clone()))
        }
        _ => None,
    });
    let told = games.iter().flat_map(|game| &game.turns).map(|turn| {
        let AnalysedTurn { seq, answers, seat, side, notation, .. } = turn.clone();
        (seq, answers, seat, side, notation)
    });
    assert!(told.eq(played), "every turn that counts is told, and nothing else");
    let passed =
        record.events.iter().filter(counts).filter(|event| matches!(event.kind, EventKind::Passed { .. }));
    let told = games.iter().flat_map(|game| &game.passes).map(|pass| pass.seq);
    assert!(told.eq(passed.map(|event| event.seq)));
    for game in games {
        for turn in &game.turns {
            sensible(turn, worth);
        }
        for seat in [Seat::One, Seat::Two] {
            adds_up(game, seat, mistake);
        }
        leads_to_the_end(game, worth);
    }
}

/// The events of turns that no longer count after that event.
const fn taken_back(event: &Event) -> Option<Range<u32>> {
    match event.kind {
        EventKind::TakenBack { to, .. } => Some(Range { start: to + 1, end: event.seq }),
        _ => None,
    }
}

fn sensible(turn: &AnalysedTurn, worth: fn(&Chances) -> f32) {
    for Chances { win, win_double, lose_double, draw } in
        [turn.before, turn.thrown, turn.best.value, turn.played]
    {
        for chance in [win, win_double, lose_double, draw, 1.0 - win - draw] {
            assert!((-0.000_2..=1.000_2).contains(&chance), "{turn:?}");
        }
        assert!(win_double <= win + 0.000_2 && lose_double <= 1.0 - win - draw + 0.000_2, "{turn:?}");
    }
    assert!(close(turn.luck, worth(&turn.thrown) - worth(&turn.before), 0.001), "{turn:?}");
    let lost = worth(&turn.best.value) - worth(&turn.played);
    if turn.forced {
        assert!(turn.lost == 0.0 && close(lost, 0.0, 0.001), "{turn:?}");
    } else {
        assert!(turn.lost >= 0.0 && close(turn.lost, lost, 0.001), "{turn:?}");
    }
}

fn adds_up(game: &AnalysedGame, seat: Seat, mistake: f32) {
    let turns = || game.turns.iter().filter(|turn| turn.seat == seat);
    let passes = game.passes.iter().filter(|pass| pass.seat == seat);
    let totals: AnalysisTotals = *game.totals.get(seat);
    let luck = turns().map(|turn| turn.luck).chain(passes.map(|pass| pass.luck)).sum();
    assert!(close(totals.luck, luck, 0.01), "{totals:?} {luck}");
    let lost = turns().map(|turn| turn.lost).sum();
    assert!(close(totals.lost, lost, 0.01), "{totals:?} {lost}");
    assert_eq!(totals.turns as usize, turns().count());
    assert_eq!(totals.mistakes as usize, turns().filter(|turn| turn.lost >= mistake).count());
}

/// From what seat 1 hoped for at the start to what it had at the end.
fn leads_to_the_end(game: &AnalysedGame, worth: fn(&Chances) -> f32) {
    let certain = |win| worth(&Chances { win, win_double: 0.0, lose_double: 0.0, draw: 0.0 });
    let both = certain(1.0) + certain(0.0);
    let of_one = |seat, chances: &Chances| match seat {
        Seat::One => worth(chances),
        Seat::Two => both - worth(chances),
    };
    let turns = game.turns.iter().map(|turn| (turn.seq, turn.seat, turn.before, turn.played));
    let passes = game.passes.iter().map(|pass| (pass.seq, pass.seat, pass.before, pass.thrown));
    let mut all: Vec<_> = turns.chain(passes).collect();
    all.sort_by_key(|(seq, ..)| *seq);
    let (Some((_, first, before, _)), Some((_, last, _, after))) = (all.first(), all.last()) else { return };
    let BySeat { one, two } = &game.totals;
    let told = of_one(*first, before) + (one.luck - one.lost) - (two.luck - two.lost)
        + game.unknown.expect("it is told");
    assert!(close(told, of_one(*last, after), 0.001), "{told} {:?}", all.last());
}

#[tokio::test(start_paused = true)]
async fn a_match_of_every_game_is_looked_at_turn_by_turn() {
    // Enough for a look at every throw of three dice.
    let world = world_with(database::store(), &["--analysis-nodes", "8000"]).await;
    world.analyse();
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let id = over(&world, json!({"game": game, "opponent": {"computer": 1}})).await;
        let (analysis, record) = analysed(&world, id).await;
        holds(&analysis, &record, score, 0.05);
        let turns = &analysis.games[0].turns;
        assert_eq!(analysis.games.len(), 1, "{game}");
        assert!(turns.iter().any(|turn| turn.lost > 0.0), "{game}: nobody plays anything without loss");
        let lucky = turns.iter().any(|turn| turn.luck != 0.0);
        assert_eq!(lucky, game != "tablut", "{game}: dice give luck, and nothing else does");
    }
}

#[tokio::test(start_paused = true)]
async fn turns_that_were_taken_back_are_not_looked_at() {
    let world = world_with(database::store(), &["--analysis-nodes", "8000"]).await;
    world.analyse();
    for game in ["tavla", "tabula"] {
        let (guest, id) = world.against(game, 1).await;
        for takebacks in [0, 1, 2, 1] {
            for _ in 0..2 {
                world.until_turn(id, &guest).await;
                world.play(&guest, id).await;
            }
            world.until_turn(id, &guest).await;
            for _ in 0..takebacks {
                world.take_back(&guest, id).await;
            }
        }
        finish(&world, &guest, id).await;
        let (analysis, record) = analysed(&world, id).await;
        assert_eq!(record.events.iter().filter_map(taken_back).count(), 4);
        assert_sound(&record);
        holds(&analysis, &record, score, 0.05);
    }
}

/// Every turn begins where the one before it ended, so that luck and loss explain the way from the
/// start to the result. They leave out how much deeper a turn is looked at than a throw.
#[tokio::test(start_paused = true)]
async fn luck_less_loss_leads_from_the_start_to_the_result() {
    let world = world_with(database::store(), &["--analysis-nodes", "6000"]).await;
    world.analyse();
    for game in ["tavla", "tablut"] {
        let id = over(&world, json!({"game": game, "opponent": {"computer": 1}})).await;
        let (analysis, record) = analysed(&world, id).await;
        let turns = &analysis.games[0].turns;
        let (first, last) = (turns.first().expect("a turn"), turns.last().expect("a turn"));
        let won = record.result.expect("it is over").winner_seat;
        assert!(won.is_none_or(|won| (won == last.seat) == (score(&last.played) > 0.5)), "{last:?}");
        // What the one to move first hopes for, from somebody's point of view.
        let own = |seat, score: f32| if seat == first.seat { score } else { 1.0 - score };
        let (mut seams, mut deeper) = (0.0, 0.0);
        let mut now = score(&first.before);
        for turn in turns {
            let sign = if turn.seat == first.seat { 1.0 } else { -1.0 };
            seams += (own(turn.seat, score(&turn.before)) - now).abs();
            deeper += (score(&turn.best.value) - score(&turn.thrown)).abs();
            now = own(turn.seat, score(&turn.before)) + sign * (turn.luck - turn.lost);
            now += sign * (score(&turn.best.value) - score(&turn.thrown));
        }
        let result = won.map_or(0.5, |won| own(won, 1.0));
        let many = f32::from(u16::try_from(turns.len()).expect("a game ends"));
        assert!(close(now, result, 0.01), "{game}: the result is {result}, told is {now}");
        assert!(seams <= 0.005 * many, "{game}: {seams} in {many} turns");
        assert!(deeper <= 0.06 * many, "{game}: {deeper} in {many} turns");
    }
}

#[tokio::test(start_paused = true)]
async fn a_series_is_told_in_points() {
    let world = world_with(database::store(), &QUICK).await;
    world.analyse();
    let id = over(&world, json!({"game": "tavla", "points": 3, "opponent": {"computer": 1}})).await;
    let (analysis, record) = analysed(&world, id).await;
    let numbers: Vec<u16> = analysis.games.iter().map(|game| game.game).collect();
    assert!(numbers.len() > 1 && numbers.iter().copied().eq((1..).take(numbers.len())), "{numbers:?}");
    holds(&analysis, &record, points, 0.1);
}

#[tokio::test(start_paused = true)]
async fn resigned_and_aborted_matches_are_analysed_as_far_as_they_went() {
    let world = world_with(database::store(), &QUICK).await;
    world.analyse();
    let (analysis, record) = analysed(&world, given_up(&world).await).await;
    holds(&analysis, &record, score, 0.05);
    assert!((1..=2).contains(&analysis.turns), "{analysis:?}");
    let ends = record.events.iter().filter_map(|event| match event.kind {
        EventKind::GameEnded { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [GameEnd::Resigned]);

    let guest = world.guest(false).await;
    let computer = json!({"computer": 1});
    let request = json!({"game": "zeno", "opponent": computer, "stand_in": computer});
    let id = world.create(&guest, request).await;
    world.until(id, |state| state.turns() >= 4).await;
    world.app.command(&guest, id, None, Abort {}).await.expect("their match");
    let (analysis, record) = analysed(&world, id).await;
    holds(&analysis, &record, score, 0.05);
    assert!(analysis.turns >= 4);

    let nothing = world.create(&guest, json!({"game": "zeno"})).await;
    world.app.command(&guest, nothing, None, Abort {}).await.expect("their match");
    let analysis = asked(&world, nothing).await.expect("it is over");
    assert_eq!((analysis.state, analysis.turns, analysis.games.len()), (AnalysisState::Ready, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn until_it_is_ready_what_there_is_of_it_is_told() {
    let world = world_with(database::store(), &QUICK).await;
    world.analyse();
    let id = over(&world, json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    let answers = until_ready_with(&world, id, tokio::task::yield_now).await;
    let (ready, pending) = answers.split_last().expect("an answer");
    assert_eq!(
        (pending[0].state, pending[0].done, pending[0].turns),
        (AnalysisState::Pending, 0, ready.turns)
    );
    assert!(pending.is_sorted_by_key(|analysis| analysis.done));
    let half = pending.iter().find(|analysis| analysis.done > 0).expect("it does not come at once");
    let turns = &half.games[0].turns;
    assert_eq!(turns.len(), half.done as usize);
    assert_eq!(turns[..], ready.games[0].turns[..turns.len()]);
}

#[tokio::test(start_paused = true)]
async fn it_is_worked_out_once_by_each_engine() {
    let store = database::store();
    let world = world_with(store.clone(), &QUICK).await;
    world.analyse();
    let id = given_up(&world).await;
    let ready = until_ready(&world, id).await.pop().expect("an answer");
    let kept = store.analysis(id).await.expect("read").expect("it is kept");
    // What is kept is what is told.
    let marked = KeptAnalysis { body: "[]".to_owned(), ..kept.clone() };
    store.keep_analysis(id, marked.clone()).await.expect("written");
    assert!(asked(&world, id).await.expect("ready").games.is_empty());
    // Unless another engine has thought it.
    let by_another = KeptAnalysis { engine: "1/300/0".to_owned(), ..marked };
    store.keep_analysis(id, by_another).await.expect("written");
    assert_eq!(until_ready(&world, id).await.pop(), Some(ready));
    assert_eq!(store.analysis(id).await.expect("read"), Some(kept));
}

#[tokio::test(start_paused = true)]
async fn a_restart_begins_it_anew() {
    let store = database::store();
    let before = world_with(store.clone(), &QUICK).await;
    before.analyse();
    let id = over(&before, json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    while asked(&before, id).await.expect("it is over").done < 5 {
        tokio::task::yield_now().await;
    }
    before.stop().await;
    assert_eq!(store.analysis(id).await.expect("read"), None, "it stopped in the middle");
    let after = world_with(store, &QUICK).await;
    after.analyse();
    let answers = until_ready(&after, id).await;
    assert_eq!((answers[0].state, answers[0].done), (AnalysisState::Pending, 0));
}

#[tokio::test(start_paused = true)]
async fn no_analysis_of_an_unfinished_or_missing_match() {
    let world = world_with(database::store(), &QUICK).await;
    world.analyse();
    let (_, id) = world.made(json!({"game": "tavla"})).await;
    let refused = asked(&world, id).await.expect_err("nobody has joined");
    assert_eq!(refused.code.as_str(), "match_not_over");
    let (_, played) = world.against("tavla", 1).await;
    let refused = asked(&world, played).await.expect_err("it is played");
    assert_eq!(refused.code.as_str(), "match_not_over");
    let unknown = MatchId(uuid::Uuid::from_u128(1));
    let refused = asked(&world, unknown).await.expect_err("there is none");
    assert_eq!(refused.code.as_str(), "no_such_match");
}

#[tokio::test(start_paused = true)]
async fn no_more_wait_than_may_and_nobody_fills_the_queue_alone() {
    let flags = ["--analyses-waiting", "3", "--costly-per-address", "2", "--analysis-nodes", "300"];
    let world = world_with(database::store(), &flags).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(given_up(&world).await);
    }
    for &id in &ids[..2] {
        asked(&world, id).await.expect("it waits");
    }
    let refused = asked(&world, ids[2]).await.expect_err("too many of theirs");
    assert_eq!((refused.code.as_str(), refused.limit), ("too_many_requests", Some(2)));
    assert!(refused.retry_after_s.is_some());
    asked_from(&world, ids[2], ELSEWHERE).await.expect("another address has its own");
    let refused = asked_from(&world, ids[3], ELSEWHERE).await.expect_err("too many in all");
    assert_eq!(refused.code.as_str(), "unavailable");
    for &id in &ids[..3] {
        let again = asked(&world, id).await.expect("it waits already");
        assert_eq!(again.state, AnalysisState::Pending);
    }
    world.analyse();
    for &id in &ids {
        until_ready(&world, id).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_has_it_if_it_is_ready_and_asked_for() {
    let world = world_with(database::store(), &QUICK).await;
    world.analyse();
    let id = given_up(&world).await;
    let before = world.app.record_with_analysis(id, ADDRESS).await.expect("a record");
    assert_eq!(before.analysis, None, "asking for a record has nothing worked out");
    let (analysis, plain) = analysed(&world, id).await;
    let record = world.app.record_with_analysis(id, ADDRESS).await.expect("a record");
    assert_eq!(record.analysis, Some(analysis));
    assert_eq!(Record { analysis: None, ..record.clone() }, plain);
    assert_sound(&record);
    assert_eq!(record.id, id);
}

#[tokio::test(start_paused = true)]
async fn one_that_panics_stops_no_other() {
    let store = FailingStore::default();
    let world = world_with(store.clone(), &QUICK).await;
    let (bad, good) = (given_up(&world).await, given_up(&world).await);
    for id in [bad, good] {
        assert_eq!(asked(&world, id).await.expect("it is over").state, AnalysisState::Pending);
    }
    store.fail(bad, Fault::Panics);
    world.analyse();
    until_ready(&world, good).await;
    assert!(store.tried() > 0);
    store.heal();
    until_ready(&world, bad).await;
}

#[tokio::test(start_paused = true)]
async fn a_stored_analysis_counts_against_the_rate_limit_before_it_is_read() {
    let store = FailingStore::default();
    let flags = ["--analysis-nodes", "300", "--address-total-per-s", "20"];
    let world = world_with(store.clone(), &flags).await;
    world.analyse();
    let id = over(&world, json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    until_ready_with(&world, id, async || tokio::time::sleep(Duration::from_mins(1)).await).await;
    let refused = loop {
        let read = store.analyses_read();
        if let Err(refused) = asked(&world, id).await {
            assert_eq!(store.analyses_read(), read, "nothing was read");
            break refused;
        }
        assert_eq!(store.analyses_read(), read + 1);
    };
    assert_eq!(refused.code.as_str(), "too_many_requests");
}

#[tokio::test(start_paused = true)]
async fn of_what_is_kept_only_a_little_is_read_at_a_time() {
    let store = FailingStore::default();
    let flags = ["--analysis-nodes", "300", "--costly-per-address", "2"];
    let world = world_with(store.clone(), &flags).await;
    world.analyse();
    let id = given_up(&world).await;
    until_ready(&world, id).await;
    store.delay(Delayed::Analysis, Duration::from_secs(1));
    let (one, two, three) = tokio::join!(asked(&world, id), asked(&world, id), asked(&world, id));
    // Whichever comes last: two are being read.
    let refused = [one, two, three].into_iter().filter_map(Result::err);
    assert_eq!(
        refused.map(|problem| problem.code.as_str().to_owned()).collect::<Vec<_>>(),
        ["too_many_requests"]
    );
}
