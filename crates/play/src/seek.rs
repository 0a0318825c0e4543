//! Seeks: what somebody would play, with anybody who would, too.

use lusoria_rules::{Game, Variant};
use serde::{Deserialize, Serialize};

use crate::{Admission, Clock, Colours, PlayerId, Terms, TermsError};

/// What somebody would play: any of the games, lengths and clocks, those that they prefer first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeekTerms {
    /// The games, with their own options.
    pub games: Vec<Game>,
    /// The lengths of a match, in points.
    pub points: Vec<u16>,
    /// The clocks: all by days, or none.
    pub clocks: Vec<Clock>,
    /// Whether the opponent may be a bot.
    pub bots: bool,
}

impl SeekTerms {
    /// The longest list of games, lengths or clocks.
    pub const CHOICES_MAX: usize = 10;

    /// Checks that there is something to choose from, nothing twice, and all within its range.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<(), SeekError> {
        check_choices("games", &self.games)?;
        check_choices("points", &self.points)?;
        check_choices("clocks", &self.clocks)?;
        for (points, clock) in
            self.points.iter().flat_map(|points| self.clocks.iter().map(move |c| (points, c)))
        {
            terms(self.games[0], *points, *clock).check()?;
        }
        let by_days = self.clocks.iter().filter(|clock| clock.is_by_days()).count();
        if by_days == 0 || by_days == self.clocks.len() { Ok(()) } else { Err(SeekError::TwoPaces) }
    }

    /// Whether it is a match by days that they seek.
    pub fn is_by_days(&self) -> bool {
        self.clocks.iter().any(Clock::is_by_days)
    }

    /// What both would play; of several games, lengths and clocks the first of this seek, which is the older.
    pub fn common(&self, newer: &Self) -> Option<Terms> {
        let game = first_common(&self.games, &newer.games)?;
        let points = first_common(&self.points, &newer.points)?;
        Some(terms(game, points, first_common(&self.clocks, &newer.clocks)?))
    }
}

/// The terms of a match that comes of two seeks: sides by lot, listed.
fn terms(game: Game, points: u16, clock: Clock) -> Terms {
    let variant = Variant::standard(game);
    Terms { variant, points, clock, colours: Colours::Lot, admission: Admission::Open }
}

fn first_common<T: Copy + PartialEq>(of: &[T], others: &[T]) -> Option<T> {
    of.iter().copied().find(|one| others.contains(one))
}

fn check_choices<T: PartialEq>(field: &'static str, choices: &[T]) -> Result<(), SeekError> {
    if !(1..=SeekTerms::CHOICES_MAX).contains(&choices.len()) {
        return Err(SeekError::Count(field));
    }
    let is_repeated = |(at, one)| choices[..at].contains(one);
    if choices.iter().enumerate().any(is_repeated) { Err(SeekError::Repeated(field)) } else { Ok(()) }
}

/// What is wrong with a seek.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeekError {
    /// A list is empty or too long.
    #[error("{0}: expected 1 to {max} choices", max = SeekTerms::CHOICES_MAX)]
    Count(&'static str),
    /// A list has something twice.
    #[error("{0}: the same choice twice")]
    Repeated(&'static str),
    /// A length or a clock is out of its range.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Some clocks are by days and others are not: make two seeks.
    #[error("clocks: some are by days and others are not; make a seek for each")]
    TwoPaces,
}

/// Somebody with a seek that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeker {
    /// Who.
    pub player: PlayerId,
    /// Whether they are a bot.
    pub is_bot: bool,
    /// What they would play.
    pub terms: SeekTerms,
}

impl Seeker {
    /// What two would play with each other; none if they would not. This is the one whose seek is older.
    pub fn terms_with(&self, newer: &Self) -> Option<Terms> {
        let accepts = |one: &Self, other: &Self| one.terms.bots || !other.is_bot;
        if self.player == newer.player || !accepts(self, newer) || !accepts(newer, self) {
            return None;
        }
        self.terms.common(&newer.terms)
    }
}

