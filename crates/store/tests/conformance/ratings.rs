//! Ratings: what the end of a match changes, in the transaction that ends it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lusoria_play::{Admission, BySeat, Millis, Pace, PlayerId, Seat};
use lusoria_rating::Rating;
use lusoria_rules::Game;
use lusoria_services::sqlite::File;
use lusoria_store::{
    Append, AppendError, Card, MatchState, NewMatch, RatingChange, RatingKey, RatingMark, RatingTables,
    SeatChange, Store, StoredChange, StoredRating, sqlite::SqliteOptions,
};

use super::{
    accounts, append, card, card_of, guest, match_id, new_match, on_all_stores, open, player, session,
};

on_all_stores!(
    a_change_is_read_as_it_was_stored,
    every_bit_is_kept,
    a_curve_tells_which_matches_are_in_no_list,
    a_change_from_an_older_rating_conflicts_and_changes_nothing,
    a_first_change_conflicts_with_another_first_change,
    only_one_of_two_at_once_is_stored,
    matches_of_a_pair_are_counted_on_their_day,
    what_was_taken_back_is_marked_and_makes_its_key_stale,
    what_is_replaced_has_higher_versions,
    nothing_is_replaced_once_another_change_is_there,
    a_leaderboard_has_settled_ratings_of_accounts_in_order,
    rated_matches_are_found_by_their_terms,
    changes_go_with_their_match_and_stay_with_their_guest,
);

const KEY: RatingKey = RatingKey { game: Game::Tavla, pace: Pace::Live };
const DAY_MS: Millis = 86_400_000;

/// Two thirds, three quarters and so on of these: numbers without an end in any notation.
fn rating(n: u32) -> Rating {
    let n = f64::from(n);
    Rating::new(1_400.0 + n / 3.0, 90.0 + n / 7.0, 0.06 + n / 11_000.0).expect("in range")
}

fn stored(n: u32, version: u32, at: Millis) -> StoredRating {
    let rating = rating(n);
    StoredRating { rating, version, number: version, matches: version, ended_at: at, better_sides: -3 }
}

/// What a match changes that ends at `at`, if players `one` and `two` have had so many before.
fn change(one: (u32, u32), two: (u32, u32), at: Millis) -> RatingChange {
    let seat = |(of, expected): (u32, u32)| SeatChange {
        player: player(of),
        expected,
        before: rating(of + expected),
        after: stored(of + expected + 1, expected + 1, at),
    };
    RatingChange { key: KEY, constants: 7, at, seats: BySeat(seat(one), seat(two)) }
}

/// The append that ends match `n` and rates it.
fn ending(n: u32, rates: RatingChange) -> Append {
    let card = rated_card(MatchState::Finished);
    Append { card, deadline: None, rates: Some(Box::new(rates)), ..append(n, 1) }
}

fn rated_card(state: MatchState) -> Card {
    let mut card = card(state);
    card.terms.rated = true;
    card
}

/// Guests 1 to 3, and matches 1 to 6.
pub(super) async fn with_matches(store: &Arc<Store>) {
    for n in 1..=3_u8 {
        store.add_guest(guest(n.into()), session(n)).await.expect("added");
    }
    for n in 1..=6 {
        store.create(NewMatch { card: rated_card(MatchState::Open), ..new_match(n) }).await.expect("created");
    }
}

/// The curve of a player, all of whose matches are listed.
async fn points(
    store: &Arc<Store>,
    of: PlayerId,
    key: RatingKey,
    after: u32,
    limit: u32,
) -> Vec<StoredChange> {
    let curve = store.rating_changes(of, key, after, limit).await.expect("read");
    assert!(curve.iter().all(|point| point.is_listed));
    curve.into_iter().map(|point| point.change).collect()
}

async fn tables(store: &Arc<Store>) -> RatingTables {
    store.rating_tables(KEY).await.expect("read")
}

