//! The ratings of a match: its result for them, and their changes. How ratings are computed is not known
//! here.

use lusoria_rules::Game;
use serde::{Deserialize, Serialize};

use crate::{BySeat, Event, Length, Match, MatchEnd, Millis, Pace, Recorded, Refusal, Seat, append::Append};

/// A rating as it is shown: whole numbers, of which the exact ones are in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRating {
    /// How strong the player seems: 0 to 4000.
    pub points: u16,
    /// How unsure that is, as the standard deviation in points: 30 to 500.
    pub deviation: u16,
}

impl ShownRating {
    /// The deviation from which a rating says little yet.
    pub const PROVISIONAL_DEVIATION: u16 = 110;

    /// Whether the rating says little yet.
    pub const fn is_provisional(self) -> bool {
        self.deviation >= Self::PROVISIONAL_DEVIATION
    }
}

/// What a rated match did to the rating of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatedSeat {
    /// Which rated match of the player in that game and at that pace it is: 1, 2, 3 … without gaps, in the
    /// order of commits.
    pub number: u32,
    /// The rating before it.
    pub before: ShownRating,
    /// The rating after it.
    pub after: ShownRating,
}

/// Why the rating of a match was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UnratedReason {
    /// A player leaves matches again and again.
    Leaving,
    /// A player had help from a program or another person.
    Help,
    /// Both players are the same person.
    TwoAccounts,
    /// The result was arranged.
    Arranged,
    /// It was rated by mistake.
    Mistake,
}

impl UnratedReason {
    /// All reasons.
    pub const ALL: [Self; 5] = [Self::Leaving, Self::Help, Self::TwoAccounts, Self::Arranged, Self::Mistake];

    /// Its name in every interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leaving => "leaving",
            Self::Help => "help",
            Self::TwoAccounts => "two_accounts",
            Self::Arranged => "arranged",
            Self::Mistake => "mistake",
        }
    }
}

/// The rating changes of a match, as its journal records them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rated {
    /// The number of the constants that were used (docs/ratings.md).
    pub constants: u16,
    /// The change of each seat.
    pub seats: BySeat<RatedSeat>,
    /// The reason why it was taken back, if it was.
    pub taken_back: Option<UnratedReason>,
}

/// The result of a finished match for the ratings of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatingResult {
    /// The game.
    pub game: Game,
    /// The pace of the ratings.
    pub pace: Pace,
    /// When it ended.
    pub ended_at: Millis,
    /// The result.
    pub games: RatedGames,
}

/// The result of a rated match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatedGames {
    /// A single game or a series.
    Match {
        /// The winner; none for a draw.
        winner: Option<Seat>,
        /// The number of points it was played to: 1 to [`Length::POINTS_MAX`].
        points: u16,
        /// Who was White (in a tafl game the king's side), in a single game. In a series both were.
        white: Option<Seat>,
    },
    /// A pair.
    Pair {
        /// Who was White (in a tafl game the king's side) in the first game; in the second it was the other
        /// player.
        white_first: Seat,
        /// The winner of each game; none for a draw.
        winners: [Option<Seat>; 2],
    },
}

/// The result of a game, for ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameOutcome {
    pub(crate) white: Seat,
    pub(crate) winner: Option<Seat>,
}

impl Match {
    /// The result of the match for its players' ratings. None if it changes none: it is not rated, not over,
    /// was aborted, or ended before both had played a turn; or the computer or a single player has both
    /// seats.
    ///
    /// A player who resigned a pair in its first game has lost the second one too.
    pub fn rating_result(&self) -> Option<RatingResult> {
        let winner = match self.end? {
            MatchEnd::Won(winner) => Some(winner),
            MatchEnd::Drawn => None,
            MatchEnd::Aborted(_) => return None,
        };
        let two_players = self.joiner.as_ref()?.id != self.creator.id
            && !Seat::BOTH.into_iter().any(|seat| self.is_computer(seat));
        if !(self.terms.rated && two_players && self.have_turned == BySeat(true, true)) {
            return None;
        }
        let [first, second] = self.outcomes;
        let first = first?;
        let games = match self.terms.length {
            Length::Points(points) => {
                RatedGames::Match { winner, points, white: (points == 1).then_some(first.white) }
            }
            Length::Pair => {
                let winner_of_second = second.map_or(winner, |second| second.winner);
                RatedGames::Pair { white_first: first.white, winners: [first.winner, winner_of_second] }
            }
        };
        let (game, pace) = (self.terms.variant.game(), self.terms.clock.pace());
        Some(RatingResult { game, pace, ended_at: self.ended_at?, games })
    }

    /// The rating changes of the match; none if there are none.
    pub const fn rated(&self) -> Option<&Rated> {
        self.rated.as_ref()
    }

    /// Adds the rating changes to `events`, the append that ended the match.
    ///
    /// # Panics
    /// If `events` is not the append that ended this match, or has the rating changes already.
    pub fn rate(&mut self, events: &mut Vec<Recorded>, constants: u16, seats: BySeat<RatedSeat>) {
        let &Recorded { seq, first, at, .. } = events.last().expect("an append that ends a match has events");
        let recorded = Recorded { seq: seq + 1, first, at, event: Event::Rated { constants, seats } };
        self.fold(&recorded).expect("a match is rated once, when it has ended");
        events.push(recorded);
    }
}

impl Append<'_> {
    /// Takes the rating of the match back.
    pub(crate) fn unrate(&mut self, reason: UnratedReason) -> Result<(), Refusal> {
        match self.state().rated() {
            None => Err(Refusal::NoRating),
            Some(Rated { taken_back: Some(_), .. }) => Err(Refusal::RatingTakenBack),
            Some(Rated { taken_back: None, .. }) => {
                self.emit(Event::Unrated { reason });
                Ok(())
            }
        }
    }
}
