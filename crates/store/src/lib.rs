//! Everything that outlasts a restart: the journal of every match, guests and their tokens,
//! invitations, idempotency keys, outages.
//!
//! [`Store`] is the interface: [`sqlite`] keeps it in one file, for one node, [`postgres`] in a database that
//! nodes share, and [`memory`] in the process, for tests under virtual time. One conformance suite runs on all of them.
//! The store knows nothing of sockets, tasks or wire types.

mod append_row;
mod card;
mod challenge;
mod conditional;
mod db;
mod delegate;
mod departures;
mod error;
mod failure;
mod fair_play;
mod game_counts;
pub mod memory;
mod model;
mod moderation;
mod moved_rows;
mod moving;
mod node;
mod opponents;
mod passkey;
mod passkeys;
pub mod postgres;
mod preferences;
mod push;
mod pushes;
mod ratings;
mod readers;
mod seek;
mod server_key;
pub mod sqlite;
mod talk;
mod text;

pub use card::{Card, CardResult, MatchRow};
pub use challenge::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, ENDED_CHALLENGE_KEPT_MS, FOLLOWS_PER_GUEST_MAX, Following, NamedChallenge,
};
pub use conditional::Conditionals;
pub use departures::{
    AdoptionBeginning, DEPARTURES_MAX, Departure, Departures, ErasureBeginning, ErasureBy, HandingOver,
    NewAdoption,
};
pub use error::{AppendError, JoinError, StoreError};
pub use fair_play::{
    EngineFlag, FairPlay, FlagGrounds, LossSum, NearLosses, NewFlag, TURN_LOSSES_KEPT_MS, TurnLosses,
};
pub use game_counts::{CountRow, CountingRound, GameCountRows, GameCounts};
pub use lusoria_passkey::Credential;
pub use lusoria_play::{ApiTokenId, MatchStage as MatchState, PasskeyId, PushSubscriptionId, SessionId};
pub use model::{
    API_TOKENS_PER_GUEST_MAX, Account, AccountFilter, AccountOpening, Answers, ApiBearer, ApiToken,
    ApiTokenAddition, Append, Ban, Bearer, BotDeclaration, DeviceCode, Due, Guest, Head, Invitation, Journal,
    KEYS_KEPT_MS, KeptAnalysis, KeyUse, MatchFilter, MatchesOfGame, NewAccount, NewApiToken, NewMatch,
    NewSession, Page, PasswordHash, PasswordRemoval, Played, Proof, RECOVERY_CODES_MAX, Recent, SecretHash,
    Session, SessionOrigin, Shown, SignUpPolicy, SignUps, Statistics, TOKENS_PER_GUEST_MAX, Unfinished,
    UsedKey, Version,
};
pub use moderation::{
    CLOSED_REPORTS_KEPT_MS, LogRow, Moderated, Moderating, Moderation, ModeratorAct, NewReport,
    PAST_SANCTIONS_KEPT_MS, REPORTS_A_DAY_MAX, Report, ReportAdding, Sanction, SanctionKind,
    WARNINGS_PER_GUEST_MAX,
};
pub use moving::{MoveError, MoveStage, Moved, Progress, Totals, move_to_postgres, use_again};
pub use node::{Beat, Era, HEADS_MAX, NewNode, Node, NodeId, OUTAGE_AFTER_MS, Outage, SeenNode, SeenNodes};
pub use opponents::Opponents;
pub use passkey::{PASSKEYS_PER_GUEST_MAX, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse, Revoking};
pub use passkeys::Passkeys;
pub use postgres::moving::DestinationError;
pub use preferences::{
    PREFERENCES_PER_GUEST_MAX, PreferenceChange, PreferenceChanges, PreferenceValues, Preferences,
};
pub use push::{PUSH_SUBSCRIPTIONS_PER_GUEST_MAX, PushBearer, PushSubscription, PushTarget};
pub use pushes::Pushes;
pub use ratings::{
    CurvePoint, LEADERBOARD_MATCHES_MIN, LeaderboardRow, RATED_PLAYERS_MAX, RatingChange, RatingKey,
    RatingMark, RatingTables, Ratings, RatingsBefore, SeatChange, StoredChange, StoredRating,
};
pub use seek::{
    ANSWERED_SEEK_KEPT_MS, BLOCKS_PER_GUEST_MAX, Blocking, SEEKS_PER_GUEST_MAX, Seek, SeekAdding,
    SeekWithdrawal, WaitingSeek,
};
pub use server_key::{KeyPurpose, SecretKey};
pub use talk::{
    NewRemark, NoText, REMARKS_AT_ONCE_MAX, REMARKS_KEPT_MS, REMARKS_PER_MATCH_MAX, REMARKS_WITHIN_MS,
    Remark, RemarkAdding, Said, TEXT_AFTER_MATCHES, TEXT_AFTER_MS, TalkSettings, Talker, Talks,
};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};

