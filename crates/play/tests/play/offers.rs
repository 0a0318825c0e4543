//! Offers of a draw: once per turn of the offerer; the offer lapses with the opponent's next turn.

use lusoria_play::{Admission, Command, Event, GameEnd, Length, MatchEnd, PlayerId, Refusal, Seat, Terms};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, CREATOR, JOINER, STRANGER, terms};

fn offer(by: PlayerId) -> Command {
    Command::OfferDraw { by }
}

fn answer(by: PlayerId, accept: bool) -> Command {
    Command::AnswerDraw { by, accept }
}

fn agreed(events: &[Event]) -> bool {
    matches!(events[0], Event::GameEnded { winner: None, points: 0, reason: GameEnd::Agreed, .. })
}

#[test]
fn an_offer_accepted_draws_the_game() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.ask(offer(CREATOR)).unwrap(), [Event::DrawOffered { seat: Seat::One }]);
    assert_eq!(bench.state.draw_offer(), Some(Seat::One));
    assert_eq!(bench.refused(answer(CREATOR, true)), "no_offer", "nobody accepts their own offer");
    assert_eq!(bench.refused(answer(STRANGER, true)), "not_a_player");
    assert!(agreed(&bench.ask(answer(JOINER, true)).unwrap()));
    assert_eq!(bench.state.end(), Some(MatchEnd::Drawn));
}

#[test]
fn a_declined_offer_is_gone_and_the_right_comes_back_with_a_turn() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.to_play(), CREATOR);
    bench.ask(offer(CREATOR)).unwrap();
    assert_eq!(bench.ask(answer(JOINER, false)).unwrap(), [Event::DrawDeclined { seat: Seat::Two }]);
    assert_eq!(bench.refused(answer(JOINER, true)), "no_offer");
    assert_eq!(bench.ask(offer(CREATOR)).unwrap_err(), Refusal::AlreadyOffered);
    assert!(!bench.state.may_offer_draw(Seat::One));
    bench.play();
    assert!(bench.state.may_offer_draw(Seat::One));
    bench.ask(offer(CREATOR)).unwrap();
}

#[test]
fn an_offer_stands_until_the_opponent_plays() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    bench.ask(offer(CREATOR)).unwrap();
    bench.play();
    assert_eq!(bench.state.draw_offer(), Some(Seat::One), "the offerer's own turn does not end it");
    assert_eq!(bench.refused(offer(CREATOR)), "already_offered");
    bench.play();
    assert_eq!(bench.state.draw_offer(), None, "the opponent's turn does");
    assert_eq!(bench.refused(answer(JOINER, true)), "no_offer");
    bench.ask(offer(CREATOR)).unwrap();
}

#[test]
fn two_offers_are_an_agreement() {
    let mut bench = Bench::under_way(terms(Game::Tabula, BLITZ));
    bench.ask(offer(JOINER)).unwrap();
    assert!(agreed(&bench.ask(offer(CREATOR)).unwrap()));
}

#[test]
fn an_offer_does_not_outlive_the_game() {
    let mut bench = Bench::under_way(Terms { length: Length::Points(2), ..terms(Game::Tabula, BLITZ) });
    bench.ask(offer(JOINER)).unwrap();
    bench.ask(Command::Resign { by: JOINER, whole_match: false }).unwrap();
    assert_eq!(bench.state.draw_offer(), None);
    assert_eq!(bench.refused(answer(CREATOR, true)), "no_offer");
    bench.ask(offer(JOINER)).unwrap();
}

#[test]
fn a_player_with_both_seats_agrees_with_themselves() {
    let terms = Terms { admission: Admission::BothSeats, ..terms(Game::Scripta, BLITZ) };
    let mut bench = Bench::open(terms);
    bench.ask(offer(CREATOR)).unwrap();
    assert!(agreed(&bench.ask(answer(CREATOR, true)).unwrap()));
}

#[test]
fn nothing_is_offered_where_nothing_is_played() {
    let mut bench = Bench::open(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.refused(offer(CREATOR)), "not_playing");
    bench.join(None).unwrap();
    bench.ask(Command::Resign { by: CREATOR, whole_match: false }).unwrap();
    assert_eq!(bench.refused(offer(CREATOR)), "match_over");
}
