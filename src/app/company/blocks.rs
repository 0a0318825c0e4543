//! Blocks between guests. Only the guest who made a block sees it, and it holds both ways.

use lusoria_play::{Match, PlayerId, Seat, Terms};
use lusoria_protocol::{BlockList, Code, Problem};
use lusoria_store::{BLOCKS_PER_GUEST_MAX, Blocking};

use crate::app::{App, Caller, problem, wire};

impl App {
    /// Lists the guests whom the caller has blocked.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn blocks(&self, caller: &Caller) -> Result<BlockList, Problem> {
        let found = self.store().blocked_by(caller.id()).await.map_err(problem::store)?;
        Ok(BlockList { blocked: found.into_iter().map(wire::other_player).collect() })
    }

    /// Blocks a guest. Challenges between the two end.
    ///
    /// # Errors
    /// `yourself`; `no_such_guest`; `too_many_blocks`; `unavailable`.
    pub async fn add_block(&self, caller: &Caller, other: PlayerId) -> Result<(), Problem> {
        if other == caller.id() {
            return Err(Code::Yourself.into());
        }
        let blocking = self.store().add_block(caller.id(), other, self.live.now()).await;
        match blocking.map_err(problem::store)? {
            Blocking::Blocked => self.end_challenges_between(caller, other).await,
            Blocking::TooMany => {
                Err(Problem::from(Code::TooManyBlocks).with_limit(BLOCKS_PER_GUEST_MAX.into()))
            }
            Blocking::NoSuchGuest => Err(Code::NoSuchGuest.into()),
        }
    }

    /// Removes a block.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn remove_block(&self, caller: &Caller, other: PlayerId) -> Result<(), Problem> {
        self.store().remove_block(caller.id(), other).await.map(drop).map_err(problem::store)
    }

    /// Checks that the caller may join a match of its creator.
    ///
    /// # Errors
    /// As [`Self::admit_beside`].
    pub(in crate::app) async fn admit_beside_creator(
        &self,
        caller: &Caller,
        state: &Match,
    ) -> Result<(), Problem> {
        match state.player(Seat::One) {
            Some(creator) => self.admit_beside(caller, creator.id, state.terms()).await,
            None => Ok(()),
        }
    }

    /// Checks that the caller may play this guest on these terms.
    ///
    /// # Errors
    /// As [`Self::admit_opponent`]; `account_needed` if the match is rated and one of the two has no account.
    pub(in crate::app) async fn admit_beside(
        &self,
        caller: &Caller,
        other: PlayerId,
        terms: &Terms,
    ) -> Result<(), Problem> {
        self.admit_opponent(caller, other).await?;
        self.admit_to_terms(caller, terms).await?;
        self.admit_opponent_to_terms(other, terms).await
    }

    /// Checks that the caller may play this guest.
    ///
    /// # Errors
    /// `not_welcome` if one of them has blocked the other; it does not say which.
    pub(in crate::app) async fn admit_opponent(
        &self,
        caller: &Caller,
        other: PlayerId,
    ) -> Result<(), Problem> {
        let avoided = self.store().blocks_around(caller.id()).await.map_err(problem::store)?;
        if avoided.contains(&other) { Err(Code::NotWelcome.into()) } else { Ok(()) }
    }
}
