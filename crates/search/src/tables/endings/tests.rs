//! The tables against the rules: every chance follows from the chances one turn later.

use lusoria_rules::{Game, Setup, Variant, tables::Turn};

use super::*;
use crate::{
    Budget, Decision, Level, Player, Random, Stakes, choose,
    games::Shipped,
    tables::{bearing_off::BearingOff, exact::known, features::in_contact, throws::throws},
};

const GAMES: [Game; 3] = [Game::Zeno, Game::Scripta, Game::Tabula];

/// Rounding in 65,535ths, of both sides of an equation.
const ROUNDING: f32 = 2.0 / 65_535.0;

fn rules(game: Game) -> &'static tables::Rules {
    tables::Rules::of(Variant::standard(game)).unwrap()
}

fn table(game: Game) -> Endings {
    Endings::read(rules(game), Shipped::of(Variant::standard(game)).endings().unwrap()).unwrap()
}

/// White's and Black's pieces with these indices, if they can be on the board together.
fn position(game: Game, white: usize, black: usize, to_move: Side) -> Option<tables::Position> {
    let rules = rules(game);
    let pieces = LastPieces::of(rules).unwrap();
    let side = |number| {
        let mut side =
            lusoria_rules::DiceSide { exposed: rules.shelter().is_some(), off: 15, ..Default::default() };
        for place in pieces.places(number) {
            side.off -= 1;
            match rules.cells().get(place) {
                Some(&cell) => *side.points.entry(cell.to_owned().into()).or_default() += 1,
                None if rules.has_bar() => side.bar += 1,
                None => *side.points.entry(format!("m{}", place - 23).into()).or_default() += 1,
            }
        }
        side
    };
    let sides = lusoria_rules::BySide { white: side(white), black: side(black) };
    let setup = Setup::Tables { sides, to_move };
    match lusoria_rules::Position::from_setup(rules.variant(), &setup) {
        Ok(lusoria_rules::Position::Tables(position)) => Some(position),
        _ => None,
    }
}

/// Random positions, with at least one piece a side.
fn sample(game: Game, seed: u64, most: usize) -> Vec<tables::Position> {
    let count = LastPieces::of(rules(game)).unwrap().count();
    let mut random = Random::new(seed);
    let mut number = || 1 + random.below(count - 1);
    let mut drawn = (0..).map(|index| position(game, number(), number(), Side::BOTH[index % 2]));
    drawn.by_ref().flatten().take(most).collect()
}

/// The chance of the side to move after its throw: its best turn, by the table.
fn best(table: &Endings, turn: &Turn) -> f32 {
    let win = |end: &tables::Position| match end.outcome() {
        Some(_) => 1.0,
        None => 1.0 - table.win(end).unwrap(),
    };
    turn.ends(usize::MAX).positions.iter().map(win).fold(0.0, f32::max)
}

#[test]
fn every_chance_follows_from_those_one_turn_later() {
    for game in GAMES {
        let table = table(game);
        let throws = throws(game.dice());
        for position in sample(game, 7, 400) {
            let expected: f32 = throws
                .iter()
                .map(|throw| throw.chance * best(&table, &Turn::new(position, &throw.dice).unwrap()))
                .sum();
            let win = table.win(&position).unwrap();
            assert!((win - expected).abs() < ROUNDING, "{game}: {win} {expected} {position:?}");
        }
    }
}

#[test]
fn the_end_of_a_race_is_that_of_bearing_off() {
    let (table, race) = (table(Game::Tabula), BearingOff::of(rules(Game::Tabula)).unwrap());
    let mut compared = 0;
    for position in sample(Game::Tabula, 3, 20_000) {
        if let Some(win) = race.win(&position).filter(|_| !in_contact(&position)) {
            assert!((table.win(&position).unwrap() - win).abs() < ROUNDING, "{position:?}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn numbers_are_those_of_the_pieces() {
    for game in GAMES {
        let pieces = LastPieces::of(rules(game)).unwrap();
        for number in 1..pieces.count() {
            // Black's only piece is where it blocks nobody.
            let free = (0..20).find_map(|cell| position(game, number, 1 + cell, Side::White)).unwrap();
            assert_eq!(pieces.number(&free, Side::White), Some(number), "{game}");
        }
        let start = tables::Position::start(rules(game));
        assert_eq!(pieces.number(&start, Side::White), None);
    }
    assert_eq!(LastPieces::of(rules(Game::Tavla)), None);
}

#[test]
fn a_damaged_table_is_refused() {
    let bytes = Shipped::of(Variant::Tabula).endings().unwrap();
    assert_eq!(Endings::read(rules(Game::Tabula), &bytes[1..]), Err(NoEndings));
    assert_eq!(Endings::read(rules(Game::Zeno), bytes), Err(NoEndings));
    let table = Endings::read(rules(Game::Tabula), bytes).unwrap();
    assert_eq!(table.packed(), bytes);
}

/// At most two pieces a side at home, where pieces cannot meet any more.
fn at_home(random: &mut Random) -> tables::Position {
    let mut side = || {
        let mut side = lusoria_rules::DiceSide { off: 15, ..Default::default() };
        for _ in 0..=random.below(2) {
            side.off -= 1;
            *side.points.entry((1 + random.below(6)).to_string().into()).or_default() += 1;
        }
        side
    };
    let sides = lusoria_rules::BySide { white: side(), black: side() };
    tables::Position::from_setup(rules(Game::Tavla), &sides, Side::BOTH[random.below(2)]).unwrap()
}

#[test]
fn the_highest_level_loses_nothing_with_the_last_pieces() {
    let player = Player::Level(Level::HIGHEST);
    let mut random = Random::new(1);
    let homes = (0..10_000).map(|_| at_home(&mut random)).collect();
    let all = GAMES.map(|game| (game, sample(game, 11, 10_000))).into_iter().chain([(Game::Tavla, homes)]);
    for (game, positions) in all {
        for (nth, position) in positions.into_iter().enumerate() {
            let dice: Vec<_> = (0..game.dice()).map(|_| lusoria_rules::Die::ALL[random.below(6)]).collect();
            let turn = Turn::new(position, &dice).unwrap();
            let ends = turn.ends(usize::MAX).positions;
            let best = ends.iter().map(|end| known(end).unwrap().turned().win).fold(0.0, f32::max);
            let whole = lusoria_rules::Position::Tables(position);
            let history = lusoria_rules::History::start(&whole);
            let decision = Decision { position: whole, dice: &dice, history: &history, stakes: Stakes::Game };
            let nodes = if nth % 2 == 0 { player.budget(game).nodes } else { 500 };
            let choice = choose(&decision, player, Budget { nodes }, 1);
            let mut whole_turn = turn;
            choice.steps.iter().for_each(|step| drop(whole_turn.play(step).unwrap()));
            let end = whole_turn.end().unwrap().position;
            let lost = best - known(&end).unwrap().turned().win;
            assert!(lost < 1e-6, "{game}: {lost} in {position:?} with {dice:?}");
        }
    }
}
