//! The store in a PostgreSQL database, which many nodes share.
//!
//! Nodes coordinate through row locks and compare-and-set alone: what a transaction has checked, it has
//! locked. Commits are as durable as the database makes them; [`PostgresStore::open`] refuses one that
//! is configured to lose some. What was sent over a connection that broke may have been committed or not:
//! [`crate::Store::settle`] waits for it and shuts out what comes late.
//!
//! Events are kept as the text that was written, each append for itself. Finished matches are not packed:
//! PostgreSQL compresses only values of more than 2 kB.
//!
//! Imports go one way, from the bottom up: `options`, `failure`, `open_error`, `migrations`, `open`
//! (connecting); `session` (a connection that writes), `readers`; `appends`, `creation`; `writer`, which
//! runs them; then what the store is asked for: `guests`, `journal`, `lists`, `matters`, `nodes`, `pages`,
//! `operating`; and `moving`, which needs only `open`.

mod accounts;
mod api_tokens;
mod appends;
mod blocks;
mod challenges;
mod conditional;
mod creation;
mod departures;
mod failure;
mod fair_play;
mod follows;
mod game_counts;
mod guests;
mod journal;
mod lists;
mod matters;
mod migrations;
mod moderation;
pub(crate) mod moving;
mod nodes;
mod open;
mod open_error;
mod operating;
mod opponents;
mod options;
mod pages;
mod passkeys;
mod preferences;
mod pushes;
mod ratings;
mod readers;
mod seeks;
mod session;
mod sign_ups;
mod talk;
mod writer;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use uuid::Uuid;

pub use open_error::OpenError;
pub use options::PostgresOptions;

use super::{
    Account, AccountFilter, AccountOpening, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, Append,
    AppendError, Bearer, Beat, BotDeclaration, Card, DeviceCode, Due, Guest, Head, Invitation, JoinError,
    Journal, KeptAnalysis, KeyPurpose, MatchFilter, MatchRow, NewAccount, NewApiToken, NewMatch, NewNode,
    NewSession, NodeId, Outage, Page, PageFile, PasswordHash, PasswordRemoval, Proof, Revoking, SecretHash,
    SecretKey, SeenNodes, Session, SessionId, SignUpPolicy, SignUps, Statistics, Store, StoreFuture,
    Unfinished, UsedKey, Version,
};
use appends::Entry;
use creation::NewEntry;
use nodes::Pulse;
use open::Target;
use readers::Readers;
use writer::Writer;

/// The store in a PostgreSQL database.
pub struct PostgresStore {
    id: Uuid,
    target: Target,
    readers: Readers,
    writer: Writer,
    pulse: Pulse,
}

impl PostgresStore {
    /// Connects to the database `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, and migrates it if it is
    /// empty or of an earlier version.
    ///
    /// # Errors
    /// If it cannot be reached, is another program's or a newer version's, or does not keep what it
    /// commits. No error has the password.
    pub fn open(url: &str, options: PostgresOptions) -> BoxFuture<'_, Result<Self, OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &options)?;
            let id = target.prepare().await?;
            let (readers, writer) =
                (Readers::new(&target, options.readers), Writer::start(&target, &options));
            Ok(Self { id, pulse: Pulse::new(&target), readers, writer, target })
        })
    }

    /// What the nodes on this database are called together: it never changes.
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Begins another history, as after a backup has been restored: clients discard what they know, and
    /// nodes that run learn of it with their next beat.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn begin_new_history(url: &str) -> BoxFuture<'_, Result<(), OpenError>> {
        Box::pin(async move {
            let target = Target::parse(url, &PostgresOptions::default())?;
            target.prepare().await?;
            let place = target.place.clone();
            let begun = nodes::begin_new_history(target).await;
            begun.map_err(|error| OpenError::Failed { place, why: error.to_string() })
        })
    }

    async fn close_all(&self) {
        self.writer.close().await;
        self.pulse.close().await;
        self.readers.close().await;
    }
}

