//! Seeks: offers of a match to anybody with a matching seek.

use std::collections::BTreeMap;

use lusoria_rules::{Game, Variant};
use serde::{Deserialize, Serialize};

use crate::{Admission, Clock, Colours, Length, Millis, Pace, PlayerId, Terms, TermsError};

/// The terms of a seek: any of the games, lengths and clocks, the preferred ones first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeekTerms {
    /// The games, with their own options.
    pub games: Vec<Game>,
    /// The lengths of a match, in points.
    pub points: Vec<u16>,
    /// Whether a pair is accepted too, as the last of the lengths.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairs: bool,
    /// The clocks: all correspondence, or none.
    pub clocks: Vec<Clock>,
    /// Whether the opponent may be a bot.
    pub bots: bool,
    /// Whether the match is rated. Games that are rated only in pairs are then played in pairs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The accepted ratings of the opponent; any if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
}

/// How far the opponent's rating may be from one's own, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingRange {
    /// At most this much lower: 0 to [`RatingRange::MAX`].
    pub below: u16,
    /// At most this much higher: 0 to [`RatingRange::MAX`].
    pub above: u16,
}

impl RatingRange {
    /// The widest range: all ratings.
    pub const MAX: u16 = 4000;

    const fn accepts(self, own: u16, other: u16) -> bool {
        own.saturating_sub(self.below) <= other && other <= own.saturating_add(self.above)
    }
}

impl SeekTerms {
    /// The longest list of games, lengths or clocks.
    pub const CHOICES_MAX: usize = 10;

    /// Checks that there is something to choose from, nothing twice, everything within its range, and that
    /// each game can be played as requested.
    ///
    /// # Errors
    /// The fault.
    pub fn check(&self) -> Result<(), SeekError> {
        check_choices("games", &self.games)?;
        check_choices("clocks", &self.clocks)?;
        check_choices("points", &self.lengths().collect::<Vec<_>>())?;
        for (length, clock) in product(self.lengths(), &self.clocks) {
            Terms { rated: false, ..self.terms(self.games[0], length, clock) }.check()?;
        }
        let correspondence = self.clocks.iter().filter(|clock| clock.is_correspondence()).count();
        if correspondence != 0 && correspondence != self.clocks.len() {
            return Err(SeekError::TwoPaces);
        }
        if self.rating.is_some_and(|RatingRange { below, above }| below.max(above) > RatingRange::MAX) {
            return Err(SeekError::Rating);
        }
        let can_be_played = |game| {
            product(self.lengths(), &self.clocks)
                .any(|(length, clock)| self.terms(game, length, clock).check().is_ok())
        };
        match self.games.iter().find(|&&game| !can_be_played(game)) {
            Some(&game) => Err(SeekError::NeverRated(game)),
            None => Ok(()),
        }
    }

    /// Whether it seeks a correspondence match.
    pub fn is_correspondence(&self) -> bool {
        self.clocks.iter().any(Clock::is_correspondence)
    }

    /// The lengths, the preferred ones first.
    pub fn lengths(&self) -> impl Iterator<Item = Length> + Clone {
        self.points.iter().map(|&points| Length::Points(points)).chain(self.pairs.then_some(Length::Pair))
    }

    /// All terms that both accept, in the order of this seek, which is the older: both must be rated or both
    /// not, and for a rated match terms that are never rated are left out.
    fn common(&self, newer: &Self) -> impl Iterator<Item = Terms> {
        let is_same = self.rated == newer.rated;
        let games = self.games.iter().copied().filter(move |game| is_same && newer.games.contains(game));
        let lengths = self.lengths().filter(|&length| newer.lengths().any(|other| other == length));
        let clocks: Vec<_> =
            self.clocks.iter().copied().filter(|clock| newer.clocks.contains(clock)).collect();
        games
            .flat_map(move |game| {
                let choices: Vec<_> = product(lengths.clone(), &clocks).collect();
                choices.into_iter().map(move |(length, clock)| self.terms(game, length, clock))
            })
            .filter(|terms| terms.check().is_ok())
    }

    /// The terms of the resulting match: random sides, listed.
    const fn terms(&self, game: Game, length: Length, clock: Clock) -> Terms {
        let variant = Variant::standard(game);
        let (colours, admission) = (Colours::Lot, Admission::Open);
        Terms { variant, length, clock, colours, admission, rated: self.rated }
    }
}

