//! Metrics of readers.

use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;

/// Counts while a client reads: how often it lagged, and how often it was behind.
fn counted(reads: impl FnOnce(&mut Lag)) -> (u64, u64) {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || reads(&mut Lag::default()));
    let told = recorder.handle().render();
    let number = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0, |number| number.parse().unwrap())
    };
    (number("lusoria_readers_lagging_total"), number("lusoria_reader_lag_events_count"))
}

#[test]
fn a_reader_from_the_beginning_is_not_behind() {
    let all = |lag: &mut Lag| (1..=10).rev().for_each(|batches| lag.reads_on(batches * BATCH));
    assert_eq!(counted(all), (0, 0));
}

#[test]
fn falling_behind_is_counted_once_until_the_head_is_near_again() {
    let falls = |lag: &mut Lag| [0, 1, 200, 136, 72, 8, 1, 100].into_iter().for_each(|n| lag.reads_on(n));
    assert_eq!(counted(falls), (2, 7));
}

#[test]
fn a_reader_who_skips_to_the_head_may_fall_behind_again() {
    let skips = |lag: &mut Lag| {
        for _ in 0..3 {
            lag.reads_on(100);
            lag.skips();
        }
    };
    assert_eq!(counted(skips), (2, 2));
}
