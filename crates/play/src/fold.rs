//! Folds recorded events into a match, without judging them.

use std::collections::VecDeque;

use lusoria_rules::{Die, History, Position, Setup, SetupError, Side};

use crate::{
    BySeat, Clock, Event, Game, GameResult, JOURNAL_VERSION, Match, MatchId, Millis, Rated, Recorded,
    Rematch, Seat, SeatSeed, TakebackOffer, TakenStep, ToPlay, UnratedReason,
    lag::LagQuota,
    rating::GameOutcome,
    state::{ANSWERED_MAX, Answered},
    term::Term,
};

/// A journal that this program cannot have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// There are no events.
    #[error("the journal is empty")]
    Empty,
    /// An event is missing or repeated.
    #[error("event {expected} is missing: event {found} comes in its place")]
    Gap {
        /// The expected number.
        expected: u32,
        /// The number found.
        found: u32,
    },
    /// The journal was written by a later release.
    #[error("the journal has version {0}, but this program knows versions up to {JOURNAL_VERSION}")]
    Version(u16),
    /// An event that is impossible at this place.
    #[error("event {seq}: {why}")]
    OutOfPlace {
        /// Its number.
        seq: u32,
        /// The fault in words.
        why: &'static str,
    },
    /// An impossible position.
    #[error("event {seq}: {why}")]
    Position {
        /// The number of the event.
        seq: u32,
        /// The fault.
        why: SetupError,
    },
}

impl Match {
    /// The match that a journal records.
    ///
    /// # Errors
    /// If events are missing or impossible at their place.
    pub fn from_journal(id: MatchId, journal: impl IntoIterator<Item = Recorded>) -> Result<Self, Corrupt> {
        let mut journal = journal.into_iter();
        let mut state = Self::created(id, journal.next().ok_or(Corrupt::Empty)?)?;
        for recorded in journal {
            state.fold(&recorded)?;
        }
        Ok(state)
    }

    /// The match after its first event.
    pub(crate) fn created(id: MatchId, recorded: Recorded) -> Result<Self, Corrupt> {
        let Recorded { seq, at, event, .. } = recorded;
        if seq != 1 {
            return Err(Corrupt::Gap { expected: 1, found: seq });
        }
        let Event::Created { version, terms, creator, commitment, seed, rematch_of, made_by, tournament } =
            event
        else {
            return Err(Corrupt::OutOfPlace { seq, why: "a journal begins with the making of the match" });
        };
        if version > JOURNAL_VERSION {
            return Err(Corrupt::Version(version));
        }
        Ok(Self {
            id,
            terms,
            commitment,
            rematch_of,
            made_by,
            tournament,
            creator,
            joiner: None,
            seeds: BySeat(Some(seed), None),
            score: BySeat(0, 0),
            game: None,
            outcomes: [None; 2],
            have_turned: BySeat(false, false),
            end: None,
            ended_at: None,
            rated: None,
            rematch: Rematch::default(),
            term: Some(Term::from(at)),
            credited_until: 0,
            answered: VecDeque::new(),
            turns: 0,
            takebacks: 0,
            created_at: at,
            head: 1,
            last_at: at,
        })
    }

    /// Folds the next event of the journal.
    ///
    /// # Errors
    /// If it is not the next one or is impossible here. The match must not be used then.
    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Corrupt> {
        self.fold_to(recorded, None)
    }

