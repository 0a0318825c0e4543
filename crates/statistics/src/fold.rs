//! The counts of one match.

use std::collections::BTreeSet;

use lusoria_play::{
    Admission, Clock, Event, GameEnd, Length, MatchEnd, Millis, Pace, PlayerKind, Recorded, Seat, TakenStep,
    Terms, taken_back,
};
use lusoria_rules::{Die, Family, Game, Setup, Side, Variant};

use crate::{
    Counts, Key, Measure, Players,
    opening::{PLIES_MAX, canonical, told},
};

/// The counts of a finished match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfMatch {
    /// The game.
    pub game: Game,
    /// What to add to its counts.
    pub counts: Counts,
}

/// The counts of a match, from its events up to at least its end. None if it is not counted: it has not
/// ended, no turn was played in it, or one player had both seats.
pub fn of_match(events: &[Recorded]) -> Option<OfMatch> {
    let Event::Created { terms, creator, .. } = &events.first()?.event else { return None };
    let joiner = events.iter().find_map(|recorded| match &recorded.event {
        Event::Joined { player, .. } => Some(player),
        _ => None,
    })?;
    if terms.admission == Admission::BothSeats || creator.id == joiner.id {
        return None;
    }
    let mut fold = Fold {
        terms: *terms,
        kinds: [creator.kind, joiner.kind],
        options: options(terms.variant),
        counts: Counts::default(),
        throws: BTreeSet::new(),
        game: OfGame::default(),
        turns: 0,
    };
    let undone = taken_back(events);
    for recorded in events {
        fold.count_throw(&recorded.event);
        if undone.iter().any(|range| range.contains(&recorded.seq)) {
            continue;
        }
        if let Some(end) = fold.record(recorded) {
            let kind = match end {
                MatchEnd::Won(_) => "won",
                MatchEnd::Drawn => "drawn",
                MatchEnd::Aborted(_) => "aborted",
            };
            let length = match terms.length {
                Length::Points(points) => points.to_string(),
                Length::Pair => "pair".to_owned(),
            };
            fold.add(Measure::Match, None, None, kind, &length);
            let Fold { counts, turns, .. } = fold;
            return (turns > 0).then_some(OfMatch { game: terms.variant.game(), counts });
        }
    }
    None
}

/// The options of a game as `name=value`, with semicolons between them.
pub(crate) fn options(variant: Variant) -> String {
    let options = serde_json::to_value(variant.options()).expect("options are plain data");
    let told = options.as_object().into_iter().flatten().map(|(name, value)| match value.as_str() {
        Some(value) => format!("{name}={value}"),
        None => format!("{name}={value}"),
    });
    told.collect::<Vec<_>>().join(";")
}

struct Fold {
    terms: Terms,
    kinds: [PlayerKind; 2],
    options: String,
    counts: Counts,
    /// The throws of the game that have been counted. A throw repeated after a takeback is the same.
    throws: BTreeSet<u32>,
    game: OfGame,
    /// Turns played in all games.
    turns: u32,
}

/// A game in progress.
#[derive(Default)]
struct OfGame {
    /// The side that had the first turn.
    first: Option<Side>,
    /// The throw for the present turn.
    dice: Vec<Die>,
    /// When that turn was given; none if an outage or a takeback lies within it.
    given_at: Option<Millis>,
    /// Turns played or passed.
    turns: u32,
    /// The first turn of a dice game, with its dice.
    opening: Option<(String, String)>,
    /// The first moves of a tafl game.
    moves: Vec<(String, String)>,
    /// The number of cells on a side of the board of a tafl game.
    size: u8,
    /// Pieces of the opponent that White and Black took.
    taken: [u32; 2],
}

impl Fold {
    fn add(&mut self, measure: Measure, side: Option<Side>, first: Option<Side>, kind: &str, value: &str) {
        let key = Key {
            options: self.options.clone(),
            players: self.players(),
            measure,
            side,
            first,
            kind: kind.to_owned(),
            value: value.to_owned(),
        };
        self.counts.add(key, 1);
    }

    fn players(&self) -> Players {
        let has = |is: fn(&PlayerKind) -> bool| self.kinds.iter().any(is);
        let is_computer = |kind: &PlayerKind| kind.level().is_some();
        match () {
            () if self.kinds.iter().all(is_computer) => Players::Computers,
            () if has(|kind| kind.level().is_some()) => Players::Computer,
            () if has(|kind| *kind == PlayerKind::Bot) => Players::Bots,
            () => Players::People,
        }
    }

    /// Counts throws, also in turns that were taken back, because they were thrown.
    fn count_throw(&mut self, event: &Event) {
        let (throw, measure, side, value) = match event {
            Event::GameStarted { .. } => return self.throws.clear(),
            Event::OpeningThrown { throw, white, black, begins } => {
                let value = format!("{}-{}", white.value(), black.value());
                (*throw, Measure::OpeningThrow, *begins, value)
            }
            Event::Thrown { side, throw, dice, .. } => (*throw, Measure::Throw, Some(*side), written(dice)),
            _ => return,
        };
        if self.throws.insert(throw) {
            self.add(measure, side, None, "", &value);
        }
    }

