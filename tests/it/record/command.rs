//! `lusoria record` and `lusoria replay` on files of both formats.

use std::{fs, process::Command};

use lusoria_protocol::Record;
use lusoria_records::text::write;
use lusoria_rules::{Game, Variant};
use tempfile::TempDir;

use lusoria_testkit::{Table, finished, terms};

/// Runs the binary in a folder: its exit code, what it says, what it complains of.
fn lusoria(folder: &TempDir, line: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(line)
        .current_dir(folder.path())
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

fn file(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("room for it");
}

#[test]
fn a_record_goes_there_and_back() {
    let folder = TempDir::new().unwrap();
    let json = serde_json::to_string(&finished(Game::Scripta, 2)).unwrap() + "\n";
    file(&folder, "a.json", &json);
    let (code, text, _) = lusoria(&folder, &["record", "a.json", "--to", "text"]);
    assert_eq!(code, 0);
    file(&folder, "a.txt", &text);
    assert_eq!(
        lusoria(&folder, &["record", "a.txt", "--to", "json", "-o", "b.json"]),
        (0, String::new(), String::new())
    );
    assert_eq!(fs::read_to_string(folder.path().join("b.json")).unwrap(), json);
    assert_eq!(lusoria(&folder, &["record", "a.txt", "--to", "text"]).1, text);
    let (code, said, _) = lusoria(&folder, &["replay", "a.json", "a.txt"]);
    assert_eq!((code, said.lines().last()), (0, Some("sound: 2 records")));
}

#[test]
fn a_failed_conversion_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let mut record = finished(Game::Zeno, 1);
    record.events.truncate(20);
    record.events[9].at = 0;
    file(&folder, "a.json", &serde_json::to_string(&record).unwrap());
    file(&folder, "out", "as it was");
    let (code, said, why) = lusoria(&folder, &["record", "a.json", "--to", "text", "-o", "out"]);
    assert_eq!((code, said.as_str()), (1, ""));
    assert!(
        why.starts_with("lusoria: a.json: this record cannot be written as text: event 10: at: expected "),
        "{why}"
    );
    let (code, _, why) = lusoria(&folder, &["record", "b.json", "--to", "text", "-o", "out"]);
    assert!(code == 2 && why.starts_with("lusoria: b.json: "), "{why}");
    file(&folder, "c.json", "{\"format\": \"lusoria-record-2\"}");
    let (code, _, why) = lusoria(&folder, &["record", "c.json", "--to", "text", "-o", "out"]);
    assert!(code == 2 && why.contains("the format is \"lusoria-record-2\""), "{why}");
    assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), "as it was");
}

#[test]
fn replay_names_the_first_line_that_is_wrong() {
    let folder = TempDir::new().unwrap();
    let record: Record = finished(Game::Tablut, 1);
    let text = write(&record);
    let (at, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.starts_with("3. "))
        .map(|(at, line)| (at + 1, line))
        .unwrap();
    let (side, turn) = line.split_once(": ").unwrap();
    file(&folder, "false.txt", &text.replacen(turn, "e5-a5 +0.100", 1));
    let (code, said, _) = lusoria(&folder, &["replay", "false.txt"]);
    assert_eq!(code, 1);
    assert!(
        said.starts_with(&format!("false.txt:\n  line {at}: the attackers' turn e5-a5: ")),
        "{side}: {said}"
    );
    assert!(said.ends_with("NOT SOUND: 1 record, 1 fault\n"), "{said}");
}

#[test]
fn a_game_that_never_ended_is_sound_so_far() {
    let folder = TempDir::new().unwrap();
    let mut table = Table::new(terms(Variant::standard(Game::Tablut)), 0);
    table.turn();
    file(&folder, "a.txt", &write(&table.record()));
    let (code, said, _) = lusoria(&folder, &["replay", "a.txt"]);
    assert_eq!(code, 0);
    assert!(
        said.ends_with("sound so far: 1 record, 1 of them not over, 0 throws not yet checkable\n"),
        "{said}"
    );
}
