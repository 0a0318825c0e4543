//! The formats of strings and numbers in requests.

use lusoria_protocol::{
    CardPlayer, Clock, Computer, DeviceName, Die, IdempotencyKey, MatchId, Name, OneTimeCode, PlayerKind,
    Position, Record, Token, socket,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn reads<T: DeserializeOwned>(value: Value) -> bool {
    serde_json::from_value::<T>(value).is_ok()
}

#[test]
fn names_are_short_visible_and_not_blank() {
    for name in ["A", " A ", "Ζήνων", "\u{2764}\u{fe0f}", "123456789012345678901234"] {
        assert!(reads::<Name>(json!(name)), "{name:?}");
    }
    for name in [
        "",
        " ",
        "\u{3000}",
        "\u{2800}",
        "\u{fe0f}",
        "a\nb",
        "a\u{ad}b",
        "a\u{202e}b",
        "a\u{200b}",
        "\u{115f}\u{1160}",
        "\u{3164}",
        "\u{ffa0}",
        "a\u{fdd0}",
        "a\u{1ffff}",
        "a\u{e0061}",
        "1234567890123456789012345",
        "\u{7f}",
    ] {
        assert!(!reads::<Name>(json!(name)), "{name:?}");
    }
}

#[test]
fn a_device_is_called_by_up_to_forty_visible_characters() {
    for device in ["A", "Firefox on Android", "\u{3b1}", &"x".repeat(40)] {
        assert!(reads::<DeviceName>(json!(device)), "{device:?}");
    }
    for device in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(41)] {
        assert!(!reads::<DeviceName>(json!(device)), "{device:?}");
    }
}

#[test]
fn the_levels_of_the_computer_are_one_to_five() {
    for level in 1..=5 {
        assert!(reads::<Computer>(json!({"computer": level})));
    }
    for opponent in [json!({"computer": 0}), json!({"computer": 6}), json!({"computer": -1}), json!({})] {
        assert!(!reads::<Computer>(opponent.clone()), "{opponent}");
    }
    let why = serde_json::from_value::<Computer>(json!({"computer": 300})).unwrap_err();
    assert_eq!(why.to_string(), "the levels are 1 to 5, not 300");
}

#[test]
fn a_player_of_an_old_record_is_a_person() {
    let old = json!({"id": "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "name": "Agathias"});
    let player: CardPlayer = serde_json::from_value(old).unwrap();
    assert_eq!((player.kind, player.level), (PlayerKind::Person, None));
}

#[test]
fn ids_have_one_form() {
    assert!(reads::<MatchId>(json!("0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f")));
    for id in [
        "0190A6C2-7B1E-7CC3-98C4-DC0C0C07398F",
        "0190a6c27b1e7cc398c4dc0c0c07398f",
        "urn:uuid:0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f",
        "1",
        "",
    ] {
        assert!(!reads::<MatchId>(json!(id)), "{id}");
    }
}

#[test]
fn codes_and_keys() {
    assert!(reads::<OneTimeCode>(json!("aZ09-_")));
    assert!(!reads::<OneTimeCode>(json!("a b")));
    assert!(reads::<IdempotencyKey>(json!("{\"k\":1}")));
    assert!(!reads::<IdempotencyKey>(json!("a b")));
}

#[test]
fn dice_show_1_to_6() {
    for value in 1..=6 {
        assert!(reads::<Die>(json!(value)));
    }
    for value in [json!(0), json!(7), json!(256), json!(-1), json!("1"), json!(1.5)] {
        assert!(!reads::<Die>(value.clone()), "{value}");
    }
}

#[test]
fn clocks_take_their_own_fields_only() {
    assert!(!reads::<Clock>(json!({"kind": "none", "days": 1})));
    assert!(!reads::<Clock>(json!({"kind": "days", "days": 1, "base_ms": 5})));
    assert!(!reads::<Clock>(json!({"kind": "fischer", "base_ms": 5000})));
    assert!(!reads::<Clock>(json!({"kind": "sand"})));
}

#[test]
fn an_error_in_a_position_names_the_field() {
    let error = |value: Value| serde_json::from_value::<Position>(value).unwrap_err().to_string();
    let wrong = json!({"white": {"pionts": {}}, "black": {}, "to_move": "white"});
    assert!(error(wrong).contains("pionts"));
    assert!(error(json!({"board": 3, "to_move": "attackers"})).contains("string"));
    assert!(error(json!([])).contains("position"));
}

#[test]
fn a_message_that_cannot_be_read_is_answered_by_its_id() {
    let read = |text: &str| socket::ClientMessage::read(text).unwrap_err();
    assert!(matches!(read("{"), (None, socket::Unread::NotJson(_))));
    assert!(matches!(read("[]"), (None, socket::Unread::Fields(_))));
    assert!(matches!(read(r#"{"id": -1, "op": "ping"}"#), (None, socket::Unread::Fields(_))));
    assert!(matches!(read(r#"{"op": "ping"}"#), (None, socket::Unread::Fields(_))));
    assert!(matches!(read(r#"{"id": 5}"#), (Some(5), socket::Unread::Fields(_))));
    assert!(matches!(read(r#"{"id": 5, "op": "dance"}"#), (Some(5), socket::Unread::UnknownOp)));
    assert!(matches!(
        read(r#"{"id": 5, "op": "http", "method": "GET"}"#),
        (Some(5), socket::Unread::Fields(_))
    ));
    assert!(matches!(read(r#"{"id": 5, "op": "watch"}"#), (Some(5), socket::Unread::Fields(_))));
    let twice = r#"{"id": 5, "op": "lobby", "on": true, "on": false}"#;
    assert!(matches!(read(twice), (Some(5), socket::Unread::Fields(_))));
}

#[test]
fn a_whole_number_may_be_written_as_a_fraction() {
    assert_eq!(socket::ClientMessage::read(r#"{"id": 5.0, "op": "ping"}"#).unwrap().id, 5);
}

#[test]
fn tokens_and_codes_are_not_written_into_logs() {
    let token: Token = "6rT0aVJ2qkq9m3Zb1s8u".parse().unwrap();
    let code: OneTimeCode = "q7Zb3xkP0mXh5V2r8tWc1A".parse().unwrap();
    assert_eq!((format!("{token:?}"), format!("{code:?}")), ("Token(…)".into(), "OneTimeCode(…)".into()));
}

/// Watchers may leave positions out; stored events have them all.
#[test]
fn a_record_has_the_position_after_every_turn() {
    let mut records: Vec<Value> = serde_json::from_str(include_str!("golden/record.json")).unwrap();
    let events: Vec<Value> = serde_json::from_str(include_str!("golden/event.json")).unwrap();
    let record = &mut records[0];
    let mut with = |event: &Value| {
        record["events"] = json!([event]);
        serde_json::from_value::<Record>(record.clone())
    };
    for mut turn in events.into_iter().filter(|event| event.get("notation").is_some()) {
        assert_eq!(with(&turn).is_ok(), turn.get("position").is_some());
        for position in [None, Some(Value::Null)] {
            let fields = turn.as_object_mut().unwrap();
            fields.remove("position");
            fields.extend(position.map(|position| ("position".to_owned(), position)));
            assert_eq!(with(&turn).unwrap_err().to_string(), "missing field `position`");
        }
    }
}
