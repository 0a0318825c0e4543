//! Matches in which the computer has a seat.

use lusoria_play::{
    AbortReason, Command, Creation, Event, Level, MatchEnd, Player, PlayerKind, Seat, SeedBrought, Thought,
};
use lusoria_rules::Game;

use crate::{
    bench::{BLITZ, Bench, CREATOR, STRANGER, creation, player, terms},
    chance::Foretold,
};

const STRONGEST: Level = Level::ALL[4];
const THOUGHT: Thought = Thought { budget: 900, nodes: 700 };

/// A person against the computer in seat 2, or the computer in both seats.
fn bench(stand_in: Option<Level>) -> Bench {
    let joiner = Some((Player::computer(STRONGEST), SeedBrought::Nothing));
    let creation = creation(terms(Game::Tablut, BLITZ), SeedBrought::Nothing);
    let creation = match stand_in {
        None => Creation { joiner, ..creation },
        Some(level) => {
            Creation { creator: Player::computer(level), made_by: Some(player(CREATOR)), joiner, ..creation }
        }
    };
    Bench::create(creation, Foretold::from(1))
}

fn turn(bench: &Bench) -> Command {
    let Command::Turn { by, answers, steps, .. } = bench.turn(bench.some_steps(1)) else { unreachable!() };
    Command::Turn { by, answers, steps, thought: Some(THOUGHT), lag_ms: 0 }
}

#[test]
fn the_game_begins_at_once_and_only_the_computers_thought_is_kept() {
    let mut bench = bench(None);
    assert!(!bench.state.is_computer(Seat::One) && bench.state.is_computer(Seat::Two));
    let mut kept = Vec::new();
    for _ in 0..2 {
        let by_computer = bench.state.is_computer(bench.seat_to_play());
        let events = bench.ask(turn(&bench)).unwrap();
        let Event::Turned { thought, .. } = events[0] else { panic!("{events:?}") };
        kept.push((by_computer, thought));
    }
    kept.sort_by_key(|(by_computer, _)| *by_computer);
    assert_eq!(kept, [(false, None), (true, Some(THOUGHT))]);
}

#[test]
fn a_guest_whose_seat_the_computer_plays_may_abort_at_any_time_and_do_nothing_else() {
    let mut bench = bench(Some(Level::ALL[0]));
    assert_eq!(bench.state.made_by().map(|maker| maker.id), Some(CREATOR));
    for _ in 0..4 {
        bench.play();
    }
    assert!(bench.state.under_way());
    assert_eq!(bench.refused(Command::Resign { by: CREATOR, whole_match: false }), "not_a_player");
    assert_eq!(bench.refused(Command::OfferDraw { by: CREATOR }), "not_a_player");
    assert_eq!(bench.refused(Command::Abort { by: STRANGER }), "not_a_player");
    let events = bench.ask(Command::Abort { by: CREATOR }).unwrap();
    let end = MatchEnd::Aborted(AbortReason::Withdrawn);
    assert_eq!(events.last(), Some(&Event::MatchEnded { end }));
    assert_eq!(bench.refused(Command::Abort { by: CREATOR }), "match_over");
}

#[test]
fn levels_are_one_to_five_and_each_is_a_player() {
    assert!(Level::try_from(0).is_err());
    assert_eq!(Level::try_from(6).unwrap_err().to_string(), "the levels are 1 to 5, not 6");
    for (number, level) in (1..).zip(Level::ALL) {
        assert_eq!(Level::try_from(number).unwrap(), level);
        let player = Player::computer(level);
        assert_eq!(player.kind.level(), Some(level));
        assert_eq!(player.id.0.to_string(), format!("00000000-0000-7000-8000-00000000000{number}"));
    }
}

#[test]
fn a_player_is_a_person_by_default() {
    let person = r#"{"id":"00000000-0000-0000-0000-000000000001","name":"player 1"}"#;
    let read: Player = serde_json::from_str(person).unwrap();
    assert_eq!(read, player(CREATOR));
    assert_eq!(serde_json::to_string(&read).unwrap(), person);
    for kind in [PlayerKind::Bot, PlayerKind::Computer(STRONGEST)] {
        let written = serde_json::to_string(&Player { kind, ..player(CREATOR) }).unwrap();
        assert_eq!(serde_json::from_str::<Player>(&written).unwrap().kind, kind);
    }
    let seventh = person.replace('}', r#","kind":{"computer":7}}"#);
    assert!(serde_json::from_str::<Player>(&seventh).is_err());
}
