//! The store of a simulated server: it does what the weather lets it do, and tells the world what it has committed at the
//! moment when it does.

use std::{any::Any, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lusoria_store::{Beat, Call, Fate, Faults, HandingOver, KeyUse, Store, StoreError, Turn, WaitingSeek};
use parking_lot::Mutex;

use super::{
    asked::Question,
    node::{Gate, Pace},
    seekers::Pairing,
    weather::Write,
    world::{Shared, World},
};

/// How often what waits looks whether the weather has cleared up, in milliseconds.
const LOOKS_EVERY_MS: u64 = 100;

/// What stands between a simulated server and what is kept, which outlives the server.
struct Weathered {
    kept: Arc<Store>,
    world: Shared,
    node: usize,
    gate: Arc<Gate>,
    /// Which seeks waited when two of them were about to be answered.
    waiting: Mutex<Vec<WaitingSeek>>,
}

/// The store of a node, over what is kept in memory.
pub(super) fn weathered(kept: &Arc<Store>, world: &Shared, node: usize, gate: &Arc<Gate>) -> Arc<Store> {
    let faults = Weathered {
        kept: Arc::clone(kept),
        world: Shared::clone(world),
        node,
        gate: Arc::clone(gate),
        waiting: Mutex::default(),
    };
    Arc::new(kept.another_in_memory().with_faults(Arc::new(faults)))
}

impl Weathered {
    /// Waits as long as the process stands still and the weather demands, or until it clears up. For ever if the
    /// process has been killed.
    async fn weather(&self) {
        self.gate.pass().await;
        self.blow().await;
        self.gate.pass().await;
    }

    /// The same before a write. False if the process has been killed while it was on its way and it has
    /// arrived all the same.
    async fn weather_before_write(&self) -> bool {
        self.gate.pass().await;
        self.blow().await;
        let goes_on = self.gate.goes_on().await;
        if !goes_on && self.world.lock().random.permille(500) {
            std::future::pending::<()>().await;
        }
        goes_on
    }

    async fn blow(&self) {
        let mut left_ms = {
            let mut world = self.world.lock();
            let (now, weather) = (world.now(), world.nodes[self.node].weather);
            let still_ms = weather.still_until(now).map_or(0, |until| until - now);
            still_ms + weather.delay_ms(now, &mut world.random)
        };
        while left_ms > 0 {
            let step_ms = left_ms.min(LOOKS_EVERY_MS);
            tokio::time::sleep(Duration::from_millis(step_ms)).await;
            let world = self.world.lock();
            let fair = world.nodes[self.node].weather.fair_since(world.now()).is_some();
            left_ms = if fair { 0 } else { left_ms - step_ms };
        }
    }

    async fn before_read(&self, call: &Call) -> Fate {
        self.weather().await;
        let mut world = self.world.lock();
        let (now, weather) = (world.now(), world.nodes[self.node].weather);
        if !weather.read_fails(now, &mut world.random) {
            return Fate::Made;
        }
        world.note(format_args!("store: {} fails", name(call)));
        Fate::Refused(StoreError::Busy("foul weather".to_owned()))
    }

    async fn before_write(&self, call: &Call) -> Fate {
        let fate = if self.weather_before_write().await { self.fate(call) } else { Write::Made };
        match fate {
            Write::Made | Write::MadeUnknown => {
                if let Call::Create(Turn { committed, seeks: Some(_), .. }) = call {
                    *self.waiting.lock() =
                        self.kept.waiting_seeks(committed[0].1[0].at).await.expect("memory can be read");
                }
                if fate == Write::Made { Fate::Made } else { Fate::MadeUnknown }
            }
            Write::Busy => Fate::Refused(StoreError::Busy("foul weather".to_owned())),
            Write::Full => Fate::Refused(StoreError::Full("foul weather".to_owned())),
            Write::LostUnknown => {
                if let Call::Create(turn) | Call::Append(turn) = call {
                    let last =
                        |(id, events): &(_, Vec<lusoria_play::Recorded>)| Some((*id, events.last()?.seq));
                    self.world.lock().lost.extend(turn.committed.iter().filter_map(last));
                }
                Fate::Refused(StoreError::Unknown("foul weather".to_owned()))
            }
        }
    }

    fn fate(&self, call: &Call) -> Write {
        let mut world = self.world.lock();
        let (now, weather) = (world.now(), world.nodes[self.node].weather);
        let fate = weather.write(now, &mut world.random);
        if fate != Write::Made {
            world.note(format_args!("store: {}: {fate:?}", name(call)));
            world.reach(format!("commit {fate:?}"));
        }
        fate
    }

    fn committed(&self, world: &mut World, turn: &Turn) {
        if let Some(seeks) = turn.seeks {
            let (id, events) = &turn.committed[0];
            world.pairings.push(Pairing::of(*id, events[0].at, seeks, &self.waiting.lock()));
            return;
        }
        for (id, events) in &turn.committed {
            world.committed(*id, events.clone());
        }
        if let Some(card) = &turn.card {
            world.carded(turn.committed[0].0, card);
        }
        if let Some(KeyUse { guest, key, .. }) = &turn.key {
            world.carried_out(&Question::Key(*guest, key.clone()));
        }
    }
}

/// What a call is called in traces.
fn name(call: &Call) -> String {
    let told = format!("{call:?}");
    told.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

impl Faults for Weathered {
    fn before<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Fate> {
        Box::pin(async move {
            match call {
                // Nobody lays down turns in these runs, and what every node looks for each minute would only take the
                // chance of all else.
                Call::ConditionalMatches { .. } => Fate::Made,
                call if call.writes() => self.before_write(call).await,
                call => self.before_read(call).await,
            }
        })
    }

    fn done(&self, call: &Call, answer: &mut dyn Any) {
        let mut world = self.world.lock();
        let is_shared = self.kept.is_shared();
        let makes_match = matches!(call, Call::Create(_));
        if (makes_match || matches!(call, Call::Append(_) | Call::Write))
            && world.strikes(self.node, makes_match)
        {
            self.gate.set(Pace::Dead);
        }
        match call {
            Call::Create(turn) | Call::Append(turn) => self.committed(&mut world, turn),
            Call::Rewrite(id, events) if answer.downcast_ref() == Some(&true) => {
                world.rewritten(*id, events.clone());
            }
            Call::HandOver(id, events) if answer.downcast_ref() == Some(&HandingOver::HandedOver) => {
                world.rewritten(*id, events.clone());
            }
            Call::Join(node, _) => {
                let beat: &Beat = answer.downcast_ref().expect("joining answers with a beat");
                if is_shared {
                    world.ledger.noted(*node, beat.time, true);
                } else {
                    world.ledger.begun(beat.time);
                }
            }
            Call::Beat(node, _) => {
                let beat: &Beat = answer.downcast_ref().expect("a beat");
                if !is_shared {
                    world.ledger.alive = beat.time;
                } else if beat.nodes.iter().any(|other| other.id == *node) {
                    world.ledger.noted(*node, beat.time, false);
                }
            }
            Call::Leave(node, now) => {
                if is_shared {
                    let now = world.server_time();
                    world.ledger.left(*node, now);
                } else {
                    world.ledger.alive = *now;
                }
            }
            _ => {}
        }
    }

    fn after<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if !matches!(call, Call::ConditionalMatches { .. }) {
                self.weather().await;
            }
        })
    }
}
