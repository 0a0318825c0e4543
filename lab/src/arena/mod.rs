//! `lusoria-lab arena`: games between two players, many times.

mod fair_play;
mod findings;
mod losses;
mod progress;
mod ratings;
mod table;

use std::{
    io::{self, IsTerminal, Write},
    num::NonZeroUsize,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

use clap::{Args, ValueEnum, value_parser};
use lusoria_arena::{
    self as arena, ByEntrant, Comparison, Contest, Entrant, EntrantId, Limits, Stopped,
    fair_play::{PEOPLE, Survey},
    findings::Study,
    ratings::RoundRobin,
};
use lusoria_rules::{Game, Variant};
use lusoria_search::{Budget, Level, Player, Stakes};
use serde::Serialize;

use super::{
    Failure, Verdict, options, printable, say,
    stopping::{INTERRUPTED, when_asked},
};

/// The long help after the flags.
const MORE: &str = "\
A player is a level from 1 to 5, greedy (most pieces off, then fewest pips left, then fewest blots; \
in tablut the most men more than the other side three plies on), random, or cmd:PROGRAM, an outside \
engine that speaks lines of JSON: docs/bots.md, \"Engines for the arena\".

Games come in pairs. Both games of a pair have the same dice, throw for throw of White and of \
Black, and the players exchange the sides. The same command has the same result, whatever the \
number of threads; only the times differ, and what an outside engine decides otherwise.

With --ratings the five levels play everybody, themselves included, and the games say what ratings need to \
know of the game: how much a side is worth, how much more a longer match shows, and after how many games \
the better of two players is known (docs/ratings.md). --games is how many each two play.

With --fair-play people who play like the levels, of whom those of level 5 have help, play rated matches, \
and the rule that flags for help from an engine is asked about each of them (docs/fair-play.md). --games is \
how many each plays: 8 if left out.

With --findings level 5 plays itself, every game with dice of its own, and the games say what the game is like: how \
long it is, which side has the advantage, how much is luck, what throws are worth, and what hits, pins, primes, \
captures and calls come to (docs/findings.md).

With --rollouts N, N turns of each game, drawn at random among those with a choice, are compared with the best \
of their kind: each is played on to the end many times, with the luck of the dice taken out as far as the \
computer sees it, and what looks best then once more, with other dice. So it shows what a player gives away \
in a turn, on average.

The exit code is 0 if all games were played, 1 if not (interrupted, or an engine forfeited ten games \
in a row), 2 if the request makes no sense or an engine cannot be started.";

/// The shortest time that an outside engine has to become ready.
const READY_WITHIN: Duration = Duration::from_secs(10);

/// How many games are played by default.
const GAMES: u32 = 100;

/// How many matches each player plays for `--fair-play`.
const MATCHES: u32 = 8;

/// The players, the game and the number of games.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of a command line")]
#[command(after_long_help = MORE)]
pub(super) struct Arena {
    #[arg(help = Game::list("or"))]
    game: Game,
    /// The first player, from whose side results are given: 1 to 5, random, greedy or cmd:PROGRAM
    #[arg(long, value_name = "PLAYER", allow_hyphen_values = true, required_unless_present_any = ["ratings", "fair_play", "findings"])]
    a: Option<Entrant>,
    /// The other player
    #[arg(long, value_name = "PLAYER", allow_hyphen_values = true, required_unless_present_any = ["ratings", "fair_play", "findings"])]
    b: Option<Entrant>,
    /// Let all levels play each other, and print what ratings need to know of the game
    #[arg(long, conflicts_with_all = [
        "a", "b", "stakes", "nodes", "nodes_a", "nodes_b", "full", "full_a", "full_b", "time_limit_ms",
    ])]
    ratings: bool,
    /// Simulate players of whom some have help from an engine, and print who is flagged
    #[arg(long, conflicts_with_all = [
        "a", "b", "ratings", "stakes", "nodes", "nodes_a", "nodes_b", "full", "full_a", "full_b", "time_limit_ms",
    ])]
    fair_play: bool,
    /// Let level 5 play itself, and print what the game is like
    #[arg(long, conflicts_with_all = [
        "a", "b", "ratings", "fair_play", "stakes", "nodes_a", "nodes_b", "full_a", "full_b", "time_limit_ms",
    ])]
    findings: bool,
    /// Print what the players lose in a turn, by rollouts of so many turns of each game
    #[arg(long, value_name = "N", conflicts_with_all = ["ratings", "fair_play", "findings"], value_parser = value_parser!(u16).range(1..=1_000))]
    rollouts: Option<u16>,
    /// How many games a rollout plays from each turn, at most; rounded up to a multiple of 36
    #[arg(long, value_name = "N", requires = "rollouts", default_value_t = 360, value_parser = value_parser!(u32).range(36..=1_000_000))]
    rollout_games: u32,
    /// After how many turns of both sides such a game is cut off and evaluated; games are played to the end
    /// if left out
    #[arg(long, value_name = "N", requires = "rollouts", value_parser = value_parser!(u32).range(1..=3_000))]
    rollout_horizon: Option<u32>,
    /// With how many of the best-looking turns a turn is compared
    #[arg(long, value_name = "N", requires = "rollouts", default_value_t = 5, value_parser = value_parser!(u16).range(1..=50))]
    rollout_turns: u16,
    /// How many games: an even number, except for --findings; 100 if left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(2..=1_000_000))]
    games: Option<u32>,
    /// The seed of the dice and of the players' random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// An option of the game, such as `shift=die`; may be repeated
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The stakes
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = StakesArg::Game)]
    stakes: StakesArg,

    /// How many positions each player may search in a turn, instead of its usual number
    #[arg(long, value_name = "N", conflicts_with = "full", value_parser = value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// The same for the first player only
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    nodes_a: Option<u32>,
    /// The same for the other player only
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    nodes_b: Option<u32>,
    /// Give players the largest useful budget: up to a second a turn at the highest level
    #[arg(long)]
    full: bool,
    /// The same for the first player only
    #[arg(long, conflicts_with = "nodes_a")]
    full_a: bool,
    /// The same for the other player only
    #[arg(long, conflicts_with = "nodes_b")]
    full_b: bool,

    /// After how many turns of both sides, passes included, a game counts as drawn
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    turn_limit: u32,
    /// How many milliseconds an outside engine has for a turn
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = value_parser!(u64).range(1..=86_400_000))]
    time_limit_ms: u64,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// The stakes of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StakesArg {
    /// Win or loss, however high
    Game,
    /// Points: a double win of tavla is worth two
    Points,
}

