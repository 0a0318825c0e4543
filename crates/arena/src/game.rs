//! Plays one game by the rules to its end.

use std::{
    cmp::Ordering,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use lusoria_rules::{BySide, Die, End, History, Outcome, Position, Reason, Side, Step, Turn};
use lusoria_search::{Decision, Random};

use super::{
    Contest, EntrantId, Fault,
    engine::{Ended, Memory},
    error::TurnError,
    pair_randomness::PairRandomness,
    question::Question,
    seat::{ChosenTurn, Seat},
};

/// A played game.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) end: Ending,
    /// The winner; none for a draw.
    pub(super) winner: Option<Side>,
    /// The winner's points.
    pub(super) points: u8,
    /// Turns of both sides, without passes.
    pub(super) turns: u32,
    /// The cost of each turn, for each side.
    pub(super) costs: BySide<Vec<TurnCost>>,
    /// Turns that are kept whole, as many as the contest wants if that many had a choice.
    pub(super) kept: Vec<KeptTurn>,
}

/// A played turn, with the data for its decision.
#[derive(Debug, Clone)]
pub(super) struct KeptTurn {
    pub(super) position: Position,
    pub(super) dice: Vec<Die>,
    pub(super) steps: Vec<Step>,
}

/// The reason that a game ended.
#[derive(Debug)]
pub(super) enum Ending {
    Rules(Reason),
    /// That side's engine committed a fault.
    Forfeit(Side, Fault),
    /// It was too long.
    TurnLimit,
}

/// The cost of one turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnCost {
    pub(super) time: Duration,
    pub(super) nodes: Option<u32>,
    /// The player's expected score after it, 0 to 1, if they give it.
    pub(super) expected: Option<f32>,
}

impl Ending {
    /// A stable code.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.code(),
            Self::Forfeit(..) => "forfeit",
            Self::TurnLimit => "turn_limit",
        }
    }
}

/// Observes each turn of a game: the decision, its steps, none if it passed, and its end.
pub(super) type Watch<'a> = dyn FnMut(&Decision<'_>, &[Step], &End) + 'a;

/// Plays a game, counted from 0, and tells both players how it ended. `watch` observes each turn, including
/// passes.
pub(super) fn play(
    contest: &Contest,
    game: u32,
    seats: &mut BySide<&mut Seat>,
    stop: &AtomicBool,
    watch: &mut Watch<'_>,
) -> Result<Played, TurnError> {
    let randomness = PairRandomness::new(contest.seed, game / 2);
    let mut table = Table::lay(contest, randomness);
    let mut keeper =
        Keeper { most: contest.kept, random: randomness.keeping(game), seen: 0, kept: Vec::new() };
    let watch = &mut |decision: &Decision<'_>, steps: &[Step], end: &End| {
        keeper.look(decision, steps);
        watch(decision, steps, end);
    };
    let end = loop {
        if stop.load(Relaxed) {
            return Err(TurnError::Stopped);
        }
        match table.go_on(contest, game, seats, stop, watch) {
            Ok(None) => {}
            Ok(Some(outcome)) => break (Ending::Rules(outcome.reason), outcome.winner, outcome.points),
            Err((side, TurnError::Fault(fault))) => {
                seats.get_mut(side).dismiss();
                let points = table.position.loss_points(side);
                break (Ending::Forfeit(side, fault), Some(side.other()), points);
            }
            Err((_, error)) => return Err(error),
        }
        if table.rounds >= contest.turns_max {
            break (Ending::TurnLimit, None, 0);
        }
    };
    let (end, winner, points) = end;
    for side in Side::BOTH.into_iter().filter(|&side| *table.begun.get(side)) {
        seats.get_mut(side).end(&Ended::of(game, side, winner, points, end.code()));
    }
    Ok(Played { end, winner, points, turns: table.turns, costs: table.costs, kept: keeper.kept })
}

/// Keeps some turns of a game, each with the same probability: of the n-th with a choice it keeps as many as
/// it may out of n (reservoir sampling).
struct Keeper {
    most: usize,
    random: Random,
    seen: usize,
    kept: Vec<KeptTurn>,
}

impl Keeper {
    fn look(&mut self, decision: &Decision<'_>, steps: &[Step]) {
        if self.most == 0 {
            return;
        }
        let Ok(Turn::Tables(turn)) = decision.position.turn(decision.dice) else { return };
        if turn.ends(2).positions.len() < 2 {
            return;
        }
        self.seen += 1;
        let place = if self.kept.len() < self.most { self.kept.len() } else { self.random.below(self.seen) };
        let turn =
            || KeptTurn { position: decision.position, dice: decision.dice.to_vec(), steps: steps.to_vec() };
        if place == self.kept.len() {
            self.kept.push(turn());
        } else if let Some(kept) = self.kept.get_mut(place) {
            *kept = turn();
        }
    }
}

