//! The integration tests of the server on another database than their own.

use crate::{
    Outcome,
    commands::{cargo, output, run, tests},
};

/// What does not run on PostgreSQL: how the names of the tests begin, and why.
const LEFT_OUT: [(&str, &str); 1] = [("simulation::", "has a store of its own, whose faults a seed decides")];

const IT: [&str; 4] = ["--package", "lusoria", "--test", "it"];

/// Runs the integration tests with their servers on PostgreSQL.
pub(crate) fn postgres() -> Outcome {
    let listed = output(cargo().arg("test").args(IT).args(["--quiet", "--", "--list", "--format", "terse"]))?;
    let names: Vec<&str> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    eprintln!("left out of {} tests:", names.len());
    for (beginning, why) in LEFT_OUT {
        let count = names.iter().filter(|name| name.starts_with(beginning)).count();
        if count == 0 {
            return Err(format!("xtask/src/database.rs leaves out {beginning}, but no test is called so"));
        }
        eprintln!("{count:4}  {beginning}  {why}");
    }
    let skipped = LEFT_OUT.iter().flat_map(|(beginning, _)| ["--skip", beginning]);
    run(tests().args(IT).arg("--").args(skipped).env("LUSORIA_TEST_DATABASE", "postgres"))
}
