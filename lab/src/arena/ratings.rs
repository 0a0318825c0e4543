//! `--ratings`: what a round robin of the levels shows about ratings, as a table within 100 columns.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
};

use lusoria_arena::{
    Estimate, Interval,
    ratings::{self, GamesUntilKnown, Ratings, RoundRobin, SideTaker},
};

use super::{
    super::{Failure, Verdict, printable},
    progress::Bar,
    tell,
};

/// Plays the games and prints the result.
pub(super) fn run(
    asked: &RoundRobin,
    stop: &AtomicBool,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut bar = io::stderr().is_terminal().then(Bar::begin);
    let found = ratings::play(asked, stop, |progress| {
        if let Some(bar) = &mut bar {
            bar.count(progress.games, progress.games_all);
        }
    });
    drop(bar);
    let found = found.map_err(|why| Failure::Usage(printable(&why.to_string())))?;
    tell(found, |found| Table(found).to_string(), json, out)
}

/// The result as a table.
struct Table<'a>(&'a Ratings);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        let game = found.variant.game();
        let white = game.side_name(lusoria_rules::Side::White);
        writeln!(
            f,
            "{:<14}{} games, {} for each two levels, seed {}",
            game.id(),
            found.games,
            found.games_each,
            found.seed
        )?;
        writeln!(f, "\n{white} is worth in rating points")?;
        writeln!(f, "  {:<24}{}", "in all games", signed(found.advantage))?;
        for alike in &found.advantage_alike {
            let who = format!("{} against itself", alike.player);
            writeln!(f, "  {who:<24}{}", signed(alike.advantage))?;
        }
        writeln!(f, "\n{:<10}{:>8}   better than the one before by", "player", "points")?;
        for player in &found.players {
            let by = player.better_by.map_or_else(String::new, whole);
            writeln!(f, "{:<10}{:>8.0}   {by}", player.player, player.points)?;
        }
        writeln!(f, "\n{:<16}{:<30}if every game counted one point", "match to", "slope")?;
        for slope in &found.slopes {
            let told = bounds(slope.slope, |value| format!("{value:.2}"));
            writeln!(f, "{:<16}{told:<30}{:.2}", slope.points, slope.of_one_point_games)?;
        }
        writeln!(f, "\nuntil the better one is known")?;
        writeln!(f, "{:<20}{:<28}{:<26}in pairs of the same dice", "players", "scores", "games")?;
        for GamesUntilKnown { better, other, share, games, games_of_pairs } in &found.known {
            let percent = bounds(*share, |share| format!("{:.1} %", share * 100.0));
            let both = format!("{better}, {other}");
            writeln!(f, "{both:<20}{percent:<28}{:<26}{}", count(*games), count(*games_of_pairs))?;
        }
        writeln!(f, "\nlog-loss of what was not fitted{:>14}{:>12}   smaller by", "with", "without")?;
        for (name, told) in
            [("advantage, games", found.held_out.advantage), ("slope, matches to 3", found.held_out.slope)]
        {
            let gain = bounds(told.gain, |gain| format!("{gain:+.4}"));
            writeln!(
                f,
                "{:<31}{:>14.4}{:>12.4}   {gain}",
                format!("{name} ({})", told.results),
                told.with,
                told.without
            )?;
        }
        let SideTaker { player, matches, pairs, singles } = &found.side_taker;
        writeln!(
            f,
            "\nafter {matches} matches, {player} who always takes {white} ends above one who never does by"
        )?;
        writeln!(f, "  {:<24}{}", "rated in pairs", signed(*pairs))?;
        writeln!(f, "  {:<24}{}", "rated in single games", signed(*singles))?;
        write!(f, "\ntook          {:.1} s", found.elapsed_s)
    }
}

fn bounds(estimate: Estimate, told: impl Fn(f64) -> String) -> String {
    let Estimate { value, interval: Interval { low, high } } = estimate;
    format!("{} ({} to {})", told(value), told(low), told(high))
}

fn signed(estimate: Estimate) -> String {
    bounds(estimate, |value| format!("{value:+.0}"))
}

fn whole(estimate: Estimate) -> String {
    bounds(estimate, |value| format!("{value:.0}"))
}

/// A number of games; ∞ if no number of them shows a difference.
fn count(estimate: Estimate) -> String {
    bounds(estimate, |value| if value.is_finite() { format!("{:.0}", value.ceil()) } else { "∞".to_owned() })
}

#[cfg(test)]
mod tests {
    use lusoria_arena::ratings::{AdvantageAlike, Foretold, HeldOut, MatchSlope, PlayerRating, SideTaker};
    use lusoria_rules::{Game, Variant};

    use super::*;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, interval: Interval { low: value - 1.0, high: value + 1.0 } }
    }

    #[test]
    fn the_table_is_no_wider_than_a_terminal() {
        let wide = estimate(-1234.5);
        let foretold =
            Foretold { fitted: 1.0, results: 1_000_000, with: 0.5, without: 0.6, gain: estimate(0.1) };
        let found = Ratings {
            variant: Variant::standard(Game::Tablut),
            edition: "00000000000000ee".to_owned(),
            seed: 1,
            games_each: 1_000_000,
            games: 15_000_000,
            advantage: wide,
            advantage_alike: vec![AdvantageAlike { player: "level 5".to_owned(), advantage: wide }],
            players: vec![
                PlayerRating { player: "level 1".to_owned(), points: 1300.0, better_by: None },
                PlayerRating {
                    player: "level 2".to_owned(),
                    points: 1500.4,
                    better_by: Some(estimate(200.4)),
                },
            ],
            slopes: vec![MatchSlope { points: 7, slope: estimate(2.9), of_one_point_games: 2.93 }],
            known: vec![GamesUntilKnown {
                better: "level 2".to_owned(),
                other: "level 1".to_owned(),
                share: estimate(0.5),
                games: Estimate {
                    value: f64::INFINITY,
                    interval: Interval { low: 123_456.7, high: f64::INFINITY },
                },
                games_of_pairs: estimate(123_456.7),
            }],
            held_out: HeldOut { advantage: foretold, slope: foretold },
            side_taker: SideTaker {
                player: "level 5".to_owned(),
                matches: 200,
                pairs: estimate(0.2),
                singles: wide,
            },
            elapsed_s: 12.3,
        };
        let told = Table(&found).to_string();
        assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
        for part in [
            "\ndefenders is worth in rating points\n  in all games            -1234 (-1236 to -1234)\n",
            "\n  level 5 against itself  -1234",
            "\nlevel 2       1500   200 (199 to 201)\n",
            "\nlevel 2, level 1    50.0 % (-50.0 % to 150.0 %) ∞ (123457 to ∞)",
            "advantage, games (1000000)             0.5000      0.6000   +0.1000",
        ] {
            assert!(told.contains(part), "{part:?} in\n{told}");
        }
    }
}
