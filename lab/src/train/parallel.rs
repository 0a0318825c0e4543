//! Does many pieces of work on a few threads and returns the results in order.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Computes the result for every number from 0 to below `count`. The results are in that order, whichever
/// thread computed them.
pub(crate) fn ask<Answer: Send>(
    threads: usize,
    count: usize,
    answer: impl Fn(usize) -> Answer + Sync,
) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        loop {
            let question = next.fetch_add(1, Ordering::Relaxed);
            if question >= count {
                return answers;
            }
            answers.push((question, answer(question)));
        }
    };
    let mut answers = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a game does not panic"))
            .collect::<Vec<_>>()
    });
    answers.sort_by_key(|(question, _)| *question);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
