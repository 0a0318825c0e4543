//! The types that the store takes and returns.

use std::sync::Arc;

use lusoria_dice::Secret;
use lusoria_play::{
    ApiTokenId, Event, MatchId, Millis, PasskeyId, Player, PlayerId, PlayerKind, Recorded, SeekId, SessionId,
};
use lusoria_rules::Game;
use serde::{Deserialize, Serialize};

use super::{Card, Era, MatchRow, MatchState, Passkey, RatingChange, StoreError, TournamentNote};

/// How many tokens a guest can have, one for each device; a further one replaces the oldest.
pub const TOKENS_PER_GUEST_MAX: u32 = 16;

/// How many API tokens that have not expired an account can have.
pub const API_TOKENS_PER_GUEST_MAX: u32 = 20;

/// How long an API token is kept after it has expired, so that its program learns why it is refused: 30 days.
pub(super) const EXPIRED_KEPT_MS: Millis = 30 * 86_400_000;

/// How long an idempotency key is kept at least: eight days, one more than api.md promises.
pub const KEYS_KEPT_MS: Millis = 8 * 86_400_000;

/// The SHA-256 of a token or code; the token or code itself is never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SecretHash(pub [u8; 32]);

/// A guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Their id.
    pub id: PlayerId,
    /// Their name.
    pub name: String,
    /// A person, a bot or the computer.
    pub kind: PlayerKind,
    /// When they were added.
    pub created_at: Millis,
    /// Since when they are blocked by the operator.
    pub blocked_at: Option<Millis>,
}

/// How a session came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOrigin {
    /// Together with its guest.
    Guest,
    /// With a code from another of their devices.
    DeviceCode,
    /// They signed in to their account with its password.
    Password,
    /// They signed in to their account with a recovery code.
    RecoveryCode,
    /// They signed in to their account with a passkey.
    Passkey,
}

/// A session: a valid token, as its guest may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// When it began.
    pub created_at: Millis,
    /// How it began.
    pub origin: SessionOrigin,
    /// What the client called its device.
    pub device: Option<String>,
    /// When it was last used, as far as is stored; at first when it began.
    pub seen_at: Millis,
}

/// A new session.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its id, which is unique.
    pub id: SessionId,
    /// The hash of its token.
    pub token: SecretHash,
    /// What the client calls its device.
    pub device: Option<String>,
}

/// That somebody neither plays nor talks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    /// Until when; none if for good.
    pub until: Option<Millis>,
    /// What they are told.
    pub words: Option<String>,
}

impl Ban {
    /// Whether it holds at that time.
    pub fn holds(&self, now: Millis) -> bool {
        self.until.is_none_or(|until| until > now)
    }
}

/// The guest and the session that a token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The guest.
    pub guest: Guest,
    /// Their ban, which may have expired.
    pub ban: Option<Ban>,
    /// The session of the token.
    pub session: SessionId,
    /// When the session was last used, as far as is stored.
    pub seen_at: Millis,
}

/// A one-time code for another device.
#[derive(Debug, Clone)]
pub struct DeviceCode {
    /// Its hash.
    pub hash: SecretHash,
    /// The guest who asked for it.
    pub guest: PlayerId,
    /// When it expires.
    pub expires_at: Millis,
}

/// A password as it is stored: an Argon2id hash in PHC format.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// What lets a guest sign in anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Whose it is.
    pub guest: PlayerId,
    /// What they sign in with, as they wrote it.
    pub handle: String,
    /// What this handle and those that look like it have in common; no two accounts share it.
    pub skeleton: String,
    /// Their password; none if they sign in with passkeys alone. Databases keep an empty text for none.
    pub password: Option<PasswordHash>,
    /// How many recovery codes are not spent.
    pub recovery_codes: u32,
    /// When it was opened.
    pub created_at: Millis,
}

/// An account to be opened, with a password, a passkey or both.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Whose it will be.
    pub guest: PlayerId,
    /// The session that asks for it.
    pub by: SessionId,
    /// What they sign in with.
    pub handle: String,
    /// What the handle has in common with those that look like it.
    pub skeleton: String,
    /// The name that the server gave the guest. If they still have it, the handle becomes their name.
    pub default_name: String,
    /// Their password.
    pub password: Option<PasswordHash>,
    /// Their first passkey.
    pub passkey: Option<Passkey>,
    /// Their recovery codes.
    pub recovery_codes: Vec<SecretHash>,
    /// What opens an account where that takes a code.
    pub sign_up_code: Option<SecretHash>,
    /// When.
    pub created_at: Millis,
}

/// What became of an account to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountOpening {
    /// It was opened.
    Opened,
    /// The guest has one already.
    HasAccount,
    /// Another account has this handle, or one that looks like it.
    HandleTaken,
    /// The session that asks has ended, or the guest is blocked.
    SessionEnded,
    /// Nobody may open one now.
    SignUpsClosed,
    /// It takes a code.
    SignUpCodeRequired,
    /// The code was spent, has expired or never was.
    UnknownSignUpCode,
    /// Another account has the passkey.
    PasskeyKnown,
}

