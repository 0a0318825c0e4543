//! `lusoria-lab perft`, `vectors` and `arena` as a person calls them.

use std::process::Output;

use crate::{file, lab, path};

/// Where the vectors lie.
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rules/tests/vectors");

fn last_line(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text").lines().last().unwrap_or_default()
}

#[test]
fn perft_ends_with_the_number_alone() {
    let output = lab(&["perft", "tablut", "--depth", "3"]);
    assert!(output.status.success());
    assert_eq!(last_line(&output), "353200");
}

#[test]
fn perft_takes_options_and_refuses_others() {
    assert!(lab(&["perft", "scripta", "--depth", "1", "--option", "row_a_gate=false"]).status.success());
    let refused = lab(&["perft", "scripta", "--depth", "1", "--option", "gate=false"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("row_a_gate"));
    assert_eq!(lab(&["perft", "chess", "--depth", "1"]).status.code(), Some(2));
}

#[test]
fn vectors_that_hold_pass() {
    let corners = format!("{VECTORS}/tablut-corners.jsonl");
    let output = lab(&["vectors", &corners]);
    assert!(output.status.success());
    assert!(last_line(&output).ends_with(" passed, 0 failed"), "{}", last_line(&output));
}

#[test]
fn a_damaged_vector_fails_and_is_named() {
    let corners = std::fs::read_to_string(format!("{VECTORS}/tablut-corners.jsonl")).expect("the vectors");
    let sound = corners.lines().next().expect("a first line");
    let damaged = sound.replacen("\"exits\": 3", "\"exits\": 7", 1);
    assert_ne!(sound, damaged, "the damage must hit");
    let file = file(&format!("{sound}\n\n{damaged}\nnonsense\n"));
    let output = lab(&["vectors", path(&file)]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(last_line(&output), "1 passed, 2 failed");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(":3: ") && said.contains(":4: not a vector"), "{said}");
}

#[test]
fn files_that_prove_nothing_are_an_error() {
    let empty = file("\n\n");
    let output = lab(&["vectors", path(&empty)]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(last_line(&output), "0 passed, 0 failed");
    assert_eq!(lab(&["vectors", "there-is-no-such-file.jsonl"]).status.code(), Some(2));
    assert_eq!(lab(&["vectors"]).status.code(), Some(2));
}

#[test]
fn an_arena_tells_the_same_however_many_threads_play_it() {
    let played = |threads: &str| {
        let line =
            ["arena", "tavla", "--a", "greedy", "--b", "random", "--games", "20", "--seed", "5", "--json"];
        let output = lab(&[&line[..], &["--threads", threads]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        ["score", "points", "elo", "turns", "ends"].map(|field| report[field].clone())
    };
    let alone = played("1");
    assert!(alone.iter().all(|field| !field.is_null()), "{alone:?}");
    assert_eq!(alone, played("3"));
}

#[test]
fn findings_are_the_same_however_many_threads_play_the_games() {
    let found = |threads: &str| {
        let line = [
            "arena",
            "tablut",
            "-o",
            "throne=closed",
            "--findings",
            "--games",
            "3",
            "--nodes",
            "50",
            "--json",
        ];
        let output = lab(&[&line[..], &["--threads", threads]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let fields = found.as_object_mut().expect("an object");
        assert!(fields.remove("elapsed_s").is_some());
        assert_eq!(
            (&fields["throne"], &fields["games"], &fields["nodes"]),
            (&"closed".into(), &3.into(), &50.into())
        );
        found
    };
    assert_eq!(found("1"), found("3"));
}

#[test]
fn an_arena_is_a_table_for_people() {
    let output = lab(&["arena", "scripta", "--a", "random", "--b", "random", "--games", "20"]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout);
    let begins =
        "scripta      A random against B random, seed 1\ngames        20, in pairs of the same dice\n";
    assert!(said.starts_with(begins), "{said}");
    assert!(said.contains("\nElo          +0 (95 %: -204 to +204)\n"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
}

#[test]
fn an_arena_without_dice_speaks_of_none() {
    let output = lab(&["arena", "tablut", "--a", "random", "--b", "random", "--games", "2"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("\ngames        2, in pairs with the sides exchanged\n"), "{said}");
}

#[test]
fn an_arena_refuses_what_makes_no_sense() {
    for (line, why) in [
        (&["tabula", "--a", "7", "--b", "1"][..], "there is no level 7; the levels are 1 to 5"),
        (&["tabula", "--a", "1", "--b", "-1"], "there is no level -1; the levels are 1 to 5"),
        (&["chess", "--a", "1", "--b", "2"], "there is no game \"chess\""),
        (&["zeno", "--a", "1", "--b", "2", "--games", "7"], "games are played in pairs"),
        (&["zeno", "--a", "1", "--b", "2", "--option", "throne=king"], "zeno has no option"),
        (&["zeno", "--a", "1", "--b", "cmd:sh", "--nodes-b", "5"], "looks at as much as it likes"),
        (&["zeno", "--a", "1"], "--b <PLAYER>"),
        (&["zeno", "--ratings", "--a", "1"], "cannot be used with"),
        (&["zeno", "--ratings", "--games", "7"], "games are played in pairs"),
        (&["zeno", "--findings", "--a", "5"], "cannot be used with"),
        (&["zeno", "--findings", "--rollouts", "2"], "cannot be used with"),
        (&["zeno", "--a", "1", "--b", "cmd:./no-such-engine"], "cmd:./no-such-engine: No such file"),
    ] {
        let output = lab(&[&["arena"], line].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {said}");
        assert!(said.contains(why), "{line:?}: {said}");
    }
}

#[test]
fn an_arena_gives_up_on_an_engine_that_never_plays() {
    let output = lab(&["arena", "zeno", "--a", "cmd:sh -c \"exit 3\"", "--b", "random"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("player A has forfeited 10 games in a row: it ended with exit status: 3"),
        "{said}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("10 of 100: A forfeited too many in a row"));
}
