//! `lusoria verify` and `examples/verify.py`: true records are true, and of a false one both
//! say what was changed.

use std::{fs, path::Path, process::Command};

use lusoria_play::Seat;
use lusoria_protocol::{Die, EventKind, PlayerSeed, Record, SeatSeed, SideName};
use lusoria_records::text::write;
use lusoria_rules::{Game, Variant};
use lusoria_testkit::{Table, finished, terms};
use tempfile::TempDir;

use crate::{
    replay::forged::{self, change},
    support::random_match::random_match,
};

/// What a command says of a file: its exit code, and the lines that call something false.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) code: Option<i32>,
    pub(super) falsehoods: Vec<String>,
    /// The lines about what cannot be known.
    pub(super) unknown: Vec<String>,
    pub(super) verdict: String,
}

impl Said {
    pub(super) fn reasons(&self) -> Vec<&str> {
        self.falsehoods.iter().map(|line| line.split(": ").next().unwrap()).collect()
    }
}

fn said(mut command: Command) -> Said {
    let output = command.output().expect("lusoria and python3 run");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines =
        |begin: &str| text.lines().filter_map(|line| line.strip_prefix(begin)).map(str::to_owned).collect();
    let verdict = text.lines().last().unwrap_or_default().to_owned();
    let (falsehoods, unknown) = (lines("  FALSE: "), lines("  unknown: "));
    Said { code: output.status.code(), falsehoods, unknown, verdict }
}

/// What both say of it, which must be the same.
pub(super) fn both(file: &Path, options: &[&str]) -> Said {
    let mut rust = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    rust.arg("verify").arg(file).args(options);
    let mut python = Command::new("python3");
    python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/verify.py")).arg(file).args(options);
    let (rust, python) = (said(rust), said(python));
    assert_eq!(rust, python);
    rust
}

pub(super) fn of_json(record: &Record, options: &[&str]) -> Said {
    of_text(&serde_json::to_string(record).unwrap(), options)
}

pub(super) fn of_text(text: &str, options: &[&str]) -> Said {
    of_bytes(text.as_bytes(), options)
}

pub(super) fn of_bytes(text: &[u8], options: &[&str]) -> Said {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("record");
    fs::write(&file, text).unwrap();
    both(&file, options)
}

fn throws(record: &mut Record) -> Vec<&mut Vec<Die>> {
    record
        .events
        .iter_mut()
        .filter_map(|event| match &mut event.kind {
            EventKind::Thrown { dice, .. } => Some(dice),
            _ => None,
        })
        .collect()
}

fn change_a_die(record: &mut Record) {
    forged::change_a_die(record);
}

fn swap_two_throws(record: &mut Record) {
    let mut throws = throws(record);
    let other = (1..throws.len()).find(|&at| throws[at] != throws[0]).expect("throws differ");
    let (first, rest) = throws.split_at_mut(other);
    std::mem::swap(first[0], rest[0]);
}

fn renumber_a_throw(record: &mut Record) {
    change!(record, EventKind::Thrown { throw, .. } => *throw += 7);
}

fn drop_a_throw(record: &mut Record) {
    let at = record.events.iter().position(|event| matches!(event.kind, EventKind::Thrown { .. })).unwrap();
    record.events.remove(at);
}

fn change_the_secret(record: &mut Record) {
    let other: lusoria_protocol::Hash = "5".repeat(64).parse().unwrap();
    change!(record, EventKind::GameEnded { secret, .. } => *secret = other);
    record.dice.secrets.insert("1".to_owned(), other);
}

/// The seed that the player of seat 1 had promised.
fn change_a_promised_seed(record: &mut Record) {
    let other: PlayerSeed = "alea non iacta est".parse().unwrap();
    change!(record, EventKind::SeedRevealed { seed, .. } => *seed = other.clone());
    record.dice.seeds.one = SeatSeed::Brought { seed: other };
}

/// A seed that nobody had promised: only the dice can tell.
fn change_the_other_seed(record: &mut Record) {
    let other = SeatSeed::Brought { seed: "another one".parse().unwrap() };
    change!(record, EventKind::Joined { seed, .. } => *seed = other.clone());
    record.dice.seeds.two = Some(other);
}

fn change_the_lot(record: &mut Record) {
    change!(record, EventKind::GameStarted { sides, .. } => std::mem::swap(&mut sides.one, &mut sides.two));
}

#[test]
fn true_records_of_every_game_are_true() {
    for game in Game::ALL {
        let record = finished(game, 2);
        let (commitment, seed) = (&record.dice.commitment.to_string(), "alea iacta est");
        for options in [&[][..], &["--commitment", commitment, "--seed", seed]] {
            for said in [of_json(&record, options), of_text(&write(&record), options)] {
                assert_eq!((said.code, said.verdict.as_str()), (Some(0), "TRUE"), "{game}");
            }
        }
    }
}

