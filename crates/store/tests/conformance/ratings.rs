//! Ratings: what the end of a match changes, in the transaction that ends it.

use std::collections::BTreeMap;

use lusoria_rating::Rating;

use super::*;

on_all_stores!(
    a_change_is_read_as_it_was_stored,
    every_bit_is_kept,
    a_curve_tells_which_matches_are_in_no_list,
    a_change_from_another_rating_conflicts_and_changes_nothing,
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
const NONE: RatingMark = RatingMark { changes: 0, taken_back: 0 };

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
pub(super) async fn with_matches(s: &Fixture) {
    s.guests(1..=3).await;
    for n in 1..=6 {
        done!(s.create(NewMatch { card: rated_card(MatchState::Open), ..new_match(n) }));
    }
}

/// Ends match `n` of two players who have had so many before, at `at`.
pub(super) async fn rate(s: &Fixture, n: u32, one: (u32, u32), two: (u32, u32), at: Millis) {
    done!(s.append(ending(n, change(one, two, at))));
}

/// Takes match `n` back.
pub(super) async fn take_back(s: &Fixture, n: u32) {
    done!(s.append(taking_back(n, 2)));
}

fn taking_back(n: u32, head: u32) -> Append {
    let card = rated_card(MatchState::Finished);
    Append { card, deadline: None, unrates: true, ..append(n, head) }
}

/// Guests `2 * n` and `2 * n + 1` with two matches, none of which is rated yet.
pub(super) async fn with_pair(s: &Fixture, n: u32) {
    s.guests([2 * n, 2 * n + 1]).await;
    for id in [2 * n, 2 * n + 1] {
        done!(s.create(NewMatch { card: rated_card(MatchState::Open), ..new_match(id) }));
    }
}

/// Ends a match as the first of that pair.
pub(super) async fn end_first(s: &Fixture, id: u32, n: u32) -> Result<(), AppendError> {
    s.append(ending(id, change((2 * n, 0), (2 * n + 1, 0), 5_000))).await
}

/// The curve of a player, all of whose matches are listed.
async fn points(s: &Fixture, of: u32, key: RatingKey, after: u32, limit: u32) -> Answer<Vec<StoredChange>> {
    let curve = s.rating_changes(player(of), key, after, limit).await?;
    assert!(curve.iter().all(|point| point.is_listed));
    Ok(curve.into_iter().map(|point| point.change).collect())
}

async fn tables(s: &Fixture) -> RatingTables {
    done!(s.rating_tables(KEY))
}

async fn a_change_is_read_as_it_was_stored(s: Fixture) {
    with_matches(&s).await;
    let before = async |one: u32, two: u32, at| {
        let before = done!(s.ratings_before(BySeat(player(one), player(two)), KEY, at));
        (before.stored, before.earlier_today)
    };
    assert_eq!(before(1, 2, 5_000).await, (BySeat(None, None), 0));
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    rate(&s, 2, (3, 0), (1, 1), 6_000).await;
    let (second, third) = (stored(3, 1, 5_000), stored(4, 1, 6_000));
    assert_eq!(before(2, 3, 7_000).await, (BySeat(Some(second), Some(third)), 0));
    let theirs = done!(s.ratings_of(vec![player(1), player(9), player(3)]));
    assert_eq!(theirs, [(player(1), KEY, stored(3, 2, 6_000)), (player(3), KEY, third)]);

    let point = |n, number, seat, opponent: u32, at| StoredChange {
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
    let curve = [point(1, 1, Seat::One, 2, 5_000), point(2, 2, Seat::Two, 3, 6_000)];
    let other = RatingKey { pace: Pace::Days, ..KEY };
    for (key, after, limit, expected) in
        [(KEY, 0, 9, &curve[..]), (KEY, 1, 9, &curve[1..]), (KEY, 0, 1, &curve[..1]), (other, 0, 9, &[])]
    {
        is!(points(&s, 1, key, after, limit), expected);
    }
    is!(s.rating_tables(other), RatingTables::default());
}

async fn a_curve_tells_which_matches_are_in_no_list(s: Fixture) {
    s.guests([1, 2]).await;
    for (n, admission) in [(1, Admission::Open), (2, Admission::Invitation)] {
        let of = |state| {
            let mut card = rated_card(state);
            card.terms.admission = admission;
            card
        };
        done!(s.create(NewMatch { card: of(MatchState::Open), ..new_match(n) }));
        let rates = change((1, n - 1), (2, n - 1), 5_000);
        done!(s.append(Append { card: of(MatchState::Finished), ..ending(n, rates) }));
    }
    let curve = done!(s.rating_changes(player(1), KEY, 0, 9));
    assert_eq!(curve.iter().map(|point| point.is_listed).collect::<Vec<_>>(), [true, false]);
}

async fn every_bit_is_kept(s: Fixture) {
    with_matches(&s).await;
    let bits = |of: Rating| [of.points(), of.deviation(), of.volatility()].map(f64::to_bits);
    for (n, rates) in (1..).zip(awkward_changes()) {
        done!(s.append(ending(n, rates)));
        for change in tables(&s).await.changes.iter().filter(|change| change.id == match_id(n)) {
            let given = rates.seats.get(change.seat);
            assert_eq!(bits(change.before), bits(given.before));
            assert_eq!(bits(change.after), bits(given.after.rating));
        }
    }
    assert_eq!(tables(&s).await.changes.len(), 2 * AWKWARD as usize);
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
        done!(store.create(match_of(n, 1, Some(2))));
        done!(store.append(ending(n, rates)));
    }
    done!(store.append(taking_back(105, 2)));
}

async fn a_change_from_another_rating_conflicts_and_changes_nothing(s: Fixture) {
    with_matches(&s).await;
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    let kept = tables(&s).await;
    for (one, two) in
        [((1, 0), (3, 0)), ((3, 0), (1, 0)), ((2, 0), (1, 0)), ((1, 2), (3, 0)), ((3, 1), (1, 1))]
    {
        refused!(s.append(ending(2, change(one, two, 6_000))), Conflict);
        assert_eq!(tables(&s).await, kept);
        is!(s.length(2), 1);
    }
    rate(&s, 2, (3, 0), (1, 1), 6_000).await;
}

async fn matches_of_a_pair_are_counted_on_their_day(s: Fixture) {
    with_matches(&s).await;
    for (n, at) in (0..).zip([DAY_MS - 1, DAY_MS, 2 * DAY_MS - 1, 2 * DAY_MS]) {
        rate(&s, n + 1, (1, n), (2, n), at).await;
    }
    rate(&s, 5, (1, 4), (3, 0), DAY_MS).await;
    let earlier = async |one: u32, two: u32, at, expected| {
        let before = done!(s.ratings_before(BySeat(player(one), player(two)), KEY, at));
        assert_eq!(before.earlier_today, expected, "{one} {two} {at}");
    };
    for (one, two, at, expected) in [
        (1, 2, DAY_MS + 5, 2),
        (2, 1, DAY_MS + 5, 2),
        (1, 2, 0, 1),
        (1, 2, 3 * DAY_MS, 0),
        (1, 3, DAY_MS, 1),
        (2, 3, DAY_MS, 0),
    ] {
        earlier(one, two, at, expected).await;
    }
    take_back(&s, 2).await;
    earlier(1, 2, DAY_MS + 5, 1).await;
}

async fn what_was_taken_back_is_marked_and_makes_its_key_stale(s: Fixture) {
    with_matches(&s).await;
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    rate(&s, 2, (1, 1), (2, 1), 6_000).await;
    is!(s.stale_ratings(), []);
    is!(s.rating_mark(KEY), RatingMark { changes: 4, taken_back: 0 });
    take_back(&s, 1).await;
    is!(s.stale_ratings(), [KEY]);
    is!(s.rating_mark(KEY), RatingMark { changes: 4, taken_back: 2 });
    let curve = done!(points(&s, 1, KEY, 0, 9));
    assert_eq!(curve.iter().map(|change| change.id).collect::<Vec<_>>(), [match_id(2)]);
    let changes = tables(&s).await.changes;
    assert_eq!(changes.iter().filter(|one| one.taken_back_at == Some(2_000)).count(), 2);
}

async fn what_is_replaced_has_higher_versions(s: Fixture) {
    with_matches(&s).await;
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    rate(&s, 2, (3, 0), (1, 1), 6_000).await;
    take_back(&s, 1).await;
    let mut new = tables(&s).await;
    new.ratings = BTreeMap::from([(player(1), stored(70, 1, 6_000)), (player(3), stored(71, 1, 6_000))]);
    new.changes.truncate(2);
    let seen = done!(s.rating_mark(KEY));
    yes!(s.replace_ratings(KEY, seen, new.clone()));

    let kept = tables(&s).await;
    assert_eq!(kept.changes, new.changes);
    assert_eq!([1, 2, 3].map(|n| kept.ratings[&player(n)].version), [3, 2, 2]);
    assert_eq!(kept.ratings[&player(1)], StoredRating { version: 3, ..new.ratings[&player(1)] });
    let second = kept.ratings[&player(2)];
    assert_eq!((second.matches, second.rating), (0, Rating::START_WITH_DICE));
    is!(s.stale_ratings(), []);
    // What was computed before is not stored any more.
    refused!(s.append(ending(3, change((1, 2), (2, 1), 7_000))), Conflict);
}

async fn nothing_is_replaced_once_another_change_is_there(s: Fixture) {
    with_matches(&s).await;
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    let seen = done!(s.rating_mark(KEY));
    rate(&s, 2, (1, 1), (2, 1), 6_000).await;
    no!(s.replace_ratings(KEY, seen, RatingTables::default()));
    let kept = tables(&s).await;
    let seen = done!(s.rating_mark(KEY));
    take_back(&s, 1).await;
    no!(s.replace_ratings(KEY, seen, RatingTables::default()));
    yes!(s.replace_ratings(RatingKey { game: Game::Zeno, ..KEY }, NONE, RatingTables::default()));
    assert_eq!(tables(&s).await.ratings, kept.ratings);
}

async fn a_leaderboard_has_settled_ratings_of_accounts_in_order(s: Fixture) {
    let rating = |points, deviation| Rating::new(points, deviation, 0.06).expect("in range");
    let settled = StoredRating { matches: 20, ended_at: 9_000, ..stored(1, 1, 0) };
    s.with_accounts([1, 2, 3, 5, 6, 7, 8, 9]).await;
    s.guests([4]).await;
    s.block(8).await;
    let ratings = (1..=9_u32).map(|n| {
        let rating = match n {
            2 => rating(1_501.0, 60.0),
            6 => rating(1_900.0, 75.1),
            _ => rating(1_500.0 + f64::from(n), 75.0),
        };
        let (matches, ended_at) = (if n == 5 { 19 } else { 20 }, if n == 7 { 8_999 } else { 9_000 });
        (player(n), StoredRating { rating, matches, ended_at, ..settled })
    });
    let new = RatingTables { ratings: ratings.collect(), changes: Vec::new() };
    yes!(s.replace_ratings(KEY, NONE, new));
    let place = |n: u32, points| (player(n), format!("guest {n}"), points);
    let all = [place(9, 1_509.0), place(3, 1_503.0), place(1, 1_501.0), place(2, 1_501.0)];
    for (bots, limit, expected) in [(false, 9, &all[..]), (false, 2, &all[..2]), (true, 9, &[])] {
        let rows = done!(s.leaderboard(KEY, bots, 9_000, limit)).into_iter();
        let places: Vec<_> = rows.map(|row| (row.player, row.name, row.stored.rating.points())).collect();
        assert_eq!(places, expected);
    }
}

async fn rated(s: &Fixture, game: Game, after: Option<u32>, limit: u32, expected: &[u32]) {
    let expected: Vec<_> = expected.iter().map(|n| match_id(*n)).collect();
    is!(s.rated_matches(game, after.map(match_id), limit), expected);
}

async fn rated_matches_are_found_by_their_terms(s: Fixture) {
    with_matches(&s).await;
    for n in [3, 1] {
        done!(s.append(Append { card: rated_card(MatchState::Finished), ..super::ending(n) }));
    }
    s.end(4).await;
    rated(&s, Game::Tavla, None, 9, &[1, 3]).await;
    rated(&s, Game::Tavla, None, 1, &[1]).await;
    rated(&s, Game::Tavla, Some(1), 9, &[3]).await;
    rated(&s, Game::Zeno, None, 9, &[]).await;
}

/// All else rests on this: ratings are computed again from the matches that are found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rated_matches_are_found_when_they_are_packed() {
    let (_folder, path) = folder();
    let options = SqliteOptions { pack_after: Duration::ZERO, ..SqliteOptions::default() };
    let s = Fixture(Arc::new(Store::open_file(&path, options).await.expect("the file opens")));
    with_matches(&s).await;
    for n in [1, 2] {
        rate(&s, n, (1, n - 1), (2, n - 1), 5_000).await;
    }
    s.end(3).await;
    done!(s.sweep(9_000_000));
    s.close().await;
    let packed = "SELECT COUNT(*) FROM matches WHERE packed > 0";
    let packed: u32 = File::open(&path).and_then(|file| file.value(packed)).expect("counted");
    assert_eq!(packed, 3);
    let s = Fixture(open(&path).await);
    rated(&s, Game::Tavla, None, 9, &[1, 2]).await;
    rated(&s, Game::Tavla, None, 1, &[1]).await;
    s.close().await;
}

async fn changes_go_with_their_match_and_stay_with_their_guest(s: Fixture) {
    with_matches(&s).await;
    rate(&s, 1, (1, 0), (2, 0), 5_000).await;
    rate(&s, 2, (1, 1), (2, 1), 6_000).await;
    s.forget(2).await;
    assert_eq!(tables(&s).await.changes.len(), 4);
    yes!(s.forget_match(match_id(1), 2));
    let kept = tables(&s).await;
    assert!(kept.changes.iter().all(|change| change.id == match_id(2)));
    assert_eq!((kept.changes.len(), kept.ratings.len()), (2, 2));
}
