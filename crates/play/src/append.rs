//! Builds an append: the events that one command causes, numbered and folded into the match one by one.

use std::cmp::Ordering;

use lusoria_rules::{Die, Outcome, Position, Side};

use crate::{
    BySeat, Chance, Colours, Event, Game, GameEnd, Length, Match, MatchEnd, Millis, Recorded, Seat, Throw,
};

/// An append in progress. A command must be refused before its first event.
pub(crate) struct Append<'a> {
    state: &'a mut Match,
    now: Millis,
    chance: &'a mut dyn Chance,
    first: u32,
    events: Vec<Recorded>,
}

impl<'a> Append<'a> {
    /// An append at `now`, or at the match's last event if that is later: time never
    /// runs backwards within a match.
    pub(crate) fn to(state: &'a mut Match, now: Millis, chance: &'a mut dyn Chance) -> Self {
        let (now, first) = (now.max(state.last_at), state.head + 1);
        Self { state, now, chance, first, events: Vec::new() }
    }

    /// The first append of a match, whose first event exists already.
    pub(crate) fn continuing(state: &'a mut Match, created: Recorded, chance: &'a mut dyn Chance) -> Self {
        Self { state, now: created.at, chance, first: created.first, events: vec![created] }
    }

    pub(crate) fn into_events(self) -> Vec<Recorded> {
        self.events
    }

    /// The match after the events so far.
    pub(crate) const fn state(&self) -> &Match {
        self.state
    }

    pub(crate) const fn now(&self) -> Millis {
        self.now
    }

    pub(crate) const fn chance(&mut self) -> &mut dyn Chance {
        self.chance
    }

    pub(crate) fn emit(&mut self, event: Event) {
        self.emit_to(event, None);
    }

    /// Emits a turn after which the position is known.
    pub(crate) fn emit_to(&mut self, event: Event, position: Option<Position>) {
        let recorded = Recorded { seq: self.state.head + 1, first: self.first, at: self.now, event };
        self.state.fold_to(&recorded, position).expect("an event made from the state folds into it");
        self.events.push(recorded);
    }

    /// Starts the first game once both seats are taken and both seeds known.
    pub(crate) fn start_if_ready(&mut self) {
        if self.state.known_seeds().is_some() {
            self.start_game();
        }
    }

    /// Starts the next game, and gives the first turn.
    fn start_game(&mut self) {
        let variant = self.state.terms.variant;
        let (game, white) = match &self.state.game {
            Some(last) => (last.number + 1, last.next_white(variant, self.state.terms.length)),
            None => (1, self.first_white()),
        };
        self.emit(Event::GameStarted {
            game,
            white,
            position: Position::start(variant).setup(),
            clocks_ms: self.state.terms.clock.stock_ms().map(|stock_ms| BySeat(stock_ms, stock_ms)),
        });
        if variant.game().has_opening_throw() {
            self.throw_for_opening();
        }
        self.give_turn();
    }

    fn first_white(&mut self) -> Seat {
        match self.state.terms.colours {
            Colours::SeatOne(Side::White) => Seat::One,
            Colours::SeatOne(Side::Black) => Seat::Two,
            Colours::Lot => {
                let seeds = self.state.known_seeds().expect("a game starts when both seeds are known");
                self.chance.lot(1, seeds)
            }
        }
    }

    /// Throws one die for each side until they differ.
    fn throw_for_opening(&mut self) {
        while self.state.to_play().is_none() {
            let (throw, dice) = self.throw();
            let (white, black) = (dice[0], dice[1]);
            let begins = match white.cmp(&black) {
                Ordering::Greater => Some(Side::White),
                Ordering::Less => Some(Side::Black),
                Ordering::Equal => None,
            };
            self.emit(Event::OpeningThrown { throw, white, black, begins });
        }
    }

