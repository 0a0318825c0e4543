//! A match of two accounts, as they see it.

use std::net::SocketAddr;

use lusoria_client::{MatchView, RequestError};
use lusoria_protocol::{
    CreateMatch, Created, Event, EventKind, IdempotencyKey, JoinMatch, MatchId, PlayTurn, Seat, Token,
    socket::{ApiRequest, MatchCommand, Op},
};
use rand::rngs::StdRng;
use serde_json::value::RawValue;

use crate::{
    accounts::Account,
    crash::{
        error::{TrialError, broken, read},
        seen::{Seen, Told},
    },
    web,
};

/// A match of two accounts, played over HTTP.
pub(super) struct Playing {
    /// The server's address.
    pub(super) at: SocketAddr,
    pub(super) view: MatchView,
    pub(super) seen: Seen,
    /// The tokens of both seats.
    tokens: [Token; 2],
    /// Whether each seat has played a turn in the present game.
    have_played: [bool; 2],
    round: u32,
    keys: u32,
}

impl Playing {
    /// The first account creates a match, the second one joins.
    pub(super) async fn begin(
        at: SocketAddr,
        players: [&Account; 2],
        terms: CreateMatch,
        round: u32,
    ) -> Result<Self, TrialError> {
        let tokens = players.map(|player| player.token.clone());
        let create = ApiRequest::post("/matches", &terms).under(Some(key(round, 0)));
        let created = web::ask(at, Some(&tokens[0]), &create.into()).await?;
        let view = MatchView::from(read::<Created>(created.get())?.created);
        let seen = Seen::of(view.id);
        let mut playing = Self { at, view, seen, tokens, have_played: [false; 2], round, keys: 1 };
        let join = playing.command(JoinMatch { seed: None });
        playing.carry_out(Seat::Two, &join).await?;
        Ok(playing)
    }

    /// A command of this match that may be repeated.
    pub(super) fn command(&mut self, command: impl Into<MatchCommand>) -> Op {
        self.keys += 1;
        Op::command(self.view.id, Some(key(self.round, self.keys)), command)
    }

    /// Sends a request by a seat.
    pub(super) async fn ask(&self, seat: Seat, op: &Op) -> Result<Box<RawValue>, RequestError> {
        web::ask(self.at, Some(&self.tokens[place(seat)]), op).await
    }

    /// Sends a request by a seat, which must be carried out.
    pub(super) async fn carry_out(&mut self, seat: Seat, op: &Op) -> Result<(), TrialError> {
        let told = self.ask(seat, op).await?;
        self.take(&told)
    }

    /// Takes the events of a response.
    pub(super) fn take(&mut self, told: &RawValue) -> Result<(), TrialError> {
        for text in read::<Told>(told.get())?.events {
            self.seen.see(text.get())?;
            let event: Event = read(text.get())?;
            self.view.follow(&event)?;
            match event.kind {
                EventKind::GameStarted { .. } => self.have_played = [false; 2],
                EventKind::Turned { seat, .. } => self.have_played[place(seat)] = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// The seat to move.
    pub(super) fn mover(&self) -> Result<Seat, TrialError> {
        let to_play = self.view.to_play.as_ref();
        to_play.map(|to_play| to_play.seat).ok_or_else(|| broken!("no side has a turn in {}", self.view.id))
    }

    /// Plays random turns until each has played one in the present game: before that a match changes no
    /// rating.
    pub(super) async fn until_both_have_played(&mut self, random: &mut StdRng) -> Result<(), TrialError> {
        while self.have_played != [true; 2] {
            let seat = self.mover()?;
            let seq = self.view.to_play.as_ref().map_or(0, |to_play| to_play.seq);
            let steps = self.view.choose(random)?;
            let steps = steps.ok_or_else(|| broken!("no turn can be played in {}", self.view.id))?;
            self.carry_out(seat, &Op::command(self.view.id, None, PlayTurn { seq, steps })).await?;
        }
        Ok(())
    }

    /// The match's id.
    pub(super) fn id(&self) -> MatchId {
        self.view.id
    }
}

const fn place(seat: Seat) -> usize {
    match seat {
        Seat::One => 0,
        Seat::Two => 1,
    }
}

fn key(round: u32, number: u32) -> IdempotencyKey {
    format!("{round}-{number}").parse().expect("digits make a key")
}
