//! The squares of a tafl board as bits of one number.

/// A set of cells: bit `rank * size + file`, both from 0, so that a1 is bit 0.
pub type Cells = u128;

/// The four directions in which pieces move and capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the highest rank.
    North,
    /// Towards the last file.
    East,
    /// Towards rank 1.
    South,
    /// Towards file a.
    West,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

/// A square board with an odd number of cells a side, 5 to 11.
#[derive(Debug)]
pub struct Board {
    size: u32,
    /// Every cell.
    pub(super) all: Cells,
    /// The cells on the rim.
    pub(super) edge: Cells,
    /// The cell in the middle.
    pub(super) throne: Cells,
    west: Cells,
    east: Cells,
}

impl Board {
    pub(super) const fn new(size: u32) -> Self {
        assert!(size >= 5 && size <= 11 && size % 2 == 1, "a tafl board has a centre and fits in 128 bits");
        let all = (1 << (size * size)) - 1;
        let south = (1 << size) - 1;
        let north = south << (size * (size - 1));
        let mut west = 0;
        let mut rank = 0;
        while rank < size {
            west |= 1 << (rank * size);
            rank += 1;
        }
        let east = west << (size - 1);
        let edge = north | south | west | east;
        Self { size, all, edge, throne: 1 << (size * size / 2), west, east }
    }

    /// The number of files, and of ranks.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Every cell.
    pub const fn all(&self) -> Cells {
        self.all
    }

    /// The cells on the rim.
    pub const fn edge(&self) -> Cells {
        self.edge
    }

    /// The cell in the middle.
    pub const fn throne(&self) -> Cells {
        self.throne
    }

    /// Every cell of the set moved by one; cells that leave the board are dropped.
    #[inline]
    pub const fn shift(&self, cells: Cells, direction: Direction) -> Cells {
        match direction {
            Direction::North => (cells << self.size) & self.all,
            Direction::East => (cells & !self.east) << 1,
            Direction::South => cells >> self.size,
            Direction::West => (cells & !self.west) >> 1,
        }
    }

    /// The cells next to any of the set.
    #[inline]
    pub const fn neighbours(&self, cells: Cells) -> Cells {
        self.shift(cells, Direction::North)
            | self.shift(cells, Direction::East)
            | self.shift(cells, Direction::South)
            | self.shift(cells, Direction::West)
    }

    /// The direction from `from` to `to` if they are on one line; none otherwise, or if they are equal.
    pub(super) const fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        let (from_rank, from_file) = (from.0 / self.size, from.0 % self.size);
        let (to_rank, to_file) = (to.0 / self.size, to.0 % self.size);
        if from_file == to_file && from_rank < to_rank {
            Some(Direction::North)
        } else if from_file == to_file && from_rank > to_rank {
            Some(Direction::South)
        } else if from_rank == to_rank && from_file < to_file {
            Some(Direction::East)
        } else if from_rank == to_rank && from_file > to_file {
            Some(Direction::West)
        } else {
            None
        }
    }

    /// The cell `distance` steps back from `cell`, against `direction`; it must be on the board.
    pub(super) const fn back(&self, cell: Cell, direction: Direction, distance: u32) -> Cell {
        Cell(match direction {
            Direction::North => cell.0 - self.size * distance,
            Direction::East => cell.0 - distance,
            Direction::South => cell.0 + self.size * distance,
            Direction::West => cell.0 + distance,
        })
    }

    /// The cell's name: file as a letter, rank from 1.
    pub(super) fn name(&self, cell: Cell) -> String {
        let file = char::from_u32(u32::from('a') + cell.0 % self.size).expect("the alphabet goes on after a");
        format!("{file}{}", cell.0 / self.size + 1)
    }

    /// The cell of that name.
    pub(super) fn named(&self, name: &str) -> Option<Cell> {
        let (file, rank) = name.split_at_checked(1)?;
        let file = u32::from(*file.as_bytes().first()?).checked_sub(u32::from('a'))?;
        let rank = rank.parse::<u32>().ok()?.checked_sub(1)?;
        let cell = (file < self.size && rank < self.size).then(|| Cell::at(rank, file, self))?;
        // "+5" and "05" are numbers, but not ranks.
        (self.name(cell) == name).then_some(cell)
    }

    /// The names of a set, sorted.
    pub(super) fn names(&self, cells: Cells) -> Vec<String> {
        let mut names: Vec<_> = each(cells).map(|cell| self.name(cell)).collect();
        names.sort();
        names
    }
}

/// A cell by its bit number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell(u32);

impl Cell {
    pub(super) const fn at(rank: u32, file: u32, board: &Board) -> Self {
        Self(rank * board.size + file)
    }

    /// The set with only this cell.
    pub(super) const fn bit(self) -> Cells {
        1 << self.0
    }
}

/// The cells of a set, from a1 eastwards, then rank by rank.
pub(super) fn each(mut cells: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| Cell(cells.trailing_zeros()))?;
        cells &= cells - 1;
        Some(cell)
    })
}
