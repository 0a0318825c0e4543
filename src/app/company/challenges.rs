//! Challenges to a match. The store decides which are accepted and which still wait.

use lusoria_play::{ChallengeSettings, MatchId, Millis, PlayerId, SeedBrought};
use lusoria_protocol::{
    AcceptChallenge, Challenge as WireChallenge, ChallengeList, ChallengeSettings as WireSettings, Code,
    CreateChallenge, CreateMatch, DeclineChallenge, Problem,
};
use lusoria_store::{
    CHALLENGES_BY_GUEST_MAX, CHALLENGES_TO_GUEST_MAX, Challenge, ChallengeAdding, ChallengeEnd,
    ChallengeEnding, NamedChallenge,
};

use crate::{
    app::{App, Caller, problem, wire},
    live::{CHALLENGE_BY_DAYS_FOR_MS, CommandError, LIVE_CHALLENGE_FOR_MS},
};

/// A caller who lists their challenges is present: those that would end sooner than this are prolonged.
const PROLONGED_WITHIN_MS: Millis = 50_000;

impl App {
    /// Makes a challenge. If the same one waits already, returns that.
    ///
    /// # Errors
    /// Terms out of range; `not_rated`; `account_needed` of either; `yourself`; `no_such_guest`;
    /// `not_welcome`; `challenge_not_taken`; `other_games`; `too_many_challenges`,
    /// `too_many_challenges_to_them`, `too_many_matches`; `unknown_token` or `blocked` if the caller lost
    /// access meanwhile; `unavailable`.
    pub async fn challenge(
        &self,
        caller: &Caller,
        request: &CreateChallenge,
    ) -> Result<WireChallenge, Problem> {
        if request.to == caller.id() {
            return Err(Code::Yourself.into());
        }
        let CreateChallenge { to, game, options, points, games, clock, side, rated, seed_hash } =
            request.clone();
        let terms = wire::terms(&CreateMatch {
            game,
            options,
            points,
            games,
            clock,
            side,
            rated,
            admission: lusoria_play::Admission::Open,
            opponent: None,
            stand_in: None,
            seed_hash: None,
        })?;
        self.admit_creator(caller).await?;
        self.admit_to_terms(caller, &terms).await?;
        self.admit_opponent_to_terms(to, &terms).await?;
        self.admit_to_child(caller, to).await?;
        let now = self.live.now();
        let waits_ms =
            if clock.is_correspondence() { CHALLENGE_BY_DAYS_FOR_MS } else { LIVE_CHALLENGE_FOR_MS };
        let new = Challenge {
            id: MatchId(self.new_id(now)),
            challenger: caller.id(),
            challenged: to,
            terms,
            seed_hash,
            created_at: now,
            expires_at: now + waits_ms,
            end: None,
        };
        let too_many = |code: Code, limit: u32| Err(Problem::from(code).with_limit(limit.into()));
        match self.store().add_challenge(new).await.map_err(problem::store)? {
            ChallengeAdding::TooMany => too_many(Code::TooManyChallenges, CHALLENGES_BY_GUEST_MAX),
            ChallengeAdding::TooManyForThem => {
                too_many(Code::TooManyChallengesToThem, CHALLENGES_TO_GUEST_MAX)
            }
            ChallengeAdding::GuestGone => Err(self.gone(caller, caller.id()).await),
            ChallengeAdding::NoSuchGuest => Err(Code::NoSuchGuest.into()),
            ChallengeAdding::NotWelcome => Err(Code::NotWelcome.into()),
            ChallengeAdding::NotTaken => Err(Code::ChallengeNotTaken.into()),
            ChallengeAdding::OtherGames => Err(Code::OtherGames.into()),
            ChallengeAdding::Waits(Challenge { id, .. }) => {
                let of = self.challenge_of(caller, id).await?;
                self.live.tell_challenge(&of);
                Ok(wire::challenge(&of))
            }
        }
    }