    /// The same for a turn after which the position is known, so that it need not be read.
    pub(crate) fn fold_to(&mut self, recorded: &Recorded, known: Option<Position>) -> Result<(), Corrupt> {
        let &Recorded { seq, at, ref event, .. } = recorded;
        if seq != self.head + 1 {
            return Err(Corrupt::Gap { expected: self.head + 1, found: seq });
        }
        match *event {
            Event::Created { .. } => {
                return Err(Corrupt::OutOfPlace { seq, why: "a match is made only once" });
            }
            Event::Joined { ref player, ref seed } => {
                self.joiner = Some(player.clone());
                self.seeds.1 = Some(seed.clone());
                self.term = Some(Term::from(at));
            }
            Event::SeedRevealed { seat, ref seed } => {
                *self.seeds.get_mut(seat) = Some(SeatSeed::Brought(seed.clone()));
            }
            Event::GameStarted { game: number, white, ref position, clocks_ms } => {
                let position = self.recorded(seq, position)?;
                self.start_game(seq, Game::start(number, white, position, clocks_ms, self.terms.clock))?;
                self.give_without_dice(seq, at)?;
            }
            Event::OpeningThrown { throw, white, black, begins } => {
                let game = self.game_at(seq)?;
                game.throws = throw.saturating_add(1);
                if let Some(side) = begins {
                    self.give(seq, at, side, vec![white, black])?;
                }
            }
            Event::Thrown { side, throw, ref dice, .. } => {
                self.game_at(seq)?.throws = throw.saturating_add(1);
                self.give(seq, at, side, dice.clone())?;
            }
            Event::Turned { seat, answers, ref steps, ref position, clocks_ms, lag_ms, .. } => {
                if answers >= seq {
                    return Err(Corrupt::OutOfPlace { seq, why: "a turn answers a later event" });
                }
                debug_assert!(known.is_none_or(|known| self.recorded(seq, position) == Ok(known)));
                let position = known.map_or_else(|| self.recorded(seq, position), Ok)?;
                self.remember_turn(Some(seq), steps);
                let game = self.game_at(seq)?;
                game.take_turn(seat, steps, position, clocks_ms);
                game.lag.get_mut(seat).take(lag_ms.unwrap_or(0));
                self.term = None;
                self.turns += 1;
                *self.have_turned.get_mut(seat) = true;
                self.remember(Answered { given: answers, turned: seq, seat });
                self.give_without_dice(seq, at)?;
            }
            Event::Passed { side, .. } => {
                self.remember_turn(None, &[]);
                let game = self.game_at(seq)?;
                game.position = game.position.with_to_move(side.other());
                game.to_play = None;
                self.term = None;
            }
            Event::TakenBack { side, to, ref dice, ref position, clocks_ms, .. } => {
                let position = self.recorded(seq, position)?;
                let game = self.game_at(seq)?;
                let undone = game
                    .go_back(to, position, clocks_ms)
                    .ok_or(Corrupt::OutOfPlace { seq, why: "a turn is taken back that does not count" })?;
                self.turns = self.turns.saturating_sub(undone);
                self.takebacks += 1;
                self.give(seq, at, side, dice.clone())?;
            }
            Event::DrawOffered { seat } => {
                let game = self.game_at(seq)?;
                game.draw_offer = Some(seat);
                *game.has_offered.get_mut(seat) = true;
            }
            Event::DrawDeclined { .. } => self.game_at(seq)?.draw_offer = None,
            Event::TakebackOffered { seat, turned } => {
                let game = self.game_at(seq)?;
                game.takeback_offer = Some(TakebackOffer { seat, turned });
                *game.asked_back.get_mut(seat) = Some(turned);
            }
            Event::TakebackDeclined { .. } => self.game_at(seq)?.takeback_offer = None,
            Event::Credited { until, credit_ms, .. } => {
                self.credited_until = self.credited_until.max(until);
                self.term = self.term.map(|term| term.put_off(credit_ms));
            }
            Event::GameEnded { winner, points, reason, score, .. } => {
                self.end_game(seq, GameResult { winner, points, reason }, score)?;
            }
            Event::MatchEnded { end } => {
                self.end = Some(end);
                self.ended_at = Some(at);
                self.term = None;
            }
            Event::Rated { constants, seats } => {
                self.note_rated(seq, Rated { constants, seats, taken_back: None })?;
            }
            Event::Unrated { reason } => self.note_unrated(seq, reason)?,
            Event::RematchOffered { seat, seed_hash } => self.rematch.offer(seat, seed_hash),
            Event::RematchDeclined { .. } => self.rematch.decline(),
            Event::RematchAgreed { next } => self.rematch.agree(next),
        }
        self.head = seq;
        self.last_at = self.last_at.max(at);
        Ok(())
    }

    fn start_game(&mut self, seq: u32, game: Game) -> Result<(), Corrupt> {
        if self.known_seeds().is_none() {
            return Err(Corrupt::OutOfPlace { seq, why: "a game begins before both seeds are known" });
        }
        self.game = Some(game);
        self.term = None;
        Ok(())
    }

