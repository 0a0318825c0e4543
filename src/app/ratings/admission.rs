//! Who may play rated matches: players with accounts, so that they keep their rating.

use lusoria_play::{Pace, PlayerId, Terms};
use lusoria_protocol::{Code, Problem};

use crate::app::{App, Caller, problem};

impl App {
    /// Checks that a guest may play on these terms.
    ///
    /// # Errors
    /// `account_needed` if the match is rated and the guest has no account; `left_too_often` if it is rated
    /// and live, and the guest has left too many; `unavailable`.
    pub(in crate::app) async fn admit_to_terms(&self, caller: &Caller, terms: &Terms) -> Result<(), Problem> {
        if !terms.rated {
            return Ok(());
        }
        self.admit_to_ratings(caller).await?;
        match terms.clock.pace() {
            Pace::Live => self.admit_to_live_play(caller).await,
            Pace::Days => Ok(()),
        }
    }

    /// Checks that a guest can have ratings: that they have an account.
    ///
    /// # Errors
    /// `account_needed`; `unavailable`.
    pub(in crate::app) async fn admit_to_ratings(&self, caller: &Caller) -> Result<(), Problem> {
        if self.has_account(caller.id()).await? {
            return Ok(());
        }
        let detail = "ratings are of players with accounts: open one, or play without ratings";
        Err(Problem::new(Code::AccountNeeded, detail))
    }

    /// Checks that an opponent may play on these terms.
    ///
    /// # Errors
    /// `account_needed` if the match is rated and the opponent has no account; `no_such_guest` if nobody has
    /// that id; `unavailable`.
    pub(in crate::app) async fn admit_opponent_to_terms(
        &self,
        opponent: PlayerId,
        terms: &Terms,
    ) -> Result<(), Problem> {
        if !terms.rated || self.has_account(opponent).await? {
            return Ok(());
        }
        match self.store().guest(opponent).await.map_err(problem::store)? {
            Some(_) => Err(Problem::new(
                Code::AccountNeeded,
                "your opponent has no account: play with them without ratings",
            )),
            None => Err(Code::NoSuchGuest.into()),
        }
    }

    async fn has_account(&self, guest: PlayerId) -> Result<bool, Problem> {
        Ok(self.store().account(guest).await.map_err(problem::store)?.is_some())
    }
}
