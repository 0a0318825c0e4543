//! The results of matches for ratings.

use lusoria_play::{
    Admission, BySeat, Clock, Command, Corrupt, Event, Length, Level, Match, Pace, Player, Rated, RatedGames,
    RatingResult, Recorded, Seat, SeedBrought, Terms, TermsError, UnratedReason,
};
use lusoria_rules::{Game, Shift, Variant};

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAYS, DELAY, ID, JOINER, START, creation, rated_seats, terms},
    chance::Foretold,
};

fn rated(game: Game, length: Length) -> Terms {
    Terms { length, rated: true, ..terms(game, BLITZ) }
}

fn games(bench: &Bench) -> Option<RatedGames> {
    bench.state.rating_result().map(|result| result.games)
}

#[test]
fn a_rated_match_has_a_clock_its_own_options_two_players_and_in_zeno_two_games() {
    let tabula = rated(Game::Tabula, Length::SINGLE);
    let by_die = Variant::Zeno { shift: Shift::Die };
    let cases = [
        (tabula, Ok(())),
        (Terms { clock: DAYS, ..tabula }, Ok(())),
        (rated(Game::Tabula, Length::Points(7)), Ok(())),
        (rated(Game::Zeno, Length::Pair), Ok(())),
        (Terms { clock: Clock::None {}, ..tabula }, Err(TermsError::RatedClock)),
        (
            Terms { variant: by_die, ..rated(Game::Zeno, Length::Pair) },
            Err(TermsError::RatedOptions(Game::Zeno)),
        ),
        (Terms { admission: Admission::BothSeats, ..tabula }, Err(TermsError::RatedSeats)),
        (rated(Game::Zeno, Length::SINGLE), Err(TermsError::RatedInPairs(Game::Zeno))),
        (rated(Game::Zeno, Length::Points(3)), Err(TermsError::RatedInPairs(Game::Zeno))),
    ];
    for (terms, expected) in cases {
        assert_eq!(terms.check(), expected, "{terms:?}");
        assert_eq!(Terms { rated: false, ..terms }.check(), Ok(()), "{terms:?}");
    }
}

#[test]
fn a_single_game_tells_who_was_white_and_a_series_does_not() {
    for (length, points, white) in [(Length::SINGLE, 1, Some(Seat::One)), (Length::Points(3), 3, None)] {
        let mut bench = Bench::under_way(rated(Game::Tabula, length));
        assert_eq!(bench.state.rating_result(), None, "not over");
        bench.now += 5_000;
        bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
        let games = RatedGames::Match { winner: Some(Seat::Two), points, white };
        let ended_at = START + 5_000;
        let expected = RatingResult { game: Game::Tabula, pace: Pace::Live, ended_at, games };
        assert_eq!(bench.state.rating_result(), Some(expected));
        bench.now += 60_000;
        bench.ask(Command::OfferRematch { by: CREATOR, seed_hash: None }).unwrap();
        assert_eq!(bench.state.rating_result(), Some(expected), "what comes later changes nothing");
    }
}

#[test]
fn a_drawn_match_is_rated() {
    let mut bench = Bench::under_way(rated(Game::Tablut, Length::SINGLE));
    bench.ask(Command::OfferDraw { by: CREATOR }).unwrap();
    bench.ask(Command::AnswerDraw { by: JOINER, accept: true }).unwrap();
    assert_eq!(games(&bench), Some(RatedGames::Match { winner: None, points: 1, white: Some(Seat::One) }));
}

#[test]
fn a_pair_tells_both_games() {
    let mut bench = Bench::under_way(Terms { clock: DAYS, ..rated(Game::Zeno, Length::Pair) });
    bench.resign(JOINER);
    bench.resign(CREATOR);
    let expected = RatedGames::Pair { white_first: Seat::One, winners: [Some(Seat::One), Some(Seat::Two)] };
    assert_eq!(games(&bench), Some(expected));
    assert_eq!(bench.state.rating_result().map(|result| result.pace), Some(Pace::Days));
}

#[test]
fn a_pair_that_is_given_up_has_lost_its_second_game() {
    let mut bench = Bench::under_way(rated(Game::Zeno, Length::Pair));
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    let expected = RatedGames::Pair { white_first: Seat::One, winners: [Some(Seat::Two); 2] };
    assert_eq!(games(&bench), Some(expected));
}