    fn end_game(&mut self, seq: u32, result: GameResult, score: BySeat<u16>) -> Result<(), Corrupt> {
        let game = self.game_at(seq)?;
        game.to_play = None;
        game.draw_offer = None;
        game.takeback_offer = None;
        game.result = Some(result);
        let (index, white) = (usize::from(game.number).wrapping_sub(1), game.white);
        if let Some(noted) = self.outcomes.get_mut(index) {
            *noted = Some(GameOutcome { white, winner: result.winner });
        }
        self.score = score;
        self.term = None;
        Ok(())
    }

    const fn note_rated(&mut self, seq: u32, rated: Rated) -> Result<(), Corrupt> {
        if self.end.is_none() || self.rated.is_some() {
            return Err(Corrupt::OutOfPlace { seq, why: "a match is rated once, when it has ended" });
        }
        self.rated = Some(rated);
        Ok(())
    }

    const fn note_unrated(&mut self, seq: u32, reason: UnratedReason) -> Result<(), Corrupt> {
        match &mut self.rated {
            Some(Rated { taken_back: taken_back @ None, .. }) => {
                *taken_back = Some(reason);
                Ok(())
            }
            Some(_) | None => Err(Corrupt::OutOfPlace { seq, why: "there is no rating to take back" }),
        }
    }

    fn remember(&mut self, answered: Answered) {
        if self.answered.len() == ANSWERED_MAX {
            self.answered.pop_front();
        }
        self.answered.push_back(answered);
    }

    /// In a game without dice, the start or the opponent's turn gives the turn.
    fn give_without_dice(&mut self, seq: u32, at: Millis) -> Result<(), Corrupt> {
        if self.terms.variant.game().dice() > 0 {
            return Ok(());
        }
        let side = self.game_at(seq)?.position.to_move();
        self.give(seq, at, side, Vec::new())
    }

    fn give(&mut self, seq: u32, at: Millis, side: Side, dice: Vec<Die>) -> Result<(), Corrupt> {
        if dice.len() != self.terms.variant.game().dice() {
            return Err(Corrupt::OutOfPlace {
                seq,
                why: "the throw does not have the game's number of dice",
            });
        }
        let game = self.game_at(seq)?;
        game.position = game.position.with_to_move(side);
        game.to_play = Some(ToPlay { seat: game.seat_of(side), side, given_by: seq, dice, since: at });
        self.term = Some(Term::from(at));
        Ok(())
    }

    fn game_at(&mut self, seq: u32) -> Result<&mut Game, Corrupt> {
        self.game.as_mut().ok_or(Corrupt::OutOfPlace { seq, why: "no game has begun" })
    }

    fn recorded(&self, seq: u32, position: &Setup) -> Result<Position, Corrupt> {
        Position::recorded(self.terms.variant, position).map_err(|why| Corrupt::Position { seq, why })
    }
}

impl Game {
    /// A game that has just begun.
    fn start(
        number: u16,
        white: Seat,
        position: Position,
        clocks_ms: Option<BySeat<Millis>>,
        clock: Clock,
    ) -> Self {
        Self {
            number,
            white,
            position,
            history: History::start(&position),
            throws: 0,
            clocks_ms,
            lag: BySeat(LagQuota::at_start(clock), LagQuota::at_start(clock)),
            turns: BySeat(0, 0),
            begun: BySeat(false, false),
            played: Vec::new(),
            to_play: None,
            draw_offer: None,
            has_offered: BySeat(false, false),
            takeback_offer: None,
            asked_back: BySeat(None, None),
            result: None,
        }
    }

    fn take_turn(
        &mut self,
        seat: Seat,
        steps: &[TakenStep],
        position: Position,
        clocks_ms: Option<BySeat<Millis>>,
    ) {
        let captured = steps.iter().any(|taken| !taken.captures.is_empty());
        self.history.record(&position, captured);
        self.position = position;
        self.clocks_ms = clocks_ms;
        self.to_play = None;
        *self.turns.get_mut(seat) += 1;
        *self.begun.get_mut(seat) = true;
        *self.has_offered.get_mut(seat) = false;
        self.takeback_offer = None;
        if self.draw_offer == Some(seat.other()) {
            self.draw_offer = None;
        }
    }
}
