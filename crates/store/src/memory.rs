//! The store in the memory of the process: for tests under virtual time, and the
//! plainest statement of what a store does.

mod accounts;
mod api_tokens;
mod challenges;
mod conditional;
mod departures;
mod fair_play;
mod game_counts;
mod moderation;
mod nodes;
mod opponents;
mod passkeys;
mod preferences;
mod pushes;
mod ratings;
mod seeks;
mod sessions;
mod sign_ups;
mod tables;
mod talk;

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{Level, MatchId, Millis, PlayerId, PlayerKind, Recorded, Seat};

use tables::{Match, Tables, Token, count, failed};

use super::{
    Account, AccountFilter, AccountOpening, ApiBearer, ApiToken, ApiTokenAddition, ApiTokenId, Append,
    AppendError, Bearer, Beat, BotDeclaration, Card, DeviceCode, Due, Guest, Head, Invitation, JoinError,
    Journal, KeptAnalysis, KeyPurpose, MatchFilter, MatchRow, MatchState, NewAccount, NewApiToken, NewMatch,
    NewNode, NewSession, NodeId, Outage, Page, PasswordHash, PasswordRemoval, Proof, Revoking, SecretHash,
    SecretKey, Session, SessionId, SessionOrigin, SignUpPolicy, SignUps, Statistics, Store, StoreError,
    StoreFuture, Unfinished, UsedKey, Version, error::Refused,
};

/// The store in memory.
#[derive(Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
    /// The clock of the store, if nodes share it.
    clock: Option<Box<dyn Fn() -> Millis + Send + Sync>>,
}

impl MemoryStore {
    /// An empty store for one node.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store for several nodes, with a clock of its own, as a database has.
    pub fn shared(clock: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        Self { tables: Mutex::default(), clock: Some(Box::new(clock)) }
    }

    /// Begins another history, as a restored backup does.
    pub fn begin_new_history(&self) {
        self.lock().cluster.begin_new_history();
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `what` when the future is first polled; nothing of it waits.
    fn at_once<'a, T, E>(
        &'a self,
        what: impl FnOnce(&mut Tables) -> Result<T, E> + Send + 'a,
    ) -> StoreFuture<'a, T, E>
    where
        T: Send,
        E: From<StoreError> + Send,
    {
        Box::pin(async move {
            let mut tables = self.lock();
            if tables.closed {
                return Err(StoreError::Closed.into());
            }
            let done = what(&mut tables);
            tables.end_push_subscriptions();
            done
        })
    }
}

impl Store for MemoryStore {
    fn is_shared(&self) -> bool {
        self.clock.is_some()
    }

    fn lost_commits(&self) -> u64 {
        0
    }

