//! What the store takes and gives.

use lusoria_dice::Secret;
use lusoria_play::{Event, MatchId, Millis, Player, PlayerId, PlayerKind, Recorded};
use lusoria_rules::Game;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StoreError;

/// How many tokens a guest can have, one for each device; a further one takes the place
/// of his oldest.
pub const TOKENS_PER_GUEST_MAX: u32 = 16;

/// How long an idempotency key is kept at least: a day.
pub const KEYS_KEPT_MS: Millis = 8 * 86_400_000;

/// The SHA-256 of a token or code; the thing itself is never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SecretHash(pub [u8; 32]);

/// A guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Who.
    pub id: PlayerId,
    /// What he is called.
    pub name: String,
    /// What he is.
    pub kind: PlayerKind,
    /// When he came.
    pub created_at: Millis,
    /// Since when whoever runs the server lets him do nothing any more.
    pub blocked_at: Option<Millis>,
}

/// The id of a session: a name for a token that is no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub Uuid);

/// How a session came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOrigin {
    /// Together with its guest.
    Guest,
    /// By a code from another device of his.
    DeviceCode,
}

/// A session: a token that is good, as its guest may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Which.
    pub id: SessionId,
    /// When it began.
    pub created_at: Millis,
    /// How.
    pub origin: SessionOrigin,
    /// What the client called its device.
    pub device: Option<String>,
    /// When it was last noted to be used; at first when it began.
    pub seen_at: Millis,
}

/// A session that begins.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its id, that of no other.
    pub id: SessionId,
    /// The hash of its token.
    pub token: SecretHash,
    /// What the client calls its device.
    pub device: Option<String>,
}

/// Whoever bears a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// Who he is.
    pub guest: Guest,
    /// The session of the token.
    pub session: SessionId,
    /// When it was last noted to be used.
    pub seen_at: Millis,
}

/// A one-time code for another device.
#[derive(Debug, Clone)]
pub struct DeviceCode {
    /// Its hash.
    pub hash: SecretHash,
    /// Whose.
    pub guest: PlayerId,
    /// When it is no longer good.
    pub expires_at: Millis,
}

/// A one-time code for a seat.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// Its hash.
    pub hash: SecretHash,
    /// When it is no longer good.
    pub expires_at: Millis,
}

/// A new match.
pub struct NewMatch {
    /// Its id.
    pub id: MatchId,
    /// Its first events, numbered from 1.
    pub events: Vec<Recorded>,
    /// `s[1024]`.
    pub secret: Secret,
    /// What lists show.
    pub summary: Summary,
    /// Who made it and has the computer sit in his place.
    pub made_by: Option<PlayerId>,
    /// When it must be woken.
    pub deadline: Option<Millis>,
    /// The invitation to it; its hash is that of no other invitation.
    pub invitation: Option<Invitation>,
    /// The idempotency key to use up.
    pub key: Option<KeyUse>,
}

/// An append to the journal of a match.
pub struct Append {
    /// Which match.
    pub id: MatchId,
    /// The head it must have now; the events are numbered from `head + 1`.
    pub head: u32,
    /// At least one event.
    pub events: Vec<Recorded>,
    /// What lists show now; game and seat 1 stay what they were.
    pub summary: Summary,
    /// When it must be woken now.
    pub deadline: Option<Millis>,
    /// The idempotency key to use up.
    pub key: Option<KeyUse>,
    /// The invitation to this match that this append spends; it must be good at the
    /// time of the first event.
    pub spends: Option<SecretHash>,
    /// A rematch to store in the same transaction.
    pub create: Option<Box<NewMatch>>,
}

/// Where a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of its last event.
    pub seq: u32,
    /// When it must be woken.
    pub deadline: Option<Millis>,
}

/// What the computer thinks of a match that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnalysis {
    /// What has thought it: another one would think otherwise.
    pub engine: String,
    /// The games, as JSON.
    pub body: String,
}

/// An idempotency key with the request it stands for.
#[derive(Debug, Clone)]
pub struct KeyUse {
    /// Whose key.
    pub guest: PlayerId,
    /// The key, 1–64 characters.
    pub key: String,
    /// A digest of the request, to tell a repetition from a reuse.
    pub digest: [u8; 32],
    /// When.
    pub at: Millis,
}

/// What a key was used for: the answer is rebuilt from the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedKey {
    /// The digest of the request.
    pub digest: [u8; 32],
    /// The match that it made or changed.
    pub id: MatchId,
    /// The first event of its append.
    pub first: u32,
}

