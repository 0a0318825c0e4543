//! A naive implementation of the dice games, straight from the text of rules/: one piece, one die, no
//! shortcut. Slow, and independent of the engine that it is compared with.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lusoria_rules::{BySide, DiceSide, Die, Game, Position, Shift, Side, Step, Variant};

use super::board::{across, path, sides};

/// The board during a turn, as the mover sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    variant: Variant,
    own: Pieces,
    enemy: Pieces,
    /// The dice left, the lowest first.
    dice: Vec<u8>,
    /// Zeno: whether a value of the throw could enter when it was thrown (zeno 2).
    throw_enters: bool,
    /// Scripta: whether the turn must still enter a piece (scripta 2).
    owes_entry: bool,
}

/// A side's pieces, by the index of the cell on its own path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Pieces {
    cells: BTreeMap<usize, u8>,
    middle: BTreeMap<usize, u8>,
    pinned: BTreeSet<usize>,
    supply: u8,
    bar: u8,
    off: u8,
    exposed: bool,
}

/// There are too many states to search.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Board {
    pub(crate) fn new(position: &Position, roll: &[Die]) -> Self {
        let variant = position.variant();
        let BySide { white, black } = sides(position);
        let (own, enemy) = match position.to_move() {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        let game = variant.game();
        let (own, enemy) = (Pieces::read(game, &own), Pieces::read(game, &enemy));
        let owes_entry = game == Game::Scripta && own.supply + own.bar > 0;
        let mut board =
            Self { variant, own, enemy, dice: dice_to_play(game, roll), throw_enters: false, owes_entry };
        board.throw_enters = board.dice.iter().any(|&die| !board.is_blocked(usize::from(die) - 1));
        board
    }

    /// The mover's pieces and the other side's.
    pub(crate) fn pieces(&self) -> (Pieces, Pieces) {
        (self.own.clone(), self.enemy.clone())
    }

    /// The legal next steps with the board after each; none if the turn is complete.
    pub(crate) fn steps(&self, known: &mut Known) -> Result<Vec<(Step, Self)>, TooMany> {
        let Some(most @ 1..) = known.most(self)? else { return Ok(Vec::new()) };
        let mut steps = Vec::new();
        for (step, after) in self.singles() {
            if known.most(&after)?.is_some_and(|rest| rest + 1 == most) {
                steps.push((step, after));
            }
        }
        steps.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(steps)
    }

    /// How many dice must be played from here.
    pub(crate) fn playable(&self, known: &mut Known) -> Result<usize, TooMany> {
        Ok(known.most(self)?.unwrap_or(0))
    }

    /// All boards in which the turn can end.
    pub(crate) fn ends(&self, known: &mut Known) -> Result<HashSet<(Pieces, Pieces)>, TooMany> {
        let mut ends = HashSet::new();
        let (mut waiting, mut seen) = (vec![self.clone()], HashSet::new());
        while let Some(board) = waiting.pop() {
            if !seen.insert(board.clone()) {
                continue;
            }
            if seen.len() > known.states_max {
                return Err(TooMany);
            }
            let steps = board.steps(known)?;
            if steps.is_empty() {
                ends.insert(board.pieces());
            }
            waiting.extend(steps.into_iter().map(|(_, after)| after));
        }
        Ok(ends)
    }

    /// Every die with every piece that it can move, ignoring compulsion.
    fn singles(&self) -> Vec<(Step, Self)> {
        if self.own.off == 15 {
            return Vec::new();
        }
        let mut singles = Vec::new();
        for die in self.dice.iter().copied().collect::<BTreeSet<u8>>() {
            for (from, to) in self.ways(usize::from(die)) {
                let step = Step { die: Die::new(die), from: self.name(from), to: self.name(to) };
                singles.push((step, self.after(die, from, to)));
            }
        }
        singles
    }

    fn ways(&self, die: usize) -> Vec<(Place, Place)> {
        let own = &self.own;
        let to_cell = |from, index| (!self.is_blocked(index)).then_some((from, Place::Cell(index)));
        let enters = |from| to_cell(from, die - 1).into_iter().collect::<Vec<_>>();
        if own.bar > 0 {
            return enters(Place::Bar);
        }
        if !own.middle.is_empty() {
            return own
                .middle
                .keys()
                .filter_map(|&middle| to_cell(Place::Middle(middle), middle + die - 1))
                .collect();
        }
        // The last cell that pieces may reach while some wait in the supply.
        let mut last = self.length() - 1;
        let mut ways = Vec::new();
        if own.supply > 0 {
            match self.variant {
                Variant::Zeno { shift } => {
                    let shifts = match shift {
                        Shift::Throw => !self.throw_enters,
                        Shift::Die => self.is_blocked(die - 1),
                    };
                    if !shifts {
                        return enters(Place::Supply);
                    }
                    last = 5;
                }
                Variant::Scripta { row_a_gate: true } => {
                    ways = enters(Place::Supply);
                    last = 11;
                }
                Variant::Scripta { row_a_gate: false } | Variant::Tabula => ways = enters(Place::Supply),
                Variant::Tavla { .. } | Variant::Tablut { .. } => {}
            }
        }
        for &from in own.cells.keys().filter(|&from| !own.pinned.contains(from)) {
            let to = from + die;
            if to <= last {
                ways.extend(to_cell(Place::Cell(from), to));
            } else if to >= self.length() && self.bears_off(from, to) {
                ways.push((Place::Cell(from), Place::Off));
            }
        }
        ways
    }

    fn bears_off(&self, from: usize, to: usize) -> bool {
        let own = &self.own;
        let home = self.length() - 6;
        let all_home = own.supply + own.bar == 0
            && own.middle.is_empty()
            && own.pinned.is_empty()
            && own.cells.keys().all(|&index| index >= home);
        all_home && (to == self.length() || own.cells.keys().all(|&index| index >= from))
    }

    fn is_blocked(&self, index: usize) -> bool {
        let above = across(self.variant.game(), index);
        match (self.enemy.cells.get(&above).copied().unwrap_or_default(), self.variant.game()) {
            (1, Game::Zeno) => index < 6 && !self.enemy.exposed,
            (1, Game::Tavla) => self.own.pinned.contains(&index),
            (count, _) => count >= 2,
        }
    }

    fn after(&self, die: u8, from: Place, to: Place) -> Self {
        let mut after = self.clone();
        let played = after.dice.iter().position(|&left| left == die).expect("the die is left");
        after.dice.remove(played);
        let game = self.variant.game();
        match from {
            Place::Supply => after.own.supply -= 1,
            Place::Bar => after.own.bar -= 1,
            Place::Middle(middle) => take(&mut after.own.middle, middle),
            Place::Cell(index) => {
                take(&mut after.own.cells, index);
                if !after.own.cells.contains_key(&index) {
                    after.enemy.pinned.remove(&across(game, index));
                }
            }
            Place::Off => unreachable!("nothing comes back"),
        }
        after.owes_entry &= !matches!(from, Place::Supply | Place::Bar);
        let Place::Cell(index) = to else {
            after.own.off += 1;
            return after;
        };
        let hit = across(game, index);
        if after.enemy.cells.contains_key(&hit) && !self.own.cells.contains_key(&index) {
            match game {
                Game::Tavla => drop(after.enemy.pinned.insert(hit)),
                Game::Zeno => {
                    take(&mut after.enemy.cells, hit);
                    *after.enemy.middle.entry(hit.min(23 - hit)).or_default() += 1;
                }
                Game::Scripta | Game::Tabula | Game::Tablut => {
                    take(&mut after.enemy.cells, hit);
                    after.enemy.bar += 1;
                }
            }
        }
        *after.own.cells.entry(index).or_default() += 1;
        after.own.exposed |= game == Game::Zeno && after.own.supply == 0 && index >= 6;
        after
    }

    fn length(&self) -> usize {
        if self.variant.game() == Game::Scripta { 36 } else { 24 }
    }

    fn name(&self, place: Place) -> String {
        match place {
            Place::Supply => "supply".to_owned(),
            Place::Bar => "bar".to_owned(),
            Place::Off => "off".to_owned(),
            Place::Middle(middle) => format!("m{}", middle + 1),
            Place::Cell(index) => path(self.variant.game())[index].clone(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Supply,
    Bar,
    Middle(usize),
    Cell(usize),
    Off,
}

fn take(cells: &mut BTreeMap<usize, u8>, index: usize) {
    let count = cells.get_mut(&index).expect("a piece stands there");
    *count -= 1;
    if *count == 0 {
        cells.remove(&index);
    }
}

/// Each value once; two alike four times, with a third die once; three alike as the game says.
fn dice_to_play(game: Game, roll: &[Die]) -> Vec<u8> {
    let mut dice = Vec::new();
    for value in Die::ALL {
        let times = match roll.iter().filter(|&&die| die == value).count() {
            0 => 0,
            1 => 1,
            2 => 4,
            _ if game == Game::Zeno => 12,
            _ => 6,
        };
        dice.extend(std::iter::repeat_n(value.value(), times));
    }
    dice
}

impl Pieces {
    pub(crate) fn read(game: Game, written: &DiceSide) -> Self {
        let path = path(game);
        let index = |name: &String| path.iter().position(|cell| cell == name);
        let mut pieces = Self {
            pinned: written.pinned.iter().filter_map(index).collect(),
            supply: written.supply,
            bar: written.bar,
            off: written.off,
            exposed: written.exposed,
            ..Self::default()
        };
        for (name, &count) in &written.points {
            let name = &name.to_string();
            match (index(name), name.strip_prefix('m').and_then(|number| number.parse::<usize>().ok())) {
                (Some(index), _) => drop(pieces.cells.insert(index, count)),
                (None, Some(number)) => drop(pieces.middle.insert(number - 1, count)),
                (None, None) => unreachable!("a written position names the game's cells"),
            }
        }
        pieces
    }
}

/// Memo of the boards seen so far.
#[derive(Debug)]
pub(crate) struct Known {
    /// How many dice they can play; none where an owed piece never enters.
    most: HashMap<Board, Option<usize>>,
    /// The most states that are searched.
    states_max: usize,
}

impl Known {
    pub(crate) fn new(states_max: usize) -> Self {
        Self { most: HashMap::new(), states_max }
    }

    fn most(&mut self, board: &Board) -> Result<Option<usize>, TooMany> {
        if board.own.off == 15 {
            return Ok(Some(board.dice.len()));
        }
        if let Some(&most) = self.most.get(board) {
            return Ok(most);
        }
        if self.most.len() > self.states_max {
            return Err(TooMany);
        }
        let mut most = if board.owes_entry { None } else { Some(0) };
        for (_, after) in board.singles() {
            most = most.max(self.most(&after)?.map(|rest| rest + 1));
        }
        self.most.insert(board.clone(), most);
        Ok(most)
    }
}
