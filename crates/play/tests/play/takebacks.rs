//! Taking turns back, against the computer and between two people.

use lusoria_play::{
    Admission, BySeat, Clock, Command, Creation, Event, Game as PlayedGame, Length, Level, Match, Millis,
    Player, PlayerId, PlayerKind, Seat, SeedBrought, TakebackOffer, Terms, TournamentId,
};
use lusoria_rules::{Game, Variant};
use proptest::{collection::vec, prelude::*};
use uuid::Uuid;

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAYS, DELAY, JOINER, STRANGER, creation, player, terms},
    chance::Foretold,
};

const UNCLOCKED: Clock = Clock::None {};

/// A person in seat 1, as White, against the computer.
fn against_computer(game: Game, clock: Clock, number: u64) -> Bench {
    let joiner = Some((Player::computer(Level::ALL[0]), SeedBrought::Nothing));
    let creation = creation(terms(game, clock), SeedBrought::Nothing);
    Bench::create(Creation { joiner, ..creation }, Foretold::from(number))
}

fn take_back(turned: u32) -> Command {
    Command::TakeBack { by: CREATOR, turned }
}

/// Takes the person's last turn back.
fn take_last_back(bench: &mut Bench) -> Event {
    let turned = bench.state.may_take_back(CREATOR).expect("a turn to take back");
    let events = bench.ask(take_back(turned)).unwrap();
    let [event] = &events[..] else { panic!("{events:?}") };
    event.clone()
}

/// Plays until it is the person's turn and they have played this many.
fn play_until(bench: &mut Bench, turns: u32) {
    while bench.seat_to_play() != Seat::One || bench.state.game().unwrap().turns.0 < turns {
        bench.play();
    }
}

/// The parts of a game that a takeback restores: not who began, the clocks, or which event gave the turn.
fn essence(game: &PlayedGame) -> impl PartialEq + std::fmt::Debug + use<> {
    let to_play = game.to_play.clone().unwrap();
    let history = game.history.clone();
    (game.position, history, game.throws, game.turns, to_play.seat, to_play.side, to_play.dice)
}

#[test]
fn the_turn_comes_again_with_the_same_dice_and_so_do_the_throws_after_it() {
    let mut bench = against_computer(Game::Tavla, UNCLOCKED, 1);
    play_until(&mut bench, 3);
    let before = essence(bench.state.game().unwrap());
    let steps = bench.some_steps(7);
    let (first, given) = (bench.turn(steps.clone()), bench.state.to_play().unwrap().given_by);
    let went_on = bench.ask(&first).unwrap();
    bench.play();
    let turns = bench.state.turns();
    let taken = take_last_back(&mut bench);
    assert_eq!(essence(bench.state.game().unwrap()), before);
    let head = bench.state.head();
    assert_eq!(bench.state.to_play().unwrap().given_by, head);
    let Event::TakenBack { seat: Seat::One, to, turns: counting, ref dice, .. } = taken else {
        panic!("{taken:?}")
    };
    assert_eq!((to, counting), (given, bench.state.turns()));
    assert!(counting < turns && bench.state.takebacks() == 1);
    assert_eq!(*dice, bench.state.to_play().unwrap().dice);
    let computed = bench.chance.throws.len();
    let again = bench.ask(bench.turn(steps)).unwrap();
    let thrown = |events: &[Event]| -> Vec<Event> {
        events.iter().filter(|event| matches!(event, Event::Thrown { .. })).cloned().collect()
    };
    assert_eq!(thrown(&went_on), thrown(&again));
    assert!(bench.chance.throws.len() > computed, "the throw is computed again");
}

#[test]
fn it_is_taken_back_while_the_computer_thinks_too_and_the_computer_answers_too_late() {
    let mut bench = against_computer(Game::Tablut, UNCLOCKED, 1);
    play_until(&mut bench, 1);
    bench.play();
    assert_eq!(bench.seat_to_play(), Seat::Two);
    let answer = bench.turn(bench.some_steps(1));
    take_last_back(&mut bench);
    assert_eq!(bench.seat_to_play(), Seat::One);
    assert_eq!(bench.refused(answer), "not_your_turn");
}

