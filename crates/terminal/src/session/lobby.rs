//! The hall: matches made, found, joined and left.

use std::collections::HashMap;

use lusoria_protocol::{
    CatalogueEntry, Created, Game, LookInvitation, MatchCard, MatchId, MatchList, MatchStage, MatchState, Me,
    Name, Seat, Snapshot,
    socket::{HelloOk, JoinAMatch, ListMatches, ListMine, Nothing, OfMatch, Op, SpendAnInvitation},
};
use serde_json::Value;

use super::{
    Errand, Failure, Session, fresh_key,
    owed::{Asked, Owed},
    play::TurnState,
    visit::Purpose,
};
use crate::{
    command::Command,
    output::Output,
    place::{BadPlace, Door, Way},
    table::Table,
    telling::clipped,
    terms::{self, Terms, plain},
};
use lusoria_client::{AskError, passes};

/// How many matches of a list are shown.
const SHOWN: u32 = 20;

/// What is known of the games and matches of the server.
#[derive(Default)]
pub(super) struct Hall {
    /// The catalogue, as far as it was asked for.
    pub(super) entries: HashMap<Game, CatalogueEntry>,
    /// The matches of the last list, by their numbers from 1.
    pub(super) listed: Vec<MatchId>,
}

impl<O: Output> Session<O> {
    pub(super) fn greet(&mut self, hello: &HelloOk) -> Result<(), Failure> {
        let name = hello.you.as_ref().map_or_else(|| "nobody".to_owned(), |me| clipped(me.name.as_str(), 24));
        let origin = self.link.origin().to_string();
        self.say(&format!("At {origin} as {name}. help tells what can be done."))
    }

    /// Does what one came for. If that cannot be done a script is at its end: what it types is
    /// meant for that. A person can look for something else.
    pub(super) async fn begin(&mut self, errand: Errand) -> Result<(), Failure> {
        let asked = match errand {
            Errand::Hall => return self.list(&Command::List).await,
            Errand::Create(game, terms) => self.create(game, &terms).await?,
            Errand::Join(door) => self.join(door).await?,
            Errand::Watch(door) => self.watch(door).await?,
            Errand::Resume => self.resume().await?,
        };
        self.stay.purpose = match asked {
            _ if self.stay.typist.is_person() => Purpose::Free,
            Asked::Done(()) => Purpose::Free,
            Asked::Later => Purpose::Waits,
            Asked::Refused => Purpose::Failed,
        };
        Ok(())
    }

    pub(super) async fn who_am_i(&mut self) -> Result<(), Failure> {
        let Some(me) = self.ask::<Me>(Op::Me(Nothing {})).await? else { return Ok(()) };
        let file = self.keep.guest_file().display().to_string();
        self.say(&format!("You are {} ({}), kept in {file}", clipped(me.name.as_str(), 24), me.id))
    }

    pub(super) async fn rename(&mut self, name: &str) -> Result<(), Failure> {
        let name: Name = match name.parse() {
            Ok(name) => name,
            Err(why) => return self.say(&format!("{why}")),
        };
        let rename = Op::Rename(lusoria_protocol::RenameGuest { name });
        let Some(me) = self.ask::<Me>(rename).await? else { return Ok(()) };
        self.say(&format!("From your next match on you are {}.", clipped(me.name.as_str(), 24)))
    }

    pub(super) async fn create_typed(&mut self, typed: &[String]) -> Result<(), Failure> {
        let (game, terms) = match terms::read(typed) {
            Ok(read) => read,
            Err(why) => return self.say(why.to_string().trim_end()),
        };
        match self.create(game, &terms).await {
            Err(Failure::Terms(why)) => self.say(&why.to_string()),
            created => created.map(drop),
        }
    }

    async fn create(&mut self, game: Game, terms: &Terms) -> Result<Asked<()>, Failure> {
        let entry = match self.entry(game).await {
            Ok(entry) => entry,
            Err(error) => {
                self.tell_error(&error)?;
                return Ok(Asked::Refused);
            }
        };
        let mut request = terms.request(&entry, fresh_key()?)?;
        request.seed_hash = Some(self.commit_to_a_seed()?);
        match self.ask_surely(Op::Create(request)).await? {
            Asked::Done(answer) => self.made(answer).await,
            Asked::Refused => Ok(Asked::Refused),
            Asked::Later => Ok(Asked::Later),
        }
    }