impl Arena {
    /// Prints the results. Bad if not all games were played.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        if self.ratings {
            let asked = self.round_robin()?;
            stop_when_asked(&stop)?;
            return ratings::run(&asked, &stop, self.json, out);
        }
        if self.fair_play {
            let asked = self.survey()?;
            stop_when_asked(&stop)?;
            return fair_play::run(&asked, &stop, self.json, out);
        }
        if self.findings {
            let asked = self.study()?;
            stop_when_asked(&stop)?;
            return findings::run(&asked, &stop, self.json, out);
        }
        let contest = self.contest()?;
        stop_when_asked(&stop)?;
        if self.rollouts.is_some() {
            return losses::run(&contest, &self.comparison()?, &stop, self.json, out);
        }
        let mut bar = io::stderr().is_terminal().then(progress::Bar::begin);
        let report = arena::run(&contest, &stop, |progress| {
            if let Some(bar) = &mut bar {
                bar.show(progress);
            }
        });
        drop(bar);
        let report = report.map_err(|why| Failure::Usage(printable(&why.to_string())))?;
        if self.json {
            say(out, serde_json::to_string(&report).expect("a report is plain data"))?;
        } else {
            say(out, table::Table(&report))?;
        }
        Ok(match report.stopped {
            None => Verdict::Good,
            Some(Stopped::Interrupted) => Verdict::Bad,
            Some(Stopped::Forfeits { player }) => {
                let (max, last) = (arena::FORFEITS_IN_A_ROW_MAX, report.forfeits.last());
                let why = last.map_or_else(String::new, |forfeit| format!(": {}", printable(&forfeit.why)));
                eprintln!("lusoria-lab: player {player} has forfeited {max} games in a row{why}");
                Verdict::Bad
            }
        })
    }

    /// The number of pairs of games.
    fn pairs(&self) -> Result<u32, Failure> {
        let games = self.games.unwrap_or(GAMES);
        if games.is_multiple_of(2) {
            return Ok(games / 2);
        }
        Err(Failure::Usage(format!("--games {games}: games are played in pairs, so their number is even")))
    }

    /// How many games are played at the same time.
    fn threads(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.and_then(|threads| NonZeroUsize::new(threads.into())).unwrap_or_else(cores)
    }

    fn comparison(&self) -> Result<Comparison, Failure> {
        if self.game.dice() == 0 {
            return Err(Failure::Usage(format!("{} has no dice: its turns cannot be rolled out", self.game)));
        }
        Ok(Comparison {
            turns_max: usize::from(self.rollout_turns),
            games_max: self.rollout_games,
            horizon: self.rollout_horizon,
            threads: self.threads(),
        })
    }

    fn round_robin(&self) -> Result<RoundRobin, Failure> {
        let levels = Level::ALL.map(Player::Level).to_vec();
        Ok(RoundRobin {
            variant: options::variant(self.game, &self.options)?,
            players: levels,
            pairs: self.pairs()?,
            seed: self.seed,
            turns_max: self.turn_limit,
            threads: self.threads(),
        })
    }

    fn survey(&self) -> Result<Survey, Failure> {
        Ok(Survey {
            variant: options::variant(self.game, &self.options)?,
            people: PEOPLE,
            matches: self.games.unwrap_or(MATCHES),
            seed: self.seed,
            turns_max: self.turn_limit,
            threads: self.threads(),
        })
    }

    fn study(&self) -> Result<Study, Failure> {
        let most = self.full.then(|| Player::Level(Level::HIGHEST).budget_max(self.game));
        Ok(Study {
            variant: options::variant(self.game, &self.options)?,
            games: self.games.unwrap_or(GAMES),
            budget: self.nodes.map(|nodes| Budget { nodes }).or(most),
            seed: self.seed,
            turns_max: self.turn_limit,
            threads: self.threads(),
        })
    }

    fn entrants(&self) -> Result<ByEntrant<Entrant>, Failure> {
        match (&self.a, &self.b) {
            (Some(a), Some(b)) => Ok(ByEntrant { a: a.clone(), b: b.clone() }),
            _ => Err(Failure::Usage("--a and --b name the players".to_owned())),
        }
    }

    fn contest(&self) -> Result<Contest, Failure> {
        let pairs = self.pairs()?;
        let variant = options::variant(self.game, &self.options)?;
        let entrants = self.entrants()?;
        let budgets = ByEntrant {
            a: self.budget(variant, &entrants, EntrantId::A)?,
            b: self.budget(variant, &entrants, EntrantId::B)?,
        };
        let turn = Duration::from_millis(self.time_limit_ms);
        Ok(Contest {
            variant,
            entrants,
            budgets,
            pairs,
            seed: self.seed,
            stakes: match self.stakes {
                StakesArg::Game => Stakes::Game,
                StakesArg::Points => Stakes::Points,
            },
            turns_max: self.turn_limit,
            limits: Limits { ready: turn.max(READY_WITHIN), turn },
            threads: self.threads(),
            kept: self.rollouts.map_or(0, usize::from),
        })
    }

    /// A player's budget; the flag for that player takes precedence.
    fn budget(
        &self,
        variant: Variant,
        entrants: &ByEntrant<Entrant>,
        id: EntrantId,
    ) -> Result<Option<Budget>, Failure> {
        let (nodes, full) = match id {
            EntrantId::A => (self.nodes_a, self.full_a),
            EntrantId::B => (self.nodes_b, self.full_b),
        };
        match entrants.get(id) {
            Entrant::Program(_) if nodes.is_some() || full => Err(Failure::Usage(format!(
                "player {id} is an outside engine, which looks at as much as it likes"
            ))),
            Entrant::Program(_) => Ok(None),
            Entrant::Computer(player) => Ok(Some(match nodes.or(self.nodes.filter(|_| !full)) {
                Some(nodes) => Budget { nodes },
                None if full || self.full => player.budget_max(variant.game()),
                None => player.budget(variant.game()),
            })),
        }
    }
}