#[test]
fn a_game_is_taken_back_to_its_first_turn_and_no_further() {
    for game in Game::ALL {
        let mut bench = against_computer(game, UNCLOCKED, 5);
        play_until(&mut bench, 0);
        let before = essence(bench.state.game().unwrap());
        play_until(&mut bench, 6);
        for left in (0..6).rev() {
            take_last_back(&mut bench);
            assert_eq!(bench.state.game().unwrap().turns.0, left, "{game}");
        }
        assert_eq!(essence(bench.state.game().unwrap()), before, "{game}");
        assert_eq!(bench.state.may_take_back(CREATOR), None);
        assert_eq!(bench.refused(take_back(9)), "nothing_to_take_back");
        // It is still under way, and cannot be aborted.
        assert!(bench.state.under_way());
        assert_eq!(bench.refused(Command::Abort { by: CREATOR }), "too_late_to_abort");
    }
}

#[test]
fn only_the_last_turn_of_a_person_against_the_computer_is_taken_back() {
    let mut bench = against_computer(Game::Zeno, UNCLOCKED, 2);
    play_until(&mut bench, 1);
    let first = bench.state.may_take_back(CREATOR).unwrap();
    play_until(&mut bench, 2);
    assert_eq!(bench.refused(take_back(first)), "not_last_turn");
    assert_eq!(bench.refused(Command::TakeBack { by: STRANGER, turned: first }), "not_a_player");
    assert_eq!(bench.refused(Command::TakeBack { by: JOINER, turned: first }), "not_a_player");
    let computer = Level::ALL[0].player_id();
    assert_eq!(bench.state.may_take_back(computer), None);
    assert_eq!(bench.refused(Command::TakeBack { by: computer, turned: first }), "no_takebacks");
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    assert_eq!(bench.state.may_take_back(CREATOR), None);
    assert_eq!(bench.refused(take_back(first)), "match_over");
}

#[test]
fn a_turn_that_was_taken_back_is_neither_played_nor_taken_back_again() {
    let mut bench = against_computer(Game::Scripta, UNCLOCKED, 3);
    play_until(&mut bench, 1);
    let turn = bench.turn(bench.some_steps(1));
    let events = bench.ask(&turn).unwrap();
    let turned = bench.state.head() + 1 - u32::try_from(events.len()).unwrap();
    bench.ask(take_back(turned)).unwrap();
    // Sent again, it is refused as answered already.
    assert_eq!(bench.refused(turn), "already_answered");
    assert_eq!(bench.refused(take_back(turned)), "not_last_turn");
}

#[test]
fn an_offer_lapses_and_is_not_made_again_before_a_turn() {
    let mut bench = against_computer(Game::Tabula, UNCLOCKED, 4);
    play_until(&mut bench, 2);
    bench.ask(Command::OfferDraw { by: CREATOR }).unwrap();
    take_last_back(&mut bench);
    assert_eq!(bench.state.draw_offer(), None);
    assert_eq!(bench.refused(Command::OfferDraw { by: CREATOR }), "already_offered");
}

#[test]
fn time_that_was_used_stays_used() {
    for (clock, earned_ms) in [(BLITZ, 3_000), (DELAY, 0)] {
        let mut bench = against_computer(Game::Tablut, clock, 1);
        play_until(&mut bench, 2);
        let BySeat(then_ms, other_ms) = clocks_at_second_turn(&bench);
        bench.now += 20_000;
        let left_ms = bench.clocks().0 - earned_ms;
        assert!(left_ms < then_ms && bench.clocks().1 >= other_ms, "{clock:?}");
        take_last_back(&mut bench);
        assert_eq!(bench.clocks(), BySeat(left_ms, other_ms), "{clock:?}");
        assert_eq!(bench.state.to_play().unwrap().since, bench.now);
        bench.now += 6_000;
        let charged_ms = if clock == DELAY { 1_000 } else { 6_000 };
        assert_eq!(bench.clocks(), BySeat(left_ms - charged_ms, other_ms), "{clock:?}");
        let deadline = bench.state.next_deadline().unwrap();
        assert_eq!(deadline - bench.now, bench.clocks().0, "{clock:?}");
    }
}

