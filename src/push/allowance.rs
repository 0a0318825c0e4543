//! Limits how often a player gets push messages.

use std::collections::HashMap;

use lusoria_play::{Millis, PlayerId};

use crate::live::{PushMatter, PushOccasion};

/// The most messages that a player gets in a burst, of their turns and of everything else separately.
const BURST: u64 = 20;

/// How soon the allowance grows by one, so that a player gets 20 an hour.
const ONE_EACH_MS: Millis = 3 * 60_000;

/// How long an occasion is remembered, so that a player gets one message for each challenge or match.
const REMEMBERED_FOR_MS: Millis = 3_600_000;

/// The most occasions that are remembered.
const REMEMBERED_MAX: usize = 10_000;

/// How many messages players got lately. Turns are counted separately, so that many challenges cannot
/// suppress messages about turns.
#[derive(Debug, Default)]
pub(super) struct Allowances {
    /// When a player's allowance is full again, for turns or for everything else.
    used_until: HashMap<(PlayerId, bool), Millis>,
    /// Occasions with the time of their message.
    told: HashMap<PushOccasion, Millis>,
}

impl Allowances {
    /// Whether a player may get this message now. It is counted then.
    pub(super) fn admit(&mut self, occasion: PushOccasion, now: Millis) -> bool {
        let is_turn = matches!(occasion.what, PushMatter::YourTurn(_));
        let key = (occasion.player, is_turn);
        let is_known = self.told.contains_key(&occasion);
        let is_full = self.used_until.len() >= REMEMBERED_MAX && !self.used_until.contains_key(&key);
        if is_full || (!is_turn && (is_known || self.told.len() >= REMEMBERED_MAX)) {
            return false;
        }
        let used_until = self.used_until.entry(key).or_insert(now);
        let until = (*used_until).max(now) + ONE_EACH_MS;
        if until > now + BURST * ONE_EACH_MS {
            return false;
        }
        *used_until = until;
        if !is_turn {
            self.told.insert(occasion, now);
        }
        true
    }

    /// Removes outdated entries.
    pub(super) fn sweep(&mut self, now: Millis) {
        self.used_until.retain(|_, until| *until > now);
        self.told.retain(|_, at| *at + REMEMBERED_FOR_MS > now);
    }
}

#[cfg(test)]
mod tests {
    use lusoria_play::MatchId;
    use uuid::Uuid;

    use super::*;

    fn occasion(player: u128, what: PushMatter) -> PushOccasion {
        PushOccasion { player: PlayerId(Uuid::from_u128(player)), what }
    }

    fn turn(player: u128, n: u128) -> PushOccasion {
        occasion(player, PushMatter::YourTurn(MatchId(Uuid::from_u128(n))))
    }

    fn challenge(player: u128, n: u128) -> PushOccasion {
        occasion(player, PushMatter::Challenge(MatchId(Uuid::from_u128(n))))
    }

    #[test]
    fn a_player_gets_a_burst_and_then_more_as_time_passes() {
        let mut allowances = Allowances::default();
        for _ in 0..BURST {
            assert!(allowances.admit(turn(1, 1), 5_000));
        }
        assert!(!allowances.admit(turn(1, 2), 5_000));
        assert!(allowances.admit(turn(2, 2), 5_000), "each has their own");
        assert!(!allowances.admit(turn(1, 2), 5_000 + ONE_EACH_MS - 1));
        assert!(allowances.admit(turn(1, 2), 5_000 + ONE_EACH_MS));
        assert!(!allowances.admit(turn(1, 2), 5_000 + ONE_EACH_MS));
        allowances.sweep(5_000 + (BURST + 1) * ONE_EACH_MS);
        assert_eq!(allowances.used_until.len(), 0);
    }

    #[test]
    fn challenges_use_up_no_turns_and_each_gets_one_message() {
        let mut allowances = Allowances::default();
        assert!(allowances.admit(challenge(1, 0), 0));
        assert!(!allowances.admit(challenge(1, 0), 1));
        for n in 1..u128::from(BURST) {
            assert!(allowances.admit(challenge(1, n), 0));
        }
        assert!(!allowances.admit(challenge(1, 99), 0));
        assert!(allowances.admit(turn(1, 1), 0));
        allowances.sweep(REMEMBERED_FOR_MS);
        assert!(allowances.admit(challenge(1, 0), REMEMBERED_FOR_MS));
    }

    #[test]
    fn only_so_much_is_remembered() {
        let mut allowances = Allowances::default();
        for n in 0..REMEMBERED_MAX as u128 {
            assert!(allowances.admit(turn(n, n), 0));
        }
        assert!(!allowances.admit(turn(u128::MAX, 0), 0));
        assert!(allowances.admit(turn(0, 0), 0), "a known player is not kept out");
        allowances.sweep(ONE_EACH_MS);
        assert!(allowances.admit(turn(u128::MAX, 0), ONE_EACH_MS));
    }
}
