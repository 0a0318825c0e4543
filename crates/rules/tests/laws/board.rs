//! Positions of dice games, built from bytes so that most of them are possible.

use std::{collections::BTreeMap, sync::LazyLock};

use lusoria_rules::{BySide, CellName, DiceSide, Die, Game, Position, Setup, Side, Step, Turn, Variant};

use super::bytes::Bytes;

/// Pieces of a side.
const PIECES: u8 = 15;

/// Every game with every option: those with dice, or those without.
pub(crate) fn variants(with_dice: bool) -> Vec<Variant> {
    Variant::ALL.iter().copied().filter(|variant| (variant.game().dice() > 0) == with_dice).collect()
}

/// A variant with dice.
pub(crate) fn dice_variant(bytes: &mut Bytes<'_>) -> Variant {
    *bytes.one_of(&variants(true))
}

/// The names of a game's places.
#[derive(Debug)]
struct Names {
    /// The path's cells in the order of travel.
    path: Vec<String>,
    /// Everything that can be named in a step, the path first.
    places: Vec<String>,
}

static NAMES: LazyLock<[Names; 5]> = LazyLock::new(|| {
    let numbers = || (1..=24).map(|cell| cell.to_string());
    let table = |letter: char, length: u8| (1..=length).map(move |cell| format!("{letter}{cell}"));
    let middle = (1..=12).map(|cell| format!("m{cell}"));
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let names = |path: Vec<String>, others: Vec<String>| {
        let places = path.iter().cloned().chain(others).collect();
        Names { path, places }
    };
    let forth = table('A', 12).chain(table('B', 6)).chain(table('C', 6)).chain(table('D', 6));
    [
        names(numbers().collect(), middle.chain(words(&["supply", "off"])).collect()),
        names(numbers().rev().collect(), words(&["off"])),
        names(forth.chain(table('E', 6).rev()).collect(), words(&["supply", "bar", "off"])),
        names(numbers().collect(), words(&["supply", "bar", "off"])),
        names(Vec::new(), ('a'..='i').flat_map(|file| table(file, 9)).collect()),
    ]
});

/// The path's cells in the order of travel.
pub(crate) fn path(game: Game) -> &'static [String] {
    &names(game).path
}

/// Every name that a step of the game can contain, the path's cells first.
pub(crate) fn places(game: Game) -> &'static [String] {
    &names(game).places
}

fn names(game: Game) -> &'static Names {
    &NAMES[game as usize]
}

/// The index on the other side's path of the cell with `index` on one's own.
pub(crate) fn across(game: Game, index: usize) -> usize {
    match game {
        Game::Tavla | Game::Tabula => 23 - index,
        Game::Zeno | Game::Scripta | Game::Tablut => index,
    }
}

/// A throw of the game.
pub(crate) fn dice(bytes: &mut Bytes<'_>, game: Game) -> Vec<Die> {
    let first = *bytes.one_of(&Die::ALL);
    // Doubles and triples are rare, and worth testing more often.
    let alike = bytes.once_in(3);
    (0..game.dice()).map(|at| if at == 0 || alike { first } else { *bytes.one_of(&Die::ALL) }).collect()
}

/// A possible position of that variant, if the bytes give one.
pub(crate) fn position(bytes: &mut Bytes<'_>, variant: Variant) -> Option<Position> {
    Position::from_setup(variant, &setup(bytes, variant)).ok()
}

/// A position in written form, which may be impossible.
pub(crate) fn setup(bytes: &mut Bytes<'_>, variant: Variant) -> Setup {
    let game = variant.game();
    let to_move = if bytes.once_in(2) { Side::Black } else { Side::White };
    let mut halves = BySide { white: Half::default(), black: Half::default() };
    for side in Side::BOTH {
        // The fewer cells, the more blocks and stacks.
        let crowd = 1 + bytes.below(path(game).len());
        for _ in 0..bytes.below(16) {
            let enemy = halves.get(side.other()).clone();
            halves.get_mut(side).put(bytes, game, crowd, &enemy);
        }
    }
    for side in Side::BOTH {
        let enemy = halves.get(side.other()).clone();
        halves.get_mut(side).complete(bytes, game, &enemy);
    }
    Setup::Tables {
        sides: BySide { white: halves.white.written(game), black: halves.black.written(game) },
        to_move,
    }
}

/// One side under construction.
#[derive(Debug, Clone, Default)]
struct Half {
    cells: BTreeMap<usize, u8>,
    middle: BTreeMap<usize, u8>,
    pinned: Vec<usize>,
    supply: u8,
    bar: u8,
    off: u8,
    exposed: bool,
}

