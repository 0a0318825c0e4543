//! The lobby: creating, finding, joining and leaving matches.

use std::collections::HashMap;

use lusoria_protocol::{
    CatalogueEntry, Created, Game, JoinMatch, LookInvitation, MatchCard, MatchId, MatchList, MatchStage,
    MatchState, Me, Name, RenameGuest, Seat, Snapshot, SpendInvitation, TournamentId,
    socket::{ApiRequest, HelloOk, Method, Op},
};
use serde_json::Value;

use super::{
    Goal, Session, SessionError, fresh_key,
    outbox::{Attempt, Pending},
    play::TurnState,
    start::GoalState,
};
use crate::{
    address::{BadAddress, Destination, MatchReference},
    command::Command,
    current_match::CurrentMatch,
    event_text::clipped,
    output::Output,
    terms::{self, Terms, length_and_stake, plain},
};
use lusoria_client::{RequestError, passes};

/// How many matches of a list are shown.
const SHOWN: u32 = 20;

/// The session's knowledge of the server's games and matches.
#[derive(Default)]
pub(super) struct Lobby {
    /// The entries of the catalogue that were fetched.
    pub(super) entries: HashMap<Game, CatalogueEntry>,
    /// The matches of the last list, numbered from 1.
    pub(super) listed: Vec<MatchId>,
}

impl<O: Output> Session<O> {
    pub(super) fn greet(&mut self, hello: &HelloOk) -> Result<(), SessionError> {
        let name = hello.you.as_ref().map_or_else(|| "nobody".to_owned(), |me| clipped(me.name.as_str(), 24));
        let origin = self.link.origin().to_string();
        self.say(&format!("At {origin} as {name}. help lists the commands."))
    }

    /// Does what the session was started for. If that fails, a script ends, because its input is meant for
    /// that match. A person can do something else.
    pub(super) async fn begin(&mut self, goal: Goal) -> Result<(), SessionError> {
        let asked = match goal {
            Goal::Lobby => return self.list(&Command::List).await,
            Goal::Create(game, terms) => self.create(game, &terms).await?,
            Goal::Join(destination) => self.join(destination).await?,
            Goal::Watch(destination) => self.watch(destination).await?,
            Goal::Resume => self.resume().await?,
        };
        self.state.goal_state = match asked {
            _ if self.state.source.is_person() => GoalState::Done,
            Attempt::Done(()) => GoalState::Done,
            Attempt::Later => GoalState::Pending,
            Attempt::Refused => GoalState::Failed,
        };
        Ok(())
    }

    pub(super) async fn who_am_i(&mut self) -> Result<(), SessionError> {
        let Some(me) = self.ask::<Me>(ApiRequest::get("/me")).await? else { return Ok(()) };
        let file = self.profile.guest_file().display().to_string();
        let account = match &me.handle {
            Some(handle) => format!("with the account {}", handle.as_str()),
            None => "without an account (lusoria play register)".to_owned(),
        };
        self.say(&format!("You are {} ({}), {account}, kept in {file}", clipped(me.name.as_str(), 24), me.id))
    }

    pub(super) async fn rename(&mut self, name: &str) -> Result<(), SessionError> {
        let name: Name = match name.parse() {
            Ok(name) => name,
            Err(why) => return self.say(&format!("{why}")),
        };
        let rename = ApiRequest::new(Method::Patch, "/me").with(&RenameGuest { name });
        let Some(me) = self.ask::<Me>(rename).await? else { return Ok(()) };
        self.say(&format!("From your next match on you are {}.", clipped(me.name.as_str(), 24)))
    }

    pub(super) async fn create_typed(&mut self, typed: &[String]) -> Result<(), SessionError> {
        let (game, terms) = match terms::read(typed) {
            Ok(read) => read,
            Err(why) => return self.say(why.to_string().trim_end()),
        };
        match self.create(game, &terms).await {
            Err(SessionError::Terms(why)) => self.say(&why.to_string()),
            created => created.map(drop),
        }
    }

    async fn create(&mut self, game: Game, terms: &Terms) -> Result<Attempt<()>, SessionError> {
        let entry = match self.entry(game).await {
            Ok(entry) => entry,
            Err(error) => return self.fail(&error),
        };
        let mut request = terms.request(&entry)?;
        request.seed_hash = Some(self.commit_to_a_seed()?);
        let create = ApiRequest::post("/matches", &request).under(Some(fresh_key()?));
        match self.ask_reliably(create.into()).await? {
            Attempt::Done(answer) => self.made(answer).await,
            Attempt::Refused => Ok(Attempt::Refused),
            Attempt::Later => Ok(Attempt::Later),
        }
    }

