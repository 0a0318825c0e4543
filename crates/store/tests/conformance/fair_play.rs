//! What the turns of rated matches lost, and who is flagged for it.

use std::sync::Arc;

use lusoria_play::{FlagId, Millis, Pace, PlayerKind, Seat};
use lusoria_rules::Game;
use lusoria_store::{
    AdoptionBeginning, FlagGrounds, LogRow, LossSum, Moderated, Moderating, ModeratorAct, NearLosses,
    NewFlag, RatingKey, SanctionKind, Store, TURN_LOSSES_KEPT_MS, TurnLosses,
};
use uuid::Uuid;

use super::{
    accounts::with_accounts, departures, guest, match_id, moderation, on_all_stores, player, ratings, session,
};

on_all_stores!(
    matches_are_checked_once_the_last_first,
    what_is_kept_first_stays,
    losses_are_listed_from_the_last,
    a_player_is_compared_with_other_people_of_their_rating,
    a_flag_is_raised_once_and_closed_once,
    losses_and_flags_go_with_the_guest,
    an_adopter_takes_them_over,
    a_sweep_deletes_old_losses,
);

const KEY: RatingKey = RatingKey { game: Game::Tavla, pace: Pace::Live };

/// What the turns of the player lost in match `n`, that ended at `n` seconds.
pub(super) fn losses(n: u32, seat: Seat, of: u32) -> TurnLosses {
    TurnLosses {
        of: match_id(n),
        seat,
        player: player(of),
        key: KEY,
        ended_at: u64::from(n) * 1_000,
        points: 1_500.0 + f64::from(of) / 3.0,
        turns: 30 + n,
        lost: f64::from(n) / 7.0,
        judge: "2/20000/00ff".to_owned(),
    }
}

/// Flag `n` of a player.
pub(super) fn flag(n: u64, of: u32) -> NewFlag {
    NewFlag {
        id: flag_id(n),
        player: player(of),
        key: KEY,
        raised_at: n * 1_000,
        grounds: FlagGrounds { points: 1_600.5, matches: 5, turns: 151, lost: 0.1, expected: 0.3 / 7.0 },
    }
}

fn flag_id(n: u64) -> FlagId {
    FlagId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_b000 | u128::from(n)))
}

fn close(n: u64, flag: u64, of: u32) -> Moderated {
    let id = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_c000 | u128::from(n));
    let (act, guest) = (ModeratorAct::CloseFlag, Some(player(of).0));
    let row = LogRow { id, done_at: n * 1_000, act, guest, of: None, report: None, until: None, note: None };
    Moderated { row, imposes: None, lifts: None, closes_report: false, closes_flag: Some(flag_id(flag)) }
}

async fn keep(store: &Arc<Store>, losses: &[TurnLosses]) {
    store.keep_turn_losses(losses.to_vec()).await.expect("kept");
}

async fn of(store: &Arc<Store>, of: u32) -> Vec<TurnLosses> {
    store.turn_losses(player(of), KEY, 0..=u64::MAX >> 1, 99).await.expect("read")
}

async fn matches_are_checked_once_the_last_first(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    ratings::rate(&store, 1, (1, 0), (2, 0), 5_000).await;
    ratings::rate(&store, 2, (1, 1), (3, 0), 6_000).await;
    ratings::rate(&store, 3, (2, 1), (3, 1), 7_000).await;
    let due = async |since, limit| store.matches_to_check(since, limit).await.expect("read");
    assert_eq!(due(0, 9).await, [3, 2, 1].map(match_id));
    assert_eq!(due(6_000, 9).await, [3, 2].map(match_id));
    assert_eq!(due(0, 1).await, [match_id(3)]);
    keep(&store, &[losses(3, Seat::Two, 3)]).await;
    assert_eq!(due(0, 9).await, [2, 1].map(match_id));
    ratings::take_back(&store, 2).await;
    assert_eq!(due(0, 9).await, [match_id(1)]);
}

async fn what_is_kept_first_stays(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    let first = losses(1, Seat::One, 1);
    keep(&store, &[first.clone(), losses(1, Seat::Two, 2)]).await;
    let again = TurnLosses { turns: 7, ..first.clone() };
    // Player 9 is not there, nor is match 99.
    keep(&store, &[again, losses(2, Seat::One, 9), losses(99, Seat::One, 1)]).await;
    assert_eq!(of(&store, 1).await, [first]);
    assert_eq!(of(&store, 2).await, [losses(1, Seat::Two, 2)]);
    assert_eq!(of(&store, 9).await, []);
}

async fn losses_are_listed_from_the_last(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    let all = [1, 2, 3, 4].map(|n| losses(n, Seat::One, 1));
    keep(&store, &all).await;
    let of_other_key = TurnLosses { key: RatingKey { pace: Pace::Days, ..KEY }, ..losses(5, Seat::One, 1) };
    keep(&store, &[of_other_key]).await;
    let [one, two, three, four] = all;
    assert_eq!(of(&store, 1).await, [four, three.clone(), two.clone(), one]);
    let some = store.turn_losses(player(1), KEY, 2_000..=3_000, 99).await.expect("read");
    assert_eq!(some, [three.clone(), two]);
    assert_eq!(store.turn_losses(player(1), KEY, 2_000..=3_000, 1).await.expect("read"), [three]);
}

