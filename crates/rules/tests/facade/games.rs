//! What holds for all five games alike.

use std::collections::BTreeMap;

use lusoria_rules::{
    DiceError, Die, Game, History, Illegal, Incomplete, Position, Setup, SetupError, Side, Step, Variant,
};
use proptest::{prelude::*, sample::Index};

fn start(game: Game) -> Position {
    Position::start(Variant::standard(game))
}

fn dice(values: &[u8]) -> Vec<Die> {
    values.iter().map(|&value| Die::new(value).expect("the test's dice are dice")).collect()
}

#[test]
fn perft_is_as_counted_elsewhere() {
    let counts: BTreeMap<String, Vec<u64>> =
        serde_json::from_str(include_str!("../vectors/perft.json")).expect("counts by game");
    assert_eq!(counts.len(), Game::ALL.len());
    for game in Game::ALL {
        for (depth, &count) in (1..).zip(&counts[game.id()]) {
            assert_eq!(start(game).perft(depth), count, "{game} to {depth}");
        }
        assert_eq!(start(game).perft(0), 1);
    }
}

#[test]
fn every_game_starts_where_it_says() {
    for game in Game::ALL {
        let position = start(game);
        assert_eq!(position.variant(), Variant::standard(game));
        assert_eq!(position.to_move(), game.first_to_move());
        assert_eq!(position.outcome(), None);
        assert!(!position.is_dead());
        assert!(!position.drawing().is_empty());
        for side in Side::BOTH {
            assert_eq!(position.off(side), 0);
            assert_eq!(position.pips(side).is_some(), game.dice() > 0);
            assert_eq!(position.with_to_move(side).to_move(), side);
        }
    }
}

#[test]
fn a_throw_has_the_games_number_of_dice() {
    for game in Game::ALL {
        for found in [0, 1, 2, 3, 4, 12] {
            let turn = start(game).turn(&dice(&vec![1; found]));
            let expected = game.dice();
            let error = match expected {
                _ if found == expected => None,
                0 => Some(DiceError::NoDice { game }),
                _ => Some(DiceError::Count { game, expected, found }),
            };
            assert_eq!(turn.err(), error, "{game} with {found}");
        }
    }
    let words = |error: DiceError| error.to_string();
    assert_eq!(words(DiceError::NoDice { game: Game::Tablut }), "tablut is played without dice");
    let count = DiceError::Count { game: Game::Tavla, expected: 2, found: 3 };
    assert_eq!(words(count), "a throw of tavla has 2 dice, not 3");
}

#[test]
fn a_position_belongs_to_its_family() {
    for game in Game::ALL {
        for other in Game::ALL {
            let setup = start(other).setup();
            let wrong = Err(SetupError::WrongFamily { game });
            let variant = Variant::standard(game);
            let fits = (game.dice() == 0) == (other.dice() == 0);
            assert_eq!(Position::from_setup(variant, &setup) == wrong, !fits, "{other} as {game}");
            assert_eq!(Position::recorded(variant, &setup) == wrong, !fits, "{other} as {game}");
        }
    }
}

#[test]
fn refusals_of_both_families_have_codes_and_words() {
    for game in Game::ALL {
        let mut turn = start(game).turn(&dice(&[1, 2, 3][..game.dice()])).expect("a throw");
        let step = Step { die: None, from: "nowhere".to_owned(), to: "nowhere".to_owned() };
        let before = turn.position();
        let illegal: Illegal = turn.play(&step).expect_err("there is no such cell");
        assert!(illegal.code().chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
        assert!(!illegal.to_string().is_empty());
        assert_eq!(turn.position(), before);
        assert!(turn.parse("nonsense").is_err());
    }
}

#[test]
fn a_turn_that_is_not_complete_cannot_end() {
    for game in Game::ALL {
        let position = start(game);
        let turn = position.turn(&dice(&[1, 2, 3][..game.dice()])).expect("a throw");
        let left = match game {
            Game::Tablut => Incomplete::Move,
            _ => Incomplete::Dice { left: turn.dice_playable() },
        };
        assert_eq!(turn.end(&History::start(&position)).map(|_| ()), Err(left), "{game}");
    }
    assert_eq!(Incomplete::Dice { left: 1 }.to_string(), "the turn must still play 1 die");
    assert_eq!(Incomplete::Dice { left: 2 }.to_string(), "the turn must still play 2 dice");
}

#[test]
fn dice_games_have_no_history() {
    for game in Game::ALL.into_iter().filter(|game| game.dice() > 0) {
        let position = start(game);
        let mut history = History::start(&position);
        for _ in 0..3 {
            history.record(&position, false);
        }
        assert_eq!((history.since_capture(), history.repetitions(&position)), (0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Turns at random from the start: what is listed is legal, what is written
    /// is read, what is reached was foreseen, and positions survive being written.
    #[test]
    fn turns_hold_together(
        game in prop::sample::select(&Game::ALL[..]),
        turns in prop::collection::vec((prop::array::uniform3(1..=6_u8), any::<[Index; 12]>()), 1..20),
    ) {
        let mut position = start(game);
        let mut history = History::start(&position);
        for (values, choices) in turns {
            let mut turn = position.turn(&dice(&values[..game.dice()])).expect("a throw");
            let foreseen = turn.ends(2_000);
            let fresh = turn.clone();
            let has_one_end = !fresh.is_complete() && !foreseen.truncated && foreseen.positions.len() == 1;
            let forced = fresh.forced();
            prop_assert_eq!(forced.is_some(), has_one_end);
            if let Some(steps) = forced {
                let mut played = fresh.clone();
                for step in &steps {
                    played.play(step).expect("a forced step is legal");
                }
                let end = played.end(&history).expect("all forced steps are a whole turn");
                prop_assert_eq!(&end.position, &foreseen.positions[0]);
            }
            let mut steps = Vec::new();
            for choice in choices {
                let listed = turn.steps();
                prop_assert_eq!(listed.is_empty(), turn.is_complete());
                if listed.is_empty() {
                    break;
                }
                let step = choice.get(&listed).clone();
                turn.play(&step).expect("a listed step is legal");
                steps.push(step);
            }
            prop_assert!(turn.is_complete());
            prop_assert_eq!(turn.start(), position);
            if !steps.is_empty() {
                let mut again = fresh.clone();
                for step in fresh.parse(&turn.write()).expect("what is written is read") {
                    again.play(&step).expect("what is read is legal");
                }
                prop_assert_eq!(again.position(), turn.position());
            }
            let end = turn.end(&history).expect("a complete turn ends");
            prop_assert_eq!(end.passed, steps.is_empty());
            prop_assert_eq!(end.position.to_move(), position.to_move().other());
            prop_assert!(foreseen.truncated || foreseen.positions.contains(&end.position));
            let setup: Setup = end.position.setup();
            prop_assert_eq!(Position::recorded(end.position.variant(), &setup), Ok(end.position));
            if end.outcome.is_some() {
                break;
            }
            prop_assert_eq!(Position::from_setup(end.position.variant(), &setup), Ok(end.position));
            position = end.position;
            history.record(&position, end.captured);
        }
    }
}
