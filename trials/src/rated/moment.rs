//! The moment when the server is killed.

use std::time::Duration;

use rand::{RngExt, rngs::StdRng};

use super::{Found, ending::Ending};

/// The start of the search for the moment of the commit, in microseconds after the request.
const FIRST_US: f64 = 4_000.0;

/// The bounds of that search, in microseconds.
const RANGE_US: (f64, f64) = (200.0, 500_000.0);

/// The factor by which a kill that came too early or too late moves the next one.
const STEP: f64 = 1.1;

/// The estimated time between the request, or the deadline, and the commit of the end: learned for each
/// ending, because machines differ.
#[derive(Debug)]
pub(super) struct Moments([f64; Ending::ALL.len()]);

impl Default for Moments {
    fn default() -> Self {
        Self([FIRST_US; Ending::ALL.len()])
    }
}

impl Moments {
    /// How long after the request to kill: from at once, before the server can have read it, to twice as long
    /// as the commit takes.
    pub(super) fn draw(&self, ending: Ending, random: &mut StdRng) -> Duration {
        let until = 2.0 * self.0[ending as usize];
        Duration::from_secs_f64(random.random_range(0.0..until) / 1e6)
    }

    /// Learns from the state of a match after the kill.
    pub(super) fn learn(&mut self, ending: Ending, found: Found) {
        let moment = &mut self.0[ending as usize];
        let moved = match found {
            Found::NotOver => *moment * STEP,
            // A clock that runs out sends no response.
            Found::OverUntold if ending != Ending::Flag => *moment,
            Found::OverUntold | Found::OverAsTold => *moment / STEP,
        };
        *moment = moved.clamp(RANGE_US.0, RANGE_US.1);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn the_moment_of_the_commit_is_found_and_both_sides_of_it_are_tried() {
        let (mut moments, mut random) = (Moments::default(), StdRng::seed_from_u64(1));
        let (commit, answer) = (Duration::from_millis(30), Duration::from_millis(33));
        let mut found = [0; 3];
        for round in 0..1_000 {
            let killed = moments.draw(Ending::Resigned, &mut random);
            let how = match killed {
                _ if killed < commit => Found::NotOver,
                _ if killed < answer => Found::OverUntold,
                _ => Found::OverAsTold,
            };
            moments.learn(Ending::Resigned, how);
            found[how as usize] += usize::from(round >= 100);
        }
        assert!(found.iter().all(|&times| times > 20), "{found:?}");
        assert!(
            (FIRST_US - moments.0[Ending::Flag as usize]).abs() < 1.0,
            "another ending has its own estimate"
        );
    }
}