    /// Checks that the challenged guest, if in children's mode, follows the caller.
    async fn admit_to_child(&self, caller: &Caller, to: PlayerId) -> Result<(), Problem> {
        if !self.is_in_childrens_mode(to).await? {
            return Ok(());
        }
        let followed = self.store().followed_by(to).await.map_err(problem::store)?;
        if followed.iter().any(|guest| guest.id == caller.id()) {
            Ok(())
        } else {
            Err(Code::ChallengeNotTaken.into())
        }
    }

    /// A challenge that the caller made or received.
    async fn challenge_of(&self, caller: &Caller, id: MatchId) -> Result<NamedChallenge, Problem> {
        let found = self.store().challenge(id, self.live.now()).await.map_err(problem::store)?;
        let is_theirs = |of: &NamedChallenge| [of.challenger.id, of.challenged.id].contains(&caller.id());
        found.filter(is_theirs).ok_or_else(|| no_such_challenge(id))
    }

    /// Lists the challenges that the caller made or received, and prolongs them.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn challenges(&self, caller: &Caller) -> Result<ChallengeList, Problem> {
        let now = self.live.now();
        let mut theirs = self.store().challenges_of(caller.id(), now).await.map_err(problem::store)?;
        let ends_soon = |of: &&mut NamedChallenge| {
            let Challenge { challenger, terms, expires_at, .. } = &of.challenge;
            of.challenge.waits(now)
                && *challenger == caller.id()
                && !terms.clock.is_correspondence()
                && *expires_at < now + PROLONGED_WITHIN_MS
        };
        let mut ending = theirs.iter_mut().filter(ends_soon).peekable();
        if ending.peek().is_some() {
            let until = now + LIVE_CHALLENGE_FOR_MS;
            let prolonged = self.store().prolong_challenges(vec![caller.id()], now, until).await;
            prolonged.map_err(problem::store)?;
            ending.for_each(|of| of.challenge.expires_at = until);
        }
        Ok(ChallengeList { challenges: theirs.iter().map(wire::challenge).collect() })
    }

    /// Accepts a challenge, which creates a match with the challenge's id. Accepting it again changes
    /// nothing.
    ///
    /// # Errors
    /// `no_such_challenge`; `challenge_ended`; `account_needed` of either; `not_welcome`; `guest_gone`;
    /// `unknown_token` or `blocked` if the caller lost access meanwhile; `unavailable`.
    pub async fn accept_challenge(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &AcceptChallenge,
    ) -> Result<WireChallenge, Problem> {
        let of = self.challenge_to(caller, id).await?;
        if of.challenge.end.is_some() {
            return accepted_before(&of);
        }
        self.admit_to_terms(caller, &of.challenge.terms).await?;
        self.admit_opponent_to_terms(of.challenge.challenger, &of.challenge.terms).await?;
        let seed = request.seed_hash.map_or(SeedBrought::Nothing, SeedBrought::Hash);
        match self.live.accept(of, seed).await {
            Ok(accepted) => Ok(wire::challenge(&accepted)),
            Err(CommandError::ChallengeGone) => {
                // Another device or the challenger was faster, or one of the two has blocked the other.
                let of = self.challenge_to(caller, id).await?;
                if of.challenge.end.is_some() {
                    return accepted_before(&of);
                }
                self.admit_opponent(caller, of.challenger.id).await?;
                Err(problem::unavailable())
            }
            Err(CommandError::GuestGone(gone)) => Err(self.gone(caller, gone).await),
            Err(error) => Err(problem::command(error)),
        }
    }

    async fn challenge_to(&self, caller: &Caller, id: MatchId) -> Result<NamedChallenge, Problem> {
        let of = self.challenge_of(caller, id).await?;
        if of.challenged.id == caller.id() { Ok(of) } else { Err(no_such_challenge(id)) }
    }

    /// Declines a challenge. Declining it again changes nothing.
    ///
    /// # Errors
    /// `no_such_challenge`; `challenge_ended`; `unavailable`.
    pub async fn decline_challenge(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &DeclineChallenge,
    ) -> Result<WireChallenge, Problem> {
        self.end_challenge(caller, id, ChallengeEnd::Declined(request.reason)).await
    }

    /// Withdraws a challenge. Withdrawing it again changes nothing.
    ///
    /// # Errors
    /// `no_such_challenge`; `challenge_ended`; `unavailable`.
    pub async fn withdraw_challenge(&self, caller: &Caller, id: MatchId) -> Result<(), Problem> {
        self.end_challenge(caller, id, ChallengeEnd::Withdrawn).await.map(drop)
    }

    async fn end_challenge(
        &self,
        caller: &Caller,
        id: MatchId,
        end: ChallengeEnd,
    ) -> Result<WireChallenge, Problem> {
        let ending = self.store().end_challenge(id, caller.id(), end, self.live.now()).await;
        match ending.map_err(problem::store)? {
            ChallengeEnding::Ended(_) => {
                let of = self.challenge_of(caller, id).await?;
                self.live.tell_challenge(&of);
                Ok(wire::challenge(&of))
            }
            ChallengeEnding::EndedBefore(before) => {
                let of = self.challenge_of(caller, id).await?;
                let is_same = matches!(
                    (before.end, end),
                    (Some(ChallengeEnd::Declined(_)), ChallengeEnd::Declined(_))
                        | (Some(ChallengeEnd::Withdrawn), ChallengeEnd::Withdrawn)
                );
                if is_same { Ok(wire::challenge(&of)) } else { Err(ended(&before)) }
            }
            ChallengeEnding::NoSuchChallenge => Err(no_such_challenge(id)),
        }
    }

    /// Ends waiting challenges between a guest and one whom they have just blocked.
    pub(in crate::app) async fn end_challenges_between(
        &self,
        caller: &Caller,
        other: PlayerId,
    ) -> Result<(), Problem> {
        let now = self.live.now();
        let theirs = self.store().challenges_of(caller.id(), now).await.map_err(problem::store)?;
        for NamedChallenge { challenge, challenger, challenged, .. } in theirs {
            let end = match other {
                _ if other == challenger.id => ChallengeEnd::Declined(None),
                _ if other == challenged.id => ChallengeEnd::Withdrawn,
                _ => continue,
            };
            if challenge.waits(now)
                && let Err(why) = self.end_challenge(caller, challenge.id, end).await
                && !matches!(why.code, Code::ChallengeEnded | Code::NoSuchChallenge)
            {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Which challenges the caller accepts.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn challenge_settings(&self, caller: &Caller) -> Result<WireSettings, Problem> {
        let settings = self.store().challenge_settings(caller.id()).await.map_err(problem::store)?;
        Ok(WireSettings { from: settings.from, games: settings.games })
    }

    /// Sets which challenges the caller accepts. Waiting ones stay.
    ///
    /// # Errors
    /// `invalid_body` if a game is named twice; `unknown_token` or `blocked` if the caller lost access
    /// meanwhile; `unavailable`.
    pub async fn set_challenge_settings(
        &self,
        caller: &Caller,
        WireSettings { from, games }: WireSettings,
    ) -> Result<WireSettings, Problem> {
        if games.iter().enumerate().any(|(place, game)| games[..place].contains(game)) {
            return Err(Problem::new(Code::InvalidBody, "games: each once"));
        }
        let settings = ChallengeSettings { from, games: games.clone() };
        let is_set = self.store().set_challenge_settings(caller.id(), settings).await;
        if is_set.map_err(problem::store)? {
            Ok(WireSettings { from, games })
        } else {
            Err(self.gone(caller, caller.id()).await)
        }
    }
}

fn accepted_before(of: &NamedChallenge) -> Result<WireChallenge, Problem> {
    match of.challenge.end {
        Some(ChallengeEnd::Accepted) => Ok(wire::challenge(of)),
        _ => Err(ended(&of.challenge)),
    }
}

fn no_such_challenge(id: MatchId) -> Problem {
    Problem::new(Code::NoSuchChallenge, format!("no challenge {} of yours or to you", id.0))
}

fn ended(challenge: &Challenge) -> Problem {
    let how = match challenge.end {
        Some(ChallengeEnd::Accepted) => "accepted: there is a match with its id",
        Some(ChallengeEnd::Declined(_)) => "declined",
        Some(ChallengeEnd::Withdrawn) | None => "withdrawn",
    };
    Problem::new(Code::ChallengeEnded, format!("this challenge was {how}"))
}