    /// Throws for the side to move, and passes as long as nothing can be played. Afterwards a side has a turn
    /// to play, or the game has ended.
    pub(crate) fn give_turn(&mut self) {
        loop {
            if self.state.to_play().is_none() {
                let side = self.game().position.to_move();
                let (throw, dice) = self.throw();
                let seat = self.game().seat_of(side);
                self.emit(Event::Thrown { seat, side, throw, dice });
            }
            let turn = self.state.turn().expect("a throw has the game's number of dice");
            if !turn.is_complete() {
                return;
            }
            let end = turn.end(&self.game().history).expect("a turn in which nothing is legal may end");
            let side = self.game().position.to_move();
            self.emit(Event::Passed { seat: self.game().seat_of(side), side });
            if let Some(outcome) = end.outcome {
                return self.end_by_rules(outcome);
            }
        }
    }

    /// The next throw of the game, with its number.
    fn throw(&mut self) -> (u32, Vec<Die>) {
        let (game, index) = (self.game().number, self.game().throws);
        let seeds = self.state.known_seeds().expect("both seeds are known before the first throw");
        let dice = self.state.terms.variant.game().dice();
        (index, self.chance.throw(Throw { game, index, seeds }, dice))
    }

    /// Ends the game by its own rules.
    pub(crate) fn end_by_rules(&mut self, outcome: Outcome) {
        let winner = outcome.winner.map(|side| self.game().seat_of(side));
        self.end_game(winner, outcome.points, GameEnd::Rules(outcome.reason));
    }

    /// Ends the game as lost by a seat, for the points that this position costs.
    pub(crate) fn lose_game(&mut self, loser: Seat, reason: GameEnd) {
        let points = self.loss_points(loser);
        self.end_game(Some(loser.other()), points, reason);
    }

    /// The points that a seat loses if it loses in this position.
    pub(crate) fn loss_points(&self, loser: Seat) -> u8 {
        self.game().position.loss_points(self.game().side_of(loser))
    }

    /// Ends the game, and the match if that decides it; otherwise starts the next game.
    pub(crate) fn end_game(&mut self, winner: Option<Seat>, points: u8, reason: GameEnd) {
        self.record_end(winner, points, reason);
        match self.state.decided() {
            Some(end) => self.emit(Event::MatchEnded { end }),
            None => self.start_game(),
        }
    }

    /// Ends the game and the match, whatever the score.
    pub(crate) fn end_game_and_match(
        &mut self,
        winner: Option<Seat>,
        points: u8,
        reason: GameEnd,
        end: MatchEnd,
    ) {
        self.record_end(winner, points, reason);
        self.emit(Event::MatchEnded { end });
    }

    fn record_end(&mut self, winner: Option<Seat>, points: u8, reason: GameEnd) {
        let game = self.game().number;
        // The two games of a pair count the same: a double win must not outweigh the other game.
        let points = if self.state.terms.length.is_pair() { points.min(1) } else { points };
        let mut score = self.state.score;
        if let Some(winner) = winner {
            let scored = score.get_mut(winner);
            *scored = scored.saturating_add(u16::from(points));
        }
        let secret = self.chance.secret(game);
        let winner_side = winner.map(|seat| self.game().side_of(seat));
        self.emit(Event::GameEnded { game, winner, winner_side, points, reason, secret, score });
    }

    pub(crate) fn game(&self) -> &Game {
        self.state.game.as_ref().expect("only called while a game is being played")
    }
}

impl Match {
    /// The end of the match that follows from the game that has just ended, if there is one (rules/README.md,
    /// "Draws, resignation, score").
    fn decided(&self) -> Option<MatchEnd> {
        let BySeat(one, two) = self.score;
        let played = self.game.as_ref().map_or(0, |game| game.number);
        let leader = match one.cmp(&two) {
            Ordering::Greater => Some(Seat::One),
            Ordering::Less => Some(Seat::Two),
            Ordering::Equal => None,
        };
        let length = self.terms.length;
        let has_won = match length {
            Length::Points(points) => one.max(two) >= points,
            Length::Pair => false,
        };
        if has_won || played >= length.games_max() {
            Some(leader.map_or(MatchEnd::Drawn, MatchEnd::Won))
        } else {
            None
        }
    }
}
