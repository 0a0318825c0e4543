//! Guests who leave: they erase themselves, or are adopted by an account of the same person. One transaction
//! begins it. The rest is done here, at once or, if that is interrupted, later by any node until nothing is
//! left.
//!
//! The transaction that hands over a match checks that the adoption still stands. If the adopter is erased
//! meanwhile, they get nothing more, and the rest of the guest is erased with them.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use lusoria_play::PlayerId;
use lusoria_protocol::{Adopt, Adopted, Code, EraseAccount, Problem};
use lusoria_store::{
    AdoptionBeginning, Bearer, ChallengeEnd, Departure, ErasureBeginning, ErasureBy, NamedChallenge,
    NewAdoption,
};
use tokio::time::{Instant, MissedTickBehavior};

use crate::{
    app::{
        App, Caller, ClientAddress,
        admin::{AdminError, Failed, matches::note_interruption},
        people::secrets,
        problem,
    },
    live::{CommandError, Rewriting},
};

/// How many requests it counts as to erase a guest without an account: their data is overwritten in the whole
/// database.
const ERASURE_WEIGHT: NonZeroU32 = NonZeroU32::new(50).expect("not 0");

/// The name that replaces that of an erased guest.
const ERASED: &str = "Erased guest";

/// How long a response waits for the rest of the work.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// How often the server looks for guests whose departure is not finished.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// The longest pause after a failed attempt. The first pause lasts until the next look, and each one is twice
/// as long as the last.
const PAUSE_MAX: Duration = Duration::from_hours(24);

/// When a departure is tried again, and the pause before that.
type Pauses = HashMap<PlayerId, (Instant, Duration)>;

/// What was done for a guest who leaves.
#[derive(Debug, Default)]
pub(in crate::app) struct Departed {
    /// How many of their matches were ended.
    pub(in crate::app) ended: u64,
    /// How many were rewritten.
    pub(in crate::app) matches: u64,
    /// Whether the WAL may still hold what was deleted.
    pub(in crate::app) is_left_in_log: bool,
    /// Whether matches are left that another node handles.
    has_more: bool,
    /// Matches that could not be changed.
    pub(in crate::app) failed: Failed,
}

impl Departed {
    fn is_complete(&self) -> bool {
        self.failed.is_empty() && !self.is_left_in_log && !self.has_more
    }
}

impl App {
    /// Moves the matches of another guest to the caller, and removes the other guest. If that takes long, the
    /// rest continues after the response.
    ///
    /// # Errors
    /// `no_account`; `yourself`; `unknown_guest_token`, `guest_blocked`, `guest_has_account`, `other_kind`,
    /// `played_each_other`; `unknown_token` or `blocked` if the caller lost access meanwhile;
    /// `unavailable`.
    pub async fn adopt(self: Arc<Self>, caller: &Caller, request: &Adopt) -> Result<Adopted, Problem> {
        let (adopter, by) = (caller.id(), caller.session()?);
        let found = self.store().bearer(secrets::hash(request.token.as_str())).await;
        let Some(Bearer { guest, session, .. }) = found.map_err(problem::store)? else {
            return Err(Code::UnknownGuestToken.into());
        };
        let at = self.live.now();
        let waiting = self.store().challenges_of(guest.id, at).await.map_err(problem::store)?;
        let new = NewAdoption { adopter, by, guest: guest.id, session, at };
        match self.store().begin_adoption(new).await.map_err(problem::store)? {
            AdoptionBeginning::Begun => {}
            AdoptionBeginning::SessionEnded => return Err(self.gone(caller, adopter).await),
            AdoptionBeginning::NoAccount => return Err(Code::NoAccount.into()),
            AdoptionBeginning::Yourself => return Err(Code::Yourself.into()),
            AdoptionBeginning::GuestSessionEnded => return Err(Code::UnknownGuestToken.into()),
            AdoptionBeginning::GuestBlocked => return Err(Code::GuestBlocked.into()),
            AdoptionBeginning::GuestHasAccount => return Err(Code::GuestHasAccount.into()),
            AdoptionBeginning::OtherKind => return Err(Code::OtherKind.into()),
            AdoptionBeginning::PlayedEachOther => return Err(Code::PlayedEachOther.into()),
        }
        tracing::info!(guest = %guest.id.0, adopter = %adopter.0, "an account is adopting a guest");
        self.tell_withdrawn(waiting);
        let matches = Arc::new(AtomicU64::new(0));
        let departure = Departure { guest: guest.id, adopter: Some(adopter), since: at };
        let complete = self.leave(departure, Arc::clone(&matches)).await;
        Ok(Adopted { id: guest.id, matches: matches.load(Ordering::Relaxed), complete })
    }

