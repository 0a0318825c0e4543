//! The same request again while the first is under way: it waits for the first one's answer.

use std::{collections::HashMap, hash::Hash, time::Duration};

use lusoria_protocol::Problem;
use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use super::problem;

/// How many requests may wait for the same first one: as many as a guest may send at once.
const WAITING_MAX: usize = 500;

/// How long a request waits for the first one.
const WAITS_FOR: Duration = Duration::from_secs(30);

/// Requests that are under way, by what makes them the same.
pub(super) struct SingleFlight<K, T> {
    under_way: Mutex<HashMap<K, watch::Sender<Option<Answer<T>>>>>,
}

type Answer<T> = Result<T, Problem>;

impl<K, T> Default for SingleFlight<K, T> {
    fn default() -> Self {
        Self { under_way: Mutex::default() }
    }
}

impl<K: Clone + Eq + Hash, T: Clone> SingleFlight<K, T> {
    /// Carries a request out, unless the same one is under way: then it waits for its answer. If
    /// the first one is given up before it is answered, one of those that wait takes its place.
    ///
    /// # Errors
    /// Those of the request; `unavailable` if too many wait for the same one, or it takes too long.
    pub(super) async fn run(&self, key: K, request: impl Future<Output = Answer<T>>) -> Answer<T> {
        loop {
            match self.join(&key)? {
                Joined::First(first) => {
                    let answer = request.await;
                    first.answered(answer.clone());
                    return answer;
                }
                Joined::Again(mut answered) => {
                    match timeout(WAITS_FOR, answered.wait_for(Option::is_some)).await {
                        Ok(Ok(answer)) => return answer.clone().expect("it was waited for"),
                        Ok(Err(_)) => {}
                        Err(_) => return Err(problem::too_slow()),
                    }
                }
            }
        }
    }

    fn join(&self, key: &K) -> Result<Joined<'_, K, T>, Problem> {
        let mut under_way = self.under_way.lock();
        match under_way.get(key) {
            Some(first) if first.receiver_count() >= WAITING_MAX => Err(problem::too_many_again(WAITING_MAX)),
            Some(first) => Ok(Joined::Again(first.subscribe())),
            None => {
                under_way.insert(key.clone(), watch::Sender::new(None));
                Ok(Joined::First(First { flights: self, key: key.clone(), is_answered: false }))
            }
        }
    }
}

enum Joined<'a, K: Eq + Hash, T> {
    First(First<'a, K, T>),
    Again(watch::Receiver<Option<Answer<T>>>),
}

/// The first of its kind. Dropping it tells those that wait that there is no answer.
struct First<'a, K: Eq + Hash, T> {
    flights: &'a SingleFlight<K, T>,
    key: K,
    is_answered: bool,
}

impl<K: Eq + Hash, T> First<'_, K, T> {
    fn answered(mut self, answer: Answer<T>) {
        if let Some(waiting) = self.flights.under_way.lock().remove(&self.key) {
            waiting.send_replace(Some(answer));
        }
        self.is_answered = true;
    }
}

impl<K: Eq + Hash, T> Drop for First<'_, K, T> {
    fn drop(&mut self) {
        // After its answer another one may be the first.
        if !self.is_answered {
            self.flights.under_way.lock().remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use lusoria_protocol::Code;

    use super::*;

    const TAKES: Duration = Duration::from_millis(100);

    #[derive(Default)]
    struct World {
        flights: SingleFlight<u32, u32>,
        carried_out: AtomicU32,
    }

    impl World {
        async fn ask(&self, key: u32) -> Answer<u32> {
            let request = async {
                tokio::time::sleep(TAKES).await;
                Ok(self.carried_out.fetch_add(1, Ordering::Relaxed))
            };
            self.flights.run(key, request).await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_same_at_once_is_carried_out_once_and_answered_alike() {
        let world = World::default();
        let answers = join_all((0..100).map(|n| world.ask(n % 2))).await;
        assert!(answers.iter().enumerate().all(|(n, answer)| *answer == Ok(u32::from(n % 2 == 1))));
        assert!(world.flights.under_way.lock().is_empty());
        assert_eq!(world.ask(0).await, Ok(2), "later it is another one");
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_first_is_given_up_another_takes_its_place() {
        let world = World::default();
        let given_up = timeout(TAKES / 2, world.ask(1));
        let (given_up, again) = tokio::join!(given_up, world.ask(1));
        assert!(given_up.is_err());
        assert_eq!(again, Ok(0));
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_than_so_many_wait_and_not_for_ever() {
        let world = World::default();
        let answers = join_all((0..WAITING_MAX + 2).map(|_| world.ask(1))).await;
        let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.iter().map(|problem| problem.code).collect::<Vec<_>>(), [Code::Unavailable]);
        let never = world.flights.run(2, std::future::pending());
        let again = async {
            let answer = world.ask(2).await;
            assert_eq!(answer.map_err(|problem| problem.code), Err(Code::Unavailable));
        };
        tokio::select! {
            biased;
            _ = never => unreachable!("it never ends"),
            () = again => {}
        }
    }
}
