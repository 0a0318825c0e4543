//! Plays the games of a study.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
        mpsc::sync_channel,
    },
    thread,
};

use lusoria_rules::{BySide, End, Game, Step};
use lusoria_search::{Decision, network, network::Throw};

use super::{
    PLAYER, Study,
    course::{Course, Observer},
    incidents::Incident,
};
use crate::{ByEntrant, Contest, EntrantId, error::TurnError, game::play, seat::Seat};

/// The progress of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StudyProgress {
    /// How many games have been played.
    pub games: u32,
    /// The total number of games.
    pub games_all: u32,
}

/// Plays all games of a study, in their order; none if it was stopped.
pub(super) fn play_all(
    asked: &Study,
    stop: &AtomicBool,
    mut report: impl FnMut(StudyProgress),
) -> Option<Vec<Course>> {
    let throws = throws(asked.variant.game());
    let (next, games_all) = (AtomicU32::new(0), asked.games);
    let mut courses: Vec<(u32, Course)> = thread::scope(|scope| {
        let (send, played) = sync_channel(asked.threads.get());
        for _ in 0..asked.threads.get() {
            let (send, next, throws) = (send.clone(), &next, &throws);
            scope.spawn(move || {
                loop {
                    let nth = next.fetch_add(1, Relaxed);
                    let course = (nth < games_all).then(|| play_one(asked, nth, throws, stop)).flatten();
                    let Some(course) = course else { return };
                    if send.send((nth, course)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        (1..)
            .zip(&played)
            .map(|(games, course)| (report(StudyProgress { games, games_all }), course).1)
            .collect()
    });
    courses.sort_by_key(|(nth, _)| *nth);
    (courses.len() == games_all as usize).then(|| courses.into_iter().map(|(_, course)| course).collect())
}

/// The throws of a game; none if it has no dice.
pub(super) fn throws(game: Game) -> Vec<Throw> {
    match game.dice() {
        0 => Vec::new(),
        dice => network::throws(dice),
    }
}

/// Plays a game, counted from 0, and observes its turns; none if it was stopped.
fn play_one(asked: &Study, nth: u32, throws: &[Throw], stop: &AtomicBool) -> Option<Course> {
    let budget = Some(asked.allowed());
    let contest = Contest {
        budgets: ByEntrant { a: budget, b: budget },
        turns_max: asked.turns_max,
        ..Contest::of_computers(asked.variant, [PLAYER; 2], asked.seed)
    };
    let (mut white, mut black) = (Seat::of(&contest, EntrantId::A), Seat::of(&contest, EntrantId::B));
    let mut seats = BySide { white: &mut white, black: &mut black };
    let mut observer = Observer::new(throws, Incident::in_game(asked.variant));
    let mut look = |decision: &Decision<'_>, steps: &[Step], end: &End| observer.look(decision, steps, end);
    // The first game of a pair has the dice of that pair.
    match play(&contest, 2 * nth, &mut seats, stop, &mut look) {
        Ok(played) => Some(observer.course(&played)),
        Err(TurnError::Stopped) => None,
        Err(TurnError::Fault(_) | TurnError::Arena(_)) => unreachable!("no outside engine plays"),
    }
}