#[test]
fn matches_that_change_no_rating() {
    let single = rated(Game::Tabula, Length::SINGLE);
    let casual = Bench::under_way(Terms { rated: false, ..single });
    let mut before_both_have_played = Bench::playing(single);
    before_both_have_played.play();
    let mut never_played = Bench::playing(rated(Game::Tabula, Length::Pair));
    never_played.resign(CREATOR);
    let joiner = Some((Player::computer(Level::ALL[0]), SeedBrought::Nothing));
    let with_computer = creation(single, SeedBrought::Nothing);
    let with_computer = Bench::create(lusoria_play::Creation { joiner, ..with_computer }, Foretold::from(1));
    for (mut bench, what) in [
        (casual, "casual"),
        (before_both_have_played, "one has not played"),
        (never_played, "nothing was played in either game"),
        (with_computer, "against the computer"),
    ] {
        while what == "against the computer" && !bench.state.under_way() {
            bench.play();
        }
        bench.resign(CREATOR);
        assert!(bench.state.end().is_some());
        assert_eq!(bench.state.rating_result(), None, "{what}");
    }
    let mut ended_by_operator = Bench::under_way(single);
    ended_by_operator.ask(Command::End).unwrap();
    assert_eq!(ended_by_operator.state.rating_result(), None, "broken off");
}

#[test]
fn the_ratings_come_in_the_append_that_ends_the_match() {
    let mut bench = Bench::under_way(rated(Game::Tavla, Length::SINGLE));
    let ended = bench.resign(CREATOR);
    let event = bench.rate(&ended);
    assert_eq!(event, Event::Rated { constants: 1, seats: rated_seats() });
    let [.., ended, rated] = &bench.journal[..] else { unreachable!() };
    assert_eq!((rated.seq, rated.first, rated.at), (ended.seq + 1, ended.first, ended.at));
    assert_eq!(bench.state.rated(), Some(&Rated { constants: 1, seats: rated_seats(), taken_back: None }));
}

#[test]
fn a_rating_is_taken_back_once_and_the_result_stays() {
    let mut bench = Bench::under_way(Terms { clock: DELAY, ..rated(Game::Tavla, Length::SINGLE) });
    let unrate = Command::Unrate { reason: UnratedReason::Arranged };
    assert_eq!(bench.refused(unrate.clone()), "no_rating");
    let ended = bench.resign(CREATOR);
    assert_eq!(bench.refused(unrate.clone()), "no_rating", "it has changed no rating");
    bench.rate(&ended);
    let result = bench.state.rating_result();
    assert_eq!(bench.ask(&unrate).unwrap(), [Event::Unrated { reason: UnratedReason::Arranged }]);
    assert_eq!(bench.state.rated().unwrap().taken_back, Some(UnratedReason::Arranged));
    assert_eq!(bench.state.rating_result(), result);
    assert_eq!(bench.refused(unrate), "rating_taken_back");
}

#[test]
fn ratings_out_of_place_are_found() {
    let mut bench = Bench::under_way(rated(Game::Tavla, Length::SINGLE));
    let rated = Event::Rated { constants: 1, seats: BySeat(rated_seats().0, rated_seats().1) };
    let unrated = Event::Unrated { reason: UnratedReason::Help };
    let refused = |bench: &Bench, event: &Event| {
        let last = bench.journal.last().unwrap().clone();
        let next = Recorded { seq: last.seq + 1, event: event.clone(), ..last };
        let journal = bench.journal.iter().cloned().chain([next]);
        matches!(Match::from_journal(ID, journal), Err(Corrupt::OutOfPlace { .. }))
    };
    assert!(refused(&bench, &rated), "not over");
    let ended = bench.resign(CREATOR);
    assert!(!refused(&bench, &rated));
    assert!(refused(&bench, &unrated), "nothing to take back");
    bench.rate(&ended);
    assert!(refused(&bench, &rated), "twice");
    bench.ask(Command::Unrate { reason: UnratedReason::Help }).unwrap();
    assert!(refused(&bench, &unrated), "twice");
}

#[test]
fn lengths_are_written_as_points_or_games() {
    for (length, written) in [
        (Length::SINGLE, r#"{"points":1}"#),
        (Length::Points(7), r#"{"points":7}"#),
        (Length::Pair, r#"{"games":2}"#),
    ] {
        assert_eq!(serde_json::to_string(&length).unwrap(), written);
        assert_eq!(serde_json::from_str::<Length>(written).unwrap(), length);
    }
    assert!(serde_json::from_str::<Length>(r#"{"games":3}"#).is_err());
    let casual = serde_json::to_value(terms(Game::Zeno, BLITZ)).unwrap();
    assert_eq!(casual.get("rated"), None, "earlier journals have no such field");
    assert_eq!(casual["points"], 1);
}
