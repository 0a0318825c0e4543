//! Computes how many dice a turn can play (rules/README.md, compulsion 1), without enumerating all the ways
//! to play them.
//!
//! Dice that are all alike need no search. Blocked cells do not change, and with one value every piece has
//! one way to go. A legal step stays legal until it is played, whatever else is played first, because
//! everything that opens (the row after the last entry, bearing off, the exit of a farther piece) stays open
//! while pieces only move forward. So all maximal sequences have the same length, and any one of them gives
//! it.
//!
//! Dice of several values are searched until the first sequence that plays enough, with a memo for the same
//! pieces and dice. Once the odd dice are played the rest is alike, so even a search without success stays
//! small: four alike and one other visit a few thousand positions at worst.

use std::collections::HashMap;

use super::{
    hash::BuildWordHasher,
    pieces::Place,
    road::{Pace, Progress, Road, entry},
};
use crate::Die;

/// The memo of a search, for one road. It may be shared by searches that would leave the same number of dice
/// unplayed, because a search may have stopped at `enough`.
pub(super) type Found = HashMap<Progress, Option<u8>, BuildWordHasher>;

impl Road {
    /// The most dice that any legal sequence plays from here, or any number that is `enough`. A win counts as
    /// playing all dice that are left. None if no sequence enters the piece that the turn owes.
    pub(super) fn most(&self, progress: &Progress, enough: u8, found: &mut Found) -> Option<u8> {
        if progress.has_won() {
            return Some(progress.hand.len());
        }
        if progress.hand.is_empty() {
            return (!progress.owes_entry).then_some(0);
        }
        if let Some(die) = progress.hand.alike() {
            return self.most_alike(*progress, die);
        }
        // Hits do not change which dice can be played.
        let key = Progress { hits: 0, ..*progress };
        if let Some(&most) = found.get(&key) {
            return most;
        }
        let mut most = if progress.owes_entry { None } else { Some(0) };
        'search: for die in progress.hand.values() {
            for pace in self.paces(&progress.own, die) {
                let after = progress.after(self, pace);
                let rest = self.most(&after, enough.saturating_sub(1), found);
                most = most.max(rest.map(|rest| rest + 1));
                if most.is_some_and(|most| most >= enough) {
                    break 'search;
                }
            }
        }
        found.insert(key, most);
        most
    }

    /// The state after a step that [`Road::paces`] lists, if the turn, which owed this many dice before it,
    /// can still play the others.
    pub(super) fn keeping_dice(
        &self,
        progress: &Progress,
        pace: Pace,
        owed: u8,
        found: &mut Found,
    ) -> Option<Progress> {
        let (after, enough) = (progress.after(self, pace), owed - 1);
        self.most(&after, enough, found).is_some_and(|most| most >= enough).then_some(after)
    }

    fn most_alike(&self, mut progress: Progress, die: Die) -> Option<u8> {
        // A piece enters first or never: a die that cannot enter now never will.
        if progress.owes_entry && self.is_blocked(entry(die)) {
            return None;
        }
        debug_assert!(
            !progress.owes_entry || progress.own.count(Place::SUPPLY) + progress.own.count(Place::BAR) > 0
        );
        let mut played = 0;
        while !progress.hand.is_empty() {
            if progress.has_won() {
                return Some(played + progress.hand.len());
            }
            let Some(pace) = self.paces(&progress.own, die).next() else { break };
            progress = progress.after(self, pace);
            played += 1;
        }
        Some(played)
    }
}
