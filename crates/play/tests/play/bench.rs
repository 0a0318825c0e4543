//! A match under test: every test uses it, so that the laws are checked after every append.

use std::borrow::Borrow;

use lusoria_play::{
    Admission, BySeat, Bytes32, Chance, Clock, Colours, Command, Creation, Event, Length, Match, MatchId,
    Millis, Player, PlayerId, PlayerKind, RatedSeat, Recorded, Refusal, Seat, Seed, SeedBrought, ShownRating,
    Terms,
};
use lusoria_rules::{Game, Setup, Side, Step, Variant};
use uuid::Uuid;

use crate::chance::{Foretold, mix};

pub(crate) const CREATOR: PlayerId = PlayerId(Uuid::from_u128(1));
pub(crate) const JOINER: PlayerId = PlayerId(Uuid::from_u128(2));
pub(crate) const STRANGER: PlayerId = PlayerId(Uuid::from_u128(3));
pub(crate) const ID: MatchId = MatchId(Uuid::from_u128(0x0190_a6c2));
pub(crate) const START: Millis = 1_700_000_000_000;
pub(crate) const MINUTE: Millis = 60_000;
pub(crate) const DAY: Millis = Clock::DAY_MS;
pub(crate) const BLITZ: Clock = Clock::Fischer { base_ms: 5 * MINUTE, increment_ms: 3_000 };
pub(crate) const DELAY: Clock = Clock::Delay { base_ms: MINUTE, delay_ms: 5_000 };
pub(crate) const DAYS: Clock = Clock::Days { days: 2 };

/// A single open game with seat 1 as White.
pub(crate) fn terms(game: Game, clock: Clock) -> Terms {
    Terms {
        variant: Variant::standard(game),
        length: Length::SINGLE,
        clock,
        colours: Colours::SeatOne(Side::White),
        admission: Admission::Open,
        rated: false,
    }
}

pub(crate) fn player(id: PlayerId) -> Player {
    Player { id, name: format!("player {}", id.0.as_u128()), kind: PlayerKind::Person }
}

pub(crate) fn seed(text: &str) -> Seed {
    Seed::try_from(text.to_owned()).unwrap()
}

pub(crate) fn creation(terms: Terms, seed: SeedBrought) -> Creation {
    Creation {
        id: ID,
        terms,
        creator: player(CREATOR),
        commitment: Bytes32([7; 32]),
        seed,
        made_by: None,
        joiner: None,
        rematch_of: None,
        tournament: None,
    }
}

/// The rating changes of a match.
pub(crate) fn rated_seats() -> BySeat<RatedSeat> {
    let shown = |points, deviation| ShownRating { points, deviation };
    BySeat(
        RatedSeat { number: 1, before: shown(1500, 250), after: shown(1609, 214) },
        RatedSeat { number: 24, before: shown(1688, 68), after: shown(1679, 68) },
    )
}

/// A match with its journal, its dice and the time.
pub(crate) struct Bench {
    pub(crate) state: Match,
    /// The fold of the journal, which must always be equal.
    folded: Match,
    pub(crate) journal: Vec<Recorded>,
    pub(crate) now: Millis,
    pub(crate) chance: Foretold,
}

impl Bench {
    pub(crate) fn create(creation: Creation, mut chance: Foretold) -> Self {
        let (state, journal) = Match::create(creation, START, &mut chance).unwrap();
        let folded = Match::from_journal(state.id(), journal.clone()).unwrap();
        assert_eq!(folded, state);
        let bench = Self { state, folded, journal, now: START, chance };
        bench.check_append(0);
        bench
    }

    /// An open match.
    pub(crate) fn open(terms: Terms) -> Self {
        Self::create(creation(terms, SeedBrought::Nothing), Foretold::from(1))
    }

    /// A match with both seats taken.
    pub(crate) fn playing(terms: Terms) -> Self {
        let mut bench = Self::open(terms);
        bench.join(None).unwrap();
        bench
    }

    /// The same, with the first throws given.
    pub(crate) fn throwing<const N: usize>(terms: Terms, script: [&[u8]; N]) -> Self {
        let mut bench = Self::open(terms);
        bench.chance.script = script.into_iter().map(<[u8]>::to_vec).collect();
        bench.join(None).unwrap();
        bench
    }

    /// A match in which both have played their first turn.
    pub(crate) fn under_way(terms: Terms) -> Self {
        let mut bench = Self::playing(terms);
        bench.play();
        bench.play();
        assert!(bench.state.under_way());
        bench
    }

