//! Records with faults of every kind: `lusoria verify` and `examples/verify.py` end with the same
//! exit code.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
    sync::LazyLock,
};

use lusoria_records::{
    proof::{PlayerNotes, Verdict, prove},
    read,
    text::write,
};
use lusoria_rules::Game;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{random::Random, random_match::random_match};

/// Reads paths, and prints the exit code of each.
const SCRIPT: &str = include_str!("alike.py");

/// What changes a record.
#[derive(Deserialize)]
struct Changes {
    /// What is put in the place of a value, as it stands in JSON.
    values: Vec<String>,
    /// What is put into a text.
    pieces: Vec<String>,
    /// What stands in the place of another word of a text.
    words: Vec<(String, String)>,
}

static CHANGES: LazyLock<Changes> =
    LazyLock::new(|| serde_json::from_str(include_str!("alike.json")).expect("changes"));

/// The places of all values in a document.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, inner)| (name.clone(), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, inner)| (at.to_string(), inner)).collect(),
        _ => Vec::new(),
    };
    for (name, inner) in inner {
        let place = format!("{place}/{name}");
        places(inner, &place, found);
        found.push(place);
    }
}

/// A value that stands for what no document can hold until it is written.
fn raw(text: &str) -> Value {
    json!(format!("raw:{text}"))
}

fn change_json(record: &mut Value, chance: &mut Random) {
    let mut all = Vec::new();
    places(record, "", &mut all);
    // What stands in few others is seldom, and matters more.
    let shallow: Vec<String> = all.iter().filter(|place| place.matches('/').count() <= 3).cloned().collect();
    let from = if chance.index(2) == 0 { &shallow } else { &all };
    let place = from[chance.index(from.len())].clone();
    let (outer, name) = place.rsplit_once('/').unwrap();
    let (value, other) = (record.pointer(&place).unwrap().clone(), all[chance.index(all.len())].clone());
    let other = record.pointer(&other).unwrap().clone();
    let instead = match (chance.index(8), &value) {
        (0, Value::Object(fields)) => Value::Array(fields.values().cloned().collect()),
        (1, Value::String(word)) => json!({ word: null }),
        (2, Value::String(word)) => json!(word.to_uppercase()),
        (3, Value::Number(number)) => json!(number.as_u64().unwrap_or_default() + 1),
        (0..5, _) => raw(chance.pick(&CHANGES.values).unwrap()),
        _ => other,
    };
    let deep = [62, 63, 64, 65, 130, 2_000][chance.index(6)];
    let odd = ["[".repeat(deep) + &"]".repeat(deep), "9".repeat(5 * deep), "{\"a\":1,\"a\":2}".to_owned()];
    match (record.pointer_mut(outer).unwrap(), chance.index(6)) {
        (Value::Object(fields), 0) => drop(fields.remove(name)),
        (Value::Object(fields), 1) => drop(fields.insert(format!("twin:{name}"), instead)),
        (Value::Object(fields), 2) => drop(fields.insert("unknown".to_owned(), raw(&odd[chance.index(3)]))),
        (Value::Array(items), 0) => drop(items.remove(name.parse().unwrap())),
        (Value::Array(items), 1) => items.push(value),
        (outer, _) => *outer.pointer_mut(&format!("/{name}")).unwrap() = instead,
    }
}

/// The document with what stands for something else as that: raw values, and names that stand twice.
fn written(record: &Value) -> String {
    let text = record.to_string().replace("\"twin:", "\"");
    let mut parts = text.split("\"raw:");
    let mut written = parts.next().unwrap().to_owned();
    for part in parts {
        let mut end = 0;
        while !part[end..].starts_with('"') {
            end += if part[end..].starts_with('\\') { 2 } else { 1 };
        }
        written += &serde_json::from_str::<String>(&format!("\"{}\"", &part[..end])).unwrap();
        written += &part[end + 1..];
    }
    written
}

