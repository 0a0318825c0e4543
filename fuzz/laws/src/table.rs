//! A match that is played by the bytes' choices.

use lusoria_play::{
    Admission, Chance, Clock, Colours, Command, Creation, Length, Level, Match, MatchId, Millis, Player,
    PlayerId, PlayerKind, Recorded, Refusal, Seat, Seed, SeedBrought, Terms, TermsError,
};
use lusoria_rules::{Side, Step, Variant};
use lusoria_testkit::SeededDice;
use uuid::Uuid;

use crate::rules::{board, bytes::Bytes};

/// Matches with greater numbers are against the computer.
const AGAINST_COMPUTER: u8 = 200;

/// The most turns that are played for one choice of the bytes.
const TURNS_ON_MAX: usize = 64;

/// A match with everything that it has recorded.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) state: Match,
    pub(crate) journal: Vec<Recorded>,
    pub(crate) now: Millis,
    pub(crate) dice: SeededDice,
    /// Whether one of the players is the computer, so that turns may be taken back.
    pub(crate) against_computer: bool,
}

/// What was done, and its result.
#[derive(Debug)]
pub(crate) enum Done {
    /// A deadline was handled.
    Waited(Vec<Recorded>),
    /// A command was given.
    Asked(Command, Result<Vec<Recorded>, Refusal>),
}

fn player(number: u128) -> Player {
    Player {
        id: PlayerId(Uuid::from_u128(number)),
        name: format!("player {number}"),
        kind: PlayerKind::Person,
    }
}

fn seed(number: usize) -> Seed {
    Seed::try_from(format!("seed {number}")).expect("printable characters are a seed")
}

/// Lengths, and whether the match is rated.
const LENGTHS: [(Length, bool); 11] = [
    (Length::SINGLE, false),
    (Length::SINGLE, false),
    (Length::Points(2), false),
    (Length::Points(3), false),
    (Length::Points(99), false),
    (Length::Points(0), false),
    (Length::Points(100), false),
    (Length::Points(u16::MAX), false),
    (Length::SINGLE, true),
    (Length::Pair, false),
    (Length::Pair, true),
];

/// Terms, some of which go beyond what is allowed.
fn terms(bytes: &mut Bytes<'_>) -> Terms {
    let ms = |bytes: &mut Bytes<'_>| *bytes.one_of(&[5_000, 60_000, 180_000, 10_800_000, 0, u64::MAX]);
    let variant = *bytes.one_of(Variant::ALL);
    let (length, rated) = *bytes.one_of(&LENGTHS);
    Terms {
        variant,
        length,
        rated,
        clock: match bytes.below(4) {
            0 => Clock::None {},
            1 => Clock::Fischer { base_ms: ms(bytes), increment_ms: ms(bytes) },
            2 => Clock::Delay { base_ms: ms(bytes), delay_ms: ms(bytes) },
            _ => Clock::Days { days: *bytes.one_of(&[1, 3, 14, 0, 15, u8::MAX]) },
        },
        colours: *bytes.one_of(&[Colours::Lot, Colours::SeatOne(Side::White), Colours::SeatOne(Side::Black)]),
        admission: *bytes.one_of(&[Admission::Open, Admission::Invitation, Admission::BothSeats]),
    }
}

impl Table {
    /// A new match, if its terms are allowed.
    pub(crate) fn new(bytes: &mut Bytes<'_>) -> Result<Self, TermsError> {
        let number = bytes.byte();
        let against_computer = number > AGAINST_COMPUTER;
        let id = MatchId(Uuid::from_u128(u128::from(number)));
        let mut dice = SeededDice::of(id);
        let brought =
            if bytes.once_in(3) { SeedBrought::Hash(dice.seed_hash(&seed(1))) } else { SeedBrought::Nothing };
        let creation = Creation {
            id,
            terms: terms(bytes),
            creator: player(1),
            commitment: SeededDice::commitment(),
            seed: brought,
            made_by: None,
            joiner: against_computer.then(|| (Player::computer(Level::ALL[0]), SeedBrought::Nothing)),
            rematch_of: None,
            tournament: None,
        };
        let now = 1_700_000_000_000;
        let (state, journal) = Match::create(creation, now, &mut dice)?;
        Ok(Self { state, journal, now, dice, against_computer })
    }

    /// Lets some time pass and does something.
    pub(crate) fn go_on(&mut self, bytes: &mut Bytes<'_>) -> Done {
        self.wait(bytes);
        if bytes.once_in(8) {
            let events = self.state.on_deadline(self.now, &mut self.dice);
            self.journal.extend(events.iter().cloned());
            return Done::Waited(events);
        }
        let command = self.command(bytes);
        self.ask(command)
    }

    /// Plays some turns in a row.
    pub(crate) fn play_on(&mut self, bytes: &mut Bytes<'_>) {
        let choices: [u8; 8] = std::array::from_fn(|_| bytes.byte());
        for turn in 0..bytes.below(TURNS_ON_MAX) {
            let mut choices = Bytes::new(&choices[turn % 8..]);
            let Some(command) = self.turn(&mut choices) else { return };
            self.ask(command);
        }
    }

