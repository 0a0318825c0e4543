//! Turns of the dice games, step by step.

use std::collections::{BTreeMap, HashSet};

use lusoria_rules::{
    BySide, Die, Game, History, Illegal, Position, Reason, Setup, Side, Step, Turn, Variant,
};

use super::{
    board::{self, sides},
    bytes::Bytes,
    notation::writes_as_it_reads,
};

/// How many turns are played one after the other in each case.
const TURNS_MAX: usize = 2;
/// The most ends that are compared with those of the swapped position.
const ENDS_MAX: usize = 200;
/// With this many partial turns or fewer a single end must be recognised.
const SEEN_TO_BE_FORCED: usize = 200;

/// A step is listed exactly if it is accepted; no piece is lost; a step's effect shows in the pips; the
/// promised dice are played; swapping the sides changes nothing; `reach` and `forced` agree with single
/// steps; and the end of a turn is a position that can be written and read.
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

/// Plays a whole turn chosen by the bytes. Returns the next position, unless the game has ended.
pub(crate) fn play(start: Position, dice: &[Die], bytes: &mut Bytes<'_>) -> Option<Position> {
    let variant = start.variant();
    let mut turn = start.turn(dice).expect("the game's number of dice");
    sees_the_same_in_the_others_place(&turn, dice);
    asks_for_no_order_of_the_dice(&turn, dice);
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
        let pinned = |position: &Position| sides(position).get(mover.other()).pinned.clone();
        let (was, is) = (pinned(&before), pinned(&turn.position()));
        assert_eq!(is.iter().any(|cell| !was.contains(cell)), what.pin, "{step:?}");
    }
    assert_eq!(turn.start(), start);
    writes_as_it_reads(&start, dice, &turn);
    let won = turn.position().off(mover) == 15;
    assert!(played == promised || won, "{played} of {promised} dice played: {}", turn.write());
    let end = turn.end(&History::start(&start)).expect("a turn without a legal step is complete");
    assert_eq!(end.passed, promised == 0);
    assert_eq!(end.position.to_move(), mover.other());
    let setup = end.position.setup();
    assert_eq!(Position::recorded(variant, &setup), Ok(end.position));
    let read = Position::from_setup(variant, &setup);
    match end.outcome.map(|outcome| outcome.reason) {
        None => assert_eq!(read, Ok(end.position), "a turn led to a position that cannot be"),
        Some(Reason::DeadPosition) => assert!(end.passed && read.is_ok()),
        Some(_) => assert!(read.is_err(), "the game is over, and yet it could go on"),
    }
    end.outcome.is_none().then_some(end.position)
}

/// Every die leads from every place with a piece to at most one place: that step is tried, and some made-up
/// ones.
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

/// `reach` agrees with single steps, in the order that hits least, and a turn is forced if it has one end.
fn shows_what_can_be_played(turn: &Turn) {
    let (mut expected, mut found) = (BTreeMap::new(), BTreeMap::new());
    ways(turn, &[], 0, &mut expected);
    for steps in turn.reach() {
        assert!(steps.windows(2).all(|pair| pair[0].to == pair[1].from), "another piece goes on: {steps:?}");
        let hits = played(turn, &steps).1;
        let (choice, dice) = choice(&steps);
        assert_eq!(found.insert(choice, (hits, dice)), None, "twice: {steps:?}");
    }
    assert_eq!(found, expected);
    let (forced, ends) = (turn.forced(), turn.ends(2).positions);
    let has_one_end = !turn.is_complete() && ends.len() == 1;
    if forced.is_some() != has_one_end {
        let mut partial = HashSet::new();
        partial_turns(turn, &mut partial);
        let count = partial.len();
        assert!(has_one_end && count > SEEN_TO_BE_FORCED, "forced: {forced:?}, {count} partial turns");
    }
    if let Some(steps) = forced {
        let end =
            played(turn, &steps).0.end(&History::start(&turn.start())).expect("nothing is left to play");
        assert_eq!(ends, [end.position], "{steps:?} is not the only way");
    }
}

/// All partial turns before the end of a turn.
fn partial_turns(turn: &Turn, found: &mut HashSet<(String, Vec<Die>)>) {
    for step in turn.steps() {
        let (after, _) = played(turn, &[step]);
        if !after.is_complete() && found.insert((format!("{:?}", after.position()), after.dice_left())) {
            partial_turns(&after, found);
        }
    }
}

/// The turn after these steps, and the number of pieces they hit.
fn played(turn: &Turn, steps: &[Step]) -> (Turn, u32) {
    let mut after = turn.clone();
    let hits = |step| after.play(step).unwrap_or_else(|why| panic!("{step:?} of {steps:?}: {why}")).hit;
    let hits = steps.iter().map(hits).map(u32::from).sum();
    (after, hits)
}

/// A piece's origin and target, and the sorted dice of its way.
type Choice = (String, String, Vec<Option<Die>>);

/// The choice made by these steps of one piece, and their dice in order.
fn choice(steps: &[Step]) -> (Choice, Vec<Option<Die>>) {
    let dice: Vec<_> = steps.iter().map(|step| step.die).collect();
    let mut sorted = dice.clone();
    sorted.sort_unstable();
    ((steps[0].from.clone(), steps[steps.len() - 1].to.clone(), sorted), dice)
}

/// All ways of one piece by several dice, from the legal next steps alone; for each choice the number of hits
/// and the dice of the best order.
fn ways(turn: &Turn, line: &[Step], hits: u32, found: &mut BTreeMap<Choice, (u32, Vec<Option<Die>>)>) {
    for step in turn.steps() {
        if line.last().is_some_and(|last| last.to != step.from) {
            continue;
        }
        let (after, hit) = played(turn, std::slice::from_ref(&step));
        let (line, hits) = ([line, &[step]].concat(), hits + hit);
        if line.len() > 1 {
            let (choice, dice) = choice(&line);
            let best = found.entry(choice).or_insert_with(|| (hits, dice.clone()));
            *best = best.clone().min((hits, dice));
        }
        if line[line.len() - 1].to != "off" {
            ways(&after, &line, hits, found);
        }
    }
}

/// A refusal has a stable code and words, and names what it is about.
pub(crate) fn says_why(why: &Illegal) {
    let code = why.code();
    assert!(!code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{code:?}");
    assert!(!why.to_string().is_empty());
    assert!(why.params().iter().all(|(name, _)| !name.is_empty()));
}

/// The target of a die, by counting.
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

fn asks_for_no_order_of_the_dice(turn: &Turn, dice: &[Die]) {
    let mut other = dice.to_vec();
    other.rotate_left(1);
    let other = turn.start().turn(&other).expect("the game's number of dice");
    assert_eq!(turn.steps(), other.steps());
    assert_eq!(turn.dice_playable(), other.dice_playable());
    assert_eq!(turn.ends(ENDS_MAX), other.ends(ENDS_MAX));
}

/// The same position with the sides swapped.
fn swapped(position: &Position) -> Position {
    let BySide { white, black } = sides(position);
    let sides = BySide { white: black, black: white };
    let setup = Setup::Tables { sides, to_move: position.to_move().other() };
    Position::recorded(position.variant(), &setup).expect("the colours change nothing")
}
