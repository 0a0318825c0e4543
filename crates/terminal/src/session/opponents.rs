//! Finding an opponent: seeks, and challenges made and received.

use lusoria_protocol::{
    AcceptChallenge, Challenge, ChallengeList, ChallengeState, Clock, CreateChallenge, CreateSeek,
    DeclineChallenge, MatchId, PlayAs, Seek, SeekId, SeekList,
    socket::{ApiRequest, Method, Op, Switch},
};
use serde::de::IgnoredAny;

use super::{Session, SessionError};
use crate::{
    event_text::clipped,
    output::Output,
    terms::{self, length_and_stake, plain},
};
use lusoria_client::RequestError;

/// How many seeks and challenges are shown.
const SHOWN: usize = 60;

/// The session's seeks and challenges.
#[derive(Default)]
pub(super) struct Opponents {
    /// Whether the server should send notices of seeks, challenges and tournaments. Seeks wait for as long as somebody is
    /// subscribed.
    listens: bool,
    /// The last list, numbered from 1.
    listed: Vec<Listed>,
    /// Seeks of this session: when one is answered, its match is opened.
    seeks: Vec<SeekId>,
    /// Challenges made or accepted in this session.
    challenges: Vec<MatchId>,
    /// Challenges already shown to the user, because notices may come twice.
    told: Vec<(MatchId, ChallengeState)>,
}

#[derive(Clone, Copy)]
enum Listed {
    Seek(SeekId),
    Made(MatchId),
    Got(MatchId),
}

impl<O: Output> Session<O> {
    /// Subscribes to notices of seeks, challenges and tournaments, again after a new connection.
    pub(super) async fn listen(&mut self) {
        // Without a connection, this is repeated when it is back.
        if self.opponents.listens {
            let _ = self.link.ask::<IgnoredAny>(Op::Personal(Switch { on: true })).await;
        }
    }

    /// Subscribes to them from now on.
    pub(super) async fn begin_to_listen(&mut self) {
        if !self.opponents.listens {
            self.opponents.listens = true;
            self.listen().await;
        }
    }

    pub(super) async fn seek_typed(&mut self, typed: &[String]) -> Result<(), SessionError> {
        let wish = match terms::read_seek(typed) {
            Ok(wish) => wish,
            Err(why) => return self.say(why.to_string().trim_end()),
        };
        let mut clocks: Vec<Clock> = Vec::new();
        for game in &wish.games {
            let entry = match self.entry(*game).await {
                Ok(entry) => entry,
                Err(error) => return self.fail::<()>(&error).map(drop),
            };
            match wish.terms.request(&entry) {
                Ok(request) if clocks.contains(&request.clock) => {}
                Ok(request) => clocks.push(request.clock),
                Err(why) => return self.say(&why.to_string()),
            }
        }
        self.begin_to_listen().await;
        let seed_hash = Some(self.commit_to_a_seed()?);
        let request = CreateSeek {
            games: wish.games,
            points: if wish.terms.pair { Vec::new() } else { vec![wish.terms.points] },
            pairs: wish.terms.pair,
            clocks,
            bots: wish.bots,
            rated: wish.terms.rated,
            rating: None,
            seed_hash,
        };
        let Some(seek) = self.ask::<Seek>(ApiRequest::post("/seeks", &request)).await? else { return Ok(()) };
        self.opponents.seeks.push(seek.id);
        match seek.answered {
            Some(_) => self.heard_of_seek(&seek).await,
            None => {
                self.say("You seek an opponent: the match opens when there is one. withdraw takes it back.")
            }
        }
    }

    pub(super) async fn challenge_typed(&mut self, typed: &[String]) -> Result<(), SessionError> {
        let wish = match terms::read_challenge(typed) {
            Ok(wish) => wish,
            Err(why) => return self.say(why.to_string().trim_end()),
        };
        let entry = match self.entry(wish.game).await {
            Ok(entry) => entry,
            Err(error) => return self.fail::<()>(&error).map(drop),
        };
        let request = match wish.terms.request(&entry) {
            Ok(request) => request,
            Err(why) => return self.say(&why.to_string()),
        };
        self.begin_to_listen().await;
        let challenge = CreateChallenge {
            to: wish.who,
            game: request.game,
            options: request.options,
            points: request.points,
            games: request.games,
            clock: request.clock,
            side: request.side,
            rated: request.rated,
            seed_hash: Some(self.commit_to_a_seed()?),
        };
        let challenge = ApiRequest::post("/challenges", &challenge);
        let Some(made) = self.ask::<Challenge>(challenge).await? else { return Ok(()) };
        self.opponents.challenges.push(made.id);
        self.heard_of_challenge(&made).await
    }

