//! `--findings`: what a game between strong players is like, as a table within 100 columns.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
};

use lusoria_arena::{
    Estimate, Share,
    findings::{Findings, Incident, IncidentFound, KindWorth, Lead, Luck, Maker, Study, ThrowKind, find},
};
use lusoria_rules::Side;

use super::{
    super::{Failure, Verdict},
    progress::Bar,
    table::buckets,
    tell,
};

/// How many of the best and of the worst throws are listed.
const THROWS_TOLD: usize = 3;

/// Plays the games and prints the findings.
pub(super) fn run(
    asked: &Study,
    stop: &AtomicBool,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut bar = io::stderr().is_terminal().then(Bar::begin);
    let found = find(asked, stop, |progress| {
        if let Some(bar) = &mut bar {
            bar.count(progress.games, progress.games_all);
        }
    });
    drop(bar);
    tell(found, |found| Table(found).to_string(), json, out)
}

/// The findings as a table.
struct Table<'a>(&'a Findings);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        let game = found.variant.game();
        writeln!(
            f,
            "{:<14}{} games of level 5 against itself, {} positions a turn, seed {}",
            game.id(),
            found.games,
            found.nodes,
            found.seed
        )?;
        if found.distinct < found.games {
            writeln!(f, "{:<14}of which {} differ from each other", "", found.distinct)?;
        }
        let turns = found.turns;
        writeln!(f, "\n{:<30}{}", "turns of a game, passes too", number(turns.mean, 1))?;
        for (name, of) in
            [("5 % are no longer than", turns.p5), ("half of them", turns.median), ("95 %", turns.p95)]
        {
            writeln!(f, "  {name:<28}{}", number(of, 0))?;
        }
        writeln!(f, "  {:<28}{}", "passes", number(found.passes, 1))?;
        let ends: Vec<String> = found.ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
        writeln!(f, "  {:<28}{}", "ended by", ends.join(", "))?;
        self.advantage(f)?;
        self.luck(f)?;
        if !found.calibration.is_empty() {
            buckets(f, "expected without luck", &found.calibration)?;
        }
        self.throws(f)?;
        self.incidents(f)?;
        write!(f, "\ntook          {:.1} s", found.elapsed_s)
    }
}

impl Table<'_> {
    fn advantage(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        let score = found.white;
        let white = found.variant.game().side_name(Side::White);
        let name = format!("{white} scored");
        let games = format!("{} won, {} drawn, {} lost", score.wins, score.draws, score.losses);
        writeln!(f, "\n{name:<30}{}, {games}", share(found.white_share))?;
        let without = |f: &mut fmt::Formatter<'_>, of: Option<Estimate>| match of {
            Some(of) => writeln!(f, "  {:<28}{}", "with luck taken out", percent(of)),
            None => Ok(()),
        };
        without(f, found.white_without_luck)?;
        if let Some(first) = found.first_share {
            writeln!(f, "{:<30}{}", "who has the first turn scored", share(first))?;
            without(f, found.first_without_luck)?;
        }
        if let Some(double) = found.double {
            writeln!(f, "{:<30}{}", "won double", share(double))?;
        }
        Ok(())
    }

    fn luck(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Luck { of_a_throw, of_a_game, rest, explained }) = self.0.luck {
            writeln!(f, "\n{:<30}{}", "results vary by", percent(self.0.deviation))?;
            for (name, of) in [
                ("throws of a game give", of_a_game),
                ("one throw gives", of_a_throw),
                ("results without luck", rest),
            ] {
                writeln!(f, "  {name:<28}{}", percent(of))?;
            }
            writeln!(f, "  {:<28}{} of the variance", "luck explains", percent(explained))?;
        }
        let without = if self.0.luck.is_some() { "with luck taken out" } else { "" };
        writeln!(
            f,
            "\n{}",
            format!("{:<30}{:<30}{without}", "the better one leads after", "games").trim_end()
        )?;
        for Lead { better_by, games, without_luck } in &self.0.leads {
            let name = format!("if better by {:.0} %", 100.0 * better_by);
            let without = without_luck.map_or_else(String::new, |of| number(of, 0));
            writeln!(f, "{}", format!("  {name:<28}{:<30}{without}", number(*games, 0)).trim_end())?;
        }
        Ok(())
    }

    fn throws(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let throws = &self.0.throws;
        if throws.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n{:<30}{:<30}how likely", "a throw is worth", "% of a win")?;
        for KindWorth { kind, chance, worth } in &self.0.kinds {
            let name = match kind {
                ThrowKind::Different => "all dice different",
                ThrowKind::Double => "two alike",
                ThrowKind::Triple => "three alike",
            };
            writeln!(f, "  {name:<28}{:<30}{:.1} %", points(*worth), 100.0 * chance)?;
        }
        let told = THROWS_TOLD.min(throws.len() / 2);
        for of in throws[..told].iter().chain(&throws[throws.len() - told..]) {
            writeln!(f, "  {:<28}{:<30}{:.1} %", of.throw, points(of.worth), 100.0 * of.chance)?;
        }
        Ok(())
    }

    fn incidents(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:<14}{:<22}{:<14}{:<24}more than usual",
            "", "in a game", "of all games", "who was first scored"
        )?;
        for IncidentFound { incident, per_game, games, first, .. } in &self.0.incidents {
            let often = format!("{:.0} %", 100.0 * games.share);
            let won = first.map_or_else(String::new, |Maker { scored, more_than_usual, .. }| {
                format!("{:<24}{}", share(scored), points(more_than_usual))
            });
            let line = format!("{:<14}{:<22}{often:<14}{won}", name(*incident), number(*per_game, 2));
            writeln!(f, "{}", line.trim_end())?;
        }
        for IncidentFound { incident, decides, .. } in &self.0.incidents {
            if let Some(decides) = decides {
                let what = format!("the king escapes after {}", name(*incident));
                writeln!(f, "{what:<36}{} of all games", share(*decides))?;
            }
        }
        Ok(())
    }
}

