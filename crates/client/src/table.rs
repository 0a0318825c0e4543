//! A match as a client knows it from what it hears.

use lusoria_protocol::{BySeat, Event, EventKind, MatchId, Problem, Seat, SideName, Snapshot, Step};
use lusoria_rules::{Die, Position, SetupError, Side, Turn, Variant};
use rand::{Rng, RngExt};

use lusoria_wire as wire;

/// A match as a client knows it: whose turn it is, and what is legal.
#[derive(Debug, Clone)]
pub struct Table {
    id: MatchId,
    variant: Variant,
    head: u32,
    sides: Option<BySeat<SideName>>,
    position: Position,
    waiting: Option<Waiting>,
    ended: bool,
}

/// Who is to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The seat.
    pub seat: Seat,
    /// The number of the event that gave the turn: what the turn must name.
    pub seq: u32,
    /// What was thrown; empty in tablut.
    pub dice: Vec<Die>,
}

/// A snapshot or event from which no match can be known.
#[derive(Debug, thiserror::Error)]
pub enum NoTable {
    /// An event is missing or comes twice.
    #[error("event {found} came where {expected} should")]
    Gap {
        /// The number that should come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
    /// Its options or a side do not fit the game.
    #[error("{}", .0.detail)]
    Problem(Box<Problem>),
    /// Its position cannot be.
    #[error(transparent)]
    Position(#[from] SetupError),
}

impl From<Problem> for NoTable {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl Table {
    /// The match of a snapshot.
    ///
    /// # Errors
    /// If the rules do not know such a match.
    pub fn of(snapshot: &Snapshot) -> Result<Self, NoTable> {
        let variant = wire::variant(snapshot.game, &snapshot.options)?;
        let position = match &snapshot.position {
            Some(position) => Position::recorded(variant, &wire::setup(variant.game(), position)?)?,
            None => Position::start(variant),
        };
        let waiting = snapshot.to_play.as_ref().map(|to_play| Waiting {
            seat: to_play.seat,
            seq: to_play.seq,
            dice: to_play.dice.iter().map(|&die| wire::to_die(die)).collect(),
        });
        Ok(Self {
            id: snapshot.id,
            variant,
            head: snapshot.head,
            sides: snapshot.sides,
            position,
            waiting,
            ended: snapshot.result.is_some(),
        })
    }

    /// Takes the next event over; one that is known already changes nothing.
    ///
    /// # Errors
    /// If it is not the next one, or the rules do not know its position.
    pub fn hear(&mut self, event: &Event) -> Result<(), NoTable> {
        if event.seq <= self.head {
            return Ok(());
        }
        if event.seq != self.head + 1 {
            return Err(NoTable::Gap { expected: self.head + 1, found: event.seq });
        }
        self.head = event.seq;
        match &event.kind {
            EventKind::GameStarted { sides, position, .. } => {
                self.sides = Some(*sides);
                self.stand(position)?;
                self.give_without_dice(event.seq);
            }
            EventKind::OpeningThrown { white, black, begins: Some(begins), .. } => {
                self.give(event.seq, *begins, [*white, *black].map(wire::to_die).to_vec());
            }
            EventKind::Thrown { side, dice, .. } => {
                self.give(event.seq, *side, dice.iter().map(|&die| wire::to_die(die)).collect());
            }
            EventKind::Turned { position, .. } => {
                self.stand(position)?;
                self.give_without_dice(event.seq);
            }
            EventKind::Passed { .. } => {
                self.position = self.position.with_to_move(self.position.to_move().other());
                self.waiting = None;
            }
            EventKind::GameEnded { .. } => self.waiting = None,
            EventKind::MatchEnded { .. } => self.ended = true,
            EventKind::Created { .. }
            | EventKind::Joined { .. }
            | EventKind::SeedRevealed { .. }
            | EventKind::OpeningThrown { begins: None, .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchAgreed { .. } => {}
        }
        Ok(())
    }

    fn stand(&mut self, position: &lusoria_protocol::Position) -> Result<(), NoTable> {
        self.position = Position::recorded(self.variant, &wire::setup(self.variant.game(), position)?)?;
        self.waiting = None;
        Ok(())
    }

    fn give_without_dice(&mut self, seq: u32) {
        if self.variant.game().dice() == 0 {
            let side = wire::side(self.variant.game(), self.position.to_move());
            self.give(seq, side, Vec::new());
        }
    }

    fn give(&mut self, seq: u32, name: SideName, dice: Vec<Die>) {
        let named = |side: &Side| wire::side(self.variant.game(), *side) == name;
        if let Some(side) = Side::BOTH.into_iter().find(named) {
            self.position = self.position.with_to_move(side);
        }
        let seat = match &self.sides {
            Some(sides) if sides.two == name => Seat::Two,
            _ => Seat::One,
        };
        self.waiting = Some(Waiting { seat, seq, dice });
    }

    /// The match.
    pub const fn id(&self) -> MatchId {
        self.id
    }

    /// The number of the last event that was heard.
    pub const fn head(&self) -> u32 {
        self.head
    }

    /// Whether the match has ended.
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Who is to play; nobody before a game begins or after it has ended.
    pub const fn waiting(&self) -> Option<&Waiting> {
        self.waiting.as_ref()
    }

    /// The turn that is to be played.
    pub fn turn(&self) -> Option<Turn> {
        self.position.turn(&self.waiting.as_ref()?.dice).ok()
    }

    /// A legal turn, each of its steps chosen by `random`; none if nobody is to play, or
    /// nothing can be played: such a turn passes by itself.
    pub fn choose(&self, random: &mut impl Rng) -> Option<Vec<Step>> {
        let mut turn = self.turn()?;
        let mut chosen = Vec::new();
        loop {
            let mut steps = turn.steps();
            if steps.is_empty() {
                return (!chosen.is_empty()).then_some(chosen);
            }
            let step = steps.swap_remove(random.random_range(..steps.len()));
            turn.play(&step).expect("a step that is listed is legal");
            chosen.push(wire::step(&step));
        }
    }
}
