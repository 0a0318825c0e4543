//! Pairs: two games with the sides exchanged (rules/README.md, "Draws, resignation, score").

use lusoria_play::{
    BySeat, Bytes32, Command, Event, GameEnd, Length, MatchEnd, MatchId, Seat, SeedBrought, Terms,
};
use lusoria_rules::{Game, Side};
use uuid::Uuid;

use crate::bench::{BLITZ, Bench, CREATOR, JOINER, terms};

fn pair(game: Game) -> Bench {
    Bench::playing(Terms { length: Length::Pair, ..terms(game, BLITZ) })
}

/// Ends the present game; `None` is a draw.
fn end(bench: &mut Bench, winner: Option<Seat>) {
    if let Some(winner) = winner {
        bench.resign(bench.id_of(winner.other()));
    } else {
        bench.ask(Command::OfferDraw { by: CREATOR }).unwrap();
        bench.ask(Command::AnswerDraw { by: JOINER, accept: true }).unwrap();
    }
}

#[test]
fn both_games_are_played_and_the_higher_score_wins() {
    let (one, two) = (Some(Seat::One), Some(Seat::Two));
    let cases = [
        ([one, one], BySeat(2, 0), MatchEnd::Won(Seat::One)),
        ([one, two], BySeat(1, 1), MatchEnd::Drawn),
        ([two, None], BySeat(0, 1), MatchEnd::Won(Seat::Two)),
        ([None, one], BySeat(1, 0), MatchEnd::Won(Seat::One)),
        ([None, None], BySeat(0, 0), MatchEnd::Drawn),
    ];
    for (winners, score, expected) in cases {
        let mut bench = pair(Game::Zeno);
        end(&mut bench, winners[0]);
        assert_eq!(bench.state.end(), None, "{winners:?}");
        end(&mut bench, winners[1]);
        assert_eq!((bench.state.score(), bench.state.end()), (score, Some(expected)), "{winners:?}");
    }
}

#[test]
fn the_sides_are_exchanged_even_in_tablut_and_whatever_came_of_the_first_game() {
    for game in Game::ALL {
        for winner in [Some(Seat::One), Some(Seat::Two), None] {
            let mut bench = pair(game);
            assert_eq!(bench.state.game().unwrap().white, Seat::One);
            end(&mut bench, winner);
            let second = bench.state.game().unwrap();
            assert_eq!((second.number, second.white), (2, Seat::Two), "{game}, won by {winner:?}");
        }
    }
}

#[test]
fn a_game_counts_one_point_even_where_its_rules_give_two() {
    let mut bench = pair(Game::Tavla);
    let events = bench.resign(JOINER);
    assert!(matches!(events[0], Event::GameEnded { points: 1, score: BySeat(1, 0), .. }), "{events:?}");
}

#[test]
fn a_player_who_does_not_come_loses_the_second_game() {
    let mut bench = pair(Game::Tabula);
    end(&mut bench, None);
    let absent = bench.seat_to_play();
    let events = bench.run_out();
    assert!(matches!(events[0], Event::GameEnded { game: 2, reason: GameEnd::NoShow, .. }));
    assert_eq!(bench.state.end(), Some(MatchEnd::Won(absent.other())));
}

#[test]
fn resigning_the_match_loses_both_games_in_the_first_and_one_in_the_second() {
    let give_up = Command::Resign { by: CREATOR, whole_match: true };
    let mut first = pair(Game::Zeno);
    first.ask(&give_up).unwrap();
    assert_eq!(first.state.end(), Some(MatchEnd::Won(Seat::Two)));
    let mut second = pair(Game::Zeno);
    end(&mut second, Some(Seat::One));
    second.ask(&give_up).unwrap();
    assert_eq!((second.state.score(), second.state.end()), (BySeat(1, 1), Some(MatchEnd::Drawn)));
}

#[test]
fn in_the_rematch_the_other_player_begins_as_white() {
    for game in Game::ALL {
        for winners in [[Some(Seat::One); 2], [Some(Seat::Two); 2], [None; 2]] {
            let mut bench = pair(game);
            for winner in winners {
                end(&mut bench, winner);
            }
            bench.ask(Command::OfferRematch { by: CREATOR, seed_hash: None }).unwrap();
            let next = MatchId(Uuid::from_u128(99));
            let creation =
                bench.state.rematch_creation(JOINER, SeedBrought::Nothing, next, Bytes32([8; 32])).unwrap();
            assert_eq!(creation.creator.id, CREATOR);
            let colours = lusoria_play::Colours::SeatOne(Side::Black);
            assert_eq!(creation.terms, Terms { colours, ..*bench.state.terms() }, "{game}");
        }
    }
}
