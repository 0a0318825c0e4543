//! From the creation of a match to its first throw (docs/rules.md).

use lusoria_play::{
    AbortReason, Admission, BySeat, Clock, Colours, Command, Event, GameEnd, Length, Match, MatchEnd, Phase,
    Seat, SeatSeed, SeedBrought, Sits, Terms, TermsError,
};
use lusoria_rules::{Game, Side};

use crate::{
    bench::{
        BLITZ, Bench, CREATOR, DAY, DAYS, DELAY, JOINER, MINUTE, NoChance, START, STRANGER, creation, player,
        seed, terms,
    },
    chance::Foretold,
};

fn kinds(events: &[Event]) -> Vec<String> {
    let kind = |event| serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned();
    events.iter().map(kind).collect()
}

#[test]
fn a_match_waits_for_somebody_to_join_and_then_begins_in_one_append() {
    let mut bench = Bench::open(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.state.phase(), Phase::Open);
    assert_eq!(bench.state.waits_for(), None);
    let events = bench.join(None).unwrap();
    assert_eq!(kinds(&events), ["joined", "game_started", "thrown"]);
    assert_eq!(bench.state.phase(), Phase::Playing);
    assert_eq!(bench.state.waits_for(), Some(Seat::One));
    assert_eq!(
        (bench.state.sits(CREATOR), bench.state.sits(JOINER)),
        (Sits::At(Seat::One), Sits::At(Seat::Two))
    );
    assert_eq!(bench.state.sits(STRANGER), Sits::Nowhere);
}

#[test]
fn each_game_begins_in_its_own_way() {
    type Case = (Game, &'static [&'static [u8]], &'static [&'static str], Side);
    let cases: [Case; 5] = [
        (Game::Zeno, &[&[1, 2, 3]], &["joined", "game_started", "thrown"], Side::White),
        (Game::Scripta, &[&[1, 2]], &["joined", "game_started", "thrown"], Side::White),
        (Game::Tabula, &[&[1, 2, 3]], &["joined", "game_started", "thrown"], Side::White),
        (
            Game::Tavla,
            &[&[4, 4], &[1, 1], &[2, 5]],
            &["joined", "game_started", "opening_thrown", "opening_thrown", "opening_thrown"],
            Side::Black,
        ),
        (Game::Tablut, &[], &["joined", "game_started"], Side::Black),
    ];
    for (game, script, expected, side) in cases {
        let mut bench = Bench::open(terms(game, BLITZ));
        bench.chance.script = script.iter().map(|dice| dice.to_vec()).collect();
        let events = bench.join(None).unwrap();
        assert_eq!(kinds(&events), expected, "{game}");
        let to_play = bench.state.to_play().unwrap();
        assert_eq!(to_play.side, side, "{game}");
        assert_eq!(to_play.given_by, bench.state.head(), "{game}");
        let dice: Vec<u8> = to_play.dice.iter().map(|die| die.value()).collect();
        assert_eq!(dice, script.last().copied().unwrap_or_default(), "{game}");
        assert_eq!(
            bench.chance.throws,
            (0..).take(script.len()).map(|i| (1, i)).collect::<Vec<_>>(),
            "{game}"
        );
    }
}

#[test]
fn the_opening_throw_gives_the_higher_side_both_dice() {
    for (white, black, begins) in [(6, 1, Side::White), (3, 4, Side::Black)] {
        let bench = Bench::throwing(terms(Game::Tavla, BLITZ), [&[white, black]]);
        let to_play = bench.state.to_play().unwrap();
        assert_eq!(to_play.side, begins);
        assert_eq!(to_play.dice.iter().map(|die| die.value()).collect::<Vec<_>>(), [white, black]);
        assert_eq!(bench.state.game().unwrap().position.to_move(), begins);
    }
}

#[test]
fn colours_are_chosen_or_random() {
    let white = |terms: Terms, number| {
        let mut bench = Bench::create(creation(terms, SeedBrought::Nothing), Foretold::from(number));
        bench.join(None).unwrap();
        bench.state.game().unwrap().white
    };
    let with = |colours| Terms { colours, ..terms(Game::Tabula, BLITZ) };
    assert_eq!(white(with(Colours::SeatOne(Side::White)), 0), Seat::One);
    assert_eq!(white(with(Colours::SeatOne(Side::Black)), 0), Seat::Two);
    let lots: Vec<Seat> = (0..20).map(|number| white(with(Colours::Lot), number)).collect();
    assert!(lots.contains(&Seat::One) && lots.contains(&Seat::Two));
}

#[test]
fn both_seats_can_be_the_creators() {
    let terms = Terms { admission: Admission::BothSeats, ..terms(Game::Scripta, BLITZ) };
    let mut bench = Bench::open(terms);
    assert_eq!(bench.state.phase(), Phase::Playing);
    assert_eq!(bench.state.sits(CREATOR), Sits::InBoth);
    assert!(bench.journal.iter().all(|recorded| recorded.first == 1), "all of it is one append");
    assert_eq!(bench.join(None).unwrap_err().code(), "full");
    for seat in [Seat::One, Seat::Two, Seat::One] {
        assert_eq!(bench.seat_to_play(), seat);
        bench.play();
    }
    let events = bench.ask(Command::Resign { by: CREATOR, whole_match: false }).unwrap();
    assert!(
        matches!(events[0], Event::GameEnded { winner: Some(Seat::One), .. }),
        "the side to play resigns"
    );
}

