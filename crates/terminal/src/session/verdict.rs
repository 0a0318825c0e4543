//! What a record is worth to somebody who saw the match.

use lusoria_protocol::{MatchId, Record};

use super::seen::Seen;
use crate::{keep::KeptDice, telling::clipped};
use lusoria_records::{
    proof::{Claims, Kept, prove},
    replay::{Report, judge},
};

/// How many faults of a match are told.
const FAULTS_TOLD: usize = 5;

/// What came of checking a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All is as it must be and as it was seen.
    Sound(String),
    /// It is not.
    NotSound(Vec<String>),
    /// That cannot be known, or not of all of it.
    NotChecked(String),
}

/// Holds a record against what was kept from before the first throw, against what was seen, and
/// against the rules.
pub(super) fn verdict(record: &Record, id: MatchId, kept: Option<&KeptDice>, seen: &Seen) -> Verdict {
    let kept = kept.map_or_else(Kept::default, |kept| Kept {
        commitment: kept.commitment.clone(),
        // One who wanted to join and came too late has brought none.
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

fn praise(report: &Report, kept: &Kept, seen: &Seen) -> String {
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
