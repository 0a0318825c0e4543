//! Creates matches, and handles invitations to them.

use lusoria_play::{Admission, Clock, Command, Match, MatchId, Player, SeedBrought};
use lusoria_protocol::{
    Code, Computer, CreateMatch, Created, IdempotencyKey, Invitation as WireInvitation, LookInvitation,
    Problem, Snapshot, SpendInvitation,
};

use crate::{
    app::{App, Caller, CommandResponse, matches::keys::Keyed, people::secrets, problem, wire},
    live::{CommandError, Creation, Invite, MatchRequest},
};
use lusoria_store::Invitation;

/// Who sits where at the beginning.
struct Parties {
    /// In seat 1.
    creator: Player,
    /// The guest who makes the match, if the computer sits in their place.
    made_by: Option<Player>,
    /// In seat 2 from the start: the computer.
    joiner: Option<Player>,
}

fn parties(caller: &Caller, request: &CreateMatch) -> Result<Parties, Problem> {
    let refused = |detail: &str| Err(Problem::new(Code::InvalidBody, detail));
    let computer = |of: &Computer| Player::computer(of.computer);
    if request.opponent.is_some() && request.rated {
        return Err(Problem::new(Code::NotRated, "a match with the computer is not rated"));
    }
    if request.opponent.is_some() && request.admission == Admission::BothSeats {
        return refused(
            "opponent: not allowed with \"admission\": \"both_seats\", since both seats are yours",
        );
    }
    let joiner = request.opponent.as_ref().map(computer);
    let Some(stand_in) = &request.stand_in else {
        return Ok(Parties { creator: caller.player(), made_by: None, joiner });
    };
    if joiner.is_none() {
        return refused("stand_in: only allowed with \"opponent\"");
    }
    if request.seed_hash.is_some() {
        return refused("seed_hash: not allowed when the computer plays in your place");
    }
    Ok(Parties { creator: computer(stand_in), made_by: Some(caller.player()), joiner })
}

impl App {
    /// Creates a match; the creator takes seat 1.
    ///
    /// # Errors
    /// Terms out of range; `not_rated`, `account_needed`; `too_many_matches`; `key_reused`; `unavailable`,
    /// also if the computer is to play against itself and plays too many such matches.
    pub async fn create(
        &self,
        caller: &Caller,
        request: &CreateMatch,
        key: Option<&IdempotencyKey>,
    ) -> Result<Created, Problem> {
        let keyed = self.keyed(caller, key, "create", None, request);
        let creating = self.create_unless_done(caller, request, key, &keyed);
        match keyed.request() {
            Some(same) => self.creations.run(same, Box::pin(creating)).await,
            None => creating.await,
        }
    }

    async fn create_unless_done(
        &self,
        caller: &Caller,
        request: &CreateMatch,
        key: Option<&IdempotencyKey>,
        keyed: &Keyed,
    ) -> Result<Created, Problem> {
        let terms = wire::terms(request)?;
        let Parties { creator, made_by, joiner } = parties(caller, request)?;
        let seed = request.seed_hash.map_or(SeedBrought::Nothing, SeedBrought::Hash);
        let code = (terms.admission == Admission::Invitation && joiner.is_none()).then(|| match key {
            Some(key) => secrets::code_under_key(caller.token(), key.as_str()),
            None => secrets::new_code(self.live.entropy()),
        });
        if let Some(used) = self.used_before(keyed).await? {
            return self.created_before(caller, &used, code).await;
        }
        self.admit_creator(caller).await?;
        self.admit_to_terms(caller, &terms).await?;
        if joiner.is_some() {
            self.admit_computer(caller).await?;
        }
        if made_by.is_some() {
            self.admit_against_itself().await?;
        }
        let invite = code.as_ref().map(|code| Invite {
            hash: secrets::hash(code.as_str()),
            expires_at: self.live.now() + Clock::INVITED_FOR_MS,
        });
        let joiner = joiner.map(|computer| (computer, SeedBrought::Nothing));
        let creation =
            Creation { terms, creator, made_by, joiner, seed, invite, key: keyed.key(), answers: None };
        match self.live.create(creation).await {
            Ok(state) => Ok(self.created(caller, &state, code)),
            Err(CommandError::KeyUsed) => match self.used_before(keyed).await? {
                Some(used) => self.created_before(caller, &used, code).await,
                None => Err(problem::unavailable()),
            },
            Err(CommandError::GuestGone(gone)) => Err(self.gone(caller, gone).await),
            Err(error) => Err(problem::command(error)),
        }
    }

    /// Checks whether a guest may create another match.
    pub(in crate::app) async fn admit_creator(&self, caller: &Caller) -> Result<(), Problem> {
        let limit = self.limits.unfinished_matches;
        let unfinished = self.store().unfinished_created_by(caller.id()).await.map_err(problem::store)?;
        if unfinished < limit { Ok(()) } else { Err(problem::too_many_matches(limit)) }
    }