/// What lists show of a match, kept in its row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The game.
    pub game: Game,
    /// Where it stands.
    pub state: MatchState,
    /// Whether it appears in public lists.
    pub listed: bool,
    /// Seat 1.
    pub seat1: PlayerId,
    /// Seat 2, once taken.
    pub seat2: Option<PlayerId>,
    /// The player whose action the match waits for.
    pub waits_for: Option<PlayerId>,
    /// Names, score, clock and the like: JSON text that the store does not read.
    pub card: String,
}

/// Where a match stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchState {
    /// Waits for somebody to take seat 2.
    Open,
    /// Both seats are taken; it is played.
    Live,
    /// Ended.
    Finished,
}

/// A match in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRow {
    /// Which.
    pub id: MatchId,
    /// The number of its last event.
    pub head: u32,
    /// When it last changed.
    pub updated_at: Millis,
    /// What lists show.
    pub summary: Summary,
}

/// Which matches to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchFilter {
    /// Public ones in a state, of one game or all.
    Listed {
        /// The state.
        state: MatchState,
        /// The game; all if none.
        game: Option<Game>,
    },
    /// Those in which a player has a seat.
    Of {
        /// Who.
        player: PlayerId,
        /// The state; all if none.
        state: Option<MatchState>,
    },
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The rows.
    pub rows: Vec<MatchRow>,
    /// The next page begins after this match; none on the last page.
    pub next: Option<MatchId>,
}

impl Page {
    /// The page of at most `limit` rows, and where the next one begins if `rows`, of
    /// which one more was looked for, do not fit.
    pub(super) fn cut(mut rows: Vec<MatchRow>, limit: u32) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| row.id);
        Self { rows, next }
    }
}

/// The number of the last of the events that follow number `head`.
///
/// # Errors
/// If there are none, or they are not numbered `head + 1`, `head + 2` … as one append.
pub(super) fn last_number(head: u32, events: &[Recorded]) -> Result<u32, StoreError> {
    let in_order = (1..).zip(events).all(|(n, event)| event.seq == head + n && event.first == head + 1);
    match events.last() {
        Some(last) if in_order => Ok(last.seq),
        _ => Err(StoreError::Failed(format!("the events of an append do not follow number {head}"))),
    }
}

/// The guests whom events name as who sits down or makes a match: who is blocked or forgotten
/// while he asks for it is refused where it is written. So is he who offers or declines a rematch
/// by a key: that is all that he can still want of matches which are over, and events name his seat
/// alone.
pub(super) fn guests_named_by(events: &[Recorded], key: Option<&KeyUse>) -> impl Iterator<Item = PlayerId> {
    let is_of_rematch = |recorded: &Recorded| {
        matches!(recorded.event, Event::RematchOffered { .. } | Event::RematchDeclined { .. })
    };
    let who_asks = key.filter(|_| events.iter().any(is_of_rematch)).map(|key| key.guest);
    let named = events.iter().flat_map(|recorded| match &recorded.event {
        Event::Created { creator, made_by, .. } => [Some(creator), made_by.as_ref()],
        Event::Joined { player, .. } => [Some(player), None],
        Event::SeedRevealed { .. }
        | Event::GameStarted { .. }
        | Event::OpeningThrown { .. }
        | Event::Thrown { .. }
        | Event::Turned { .. }
        | Event::Passed { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::GameEnded { .. }
        | Event::MatchEnded { .. }
        | Event::RematchOffered { .. }
        | Event::RematchDeclined { .. }
        | Event::RematchAgreed { .. }
        | Event::Credited { .. } => [None, None],
    });
    let is_guest = |player: &&Player| !matches!(player.kind, PlayerKind::Computer(_));
    named.flatten().filter(is_guest).map(|player| player.id).chain(who_asks)
}

/// A time during which the server was not running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// The last moment at which it was known to run.
    pub from: Millis,
    /// When it started again.
    pub until: Millis,
}

/// How much there is of everything.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// People.
    pub people: u64,
    /// Bots.
    pub bots: u64,
    /// People and bots that are blocked.
    pub blocked: u64,
    /// Matches of each game in each state of which there are any, by the name of the game.
    pub matches: Vec<MatchesOfGame>,
    /// The length of the database without its WAL, in bytes; 0 for one in memory.
    pub bytes: u64,
    /// What is new, in the order that was asked for.
    pub recent: Vec<Recent>,
}

/// The matches of a game in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchesOfGame {
    /// The game.
    pub game: Game,
    /// The state.
    pub state: MatchState,
    /// How many.
    pub matches: u64,
    /// Their events.
    pub events: u64,
}

/// What is newer than some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recent {
    /// Since when.
    pub since: Millis,
    /// Guests that came.
    pub guests: u64,
    /// Matches that were made.
    pub made: u64,
    /// Matches in which something happened.
    pub touched: u64,
}

/// How many matches have not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfinished {
    /// They wait for somebody to join.
    pub open: u32,
    /// They are being played.
    pub live: u32,
}