    fn is_full(&self) -> bool {
        false
    }

    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        self.at_once(|tables| tables.create(new))
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        self.at_once(|tables| {
            if self.is_shared() && append.era != tables.cluster.era() {
                return Err(Refused::Outdated.into());
            }
            tables.append(append)
        })
    }

    fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            if let Some(found) = tables.matches.get_mut(&id).filter(|found| found.version.head == head) {
                found.deadline = deadline;
            }
            Ok(())
        })
    }

    fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        self.at_once(move |tables| Ok(tables.matches.get(&id).map(Match::head)))
    }

    fn heads(&self, ids: Vec<MatchId>) -> StoreFuture<'_, Vec<(MatchId, Head)>> {
        self.at_once(move |tables| {
            Ok(ids.into_iter().filter_map(|id| Some((id, tables.matches.get(&id)?.head()))).collect())
        })
    }

    /// Every write is decided when its future is first polled.
    fn settle(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        self.head(id)
    }

    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Journal> {
        self.at_once(move |tables| {
            let Some(kept) = tables.matches.get(&id) else {
                return Ok(Journal { edition: 0, events: Vec::new() });
            };
            let events = kept.events.iter().skip(since as usize).take(limit as usize).cloned().collect();
            Ok(Journal { edition: kept.version.edition, events })
        })
    }

    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>> {
        self.at_once(move |tables| Ok(tables.matches.get(&id).map(|kept| Secret::new(*kept.secret.reveal()))))
    }

    fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<Due>> {
        self.at_once(move |tables| {
            let deadlines = tables.matches.iter().filter_map(|(id, kept)| Some((kept.deadline?, *id)));
            let mut due: Vec<_> = deadlines.filter(|(deadline, _)| *deadline <= now).collect();
            due.sort_unstable();
            Ok(due.into_iter().map(|(at, id)| Due { id, at }).take(limit as usize).collect())
        })
    }

    fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>> {
        self.at_once(|tables| Ok(tables.matches.values().filter_map(|kept| kept.deadline).min()))
    }

    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        self.at_once(move |tables| Ok(tables.list(&filter, after, limit)))
    }

    fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        self.at_once(move |tables| {
            let theirs =
                |kept: &&Match| kept.card.player(Seat::One) == Some(guest) || kept.made_by == Some(guest);
            Ok(count(tables.unfinished().filter(theirs)))
        })
    }

    fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        self.at_once(move |tables| {
            let is_computer = |player| Level::of(player).is_some();
            let with = |kept: &&Match| {
                let [one, two] = Seat::BOTH.map(|seat| kept.card.player(seat));
                kept.made_by == Some(guest)
                    || one == Some(guest) && two.is_some_and(is_computer)
                    || two == Some(guest) && one.is_some_and(is_computer)
            };
            Ok(count(tables.unfinished().filter(with)))
        })
    }

    fn unfinished_against_itself(&self) -> StoreFuture<'_, u32> {
        self.at_once(|tables| Ok(count(tables.unfinished().filter(|kept| kept.made_by.is_some()))))
    }

    fn unfinished(&self) -> StoreFuture<'_, Unfinished> {
        self.at_once(|tables| {
            let of = |state| count(tables.unfinished().filter(|kept| kept.card.state() == state));
            Ok(Unfinished { open: of(MatchState::Open), live: of(MatchState::Live) })
        })
    }

    fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>> {
        self.at_once(move |tables| Ok(tables.matches.get(&id).map(|kept| kept.row(id))))
    }

    fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            if tables.guests.contains_key(&guest.id) {
                return failed("the guest is there already");
            }
            tables.check_session(&session)?;
            tables.begin_session(guest.id, session, SessionOrigin::Guest, guest.created_at);
            tables.guests.insert(guest.id, guest);
            Ok(())
        })
    }

    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>> {
        self.at_once(move |tables| {
            let Some(Token { guest, session }) = tables.tokens.get(&token) else { return Ok(None) };
            let (ban, guest) = (tables.ban(*guest), tables.guests.get(guest).cloned());
            Ok(guest.map(|guest| Bearer { guest, ban, session: session.id, seen_at: session.seen_at }))
        })
    }

    fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>> {
        self.at_once(move |tables| Ok(tables.guests.get(&id).cloned()))
    }

    fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.guests.get_mut(&id).map(|guest| guest.name = name).is_some()))
    }

    fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| tables.add_device_code(code, by))
    }

    fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.at_once(move |tables| tables.spend_device_code(code, session, now))
    }

    fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>> {
        self.at_once(move |tables| Ok(tables.sessions(guest)))
    }

    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let revoked = tables.revoke(guest, |of| of == id) > 0;
            if revoked && id != by {
                tables.device_codes.remove(&guest);
            }
            Ok(revoked)
        })
    }

    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64> {
        self.at_once(move |tables| {
            tables.device_codes.remove(&guest);
            Ok(tables.revoke(guest, |of| of != kept))
        })
    }

    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            for Token { session, .. } in tables.tokens.values_mut() {
                for (_, at) in seen.iter().filter(|(id, _)| *id == session.id) {
                    session.seen_at = session.seen_at.max(*at);
                }
            }
            Ok(())
        })
    }

    fn open_account(&self, new: NewAccount) -> StoreFuture<'_, AccountOpening> {
        self.at_once(move |tables| tables.open_account(new))
    }

    fn account(&self, guest: PlayerId) -> StoreFuture<'_, Option<Account>> {
        self.at_once(move |tables| Ok(tables.account(guest)))
    }

    fn account_by_skeleton(&self, skeleton: String) -> StoreFuture<'_, Option<Account>> {
        self.at_once(move |tables| Ok(tables.account_by_skeleton(&skeleton)))
    }

    fn sign_in(
        &self,
        guest: PlayerId,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.at_once(move |tables| tables.sign_in(guest, &password, session, now))
    }

    fn recover(
        &self,
        guest: PlayerId,
        code: SecretHash,
        password: PasswordHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        self.at_once(move |tables| tables.recover(guest, code, password, session, now))
    }

    fn change_password(
        &self,
        proof: Proof,
        password: PasswordHash,
        revoking: Revoking,
    ) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.change_password(&proof, password, revoking)))
    }

    fn remove_password(&self, proof: Proof) -> StoreFuture<'_, PasswordRemoval> {
        self.at_once(move |tables| Ok(tables.remove_password(&proof)))
    }

    fn declare_bot(&self, guest: PlayerId, by: SessionId) -> StoreFuture<'_, BotDeclaration> {
        self.at_once(move |tables| Ok(tables.declare_bot(guest, by)))
    }

    fn add_api_token(&self, proof: Proof, new: NewApiToken) -> StoreFuture<'_, ApiTokenAddition> {
        self.at_once(move |tables| tables.add_api_token(&proof, new))
    }

    fn api_tokens(&self, guest: PlayerId) -> StoreFuture<'_, Vec<ApiToken>> {
        self.at_once(move |tables| Ok(tables.api_tokens_of(guest)))
    }

    fn api_bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<ApiBearer>> {
        self.at_once(move |tables| Ok(tables.api_bearer(token)))
    }

    fn revoke_api_token(&self, guest: PlayerId, id: ApiTokenId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.revoke_api_token(guest, id)))
    }

    fn note_used(&self, used: Vec<(ApiTokenId, Millis)>) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            tables.note_used(&used);
            Ok(())
        })
    }

    fn replace_recovery_codes(&self, proof: Proof, codes: Vec<SecretHash>) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.replace_recovery_codes(&proof, codes)))
    }

    fn accounts(&self, which: AccountFilter, limit: u32) -> StoreFuture<'_, Vec<Account>> {
        self.at_once(move |tables| Ok(tables.accounts_which(&which, limit)))
    }

    fn add_recovery_code(&self, guest: PlayerId, code: SecretHash) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| tables.add_recovery_code(guest, code))
    }

    fn remove_account(&self, guest: PlayerId) -> StoreFuture<'_, Option<u64>> {
        self.at_once(move |tables| Ok(tables.remove_account(guest)))
    }

    fn sign_ups(&self, now: Millis) -> StoreFuture<'_, SignUps> {
        self.at_once(move |tables| Ok(tables.good_sign_ups(now)))
    }

    fn set_sign_ups(&self, policy: SignUpPolicy) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            tables.sign_ups = policy;
            Ok(())
        })
    }

    fn add_sign_up_codes(&self, codes: Vec<SecretHash>, expires_at: Millis) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| tables.add_sign_up_codes(&codes, expires_at))
    }

    fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>> {
        self.at_once(move |tables| {
            let good = |invitation: &Invitation| invitation.hash == code && invitation.expires_at > now;
            Ok(tables.invitations.iter().find(|(_, invitation)| good(invitation)).map(|(id, _)| *id))
        })
    }

    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            if !tables.matches.contains_key(&id) {
                return Ok(false);
            }
            if let Some(new) = &invitation {
                tables.check_invitation(id, new)?;
            }
            tables.invitations.remove(&id);
            tables.invitations.extend(invitation.map(|invitation| (id, invitation)));
            Ok(true)
        })
    }

    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>> {
        self.at_once(move |tables| Ok(tables.keys.get(&(guest, key)).map(|(used, _)| used.clone())))
    }

    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let there = tables.matches.contains_key(&id);
            tables.analyses.extend(there.then_some((id, analysis)));
            Ok(there)
        })
    }

    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        self.at_once(move |tables| Ok(tables.analyses.get(&id).cloned()))
    }

    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>> {
        self.at_once(move |tables| {
            let mut named: Vec<_> =
                tables.guests.values().filter(|guest| guest.name == name).cloned().collect();
            named.sort_by_key(|guest| std::cmp::Reverse((guest.created_at, guest.id)));
            named.truncate(limit as usize);
            Ok(named)
        })
    }

    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            if tables.departures.contains_key(&id) {
                return Ok(false);
            }
            if since.is_some() {
                tables.device_codes.remove(&id);
            }
            Ok(tables.guests.get_mut(&id).map(|guest| guest.blocked_at = since).is_some())
        })
    }

    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            tables.tokens.retain(|_, token| token.guest != id);
            tables.device_codes.remove(&id);
            tables.remove_account(id);
            tables.keys.retain(|(guest, _), _| *guest != id);
            tables.seeks.retain(|_, seek| seek.guest != id);
            tables.blocks.retain(|(guest, blocked), _| *guest != id && *blocked != id);
            tables.follows.retain(|(guest, followed), _| *guest != id && *followed != id);
            tables.challenges.retain(|_, of| of.challenger != id && of.challenged != id);
            tables.challenge_settings.remove(&id);
            tables.conditional_turns.retain(|(_, of), _| *of != id);
            tables.push_subscriptions.retain(|_, one| one.guest != id);
            tables.remarks.retain(|_, remark| remark.by != id);
            tables.reports.retain(|_, (of, _)| of.reporter != id && of.reported != id);
            tables.sanctions.retain(|_, (of, _)| *of != id);
            tables.leavings.retain(|_, (of, _)| *of != id);
            tables.turn_losses.retain(|_, one| one.player != id);
            tables.flags.retain(|_, (flag, _)| flag.player != id);
            let is_guest = |guest: &Guest| !matches!(guest.kind, PlayerKind::Computer(_));
            Ok(tables.guests.get(&id).is_some_and(is_guest) && tables.guests.remove(&id).is_some())
        })
    }

    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        self.at_once(move |tables| {
            let theirs = |kept: &Match| kept.card.seats(guest) || kept.made_by == Some(guest);
            let later = |id: MatchId| after.is_none_or(|after| id > after);
            let ids =
                tables.matches.iter().filter(|(id, kept)| later(**id) && theirs(kept)).map(|(id, _)| *id);
            Ok(ids.take(limit as usize).collect())
        })
    }

    fn rewrite(&self, id: MatchId, of: Version, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.rewrite(id, of, events, card)))
    }

    fn erase_remains(&self) -> StoreFuture<'_, bool> {
        self.at_once(|_| Ok(true))
    }

    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        self.at_once(move |tables| {
            let is_stale = |id: MatchId, kept: &Match| {
                kept.card.state() != MatchState::Finished
                    && kept.updated_at < before
                    && after.is_none_or(|after| id > after)
            };
            let found = tables.matches.iter().filter(|(id, kept)| is_stale(**id, kept));
            let rows: Vec<_> = found.map(|(id, kept)| kept.row(*id)).take(limit as usize).collect();
            let next = rows.last().filter(|_| rows.len() == limit as usize).map(|row| row.id);
            Ok(Page { rows, next })
        })
    }

    fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let has_ended =
                |kept: &Match| kept.version.head == head && kept.card.state() == MatchState::Finished;
            if !tables.matches.get(&id).is_some_and(has_ended) {
                return Ok(false);
            }
            tables.matches.remove(&id);
            tables.invitations.remove(&id);
            tables.analyses.remove(&id);
            tables.conditional_turns.retain(|(of, _), _| *of != id);
            tables.remarks.retain(|_, remark| remark.of != id);
            tables.reports.retain(|_, (report, _)| report.of != id);
            tables.leavings.remove(&id);
            tables.turn_losses.retain(|(of, _), _| *of != id);
            tables.rating_changes.retain(|(of, _), _| *of != id);
            tables.keys.retain(|_, (used, _)| used.id != id);
            tables.cluster.forget_match(id);
            Ok(true)
        })
    }

    fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics> {
        self.at_once(|tables| Ok(tables.statistics(since)))
    }

    fn server_key(&self, purpose: KeyPurpose, made: SecretKey) -> StoreFuture<'_, SecretKey> {
        self.at_once(move |tables| Ok(tables.server_keys.entry(purpose).or_insert(made).clone()))
    }

    fn join(&self, node: NewNode, now: Millis) -> StoreFuture<'_, Beat, JoinError> {
        self.at_once(move |tables| {
            let beat = match &self.clock {
                Some(clock) => tables.cluster.join(node, clock()),
                None => Ok(tables.cluster.join_alone(node, now)),
            };
            tables.prolong_over_outages();
            beat
        })
    }

    fn beat(&self, node: NodeId, now: Millis) -> StoreFuture<'_, Beat> {
        self.at_once(move |tables| {
            let now = self.clock.as_ref().map_or(now, |clock| clock());
            let beat = tables.cluster.beat(node, now, self.is_shared());
            tables.prolong_over_outages();
            Ok(beat)
        })
    }

    fn leave(&self, node: NodeId, now: Millis) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            let now = self.clock.as_ref().map_or(now, |clock| clock());
            tables.cluster.leave(node, now, self.is_shared());
            Ok(())
        })
    }

    fn lease(&self, id: MatchId, seq: u32, node: NodeId, for_ms: Millis) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let Some(clock) = &self.clock else { return Ok(true) };
            Ok(tables.cluster.lease(id, seq, node, for_ms, clock()))
        })
    }

    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>> {
        self.at_once(move |tables| Ok(tables.cluster.outages_after(since)))
    }

    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            tables.sweep(now);
            Ok(())
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { self.lock().closed = true })
    }
}
