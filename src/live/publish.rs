//! What is published, serialised once and shared by all readers.

use bytes::Bytes;
use lusoria_play::{Match, MatchId, PlayerId, Recorded, Seat};
use lusoria_rules::{Position, Step};

use lusoria_store::MatchRow;

/// How events and notices look on the wire. The live side does not know: it is told
/// once, at the start, and serialises each event once for all readers.
pub trait Render: Send + Sync + 'static {
    /// An event as one line of JSON.
    fn event(&self, of: &Match, recorded: &Recorded) -> Bytes;
    /// A notice as one line of JSON.
    fn notice(&self, notice: &Notice) -> Bytes;
}

/// An event that has been committed, as every reader gets it.
#[derive(Debug, Clone)]
pub struct Published {
    /// Its number.
    pub seq: u32,
    /// One line of JSON, without the line's end.
    pub text: Bytes,
}

impl Published {
    /// Events of a match, as every reader gets them.
    pub(super) fn all<'a>(
        of: &Match,
        events: impl IntoIterator<Item = &'a Recorded>,
        render: &dyn Render,
    ) -> Vec<Self> {
        let published = |recorded: &Recorded| Self { seq: recorded.seq, text: render.event(of, recorded) };
        events.into_iter().map(published).collect()
    }
}

/// Something that need not last. Nothing depends on having seen one.
#[derive(Debug, Clone)]
pub enum Notice {
    /// A player of the match came or left.
    Presence {
        /// The match.
        id: MatchId,
        /// The seat.
        seat: Seat,
        /// Whether the player is connected now.
        connected: bool,
    },
    /// The steps of a turn that is being built.
    Building {
        /// The match.
        id: MatchId,
        /// Who builds.
        seat: Seat,
        /// The event that gave the turn.
        answers: u32,
        /// The steps so far.
        steps: Vec<Step>,
        /// The position after them.
        position: Position,
    },
    /// To a player: a match waits for them.
    YourTurn {
        /// Who.
        player: PlayerId,
        /// The match.
        row: MatchRow,
    },
    /// To a player: something happened in one of their matches (it started, ended, an
    /// offer was made) that does not make it their turn.
    MatchChanged {
        /// Who.
        player: PlayerId,
        /// The match.
        row: MatchRow,
    },
    /// In the lobby: a match waits for somebody to join.
    Opened {
        /// The match.
        row: MatchRow,
    },
    /// In the lobby: a match no longer waits.
    Closed {
        /// The match.
        id: MatchId,
    },
}
