//! Checks test vectors: compares the claims of an independent implementation about a position with this one.
//! The format is in vectors/README.md, one JSON object a line.

use std::{collections::BTreeMap, fmt::Debug};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    BySide, CellName, DiceError, DiceSide, Die, Game, History, Position, Setup, SetupError, Turn,
    UnknownGame, Variant,
};

/// More ends of a turn than any line can claim.
const ENDS_LIMIT: usize = 1 << 20;
/// How many differences of one kind are listed.
const TOLD: usize = 3;

/// The reason that a test vector does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The line is not a vector.
    #[error("not a vector: {0}")]
    Malformed(String),
    /// The line is of no known game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The position is impossible.
    #[error("the position is impossible: {0}")]
    Position(#[from] SetupError),
    /// The dice are not a throw of the game.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// The line's claims differ from the rules.
    #[error("{}", .0.join("; "))]
    Differs(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    game: String,
    #[serde(default)]
    options: Map<String, Value>,
    position: WrittenPosition,
    dice: Option<Vec<u8>>,
    #[serde(default)]
    steps: Option<Vec<WrittenStep>>,
    dice_playable: Option<u8>,
    plays: Option<usize>,
    results: Option<Vec<WrittenSides>>,
    /// The rules that decide the position; for people.
    #[serde(default, rename = "tags")]
    _tags: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPosition {
    board: Option<String>,
    white: Option<WrittenSide>,
    black: Option<WrittenSide>,
    to_move: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSides {
    white: WrittenSide,
    black: WrittenSide,
}

/// [`DiceSide`], but refusing unknown fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSide {
    points: BTreeMap<CellName, u8>,
    #[serde(default)]
    supply: u8,
    #[serde(default)]
    bar: u8,
    off: u8,
    #[serde(default)]
    pinned: Vec<String>,
    #[serde(default)]
    exposed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    #[serde(skip_serializing_if = "Option::is_none")]
    die: Option<u8>,
    from: String,
    to: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    captures: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exits: Option<u32>,
}

impl From<WrittenSide> for DiceSide {
    fn from(WrittenSide { points, supply, bar, off, pinned, exposed }: WrittenSide) -> Self {
        Self { points, supply, bar, off, pinned, exposed }
    }
}

impl From<DiceSide> for WrittenSide {
    fn from(DiceSide { points, supply, bar, off, pinned, exposed }: DiceSide) -> Self {
        Self { points, supply, bar, off, pinned, exposed }
    }
}

/// Checks all claims of one line.
///
/// # Errors
///
/// The fault of the line, or the differences, in words.
pub fn check(line: &str) -> Result<(), VectorError> {
    let malformed = |why: &str| VectorError::Malformed(why.to_owned());
    let line: Line = serde_json::from_str(line).map_err(|error| VectorError::Malformed(error.to_string()))?;
    let game: Game = line.game.parse()?;
    let variant = variant(game, line.options)?;
    let setup = setup(game, line.position)?;
    let dice = line.dice.iter().flatten().map(|&value| {
        Die::new(value).ok_or_else(|| VectorError::Malformed(format!("a die does not show {value}")))
    });
    let dice = dice.collect::<Result<Vec<_>, _>>()?;

    let position = Position::from_setup(variant, &setup)?;
    let turn = position.turn(&dice)?;
    let mut differences = differing("steps", line.steps.unwrap_or_default(), steps(&position, &turn));
    match position {
        Position::Tafl(_) => {
            if line.dice_playable.is_some() || line.plays.is_some() || line.results.is_some() {
                return Err(malformed("a game without dice has no dice_playable, plays or results"));
            }
        }
        Position::Tables(_) => {
            let (Some(dice_playable), Some(plays)) = (line.dice_playable, line.plays) else {
                return Err(malformed("dice_playable and plays belong to a position of a dice game"));
            };
            if dice_playable != turn.dice_playable() {
                let found = turn.dice_playable();
                differences.push(format!("dice_playable: {dice_playable} claimed, {found} found"));
            }
            let ends = turn.ends(ENDS_LIMIT);
            let found = ends.positions.len();
            if plays != found || ends.truncated {
                let more = if ends.truncated { "more than " } else { "" };
                differences.push(format!("plays: {plays} claimed, {more}{found} found"));
            }
            if let Some(results) = line.results {
                let found = ends.positions.iter().filter_map(written_sides).collect();
                differences.extend(differing("results", results, found));
            }
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(VectorError::Differs(differences)) }
}

/// The game with these options, and the others at their defaults.
fn variant(game: Game, options: Map<String, Value>) -> Result<Variant, VectorError> {
    let malformed = |error: serde_json::Error| VectorError::Malformed(format!("options: {error}"));
    let standard = serde_json::to_value(Variant::standard(game)).map_err(malformed)?;
    let mut fields: Map<String, Value> = serde_json::from_value(standard).map_err(malformed)?;
    for (name, value) in options {
        match fields.get_mut(&name) {
            Some(field) if name != "game" => *field = value,
            _ => return Err(VectorError::Malformed(format!("{game} has no option \"{name}\""))),
        }
    }
    serde_json::from_value(Value::Object(fields)).map_err(malformed)
}

fn setup(game: Game, position: WrittenPosition) -> Result<Setup, VectorError> {
    let WrittenPosition { board, white, black, to_move } = position;
    let to_move = game
        .side_named(&to_move)
        .ok_or_else(|| VectorError::Malformed(format!("{game} has no side \"{to_move}\"")))?;
    match (board, white, black) {
        (Some(board), None, None) => Ok(Setup::Tafl { board, to_move }),
        (None, Some(white), Some(black)) => {
            let sides = BySide { white: white.into(), black: black.into() };
            Ok(Setup::Tables { sides, to_move })
        }
        _ => Err(VectorError::Malformed("a position is either a board, or white and black".to_owned())),
    }
}

/// The legal steps with all that a line claims about them.
fn steps(position: &Position, turn: &Turn) -> Vec<WrittenStep> {
    let history = History::start(position);
    let game = position.variant().game();
    turn.steps()
        .into_iter()
        .map(|step| {
            let mut written = WrittenStep {
                die: step.die.map(Die::value),
                from: step.from.clone(),
                to: step.to.clone(),
                captures: Vec::new(),
                wins: None,
                exits: None,
            };
            let mut turn = turn.clone();
            let played = turn.play(&step).expect("a listed step is legal");
            if let Position::Tafl(after) = turn.position() {
                let end = turn.end(&history).expect("a tafl turn is one move");
                written.captures = played.captures;
                written.wins = end
                    .outcome
                    .and_then(|outcome| outcome.winner)
                    .map(|side| game.side_name(side).to_owned());
                written.exits = end.call.map(|_| after.exits());
            }
            written
        })
        .collect()
}

fn written_sides(position: &Position) -> Option<WrittenSides> {
    match position.setup() {
        Setup::Tables { sides: BySide { white, black }, .. } => {
            Some(WrittenSides { white: white.into(), black: black.into() })
        }
        Setup::Tafl { .. } => None,
    }
}

/// The items that are in one list and not in the other, in the words of the file.
fn differing<T: Ord + Serialize + Debug>(name: &str, mut claimed: Vec<T>, mut found: Vec<T>) -> Vec<String> {
    claimed.sort();
    found.sort();
    let mut wrong = Vec::new();
    let mut right = found.into_iter().peekable();
    let mut missing = Vec::new();
    for claim in claimed {
        while let Some(other) = right.next_if(|other| *other < claim) {
            missing.push(other);
        }
        if right.next_if_eq(&claim).is_none() {
            wrong.push(claim);
        }
    }
    missing.extend(right);
    let tell = |what: &str, list: &[T]| {
        let mut told: Vec<_> = list.iter().take(TOLD).map(in_json).collect();
        if list.len() > TOLD {
            told.push(format!("{} more", list.len() - TOLD));
        }
        (!list.is_empty()).then(|| format!("{name}: {what} {}", told.join(", ")))
    };
    [tell("wrongly claimed", &wrong), tell("not claimed", &missing)].into_iter().flatten().collect()
}

fn in_json<T: Serialize + Debug>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| format!("{value:?}"))
}
