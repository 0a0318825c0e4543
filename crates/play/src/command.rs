//! The commands to a match.

use lusoria_rules::Step;

use crate::{Bytes32, MatchId, Millis, Player, PlayerId, Seed, Thought, UnratedReason};

/// A command. `by` is the player who gives it; the match knows their seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Take seat 2.
    Join {
        /// The player who joins.
        player: Player,
        /// The seed that they bring; the server draws one if none.
        seed: Option<Seed>,
    },
    /// Reveal the seed whose hash this seat committed to.
    RevealSeed {
        /// Who.
        by: PlayerId,
        /// The seed.
        seed: Seed,
    },
    /// Play a whole turn.
    Turn {
        /// Who.
        by: PlayerId,
        /// The number of the event that gave this turn.
        answers: u32,
        /// The steps, in order.
        steps: Vec<Step>,
        /// What the computer spent on it; kept only if the computer has the seat.
        thought: Option<Thought>,
        /// How long the line to the player took in this turn, as the server measured it; 0 if it did not.
        lag_ms: Millis,
    },
    /// Give up the game, or all of the match.
    Resign {
        /// Who.
        by: PlayerId,
        /// Whether the rest of a series is given up too.
        whole_match: bool,
    },
    /// Offer a draw of this game: once per turn of the offerer; it lapses when the
    /// opponent plays their next turn.
    OfferDraw {
        /// Who.
        by: PlayerId,
    },
    /// Accept or decline the opponent's offer of a draw.
    AnswerDraw {
        /// Who.
        by: PlayerId,
        /// Whether they accept.
        accept: bool,
    },
    /// Take one's last turn of this game back, against the computer.
    TakeBack {
        /// Who.
        by: PlayerId,
        /// The number of the event in which the turn was played.
        turned: u32,
    },
    /// End the match without a result: the creator while nobody has joined, or at any
    /// time if the computer plays in their place; either player until both have made their first turn of
    /// the first game.
    Abort {
        /// Who.
        by: PlayerId,
    },
    /// Claim the game because the opponent, whose turn it is, has been gone for
    /// [`crate::Clock::CLAIM_AFTER_MS`] of it (no clock only). Before both have made
    /// their first turn of the first game a claim aborts the match.
    Claim {
        /// Who.
        by: PlayerId,
        /// How long the opponent has been gone, as the server has seen it.
        gone_ms: Millis,
    },
    /// Offer to play again with colours changed, once the match has ended.
    OfferRematch {
        /// Who.
        by: PlayerId,
        /// The hash of the seed that they bring to it.
        seed_hash: Option<Bytes32>,
    },
    /// Decline the opponent's offer to play again.
    DeclineRematch {
        /// Who.
        by: PlayerId,
    },
    /// Accept it: the match `next` has been made from [`crate::Match::rematch_creation`].
    AcceptRematch {
        /// Who.
        by: PlayerId,
        /// The new match.
        next: MatchId,
    },
    /// End the match without a result at any time: for the server's operator.
    End,
    /// Take the rating of the match back: for the server's operator.
    Unrate {
        /// Why.
        reason: UnratedReason,
    },
    /// Note that the server was not running from `from` to `until`.
    Credit {
        /// The last moment at which it was known to run.
        from: Millis,
        /// When it started again.
        until: Millis,
    },
}

impl Command {
    /// The player who gives the command, if they must be a player of the match already.
    pub const fn by(&self) -> Option<PlayerId> {
        match self {
            Self::Join { .. } | Self::End | Self::Unrate { .. } | Self::Credit { .. } => None,
            Self::RevealSeed { by, .. }
            | Self::Turn { by, .. }
            | Self::Resign { by, .. }
            | Self::OfferDraw { by }
            | Self::AnswerDraw { by, .. }
            | Self::TakeBack { by, .. }
            | Self::Abort { by }
            | Self::Claim { by, .. }
            | Self::OfferRematch { by, .. }
            | Self::DeclineRematch { by }
            | Self::AcceptRematch { by, .. } => Some(*by),
        }
    }
}

/// The seed that a seat brings to a new match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedBrought {
    /// None: the server draws one.
    Nothing,
    /// Its hash; the seed is revealed later.
    Hash(Bytes32),
}
