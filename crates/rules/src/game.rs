//! The games: the only place that lists them. Names, options and rules of every game are read from here;
//! CONTRIBUTING.md, "Adding a game", says what else a game needs.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    Mother, Options, Shift, Side, Throne,
    tables::{
        self,
        games::{scripta, tabula, tavla, zeno},
    },
    tafl,
};

/// Declares [`Game`] and [`Variant`] from a table. A row is: the game's name in Rust, its id in every
/// interface, its options with their defaults, its rules, and whether only pairs of games are rated.
macro_rules! games {
    ($(
        $(#[$doc:meta])*
        $game:ident $id:literal $({ $option:ident: $values:ty = [$default:expr $(, $other:expr)*] })?
            => $family:ident($rules:expr), rated_in_pairs: $rated_in_pairs:literal;
    )+) => {
        /// The id of a game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Game {
            $($(#[$doc])* $game,)+
        }

        impl Game {
            /// All games, in the order of rules/README.md.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$game),+];

            /// The id used in every interface.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$game => $id,)+
                }
            }

            /// The names of its options.
            pub const fn options(self) -> &'static [&'static str] {
                match self {
                    $(Self::$game => &[$(stringify!($option))?],)+
                }
            }

            /// Whether only two games with sides exchanged are rated, because one side wins so much more
            /// often that a single game says little about the players (docs/ratings.md).
            pub const fn is_rated_in_pairs(self) -> bool {
                match self {
                    $(Self::$game => $rated_in_pairs,)+
                }
            }
        }

        /// A game with its options: everything that decides what is legal.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(tag = "game", rename_all = "snake_case")]
        pub enum Variant {
            $(
                $(#[$doc])*
                $game $({
                    #[doc = concat!("Its option `", stringify!($option), "` ([`Options`]).")]
                    $option: $values,
                })?,
            )+
        }

        impl Variant {
            /// Every game with every option; the default options of each game come first.
            pub const ALL: &[Self] = &[
                $(Self::$game $({ $option: $default })?, $($(Self::$game { $option: $other },)*)?)+
            ];

            /// Its index in [`Variant::ALL`].
            pub fn index(self) -> usize {
                Self::ALL.iter().position(|&variant| variant == self).expect("all variants are there")
            }

            /// The game with its default options.
            pub const fn standard(game: Game) -> Self {
                match game {
                    $(Game::$game => Self::$game $({ $option: $default })?,)+
                }
            }

            /// The game with these options, and the others at their defaults.
            ///
            /// # Errors
            ///
            /// The game does not have one of them.
            pub fn new(game: Game, options: &Options) -> Result<Self, NoSuchOption> {
                if let Some(name) = options.named().find(|name| !game.options().contains(name)) {
                    return Err(NoSuchOption { game, name });
                }
                Ok(match game {
                    $(Game::$game => Self::$game $({ $option: options.$option.unwrap_or($default) })?,)+
                })
            }

            /// The game without its options.
            pub const fn game(self) -> Game {
                match self {
                    $(Self::$game { .. } => Game::$game,)+
                }
            }

            /// Its options.
            pub const fn options(self) -> Options {
                match self {
                    $(Self::$game $({ $option })? => Options { $($option: Some($option),)? ..Options::NONE },)+
                }
            }

            /// The family of its rules.
            pub const fn family(self) -> Family {
                match self {
                    $(Self::$game $({ $option })? => Family::$family($rules),)+
                }
            }
        }
    };
}

// A game has at most one option. New games and new values of an option go last, because files of weights name
// them by their indices here.
games! {
    /// Zeno's Tavli (rules/zeno.md).
    Zeno "zeno" { shift: Shift = [Shift::Throw, Shift::Die] } => Tables(zeno::rules(shift)), rated_in_pairs: true;
    /// Tavla, Mahbousseh (rules/tavla.md).
    Tavla "tavla" { mother: Mother = [Mother::PlayOn, Mother::DoubleLoss] } => Tables(tavla::rules(mother)), rated_in_pairs: false;
    /// Ludus XII scriptorum (rules/scripta.md).
    Scripta "scripta" { row_a_gate: bool = [true, false] } => Tables(scripta::rules(row_a_gate)), rated_in_pairs: false;
    /// Tabula (rules/tabula.md).
    Tabula "tabula" => Tables(tabula::rules()), rated_in_pairs: false;
    /// Tablut (rules/tablut.md).
    Tablut "tablut" { throne: Throne = [Throne::King, Throne::Closed] } => Tafl(tafl::Kind::Tablut { throne }), rated_in_pairs: false;
}

