//! Checks a record against the session's memory of the match.

use lusoria_protocol::{MatchId, Record};

use super::seen::SeenMatch;
use crate::{event_text::clipped, profile::StoredDice};
use lusoria_records::{
    proof::{Claims, PlayerNotes, prove},
    replay::{Report, judge},
};

/// How many faults of a match are printed.
const FAULTS_TOLD: usize = 5;

/// The result of checking a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The record is right, and agrees with the session's memory.
    Sound(String),
    /// It is wrong, or differs.
    NotSound(Vec<String>),
    /// It could not be checked, or not all of it.
    NotChecked(String),
}

/// Checks a record against the data stored before the first throw, against the session's memory, and against
/// the rules.
pub(super) fn verdict(record: &Record, id: MatchId, kept: Option<&StoredDice>, seen: &SeenMatch) -> Verdict {
    let kept = kept.map_or_else(PlayerNotes::default, |kept| PlayerNotes {
        commitment: kept.commitment,
        // A user who tried to join too late has brought no seed.
        seed: kept.seed.clone().filter(|_| seen.is_seated()),
    });
    let mut faults = Vec::new();
    if record.id != id {
        faults.push("the record is of another match".to_owned());
    }
    faults.extend(seen.differences(record));
    let proof = prove(&Claims::of(record), &kept);
    faults.extend(proof.faults.kept().iter().map(ToString::to_string));
    let report = judge(record);
    faults.extend(report.faults.iter().map(ToString::to_string));
    if !faults.is_empty() {
        return Verdict::NotSound(told(&faults, proof.faults.more() + report.faults_more));
    }
    if record.result.is_none() {
        return Verdict::NotChecked("the record says that the match goes on".to_owned());
    }
    if record.players.two.is_none() {
        return Verdict::Sound("Nobody had joined: no dice were thrown, and no turns played.".to_owned());
    }
    if !proof.open.is_empty() {
        return Verdict::NotChecked(clipped(&proof.open.join("; "), 200));
    }
    let mut words = praise(&report, &kept, seen);
    let renamed = seen.renamed(record);
    if !renamed.is_empty() {
        words.push_str(" A name has been changed since: ");
        words.push_str(&renamed.join(", and "));
        words.push('.');
    }
    Verdict::Sound(words)
}

fn told(faults: &[String], more: usize) -> Vec<String> {
    let more = (faults.len() + more).saturating_sub(FAULTS_TOLD);
    let mut lines = vec!["THIS MATCH IS NOT SOUND:".to_owned()];
    lines.extend(faults.iter().take(FAULTS_TOLD).map(|fault| format!("  {}", clipped(fault, 250))));
    if more > 0 {
        lines.push(format!("  and {more} more faults"));
    }
    lines
}

fn praise(report: &Report, kept: &PlayerNotes, seen: &SeenMatch) -> String {
    let throws: u32 = report.games.iter().map(|game| game.throws).sum();
    let turns: u32 = report.games.iter().map(|game| game.turns).sum();
    let bound = if kept.commitment.is_some() { ", bound to before the first" } else { "" };
    let seeded = if kept.seed.is_some() { ", with your own seed in them" } else { "" };
    let checked = match throws {
        0 => format!("Checked: {turns} turns and the lot for the sides are as they must be{seeded}."),
        _ => format!(
            "Checked: {throws} throws computed anew{bound}{seeded}, and {turns} turns, are as they must be."
        ),
    };
    let of = report.events;
    let compared = format!("{checked} You saw {} of {of} events happen: they are the same.", seen.events());
    if seen.was_put_back() {
        return format!("{compared} What the server forgot when it was put back is not among them.");
    }
    compared
}
