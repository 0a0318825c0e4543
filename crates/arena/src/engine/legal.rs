//! The legal turns, for engines that do not know the rules.

use lusoria_protocol::Position as WirePosition;
use lusoria_rules::{Position, Step, Turn, tables};
use serde::Serialize;

use lusoria_wire as wire;

/// The beam width for a turn that has more ends than are listed.
const WIDTH: usize = 64;

/// A whole turn.
#[derive(Debug, Serialize)]
pub(super) struct LegalTurn {
    steps: Vec<Step>,
    notation: String,
    /// The position after it, with the other side to move.
    position: WirePosition,
}

/// Whole turns that end in different positions.
pub(super) struct LegalTurns {
    pub(super) turns: Vec<LegalTurn>,
    /// Whether there are more.
    pub(super) truncated: bool,
}

/// The legal turns, at most `most`. If there are more, those that bear off most and leave the fewest pips and
/// blots, as far as they are found quickly.
pub(super) fn legal_turns(turn: &Turn, most: usize) -> LegalTurns {
    match turn {
        Turn::Tables(tables) => {
            let ends = tables.ends(most);
            let positions = if ends.truncated { promising(tables, most) } else { ends.positions };
            let ways = positions.iter().map(|end| tables.way_to(end).expect("there is a way to every end"));
            LegalTurns { turns: ways.map(|way| told(turn, &way)).collect(), truncated: ends.truncated }
        }
        Turn::Tafl(tafl) => {
            let moves = tafl.steps();
            let turns = moves.iter().take(most).map(|step| told(turn, std::slice::from_ref(step))).collect();
            LegalTurns { turns, truncated: moves.len() > most }
        }
    }
}

fn promising(turn: &tables::Turn, most: usize) -> Vec<tables::Position> {
    let mover = turn.position().to_move();
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 · 37 pips")]
    let merit = |end: &tables::Position| {
        let blots = (end.occupied(mover) & !end.held(mover)).count_ones();
        f32::from(end.off(mover)) * 1_000.0 - end.pips(mover) as f32 - blots as f32 / 100.0
    };
    let mut ends = turn.ends_guided(WIDTH, merit);
    ends.sort_by(|a, b| merit(b).total_cmp(&merit(a)));
    ends.truncate(most);
    ends
}

fn told(turn: &Turn, way: &[Step]) -> LegalTurn {
    let mut turn = turn.clone();
    for step in way {
        turn.play(step).expect("the way is legal");
    }
    let after: Position = turn.position();
    let after = after.with_to_move(after.to_move().other());
    LegalTurn {
        steps: way.to_vec(),
        notation: turn.write(),
        position: wire::position(&after.setup(), after.variant().game()),
    }
}
