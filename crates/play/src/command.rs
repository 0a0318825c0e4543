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
        /// The seed that they bring; without one the server draws it.
        seed: Option<Seed>,
    },
    /// Reveal the seed whose hash this seat committed to.
    RevealSeed {
        /// The player.
        by: PlayerId,
        /// The seed.
        seed: Seed,
    },
    /// Play a whole turn.
    Turn {
        /// The player.
        by: PlayerId,
        /// The number of the event that gave this turn.
        answers: u32,
        /// The steps, in order.
        steps: Vec<Step>,
        /// The computer's budget and use of it; kept only if the computer has the seat.
        thought: Option<Thought>,
        /// The lag of the player's line in this turn, as the server measured it; 0 if it did not.
        lag_ms: Millis,
    },
    /// Resigns the game, or the whole match.
    Resign {
        /// The player.
        by: PlayerId,
        /// Whether the rest of a series is resigned too.
        whole_match: bool,
    },
    /// Offers a draw of this game: once per turn of the offerer. It lapses when the opponent plays their next
    /// turn.
    OfferDraw {
        /// The player.
        by: PlayerId,
    },
    /// Accepts or declines the opponent's offer of a draw.
    AnswerDraw {
        /// The player.
        by: PlayerId,
        /// Whether they accept.
        accept: bool,
    },
    /// Takes back one's last turn of this game against the computer, or offers it to the opponent: once for
    /// each turn. The offer lapses when anybody plays a turn.
    TakeBack {
        /// The player.
        by: PlayerId,
        /// The number of the event in which the turn was played.
        turned: u32,
    },
    /// Accepts or declines the opponent's offer to take back their last turn.
    AnswerTakeback {
        /// The player.
        by: PlayerId,
        /// The number of the event in which the opponent played the turn.
        turned: u32,
        /// Whether they accept.
        accept: bool,
    },
    /// Ends the match without a result: the creator while nobody has joined, or at any time if the computer
    /// plays in their place; either player until both have played their first turn of the first game.
    Abort {
        /// The player.
        by: PlayerId,
    },
    /// Claims the game because the opponent, whose turn it is, has been gone for
    /// [`crate::Clock::CLAIM_AFTER_MS`] of it (only without a clock). Before both have played their first
    /// turn of the first game a claim aborts the match.
    Claim {
        /// The player.
        by: PlayerId,
        /// How long the opponent has been gone, according to the server.
        gone_ms: Millis,
    },
    /// Offers a rematch with colours changed, once the match has ended.
    OfferRematch {
        /// The player.
        by: PlayerId,
        /// The hash of the seed that they bring to it.
        seed_hash: Option<Bytes32>,
    },
    /// Declines the opponent's offer of a rematch.
    DeclineRematch {
        /// The player.
        by: PlayerId,
    },
    /// Accepts the offer of a rematch: the match `next` has been created from
    /// [`crate::Match::rematch_creation`].
    AcceptRematch {
        /// The player.
        by: PlayerId,
        /// The new match.
        next: MatchId,
    },
    /// Ends the match without a result at any time, for the operator.
    End,
    /// Takes back the match's rating, for the operator.
    Unrate {
        /// The reason.
        reason: UnratedReason,
    },
    /// Records that the server was not running from `from` to `until`.
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
            | Self::AnswerTakeback { by, .. }
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
