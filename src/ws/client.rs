//! A client that has said `hello`: who it is and what it listens to.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use lusoria_protocol::{
    Code, MatchId, Problem, TalkRoom, Token,
    socket::{HelloOk, Nothing, Switch, TalkSwitch},
};
use tokio::time::Instant;

use super::{
    Sockets,
    ending::Ending,
    limits::{TOKEN_GOOD_FOR, TOKEN_HEARD_FOR},
    reply::{text, written},
    watches::{Watches, too_many_watches},
};
use crate::{
    app::{Caller, ClientAddress, Operation, Requester, Topic, unavailable},
    live::{GivenTurn, Mail, Mailbox, TopicSubscription},
};

/// A client that has said `hello`.
pub(super) struct Client {
    pub(super) sockets: Arc<Sockets>,
    pub(super) caller: Option<Caller>,
    pub(super) watches: Watches,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) address: ClientAddress,
    looked_up_at: Instant,
    /// Whether the client may have changed who it is since then.
    is_doubted: bool,
    /// How many tokens had been revoked then.
    revocations: u64,
    /// Held, so that the mailbox hears when the token is doubted.
    _shown: Option<TopicSubscription>,
    lobby: Option<TopicSubscription>,
    personal: Option<TopicSubscription>,
    /// The talk that is on, as many as matches may be watched.
    talks: Vec<(MatchId, TalkRoom, TopicSubscription)>,
}

impl Client {
    /// Greets a client by its token, or as somebody who watches.
    ///
    /// # Errors
    /// `unknown_token`; `unavailable`.
    pub(super) async fn greet(
        sockets: &Arc<Sockets>,
        address: ClientAddress,
        token: Option<Token>,
    ) -> Result<(Self, HelloOk), Problem> {
        let app = &sockets.app;
        if app.live().is_shared() && !app.live().is_well() {
            // Another node can.
            return Err(unavailable());
        }
        // Before the look-up: what is revoked in between is looked up again.
        let revocations = app.live().revocations();
        let caller = match token {
            Some(token) => Some(app.authenticate(token).await?),
            None => None,
        };
        let you = match &caller {
            Some(caller) => Some(app.me(caller).await?),
            None => None,
        };
        let hello = HelloOk {
            you,
            server_time: app.live().now(),
            limits: sockets.limits.told(caller.is_some()),
            history: app.live().history(),
        };
        let mailbox = Arc::default();
        let shown = caller.as_ref().map(|caller| app.live().token_shown(&mailbox, caller.id()));
        if let Some(caller) = &caller {
            tracing::Span::current().record("guest", tracing::field::display(caller.id().0));
        }
        let client = Self {
            sockets: Arc::clone(sockets),
            caller,
            watches: Watches::default(),
            mailbox,
            address,
            looked_up_at: Instant::now(),
            is_doubted: false,
            revocations,
            _shown: shown,
            lobby: None,
            personal: None,
            talks: Vec::new(),
        };
        Ok((client, hello))
    }

    /// Checks whether the client may ask for an operation.
    ///
    /// # Errors
    /// `unauthorized` for a client without a token where one is needed.
    pub(super) fn permit(&self, operation: Operation) -> Result<(), Problem> {
        match operation.permit(self.caller.as_ref()) {
            Err(problem) if problem.code == Code::Unauthorized => Err(unauthorized()),
            permitted => permitted.map(drop),
        }
    }

    /// Who asks.
    ///
    /// # Errors
    /// `unauthorized` for a client without a token.
    pub(super) fn caller(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(unauthorized)
    }

    /// Takes a request of so many bytes from the client's bucket.
    ///
    /// # Errors
    /// `too_many_requests`.
    pub(super) fn admit(&self, bytes: usize) -> Result<(), Problem> {
        self.sockets.app.admit_total(self.address, self.caller.as_ref().map(Caller::id))?;
        let bucket = match &self.caller {
            Some(caller) => Requester::Guest(caller.id()),
            None => Requester::Address(self.address.0),
        };
        self.sockets.app.admit(bucket, bytes)
    }

    /// Before a request: whether the token is still good.
    pub(super) async fn token_for_request(&mut self) -> Result<(), Ending> {
        self.look_up_after(TOKEN_GOOD_FOR).await
    }

    /// Now and then: whether the token is still good.
    pub(super) async fn token_for_listening(&mut self) -> Result<(), Ending> {
        self.look_up_after(TOKEN_HEARD_FOR).await
    }

    /// At once: whether the token is still good, since somebody has reason to doubt it.
    pub(super) async fn token_now(&mut self) -> Result<(), Ending> {
        self.look_up_after(std::time::Duration::ZERO).await
    }

    /// Looks the token up again unless that was done lately.
    async fn look_up_after(&mut self, after: std::time::Duration) -> Result<(), Ending> {
        let is_fresh = self.caller.is_none() || self.looked_up_at.elapsed() < after && !self.is_doubted;
        if is_fresh && self.revocations == self.sockets.app.live().revocations() {
            return Ok(());
        }
        // In a box, so that an idle connection keeps no room for it.
        Box::pin(self.look_up()).await
    }