/// Each length with each clock.
fn product(lengths: impl Iterator<Item = Length>, clocks: &[Clock]) -> impl Iterator<Item = (Length, Clock)> {
    lengths.flat_map(|length| clocks.iter().map(move |&clock| (length, clock)))
}

fn check_choices<T: PartialEq>(field: &'static str, choices: &[T]) -> Result<(), SeekError> {
    if !(1..=SeekTerms::CHOICES_MAX).contains(&choices.len()) {
        return Err(SeekError::Count(field));
    }
    let is_repeated = |(at, one)| choices[..at].contains(one);
    if choices.iter().enumerate().any(is_repeated) { Err(SeekError::Repeated(field)) } else { Ok(()) }
}

/// The fault in a seek.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeekError {
    /// A list is empty or too long.
    #[error("{0}: expected 1 to {max} choices", max = SeekTerms::CHOICES_MAX)]
    Count(&'static str),
    /// A list has something twice.
    #[error("{0}: the same choice twice")]
    Repeated(&'static str),
    /// A length or a clock is out of range.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Some clocks are correspondence and others are not: make two seeks.
    #[error("clocks: some have days for each turn and others do not; make a seek for each kind")]
    TwoPaces,
    /// A range of ratings is too wide.
    #[error("rating: expected 0 to {max} points below and above", max = RatingRange::MAX)]
    Rating,
    /// The game is not rated with any of the lengths and clocks.
    #[error("{0} is not rated with any of these lengths and clocks{hint}", hint = in_pairs(*.0))]
    NeverRated(Game),
}

const fn in_pairs(game: Game) -> &'static str {
    if game.is_rated_in_pairs() { ": it is rated in pairs only, and not without a clock" } else { "" }
}

/// A guest with a waiting seek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeker {
    /// The player.
    pub player: PlayerId,
    /// Whether they are a bot.
    pub is_bot: bool,
    /// The terms.
    pub terms: SeekTerms,
    /// When they began to seek.
    pub since: Millis,
    /// Their ratings, in points. Missing ones are at the starting points.
    pub ratings: BTreeMap<(Game, Pace), u16>,
}

impl Seeker {
    /// The points at which all ratings start.
    pub const POINTS_AT_START: u16 = 1500;
    /// How far apart two ratings may be in a rated match at first.
    pub const NEAR: u16 = 100;
    /// After this many milliseconds of waiting they may be one point farther apart.
    pub const MS_A_POINT: Millis = 100;

    /// The terms on which both would play each other at `now`; none if they would not. `self` is the older
    /// seek: the longer it waits, the farther apart the ratings may be in a rated match. A range that one of
    /// them has set always applies.
    pub fn terms_with(&self, newer: &Self, now: Millis) -> Option<Terms> {
        let accepts = |one: &Self, other: &Self| one.terms.bots || !other.is_bot;
        if self.player == newer.player || !accepts(self, newer) || !accepts(newer, self) {
            return None;
        }
        let waited_ms = now.saturating_sub(self.since);
        self.terms.common(&newer.terms).find(|terms| {
            let (own, other) = (self.rating(terms), newer.rating(terms));
            let distance_max = u64::from(Self::NEAR) + waited_ms / Self::MS_A_POINT;
            let is_near = !terms.rated || u64::from(own.abs_diff(other)) <= distance_max;
            let accepts =
                |by: &Self, own, other| by.terms.rating.is_none_or(|range| range.accepts(own, other));
            is_near && accepts(self, own, other) && accepts(newer, other, own)
        })
    }

    fn rating(&self, terms: &Terms) -> u16 {
        let of = (terms.variant.game(), terms.clock.pace());
        self.ratings.get(&of).copied().unwrap_or(Self::POINTS_AT_START)
    }
}

