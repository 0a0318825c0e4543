//! Series of games (rules/README.md, "Draws, resignation, score").

use lusoria_play::{BySeat, Command, Event, GameEnd, Length, MatchEnd, Seat, Terms};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, CREATOR, JOINER, terms};

/// The end of one game of a test's series.
#[derive(Debug, Clone, Copy)]
enum Ends {
    WonBy(Seat),
    Drawn,
}
use Ends::{Drawn, WonBy};

/// Ends the present game and returns who plays White in the next one.
fn end(bench: &mut Bench, ends: Ends) -> Option<Seat> {
    match ends {
        WonBy(winner) => {
            let by = bench.id_of(winner.other());
            bench.ask(Command::Resign { by, whole_match: false }).unwrap();
        }
        Drawn => {
            bench.ask(Command::OfferDraw { by: CREATOR }).unwrap();
            bench.ask(Command::AnswerDraw { by: JOINER, accept: true }).unwrap();
        }
    }
    bench.state.end().is_none().then(|| bench.state.game().unwrap().white)
}

fn series(game: Game, points: u16) -> Bench {
    Bench::playing(Terms { length: Length::Points(points), ..terms(game, BLITZ) })
}

#[test]
fn the_first_to_reach_the_points_wins() {
    let mut bench = series(Game::Tabula, 2);
    end(&mut bench, WonBy(Seat::One));
    assert_eq!((bench.state.score(), bench.state.end()), (BySeat(1, 0), None));
    end(&mut bench, WonBy(Seat::Two));
    end(&mut bench, WonBy(Seat::Two));
    assert_eq!((bench.state.score(), bench.state.end()), (BySeat(1, 2), Some(MatchEnd::Won(Seat::Two))));
}

#[test]
fn a_drawn_game_scores_nothing_and_is_followed_by_another() {
    let mut bench = series(Game::Tabula, 2);
    end(&mut bench, Drawn);
    assert_eq!(bench.state.score(), BySeat(0, 0));
    assert_eq!(bench.state.game().unwrap().number, 2);
}

#[test]
fn after_four_games_a_point_the_higher_score_wins_and_equal_scores_draw() {
    for (first, expected) in [(Drawn, MatchEnd::Drawn), (WonBy(Seat::Two), MatchEnd::Won(Seat::Two))] {
        let mut bench = series(Game::Zeno, 2);
        end(&mut bench, first);
        for game in 2..=8 {
            assert_eq!(bench.state.end(), None, "before game {game}");
            end(&mut bench, Drawn);
        }
        assert_eq!(bench.state.end(), Some(expected));
    }
}

#[test]
fn a_single_game_that_is_drawn_draws_the_match() {
    let mut bench = series(Game::Zeno, 1);
    end(&mut bench, Drawn);
    assert_eq!(bench.state.end(), Some(MatchEnd::Drawn));
}

#[test]
fn colours_alternate_after_every_result() {
    for game in [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula] {
        let mut bench = series(game, 9);
        let ends = [WonBy(Seat::One), WonBy(Seat::One), Drawn, WonBy(Seat::Two)];
        let white: Vec<_> = ends.into_iter().filter_map(|ends| end(&mut bench, ends)).collect();
        assert_eq!(white, [Seat::Two, Seat::One, Seat::Two, Seat::One], "{game}");
    }
}

#[test]
fn in_tablut_the_winner_takes_the_king_and_after_a_draw_the_sides_change() {
    let mut bench = series(Game::Tablut, 9);
    let ends = [WonBy(Seat::One), WonBy(Seat::Two), WonBy(Seat::Two), Drawn, Drawn];
    let white: Vec<_> = ends.into_iter().filter_map(|ends| end(&mut bench, ends)).collect();
    assert_eq!(white, [Seat::One, Seat::Two, Seat::Two, Seat::One, Seat::Two]);
}

#[test]
fn each_game_ends_with_its_secret_and_begins_in_the_same_append() {
    let mut bench = series(Game::Tavla, 9);
    for game in 1..=3_u8 {
        let events = bench.ask(Command::Resign { by: JOINER, whole_match: false }).unwrap();
        let Event::GameEnded { game: number, secret, score, .. } = &events[0] else { panic!("{events:?}") };
        assert_eq!(*number, u16::from(game));
        assert_eq!(secret.0, [game; 32]);
        assert_eq!(*score, BySeat(2 * u16::from(game), 0), "tavla 7");
        assert!(matches!(events[1], Event::GameStarted { .. }));
        assert!(matches!(events[2], Event::OpeningThrown { throw: 0, .. }), "throws are counted afresh");
    }
}

#[test]
fn giving_up_the_match_ends_it_whatever_the_score() {
    let mut bench = series(Game::Zeno, 3);
    end(&mut bench, WonBy(Seat::One));
    let events = bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    assert!(matches!(
        events[..],
        [
            Event::GameEnded { game: 2, winner: Some(Seat::Two), reason: GameEnd::Resigned, .. },
            Event::MatchEnded { end: MatchEnd::Won(Seat::Two) }
        ]
    ));
    assert_eq!(bench.state.score(), BySeat(1, 1));
}
