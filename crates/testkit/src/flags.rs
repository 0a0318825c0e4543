//! Options from command line flags.

use clap::{Args, Command};

/// The options from these flags; everything else has its default.
pub fn parsed<Options: Args>(flags: &[&str]) -> Options {
    let matches = Options::augment_args(Command::new("lusoria"))
        .try_get_matches_from(["lusoria"].iter().chain(flags))
        .unwrap_or_else(|why| panic!("{why}"));
    Options::from_arg_matches(&matches).expect("the options have been parsed")
}