/// Finds whom a seeker is paired with: the first of those whose seeks are `older` that fits, the oldest first. The
/// last opponent comes after all others. Returns their place, and what is played.
pub fn partner<'a>(
    newer: &Seeker,
    older: impl IntoIterator<Item = &'a Seeker>,
    last_opponent: Option<PlayerId>,
) -> Option<(usize, Terms)> {
    let mut again = None;
    for (place, other) in older.into_iter().enumerate() {
        let Some(terms) = other.terms_with(newer) else { continue };
        if Some(other.player) != last_opponent {
            return Some((place, terms));
        }
        again = again.or(Some((place, terms)));
    }
    again
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const FAST: Clock = Clock::Fischer { base_ms: 300_000, increment_ms: 8_000 };
    const DAYS: Clock = Clock::Days { days: 3 };

    fn seek(games: &[Game]) -> SeekTerms {
        SeekTerms { games: games.to_vec(), points: vec![1], clocks: vec![Clock::None {}], bots: false }
    }

    fn seeker(n: u128, terms: SeekTerms) -> Seeker {
        Seeker { player: PlayerId(Uuid::from_u128(n)), is_bot: false, terms }
    }

    #[test]
    fn a_seek_has_choices_each_once_and_in_its_range() {
        let good = seek(&[Game::Zeno, Game::Tavla]);
        assert_eq!(good.check(), Ok(()));
        let wrong = [
            (SeekTerms { games: vec![], ..good.clone() }, SeekError::Count("games")),
            (SeekTerms { points: (1..=11).collect(), ..good.clone() }, SeekError::Count("points")),
            (SeekTerms { clocks: vec![FAST, FAST], ..good.clone() }, SeekError::Repeated("clocks")),
            (SeekTerms { points: vec![1, 100], ..good.clone() }, TermsError::Points(100).into()),
            (SeekTerms { clocks: vec![DAYS, FAST], ..good }, SeekError::TwoPaces),
        ];
        for (terms, why) in wrong {
            assert_eq!(terms.check(), Err(why), "{terms:?}");
        }
    }

    #[test]
    fn of_several_choices_that_of_the_older_seek_is_taken() {
        let older = SeekTerms {
            points: vec![5, 1],
            clocks: vec![FAST, Clock::None {}],
            ..seek(&[Game::Tablut, Game::Zeno, Game::Tavla])
        };
        let newer = SeekTerms {
            points: vec![1, 5],
            clocks: vec![Clock::None {}, FAST],
            ..seek(&[Game::Tavla, Game::Zeno])
        };
        let agreed = older.common(&newer).expect("something in common");
        assert_eq!((agreed.variant, agreed.points, agreed.clock), (Variant::standard(Game::Zeno), 5, FAST));
        assert_eq!(seek(&[Game::Zeno]).common(&seek(&[Game::Tavla])), None);
    }

    #[test]
    fn bots_play_those_who_accept_them() {
        let bot = Seeker { is_bot: true, ..seeker(1, seek(&[Game::Zeno])) };
        let person = seeker(2, seek(&[Game::Zeno]));
        assert_eq!(bot.terms_with(&person), None);
        let mut tolerant = person;
        tolerant.terms.bots = true;
        assert!(bot.terms_with(&tolerant).is_some() && tolerant.terms_with(&bot).is_some());
        let other_bot = Seeker { is_bot: true, ..seeker(3, tolerant.terms.clone()) };
        assert_eq!(bot.terms_with(&other_bot), None, "the first does not accept bots");
        assert_eq!(tolerant.terms_with(&tolerant), None, "nobody plays themselves");
    }

    #[test]
    fn the_oldest_that_fits_comes_first_and_the_last_opponent_last() {
        let waiting = [
            seeker(1, seek(&[Game::Tablut])),
            seeker(2, seek(&[Game::Zeno])),
            seeker(3, seek(&[Game::Zeno])),
        ];
        let new = seeker(4, seek(&[Game::Zeno]));
        let place = |of: &[Seeker], last| partner(&new, of, last).map(|(place, _)| place);
        assert_eq!(place(&waiting, None), Some(1));
        assert_eq!(place(&waiting, Some(waiting[1].player)), Some(2));
        assert_eq!(place(&waiting[..2], Some(waiting[1].player)), Some(1), "nobody else waits");
        assert_eq!(place(&waiting[..1], None), None);
    }
}