/// The person's clock loses exactly the time that they think, before the turn and before they take it back.
#[test]
fn an_increment_is_earned_only_by_the_turn_that_counts() {
    let Clock::Fischer { increment_ms, .. } = BLITZ else { unreachable!() };
    for (before_ms, after_ms) in [(0, 0), (2_000, 0), (10_000, 0), (10_000, 4_000)] {
        let mut bench = against_computer(Game::Tablut, BLITZ, 1);
        play_until(&mut bench, 1);
        let BySeat(mut expected_ms, other_ms) = bench.clocks();
        for _ in 0..5 {
            bench.now += before_ms;
            play_until(&mut bench, 2);
            bench.now += after_ms;
            take_last_back(&mut bench);
            expected_ms -= before_ms + after_ms;
            assert_eq!(bench.clocks(), BySeat(expected_ms, other_ms), "{before_ms} {after_ms}");
        }
        play_until(&mut bench, 2);
        assert_eq!(bench.clocks().0, expected_ms + increment_ms);
    }
}

#[test]
fn nobody_loses_on_time_by_a_takeback() {
    let mut bench =
        against_computer(Game::Tablut, Clock::Fischer { base_ms: 5_000, increment_ms: 60_000 }, 1);
    play_until(&mut bench, 2);
    bench.now += 60_000;
    let left_ms = bench.clocks().0;
    assert!((1_000..60_000).contains(&left_ms), "{left_ms}");
    take_last_back(&mut bench);
    assert_eq!(bench.clocks().0, 1_000);
}

/// The clocks at the beginning of the second turn of the person, who plays second.
fn clocks_at_second_turn(bench: &Bench) -> BySeat<Millis> {
    let turned = bench.journal.iter().filter_map(|recorded| match recorded.event {
        Event::Turned { clocks_ms, .. } => clocks_ms,
        _ => None,
    });
    turned.take(3).last().unwrap()
}

#[test]
fn in_correspondence_a_term_begins_anew() {
    let mut bench = against_computer(Game::Tablut, DAYS, 1);
    play_until(&mut bench, 2);
    bench.now += 20_000;
    take_last_back(&mut bench);
    let Clock::Days { days } = DAYS else { unreachable!() };
    let full_ms = Clock::DAY_MS * u64::from(days);
    assert_eq!(bench.clocks(), BySeat(full_ms, full_ms));
    assert_eq!(bench.state.next_deadline(), Some(bench.now + full_ms));
}

#[test]
fn takebacks_have_an_end() {
    let mut bench = against_computer(Game::Tablut, UNCLOCKED, 1);
    for _ in 0..Match::TAKEBACKS_MAX {
        play_until(&mut bench, 1);
        take_last_back(&mut bench);
    }
    play_until(&mut bench, 1);
    assert_eq!(bench.state.may_take_back(CREATOR), None);
    let turned = bench
        .journal
        .iter()
        .rfind(|recorded| matches!(recorded.event, Event::Turned { seat: Seat::One, .. }));
    assert_eq!(bench.refused(take_back(turned.unwrap().seq)), "too_many_takebacks");
}

/// The last turn that was played, with its player and their opponent.
fn last_turn(bench: &Bench) -> (PlayerId, PlayerId, u32) {
    let last = bench.journal.iter().rev().find_map(|recorded| match recorded.event {
        Event::Turned { seat, .. } => Some((bench.id_of(seat), bench.id_of(seat.other()), recorded.seq)),
        _ => None,
    });
    last.unwrap()
}

