//! The lag of a player's line: measured with each turn, credited, and of no use to cheats.

use std::time::Duration;

use axum::extract::ws::Message;
use lusoria_protocol::{Seat, ToPlay};
use lusoria_testkit::seeded_bytes;
use serde_json::{Value, json};

use super::world::{Delay, Game, Peer, World};
use crate::live::Entropy;

/// The length of a ping that measures the line, in bytes.
const TIMED_BYTES: usize = 12;

/// Three hours, so that a tenth of it is never reached.
fn long() -> Value {
    json!({"kind": "fischer", "base_ms": 10_800_000, "increment_ms": 0})
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn always(delay_ms: u64) -> Delay {
    Box::new(move || ms(delay_ms))
}

/// Numbers from 0 to 1, from a seed.
fn chance(seed: u64) -> impl FnMut() -> f64 {
    let bytes = seeded_bytes(seed);
    move || {
        let [one, two, ..] = bytes.bytes32();
        f64::from(u16::from_be_bytes([one, two])) / f64::from(u16::MAX)
    }
}

/// One direction takes 75 ± 25 ms. A segment is lost with this probability. It then arrives after 350 ms, and after
/// twice as long each time it is lost again.
fn one_way(seed: u64, lost: f64) -> Delay {
    let mut chance = chance(seed);
    Box::new(move || {
        let mut delay_ms = 50.0 + 50.0 * chance();
        let mut again_ms = 350.0;
        while chance() < lost {
            delay_ms += again_ms;
            again_ms *= 2.0;
        }
        Duration::from_secs_f64(delay_ms / 1_000.0)
    })
}

/// The player in seat 1, over this line.
struct Player<'a> {
    game: &'a Game,
    peer: Peer,
}

/// The result of a turn.
#[derive(Debug)]
struct Played {
    /// The thinking time that the server counted less the real one, in milliseconds.
    error_ms: i64,
    lag_ms: Option<u64>,
}

impl<'a> Player<'a> {
    async fn over(world: &World, game: &'a Game, (down, up): (Delay, Delay)) -> Self {
        let mut peer = world.connect_over(down, up);
        peer.ok("hello", json!({"token": game.tokens[0].as_str()})).await;
        peer.ok("watch", json!({"match": game.id})).await;
        Self { game, peer }
    }

    /// Makes the opponent play at once until the player's clock runs. Returns the player's turn once the event has
    /// arrived.
    async fn turn_to_play(&mut self) -> ToPlay {
        loop {
            let to_play = self.game.snapshot().await.to_play.expect("a long series");
            if to_play.seat == Seat::One && !to_play.first_turn {
                while self.peer.event().await.1 != u64::from(to_play.seq) {}
                return to_play;
            }
            if to_play.seat == Seat::One {
                // The line is measured in a turn that costs nothing, too.
                self.peer.listen(ms(5_000)).await;
            }
            self.game.play().await;
        }
    }

    /// Plays a turn after this thinking time.
    async fn play_after(&mut self, thought_ms: u64) -> Played {
        let to_play = self.turn_to_play().await;
        self.peer.listen(ms(thought_ms)).await;
        let turn = self.answer_to(&to_play).await;
        let answer = self.peer.ok("turn", turn).await;
        played(&to_play, thought_ms, &answer["events"][0])
    }

    async fn answer_to(&self, to_play: &ToPlay) -> Value {
        let (_, turn) = self.game.turn().await;
        assert_eq!(turn.seq, to_play.seq);
        json!({"match": self.game.id, "seq": turn.seq, "steps": turn.steps})
    }

    fn timed_pings(&self) -> impl Iterator<Item = &bytes::Bytes> {
        self.peer.pings.iter().filter(|ping| ping.len() == TIMED_BYTES)
    }
}

fn played(to_play: &ToPlay, thought_ms: u64, turned: &Value) -> Played {
    assert_eq!(turned["type"], "turned", "{turned}");
    let lag_ms = turned["lag_ms"].as_u64();
    let took_ms = turned["at"].as_u64().expect("a time") - to_play.since_at;
    let charged_ms = (took_ms - lag_ms.unwrap_or(0)).cast_signed();
    Played { error_ms: charged_ms - thought_ms.cast_signed(), lag_ms }
}

