//! The store in one SQLite file.
//!
//! All writes go through a single writer, which commits together what has arrived. Reads
//! have connections of their own and never wait for it; one more connection copies the WAL
//! into the database (checkpoints).
//!
//! Imports go one way, from the bottom up:
//!
//! 1. `failure`, `sql`, `options`; `open_error` (what errors of SQLite mean for a file),
//!    `files` (names, locks, the folder), `room`, `migrations`, `readers`.
//! 2. Rows, as transactions write them: `packed`, then `events`, `keys`, `match_columns`,
//!    `dictionary`, `deadlines`, `guest_rows`, `invitation_rows`, then `creation`, `appends`.
//! 3. A file at rest: `inspect`, then `soundness`, `commit_note`, `recovery`, `backup`, `restore`,
//!    `rebuild`; `open`, which none of them uses; and `moving`, which does.
//! 4. `checkpoint` and `writer`, which runs the transactions.
//! 5. What the store is asked for: `guests`, `sessions`, `invitations`, `lists`, `journal`,
//!    `analyses`, `alive`, `packing`, `operating`.

mod accounts;
mod alive;
mod analyses;
mod api_tokens;
mod appends;
mod backup;
mod blocks;
mod challenges;
mod checkpoint;
mod commit_note;
mod conditional;
mod creation;
mod deadlines;
mod departures;
pub mod dictionary;
mod events;
mod failure;
mod fair_play;
mod files;
mod follows;
mod game_counts;
mod guest_rows;
mod guests;
mod inspect;
mod invitation_rows;
mod invitations;
mod journal;
mod keys;
mod lists;
pub(crate) mod match_columns;
mod migrations;
mod moderation;
pub(crate) mod moving;
mod open;
mod open_error;
mod operating;
mod opponents;
mod options;
mod packed;
mod packing;
mod passkeys;
mod preferences;
mod pushes;
mod rating_rows;
mod ratings;
mod readers;
mod rebuild;
mod recovery;
mod restore;
mod room;
mod seeks;
mod sessions;
mod sign_ups;
mod soundness;
mod sql;
mod talk;
mod writer;