    /// The user's waiting seeks and challenges, numbered for `accept`, `decline` and `withdraw`.
    pub(super) async fn list_opponents(&mut self) -> Result<(), SessionError> {
        self.begin_to_listen().await;
        let Some(SeekList { seeks }) = self.ask(ApiRequest::get("/seeks")).await? else { return Ok(()) };
        let Some(ChallengeList { challenges }) = self.ask(ApiRequest::get("/challenges")).await? else {
            return Ok(());
        };
        let mut listed = Vec::new();
        let mut lines = Vec::new();
        for challenge in challenges.iter().filter(|challenge| challenge.state == ChallengeState::Waiting) {
            let is_mine = challenge.from.id == self.me;
            listed.push(if is_mine { Listed::Made(challenge.id) } else { Listed::Got(challenge.id) });
            lines.push(self.told_of(challenge));
        }
        for seek in seeks.iter().filter(|seek| seek.answered.is_none()) {
            listed.push(Listed::Seek(seek.id));
            let games: Vec<_> = seek.games.iter().map(plain).collect();
            lines.push(format!(
                "you seek an opponent at {}, {}",
                games.join(", "),
                clock(seek.clocks.first())
            ));
        }
        listed.truncate(SHOWN);
        lines.truncate(SHOWN);
        self.opponents.listed = listed;
        if lines.is_empty() {
            return self.say("You seek nobody, and nobody challenges you.");
        }
        let numbered: Vec<_> =
            (1..).zip(&lines).map(|(number, line)| format!("{number:>3}  {line}")).collect();
        self.say(&numbered.join("\n"))
    }

    fn told_of(&self, challenge: &Challenge) -> String {
        let mut terms = vec![plain(&challenge.game), clock(Some(&challenge.clock))];
        terms.extend(length_and_stake(challenge.points, challenge.games, challenge.rated));
        if challenge.side != PlayAs::Lot {
            terms.push(format!("the challenger takes {}", plain(&challenge.side)));
        }
        let terms = terms.join(", ");
        if challenge.from.id == self.me {
            format!("you have challenged {}: {terms}", clipped(challenge.to.name.as_str(), 24))
        } else {
            format!("{} challenges you: {terms}", clipped(challenge.from.name.as_str(), 24))
        }
    }

    /// Accepts a challenge of the list; the only one, if none is named.
    pub(super) async fn accept_typed(&mut self, what: &str) -> Result<(), SessionError> {
        let id = match self.got(what) {
            Ok(id) => id,
            Err(why) => return self.say(&why),
        };
        let request = AcceptChallenge { seed_hash: Some(self.commit_to_a_seed()?) };
        self.opponents.challenges.push(id);
        let accept = ApiRequest::post(&format!("/challenges/{id}/accept"), &request);
        match self.ask::<Challenge>(accept).await? {
            Some(accepted) => self.heard_of_challenge(&accepted).await,
            None => Ok(()),
        }
    }

    pub(super) async fn decline_typed(&mut self, what: &str) -> Result<(), SessionError> {
        let id = match self.got(what) {
            Ok(id) => id,
            Err(why) => return self.say(&why),
        };
        let request = DeclineChallenge { reason: None };
        let decline = ApiRequest::post(&format!("/challenges/{id}/decline"), &request);
        if self.ask::<Challenge>(decline).await?.is_some() { self.say("Declined.") } else { Ok(()) }
    }

    /// A challenge to the user, by its number.
    fn got(&self, what: &str) -> Result<MatchId, String> {
        let got = |listed: &Listed| match listed {
            Listed::Got(id) => Some(*id),
            Listed::Made(_) | Listed::Seek(_) => None,
        };
        let mut all = self.opponents.listed.iter().filter_map(got);
        if what.is_empty() {
            return match (all.next(), all.next()) {
                (Some(id), None) => Ok(id),
                _ => Err("Which challenge? challenges lists them with their numbers.".to_owned()),
            };
        }
        let numbered = what.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let named = numbered.and_then(|index| self.opponents.listed.get(index)).and_then(got);
        named.ok_or_else(|| format!("No challenge to you has the number {}.", clipped(what, 20)))
    }

