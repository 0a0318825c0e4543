//! A store that does what the weather makes it do, and tells the world what it has
//! committed at the moment when it does.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_dice::Secret;
use lusoria_play::{MatchId, Millis, PlayerId, Recorded};
use lusoria_store::{
    Append, AppendError, Bearer, Card, DeviceCode, Guest, Head, Invitation, KeptAnalysis, KeyUse,
    MatchFilter, MatchRow, NewMatch, NewSession, Outage, Page, SecretHash, Session, SessionId, Statistics,
    Store, StoreError, StoreFuture, Unfinished, UsedKey, memory::MemoryStore,
};

use super::{asked::Question, weather::Write, world::Shared};

/// How often what waits looks whether the weather has cleared up, in milliseconds.
const LOOKS_EVERY_MS: u64 = 100;

/// The store of a simulated server; what it holds outlives the server.
pub(super) struct FaultyStore {
    inner: Arc<MemoryStore>,
    world: Shared,
}

impl FaultyStore {
    pub(super) fn new(inner: &Arc<MemoryStore>, world: &Shared) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), world: Shared::clone(world) })
    }

    /// Waits as long as the weather demands, or until it clears up.
    async fn weather(&self) {
        let mut left_ms = {
            let mut world = self.world.lock();
            let (now, weather) = (world.now(), world.weather);
            let still_ms = weather.still_until(now).map_or(0, |until| until - now);
            still_ms + weather.delay_ms(now, &mut world.random)
        };
        while left_ms > 0 {
            let step_ms = left_ms.min(LOOKS_EVERY_MS);
            tokio::time::sleep(Duration::from_millis(step_ms)).await;
            let world = self.world.lock();
            let fair = world.weather.fair_since(world.now()).is_some();
            left_ms = if fair { 0 } else { left_ms - step_ms };
        }
    }

    async fn read<T>(&self, what: &'static str, reading: StoreFuture<'_, T>) -> Result<T, StoreError> {
        self.weather().await;
        let fails = {
            let mut world = self.world.lock();
            let (now, weather) = (world.now(), world.weather);
            let fails = weather.read_fails(now, &mut world.random);
            if fails {
                world.note(format_args!("store: {what} fails"));
            }
            fails
        };
        if fails {
            return Err(StoreError::Busy("foul weather".to_owned()));
        }
        let read = reading.await;
        self.weather().await;
        read
    }

    fn fate(&self, what: &str) -> Write {
        let mut world = self.world.lock();
        let (now, weather) = (world.now(), world.weather);
        let fate = weather.write(now, &mut world.random);
        if fate != Write::Made {
            world.note(format_args!("store: {what}: {fate:?}"));
        }
        fate
    }

    async fn write<T>(&self, what: &'static str, writing: StoreFuture<'_, T>) -> Result<T, StoreError> {
        self.weather().await;
        let unknown = Err(StoreError::Unknown("foul weather".to_owned()));
        let written = match self.fate(what) {
            Write::Made => writing.await,
            Write::Busy => Err(StoreError::Busy("foul weather".to_owned())),
            Write::Full => Err(StoreError::Full("foul weather".to_owned())),
            Write::MadeUnknown => match writing.await {
                Ok(_) => unknown,
                Err(error) => Err(error),
            },
            Write::LostUnknown => unknown,
        };
        self.weather().await;
        written
    }

    async fn commit<'a>(
        &'a self,
        what: &'static str,
        writing: StoreFuture<'a, (), AppendError>,
        committed: Vec<(MatchId, Vec<Recorded>)>,
        key: Option<KeyUse>,
    ) -> Result<(), AppendError> {
        self.weather().await;
        let fate = self.fate(what);
        let unknown = || AppendError::Unknown("foul weather".to_owned());
        let refused = match fate {
            Write::Made | Write::MadeUnknown => None,
            Write::Busy => Some(StoreError::Busy("foul weather".to_owned()).into()),
            Write::Full => Some(StoreError::Full("foul weather".to_owned()).into()),
            Write::LostUnknown => Some(unknown()),
        };
        let written = match refused {
            Some(refusal) => Err(refusal),
            None => writing.await,
        };
        if written.is_ok() {
            let mut world = self.world.lock();
            for (id, events) in committed {
                world.committed(id, events);
            }
            if let Some(KeyUse { guest, key, .. }) = key {
                world.carried_out(&Question::Key(guest, key));
            }
        }
        self.weather().await;
        if written.is_ok() && fate == Write::MadeUnknown { Err(unknown()) } else { written }
    }
}