    /// Adds an event that counts. Returns the end of the match, if this is it.
    fn record(&mut self, Recorded { at, event, .. }: &Recorded) -> Option<MatchEnd> {
        match event {
            Event::GameStarted { position, .. } => {
                let size = match position {
                    Setup::Tafl { board, .. } => u8::try_from(board.split('/').count()).unwrap_or(0),
                    Setup::Tables { .. } => 0,
                };
                self.game = OfGame { size, given_at: Some(*at), ..OfGame::default() };
            }
            Event::OpeningThrown { white, black, begins: Some(_), .. } => self.give(*at, &[*white, *black]),
            Event::Thrown { dice, .. } => self.give(*at, dice),
            Event::Turned { seat, side, steps, .. } => {
                self.turned(*seat, *side, steps, *at);
                self.turns += 1;
                // In a tafl game this also gives the opponent's turn.
                self.game.given_at = Some(*at);
            }
            Event::Passed { side, .. } => {
                self.begin_turn(*side, "passed", &[]);
            }
            Event::TakenBack { .. } | Event::Credited { .. } => self.game.given_at = None,
            Event::GameEnded { winner_side, points, reason, .. } => {
                self.game_ended(*winner_side, *points, *reason);
            }
            Event::MatchEnded { end } => return Some(*end),
            Event::Created { .. }
            | Event::Joined { .. }
            | Event::SeedRevealed { .. }
            | Event::OpeningThrown { begins: None, .. }
            | Event::TakebackOffered { .. }
            | Event::TakebackDeclined { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::RematchOffered { .. }
            | Event::RematchDeclined { .. }
            | Event::RematchAgreed { .. }
            | Event::Rated { .. }
            | Event::Unrated { .. } => {}
        }
        None
    }

    fn give(&mut self, at: Millis, dice: &[Die]) {
        self.game.dice = dice.to_vec();
        self.game.given_at = Some(at);
    }

    fn turned(&mut self, seat: Seat, side: Side, steps: &[TakenStep], at: Millis) {
        self.begin_turn(side, "played", steps);
        let kind = self.kinds[usize::from(seat.number()) - 1];
        if let Some(given_at) = self.game.given_at.filter(|_| kind.is_person()) {
            let seconds = at.saturating_sub(given_at).div_ceil(1_000).max(1).next_power_of_two();
            self.add(Measure::Time, None, None, clock_name(self.terms.clock), &seconds.to_string());
        }
        let taken = steps.iter().map(|step| {
            u32::from(step.hit) + u32::from(step.pin) + u32::try_from(step.captures.len()).unwrap_or(0)
        });
        self.game.taken[side as usize] += taken.sum::<u32>();
        if self.game.size > 0 && self.game.moves.len() < PLIES_MAX {
            self.game.moves.extend(steps.iter().map(|step| (step.from.clone(), step.to.clone())));
        }
    }

    /// Counts a turn, and keeps the first one of a dice game.
    fn begin_turn(&mut self, side: Side, kind: &str, steps: &[TakenStep]) {
        self.add(Measure::Turn, Some(side), None, kind, "");
        self.game.turns += 1;
        if self.game.first.is_none() {
            self.game.first = Some(side);
            if self.game.size == 0 {
                self.game.opening = Some((written(&self.game.dice), told(steps)));
            }
        }
    }

    fn game_ended(&mut self, winner: Option<Side>, points: u8, reason: GameEnd) {
        let game = std::mem::take(&mut self.game);
        self.add(Measure::Game, winner, game.first, end_name(reason), &points.to_string());
        if reason == GameEnd::Aborted {
            return;
        }
        if let GameEnd::Rules(_) = reason {
            self.add(Measure::Length, None, None, "rules", &game.turns.to_string());
            for side in Side::BOTH {
                let kind = taken_name(self.terms.variant.game());
                self.add(Measure::Taken, Some(side), None, kind, &game.taken[side as usize].to_string());
            }
        } else {
            self.add(Measure::Length, None, None, "other", &game.turns.to_string());
        }
        if let Some((dice, told)) = game.opening {
            self.add(Measure::Opening, winner, game.first, &dice, &told);
        }
        for plies in 1..=game.moves.len() {
            if let Some(told) = canonical(&game.moves[..plies], game.size) {
                self.add(Measure::Opening, winner, game.first, &plies.to_string(), &told);
            }
        }
    }
}

/// Dice, the highest first, as in `6-5`.
fn written(dice: &[Die]) -> String {
    let mut values: Vec<u8> = dice.iter().map(|die| die.value()).collect();
    values.sort_unstable_by(|one, other| other.cmp(one));
    values.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

const fn clock_name(clock: Clock) -> &'static str {
    match (clock, clock.pace()) {
        (Clock::None {}, _) => "none",
        (_, pace @ (Pace::Live | Pace::Days)) => pace.name(),
    }
}

/// The name for taking the opponent's pieces in a game.
pub(crate) const fn taken_name(game: Game) -> &'static str {
    match (game.family(), game) {
        (Family::Tafl(_), _) => "capture",
        (Family::Tables(_), Game::Tavla) => "pin",
        (Family::Tables(_), Game::Zeno | Game::Scripta | Game::Tabula | Game::Tablut) => "hit",
    }
}

/// The code of the API for a game's end.
const fn end_name(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Rules(reason) => reason.code(),
        GameEnd::Resigned => "resigned",
        GameEnd::Agreed => "agreed",
        GameEnd::Time => "time",
        GameEnd::NoShow => "no_show",
        GameEnd::Claimed => "claimed",
        GameEnd::Aborted => "aborted",
    }
}