async fn a_change_is_read_as_it_was_stored(store: Arc<Store>) {
    with_matches(&store).await;
    let of = |one, two| BySeat(player(one), player(two));
    let before = store.ratings_before(of(1, 2), KEY, 5_000).await.expect("read");
    assert_eq!((before.stored, before.earlier_today), (BySeat(None, None), 0));
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    store.append(ending(2, change((3, 0), (1, 1), 6_000))).await.expect("appended");

    let before = store.ratings_before(of(2, 3), KEY, 7_000).await.expect("read");
    assert_eq!(before.stored, BySeat(Some(stored(3, 1, 5_000)), Some(stored(4, 1, 6_000))));
    let theirs = store.ratings_of(vec![player(1), player(9), player(3)]).await.expect("read");
    assert_eq!(theirs, [(player(1), KEY, stored(3, 2, 6_000)), (player(3), KEY, stored(4, 1, 6_000))]);

    let curve = points(&store, player(1), KEY, 0, 9).await;
    let expected = |n, number, seat, opponent, at| StoredChange {
        id: match_id(n),
        seat,
        player: player(1),
        opponent: player(opponent),
        number,
        at,
        constants: 7,
        before: rating(number),
        after: rating(number + 1),
        taken_back_at: None,
    };
    assert_eq!(curve, [expected(1, 1, Seat::One, 2, 5_000), expected(2, 2, Seat::Two, 3, 6_000)]);
    assert_eq!(points(&store, player(1), KEY, 1, 9).await, curve[1..]);
    assert_eq!(points(&store, player(1), KEY, 0, 1).await, curve[..1]);
    let other = RatingKey { pace: Pace::Days, ..KEY };
    assert_eq!(points(&store, player(1), other, 0, 9).await, []);
    assert_eq!(store.rating_tables(other).await.expect("read"), RatingTables::default());
}

async fn a_curve_tells_which_matches_are_in_no_list(store: Arc<Store>) {
    for n in 1..=2_u8 {
        store.add_guest(guest(n.into()), session(n)).await.expect("added");
    }
    for (n, admission) in [(1, Admission::Open), (2, Admission::Invitation)] {
        let of = |state| {
            let mut card = rated_card(state);
            card.terms.admission = admission;
            card
        };
        store.create(NewMatch { card: of(MatchState::Open), ..new_match(n) }).await.expect("created");
        let rates = change((1, n - 1), (2, n - 1), 5_000);
        let end = Append { card: of(MatchState::Finished), ..ending(n, rates) };
        store.append(end).await.expect("appended");
    }
    let curve = store.rating_changes(player(1), KEY, 0, 9).await.expect("read");
    assert_eq!(curve.iter().map(|point| point.is_listed).collect::<Vec<_>>(), [true, false]);
}

async fn every_bit_is_kept(store: Arc<Store>) {
    with_matches(&store).await;
    let awkward = awkward_changes();
    for (n, rates) in (1..).zip(&awkward) {
        store.append(ending(n, *rates)).await.expect("appended");
    }
    let kept = tables(&store).await;
    for (n, rates) in (1..).zip(&awkward) {
        for change in kept.changes.iter().filter(|change| change.id == match_id(n)) {
            let of = rates.seats.get(change.seat);
            for (kept, given) in [(change.before, of.before), (change.after, of.after.rating)] {
                assert_eq!(kept.points().to_bits(), given.points().to_bits());
                assert_eq!(kept.deviation().to_bits(), given.deviation().to_bits());
                assert_eq!(kept.volatility().to_bits(), given.volatility().to_bits());
            }
        }
    }
}

/// Changes of players 1 and 2 with numbers at the ends of their ranges and one bit from others.
fn awkward_changes() -> Vec<RatingChange> {
    let next = |number: f64| f64::from_bits(number.to_bits() + 1);
    let ratings = [
        (0.0, 500.0, 0.01),
        (4_000.0, 30.0, 0.2),
        (next(1_500.0), next(75.0), next(0.06)),
        (f64::MIN_POSITIVE, next(30.0), 0.1 + 0.02),
        (1_234.567_890_123_456_7, 99.999_999_999_999_99, 0.059_999_999_999_999_99),
    ];
    let rating =
        |(points, deviation, volatility)| Rating::new(points, deviation, volatility).expect("in range");
    let mut changes = Vec::new();
    for (n, (before, after)) in (0..).zip(ratings.iter().zip(ratings.iter().cycle().skip(1))) {
        let mut one = change((1, n), (2, n), 10_000 + Millis::from(n));
        for seat in [&mut one.seats.0, &mut one.seats.1] {
            seat.before = rating(*before);
            seat.after.rating = rating(*after);
        }
        changes.push(one);
    }
    changes
}

