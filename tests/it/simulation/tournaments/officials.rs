//! The organiser and the operator.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lusoria::app::{Caller, admin::AdminAction};
use lusoria_play::{PlayerId, TournamentId};
use lusoria_protocol::Problem;
use parking_lot::Mutex;
use serde_json::{Value, from_value, json};
use tokio::time::sleep;

use super::entrants::heard;
use crate::{
    simulation::{nodes::Open, world::Shared},
    support::random::Random,
};

/// How often the same is tried.
const TRIES_MAX: u32 = 40;

/// After what time by correspondence they exclude who is away, and end it.
const AWAY_MS: u64 = 300_000;
const BY_DAYS_MS: u64 = 1_500_000;

/// Who directs a tournament.
pub(super) struct Officials {
    pub(super) organiser: Caller,
    pub(super) id: TournamentId,
    pub(super) random: Random,
    pub(super) world: Shared,
    pub(super) open: Arc<Open>,
    /// The players that the operator blocks or erases, and by when.
    pub(super) gone: Arc<Mutex<BTreeMap<PlayerId, u64>>>,
    /// Those on whom nobody need rely.
    pub(super) unreliable: Vec<PlayerId>,
    /// Those who do not come back.
    pub(super) vanished: Vec<PlayerId>,
    /// How long organiser and operator do anything.
    pub(super) until_ms: u64,
    pub(super) correspondence: bool,
}

impl Officials {
    /// Directs until the tournament has ended; does nothing before `from_ms`.
    pub(super) async fn direct(mut self, from_ms: u64) {
        sleep(Duration::from_millis(from_ms)).await;
        while self.now() < self.until_ms {
            self.intervene().await;
            let pause_ms = self.random.between(15_000, 60_000);
            sleep(Duration::from_millis(pause_ms)).await;
        }
        if self.correspondence {
            sleep(Duration::from_millis(AWAY_MS)).await;
            for player in std::mem::take(&mut self.vanished) {
                self.order(json!({"command": "exclude", "player": player, "reason": "Away"})).await;
            }
            sleep(Duration::from_millis(BY_DAYS_MS)).await;
            self.order(json!({"command": "end", "reason": "It takes too long"})).await;
        }
    }

    fn now(&self) -> u64 {
        self.world.lock().now()
    }

    async fn intervene(&mut self) {
        match self.random.below(8) {
            0 => {
                if self.order(json!({"command": "stop", "reason": "A pause"})).await {
                    self.world.lock().reach("stopped");
                    let pause_ms = self.random.between(5_000, 60_000);
                    sleep(Duration::from_millis(pause_ms)).await;
                }
                // Also if the answer to the order was lost.
                self.order(json!({"command": "resume"})).await;
            }
            1 => {
                let app = self.open.any(&mut self.random).await;
                let Some(known) = heard(app.live().tournament(self.id)).await else { return };
                let round = known.state.rounds().len();
                if self.try_once(json!({"command": "next_round", "round": round})).await {
                    self.world.lock().reach("a round closed by hand");
                }
            }
            2 => {
                let app = self.open.any(&mut self.random).await;
                let Some(known) = heard(app.live().tournament(self.id)).await else { return };
                let Some(open) = known.state.open_pairings().next() else { return };
                let pairing = open.pairing;
                let set = json!({
                    "command": "set_result", "pairing": pairing, "half_points": [2, 0], "reason": "Agreed",
                });
                if self.try_once(set).await {
                    self.world.lock().reach("a result set by hand");
                }
            }
            3 => {
                let Some(player) = self.one_unreliable() else { return };
                if self.order(json!({"command": "exclude", "player": player, "reason": "Unfair"})).await {
                    self.world.lock().reach("excluded by the organiser");
                }
            }
            4 | 5 => self.operate().await,
            _ => {}
        }
    }

    fn one_unreliable(&mut self) -> Option<PlayerId> {
        let at = self.random.index(self.unreliable.len());
        (at < self.unreliable.len()).then(|| self.unreliable.swap_remove(at))
    }

    /// The operator blocks or erases somebody, and tries until that is done.
    async fn operate(&mut self) {
        let Some(player) = self.one_unreliable() else { return };
        self.gone.lock().insert(player, u64::MAX);
        let erases = self.random.permille(500);
        for _ in 0..TRIES_MAX {
            let app = self.open.any(&mut self.random).await;
            let guest = player.to_string();
            let action = if erases { AdminAction::Erase { guest } } else { AdminAction::Block { guest } };
            if heard(app.administer(action)).await.is_some() {
                self.world.lock().reach(if erases { "erased" } else { "blocked" });
                let now = self.now();
                self.gone.lock().insert(player, now);
                return;
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// Orders something until it is answered, which may be by a refusal. Whether it was carried out.
    async fn order(&mut self, command: Value) -> bool {
        let request = from_value(command).expect("a direction");
        for _ in 0..TRIES_MAX {
            let app = self.open.any(&mut self.random).await;
            let answer = async {
                match app.direct_tournament(&self.organiser, self.id, &request).await {
                    Err(refused) if refused.status < 500 => Ok(false),
                    done => done.map(|_| true),
                }
            };
            if let Some(is_done) = heard::<_, Problem>(answer).await {
                return is_done;
            }
            sleep(Duration::from_secs(1)).await;
        }
        false
    }

    async fn try_once(&mut self, command: Value) -> bool {
        let request = from_value(command).expect("a direction");
        let app = self.open.any(&mut self.random).await;
        heard(app.direct_tournament(&self.organiser, self.id, &request)).await.is_some()
    }
}
