//! `lusoria-lab endings`: computes the chances of a game's last pieces, and writes the table that the server embeds
//! (docs/training.md, "Endings").

mod solve;

use std::{fs, io::Write, path::Path, time::Instant};

use clap::Args;
use lusoria_rules::{Game, Variant, tables::Rules};
use lusoria_search::endings::{Endings, LastPieces};

use self::solve::Positions;
use super::{Failure, Verdict, say};

/// Computes the chances of all positions with at most two pieces a side.
#[derive(Debug, Args)]
pub(super) struct EndingsOf {
    /// `zeno`, `scripta` or `tabula`; in `tavla` the last pieces cannot meet
    game: Game,
}

impl EndingsOf {
    /// Computes the chances, and writes them where the server embeds them from.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let game = self.game;
        let rules = Rules::of(Variant::standard(game));
        let Some((rules, pieces)) = rules.and_then(|rules| Some((rules, LastPieces::of(rules)?))) else {
            return Err(Failure::Usage(format!("the last pieces of {game} cannot meet any more")));
        };
        let began = Instant::now();
        let positions = Positions::of(rules, pieces);
        let seconds = || began.elapsed().as_secs_f64();
        say(out, format_args!("{game}: {} positions, {:.0} s", positions.count(), seconds()))?;
        let wins = positions.solve(|round, change| {
            eprintln!("round {round}: at most {change:.1e} changed, {:.0} s", seconds());
        });
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/search/weights/{game}.endings"));
        fs::write(&path, Endings::new(pieces, wins).packed())
            .map_err(|why| Failure::Io { what: path.display().to_string(), why })?;
        Ok(Verdict::Good)
    }
}
