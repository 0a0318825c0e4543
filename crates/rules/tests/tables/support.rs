//! Short notations for positions, dice and steps.

use lusoria_rules::{
    BySide, DiceSide, Die, Game, Setup, SetupError, Side, Step, Variant,
    tables::{Position, Rules, Turn},
};

pub(crate) const GAMES: [Game; 4] = [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula];

pub(crate) fn rules(game: Game) -> &'static Rules {
    of(Variant::standard(game))
}

pub(crate) fn of(variant: Variant) -> &'static Rules {
    Rules::of(variant).expect("a dice game")
}

pub(crate) fn dice(values: &[u8]) -> Vec<Die> {
    values.iter().map(|&value| Die::new(value).expect("1 to 6")).collect()
}

/// `"24*13 5 supply*2 off*1 ^15 exposed"`: pieces by place, `*` with their number, `^` a pinned cell.
pub(crate) fn side(text: &str) -> DiceSide {
    let mut side = DiceSide::default();
    for word in text.split_whitespace() {
        let (place, count) = word.split_once('*').unwrap_or((word, "1"));
        let count: u8 = count.parse().unwrap();
        match place {
            "supply" => side.supply = count,
            "bar" => side.bar = count,
            "off" => side.off = count,
            "exposed" => side.exposed = true,
            _ => match place.strip_prefix('^') {
                Some(cell) => side.pinned.push(cell.to_owned()),
                None => {
                    side.points.insert(place.to_owned().into(), count);
                }
            },
        }
    }
    side
}

pub(crate) fn try_set(
    rules: &'static Rules,
    white: &str,
    black: &str,
    to_move: Side,
) -> Result<Position, SetupError> {
    Position::from_setup(rules, &BySide { white: side(white), black: side(black) }, to_move)
}

pub(crate) fn set(rules: &'static Rules, white: &str, black: &str) -> Position {
    try_set(rules, white, black, Side::White).unwrap_or_else(|error| panic!("{white} / {black}: {error}"))
}

pub(crate) fn turn(position: Position, values: &[u8]) -> Turn {
    Turn::new(position, &dice(values)).unwrap()
}

pub(crate) fn step(die: u8, from: &str, to: &str) -> Step {
    Step { die: Die::new(die), from: from.to_owned(), to: to.to_owned() }
}

/// `["2 24/22", …]`.
pub(crate) fn listed(turn: &Turn) -> Vec<String> {
    turn.steps().iter().map(|step| format!("{} {}/{}", step.die.unwrap(), step.from, step.to)).collect()
}

pub(crate) fn sides(position: &Position) -> BySide<DiceSide> {
    match position.setup() {
        Setup::Tables { sides, .. } => sides,
        Setup::Tafl { .. } => unreachable!("a dice game"),
    }
}
