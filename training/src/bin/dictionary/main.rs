//! Learns what the journals of matches have in common: a dictionary with which the store packs them.

#![allow(clippy::cast_precision_loss, reason = "lengths of texts are small")]

mod journals;

use std::{fs::File, io::Write, path::PathBuf, process::ExitCode};

use clap::{Parser, value_parser};
use lusoria_rules::Game;
use lusoria_store::{
    Card,
    sqlite::dictionary::{PRESENT, packed_len, text_of_card, text_of_journal},
};

use journals::play;

/// The length of the dictionary, in bytes.
const BYTES: usize = 16 << 10;

/// The most matches of each game to learn from: all their journals are in memory, 100 KB each.
const MATCHES_MAX: u64 = 2_000;

/// Trains a dictionary for journals with matches of every game, writes it to a new file, and prints how well
/// it packs others, compared with the present one and with none.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask dictionary")]
struct Options {
    /// The new file; one that is there is never overwritten
    to: PathBuf,

    /// Matches of each game to learn from; a quarter as many are packed to compare
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = value_parser!(u64).range(1..=MATCHES_MAX))]
    matches: u64,

    /// The seed of the matches: the same seed gives the same dictionary
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match train(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn train(options: &Options) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{}: {why}", options.to.display());
    // Before the work, and not only when the file is created.
    if options.to.exists() {
        return Err(format!("{}: it exists already", options.to.display()));
    }
    let mut samples = Vec::new();
    for game in Game::ALL {
        for number in 0..options.matches {
            samples.extend(texts(game, number, options.seed)?);
        }
        eprintln!("{}: {} matches", game.id(), options.matches);
    }
    let dictionary = zstd::dict::from_samples(&samples, BYTES).map_err(|why| format!("training: {why}"))?;
    let mut file = File::create_new(&options.to).map_err(failed)?;
    file.write_all(&dictionary).and_then(|()| file.sync_all()).map_err(failed)?;
    println!("{}: {} bytes", options.to.display(), dictionary.len());
    println!("bytes of a match, packed    text    none  present     new");
    for game in Game::ALL {
        let others = options.matches..options.matches + options.matches.div_ceil(4);
        let (mut count, mut sums) = (0, [0; 4]);
        for number in others {
            let [journal, _] = texts(game, number, options.seed)?;
            let packed = |dictionary| packed_len(&journal, dictionary).map_err(|why| why.to_string());
            let lengths = [journal.len(), packed(&[])?, packed(PRESENT)?, packed(&dictionary)?];
            sums = std::array::from_fn(|n| sums[n] + lengths[n]);
            count += 1;
        }
        let [text, none, present, new] = sums.map(|sum| sum as f64 / f64::from(count));
        println!("{:<23} {text:>8.0} {none:>7.0} {present:>8.0} {new:>7.0}", game.id());
    }
    Ok(())
}

/// The packed parts of a match: its journal and its card.
fn texts(game: Game, number: u64, seed: u64) -> Result<[String; 2], String> {
    let played = play(game, number, seed);
    let journal = text_of_journal(&played.journal).map_err(|why| why.to_string())?;
    Ok([journal, text_of_card(&Card::of(&played.state))])
}