/// What became of a password to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordRemoval {
    /// There is none any more.
    Removed,
    /// The account has no passkey to sign in with instead.
    LastWayIn,
    /// The proof no longer holds, or the session has ended.
    NotProven,
}

/// The most recovery codes of an account, with those that an operator adds.
pub const RECOVERY_CODES_MAX: u32 = 16;

/// Who may open an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignUpPolicy {
    /// Everybody.
    Open,
    /// Guests with a code from the operator.
    InviteOnly,
    /// Nobody.
    Closed,
}

/// Who may open an account, and the codes for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SignUps {
    /// Who.
    pub policy: SignUpPolicy,
    /// How many codes are neither spent nor expired.
    pub codes: u64,
}

/// Proof that an account is whose session asks.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Whose account.
    pub guest: PlayerId,
    /// The session that asks.
    pub by: SessionId,
    /// What they have shown. If it has become invalid, nothing changes.
    pub shown: Shown,
}

/// What somebody has shown to prove that an account is theirs.
#[derive(Debug, Clone)]
pub enum Shown {
    /// Its password.
    Password(PasswordHash),
    /// One of its passkeys, whose use is stored.
    Passkey(PasskeyId),
}

/// What lets a program act for an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    /// Its id.
    pub id: ApiTokenId,
    /// What its owner calls it.
    pub name: String,
    /// The names of its scopes, with spaces between them.
    pub scopes: String,
    /// When it was made.
    pub created_at: Millis,
    /// When it expires.
    pub expires_at: Millis,
    /// When it was last used, as far as is stored.
    pub used_at: Option<Millis>,
}

/// An API token to be stored.
#[derive(Debug, Clone)]
pub struct NewApiToken {
    /// Its id, which is unique.
    pub id: ApiTokenId,
    /// The hash of it.
    pub hash: SecretHash,
    /// What its owner calls it.
    pub name: String,
    /// The names of its scopes, with spaces between them.
    pub scopes: String,
    /// Now.
    pub created_at: Millis,
    /// When it expires.
    pub expires_at: Millis,
}

/// What became of an API token to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiTokenAddition {
    /// It was stored.
    Added,
    /// The account has as many as it can have.
    TooMany,
    /// The proof no longer holds, or the session has ended.
    NotProven,
}

/// An API token and its guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiBearer {
    /// The guest.
    pub guest: Guest,
    /// Their ban, which may have expired.
    pub ban: Option<Ban>,
    /// The token.
    pub token: ApiToken,
}

/// What became of an account that declares itself a bot's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotDeclaration {
    /// It is a bot's.
    Declared,
    /// It has matches of a person.
    HasPlayed,
    /// The guest has no account.
    NoAccount,
    /// The session that asks has ended, or the guest is blocked.
    SessionEnded,
}

/// A one-time code for a seat.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// Its hash.
    pub hash: SecretHash,
    /// When it expires.
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
    pub card: Card,
    /// The guest who made it and has the computer play in their place.
    pub made_by: Option<PlayerId>,
    /// When its task must be woken.
    pub deadline: Option<Millis>,
    /// The invitation to it; its hash is unique.
    pub invitation: Option<Invitation>,
    /// The idempotency key to use up.
    pub key: Option<KeyUse>,
    /// What it answers.
    pub answers: Option<Answers>,
}

/// What a new match answers. A live match ends both players' other live seeks and challenges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// Two seeks. They must wait when the match is made, and neither player may have blocked the other.
    Seeks([SeekId; 2]),
    /// The challenge with the id of the match, under the same conditions.
    Challenge,
    /// A pairing of a tournament, to which it adds this.
    Tournament(TournamentNote),
}

/// An append to the journal of a match.
pub struct Append {
    /// Which match.
    pub id: MatchId,
    /// What it must be now; the events are numbered from `head + 1`.
    pub of: Version,
    /// The era that the writer knows.
    pub era: Era,
    /// At least one event; all happened at one time.
    pub events: Arc<[Recorded]>,
    /// What lists show now; game and seat 1 stay what they were, and unless the state or seat 2
    /// changes, the other terms and the players too.
    pub card: Card,
    /// When its task must be woken next.
    pub deadline: Option<Millis>,
    /// The idempotency key to use up.
    pub key: Option<KeyUse>,
    /// The invitation to this match that this append spends; it must not have expired at the
    /// time of the first event.
    pub spends: Option<SecretHash>,
    /// A rematch to store in the same transaction.
    pub create: Option<Box<NewMatch>>,
    /// What the end of the match changes of the ratings of its players. It is a compare-and-set on both: if one of
    /// them was written since it was read, the append is refused as [`AppendError::Conflict`](crate::AppendError).
    pub rates: Option<Box<RatingChange>>,
    /// Whether it takes back what the match changed of ratings: its changes are marked, and those of its game and pace
    /// are stale until they are replaced.
    pub unrates: bool,
    /// What the end of the match adds to its tournament.
    pub tournament: Option<TournamentNote>,
}

