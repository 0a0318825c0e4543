//! A contest from its first pair of games to its last.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use lusoria_rules::{BySide, Side};
use parking_lot::Mutex;

use super::{
    ByEntrant, Contest, EntrantId, Report, Score, Stopped,
    error::{ArenaError, TurnError},
    game::{Played, play},
    seat::Seat,
    tally::Tally,
};

/// If one engine forfeits this many games in a row, the contest ends.
pub const FORFEITS_IN_A_ROW_MAX: u32 = 10;

/// The longest time between two reports of progress.
const REPORTED_WITHIN: Duration = Duration::from_millis(200);

/// The progress of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games that have been played, by the first player's result.
    pub played: Score,
    /// The total number of games.
    pub games_all: u32,
}

/// Both games of a pair.
pub(super) type Pair = [Played; 2];

/// Plays a contest. It ends early if `stop` becomes true, and sets it itself if one engine forfeits ten games
/// in a row; the report then says so, and covers the whole pairs that were played.
///
/// # Errors
/// If an outside engine cannot be started.
pub fn run(
    contest: &Contest,
    stop: &AtomicBool,
    report: impl FnMut(&Progress),
) -> Result<Report, ArenaError> {
    let begun = Instant::now();
    let mut tally = Tally::default();
    let ended = play_pairs(contest, stop, report, |pair, played| {
        tally.add(pair, played);
        tally.gives_up(FORFEITS_IN_A_ROW_MAX)
    })?;
    Ok(Report::of(contest, &tally, ended, begun.elapsed()))
}

/// Plays the pairs of a contest, and passes them to `take` in order until it names a player who gives up.
/// Returns why it ended early, if it did.
pub(super) fn play_pairs(
    contest: &Contest,
    stop: &AtomicBool,
    mut report: impl FnMut(&Progress),
    mut take: impl FnMut(u32, &Pair) -> Option<EntrantId>,
) -> Result<Option<Stopped>, ArenaError> {
    let (next, played) = (AtomicU32::new(0), Mutex::new(Score::default()));
    thread::scope(|scope| {
        let (send, pairs) = sync_channel(contest.threads.get());
        for _ in 0..contest.threads.get() {
            let (send, next, played) = (send.clone(), &next, &played);
            scope.spawn(move || work(contest, next, played, &send, stop));
        }
        drop(send);
        let progress = || Progress { played: *played.lock(), games_all: contest.pairs * 2 };
        let ended = collect(&pairs, &mut take, stop, || report(&progress()));
        // Stops games in progress, and releases threads that wait to send a pair.
        stop.fetch_or(!matches!(ended, Ok(None)), Relaxed);
        drop(pairs);
        ended
    })
}

/// Plays pairs until there are no more.
fn work(
    contest: &Contest,
    next: &AtomicU32,
    so_far: &Mutex<Score>,
    send: &SyncSender<(u32, Result<Pair, ArenaError>)>,
    stop: &AtomicBool,
) {
    let mut seats = ByEntrant { a: Seat::of(contest, EntrantId::A), b: Seat::of(contest, EntrantId::B) };
    loop {
        let pair = next.fetch_add(1, Relaxed);
        if pair >= contest.pairs || stop.load(Relaxed) {
            return;
        }
        let mut one = |game| {
            let ByEntrant { a, b } = &mut seats;
            let mut by_side = match EntrantId::playing(Side::White, game) {
                EntrantId::A => BySide { white: a, black: b },
                EntrantId::B => BySide { white: b, black: a },
            };
            let played = play(contest, game, &mut by_side, stop, &mut |_, _, _| {})?;
            so_far.lock().add(played.points_of(EntrantId::A, game));
            Ok(played)
        };
        let played = match one(2 * pair).and_then(|first| Ok([first, one(2 * pair + 1)?])) {
            Ok(played) => Ok(played),
            Err(TurnError::Arena(error)) => Err(error),
            Err(TurnError::Stopped) => return,
            Err(TurnError::Fault(_)) => unreachable!("an engine at fault has forfeited its game"),
        };
        if send.send((pair, played)).is_err() {
            return;
        }
    }
}

/// Takes pairs in order, so that a contest ends at the same place whatever the number of threads. Returns why
/// it ended early, if it did.
fn collect(
    pairs: &Receiver<(u32, Result<Pair, ArenaError>)>,
    take: &mut impl FnMut(u32, &Pair) -> Option<EntrantId>,
    stop: &AtomicBool,
    mut report: impl FnMut(),
) -> Result<Option<Stopped>, ArenaError> {
    let mut early = BTreeMap::new();
    let mut expected = 0;
    loop {
        match pairs.recv_timeout(REPORTED_WITHIN) {
            Ok((pair, played)) => {
                early.insert(pair, played?);
                while let Some(played) = early.remove(&expected) {
                    let gives_up = take(expected, &played);
                    expected += 1;
                    if let Some(entrant) = gives_up {
                        report();
                        return Ok(Some(Stopped::Forfeits { player: entrant }));
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        report();
    }
    let stopped = stop.load(Relaxed).then_some(Stopped::Interrupted);
    for (pair, played) in early {
        take(pair, &played);
    }
    Ok(stopped)
}
