//! What somebody may ask of a tournament. Who may ask is the caller's to check.

use lusoria_play::{Bytes32, Millis, PlayerId};

use crate::{EndedWhy, Entrant, ExcludedBy, PairingNo, Settings};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Change the settings.
    Edit(Box<Settings>),
    /// Replace texts that offend. Those that are left out stay. Also after the end.
    ReplaceTexts {
        /// The new name.
        name: Option<String>,
        /// The new description.
        description: Option<String>,
    },
    /// Enter.
    Enter(Candidate),
    /// "I am at the board, ready to play."
    Here(PlayerId),
    /// Do not pair me until I am here again.
    Pause(PlayerId),
    /// Leave for good. A running match is resigned.
    Withdraw(PlayerId),
    /// Ask for a bye of half a point.
    AskBye {
        /// The entrant.
        player: PlayerId,
        /// The round.
        round: u16,
    },
    /// Exclude an entrant. A running match is resigned.
    Exclude {
        /// The entrant.
        player: PlayerId,
        /// Who excludes them.
        by: ExcludedBy,
        /// The reason, for all to read.
        reason: Option<String>,
    },
    /// Start now.
    Start,
    /// Stop: pair nothing, let no deadline pass.
    Stop {
        /// The reason, for all to read.
        reason: String,
    },
    /// Go on.
    Resume,
    /// Close the round: forfeit what is not played. Only if nothing is being played.
    NextRound,
    /// Pair the next round of a Swiss by hand: (plays White, plays Black), the first board first.
    Pair(Vec<(Entrant, Entrant)>),
    /// Decide a pairing.
    SetResult {
        /// The pairing.
        pairing: PairingNo,
        /// The half points of its first and second entrant: together at most 2.
        half_points: [u8; 2],
        /// The reason, for all to read.
        reason: String,
    },
    /// End it.
    End {
        /// [`EndedWhy::Organiser`] or [`EndedWhy::Operator`].
        why: EndedWhy,
        /// The reason, for all to read.
        reason: String,
    },
    /// The server was not running for so long: every open deadline moves.
    Credit {
        /// By how much.
        by_ms: Millis,
    },
}

/// Who wants to enter, with what the conditions ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The player.
    pub player: PlayerId,
    /// The rating that is shown for them in this game at this pace.
    pub rating: u16,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// How many rated matches of this game and pace they have ended.
    pub rated_matches: u32,
    /// How old their account is.
    pub account_age_ms: Millis,
    /// SHA-256 of the code that they gave.
    pub code: Option<Bytes32>,
}