/// The two families of games, each with the rules of one of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A race with dice.
    Tables(&'static tables::Rules),
    /// A hunt for the king, without dice. White is the king's side.
    Tafl(tafl::Kind),
}

impl Game {
    /// Its family, with the default rules.
    pub const fn family(self) -> Family {
        Variant::standard(self).family()
    }

    /// The number of dice in a throw; 0 in a tafl game.
    pub const fn dice(self) -> usize {
        match self.family() {
            Family::Tables(rules) => rules.dice(),
            Family::Tafl(_) => 0,
        }
    }

    /// Whether both sides roll one die each to decide who begins.
    pub const fn has_opening_throw(self) -> bool {
        match self.family() {
            Family::Tables(rules) => rules.has_opening_throw(),
            Family::Tafl(_) => false,
        }
    }

    /// The side that moves first where no opening throw decides it.
    pub const fn first_to_move(self) -> Side {
        match self.family() {
            Family::Tables(_) => Side::White,
            Family::Tafl(_) => Side::Black,
        }
    }

    /// The possible scores of a won game.
    pub const fn scores(self) -> &'static [u8] {
        match self.family() {
            Family::Tables(rules) => rules.scores(),
            Family::Tafl(_) => &[1],
        }
    }

    /// The number of the side's pieces at the start.
    pub const fn pieces(self, side: Side) -> u8 {
        match self.family() {
            Family::Tables(_) => tables::PIECES,
            Family::Tafl(kind) => kind.pieces(side),
        }
    }

    /// The side's name in this game: `white`/`black`, in a tafl game `defenders`/`attackers`.
    pub const fn side_name(self, side: Side) -> &'static str {
        match (self.family(), side) {
            (Family::Tables(_), Side::White) => "white",
            (Family::Tables(_), Side::Black) => "black",
            (Family::Tafl(_), Side::White) => "defenders",
            (Family::Tafl(_), Side::Black) => "attackers",
        }
    }

    /// The side of that name, the reverse of [`Game::side_name`].
    pub fn side_named(self, name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.side_name(side) == name)
    }

    /// The ids of all games as a list in a sentence, with this word before the last.
    pub fn list(word: &str) -> String {
        let ids = Self::ALL.map(Self::id);
        let [before @ .., last] = &ids;
        format!("{} {word} {last}", before.join(", "))
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The text is not the id of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no game \"{0}\"; the games are {games}", games = Game::list("and"))]
pub struct UnknownGame(pub String);

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(id: &str) -> Result<Self, UnknownGame> {
        Self::ALL.into_iter().find(|game| game.id() == id).ok_or_else(|| UnknownGame(id.to_owned()))
    }
}

/// The game has no such option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no option \"{name}\"{owner}", owner = owner(.name))]
pub struct NoSuchOption {
    /// The game.
    pub game: Game,
    /// The option's name.
    pub name: &'static str,
}

/// The game that has the option, as text for the error.
fn owner(name: &str) -> String {
    let owner = Game::ALL.into_iter().find(|game| game.options().contains(&name));
    owner.map_or_else(String::new, |game| format!(": {game} has it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_by_its_id() {
        for game in Game::ALL {
            assert_eq!(serde_json::to_value(game).unwrap(), game.id());
            assert_eq!(game.id().parse(), Ok(game));
        }
    }

    #[test]
    fn options_come_back() {
        for game in Game::ALL {
            let standard = Variant::standard(game);
            assert_eq!(Variant::new(game, &Options::NONE), Ok(standard));
            assert_eq!(Variant::new(game, &standard.options()), Ok(standard));
            assert!(standard.options().named().eq(game.options().iter().copied()), "{game}");
        }
    }

    #[test]
    fn every_variant_is_there_once_and_the_standard_one_comes_first() {
        for (index, variant) in Variant::ALL.iter().enumerate() {
            assert_eq!(variant.index(), index);
        }
        for game in Game::ALL {
            let first = Variant::ALL.iter().find(|variant| variant.game() == game);
            assert_eq!(first, Some(&Variant::standard(game)));
        }
    }
}
