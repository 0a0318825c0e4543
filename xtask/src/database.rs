//! The integration tests of the server on another database than their own.

use crate::{
    Outcome,
    commands::{cargo, output, run, tests},
};

/// What does not run on PostgreSQL: how the names of the tests begin, and why.
const LEFT_OUT: [(&str, &str); 27] = [
    ("arena::", "no server"),
    ("cli::", "no server"),
    ("record::alike", "no server"),
    ("record::command", "no server"),
    ("record::forged", "no server"),
    ("record::odd", "no server"),
    ("record::proof", "no server"),
    ("record::refused", "no server"),
    ("replay::", "no server"),
    ("simulation::", "a store of its own, whose faults follow from a seed"),
    ("golden::databases::", "files of earlier versions"),
    ("process::backup::", "copies of a file"),
    ("process::moving::a_match_goes_on", "a file that is moved to PostgreSQL"),
    ("process::databases::", "what can be wrong with a file"),
    ("process::starting::", "the lock of a file, and bringing one up to date"),
    ("process::two_servers_cannot_use_one_database", "the lock of a file"),
    ("process::admin::an_act_without_a_database_makes_none", "a file that is not there"),
    ("process::admin::data_left_in_the_wal", "the WAL of a file"),
    ("process::admin::queries_change_nothing", "a file of an earlier version"),
    ("process::admin::the_socket_is_its_owners", "the socket beside a file"),
    ("process::admin::an_action_is_logged", "there the command itself carries it out, not the server"),
    ("terminal::lines::a_server_that_was_put_back", "the backup of a file"),
    ("computer::load::a_hundred_turns", "thinks in no time, before the database has told what waits"),
    ("computer::load::matches_of_the_computer", "puts the clock forward while the database works"),
    (
        "pushes::a_push_service_that_is_busy",
        "hours of virtual time, of which the database is asked each second",
    ),
    (
        "conduct::who_leaves_live_matches_again_and_again_waits",
        "hours of virtual time, of which the database is asked each second",
    ),
    ("computer::pace::", "puts the clock forward while the database works"),
];

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
