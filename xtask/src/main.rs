//! The project's own tasks: `cargo xtask test` checks everything.

mod browser;
mod commands;
mod database;
mod examples;
mod fuzz;
mod golden;
mod layers;
mod node;
mod page;
mod schemathesis;
mod server;
mod simulate;
mod source;
mod suite;
mod supply_chain;
mod tidy;
mod trials;

use std::process::ExitCode;

/// A task that failed, in words for the person who ran it.
type Outcome = Result<(), String>;

const USAGE: &str = "\
Usage: cargo xtask TASK [OPTIONS]

  test          lint, every test, the examples: what must be green before a merge
  test --database postgres
                the integration tests of the server with PostgreSQL under it, and which of
                them are left out and why; needs PostgreSQL
  lint          formatting, clippy, documentation, layers, tidiness
  layers        which crate and which folder may mention which
  tidy          the house style that a program can check
  page [--write]
                the page's types, texts, vendored files and weight; --write makes the types
                of the wire anew; needs Node.js and the npm registry
  browser       people at the page: Chromium against the real server, every game to its end;
                needs Node.js, the npm registry and Chromium
  lighthouse    what Lighthouse thinks of home, a match and the rules, on a desktop and a phone;
                builds a release; needs what `browser` needs, and an idle machine
  crash         kills, lying and full disks: what was acknowledged must be there afterwards;
                options: --database postgres, --release, --help
  cluster       three nodes on PostgreSQL and NATS, while everything between them is killed,
                cut, stalled and slowed; options: --rounds N (200), --seed N, --kind KIND,
                --debug; --help; needs PostgreSQL and nats-server
  hostile       floods of every kind: each must end in its limit and disturb nobody;
                options: --help
  slow          readers on a server that has more for them than they read: who takes
                anything stays and misses nothing; six minutes; options: --help
  rated         kills at the end of rated matches: each changes both ratings exactly once;
                options: --rounds N (200), --seed N; --help
  levels        the levels of the computer as accounts of a server, which play each other rated
                matches: their ratings must come out in their order; options: --game GAME,
                --matches N (64), --seed N, --debug; --help
  examples      the Python examples play every game against a server of their own
  golden-database [--program FILE]
                a small database of the present schema, kept for later servers to be tried
                on; made by the program of today, or by the one that is named
  simulate      the server on virtual time, seed after seed, while everything goes wrong:
                --seeds N (1000), --from S (1), or --seed S for one
  seekers       ten thousand people who seek opponents on virtual time, while nodes are killed and
                lines break; and how long 5, 50 and 500 people wait
  train GAME [--minutes N] [--threads N] [--seed N] [--second-stage | --pruning | --chances]
                teaches the computer a game by self-play, or a dice game with an option
                (scripta-row_a_gate-false), and writes the weights that the server embeds;
                goes on where it stopped (docs/training.md)
  endings GAME  finds the chances of all positions with at most two pieces a side, and writes
                the table that the server embeds (docs/training.md)
  dictionary FILE [--matches N] [--seed N]
                trains a dictionary with which the store could pack matches, writes it to a
                new file, and says how well it packs (crates/store/dictionary)
  schemathesis  thousands of made-up requests against the served OpenAPI document;
                needs the Python package index
  fuzz [TARGET] [--minutes N]
                made-up bytes against the laws of fuzz/laws, ten minutes a target
                unless it is said; needs cargo-fuzz
  supply-chain [--advisories]
                licences, doubles and sources of others' crates; needs cargo-deny";

const TAKE_OPTIONS: [&str; 15] = [
    "cluster",
    "crash",
    "dictionary",
    "endings",
    "fuzz",
    "golden-database",
    "hostile",
    "levels",
    "page",
    "rated",
    "simulate",
    "slow",
    "supply-chain",
    "test",
    "train",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next();
    let options: Vec<String> = arguments.collect();
    let takes_options = |task: &String| TAKE_OPTIONS.contains(&task.as_str());
    let Some(task) = task.filter(|task| takes_options(task) || options.is_empty()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let outcome = match task.as_str() {
        "cluster" => trials::cluster(&options),
        "crash" => trials::crash(&options),
        "dictionary" => suite::dictionary(&options),
        "endings" => suite::endings(&options),
        "golden-database" => golden::database(&options),
        "fuzz" => fuzz::run_targets(&options),
        "simulate" => simulate::simulate(&options),
        "seekers" => simulate::seekers(),
        "supply-chain" => supply_chain::check(&options),
        "hostile" => trials::hostile(&options),
        "levels" => trials::levels(&options),
        "rated" => trials::rated(&options),
        "slow" => trials::slow(&options),
        "page" => page::check(&options),
        "browser" => browser::play(),
        "lighthouse" => browser::lighthouse(),
        "train" => suite::train(&options),
        "test" => suite::test(&options),
        "lint" => suite::lint(),
        "layers" => layers::check(),
        "tidy" => tidy::check(),
        "examples" => examples::play(),
        "schemathesis" => schemathesis::check(),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        unknown => Err(format!("there is no task {unknown:?}\n\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\nxtask {task}: {why}");
            ExitCode::FAILURE
        }
    }
}
