//! Repeats of a request in flight wait for the response to the first.

use std::{collections::HashMap, hash::Hash, time::Duration};

use lusoria_protocol::Problem;
use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use crate::app::problem;

/// How many repeats may wait for a request: as many as a guest may send in a burst.
const WAITING_MAX: usize = 500;

/// How long a repeat waits.
const WAITS_FOR: Duration = Duration::from_secs(30);

/// Requests in flight, by the key that identifies repeats.
pub(in crate::app) struct SingleFlight<K, T> {
    in_flight: Mutex<HashMap<K, Option<Repeats<T>>>>,
}

type Response<T> = Result<T, Problem>;

/// Sends the response to the repeats. Created when the first of them arrives, which is rare.
type Repeats<T> = watch::Sender<Option<Response<T>>>;

impl<K, T> Default for SingleFlight<K, T> {
    fn default() -> Self {
        Self { in_flight: Mutex::default() }
    }
}

impl<K: Clone + Eq + Hash, T: Clone> SingleFlight<K, T> {
    /// Runs a request, or waits for the response if the same one is in flight. If the first is dropped
    /// unfinished, a repeat takes its place.
    ///
    /// # Errors
    /// Those of the request; `unavailable` if too many wait for the same one, or it takes too long.
    pub(in crate::app) async fn run(
        &self,
        key: K,
        request: impl Future<Output = Response<T>>,
    ) -> Response<T> {
        loop {
            match self.join(&key)? {
                Joined::First(first) => {
                    let response = request.await;
                    first.finish(&response);
                    return response;
                }
                Joined::Repeat(mut response) => {
                    match timeout(WAITS_FOR, response.wait_for(Option::is_some)).await {
                        Ok(Ok(response)) => return response.clone().expect("it was waited for"),
                        Ok(Err(_)) => {}
                        Err(_) => return Err(problem::too_slow()),
                    }
                }
            }
        }
    }

    fn join(&self, key: &K) -> Result<Joined<'_, K, T>, Problem> {
        let mut in_flight = self.in_flight.lock();
        match in_flight.get_mut(key).map(|repeats| repeats.get_or_insert_with(|| watch::Sender::new(None))) {
            Some(repeats) if repeats.receiver_count() >= WAITING_MAX => {
                Err(problem::too_many_again(WAITING_MAX))
            }
            Some(repeats) => Ok(Joined::Repeat(repeats.subscribe())),
            None => {
                in_flight.insert(key.clone(), None);
                Ok(Joined::First(First { flights: self, key: key.clone(), is_finished: false }))
            }
        }
    }
}

enum Joined<'a, K: Eq + Hash, T> {
    First(First<'a, K, T>),
    Repeat(watch::Receiver<Option<Response<T>>>),
}

/// The first of several equal requests. Dropping it unfinished wakes the repeats.
struct First<'a, K: Eq + Hash, T> {
    flights: &'a SingleFlight<K, T>,
    key: K,
    is_finished: bool,
}

impl<K: Eq + Hash, T: Clone> First<'_, K, T> {
    fn finish(mut self, response: &Response<T>) {
        if let Some(Some(repeats)) = self.flights.in_flight.lock().remove(&self.key) {
            repeats.send_replace(Some(response.clone()));
        }
        self.is_finished = true;
    }
}

impl<K: Eq + Hash, T> Drop for First<'_, K, T> {
    fn drop(&mut self) {
        // After it has finished, another request may be the first.
        if !self.is_finished {
            self.flights.in_flight.lock().remove(&self.key);
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
        async fn ask(&self, key: u32) -> Response<u32> {
            let request = async {
                tokio::time::sleep(TAKES).await;
                Ok(self.carried_out.fetch_add(1, Ordering::Relaxed))
            };
            self.flights.run(key, request).await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn repeats_at_once_run_once_and_get_the_same_response() {
        let world = World::default();
        let answers = join_all((0..100).map(|n| world.ask(n % 2))).await;
        assert!(answers.iter().enumerate().all(|(n, response)| *response == Ok(u32::from(n % 2 == 1))));
        assert!(world.flights.in_flight.lock().is_empty());
        assert_eq!(world.ask(0).await, Ok(2), "later it is another one");
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_first_is_dropped_a_repeat_takes_its_place() {
        let world = World::default();
        let given_up = timeout(TAKES / 2, world.ask(1));
        let (given_up, again) = tokio::join!(given_up, world.ask(1));
        assert!(given_up.is_err());
        assert_eq!(again, Ok(0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_limited_number_of_repeats_wait_for_a_limited_time() {
        let world = World::default();
        let answers = join_all((0..WAITING_MAX + 2).map(|_| world.ask(1))).await;
        let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.iter().map(|problem| problem.code).collect::<Vec<_>>(), [Code::Unavailable]);
        let never = world.flights.run(2, std::future::pending());
        let again = async {
            let response = world.ask(2).await;
            assert_eq!(response.map_err(|problem| problem.code), Err(Code::Unavailable));
        };
        tokio::select! {
            biased;
            _ = never => unreachable!("it never ends"),
            () = again => {}
        }
    }
}
