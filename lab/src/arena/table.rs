//! The result of a contest, as a table within 100 columns.

use std::fmt;

use super::{super::printable, named};
use lusoria_arena::{Bucket, Elo, Interval, Report, Score, Share, Spread, Stopped};

/// A report as a table.
pub(super) struct Table<'a>(pub(super) &'a Report);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        let asked = &report.contest;
        let [a, b] = report.players().map(|(entrant, name, _)| named(entrant, name));
        writeln!(f, "{:<13}{a} against {b}, seed {}", report.game().id(), asked.seed)?;
        write!(f, "games        {}", report.games)?;
        match report.stopped {
            None if report.game().dice() > 0 => writeln!(f, ", in pairs of the same dice")?,
            None => writeln!(f, ", in pairs with the sides exchanged")?,
            Some(Stopped::Interrupted) => writeln!(f, " of {}: interrupted", asked.games)?,
            Some(Stopped::Forfeits { player }) => {
                writeln!(f, " of {}: {player} forfeited too many in a row", asked.games)?;
            }
        }
        writeln!(f)?;
        writeln!(f, "{:<22}{:>8}{:>8}{:>8}", "for A", "won", "drawn", "lost")?;
        row(f, "all games", report.score)?;
        for (side, score) in report.sides() {
            row(f, &format!("as {side}"), score)?;
        }
        writeln!(f)?;
        if let Some(points) = report.points {
            let bounds = bounds(points.interval, |bound| format!("{bound:+.3}"));
            writeln!(f, "points       {:+.3} a game{bounds}", points.mean)?;
        }
        let shares = [
            ("decided", "of the decided games won", report.decided),
            ("share", "of all, draws as halves", report.share),
        ];
        for (name, what, share) in shares {
            if let Some(Share { share, interval }) = share {
                let percent = |share: f64| format!("{:.1} %", share * 100.0);
                writeln!(f, "{name:<13}{} {what}{}", percent(share), bounds(interval, percent))?;
            }
        }
        if let Some(Elo { difference, low, high }) = report.elo {
            let told = |elo: Option<f64>, otherwise: &str| {
                elo.map_or_else(|| otherwise.to_owned(), |elo| format!("{elo:+.0}"))
            };
            let beyond = if report.score.wins > 0 { "+∞" } else { "−∞" };
            write!(f, "Elo          {}", told(difference, beyond))?;
            if report.share.is_some_and(|share| share.interval.is_some()) {
                write!(f, " (95 %: {} to {})", told(low, "−∞"), told(high, "+∞"))?;
            }
            writeln!(f)?;
        }
        if report.games == 0 {
            return write!(f, "no pair of games was played to its end");
        }
        let Spread { mean, p95, max } = report.turns;
        writeln!(f, "length       {mean:.1} turns a game, p95 {p95}, max {max}")?;
        let ends: Vec<String> = report.ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
        writeln!(f, "ended by     {}", ends.join(", "))?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<22}{:>8}{:>10}{:>9}{:>9}{:>11}{:>9}{:>9}",
            "for a turn", "turns", "mean ms", "p95", "max", "mean nodes", "p95", "max"
        )?;
        for (entrant, name, player) in report.players() {
            let Spread { mean, p95, max } = player.time_us;
            let name = shortened(&named(entrant, name));
            write!(f, "{name:<22}{:>8}{:>10.2}", player.turns, mean / 1e3)?;
            write!(f, "{:>9}{:>9}", millis(p95), millis(max))?;
            if let Some(Spread { mean, p95, max }) = player.nodes {
                write!(f, "{mean:>11.0}{p95:>9}{max:>9}")?;
            }
            writeln!(f)?;
        }
        if asked.a == asked.b {
            calibration(f, report)?;
        }
        for (entrant, _, player) in report.players() {
            if player.forfeits > 0 {
                writeln!(f, "\n{entrant} forfeited {} games", player.forfeits)?;
                for forfeit in report.forfeits.iter().filter(|forfeit| forfeit.player == entrant) {
                    writeln!(f, "  game {}: {}", forfeit.game, printable(&forfeit.why))?;
                }
            }
        }
        write!(f, "\ntook         {:.1} s with {} threads", report.elapsed_s, asked.threads)
    }
}

/// The score that equal players expected, against their actual score.
fn calibration(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    for (entrant, _, player) in report.players() {
        if player.calibration.is_empty() {
            continue;
        }
        buckets(f, &format!("{entrant} expected"), &player.calibration)?;
    }
    Ok(())
}

/// Expected scores against actual ones.
pub(super) fn buckets(f: &mut fmt::Formatter<'_>, title: &str, buckets: &[Bucket]) -> fmt::Result {
    writeln!(f, "\n{title:<22}{:>8}{:>12}{:>9}  more than expected", "turns", "on average", "scored")?;
    for Bucket { from, to, turns, expected, scored, more } in buckets {
        let part = format!("{:.0} to {:.0} %", 100.0 * from, 100.0 * to);
        let [expected, scored] = [expected, scored].map(|share| format!("{:.1} %", 100.0 * share));
        let bounds = bounds(Some(more.interval), |bound| format!("{:+.1}", 100.0 * bound));
        writeln!(f, "{part:<22}{turns:>8}{expected:>12}{scored:>9}  {:+.1}{bounds}", 100.0 * more.value)?;
    }
    Ok(())
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, score: Score) -> fmt::Result {
    let Score { wins, draws, losses } = score;
    writeln!(f, "{name:<22}{wins:>8}{draws:>8}{losses:>8}")
}

fn bounds(interval: Option<Interval>, told: impl Fn(f64) -> String) -> String {
    match interval {
        Some(Interval { low, high }) => format!(" (95 %: {} to {})", told(low), told(high)),
        None => String::new(),
    }
}

/// A name shortened to fit its column.
fn shortened(name: &str) -> String {
    const CHARS_MAX: usize = 21;
    if name.chars().count() <= CHARS_MAX {
        return name.to_owned();
    }
    let mut shortened: String = name.chars().take(CHARS_MAX - 1).collect();
    shortened.push('…');
    shortened
}

fn millis(micros: u64) -> String {
    format!("{}.{:02}", micros / 1_000, micros % 1_000 / 10)
}