impl Store for PostgresStore {
    fn is_shared(&self) -> bool {
        true
    }

    /// What the database has acknowledged it keeps, or it begins another history.
    fn lost_commits(&self) -> u64 {
        0
    }

    fn is_full(&self) -> bool {
        self.writer.disk_is_full()
    }

    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        Box::pin(async {
            let new = Arc::new(NewEntry::of(new)?);
            let create =
                self.writer.write(new.id(), move |connection| creation::create(connection, Arc::clone(&new)));
            Ok(create.await??)
        })
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        Box::pin(async {
            let (entry, more) = Entry::of(append)?;
            let Some(more) = more else { return Ok(self.writer.append(entry).await??) };
            let (id, all) = (entry.id(), Arc::new((entry, more)));
            let append =
                self.writer.write(id, move |connection| creation::append_with(connection, Arc::clone(&all)));
            Ok(append.await??)
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

    fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        Box::pin(journal::settle(&self.writer, id))
    }

    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal> {
        Box::pin(journal::events(&self.readers, id, since, limit))
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
        Box::pin(guests::bearer(&self.readers, token))
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
        Box::pin(guests::sessions(&self.readers, guest))
    }

    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(guests::revoke(&self.writer, guest, id, by))
    }

    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64> {
        Box::pin(guests::revoke_others(&self.writer, guest, kept))
    }

    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(guests::note_seen(&self.writer, seen))
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
        Box::pin(matters::invited_to(&self.readers, code, now))
    }

    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool> {
        Box::pin(matters::set_invitation(&self.writer, id, invitation))
    }

    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>> {
        Box::pin(matters::used_key(&self.readers, guest, key))
    }

    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool> {
        Box::pin(matters::keep_analysis(&self.writer, id, analysis))
    }

    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        Box::pin(matters::analysis(&self.readers, id))
    }

    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>> {
        Box::pin(guests::named(&self.readers, name, limit))
    }

    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool> {
        Box::pin(guests::set_blocked(&self.writer, id, since))
    }

    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(guests::forget(&self.writer, id))
    }

    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(lists::matches_of(&self.readers, guest, after, limit))
    }

    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        Box::pin(async move { journal::rewrite(&self.writer, id, of, events, &card).await })
    }

    fn erase_remains(&self) -> StoreFuture<'_, bool> {
        Box::pin(operating::erase_remains(&self.target))
    }

    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(lists::stale(&self.readers, before, after, limit))
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

    fn join(&self, node: NewNode, _: Millis) -> StoreFuture<'_, Beat, JoinError> {
        Box::pin(self.pulse.join(node))
    }

    fn beat(&self, node: NodeId, _: Millis) -> StoreFuture<'_, Beat> {
        Box::pin(self.pulse.beat(node))
    }

    fn leave(&self, node: NodeId, _: Millis) -> StoreFuture<'_, ()> {
        Box::pin(self.pulse.leave(node))
    }

    fn note_bus(&self, node: NodeId, is_connected: bool) -> StoreFuture<'_, ()> {
        Box::pin(nodes::note_bus(&self.writer, node, is_connected))
    }

    fn nodes(&self) -> StoreFuture<'_, SeenNodes> {
        Box::pin(nodes::all(&self.readers))
    }

    fn keep_page(&self, hash: String, files: Vec<PageFile>) -> StoreFuture<'_, ()> {
        Box::pin(pages::keep(&self.writer, hash, files))
    }

    fn pages(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(pages::hashes(&self.readers))
    }

    fn page(&self, hash: String) -> StoreFuture<'_, Vec<PageFile>> {
        Box::pin(pages::files(&self.readers, hash))
    }

    fn lease(&self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool> {
        Box::pin(matters::lease(&self.writer, id, seq, node, for_ms))
    }

    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>> {
        Box::pin(nodes::outages(&self.readers, since))
    }

    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
        Box::pin(operating::sweep(&self.writer, &self.readers, now))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.close_all())
    }
}
