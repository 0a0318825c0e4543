//! What lasts: the journal of every match, guests and their tokens, invitations,
//! idempotency keys, outages.
//!
//! [`Store`] is the seam: [`sqlite`] keeps it in one file, [`memory`] in the process
//! for tests under virtual time; one conformance suite holds for both.
//! The store knows nothing of sockets, tasks or wire types.

mod error;
pub mod memory;
mod model;
pub mod sqlite;

pub use error::{AppendError, StoreError};
pub use model::{
    Append, Bearer, DeviceCode, Guest, Head, Invitation, KEYS_KEPT_MS, KeptAnalysis, KeyUse, MatchFilter,
    MatchRow, MatchState, MatchesOfGame, NewMatch, NewSession, Outage, Page, Recent, SecretHash, Session,
    SessionId, SessionOrigin, Statistics, Summary, TOKENS_PER_GUEST_MAX, Unfinished, UsedKey,
};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use uuid::Uuid;

/// A future that a store answers with.
pub type StoreFuture<'a, T, E = StoreError> = BoxFuture<'a, Result<T, E>>;

/// Everything that the server keeps.
///
/// Every write has committed durably when its future answers `Ok`. Reads see
/// every write that was answered before they began. A write whose future is dropped
/// may be made all the same.
pub trait Store: Send + Sync + 'static {
    /// Which history the journals tell. It is another one once a backup has been put in
    /// their place: then events may be gone that clients know.
    fn history(&self) -> Uuid;

    /// At most how many commits were missing when the store was opened that clients may have been
    /// told of. If any were, another history began.
    fn lost_commits(&self) -> u64;

    /// Whether writes are refused now because the disk has no room.
    fn is_full(&self) -> bool;

    // --- the journal ---------------------------------------------------------

    /// Stores a new match with its first events, its secret `s[1024]` and its invitation. Who
    /// sits in it or makes it must be a guest, and not blocked, when it is written.
    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError>;

    /// Appends events to a match: a compare-and-set on its head. With
    /// [`Append::create`] the rematch is stored in the same transaction. Who sits down by it
    /// must be a guest, and not blocked, when it is written.
    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError>;

    /// Corrects the deadline of a match whose head is `head`, without an event.
    fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()>;

    /// The head of a match; none if there is no such match.
    fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>>;

    /// At most `limit` events with numbers greater than `since`, in order.
    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Vec<Recorded>>;

    /// The secret `s[1024]` of a match.
    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>>;

    /// Matches whose deadline is at or before `now`, the earliest first.
    fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>>;

    /// The earliest deadline of all matches.
    fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>>;

    // --- lists ---------------------------------------------------------------

    /// A page of at most `limit` matches (at least 1) after `after`, the newest first
    /// (ids of version 7 sort by time).
    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page>;

    /// How many matches a guest has made that have not ended: the limit on creating.
    fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32>;

    /// How many matches that have not ended the computer plays against a guest, or in his
    /// place: the limit on having it play.
    fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32>;

    /// How many matches that have not ended the computer plays against itself: the limit on
    /// those of all guests.
    fn unfinished_against_itself(&self) -> StoreFuture<'_, u32>;

    /// How many matches have not ended.
    fn unfinished(&self) -> StoreFuture<'_, Unfinished>;

    /// The match row of one match.
    fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>>;

    // --- guests --------------------------------------------------------------

    /// Stores a new guest with his first session.
    fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()>;

    /// Who bears a token.
    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>>;

    /// The guest with that id.
    fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>>;

    /// Renames a guest. False if there is none.
    fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool>;

    /// Keeps a one-time code with which the guest moves to another device, asked for in the
    /// session `by`; an earlier one of his is forgotten. False, and nothing changes, if he
    /// has no such session any more or is blocked.
    fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool>;

    /// Spends a device code that has not expired by `now` and stores the new session in
    /// the same transaction; none if there is no such code. Of too many sessions the
    /// guest's oldest is forgotten ([`TOKENS_PER_GUEST_MAX`]). If the guest is blocked,
    /// nothing changes.
    fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>>;

    /// The sessions of a guest, the newest first.
    fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>>;

    /// Ends a session of a guest, as the session `by` asks: its token is nobody's. False if
    /// he has none with that id. If it is another session, his device code, which that one
    /// may have made, is forgotten too; one that ends itself may leave a code to come back by.
    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool>;

    /// Ends all sessions of a guest but `kept`, and forgets his device code; how many
    /// sessions there were.
    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64>;

    /// Notes when sessions were used, if that is later than what was noted before. Sessions
    /// that have ended are passed over.
    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()>;

    // --- invitations ---------------------------------------------------------

    /// The match of an invitation that was neither spent nor withdrawn and has not expired by `now`.
    fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>>;

    /// Replaces the invitation of a match; `None` withdraws it. False if there is no such match.
    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool>;

    // --- idempotency ---------------------------------------------------------

    /// What a key was used for. A key is known until it is swept, [`KEYS_KEPT_MS`] after
    /// its use at the earliest.
    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>>;

    // --- analyses ------------------------------------------------------------

    /// Keeps what the computer thinks of a match, in place of what it thought before. False
    /// if there is no such match.
    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool>;

    /// What the computer thinks of a match; none if nothing is kept.
    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>>;

    // --- operating -----------------------------------------------------------

    /// At most `limit` guests that are called exactly so, the newest first.
    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>>;

    /// Notes since when a guest is blocked, or that he is not; the device code of one who is
    /// blocked is forgotten. False if there is none.
    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool>;

    /// Forgets a guest with his tokens, his code and his keys. False if there is none. What
    /// he played stays.
    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool>;

    /// At most `limit` matches after `after`, in the order of their ids, in which a guest has a
    /// seat or which he made, whatever state they are in.
    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>>;

    /// Replaces events of a match whose head is `head` by others of the same numbers, and what
    /// lists show of it. Only to take a person's name out of them. False if the head is another.
    fn rewrite(&self, id: MatchId, head: u32, events: Vec<Recorded>, card: String) -> StoreFuture<'_, bool>;

    /// Leaves nothing of what was replaced or forgotten before in anything that the store keeps.
    /// False if somebody still reads what was there: try again.
    fn erase_remains(&self) -> StoreFuture<'_, bool>;

    /// At most `limit` matches after `after`, in the order of their ids, that have not ended and
    /// have not changed since `before`.
    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchRow>>;

    /// Forgets a match that has ended and whose head is `head`, with all that belongs to it.
    /// False if there is none.
    fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool>;

    /// How much there is of everything, and how much of it is newer than each of `since`.
    fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics>;

    // --- being alive ---------------------------------------------------------

    /// When the server was last noted alive; none in a new database.
    fn last_alive(&self) -> StoreFuture<'_, Option<Millis>>;

    /// Notes that the server is alive at `now`.
    fn note_alive(&self, now: Millis) -> StoreFuture<'_, ()>;

    /// Called once at the start: if the server was last noted alive before `now`,
    /// stores the time between as an outage.
    fn begin(&self, now: Millis) -> StoreFuture<'_, ()>;

    /// The outages that ended after `since`, the earliest first.
    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>>;

    /// Forgets what has expired by `now`: keys older than [`KEYS_KEPT_MS`], device codes,
    /// invitations, and outages that ended no later than the last event of every
    /// unfinished match.
    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()>;

    /// Stops accepting writes, ends what is under way and closes the file.
    fn close(&self) -> BoxFuture<'_, ()>;
}
