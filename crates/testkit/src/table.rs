//! Matches played for their records, with real dice and players who play any legal turn.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::borrow::Borrow;

use lusoria_dice::seed_hash;
use lusoria_play::{
    Admission, BySeat, Bytes32, Clock, Colours, Command, Creation, Event, Length, Level, Match, MatchId,
    Millis, Player, PlayerId, PlayerKind, RatedSeat, Recorded, Refusal, Seat, Seed, SeedBrought, ShownRating,
    Terms, Thought,
};
use lusoria_protocol::Record;
use lusoria_rules::{Game, Variant};
use uuid::Uuid;

use crate::SeededDice;

/// How long a command takes, in milliseconds.
const ASKING_MS: Millis = 100;

/// A single game without a clock, random colours.
pub fn terms(variant: Variant) -> Terms {
    let (length, clock, colours) = (Length::SINGLE, Clock::None {}, Colours::Lot);
    Terms { variant, length, clock, colours, admission: Admission::Open, rated: false }
}

/// A match, its journal, and time.
pub struct Table {
    state: Match,
    journal: Vec<Recorded>,
    dice: SeededDice,
    now: Millis,
    /// The lag of the players' lines, in milliseconds.
    line_ms: Millis,
    /// Chooses the players' steps.
    random: u64,
}

impl Table {
    /// A match that nobody has joined. Each `number` gives another match.
    pub fn open(terms: Terms, number: u64) -> Self {
        let hash = SeedBrought::Hash(Bytes32(seed_hash("alea iacta est")));
        Self::create(number, |id, commitment| Creation {
            id,
            terms,
            creator: player(Seat::One),
            commitment,
            seed: hash,
            made_by: None,
            joiner: None,
            rematch_of: None,
            tournament: None,
        })
    }

    /// A match whose creator has not yet revealed their seed.
    pub fn awaiting_seed(terms: Terms, number: u64) -> Self {
        let mut table = Self::open(terms, number);
        // Even numbers bring a seed; for odd ones the server draws it.
        let brought = number.is_multiple_of(2).then(|| seed("Tablen pheugete pantes"));
        table.ask(Command::Join { player: player(Seat::Two), seed: brought });
        table
    }

    /// A match whose first game has begun.
    pub fn new(terms: Terms, number: u64) -> Self {
        let mut table = Self::awaiting_seed(terms, number);
        table.ask(Command::RevealSeed { by: player(Seat::One).id, seed: seed("alea iacta est") });
        table
    }

    /// A match of seat 1 against the computer, whose first game has begun.
    pub fn against_computer(terms: Terms, number: u64) -> Self {
        Self::create(number, |id, commitment| Creation {
            id,
            terms,
            creator: player(Seat::One),
            commitment,
            seed: SeedBrought::Nothing,
            made_by: None,
            joiner: Some((Player::computer(Level::ALL[0]), SeedBrought::Nothing)),
            rematch_of: None,
            tournament: None,
        })
    }

    /// A match from `creation`, which is given the id and the commitment.
    pub fn create(number: u64, creation: impl FnOnce(MatchId, Bytes32) -> Creation) -> Self {
        let id = match_id(number);
        let mut dice = SeededDice::of(id);
        let commitment = SeededDice::commitment();
        let now = 1_790_000_000_000;
        let (state, journal) = Match::create(creation(id, commitment), now, &mut dice).unwrap();
        Self { state, journal, dice, now, line_ms: 0, random: number + 1 }
    }

    /// The record as the server returns it.
    pub fn record(&self) -> Record {
        lusoria_wire::record(&self.state, &self.journal)
    }

    /// The record after the players' names were changed in the journal but not in the state.
    pub fn record_under_another_name(&self, name: &str) -> Record {
        let mut journal = self.journal.clone();
        for recorded in &mut journal {
            if let Event::Created { creator: player, .. } | Event::Joined { player, .. } = &mut recorded.event
            {
                name.clone_into(&mut player.name);
            }
        }
        lusoria_wire::record(&self.state, &journal)
    }

    /// All events so far.
    pub fn journal(&self) -> &[Recorded] {
        &self.journal
    }

    /// The match as it is now.
    pub const fn state(&self) -> &Match {
        &self.state
    }

    /// Lets time pass.
    pub const fn wait(&mut self, ms: Millis) {
        self.now += ms;
    }

    /// Gives both players a lag.
    pub const fn over_lines(&mut self, ms: Millis) {
        self.line_ms = ms;
    }

    /// Gives a command that is accepted, a little later.
    pub fn ask(&mut self, command: impl Borrow<Command>) {
        self.now += ASKING_MS;
        let command = command.borrow();
        let asked = format!("{command:?}");
        self.try_ask(command).unwrap_or_else(|why| panic!("{asked}: {why}"));
    }

    /// Gives a command that may be refused.
    ///
    /// # Errors
    /// The refusal.
    pub fn try_ask(&mut self, command: &Command) -> Result<(), Refusal> {
        let events = self.state.apply(command, self.now, &mut self.dice)?;
        self.append(events);
        Ok(())
    }

    /// Appends the events. Like the server, it rates a match that ends.
    fn append(&mut self, mut events: Vec<Recorded>) {
        if self.state.rating_result().is_some() && self.state.rated().is_none() {
            let shown = |points, deviation| ShownRating { points, deviation };
            let one = RatedSeat { number: 1, before: shown(1500, 250), after: shown(1609, 214) };
            let two = RatedSeat { number: 24, before: shown(1688, 68), after: shown(1679, 68) };
            self.state.rate(&mut events, 1, BySeat(one, two));
        }
        self.journal.extend(events);
    }

