//! The counts, and the definitions of their keys.

use std::{
    collections::{BTreeMap, btree_map},
    fmt,
    str::FromStr,
};

use lusoria_protocol::PlayersKind;
use lusoria_rules::Side;

/// Counts of one game, by what they count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts(BTreeMap<Key, u64>);

/// The key of a count: the columns of the CSV file between `game` and `count` (docs/statistics.md). As text
/// it is these columns with commas between them; none of them has a comma.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The options of the game, as `name=value` with semicolons between them; empty if it has none.
    pub options: String,
    /// The kind of the players.
    pub players: Players,
    /// What is counted.
    pub measure: Measure,
    /// Its side; none where it belongs to no side.
    pub side: Option<Side>,
    /// The side that had the first turn of the game; none where it makes no difference.
    pub first: Option<Side>,
    /// The kind of the measure.
    pub kind: String,
    /// The value.
    pub value: String,
}

/// Declares an enum whose variants have a name each.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $variant:ident $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$of])* $variant,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name in the CSV file and in the store.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|of| of.name() == name)
            }
        }
    };
}

named! {
    /// The kinds of players in a match.
    Players {
        /// Two people.
        People "people",
        /// Bots, against each other or against people.
        Bots "bots",
        /// The computer, against a person or a bot.
        Computer "computer",
        /// The computer, against itself.
        Computers "computers",
    }
}

named! {
    /// A measure. docs/statistics.md says what `kind` and `value` are for each.
    Measure {
        /// Matches.
        Match "match",
        /// Games that ended.
        Game "game",
        /// Turns in a game.
        Length "length",
        /// Turns played or passed.
        Turn "turn",
        /// Throws for a turn.
        Throw "throw",
        /// Throws to decide who begins.
        OpeningThrow "opening_throw",
        /// First turns.
        Opening "opening",
        /// Pieces of the opponent that a side hit, pinned or captured in a game.
        Taken "taken",
        /// The time that people took for a turn.
        Time "time",
    }
}

impl Players {
    /// The same as a wire type.
    pub const fn wire(self) -> PlayersKind {
        match self {
            Self::People => PlayersKind::People,
            Self::Bots => PlayersKind::Bots,
            Self::Computer => PlayersKind::Computer,
            Self::Computers => PlayersKind::Computers,
        }
    }
}

/// The text is not a valid [`Key`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" does not say what is counted")]
pub struct NotAKey(String);

const fn side_name(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::White) => "white",
        Some(Side::Black) => "black",
        None => "",
    }
}

/// The side of that name; none if empty.
fn side_named(name: &str) -> Result<Option<Side>, ()> {
    [None, Some(Side::White), Some(Side::Black)].into_iter().find(|&side| side_name(side) == name).ok_or(())
}

impl Key {
    /// The same without a side.
    pub(crate) fn of_any_side(&self) -> Self {
        Self { side: None, ..self.clone() }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, players, measure, side, first, kind, value } = self;
        let (players, measure) = (players.name(), measure.name());
        let (side, first) = (side_name(*side), side_name(*first));
        write!(f, "{options},{players},{measure},{side},{first},{kind},{value}")
    }
}

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let read = || {
            let mut columns = text.split(',');
            let key = Self {
                options: columns.next()?.to_owned(),
                players: Players::named(columns.next()?)?,
                measure: Measure::named(columns.next()?)?,
                side: side_named(columns.next()?).ok()?,
                first: side_named(columns.next()?).ok()?,
                kind: columns.next()?.to_owned(),
                value: columns.next()?.to_owned(),
            };
            columns.next().is_none().then_some(key)
        };
        read().ok_or_else(|| NotAKey(text.to_owned()))
    }
}

impl Counts {
    /// Adds to a count.
    pub fn add(&mut self, key: Key, count: u64) {
        *self.0.entry(key).or_default() += count;
    }

    /// Adds other counts of the same game.
    pub fn extend(&mut self, other: Self) {
        for (key, count) in other.0 {
            self.add(key, count);
        }
    }

    /// The counts, in order.
    pub fn iter(&self) -> btree_map::Iter<'_, Key, u64> {
        self.0.iter()
    }

    /// The number of games with each opening, whatever their result.
    pub(crate) fn opening_games(&self) -> BTreeMap<Key, u64> {
        let mut games = BTreeMap::new();
        for (key, count) in self.iter().filter(|(key, _)| key.measure == Measure::Opening) {
            *games.entry(key.of_any_side()).or_default() += count;
        }
        games
    }

    /// The counts as rows of the store, in order.
    pub fn rows(&self) -> Vec<(String, u64)> {
        self.0.iter().map(|(key, count)| (key.to_string(), *count)).collect()
    }

    /// The counts from rows of the store.
    ///
    /// # Errors
    /// If a row was not written by [`Self::rows`].
    pub fn from_rows(rows: impl IntoIterator<Item = (String, u64)>) -> Result<Self, NotAKey> {
        let mut counts = Self::default();
        for (key, count) in rows {
            counts.add(key.parse()?, count);
        }
        Ok(counts)
    }
}

impl<'a> IntoIterator for &'a Counts {
    type Item = (&'a Key, &'a u64);
    type IntoIter = btree_map::Iter<'a, Key, u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
