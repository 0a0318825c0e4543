//! A node that has a store to itself: every stop is an outage, known while a match can need it.

use super::*;

/// In memory and in a file, neither of which is shared.
async fn alone() -> (TempDir, [Fixture; 2]) {
    let (folder, path) = folder();
    (folder, [Fixture::in_memory(), Fixture(open(&path).await)])
}

async fn joins(s: &Fixture, times: &[Millis]) {
    for now in times {
        done!(s.join(node(1), *now));
    }
}

fn outage(from: Millis, until: Millis) -> Outage {
    Outage { from, until }
}

#[tokio::test]
async fn the_time_between_the_last_sign_and_a_start_is_an_outage() {
    for s in alone().await.1 {
        assert!(!s.is_shared());
        joins(&s, &[1_000, 400, 400]).await;
        is!(s.outages(0), [], "neither the first start nor a clock that is set back");
        for now in [2_000, 3_000] {
            done!(s.beat(node_id(1), now));
        }
        joins(&s, &[10_000, 20_000]).await;
        done!(s.leave(node_id(1), 29_000));
        joins(&s, &[29_500]).await;
        let all = [outage(3_000, 10_000), outage(10_000, 20_000), outage(29_000, 29_500)];
        for (since, from) in [(0, 0), (9_999, 0), (10_000, 1), (20_000, 2), (29_500, 3)] {
            is!(s.outages(since), all[from..], "since {since}");
        }
        s.close().await;
    }
}

#[tokio::test]
async fn outages_are_kept_for_unfinished_matches() {
    for s in alone().await.1 {
        joins(&s, &[500]).await;
        // The match's only event is at 1000.
        s.matches([1]).await;
        joins(&s, &[900, 1_000, 3_000, 4_000]).await;
        let kept = async || {
            done!(s.sweep(9_000));
            done!(s.outages(0))
        };
        let (third, fourth) = (outage(1_000, 3_000), outage(3_000, 4_000));
        assert_eq!(kept().await, [third, fourth]);
        done!(s.append(Append { events: events(1, 1, 3_000).into(), ..append(1, 1) }));
        assert_eq!(kept().await, [fourth]);
        done!(s.append(Append { of: version(2), events: events(2, 1, 3_500).into(), ..ending(1) }));
        assert_eq!(kept().await, []);
        s.close().await;
    }
}

#[tokio::test]
async fn outages_are_kept_for_tournaments_that_may_owe_credit() {
    const HOUR_MS: Millis = 3_600_000;
    for s in alone().await.1 {
        joins(&s, &[1_000, 2 * HOUR_MS]).await;
        s.with_accounts([1]).await;
        // Its events are at 1000.
        done!(s.create_tournament(tournaments::new(1, 1)));
        let kept = async || {
            done!(s.sweep(10 * HOUR_MS));
            done!(s.outages(0))
        };
        assert_eq!(kept().await, [outage(1_000, 2 * HOUR_MS)]);
        let mut append = tournaments::appending(1, 2);
        append.events[0].at = 4 * HOUR_MS;
        done!(s.append_tournament(append));
        assert_eq!(kept().await, []);
        s.close().await;
    }
}

#[tokio::test]
async fn a_beat_tells_the_time_and_the_node() {
    for s in alone().await.1 {
        let first = done!(s.join(node(1), 2_000));
        let beat = |time, since| {
            let NewNode { id, name, release } = node(1);
            let nodes = vec![Node { id, name, release, since, seen_at: time }];
            Beat { time, era: Era(0), history: first.history, nodes }
        };
        assert_eq!(first, beat(2_000, 2_000));
        is!(s.beat(node_id(1), 3_000), beat(3_000, 2_000));
        is!(s.beat(node_id(1), 1_000), beat(3_000, 2_000), "never back");
        is!(s.join(node(1), 2_500), beat(3_000, 3_000));
        s.matches([1]).await;
        is!(s.join(node(1), 9_001), beat(9_001, 9_001), "of an era for ever");
        done!(s.append(append(1, 1)));
        for n in [1, 1, 2] {
            yes!(s.lease(match_id(1), 1, node_id(n), 1_000), "it is always granted");
        }
        s.close().await;
    }
}
