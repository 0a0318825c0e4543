//! Seeks. `live::pairing` decides who plays whom.

use lusoria_play::{Millis, PlayerId, SeekError, SeekId, SeekTerms};
use lusoria_protocol::{Code, CreateSeek, Problem, RatingRange, Seek as WireSeek, SeekList};
use lusoria_store::{SEEKS_PER_GUEST_MAX, Seek, SeekAdding, SeekWithdrawal};

use crate::{
    app::{App, Caller, ClientAddress, problem, wire},
    live::{LIVE_SEEK_FOR_MS, SEEK_BY_DAYS_FOR_MS},
};

/// A caller who lists their seeks is present: those that would end sooner than this are prolonged, in
/// milliseconds.
const PROLONGED_WITHIN_MS: Millis = 20_000;

/// How many seeks of others are listed, the newest.
const WAITING_SEEKS_MAX: usize = 50;

impl App {
    /// Adds a seek, and pairs it at once if another one fits. If the same one waits already, returns that.
    ///
    /// # Errors
    /// Terms out of range; `not_rated`; `account_needed`; `left_too_often`; `too_many_seeks`,
    /// `too_many_matches`; `unknown_token` or `blocked` if the caller lost access meanwhile;
    /// `unavailable`.
    pub async fn seek(&self, caller: &Caller, request: &CreateSeek) -> Result<WireSeek, Problem> {
        let CreateSeek { games, points, pairs, clocks, bots, rated, rating, seed_hash } = request.clone();
        let rating = rating.map(|RatingRange { below, above }| lusoria_play::RatingRange { below, above });
        let terms = SeekTerms { games, points, pairs, clocks, bots, rated, rating };
        terms.check().map_err(|why| match why {
            SeekError::Terms(why) => lusoria_wire::out_of_range(&why),
            SeekError::NeverRated(_) => Problem::new(Code::NotRated, why.to_string()),
            SeekError::Count(_) | SeekError::Repeated(_) | SeekError::TwoPaces | SeekError::Rating => {
                Problem::new(Code::InvalidBody, why.to_string())
            }
        })?;
        self.admit_creator(caller).await?;
        if terms.rated || terms.rating.is_some() {
            self.admit_to_ratings(caller).await?;
        }
        if !terms.is_correspondence() {
            self.admit_to_live_play(caller).await?;
        }
        let now = self.live.now();
        let waits_ms = if terms.is_correspondence() { SEEK_BY_DAYS_FOR_MS } else { LIVE_SEEK_FOR_MS };
        let new = Seek {
            id: SeekId(self.new_id(now)),
            guest: caller.id(),
            terms,
            seed_hash,
            created_at: now,
            expires_at: now + waits_ms,
            answered: None,
        };
        match self.store().add_seek(new).await.map_err(problem::store)? {
            SeekAdding::TooMany => {
                Err(Problem::from(Code::TooManySeeks).with_limit(SEEKS_PER_GUEST_MAX.into()))
            }
            SeekAdding::GuestGone => Err(self.gone(caller, caller.id()).await),
            SeekAdding::Waits(seek) => {
                self.live.pair(seek.id).await;
                let now = self.seek_of(caller.id(), seek.id).await?;
                Ok(wire::seek(&now.unwrap_or(seek)))
            }
        }
    }

    async fn seek_of(&self, guest: PlayerId, id: SeekId) -> Result<Option<Seek>, Problem> {
        let theirs = self.store().seeks_of(guest, self.live.now()).await.map_err(problem::store)?;
        Ok(theirs.into_iter().find(|seek| seek.id == id))
    }

    /// Lists the caller's seeks, and prolongs them.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn seeks(&self, caller: &Caller) -> Result<SeekList, Problem> {
        let now = self.live.now();
        let mut theirs = self.store().seeks_of(caller.id(), now).await.map_err(problem::store)?;
        let ends_soon = |seek: &&mut Seek| {
            seek.answered.is_none()
                && !seek.terms.is_correspondence()
                && seek.expires_at < now + PROLONGED_WITHIN_MS
        };
        let mut ending = theirs.iter_mut().filter(ends_soon).peekable();
        if ending.peek().is_some() {
            let until = now + LIVE_SEEK_FOR_MS;
            self.store().prolong_seeks(vec![caller.id()], now, until).await.map_err(problem::store)?;
            ending.for_each(|seek| seek.expires_at = until);
        }
        Ok(SeekList { seeks: theirs.iter().map(wire::seek).collect() })
    }

    /// Lists seeks of others that the caller can answer, by seeking the same.
    ///
    /// # Errors
    /// `too_many_requests` if the address has asked for too much; `unavailable`.
    pub async fn waiting_seeks(
        &self,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<SeekList, Problem> {
        let viewer = viewer.map(Caller::player);
        let mut waiting = self.live.waiting_seeks(viewer.as_ref()).await.map_err(problem::store)?;
        waiting.truncate(WAITING_SEEKS_MAX);
        self.admit_items(address, waiting.len())?;
        Ok(SeekList { seeks: waiting.iter().map(wire::seek_of_other).collect() })
    }

    /// Withdraws a seek.
    ///
    /// # Errors
    /// `no_such_seek`; `seek_answered`; `unavailable`.
    pub async fn withdraw_seek(&self, caller: &Caller, id: SeekId) -> Result<(), Problem> {
        let withdrawn = self.store().withdraw_seek(caller.id(), id, self.live.now()).await;
        match withdrawn.map_err(problem::store)? {
            SeekWithdrawal::Withdrawn => Ok(()),
            SeekWithdrawal::Answered(of) => {
                Err(Problem::new(Code::SeekAnswered, format!("this seek was answered: match {of}")))
            }
            SeekWithdrawal::NoSuchSeek => {
                Err(Problem::new(Code::NoSuchSeek, format!("no seek {id} of yours waits")))
            }
        }
    }
}