/// The errors of 400 turns over a line, sorted, and their mean.
async fn errors(seed: u64, lost: f64) -> (Vec<i64>, i64) {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (one_way(seed, lost), one_way(seed + 1, lost))).await;
    let mut think = chance(seed + 2);
    let mut errors_ms = Vec::new();
    for _ in 0..400 {
        let thought = Duration::from_secs_f64(1.0 + 5.0 * think());
        let thought_ms = u64::try_from(thought.as_millis()).expect("seconds");
        errors_ms.push(player.play_after(thought_ms).await.error_ms);
    }
    let mean_ms = errors_ms.iter().sum::<i64>() / 400;
    errors_ms.sort_by_key(|error_ms| error_ms.abs());
    (errors_ms, mean_ms)
}

/// The percentage of errors of at most 30 ms.
fn small(errors_ms: &[i64]) -> usize {
    errors_ms.iter().filter(|error_ms| error_ms.abs() <= 30).count() * 100 / errors_ms.len()
}

#[tokio::test(start_paused = true)]
async fn over_a_line_of_150_ms_that_varies_by_50_the_clock_errs_by_30_ms_at_most_in_most_turns() {
    let (errors_ms, mean_ms) = errors(1, 0.0).await;
    let (median_ms, worst_ms) = (errors_ms[200].abs(), errors_ms[399].abs());
    println!("median {median_ms} ms, worst {worst_ms} ms, mean {mean_ms} ms, {} % small", small(&errors_ms));
    assert!(median_ms <= 20, "{median_ms}");
    assert!(small(&errors_ms) >= 80, "{}", small(&errors_ms));
    assert!(worst_ms <= 52, "{worst_ms}");
    assert!(mean_ms.abs() <= 3, "it errs to neither side: {mean_ms}");
}

#[tokio::test(start_paused = true)]
async fn over_a_line_that_loses_segments_the_clock_errs_by_30_ms_at_most_too() {
    let (errors_ms, mean_ms) = errors(11, 0.03).await;
    let (median_ms, worst_ms) = (errors_ms[200].abs(), errors_ms[399].abs());
    println!("median {median_ms} ms, worst {worst_ms} ms, mean {mean_ms} ms, {} % small", small(&errors_ms));
    assert!(median_ms <= 30, "{median_ms}");
    assert!(small(&errors_ms) >= 75, "{}", small(&errors_ms));
    assert!(mean_ms.abs() <= 25, "without credit it would be more than 170: {mean_ms}");
}

#[tokio::test(start_paused = true)]
async fn the_ping_goes_out_behind_the_event_that_gives_the_turn() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(0), always(0))).await;
    for turns in 1..=5 {
        let to_play = player.turn_to_play().await;
        player.peer.listen(ms(1)).await;
        assert!(player.timed_pings().count() >= turns);
        let turn = player.answer_to(&to_play).await;
        player.peer.ok("turn", turn).await;
    }
    let pings: std::collections::BTreeSet<_> = player.timed_pings().map(|ping| ping.slice(4..)).collect();
    assert_eq!(pings.len(), player.timed_pings().count(), "no secret comes twice");
}

#[tokio::test(start_paused = true)]
async fn without_a_clock_and_in_correspondence_nothing_is_measured() {
    for clock in [json!({"kind": "none"}), json!({"kind": "days", "days": 2})] {
        let world = World::new().await;
        let game = world.game_by(clock).await;
        let mut player = Player::over(&world, &game, (always(75), always(75))).await;
        for _ in 0..3 {
            assert_eq!(player.play_after(1_000).await.lag_ms, None);
        }
        assert_eq!(player.timed_pings().count(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_answers_no_ping_gets_no_credit_and_no_more_pings() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(75), always(75))).await;
    assert_eq!(player.play_after(1_000).await.lag_ms, Some(150));
    let asked = player.timed_pings().count();
    player.peer.answers_pings = false;
    for _ in 0..5 {
        assert_eq!(player.play_after(1_000).await.lag_ms, None);
    }
    assert_eq!(player.timed_pings().count(), asked + 1);
}

#[tokio::test(start_paused = true)]
async fn forged_and_repeated_pongs_earn_nothing() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(75), always(75))).await;
    assert_eq!(player.play_after(1_000).await.lag_ms, Some(150));
    let answered = player.timed_pings().last().expect("a ping").clone();
    player.peer.answers_pings = false;
    for how in 0..5 {
        let to_play = player.turn_to_play().await;
        player.peer.listen(ms(1_000)).await;
        let asked = player.timed_pings().last().expect("a ping").clone();
        assert_ne!(asked, answered);
        let number = &asked[..4];
        let forged = match how {
            0 => answered.to_vec(),
            1 => number.to_vec(),
            2 => [number, &[0; 8]].concat(),
            3 => [number, &answered[4..]].concat(),
            _ => [&asked[..], b"!"].concat(),
        };
        player.peer.send(Message::Pong(forged.into()));
        player.peer.listen(ms(1_000)).await;
        let turn = player.answer_to(&to_play).await;
        let answer = player.peer.ok("turn", turn).await;
        assert_eq!(played(&to_play, 2_000, &answer["events"][0]).lag_ms, None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_pong_counts_once() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(75), always(75))).await;
    assert_eq!(player.play_after(1_000).await.lag_ms, Some(150));
    let to_play = player.turn_to_play().await;
    player.peer.listen(ms(100)).await;
    let ping = player.timed_pings().last().expect("a ping").clone();
    for _ in 0..5 {
        // Only the first of these was answered in time; none counts again.
        player.peer.send(Message::Pong(ping.clone()));
        player.peer.listen(ms(300)).await;
    }
    let turn = player.answer_to(&to_play).await;
    let answer = player.peer.ok("turn", turn).await;
    assert_eq!(played(&to_play, 1_600, &answer["events"][0]).lag_ms, Some(150));
}

