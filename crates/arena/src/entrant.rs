//! Players of the arena.

use std::{fmt, str::FromStr};

use lusoria_rules::Side;
use lusoria_search::{Level, NoSuchLevel, Player};

/// One of the two players of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntrantId {
    /// The first player, for whom results are counted. White in the first game of every pair.
    A,
    /// The other.
    B,
}

/// A value for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByEntrant<T> {
    /// The first's.
    pub a: T,
    /// The other's.
    pub b: T,
}

/// A player by name: `1` to `5`, `random`, `greedy`, `cmd:PROGRAM ARGUMENTS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entrant {
    /// One of the players of this program.
    Computer(Player),
    /// An outside engine.
    Program(Program),
}

/// An outside engine: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program, found as a shell would find it.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// There is no such player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchEntrant {
    /// A number that is not a level.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
    /// Something else.
    #[error("there is no player \"{0}\": a player is a level 1 to 5, random, greedy or cmd:PROGRAM")]
    Name(String),
    /// `cmd:` without a program.
    #[error("cmd: needs a program, such as cmd:./engine or cmd:\"python3 engine.py\"")]
    NoProgram,
    /// A quotation mark that is not closed.
    #[error("cmd: the quotation mark {0} is not closed")]
    OpenQuote(char),
}

impl EntrantId {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// The player of that side in a game: the sides are exchanged from game to game.
    ///
    /// Games count from 0.
    pub const fn playing(side: Side, game: u32) -> Self {
        match (side, game.is_multiple_of(2)) {
            (Side::White, true) | (Side::Black, false) => Self::A,
            (Side::White, false) | (Side::Black, true) => Self::B,
        }
    }

    /// The player's side in that game.
    pub const fn side_in(self, game: u32) -> Side {
        match (self, Self::playing(Side::White, game)) {
            (Self::A, Self::A) | (Self::B, Self::B) => Side::White,
            (Self::A, Self::B) | (Self::B, Self::A) => Side::Black,
        }
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

impl<T> ByEntrant<T> {
    /// That player's.
    pub const fn get(&self, entrant: EntrantId) -> &T {
        match entrant {
            EntrantId::A => &self.a,
            EntrantId::B => &self.b,
        }
    }

    /// That player's, to change.
    pub const fn get_mut(&mut self, entrant: EntrantId) -> &mut T {
        match entrant {
            EntrantId::A => &mut self.a,
            EntrantId::B => &mut self.b,
        }
    }
}

impl FromStr for Entrant {
    type Err = NoSuchEntrant;

    fn from_str(text: &str) -> Result<Self, NoSuchEntrant> {
        if let Some(line) = text.strip_prefix("cmd:") {
            return line.parse().map(Self::Program);
        }
        match text {
            "random" => Ok(Self::Computer(Player::Random)),
            "greedy" => Ok(Self::Computer(Player::Greedy)),
            number if number.parse::<f64>().is_ok() => {
                Ok(Self::Computer(Player::Level(number.parse::<Level>()?)))
            }
            _ => Err(NoSuchEntrant::Name(text.to_owned())),
        }
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computer(Player::Level(level)) => write!(f, "level {level}"),
            Self::Computer(Player::Random) => f.write_str("random"),
            Self::Computer(Player::Greedy) => f.write_str("greedy"),
            Self::Program(program) => program.fmt(f),
        }
    }
}

/// Words are separated by spaces; text between quotation marks, `'` or `"`, is one word or part of one.
impl FromStr for Program {
    type Err = NoSuchEntrant;

    fn from_str(line: &str) -> Result<Self, NoSuchEntrant> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for letter in line.chars() {
            match (quote, letter) {
                (Some(open), _) if open == letter => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (None, _) if letter.is_whitespace() => words.extend(word.take()),
                (Some(_) | None, _) => word.get_or_insert_default().push(letter),
            }
        }
        if let Some(open) = quote {
            return Err(NoSuchEntrant::OpenQuote(open));
        }
        words.extend(word);
        let mut words = words.into_iter();
        let name = words.next().filter(|name| !name.is_empty()).ok_or(NoSuchEntrant::NoProgram)?;
        Ok(Self { name, arguments: words.collect() })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_others_refused() {
        for (text, shown) in [
            ("1", "level 1"),
            ("5", "level 5"),
            ("random", "random"),
            ("greedy", "greedy"),
            ("cmd:python3  'my engine.py' --x \"\"", "python3 my engine.py --x "),
        ] {
            assert_eq!(text.parse::<Entrant>().expect(text).to_string(), shown);
        }
        for (text, why) in [
            ("7", "there is no level 7; the levels are 1 to 5"),
            ("0", "there is no level 0; the levels are 1 to 5"),
            ("-1", "there is no level -1; the levels are 1 to 5"),
            ("2.5", "there is no level 2.5; the levels are 1 to 5"),
            (
                "stockfish",
                "there is no player \"stockfish\": a player is a level 1 to 5, random, greedy or cmd:PROGRAM",
            ),
            ("cmd:", "cmd: needs a program, such as cmd:./engine or cmd:\"python3 engine.py\""),
            ("cmd:\"\" x", "cmd: needs a program, such as cmd:./engine or cmd:\"python3 engine.py\""),
            ("cmd:a 'b", "cmd: the quotation mark ' is not closed"),
        ] {
            assert_eq!(text.parse::<Entrant>().expect_err(text).to_string(), why);
        }
    }

    #[test]
    fn quoted_text_is_one_word() {
        let program: Program = "a 'b c' d\"e f\"g ''".parse().expect("a program");
        assert_eq!((program.name.as_str(), program.arguments), ("a", words(["b c", "de fg", ""])));
    }

    fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
        words.map(str::to_owned).to_vec()
    }

    #[test]
    fn sides_are_exchanged_from_game_to_game() {
        for game in 0..4 {
            for side in Side::BOTH {
                assert_eq!(EntrantId::playing(side, game).side_in(game), side);
                assert_eq!(EntrantId::playing(side, game), EntrantId::playing(side, game + 1).other());
            }
        }
        assert_eq!(EntrantId::playing(Side::White, 0), EntrantId::A);
    }
}
