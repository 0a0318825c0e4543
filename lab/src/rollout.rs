//! `lusoria-lab rollout`: the value of turns, by playing each of them to the end many times.

mod every_throw;

use std::{
    fmt,
    io::{self, IsTerminal, Read, Write},
    num::NonZeroUsize,
    thread,
};

use clap::{Args, value_parser};
use lusoria_arena::play_at_the_same_time;
use lusoria_protocol::{Chances, Position as WirePosition};
use lusoria_rules::{Die, Game, History, Position, Step, Variant};
use lusoria_search::{
    Decision, Difference, Level, Player, RolledOut, Rollout, RolloutGame, RolloutPlan, Stakes, Value,
    edition, roll_out,
};
use lusoria_wire as wire;
use serde::Serialize;

use super::{Failure, Verdict, options, say};

/// The long help after the flags.
const MORE: &str = "\
The best turns at a look ahead are each played on to the end again and again, by the computer for both \
sides, with the same dice for each turn. The luck of the dice, as far as the computer sees it, is taken \
out. A turn that is surely worse than the best one is dropped; when one is left, or after --games games, \
the turns are printed with their chances, or with --points what they are worth in points, and intervals of \
95 %. The same command prints the same, whatever the number of threads.

Without DICE it does so for every throw, and says what the position is worth before the dice are thrown: the mean of \
what it is worth after the best turn of each. Every throw has games of its own, whose seed JSON tells.

The exit code is 0 if one turn is surely the best, of every throw if none is named; 1 if it is not sure, 2 if the \
request makes no sense.";

/// The most bytes of a position on standard input.
const POSITION_BYTES_MAX: u64 = 65_536;
/// Half the width of an interval of 95 %, in standard errors.
const INTERVAL: f64 = 1.96;

/// The turn and the cost.
#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(super) struct RollOut {
    /// `zeno`, `tavla`, `scripta` or `tabula`
    game: Game,
    /// The position as the API writes it, in JSON; `start`, or `-` for standard input
    position: String,
    /// The throw: `6-5`, `5-2-6`; every throw if left out
    dice: Option<String>,
    /// An option of the game, such as `shift=die`; may be repeated
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Count a double win of tavla as two points, as in a series
    #[arg(long)]
    points: bool,
    /// A turn to compare with the best ones, in the game's notation: `24/18 13/11`
    #[arg(long, value_name = "NOTATION", requires = "dice")]
    turn: Option<String>,
    /// How many turns are compared, at most
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u16).range(1..=50))]
    turns: u16,
    /// How many games are played from each turn, at most; rounded up to a multiple of 36
    #[arg(long, value_name = "N", default_value_t = 1_296, value_parser = value_parser!(u32).range(36..=1_000_000))]
    games: u32,
    /// After how many turns of both sides a game is cut off and evaluated; games are played to the end if
    /// left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=3_000))]
    horizon: Option<u32>,
    /// The seed of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl RollOut {
    /// Prints the turns, the best first. Bad if none is certainly the best.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let variant = options::variant(self.game, &self.options)?;
        let position = self.position(variant)?;
        match &self.dice {
            Some(dice) => self.one_throw(&position, dice, out),
            None => every_throw::run(self, &position, out),
        }
    }

    fn one_throw(&self, position: &Position, thrown: &str, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let dice = dice(thrown)?;
        let turn = position.turn(&dice).map_err(|why| Failure::Usage(why.to_string()))?;
        if turn.dice_playable() == 0 {
            return Err(Failure::Usage("that throw can play nothing: the turn passes".to_owned()));
        }
        let watched = io::stderr().is_terminal();
        let asked = self.turn.as_deref().map(|notation| turn.parse(notation)).transpose();
        let asked = asked.map_err(|why| Failure::Usage(format!("--turn: {why}")))?;
        let rollout = self.rolled_out(position, &dice, asked.as_deref(), self.seed, |games, turns| {
            if watched {
                eprint!("\r{games} games of each turn, {turns} turns left ");
            }
        });
        if watched {
            eprintln!();
        }
        let rollout = rollout?;
        let table = Table { position, dice: &dice, stakes: self.stakes(), rollout: &rollout };
        if self.json {
            say(out, serde_json::to_string(&table.told(self)).expect("it is plain data"))?;
        } else {
            say(out, table)?;
        }
        Ok(if rollout.is_sure { Verdict::Good } else { Verdict::Bad })
    }

    /// Rolls out the best turns of a throw, and the turn that was `asked` for.
    fn rolled_out(
        &self,
        position: &Position,
        dice: &[Die],
        asked: Option<&[Step]>,
        seed: u64,
        tell: impl FnMut(u32, usize),
    ) -> Result<Rollout, Failure> {
        let history = History::start(position);
        let decision = Decision { position: *position, dice, history: &history, stakes: self.stakes() };
        let plan = RolloutPlan {
            turns_max: usize::from(self.turns),
            games_max: self.games,
            budget: Player::Level(Level::HIGHEST).budget_max(self.game),
            horizon: self.horizon,
            seed,
        };
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads =
            self.threads.and_then(|count| NonZeroUsize::new(usize::from(count))).unwrap_or_else(cores);
        let play_all = |games: &[RolloutGame]| play_at_the_same_time(games, threads);
        roll_out(&decision, asked, &plan, play_all, tell).map_err(|why| Failure::Usage(why.to_string()))
    }

    const fn stakes(&self) -> Stakes {
        if self.points { Stakes::Points } else { Stakes::Game }
    }

    fn position(&self, variant: Variant) -> Result<Position, Failure> {
        let mut text = self.position.clone();
        if text == "start" {
            return Ok(Position::start(variant));
        }
        if text == "-" {
            text.clear();
            let read = io::stdin().lock().take(POSITION_BYTES_MAX).read_to_string(&mut text);
            read.map_err(|why| Failure::Io { what: "standard input".to_owned(), why })?;
        }
        let bad = |why: String| Failure::Usage(format!("the position: {why}"));
        let written: WirePosition = serde_json::from_str(&text).map_err(|why| bad(why.to_string()))?;
        let setup = wire::setup(self.game, &written).map_err(|problem| bad(problem.detail))?;
        Position::from_setup(variant, &setup).map_err(|why| bad(why.to_string()))
    }
}

