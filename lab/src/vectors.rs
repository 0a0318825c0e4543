//! `lusoria-lab vectors`: checks files of test vectors against the rules.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
};

use clap::Args;
use lusoria_rules::vectors::check;

use super::{Failure, Verdict, say};

/// What to check.
#[derive(Debug, Args)]
pub(super) struct Vectors {
    /// Files with one vector a line
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Vectors {
    /// Prints differences, and a final line with the number of vectors that hold. Files without a single
    /// vector are an error, since they prove nothing.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let (mut passed, mut failed) = (0_u64, 0_u64);
        for path in &self.files {
            let name = path.display();
            let unreadable = |why| Failure::Io { what: name.to_string(), why };
            let lines = BufReader::new(File::open(path).map_err(unreadable)?).lines();
            for (index, line) in lines.enumerate() {
                let line = line.map_err(unreadable)?;
                if line.trim().is_empty() {
                    continue;
                }
                match check(&line) {
                    Ok(()) => passed += 1,
                    Err(why) => {
                        failed += 1;
                        say(out, format_args!("{name}:{}: {why}", index + 1))?;
                    }
                }
            }
        }
        say(out, format_args!("{passed} passed, {failed} failed"))?;
        match (passed, failed) {
            (0, 0) => Err(Failure::Usage("there is no vector in what you named".to_owned())),
            (_, 0) => Ok(Verdict::Good),
            _ => Ok(Verdict::Bad),
        }
    }
}