/// What the methods of a store return: a future of a result.
pub type StoreFuture<'a, T, E = StoreError> = BoxFuture<'a, Result<T, E>>;

/// A file of the page: its name, and what is in it.
pub type PageFile = (String, Vec<u8>);

/// Everything that the server keeps.
///
/// A write has committed durably when its future resolves to `Ok`. Reads see every write that
/// resolved before they began. A write whose future is dropped may be committed all the same.
pub trait Store:
    Conditionals
    + Departures
    + FairPlay
    + Moderation
    + Opponents
    + Passkeys
    + Preferences
    + Pushes
    + Ratings
    + Talks
    + GameCounts
{
    /// Whether other nodes read and write here too: then a match may have moved on unnoticed.
    fn is_shared(&self) -> bool;

    /// At most how many acknowledged commits were missing when the store was opened. If any were,
    /// another history began.
    fn lost_commits(&self) -> u64;

    /// Whether nobody can tell whether acknowledged commits were missing when the store was opened.
    fn is_loss_unknown(&self) -> bool {
        false
    }

    /// Whether writes are refused now because the disk is full.
    fn is_full(&self) -> bool;

    // --- the journal ---------------------------------------------------------

    /// Stores a new match with its first events, its secret `s[1024]` and its invitation. The
    /// transaction checks that its players and its maker are guests and not blocked.
    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError>;

    /// Appends events to a match: a compare-and-set on its head, its edition and, in a shared store,
    /// the era. With [`Append::create`] the rematch is stored in the same transaction. The transaction
    /// checks that players who join are guests, not blocked, and not about to adopt the player in seat 1.
    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError>;

    /// Corrects the deadline of a match whose head is `head`, without an event.
    fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()>;

    /// Reads the head of a match; none if there is no such match.
    fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>>;

    /// Reads the heads of some matches, at most [`HEADS_MAX`], in any order. Those that do not exist
    /// are left out.
    fn heads(&self, ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>>;

    /// To be called when the outcome of a write to a match is unknown, be it an append or its creation:
    /// waits until it is decided, and reads the head; none if there is no such match. What had not
    /// been committed by then never will be.
    fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>>;

    /// Reads at most `limit` events with numbers greater than `since`, in order.
    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal>;

    /// Reads the secret `s[1024]` of a match.
    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>>;

    /// Finds matches whose deadline is at or before `now`, the earliest first.
    fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>>;

    /// Finds the earliest deadline of all matches.
    fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>>;

    // --- lists ---------------------------------------------------------------

    /// Lists a page of at most `limit` matches (at least 1) after `after`, the newest first
    /// (ids of version 7 sort by time).
    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page>;

    /// Counts the unfinished matches that a guest has made: the limit on creating.
    fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32>;

    /// Counts the unfinished matches that the computer plays against a guest, or in their place:
    /// the limit on having it play.
    fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32>;

    /// Counts the unfinished matches that the computer plays against itself: the limit on those
    /// of all guests.
    fn unfinished_against_itself(&self) -> StoreFuture<'_, u32>;

    /// Counts the matches that have not ended.
    fn unfinished(&self) -> StoreFuture<'_, Unfinished>;

    /// Reads what lists show of one match.
    fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>>;

    // --- guests --------------------------------------------------------------

    /// Stores a new guest with their first session.
    fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()>;

    /// Finds the guest and the session of a token.
    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>>;

    /// Reads a guest.
    fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>>;

    /// Renames a guest. False if there is no such guest.
    fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool>;

    /// Stores a one-time code with which a guest signs in on another device, requested by the
    /// session `by`. It replaces an earlier code. False, and nothing changes, if that session has
    /// ended or the guest is blocked.
    fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool>;

    /// Spends a device code that has not expired by `now` and stores the new session in the same
    /// transaction; none if there is no such code. Beyond [`TOKENS_PER_GUEST_MAX`] sessions the
    /// oldest ends. If the guest is blocked, nothing changes.
    fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>>;

    /// Lists the sessions of a guest, the newest first.
    fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>>;

    /// Ends the session `id` of a guest, requested by the session `by`: its token is no longer
    /// valid. False if the guest has no such session. If it is another session than `by`, this
    /// also deletes the device code, which that session may have made; a session that ends itself
    /// may leave a code to come back with.
    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool>;

    /// Ends all sessions of a guest but `kept`, and deletes their device code. Returns how many
    /// sessions ended.
    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64>;

    /// Stores when sessions were last used, if that is later than what is stored. Skips sessions
    /// that have ended.
    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()>;

    // --- accounts ------------------------------------------------------------

    /// Opens an account for a guest, if they have none, may open one, and nobody has that handle or one that looks
    /// like it, nor the passkey. Spends the code where it takes one.
    fn open_account(&self, new: NewAccount) -> StoreFuture<'_, AccountOpening>;

    /// Reads the account of a guest.
    fn account(&self, guest: PlayerId) -> StoreFuture<'_, Option<Account>>;

    /// Finds the account whose handle has this skeleton.
    fn account_by_skeleton(&self, skeleton: String) -> StoreFuture<'_, Option<Account>>;

    /// Begins a session for a guest who has shown the password of their account; none if they have no
    /// account, or its password is another by now. Beyond [`TOKENS_PER_GUEST_MAX`] sessions the
    /// oldest ends. If the guest is blocked, nothing changes.
    fn sign_in(
        &self,
        guest: PlayerId,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>>;

    /// Spends a recovery code of a guest: sets a new password, ends all their sessions, revokes all their API
    /// tokens, removes all their passkeys, deletes their device code and begins a session. None if they have no such code. If the guest is blocked, nothing
    /// changes.
    fn recover(
        &self,
        guest: PlayerId,
        code: SecretHash,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>>;

    /// Sets the password of an account, ends all sessions but the one that asks, and deletes the device
    /// code; also what `revoking` names. False, and nothing changes, if the proof no longer holds or the session has ended.
    fn change_password(
        &self,
        proof: Proof,
        password: PasswordHash,
        revoking: Revoking,
    ) -> StoreFuture<'_, bool>;

    /// Removes the password of an account that has a passkey, ends all sessions but the one that asks, and deletes the
    /// device code.
    fn remove_password(&self, proof: Proof) -> StoreFuture<'_, PasswordRemoval>;

    /// Replaces the recovery codes of an account. False, and nothing changes, if the proof no longer holds or
    /// the session has ended.
    fn replace_recovery_codes(&self, proof: Proof, codes: Vec<SecretHash>) -> StoreFuture<'_, bool>;

    /// Makes the guest of an account a bot, if they have no match, and revokes their API tokens.
    fn declare_bot(&self, guest: PlayerId, by: SessionId) -> StoreFuture<'_, BotDeclaration>;

    // --- API tokens ----------------------------------------------------------

    /// Stores a new token of an account, if it has fewer than [`API_TOKENS_PER_GUEST_MAX`] that have not expired.
    /// Deletes those that have.
    fn add_api_token(&self, proof: Proof, new: NewApiToken) -> StoreFuture<'_, ApiTokenAddition>;

    /// Lists the API tokens of a guest, the newest first; those that have expired, too.
    fn api_tokens(&self, guest: PlayerId) -> StoreFuture<'_, Vec<ApiToken>>;

    /// Finds an API token and its guest. It may have expired.
    fn api_bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<ApiBearer>>;

    /// Revokes an API token of a guest. False if they have none with that id.
    fn revoke_api_token(&self, guest: PlayerId, id: ApiTokenId) -> StoreFuture<'_, bool>;

    /// Stores when API tokens were last used, if that is later than what is stored. Skips those that are gone.
    fn note_used(&self, used: Vec<(ApiTokenId, Millis)>) -> StoreFuture<'_, ()>;

    /// Lists at most `limit` accounts.
    fn accounts(&self, which: AccountFilter, limit: u32) -> StoreFuture<'_, Vec<Account>>;

    /// Adds a recovery code to the account of a guest. False if they have no account, or it has
    /// [`RECOVERY_CODES_MAX`] codes.
    fn add_recovery_code(&self, guest: PlayerId, code: SecretHash) -> StoreFuture<'_, bool>;

    /// Removes the account of a guest with its recovery codes, API tokens and passkeys, ends the sessions that were signed in to it, and
    /// deletes the device code. Returns how many sessions ended; none if they have no account.
    fn remove_account(&self, guest: PlayerId) -> StoreFuture<'_, Option<u64>>;

    /// Reads the sign-up policy, and how many codes are valid at `now`.
    fn sign_ups(&self, now: Millis) -> StoreFuture<'_, SignUps>;

    /// Sets who may open an account. Nobody else opens one afterwards, even by an earlier request.
    fn set_sign_ups(&self, policy: SignUpPolicy) -> StoreFuture<'_, ()>;

    /// Adds codes to open accounts with.
    fn add_sign_up_codes(&self, codes: Vec<SecretHash>, expires_at: Millis) -> StoreFuture<'_, ()>;

    // --- invitations ---------------------------------------------------------

    /// Finds the match of an invitation that was neither spent nor withdrawn and has not expired by
    /// `now`.
    fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>>;

    /// Replaces the invitation of a match; `None` withdraws it. False if there is no such match.
    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool>;

    // --- idempotency ---------------------------------------------------------

    /// Looks up what a key was used for. A key is kept until a sweep deletes it, [`KEYS_KEPT_MS`]
    /// after its use at the earliest.
    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>>;

    // --- analyses ------------------------------------------------------------

    /// Stores the computer's analysis of a match, and replaces an earlier one. False if there is
    /// no such match.
    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool>;

    /// Reads the analysis of a match; none if none is stored.
    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>>;

    // --- operating -----------------------------------------------------------

    /// Finds at most `limit` guests with exactly that name, the newest first.
    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>>;

    /// Blocks a guest since that time, or unblocks them. Blocking deletes their device code. False, and nothing changes,
    /// if there is no such guest or they leave.
    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool>;

    /// Deletes a guest with their account, tokens, API tokens, device code, idempotency keys, seeks, blocks and
    /// push subscriptions. Their
    /// matches stay.
    /// False if there is no such guest.
    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool>;

    /// Lists at most `limit` matches after `after`, in the order of their ids, in which a guest has
    /// a seat or which they made, whatever their state.
    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>>;

    /// Replaces events of a match by others with the same numbers, and its card: another edition.
    /// Only for removing a person's name. False if its head or edition is another than `of`.
    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool>;

    /// Erases what remains in the files of rows that were replaced or deleted before. False if a
    /// reader still needs the old pages: try again.
    fn erase_remains(&self) -> StoreFuture<'_, bool>;

    /// Lists at most `limit` matches after `after`, in the order of their ids, that have not ended
    /// and have not changed since `before`.
    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page>;

    /// Deletes a match that has ended and whose head is `head`, with everything that belongs to
    /// it. False if there is no such match.
    fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool>;

    /// Counts guests, matches and events, and those newer than each of `since`.
    fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics>;

    /// Reads the server's key for a purpose. If there is none, `made` becomes it; of several nodes that make one, one
    /// wins.
    fn server_key(&self, purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey>;

    // --- nodes ---------------------------------------------------------------

    /// Has a node join those that run on this store; it is `now` by its own clock. If no node was
    /// running, the time since the last one did is stored as an outage, and seeks that waited then wait so much longer.
    fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError>;

    /// Notes that a node is running, and reads what all nodes share. If no node has been noted for more
    /// than [`OUTAGE_AFTER_MS`], that time is stored as an outage, as by [`Store::join`].
    fn beat(&self, node: NodeId, now: Millis) -> StoreFuture<'_, Beat>;

    /// Notes that a node stops at `now`.
    fn leave(&self, node: NodeId, now: Millis) -> StoreFuture<'_, ()>;

    /// Notes whether messages of the other nodes reach a node. A store that is not shared notes nothing.
    fn note_bus(&self, _node: NodeId, _is_connected: bool) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Lists the nodes; those of a store that is not shared are none.
    fn nodes(&self) -> StoreFuture<'_, SeenNodes> {
        Box::pin(async { Ok(SeenNodes::default()) })
    }

    /// Keeps the files of the page of this release, which together have this hash, for nodes of other
    /// releases, and forgets pages of much older ones. A store that is not shared keeps none.
    fn keep_page(&self, _hash: String, _files: Vec<PageFile>) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Lists the hashes of the pages that are kept.
    fn pages(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Reads the files of a page; none if it is not kept.
    fn page(&self, _hash: String) -> StoreFuture<'_, Vec<PageFile>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Has a node do, for `for_ms` milliseconds, what event `seq` of a match asks of the server, if no
    /// other node has it: false then. A node may have it again before it is over.
    fn lease(&self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool>;

    /// Lists the outages that ended after `since`, the earliest first.
    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>>;

    /// Packs finished matches that have not changed for a while, if the store does, and deletes what
    /// has expired by `now`: keys older than [`KEYS_KEPT_MS`], device codes, sign-up codes,
    /// invitations, and outages that ended no later than the last event of every
    /// unfinished match.
    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()>;

    /// Stops accepting writes, commits those that wait and closes the file.
    fn close(&self) -> BoxFuture<'_, ()>;
}