    pub(crate) fn join(&mut self, seed: Option<Seed>) -> Result<Vec<Event>, Refusal> {
        self.ask(Command::Join { player: player(JOINER), seed })
    }

    /// Gives a command, and checks every law about its response.
    pub(crate) fn ask(&mut self, command: impl Borrow<Command>) -> Result<Vec<Event>, Refusal> {
        let command = command.borrow();
        let (before, asked) = (self.state.clone(), format!("{command:?}"));
        match self.state.apply(command, self.now, &mut self.chance) {
            Ok(events) => Ok(self.appended(events)),
            Err(refusal) => {
                assert_eq!(self.state, before, "{asked} was refused and yet changed the match");
                assert!(!refusal.to_string().is_empty());
                Err(refusal)
            }
        }
    }

    /// The code of the refusal.
    pub(crate) fn refused(&mut self, command: Command) -> &'static str {
        self.ask(command).expect_err("the command is refused").code()
    }

    /// Waits until the deadline, checks that it does not fire before, and lets it fire.
    pub(crate) fn run_out(&mut self) -> Vec<Event> {
        let deadline = self.state.next_deadline().expect("a deadline");
        assert!(deadline > self.now, "the deadline has passed");
        self.now = deadline - 1;
        assert_eq!(self.on_deadline(), [], "a deadline fires a millisecond early");
        self.now = deadline;
        let events = self.on_deadline();
        assert_ne!(events, [], "a deadline does not fire");
        events
    }

    pub(crate) fn on_deadline(&mut self) -> Vec<Event> {
        let events = self.state.on_deadline(self.now, &mut self.chance);
        self.appended(events)
    }

    fn appended(&mut self, events: Vec<Recorded>) -> Vec<Event> {
        let from = self.journal.len();
        for recorded in &events {
            self.folded.fold(recorded).unwrap();
        }
        assert_eq!(self.folded, self.state, "the fold of the events is another match");
        self.journal.extend(events);
        self.check_append(from);
        self.journal[from..].iter().map(|recorded| recorded.event.clone()).collect()
    }

    /// Checks numbers without gaps, `first` as the number of the append's first event, one time for all of it
    /// and never before earlier ones; and that the named event gave the turn.
    fn check_append(&self, from: usize) {
        let before = from.checked_sub(1).map_or(0, |last| self.journal[last].at);
        for (i, recorded) in self.journal.iter().enumerate().skip(from) {
            assert_eq!(recorded.seq as usize, i + 1);
            assert_eq!(recorded.first as usize, from + 1);
            assert_eq!(recorded.at, self.now.max(before));
        }
        assert_eq!(self.state.head() as usize, self.journal.len());
        assert_eq!(self.state.last_at(), self.journal.last().unwrap().at);
        if let Some(to_play) = self.state.to_play() {
            let giving = self.journal.iter().rev().find(|recorded| {
                matches!(
                    recorded.event,
                    Event::GameStarted { .. }
                        | Event::OpeningThrown { .. }
                        | Event::Thrown { .. }
                        | Event::Turned { .. }
                        | Event::TakenBack { .. }
                )
            });
            assert_eq!(to_play.given_by, giving.unwrap().seq);
            assert_eq!(to_play.since, giving.unwrap().at);
            assert!(
                !self.state.turn().unwrap().is_complete(),
                "a turn was given in which nothing can be played"
            );
        }
        assert_eq!(self.state.next_deadline().is_none(), self.state.end().is_some());
    }

    pub(crate) fn seat_to_play(&self) -> Seat {
        self.state.to_play().expect("somebody's turn").seat
    }

    pub(crate) fn id_of(&self, seat: Seat) -> PlayerId {
        self.state.player(seat).unwrap().id
    }

    pub(crate) fn to_play(&self) -> PlayerId {
        self.id_of(self.seat_to_play())
    }

    pub(crate) fn waiting(&self) -> PlayerId {
        self.id_of(self.seat_to_play().other())
    }

    /// A legal turn, chosen by the number.
    pub(crate) fn some_steps(&self, number: u64) -> Vec<Step> {
        let mut turn = self.state.turn().unwrap();
        let mut steps = Vec::new();
        while !turn.is_complete() {
            let mut legal = turn.steps();
            let pick = mix(number ^ steps.len() as u64) % legal.len() as u64;
            let step = legal.swap_remove(usize::try_from(pick).unwrap());
            turn.play(&step).unwrap();
            steps.push(step);
        }
        steps
    }

    /// The command to play these steps as the player to move.
    pub(crate) fn turn(&self, steps: Vec<Step>) -> Command {
        Command::Turn {
            by: self.to_play(),
            answers: self.state.to_play().unwrap().given_by,
            steps,
            thought: None,
            lag_ms: 0,
        }
    }

    /// Plays a legal turn.
    pub(crate) fn play(&mut self) -> Vec<Event> {
        let steps = self.some_steps(self.journal.len() as u64);
        self.ask(self.turn(steps)).unwrap()
    }

    /// Plays these moves of tablut, such as `e8-d8`.
    pub(crate) fn moves(&mut self, moves: &[&str]) -> Vec<Event> {
        let mut events = Vec::new();
        for text in moves {
            let (from, to) = text.split_once('-').unwrap();
            let step = Step { die: None, from: from.to_owned(), to: to.to_owned() };
            events = self.ask(self.turn(vec![step])).unwrap();
        }
        events
    }

    /// Resigns the present game.
    pub(crate) fn resign(&mut self, by: PlayerId) -> Vec<Event> {
        self.ask(Command::Resign { by, whole_match: false }).unwrap()
    }

    /// The events of the last append followed by both ratings, as the server adds them before it appends.
    pub(crate) fn rate(&mut self, ended: &[Event]) -> Event {
        let from = self.journal.len() - ended.len();
        let mut append = self.journal.split_off(from);
        self.state.rate(&mut append, 1, rated_seats());
        self.folded.fold(append.last().unwrap()).unwrap();
        assert_eq!(self.folded, self.state, "the fold of the events is another match");
        self.journal.extend(append);
        self.check_append(from);
        self.journal.last().unwrap().event.clone()
    }

    pub(crate) fn clocks(&self) -> BySeat<Millis> {
        self.state.clocks_ms(self.now).unwrap()
    }

    /// An event as if the journal had recorded it, at the end of the last append.
    pub(crate) fn recorded(&mut self, event: Event) {
        let Recorded { seq, first, at, .. } = *self.journal.last().unwrap();
        let recorded = Recorded { seq: seq + 1, first, at, event };
        self.state.fold(&recorded).unwrap();
        self.folded.fold(&recorded).unwrap();
        self.journal.push(recorded);
    }

    /// The same match in another position, as if a journal had recorded it: the side to move there has just
    /// been given its turn.
    pub(crate) fn at(terms: Terms, position: Setup, next_dice: &[u8]) -> Self {
        let bench = Self::under_way(terms);
        let mut journal = bench.journal;
        // The last turn ends in the wanted position; the throw that it gave is thrown again.
        let turned =
            journal.iter().rposition(|recorded| matches!(recorded.event, Event::Turned { .. })).unwrap();
        journal.truncate(turned + 1);
        let (Setup::Tables { to_move, .. } | Setup::Tafl { to_move, .. }) = &position;
        let side = *to_move;
        let Event::Turned { position: recorded, .. } = &mut journal[turned].event else { unreachable!() };
        *recorded = position;
        if !next_dice.is_empty() {
            let last = journal[turned].clone();
            let seat = bench.state.game().unwrap().seat_of(side);
            let dice = next_dice.iter().map(|&value| value.try_into().unwrap()).collect();
            let event = Event::Thrown { seat, side, throw: 90, dice };
            journal.push(Recorded { seq: last.seq + 1, event, ..last });
        }
        let state = Match::from_journal(ID, journal.clone()).unwrap();
        Self { folded: state.clone(), state, journal, now: bench.now, chance: bench.chance }
    }
}

/// A chance that must not be used.
pub(crate) struct NoChance;

impl Chance for NoChance {
    fn throw(&mut self, _: lusoria_play::Throw<'_>, _: usize) -> Vec<lusoria_rules::Die> {
        unreachable!("nothing is thrown")
    }
    fn lot(&mut self, _: u16, _: (&Seed, &Seed)) -> Seat {
        unreachable!("no lot is drawn")
    }
    fn secret(&mut self, _: u16) -> Bytes32 {
        unreachable!("no secret is revealed")
    }
    fn seed(&mut self) -> Seed {
        unreachable!("no seed is drawn")
    }
    fn seed_hash(&mut self, _: &Seed) -> Bytes32 {
        unreachable!("no seed is revealed")
    }
}