#[tokio::test(start_paused = true)]
async fn delayed_pongs_gain_no_more_than_the_limit() {
    let world = World::new().await;
    let game = world.game_by(json!({"kind": "fischer", "base_ms": 60_000, "increment_ms": 10_000})).await;
    let mut player = Player::over(&world, &game, (always(10), always(10))).await;
    player.peer.answers_after = ms(3_000);
    let mut given_ms = Vec::new();
    while given_ms.last() != Some(&0) {
        given_ms.push(player.play_after(5_000).await.lag_ms.unwrap_or(0));
        assert!(given_ms.len() < 20, "{given_ms:?}");
    }
    let (first_ms, most_ms) = (given_ms[0], given_ms[1..].iter().max().copied());
    assert!(first_ms <= 1_500 && most_ms <= Some(500), "{given_ms:?}");
    assert_eq!(given_ms.iter().sum::<u64>(), 6_000, "a tenth of the clock: {given_ms:?}");
}

#[tokio::test(start_paused = true)]
async fn an_occasional_delayed_pong_gains_half_a_second() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(75), always(75))).await;
    for _ in 0..5 {
        assert_eq!(player.play_after(5_000).await.lag_ms, Some(150));
    }
    player.peer.answers_after = ms(3_000);
    assert_eq!(player.play_after(5_000).await.lag_ms, Some(650));
}

#[tokio::test(start_paused = true)]
async fn a_slow_socket_beside_a_fast_one_gains_nothing() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut fast = Player::over(&world, &game, (always(20), always(30))).await;
    let mut slow = Player::over(&world, &game, (always(700), always(700))).await;
    slow.peer.answers_after = ms(500);
    for turn in 0..6 {
        let to_play = fast.turn_to_play().await;
        let (one, other) = if turn % 2 == 0 { (&mut slow, &mut fast) } else { (&mut fast, &mut slow) };
        tokio::join!(one.peer.listen(ms(4_000)), other.peer.listen(ms(4_000)));
        let answer = one.answer_to(&to_play).await;
        let answer = one.peer.ok("turn", answer).await;
        assert_eq!(played(&to_play, 4_000, &answer["events"][0]).lag_ms, Some(50));
        other.peer.listen(ms(2_000)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_socket_that_does_not_watch_gets_the_credit_that_another_measured() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(20), always(30))).await;
    let mut other = world.connect_over(always(900), always(900));
    other.ok("hello", json!({"token": game.tokens[0].as_str()})).await;
    let to_play = player.turn_to_play().await;
    player.peer.listen(ms(1_000)).await;
    let turn = player.answer_to(&to_play).await;
    let answer = other.ok("turn", turn).await;
    assert_eq!(played(&to_play, 1_000, &answer["events"][0]).lag_ms, Some(50));
}

#[tokio::test(start_paused = true)]
async fn a_single_http_request_gets_no_credit() {
    let world = World::new().await;
    let game = world.game_by(long()).await;
    let mut player = Player::over(&world, &game, (always(75), always(75))).await;
    player.turn_to_play().await;
    player.peer.listen(ms(2_000)).await;
    game.play().await;
    let turned = loop {
        let pushed = player.peer.pushed().await;
        if pushed["type"] == "turned" && pushed["seat"] == 1 {
            break pushed;
        }
    };
    assert_eq!(turned["lag_ms"], Value::Null);
    assert!(player.timed_pings().count() > 0, "the line was measured");
}