    /// Erases the stored data of a guest who has an account; their matches stay, without the name. If that
    /// takes long, the rest continues after the response.
    ///
    /// # Errors
    /// As [`Self::change_password`].
    pub async fn erase_account(
        self: Arc<Self>,
        caller: &Caller,
        request: &EraseAccount,
        address: ClientAddress,
    ) -> Result<(), Problem> {
        let proof = self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        self.erase_by(caller, ErasureBy::Account(proof)).await
    }

    /// The same for a guest without an account.
    ///
    /// # Errors
    /// `has_account`; `unknown_token` or `blocked` if the caller lost access meanwhile;
    /// `too_many_requests`; `unavailable`.
    pub async fn erase_guest(
        self: Arc<Self>,
        caller: &Caller,
        address: ClientAddress,
    ) -> Result<(), Problem> {
        let by = ErasureBy::Session(caller.session()?);
        self.rate_limiters.admit_total(address, None, ERASURE_WEIGHT)?;
        self.erase_by(caller, by).await
    }

    async fn erase_by(self: Arc<Self>, caller: &Caller, by: ErasureBy) -> Result<(), Problem> {
        let (guest, since) = (caller.id(), self.live.now());
        let waiting = self.store().challenges_of(guest, since).await.map_err(problem::store)?;
        match self.store().begin_erasure(guest, by, since).await.map_err(problem::store)? {
            ErasureBeginning::Begun => {}
            ErasureBeginning::HasAccount => return Err(problem::erase_with_proof()),
            ErasureBeginning::NotProven => return Err(self.proof_failed(caller).await),
        }
        tracing::info!(guest = %guest.0, "erasing a person's data, as they asked");
        self.tell_withdrawn(waiting);
        self.leave(Departure { guest, adopter: None, since }, Arc::default()).await;
        Ok(())
    }

    /// Notifies both sides of withdrawn challenges.
    fn tell_withdrawn(&self, waiting: Vec<NamedChallenge>) {
        for mut of in waiting.into_iter().filter(|of| of.challenge.end.is_none()) {
            of.challenge.end = Some(ChallengeEnd::Withdrawn);
            self.live.tell_challenge(&of);
        }
    }

    /// Does the rest of a departure, and waits for it for a while. Returns whether it is finished.
    async fn leave(self: Arc<Self>, departure: Departure, matches: Arc<AtomicU64>) -> bool {
        let guest = departure.guest;
        self.live.doubt(guest);
        let unended = self.unended();
        let stopping = self.live.stopping().clone();
        let departing = tokio::spawn(async move {
            let _unended = unended;
            // The next start continues it.
            stopping.run_until_cancelled(self.depart(departure, &matches)).await
        });
        match tokio::time::timeout(ANSWER_WITHIN, departing).await {
            Ok(Ok(Some(Ok(departed)))) => departed.is_complete(),
            Ok(Ok(Some(Err(error)))) => {
                tracing::warn!(guest = %guest.0, %error, "a guest's departure is not finished; trying again later");
                false
            }
            Ok(Ok(None) | Err(_)) | Err(_) => false,
        }
    }

    /// Does the rest of a departure, after the departures before it; `matches` counts rewritten matches.
    ///
    /// # Errors
    /// If it was interrupted. Finished work stays, and the rest is done later.
    pub(in crate::app) async fn depart(
        &self,
        departure: Departure,
        matches: &AtomicU64,
    ) -> Result<Departed, AdminError> {
        let one_at_a_time = self.departing.lock().await;
        let mut departed = self.depart_now(departure, matches).await?;
        drop(one_at_a_time);
        departed.is_left_in_log = leaves_traces(departure) && !self.leave_no_trace().await;
        self.end_departure(departure, &departed).await?;
        Ok(departed)
    }

    async fn depart_now(&self, departure: Departure, matches: &AtomicU64) -> Result<Departed, AdminError> {
        match departure.adopter {
            Some(adopter) => self.hand_over_all(departure, adopter, matches).await,
            None => self.erase_all(departure.guest).await,
        }
    }

    /// Ends a departure if nothing is left to do.
    async fn end_departure(&self, departure: Departure, departed: &Departed) -> Result<(), AdminError> {
        if departed.is_complete() {
            self.store().end_departure(departure).await?;
        } else {
            tracing::warn!(guest = %departure.guest.0, "a guest's departure is not finished: some matches are left; trying again later");
        }
        Ok(())
    }

