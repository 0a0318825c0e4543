//! The computer as a player. It learns which matches wait for it ([`crate::live::MatchInbox`]; after a start,
//! and whenever too many wait, from the store), thinks on a few threads of the lowest priority, and plays
//! with the same commands as everybody else.
//!
//! The more turns wait, and the less time is on their clocks, the smaller the budget for each (`queue`,
//! `budget`); it is recorded with the turn. This state may be lost, because a match itself says what it waits
//! for (`duty`).

mod budget;
mod draw;
mod duty;
mod error;
mod listen;
mod mind;
mod queue;
mod work;

use std::sync::Arc;

use tokio::sync::{Mutex, Notify};
use tokio_util::task::TaskTracker;

use crate::{app::BackgroundPool, config::Limits, live::Live};
use budget::Pace;
use mind::Thinker;
use queue::Queue;

pub use mind::{Mind, Search, ThinkRequest};

/// The computer, at all its levels.
pub struct Bots {
    live: Arc<Live>,
    thinker: Thinker,
    queue: Queue,
    /// Notified when the store should be searched.
    sweep: Notify,
    /// The most unfinished matches that it plays against one guest.
    matches_max: u32,
    /// Held from counting the matches until a new one is created.
    agreeing: Mutex<()>,
}

/// Starts the computer, one turn per thread, until the live matches stop. It runs in `tasks`.
pub fn start(
    live: &Arc<Live>,
    mind: Arc<dyn Mind>,
    background: Arc<BackgroundPool>,
    limits: &Limits,
    tasks: &TaskTracker,
) {
    let workers = limits.computer_threads.into();
    let bots = Arc::new(Bots {
        live: Arc::clone(live),
        thinker: Thinker { mind, background, pace: Pace::default() },
        queue: Queue::new(workers),
        sweep: Notify::new(),
        matches_max: limits.computer_matches,
        agreeing: Mutex::default(),
    });
    for _ in 0..workers {
        let bots = Arc::clone(&bots);
        tasks.spawn(async move { bots.until_stopped(Box::pin(bots.work())).await });
    }
    let listening = Arc::clone(&bots);
    tasks.spawn(async move { listening.until_stopped(listening.listen()).await });
    tasks.spawn(async move { bots.until_stopped(bots.sweep()).await });
}

impl Bots {
    async fn until_stopped(&self, what: impl Future<Output = ()>) {
        tokio::select! {
            biased;
            () = self.live.stopping().cancelled() => {}
            () = what => {}
        }
    }
}
