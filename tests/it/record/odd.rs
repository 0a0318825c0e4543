//! Files that are nearly records: both verifiers read the same from them, and fail on none.

use std::{fs, path::Path};

use lusoria_rules::Game;
use serde_json::json;

use super::proof::{of_bytes, of_text};
use lusoria_testkit::finished;

/// What stands in the text, what is put there, and the exit code.
const ODD: [(&str, &str, i32); 52] = [
    // What splits lines elsewhere, and cannot be seen.
    ("seat 2 joins", "; hidden\u{2028}seat 2 joins", 2),
    ("seat 2 joins", "; hidden\rseat 2 joins", 2),
    ("seat 2 joins", "; hidden\u{b}seat 2 joins", 2),
    ("seat 2 joins", "; hidden\u{85}seat 2 joins", 2),
    ("seat 2 joins", "seat 2 joins\u{1d}", 2),
    ("seat 2 joins", "\u{a0}seat 2 joins", 2),
    ("seat 2 joins", "\t seat 2 joins", 0),
    ("seat 2 joins", "; seen: \u{e9}\u{4e2d} \t\r\nseat 2 joins", 0),
    ("[Seat1 \"", "[Seat1 \"\u{200b}", 2),
    ("[Seat1 \"", "[Seat1 \"\\u{200b}", 0),
    ("[Seat1 \"", "[Seat1 \"\\u{d800}", 2),
    ("[Seat1 \"", "[Seat1 \"\\x", 2),
    // Digits of other scripts, numbers written otherwise, dice that there are not.
    ("game 1: seat", "game \u{661}: seat", 2),
    ("game 1: seat", "game 01: seat", 2),
    ("game 1: seat", "game +1: seat", 2),
    ("game 1 ends", "game +1 ends", 2),
    ("opening: white ", "opening: white +", 2),
    ("opening: white ", "opening: white 0", 2),
    ("\n3. ", "\n+3. ", 2),
    ("\n3. ", "\n03. ", 2),
    ("\n3. ", "\n. ", 2),
    ("\n3. ", "\n", 2),
    ("\n3. black ", "\n3. black 7-1: pass\n3. black ", 2),
    ("\n3. black ", "\n3. black 0-1: pass\n3. black ", 2),
    ("\n3. black ", "\n3. black:\n3. black ", 2),
    ("plays white", "plays black", 2),
    // What the grammar has not.
    ("2. white 2-3: ", "2. white:junk 2-3: ", 2),
    ("2. white 2-3: ", "2. white:2-3: ", 2),
    ("2. white 2-3: ", "2. white 2-3:  ", 2),
    ("2. white 2-3: ", "2. white 2-3: junk ", 2),
    ("2. white 2-3: ", "2. white 2-3: 24/22(1) ", 2),
    ("+0.912", "+0.9", 2),
    ("+0.912", "+00.912", 2),
    ("+0.912", "+18446744073709551.615", 0),
    ("+0.912", "+18446744073709551.616", 2),
    ("plays white", "plays white +1.000", 2),
    ("black 6\n", "black 6 +1.000\n", 2),
    ("a draw +2.100", "a draw", 2),
    ("ends: resigned", "ends: bored", 2),
    // Tags.
    ("fischer 600+10", "fischer 600.50+10", 2),
    ("2026-09-21T", "2026-02-30T", 2),
    ("[Seat2 \"Zeno\"]\n", "", 2),
    ("[Secret1 ", "[Secret+1 ", 2),
    ("[Secret1 ", "[Secret01 ", 2),
    ("[Secret1 ", "[Secret0 ", 2),
    ("[Match \"0190a", "[Match \"0190A", 2),
    ("[Server ", "[Servant \"x\"]\n[Server ", 2),
    ("[Server ", "[Server  ", 2),
    (
        "[Points ",
        "[Secret1025 \"0000000000000000000000000000000000000000000000000000000000000000\"]\n[Points ",
        2,
    ),
    ("[Points \"", "; [Points \"", 2),
    // The last line.
    (" events, over", " events, over +0.100", 2),
    (" events, over", " events, over\n; that was all", 0),
];