async fn a_player_is_compared_with_other_people_of_their_rating(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    let mut bot = guest(7);
    bot.kind = PlayerKind::Bot;
    store.add_guest(bot, session(7)).await.expect("added");
    for n in [4, 5] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    let far = TurnLosses { points: 1_700.0, ..losses(2, Seat::One, 2) };
    let by_another = TurnLosses { judge: "other".to_owned(), ..losses(3, Seat::One, 2) };
    let all = [losses(1, Seat::One, 1), losses(1, Seat::Two, 2), far, by_another];
    keep(&store, &all).await;
    keep(&store, &[losses(4, Seat::One, 3), losses(4, Seat::Two, 7)]).await;
    keep(&store, &[losses(5, Seat::One, 4), losses(5, Seat::Two, 5)]).await;
    let near = NearLosses {
        except: player(1),
        key: KEY,
        judge: losses(1, Seat::One, 1).judge,
        points: 1_450.0..=1_550.0,
    };
    let sum = async || store.losses_near(near.clone()).await.expect("read");
    let of = |matches: &[u32]| LossSum {
        turns: matches.iter().map(|n| u64::from(30 + n)).sum(),
        lost: matches.iter().map(|n| f64::from(*n) / 7.0).sum(),
    };
    let is_alike = |one: LossSum, other: LossSum| {
        assert_eq!(one.turns, other.turns);
        assert!((one.lost - other.lost).abs() < 1e-12, "{one:?} {other:?}");
    };
    is_alike(sum().await, of(&[1, 4, 5, 5]));
    assert!(store.raise_flag(flag(1, 3)).await.expect("asked"));
    moderation::imposed(&store, 4, moderation::sanction(2, SanctionKind::Ban, None)).await;
    is_alike(sum().await, of(&[1, 5]));
    assert_eq!(store.moderate(close(9, 1, 3)).await.expect("asked"), Moderating::Done);
    is_alike(sum().await, of(&[1, 4, 5]));
    let nobody = NearLosses { points: 0.0..=1.0, ..near };
    assert_eq!(store.losses_near(nobody).await.expect("read"), LossSum::default());
}

async fn a_flag_is_raised_once_and_closed_once(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    let raised_at = async || store.flagged_at(player(1), KEY).await.expect("read");
    let ids = async |only_open| -> Vec<FlagId> {
        store.flags(only_open, 9).await.expect("read").into_iter().map(|flag| flag.id).collect()
    };
    assert_eq!(raised_at().await, None);
    assert!(store.raise_flag(flag(1, 1)).await.expect("asked"));
    assert!(!store.raise_flag(flag(2, 1)).await.expect("asked"), "it is open");
    assert!(!store.raise_flag(flag(2, 99)).await.expect("asked"), "nobody is there");
    assert!(store.raise_flag(flag(3, 2)).await.expect("asked"));
    let read = store.flag(flag_id(1)).await.expect("read").expect("there");
    let NewFlag { id, key, raised_at: at, grounds, .. } = flag(1, 1);
    assert_eq!((read.id, read.key, read.raised_at, read.grounds), (id, key, at, grounds));
    assert_eq!((&*read.player.name, read.closed_at), ("guest 1", None));
    assert_eq!(ids(true).await, [flag_id(3), flag_id(1)]);
    assert_eq!(store.moderate(close(5, 8, 1)).await.expect("asked"), Moderating::NoSuchFlag);
    assert_eq!(store.moderate(close(5, 1, 1)).await.expect("asked"), Moderating::Done);
    assert_eq!(store.moderate(close(6, 1, 1)).await.expect("asked"), Moderating::NoSuchFlag);
    assert_eq!((ids(true).await, ids(false).await), (vec![flag_id(3)], vec![flag_id(3), flag_id(1)]));
    let closed = store.flag(flag_id(1)).await.expect("read").expect("there");
    assert_eq!(closed.closed_at, Some(5_000));
    assert_eq!(raised_at().await, Some(1_000));
    let log = store.moderation_log(Some(player(1)), 9).await.expect("read");
    assert_eq!(log.iter().map(|row| row.act).collect::<Vec<_>>(), [ModeratorAct::CloseFlag]);
    assert!(store.raise_flag(flag(7, 1)).await.expect("asked"), "another one");
    assert_eq!(raised_at().await, Some(7_000));
    assert_eq!(store.flag(flag_id(9)).await.expect("read"), None);
}

async fn losses_and_flags_go_with_the_guest(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    keep(&store, &[losses(1, Seat::One, 1), losses(1, Seat::Two, 2)]).await;
    assert!(store.raise_flag(flag(1, 1)).await.expect("asked"));
    assert!(store.forget_guest(player(1)).await.expect("forgotten"));
    assert_eq!(of(&store, 1).await, []);
    assert_eq!(store.flags(false, 9).await.expect("read"), []);
    assert_eq!(of(&store, 2).await.len(), 1);
}

async fn an_adopter_takes_them_over(store: Arc<Store>) {
    with_accounts(&store, &[1]).await;
    store.add_guest(guest(2), session(2)).await.expect("added");
    store.create(super::new_match(1)).await.expect("created");
    keep(&store, &[losses(1, Seat::One, 2)]).await;
    assert!(store.raise_flag(flag(1, 2)).await.expect("asked"));
    let begun = store.begin_adoption(departures::adoption(2, 1)).await.expect("asked");
    assert_eq!(begun, AdoptionBeginning::Begun);
    assert_eq!(of(&store, 1).await.len(), 1);
    assert_eq!(store.flags(true, 9).await.expect("read")[0].player.id, player(1));
}

async fn a_sweep_deletes_old_losses(store: Arc<Store>) {
    ratings::with_matches(&store).await;
    keep(&store, &[losses(1, Seat::One, 1), losses(2, Seat::One, 1)]).await;
    let at: Millis = TURN_LOSSES_KEPT_MS + 1_000;
    store.sweep(at).await.expect("swept");
    assert_eq!(of(&store, 1).await, [losses(2, Seat::One, 1)]);
}
