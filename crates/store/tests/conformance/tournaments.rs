//! Tournaments: who writes which event, and what lists show.

use std::any::Any;

use futures_util::future::BoxFuture;

use super::*;

on_all_stores_and_a_file!(
    an_append_follows_the_head_that_it_names,
    what_a_match_adds_follows_any_head,
    who_organises_has_an_account_and_few_of_them,
    a_creation_is_made_once,
    who_enters_has_an_account,
    lists_are_complete_in_pages_of_any_length,
    what_is_due_comes_earliest_first,
    results_stay_when_a_guest_goes,
    names_and_blocks_of_many_are_read_at_once,
);

pub(super) fn id(n: u32) -> TournamentId {
    TournamentId(numbered(0x4000_8000_0000_0003_0000, n))
}

fn event(seq: u32, at: Millis) -> TournamentEvent {
    TournamentEvent { seq, at, event: format!(r#"{{"type":"here","entrant":{seq}}}"#) }
}

fn listing(stage: TournamentStage, at: Millis) -> TournamentListing {
    let card = r#"{"name": "Zeno's"}"#.to_owned();
    TournamentListing { game: Game::Tavla, stage, listed: true, at, card, wake_at: None }
}

/// Tournament `n` by guest `by` with two events, which begins at 5000.
pub(super) fn new(n: u32, by: u32) -> NewTournament {
    let listing = listing(TournamentStage::Announced, 5_000);
    NewTournament {
        id: id(n),
        organiser: player(by),
        events: vec![event(1, 1_000), event(2, 1_000)],
        listing,
        key: None,
    }
}

/// An append of one event, at 2000, to tournament `n` with that head.
pub(super) fn appending(n: u32, head: u32) -> TournamentAppend {
    TournamentAppend {
        id: id(n),
        head,
        events: vec![event(head + 1, 2_000)],
        listing: listing(TournamentStage::Running, 5_000),
        entered: Vec::new(),
        left: Vec::new(),
    }
}

pub(super) fn note(n: u32) -> TournamentNote {
    TournamentNote { id: id(n), event: r#"{"type":"match_ended"}"#.to_owned() }
}

async fn events_of(s: &Store, n: u32) -> Vec<TournamentEvent> {
    done!(s.tournament_events(id(n), 0, 1_000))
}

/// A store in which guest 1 has organised tournaments.
async fn organised(s: &Fixture, numbers: impl IntoIterator<Item = u32>) {
    s.with_accounts([1]).await;
    for n in numbers {
        is!(s.create_tournament(new(n, 1)), TournamentCreation::Created);
    }
}

async fn an_append_follows_the_head_that_it_names(s: Fixture) {
    organised(&s, [1]).await;
    is!(s.append_tournament(appending(1, 2)), TournamentAppending::Appended);
    for stale in [1, 2, 4] {
        is!(s.append_tournament(appending(1, stale)), TournamentAppending::MovedOn);
    }
    is!(s.append_tournament(appending(2, 1)), TournamentAppending::MovedOn);
    let gap = TournamentAppend { events: vec![event(5, 2_000)], ..appending(1, 3) };
    refused!(s.append_tournament(gap), StoreError::Failed(_));
    // Of two at once, one comes first.
    let (one, other) =
        tokio::join!(s.append_tournament(appending(1, 3)), s.append_tournament(appending(1, 3)));
    let mut both = [one.expect("written"), other.expect("asked")];
    both.sort_by_key(|came| *came == TournamentAppending::MovedOn);
    assert_eq!(both, [TournamentAppending::Appended, TournamentAppending::MovedOn]);
    let all = vec![event(1, 1_000), event(2, 1_000), event(3, 2_000), event(4, 2_000)];
    assert_eq!(events_of(&s, 1).await, all);
    is!(s.tournament_events(id(1), 1, 2), all[1..3]);
    is!(s.tournament_heads(vec![id(1), id(9)]), [(id(1), 4)]);
    // Without events, what lists show is corrected.
    let ended = listing(TournamentStage::Ended, 9_000);
    let correcting =
        |head| TournamentAppend { events: Vec::new(), listing: ended.clone(), ..appending(1, head) };
    is!(s.append_tournament(correcting(3)), TournamentAppending::MovedOn);
    is!(s.append_tournament(correcting(4)), TournamentAppending::Appended);
    let row = TournamentRow { id: id(1), organiser: player(1), head: 4, listing: ended.clone() };
    is!(s.tournament(id(1)), Some(row));
    is!(s.tournament(id(2)), None);
}

/// A match of guest 1 against guest 2 for a tournament.
fn paired(n: u32, of: u32) -> NewMatch {
    NewMatch { answers: Some(Answers::Tournament(note(of))), ..match_of(n, 1, Some(2)) }
}

async fn what_a_match_adds_follows_any_head(s: Fixture) {
    organised(&s, [1]).await;
    s.guests([2]).await;
    for seek in [seeks::seek(1, 1), seeks::correspondence(2, 2)] {
        done!(s.add_seek(seek));
    }
    done!(s.create(paired(1, 1)));
    is!(s.seeks_of(player(1), 0), [], "they play now");
    assert_eq!(done!(s.seeks_of(player(2), 0)).len(), 1);
    // A writer that decided before does not know of it.
    is!(s.append_tournament(appending(1, 2)), TournamentAppending::MovedOn);
    is!(s.append_tournament(appending(1, 3)), TournamentAppending::Appended);
    // A match that is there adds nothing.
    refused!(s.create(paired(1, 1)), Conflict);
    let ends = |of| Append { tournament: Some(note(of)), ..ending(1) };
    refused!(s.append(Append { of: version(7), events: events(7, 1, 2_000).into(), ..ends(1) }), Conflict);
    assert_eq!(events_of(&s, 1).await.len(), 4);
    // Times never run back, and it is due when it happened.
    let late = TournamentAppend { events: vec![event(5, 3_000)], ..appending(1, 4) };
    is!(s.append_tournament(late), TournamentAppending::Appended);
    done!(s.append(ends(1)));
    let last = TournamentEvent { seq: 6, at: 3_000, event: note(1).event };
    assert_eq!(events_of(&s, 1).await.last(), Some(&last));
    is!(s.tournaments_due(2_000, 9), [TournamentDue { id: id(1), at: 2_000 }]);
    is!(s.next_tournament_wake(), Some(2_000));
    // A match ends even if its tournament is not there.
    done!(s.create(match_of(2, 1, Some(2))));
    done!(s.append(Append { tournament: Some(note(9)), ..ending(2) }));
    is!(s.tournament_heads(vec![id(1), id(9)]), [(id(1), 6)]);
}

/// Refuses what writes, or makes it without telling.
struct Fated(fn() -> Fate);

impl Faults for Fated {
    fn before<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Fate> {
        let fate = self.0();
        Box::pin(async { fate })
    }

    fn done(&self, _: &Call, _: &mut dyn Any) {}
}

/// Either the match has ended and its tournament knows, or neither.
#[tokio::test]
async fn a_match_ends_with_its_tournament_or_not_at_all() {
    let busy: fn() -> Fate = || Fate::Refused(StoreError::Busy(String::new()));
    for (fate, length) in [(busy, 1), (|| Fate::MadeUnknown, 2)] {
        let kept = Store::in_memory();
        let s = Fixture(Arc::new(kept.another_in_memory()));
        organised(&s, [1]).await;
        done!(s.create(match_of(1, 1, Some(2))));
        let ends = Append { tournament: Some(note(1)), ..ending(1) };
        let answer = kept.with_faults(Arc::new(Fated(fate))).append(ends).await;
        assert!(answer.is_err());
        is!(s.length(1), length);
        is!(s.tournament_heads(vec![id(1)]), [(id(1), 1 + length)]);
    }
}

async fn who_organises_has_an_account_and_few_of_them(s: Fixture) {
    is!(s.create_tournament(new(1, 1)), TournamentCreation::GuestGone);
    s.guests([2]).await;
    is!(s.create_tournament(new(1, 2)), TournamentCreation::NoAccount);
    organised(&s, 1..=TOURNAMENTS_PER_ORGANISER_MAX).await;
    is!(s.create_tournament(new(99, 1)), TournamentCreation::TooMany);
    let ended = TournamentAppend { listing: listing(TournamentStage::Ended, 9_000), ..appending(3, 2) };
    is!(s.append_tournament(ended), TournamentAppending::Appended);
    is!(s.create_tournament(new(99, 1)), TournamentCreation::Created);
    s.with_accounts([3]).await;
    s.block(3).await;
    is!(s.create_tournament(new(98, 3)), TournamentCreation::GuestGone);
    let none = NewTournament { events: Vec::new(), ..new(97, 1) };
    refused!(s.create_tournament(none), StoreError::Failed(_));
}

async fn a_creation_is_made_once(s: Fixture) {
    organised(&s, 1..TOURNAMENTS_PER_ORGANISER_MAX).await;
    let keyed = |n, of| NewTournament { key: Some(key(1, of)), ..new(n, 1) };
    is!(s.create_tournament(keyed(20, "make")), TournamentCreation::Created);
    is!(s.create_tournament(keyed(21, "make")), TournamentCreation::KeyUsed);
    let used = UsedKey { digest: [7; 32], id: MatchId(id(20).0), first: 1 };
    is!(s.used_key(player(1), "make".to_owned()), Some(used));
    refused!(s.create(NewMatch { key: Some(key(1, "make")), ..match_of(1, 1, None) }), KeyUsed);
    // One that is refused uses no key; the same one again is no other.
    is!(s.create_tournament(keyed(22, "other")), TournamentCreation::TooMany);
    is!(s.used_key(player(1), "other".to_owned()), None);
    is!(s.create_tournament(new(1, 1)), TournamentCreation::Created);
    assert_eq!(events_of(&s, 1).await.len(), 2);
}

async fn who_enters_has_an_account(s: Fixture) {
    organised(&s, [1]).await;
    s.with_accounts([2, 3, 4]).await;
    s.guests([5]).await;
    s.block(4).await;
    let enter = |head, entered: &[u32], left: &[u32]| {
        let of = |numbers: &[u32]| numbers.iter().map(|n| player(*n)).collect();
        s.append_tournament(TournamentAppend { entered: of(entered), left: of(left), ..appending(1, head) })
    };
    for gone in [4, 5, 6] {
        is!(enter(2, &[2, gone], &[]), TournamentAppending::GuestGone(player(gone)));
    }
    is!(enter(2, &[2, 3], &[]), TournamentAppending::Appended);
    is!(enter(3, &[2], &[3]), TournamentAppending::Appended, "who enters again is one entrant");
    for (n, is_theirs) in [(1, true), (2, true), (3, false)] {
        let of = TournamentFilter::Of { guest: player(n), with_unlisted: false };
        assert_eq!(done!(s.tournaments(of, None, 9)).rows.len(), usize::from(is_theirs), "{n}");
    }
}

async fn lists_are_complete_in_pages_of_any_length(s: Fixture) {
    use TournamentStage::{Announced, Ended, Running};
    s.with_accounts([1, 2]).await;
    for (n, stage, game, at, listed) in [
        (1, Announced, Game::Tavla, 700, true),
        (2, Announced, Game::Zeno, 500, true),
        (3, Announced, Game::Tavla, 500, true),
        (4, Announced, Game::Tavla, 600, false),
        (5, Running, Game::Tavla, 400, true),
        (6, Ended, Game::Zeno, 100, true),
        (7, Ended, Game::Tavla, 300, true),
        (8, Ended, Game::Zeno, 300, true),
        (9, Running, Game::Zeno, 450, false),
    ] {
        let listing = TournamentListing { game, listed, ..listing(stage, at) };
        let new = NewTournament { listing: listing.clone(), ..new(n, 1 + n % 2) };
        is!(s.create_tournament(new), TournamentCreation::Created);
        if [4, 6, 9].contains(&n) {
            let enter = TournamentAppend { listing, entered: vec![player(2)], ..appending(n, 2) };
            is!(s.append_tournament(enter), TournamentAppending::Appended);
        }
    }
    let public = done!(s.listed_tournaments([4, 1, 8, 9, 1].map(id).to_vec()));
    let mut public: Vec<_> = public.into_iter().map(|row| (row.id, row.listing.at)).collect();
    public.sort_unstable();
    assert_eq!(public, [(id(1), 700), (id(8), 300)]);
    let listed = |stage, game| TournamentFilter::Listed { stage, game };
    let of = |n, with_unlisted| TournamentFilter::Of { guest: player(n), with_unlisted };
    for (filter, expected) in [
        (listed(Announced, None), &[2, 3, 1][..]),
        (listed(Announced, Some(Game::Tavla)), &[3, 1]),
        (listed(Running, None), &[5]),
        (listed(Running, Some(Game::Zeno)), &[]),
        (listed(Ended, None), &[8, 7, 6]),
        (listed(Ended, Some(Game::Zeno)), &[8, 6]),
        (of(1, false), &[2, 8, 6]),
        (of(1, true), &[4, 2, 8, 6]),
        (of(2, false), &[1, 3, 5, 7, 6]),
        (of(2, true), &[1, 4, 3, 9, 5, 7, 6]),
        (of(3, true), &[]),
        (TournamentFilter::PlayedBy(player(2)), &[9]),
        (TournamentFilter::PlayedBy(player(1)), &[]),
        (TournamentFilter::All, &[1, 4, 3, 2, 9, 5, 8, 7, 6]),
    ] {
        let expected: Vec<TournamentId> = expected.iter().map(|n| id(*n)).collect();
        for limit in 1..=8 {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = done!(s.tournaments(filter, after, limit));
                assert!(page.rows.len() <= limit as usize);
                found.extend(page.rows.iter().map(|row| row.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{filter:?}, {limit} a page");
        }
    }
}

async fn names_and_blocks_of_many_are_read_at_once(s: Fixture) {
    s.with_accounts([1, 2]).await;
    s.guests([3]).await;
    s.block(2).await;
    let named = done!(s.named_players([3, 1, 2, 1, 9].map(player).to_vec()));
    let mut named: Vec<_> = named.into_iter().map(|of| (of.player.id, of.player.name, of.handle)).collect();
    named.sort_unstable();
    let name = |n: u32| guest(n).name;
    let handle = |n: u32| Some(accounts::new_account(n).handle);
    let expected = [(1, handle(1)), (2, handle(2)), (3, None)];
    assert_eq!(named, expected.map(|(n, handle)| (player(n), name(n), handle)));
    is!(s.named_players(Vec::new()), []);

    for (by, blocked) in [(1, 3), (3, 1), (2, 3)] {
        is!(s.add_block(player(by), player(blocked), 1_000), Blocking::Blocked);
    }
    for (of, expected) in [(&[1, 2, 9][..], &[(1, 3), (2, 3)][..]), (&[3, 3], &[(3, 1)]), (&[], &[])] {
        let mut blocks = done!(s.blocks_by(of.iter().map(|n| player(*n)).collect()));
        blocks.sort_unstable();
        let expected: Vec<_> = expected.iter().map(|(by, of)| (player(*by), player(*of))).collect();
        assert_eq!(blocks, expected, "{of:?}");
    }
}

async fn what_is_due_comes_earliest_first(s: Fixture) {
    organised(&s, 1..=4).await;
    for (n, wake_at) in [(1, Some(300)), (2, Some(100)), (3, None), (4, Some(400))] {
        let listing = TournamentListing { wake_at, ..listing(TournamentStage::Running, 5_000) };
        let woken = TournamentAppend { listing, ..appending(n, 2) };
        is!(s.append_tournament(woken), TournamentAppending::Appended);
    }
    let due = [(2, 100), (1, 300)].map(|(n, at)| TournamentDue { id: id(n), at });
    is!(s.tournaments_due(399, 9), due);
    is!(s.tournaments_due(399, 1), due[..1]);
    is!(s.next_tournament_wake(), Some(100));
}

async fn results_stay_when_a_guest_goes(s: Fixture) {
    organised(&s, [1]).await;
    s.with_accounts([2]).await;
    let enter = TournamentAppend { entered: vec![player(1), player(2)], ..appending(1, 2) };
    is!(s.append_tournament(enter), TournamentAppending::Appended);
    let before = (done!(s.tournament(id(1))), events_of(&s, 1).await);
    for n in [1, 2] {
        is!(s.begin_erasure(player(n), ErasureBy::Operator, 9_000), ErasureBeginning::Begun);
        s.forget(n).await;
    }
    assert_eq!((done!(s.tournament(id(1))), events_of(&s, 1).await), before);
    s.guests([2]).await;
    let of = TournamentFilter::Of { guest: player(2), with_unlisted: true };
    is!(s.tournaments(of, None, 9), TournamentPage { rows: Vec::new(), next: None });
}
