//! Turns of the dice games, step by step.

use std::collections::HashSet;

use lusoria_rules::{
    BySide, Die, Game, History, Illegal, Position, Reason, Setup, Side, Step, Turn, Variant,
};

use crate::{
    board::{self, sides},
    bytes::Bytes,
};

/// Turns played one after the other in each case.
const TURNS_MAX: usize = 2;
/// The most ends that are compared with those of the other side in its place.
const ENDS_MAX: usize = 200;

/// A step is listed exactly if it is accepted; no piece is lost; what a step did shows in the
/// pips; the dice are played that the turn promised; a side sees what the other one would see
/// in its place; what a turn shows of itself is so; and the end of a turn is a position that can be written and read.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let variant = board::dice_variant(&mut bytes);
    let Some(mut position) = board::position(&mut bytes, variant) else { return };
    for _ in 0..TURNS_MAX {
        let dice = board::dice(&mut bytes, variant.game());
        match play(position, &dice, &mut bytes) {
            Some(next) if !bytes.is_empty() => position = next,
            Some(_) | None => return,
        }
    }
}

/// Plays a whole turn by the bytes; the next position, unless the game has ended.
fn play(start: Position, dice: &[Die], bytes: &mut Bytes<'_>) -> Option<Position> {
    let variant = start.variant();
    let mut turn = start.turn(dice).expect("the game's number of dice");
    sees_the_same_in_the_others_place(&turn, dice);
    shows_what_can_be_played(&turn);
    let (promised, mover) = (turn.dice_playable(), start.to_move());
    let mut played = 0;
    loop {
        listed_is_accepted_and_nothing_else(&turn, variant, bytes);
        let (before, left) = (turn.position(), turn.dice_left().len());
        let steps = turn.steps();
        if steps.is_empty() {
            break;
        }
        let step = bytes.one_of(&steps);
        let what = turn.play(step).expect("a listed step is legal");
        played += 1;
        assert_eq!(turn.dice_left().len(), left - 1);
        assert_eq!(turn.dice_playable(), promised);
        shows_in_the_pips(&before, &turn.position(), step, what.hit);
    }
    let won = turn.position().off(mover) == 15;
    assert!(played == promised || won, "{played} of {promised} dice played: {}", turn.write());
    let end = turn.end(&History::start(&start)).expect("a turn without a legal step is complete");
    assert_eq!(end.passed, promised == 0);
    assert_eq!(end.position.to_move(), mover.other());
    let read = Position::from_setup(variant, &end.position.setup());
    match end.outcome.map(|outcome| outcome.reason) {
        None => assert_eq!(read, Ok(end.position), "a turn led to a position that cannot be"),
        Some(Reason::DeadPosition) => assert!(end.passed && read.is_ok()),
        Some(_) => assert!(read.is_err(), "the game is over, and yet it could go on"),
    }
    end.outcome.is_none().then_some(end.position)
}

/// Every die with every place that holds a piece goes to one place at most: that step is
/// tried, and some that are made up.
fn listed_is_accepted_and_nothing_else(turn: &Turn, variant: Variant, bytes: &mut Bytes<'_>) {
    let steps = turn.steps();
    let listed: HashSet<&Step> = steps.iter().collect();
    assert_eq!(listed.len(), steps.len(), "a step is listed twice");
    assert_eq!(steps.is_empty(), turn.is_complete());
    assert!(steps.is_sorted());
    let places = board::places(variant.game());
    let mut tried = steps.clone();
    for from in places {
        for die in Die::ALL {
            let to = destination(variant.game(), places, from, die);
            tried.push(Step { die: Some(die), from: from.clone(), to });
        }
    }
    for _ in 0..4 {
        let die = if bytes.once_in(8) { None } else { Some(*bytes.one_of(&Die::ALL)) };
        tried.push(Step { die, from: bytes.one_of(places).clone(), to: bytes.one_of(places).clone() });
    }
    for step in &tried {
        let mut after = turn.clone();
        match after.play(step) {
            Ok(_) => assert!(listed.contains(step), "{step:?} is not listed, but accepted"),
            Err(why) => {
                assert!(!listed.contains(step), "{step:?} is listed, but: {why}");
                says_why(&why);
                assert_eq!(after.position(), turn.position());
                assert_eq!(after.dice_left(), turn.dice_left());
            }
        }
    }
}

/// A piece gets by several dice where it is said to get, and a forced turn has one end.
fn shows_what_can_be_played(turn: &Turn) {
    for steps in turn.reach() {
        assert!(steps.len() > 1);
        let mut after = turn.clone();
        for (at, step) in steps.iter().enumerate() {
            assert!(at == 0 || steps[at - 1].to == step.from, "another piece goes on: {steps:?}");
            assert!(after.play(step).is_ok(), "{step:?} of {steps:?} is not legal");
        }
    }
    if let Some(steps) = turn.forced() {
        let mut after = turn.clone();
        for step in &steps {
            assert!(after.play(step).is_ok(), "{step:?} of {steps:?} is not legal");
        }
        let end = after.end(&History::start(&turn.start())).expect("nothing is left to play");
        assert_eq!(turn.ends(2).positions, [end.position], "{steps:?} is not the only way");
    }
}

/// A refusal has a stable code and words, and names what it speaks of.
pub(crate) fn says_why(why: &Illegal) {
    let code = why.code();
    assert!(!code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{code:?}");
    assert!(!why.to_string().is_empty());
    assert!(why.params().iter().all(|(name, _)| !name.is_empty()));
}

/// Where the die leads from there by nothing but counting.
fn destination(game: Game, places: &[String], from: &str, die: Die) -> String {
    let length = board::path(game).len();
    let pips = usize::from(die.value());
    let at = places.iter().position(|place| place == from).unwrap_or_default();
    let to = match from {
        "supply" | "bar" | "off" => pips - 1,
        _ if at >= length => at - length + pips - 1,
        _ => at + pips,
    };
    if to >= length { "off".to_owned() } else { places[to].clone() }
}

fn shows_in_the_pips(before: &Position, after: &Position, step: &Step, hit: bool) {
    let mover = before.to_move();
    for side in Side::BOTH {
        assert_eq!(board::pieces(sides(after).get(side)), 15);
    }
    let pips = |position: &Position, side| position.pips(side).expect("a dice game counts pips");
    let spent = pips(before, mover) - pips(after, mover);
    let die = step.die.map_or(0, |die| u32::from(die.value()));
    assert!(spent == die || (step.to == "off" && spent < die), "{step:?} went {spent}");
    let enemy = mover.other();
    assert_eq!(pips(after, enemy) > pips(before, enemy), hit, "{step:?}");
}

fn sees_the_same_in_the_others_place(turn: &Turn, dice: &[Die]) {
    let mirror = swapped(&turn.position()).turn(dice).expect("the game's number of dice");
    assert_eq!(turn.steps(), mirror.steps());
    assert_eq!(turn.dice_playable(), mirror.dice_playable());
    let (ends, mirrored) = (turn.ends(ENDS_MAX), mirror.ends(ENDS_MAX));
    assert_eq!(ends.truncated, mirrored.truncated);
    assert_eq!(ends.positions, mirrored.positions.iter().map(swapped).collect::<Vec<_>>());
}

/// The same position with the colours changed.
fn swapped(position: &Position) -> Position {
    let BySide { white, black } = sides(position);
    let sides = BySide { white: black, black: white };
    let setup = Setup::Tables { sides, to_move: position.to_move().other() };
    Position::recorded(position.variant(), &setup).expect("the colours change nothing")
}