/// A game in progress.
struct Table {
    randomness: PairRandomness,
    position: Position,
    history: History,
    memory: Memory,
    /// The opening throw, which the first turn uses.
    opening: Option<[Die; 2]>,
    /// How often each side has thrown for a turn.
    thrown: BySide<u32>,
    /// Whether each side has received the game.
    begun: BySide<bool>,
    /// Turns and passes.
    rounds: u32,
    turns: u32,
    costs: BySide<Vec<TurnCost>>,
}

impl Table {
    fn lay(contest: &Contest, randomness: PairRandomness) -> Self {
        let mut position = Position::start(contest.variant);
        let mut opening = None;
        if contest.variant.game().has_opening_throw() {
            let (dice, begins) = open(randomness);
            (position, opening) = (position.with_to_move(begins), Some(dice));
        }
        Self {
            randomness,
            position,
            history: History::start(&position),
            memory: Memory::start(&position),
            opening,
            thrown: BySide::default(),
            begun: BySide::default(),
            rounds: 0,
            turns: 0,
            costs: BySide::default(),
        }
    }

    /// Throws, and lets the side to move play. Returns how the game has ended, if it has.
    fn go_on(
        &mut self,
        contest: &Contest,
        game: u32,
        seats: &mut BySide<&mut Seat>,
        stop: &AtomicBool,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Outcome>, (Side, TurnError)> {
        self.rounds += 1;
        for side in Side::BOTH {
            if !std::mem::replace(self.begun.get_mut(side), true) {
                let seed = self.randomness.engine(side);
                seats.get_mut(side).begin(game, side, seed, stop).map_err(|error| (side, error))?;
            }
        }
        let side = self.position.to_move();
        let number = *self.thrown.get(side);
        *self.thrown.get_mut(side) += 1;
        let dice = match self.opening.take() {
            Some(dice) => dice.to_vec(),
            None => self.randomness.throw(side, number, contest.variant.game().dice()),
        };
        let turn = self.position.turn(&dice).expect("a throw has the game's number of dice");
        let decision =
            Decision { position: self.position, dice: &dice, history: &self.history, stakes: contest.stakes };
        let end = if turn.is_complete() {
            let end = turn.end(&self.history).expect("a turn in which nothing is legal may end");
            watch(&decision, &[], &end);
            end
        } else {
            let question = Question {
                decision: &decision,
                turn: &turn,
                memory: &self.memory,
                seed: self.randomness.choice(side, number),
            };
            let (end, cost) =
                take_turn(seats.get_mut(side), &question, stop, watch).map_err(|error| (side, error))?;
            self.turns += 1;
            self.costs.get_mut(side).push(cost);
            end
        };
        self.history.record(&end.position, end.captured);
        self.memory.record(&end.position, end.captured);
        self.position = end.position;
        Ok(end.outcome)
    }
}

/// Throws one die for each side until they differ.
fn open(randomness: PairRandomness) -> ([Die; 2], Side) {
    let differing = (0..).find_map(|number| {
        let dice = randomness.opening(number);
        match dice[0].cmp(&dice[1]) {
            Ordering::Greater => Some((dice, Side::White)),
            Ordering::Less => Some((dice, Side::Black)),
            Ordering::Equal => None,
        }
    });
    differing.expect("dice differ some time")
}

/// Lets a player choose a turn, and plays it.
fn take_turn(
    seat: &mut Seat,
    question: &Question,
    stop: &AtomicBool,
    watch: &mut Watch<'_>,
) -> Result<(End, TurnCost), TurnError> {
    let ChosenTurn { steps, time, nodes, value } = seat.choose(question, stop)?;
    let mut turn: Turn = question.turn.clone();
    for (index, step) in steps.iter().enumerate() {
        turn.play(step).map_err(|why| Fault::IllegalStep { number: index + 1, why: Box::new(why) })?;
    }
    let end = turn.end(question.decision.history).map_err(Fault::Incomplete)?;
    watch(question.decision, &steps, &end);
    Ok((end, TurnCost { time, nodes, expected: value.map(|value| value.score()) }))
}

impl Played {
    /// The player's points: positive for a win, negative for a loss.
    pub(super) fn points_of(&self, entrant: EntrantId, game: u32) -> i8 {
        let points = i8::try_from(self.points).expect("a game scores at most 2");
        match self.winner {
            None => 0,
            Some(winner) if winner == entrant.side_in(game) => points,
            Some(_) => -points,
        }
    }
}
