//! `--fair-play`: how well engine help is distinguished from honest play, as a table within 100 columns.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
};

use lusoria_arena::fair_play::{LevelSurveyed, Survey, Surveyed, survey};

use super::{
    super::{Failure, Verdict},
    progress::Bar,
    tell,
};

/// Runs the survey and prints the result.
pub(super) fn run(
    asked: &Survey,
    stop: &AtomicBool,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut bar = io::stderr().is_terminal().then(Bar::begin);
    let found = survey(asked, stop, |progress| {
        if let Some(bar) = &mut bar {
            bar.count(progress.games, progress.games_all);
        }
    });
    drop(bar);
    tell(found, |found| Table(found).to_string(), json, out)
}

/// The result as a table.
struct Table<'a>(&'a Surveyed);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surveyed { variant, seed, matches, nodes, levels, elapsed_s, .. } = self.0;
        let game = variant.game().id();
        writeln!(f, "{game:<9}{matches} matches each, seed {seed}, {nodes} positions for each turn")?;
        writeln!(
            f,
            "\n{:<8}{:>6}{:>9}{:>7}{:>8}{:>9}  {:<28}spread",
            "level", "people", "flagged", "after", "rating", "turns", "% of a win lost in a turn"
        )?;
        for of in levels {
            let LevelSurveyed { level, people, flagged, flagged_after, turns, lost, spread, points } = of;
            let after = flagged_after.map_or_else(String::new, |after| format!("{after:.1}"));
            let (value, low, high) =
                (100.0 * lost.value, 100.0 * lost.interval.low, 100.0 * lost.interval.high);
            let lost = format!("{value:.3} ({low:.3} to {high:.3})");
            writeln!(
                f,
                "{level:<8}{people:>6}{flagged:>9}{after:>7}{points:>8.0}{turns:>9}  {lost:<28}{spread:.1}"
            )?;
        }
        write!(f, "\ntook     {elapsed_s:.1} s")
    }
}