    /// The match is made: sits down to it.
    pub(super) async fn made(&mut self, answer: Value) -> Result<Asked<()>, Failure> {
        let made: Created = match serde_json::from_value(answer) {
            Ok(made) => made,
            Err(why) => {
                self.tell_error(&AskError::Unreadable(why.to_string()))?;
                return Ok(Asked::Refused);
            }
        };
        if let Some(invitation) = &made.invitation {
            let (origin, code) = (self.link.origin().to_string(), invitation.code.as_str());
            self.say(&format!("Send this to whom you invite: {origin}/join#{}", clipped(code, 64)))?;
        }
        self.sit(made.created.id).await
    }

    /// A page of matches, numbered for `join` and `watch`.
    pub(super) async fn list(&mut self, which: &Command) -> Result<(), Failure> {
        let page = |state| {
            Op::Matches(ListMatches { state: Some(state), game: None, cursor: None, limit: Some(SHOWN) })
        };
        let (op, none) = match which {
            Command::Live => (page(MatchStage::Live), "Nothing is played now."),
            Command::Mine => {
                let mine = ListMine { state: None, cursor: None, limit: Some(SHOWN) };
                (Op::MyMatches(mine), "You have no matches.")
            }
            _ => (page(MatchStage::Open), "No match waits for somebody to join. create GAME makes one."),
        };
        let Some(list) = self.ask::<MatchList>(op).await? else { return Ok(()) };
        let cards: Vec<MatchCard> = list.matches.into_iter().take(SHOWN as usize).collect();
        if cards.is_empty() {
            return self.say(none);
        }
        self.hall.listed = cards.iter().map(|card| card.id).collect();
        let lines: Vec<String> = (1..).zip(&cards).map(|(number, card)| line(number, card)).collect();
        self.say(&lines.join("\n"))
    }

    pub(super) async fn join_typed(&mut self, what: &str) -> Result<(), Failure> {
        match (what, &self.table) {
            ("", Some(table)) => {
                let id = table.now.id;
                self.join(Door::Match(id)).await.map(drop)
            }
            ("", None) => self.say("join needs a number of the list, an id, a code or a link after it"),
            (what, _) => match self.door(what) {
                Ok(door) => self.join(door).await.map(drop),
                Err(why) => self.say(&why),
            },
        }
    }

    pub(super) async fn watch_typed(&mut self, what: &str) -> Result<(), Failure> {
        match self.door(what) {
            Ok(door) => self.watch(door).await.map(drop),
            Err(why) => self.say(&why),
        }
    }

    /// What was meant: a number of the last list, or an id, a code or a link.
    fn door(&self, what: &str) -> Result<Door, String> {
        if let Ok(number) = what.parse::<usize>() {
            let listed = number.checked_sub(1).and_then(|index| self.hall.listed.get(index));
            return listed
                .map(|&id| Door::Match(id))
                .ok_or_else(|| format!("No match has the number {number}."));
        }
        let way = what.parse::<Way>().and_then(|way| way.at(self.link.origin()));
        way.map_err(|why| {
            let told = clipped(&why.to_string(), 200);
            match why {
                BadPlace::Elsewhere { .. } => {
                    format!("{told}: to go there, leave, and start lusoria play with that link")
                }
                BadPlace::Origin(_) | BadPlace::Path | BadPlace::Door => told,
            }
        })
    }

    /// Takes seat 2, with a seed of one's own. What the server had bound itself to before is
    /// kept first: that is what the dice are checked by.
    async fn join(&mut self, door: Door) -> Result<Asked<()>, Failure> {
        let snapshot: Option<Snapshot> = match &door {
            Door::Match(id) => self.ask(Op::Snapshot(OfMatch { id: *id })).await?,
            Door::Invitation(code) => {
                self.ask(Op::LookInvitation(LookInvitation { code: code.clone() })).await?
            }
        };
        let Some(open) = snapshot else { return Ok(Asked::Refused) };
        let id = open.id;
        let is_mine = open.your_seats.as_ref().is_some_and(|seats| !seats.is_empty());
        if is_mine {
            return self.sit(id).await;
        }
        if open.state != MatchState::Open {
            self.say("Both seats of that match are taken; you watch it.")?;
            self.sit(id).await?;
            return Ok(Asked::Refused);
        }
        let Some(seed) = self.seed_for(&open)? else { return Ok(Asked::Refused) };
        let seed = Some(seed);
        let key = Some(fresh_key()?);
        let op = match door {
            Door::Match(id) => Op::Join(JoinAMatch { id, key, seed }),
            Door::Invitation(code) => Op::SpendInvitation(SpendAnInvitation { code, key, seed }),
        };
        self.ask_for_seat(op, id).await
    }