/// Prints a result as JSON or as a table. Bad if there is none because it was interrupted: partial results
/// say nothing.
fn tell<Found: Serialize>(
    found: Option<Found>,
    table: impl FnOnce(&Found) -> String,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let Some(found) = found else {
        eprintln!("lusoria-lab: interrupted before all games were played");
        return Ok(Verdict::Bad);
    };
    say(out, if json { serde_json::to_string(&found).expect("it is plain data") } else { table(&found) })?;
    Ok(Verdict::Good)
}

/// Stops all engines with the arena, on every stop signal.
fn stop_when_asked(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let stop = Arc::clone(stop);
    when_asked(move || stop.store(true, Relaxed), || arena::exit_with_engines(INTERRUPTED))
}

/// A player's name in the report.
fn named(entrant: EntrantId, name: &str) -> String {
    format!("{entrant} {}", printable(name))
}

#[cfg(test)]
mod tests {
    use lusoria_search::Player;

    use super::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        arena: Arena,
    }

    fn contest(line: &str) -> Result<Contest, String> {
        let words = ["arena"].into_iter().chain(line.split(' '));
        let program = <Program as clap::Parser>::try_parse_from(words).map_err(|why| why.to_string())?;
        program.arena.contest().map_err(|why| why.to_string())
    }

    #[test]
    fn a_flag_for_one_player_takes_precedence() {
        let five: Entrant = "5".parse().expect("a level");
        let Entrant::Computer(five) = five else { unreachable!("a level is of the computer") };
        let (usual, most) = (five.budget(Game::Tavla), five.budget_max(Game::Tavla));
        let exactly = |nodes| Budget { nodes };
        for (flags, a, b) in [
            ("", usual, Player::Greedy.budget(Game::Tavla)),
            (" --nodes 9", exactly(9), exactly(9)),
            (" --nodes 9 --nodes-a 7", exactly(7), exactly(9)),
            (" --nodes 9 --full-a", most, exactly(9)),
            (" --full --nodes-b 3", most, exactly(3)),
        ] {
            let contest = contest(&format!("tavla --a 5 --b greedy{flags}")).expect(flags);
            assert_eq!(
                (contest.budget(EntrantId::A), contest.budget(EntrantId::B)),
                (Some(a), Some(b)),
                "{flags}"
            );
        }
        for flags in ["--full --nodes 9", "--full-a --nodes-a 9", "--full-b --nodes-b 9", "--nodes 0"] {
            assert!(contest(&format!("tavla --a 5 --b greedy {flags}")).is_err(), "{flags}");
        }
    }

    #[test]
    fn an_outside_engine_is_given_time_and_no_budget() {
        let contest = |flags: &str| contest(&format!("tablut --a cmd:x --b 1 --nodes 9{flags}"));
        let quick = contest(" --time-limit-ms 40").expect("an engine");
        assert_eq!(
            (quick.budget(EntrantId::A), quick.budget(EntrantId::B)),
            (None, Some(Budget { nodes: 9 }))
        );
        assert_eq!(quick.limits, Limits { ready: READY_WITHIN, turn: Duration::from_millis(40) });
        let slow = contest(" --time-limit-ms 60000").expect("an engine");
        assert_eq!(slow.limits.ready, Duration::from_mins(1));
        for flags in [" --nodes-a 5", " --full-a"] {
            assert!(contest(flags).expect_err(flags).contains("player A is an outside engine"));
        }
    }
}
