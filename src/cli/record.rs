//! `lusoria record`: converts records of matches between formats.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};

use super::{Failure, Verdict, printable, record_file};
use lusoria_records::to_text;

/// What to write.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum TargetFormat {
    /// Tag pairs and turns in notation (lusoria-text-1)
    Text,
    /// As GET /api/v1/matches/ID/record gives it (lusoria-record-1)
    Json,
}

/// What to convert, and where to write it.
#[derive(Debug, Args)]
pub(super) struct Record {
    /// A record as JSON or as text; - is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The format to write
    #[arg(long)]
    to: TargetFormat,

    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Record {
    /// Writes the record in the requested format, or nothing if that fails.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let name = self.file.display();
        let refused = |why: String| {
            eprintln!("lusoria: {name}: {}", printable(&why));
            Ok(Verdict::Bad)
        };
        let record = match record_file::read(&self.file)?.record() {
            Ok(record) => record,
            Err(why) => return refused(why.to_string()),
        };
        let written = match self.to {
            TargetFormat::Json => serde_json::to_string(&record).expect("wire types are plain data") + "\n",
            TargetFormat::Text => match to_text(&record) {
                Ok(text) => text,
                Err(why) => return refused(format!("this record cannot be written as text: {why}")),
            },
        };
        let failed = |what: String| move |why: io::Error| Failure::Io { what, why };
        match &self.output {
            Some(path) => fs::write(path, written).map_err(failed(path.display().to_string()))?,
            None => out.write_all(written.as_bytes()).map_err(failed("standard output".to_owned()))?,
        }
        Ok(Verdict::Good)
    }
}