    async fn watch(&mut self, door: Door) -> Result<Asked<()>, Failure> {
        match door {
            Door::Match(id) => self.sit(id).await,
            Door::Invitation(_) => self.join(door).await,
        }
    }

    /// Goes on with one's own match that waits, or else with the newest one that is played.
    async fn resume(&mut self) -> Result<Asked<()>, Failure> {
        let mine = ListMine { state: Some(MatchStage::Live), cursor: None, limit: Some(SHOWN) };
        let Some(list) = self.ask::<MatchList>(Op::MyMatches(mine)).await? else { return Ok(Asked::Refused) };
        let waiting = list.matches.iter().find(|card| card.your_turn == Some(true));
        if let Some(card) = waiting.or(list.matches.first()) {
            return self.sit(card.id).await;
        }
        self.list(&Command::Mine).await?;
        Ok(Asked::Refused)
    }

    /// Sits down at a match, to play or to look. Where that cannot be done one stays where one
    /// is; without a connection one sits down when it is back.
    pub(super) async fn sit(&mut self, id: MatchId) -> Result<Asked<()>, Failure> {
        let (entry, snapshot) = match self.look_at(id).await {
            Ok(seen) => seen,
            Err(AskError::Lost(_)) if !self.link.is_up() => {
                self.outbox.sit_later(id);
                self.say("There is no connection now: you sit down there as soon as there is one.")?;
                return Ok(Asked::Later);
            }
            Err(AskError::Problem(problem)) if passes(&problem) => {
                return self.try_later(&problem, Owed::Sit(id));
            }
            Err(error) => {
                self.tell_error(&error)?;
                return Ok(Asked::Refused);
            }
        };
        self.turn = TurnState::default();
        self.next_expected = false;
        self.records.sit_down(&snapshot);
        let table = Table::new(entry, *snapshot);
        let role = match table.mine() {
            [] => "you watch".to_owned(),
            [Seat::One] => "you have seat 1".to_owned(),
            [Seat::Two] => "you have seat 2".to_owned(),
            [_, ..] => "you have both seats".to_owned(),
        };
        let title = format!("{}, match {id}: {role}.", clipped(&table.entry.name, 40));
        let waits = table.now.state == MatchState::Open;
        self.table = Some(table);
        self.say(&title)?;
        self.keep_what_is_seen()?;
        if waits {
            let link = format!("{}/match/{id}", self.link.origin());
            self.say(&format!("It waits for somebody to join; others find it at {link}"))?;
        }
        self.reveal().await?;
        self.look_again().await.map(Asked::Done)
    }

    /// What game a match is, and from now on what happens in it.
    async fn look_at(&mut self, id: MatchId) -> Result<(CatalogueEntry, Box<Snapshot>), AskError> {
        let game = self.link.ask::<Snapshot>(Op::Snapshot(OfMatch { id })).await?.game;
        let entry = self.entry(game).await?;
        Ok((entry, self.link.watch(id).await?))
    }

    pub(super) async fn leave(&mut self) -> Result<(), Failure> {
        if self.table.take().is_none() {
            return self.say("You are in the hall; quit leaves the server.");
        }
        (self.turn.building, self.draw_at) = (None, None);
        self.next_expected = false;
        self.link.unwatch().await;
        self.say("You are in the hall.")
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
    if card.points > 1 {
        facts.push(format!("to {} points", card.points));
    }
    if card.your_turn == Some(true) {
        facts.push("your turn".to_owned());
    }
    format!("{number:>3}  {:<8} {one} - {two}, {}  {}", plain(&card.game), facts.join(", "), card.id)
}
