//! The test command: its steps in order, those that fail fast first.

use std::time::{Duration, Instant};

use crate::{
    Outcome, browser, build,
    clock::{self, Ended, Tests},
    commands::{cargo, run},
    examples, layers, page, setup, speed, supply_chain, tidy, trials,
};

/// A step of the test command.
struct Step {
    name: &'static str,
    /// Its time limit on two quiet cores; the summary names a step that takes longer.
    may_take: Duration,
    /// Whether the steps after it are useless without it.
    is_required: bool,
    run: fn() -> Outcome,
}

impl Step {
    const fn new(name: &'static str, may_take_s: u64, run: fn() -> Outcome) -> Self {
        Self { name, may_take: Duration::from_secs(may_take_s), is_required: false, run }
    }

    const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// The time limit of installing tools before the first step.
const SETUP_MAY_TAKE: Duration = Duration::from_mins(2);

const STEPS: [Step; 11] = [
    Step::new("style", 10, style).required(),
    Step::new("build", 480, build::everything).required(),
    Step::new("tests", 300, build::test),
    Step::new("tests on PostgreSQL", 75, build::test_on_postgres),
    Step::new("page", 45, page::check),
    Step::new("browser", 420, browser::play),
    Step::new("examples", 45, examples::play),
    Step::new("trials", 240, trials::short),
    Step::new("speed", 30, speed::look),
    Step::new("lint", 150, lint_code),
    Step::new("advisories", 30, supply_chain::look_up_advisories),
];

/// Installs what the steps need and runs them all, also after a failed one unless that is required, so that
/// one run shows everything; then prints their times.
pub(crate) fn test() -> Outcome {
    let reports = [build::reports(), vec![page::report(), browser::report()]].concat();
    for report in &reports {
        // The report of an earlier run would be taken for that of a step that is not reached.
        let _ = std::fs::remove_file(report);
    }
    let began = Instant::now();
    setup::ensure(&setup::EVERYTHING)?;
    let mut ended =
        vec![Ended { step: "setup", took: began.elapsed(), may_take: SETUP_MAY_TAKE, failure: None }];
    for Step { name, may_take, is_required, run } in STEPS {
        let began = Instant::now();
        let failure = run().err();
        let breaks_off = is_required && failure.is_some();
        ended.push(Ended { step: name, took: began.elapsed(), may_take, failure });
        if breaks_off {
            break;
        }
    }
    println!("{}", clock::report(&ended, &Tests::read(&reports)));
    if ended.iter().all(|step| step.failure.is_none()) {
        eprintln!("xtask test: all green");
        return Ok(());
    }
    Err("not everything is green".to_owned())
}

/// Runs the checks that do not run the project.
pub(crate) fn lint() -> Outcome {
    style()?;
    lint_code()
}

/// Checks that take seconds.
fn style() -> Outcome {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    tidy::check()?;
    layers::check()
}

/// Checks that need the compiler. Clippy and rustdoc share the check of third-party crates.
fn lint_code() -> Outcome {
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    run(cargo().args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    // Building cargo-deny takes minutes, so third-party crates are checked only where it is installed.
    if supply_chain::is_installed() { supply_chain::check() } else { Ok(()) }
}