    /// Replaces the name of a guest in their matches, and deletes their other data.
    async fn erase_all(&self, guest: PlayerId) -> Result<Departed, AdminError> {
        let mut failed = Failed::default();
        let ended = self.end_matches_of(guest, &mut failed).await;
        let ended = note_interruption(ended, guest, &failed)?;
        let matches = self.rename_in_matches(guest, ERASED, &mut failed).await;
        let matches = note_interruption(matches, guest, &failed)?;
        // Last, so that an operator who is interrupted can still name the guest.
        let forgotten = self.store().forget_guest(guest).await;
        note_interruption(forgotten.map_err(AdminError::from), guest, &failed)?;
        self.live.doubt(guest);
        // Logged before the slow part, which overwrites the id: after a restore the operator needs it.
        if failed.is_empty() {
            tracing::info!(guest = %guest.0, ended, matches, "a person's data has been erased");
        }
        Ok(Departed { ended, matches, failed, ..Departed::default() })
    }

    /// Moves all matches of a guest to another one.
    async fn hand_over_all(
        &self,
        departure: Departure,
        adopter: PlayerId,
        matches: &AtomicU64,
    ) -> Result<Departed, AdminError> {
        let (guest, mut failed) = (departure.guest, Failed::default());
        for id in self.matches_of(guest).await? {
            let handed_over = match self.live.rewrite(id, Rewriting::Player(departure)).await {
                Err(CommandError::NoSuchMatch) => Ok(false),
                outcome => outcome.map(|()| true),
            };
            let handed_over = failed.note(id, handed_over);
            let handed_over = note_interruption(handed_over, guest, &failed)?.unwrap_or(false);
            matches.fetch_add(u64::from(handed_over), Ordering::Relaxed);
        }
        let matches = matches.load(Ordering::Relaxed);
        // If the adopter is erased by now, the matches stay with the guest, and there is more to do.
        let has_more = !self.matches_of(guest).await?.is_empty();
        if !has_more {
            self.store().forget_guest(guest).await?;
            self.live.doubt(guest);
            tracing::info!(guest = %guest.0, adopter = %adopter.0, matches, "a guest has been adopted");
        }
        Ok(Departed { matches, has_more, failed, ..Departed::default() })
    }

    /// Finishes departures, now and repeatedly.
    pub async fn keep_finishing_departures(&self) {
        let mut pauses = Pauses::new();
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.finish_departures(&mut pauses).await {
                tracing::warn!(%error, "could not finish departures of guests; trying again later");
            }
        }
    }

    async fn finish_departures(&self, pauses: &mut Pauses) -> Result<(), AdminError> {
        let departures = self.store().departures().await?;
        pauses.retain(|&guest, _| departures.iter().any(|departure| departure.guest == guest));
        let mut departed = Vec::new();
        for departure in departures {
            if pauses.get(&departure.guest).is_some_and(|&(next, _)| Instant::now() < next) {
                continue;
            }
            let _one_at_a_time = self.departing.lock().await;
            // Another node may work on it too: repeating the work is harmless.
            if !self.store().departures().await?.contains(&departure) {
                continue;
            }
            tracing::info!(guest = %departure.guest.0, "continuing a guest's departure");
            departed.push((departure, self.depart_now(departure, &AtomicU64::new(0)).await));
        }
        let is_left_in_log =
            departed.iter().any(|&(departure, _)| leaves_traces(departure)) && !self.leave_no_trace().await;
        for (departure, departed) in departed {
            let ended = async {
                let is_left_in_log = is_left_in_log && leaves_traces(departure);
                let departed = Departed { is_left_in_log, ..departed? };
                self.end_departure(departure, &departed).await?;
                Ok::<_, AdminError>(departed.is_complete())
            };
            let is_done = ended.await.unwrap_or_else(|error| {
                tracing::warn!(guest = %departure.guest.0, %error, "a guest's departure is not finished; trying again later");
                false
            });
            if !is_done {
                let pause = pauses.get(&departure.guest).map_or(LOOK_EVERY, |&(_, pause)| pause * 2);
                let pause = pause.min(PAUSE_MAX);
                pauses.insert(departure.guest, (Instant::now() + pause, pause));
            }
        }
        Ok(())
    }
}

/// Whether deleted data of the guest must be overwritten: they are erased, not adopted.
const fn leaves_traces(departure: Departure) -> bool {
    departure.adopter.is_none()
}
