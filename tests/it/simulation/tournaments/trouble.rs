//! What befalls the nodes: they are killed, between any two commits or all at once, and their way to the store is bad.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::time::{Instant, sleep, timeout_at};

use super::{Run, Watch};
use crate::{
    simulation::{cluster_plan::NODES, life::Life, node::Pace, weather, world::Doom},
    support::random::Random,
};

/// How long a doomed node has to make the commit after which it is killed.
const DOOMED_FOR: Duration = Duration::from_secs(20);

impl Run {
    /// Makes trouble until its time is over or the tournament has ended; then all is well.
    pub(super) async fn trouble(&self, lives: &mut [Life]) {
        let mut random = Random::new(self.course.seed ^ 0x7a0b_0001);
        let mut outage = self.course.outage;
        while self.now() < self.course.trouble_ms && !self.is_over.load(Ordering::Relaxed) {
            if let Some((_, for_ms)) = outage.take_if(|(from, _)| *from <= self.now()) {
                self.all_down(lives, for_ms).await;
            }
            let next_ms = outage.map_or(u64::MAX, |(from, _)| from.saturating_sub(self.now()));
            let pause_ms = random.between(500, 8_000);
            if next_ms <= pause_ms {
                sleep(Duration::from_millis(next_ms)).await;
                continue;
            }
            sleep(Duration::from_millis(pause_ms)).await;
            let node = random.index(NODES);
            match random.below(10) {
                0..4 => {
                    let doom = Doom { commit: random.between(1, 4), of_new_matches: random.permille(600) };
                    if self.dies_of(lives, node, doom).await {
                        sleep(Duration::from_millis(random.below(6_000))).await;
                        lives[node] = self.start_again(node).await;
                    }
                }
                4 => {
                    self.nodes.kill(node, &lives[node]);
                    sleep(Duration::from_millis(random.below(6_000))).await;
                    lives[node] = self.start_again(node).await;
                }
                5 if random.permille(300) => self.all_down(lives, random.between(4_000, 40_000)).await,
                _ => {
                    let (kind, for_ms) = weather::foul(&mut random);
                    let mut world = self.nodes.world.lock();
                    let now = world.now();
                    world.nodes[node].weather.turn(kind, now, now + for_ms);
                }
            }
        }
        let mut world = self.nodes.world.lock();
        let now = world.now();
        world.nodes.iter_mut().for_each(|node| node.weather.clear(now));
    }

    async fn start_again(&self, node: usize) -> Life {
        let life = self.nodes.start(node).await;
        self.started.lock().push(Instant::now());
        life
    }

    fn now(&self) -> u64 {
        self.nodes.world.lock().now()
    }

    /// Whether a node was killed at one of its next commits.
    async fn dies_of(&self, lives: &[Life], node: usize, doom: Doom) -> bool {
        let changed = Arc::clone(&self.nodes.world.lock().changed);
        let until = Instant::now() + DOOMED_FOR;
        self.nodes.world.lock().doomed.insert(node, doom);
        while lives[node].gate().pace() != Pace::Dead {
            if timeout_at(until, changed.notified()).await.is_err() {
                self.nodes.world.lock().doomed.remove(&node);
                return false;
            }
        }
        self.nodes.kill(node, &lives[node]);
        let is_owed = match Watch::of(&self.nodes, self.id).await {
            Ok(watch) => watch.is_owed(self.now()),
            Err(_) => false,
        };
        let mut world = self.nodes.world.lock();
        world.reach("killed after a commit");
        if is_owed {
            world.reach("killed while a round was paired");
        }
        true
    }

    async fn all_down(&self, lives: &mut [Life], for_ms: u64) {
        self.nodes.world.lock().reach("all nodes go down");
        for (node, life) in lives.iter().enumerate() {
            self.nodes.kill(node, life);
        }
        sleep(Duration::from_millis(for_ms)).await;
        for (node, life) in lives.iter_mut().enumerate() {
            *life = self.start_again(node).await;
        }
    }
}
