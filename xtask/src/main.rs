//! The project's own tasks: `cargo xtask test` checks everything.

mod browser;
mod build;
mod clock;
mod commands;
mod examples;
mod fuzz;
mod layers;
mod node;
mod page;
mod schemathesis;
mod server;
mod setup;
mod simulate;
mod source;
mod speed;
mod steps;
mod supply_chain;
mod tidy;
mod trials;

use std::process::ExitCode;

use setup::Tool;

/// A task that failed, in words for the person who ran it.
type Outcome = Result<(), String>;

const USAGE: &str = "\
Usage: cargo xtask TASK [OPTIONS]

  test          every check that must pass before a merge; runs `setup` first
  setup         installs the tools of the tasks: with apt as root or with sudo, with npm, rustup and cargo
  lint          formatting, clippy, documentation, layers, tidiness
  layers        the allowed dependencies between crates and folders
  tidy          the house style that a program can check
  postgres      the integration tests of the server in which the database makes a difference, on
                PostgreSQL
  describe      writes docs/openapi.json, docs/socket.schema.json and docs/scopes.md from the
                handlers
  page          the page's types, texts, vendored files and weight
  browser       the page in use: Chromium against the real server, every game to its end
  lighthouse    Lighthouse on home, a match and the rules, on a desktop and a phone;
                builds a release; needs an idle machine
  examples      the Python examples play every game against a server of their own
  trials        the trials before a release, for hours (docs/reliability.md): all below
                except levels, and the simulation
  trials KIND [--debug] [OPTIONS]
                one trial, with the release profile unless it is --debug; --help lists its options:
    crash       kills, lying and full disks: what was acknowledged must be there afterwards
    cluster     three nodes on PostgreSQL and NATS, while everything between them is killed,
                cut, stalled and slowed
    hostile     floods of every kind: each must end in its limit and not disturb others
    slow        readers on a server that sends faster than they read: clients that read
                at all stay connected and miss nothing
    rated       kills at the end of rated matches: each changes both ratings exactly once
    levels      the levels of the computer as accounts of a server that play rated matches against
                each other: their ratings must come out in their order
  simulate      the server on virtual time, seed after seed, while everything goes wrong:
                --seeds N (1000), --from S (1), or --seed S for one
  seekers       ten thousand people who seek opponents on virtual time, while nodes are killed and
                lines break; and how long 5, 50 and 500 people wait
  speed [--write]
                turns and deliveries as shares of a bare echo, the middle of three runs of a release
                build, beside those kept in docs/performance/speed.json; --write keeps them, and
                those of a debug build, with which the test command compares
  schemathesis  thousands of made-up requests against the served OpenAPI document;
                needs the Python package index
  fuzz [TARGET] [--minutes N]
                made-up bytes against the laws of fuzz/laws, ten minutes a target
                unless it is said; needs cargo-fuzz
  supply-chain  licences, doubles and sources of others' crates; needs cargo-deny
  advisories    known vulnerabilities of others' crates, where cargo-deny is installed and the
                list of them can be fetched";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(task) = arguments.next() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let options: Vec<String> = arguments.collect();
    match run(&task, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\nxtask {task}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a task, after installing what it needs.
fn run(task: &str, options: &[String]) -> Outcome {
    use Tool::{Chromium, Compiler, Kill, Nats, Nextest, Node, Npm, Openssl, Postgres, Python};
    let needs = |tools: &[Tool]| setup::ensure(tools);
    let with_server = |tools: &[Tool]| needs(tools).and_then(|()| build::server());
    match (task, options) {
        ("test", []) => steps::test(),
        ("setup", []) => needs(&setup::EVERYTHING),
        ("lint", []) => needs(&[Tool::Rustfmt, Tool::Clippy]).and_then(|()| steps::lint()),
        ("layers", []) => layers::check(),
        ("tidy", []) => tidy::check(),
        ("postgres", []) => {
            needs(&[Nextest, Postgres, Nats, Openssl]).and_then(|()| build::test_on_postgres())
        }
        ("describe", []) => build::describe(),
        ("page", []) => with_server(&[Npm, Node]).and_then(|()| page::check()),
        ("browser", []) => with_server(&[Npm, Node, Chromium]).and_then(|()| browser::play()),
        ("lighthouse", []) => needs(&[Npm, Node, Chromium]).and_then(|()| browser::lighthouse()),
        ("examples", []) => with_server(&[Python])
            .and_then(|()| build::program_of("lusoria-lab"))
            .and_then(|()| examples::play()),
        ("trials", _) => {
            needs(&[Compiler, Postgres, Nats, Openssl, Kill]).and_then(|()| trials::trials(options))
        }
        ("simulate", _) => simulate::simulate(options),
        ("seekers", []) => simulate::seekers(),
        ("speed", []) => speed::speed(false),
        ("speed", [write]) if write == "--write" => speed::speed(true),
        ("schemathesis", []) => with_server(&[Python]).and_then(|()| schemathesis::check()),
        ("fuzz", _) => fuzz::run_targets(options),
        ("supply-chain", []) => supply_chain::check(),
        ("advisories", []) => supply_chain::look_up_advisories(),
        ("help" | "--help" | "-h", []) => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("there is no such task, or it takes no such options\n\n{USAGE}")),
    }
}
