//! Chooses the match that a TV channel shows: a pure function of the running matches, so that every node
//! chooses the same without communication.

use lusoria_play::{Millis, PlayerKind};

/// A match is replaced only by one that is stronger by this factor: strengths are grouped in classes this far
/// apart.
const STEP: f64 = 1.17;

/// A match without a turn for this long is not shown while another one is played, in milliseconds.
pub(super) const QUIET_MS: Millis = 600_000;

/// Who plays a match, the less interesting first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Playing {
    /// The computer against anybody.
    Computer,
    /// A bot against anybody but the computer.
    Bot,
    /// Two people.
    People,
}

impl Playing {
    /// A match between players of these kinds.
    pub(super) fn of(kinds: [PlayerKind; 2]) -> Self {
        if kinds.iter().any(|kind| kind.level().is_some()) {
            Self::Computer
        } else if kinds.contains(&PlayerKind::Bot) {
            Self::Bot
        } else {
            Self::People
        }
    }
}

/// How interesting a match is; the greatest is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Interest {
    /// Whether a turn was played lately.
    pub(super) is_moving: bool,
    /// Whether it is live, not correspondence.
    pub(super) is_live: bool,
    /// Who plays.
    pub(super) playing: Playing,
    /// The strength of its players, as a class.
    class: u32,
}

impl Interest {
    /// Builds the interest of a match. `strength` is the sum of the players' settled ratings; a rating that
    /// is not settled counts as none.
    pub(super) fn new(is_moving: bool, is_live: bool, playing: Playing, strength: f64) -> Self {
        Self { is_moving, is_live, playing, class: class(strength) }
    }
}

/// The class of a strength. Strengths that differ by less than a factor of [`STEP`] are in one class or in
/// adjacent ones.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 57, of 8000 points")]
fn class(strength: f64) -> u32 {
    if strength < 1.0 { 0 } else { 1 + (strength.ln() / STEP.ln()).floor() as u32 }
}

/// Orders matches, the most interesting first; a smaller `id` is an older match. Of equally interesting ones
/// the oldest is first, so it stays until it ends or a more interesting one appears.
pub(super) fn ranked<Id: Ord + Copy>(mut matches: Vec<(Interest, Id)>) -> Vec<Id> {
    matches.sort_unstable_by(|(one, one_id), (other, other_id)| {
        other.cmp(one).then_with(|| one_id.cmp(other_id))
    });
    matches.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use lusoria_play::Level;
    use proptest::prelude::*;

    use super::*;

    fn people(strength: f64) -> Interest {
        Interest::new(true, true, Playing::People, strength)
    }

    fn shown(matches: &[(Interest, u32)]) -> Option<u32> {
        ranked(matches.to_vec()).first().copied()
    }

    #[test]
    fn people_come_before_bots_and_bots_before_the_computer() {
        let computer = PlayerKind::Computer(Level::ALL[4]);
        let of = |one, two, id| (Interest::new(true, true, Playing::of([one, two]), 0.0), id);
        let matches = [
            of(PlayerKind::Person, computer, 1),
            of(PlayerKind::Bot, PlayerKind::Person, 2),
            of(PlayerKind::Person, PlayerKind::Person, 3),
            of(computer, PlayerKind::Bot, 4),
        ];
        assert_eq!(ranked(matches.to_vec()), [3, 2, 1, 4]);
    }

    #[test]
    fn what_is_played_now_comes_first() {
        let quiet = (Interest::new(false, true, Playing::People, 4_000.0), 1);
        let correspondence = (Interest::new(true, false, Playing::People, 4_000.0), 2);
        let now = (Interest::new(true, true, Playing::Computer, 0.0), 3);
        assert_eq!(ranked(vec![quiet, correspondence, now]), [3, 2, 1]);
    }

    #[test]
    fn a_match_stays_until_one_comes_that_is_much_stronger() {
        assert_eq!(shown(&[(people(3_020.0), 1), (people(3_030.0), 2)]), Some(1));
        assert_eq!(shown(&[(people(3_020.0), 1), (people(3_020.0 * STEP), 2)]), Some(2));
        assert_eq!(
            shown(&[(people(0.0), 1), (people(1_200.0), 2)]),
            Some(2),
            "guests have no settled rating"
        );
        assert_eq!(shown(&[]), None);
    }

    fn matches() -> impl Strategy<Value = Vec<(Interest, u32)>> {
        let playing = prop_oneof![Just(Playing::Computer), Just(Playing::Bot), Just(Playing::People)];
        let one = (any::<bool>(), any::<bool>(), playing, 0.0..8_000.0);
        let interest =
            one.prop_map(|(moving, live, playing, strength)| Interest::new(moving, live, playing, strength));
        prop::collection::vec(interest, 1..20).prop_map(|all| all.into_iter().zip(0..).collect())
    }

    proptest! {
        /// Otherwise a channel would jump between matches whose end nobody sees.
        #[test]
        fn the_end_of_another_match_changes_nothing(matches in matches(), ended in any::<prop::sample::Index>()) {
            let before = shown(&matches);
            let (_, ended) = matches[ended.index(matches.len())];
            let left: Vec<_> = matches.into_iter().filter(|(_, id)| *id != ended).collect();
            if before != Some(ended) {
                prop_assert_eq!(shown(&left), before);
            }
        }

        #[test]
        fn a_new_match_is_only_shown_if_it_is_more_interesting(matches in matches(), new in 0.0..8_000.0) {
            let new = (people(new), u32::MAX);
            let before = shown(&matches).expect("there are some");
            let mut with = matches.clone();
            with.push(new);
            let of = |id: u32| with.iter().find(|(_, of)| *of == id).expect("it is there").0;
            prop_assert_eq!(shown(&with) == Some(u32::MAX), new.0 > of(before));
        }

        /// Nodes read lists in different orders.
        #[test]
        fn the_order_of_a_list_makes_no_difference(matches in matches(), by in any::<u64>()) {
            let mut other = matches.clone();
            other.rotate_left(usize::try_from(by % 20).expect("small") % matches.len());
            prop_assert_eq!(ranked(other), ranked(matches));
        }

        #[test]
        fn a_step_is_a_class_and_less_is_at_most_one(strength in 10.0..4_000.0_f64, times in 1.0..STEP) {
            prop_assert!(class(strength * STEP * 1.000_001) > class(strength));
            prop_assert!(class(strength * times) <= class(strength) + 1);
        }
    }
}
