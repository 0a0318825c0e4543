//! The load: pairs whose players are on different nodes, and move to others when theirs is down.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::watch, task::JoinSet};

use super::{
    NODES,
    nodes::{Addresses, Listening},
};
use crate::crash::{
    error::{NoAnswer, TrialError},
    pair::Pair,
};

/// How long a client waits before it turns to another node.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// The nodes of a pair's two players: two different ones.
pub(super) fn homes(random: &mut StdRng) -> [usize; 2] {
    let first = random.random_range(..NODES);
    [first, (first + random.random_range(1..NODES)) % NODES]
}

/// The load on the cluster.
pub(super) struct Playing {
    pairs: JoinSet<(Pair, Result<(), TrialError>)>,
    stop: watch::Sender<bool>,
}

impl Playing {
    /// Starts all pairs.
    pub(super) fn begin(
        pairs: Vec<Pair>,
        listening: &watch::Receiver<Listening>,
        random: &mut StdRng,
    ) -> Self {
        let stop = watch::Sender::new(false);
        let pairs = pairs
            .into_iter()
            .map(|pair| {
                let load =
                    Load { listening: listening.clone(), random: StdRng::seed_from_u64(random.random()) };
                let stopped = stop.subscribe();
                async move {
                    let mut pair = pair;
                    let played = load.play(&mut pair, &stopped).await;
                    pair.hang_up();
                    (pair, played)
                }
            })
            .collect();
        Self { pairs, stop }
    }

    /// Ends the load. Returns the pairs, and the first broken promise.
    pub(super) async fn stop(mut self) -> (Vec<Pair>, Result<(), TrialError>) {
        self.stop.send_replace(true);
        let (mut pairs, mut all) = (Vec::new(), Ok(()));
        while let Some(played) = self.pairs.join_next().await {
            let (pair, played) = played.expect("a pair does not panic");
            pairs.push(pair);
            all = all.and(played);
        }
        pairs.sort_by_key(Pair::number);
        (pairs, all)
    }
}

/// The load of one pair.
struct Load {
    listening: watch::Receiver<Listening>,
    random: StdRng,
}

impl Load {
    async fn play(mut self, pair: &mut Pair, stopped: &watch::Receiver<bool>) -> Result<(), TrialError> {
        let mut at = None;
        while !*stopped.borrow() {
            let Some(now) = at.or_else(|| self.choose()) else {
                tokio::time::sleep(TRY_AGAIN_AFTER).await;
                continue;
            };
            at = Some(now);
            match pair.step(now).await {
                Ok(_) => {}
                Err(TrialError::NoAnswer(why)) => {
                    // Events that were pushed before the end count as published.
                    if let Err(TrialError::Broken(what)) = pair.receive() {
                        return Err(TrialError::Broken(what));
                    }
                    pair.unavailable += u64::from(matches!(why, NoAnswer::Unavailable(_)));
                    pair.hang_up();
                    at = None;
                    tokio::time::sleep(TRY_AGAIN_AFTER).await;
                }
                Err(broken @ TrialError::Broken(_)) => return Err(broken),
            }
        }
        Ok(())
    }

    /// Draws two nodes for the two players; none if one of them does not listen.
    fn choose(&mut self) -> Option<Addresses<2>> {
        let listening = *self.listening.borrow();
        let [one, two] = homes(&mut self.random);
        Some([listening[one]?, listening[two]?])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn players_of_a_pair_are_on_different_nodes_of_all() {
        let mut random = StdRng::seed_from_u64(1);
        let drawn: HashSet<_> = (0..200).map(|_| homes(&mut random)).collect();
        assert_eq!(drawn.len(), NODES * (NODES - 1));
        assert!(drawn.iter().all(|[one, two]| one != two));
    }
}