    /// Opens a newly created match.
    pub(super) async fn made(&mut self, answer: Value) -> Result<Attempt<()>, SessionError> {
        let made: Created = match serde_json::from_value(answer) {
            Ok(made) => made,
            Err(why) => return self.fail(&RequestError::Unreadable(why.to_string())),
        };
        if let Some(invitation) = &made.invitation {
            let (origin, code) = (self.link.origin().to_string(), invitation.code.as_str());
            self.say(&format!("Send this to your opponent: {origin}/join#{}", clipped(code, 64)))?;
        }
        self.sit(made.created.id).await
    }

    /// A page of matches, numbered for `join` and `watch`.
    pub(super) async fn list(&mut self, which: &Command) -> Result<(), SessionError> {
        let (of, none) = match which {
            Command::Live => ("/matches?state=live", "Nothing is played now."),
            Command::Mine => ("/me/matches?", "You have no matches."),
            _ => ("/matches?state=open", "No match waits for somebody to join. create GAME makes one."),
        };
        let page = ApiRequest::get(&format!("{of}&limit={SHOWN}"));
        let Some(list) = self.ask::<MatchList>(page).await? else { return Ok(()) };
        let cards: Vec<MatchCard> = list.matches.into_iter().take(SHOWN as usize).collect();
        if cards.is_empty() {
            return self.say(none);
        }
        self.lobby.listed = cards.iter().map(|card| card.id).collect();
        let lines: Vec<String> = (1..).zip(&cards).map(|(number, card)| line(number, card)).collect();
        self.say(&lines.join("\n"))
    }

    pub(super) async fn join_typed(&mut self, what: &str) -> Result<(), SessionError> {
        match (what, &self.current) {
            ("", Some(current)) => {
                let id = current.now.id;
                self.join(Destination::Match(id)).await.map(drop)
            }
            ("", None) => self.say("join needs a number of the list, an id, a code or a link after it"),
            (what, _) => match self.destination(what) {
                Ok(destination) => self.join(destination).await.map(drop),
                Err(why) => self.say(&why),
            },
        }
    }

    pub(super) async fn watch_typed(&mut self, what: &str) -> Result<(), SessionError> {
        match self.destination(what) {
            Ok(destination) => self.watch(destination).await.map(drop),
            Err(why) => self.say(&why),
        }
    }

    /// The match or invitation that the user named: by a number of the last list, an id, a code or a link.
    fn destination(&self, what: &str) -> Result<Destination, String> {
        if let Ok(number) = what.parse::<usize>() {
            let listed = number.checked_sub(1).and_then(|index| self.lobby.listed.get(index));
            return listed
                .map(|&id| Destination::Match(id))
                .ok_or_else(|| format!("No match has the number {number}."));
        }
        let reference = what.parse::<MatchReference>().and_then(|reference| reference.at(self.link.origin()));
        reference.map_err(|why| {
            let told = clipped(&why.to_string(), 200);
            match why {
                BadAddress::Elsewhere { .. } => {
                    format!("{told}: to go there, leave, and start lusoria play with that link")
                }
                BadAddress::Origin(_) | BadAddress::Path | BadAddress::Unknown => told,
            }
        })
    }

    /// Takes seat 2, with a seed of the user's. Stores the server's commitment first, to check the dice
    /// against it.
    async fn join(&mut self, destination: Destination) -> Result<Attempt<()>, SessionError> {
        let (look, code) = match destination {
            Destination::Match(id) => (ApiRequest::get(&format!("/matches/{id}")), None),
            Destination::Invitation(code) => {
                let look = LookInvitation { code: code.clone() };
                (ApiRequest::post("/invitations/look", &look), Some(code))
            }
            Destination::Tournament(id) => return self.show_tournament(id).await,
        };
        let Some(open) = self.ask::<Snapshot>(look).await? else { return Ok(Attempt::Refused) };
        let id = open.id;
        let is_mine = open.your_seats.as_ref().is_some_and(|seats| !seats.is_empty());
        if is_mine {
            return self.sit(id).await;
        }
        if open.state != MatchState::Open {
            self.say("Both seats of that match are taken; you watch it.")?;
            self.sit(id).await?;
            return Ok(Attempt::Refused);
        }
        let Some(seed) = self.seed_for(&open)? else { return Ok(Attempt::Refused) };
        let seed = Some(seed);
        let key = Some(fresh_key()?);
        let op = match code {
            None => Op::command(id, key, JoinMatch { seed }),
            Some(code) => {
                let spend = SpendInvitation { code, seed };
                ApiRequest::post("/invitations/spend", &spend).under(key).into()
            }
        };
        self.ask_for_seat(op, id).await
    }