#[test]
fn between_people_a_turn_comes_again_once_the_opponent_accepts() {
    for (game, later) in Game::ALL.into_iter().flat_map(|game| [(game, false), (game, true)]) {
        let mut bench = Bench::under_way(terms(game, UNCLOCKED));
        let before = essence(bench.state.game().unwrap());
        let turn = bench.turn(bench.some_steps(7));
        let went_on = bench.ask(&turn).unwrap();
        let (by, opponent, turned) = last_turn(&bench);
        if later {
            bench.play();
        }
        let seat = bench
            .state
            .player(Seat::One)
            .map_or(Seat::Two, |one| if one.id == by { Seat::One } else { Seat::Two });
        if bench.state.may_take_back(by) != Some(turned) {
            // The same player had two turns in a row: the opponent passed.
            continue;
        }
        let offered = bench.ask(Command::TakeBack { by, turned }).unwrap();
        assert_eq!(offered, [Event::TakebackOffered { seat, turned }], "{game}");
        assert_eq!(bench.state.takeback_offer(), Some(TakebackOffer { seat, turned }));
        bench.ask(Command::AnswerTakeback { by: opponent, turned, accept: true }).unwrap();
        assert_eq!(essence(bench.state.game().unwrap()), before, "{game}");
        assert_eq!((bench.state.takeback_offer(), bench.state.takebacks()), (None, 1));
        let steps = bench.some_steps(7);
        let again = bench.ask(bench.turn(steps)).unwrap();
        let thrown = |events: &[Event]| -> Vec<Event> {
            events.iter().filter(|event| matches!(event, Event::Thrown { .. })).cloned().collect()
        };
        assert_eq!(thrown(&went_on), thrown(&again), "{game}");
    }
}

#[test]
fn an_offer_to_take_back_lapses_with_any_turn_and_with_the_game() {
    let offered = || {
        let mut bench = Bench::under_way(terms(Game::Zeno, UNCLOCKED));
        let turned = bench.state.may_take_back(CREATOR).unwrap();
        bench.ask(take_back(turned)).unwrap();
        (bench, Command::AnswerTakeback { by: JOINER, turned, accept: true })
    };
    let (mut bench, accept) = offered();
    bench.play();
    assert_eq!(bench.state.takeback_offer(), None);
    assert_eq!(bench.refused(accept), "no_offer");
    let (mut bench, accept) = offered();
    bench.ask(Command::Resign { by: JOINER, whole_match: false }).unwrap();
    assert_eq!(bench.state.takeback_offer(), None);
    assert_eq!(bench.refused(accept), "match_over");
    // To offer the same is to accept.
    let (mut bench, accept) = offered();
    let Command::AnswerTakeback { by, turned, .. } = accept else { unreachable!() };
    bench.ask(Command::TakeBack { by, turned }).unwrap();
    assert_eq!(bench.state.takebacks(), 1);
}

