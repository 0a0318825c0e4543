//! The groups of features in the evaluation.

/// A group of features: a name and their number.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Its name in the file of weights.
    pub name: &'static str,
    /// The index of its first feature.
    pub first: usize,
    /// The number of its features.
    pub len: usize,
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident $text:literal $len:expr;)*) => {
        groups!(@ 0; $($(#[$doc])* $name $text $len;)*);
        /// All groups, in the order of their indices.
        pub const GROUPS: &[Group] = &[$($name),*];
    };
    (@ $first:expr; $(#[$doc:meta])* $name:ident $text:literal $len:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: Group = Group { name: $text, first: $first, len: $len };
        groups!(@ $name.first + $name.len; $($rest)*);
    };
    (@ $first:expr;) => {
        /// The number of features.
        pub const FEATURES: usize = $first;
    };
}

/// The number of classes of cells that are equivalent by rotation and reflection.
const CLASSES: usize = 15;

groups! {
    /// 1, for the value of the sides themselves.
    BIAS "bias" 1;
    /// 1 if the defenders move, −1 if the attackers do.
    TEMPO "tempo" 1;
    /// The number of attackers.
    ATTACKERS "attackers" 17;
    /// The number of defenders.
    DEFENDERS "defenders" 9;
    /// The king's cell.
    KING_AT "king-at" CLASSES;
    /// The attackers on each class of cells.
    ATTACKERS_AT "attackers-at" CLASSES;
    /// The defenders on each class of cells.
    DEFENDERS_AT "defenders-at" CLASSES;
    /// Cells that the king reaches in one move.
    KING_REACH "king-reach" 1;
    /// The attackers must block the king's only way out.
    RAICHI "raichi" 1;
    /// Cells that the king can reach and that have one open line to an edge, by side to move.
    SPOTS_ONE "spots-one" 10;
    /// The same for cells with two open lines.
    SPOTS_TWO "spots-two" 6;
    /// The same for cells that the king reaches in two moves; with one line and with two, by side to move.
    SPOTS_LATER "spots-later" 4;
    /// Steps over free cells that lead the king to an edge: 1 to 8 or more; the last, none do.
    WALK "walk" 9;
    /// The attackers enclose the king and the defenders.
    SHUT "shut" 1;
    /// Attackers next to the king: on the throne, next to it, elsewhere.
    BESET "beset" 15;
    /// One more attacker would capture the king; and one can come although the defenders are to move.
    FATAL "fatal" 2;
    /// Defenders that can be captured next, by side to move: one, two, more.
    HANGING_DEFENDERS "hanging-defenders" 6;
    /// Attackers that can be captured next, by side to move: one, two, more.
    HANGING_ATTACKERS "hanging-attackers" 6;
    /// Cells that attackers and defenders reach.
    REACH "reach" 2;
    /// Ranks and files without attackers; and without anyone.
    LINES "lines" 2;
    /// Corners, four by four, by their number of attackers.
    CORNER_ATTACKERS "corner-attackers" 5;
    /// Attackers next to each other, and on a diagonal.
    PAIRS "pairs" 2;
}
