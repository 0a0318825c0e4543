//! The counts of a game as the API shows them.

use std::collections::BTreeMap;

use lusoria_protocol::{
    ClockPace, ClockTimes, CountOf, CountedResult, CountedThrow, GameEnd, GameStatistics, Lengths, Opening,
    Options, Share, SideTaken, SideThrows, SideTurns, SideWins, StatisticsTable, TakenKind,
};
use lusoria_rules::{Die, Game, Side, Variant};
use lusoria_wire as wire;
use serde_json::{Map, Value};

use crate::{
    Counts, Key, Measure, Players,
    chance::{chi_square_p, number, wilson},
    fold::options,
};

/// The fewest games of an opening that is listed. One that only a single pair of players has played could be
/// recognised as theirs, also where they played by invitation.
pub const OPENING_GAMES_MIN: u64 = 3;

/// The most openings of a table that are listed.
pub const OPENINGS_MAX: usize = 40;

/// The least expected count of each throw for a meaningful chi-squared test.
const EXPECTED_MIN: f64 = 5.0;

/// The statistics of a game; `waiting` matches are still to be counted.
pub fn summary(game: Game, counts: &Counts, waiting: u64) -> GameStatistics {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    let standard = options(Variant::standard(game));
    for (key, count) in counts {
        // The default options come first.
        let group = (key.options != standard, key.options.as_str(), key.players);
        groups.entry(group).or_default().push((key, *count));
    }
    let tables = groups.into_iter().map(|((is_other, text, players), counts)| {
        let options = read_options(text);
        Table { game, counts }.summary(options, !is_other, players)
    });
    GameStatistics { game, waiting, tables: tables.collect() }
}

/// Options as `fold` writes them.
fn read_options(text: &str) -> Options {
    let named = text.split(';').filter_map(|option| option.split_once('='));
    let value = |value: &str| value.parse().map_or_else(|_| Value::from(value), Value::Bool);
    let options: Map<String, Value> =
        named.map(|(name, written)| (name.to_owned(), value(written))).collect();
    serde_json::from_value(Value::Object(options)).unwrap_or(Options::NONE)
}

/// The counts with the same options and the same kind of players.
struct Table<'a> {
    game: Game,
    counts: Vec<(&'a Key, u64)>,
}

impl<'a> Table<'a> {
    fn summary(&self, options: Options, standard: bool, players: Players) -> StatisticsTable {
        let ended = |key: &Key| key.measure == Measure::Game && key.kind != "aborted";
        let games = self.sum(ended);
        let won_by = |side| self.sum(|key| ended(key) && key.side == Some(side));
        let decided = self.sum(|key| ended(key) && key.side.is_some() && key.first.is_some());
        let by_first = self.sum(|key| ended(key) && key.side.is_some() && key.side == key.first);
        let matches = |kind: &str| self.sum(|key| key.measure == Measure::Match && key.kind == kind);
        let sides = Side::BOTH
            .map(|side| SideWins { side: wire::side(self.game, side), won: share(won_by(side), games) });
        StatisticsTable {
            options,
            standard,
            players: players.wire(),
            matches_won: matches("won"),
            matches_drawn: matches("drawn"),
            matches_aborted: matches("aborted"),
            games,
            games_aborted: self.sum(|key| key.measure == Measure::Game && key.kind == "aborted"),
            results: self.results(games),
            sides: sides.into(),
            drawn: share(self.sum(|key| ended(key) && key.side.is_none()), games),
            first: (decided > 0).then(|| share(by_first, decided)),
            lengths: lengths(self.histogram(|key| key.measure == Measure::Length && key.kind == "rules")),
            throws: Side::BOTH.into_iter().filter_map(|side| self.throws(side)).collect(),
            openings: self.openings(),
            taken: Side::BOTH.into_iter().filter_map(|side| self.taken(side)).collect(),
            turns: Side::BOTH.into_iter().filter_map(|side| self.turns(side)).collect(),
            times: self.times(),
        }
    }

    fn of(&self, is_meant: impl Fn(&Key) -> bool) -> impl Iterator<Item = (&'a Key, u64)> {
        self.counts.iter().copied().filter(move |(key, _)| is_meant(key))
    }

    fn sum(&self, is_meant: impl Fn(&Key) -> bool) -> u64 {
        self.of(is_meant).map(|(_, count)| count).sum()
    }

    /// How often each value occurred, in order.
    fn histogram(&self, is_meant: impl Fn(&Key) -> bool) -> Vec<CountOf> {
        let mut histogram = BTreeMap::new();
        for (key, count) in self.of(is_meant) {
            if let Ok(value) = key.value.parse::<u32>() {
                *histogram.entry(value).or_default() += count;
            }
        }
        histogram.into_iter().map(|(value, count)| CountOf { value, count }).collect()
    }

