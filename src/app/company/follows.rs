//! Follows. Only the follower sees them.

use lusoria_play::PlayerId;
use lusoria_protocol::{Code, FollowList, Problem};
use lusoria_store::{FOLLOWS_PER_GUEST_MAX, Following};

use crate::app::{App, Caller, problem, wire};

impl App {
    /// Lists the guests whom the caller follows.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn follows(&self, caller: &Caller) -> Result<FollowList, Problem> {
        let found = self.store().followed_by(caller.id()).await.map_err(problem::store)?;
        Ok(FollowList { followed: found.into_iter().map(wire::other_player).collect() })
    }

    /// Follows a guest.
    ///
    /// # Errors
    /// `yourself`; `no_such_guest`; `too_many_follows`; `unavailable`.
    pub async fn add_follow(&self, caller: &Caller, other: PlayerId) -> Result<(), Problem> {
        if other == caller.id() {
            return Err(Code::Yourself.into());
        }
        let following = self.store().add_follow(caller.id(), other, self.live.now()).await;
        match following.map_err(problem::store)? {
            Following::Followed => Ok(()),
            Following::TooMany => {
                Err(Problem::from(Code::TooManyFollows).with_limit(FOLLOWS_PER_GUEST_MAX.into()))
            }
            Following::NoSuchGuest => Err(Code::NoSuchGuest.into()),
        }
    }

    /// Stops following a guest.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn remove_follow(&self, caller: &Caller, other: PlayerId) -> Result<(), Problem> {
        self.store().remove_follow(caller.id(), other).await.map(drop).map_err(problem::store)
    }
}
