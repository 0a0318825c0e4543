//! Published events and notices, serialised once and shared by all readers.

use std::sync::OnceLock;

use bytes::Bytes;
use lusoria_play::{Event, Match, MatchId, PlayerId, Recorded, Seat, TournamentId};
use lusoria_rules::{Position, Step};

use lusoria_store::{MatchRow, NamedChallenge, Seek};

use super::TournamentCall;

/// Serialises events and notices for the wire. The live layer does not know the format: it is given this at
/// the start, and serialises each event once for all readers.
pub trait Render: Send + Sync + 'static {
    /// An event as one line of JSON.
    fn event(&self, of: &Match, recorded: &Recorded) -> Bytes;
    /// The line of a turn without the position after it.
    fn without_position(&self, turn: &Bytes) -> Bytes;
    /// A notice as one line of JSON.
    fn notice(&self, notice: &Notice) -> Bytes;
}

/// Whether a reader gets the position after each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// They are sent.
    Sent,
    /// They are left out; the reader computes them.
    LeftOut,
}

impl Positions {
    /// From the field of a request: `positions: false` leaves them out.
    pub const fn asked(positions: bool) -> Self {
        if positions { Self::Sent } else { Self::LeftOut }
    }
}

/// An event that has been committed, as every reader gets it.
#[derive(Debug, Clone)]
pub struct Published {
    /// Its number.
    pub seq: u32,
    /// Whether it is a turn: only turns have a position to leave out.
    is_turn: bool,
    /// One line of JSON, without the newline.
    pub text: Bytes,
}

impl Published {
    /// Events of a match, as every reader gets them.
    pub(super) fn all<'a>(
        of: &Match,
        events: impl IntoIterator<Item = &'a Recorded>,
        render: &dyn Render,
    ) -> Vec<Self> {
        let published = |recorded: &Recorded| Self {
            seq: recorded.seq,
            is_turn: matches!(recorded.event, Event::Turned { .. }),
            text: render.event(of, recorded),
        };
        events.into_iter().map(published).collect()
    }

    /// The event as it is sent to readers with or without positions.
    pub(super) fn with(self, positions: Positions, render: &dyn Render) -> Self {
        match positions {
            Positions::LeftOut if self.is_turn => Self { text: render.without_position(&self.text), ..self },
            Positions::LeftOut | Positions::Sent => self,
        }
    }
}

/// A recent event, in memory for all readers.
pub(super) struct Recent {
    published: Published,
    /// The line without the position, made for the first reader who wants it. Boxed, since most events never
    /// need it.
    lean: OnceLock<Box<Bytes>>,
}

impl From<Published> for Recent {
    fn from(published: Published) -> Self {
        Self { published, lean: OnceLock::new() }
    }
}

impl Recent {
    /// The number of the event.
    pub(super) const fn seq(&self) -> u32 {
        self.published.seq
    }

    /// The event as it is sent to readers with or without positions.
    pub(super) fn with(&self, positions: Positions, render: &dyn Render) -> Published {
        let published = self.published.clone();
        match positions {
            Positions::LeftOut if published.is_turn => {
                let lean = self.lean.get_or_init(|| Box::new(render.without_position(&published.text)));
                Published { text: Bytes::clone(lean), ..published }
            }
            Positions::LeftOut | Positions::Sent => published,
        }
    }
}

/// A message that is not stored. Nothing depends on receiving it.
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
    /// The number of spectators has changed.
    Spectators {
        /// The match.
        id: MatchId,
        /// The number.
        count: u32,
    },
    /// The steps of a turn that is being built.
    Building {
        /// The match.
        id: MatchId,
        /// The seat of the player who builds it.
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
        /// The player.
        player: PlayerId,
        /// The match.
        row: MatchRow,
    },
    /// To a player: an event in one of their matches that does not make it their turn: it started or ended,
    /// an offer was made, or their turn in a correspondence match was played.
    MatchChanged {
        /// The player.
        player: PlayerId,
        /// The match.
        row: MatchRow,
    },
    /// To followers of a tournament: it has changed.
    TournamentChanged {
        /// The tournament.
        id: TournamentId,
        /// The number of its last event.
        head: u32,
    },
    /// To a player: a tournament needs them.
    TournamentCall(Box<TournamentCall>),
    /// To a player: a tournament in which they played has ended.
    TournamentEnded {
        /// The tournament.
        id: TournamentId,
        /// Its name.
        name: String,
    },
    /// In the lobby: a match is open.
    Opened {
        /// The match.
        row: MatchRow,
    },
    /// In the lobby: a match is no longer open.
    Closed {
        /// The match.
        id: MatchId,
    },
    /// A seek of a player was answered.
    Seek(Seek),
    /// The new state of a challenge that a player made or received.
    Challenge(NamedChallenge),
}
