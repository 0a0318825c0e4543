//! The price of a turn, of a turn in single games and of a delivery, each as a share of a bare echo in the same run.
//! Shares can be compared between machines, and show after a change whether speed was lost.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::{
    Outcome, build,
    commands::{cargo, command, output, root, run, shown},
    server::Server,
};

/// A share below this part of the kept one is pointed out.
const LOSS: f64 = 0.85;

/// What is measured: its name, where the report of the load has it, and the flags of the load. The echo is measured
/// with the first.
const LOADS: [(&str, &str, &[&str]); 3] = [
    ("turn", "/players/turns_per_s", &["--matches", "100", "--points", "99", "--watchers", "0", "--echo"]),
    ("turn in single games", "/players/turns_per_s", &["--matches", "100", "--watchers", "0"]),
    (
        "delivery",
        "/watchers/deliveries_per_s",
        &["--matches", "1", "--points", "99", "--watchers", "200", "--watch-one"],
    ),
];

/// The flags of all loads.
const ALL: [&str; 8] =
    ["--closed-loop", "--connect-rate", "1000", "--warm-up", "1", "--duration", "4", "--json"];

/// How many runs are measured, of which the middle one counts.
const RUNS: usize = 3;

type Shares = [f64; LOADS.len()];

/// Builds the programs, measures them and shows what is kept beside it; with `keeps`, both builds, and keeps it.
pub(crate) fn speed(keeps: bool) -> Outcome {
    for profile in if keeps { &["release", "debug"][..] } else { &["release"] } {
        let flag = (*profile == "release").then_some("--release");
        run(cargo().args(["build", "--package", "lusoria", "--package", "lusoria-lab"]).args(flag))?;
        let runs = (0..RUNS).map(|_| measure(profile)).collect::<Result<Vec<_>, _>>()?;
        let shares = median(&runs);
        let lost = show(profile, &shares, &kept()?);
        if keeps {
            keep(profile, &shares)?;
        } else if lost {
            return Err("it is slower than before; if it has to be, --write keeps the new shares".to_owned());
        }
    }
    Ok(())
}

/// One run with the programs that were built for the tests. Shared machines are slow at times, so nothing fails.
pub(crate) fn look() -> Outcome {
    match measure("debug") {
        Ok(shares) => {
            show("debug", &shares, &kept()?);
        }
        Err(why) => println!("speed could not be measured: {why}"),
    }
    Ok(())
}

fn measure(profile: &'static str) -> Result<Shares, String> {
    let mut shares = Shares::default();
    let mut echo = f64::NAN;
    for ((_, figure, flags), share) in LOADS.iter().zip(&mut shares) {
        let server = Server::start_built(profile, "speed")?;
        let mut bench = command(build::program(profile, "lusoria-lab"));
        bench.args(["bench", &server.url()]).args(ALL).args(*flags);
        eprintln!("$ {}", shown(&bench));
        let report: Value = serde_json::from_str(&output(&mut bench)?).map_err(|error| error.to_string())?;
        let read = |path: &str| {
            let found = report.pointer(path).and_then(Value::as_f64);
            found.ok_or_else(|| format!("the report has no {path}"))
        };
        if flags.contains(&"--echo") {
            echo = read("/echo/turns_per_s")?;
        }
        *share = read(figure)? / echo;
    }
    Ok(shares)
}

/// Of each share the middle one.
fn median(runs: &[Shares]) -> Shares {
    std::array::from_fn(|n| {
        let mut shares: Vec<f64> = runs.iter().map(|run| run[n]).collect();
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    })
}

/// Prints shares, and tells whether one of them is lower than before.
fn show(profile: &str, shares: &Shares, kept: &Map<String, Value>) -> bool {
    let mut has_loss = false;
    println!("\n  shares of a bare echo, {profile} build       now     kept");
    for ((name, ..), share) in LOADS.iter().zip(shares) {
        let before = kept.get(profile).and_then(|kept| kept[*name].as_f64());
        let shown = before.map_or("-".to_owned(), |before| format!("{before:.3}"));
        let lost = before.is_some_and(|before| *share < LOSS * before);
        println!("  {name:<37} {share:>6.3} {shown:>8}{}", if lost { "  LESS THAN BEFORE" } else { "" });
        has_loss |= lost;
    }
    has_loss
}

fn keep(profile: &str, shares: &Shares) -> Outcome {
    let rounded = |share: &f64| Value::from((share * 1_000.0).round() / 1_000.0);
    let shares = LOADS.iter().zip(shares).map(|((name, ..), share)| ((*name).to_owned(), rounded(share)));
    let mut all = kept()?;
    all.insert(profile.to_owned(), Value::Object(shares.collect()));
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    std::fs::write(file(), text + "\n").map_err(|error| format!("{}: {error}", file().display()))
}

fn kept() -> Result<Map<String, Value>, String> {
    let text = std::fs::read_to_string(file()).map_err(|error| format!("{}: {error}", file().display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file().display()))
}

fn file() -> PathBuf {
    root().join("docs/performance/speed.json")
}