/// Dice as a command line names them.
fn dice(text: &str) -> Result<Vec<Die>, Failure> {
    let parsed = |value: &str| value.parse().ok().and_then(Die::new);
    text.split('-')
        .map(parsed)
        .collect::<Option<_>>()
        .ok_or_else(|| Failure::Usage(format!("dice are written 6-5 or 5-2-6, not \"{text}\"")))
}

/// A rollout for people.
struct Table<'a> {
    position: &'a Position,
    dice: &'a [Die],
    stakes: Stakes,
    rollout: &'a Rollout,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<34}{:>16}{:>16}{:>9}{:>9}", "turn", unit(self.stakes), "behind", "games", "before")?;
        for (index, turn) in self.rollout.turns.iter().enumerate() {
            let RolledOut { value, thought, error, games, behind, .. } = turn;
            let before = match self.stakes {
                Stakes::Game => format!("{:.2} %", 100.0 * thought.score()),
                Stakes::Points => format!("{:+.3}", thought.points()),
            };
            let (worth, behind) = (worth(self.stakes, value, *error), lag(self.stakes, *behind));
            let behind = if index == 0 { String::new() } else { behind };
            let asked = if self.rollout.asked == Some(index) { " *" } else { "" };
            let notation = format!("{}{asked}", self.notation(turn));
            writeln!(f, "{notation:<34}{worth:>16}{behind:>16}{games:>9}{before:>9}")?;
        }
        f.write_str(match (self.rollout.turns.len(), self.rollout.is_sure) {
            (1, _) => "There is one turn.",
            (_, true) => "The first is certainly the best.",
            (_, false) => "It is uncertain which is the best.",
        })
    }
}

/// The unit of a turn's value.
const fn unit(stakes: Stakes) -> &'static str {
    match stakes {
        Stakes::Game => "wins",
        Stakes::Points => "points",
    }
}

/// A value with its interval, from its standard error.
fn worth(stakes: Stakes, value: &Value, error: f64) -> String {
    match stakes {
        // A value in a single game ranges over 2, a chance over 1.
        Stakes::Game => format!("{:.2} % ±{:.2}", 100.0 * value.score(), 50.0 * INTERVAL * error),
        Stakes::Points => format!("{:+.3} ±{:.3}", value.points(), INTERVAL * error),
    }
}

/// How far a turn is behind, with its interval.
fn lag(stakes: Stakes, behind: Difference) -> String {
    match stakes {
        Stakes::Game => format!("{:.2} ±{:.2}", 50.0 * behind.mean, 50.0 * INTERVAL * behind.error),
        Stakes::Points => format!("{:.3} ±{:.3}", behind.mean, INTERVAL * behind.error),
    }
}

/// A rollout for programs. Its fields are stable.
#[derive(Debug, Serialize)]
struct Told {
    game: Game,
    /// The network and settings that played both sides, as 16 hexadecimal digits.
    edition: String,
    seed: u64,
    is_sure: bool,
    /// The turns, the best first.
    turns: Vec<ToldTurn>,
}