/// What a writer must know of a match to change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    /// The number of its last event.
    pub head: u32,
    /// How often its events were rewritten to remove a name.
    pub edition: u32,
}

/// The end of a match's journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// What it is now.
    pub version: Version,
    /// When its task must be woken.
    pub deadline: Option<Millis>,
}

/// A part of a match's journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    /// The edition of these events; 0 if there is no such match.
    pub edition: u32,
    /// The events.
    pub events: Vec<Recorded>,
}

/// A match whose deadline has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Which match.
    pub id: MatchId,
    /// Its deadline.
    pub at: Millis,
}

/// The computer's analysis of a match that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnalysis {
    /// The engine and its edition: another one would value turns differently.
    pub engine: String,
    /// The games, as JSON.
    pub body: String,
}

/// An idempotency key with the request it stands for.
#[derive(Debug, Clone)]
pub struct KeyUse {
    /// The guest whose key it is.
    pub guest: PlayerId,
    /// The key, 1–64 characters.
    pub key: String,
    /// A digest of the request, to tell a repetition from a reuse.
    pub digest: [u8; 32],
    /// When it was used.
    pub at: Millis,
}

/// What a key was used for: the response is rebuilt from the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedKey {
    /// The digest of the request.
    pub digest: [u8; 32],
    /// The match that it made or changed, or the tournament that it made.
    pub id: MatchId,
    /// The first event of its append.
    pub first: u32,
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
        /// The player.
        player: PlayerId,
        /// The state; all if none.
        state: Option<MatchState>,
    },
    /// Those that a player has played or plays, as somebody may see them.
    Played(Played),
}

/// Which matches of a player to list: those whose two seats are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The player.
    pub player: PlayerId,
    /// Who else has a seat; anybody if none.
    pub opponent: Option<PlayerId>,
    /// The game; all if none.
    pub game: Option<Game>,
    /// Who looks: they see their own matches, and those that are listed. Only the latter if none.
    pub viewer: Option<PlayerId>,
    /// Made at this time or later.
    pub from: Option<Millis>,
    /// Made before this time.
    pub until: Option<Millis>,
}

/// Which accounts to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountFilter {
    /// Those that were opened at this time or later, the newest first.
    Since(Millis),
    /// Those whose handle begins so, in capital or small letters, in the order of the handles.
    Starting(String),
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The rows.
    pub rows: Vec<MatchRow>,
    /// The next page begins after this match; none on the last page.
    pub next: Option<MatchId>,
}

/// The number of the last of the events that follow number `head`.
///
/// # Errors
/// If there are none, they are not numbered `head + 1`, `head + 2` … as one append, or did not happen
/// at one time.
pub(super) fn last_number(head: u32, events: &[Recorded]) -> Result<u32, StoreError> {
    let is_next = |(n, event): (u32, &Recorded)| {
        event.seq == head + n && event.first == head + 1 && event.at == events[0].at
    };
    match events.last() {
        Some(last) if (1..).zip(events).all(is_next) => Ok(last.seq),
        _ => Err(StoreError::Failed(format!("the events of an append do not follow number {head}"))),
    }
}

/// The guests who join or make a match by these events. The transaction that writes them refuses
/// a guest who was blocked or deleted meanwhile. A guest who offers or declines a rematch counts
/// too: those events name only the seat, so the guest is taken from the idempotency key.
pub(super) fn guests_named_by(events: &[Recorded], key: Option<&KeyUse>) -> impl Iterator<Item = PlayerId> {
    let is_of_rematch = |recorded: &Recorded| {
        matches!(recorded.event, Event::RematchOffered { .. } | Event::RematchDeclined { .. })
    };
    let who_asks = key.filter(|_| events.iter().any(is_of_rematch)).map(|key| key.guest);
    let named = events.iter().flat_map(|recorded| recorded.event.players());
    let is_guest = |player: &&Player| !matches!(player.kind, PlayerKind::Computer(_));
    named.filter(is_guest).map(|player| player.id).chain(who_asks)
}

/// Counts of everything.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// People.
    pub people: u64,
    /// Bots.
    pub bots: u64,
    /// People and bots that are blocked.
    pub blocked: u64,
    /// Matches of each game in each state, without zeros, sorted by the name of the game.
    pub matches: Vec<MatchesOfGame>,
    /// The length of the database without its WAL, in bytes; 0 for one in memory.
    pub bytes: u64,
    /// What is new, in the order of the request.
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
    /// Open: seat 2 is free.
    pub open: u32,
    /// Live: being played.
    pub live: u32,
}
