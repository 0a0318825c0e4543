//! A store that fails as it is told.

use std::{
    any::Any,
    collections::BTreeSet,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use lusoria_play::MatchId;
use lusoria_store::{Call, Fate, Faults, Store, StoreError};
use parking_lot::Mutex;

use super::{database, postgres::Home};

/// After so many looks for conditional turns there are no more, so that a test ends.
const LOOKS_MAX: usize = 2_000;

/// What is wrong with a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It takes no events now.
    Busy,
    /// It will take none.
    Failed,
    /// Reading it panics.
    Panics,
    /// Its events cannot be read.
    Unreadable,
    /// The disk is full when it takes events.
    Full,
    /// Nobody knows whether a name in it was replaced, although it was.
    Unknown,
    /// It takes events, and nobody learns whether it did.
    Unanswered,
}

/// A store with something wrong in it.
pub(crate) struct FailingStore {
    store: Arc<Store>,
    injected: Arc<Injected>,
}

/// What is wrong with a store.
#[derive(Default)]
pub(crate) struct Injected {
    /// Where it is, if it must be told the time.
    home: Option<Arc<Home>>,
    faults: Mutex<Vec<(MatchId, Fault)>>,
    of_writes: Mutex<Option<Fault>>,
    keeps_traces: AtomicBool,
    remains_erased: AtomicU32,
    tried: Mutex<u32>,
    analyses_read: Mutex<u32>,
    secrets_read: Mutex<u32>,
    events_read: Mutex<Vec<u32>>,
    conditional: Mutex<Laid>,
    delays: Mutex<Vec<(Delayed, Duration)>>,
    interruption: Mutex<Option<(Read, BoxFuture<'static, ()>)>>,
}

/// Matches for which turns are laid down, it says, although they are not there.
#[derive(Default)]
struct Laid {
    ids: BTreeSet<MatchId>,
    /// How often it was asked for matches.
    looks: usize,
}

/// A read after which something else may happen before it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// Whose a token is.
    Bearer,
    /// Which matches there are.
    List,
    /// Which matches are old.
    Stale,
    /// What happened in a match, to write it anew.
    ToRewrite,
}

/// What can be made to take long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delayed {
    /// Noting that a server runs again.
    Join,
    /// Taking events.
    Append,
    /// Telling whose a token is.
    Bearer,
    /// Reading an analysis.
    Analysis,
    /// Doing away with what was replaced or forgotten.
    ErasingRemains,
}

impl Default for FailingStore {
    /// An empty one.
    fn default() -> Self {
        database::failing_store()
    }
}

impl FailingStore {
    /// Nothing is wrong with this store yet. If it has a `home`, that is told the time.
    pub(crate) fn over(store: Store, home: Option<Arc<Home>>) -> Self {
        let injected = Arc::new(Injected { home, ..Injected::default() });
        let faults: Arc<dyn Faults> = injected.clone();
        Self { store: Arc::new(store.with_faults(faults)), injected }
    }

    /// The store itself.
    pub(crate) fn store(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }

    /// From now on this takes so long.
    pub(crate) fn delay(&self, what: Delayed, by: Duration) {
        let mut delays = self.injected.delays.lock();
        delays.retain(|(delayed, _)| *delayed != what);
        delays.push((what, by));
    }

    pub(crate) fn fail(&self, id: MatchId, fault: Fault) {
        *self.injected.faults.lock() = vec![(id, fault)];
    }

    /// Something wrong with one more match.
    pub(crate) fn also_fail(&self, id: MatchId, fault: Fault) {
        self.injected.faults.lock().push((id, fault));
    }

    /// What is wrong from now on with transactions outside of the journal. [`Fault::Busy`]: nothing is read or written;
    /// [`Fault::Unanswered`]; [`Fault::Unreadable`]: the next one is unanswered, and then it is busy.
    pub(crate) fn fail_writes(&self, fault: Option<Fault>) {
        *self.injected.of_writes.lock() = fault;
    }

    /// Whether it cannot do away with what was replaced or forgotten.
    pub(crate) fn keep_traces(&self, keeps: bool) {
        self.injected.keeps_traces.store(keeps, Ordering::Relaxed);
    }

    /// How often it did away with what was replaced or forgotten.
    pub(crate) fn remains_erased(&self) -> u32 {
        self.injected.remains_erased.load(Ordering::Relaxed)
    }

    pub(crate) fn heal(&self) {
        self.injected.faults.lock().clear();
    }

    /// Something that happens between the next such read and its answer.
    pub(crate) fn interrupt(&self, read: Read, by: impl Future<Output = ()> + Send + 'static) {
        *self.injected.interruption.lock() = Some((read, Box::pin(by)));
    }

    /// How often something failed.
    pub(crate) fn tried(&self) -> u32 {
        *self.injected.tried.lock()
    }

    /// How often an analysis was read.
    pub(crate) fn analyses_read(&self) -> u32 {
        *self.injected.analyses_read.lock()
    }

    /// From where on events were read since the last time.
    pub(crate) fn events_read(&self) -> Vec<u32> {
        std::mem::take(&mut *self.injected.events_read.lock())
    }

    /// Turns are laid down for these matches, too, which are not there.
    pub(crate) fn lay_down(&self, ids: impl IntoIterator<Item = MatchId>) {
        self.injected.conditional.lock().ids.extend(ids);
    }