use std::{fs::File, path::Path, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio_util::sync::DropGuard;
use uuid::Uuid;

pub use backup::{BackupError, BackupOptions, back_up};
pub use open_error::OpenError;
pub use options::{OnLostCommits, RESERVE_BYTES, SqliteOptions};
pub use restore::{RestoreError, Restored, restore};
pub use soundness::{Contents, Unsound, check};

use super::{
    Account, AccountFilter, AccountOpening, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, Append,
    AppendError, Bearer, Beat, BotDeclaration, Card, DeviceCode, Due, Era, Guest, Head, Invitation,
    JoinError, Journal, KeptAnalysis, KeyPurpose, MatchFilter, MatchRow, NewAccount, NewApiToken, NewMatch,
    NewNode, NewSession, Node, NodeId, Outage, Page, PasswordHash, PasswordRemoval, Proof, Revoking,
    SecretHash, SecretKey, Session, SessionId, SignUpPolicy, SignUps, Statistics, Store, StoreFuture,
    Unfinished, UsedKey, Version, append_row, text,
};
use appends::Entry;
use checkpoint::Checkpointer;
use commit_note::CommitNote;
use creation::NewEntry;
use readers::{Readers, blocking};
use recovery::Loss;
use room::Disk;
use sql::one;
use writer::{Writer, WriterParts};

/// The store in one SQLite file.
pub struct SqliteStore {
    writer: Writer,
    checkpointer: Checkpointer,
    readers: Readers,
    history: Uuid,
    /// The one that runs.
    node: Mutex<Option<Node>>,
    loss: Option<Loss>,
    is_loss_unknown: bool,
    pack_after: Duration,
    /// None in a store that only reads.
    writing: Option<Writing>,
}

/// What only a store that writes has.
struct Writing {
    /// Held until the writer has ended.
    lock: Arc<File>,
    disk: Disk,
    note: Arc<CommitNote>,
    _note_synced: DropGuard,
}

impl SqliteStore {
    /// Opens the file, creates it if there is none, and migrates it. Holds the lock on a file
    /// beside it, its name with `-lock` at the end, while the store is open.
    ///
    /// # Errors
    /// If another server uses the file, a newer one has written it, or durability cannot be guaranteed.
    pub fn open(path: &Path, options: SqliteOptions) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(Self::open_file(path, options))
    }

    async fn open_file(path: &Path, options: SqliteOptions) -> Result<Self, OpenError> {
        let opened = {
            let (path, options) = (path.to_owned(), options.clone());
            blocking(move || open::open(&path, &options)).await?
        };
        let lock = Arc::new(opened.lock);
        let note = CommitNote::begin(path, opened.commits, Arc::clone(&options.on_fatal))?;
        let disk = Disk::under(path, options.reserve_bytes);
        let (checkpointer, wal) =
            Checkpointer::start(opened.checkpointer, Arc::clone(&options.on_fatal), Arc::clone(&lock));
        let parts = WriterParts {
            connection: opened.writer,
            open: opened.open_writer,
            on_fatal: options.on_fatal,
            wal,
            commits: opened.commits,
            note: Arc::clone(&note),
            disk: disk.clone(),
        };
        let writer = Writer::start(parts, options.queue_max, Arc::clone(&lock));
        let writing = Some(Writing { lock, disk, _note_synced: note.keep_synced(), note });
        Ok(Self {
            writer,
            checkpointer,
            readers: opened.readers,
            history: opened.history,
            node: Mutex::default(),
            loss: opened.loss,
            is_loss_unknown: opened.is_loss_unknown,
            pack_after: options.pack_after,
            writing,
        })
    }

    /// Opens the file for reading, whether or not a server uses it, and leaves it unchanged: writes
    /// are refused as closed.
    ///
    /// # Errors
    /// If there is no file, or it is not a database of this server and version.
    pub fn open_to_read(path: &Path) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(Self::open_file_to_read(path))
    }

    async fn open_file_to_read(path: &Path) -> Result<Self, OpenError> {
        let path = path.to_owned();
        let (readers, history) = blocking(move || open::open_to_read(&path)).await?;
        let (writer, checkpointer) = (Writer::none(), Checkpointer::none());
        let pack_after = SqliteOptions::default().pack_after;
        Ok(Self {
            writer,
            checkpointer,
            readers,
            history,
            node: Mutex::default(),
            loss: None,
            is_loss_unknown: false,
            pack_after,
            writing: None,
        })
    }

    /// Opens the file as [`Self::open`] does, but only if it exists and is of this version.
    ///
    /// # Errors
    /// As [`Self::open`]; if there is no file or it is of an earlier version.
    pub fn open_up_to_date(path: &Path, options: SqliteOptions) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(Self::open_file_up_to_date(path, options))
    }

    async fn open_file_up_to_date(path: &Path, options: SqliteOptions) -> Result<Self, OpenError> {
        let (file, busy_timeout) = (path.to_owned(), options.busy_timeout);
        blocking(move || inspect::up_to_date(&file, busy_timeout)).await?;
        Self::open_file(path, options).await
    }

    /// What a beat at that time tells.
    fn beat_at(&self, time: Millis) -> Beat {
        let mut node = self.node.lock();
        if let Some(node) = &mut *node {
            node.seen_at = time;
        }
        Beat { time, era: Era::default(), history: self.history, nodes: node.iter().cloned().collect() }
    }

    async fn close_all(&self) {
        let connection = self.writer.close().await;
        self.checkpointer.close().await;
        // First the readers: the WAL can only be truncated when no connection reads it.
        self.readers.close().await;
        if let Some(connection) = connection {
            if let Err(error) = blocking(move || truncate_wal_and_close(connection)).await {
                tracing::warn!(%error, "WAL checkpoint failed; retrying at next start");
            }
            if let Some(Writing { lock, note, .. }) = &self.writing {
                note.sync();
                if let Err(error) = lock.unlock() {
                    tracing::warn!(%error, "unlocking the database failed; the lock ends with the process");
                }
            }
        }
    }
}

fn truncate_wal_and_close(connection: Connection) -> rusqlite::Result<()> {
    let _: (i64, i64, i64) = one(&connection, "PRAGMA wal_checkpoint(TRUNCATE)", [])?;
    connection.close().map_err(|(_, error)| error)
}

impl Store for SqliteStore {
    fn is_shared(&self) -> bool {
        false
    }

