//! Measures the losses of players in a turn by rollouts: random turns of a contest are each compared with the
//! best alternatives by playing them to the end.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Instant,
};

use lusoria_rules::{History, Position, Variant};
use lusoria_search::{
    Budget, Decision, Level, Player, RolloutGame, RolloutPlan, difference, edition, roll_out,
};
use serde::Serialize;

use crate::{
    ArenaError, ByEntrant, Contest, EntrantId, Estimate, Stopped,
    game::KeptTurn,
    rollouts::play_at_the_same_time,
    run::{FORFEITS_IN_A_ROW_MAX, Progress, play_pairs},
    tally::Tally,
};

/// How turns are rolled out.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// The most turns that a played one is compared with: the best-looking.
    pub turns_max: usize,
    /// The most games played from each.
    pub games_max: u32,
    /// After how many turns of both sides these are cut off, if ever.
    pub horizon: Option<u32>,
    /// How many are played at the same time.
    pub threads: NonZeroUsize,
}

/// The result. Its fields are stable: programs read it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Losses {
    /// The game and its options.
    #[serde(flatten)]
    pub variant: Variant,
    /// The edition of the search that played the rollouts, as 16 hexadecimal digits.
    pub edition: String,
    /// The seed.
    pub seed: u64,
    /// `game`, or `points` if a double win counted two.
    pub stakes: &'static str,
    /// The number of games.
    pub games: u32,
    /// The first player.
    pub a: PlayerLosses,
    /// The other player.
    pub b: PlayerLosses,
    /// The elapsed time, in seconds.
    pub elapsed_s: f64,
}

/// The losses of a player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerLosses {
    /// Their name.
    pub player: String,
    /// How many of their turns were rolled out; all of them had a choice.
    pub turns: u32,
    /// In how many of them they played the turn with the best rollout.
    pub best: u32,
    /// Their mean loss in such a turn, in chances of winning, or in points if these are the stakes, with the
    /// interval of 95 % over turns: zero where they played the turn with the best rollout, elsewhere the
    /// difference in a second rollout with other dice, so that a turn that only looked best by chance causes
    /// no loss. None with fewer than two turns.
    pub lost: Option<Estimate>,
}

/// The progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossProgress {
    /// Games are played.
    Games(Progress),
    /// This many turns of this many have been rolled out.
    Turns(u32, u32),
}

/// Plays a contest and rolls out the turns that it keeps; or says why it ended early. Like
/// [`run`](crate::run) it ends if one engine forfeits ten games in a row.
///
/// # Errors
/// If an outside engine cannot be started.
pub fn losses(
    contest: &Contest,
    comparison: &Comparison,
    stop: &AtomicBool,
    mut report: impl FnMut(LossProgress),
) -> Result<Result<Losses, Stopped>, ArenaError> {
    let begun = Instant::now();
    let mut kept: Vec<(EntrantId, KeptTurn)> = Vec::new();
    let mut tally = Tally::default();
    let ended = play_pairs(
        contest,
        stop,
        |progress| report(LossProgress::Games(*progress)),
        |pair, played| {
            for (game, played) in (2 * pair..).zip(played) {
                let whose = |turn: &KeptTurn| EntrantId::playing(turn.position.to_move(), game);
                kept.extend(played.kept.iter().map(|turn| (whose(turn), turn.clone())));
            }
            tally.add(pair, played);
            tally.gives_up(FORFEITS_IN_A_ROW_MAX)
        },
    )?;
    if let Some(stopped) = ended {
        return Ok(Err(stopped));
    }
    let all = u32::try_from(kept.len()).expect("few turns of each game are kept");
    let mut lost = ByEntrant { a: Vec::new(), b: Vec::new() };
    for (done, (player, turn)) in (0..).zip(&kept) {
        if stop.load(Relaxed) {
            return Ok(Err(Stopped::Interrupted));
        }
        report(LossProgress::Turns(done, all));
        lost.get_mut(*player).push(lost_in(contest, comparison, done, turn));
    }
    let ByEntrant { a, b } = &contest.entrants;
    Ok(Ok(Losses {
        variant: contest.variant,
        edition: format!("{:016x}", edition(contest.variant)),
        seed: contest.seed,
        stakes: contest.stakes_name(),
        games: 2 * contest.pairs,
        a: PlayerLosses::of(a.to_string(), &lost.a),
        b: PlayerLosses::of(b.to_string(), &lost.b),
        elapsed_s: begun.elapsed().as_secs_f64(),
    }))
}

/// The loss of a turn.
#[derive(Debug, Clone, Copy, Default)]
struct Lost {
    /// Whether it has the best rollout.
    is_best: bool,
    /// In chances of winning, or in points.
    lost: f64,
}

/// Holds for the kept turns.
const KEPT: &str = "a game with dice keeps turns, and they are legal";

fn lost_in(contest: &Contest, comparison: &Comparison, nth: u32, turn: &KeptTurn) -> Lost {
    let KeptTurn { position, dice, steps } = turn;
    let history = History::start(position);
    let decision = Decision { position: *position, dice, history: &history, stakes: contest.stakes };
    let plan = RolloutPlan {
        turns_max: comparison.turns_max,
        games_max: comparison.games_max,
        budget: budget(position),
        horizon: comparison.horizon,
        seed: contest.seed ^ u64::from(nth),
    };
    let play_all = |games: &[RolloutGame]| play_at_the_same_time(games, comparison.threads);
    let rollout = roll_out(&decision, Some(steps), &plan, play_all, |_, _| {}).expect(KEPT);
    if rollout.asked == Some(0) {
        return Lost { is_best: true, lost: 0.0 };
    }
    let again = RolloutPlan { seed: !plan.seed, ..plan };
    let lost = difference(&decision, [&rollout.turns[0].steps, steps], &again, play_all);
    Lost { is_best: false, lost: contest.stakes.difference(lost.expect(KEPT).mean) }
}

/// The best-looking turns are found with the largest budget of the highest level.
fn budget(position: &Position) -> Budget {
    Player::Level(Level::HIGHEST).budget_max(position.variant().game())
}

impl PlayerLosses {
    fn of(player: String, lost: &[Lost]) -> Self {
        let count = |lost: usize| u32::try_from(lost).expect("few turns of each game are kept");
        let all: Vec<f64> = lost.iter().map(|lost| lost.lost).collect();
        Self {
            player,
            turns: count(lost.len()),
            best: count(lost.iter().filter(|lost| lost.is_best).count()),
            lost: (all.len() > 1).then(|| Estimate::mean(&all)),
        }
    }
}
