//! The seeds of the dice: brought, drawn, or committed to and revealed (docs/dice.md).

use lusoria_play::{
    AbortReason, Admission, Bytes32, Clock, Command, Creation, Event, MatchEnd, Phase, PlayerId, Seat,
    SeatSeed, Seed, SeedBrought, Terms,
};
use lusoria_rules::Game;

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAY, DAYS, JOINER, MINUTE, creation, player, seed, terms},
    chance::{Foretold, hash},
};

fn committed(terms: Terms) -> Bench {
    Bench::create(creation(terms, SeedBrought::Hash(hash(&seed("mine")))), Foretold::from(1))
}

fn reveal(by: PlayerId, text: &str) -> Command {
    Command::RevealSeed { by, seed: seed(text) }
}

#[test]
fn nothing_is_thrown_before_the_seed_is_revealed() {
    let mut bench = committed(terms(Game::Zeno, BLITZ));
    assert_eq!(
        bench.refused(reveal(CREATOR, "mine")),
        "not_playing",
        "the joiner could choose their own by it"
    );
    assert_eq!(bench.join(Some(seed("theirs"))).unwrap().len(), 1);
    assert_eq!(bench.state.phase(), Phase::AwaitingSeeds(vec![Seat::One]));
    assert_eq!(bench.state.waits_for(), Some(Seat::One));
    assert_eq!(bench.refused(reveal(JOINER, "theirs")), "no_seed_to_reveal");
    assert_eq!(bench.refused(reveal(CREATOR, "other")), "seed_mismatch");
    assert_eq!(bench.refused(Command::OfferDraw { by: JOINER }), "seed_not_revealed");
    let events = bench.ask(reveal(CREATOR, "mine")).unwrap();
    assert!(matches!(
        events[..],
        [Event::SeedRevealed { seat: Seat::One, .. }, Event::GameStarted { .. }, Event::Thrown { .. }]
    ));
    assert_eq!(bench.state.seed(Seat::One), Some(&SeatSeed::Brought(seed("mine"))));
    assert_eq!(bench.refused(reveal(CREATOR, "mine")), "no_seed_to_reveal");
}

#[test]
fn a_seat_that_brings_nothing_gets_a_seed_drawn() {
    let bench = Bench::playing(terms(Game::Zeno, BLITZ));
    assert_eq!(bench.state.seed(Seat::One), Some(&SeatSeed::Drawn(seed("drawn 1"))));
    assert_eq!(bench.state.seed(Seat::Two), Some(&SeatSeed::Drawn(seed("drawn 2"))));
}

#[test]
fn a_seed_not_revealed_in_time_aborts_the_match() {
    for (clock, term) in [(BLITZ, MINUTE), (DAYS, 2 * DAY), (Clock::None {}, 10 * MINUTE)] {
        let mut bench = committed(terms(Game::Zeno, clock));
        bench.now += 1_000;
        bench.join(None).unwrap();
        assert_eq!(bench.state.next_deadline(), Some(bench.now + term));
        let end = MatchEnd::Aborted(AbortReason::SeedNotRevealed(Seat::One));
        assert_eq!(bench.run_out(), [Event::MatchEnded { end }], "no game has begun, so no secret is due");
    }
}

/// Only the deadline ends the match: a journal written when the term was longer gives the same match as then.
#[test]
fn without_a_clock_a_late_seed_still_counts_until_the_match_is_aborted() {
    for (clock, refused) in [(BLITZ, true), (DAYS, true), (Clock::None {}, false)] {
        let mut bench = committed(terms(Game::Zeno, clock));
        bench.join(None).unwrap();
        bench.now = bench.state.next_deadline().unwrap() + 20 * DAY;
        let code = bench.ask(reveal(CREATOR, "mine")).err().map(|refusal| refusal.code());
        assert_eq!(code, refused.then_some("time_over"), "{clock:?}");
    }
}

/// The first turn has the long term again.
#[test]
fn without_a_clock_only_the_seed_is_due_in_ten_minutes() {
    let mut bench = committed(terms(Game::Zeno, Clock::None {}));
    bench.join(None).unwrap();
    bench.now += 10 * MINUTE - 1;
    assert_eq!(bench.on_deadline(), []);
    bench.ask(reveal(CREATOR, "mine")).unwrap();
    assert_eq!(bench.state.next_deadline(), Some(bench.now + 30 * DAY));
}

#[test]
fn two_hashes_need_two_revelations_and_the_first_missing_one_is_named() {
    for first in [Seat::One, Seat::Two] {
        let both = |seat| if seat == Seat::One { (CREATOR, "mine") } else { (JOINER, "theirs") };
        let joiner = Some((player(JOINER), SeedBrought::Hash(hash(&seed("theirs")))));
        let brought = SeedBrought::Hash(hash(&seed("mine")));
        let creation = Creation { joiner, ..creation(terms(Game::Zeno, BLITZ), brought) };
        let mut bench = Bench::create(creation, Foretold::from(1));
        assert_eq!(bench.state.phase(), Phase::AwaitingSeeds(vec![Seat::One, Seat::Two]));
        let deadline = bench.state.next_deadline();
        bench.now += 5_000;
        let (by, text) = both(first);
        assert_eq!(bench.ask(reveal(by, text)).unwrap().len(), 1);
        assert_eq!(bench.state.next_deadline(), deadline, "one term for both");
        assert_eq!(bench.state.waits_for(), Some(first.other()));
        let (by, text) = both(first.other());
        assert!(bench.ask(reveal(by, text)).unwrap().len() > 1);
    }
}

#[test]
fn a_player_with_both_seats_reveals_for_both() {
    let terms = Terms { admission: Admission::BothSeats, ..terms(Game::Zeno, BLITZ) };
    let joiner = Some((player(CREATOR), SeedBrought::Hash(hash(&seed("theirs")))));
    let creation = Creation { joiner, ..creation(terms, SeedBrought::Hash(hash(&seed("mine")))) };
    let mut bench = Bench::create(creation, Foretold::from(1));
    bench.ask(reveal(CREATOR, "theirs")).unwrap();
    assert_eq!(bench.refused(reveal(CREATOR, "theirs")), "seed_mismatch");
    bench.ask(reveal(CREATOR, "mine")).unwrap();
    assert_eq!(bench.state.phase(), Phase::Playing);
}

#[test]
fn seeds_are_short_printable_and_without_bars() {
    for good in ["x", "alea iacta est", "{}~ !", &"~".repeat(64)] {
        assert!(Seed::try_from(good.to_owned()).is_ok(), "{good}");
    }
    for bad in ["", "a|b", "ä", "tab\t", &"x".repeat(65)] {
        assert!(Seed::try_from(bad.to_owned()).is_err(), "{bad}");
    }
}

#[test]
fn hashes_are_64_lower_case_hexadecimal_digits() {
    let text = "00ff".repeat(16);
    assert_eq!(Bytes32::try_from(text.clone()).unwrap().to_string(), text);
    for bad in
        ["", "00", &"00FF".repeat(16), &"0g".repeat(32), &"0".repeat(63), &"0".repeat(65), &"é".repeat(32)]
    {
        assert!(Bytes32::try_from((*bad).to_owned()).is_err(), "{bad}");
    }
}