#[test]
fn both_read_the_same_of_odd_texts() {
    let text = super::example();
    assert_eq!(of_text(&text, &[]).code, Some(0));
    for (from, to, code) in ODD {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        let said = of_text(&text.replacen(from, to, 1), &[]);
        assert_eq!(said.code, Some(code), "{from:?} -> {to:?}: {said:?}");
    }
    for text in [
        "; nothing but a comment\n",
        "[Format \"lusoria-text-1\"]\n",
        "[",
        "28 events, over\n",
        "\u{feff}\u{feff}[x",
    ] {
        assert_eq!(of_text(text, &[]).code, Some(2), "{text:?}");
    }
    let long = format!("; {}\n{text}", "x".repeat(4_100));
    assert_eq!(of_text(&long, &[]).code, Some(2));
}

#[test]
fn both_read_the_same_of_odd_json() {
    let record = serde_json::to_value(finished(Game::Tabula, 2)).unwrap();
    let place = |kind: &str| {
        let at = record["events"].as_array().unwrap().iter().position(|event| event["type"] == kind).unwrap();
        format!("/events/{at}")
    };
    let (thrown, started, ended) = (place("thrown"), place("game_started"), place("game_ended"));
    for (place, value, code) in [
        ("/match".to_owned(), json!("\u{e9}"), 2),
        ("/match".to_owned(), json!(7), 2),
        ("/events".to_owned(), json!({}), 2),
        ("/events/0/seq".to_owned(), json!("1"), 2),
        ("/events/0/seq".to_owned(), json!(true), 2),
        ("/events/0/seq".to_owned(), json!(1.0), 2),
        ("/events/0/seq".to_owned(), json!(-1), 2),
        ("/events/0/type".to_owned(), json!("conjured"), 2),
        ("/events/0/type".to_owned(), json!(["created"]), 2),
        ("/events/0/seed".to_owned(), json!(null), 2),
        ("/events/1/seed/kind".to_owned(), json!("found"), 2),
        (format!("{thrown}/dice"), json!([1, 7, 1]), 2),
        (format!("{thrown}/dice"), json!("111"), 2),
        (format!("{thrown}/throw"), json!(4_294_967_296_u64), 2),
        (format!("{started}/game_number"), json!("1"), 2),
        (format!("{started}/game_number"), json!(65_535), 1),
        (format!("{started}/game_number"), json!(65_536), 2),
        (format!("{started}/sides"), json!({"1": "white"}), 2),
        (format!("{started}/sides/1"), json!("red"), 2),
        (format!("{ended}/secret"), json!("X"), 2),
        ("/dice/secrets".to_owned(), json!({}), 1),
        ("/dice/secrets/1".to_owned(), json!(1), 2),
        ("/dice/seeds/1".to_owned(), json!(null), 2),
        ("/side".to_owned(), json!("red"), 2),
    ] {
        let mut odd = record.clone();
        *odd.pointer_mut(&place).unwrap_or_else(|| panic!("{place} is not in it")) = value.clone();
        let said = of_bytes(odd.to_string().as_bytes(), &[]);
        assert_eq!(said.code, Some(code), "{place} = {value}: {said:?}");
    }
    let text = record.to_string();
    let id = record["match"].as_str().unwrap();
    let halved = text.replacen(&format!("\"match\":\"{id}\""), "\"match\":\"\\ud800\"", 1);
    let twice = text.replacen("\"seq\":1,", "\"seq\":1,\"seq\":1,", 1);
    let (unknown, point) = (
        text.replacen('{', "{\"x\":1,\"x\":1,", 1),
        text.replacen("\"points\":{", "\"points\":{\"1\":1,\"1\":1,", 1),
    );
    let secret = text.replacen(
        "\"secrets\":{\"1\":",
        &format!("\"secrets\":{{\"1\":\"{}\",\"1\":", "0".repeat(64)),
        1,
    );
    let deep = "[".repeat(100_000);
    for text in [
        halved,
        twice,
        unknown,
        point,
        secret,
        format!("{{\"format\": {deep}"),
        text.replacen("\"seq\":1,", "\"seq\":NaN,", 1),
    ] {
        assert_eq!(of_bytes(text.as_bytes(), &[]).code, Some(2), "{}", &text[..80]);
    }
}

/// The files with which records are fuzzed, without the byte that says what to do with them.
#[test]
fn both_say_the_same_of_the_seeds_of_the_fuzzers() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut codes = std::collections::BTreeSet::new();
    for law in ["record_texts", "records"] {
        for seed in fs::read_dir(seeds.join(law)).unwrap() {
            let seed = fs::read(seed.unwrap().path()).unwrap();
            codes.insert(of_bytes(seed.get(1..).unwrap_or_default(), &[]).code);
        }
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(2)), "{codes:?}");
}
