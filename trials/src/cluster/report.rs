//! The summary of a trial, for people.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use super::fault::Kind;
use crate::crash::{check::Compared, pair::Pair};

/// The counts of a trial.
#[derive(Debug, Default)]
pub(super) struct Tally {
    kinds: BTreeMap<String, u32>,
    pub(super) compared: Compared,
    matches: u64,
    answers: u64,
    resent: u64,
    unavailable: u64,
}

impl Tally {
    /// Counts a round.
    pub(super) fn began(&mut self, kind: Kind) {
        *self.kinds.entry(kind.name()).or_default() += 1;
    }

    /// How many rounds have begun.
    pub(super) fn rounds(&self) -> u32 {
        self.kinds.values().sum()
    }

    /// Adds what the pairs have counted themselves.
    pub(super) fn count_pairs(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            self.matches += pair.past.len() as u64 + u64::from(pair.current.is_some());
            self.answers += pair.answers;
            self.resent += pair.resent;
            self.unavailable += pair.unavailable;
        }
    }

    /// A few lines.
    pub(super) fn shown(&self, took: Duration) -> String {
        let mut shown = format!("{} rounds in {} s:", self.rounds(), took.as_secs());
        for (kind, rounds) in &self.kinds {
            let _ = write!(shown, " {kind} {rounds}");
        }
        let Self { compared, matches, answers, resent, unavailable, .. } = self;
        let Compared { events, again, judged } = compared;
        let _ = write!(
            shown,
            "\n{matches} matches, {answers} answers, {resent} requests repeated, {unavailable} times \
             unavailable\n{events} events and {again} answers compared, {judged} records replayed"
        );
        shown
    }
}