    fn ask(&mut self, command: Command) -> Done {
        let answered = self.state.apply(&command, self.now, &mut self.dice);
        if let Ok(events) = &answered {
            self.journal.extend(events.iter().cloned());
        }
        Done::Asked(command, answered)
    }

    fn wait(&mut self, bytes: &mut Bytes<'_>) {
        let until_deadline = self.state.next_deadline().map_or(0, |at| at.saturating_sub(self.now));
        let ms = match bytes.below(16) {
            0..=5 => 0,
            6 => 1,
            7..=9 => 1_000,
            10 => 61_000,
            11 => 11 * 60_000,
            12 => 86_400_000,
            13 => until_deadline.saturating_sub(1),
            14 => until_deadline,
            _ => until_deadline.saturating_add(1),
        };
        self.now = self.now.saturating_add(ms);
    }

    /// The present turn, played to its end or not quite.
    fn turn(&self, bytes: &mut Bytes<'_>) -> Option<Command> {
        let mut turn = self.state.turn()?;
        let to_play = self.state.to_play()?;
        let mut steps = Vec::new();
        while let Some(step) = board::play_any(&mut turn, bytes) {
            steps.push(step);
        }
        let by = self.state.player(to_play.seat)?.id;
        Some(Command::Turn { by, answers: to_play.given_by, steps, thought: None, lag_ms: self.now % 1_000 })
    }

    fn command(&self, bytes: &mut Bytes<'_>) -> Command {
        let by = player(1 + bytes.below(3) as u128).id;
        let other = MatchId(Uuid::from_u128(99));
        match bytes.below(16) {
            0 => Command::Join { player: player(2), seed: None },
            1 => Command::Join {
                player: player(1 + bytes.below(3) as u128),
                seed: bytes.once_in(2).then(|| seed(2)),
            },
            2 => Command::RevealSeed { by, seed: seed(1 + bytes.below(2)) },
            3..=6 => self.turn(bytes).unwrap_or(Command::Abort { by }),
            7 => self.wrong_turn(by, bytes),
            8 => Command::Resign { by, whole_match: bytes.once_in(3) },
            9 | 11 | 14 if self.against_computer => {
                let last = self.state.may_take_back(by).unwrap_or(0);
                Command::TakeBack { by, turned: *bytes.one_of(&[last, last, last.wrapping_sub(1), u32::MAX]) }
            }
            9 if bytes.once_in(2) => {
                let last = self.state.may_take_back(by).unwrap_or(0);
                Command::TakeBack { by, turned: *bytes.one_of(&[last, last, last.wrapping_sub(1)]) }
            }
            10 if self.state.takeback_offer().is_some() => {
                let turned = self.state.takeback_offer().map_or(0, |offer| offer.turned);
                Command::AnswerTakeback { by, turned, accept: bytes.once_in(2) }
            }
            9 => Command::OfferDraw { by },
            10 => Command::AnswerDraw { by, accept: bytes.once_in(2) },
            11 => Command::Abort { by },
            12 => Command::Claim { by, gone_ms: *bytes.one_of(&[u64::MAX, 0, Clock::CLAIM_AFTER_MS]) },
            13 => {
                let seed_hash = bytes.once_in(2).then(|| self.dice.clone().seed_hash(&seed(1)));
                Command::OfferRematch { by, seed_hash }
            }
            14 if bytes.once_in(2) => Command::DeclineRematch { by },
            14 => Command::AcceptRematch { by, next: other },
            _ => {
                let from = self.now.saturating_sub(*bytes.one_of(&[0, 1, 1_000, 100_000, u64::MAX]));
                let until = self.now.saturating_sub(*bytes.one_of(&[0, 500, 50_000, u64::MAX]));
                Command::Credit { from, until }
            }
        }
    }

    /// A turn that is most likely wrong in some way.
    fn wrong_turn(&self, by: PlayerId, bytes: &mut Bytes<'_>) -> Command {
        let places = board::places(self.state.terms().variant.game());
        let mut steps = match self.turn(bytes) {
            Some(Command::Turn { steps, .. }) => steps,
            Some(_) | None => Vec::new(),
        };
        match bytes.below(3) {
            0 => drop(steps.pop()),
            1 => {
                let (from, to) = (bytes.one_of(places).clone(), bytes.one_of(places).clone());
                let die = steps.first().and_then(|step| step.die);
                steps.push(Step { die, from, to });
            }
            _ => steps.reverse(),
        }
        let given = self.state.to_play().map_or(0, |to_play| to_play.given_by);
        let answers = *bytes.one_of(&[given, given.wrapping_sub(1), 0, u32::MAX]);
        Command::Turn { by, answers, steps, thought: None, lag_ms: 0 }
    }

    /// The match that a rematch would be, if one has been offered.
    pub(crate) fn rematch(&self) -> Option<Creation> {
        let id = MatchId(Uuid::from_u128(99));
        let made =
            |by| self.state.rematch_creation(by, SeedBrought::Nothing, id, SeededDice::commitment()).ok();
        Seat::BOTH.into_iter().find_map(|seat| made(self.state.player(seat)?.id))
    }
}