    fn results(&self, games: u64) -> Vec<CountedResult> {
        let mut found = BTreeMap::<_, u64>::new();
        for (key, count) in self.of(|key| key.measure == Measure::Game) {
            *found.entry((key.side, &key.value, &key.kind)).or_default() += count;
        }
        let told = found.into_iter().filter_map(|((winner, points, reason), count)| {
            let reason: GameEnd = serde_json::from_value(Value::from(reason.as_str())).ok()?;
            Some(CountedResult {
                winner: winner.map(|side| wire::side(self.game, side)),
                points: points.parse().ok()?,
                reason,
                games: share(count, games),
            })
        });
        let mut results: Vec<_> = told.filter(|result| result.reason != GameEnd::Aborted).collect();
        results.sort_by_key(|result| std::cmp::Reverse(result.games.count));
        results
    }

    /// None in a game without dice.
    fn throws(&self, side: Side) -> Option<SideThrows> {
        let all = all_throws(self.game.dice());
        let ways: u64 = all.iter().map(|(_, ways)| ways).sum();
        if all.len() < 2 {
            return None;
        }
        let mut counted = BTreeMap::<&str, u64>::new();
        for (key, count) in self.of(|key| key.measure == Measure::Throw && key.side == Some(side)) {
            *counted.entry(&key.value).or_default() += count;
        }
        let throws: u64 = counted.values().sum();
        let dice: Vec<CountedThrow> = all
            .into_iter()
            .map(|(dice, of_ways)| {
                let values: Vec<String> = dice.iter().map(|die| die.value().to_string()).collect();
                let count = counted.get(values.join("-").as_str()).copied().unwrap_or(0);
                let expected = number(throws) * number(of_ways) / number(ways);
                CountedThrow { dice, count, expected }
            })
            .collect();
        let are_alike = |of: &&CountedThrow| of.dice.iter().all(|die| *die == of.dice[0]);
        let alike = dice.iter().filter(are_alike).map(|of| of.count).sum();
        let square = |of: &CountedThrow| (number(of.count) - of.expected).powi(2) / of.expected;
        let chi_square = if throws == 0 { 0.0 } else { dice.iter().map(square).sum() };
        let degrees = u32::try_from(dice.len()).unwrap_or(1) - 1;
        let is_enough = dice.iter().all(|of| of.expected >= EXPECTED_MIN);
        Some(SideThrows {
            side: wire::side(self.game, side),
            alike: share(alike, throws),
            alike_expected: 6.0 / number(ways),
            chi_square,
            degrees,
            p: is_enough.then(|| chi_square_p(chi_square, degrees)),
            dice,
        })
    }

    fn openings(&self) -> Vec<Opening> {
        /// How the games of an opening ended.
        #[derive(Default)]
        struct Ends {
            games: u64,
            won: u64,
            drawn: u64,
        }
        let mut found = BTreeMap::<_, Ends>::new();
        let mut began_so = BTreeMap::<_, u64>::new();
        for (key, count) in self.of(|key| key.measure == Measure::Opening) {
            let Some(first) = key.first else { continue };
            let ends = found.entry((first, &key.kind, &key.value)).or_default();
            ends.games += count;
            ends.won += if key.side == Some(first) { count } else { 0 };
            ends.drawn += if key.side.is_none() { count } else { 0 };
            *began_so.entry((first, &key.kind)).or_default() += count;
        }
        let has_dice = self.game.dice() > 0;
        let told = found.into_iter().filter(|(_, ends)| ends.games >= OPENING_GAMES_MIN);
        let told = told.filter_map(|((first, kind, moves), Ends { games, won, drawn })| {
            Some(Opening {
                first: wire::side(self.game, first),
                dice: if has_dice { read_dice(kind)? } else { Vec::new() },
                plies: if has_dice { 1 } else { kind.parse().ok()? },
                moves: moves.clone(),
                games: share(games, began_so[&(first, kind)]),
                won: share(won, games),
                drawn,
            })
        });
        let mut openings: Vec<_> = told.collect();
        openings.sort_by_key(|opening| (std::cmp::Reverse(opening.games.count), opening.plies));
        openings.truncate(OPENINGS_MAX);
        openings
    }

