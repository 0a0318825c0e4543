//! Flags players who lose so little by their turns that a person should look at them.
//!
//! A turn with a choice loses the difference between the best turn and the played one, in chances of winning.
//! Over many turns the mean shows how well somebody plays, whatever they throw. [`Window::suspicion`]
//! compares it with the loss of players of the same rating. The result proves nothing; a person must judge
//! it.
//!
//! The rule: in the last [`MATCHES_MAX`] matches, with at least [`MATCHES_MIN`] matches and [`TURNS_MIN`]
//! turns, let n be the number of turns, L their mean loss, and E the mean loss of players of that rating. An
//! honest player is assumed to lose at least E/2 on average, with a standard deviation of single turns of
//! twice that. Three standard errors below it is
//!
//! E/2 · (1 − 3 · 2/√n),
//!
//! and a smaller loss is suspicious. The same test is applied to the shortest sufficient run of last matches,
//! so that recent help is not hidden by earlier matches.
//!
//! E is the mean over the turns of other people with about the rating that the player has reached (±
//! [`NEAR_POINTS`]), combined with 3,000 turns whose mean is [`usual_loss`], so that a server with few people
//! has something to compare with.

mod usual;

use lusoria_rules::Game;

pub use usual::usual_loss;

/// The fewest matches that are judged.
pub const MATCHES_MIN: usize = 5;
/// The fewest turns that are judged.
pub const TURNS_MIN: u32 = 150;
/// The most matches that are judged.
pub const MATCHES_MAX: usize = 20;
/// How far the ratings of others may be from the player's, in rating points.
pub const NEAR_POINTS: f64 = 100.0;

/// The weight of the usual loss, in turns.
const USUAL_TURNS: f64 = 3_000.0;
/// The least that an honest player loses, as a share of the loss of players of their rating.
const HONEST_SHARE: f64 = 0.5;
/// The standard deviation of single turns, as a multiple of their mean: 1.2 to 2.1 at levels 1 to 3 of the
/// computer, but 2.8 at level 3 of tablut (docs/fair-play.md).
const SPREAD: f64 = 2.0;
/// How many standard errors below that are suspicious.
const ERRORS: f64 = 3.0;

/// The loss of a player's turns in a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchLosses {
    /// Their rating before it.
    pub points: f64,
    /// Number of turns in which they had a choice.
    pub turns: u32,
    /// The total loss of these turns, in chances of winning.
    pub lost: f64,
}

/// The loss of the turns of others with about the same rating.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Others {
    /// Number of turns in which they had a choice.
    pub turns: u64,
    /// The total loss of these turns, in chances of winning.
    pub lost: f64,
}

/// A suspicion against a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspicion {
    /// The player's rating before the last of them.
    pub points: f64,
    /// Number of matches, the last ones.
    pub matches: u32,
    /// Number of turns in which they had a choice.
    pub turns: u32,
    /// The total loss of these turns, in chances of winning.
    pub lost: f64,
    /// The loss of a turn expected at that rating.
    pub expected: f64,
}

/// A player's last matches, enough to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// Those that ended last first, each with turns.
    matches: Vec<MatchLosses>,
    /// How many of them are just enough to judge.
    enough: usize,
}

impl Window {
    /// A window of these matches, those that ended last first; none if there are too few.
    pub fn of(last_first: impl IntoIterator<Item = MatchLosses>) -> Option<Self> {
        let with_turns = last_first.into_iter().filter(|of| of.turns > 0);
        let matches: Vec<MatchLosses> = with_turns.take(MATCHES_MAX).collect();
        let enough = (MATCHES_MIN..=matches.len()).find(|&most| turns(&matches[..most]) >= TURNS_MIN)?;
        Some(Self { matches, enough })
    }

    /// The player's rating before their last match. For a strong new player it is much closer to the truth
    /// than the mean of the earlier ones.
    pub fn points(&self) -> f64 {
        self.matches[0].points
    }

