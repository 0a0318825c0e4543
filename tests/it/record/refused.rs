//! Texts that cannot be read, or describe an impossible match.

use lusoria_play::Seat;
use lusoria_records::{BYTES_MAX, RecordFileError, read, text::write};
use lusoria_rules::{Game, Variant};

use lusoria_testkit::{Table, finished, terms};

/// A short game of tavla as text.
fn text() -> String {
    let mut table = Table::new(terms(Variant::standard(Game::Tavla)), 5);
    for _ in 0..6 {
        table.turn();
    }
    table.resign(Seat::Two, false);
    write(&table.record())
}

/// The refusal of the text after `from` was replaced by `to`.
fn said(from: &str, to: &str) -> String {
    let text = text();
    assert!(text.contains(from), "{from} is not in\n{text}");
    let changed = text.replacen(from, to, 1);
    match read(changed.as_bytes()) {
        Err(why) => why.to_string(),
        Ok(written) => written.record().map_or_else(|why| why.to_string(), |_| "nothing".to_owned()),
    }
}

#[test]
fn a_wrong_line_is_named() {
    let text = text();
    let line_of = |of: &str| text.lines().position(|line| line.contains(of)).unwrap() + 1;
    let turn = text.lines().find(|line| line.starts_with("2. ")).unwrap();
    let (who, _) = turn.split_once(": ").unwrap();
    let at = line_of("2. ");
    for (from, to, expected) in [
        ("lusoria-text-1", "lusoria-text-2", "line 1: the format is \"lusoria-text-2\"; this program reads"),
        ("[Game \"tavla\"]", "[Game \"chess\"]", "line 2: the tag Game must be zeno, tavla, scripta,"),
        ("[Game \"tavla\"]\n", "", "there is no tag Game"),
        ("[Game \"tavla\"]", "[Game tavla]", "line 2: a tag is written [Name \"value\"]"),
        ("[Game \"tavla\"]", "[Game \"tavla\"]\n[Game \"tavla\"]", "line 3: a second tag Game"),
        ("[Game \"tavla\"]", "[Game \"tavla\"]\n[Event \"x\"]", "line 3: there is nothing for the tag Event"),
        ("[Clock \"none\"]", "[Clock \"fischer 600\"]", "the tag Clock must be none, fischer 600+10, delay"),
        ("[Points \"1\"]", "[Points \"0\"]", "a match is played to 1 to 99 points, not 0"),
        ("[Points \"1\"]", "[Points \"01\"]", "the tag Points must be a number"),
        ("seat 2 joins", "seat 1 joins", "seat 1 is taken from the start"),
        ("seat 2 joins", "seat 3 joins", "the seats are 1 and 2"),
        ("reveals \"alea", "reveals \"Alea", "this seed does not have the hash that you gave"),
        (turn, &format!("{who}: 24/23 lag 0.15 +0.100"), "this is written lag 0.150"),
        (turn, &format!("{who}: 24/23 lag 0.000 +0.100"), "this is written lag 0.150"),
        (turn, &turn.replace(" +", " lag 0.050 +"), "stands where by the rules"),
        (who, "2. red 1-1", "this is nothing that a record can say"),
        (who, "2. black 7-1", "\"7-1\" is no throw such as 3-1"),
        ("opening: white", "opening: black", "this is written opening: white 3, black 1"),
        ("game 1: seat", "game 2: seat", "stands where by the rules \"game 1: seat"),
        ("game 1 ends: resigned", "game 1 ends: mars", "nothing led to \"game 1 ends: mars"),
        ("game 1 ends: resigned", "game 1 ends: bored", "this is written game 1 ends: borne_off"),
        (", score 2-0", ", score 0-2", "stands where by the rules"),
        (" events, over", "0 events, over", "something is missing or too much"),
        ("events, over", "events, being played", "this must read \""),
        ("\n2. ", "\n3. ", "this must read \"2. "),
    ] {
        let said = said(from, to);
        let expected = expected.replace("\\\"", "\"");
        assert!(said.contains(&expected) && said.starts_with("line "), "{from} -> {to}: {said}");
    }
    let illegal = turn.replace(&turn[who.len()..], ": 24/1 +0.100");
    let refused = said(turn, &illegal);
    assert!(
        refused.starts_with(&format!("line {at}: ")) && refused.contains(" turn 24/1: \"24/1\""),
        "{refused}"
    );
    let unfinished = said(turn, who);
    assert!(unfinished.starts_with(&format!("line {}: ", at + 1)), "{unfinished}");
}

#[test]
fn a_record_that_ends_too_early_is_truncated() {
    let text = write(&finished(Game::Zeno, 1));
    for lines in 0..text.lines().count() - 1 {
        let shorter: String = text.split_inclusive('\n').take(lines).collect();
        assert!(read(shorter.as_bytes()).is_err(), "{lines} lines");
    }
    let half: String = text.chars().take(text.len() / 2).collect();
    let said = read(half.as_bytes()).unwrap_err().to_string();
    assert!(said.contains("truncated") || said.contains("a tag is written"), "{said}");
    let json = serde_json::to_string(&finished(Game::Zeno, 1)).unwrap();
    let half = read(&json.as_bytes()[..json.len() / 2]).unwrap_err();
    assert!(matches!(half, RecordFileError::Truncated { line: 1, .. }), "{half}");
    assert_eq!(half.code(), "truncated");
}

#[test]
fn a_file_that_is_no_record_is_described() {
    let json = serde_json::to_string(&finished(Game::Tablut, 1)).unwrap();
    for (bytes, code, expected) in [
        (&b""[..], "not_a_record", "empty"),
        (b" \n", "not_a_record", "empty"),
        (b"hello", "not_a_record", "it begins neither like JSON"),
        (b"\xff\xfe{", "not_a_record", "byte 1 is not UTF-8"),
        (b"{}", "damaged", "not a record, at line 1, column 2: missing field `format`"),
        (b"{\"format\": \"lusoria-record-2\"}", "other_format", "\"lusoria-record-2\"; this program reads"),
        (b"{\"format\": 7}", "other_format", "the format is 7"),
        (b"{\"format\": \"lusoria-record-1\"}", "damaged", "not a whole record"),
        (b"{\"format\" \"lusoria-record-1\"}", "damaged", "not JSON"),
        (b"[1, 2]", "damaged", "line 1: a tag is written"),
        (b"[Event \"Casual\"]", "damaged", "line 1: the first tag must be [Format"),
        (json.replacen("\"tablut\"", "\"chess\"", 1).as_bytes(), "damaged", "unknown variant `chess`"),
    ] {
        let why = read(bytes).unwrap_err();
        assert!(why.to_string().contains(expected), "{why}");
        assert_eq!(why.code(), code, "{why}");
    }
    let huge = vec![b' '; BYTES_MAX + 1];
    assert_eq!(read(&huge), Err(RecordFileError::TooLarge));
}

#[test]
fn lines_tags_and_spans_have_limits() {
    let long = format!("; {}", "x".repeat(5_000));
    for (extra, expected) in [
        (long, "longer than 4096 bytes"),
        ("seat 1 offers a draw".to_owned(), "when? the seconds since"),
        ("seat 1 offers a draw +99999999999999999999".to_owned(), "a seat joins, reveals"),
        ("seat 1 offers a draw +18446744073709551.615".to_owned(), "too long after"),
    ] {
        let said = said("\ngame 1 ends", &format!("\n{extra}\ngame 1 ends"));
        assert!(said.contains(expected), "{said}");
    }
}
