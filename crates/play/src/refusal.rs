//! Refusals of commands.

use lusoria_rules::{Family, Game, Illegal, Side};

use crate::{Millis, Seat};

/// The reason that a command was refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The player has no seat.
    #[error("you are not a player of this match")]
    NotAPlayer,
    /// Seat 2 is taken.
    #[error("both seats are taken")]
    Full,
    /// The creator cannot join their own match.
    #[error("you cannot join your own match")]
    OwnMatch,
    /// The match has ended.
    #[error("the match is over")]
    Over,
    /// The match has not ended yet.
    #[error("the match is not over yet")]
    NotOver,
    /// No game is being played (yet).
    #[error("no game is being played yet: {}", if *.waiting_for_seed { "a seed is still to be revealed" } else { "nobody has joined" })]
    NotPlaying {
        /// Whether a seed must still be revealed; otherwise nobody has joined.
        waiting_for_seed: bool,
    },
    /// This seat has no seed to reveal.
    #[error("you have no seed to reveal")]
    NoSeedToReveal,
    /// The seed revealed is not the one committed to.
    #[error("this seed does not have the hash that you gave")]
    SeedMismatch,
    /// It is the other side's turn.
    #[error("it is {} turn", whose(*.game, *.side))]
    NotYourTurn {
        /// The game, which names its sides.
        game: Game,
        /// The side whose turn it is.
        side: Side,
    },
    /// The turn responds to another event than the one that gave the present turn.
    #[error("this turn answers event {given}, but the turn was given by event {expected}")]
    WrongSeq {
        /// The event named.
        given: u32,
        /// The right event.
        expected: u32,
    },
    /// A turn of this seat already responds to that event.
    #[error("event {given} has already been answered, by event {turned}")]
    AlreadyAnswered {
        /// The event named.
        given: u32,
        /// The event of this seat's turn.
        turned: u32,
    },
    /// A step is not legal; none has been played.
    #[error("step {}: {why}", .index + 1)]
    Illegal {
        /// The number of the step, from 0.
        index: usize,
        /// The reason.
        why: Illegal,
    },
    /// The turn is incomplete.
    #[error("the turn is not complete: {left} more dice can be played")]
    Incomplete {
        /// How many dice can still be played (in a tafl game 1, the move).
        left: u8,
    },
    /// An offer is open already, or the seat has made its only one for this turn.
    #[error("this has been offered already; you may offer it once each turn")]
    AlreadyOffered,
    /// There is no offer to answer.
    #[error("there is no offer to answer")]
    NoOffer,
    /// Turns are taken back only by a person, against the computer or a person, in an unrated match of no
    /// tournament.
    #[error(
        "turns are taken back only between persons, or against the computer, in a match that is not rated and of \
         no tournament"
    )]
    NoTakebacks,
    /// The seat has played no turn in this game.
    #[error("you have played no turn of this game that you could take back")]
    NothingToTakeBack,
    /// The turn is not the seat's last one.
    #[error("event {given} is not your last turn: that is event {last}")]
    NotLastTurn {
        /// The event named.
        given: u32,
        /// The right event.
        last: u32,
    },
    /// As many turns were taken back as a match allows.
    #[error("you have taken {} turns of this match back: that is all", crate::Match::TAKEBACKS_MAX)]
    TooManyTakebacks,
    /// Too late to abort.
    #[error("both players have made their first turn: resign instead")]
    TooLateToAbort,
    /// Claims are for games without a clock.
    #[error("this match has a clock: it decides")]
    HasClock,
    /// The opponent is not the one to move.
    #[error("it is your own turn: there is nothing to claim")]
    OwnTurn,
    /// The opponent has not been gone for long enough in their turn.
    #[error("your opponent has not been gone for long enough: {gone_ms} of {needed_ms} ms")]
    NotGone {
        /// How long the opponent has been gone.
        gone_ms: Millis,
        /// How long they must have been gone.
        needed_ms: Millis,
    },
    /// An offer is open already, or the seat's only offer has been declined.
    #[error("a rematch has been offered already")]
    RematchOffered,
    /// The rematch has been created already.
    #[error("the rematch has been made already")]
    RematchMade,
    /// An aborted match has no rematch.
    #[error("an aborted match has no rematch")]
    NoRematch,
    /// The match has changed no rating.
    #[error("the match has changed no rating")]
    NoRating,
    /// Its rating has been taken back already.
    #[error("the rating of the match has been taken back already")]
    RatingTakenBack,
    /// The seat had run out of time before the command came.
    #[error("the time of seat {} had run out", .seat.number())]
    TimeOver {
        /// The seat.
        seat: Seat,
    },
}

impl Refusal {
    /// A stable code, in `snake_case`. For an illegal step it is `illegal_step`; the
    /// rules' own code is in [`Illegal::code`].
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAPlayer => "not_a_player",
            Self::Full => "full",
            Self::OwnMatch => "own_match",
            Self::Over => "match_over",
            Self::NotOver => "match_not_over",
            Self::NotPlaying { waiting_for_seed: true } => "seed_not_revealed",
            Self::NotPlaying { waiting_for_seed: false } => "not_playing",
            Self::NoSeedToReveal => "no_seed_to_reveal",
            Self::SeedMismatch => "seed_mismatch",
            Self::NotYourTurn { .. } => "not_your_turn",
            Self::WrongSeq { .. } => "wrong_seq",
            Self::AlreadyAnswered { .. } => "already_answered",
            Self::Illegal { .. } => "illegal_step",
            Self::Incomplete { .. } => "turn_incomplete",
            Self::AlreadyOffered => "already_offered",
            Self::NoOffer => "no_offer",
            Self::NoTakebacks => "no_takebacks",
            Self::NothingToTakeBack => "nothing_to_take_back",
            Self::NotLastTurn { .. } => "not_last_turn",
            Self::TooManyTakebacks => "too_many_takebacks",
            Self::TooLateToAbort => "too_late_to_abort",
            Self::HasClock => "has_clock",
            Self::OwnTurn => "own_turn",
            Self::NotGone { .. } => "not_gone",
            Self::RematchOffered => "rematch_offered",
            Self::RematchMade => "rematch_made",
            Self::NoRematch => "no_rematch",
            Self::NoRating => "no_rating",
            Self::RatingTakenBack => "rating_taken_back",
            Self::TimeOver { .. } => "time_over",
        }
    }
}

/// The side in the possessive, as the owner of a turn.
const fn whose(game: Game, side: Side) -> &'static str {
    match (game.family(), side) {
        (Family::Tables(_), Side::White) => "White's",
        (Family::Tables(_), Side::Black) => "Black's",
        (Family::Tafl(_), Side::White) => "the defenders'",
        (Family::Tafl(_), Side::Black) => "the attackers'",
    }
}