    /// The suspicion, if there is one. The others have about the rating of [`Window::points`].
    pub fn suspicion(&self, game: Game, others: Others) -> Option<Suspicion> {
        let expected = expected(game, self.points(), others);
        [self.enough, self.matches.len()].into_iter().find_map(|most| {
            let matches = &self.matches[..most];
            let (turns, lost) = (turns(matches), matches.iter().map(|of| of.lost).sum::<f64>());
            let mean = lost / f64::from(turns);
            (mean < least_honest_loss(expected, turns)).then(|| Suspicion {
                points: self.points(),
                matches: u32::try_from(most).expect("few matches are looked at"),
                turns,
                lost,
                expected,
            })
        })
    }
}

fn turns(matches: &[MatchLosses]) -> u32 {
    matches.iter().fold(0, |sum, of| sum.saturating_add(of.turns))
}

/// The loss of a turn expected at that rating, in chances of winning.
#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 turns are played")]
fn expected(game: Game, points: f64, others: Others) -> f64 {
    let usual = usual_loss(game, points);
    (usual * USUAL_TURNS + others.lost) / (USUAL_TURNS + others.turns as f64)
}

/// A mean loss over this many turns that honest players of that rating hardly ever fall below.
fn least_honest_loss(expected: f64, turns: u32) -> f64 {
    HONEST_SHARE * expected * (1.0 - ERRORS * SPREAD / f64::from(turns).sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// This many matches of 40 turns each, with that mean loss.
    fn matches(count: usize, mean: f64) -> Vec<MatchLosses> {
        vec![MatchLosses { points: 1_500.0, turns: 40, lost: 40.0 * mean }; count]
    }

    fn suspicion(matches: Vec<MatchLosses>, others: Others) -> Option<Suspicion> {
        Window::of(matches)?.suspicion(Game::Tavla, others)
    }

    #[test]
    fn few_matches_or_few_turns_say_nothing() {
        assert_eq!(Window::of(matches(4, 0.0)), None);
        assert_eq!(Window::of(vec![MatchLosses { points: 1_500.0, turns: 29, lost: 0.0 }; 5]), None);
        assert!(Window::of(vec![MatchLosses { points: 1_500.0, turns: 30, lost: 0.0 }; 5]).is_some());
        let mut empty = matches(4, 0.0);
        empty.extend([MatchLosses { points: 1_500.0, turns: 0, lost: 0.0 }; 9]);
        assert_eq!(Window::of(empty), None, "matches without a choice say nothing");
    }

    #[test]
    fn a_tiny_loss_is_suspicious_and_the_usual_loss_is_not() {
        let usual = usual_loss(Game::Tavla, 1_500.0);
        let found = suspicion(matches(5, usual / 50.0), Others::default()).expect("suspicious");
        assert_eq!((found.matches, found.turns, found.points), (5, 200, 1_500.0));
        assert!((found.expected - usual).abs() < 1e-12);
        for share in [0.45, 0.5, 1.0, 2.0] {
            assert_eq!(suspicion(matches(20, usual * share), Others::default()), None, "{share}");
        }
    }

    #[test]
    fn others_of_the_rating_replace_the_usual_loss() {
        let usual = usual_loss(Game::Tavla, 1_500.0);
        let fifth = matches(20, usual / 5.0);
        assert!(suspicion(fifth.clone(), Others::default()).is_some());
        // On this server they lose a fifth of the usual loss.
        let others = Others { turns: 60_000, lost: 60_000.0 * usual / 5.0 };
        assert_eq!(suspicion(fifth, others), None);
    }

    #[test]
    fn help_that_began_lately_is_seen() {
        let usual = usual_loss(Game::Tavla, 1_500.0);
        let mut all = matches(5, 0.0);
        all.extend(matches(15, usual));
        let found = suspicion(all, Others::default()).expect("suspicious");
        assert_eq!(found.matches, 5);
    }

    proptest! {
        /// A worse player is never suspected when a better one is not.
        #[test]
        fn less_loss_is_never_less_suspicious(
            turns in proptest::collection::vec(1_u32..80, 5..25),
            mean in 0.0..0.05_f64,
            more in 0.0..0.05_f64,
        ) {
            let of = |mean: f64| turns.iter().map(|&turns| MatchLosses {
                points: 1_500.0, turns, lost: mean * f64::from(turns),
            }).collect::<Vec<_>>();
            let (less, more) = (suspicion(of(mean), Others::default()), suspicion(of(mean + more), Others::default()));
            prop_assert!(less.is_some() || more.is_none());
        }
    }
}
