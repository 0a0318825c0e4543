//! Requests about a match other than turns: resigning, aborting, offers, invitations and hints.

use lusoria_protocol::{
    Abort, Claim, Draw, Hint, Invitation, MatchId, MatchState, OfferAction, Rematch, Resign, ResignScope,
    Snapshot, Takeback, TournamentEntry, TournamentId,
    socket::{ApiRequest, Method, Op},
};

use super::{Session, SessionError, fresh_key};
use crate::{command::Command, current_match::CurrentMatch, event_text::clipped, output::Output};

/// A question that waits for a yes.
pub(super) enum Question {
    /// A command about a match.
    AtMatch {
        command: Command,
        /// The match it is about.
        of: MatchId,
        /// The game of that match.
        game: u16,
    },
    /// Whether to withdraw from that tournament.
    Withdraw(TournamentId),
}

impl<O: Output> Session<O> {
    pub(super) fn ask_to_confirm(&mut self, command: Command) -> Result<(), SessionError> {
        let Some(current) = &self.current else {
            return self.say("There is nothing to give up in the lobby.");
        };
        if current.now.state == MatchState::Ended {
            return self.say("The match is over.");
        }
        let question = match command {
            Command::Resign { whole: true } => "Give up the whole match? yes does it.",
            Command::Resign { whole: false } => "Give up this game? yes does it.",
            _ => "Abort the match? yes does it.",
        };
        self.to_confirm =
            Some(Question::AtMatch { command, of: current.now.id, game: current.now.game_number });
        self.say(question)
    }

    pub(super) async fn do_confirmed(&mut self, question: Question) -> Result<(), SessionError> {
        let (command, of, game) = match question {
            Question::AtMatch { command, of, game } => (command, of, game),
            Question::Withdraw(id) => return self.take_part_in(id, &TournamentEntry::Withdraw {}).await,
        };
        let is_the_same = |current: &&CurrentMatch| current.now.id == of && current.now.game_number == game;
        let Some(current) = self.current.as_ref().filter(is_the_same) else {
            return self.say("That was asked about another game, which is over here: nothing is done.");
        };
        let (id, key) = (current.now.id, Some(fresh_key()?));
        let op = match command {
            Command::Resign { whole } => {
                let scope = if whole { ResignScope::Match } else { ResignScope::Game };
                Op::command(id, key, Resign { scope })
            }
            _ => Op::command(id, key, Abort {}),
        };
        self.ask_reliably(op).await.map(drop)
    }

    /// Makes, accepts or declines an offer: of a takeback or a draw during a game, of a rematch afterwards.
    pub(super) async fn offer(&mut self, command: Command) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return self.say("That can be done at a match only.") };
        let (id, key) = (current.now.id, Some(fresh_key()?));
        let is_over = current.now.state == MatchState::Ended;
        let rematch = |action, seed_hash| Op::command(id, key.clone(), Rematch { action, seed_hash });
        let draw = |action| Op::command(id, key.clone(), Draw { action });
        let answer = |action| match current.takeback_offered() {
            Some(offer) => Op::command(id, key.clone(), Takeback { seq: offer.turned, action }),
            None => draw(action),
        };
        let op = match command {
            Command::Draw => draw(OfferAction::Offer),
            Command::Rematch => rematch(OfferAction::Offer, Some(self.commit_to_a_seed()?)),
            Command::Accept if is_over => rematch(OfferAction::Accept, Some(self.commit_to_a_seed()?)),
            Command::Decline if is_over => rematch(OfferAction::Decline, None),
            Command::Accept => answer(OfferAction::Accept),
            Command::Decline => answer(OfferAction::Decline),
            Command::Claim => Op::command(id, key.clone(), Claim {}),
            _ => return self.invite().await,
        };
        self.ask_reliably(op).await.map(drop)
    }

    async fn invite(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return Ok(()) };
        let id = current.now.id;
        let invite = ApiRequest::new(Method::Post, &format!("/matches/{id}/invitation"));
        let Some(made) = self.ask::<Invitation>(invite).await? else { return Ok(()) };
        let origin = self.link.origin().to_string();
        self.say(&format!("Send this to your opponent: {origin}/join#{}", clipped(made.code.as_str(), 64)))
    }

    /// Takes back the user's last turn, or asks a person to agree; the server says which turn that is.
    pub(super) async fn take_turn_back(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return self.say("That can be done at a match only.") };
        let id = current.now.id;
        let Some(snapshot) = self.ask::<Snapshot>(ApiRequest::get(&format!("/matches/{id}"))).await? else {
            return Ok(());
        };
        match snapshot.may_take_back {
            Some(seq) => {
                let op = Op::command(id, Some(fresh_key()?), Takeback { seq, action: OfferAction::Offer });
                self.ask_reliably(op).await.map(drop)
            }
            None => self.say("There is no turn of yours to take back."),
        }
    }

    pub(super) async fn hint(&mut self) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return self.say("That can be done at a match only.") };
        let id = current.now.id;
        let hint = ApiRequest::new(Method::Post, &format!("/matches/{id}/hint"));
        let Some(hint) = self.ask::<Hint>(hint).await? else { return Ok(()) };
        let lines: Vec<String> = hint
            .turns
            .iter()
            .take(5)
            .map(|turn| format!("  {:<24} loses {:.3}", clipped(&turn.notation, 60), turn.lost))
            .collect();
        self.say(&format!("The computer would play:\n{}", lines.join("\n")))
    }
}
