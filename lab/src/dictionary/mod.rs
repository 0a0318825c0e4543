//! `lusoria-lab dictionary`: learns what the journals of matches have in common: a dictionary with which the store packs them.

mod journals;

use std::{fs::File, io::Write, path::PathBuf};

use clap::{Args, value_parser};
use lusoria_rules::Game;
use lusoria_store::{
    Card,
    sqlite::dictionary::{PRESENT, packed_len, text_of_card, text_of_journal},
};

use self::journals::play;
use super::{Failure, Verdict, say};

/// The length of the dictionary, in bytes.
const BYTES: usize = 16 << 10;

/// The most matches of each game to learn from: all their journals are in memory, 100 KB each.
const MATCHES_MAX: u64 = 2_000;

/// Trains a dictionary for journals with matches of every game, writes it to a new file, and prints how well
/// it packs others, compared with the present one and with none.
#[derive(Debug, Args)]
pub(super) struct Dictionary {
    /// The new file; one that is there is never overwritten
    to: PathBuf,

    /// Matches of each game to learn from; a quarter as many are packed to compare
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = value_parser!(u64).range(1..=MATCHES_MAX))]
    matches: u64,

    /// The seed of the matches: the same seed gives the same dictionary
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Dictionary {
    /// Trains it, and writes it.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        train(self, out).map(|()| Verdict::Good)
    }
}

fn train(options: &Dictionary, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |why: std::io::Error| Failure::Io { what: options.to.display().to_string(), why };
    // Before the work, and not only when the file is created.
    if options.to.exists() {
        return Err(Failure::Usage(format!("{}: it exists already", options.to.display())));
    }
    let mut samples = Vec::new();
    for game in Game::ALL {
        for number in 0..options.matches {
            samples.extend(texts(game, number, options.seed)?);
        }
        eprintln!("{}: {} matches", game.id(), options.matches);
    }
    let dictionary = zstd::dict::from_samples(&samples, BYTES).map_err(failed)?;
    let mut file = File::create_new(&options.to).map_err(failed)?;
    file.write_all(&dictionary).and_then(|()| file.sync_all()).map_err(failed)?;
    say(out, format_args!("{}: {} bytes", options.to.display(), dictionary.len()))?;
    say(out, "bytes of a match, packed    text    none  present     new")?;
    for game in Game::ALL {
        let others = options.matches..options.matches + options.matches.div_ceil(4);
        let (mut count, mut sums) = (0, [0; 4]);
        for number in others {
            let [journal, _] = texts(game, number, options.seed)?;
            let packed =
                |dictionary| packed_len(&journal, dictionary).map_err(|why| Failure::Usage(why.to_string()));
            let lengths = [journal.len(), packed(&[])?, packed(PRESENT)?, packed(&dictionary)?];
            sums = std::array::from_fn(|n| sums[n] + lengths[n]);
            count += 1;
        }
        let [text, none, present, new] = sums.map(|sum| sum as f64 / f64::from(count));
        let name = game.id();
        say(out, format_args!("{name:<23} {text:>8.0} {none:>7.0} {present:>8.0} {new:>7.0}"))?;
    }
    Ok(())
}

/// The packed parts of a match: its journal and its card.
fn texts(game: Game, number: u64, seed: u64) -> Result<[String; 2], Failure> {
    let played = play(game, number, seed);
    let journal = text_of_journal(&played.journal).map_err(|why| Failure::Usage(why.to_string()))?;
    Ok([journal, text_of_card(&Card::of(&played.state))])
}
