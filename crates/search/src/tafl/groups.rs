//! The kinds of features that the evaluation has.

/// A kind of features: a name and how many there are of it.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Its name in the file of weights.
    pub name: &'static str,
    /// The place of its first feature among all.
    pub first: usize,
    /// How many it has.
    pub len: usize,
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident $text:literal $len:expr;)*) => {
        groups!(@ 0; $($(#[$doc])* $name $text $len;)*);
        /// All groups, in the order of their places.
        pub const GROUPS: &[Group] = &[$($name),*];
    };
    (@ $first:expr; $(#[$doc:meta])* $name:ident $text:literal $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: Group = Group { name: $text, first: $first, len: $len };
        groups!(@ $name.first + $name.len; $($rest)*);
    };
    (@ $first:expr;) => {
        /// How many features there are.
        pub const FEATURES: usize = $first;
    };
}

/// Cells that turning and mirroring the board make one.
const CLASSES: usize = 15;

groups! {
    /// 1, for what the sides are worth by themselves.
    BIAS "bias" 1;
    /// 1 if the defenders move, −1 if the attackers do.
    TEMPO "tempo" 1;
    /// So many attackers.
    ATTACKERS "attackers" 17;
    /// So many defenders.
    DEFENDERS "defenders" 9;
    /// The king's cell.
    KING_AT "king-at" CLASSES;
    /// The attackers on such cells.
    ATTACKERS_AT "attackers-at" CLASSES;
    /// The defenders on such cells.
    DEFENDERS_AT "defenders-at" CLASSES;
    /// Cells that the king reaches in one move.
    KING_REACH "king-reach" 1;
    /// The attackers must stop the king's one way out.
    RAICHI "raichi" 1;
    /// Cells that the king can reach and that have one open line to an edge, by side to move.
    SPOTS_ONE "spots-one" 10;
    /// The same for cells with two open lines.
    SPOTS_TWO "spots-two" 6;
    /// The same for cells that the king reaches in two moves; with one line and with two, by side to move.
    SPOTS_LATER "spots-later" 4;
    /// Steps over free cells that lead the king to an edge: 1 to 8 or more; the last, none do.
    WALK "walk" 9;
    /// The attackers stand all around the king and the defenders.
    SHUT "shut" 1;
    /// Attackers next to the king: on the throne, next to it, elsewhere.
    BESET "beset" 15;
    /// One attacker more would capture the king; and one can come, the defenders being to move.
    FATAL "fatal" 2;
    /// Defenders that can be captured next, by side to move: one, two, more.
    HANGING_DEFENDERS "hanging-defenders" 6;
    /// Attackers that can be.
    HANGING_ATTACKERS "hanging-attackers" 6;
    /// Cells that attackers and defenders reach.
    REACH "reach" 2;
    /// Ranks and files without attackers; and without anyone.
    LINES "lines" 2;
    /// Corners, four by four, with so many attackers.
    CORNER_ATTACKERS "corner-attackers" 5;
    /// Attackers next to each other, and on a diagonal.
    PAIRS "pairs" 2;
}