    fn lost_commits(&self) -> u64 {
        self.loss.map_or(0, Loss::commits)
    }

    fn is_loss_unknown(&self) -> bool {
        self.is_loss_unknown
    }

    fn is_full(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| writing.disk.is_full())
    }

    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        Box::pin(async {
            let new = NewEntry::of(new)?;
            Ok(self.writer.write(move |connection| new.create(connection)).await??)
        })
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        Box::pin(async {
            let entry = Entry::of(append)?;
            Ok(self.writer.write(move |connection| entry.append(connection)).await??)
        })
    }

    fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()> {
        Box::pin(journal::correct_deadline(&self.writer, id, head, deadline))
    }

    fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        Box::pin(journal::head(&self.readers, id))
    }

    fn heads(&self, ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>> {
        Box::pin(journal::heads(&self.readers, ids))
    }

    /// Once the writer has answered, it has rolled back what it could not commit.
    fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        self.head(id)
    }

    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal> {
        Box::pin(events::after(&self.readers, id, since, limit))
    }

    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>> {
        Box::pin(journal::secret(&self.readers, id))
    }

    fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>> {
        Box::pin(lists::due(&self.readers, now, limit))
    }

    fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>> {
        Box::pin(lists::next_deadline(&self.readers))
    }

    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(lists::list(&self.readers, filter, after, limit))
    }

    fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        Box::pin(lists::unfinished_created_by(&self.readers, guest))
    }

    fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        Box::pin(lists::unfinished_with_computer(&self.readers, guest))
    }

    fn unfinished_against_itself(&self) -> StoreFuture<'_, u32> {
        Box::pin(lists::unfinished_against_itself(&self.readers))
    }

    fn unfinished(&self) -> StoreFuture<'_, Unfinished> {
        Box::pin(lists::unfinished(&self.readers))
    }

    fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>> {
        Box::pin(lists::row(&self.readers, id))
    }

    fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()> {
        Box::pin(guests::add(&self.writer, guest, session))
    }

    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>> {
        Box::pin(sessions::bearer(&self.readers, token))
    }

    fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(guests::get(&self.readers, id))
    }

    fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool> {
        Box::pin(guests::rename(&self.writer, id, name))
    }

    fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(guests::add_device_code(&self.writer, code, by))
    }

    fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(guests::spend_device_code(&self.writer, code, session, now))
    }

    fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(sessions::of_guest(&self.readers, guest))
    }

    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(sessions::revoke(&self.writer, guest, id, by))
    }

    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64> {
        Box::pin(sessions::revoke_others(&self.writer, guest, kept))
    }

    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(sessions::note_seen(&self.writer, seen))
    }

    fn open_account(&self, new: NewAccount) -> StoreFuture<'_, AccountOpening> {
        Box::pin(accounts::open(&self.writer, new))
    }

    fn account(&self, guest: PlayerId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(accounts::get(&self.readers, guest))
    }

    fn account_by_skeleton(&self, skeleton: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(accounts::by_skeleton(&self.readers, skeleton))
    }

    fn sign_in(
        &self,
        guest: PlayerId,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(accounts::sign_in(&self.writer, guest, password, session, now))
    }

    fn recover(
        &self,
        guest: PlayerId,
        code: SecretHash,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(accounts::recover(&self.writer, guest, code, password, session, now))
    }

    fn change_password(
        &self,
        proof: Proof,
        password: PasswordHash,
        revoking: Revoking,
    ) -> StoreFuture<'_, bool> {
        Box::pin(accounts::change_password(&self.writer, proof, password, revoking))
    }

    fn remove_password(&self, proof: Proof) -> StoreFuture<'_, PasswordRemoval> {
        Box::pin(accounts::remove_password(&self.writer, proof))
    }

    fn declare_bot(&self, guest: PlayerId, by: SessionId) -> StoreFuture<'_, BotDeclaration> {
        Box::pin(accounts::declare_bot(&self.writer, guest, by))
    }

    fn add_api_token(&self, proof: Proof, new: NewApiToken) -> StoreFuture<'_, ApiTokenAddition> {
        Box::pin(api_tokens::add(&self.writer, proof, new))
    }

    fn api_tokens(&self, guest: PlayerId) -> StoreFuture<'_, Vec<ApiToken>> {
        Box::pin(api_tokens::of_guest(&self.readers, guest))
    }

    fn api_bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<ApiBearer>> {
        Box::pin(api_tokens::bearer(&self.readers, token))
    }

    fn revoke_api_token(&self, guest: PlayerId, id: ApiTokenId) -> StoreFuture<'_, bool> {
        Box::pin(api_tokens::revoke(&self.writer, guest, id))
    }

    fn note_used(&self, used: Vec<(ApiTokenId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(api_tokens::note_used(&self.writer, used))
    }

    fn replace_recovery_codes(&self, proof: Proof, codes: Vec<SecretHash>) -> StoreFuture<'_, bool> {
        Box::pin(accounts::replace_recovery_codes(&self.writer, proof, codes))
    }

    fn accounts(&self, which: AccountFilter, limit: u32) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(accounts::list(&self.readers, which, limit))
    }

    fn add_recovery_code(&self, guest: PlayerId, code: SecretHash) -> StoreFuture<'_, bool> {
        Box::pin(sign_ups::add_recovery_code(&self.writer, guest, code))
    }

    fn remove_account(&self, guest: PlayerId) -> StoreFuture<'_, Option<u64>> {
        Box::pin(sign_ups::remove_account(&self.writer, guest))
    }

    fn sign_ups(&self, now: Millis) -> StoreFuture<'_, SignUps> {
        Box::pin(sign_ups::get(&self.readers, now))
    }

    fn set_sign_ups(&self, policy: SignUpPolicy) -> StoreFuture<'_, ()> {
        Box::pin(sign_ups::set(&self.writer, policy))
    }

    fn add_sign_up_codes(&self, codes: Vec<SecretHash>, expires_at: Millis) -> StoreFuture<'_, ()> {
        Box::pin(sign_ups::add_codes(&self.writer, codes, expires_at))
    }

    fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>> {
        Box::pin(invitations::invited_to(&self.readers, code, now))
    }

    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool> {
        Box::pin(invitations::set(&self.writer, id, invitation))
    }

    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>> {
        Box::pin(keys::used(&self.readers, guest, key))
    }

    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool> {
        Box::pin(analyses::keep(&self.writer, id, analysis))
    }

    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        Box::pin(analyses::get(&self.readers, id))
    }

    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>> {
        Box::pin(operating::guests_named(&self.readers, name, limit))
    }

    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool> {
        Box::pin(operating::set_blocked(&self.writer, id, since))
    }

    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(operating::forget_guest(&self.writer, id))
    }

    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(operating::matches_of(&self.readers, guest, after, limit))
    }

    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        Box::pin(async move { operating::rewrite(&self.writer, id, of, events, &card).await })
    }

    fn erase_remains(&self) -> StoreFuture<'_, bool> {
        Box::pin(async { Ok(self.writer.truncate_wal().await?) })
    }

    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(operating::stale(&self.readers, before, after, limit))
    }

    fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool> {
        Box::pin(operating::forget_match(&self.writer, id, head))
    }

    fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics> {
        Box::pin(operating::statistics(&self.readers, since))
    }

    fn server_key(&self, purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey> {
        Box::pin(operating::server_key(&self.writer, purpose, made))
    }

    fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError> {
        Box::pin(async move {
            let time = alive::begin(&self.writer, now).await?;
            let NewNode { id, name, release } = node;
            *self.node.lock() = Some(Node { id, name, release, since: time, seen_at: time });
            Ok(self.beat_at(time))
        })
    }

    fn beat(&self, _: NodeId, now: Millis) -> StoreFuture<'_, Beat> {
        Box::pin(async move { Ok(self.beat_at(alive::note(&self.writer, now).await?)) })
    }

    fn leave(&self, _: NodeId, now: Millis) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            alive::note(&self.writer, now).await?;
            *self.node.lock() = None;
            Ok(())
        })
    }

    fn lease(&self, _: MatchId, _: u32, _: NodeId, _: Millis) -> StoreFuture<'_, bool> {
        Box::pin(async { Ok(true) })
    }

    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>> {
        Box::pin(alive::outages(&self.readers, since))
    }

    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            alive::sweep(&self.writer, &self.readers, now).await?;
            packing::pack_settled(&self.writer, &self.readers, now, self.pack_after).await
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.close_all())
    }
}