/// How many there are of those.
pub(super) const AWKWARD: u32 = 5;

/// Rates matches 101 to 105, of which the last is taken back.
pub(super) async fn add_awkward_ones(store: &Store) {
    for (n, rates) in (101..).zip(awkward_changes()) {
        let two = (player(1), Some(player(2)));
        let card = card_of(MatchState::Live, two.0, two.1);
        store.create(NewMatch { card, ..new_match(n) }).await.expect("created");
        store.append(ending(n, rates)).await.expect("appended");
    }
    store.append(taking_back(105, 2)).await.expect("appended");
}

/// Ends match `n` of two players who have had so many before, at `at`.
pub(super) async fn rate(store: &Arc<Store>, n: u32, one: (u32, u32), two: (u32, u32), at: Millis) {
    store.append(ending(n, change(one, two, at))).await.expect("appended");
}

/// Takes match `n` back.
pub(super) async fn take_back(store: &Arc<Store>, n: u32) {
    store.append(taking_back(n, 2)).await.expect("appended");
}

fn taking_back(n: u32, head: u32) -> Append {
    let card = rated_card(MatchState::Finished);
    Append { card, deadline: None, unrates: true, ..append(n, head) }
}

async fn a_change_from_an_older_rating_conflicts_and_changes_nothing(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    let kept = tables(&store).await;
    for (one, two) in [((1, 0), (3, 0)), ((3, 0), (1, 0)), ((1, 2), (3, 0)), ((3, 1), (1, 1))] {
        let refused = store.append(ending(2, change(one, two, 6_000))).await;
        assert!(matches!(refused, Err(AppendError::Conflict)), "{refused:?}");
        assert_eq!(tables(&store).await, kept);
        assert_eq!(store.head(match_id(2)).await.expect("read").expect("a match").version.head, 1);
    }
    store.append(ending(2, change((3, 0), (1, 1), 6_000))).await.expect("appended");
}

async fn a_first_change_conflicts_with_another_first_change(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    let refused = store.append(ending(2, change((2, 0), (1, 0), 5_000))).await;
    assert!(matches!(refused, Err(AppendError::Conflict)), "{refused:?}");
}

async fn only_one_of_two_at_once_is_stored(store: Arc<Store>) {
    with_matches(&store).await;
    let (one, two) = tokio::join!(
        store.append(ending(1, change((1, 0), (2, 0), 5_000))),
        store.append(ending(2, change((2, 0), (1, 0), 5_000))),
    );
    let refused = match (one, two) {
        (Ok(()), Err(refused)) | (Err(refused), Ok(())) => refused,
        both => panic!("{both:?}"),
    };
    assert!(matches!(refused, AppendError::Conflict), "{refused:?}");
    assert_eq!(tables(&store).await.changes.len(), 2);
}

async fn matches_of_a_pair_are_counted_on_their_day(store: Arc<Store>) {
    with_matches(&store).await;
    let ends = [DAY_MS - 1, DAY_MS, 2 * DAY_MS - 1, 2 * DAY_MS];
    for (n, at) in (0..).zip(ends) {
        store.append(ending(n + 1, change((1, n), (2, n), at))).await.expect("appended");
    }
    store.append(ending(5, change((1, 4), (3, 0), DAY_MS))).await.expect("appended");
    let earlier = async |one, two, at| {
        let of = BySeat(player(one), player(two));
        store.ratings_before(of, KEY, at).await.expect("read").earlier_today
    };
    assert_eq!(earlier(1, 2, DAY_MS + 5).await, 2);
    assert_eq!(earlier(2, 1, DAY_MS + 5).await, 2);
    assert_eq!(earlier(1, 2, 0).await, 1);
    assert_eq!(earlier(1, 2, 3 * DAY_MS).await, 0);
    assert_eq!(earlier(1, 3, DAY_MS).await, 1);
    assert_eq!(earlier(2, 3, DAY_MS).await, 0);
    store.append(taking_back(2, 2)).await.expect("appended");
    assert_eq!(earlier(1, 2, DAY_MS + 5).await, 1);
}

