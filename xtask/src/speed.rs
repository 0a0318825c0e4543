//! The price of a turn, of a single game's turn and of a delivery, each as a share of a bare echo in the same run. Shares
//! compare between machines, and say after a change whether something was lost.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::{
    Outcome, build,
    commands::{cargo, command, output, root, run, shown},
    server::Server,
};

/// A share that fell below this part of the kept one is named.
const LOSS: f64 = 0.85;

/// What is measured: its name, and the flags of its load. The echo is measured with the first.
const LOADS: [(&str, &[&str]); 3] = [
    ("turn", &["--matches", "100", "--points", "99", "--watchers", "0", "--echo"]),
    ("turn of a single game", &["--matches", "100", "--watchers", "0"]),
    ("delivery", &["--matches", "1", "--points", "99", "--watchers", "200", "--watch-one"]),
];

/// The flags of all loads.
const ALL: [&str; 8] =
    ["--closed-loop", "--connect-rate", "1000", "--warm-up", "1", "--duration", "4", "--json"];

/// How the programs are built, and how often everything is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speed {
    pub(crate) profile: &'static str,
    pub(crate) rounds: usize,
    /// Keeps what was found.
    pub(crate) keeps: bool,
}

impl Speed {
    /// Before a release.
    pub(crate) const RELEASE: Self = Self { profile: "release", rounds: 3, keeps: false };
    /// In the test command, with what was built for the tests: a look, which fails nothing.
    pub(crate) const LOOK: Self = Self { profile: "debug", rounds: 1, keeps: false };

    /// Builds both programs, and measures.
    pub(crate) fn build_and_measure(self) -> Outcome {
        let mut build = cargo();
        build.args(["build", "--package", "lusoria", "--package", "lusoria-lab"]);
        if self.profile == "release" {
            build.arg("--release");
        }
        run(&mut build)?;
        self.measure()
    }

    /// Measures, and compares with what is kept.
    pub(crate) fn measure(self) -> Outcome {
        let rounds = (0..self.rounds).map(|_| self.round()).collect::<Result<Vec<_>, _>>()?;
        let found = LOADS.map(|(name, _)| (name, median(rounds.iter().map(|round| round[name]))));
        let mut kept = read_kept()?;
        println!("\n  share of a bare echo ({} build)      now     kept", self.profile);
        for (name, share) in found {
            let before = kept.get(self.profile).and_then(|kept| kept[name].as_f64());
            let shown = before.map_or("-".to_owned(), |before| format!("{before:.3}"));
            let lost = before.is_some_and(|before| share < LOSS * before);
            println!("  {name:<35} {share:>6.3} {shown:>8}{}", if lost { "  LESS THAN BEFORE" } else { "" });
        }
        if self.keeps {
            let shares =
                found.map(|(name, share)| (name.to_owned(), ((share * 1_000.0).round() / 1_000.0).into()));
            kept.insert(self.profile.to_owned(), Value::Object(shares.into_iter().collect()));
            let text = serde_json::to_string_pretty(&kept).map_err(|error| error.to_string())?;
            std::fs::write(kept_in(), text + "\n").map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The shares of one run.
    fn round(self) -> Result<std::collections::BTreeMap<&'static str, f64>, String> {
        let mut echo = 0.0;
        let mut shares = std::collections::BTreeMap::new();
        for (name, flags) in LOADS {
            let server = Server::start_built(self.profile, "speed")?;
            let mut bench = command(build::program(self.profile, "lusoria-lab"));
            bench.args(["bench", &server.url()]).args(ALL).args(flags);
            eprintln!("$ {}", shown(&bench));
            let report: Value =
                serde_json::from_str(&output(&mut bench)?).map_err(|error| error.to_string())?;
            let figure = |path: &str| {
                report
                    .pointer(path)
                    .and_then(Value::as_f64)
                    .ok_or_else(|| format!("the report has no {path}"))
            };
            if flags.contains(&"--echo") {
                echo = figure("/echo/turns_per_s")?;
            }
            let of = if name == "delivery" { "/watchers/deliveries_per_s" } else { "/players/turns_per_s" };
            shares.insert(name, figure(of)? / echo);
        }
        Ok(shares)
    }
}

/// The middle one.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn kept_in() -> PathBuf {
    root().join("docs/performance/speed.json")
}

fn read_kept() -> Result<Map<String, Value>, String> {
    match std::fs::read_to_string(kept_in()) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| format!("{}: {error}", kept_in().display())),
        Err(_) => Ok(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_three_is_kept() {
        assert!((median([0.3, 0.1, 0.2].into_iter()) - 0.2).abs() < f64::EPSILON);
    }
}