impl Store for FaultyStore {
    fn history(&self) -> uuid::Uuid {
        self.inner.history()
    }

    fn lost_commits(&self) -> u64 {
        self.inner.lost_commits()
    }

    fn is_full(&self) -> bool {
        self.inner.is_full()
    }

    fn create(&self, new: NewMatch) -> StoreFuture<'_, (), AppendError> {
        let (committed, key) = (vec![(new.id, new.events.clone())], new.key.clone());
        Box::pin(self.commit("create", self.inner.create(new), committed, key))
    }

    fn append(&self, append: Append) -> StoreFuture<'_, (), AppendError> {
        let mut committed = vec![(append.id, append.events.clone())];
        committed.extend(append.create.as_ref().map(|next| (next.id, next.events.clone())));
        let key = append.key.clone();
        Box::pin(self.commit("append", self.inner.append(append), committed, key))
    }

    fn set_deadline(&self, id: MatchId, head: u32, deadline: Option<Millis>) -> StoreFuture<'_, ()> {
        Box::pin(self.write("set_deadline", self.inner.set_deadline(id, head, deadline)))
    }

    fn head(&self, id: MatchId) -> StoreFuture<'_, Option<Head>> {
        Box::pin(self.read("head", self.inner.head(id)))
    }

    fn events(&self, id: MatchId, since: u32, limit: u32) -> StoreFuture<'_, Vec<Recorded>> {
        Box::pin(self.read("events", self.inner.events(id, since, limit)))
    }

    fn secret(&self, id: MatchId) -> StoreFuture<'_, Option<Secret>> {
        Box::pin(self.read("secret", self.inner.secret(id)))
    }

    fn due(&self, now: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(self.read("due", self.inner.due(now, limit)))
    }

    fn next_deadline(&self) -> StoreFuture<'_, Option<Millis>> {
        Box::pin(self.read("next_deadline", self.inner.next_deadline()))
    }

    fn list(&self, filter: MatchFilter, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(self.read("list", self.inner.list(filter, after, limit)))
    }

    fn unfinished_created_by(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        Box::pin(self.read("unfinished_created_by", self.inner.unfinished_created_by(guest)))
    }

    fn unfinished_with_computer(&self, guest: PlayerId) -> StoreFuture<'_, u32> {
        Box::pin(self.read("unfinished_with_computer", self.inner.unfinished_with_computer(guest)))
    }

    fn unfinished_against_itself(&self) -> StoreFuture<'_, u32> {
        Box::pin(self.read("unfinished_against_itself", self.inner.unfinished_against_itself()))
    }

    fn unfinished(&self) -> StoreFuture<'_, Unfinished> {
        Box::pin(self.read("unfinished", self.inner.unfinished()))
    }

    fn row(&self, id: MatchId) -> StoreFuture<'_, Option<MatchRow>> {
        Box::pin(self.read("row", self.inner.row(id)))
    }

    fn add_guest(&self, guest: Guest, session: NewSession) -> StoreFuture<'_, ()> {
        Box::pin(self.write("add_guest", self.inner.add_guest(guest, session)))
    }

    fn bearer(&self, token: SecretHash) -> StoreFuture<'_, Option<Bearer>> {
        Box::pin(self.read("bearer", self.inner.bearer(token)))
    }

    fn guest(&self, id: PlayerId) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(self.read("guest", self.inner.guest(id)))
    }

    fn rename_guest(&self, id: PlayerId, name: String) -> StoreFuture<'_, bool> {
        Box::pin(self.write("rename_guest", self.inner.rename_guest(id, name)))
    }

    fn add_device_code(&self, code: DeviceCode, by: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(self.write("add_device_code", self.inner.add_device_code(code, by)))
    }

    fn spend_device_code(
        &self,
        code: SecretHash,
        session: NewSession,
        now: Millis,
    ) -> StoreFuture<'_, Option<Guest>> {
        Box::pin(self.write("spend_device_code", self.inner.spend_device_code(code, session, now)))
    }

    fn sessions(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(self.read("sessions", self.inner.sessions(guest)))
    }

    fn revoke_session(&self, guest: PlayerId, id: SessionId, by: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(self.write("revoke_session", self.inner.revoke_session(guest, id, by)))
    }

    fn revoke_other_sessions(&self, guest: PlayerId, kept: SessionId) -> StoreFuture<'_, u64> {
        Box::pin(self.write("revoke_other_sessions", self.inner.revoke_other_sessions(guest, kept)))
    }

    fn note_seen(&self, seen: Vec<(SessionId, Millis)>) -> StoreFuture<'_, ()> {
        Box::pin(self.write("note_seen", self.inner.note_seen(seen)))
    }

    fn invited_to(&self, code: SecretHash, now: Millis) -> StoreFuture<'_, Option<MatchId>> {
        Box::pin(self.read("invited_to", self.inner.invited_to(code, now)))
    }

    fn set_invitation(&self, id: MatchId, invitation: Option<Invitation>) -> StoreFuture<'_, bool> {
        Box::pin(self.write("set_invitation", self.inner.set_invitation(id, invitation)))
    }

    fn used_key(&self, guest: PlayerId, key: String) -> StoreFuture<'_, Option<UsedKey>> {
        Box::pin(self.read("used_key", self.inner.used_key(guest, key)))
    }

    fn keep_analysis(&self, id: MatchId, analysis: KeptAnalysis) -> StoreFuture<'_, bool> {
        Box::pin(self.write("keep_analysis", self.inner.keep_analysis(id, analysis)))
    }

    fn analysis(&self, id: MatchId) -> StoreFuture<'_, Option<KeptAnalysis>> {
        Box::pin(self.read("analysis", self.inner.analysis(id)))
    }

    fn guests_named(&self, name: String, limit: u32) -> StoreFuture<'_, Vec<Guest>> {
        Box::pin(self.read("guests_named", self.inner.guests_named(name, limit)))
    }

    fn set_blocked(&self, id: PlayerId, since: Option<Millis>) -> StoreFuture<'_, bool> {
        Box::pin(self.write("set_blocked", self.inner.set_blocked(id, since)))
    }

    fn forget_guest(&self, id: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(self.write("forget_guest", self.inner.forget_guest(id)))
    }

    fn matches_of(
        &self,
        guest: PlayerId,
        after: Option<MatchId>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<MatchId>> {
        Box::pin(self.read("matches_of", self.inner.matches_of(guest, after, limit)))
    }

    fn rewrite(&self, id: MatchId, head: u32, events: Vec<Recorded>, card: Card) -> StoreFuture<'_, bool> {
        Box::pin(self.write("rewrite", self.inner.rewrite(id, head, events, card)))
    }

    fn erase_remains(&self) -> StoreFuture<'_, bool> {
        Box::pin(self.write("erase_remains", self.inner.erase_remains()))
    }

    fn stale(&self, before: Millis, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Page> {
        Box::pin(self.read("stale", self.inner.stale(before, after, limit)))
    }

    fn forget_match(&self, id: MatchId, head: u32) -> StoreFuture<'_, bool> {
        Box::pin(self.write("forget_match", self.inner.forget_match(id, head)))
    }

    fn statistics(&self, since: Vec<Millis>) -> StoreFuture<'_, Statistics> {
        Box::pin(self.read("statistics", self.inner.statistics(since)))
    }

    fn last_alive(&self) -> StoreFuture<'_, Option<Millis>> {
        Box::pin(self.read("last_alive", self.inner.last_alive()))
    }

    fn note_alive(&self, now: Millis) -> StoreFuture<'_, ()> {
        let noted = async move {
            self.inner.note_alive(now).await?;
            self.world.lock().ledger.alive = now;
            Ok(())
        };
        Box::pin(self.write("note_alive", Box::pin(noted)))
    }

    fn begin(&self, now: Millis) -> StoreFuture<'_, ()> {
        let begun = async move {
            self.inner.begin(now).await?;
            self.world.lock().ledger.begun(now);
            Ok(())
        };
        Box::pin(self.write("begin", Box::pin(begun)))
    }

    fn outages(&self, since: Millis) -> StoreFuture<'_, Vec<Outage>> {
        Box::pin(self.read("outages", self.inner.outages(since)))
    }

    fn sweep(&self, now: Millis) -> StoreFuture<'_, ()> {
        Box::pin(self.write("sweep", self.inner.sweep(now)))
    }

    /// The file stays: another server will open it.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}
