//! A client after `hello`: its identity, watches and topics.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use lusoria_protocol::{
    Code, MatchId, Problem, TalkRoom, ToJson, Token, TournamentId,
    socket::{HelloOk, Nothing, Switch, TalkSwitch, TournamentHead, TournamentSwitch},
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

/// A client after `hello`.
pub(super) struct Client {
    pub(super) sockets: Arc<Sockets>,
    pub(super) caller: Option<Caller>,
    pub(super) watches: Watches,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) address: ClientAddress,
    looked_up_at: Instant,
    /// Whether the client may have changed its identity since then.
    is_doubted: bool,
    /// The number of revoked tokens at that look-up.
    revocations: u64,
    /// Held, so that the mailbox learns when the token is in doubt.
    _shown: Option<TopicSubscription>,
    lobby: Option<TopicSubscription>,
    personal: Option<TopicSubscription>,
    /// Open talk rooms; at most as many as watched matches.
    talks: Vec<(MatchId, TalkRoom, TopicSubscription)>,
    /// Followed tournaments; at most as many as watched matches.
    tournaments: Vec<(TournamentId, TopicSubscription)>,
}

impl Client {
    /// Greets a client with its token, or a watcher without one.
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
        // Read before the look-up, so that a token revoked in between is looked up again.
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
            tournaments: Vec::new(),
        };
        Ok((client, hello))
    }

    /// Checks whether the client may use an operation.
    ///
    /// # Errors
    /// `unauthorized` if the operation needs a token and the client has none; others of the access table.
    pub(super) fn permit(&self, operation: Operation) -> Result<Option<&Caller>, Problem> {
        operation.permit(self.caller.as_ref()).map_err(|problem| match problem.code {
            Code::Unauthorized => unauthorized(),
            _ => problem,
        })
    }

    /// The guest of this client, who may use an operation.
    ///
    /// # Errors
    /// As [`Self::permit`]; `unauthorized` for a client without a token.
    pub(super) fn permitted(&self, operation: Operation) -> Result<&Caller, Problem> {
        self.permit(operation)?.ok_or_else(unauthorized)
    }

    /// Charges a request of this many bytes to the rate limiters of the client.
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

    /// Before a request: ends the connection if the token is no longer valid.
    pub(super) async fn token_for_request(&mut self) -> Result<(), Ending> {
        self.look_up_after(TOKEN_GOOD_FOR).await
    }

    /// At each ping: ends the connection if the token is no longer valid.
    pub(super) async fn token_for_listening(&mut self) -> Result<(), Ending> {
        self.look_up_after(TOKEN_HEARD_FOR).await
    }

    /// At once, because the token is in doubt: ends the connection if it is no longer valid.
    pub(super) async fn token_now(&mut self) -> Result<(), Ending> {
        self.look_up_after(std::time::Duration::ZERO).await
    }

    /// Looks the token up again, unless the last look-up is more recent than `after`.
    async fn look_up_after(&mut self, after: std::time::Duration) -> Result<(), Ending> {
        let is_fresh = self.caller.is_none() || self.looked_up_at.elapsed() < after && !self.is_doubted;
        if is_fresh && self.revocations == self.sockets.app.live().revocations() {
            return Ok(());
        }
        // Boxed, so that an idle connection reserves no memory for it.
        Box::pin(self.look_up()).await
    }

    /// Looks the token up again. If the store fails, the client keeps its identity until the next look-up.
    async fn look_up(&mut self) -> Result<(), Ending> {
        let Some(caller) = &self.caller else { return Ok(()) };
        self.revocations = self.sockets.app.live().revocations();
        self.looked_up_at = Instant::now();
        self.is_doubted = false;
        match self.sockets.app.authenticate_again(caller).await {
            Ok(caller) => self.caller = Some(caller),
            Err(problem) => match problem.code {
                Code::UnknownToken => return Err(Ending::TokenRevoked),
                Code::TokenExpired => return Err(Ending::TokenExpired),
                Code::Blocked => return Err(Ending::Blocked),
                _ => {}
            },
        }
        Ok(())
    }

    /// Makes the next request look the token up again.
    pub(super) const fn doubt_token(&mut self) {
        self.is_doubted = true;
    }

    /// The next messages for one of the matches that are behind, about `room` bytes at most, and the turn that they
    /// give the client, if its line is to be measured.
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

    /// The notices in the mail, and a fresh list for each open topic if the mailbox was too full for them.
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

    /// Opens or closes the lobby topic. The response lists the open matches; later changes are pushed.
    pub(super) async fn lobby(&mut self, Switch { on }: Switch) -> Result<Bytes, Problem> {
        self.permit(Operation::LobbyEvents)?;
        if !on {
            self.lobby = None;
            return written(&Nothing {});
        }
        let live = self.sockets.app.live();
        self.lobby.get_or_insert_with(|| live.subscribe_lobby(&self.mailbox));
        written(&self.sockets.app.open_matches().await?)
    }

    /// Opens or closes the client's own topic. The response lists the matches that wait for the client; the calls of
    /// tournaments and later changes are pushed.
    pub(super) async fn personal(&mut self, Switch { on }: Switch) -> Result<Bytes, Problem> {
        let caller = self.permitted(Operation::MyEvents)?.clone();
        if !on {
            self.personal = None;
            return written(&Nothing {});
        }
        let live = self.sockets.app.live();
        self.personal.get_or_insert_with(|| live.subscribe_personal(&self.mailbox, caller.id()));
        let waiting = self.sockets.app.waiting(&caller).await?;
        for call in self.sockets.app.tournament_calls(&caller).await? {
            self.mailbox.leave(call.to_json().into());
        }
        written(&waiting)
    }

    /// Turns the notices of a tournament's changes on or off. The response has the number of its last event.
    pub(super) async fn tournament(
        &mut self,
        TournamentSwitch { tournament: id, on }: TournamentSwitch,
    ) -> Result<Bytes, Problem> {
        self.permit(Operation::Tournament)?;
        self.tournaments.retain(|(of, _)| *of != id);
        if !on {
            return written(&TournamentHead { head: self.sockets.app.tournament_head(id).await? });
        }
        let followed_max = self.sockets.limits.watches;
        if self.tournaments.len() >= followed_max {
            return Err(too_many_watches(followed_max));
        }
        let app = &self.sockets.app;
        // Subscribes before it reads, so that no change is missed in between.
        let subscription = app.live().subscribe_tournament(&self.mailbox, id);
        let head = app.tournament_head(id).await?;
        self.tournaments.push((id, subscription));
        written(&TournamentHead { head })
    }

    /// Opens or closes a talk room of a match. The response has its remarks; later ones are pushed.
    pub(super) async fn talk(&mut self, TalkSwitch { id, room, on }: TalkSwitch) -> Result<Bytes, Problem> {
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
        // Subscribes before it reads, so that no remark is missed in between.
        let subscription = app.live().subscribe_talk(&self.mailbox, id, room, reader);
        let talk = app.talk(viewer, id, room).await?;
        self.talks.push((id, room, subscription));
        written(&talk)
    }

    /// Closes the talk rooms of a match.
    pub(super) fn hush(&mut self, id: MatchId) {
        self.talks.retain(|(of, ..)| *of != id);
    }
}

/// The identity with which a client reads talk: none if its token lacks the scope.
fn talk_viewer(caller: Option<&Caller>) -> Option<&Caller> {
    Operation::Talk.permit(caller).ok().flatten()
}

/// The identity with which a client sees matches: none if its token lacks the scope.
pub(super) fn viewer(caller: Option<&Caller>) -> Option<&Caller> {
    Operation::Snapshot.permit(caller).ok().flatten()
}

fn unauthorized() -> Problem {
    Problem::new(Code::Unauthorized, "say hello with a guest's token for this")
}