fn change_text(text: &str, chance: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (at, other) = (chance.index(lines.len()), chance.index(lines.len()));
    let letters: Vec<char> = lines[at].chars().collect();
    let place = chance.index(letters.len() + 1);
    let (before, after): (String, String) =
        (letters[..place].iter().collect(), letters[place..].iter().collect());
    match chance.index(7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines[at] = before + chance.pick(&CHANGES.pieces).unwrap() + &after,
        4 => lines[at] = before + &after.chars().skip(1).collect::<String>(),
        5 => lines[at] += chance.pick(&CHANGES.pieces).unwrap(),
        _ => {
            let (from, to) = chance.pick(&CHANGES.words).unwrap();
            return lines.join("\n").replacen(from, to, 1 + chance.index(3)) + "\n";
        }
    }
    lines.join("\n") + "\n"
}

fn change_bytes(bytes: &mut Vec<u8>, chance: &mut Random) {
    let at = chance.index(bytes.len());
    match chance.index(4) {
        0 => bytes.truncate(at),
        1 => bytes[at] = *chance.pick(b"\0 \"0719azAZ{}[]\xff\r").unwrap(),
        2 => drop(bytes.remove(at)),
        _ => bytes.insert(at, *chance.pick(b"\0 \"0719azAZ{}[]\xff\r").unwrap()),
    }
}

/// A record that was changed in one to three places, now and then in none.
fn changed(chance: &mut Random) -> Vec<u8> {
    let record = random_match(*chance.pick(&Game::ALL).unwrap(), chance.index(12) as u64).record();
    let times = chance.index(4);
    let mut bytes = if chance.index(2) == 0 {
        let mut value = serde_json::to_value(&record).unwrap();
        (0..times).for_each(|_| change_json(&mut value, chance));
        written(&value).into_bytes()
    } else {
        (0..times).fold(write(&record), |text, _| change_text(&text, chance)).into_bytes()
    };
    if chance.index(8) == 0 {
        change_bytes(&mut bytes, chance);
    }
    bytes
}

fn rust_says(bytes: &[u8]) -> i32 {
    match read(bytes).map(|record| prove(&record.claims(), &PlayerNotes::default()).verdict()) {
        Ok(Verdict::True | Verdict::TrueSoFar) => 0,
        Ok(Verdict::False) => 1,
        Ok(Verdict::Nothing) | Err(_) => 2,
    }
}

fn say_the_same(seed: u64, count: usize) {
    let folder = TempDir::new().unwrap();
    let mut chance = Random::new(seed);
    let mut paths = String::new();
    let mut expected = Vec::new();
    for number in 0..count {
        let bytes = changed(&mut chance);
        let path = folder.path().join(number.to_string());
        fs::write(&path, &bytes).unwrap();
        paths += path.to_str().unwrap();
        paths += "\n";
        expected.push(rust_says(&bytes));
    }
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut python = Command::new("python3");
    python.args(["-c", SCRIPT, examples]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = python.spawn().unwrap();
    python.stdin.take().unwrap().write_all(paths.as_bytes()).unwrap();
    let said = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
    let said: Vec<i32> = said.lines().map(|code| code.parse().unwrap()).collect();
    assert_eq!(said.len(), expected.len());
    for (number, (rust, python)) in expected.iter().zip(&said).enumerate() {
        if rust != python {
            let record = String::from_utf8_lossy(&fs::read(folder.path().join(number.to_string())).unwrap())
                .into_owned();
            panic!("change {number} of seed {seed}: lusoria says {rust}, verify.py {python}:\n{record}");
        }
    }
    // The changes prove nothing if all of them are refused.
    assert!((0..=2).all(|code| said.iter().filter(|said| **said == code).count() * 50 > count), "{said:?}");
}

#[test]
fn both_end_with_the_same_code() {
    say_the_same(6, 400);
}

/// Ten thousand: minutes.
#[test]
#[ignore = "takes minutes: cargo nextest run --run-ignored only -E 'test(ten_thousand_changes)'"]
fn both_end_with_the_same_code_after_ten_thousand_changes() {
    for seed in 100..110 {
        say_the_same(seed, 1_000);
    }
}
