//! Computes the chances of a game's last pieces, and writes the table that the server embeds
//! (docs/training.md, "Endings").

mod solve;

use std::{fs, path::Path, process::ExitCode, time::Instant};

use clap::Parser;
use lusoria_rules::{Game, Variant, tables::Rules};
use lusoria_search::endings::{Endings, LastPieces};

use self::solve::Positions;

/// Computes the chances of all positions with at most two pieces a side.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask endings")]
struct Options {
    /// `zeno`, `scripta` or `tabula`; in `tavla` the last pieces cannot meet
    game: Game,
}

fn main() -> ExitCode {
    let game = Options::parse().game;
    let rules = Rules::of(Variant::standard(game));
    let Some((rules, pieces)) = rules.and_then(|rules| Some((rules, LastPieces::of(rules)?))) else {
        eprintln!("the last pieces of {game} cannot meet any more");
        return ExitCode::FAILURE;
    };
    let began = Instant::now();
    let positions = Positions::of(rules, pieces);
    println!("{game}: {} positions, {:.0} s", positions.count(), began.elapsed().as_secs_f64());
    let wins = positions.solve(|round, change| {
        println!("round {round}: at most {change:.1e} changed, {:.0} s", began.elapsed().as_secs_f64());
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/search/weights/{game}.endings"));
    if let Err(why) = fs::write(&path, Endings::new(pieces, wins).packed()) {
        eprintln!("{}: {why}", path.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