#[derive(Debug, Serialize)]
struct ToldTurn {
    notation: String,
    steps: Vec<Step>,
    /// Whether it is the turn that was asked for.
    asked: bool,
    games: u32,
    /// The chances by the played games, and as evaluated before.
    chances: Chances,
    before: Chances,
    /// The standard error of the value, where a win is 1 and a loss -1; with `--points` a double one counts
    /// twice.
    error: f64,
    /// How much less than the first it is worth, and the standard error of that.
    behind: f64,
    behind_error: f64,
}

impl Table<'_> {
    fn told(&self, asked: &RollOut) -> Told {
        Told {
            game: asked.game,
            edition: format!("{:016x}", edition(self.position.variant())),
            seed: asked.seed,
            is_sure: self.rollout.is_sure,
            turns: self.turns(),
        }
    }

    /// The turns for programs, the best first.
    fn turns(&self) -> Vec<ToldTurn> {
        let turns = self.rollout.turns.iter().enumerate().map(|(index, turn)| ToldTurn {
            notation: self.notation(turn),
            steps: turn.steps.clone(),
            asked: self.rollout.asked == Some(index),
            games: turn.games,
            chances: chances(&turn.value),
            before: chances(&turn.thought),
            error: turn.error,
            behind: turn.behind.mean,
            behind_error: turn.behind.error,
        });
        turns.collect()
    }

    fn notation(&self, rolled: &RolledOut) -> String {
        let mut turn = self.position.turn(self.dice).expect("the turn was rolled out");
        for step in &rolled.steps {
            turn.play(step).expect("what was rolled out is legal");
        }
        if rolled.steps.is_empty() { "pass".to_owned() } else { turn.write() }
    }
}

const fn chances(value: &Value) -> Chances {
    let Value { win, win_double, lose_double, draw } = *value;
    Chances { win, win_double, lose_double, draw }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roll_out(game: Game, position: &str, dice: &str) -> Result<(Verdict, String), Failure> {
        let rollout = RollOut {
            game,
            position: position.to_owned(),
            dice: (!dice.is_empty()).then(|| dice.to_owned()),
            options: Vec::new(),
            points: false,
            turns: 3,
            games: 36,
            horizon: None,
            seed: 1,
            threads: Some(1),
            turn: None,
            json: false,
        };
        let mut out = Vec::new();
        let verdict = rollout.run(&mut out)?;
        Ok((verdict, String::from_utf8(out).expect("text")))
    }

    const LAST: &str = r#"{"white": {"points": {"1": 1, "2": 1}, "off": 13}, "black": {"points": {"1": 1}, "off": 14}, "to_move": "white"}"#;

    #[test]
    fn turns_are_told_with_their_chances() {
        let (verdict, text) = roll_out(Game::Tavla, LAST, "2-1").expect("a sound request");
        assert_eq!(verdict, Verdict::Good);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("100.00 %"), "{text}");
        assert_eq!(lines.last(), Some(&"The first is certainly the best."), "{text}");
    }

    /// White bears off the last piece from 6 in 27 of 36 throws; if not, Black does it next.
    #[test]
    fn without_dice_every_throw_is_rolled_out() {
        let race = r#"{"white": {"points": {"6": 1}, "off": 14}, "black": {"points": {"1": 1}, "off": 14}, "to_move": "white"}"#;
        let (_, text) = roll_out(Game::Tavla, race, "").expect("a sound request");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "before the throw 75.00 % ±0.00", "{text}");
        let [_, _, throws @ .., last] = &lines[..] else { panic!("{text}") };
        let (borne_off, others) = throws.split_at(16);
        assert!(borne_off.iter().all(|line| line.contains(" 100.00 %")), "{text}");
        assert!(others.len() == 5 && others.iter().all(|line| !line.contains(" 100.00 %")), "{text}");
        assert!(
            others[0].starts_with("2-1 ") && *last == "For every throw the best turn is certain.",
            "{text}"
        );
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (game, position, dice, why) in [
            (Game::Tavla, LAST, "2+1", "dice are written 6-5 or 5-2-6, not \"2+1\""),
            (Game::Tavla, "{}", "2-1", "the position: "),
            (Game::Tablut, "start", "1", "tablut"),
            (Game::Tablut, "start", "", "a game without dice cannot be rolled out"),
        ] {
            let told = roll_out(game, position, dice).expect_err(why).to_string();
            assert!(told.contains(why), "{told}");
        }
    }
}
