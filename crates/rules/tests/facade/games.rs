//! Laws of all five games.

use std::collections::BTreeMap;

use lusoria_rules::{
    DiceError, Die, Game, History, Illegal, Incomplete, Position, SetupError, Side, Step, Variant,
};

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