/// Finds the partner for a seeker at `now`: the first of the `older` seeks that fits, the oldest first. The
/// last opponent comes after all others. Returns the partner's index, and the terms.
pub fn partner<'a>(
    newer: &Seeker,
    older: impl IntoIterator<Item = &'a Seeker>,
    last_opponent: Option<PlayerId>,
    now: Millis,
) -> Option<(usize, Terms)> {
    let mut again = None;
    for (place, other) in older.into_iter().enumerate() {
        let Some(terms) = other.terms_with(newer, now) else { continue };
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
        SeekTerms {
            games: games.to_vec(),
            points: vec![1],
            pairs: false,
            clocks: vec![Clock::None {}],
            bots: false,
            rated: false,
            rating: None,
        }
    }

    fn rated(games: &[Game]) -> SeekTerms {
        SeekTerms { pairs: true, clocks: vec![FAST], rated: true, ..seek(games) }
    }

    fn seeker(n: u128, terms: SeekTerms) -> Seeker {
        let ratings = BTreeMap::new();
        Seeker { player: PlayerId(Uuid::from_u128(n)), is_bot: false, terms, since: 0, ratings }
    }

    /// A guest who seeks a rated game of tavla and has this rating.
    fn seeker_at(n: u128, points: u16) -> Seeker {
        let ratings = [((Game::Tavla, Pace::Live), points), ((Game::Tavla, Pace::Days), 3000)].into();
        Seeker { ratings, ..seeker(n, rated(&[Game::Tavla])) }
    }

    fn first_common(older: &SeekTerms, newer: &SeekTerms) -> Option<(Game, Length, Clock)> {
        let terms = older.common(newer).next()?;
        assert_eq!((terms.variant, terms.rated), (Variant::standard(terms.variant.game()), older.rated));
        Some((terms.variant.game(), terms.length, terms.clock))
    }

    #[test]
    fn a_seek_has_choices_each_once_and_in_its_range() {
        let good = seek(&[Game::Zeno, Game::Tavla]);
        assert_eq!(good.check(), Ok(()));
        assert_eq!(SeekTerms { points: vec![], pairs: true, ..good.clone() }.check(), Ok(()));
        let too_wide = Some(RatingRange { below: 0, above: RatingRange::MAX + 1 });
        let wrong = [
            (SeekTerms { games: vec![], ..good.clone() }, SeekError::Count("games")),
            (SeekTerms { points: (1..=11).collect(), ..good.clone() }, SeekError::Count("points")),
            (
                SeekTerms { points: (1..=10).collect(), pairs: true, ..good.clone() },
                SeekError::Count("points"),
            ),
            (SeekTerms { points: vec![], ..good.clone() }, SeekError::Count("points")),
            (SeekTerms { clocks: vec![FAST, FAST], ..good.clone() }, SeekError::Repeated("clocks")),
            (SeekTerms { points: vec![1, 100], ..good.clone() }, TermsError::Points(100).into()),
            (SeekTerms { clocks: vec![DAYS, FAST], ..good.clone() }, SeekError::TwoPaces),
            (SeekTerms { rating: too_wide, ..good }, SeekError::Rating),
        ];
        for (terms, why) in wrong {
            assert_eq!(terms.check(), Err(why), "{terms:?}");
        }
    }

    #[test]
    fn each_game_of_a_rated_seek_can_be_rated() {
        let good = rated(&[Game::Zeno, Game::Tavla]);
        assert_eq!(good.check(), Ok(()));
        assert_eq!(SeekTerms { clocks: vec![Clock::None {}, FAST], ..good.clone() }.check(), Ok(()));
        let wrong = [
            (SeekTerms { pairs: false, ..good.clone() }, SeekError::NeverRated(Game::Zeno)),
            (SeekTerms { clocks: vec![Clock::None {}], ..good }, SeekError::NeverRated(Game::Zeno)),
            (SeekTerms { rated: true, ..seek(&[Game::Tavla]) }, SeekError::NeverRated(Game::Tavla)),
        ];
        for (terms, why) in wrong {
            assert_eq!(terms.check(), Err(why), "{terms:?}");
        }
    }

    #[test]
    fn the_older_seek_chooses_among_several() {
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
        assert_eq!(first_common(&older, &newer), Some((Game::Zeno, Length::Points(5), FAST)));
        assert_eq!(first_common(&seek(&[Game::Zeno]), &seek(&[Game::Tavla])), None);
    }

    #[test]
    fn rated_seeks_meet_rated_ones_and_leave_out_what_is_never_rated() {
        let both = rated(&[Game::Zeno, Game::Tavla]);
        assert_eq!(first_common(&both, &both), Some((Game::Zeno, Length::Pair, FAST)));
        let tavla = rated(&[Game::Tavla]);
        assert_eq!(first_common(&tavla, &both), Some((Game::Tavla, Length::SINGLE, FAST)));
        let singles = SeekTerms { pairs: false, ..tavla.clone() };
        assert_eq!(first_common(&both, &singles), Some((Game::Tavla, Length::SINGLE, FAST)));
        let no_clock_first = SeekTerms { clocks: vec![Clock::None {}, FAST], ..tavla.clone() };
        assert_eq!(first_common(&no_clock_first, &no_clock_first), Some((Game::Tavla, Length::SINGLE, FAST)));
        assert_eq!(first_common(&tavla, &SeekTerms { rated: false, ..tavla.clone() }), None);
    }

    #[test]
    fn the_longer_a_rated_seek_waits_the_farther_ratings_may_be_apart() {
        let (older, newer) = (Seeker { since: 1_000, ..seeker_at(1, 1600) }, seeker_at(2, 1450));
        for (now, meet) in [(0, false), (1_000, false), (5_999, false), (6_000, true), (600_000, true)] {
            assert_eq!(older.terms_with(&newer, now).is_some(), meet, "at {now}");
        }
        let unrated =
            |of: &Seeker| Seeker { terms: SeekTerms { rated: false, ..of.terms.clone() }, ..of.clone() };
        assert!(
            unrated(&older).terms_with(&unrated(&newer), 1_000).is_some(),
            "only rated matches ask for it"
        );
        assert!(
            seeker(3, newer.terms.clone()).terms_with(&seeker_at(4, 1600), 0).is_some(),
            "1500 at the start"
        );
    }

    #[test]
    fn each_must_be_within_the_range_of_the_other() {
        let within = |below, above| Some(RatingRange { below, above });
        let meet = |older, newer| {
            let with = |of: Seeker, rating| Seeker { terms: SeekTerms { rating, ..of.terms.clone() }, ..of };
            with(seeker_at(1, 1500), older).terms_with(&with(seeker_at(2, 1580), newer), 0).is_some()
        };
        assert!(meet(None, None));
        assert!(meet(within(0, 80), within(80, 0)));
        assert!(!meet(within(300, 79), None));
        assert!(!meet(None, within(79, 300)));
    }

    #[test]
    fn ratings_that_forbid_one_game_may_allow_another() {
        let mut strong = seeker_at(1, 2500);
        strong.terms.games = vec![Game::Tavla, Game::Tabula];
        let other = seeker(2, strong.terms.clone());
        let game = strong.terms_with(&other, 0).map(|terms| terms.variant.game());
        assert_eq!(game, Some(Game::Tabula), "both are at the start there");
    }

    #[test]
    fn bots_play_those_who_accept_them() {
        let bot = Seeker { is_bot: true, ..seeker(1, seek(&[Game::Zeno])) };
        let person = seeker(2, seek(&[Game::Zeno]));
        assert_eq!(bot.terms_with(&person, 0), None);
        let mut tolerant = person;
        tolerant.terms.bots = true;
        assert!(bot.terms_with(&tolerant, 0).is_some() && tolerant.terms_with(&bot, 0).is_some());
        let other_bot = Seeker { is_bot: true, ..seeker(3, tolerant.terms.clone()) };
        assert_eq!(bot.terms_with(&other_bot, 0), None, "the first does not accept bots");
        assert_eq!(tolerant.terms_with(&tolerant, 0), None, "nobody plays themselves");
    }

    #[test]
    fn the_oldest_that_fits_comes_first_and_the_last_opponent_last() {
        let waiting = [
            seeker(1, seek(&[Game::Tablut])),
            seeker(2, seek(&[Game::Zeno])),
            seeker(3, seek(&[Game::Zeno])),
        ];
        let new = seeker(4, seek(&[Game::Zeno]));
        let place = |of: &[Seeker], last| partner(&new, of, last, 0).map(|(place, _)| place);
        assert_eq!(place(&waiting, None), Some(1));
        assert_eq!(place(&waiting, Some(waiting[1].player)), Some(2));
        assert_eq!(place(&waiting[..2], Some(waiting[1].player)), Some(1), "nobody else waits");
        assert_eq!(place(&waiting[..1], None), None);
    }
}