    /// Withdraws a seek or challenge of the list; all seeks of this session, if none is named.
    pub(super) async fn withdraw_typed(&mut self, what: &str) -> Result<(), SessionError> {
        let which = if what.is_empty() {
            self.opponents.seeks.iter().map(|&id| Listed::Seek(id)).collect()
        } else {
            let index = what.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            index.and_then(|index| self.opponents.listed.get(index)).copied().into_iter().collect::<Vec<_>>()
        };
        if which.is_empty() {
            return self.say("Which one? challenges lists what waits, with numbers.");
        }
        for listed in which {
            let path = match listed {
                Listed::Seek(seek) => format!("/seeks/{seek}"),
                Listed::Made(challenge) => format!("/challenges/{challenge}"),
                Listed::Got(_) => {
                    self.say("That challenge is not yours: decline it.")?;
                    continue;
                }
            };
            match self.link.ask::<IgnoredAny>(ApiRequest::new(Method::Delete, &path)).await {
                Ok(_) => self.say("Withdrawn.")?,
                Err(error @ RequestError::Problem(_)) => self.tell_error(&error)?,
                Err(error) => return self.tell_error(&error),
            }
            if let Listed::Seek(id) = listed {
                self.opponents.seeks.retain(|seek| *seek != id);
            }
        }
        Ok(())
    }

    pub(super) async fn heard_of_seek(&mut self, seek: &Seek) -> Result<(), SessionError> {
        let Some(id) = seek.answered else { return Ok(()) };
        if !self.opponents.seeks.contains(&seek.id) {
            return Ok(());
        }
        self.opponents.seeks.retain(|other| *other != seek.id);
        self.go_to(id, "There is an opponent.").await
    }

    pub(super) async fn heard_of_challenge(&mut self, challenge: &Challenge) -> Result<(), SessionError> {
        let (id, state) = (challenge.id, challenge.state);
        if self.opponents.told.contains(&(id, state)) {
            return Ok(());
        }
        self.opponents.told.retain(|(other, _)| *other != id);
        self.opponents.told.push((id, state));
        let is_mine = challenge.from.id == self.me;
        let other =
            clipped(if is_mine { challenge.to.name.as_str() } else { challenge.from.name.as_str() }, 24);
        match state {
            ChallengeState::Waiting if is_mine => {
                self.say(&format!("You have challenged {other}. withdraw takes it back."))
            }
            ChallengeState::Waiting => {
                self.opponents.listed.push(Listed::Got(id));
                let (line, number) = (self.told_of(challenge), self.opponents.listed.len());
                self.say(&format!("{line}. accept {number} or decline {number}"))
            }
            ChallengeState::Accepted if self.opponents.challenges.contains(&id) => {
                self.opponents.challenges.retain(|other| *other != id);
                let said = if is_mine { format!("{other} accepts.") } else { "Accepted.".to_owned() };
                self.go_to(id, &said).await
            }
            ChallengeState::Declined if is_mine => {
                let why =
                    challenge.reason.map_or_else(String::new, |reason| format!(" ({})", plain(&reason)));
                self.say(&format!("{other} declines{why}."))
            }
            ChallengeState::Withdrawn if !is_mine => {
                self.say(&format!("{other} has withdrawn the challenge."))
            }
            ChallengeState::Accepted | ChallengeState::Declined | ChallengeState::Withdrawn => Ok(()),
        }
    }

    /// Opens a match, unless the user plays another one.
    async fn go_to(&mut self, id: MatchId, said: &str) -> Result<(), SessionError> {
        if self.current.as_ref().is_some_and(|current| !current.mine().is_empty() && current.now.id != id) {
            return self.say(&format!("{said} join {id} opens the match."));
        }
        self.say(said)?;
        self.sit(id).await.map(drop)
    }
}

/// A clock in words.
pub(super) fn clock(clock: Option<&Clock>) -> String {
    let minutes = |ms: u64| ms / 60_000;
    let seconds = |ms: u64| ms / 1_000;
    match clock {
        Some(Clock::Fischer { base_ms, increment_ms }) => {
            format!("{}+{}", minutes(*base_ms), seconds(*increment_ms))
        }
        Some(Clock::Delay { base_ms, delay_ms }) => {
            format!("{} min, {} s delay", minutes(*base_ms), seconds(*delay_ms))
        }
        Some(Clock::Days { days: 1 }) => "a day for each turn".to_owned(),
        Some(Clock::Days { days }) => format!("{days} days for each turn"),
        Some(Clock::None {}) | None => "no clock".to_owned(),
    }
}
