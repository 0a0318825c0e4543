//! Variations of matches that are over, as the computer sees them.

use lusoria_play::MatchId;
use lusoria_protocol::{
    BestTurn, Evaluation, EvaluationQuestion, EventKind, Game, PlayTurn, PositionQuestion, Problem, Record,
    TriedTurn, VARIATION_TURNS_MAX,
};
use lusoria_rules::{Die, Step};
use serde_json::{Value, json};

use super::{
    analysis::{analysed, given_up, over, world_with},
    world::{ADDRESS, World},
};
use crate::support::database;

async fn asked(world: &World, id: MatchId, question: Value) -> Result<Evaluation, Problem> {
    let question: EvaluationQuestion = serde_json::from_value(question).expect("a question");
    world.app.evaluate(id, question, ADDRESS).await
}

async fn refused(world: &World, id: MatchId, question: Value) -> Problem {
    asked(world, id, question).await.expect_err("no variation of this match")
}

/// The dice that an event of a match gave; none in tablut.
fn dice_of(record: &Record, seq: u32) -> Option<Vec<Die>> {
    record.events.iter().find(|event| event.seq == seq).and_then(|event| match &event.kind {
        EventKind::Thrown { dice, .. } => Some(dice.clone()),
        EventKind::OpeningThrown { white, black, .. } => Some(vec![*white, *black]),
        _ => None,
    })
}

/// The steps of the turn that was played in an event.
fn steps_of(record: &Record, seq: u32) -> Vec<Step> {
    let event = record.events.iter().find(|event| event.seq == seq).expect("an event");
    let EventKind::Turned { steps, .. } = &event.kind else { panic!("no turn: {event:?}") };
    steps.iter().map(lusoria_protocol::TakenStep::step).collect()
}