/// One's last turn, the opponent's, and none; each is named by who played it.
#[test]
fn takebacks_between_people_are_refused_for_these_reasons() {
    let take_back = |by, turned| Command::TakeBack { by, turned };
    let answer = |by, turned, accept| Command::AnswerTakeback { by, turned, accept };
    let mut bench = Bench::playing(terms(Game::Tablut, UNCLOCKED));
    // Black begins: the joiner.
    bench.play();
    let first = bench.state.may_take_back(JOINER).unwrap();
    assert_eq!(bench.refused(take_back(CREATOR, first)), "nothing_to_take_back");
    bench.play();
    let second = bench.state.may_take_back(CREATOR).unwrap();
    for (refused, code) in [
        (take_back(CREATOR, first), "not_last_turn"),
        (take_back(STRANGER, first), "not_a_player"),
        (answer(CREATOR, first, true), "no_offer"),
    ] {
        assert_eq!(bench.refused(refused), code);
    }
    bench.ask(take_back(JOINER, first)).unwrap();
    for (refused, code) in [
        (take_back(JOINER, first), "already_offered"),
        (take_back(CREATOR, second), "already_offered"),
        (answer(JOINER, first, true), "no_offer"),
        (answer(CREATOR, second, true), "no_offer"),
        (answer(CREATOR, second, false), "no_offer"),
        (answer(STRANGER, first, true), "not_a_player"),
    ] {
        assert_eq!(bench.refused(refused), code);
    }
    assert_eq!(
        bench.ask(answer(CREATOR, first, false)).unwrap(),
        [Event::TakebackDeclined { seat: Seat::One }]
    );
    // Once for each turn.
    assert_eq!(bench.refused(take_back(JOINER, first)), "already_offered");
    assert_eq!(bench.state.may_take_back(JOINER), None);
    bench.play();
    assert!(bench.state.may_take_back(JOINER).is_some());

    let rated = Terms { rated: true, length: Length::Pair, ..terms(Game::Tablut, BLITZ) };
    let both = Terms { admission: Admission::BothSeats, ..terms(Game::Tablut, UNCLOCKED) };
    let mut bot = player(CREATOR);
    bot.kind = PlayerKind::Bot;
    let computer = Some((Player::computer(Level::ALL[0]), SeedBrought::Nothing));
    let create = |terms, creator, joiner| {
        let creation = creation(terms, SeedBrought::Nothing);
        Bench::create(Creation { creator, joiner, ..creation }, Foretold::from(1))
    };
    let person = Some((player(JOINER), SeedBrought::Nothing));
    let of_tournament = Creation {
        joiner: person.clone(),
        tournament: Some(TournamentId(Uuid::nil())),
        ..creation(terms(Game::Tablut, UNCLOCKED), SeedBrought::Nothing)
    };
    for mut bench in [
        Bench::create(of_tournament, Foretold::from(1)),
        create(rated, player(CREATOR), person.clone()),
        create(both, player(CREATOR), None),
        create(terms(Game::Tablut, UNCLOCKED), bot.clone(), person),
        create(terms(Game::Tablut, UNCLOCKED), bot, computer),
    ] {
        bench.play();
        bench.play();
        let by = bench.id_of(Seat::One);
        assert_eq!(bench.state.may_take_back(by), None);
        let head = bench.state.head();
        assert_eq!(bench.refused(take_back(by, head)), "no_takebacks");
        let player = bench.id_of(Seat::Two);
        assert_eq!(bench.refused(answer(player, head, true)), "no_offer");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// After any turns and takebacks the game is as it was, and it continues as it would have. The bench
    /// compares each append with its fold.
    #[test]
    fn a_game_goes_back_to_what_it_was(
        game in prop::sample::select(Game::ALL.to_vec()),
        number in any::<u64>(),
        moves in vec((0_u8..4, any::<u64>()), 1..80),
    ) {
        let mut bench = against_computer(game, UNCLOCKED, number);
        prop_assert_eq!(bench.state.terms().variant, Variant::standard(game));
        // The games at the person's turns that count.
        let mut turns = Vec::new();
        for (what, number) in moves {
            if bench.state.end().is_some() {
                break;
            }
            if what > 0 {
                if bench.seat_to_play() == Seat::One {
                    turns.push(essence(bench.state.game().unwrap()));
                }
                let steps = bench.some_steps(number);
                bench.ask(bench.turn(steps)).unwrap();
            } else if let Some(before) = turns.pop() {
                let taken = take_last_back(&mut bench);
                prop_assert_eq!(essence(bench.state.game().unwrap()), before);
                let is_first = matches!(taken, Event::TakenBack { turn: 1, .. });
                prop_assert!(!is_first || turns.is_empty());
            } else {
                prop_assert_eq!(bench.state.may_take_back(CREATOR), None);
            }
            let own = bench.state.game().map_or(0, |game| game.turns.0);
            prop_assert_eq!(own as usize, turns.len());
        }
    }
}