#[test]
fn the_admission_decides_who_may_join() {
    let mut bench = Bench::open(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.refused(Command::Join { player: player(CREATOR), seed: None }), "own_match");
    bench.join(Some(seed("mine"))).unwrap();
    assert_eq!(bench.state.seed(Seat::Two), Some(&SeatSeed::Brought(seed("mine"))));
    assert_eq!(bench.refused(Command::Join { player: player(STRANGER), seed: None }), "full");
}

#[test]
fn terms_out_of_range_make_no_match() {
    let cases = [
        Terms { length: Length::Points(0), ..terms(Game::Zeno, BLITZ) },
        Terms { length: Length::Points(100), ..terms(Game::Zeno, BLITZ) },
        terms(Game::Zeno, Clock::Fischer { base_ms: 4_999, increment_ms: 0 }),
        terms(Game::Zeno, Clock::Delay { base_ms: 5_000, delay_ms: 180_001 }),
        terms(Game::Zeno, Clock::Days { days: 0 }),
        terms(Game::Zeno, Clock::Days { days: 15 }),
    ];
    for terms in cases {
        let made = Match::create(creation(terms, SeedBrought::Nothing), START, &mut NoChance);
        assert!(matches!(made, Err(TermsError::Points(_) | TermsError::Clock(_))), "{terms:?}");
    }
}

#[test]
fn an_open_match_expires() {
    let cases = [
        (Admission::Open, BLITZ, DAY),
        (Admission::Open, Clock::None {}, DAY),
        (Admission::Open, DAYS, 7 * DAY),
        (Admission::Invitation, BLITZ, 7 * DAY),
        (Admission::Invitation, DAYS, 7 * DAY),
    ];
    for (admission, clock, term) in cases {
        let mut bench = Bench::open(Terms { admission, ..terms(Game::Zeno, clock) });
        assert_eq!(bench.state.next_deadline(), Some(START + term));
        let end = MatchEnd::Aborted(AbortReason::Expired);
        assert_eq!(bench.run_out(), [Event::MatchEnded { end }]);
        assert_eq!(bench.join(None).unwrap_err().code(), "match_over");
    }
}

#[test]
fn the_creator_can_withdraw_an_open_match() {
    let mut bench = Bench::open(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.refused(Command::Abort { by: STRANGER }), "not_a_player");
    let events = bench.ask(Command::Abort { by: CREATOR }).unwrap();
    assert_eq!(events, [Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::Withdrawn) }]);
}

#[test]
fn the_operator_can_end_a_match_at_any_time() {
    let end = MatchEnd::Aborted(AbortReason::Operator);
    let mut open = Bench::open(terms(Game::Zeno, BLITZ));
    assert_eq!(open.ask(Command::End).unwrap(), [Event::MatchEnded { end }]);
    assert_eq!(open.refused(Command::End), "match_over");
    for mut bench in [Bench::playing(terms(Game::Tablut, DAYS)), Bench::under_way(terms(Game::Zeno, BLITZ))] {
        let events = bench.ask(Command::End).unwrap();
        let [Event::GameEnded { winner: None, points: 0, reason: GameEnd::Aborted, .. }, ended] = &events[..]
        else {
            panic!("{events:?}");
        };
        assert_eq!(*ended, Event::MatchEnded { end });
        assert_eq!(bench.refused(Command::End), "match_over");
    }
}

#[test]
fn a_side_that_does_not_make_its_first_turn_aborts_the_match() {
    for (clock, term) in [(BLITZ, MINUTE), (DELAY, MINUTE), (DAYS, 2 * DAY)] {
        for turns in 0..2 {
            let mut bench = Bench::playing(terms(Game::Tabula, clock));
            (0..turns).for_each(|_| drop(bench.play()));
            let absent = bench.seat_to_play();
            assert_eq!(bench.state.next_deadline(), Some(bench.now + term));
            let events = bench.run_out();
            let [Event::GameEnded { game: 1, winner: None, points: 0, reason, score, .. }, ended] =
                &events[..]
            else {
                panic!("{events:?}");
            };
            assert_eq!((*reason, *score), (GameEnd::Aborted, BySeat(0, 0)));
            assert_eq!(*ended, Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::NoShow(absent)) });
        }
    }
}

#[test]
fn either_can_abort_until_both_have_made_their_first_turn() {
    for (turns, by, seat) in [(0, CREATOR, Seat::One), (0, JOINER, Seat::Two), (1, CREATOR, Seat::One)] {
        let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
        (0..turns).for_each(|_| drop(bench.play()));
        let events = bench.ask(Command::Abort { by }).unwrap();
        let end = MatchEnd::Aborted(AbortReason::Player(seat));
        assert_eq!(events.last(), Some(&Event::MatchEnded { end }));
    }
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.refused(Command::Abort { by: CREATOR }), "too_late_to_abort");
}

#[test]
fn without_a_clock_a_match_is_abandoned_when_nothing_is_played() {
    for turns in 0..3 {
        let mut bench = Bench::playing(terms(Game::Tablut, Clock::None {}));
        (0..turns).for_each(|_| drop(bench.play()));
        assert_eq!(bench.state.next_deadline(), Some(bench.now + 30 * DAY));
        let end = MatchEnd::Aborted(AbortReason::Abandoned);
        assert_eq!(bench.run_out().last(), Some(&Event::MatchEnded { end }));
    }
}
