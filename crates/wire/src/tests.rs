use lusoria_play::{AbortReason, Admission, Clock, Colours, Length, MatchEnd, Seat, TakenStep, Terms};
use lusoria_protocol::{Code, CreateMatch, Game, Options, Position as WirePosition};
use lusoria_rules::{Played, Position, Side, Step, Variant};
use serde_json::json;

use super::*;

fn create(request: serde_json::Value) -> Result<Terms, lusoria_protocol::Problem> {
    terms(&serde_json::from_value::<CreateMatch>(request).unwrap())
}

#[test]
fn a_request_with_nothing_but_the_game_has_the_defaults() {
    let expected = |game| Terms {
        variant: Variant::standard(game),
        length: Length::SINGLE,
        clock: Clock::None {},
        colours: Colours::Lot,
        admission: Admission::Open,
        rated: false,
    };
    for game in Game::ALL {
        assert_eq!(create(json!({"game": game.id()})).unwrap(), expected(game));
    }
}

#[test]
fn options_that_the_game_does_not_have_are_refused() {
    let table = [
        (json!({"game": "tabula", "options": {"shift": "die"}}), Code::UnknownOption),
        (json!({"game": "zeno", "options": {"throne": "king"}}), Code::UnknownOption),
        (json!({"game": "zeno", "side": "attackers"}), Code::UnknownSide),
        (json!({"game": "tablut", "side": "white"}), Code::UnknownSide),
        (json!({"game": "zeno", "points": 0}), Code::InvalidBody),
        (json!({"game": "zeno", "points": 100}), Code::InvalidBody),
        (json!({"game": "zeno", "clock": {"kind": "days", "days": 15}}), Code::InvalidBody),
        (
            json!({"game": "zeno", "clock": {"kind": "delay", "base_ms": 4_999, "delay_ms": 0}}),
            Code::InvalidBody,
        ),
    ];
    for (request, code) in table {
        assert_eq!(create(request.clone()).unwrap_err().code, code, "{request}");
    }
}

#[test]
fn sides_go_by_their_names_in_the_game() {
    let attackers = create(json!({"game": "tablut", "side": "attackers"})).unwrap();
    assert_eq!(attackers.colours, Colours::SeatOne(Side::Black));
    let white = create(json!({"game": "tavla", "side": "white"})).unwrap();
    assert_eq!(white.colours, Colours::SeatOne(Side::White));
}

/// Every starting position survives a round trip through JSON.
#[test]
fn positions_survive_the_wire() {
    for game in Game::ALL {
        let start = Position::start(Variant::standard(game)).setup();
        let text = serde_json::to_string(&position(&start, game)).unwrap();
        let read: WirePosition = serde_json::from_str(&text).unwrap();
        assert_eq!(setup(game, &read).unwrap(), start, "{text}");
    }
}

#[test]
fn a_position_shows_what_its_game_has() {
    let shown = |game| {
        let start = Position::start(Variant::standard(game)).setup();
        let value = serde_json::to_value(position(&start, game)).unwrap();
        let mut fields: Vec<_> = value["white"].as_object().unwrap().keys().cloned().collect();
        fields.sort();
        fields
    };
    assert_eq!(shown(Game::Zeno), ["exposed", "off", "points", "supply"]);
    assert_eq!(shown(Game::Tavla), ["off", "pinned", "points"]);
    assert_eq!(shown(Game::Scripta), ["bar", "off", "points", "supply"]);
    assert_eq!(shown(Game::Tabula), ["bar", "off", "points", "supply"]);
}

#[test]
fn options_survive_the_wire() {
    let all = [
        (Game::Zeno, json!({"shift": "die"})),
        (Game::Tavla, json!({"mother": "double_loss"})),
        (Game::Scripta, json!({"row_a_gate": false})),
        (Game::Tabula, json!({})),
        (Game::Tablut, json!({"throne": "closed"})),
    ];
    for (game, given) in all {
        let read: Options = serde_json::from_value(given.clone()).unwrap();
        let shown = variant(game, &read).unwrap().options();
        assert_eq!(serde_json::to_value(shown).unwrap(), given);
    }
}

#[test]
fn too_many_steps_and_endless_places_are_refused() {
    let step = Step { die: None, from: "a1".to_owned(), to: "a2".to_owned() };
    assert!(check_steps(&vec![step.clone(); 16]).is_ok());
    assert_eq!(check_steps(&vec![step.clone(); 17]).unwrap_err().code, Code::InvalidBody);
    let long = Step { from: "x".repeat(17), ..step };
    assert_eq!(check_steps(&[long]).unwrap_err().code, Code::InvalidBody);
}

#[test]
fn recorded_steps_are_written_as_the_rules_write_them() {
    let step = |from: &str, to: &str| Step { die: None, from: from.to_owned(), to: to.to_owned() };
    let plain = |from, to| TakenStep::new(step(from, to), Played::default());
    let hit = TakenStep::new(step("bar", "5"), Played { hit: true, ..Played::default() });
    let pin = TakenStep::new(step("24", "18"), Played { pin: true, ..Played::default() });
    let captures = vec!["d6".to_owned(), "f6".to_owned()];
    let capture = TakenStep::new(step("e8", "e6"), Played { captures, ..Played::default() });
    let table = [
        (
            Game::Zeno,
            vec![plain("supply", "3"), plain("supply", "3"), plain("6", "off")],
            "supply/3(2) 6/off",
        ),
        (Game::Tabula, vec![hit], "bar/5*"),
        (Game::Tavla, vec![pin, plain("24", "18")], "24/18^ 24/18"),
        (Game::Tablut, vec![capture], "e8-e6xd6xf6"),
    ];
    for (game, steps, text) in table {
        assert_eq!(super::event::notation(game, &steps), text);
    }
}

#[test]
fn an_aborted_match_says_who_aborted_it() {
    let result = super::event::result(MatchEnd::Aborted(AbortReason::NoShow(Seat::Two)));
    let shown = serde_json::to_value(result).unwrap();
    assert_eq!(shown, json!({"result": "aborted", "reason": "no_show", "by_seat": 2}));
}