fn name(incident: Incident) -> &'static str {
    match incident {
        Incident::Hit => "hits",
        Incident::Pin => "pins",
        Incident::PrimeOfFive => "primes of 5",
        Incident::PrimeOfSix => "primes of 6",
        Incident::Capture => "captures",
        Incident::Raichi => "raichi",
        Incident::Tuichu => "tuichu",
    }
}

/// A number with its interval.
fn number(of: Estimate, digits: usize) -> String {
    let Estimate { value, interval } = of;
    format!("{value:.digits$} ({:.digits$} to {:.digits$})", interval.low, interval.high)
}

/// A share of games in per cent.
fn percent(of: Estimate) -> String {
    let [value, low, high] = [of.value, of.interval.low, of.interval.high].map(|of| 100.0 * of);
    format!("{value:.1} % ({low:.1} to {high:.1})")
}

/// A value in hundredths of a win.
fn points(of: Estimate) -> String {
    let [value, low, high] = [of.value, of.interval.low, of.interval.high].map(|of| 100.0 * of);
    format!("{value:+.2} ({low:+.2} to {high:+.2})")
}

fn share(of: Share) -> String {
    let Share { share, interval } = of;
    match interval {
        Some(interval) => percent(Estimate { value: share, interval }),
        None => format!("{:.1} %", 100.0 * share),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use lusoria_rules::{Game, Variant};
    use lusoria_search::Budget;

    use super::*;

    #[test]
    fn the_table_is_no_wider_than_a_terminal() {
        for game in [Game::Tavla, Game::Tablut] {
            let asked = Study {
                variant: Variant::standard(game),
                games: 12,
                budget: Some(Budget { nodes: 60 }),
                seed: 1,
                turns_max: 30,
                threads: NonZeroUsize::MIN,
            };
            let mut out = Vec::new();
            run(&asked, &AtomicBool::new(false), false, &mut out).expect("plain text");
            let told = String::from_utf8(out).expect("text");
            assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
            let side = game.side_name(Side::White);
            for part in [format!("\n{side} scored"), "\nthe better one leads after".to_owned()] {
                assert!(told.contains(&part), "{part:?} in\n{told}");
            }
            assert_eq!(told.contains("two alike"), game == Game::Tavla, "{told}");
        }
    }
}
