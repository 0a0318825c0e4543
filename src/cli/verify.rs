//! `lusoria verify`: computes the dice of a record again.

use std::{io::Write, path::PathBuf};

use clap::Args;
use lusoria_protocol::{Hash, PlayerSeed};

use super::{Failure, Verdict, printable, record_file, say};
use lusoria_records::proof::{self, PlayerNotes, prove};

/// The record, and what a player noted before the first throw.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// A record as JSON or as text; - is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The commitment that you saw before the first throw, 64 hexadecimal digits
    #[arg(long, value_name = "S0")]
    commitment: Option<Hash>,

    /// Your own seed
    #[arg(long, value_name = "MINE")]
    seed: Option<PlayerSeed>,
}

impl Verify {
    /// Prints what holds, what does not and what is unknown, and a final verdict.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let claims = record_file::read(&self.file)?.claims();
        let kept = PlayerNotes { commitment: self.commitment, seed: self.seed.clone() };
        let proof = prove(&claims, &kept);
        for line in proof.to_string().lines() {
            say(out, printable(line))?;
        }
        match proof.verdict() {
            proof::Verdict::True | proof::Verdict::TrueSoFar => Ok(Verdict::Good),
            proof::Verdict::False => Ok(Verdict::Bad),
            proof::Verdict::Nothing => {
                Err(Failure::Usage(format!("{}: there is nothing to check yet", self.file.display())))
            }
        }
    }
}