async fn what_was_taken_back_is_marked_and_makes_its_key_stale(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    store.append(ending(2, change((1, 1), (2, 1), 6_000))).await.expect("appended");
    assert_eq!(store.stale_ratings().await.expect("read"), []);
    assert_eq!(store.rating_mark(KEY).await.expect("read"), RatingMark { changes: 4, taken_back: 0 });
    store.append(taking_back(1, 2)).await.expect("appended");
    assert_eq!(store.stale_ratings().await.expect("read"), [KEY]);
    assert_eq!(store.rating_mark(KEY).await.expect("read"), RatingMark { changes: 4, taken_back: 2 });
    let curve = points(&store, player(1), KEY, 0, 9).await;
    assert_eq!(curve.iter().map(|change| change.id).collect::<Vec<_>>(), [match_id(2)]);
    let taken_back =
        tables(&store).await.changes.iter().filter(|one| one.taken_back_at == Some(2_000)).count();
    assert_eq!(taken_back, 2);
}

async fn what_is_replaced_has_higher_versions(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    store.append(ending(2, change((3, 0), (1, 1), 6_000))).await.expect("appended");
    store.append(taking_back(1, 2)).await.expect("appended");
    let mut new = tables(&store).await;
    new.ratings = BTreeMap::from([(player(1), stored(70, 1, 6_000)), (player(3), stored(71, 1, 6_000))]);
    new.changes.truncate(2);
    let seen = store.rating_mark(KEY).await.expect("read");
    assert!(store.replace_ratings(KEY, seen, new.clone()).await.expect("asked"));

    let kept = tables(&store).await;
    assert_eq!(kept.changes, new.changes);
    let version = |of| kept.ratings[&player(of)].version;
    assert_eq!([version(1), version(2), version(3)], [3, 2, 2]);
    let without = |of: u32| StoredRating { version: 0, ..kept.ratings[&player(of)] };
    assert_eq!(without(1), StoredRating { version: 0, ..new.ratings[&player(1)] });
    assert_eq!((without(2).matches, without(2).rating), (0, Rating::START_WITH_DICE));
    assert_eq!(store.stale_ratings().await.expect("read"), []);
    // What was computed before is not stored any more.
    let late = store.append(ending(3, change((1, 2), (2, 1), 7_000))).await;
    assert!(matches!(late, Err(AppendError::Conflict)), "{late:?}");
}

async fn nothing_is_replaced_once_another_change_is_there(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    let seen = store.rating_mark(KEY).await.expect("read");
    store.append(ending(2, change((1, 1), (2, 1), 6_000))).await.expect("appended");
    let kept = tables(&store).await;
    assert!(!store.replace_ratings(KEY, seen, RatingTables::default()).await.expect("asked"));
    let seen = store.rating_mark(KEY).await.expect("read");
    store.append(taking_back(1, 2)).await.expect("appended");
    assert!(!store.replace_ratings(KEY, seen, RatingTables::default()).await.expect("asked"));
    assert_eq!(tables(&store).await.ratings, kept.ratings);
    let other = RatingKey { game: Game::Zeno, ..KEY };
    let none = RatingMark { changes: 0, taken_back: 0 };
    assert!(store.replace_ratings(other, none, RatingTables::default()).await.expect("asked"));
    assert_eq!(tables(&store).await.ratings, kept.ratings);
}