#[test]
fn a_change_is_reported_with_its_reason() {
    type Forge = fn(&mut Record);
    let forgeries: [(Forge, &str, bool); 8] = [
        (change_a_die, "die", true),
        (swap_two_throws, "order", true),
        (renumber_a_throw, "order", true),
        (drop_a_throw, "order", true),
        (change_the_secret, "secret", false),
        (change_a_promised_seed, "seed", false),
        (change_the_other_seed, "seed", true),
        (change_the_lot, "lot", false),
    ];
    for game in Game::ALL {
        for (forge, reason, needs_dice) in forgeries {
            if needs_dice && game == Game::Tablut {
                continue;
            }
            let mut record = finished(game, 2);
            forge(&mut record);
            let said = of_json(&record, &[]);
            assert_eq!(said.code, Some(1), "{game} {reason}");
            assert!(said.reasons().contains(&reason), "{game} {reason}: {said:?}");
            // Nothing else is blamed, but where a seed makes everything false.
            let others: Vec<&str> = said.reasons().into_iter().filter(|found| *found != reason).collect();
            assert!(others.is_empty() || reason == "seed", "{game} {reason}: {said:?}");
        }
    }
}

/// A game in which turns are taken back, and the events of two throws that came again.
fn with_takebacks(game: Game) -> (Record, [usize; 2]) {
    let mut table = Table::against_computer(terms(Variant::standard(game)), 3);
    while table.state().game().unwrap().turns.0 < 4 || table.state().to_play().unwrap().seat == Seat::Two {
        table.turn();
    }
    table.take_back();
    table.take_back();
    table.play_game();
    let record = table.record();
    let number = |at: usize| match record.events[at].kind {
        EventKind::Thrown { throw, .. } => Some(throw),
        _ => None,
    };
    let again = |at: &usize| number(*at).is_some_and(|throw| (0..*at).any(|one| number(one) == Some(throw)));
    let again: Vec<_> = (0..record.events.len()).filter(again).take(2).collect();
    let again = again.try_into().unwrap_or_default();
    (record, again)
}

#[test]
fn throws_come_again_where_a_turn_was_taken_back() {
    for game in [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula] {
        let (record, [first, second]) = with_takebacks(game);
        for said in [of_json(&record, &[]), of_text(&write(&record), &[])] {
            assert_eq!((said.code, said.verdict.as_str()), (Some(0), "TRUE"), "{game}: {said:?}");
        }
        let forged = |forge: &dyn Fn(&mut Record)| {
            let mut record = record.clone();
            forge(&mut record);
            of_json(&record, &[])
        };
        let other_dice = forged(&|record| {
            if let EventKind::Thrown { dice, .. } = &mut record.events[second].kind {
                dice[0] = forged::other(dice[0]);
            }
        });
        assert_eq!((other_dice.code, other_dice.reasons()), (Some(1), vec!["die"]), "{game}");
        let skipped = forged(&|record| {
            if let EventKind::Thrown { throw, .. } = &mut record.events[first].kind {
                *throw += 1;
            }
        });
        assert_eq!((skipped.code, skipped.reasons()), (Some(1), vec!["order"]), "{game}");
        let elsewhere = forged(&|record| {
            change!(record, EventKind::TakenBack { to, .. } => *to = 2);
        });
        assert_eq!(elsewhere.code, Some(1), "{game}");
        assert!(
            elsewhere.falsehoods[0].ends_with("a turn is taken back that does not count"),
            "{elsewhere:?}"
        );
        let told_otherwise = forged(&|record| {
            change!(record, EventKind::TakenBack { dice, .. } => dice[0] = forged::other(dice[0]));
        });
        assert_eq!((told_otherwise.code, told_otherwise.reasons()), (Some(1), vec!["die"]), "{game}");
        let turn = write(&record).replacen("takes back turn ", "takes back turn 9", 1);
        assert_eq!(of_text(&turn, &[]).code, Some(1), "{game}");
    }
}

/// What was kept from before the first throw, and is not what the record says.
#[test]
fn the_notes_of_a_player_are_compared() {
    for game in Game::ALL {
        let record = finished(game, 2);
        let said = of_json(&record, &["--commitment", &"0".repeat(64)]);
        assert_eq!((said.code, said.reasons()), (Some(1), vec!["commitment"]));
        for said in
            [of_json(&record, &["--seed", "another"]), of_text(&write(&record), &["--seed", "another"])]
        {
            assert_eq!((said.code, said.reasons()), (Some(1), vec!["seed"]));
        }
    }
}