    /// A number below `below`, which depends on the match's number and the numbers drawn before.
    pub fn random(&mut self, below: usize) -> usize {
        // Knuth's generator; its high bits are random enough to choose steps.
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap() % below
    }

    /// Plays some legal turn.
    pub fn turn(&mut self) {
        let to_play = self.state.to_play().expect("somebody's turn").clone();
        let mut turn = self.state.turn().unwrap();
        let mut steps = Vec::new();
        while !turn.is_complete() {
            let mut legal = turn.steps();
            let step = legal.swap_remove(self.random(legal.len()));
            turn.play(&step).unwrap();
            steps.push(step);
        }
        let by = self.state.player(to_play.seat).expect("both seats are taken").id;
        let thought = self.state.is_computer(to_play.seat).then_some(Thought { budget: 2_000, nodes: 1_234 });
        self.ask(Command::Turn { by, answers: to_play.given_by, steps, thought, lag_ms: self.line_ms });
    }

    /// Plays the present game to its end.
    pub fn play_game(&mut self) {
        let number = self.state.game().unwrap().number;
        while self.state.end().is_none() && self.state.game().unwrap().number == number {
            self.turn();
        }
    }

    /// Plays the match to its end.
    pub fn play_out(&mut self) {
        while self.state.end().is_none() {
            self.turn();
        }
    }

    /// Seat 1, who plays against the computer, takes their last turn back.
    pub fn take_back(&mut self) {
        let by = player(Seat::One).id;
        let turned = self.state.may_take_back(by).expect("a turn to take back");
        self.ask(Command::TakeBack { by, turned });
    }

    /// Seat 1 offers a draw, seat 2 declines.
    pub fn decline_a_draw(&mut self) {
        self.ask(Command::OfferDraw { by: player(Seat::One).id });
        self.ask(Command::AnswerDraw { by: player(Seat::Two).id, accept: false });
    }

    /// Seat 2 offers a draw, seat 1 accepts.
    pub fn agree_on_a_draw(&mut self) {
        self.ask(Command::OfferDraw { by: player(Seat::Two).id });
        self.ask(Command::AnswerDraw { by: player(Seat::One).id, accept: true });
    }

    /// The seat resigns the game, or the whole match.
    pub fn resign(&mut self, seat: Seat, whole_match: bool) {
        self.ask(Command::Resign { by: player(seat).id, whole_match });
    }

    /// The seat aborts the match.
    pub fn abort(&mut self, seat: Seat) {
        self.ask(Command::Abort { by: player(seat).id });
    }

    /// The player who is not to move claims the match, because the opponent has gone.
    pub fn claim(&mut self) {
        self.now += Clock::CLAIM_AFTER_MS;
        let claimer = self.state.to_play().unwrap().seat.other();
        self.ask(Command::Claim { by: player(claimer).id, gone_ms: Clock::CLAIM_AFTER_MS });
    }

    /// Gives back the time of an outage of some seconds.
    pub fn credit(&mut self) {
        let down_at = self.now + 10;
        self.now += 5_000;
        self.ask(Command::Credit { from: down_at, until: self.now });
    }

    /// Lets the next deadline pass.
    pub fn run_out_of_time(&mut self) {
        self.now = self.state.next_deadline().expect("something to wait for") + 3;
        let events = self.state.on_deadline(self.now, &mut self.dice);
        assert!(!events.is_empty());
        self.append(events);
    }

    /// Whether the player to move can still act in time.
    pub fn has_time(&self) -> bool {
        self.state.next_deadline().is_none_or(|deadline| deadline > self.now + ASKING_MS)
    }

    /// Applies a deadline that has passed, if there is one.
    pub fn look_at_the_time(&mut self) {
        let events = self.state.on_deadline(self.now, &mut self.dice);
        self.append(events);
    }

    /// Declines a rematch and then agrees on one. Returns the new match.
    #[must_use]
    pub fn rematch(&mut self) -> Self {
        let (one, two) = (player(Seat::One).id, player(Seat::Two).id);
        self.ask(Command::OfferRematch { by: one, seed_hash: None });
        self.ask(Command::DeclineRematch { by: two });
        let hash = Some(Bytes32(seed_hash("alea iacta est")));
        self.ask(Command::OfferRematch { by: two, seed_hash: hash });
        let mut next = Self::create(u64::from(self.state.head()) << 32, |id, commitment| {
            self.state.rematch_creation(one, SeedBrought::Nothing, id, commitment).unwrap()
        });
        self.ask(Command::AcceptRematch { by: one, next: next.state.id() });
        next.ask(Command::RevealSeed { by: two, seed: seed("alea iacta est") });
        next
    }
}

/// The match of that number.
pub fn match_id(number: u64) -> MatchId {
    MatchId(Uuid::from_u128(0x0190_a6c2_7b1e_7cc3_98c4_0000_0000_0000 + u128::from(number)))
}

/// Agathias in seat 1, Zeno in seat 2.
pub fn player(seat: Seat) -> Player {
    let name = match seat {
        Seat::One => "Agathias",
        Seat::Two => "Zeno",
    };
    Player {
        id: PlayerId(Uuid::from_u128(u128::from(seat.number()))),
        name: name.to_owned(),
        kind: PlayerKind::Person,
    }
}

/// A seed of that text.
pub fn seed(text: &str) -> Seed {
    Seed::try_from(text.to_owned()).unwrap()
}

/// A finished single game.
pub fn finished(game: Game, number: u64) -> Record {
    let mut table = Table::new(terms(Variant::standard(game)), number);
    table.play_out();
    table.record()
}