#[tokio::test(start_paused = true)]
async fn what_was_played_is_judged_as_in_the_analysis() {
    let world =
        world_with(database::store(), &["--analysis-nodes", "300", "--evaluations-per-minute", "100000"])
            .await;
    world.analyse();
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let id = over(&world, json!({"game": game, "opponent": {"computer": 1}})).await;
        let (analysis, record) = analysed(&world, id).await;
        for turn in analysis.games[0].turns.iter().take(12) {
            let (seq, dice) = (turn.answers, dice_of(&record, turn.answers));
            assert_eq!(dice.is_none(), game == "tablut", "{game}: {turn:?}");
            let tried = TriedTurn { dice: dice.clone(), steps: steps_of(&record, turn.seq) };
            let question = EvaluationQuestion { seq, turns: vec![tried], dice: None };
            let evaluation = world.app.evaluate(id, question, ADDRESS).await.expect("a turn that was played");
            let last = evaluation.last.expect("it is judged");
            assert_eq!(last.best, turn.best, "{game}");
            assert_eq!(
                (last.played, last.lost, last.luck, last.forced),
                (turn.played, turn.lost, turn.luck, turn.forced)
            );
            // The other side comes next.
            if let Some(next) = evaluation.to_play {
                assert_ne!(next, turn.side, "{game}");
                assert!(evaluation.value.is_some(), "{game}");
            }
            let question = EvaluationQuestion { seq, turns: Vec::new(), dice };
            let before = world.app.evaluate(id, question, ADDRESS).await.expect("a position of the match");
            assert_eq!(before.to_play, Some(turn.side), "{game}");
            assert!(before.last.is_none(), "{game}");
            assert_eq!(before.value, before.turns.first().map(|best| best.value), "{game}");
            assert!(
                before.turns.len() <= 5 && before.turns.is_sorted_by(|one, next| one.lost <= next.lost),
                "{game}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_variation_goes_on_with_any_dice_until_the_game_is_over() {
    let world =
        world_with(database::store(), &["--analysis-nodes", "100", "--evaluations-per-minute", "100000"])
            .await;
    let id = over(&world, json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    let record = world.app.record(id, ADDRESS).await.expect("a record");
    // Near the end, where a few throws of sixes are the last.
    let last =
        record.events.iter().rev().filter(|event| matches!(event.kind, EventKind::Turned { .. })).nth(3);
    let seq = last.expect("several turns").seq;
    let dice: Vec<Die> = [6, 6].map(|pips| Die::new(pips).expect("on a die")).into();
    let (mut turns, mut sides) = (Vec::new(), Vec::new());
    let outcome = loop {
        assert!(turns.len() < VARIATION_TURNS_MAX, "sixes end it");
        let question = EvaluationQuestion { seq, turns: turns.clone(), dice: Some(dice.clone()) };
        let judged = match world.app.evaluate(id, question, ADDRESS).await {
            Ok(evaluation) => evaluation,
            // There is nothing to throw any more.
            Err(problem) => {
                assert_eq!(problem.code.as_str(), "not_playing");
                let question = EvaluationQuestion { seq, turns: turns.clone(), dice: None };
                let ended = world.app.evaluate(id, question, ADDRESS).await.expect("it is over");
                assert_eq!((ended.to_play, ended.value, ended.turns.len()), (None, None, 0));
                assert!(ended.last.is_some_and(|last| last.played.win > 0.999), "it is won");
                break ended.outcome.expect("a result");
            }
        };
        sides.push(judged.to_play.expect("somebody is to move"));
        let steps = judged.turns.into_iter().next().expect("a turn").steps;
        turns.push(TriedTurn { dice: Some(dice.clone()), steps });
    };
    assert!(sides.windows(2).all(|two| two[0] != two[1]), "by turns: {sides:?}");
    assert_eq!(outcome.winner, sides.last().copied());
}

#[tokio::test(start_paused = true)]
async fn in_tablut_the_game_remembers_what_was_played() {
    let world = world_with(database::store(), &["--analysis-nodes", "100"]).await;
    let id = given_up(&world).await;
    let first = asked(&world, id, json!({"seq": 3})).await.expect("the start of the game");
    assert_eq!(first.turns.len(), 5, "the best moves, without a throw");
    let BestTurn { steps, .. } =
        asked(&world, id, json!({"seq": 3, "turns": [{"steps": [{"from": "a4", "to": "a3"}]}]}))
            .await
            .expect("a legal move")
            .last
            .expect("it is judged")
            .best;
    assert!(!steps.is_empty());
    // There and back, until the position has stood three times.
    let moves = [("a4", "a3"), ("e6", "f6"), ("a3", "a4"), ("f6", "e6")];
    let line: Vec<Value> =
        moves.iter().cycle().take(8).map(|(from, to)| json!({"steps": [{"from": from, "to": to}]})).collect();
    let over = asked(&world, id, json!({"seq": 3, "turns": line})).await.expect("legal moves");
    assert!(over.outcome.is_some() && over.to_play.is_none(), "{over:?}");
}

#[tokio::test(start_paused = true)]
async fn a_game_that_was_drawn_does_not_go_on() {
    let world = world_with(database::store(), &["--analysis-nodes", "100"]).await;
    let (guest, id) = world.made(json!({"game": "tablut", "admission": "both_seats"})).await;
    let moves = [("a4", "a3"), ("e6", "f6"), ("a3", "a4"), ("f6", "e6")];
    for (from, to) in moves.into_iter().cycle() {
        let state = world.state(id).await;
        let Some(to_play) = state.to_play() else { break };
        let turn = json!({"seq": to_play.given_by, "steps": [{"from": from, "to": to}]});
        let turn: PlayTurn = serde_json::from_value(turn).expect("a turn");
        world.app.command(&guest, id, None, turn).await.expect("a legal move");
    }
    let record = world.app.record(id, ADDRESS).await.expect("a record");
    let last = record.events.iter().rfind(|event| matches!(event.kind, EventKind::Turned { .. }));
    let seq = last.expect("turns were played").seq;
    let over = asked(&world, id, json!({"seq": seq})).await.expect("the last position");
    assert!(over.outcome.is_some() && over.value.is_none(), "{over:?}");
    let more = json!({"seq": seq, "turns": [{"steps": [{"from": "a4", "to": "a3"}]}]});
    assert_eq!(refused(&world, id, more).await.code.as_str(), "not_playing");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_variation_of_a_match_that_is_over_is_refused() {
    let world = world_with(database::store(), &["--analysis-nodes", "100"]).await;
    let (guest, live) = world.made(json!({"game": "tavla", "opponent": {"computer": 1}})).await;
    world.until_turn(live, &guest).await;
    assert_eq!(refused(&world, live, json!({"seq": 3})).await.code.as_str(), "match_not_over");

    let id = given_up(&world).await;
    // The computer may still offer another match.
    let beyond = world.state(id).await.head() + 100;
    let away = json!({"from": "a4", "to": "a3"});
    let too_many = vec![json!({"steps": [away]}); VARIATION_TURNS_MAX + 1];
    for (question, code) in [
        (json!({"seq": beyond}), "ahead_of_journal"),
        (json!({"seq": 0}), "not_playing"),
        (json!({"seq": 1}), "not_playing"),
        (json!({"seq": 3, "dice": [3, 1]}), "wrong_dice"),
        (json!({"seq": 3, "turns": [{"steps": []}]}), "turn_incomplete"),
        (json!({"seq": 3, "turns": [{"steps": [{"from": "a4", "to": "b3"}]}]}), "illegal_step"),
        (json!({"seq": 3, "turns": [{"steps": [away, away]}]}), "illegal_step"),
        (json!({"seq": 3, "turns": [{"steps": vec![away.clone(); 17]}]}), "invalid_body"),
        (json!({"seq": 3, "turns": too_many}), "invalid_body"),
    ] {
        let problem = refused(&world, id, question.clone()).await;
        assert_eq!(problem.code.as_str(), code, "{question}");
    }
}

#[tokio::test(start_paused = true)]
async fn evaluations_are_limited_by_the_minute() {
    let world =
        world_with(database::store(), &["--analysis-nodes", "100", "--evaluations-per-minute", "2"]).await;
    let id = given_up(&world).await;
    for _ in 0..2 {
        asked(&world, id, json!({"seq": 3})).await.expect("an evaluation");
    }
    let problem = refused(&world, id, json!({"seq": 3})).await;
    assert_eq!((problem.status, problem.code.as_str()), (429, "too_many_requests"));
    assert!(problem.retry_after_s.is_some());
}

#[tokio::test(start_paused = true)]
async fn any_position_is_evaluated_without_a_match() {
    let world =
        world_with(database::store(), &["--analysis-nodes", "100", "--evaluations-per-minute", "5"]).await;
    let asked = async |game, question: Value| {
        let question: PositionQuestion = serde_json::from_value(question).expect("a question");
        world.app.evaluate_position(game, question, ADDRESS).await
    };
    let race = json!({
        "white": {"points": {"1": 1}, "off": 14}, "black": {"points": {"1": 2}, "off": 13}, "to_move": "white"
    });
    let won =
        asked(Game::Tavla, json!({"position": race, "dice": [6, 5]})).await.expect("a possible position");
    assert_eq!(won.turns.first().map(|best| best.notation.as_str()), Some("1/off"));
    assert!(won.value.is_some_and(|value| value.win > 0.999), "{won:?}");
    let steps = json!([{"die": 5, "from": "1", "to": "off"}]);
    let over =
        asked(Game::Tavla, json!({"position": race, "turns": [{"dice": [6, 5], "steps": steps}]})).await;
    assert!(over.is_ok_and(|over| over.outcome.is_some() && over.last.is_some()));
    for game in [Game::Zeno, Game::Tablut] {
        let start = asked(game, json!({})).await.expect("the start of the game");
        assert_eq!(start.turns.is_empty(), game == Game::Zeno, "before the throw there is no best turn");
    }
    let gone = json!({"white": {"off": 15}, "black": {"off": 15}, "to_move": "white"});
    let problem = asked(Game::Tavla, json!({"position": gone})).await.expect_err("nobody plays on");
    assert_eq!(problem.code.as_str(), "impossible_position");
    assert_eq!(problem.reason.map(|reason| reason.code).as_deref(), Some("already_over"));
    asked(Game::Zeno, json!({})).await.expect("the last one of the minute");
    let problem = asked(Game::Zeno, json!({})).await.expect_err("one more");
    assert_eq!(problem.code.as_str(), "too_many_requests");
}