    fn taken(&self, side: Side) -> Option<SideTaken> {
        let is_meant = |key: &Key| key.measure == Measure::Taken && key.side == Some(side);
        let kind = match self.of(is_meant).next()?.0.kind.as_str() {
            "hit" => TakenKind::Hit,
            "pin" => TakenKind::Pin,
            _ => TakenKind::Capture,
        };
        let histogram = self.histogram(is_meant);
        Some(SideTaken { side: wire::side(self.game, side), kind, mean: mean(&histogram), histogram })
    }

    fn turns(&self, side: Side) -> Option<SideTurns> {
        let of = |kind: &str| {
            self.sum(|key| key.measure == Measure::Turn && key.side == Some(side) && key.kind == kind)
        };
        let (played, passed) = (of("played"), of("passed"));
        let has_turns = played + passed > 0;
        has_turns
            .then(|| SideTurns { side: wire::side(self.game, side), passed: share(passed, played + passed) })
    }

    fn times(&self) -> Vec<ClockTimes> {
        let clocks = [("none", ClockPace::None), ("live", ClockPace::Live), ("days", ClockPace::Days)];
        let told = clocks.into_iter().map(|(name, clock)| {
            let histogram = self.histogram(|key| key.measure == Measure::Time && key.kind == name);
            ClockTimes { clock, turns: histogram.iter().map(|of| of.count).sum(), histogram }
        });
        told.filter(|of| of.turns > 0).collect()
    }
}

fn share(count: u64, of: u64) -> Share {
    let interval = wilson(count, of);
    Share {
        count,
        of,
        share: if of == 0 { 0.0 } else { number(count) / number(of) },
        low: interval.map_or(0.0, |interval| interval.low),
        high: interval.map_or(1.0, |interval| interval.high),
    }
}

fn mean(histogram: &[CountOf]) -> f64 {
    let count: u64 = histogram.iter().map(|of| of.count).sum();
    let sum: u64 = histogram.iter().map(|of| u64::from(of.value) * of.count).sum();
    if count == 0 { 0.0 } else { number(sum) / number(count) }
}

fn lengths(histogram: Vec<CountOf>) -> Option<Lengths> {
    let games: u64 = histogram.iter().map(|of| of.count).sum();
    let last = histogram.last()?.value;
    // The smallest number that at least this many hundredths of the games do not exceed.
    let quantile = |hundredths: u64| {
        let mut below = 0;
        let reached = histogram.iter().find(|of| {
            below += of.count;
            below * 100 >= games * hundredths
        });
        reached.map_or(last, |of| of.value)
    };
    Some(Lengths {
        games,
        mean: mean(&histogram),
        p5: quantile(5),
        p25: quantile(25),
        median: quantile(50),
        p75: quantile(75),
        p95: quantile(95),
        histogram,
    })
}

/// All throws of this many dice, the highest first, each with the number of ways to throw it.
fn all_throws(dice: usize) -> Vec<(Vec<Die>, u64)> {
    let mut throws = vec![Vec::new()];
    for _ in 0..dice {
        let longer = |throw: Vec<Die>| {
            let highest = throw.last().copied();
            let may_follow = move |die: &Die| highest.is_none_or(|before| *die <= before);
            Die::ALL.into_iter().rev().filter(may_follow).map(move |die| [throw.as_slice(), &[die]].concat())
        };
        throws = throws.into_iter().flat_map(longer).collect();
    }
    throws.into_iter().map(|throw| (ways(&throw), throw)).map(|(ways, throw)| (throw, ways)).collect()
}

/// In how many orders the dice can fall: the multinomial coefficient.
fn ways(throw: &[Die]) -> u64 {
    let factorial = |n: usize| (1..=n as u64).product::<u64>();
    let alike = Die::ALL.map(|die| factorial(throw.iter().filter(|&&of| of == die).count()));
    factorial(throw.len()) / alike.iter().product::<u64>()
}

fn read_dice(text: &str) -> Option<Vec<Die>> {
    text.split('-').map(|die| Die::new(die.parse().ok()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_36_or_216_ways_to_throw() {
        for (dice, throws, ways) in [(2, 21, 36), (3, 56, 216)] {
            let all = all_throws(dice);
            assert_eq!((all.len(), all.iter().map(|(_, ways)| ways).sum::<u64>()), (throws, ways));
        }
    }

    #[test]
    fn quantiles_are_lengths_that_games_had() {
        let histogram = vec![CountOf { value: 10, count: 1 }, CountOf { value: 20, count: 3 }];
        let found = lengths(histogram).expect("games");
        assert_eq!((found.games, found.p5, found.p25, found.median, found.p95), (4, 10, 10, 20, 20));
        assert!((found.mean - 17.5).abs() < 1e-12);
        assert_eq!(lengths(Vec::new()), None);
    }
}