#[test]
fn a_changed_text_is_told_too() {
    for game in [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula] {
        let text = write(&finished(game, 2));
        let turn = text.lines().filter(|line| line.contains(": ") && line.contains('-')).nth(7);
        let thrown = turn.unwrap().split([' ', ':']).nth(2).unwrap();
        let first: u8 = thrown[..1].parse().unwrap();
        let loaded = format!(" {}{}", first % 6 + 1, &thrown[1..]);
        let line_of = |number: &str| text.lines().find(|line| line.starts_with(number)).unwrap();
        let (four, five) = (line_of("4. "), line_of("5. "));
        let lot = if text.contains("game 1: seat 1") {
            ("seat 1 plays", "seat 2 plays")
        } else {
            ("seat 2 plays", "seat 1 plays")
        };
        for (from, to, reason) in [
            (format!(" {thrown}"), loaded, "die"),
            (format!("{four}\n"), String::new(), "order"),
            (format!("{four}\n{five}\n"), format!("{five}\n{four}\n"), "order"),
            (lot.0.to_owned(), lot.1.to_owned(), "lot"),
            ("Tablen pheugete".to_owned(), "Tabula".to_owned(), "seed"),
            ("reveals \"alea".to_owned(), "reveals \"Alea".to_owned(), "seed"),
            ("[Secret1 \"5".to_owned(), "[Secret1 \"6".to_owned(), "secret"),
        ] {
            assert!(text.contains(&from), "{from} is not in\n{text}");
            let said = of_text(&text.replacen(&from, &to, 1), &[]);
            assert_eq!(said.code, Some(1), "{game} {reason}");
            assert!(said.reasons().contains(&reason), "{game} {reason}: {said:?}");
        }
    }
}

#[test]
fn a_match_being_played_can_be_checked_as_far_as_it_has_ended() {
    let mut table = Table::new(
        lusoria_play::Terms {
            length: lusoria_play::Length::Points(3),
            ..terms(Variant::standard(Game::Tabula))
        },
        1,
    );
    table.turn();
    let begun = of_json(&table.record(), &[]);
    assert_eq!(begun.code, Some(2), "{begun:?}");
    assert!(begun.verdict.starts_with("NOTHING TO CHECK"), "{begun:?}");
    table.play_game();
    table.turn();
    for said in [of_json(&table.record(), &[]), of_text(&write(&table.record()), &[])] {
        assert_eq!((said.code, said.verdict.as_str()), (Some(0), "TRUE SO FAR: not all games have ended"));
    }
}

/// The commitment, the seeds and the throws that docs/dice.md computes by hand are those of
/// the game in docs/record.md.
#[test]
fn the_page_about_the_dice_is_true() {
    let page = include_str!("../../../docs/dice.md");
    let text = super::example();
    let tag = |name: &str| {
        let (_, rest) = text.split_once(&format!("[{name} \"")).expect("the tag");
        rest.split_once('"').expect("its end").0.to_owned()
    };
    assert!(page.contains(&format!("secret={}\n", tag("Secret1"))));
    let of =
        format!("of='{}|1|alea iacta est|{}'\n", tag("Match"), tag("Seat2Seed").replacen("brought ", "", 1));
    assert!(page.contains(&of), "{of}");
    assert!(page.contains(&format!("`{}…`", &tag("Commitment")[..8])));
    assert!(page.contains(&format!("`{}…`", &tag("Seat1Seed")["hash ".len()..][..8])));
    let said = of_text(&text, &["--commitment", &tag("Commitment"), "--seed", "alea iacta est"]);
    assert_eq!((said.code, said.verdict.as_str()), (Some(0), "TRUE"));
}

#[test]
fn a_true_verdict_says_what_it_does_not_prove() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("record");
    let mut record = random_match(Game::Tavla, 0).record();
    let brought = |record: &Record| serde_json::to_string(&record.dice.seeds).unwrap().contains("brought");
    for number in 1.. {
        if !brought(&record) && record.result.is_some() && !record.dice.secrets.is_empty() {
            break;
        }
        record = random_match(Game::Tavla, number).record();
    }
    fs::write(&file, write(&record)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lusoria")).arg("verify").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let drawn = record.side == lusoria_protocol::PlayAs::Lot;
    assert_eq!(text.contains("every throw, and the lot, follows"), drawn, "{text}");
    assert_eq!(text.contains("every throw follows"), !drawn, "{text}");
    for told in
        ["no player brought a seed", "(--commitment)", "(--seed)", "did not foresee throws", "\nTRUE\n"]
    {
        assert!(text.contains(told), "{told} is not in\n{text}");
    }
}

#[test]
fn sides_that_were_chosen_are_no_lot() {
    let colours = lusoria_play::Colours::SeatOne(lusoria_rules::Side::Black);
    let mut table = Table::new(lusoria_play::Terms { colours, ..terms(Variant::standard(Game::Tablut)) }, 1);
    table.turn();
    table.resign(lusoria_play::Seat::One, false);
    let record = table.record();
    assert!(record.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::GameStarted { sides, .. } if sides.one == SideName::Attackers
    )));
    for said in [of_json(&record, &[]), of_text(&write(&record), &[])] {
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.unknown.iter().any(|line| line.contains("chosen, not drawn")), "{said:?}");
    }
}

#[test]
fn an_invalid_record_cannot_be_verified() {
    for text in ["", "hello", "{}", "{\"format\": \"lusoria-record-2\"}", "[Format \"lusoria-text-2\"]\n"] {
        assert_eq!(of_text(text, &[]).code, Some(2), "{text}");
    }
    assert_eq!(both(Path::new("no-such-record"), &[]).code, Some(2));
    let record = finished(Game::Zeno, 2);
    for wrong in [["--commitment", "x"], ["--commitment", ""], ["--seed", ""], ["--seed", "a|b"]] {
        assert_eq!(of_json(&record, &wrong).code, Some(2), "{wrong:?}");
    }
}
