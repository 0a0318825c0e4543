//! Tournaments, as they are stored.
//!
//! The store knows no rules of tournaments: their events and cards are JSON that it does not read.

use lusoria_play::{Millis, Player, PlayerId, TournamentId};
use lusoria_rules::Game;

use crate::KeyUse;

/// How many tournaments that have not ended a guest can have organised.
pub const TOURNAMENTS_PER_ORGANISER_MAX: u32 = 10;

/// Where a tournament stands, as lists sort it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentStage {
    /// It has not begun.
    Announced,
    /// It has begun.
    Running,
    /// It has ended.
    Ended,
}

/// An event of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentEvent {
    /// Its number: 1, 2, 3 … without gaps.
    pub seq: u32,
    /// When it happened, never before the event before it.
    pub at: Millis,
    /// What happened, as JSON.
    pub event: String,
}

/// What lists show of a tournament, and when it must be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentListing {
    /// Which game is played.
    pub game: Game,
    /// Where it stands.
    pub stage: TournamentStage,
    /// Whether it is in public lists.
    pub listed: bool,
    /// When it begins or, once it has ended, when that was: lists sort by it.
    pub at: Millis,
    /// What else lists show, as JSON.
    pub card: String,
    /// When it must be woken.
    pub wake_at: Option<Millis>,
}

/// A tournament in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentRow {
    /// Its id.
    pub id: TournamentId,
    /// Who organises it; they may be gone by now.
    pub organiser: PlayerId,
    /// The number of its last event.
    pub head: u32,
    /// What lists show.
    pub listing: TournamentListing,
}

/// A new tournament.
#[derive(Debug, Clone)]
pub struct NewTournament {
    /// Its id.
    pub id: TournamentId,
    /// Who organises it.
    pub organiser: PlayerId,
    /// Its first events, numbered from 1.
    pub events: Vec<TournamentEvent>,
    /// What lists show.
    pub listing: TournamentListing,
    /// The idempotency key to use up. A used one names the tournament as it would a match.
    pub key: Option<KeyUse>,
}

/// What became of a new tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentCreation {
    /// It is there: made now, or by the same request before.
    Created,
    /// The idempotency key has been used.
    KeyUsed,
    /// The organiser is blocked or gone.
    GuestGone,
    /// The organiser has no account.
    NoAccount,
    /// The organiser has [`TOURNAMENTS_PER_ORGANISER_MAX`] already.
    TooMany,
}

/// An append to the events of a tournament.
#[derive(Debug, Clone)]
pub struct TournamentAppend {
    /// Which one.
    pub id: TournamentId,
    /// What its head must be now; the events are numbered from `head + 1`.
    pub head: u32,
    /// The events. Without any, it corrects the listing.
    pub events: Vec<TournamentEvent>,
    /// What lists show now.
    pub listing: TournamentListing,
    /// Who enters: guests with accounts, not blocked.
    pub entered: Vec<PlayerId>,
    /// Who is no entrant any more, as if they had never entered.
    pub left: Vec<PlayerId>,
}

/// What became of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentAppending {
    /// It was written.
    Appended,
    /// The tournament has another head, or there is none.
    MovedOn,
    /// Who enters is blocked or gone, or has no account.
    GuestGone(PlayerId),
}

/// What a match adds to its tournament, in the transaction that creates or ends the match: an event that follows
/// whatever head the tournament has, even if that has ended. The tournament is due from then on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentNote {
    /// The tournament. If there is none, nothing is added.
    pub id: TournamentId,
    /// The event, as JSON. It happens when those of the match do.
    pub event: String,
}

/// Which tournaments to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TournamentFilter {
    /// Public ones. Those that have not begun come in the order in which they begin, others the newest first.
    Listed {
        /// Where they stand.
        stage: TournamentStage,
        /// The game; all if none.
        game: Option<Game>,
    },
    /// Those that a guest organises or has entered, the newest first.
    Of {
        /// The guest.
        guest: PlayerId,
        /// Also those that are not public.
        with_unlisted: bool,
    },
    /// Those that have begun and not ended, and that a guest has entered, the newest first.
    PlayedBy(PlayerId),
    /// All, the newest first.
    All,
}

/// Where a page of tournaments ends: `at` and id of the last one.
pub type TournamentPlace = (Millis, TournamentId);

/// A page of a list of tournaments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentPage {
    /// The rows.
    pub rows: Vec<TournamentRow>,
    /// The next page begins after this place; none on the last page.
    pub next: Option<TournamentPlace>,
}

/// A tournament that must be woken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TournamentDue {
    /// Which one.
    pub id: TournamentId,
    /// When.
    pub at: Millis,
}

/// A guest's name and handle, as lists show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlayer {
    /// Who they are.
    pub player: Player,
    /// The handle of their account; none without one.
    pub handle: Option<String>,
}
