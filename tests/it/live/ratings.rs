//! Ratings: what ends a match changes them once, in an order that the journals tell.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use lusoria::app::ratings::{check, store_again};
use lusoria_play::{
    BySeat, Clock, Command, Event, Length, MatchId, Pace, Phase, Player, PlayerId, PlayerKind, Recorded,
    Seat, Terms, UnratedReason,
};
use lusoria_rules::Game;
use lusoria_store::{
    Guest, NewSession, RatingKey, RatingMark, RatingTables, SecretHash, SessionId, Store, StoredRating,
};
use lusoria_testkit::first_turn;
use tokio::time::sleep;

use super::{BLITZ, World, nodes::Nodes, player, terms};
use crate::support::random::Random;

const LIVE: RatingKey = RatingKey { game: Game::Tablut, pace: Pace::Live };

fn rated(game: Game) -> Terms {
    let length = if game.is_rated_in_pairs() { Length::Pair } else { Length::SINGLE };
    Terms { rated: true, length, ..terms(game, BLITZ) }
}

/// Players 1 to `count`; the first `bots` of them are bots.
async fn add_players(store: &Store, count: u128, bots: u128) {
    for n in 1..=count {
        let Player { id, name, .. } = player(n);
        let kind = if n <= bots { PlayerKind::Bot } else { PlayerKind::Person };
        let mut token = [0; 32];
        token[..16].copy_from_slice(&id.0.into_bytes());
        let session = NewSession { id: SessionId(id.0), token: SecretHash(token), device: None };
        let guest = Guest { id, name, kind, created_at: 0, blocked_at: None };
        let _ = store.add_guest(guest, session).await;
    }
}

impl World {
    /// A match between two players in which both have played a turn.
    async fn under_way(&self, terms: Terms, [one, two]: [u128; 2]) -> MatchId {
        let id = self.create_by(terms, player(one)).await;
        self.command(id, Command::Join { player: player(two), seed: None }).await.expect("joined");
        while self.state(id).await.phase() != Phase::Playing || !self.have_both_turned(id).await {
            let next = first_turn(&*self.state(id).await);
            self.command(id, next).await.expect("a legal turn");
        }
        id
    }

    async fn have_both_turned(&self, id: MatchId) -> bool {
        let turned = |seat: Seat| move |recorded: &Recorded| matches!(recorded.event, Event::Turned { seat: of, .. } if of == seat);
        let journal = self.journal(id).await;
        Seat::BOTH.into_iter().all(|seat| journal.iter().any(turned(seat)))
    }

    async fn resign(&self, id: MatchId, seat: Seat) {
        let by = self.state(id).await.player(seat).expect("somebody").id;
        let resign = Command::Resign { by, whole_match: true };
        self.command(id, resign).await.expect("resigned");
    }

    /// A rated match that a seat gives up.
    async fn lost(&self, terms: Terms, players: [u128; 2], by: Seat) -> MatchId {
        let id = self.under_way(terms, players).await;
        self.resign(id, by).await;
        id
    }

    async fn rating(&self, of: u128, key: RatingKey) -> Option<StoredRating> {
        let all = self.store.ratings_of(vec![player(of).id]).await.expect("read");
        all.into_iter().find(|(_, of, _)| *of == key).map(|(_, _, stored)| stored)
    }

    async fn unrate(&self, id: MatchId) {
        let unrate = Command::Unrate { reason: UnratedReason::Mistake };
        self.command(id, unrate).await.expect("taken back");
    }
}

fn told(journal: &[Recorded]) -> Vec<&Event> {
    let is_told = |event: &&Event| matches!(event, Event::MatchEnded { .. } | Event::Rated { .. });
    journal.iter().map(|recorded| &recorded.event).filter(is_told).collect()
}

async fn differences(store: &Store) -> Vec<String> {
    let checked = check(store).await.expect("the journals agree");
    checked.into_iter().flat_map(|of| of.first_differences).collect()
}