    /// Checks whether the computer may play another match against a guest, or in their place.
    pub(in crate::app) async fn admit_computer(&self, caller: &Caller) -> Result<(), Problem> {
        let limit = self.limits.computer_matches;
        let unfinished = self.store().unfinished_with_computer(caller.id()).await.map_err(problem::store)?;
        if unfinished < limit { Ok(()) } else { Err(problem::too_many_with_computer(limit)) }
    }

    /// Checks whether the computer may play another match against itself.
    async fn admit_against_itself(&self) -> Result<(), Problem> {
        let limit = self.limits.computer_against_itself;
        let unfinished = self.store().unfinished_against_itself().await.map_err(problem::store)?;
        if unfinished < limit { Ok(()) } else { Err(problem::too_many_against_itself(limit)) }
    }

    /// The first response to this creation: the match as it was then.
    async fn created_before(
        &self,
        caller: &Caller,
        used: &lusoria_store::UsedKey,
        code: Option<lusoria_protocol::OneTimeCode>,
    ) -> Result<Created, Problem> {
        let events = self.append_at(used.id, used.first).await?;
        let state = Match::from_journal(used.id, events).map_err(|_| problem::unavailable())?;
        Ok(self.created(caller, &state, code))
    }

    fn created(
        &self,
        caller: &Caller,
        state: &Match,
        code: Option<lusoria_protocol::OneTimeCode>,
    ) -> Created {
        let expires_at = state.created_at() + Clock::INVITED_FOR_MS;
        Created {
            created: self.snapshot_of(state, Some(caller)),
            invitation: code.map(|code| WireInvitation { code, expires_at }),
        }
    }

    /// Takes seat 2 of the match that the code invites to, and spends the code.
    ///
    /// # Errors
    /// `unknown_code`; `not_welcome`; `account_needed`; or what the match refuses.
    pub async fn spend_invitation(
        &self,
        caller: &Caller,
        request: &SpendInvitation,
        key: Option<&IdempotencyKey>,
    ) -> Result<CommandResponse, Problem> {
        let keyed = self.keyed(caller, key, "spend_invitation", None, request);
        if let Some(outcome) = self.earlier_outcome(&keyed).await? {
            return Ok(CommandResponse::of(&outcome));
        }
        let hash = secrets::hash(request.code.as_str());
        let id = match self.invited_to(request.code.as_str()).await {
            Ok(id) => id,
            Err(problem) => {
                // The same request may have spent the code since the key was looked up.
                let outcome = self.earlier_outcome(&keyed).await?.ok_or(problem)?;
                return Ok(CommandResponse::of(&outcome));
            }
        };
        let room = self.live.room(id).await.map_err(problem::command)?;
        self.admit_beside_creator(caller, &room.state()).await?;
        let command = Command::Join { player: caller.player(), seed: request.seed.clone() };
        let request = MatchRequest::Command { command, key: keyed.key(), spends: Some(hash) };
        Ok(CommandResponse::of(&self.run_once(caller, &room, &keyed, request).await?))
    }

    /// The match that a code invites to. The code is not spent.
    ///
    /// # Errors
    /// `unknown_code`; `unavailable`.
    pub async fn look_at_invitation(&self, request: &LookInvitation) -> Result<Snapshot, Problem> {
        let id = self.invited_to(request.code.as_str()).await?;
        self.snapshot(id, None).await
    }

    async fn invited_to(&self, code: &str) -> Result<MatchId, Problem> {
        let found = self.store().invited_to(secrets::hash(code), self.live.now()).await;
        found.map_err(problem::store)?.ok_or_else(problem::unknown_code)
    }

    /// Makes a new invitation to a match that waits for one, and withdraws the old one.
    ///
    /// # Errors
    /// `not_a_player`; `not_inviting` unless the caller's match still waits for an invited player.
    pub async fn invite(&self, caller: &Caller, id: MatchId) -> Result<WireInvitation, Problem> {
        self.may_invite(caller, id).await?;
        let code = secrets::new_code(self.live.entropy());
        let expires_at = self.live.now() + Clock::INVITED_FOR_MS;
        let invitation = Invitation { hash: secrets::hash(code.as_str()), expires_at };
        self.store().set_invitation(id, Some(invitation)).await.map_err(problem::store)?;
        Ok(WireInvitation { code, expires_at })
    }

    /// Withdraws the invitation to a match.
    ///
    /// # Errors
    /// As [`App::invite`].
    pub async fn withdraw_invitation(&self, caller: &Caller, id: MatchId) -> Result<(), Problem> {
        self.may_invite(caller, id).await?;
        self.store().set_invitation(id, None).await.map_err(problem::store)?;
        Ok(())
    }

    async fn may_invite(&self, caller: &Caller, id: MatchId) -> Result<(), Problem> {
        let state = self.state(id).await?;
        self.note_presence(&state, Some(caller));
        if state.sits(caller.id()) == lusoria_play::Sits::Nowhere {
            return Err(problem::not_a_player());
        }
        let inviting = state.terms().admission == Admission::Invitation
            && matches!(state.phase(), lusoria_play::Phase::Open);
        if inviting { Ok(()) } else { Err(problem::not_inviting()) }
    }
}
