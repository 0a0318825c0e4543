//! `--rollouts`: what players lose in a turn, by rollouts, as a table within 100 columns.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
};

use lusoria_arena::{
    Comparison, Contest, Estimate, FORFEITS_IN_A_ROW_MAX, LossProgress, Losses, PlayerLosses, Stopped, losses,
};

use super::{
    super::{Failure, Verdict, printable, say},
    progress::Bar,
};

/// Plays the games, rolls out their turns and prints the losses. Bad if it ended early.
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
    let found = match found.map_err(|why| Failure::Usage(printable(&why.to_string())))? {
        Ok(found) => found,
        Err(Stopped::Interrupted) => {
            eprintln!("lusoria-lab: interrupted before all turns were rolled out");
            return Ok(Verdict::Bad);
        }
        Err(Stopped::Forfeits { player }) => {
            eprintln!("lusoria-lab: player {player} has forfeited {FORFEITS_IN_A_ROW_MAX} games in a row");
            return Ok(Verdict::Bad);
        }
    };
    if json {
        say(out, serde_json::to_string(&found).expect("it is plain data"))?;
    } else {
        say(out, Table(&found))?;
    }
    Ok(Verdict::Good)
}

/// The losses as a table.
struct Table<'a>(&'a Losses);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Losses { variant, seed, stakes, games, a, b, elapsed_s, .. } = self.0;
        let unit = if *stakes == "points" { "hundredths of a point" } else { "% of a win" };
        writeln!(f, "{:<9}turns of {games} games, seed {seed}, by rollouts", variant.game().id())?;
        writeln!(f, "\n{:<34}{:>7}{:>9}  {unit} given away in a turn", "player", "turns", "best")?;
        for (letter, of) in [("A", a), ("B", b)] {
            let PlayerLosses { player, turns, best, lost } = of;
            let name = printable(&format!("{letter} {player}"));
            let best = format!("{:.1} %", 100.0 * f64::from(*best) / f64::from((*turns).max(1)));
            let lost = lost.map_or_else(
                || "too few turns".to_owned(),
                |Estimate { value, interval }| {
                    let [value, low, high] = [value, interval.low, interval.high].map(|of| 100.0 * of);
                    format!("{value:.3} ({low:.3} to {high:.3})")
                },
            );
            writeln!(f, "{name:<34.33}{turns:>7}{best:>9}  {lost}")?;
        }
        write!(f, "\ntook     {elapsed_s:.1} s")
    }
}