impl Half {
    fn total(&self) -> u8 {
        let cells: u8 = self.cells.values().chain(self.middle.values()).sum();
        cells + self.supply + self.bar + self.off
    }

    fn holds(&self, index: usize) -> bool {
        self.cells.contains_key(&index)
    }

    /// Puts a few pieces somewhere.
    fn put(&mut self, bytes: &mut Bytes<'_>, game: Game, crowd: usize, enemy: &Self) {
        let (kind, at) = (bytes.byte(), usize::from(bytes.byte()));
        let count = (1 + kind / 64).min(PIECES - self.total());
        let length = path(game).len();
        if count == 0 {
            return;
        }
        match (kind % 16, game) {
            (0, Game::Zeno) => *self.middle.entry(at % 12).or_default() += count,
            (0, Game::Scripta | Game::Tabula) => self.bar += count,
            (1, Game::Zeno | Game::Scripta | Game::Tabula) => self.supply += count,
            (2, _) => self.off += count,
            _ => {
                // Half of the crowd is at home.
                let index = if at % 2 == 0 { at / 2 % crowd } else { length - 1 - at / 2 % crowd };
                let below = across(game, index);
                if !enemy.holds(below) {
                    *self.cells.entry(index).or_default() += count;
                } else if game == Game::Tavla && !self.holds(index) && !enemy.pinned.contains(&below) {
                    self.cells.insert(index, 1);
                    self.pinned.push(index);
                }
            }
        }
    }

    /// Puts the rest where it is least likely to be impossible.
    fn complete(&mut self, bytes: &mut Bytes<'_>, game: Game, enemy: &Self) {
        let home = path(game).len() - 6;
        let outside = self.cells.keys().any(|&index| index < home);
        let free = |index: &usize| !enemy.holds(across(game, *index)) && !self.pinned.contains(index);
        let start = (0..home + 6).find(free);
        let left = PIECES - self.total();
        match game {
            Game::Tavla if self.off > 0 && outside => {
                let off = std::mem::take(&mut self.off);
                *self.cells.entry(start.unwrap_or_default()).or_default() += left + off;
            }
            Game::Tavla if outside => *self.cells.entry(start.unwrap_or_default()).or_default() += left,
            Game::Tavla | Game::Tablut => self.off += left,
            Game::Zeno | Game::Scripta | Game::Tabula => {
                let reach = if game == Game::Zeno { 6 } else { 12 };
                let advanced = game != Game::Tabula && self.cells.keys().any(|&index| index >= reach);
                if self.off > 0 || advanced || bytes.once_in(3) {
                    self.off += left + std::mem::take(&mut self.supply);
                } else {
                    self.supply += left;
                }
                self.exposed =
                    game == Game::Zeno && self.supply == 0 && (advanced || self.off > 0 || bytes.once_in(2));
            }
        }
        if self.cells.values().all(|&count| count == 0) {
            self.cells.clear();
        }
    }

    fn written(&self, game: Game) -> DiceSide {
        let path = path(game);
        let mut points: BTreeMap<CellName, u8> =
            self.cells.iter().map(|(&index, &count)| (path[index].clone().into(), count)).collect();
        points.extend(self.middle.iter().map(|(cell, &count)| (format!("m{}", cell + 1).into(), count)));
        points.retain(|_, count| *count > 0);
        let mut pinned = self.pinned.clone();
        pinned.sort_unstable();
        DiceSide {
            points,
            supply: self.supply,
            bar: self.bar,
            off: self.off,
            pinned: pinned.into_iter().map(|index| path[index].clone()).collect(),
            exposed: self.exposed,
        }
    }
}

/// The sides of a position of a dice game.
pub(crate) fn sides(position: &Position) -> BySide<DiceSide> {
    match position.setup() {
        Setup::Tables { sides, .. } => sides,
        Setup::Tafl { .. } => unreachable!("a dice game"),
    }
}

/// All pieces of a side, wherever they are.
pub(crate) fn pieces(side: &DiceSide) -> u32 {
    let places = [side.supply, side.bar, side.off];
    side.points.values().copied().chain(places).map(u32::from).sum()
}

/// Plays a legal step of the bytes' choice; none if the turn is complete.
pub(crate) fn play_any(turn: &mut Turn, bytes: &mut Bytes<'_>) -> Option<Step> {
    let steps = turn.steps();
    if steps.is_empty() {
        return None;
    }
    let step = bytes.one_of(&steps).clone();
    turn.play(&step).expect("a listed step is legal");
    Some(step)
}
