//! Tournaments: lists them, takes part in them, follows one, and finds the way to the board.

use std::time::Duration;

use lusoria_protocol::{
    EntrantList, MatchId, Notice, PairingList, Standings, Tournament, TournamentCommandName, TournamentEntry,
    TournamentEvent, TournamentFormat, TournamentId, TournamentList, TournamentPhase, TournamentPlayer,
    YouInTournament,
    socket::{ApiRequest, Op, TournamentSwitch},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use tokio::time::Instant;

use super::{
    Session, SessionError,
    match_requests::Question,
    tournament_text::{Names, line, player, shown, span, title, your_pairing, your_state},
};
use crate::{
    address::{Destination, MatchReference},
    command::TournamentCommand,
    event_text::clipped,
    output::Output,
};
use lusoria_client::RequestError;

/// The states that lists show, with how many tournaments of each.
const LISTS: [(&str, u32); 3] = [("running", 20), ("announced", 20), ("ended", 5)];

/// How often a followed tournament is read at most.
const READ_EVERY: Duration = Duration::from_secs(1);

/// How many events are read at once.
const EVENTS_PAGE: usize = 100;

/// The session's tournaments.
#[derive(Default)]
pub(super) struct Tournaments {
    /// The last list, numbered from 1.
    listed: Vec<TournamentId>,
    /// The one that commands are about: the last one that was shown or has called.
    at_hand: Option<TournamentId>,
    /// The last call, because notices may come twice.
    called: Option<(TournamentId, u16, Option<MatchId>)>,
    /// The match that `go` has opened last.
    board: Option<MatchId>,
    followed: Option<Followed>,
    /// When to read the events of the followed one.
    pub(super) read_at: Option<Instant>,
}

/// A tournament that the user follows.
struct Followed {
    id: TournamentId,
    title: String,
    /// The number of the last event that was told.
    head: u32,
    names: Names,
    /// When its events were read last.
    read: Option<Instant>,
}

/// A page of events. A newer server may have events that this client does not know.
#[derive(Deserialize)]
struct EventsPage {
    events: Vec<Value>,
}

impl Tournaments {
    /// Whether commands can go without the name of a tournament.
    pub(super) const fn has_one_at_hand(&self) -> bool {
        self.at_hand.is_some()
    }

    /// Whether the user follows one.
    pub(super) const fn follows(&self) -> bool {
        self.followed.is_some()
    }

    /// Whether that match was opened from a tournament.
    pub(super) fn is_board(&self, id: MatchId) -> bool {
        self.board == Some(id)
    }
}

impl<O: Output> Session<O> {
    pub(super) async fn obey_at_tournament(
        &mut self,
        command: TournamentCommand,
    ) -> Result<(), SessionError> {
        match command {
            TournamentCommand::List => self.list_tournaments().await,
            TournamentCommand::Look(what) => self.look_typed(&what).await,
            TournamentCommand::Enter(code) => {
                let code = match code.as_str() {
                    "" => None,
                    code => match code.parse() {
                        Ok(code) => Some(code),
                        Err(why) => return self.say(&format!("No: {why}")),
                    },
                };
                self.take_part(TournamentEntry::Enter { code }).await
            }
            TournamentCommand::Here => self.take_part(TournamentEntry::Here {}).await,
            TournamentCommand::Pause => self.take_part(TournamentEntry::Pause {}).await,
            TournamentCommand::Bye(round) => match round.parse() {
                Ok(round) => self.take_part(TournamentEntry::AskBye { round }).await,
                Err(_) => self.say("bye needs the number of a round after it"),
            },
            TournamentCommand::Withdraw => {
                match self.tournaments.at_hand {
                    Some(id) => {
                        self.to_confirm = Some(Question::Withdraw(id));
                        self.say("Withdraw from the tournament? A match that you play there is resigned. yes does it.")
                    }
                    None => self.say_none_at_hand(),
                }
            }
            TournamentCommand::Follow(what) => self.follow(&what).await,
            TournamentCommand::Unfollow => self.unfollow().await,
            TournamentCommand::Board => self.go_to_board().await,
        }
    }

    fn say_none_at_hand(&mut self) -> Result<(), SessionError> {
        self.say("Which tournament? tournaments lists them, tournament NUMBER shows one.")
    }

    async fn list_tournaments(&mut self) -> Result<(), SessionError> {
        let (mut listed, mut lines) = (Vec::new(), Vec::new());
        let now = self.server_now();
        for (state, count) in LISTS {
            let page = ApiRequest::get(&format!("/tournaments?state={state}&limit={count}"));
            let Some(list) = self.ask::<TournamentList>(page).await? else { return Ok(()) };
            for card in list.tournaments.iter().take(count as usize) {
                listed.push(card.id);
                lines.push(line(listed.len(), card, now));
            }
        }
        if lines.is_empty() {
            return self.say("There are no tournaments.");
        }
        self.tournaments.listed = listed;
        self.say(&lines.join("\n"))
    }

    /// Shows the tournament that the user named, or the one at hand; from the board of a match that has ended,
    /// that is the way back.
    async fn look_typed(&mut self, what: &str) -> Result<(), SessionError> {
        let id = match self.named_tournament(what) {
            Ok(id) => id,
            Err(why) => return self.say(&why),
        };
        if self.current.as_ref().is_some_and(super::CurrentMatch::is_over) {
            self.leave().await?;
        }
        self.look_at_tournament(id).await.map(drop)
    }

    /// Shows a tournament, and makes it the one at hand. Returns whether there is one.
    pub(super) async fn look_at_tournament(&mut self, id: TournamentId) -> Result<bool, SessionError> {
        let Some(tournament) = self.fetch_tournament(id).await? else { return Ok(false) };
        let has_begun =
            !matches!(tournament.card.phase, TournamentPhase::Announced | TournamentPhase::CheckIn);
        let standings = if has_begun {
            self.ask::<Standings>(ApiRequest::get(&format!("/tournaments/{id}/standings"))).await?
        } else {
            None
        };
        let mut lines = shown(&tournament, standings.as_ref(), self.server_now());
        lines.push(format!("{}/tournament/{id}", self.link.origin()));
        self.say(&lines.join("\n"))?;
        Ok(true)
    }

    /// Fetches a tournament, makes it the one at hand, and listens for its calls if the user has entered.
    async fn fetch_tournament(&mut self, id: TournamentId) -> Result<Option<Tournament>, SessionError> {
        let fetched = self.ask::<Tournament>(ApiRequest::get(&format!("/tournaments/{id}"))).await?;
        if let Some(tournament) = &fetched {
            self.tournaments.at_hand = Some(id);
            self.listen_for_calls(tournament).await;
        }
        Ok(fetched)
    }

    async fn listen_for_calls(&mut self, tournament: &Tournament) {
        if tournament.you.as_ref().is_some_and(|you| you.entrant.is_some()) {
            self.begin_to_listen().await;
        }
    }

    /// The tournament that the user named: by a number of the last list, an id or a link; the one at hand if they
    /// named none.
    fn named_tournament(&self, what: &str) -> Result<TournamentId, String> {
        if what.is_empty() {
            let none = "Which tournament? tournaments lists them, with numbers.";
            return self.tournaments.at_hand.ok_or_else(|| none.to_owned());
        }
        if let Ok(number) = what.parse::<usize>() {
            let listed = number.checked_sub(1).and_then(|index| self.tournaments.listed.get(index));
            return listed.copied().ok_or_else(|| format!("No tournament has the number {number}."));
        }
        if let Ok(id) = what.parse() {
            return Ok(id);
        }
        match what.parse::<MatchReference>().and_then(|reference| reference.at(self.link.origin())) {
            Ok(Destination::Tournament(id)) => Ok(id),
            Ok(Destination::Match(_) | Destination::Invitation(_)) => {
                Err("This is not a tournament: name a number of the list, an id or a link.".to_owned())
            }
            Err(why) => Err(clipped(&why.to_string(), 200)),
        }
    }

    /// Sends a command of an entrant about the tournament at hand, and shows what it has changed for them.
    async fn take_part(&mut self, command: TournamentEntry) -> Result<(), SessionError> {
        match self.tournaments.at_hand {
            Some(id) => self.take_part_in(id, &command).await,
            None => self.say_none_at_hand(),
        }
    }

    /// The same about that tournament. Each of these commands can be repeated without harm.
    pub(super) async fn take_part_in(
        &mut self,
        id: TournamentId,
        command: &TournamentEntry,
    ) -> Result<(), SessionError> {
        let request = ApiRequest::post(&format!("/tournaments/{id}/entry"), command);
        let Some(tournament) = self.ask::<Tournament>(request).await? else { return Ok(()) };
        self.listen_for_calls(&tournament).await;
        let name = title(&tournament.card.name);
        let mut lines = vec![match command {
            TournamentEntry::Enter { .. } => format!("{name}: you have entered."),
            TournamentEntry::Here {} | TournamentEntry::Pause {} => format!("{name}:"),
            TournamentEntry::Withdraw {} => format!("{name}: you have withdrawn."),
            TournamentEntry::AskBye { .. } => format!("{name}: you have asked for a bye."),
        }];
        let now = self.server_now();
        lines.extend(tournament.you.as_ref().into_iter().flat_map(|you| your_state(&tournament, you, now)));
        self.say(&lines.join("\n"))
    }

    /// Opens the board of the user's match in the tournament at hand.
    async fn go_to_board(&mut self) -> Result<(), SessionError> {
        let Some(id) = self.tournaments.at_hand else { return self.say_none_at_hand() };
        let Some(tournament) = self.fetch_tournament(id).await? else { return Ok(()) };
        let pairing = tournament.you.as_ref().and_then(|you| you.pairing.as_ref());
        match pairing.map(|pairing| (pairing, pairing.match_id)) {
            Some((_, Some(board))) => {
                self.tournaments.board = Some(board);
                self.sit(board).await.map(drop)
            }
            Some((pairing, None)) => self.say(&your_pairing(pairing, self.server_now())),
            None => {
                let name = title(&tournament.card.name);
                let may_be_here = |you: &YouInTournament| you.may.contains(&TournamentCommandName::Here);
                let hint = tournament.you.as_ref().is_some_and(may_be_here);
                let hint = if hint { " here says that you are ready." } else { "" };
                self.say(&format!("{name}: no match waits for you.{hint}"))
            }
        }
    }

    /// Handles a call of a tournament: the user's pairing waits, or its match is made.
    pub(super) fn heard_of_call(&mut self, notice: &Notice) -> Result<(), SessionError> {
        let Notice::TournamentCall { tournament, name, round, opponent, id, until } = notice else {
            return Ok(());
        };
        let call = Some((*tournament, *round, *id));
        let is_there = id.is_some() && self.current.as_ref().map(|current| current.now.id) == *id;
        if self.tournaments.called == call || is_there {
            return Ok(());
        }
        self.tournaments.called = call;
        self.tournaments.at_hand = Some(*tournament);
        let line = called(name, *round, opponent, *id, until.map(|at| at.saturating_sub(self.server_now())));
        self.say(&line)
    }

    pub(super) fn heard_of_end(&mut self, id: TournamentId, name: &str) -> Result<(), SessionError> {
        // Who follows it is told already.
        if self.tournaments.followed.as_ref().is_some_and(|followed| followed.id == id) {
            return Ok(());
        }
        self.tournaments.at_hand = Some(id);
        self.say(&format!("{} has ended. tournament shows the standings.", title(name)))
    }

    async fn follow(&mut self, what: &str) -> Result<(), SessionError> {
        let id = match self.named_tournament(what) {
            Ok(id) => id,
            Err(why) => return self.say(&why),
        };
        let Some(tournament) = self.fetch_tournament(id).await? else { return Ok(()) };
        let card = &tournament.card;
        let name = title(&card.name);
        if card.phase == TournamentPhase::Ended {
            return self.say(&format!("{name} has ended. tournament shows the standings."));
        }
        let mut names = Names::default();
        // An arena has no rounds, and too many pairings.
        let pairings = match (card.format, card.round) {
            (TournamentFormat::RoundRobin { .. }, Some(_)) => Some(String::new()),
            (TournamentFormat::Swiss { .. } | TournamentFormat::Knockout { .. }, Some(round)) => {
                Some(format!("?round={round}"))
            }
            (TournamentFormat::Arena { .. }, _) | (_, None) => None,
        };
        names.learn_pairings(&tournament.best);
        if let Some(which) = pairings {
            let pairings = ApiRequest::get(&format!("/tournaments/{id}/pairings{which}"));
            let Some(list) = self.ask::<PairingList>(pairings).await? else { return Ok(()) };
            names.learn_pairings(&list.pairings);
        }
        let entrants = ApiRequest::get(&format!("/tournaments/{id}/entrants"));
        let Some(list) = self.ask::<EntrantList>(entrants).await? else { return Ok(()) };
        names.learn_entrants(&list);
        self.stop_following().await;
        let switch = Op::Tournament(TournamentSwitch { tournament: id, on: true });
        if self.ask::<IgnoredAny>(switch).await?.is_none() {
            return Ok(());
        }
        self.tournaments.followed =
            Some(Followed { id, title: name.clone(), head: card.head, names, read: None });
        // What has happened since the tournament was read.
        self.tournaments.read_at = Some(Instant::now());
        self.say(&format!("You follow {name}; unfollow ends that."))
    }

    async fn unfollow(&mut self) -> Result<(), SessionError> {
        match self.stop_following().await {
            Some(name) => self.say(&format!("You do not follow {name} any more.")),
            None => self.say("You follow no tournament."),
        }
    }

    /// Stops following. Returns the name of the tournament.
    async fn stop_following(&mut self) -> Option<String> {
        let followed = self.tournaments.followed.take()?;
        self.tournaments.read_at = None;
        // Without a connection nothing is subscribed.
        let off = Op::Tournament(TournamentSwitch { tournament: followed.id, on: false });
        let _ = self.link.ask::<IgnoredAny>(off).await;
        Some(followed.title)
    }

    /// Subscribes again after a new connection.
    pub(super) async fn follow_again(&mut self) {
        if let Some(followed) = &self.tournaments.followed {
            let on = Op::Tournament(TournamentSwitch { tournament: followed.id, on: true });
            let _ = self.link.ask::<IgnoredAny>(on).await;
            self.tournaments.read_at = Some(Instant::now());
        }
    }

    /// Handles the notice that a tournament has changed: its events are read, at most once a second.
    pub(super) fn heard_of_change(&mut self, id: TournamentId, head: u32) {
        let Some(followed) = self.tournaments.followed.as_ref() else { return };
        if followed.id == id && followed.head < head && self.tournaments.read_at.is_none() {
            let earliest = followed.read.map(|read| read + READ_EVERY);
            self.tournaments.read_at = Some(earliest.unwrap_or_else(Instant::now));
        }
    }

    /// Tells what has happened in the followed tournament since it was read last.
    pub(super) async fn read_followed(&mut self) -> Result<(), SessionError> {
        self.tournaments.read_at = None;
        let Some(followed) = &mut self.tournaments.followed else { return Ok(()) };
        followed.read = Some(Instant::now());
        let (id, since) = (followed.id, followed.head);
        let page = format!("/tournaments/{id}/events?since={since}&limit={EVENTS_PAGE}");
        // If it fails, the next notice or connection repeats it.
        let Ok(EventsPage { events }) = self.link.ask(ApiRequest::get(&page)).await else { return Ok(()) };
        let is_full = events.len() >= EVENTS_PAGE;
        if events.iter().any(|event| event["type"] == "entered") {
            let entrants = ApiRequest::get(&format!("/tournaments/{id}/entrants"));
            let list: Result<EntrantList, RequestError> = self.link.ask(entrants).await;
            if let (Ok(list), Some(followed)) = (list, &mut self.tournaments.followed) {
                followed.names.learn_entrants(&list);
            }
        }
        let Some(followed) = &mut self.tournaments.followed else { return Ok(()) };
        // They have numbers without gaps.
        followed.head = followed.head.saturating_add(u32::try_from(events.len()).unwrap_or(u32::MAX));
        let has_ended = events.iter().any(|event| event["type"] == "ended");
        let known =
            events.into_iter().filter_map(|event| serde_json::from_value::<TournamentEvent>(event).ok());
        let lines: Vec<String> = known
            .filter_map(|event| followed.names.told(&event.event))
            .map(|line| format!("{}: {line}", followed.title))
            .collect();
        if is_full {
            self.tournaments.read_at = Some(Instant::now() + READ_EVERY);
        }
        if !lines.is_empty() {
            self.say(&lines.join("\n"))?;
        }
        if has_ended {
            self.stop_following().await;
            self.look_at_tournament(id).await?;
        }
        Ok(())
    }
}

/// A call in a line.
fn called(
    name: &str,
    round: u16,
    opponent: &TournamentPlayer,
    board: Option<MatchId>,
    waits_ms: Option<u64>,
) -> String {
    let (name, opponent) = (title(name), player(opponent));
    if board.is_some() {
        return format!("{name}, round {round}: your match with {opponent} is made. go opens the board.");
    }
    let limit = waits_ms.map(|ms| format!(", within {}", span(ms))).unwrap_or_default();
    format!("{name}, round {round}: you play {opponent}. Say here when you are at the board{limit}.")
}