    async fn show_tournament(&mut self, id: TournamentId) -> Result<Attempt<()>, SessionError> {
        let is_shown = self.look_at_tournament(id).await?;
        Ok(if is_shown { Attempt::Done(()) } else { Attempt::Refused })
    }

    async fn watch(&mut self, destination: Destination) -> Result<Attempt<()>, SessionError> {
        match destination {
            Destination::Match(id) => self.sit(id).await,
            Destination::Tournament(id) => self.show_tournament(id).await,
            Destination::Invitation(_) => self.join(destination).await,
        }
    }

    /// Continues a match where it is the user's turn, or else their newest match.
    async fn resume(&mut self) -> Result<Attempt<()>, SessionError> {
        let mine = ApiRequest::get(&format!("/me/matches?state=live&limit={SHOWN}"));
        let Some(list) = self.ask::<MatchList>(mine).await? else {
            return Ok(Attempt::Refused);
        };
        let waiting = list.matches.iter().find(|card| card.your_turn == Some(true));
        if let Some(card) = waiting.or(list.matches.first()) {
            return self.sit(card.id).await;
        }
        self.list(&Command::Mine).await?;
        Ok(Attempt::Refused)
    }

    /// Opens a match, to play or to watch. If that fails, the user stays where they are; without a
    /// connection, the match is opened when the connection is back.
    pub(super) async fn sit(&mut self, id: MatchId) -> Result<Attempt<()>, SessionError> {
        let (entry, snapshot) = match self.look_at(id).await {
            Ok(seen) => seen,
            Err(RequestError::Lost(_)) if !self.link.is_up() => {
                self.outbox.sit_later(id);
                self.say("There is no connection now: the match is opened as soon as there is one.")?;
                return Ok(Attempt::Later);
            }
            Err(RequestError::Problem(problem)) if passes(&problem) => {
                return self.try_later(&problem, Pending::Sit(id));
            }
            Err(error) => return self.fail(&error),
        };
        self.turn = TurnState::default();
        self.next_expected = false;
        self.records.sit_down(&snapshot);
        let current = CurrentMatch::new(entry, *snapshot);
        let role = match current.mine() {
            [] => "you watch".to_owned(),
            [Seat::One] => "you have seat 1".to_owned(),
            [Seat::Two] => "you have seat 2".to_owned(),
            [_, ..] => "you have both seats".to_owned(),
        };
        let title = format!("{}, match {id}: {role}.", clipped(&current.entry.name, 40));
        let waits = current.now.state == MatchState::Open;
        self.current = Some(current);
        self.say(&title)?;
        self.keep_what_is_seen()?;
        if waits {
            let link = format!("{}/match/{id}", self.link.origin());
            self.say(&format!("It waits for somebody to join; others find it at {link}"))?;
        }
        self.reveal().await?;
        self.look_again().await.map(Attempt::Done)
    }

    /// Fetches the entry of a match's game and begins to watch the match.
    async fn look_at(&mut self, id: MatchId) -> Result<(CatalogueEntry, Box<Snapshot>), RequestError> {
        let game = self.link.ask::<Snapshot>(ApiRequest::get(&format!("/matches/{id}"))).await?.game;
        let entry = self.entry(game).await?;
        Ok((entry, self.link.watch(id).await?))
    }

    pub(super) async fn leave(&mut self) -> Result<(), SessionError> {
        if self.current.take().is_none() {
            return self.say("You are in the lobby; quit leaves the server.");
        }
        (self.turn.building, self.draw_at) = (None, None);
        self.next_expected = false;
        self.link.unwatch().await;
        self.say("You are in the lobby.")
    }
}

/// "3  tavla  Agathias - Zeno  to 3, 12 turns  0190a6c2-…"
fn line(number: usize, card: &MatchCard) -> String {
    let one = clipped(&card.players.one.name, 24);
    let two = card.players.two.as_ref().map_or_else(|| "?".to_owned(), |two| clipped(&two.name, 24));
    let mut facts = vec![match card.state {
        MatchStage::Open => "open".to_owned(),
        MatchStage::Live => format!("{} turns", card.turns),
        MatchStage::Finished => card.result.map_or_else(|| "over".to_owned(), |result| plain(&result)),
    }];
    facts.extend(length_and_stake(card.points, card.games, card.rated));
    if card.your_turn == Some(true) {
        facts.push("your turn".to_owned());
    }
    format!("{number:>3}  {:<8} {one} - {two}, {}  {}", plain(&card.game), facts.join(", "), card.id)
}
