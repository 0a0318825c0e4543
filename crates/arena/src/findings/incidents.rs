//! Incidents in games besides their end: hits, pins and primes; captures and calls. Counts how often they
//! happen, and how often the side that causes them wins.

use lusoria_rules::{BySide, Call, DiceSide, End, Family, Position, Setup, Side, Step, Variant, tables};
use lusoria_search::Decision;
use serde::Serialize;

use super::{count, course::Course};
use crate::{Estimate, Share, share::share};

/// With fewer games than this the winners are not reported.
const GAMES_MIN: usize = 10;

/// An incident in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Incident {
    /// A blot is hit.
    Hit,
    /// A blot is pinned.
    Pin,
    /// A side holds five or more cells in a row, and held fewer before its turn. A cell is held by two
    /// pieces, or by one that pins.
    PrimeOfFive,
    /// The same with six cells, which no piece can pass.
    PrimeOfSix,
    /// A piece of a tafl game is captured.
    Capture,
    /// The king has one way to an edge after the defenders' move (tafl 7).
    Raichi,
    /// The king has two ways or more.
    Tuichu,
}

/// How often an incident happens, and what it means for the game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IncidentFound {
    /// The incident.
    pub incident: Incident,
    /// Its mean number in a game, of both sides together.
    pub per_game: Estimate,
    /// The share of games in which it happens.
    pub games: Share,
    /// The success of the side that caused it first; none if it hardly ever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Maker>,
    /// For a call: the share of games that the defenders won with their next move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decides: Option<Share>,
    /// The success of the side that caused it more often than the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<Maker>,
}

/// The success of sides that caused an incident.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Maker {
    /// The number of games with such a side.
    pub games: u32,
    /// Their score in these games, a draw counting half.
    pub scored: Share,
    /// The difference from the same sides' score in all games.
    pub more_than_usual: Estimate,
}

/// How often an incident happened in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Count {
    times: BySide<u32>,
    first: Option<Side>,
}

impl Count {
    /// Adds incidents that the side caused.
    pub(super) fn add(&mut self, side: Side, times: u32) {
        if times > 0 {
            *self.times.get_mut(side) += times;
            self.first.get_or_insert(side);
        }
    }

    const fn all(&self) -> u32 {
        self.times.white + self.times.black
    }

    /// The side that caused it more often than the other.
    fn more(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.times.get(side) > self.times.get(side.other()))
    }
}

impl Incident {
    /// The incident of a call.
    pub(super) const fn of_call(call: Call) -> Self {
        match call {
            Call::Raichi => Self::Raichi,
            Call::Tuichu => Self::Tuichu,
        }
    }

    const fn is_call(self) -> bool {
        matches!(self, Self::Raichi | Self::Tuichu)
    }

    /// The possible incidents of a game.
    pub(super) fn in_game(variant: Variant) -> &'static [Self] {
        match variant.family() {
            Family::Tables(rules) if rules.pins() => &[Self::Pin, Self::PrimeOfFive, Self::PrimeOfSix],
            Family::Tables(_) => &[Self::Hit, Self::PrimeOfFive, Self::PrimeOfSix],
            Family::Tafl(_) => &[Self::Capture, Self::Raichi, Self::Tuichu],
        }
    }
}

/// The incidents of a turn, with their numbers.
pub(super) fn incidents(decision: &Decision<'_>, steps: &[Step], end: &End) -> Vec<(Incident, u32)> {
    let mut turn = decision.position.turn(decision.dice).expect("the dice are a throw of the game");
    let (mut hits, mut pins, mut captures) = (0, 0, 0);
    for step in steps {
        let played = turn.play(step).expect("the turn was played");
        hits += u32::from(played.hit);
        pins += u32::from(played.pin);
        captures += count(played.captures.len());
    }
    let mut found = vec![(Incident::Hit, hits), (Incident::Pin, pins), (Incident::Capture, captures)];
    found.extend(end.call.map(|call| (Incident::of_call(call), 1)));
    if let (Position::Tables(before), Position::Tables(after)) = (&decision.position, &end.position) {
        let side = before.to_move();
        let [before, after] = [before, after].map(|position| longest_block(position, side));
        for (incident, cells) in [(Incident::PrimeOfFive, 5), (Incident::PrimeOfSix, 6)] {
            found.push((incident, u32::from(before < cells && after >= cells)));
        }
    }
    found.retain(|(_, times)| *times > 0);
    found
}

/// The length of the side's longest block, in cells.
fn longest_block(position: &tables::Position, side: Side) -> usize {
    let Setup::Tables { sides, .. } = position.setup() else { unreachable!("it is of a dice game") };
    let cells = position.rules().cells();
    let (own, other) = (sides.get(side), sides.get(side.other()));
    let is_held = |nth: usize| {
        let below = if position.is_opposed() { cells[cells.len() - 1 - nth] } else { cells[nth] };
        pieces(own, cells[nth]) >= 2 || (pieces(own, cells[nth]) == 1 && is_pinned(other, below))
    };
    let runs = (0..cells.len()).scan(0, |run, nth| {
        *run = if is_held(nth) { *run + 1 } else { 0 };
        Some(*run)
    });
    runs.max().unwrap_or(0)
}

fn pieces(side: &DiceSide, cell: &str) -> u8 {
    side.points.get(cell).copied().unwrap_or(0)
}

fn is_pinned(side: &DiceSide, cell: &str) -> bool {
    side.pinned.iter().any(|pinned| pinned == cell)
}

/// The findings about all possible incidents.
pub(super) fn found(variant: Variant, courses: &[Course]) -> Vec<IncidentFound> {
    let all = f64::from(count(courses.len()));
    let white = courses.iter().map(|course| course.white).sum::<f64>() / all;
    let usual = BySide { white, black: 1.0 - white };
    let in_game = Incident::in_game(variant).iter().enumerate();
    in_game
        .map(|(nth, &incident)| {
            let counts = || courses.iter().map(|course| (course, course.incidents[nth].1));
            let happened: Vec<_> = counts().map(|(_, count)| (flag(count.all() > 0), 1.0)).collect();
            let maker = |of: fn(&Count) -> Option<Side>| {
                let makers = counts().filter_map(|(course, count)| Some((course, of(&count)?)));
                Maker::of(&makers.collect::<Vec<_>>(), usual)
            };
            let decided = |course: &Course| (flag(course.decided_by == Some(incident)), 1.0);
            let decided: Vec<_> = courses.iter().map(decided).collect();
            IncidentFound {
                incident,
                per_game: Estimate::mean(&counts().map(|(_, count)| count.all().into()).collect::<Vec<_>>()),
                games: share(&happened).expect("a game was played"),
                decides: incident.is_call().then(|| share(&decided)).flatten(),
                first: maker(|count| count.first),
                more: maker(Count::more),
            }
        })
        .collect()
}

impl Maker {
    /// From games with the side in question; none if there are too few.
    fn of(games: &[(&Course, Side)], usual: BySide<f64>) -> Option<Self> {
        if games.len() < GAMES_MIN {
            return None;
        }
        let scores: Vec<_> = games.iter().map(|(course, side)| (course.score_of(*side), 1.0)).collect();
        let more: Vec<f64> =
            games.iter().map(|(course, side)| course.score_of(*side) - usual.get(*side)).collect();
        Some(Self {
            games: count(games.len()),
            scored: share(&scores)?,
            more_than_usual: Estimate::mean(&more),
        })
    }
}

const fn flag(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}