#[tokio::test(start_paused = true)]
async fn the_append_that_ends_a_rated_match_changes_both_ratings() {
    let world = World::new().await;
    let id = world.lost(rated(Game::Tablut), [1, 2], Seat::Two).await;
    let journal = world.journal(id).await;
    let [Event::MatchEnded { .. }, Event::Rated { seats: BySeat(one, two), .. }] = told(&journal)[..] else {
        panic!("{journal:?}")
    };
    let (last, ended) = (&journal[journal.len() - 1], &journal[journal.len() - 2]);
    assert_eq!((last.first, last.at), (ended.first, ended.at), "one append");
    assert_eq!((one.number, two.number), (1, 1));
    assert_eq!((one.before.points, one.before.deviation), (1500, 350));
    assert!(one.after.points > 1500 && two.after.points < 1500, "{one:?} {two:?}");
    let stored = world.rating(1, LIVE).await.expect("rated");
    assert_eq!((stored.matches, stored.ended_at), (1, last.at));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 to 4000")]
    let shown = stored.rating.points().round() as u16;
    assert_eq!(shown, one.after.points);
    assert_eq!(differences(&world.store).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_rated_changes_nothing() {
    let world = World::new().await;
    let casual = world.lost(Terms { rated: false, ..rated(Game::Tablut) }, [1, 2], Seat::One).await;
    assert!(world.state(casual).await.rated().is_none());
    let aborted = world.under_way(rated(Game::Tablut), [1, 2]).await;
    world.command(aborted, Command::End).await.expect("ended by the operator");
    let unplayed = world.create(rated(Game::Tablut)).await;
    world.command(unplayed, Command::Join { player: player(2), seed: None }).await.expect("joined");
    let _ = world.command(unplayed, Command::Resign { by: player(1).id, whole_match: true }).await;
    for id in [casual, aborted, unplayed] {
        assert!(!world.journal(id).await.iter().any(|one| matches!(one.event, Event::Rated { .. })));
    }
    let none = RatingMark { changes: 0, taken_back: 0 };
    assert_eq!(world.store.rating_mark(LIVE).await.expect("read"), none);
}

/// A bot whose matches end in the same moment has them all rated, one after the other.
#[tokio::test(start_paused = true)]
async fn many_matches_of_one_player_end_at_once() {
    let world = World::new().await;
    add_players(&world.store, 40, 0).await;
    let mut ids = Vec::new();
    for n in 2..=40 {
        ids.push(world.under_way(rated(Game::Tablut), [1, n]).await);
    }
    // The clocks of all run out.
    sleep(Duration::from_mins(5)).await;
    for id in &ids {
        assert!(world.state(*id).await.rated().is_some(), "{id:?}");
    }
    let stored = world.rating(1, LIVE).await.expect("rated");
    assert_eq!((stored.number, stored.matches), (39, 39));
    assert_eq!(differences(&world.store).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn all_ratings_come_out_of_the_journals_again_with_the_same_bits() {
    let nodes = Nodes::new();
    let worlds = nodes.start_two().await;
    let players = 12;
    add_players(&worlds[0].store, players, 2).await;
    let mut random = Random::new(17);
    let mut plans = Vec::new();
    for n in 0..240 {
        let one = 1 + u128::from(random.below(12));
        let two = 1 + (one + u128::from(random.below(11))) % players;
        let game = [Game::Tablut, Game::Zeno, Game::Tavla][random.index(3)];
        let by = Seat::BOTH[random.index(2)];
        plans.push((n, [one, two], game, by, Duration::from_millis(random.below(20_000))));
    }
    // Eight at a time, on two nodes.
    let ids: Vec<MatchId> = stream::iter(plans)
        .map(|(n, players, game, by, pause)| {
            let world = &worlds[n % 2];
            async move {
                let id = world.lost(rated(game), players, by).await;
                sleep(pause).await;
                id
            }
        })
        .buffer_unordered(8)
        .collect()
        .await;
    let store = &*worlds[0].store;
    assert_eq!(differences(store).await, [""; 0]);

    // Some are taken back.
    for id in ids.iter().step_by(7) {
        worlds[0].unrate(*id).await;
    }
    assert_ne!(differences(store).await, [""; 0], "what was taken back still stands in later numbers");
    store_again(store).await.expect("computed again");
    assert_eq!(differences(store).await, [""; 0]);

    // From nothing.
    for key in RatingKey::all() {
        let (mark, before) =
            (store.rating_mark(key).await.expect("read"), store.rating_tables(key).await.expect("read"));
        assert!(store.replace_ratings(key, mark, RatingTables::default()).await.expect("emptied"));
        store_again(store).await.expect("computed again");
        let after = store.rating_tables(key).await.expect("read");
        assert_eq!(after.changes, before.changes);
        let content = |tables: &RatingTables| -> Vec<(PlayerId, StoredRating)> {
            let all = tables.ratings.iter().map(|(id, of)| (*id, StoredRating { version: 0, ..*of }));
            all.collect()
        };
        assert_eq!(content(&after), content(&before));
    }
}

/// Twice the same matches: in one world the third is rated and taken back, in the other it is casual.
#[tokio::test(start_paused = true)]
async fn a_match_that_was_taken_back_leaves_all_numbers_as_if_it_had_not_been_rated() {
    let mut told = Vec::new();
    for is_taken_back in [true, false] {
        let world = World::new().await;
        let mut third = None;
        for (n, players) in [[1, 2], [2, 3], [1, 3], [3, 1], [1, 2], [2, 3], [1, 3]].into_iter().enumerate() {
            let is_casual = n == 2 && !is_taken_back;
            let terms = Terms { rated: !is_casual, ..rated(Game::Tablut) };
            let by = Seat::BOTH[n % 2];
            let id = world.lost(terms, players, by).await;
            if n == 2 && is_taken_back {
                third = Some(id);
            }
            sleep(Duration::from_secs(40)).await;
        }
        if let Some(third) = third {
            world.unrate(third).await;
            assert_eq!(world.store.stale_ratings().await.expect("read"), [LIVE]);
            store_again(&world.store).await.expect("computed again");
            assert_eq!(world.store.stale_ratings().await.expect("read"), []);
        }
        let mut numbers = Vec::new();
        for n in 1..=3 {
            let stored = world.rating(n, LIVE).await.expect("rated");
            let rating = stored.rating;
            numbers.push([rating.points(), rating.deviation(), rating.volatility()].map(f64::to_bits));
            let curve = world.store.rating_changes(player(n).id, LIVE, 0, 99).await.expect("read");
            numbers.extend(curve.iter().map(|point| {
                let change = point.change;
                [change.before.points(), change.after.points(), change.after.deviation()].map(f64::to_bits)
            }));
            numbers.push([stored.matches.into(), stored.ended_at, 0]);
        }
        told.push(numbers);
    }
    assert_eq!(told[0], told[1]);
}

/// The better side of a single game goes to the player who had it less often.
#[tokio::test(start_paused = true)]
async fn the_balance_of_better_sides_is_kept() {
    let world = World::new().await;
    let id = world.lost(rated(Game::Tablut), [1, 2], Seat::Two).await;
    let white = world.state(id).await.game().expect("a game").white;
    let balance = [world.rating(1, LIVE).await, world.rating(2, LIVE).await]
        .map(|stored| stored.expect("rated").better_sides);
    assert_eq!(balance, if white == Seat::One { [1, -1] } else { [-1, 1] });
}

/// Live and correspondence have separate ratings.
#[tokio::test(start_paused = true)]
async fn each_pace_has_its_own_rating() {
    let world = World::new().await;
    let days = Terms { clock: Clock::Days { days: 2 }, ..rated(Game::Tablut) };
    world.lost(days, [1, 2], Seat::Two).await;
    assert_eq!(world.rating(1, LIVE).await, None);
    assert!(world.rating(1, RatingKey { pace: Pace::Days, ..LIVE }).await.is_some());
}