    /// Looks the token up again. If the store does not answer, the client stays who it was until the next
    /// time.
    async fn look_up(&mut self) -> Result<(), Ending> {
        match self.looked_up_now().await {
            Err(problem) if problem.code == Code::UnknownToken => Err(Ending::TokenRevoked),
            Err(problem) if problem.code == Code::TokenExpired => Err(Ending::TokenExpired),
            Err(problem) if problem.code == Code::Blocked => Err(Ending::Blocked),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Who the client is now.
    ///
    /// # Errors
    /// As [`crate::app::App::authenticate`].
    pub(super) async fn looked_up_now(&mut self) -> Result<Option<Caller>, Problem> {
        let Some(caller) = &self.caller else { return Ok(None) };
        self.revocations = self.sockets.app.live().revocations();
        self.looked_up_at = Instant::now();
        self.is_doubted = false;
        let caller = self.sockets.app.authenticate_again(caller).await?;
        self.caller = Some(caller.clone());
        Ok(Some(caller))
    }

    /// Has the token looked up before the next request.
    pub(super) const fn doubt_token(&mut self) {
        self.is_doubted = true;
    }

    /// The next messages for one of the matches that are behind, of about so many bytes at
    /// most, and the turn that they give the client, if its line is to be measured.
    pub(super) async fn next_batch(
        &mut self,
        room: u64,
    ) -> Result<(Vec<Utf8Bytes>, Option<GivenTurn>), Ending> {
        let batch = self.watches.next_batch(&self.sockets.app, viewer(self.caller.as_ref()), room).await;
        batch.map_err(|problem| {
            tracing::warn!(problem.detail, "could not read a watched match");
            Ending::Unavailable
        })
    }

    /// The notices that have come, and what waits in the topics that are on if there were too
    /// many.
    pub(super) async fn notices(&self, mail: Mail) -> Result<Vec<Utf8Bytes>, Ending> {
        let lobby = self.lobby.as_ref().map(|_| Topic::Lobby);
        let personal = self.personal.as_ref().and(self.caller.as_ref()).map(Topic::Personal);
        let viewer = talk_viewer(self.caller.as_ref());
        let talks = self.talks.iter().map(|(id, room, _)| Topic::Talk(viewer, *id, *room));
        let topics: Vec<_> = lobby.into_iter().chain(personal).chain(talks).collect();
        let notices = self.sockets.app.notices(mail, &topics).await;
        let notices = notices.map_err(|problem| {
            tracing::warn!(problem.detail, "could not read the matches that wait for a client");
            Ending::Unavailable
        })?;
        Ok(notices.into_iter().map(text).collect())
    }

    /// Turns the lobby on or off. What waits there now is the answer; what comes after is
    /// pushed.
    pub(super) async fn lobby(&mut self, Switch { on }: Switch) -> Result<String, Problem> {
        self.permit(Operation::LobbyEvents)?;
        if !on {
            self.lobby = None;
            return written(&Nothing {});
        }
        let live = self.sockets.app.live();
        self.lobby.get_or_insert_with(|| live.subscribe_lobby(&self.mailbox));
        written(&self.sockets.app.open_matches().await?)
    }

    /// Turns the client's own topic on or off. What waits for it now is the answer.
    pub(super) async fn personal(&mut self, Switch { on }: Switch) -> Result<String, Problem> {
        self.permit(Operation::MyEvents)?;
        if !on {
            self.personal = None;
            return written(&Nothing {});
        }
        let caller = self.caller()?.clone();
        let live = self.sockets.app.live();
        self.personal.get_or_insert_with(|| live.subscribe_personal(&self.mailbox, caller.id()));
        written(&self.sockets.app.waiting(&caller).await?)
    }

    /// Turns the talk in a room of a match on or off. What was said is the answer; what comes after is pushed.
    pub(super) async fn talk(&mut self, TalkSwitch { id, room, on }: TalkSwitch) -> Result<String, Problem> {
        self.permit(Operation::Talk)?;
        self.talks.retain(|(of, at, _)| (*of, *at) != (id, room));
        if !on {
            return written(&Nothing {});
        }
        let talks_max = self.sockets.limits.watches;
        if self.talks.len() >= talks_max {
            return Err(too_many_watches(talks_max));
        }
        let viewer = talk_viewer(self.caller.as_ref());
        let (app, reader) = (&self.sockets.app, viewer.map(Caller::id));
        // First listen, then look: nothing can fall in between.
        let subscription = app.live().subscribe_talk(&self.mailbox, id, room, reader);
        let talk = app.talk(viewer, id, room).await?;
        self.talks.push((id, room, subscription));
        written(&talk)
    }

    /// Stops listening to what is said in a match.
    pub(super) fn hush(&mut self, id: MatchId) {
        self.talks.retain(|(of, ..)| *of != id);
    }
}

/// As whom a client with this token reads talk.
fn talk_viewer(caller: Option<&Caller>) -> Option<&Caller> {
    Operation::Talk.permit(caller).ok().flatten()
}

/// As whom a client with this token sees matches.
pub(super) fn viewer(caller: Option<&Caller>) -> Option<&Caller> {
    Operation::Snapshot.permit(caller).ok().flatten()
}

fn unauthorized() -> Problem {
    Problem::new(Code::Unauthorized, "say hello with a guest's token for this")
}