async fn a_leaderboard_has_settled_ratings_of_accounts_in_order(store: Arc<Store>) {
    let settled = |points: f64| StoredRating {
        rating: Rating::new(points, 75.0, 0.06).expect("in range"),
        matches: 20,
        ended_at: 9_000,
        ..stored(1, 1, 0)
    };
    let mut ratings = BTreeMap::new();
    for n in 1..=9_u8 {
        store.add_guest(guest(n.into()), session(n)).await.expect("added");
        if n != 4 {
            store.open_account(accounts::new_account(n)).await.expect("opened");
        }
        ratings.insert(player(n.into()), settled(1_500.0 + f64::from(n)));
    }
    let mut other = |n, change: fn(&mut StoredRating)| change(ratings.get_mut(&player(n)).expect("there"));
    other(5, |stored| stored.matches = 19);
    other(6, |stored| stored.rating = Rating::new(1_900.0, 75.1, 0.06).expect("in range"));
    other(7, |stored| stored.ended_at = 8_999);
    other(2, |stored| stored.rating = Rating::new(1_501.0, 60.0, 0.06).expect("in range"));
    store.set_blocked(player(8), Some(1)).await.expect("blocked");
    let none = RatingMark { changes: 0, taken_back: 0 };
    let new = RatingTables { ratings, changes: Vec::new() };
    assert!(store.replace_ratings(KEY, none, new).await.expect("asked"));

    let places = async |bots, limit| {
        let rows = store.leaderboard(KEY, bots, 9_000, limit).await.expect("read");
        rows.into_iter().map(|row| (row.player, row.name, row.stored.rating.points())).collect::<Vec<_>>()
    };
    let place = |n: u32, points| (player(n), format!("guest {n}"), points);
    let all = [place(9, 1_509.0), place(3, 1_503.0), place(1, 1_501.0), place(2, 1_501.0)];
    assert_eq!(places(false, 9).await, all);
    assert_eq!(places(false, 2).await, all[..2]);
    assert_eq!(places(true, 9).await, []);
}

async fn rated_matches_are_found_by_their_terms(store: Arc<Store>) {
    with_matches(&store).await;
    for n in [3, 1, 4] {
        let card = if n == 4 { card(MatchState::Finished) } else { rated_card(MatchState::Finished) };
        store.append(Append { card, deadline: None, ..append(n, 1) }).await.expect("appended");
    }
    let found = async |game, after, limit| {
        store.rated_matches(game, after, limit).await.expect("read").into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(Game::Tavla, None, 9).await, [match_id(1), match_id(3)]);
    assert_eq!(found(Game::Tavla, None, 1).await, [match_id(1)]);
    assert_eq!(found(Game::Tavla, Some(match_id(1)), 9).await, [match_id(3)]);
    assert_eq!(found(Game::Zeno, None, 9).await, []);
}

/// All else rests on this: ratings are computed again from the matches that are found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rated_matches_are_found_when_they_are_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    let options = SqliteOptions { pack_after: Duration::ZERO, ..SqliteOptions::default() };
    let store: Arc<Store> = Arc::new(Store::open_file(&path, options).await.expect("the file opens"));
    with_matches(&store).await;
    for n in [1, 2] {
        store.append(ending(n, change((1, n - 1), (2, n - 1), 5_000))).await.expect("appended");
    }
    let casual = Append { card: card(MatchState::Finished), deadline: None, ..append(3, 1) };
    store.append(casual).await.expect("appended");
    store.sweep(9_000_000).await.expect("swept");
    store.close().await;
    let packed = "SELECT COUNT(*) FROM matches WHERE packed > 0";
    let packed: u32 = File::open(&path).and_then(|file| file.value(packed)).expect("counted");
    assert_eq!(packed, 3);
    let store = open(&path).await;
    let found = store.rated_matches(Game::Tavla, None, 9).await.expect("read");
    assert_eq!(found, [match_id(1), match_id(2)]);
    assert_eq!(store.rated_matches(Game::Tavla, None, 1).await.expect("read"), [match_id(1)]);
    store.close().await;
}

async fn changes_go_with_their_match_and_stay_with_their_guest(store: Arc<Store>) {
    with_matches(&store).await;
    store.append(ending(1, change((1, 0), (2, 0), 5_000))).await.expect("appended");
    store.append(ending(2, change((1, 1), (2, 1), 6_000))).await.expect("appended");
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    assert_eq!(tables(&store).await.changes.len(), 4);
    assert!(store.forget_match(match_id(1), 2).await.expect("forgotten"));
    let kept = tables(&store).await;
    assert!(kept.changes.iter().all(|change| change.id == match_id(2)));
    assert_eq!((kept.changes.len(), kept.ratings.len()), (2, 2));
}