    /// How often it was looked for which matches turns are laid down.
    pub(crate) fn conditional_looks(&self) -> usize {
        self.injected.conditional.lock().looks
    }

    /// How often the secret of a match was read.
    pub(crate) fn secrets_read(&self) -> u32 {
        *self.injected.secrets_read.lock()
    }
}

impl Deref for FailingStore {
    type Target = Arc<Store>;

    fn deref(&self) -> &Arc<Store> {
        &self.store
    }
}

impl Injected {
    async fn delayed(&self, what: Delayed) {
        let delay = self.delays.lock().iter().find(|(delayed, _)| *delayed == what).map(|(_, by)| *by);
        if let Some(by) = delay {
            tokio::time::sleep(by).await;
        }
    }

    async fn interruption(&self, after: Read) {
        let it = self.interruption.lock().take_if(|(read, _)| *read == after);
        if let Some((_, happens)) = it {
            happens.await;
        }
    }

    fn found(&self, id: MatchId) -> Option<Fault> {
        self.faults.lock().iter().find(|(of, _)| *of == id).map(|(_, fault)| *fault)
    }

    fn fault(&self, id: MatchId) -> Option<Fault> {
        let fault = self.found(id);
        *self.tried.lock() += u32::from(fault.is_some());
        fault
    }
}

fn busy() -> Fate {
    Fate::Refused(StoreError::Busy("on purpose".to_owned()))
}

impl Faults for Injected {
    fn before<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Fate> {
        Box::pin(async move {
            match call {
                Call::Append(turn) => match self.fault(turn.committed[0].0) {
                    Some(Fault::Busy) => return busy(),
                    Some(Fault::Failed) => return Fate::Refused(StoreError::Failed("on purpose".to_owned())),
                    Some(Fault::Full) => return Fate::Refused(StoreError::Full("on purpose".to_owned())),
                    Some(Fault::Unanswered) => return Fate::MadeUnknown,
                    None | Some(Fault::Panics | Fault::Unreadable | Fault::Unknown) => {
                        self.delayed(Delayed::Append).await;
                    }
                },
                Call::Events(id, since) => {
                    self.events_read.lock().push(*since);
                    match self.found(*id) {
                        Some(Fault::Panics) => {
                            *self.tried.lock() += 1;
                            panic!("on purpose");
                        }
                        Some(Fault::Unreadable) => {
                            return Fate::Refused(StoreError::Corrupt("on purpose".to_owned()));
                        }
                        _ => {}
                    }
                }
                Call::Create(turn) if self.found(turn.committed[0].0) == Some(Fault::Unanswered) => {
                    return Fate::MadeUnknown;
                }
                Call::Settle(id) if self.found(*id) == Some(Fault::Unanswered) => return busy(),
                Call::Write => {
                    let mut fault = self.of_writes.lock();
                    match *fault {
                        Some(Fault::Unanswered) => return Fate::MadeUnknown,
                        Some(Fault::Unreadable) => {
                            *fault = Some(Fault::Busy);
                            return Fate::MadeUnknown;
                        }
                        Some(_) => return busy(),
                        None => {}
                    }
                }
                Call::Read if *self.of_writes.lock() == Some(Fault::Busy) => return busy(),
                Call::Analysis => {
                    *self.analyses_read.lock() += 1;
                    self.delayed(Delayed::Analysis).await;
                }
                Call::Bearer => self.delayed(Delayed::Bearer).await,
                Call::Join(..) => self.delayed(Delayed::Join).await,
                Call::Secret => *self.secrets_read.lock() += 1,
                Call::Rewrite(id, _) => {
                    let is_unknown = self.found(*id) == Some(Fault::Unknown);
                    self.interruption(Read::ToRewrite).await;
                    if is_unknown {
                        return Fate::MadeUnknown;
                    }
                }
                Call::EraseRemains => {
                    if self.keeps_traces.load(Ordering::Relaxed) {
                        return busy();
                    }
                    self.remains_erased.fetch_add(1, Ordering::Relaxed);
                    self.delayed(Delayed::ErasingRemains).await;
                }
                Call::ConditionalMatches { .. } => {
                    let mut laid = self.conditional.lock();
                    laid.looks += 1;
                    if !laid.ids.is_empty() && laid.looks > LOOKS_MAX {
                        return busy();
                    }
                }
                _ => {}
            }
            if let (Some(home), Call::Join(_, now) | Call::Beat(_, now) | Call::Leave(_, now)) =
                (&self.home, call)
            {
                home.set_time(*now);
            }
            Fate::Made
        })
    }

    fn done(&self, call: &Call, answer: &mut dyn Any) {
        if let (Call::ConditionalMatches { after, limit }, Some(found)) =
            (call, answer.downcast_mut::<Vec<MatchId>>())
        {
            let laid = self.conditional.lock();
            let mut all: BTreeSet<MatchId> = found.drain(..).collect();
            all.extend(laid.ids.iter().filter(|id| after.is_none_or(|after| **id > after)));
            found.extend(all.into_iter().take(*limit as usize));
        }
    }

    fn after<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            match call {
                Call::Bearer => self.interruption(Read::Bearer).await,
                Call::List => self.interruption(Read::List).await,
                Call::Stale => self.interruption(Read::Stale).await,
                _ => {}
            }
        })
    }
}
