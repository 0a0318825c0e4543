//! Rollouts of every throw in a position, and of the position before the throw.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
};

use lusoria_protocol::Chances;
use lusoria_rules::{Die, Game, Position};
use lusoria_search::{NoRollout, RolledOut, Rollout, Stakes, Value, edition, network};
use serde::Serialize;

use super::{
    super::{Failure, Verdict, say},
    RollOut, Table, ToldTurn, chances, lag, unit, worth,
};

/// A throw whose turns were rolled out.
struct Thrown {
    dice: Vec<Die>,
    chance: f64,
    /// The seed of its games.
    seed: u64,
    rollout: Rollout,
}

/// Rolls out the turns of every throw and prints them, the best throw first. Bad if the best turn of some
/// throw is uncertain.
pub(super) fn run(asked: &RollOut, position: &Position, out: &mut dyn Write) -> Result<Verdict, Failure> {
    if asked.game.dice() == 0 {
        return Err(Failure::Usage(NoRollout::NoDice.to_string()));
    }
    let watched = io::stderr().is_terminal();
    let throws = network::throws(asked.game.dice());
    let mut rolled = Vec::with_capacity(throws.len());
    for (seed, throw) in (asked.seed..).zip(&throws) {
        if watched {
            eprint!("\r{} of {} throws ", rolled.len(), throws.len());
        }
        let rollout = asked.rolled_out(position, &throw.dice, None, seed, |_, _| {})?;
        rolled.push(Thrown { dice: throw.dice.clone(), chance: throw.chance.into(), seed, rollout });
    }
    if watched {
        eprintln!();
    }
    let stakes = asked.stakes();
    let worth_of = |one: &Thrown| stakes.worth(&one.best().value);
    rolled.sort_by(|a, b| worth_of(b).total_cmp(&worth_of(a)));
    let table = EveryThrow { position, stakes, rolled: &rolled };
    if asked.json {
        say(out, serde_json::to_string(&table.told(asked)).expect("it is plain data"))?;
    } else {
        say(out, table)?;
    }
    let is_sure = rolled.iter().all(|one| one.rollout.is_sure || one.rollout.turns.len() == 1);
    Ok(if is_sure { Verdict::Good } else { Verdict::Bad })
}

impl Thrown {
    fn best(&self) -> &RolledOut {
        self.rollout.turns.first().expect("a throw has a turn, and be it a pass")
    }

    /// The dice, the highest first.
    fn written(&self) -> String {
        self.dice.iter().rev().map(Die::to_string).collect::<Vec<_>>().join("-")
    }
}

/// All throws for people.
struct EveryThrow<'a> {
    position: &'a Position,
    stakes: Stakes,
    /// The throws, the best first.
    rolled: &'a [Thrown],
}

impl EveryThrow<'_> {
    /// The chances of the side to move before it throws, and the standard error of their value; every throw
    /// has games of its own.
    fn before(&self) -> (Value, f64) {
        let mut mean = Value::default();
        let mut variance = 0.0;
        for one in self.rolled {
            #[expect(clippy::cast_possible_truncation, reason = "a chance has few digits that matter")]
            mean.add(&one.best().value, one.chance as f32);
            variance += (one.chance * one.best().error).powi(2);
        }
        (mean, variance.sqrt())
    }

    fn table<'a>(&'a self, one: &'a Thrown) -> Table<'a> {
        Table { position: self.position, dice: &one.dice, stakes: self.stakes, rollout: &one.rollout }
    }
}

impl fmt::Display for EveryThrow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, error) = self.before();
        writeln!(f, "before the throw {}", worth(self.stakes, &mean, error))?;
        writeln!(
            f,
            "{:<7}{:<28}{:>16}  {:<28}{:>14}",
            "throw",
            "turn",
            unit(self.stakes),
            "next best",
            "behind"
        )?;
        for one in self.rolled {
            let (table, best) = (self.table(one), one.best());
            write!(
                f,
                "{:<7}{:<28}{:>16}",
                one.written(),
                table.notation(best),
                worth(self.stakes, &best.value, best.error)
            )?;
            if let Some(next) = one.rollout.turns.get(1) {
                let behind = lag(self.stakes, next.behind);
                write!(f, "  {:<28}{behind:>14}", table.notation(next))?;
            }
            writeln!(f)?;
        }
        let unsure =
            self.rolled.iter().filter(|one| !one.rollout.is_sure && one.rollout.turns.len() > 1).count();
        match unsure {
            0 => f.write_str("For every throw the best turn is certain."),
            unsure => write!(f, "For {unsure} throws the best turn is uncertain."),
        }
    }
}

/// All throws for programs. Its fields are stable.
#[derive(Debug, Serialize)]
struct Told {
    game: Game,
    /// The network and settings that played both sides, as 16 hexadecimal digits.
    edition: String,
    /// The chances before the throw.
    chances: Chances,
    /// The standard error of their value, where a win is 1 and a loss -1; with `--points` a double one counts
    /// twice.
    error: f64,
    /// The throws, the best first.
    throws: Vec<ToldThrow>,
}

#[derive(Debug, Serialize)]
struct ToldThrow {
    /// The dice, the highest first.
    throw: String,
    /// How likely it is.
    chance: f64,
    /// The seed of its games.
    seed: u64,
    is_sure: bool,
    /// The turns, the best first.
    turns: Vec<ToldTurn>,
}

impl EveryThrow<'_> {
    fn told(&self, asked: &RollOut) -> Told {
        let (mean, error) = self.before();
        let throws = self.rolled.iter().map(|one| ToldThrow {
            throw: one.written(),
            chance: one.chance,
            seed: one.seed,
            is_sure: one.rollout.is_sure || one.rollout.turns.len() == 1,
            turns: self.table(one).turns(),
        });
        Told {
            game: asked.game,
            edition: format!("{:016x}", edition(self.position.variant())),
            chances: chances(&mean),
            error,
            throws: throws.collect(),
        }
    }
}
