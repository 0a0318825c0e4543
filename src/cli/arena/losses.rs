//! What players give away in a turn, by rollouts, for people, within 100 columns.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
};

use lusoria_arena::{Comparison, Contest, LossProgress, Losses, PlayerLosses, losses};

use super::{
    super::{Failure, Verdict, printable, say},
    progress::Bar,
};

/// Plays the games, rolls out their turns and prints what was given away. Bad if it was interrupted.
pub(super) fn run(
    contest: &Contest,
    comparison: &Comparison,
    stop: &AtomicBool,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut bar = io::stderr().is_terminal().then(Bar::begin);
    let found = losses(contest, comparison, stop, |progress| {
        if let Some(bar) = &mut bar {
            match progress {
                LossProgress::Games(progress) => bar.show(&progress),
                LossProgress::Turns(done, all) => bar.count(done, all),
            }
        }
    });
    drop(bar);
    let Some(found) = found.map_err(|why| Failure::Usage(printable(&why.to_string())))? else {
        eprintln!("lusoria: interrupted before all turns were rolled out");
        return Ok(Verdict::Bad);
    };
    if json {
        say(out, serde_json::to_string(&found).expect("it is plain data"))?;
    } else {
        say(out, Table(&found))?;
    }
    Ok(Verdict::Good)
}

/// As a table.
struct Table<'a>(&'a Losses);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Losses { variant, seed, games, a, b, elapsed_s, .. } = self.0;
        writeln!(f, "{:<9}turns of {games} games, seed {seed}, by rollouts", variant.game().id())?;
        writeln!(f, "\n{:<34}{:>7}{:>9}  % of a win given away in a turn", "player", "turns", "best")?;
        for (letter, of) in [("A", a), ("B", b)] {
            let PlayerLosses { player, turns, best, lost } = of;
            let name = printable(&format!("{letter} {player}"));
            let best = format!("{:.1} %", 100.0 * f64::from(*best) / f64::from((*turns).max(1)));
            let [value, low, high] = [lost.value, lost.interval.low, lost.interval.high].map(|of| 100.0 * of);
            writeln!(f, "{name:<34.33}{turns:>7}{best:>9}  {value:.3} ({low:.3} to {high:.3})")?;
        }
        write!(f, "\ntook     {elapsed_s:.1} s")
    }
}
