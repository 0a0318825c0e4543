//! Talk: what was said in matches, and how guests talk.

use std::sync::Arc;

use lusoria_play::{Level, MatchId, Millis, Phrase, Player, PlayerId, RemarkId, Seat, TalkRoom};
use lusoria_store::{
    NewRemark, REMARKS_KEPT_MS, REMARKS_PER_MATCH_MAX, REMARKS_WITHIN_MS, Remark, RemarkAdding, Said,
    SanctionKind, Store, TEXT_AFTER_MATCHES, TalkSettings, Talker,
};
use uuid::Uuid;

use super::{
    accounts::with_accounts,
    card_of, departures, guest, match_id,
    moderation::{imposed, sanction},
    new_match, on_all_stores, player, session,
};

on_all_stores!(
    remarks_are_read_as_they_were_made_the_last_ones_in_order,
    rooms_and_matches_are_apart,
    nobody_says_more_than_four_things_in_ten_seconds,
    nobody_says_too_much_in_one_match,
    who_is_muted_or_banned_says_nothing_until_it_is_over,
    nothing_is_said_by_nobody_nor_in_no_match,
    remarks_go_with_who_made_them_and_with_their_match,
    a_sweep_deletes_old_remarks,
    an_adopter_has_said_what_the_guest_said,
    settings_are_those_of_an_account,
    matches_against_others_count_to_five,
);

fn remark_id(n: u64) -> RemarkId {
    RemarkId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_7000 | u128::from(n)))
}

/// Remark `n`, said by guest `by` in match `of` at `n` times ten seconds: each third in words.
pub(super) fn remark(n: u64, of: u32, by: u32) -> NewRemark {
    let said = if n.is_multiple_of(3) {
        Said::Words(format!("\"Καλημέρα\" {n}"))
    } else {
        Said::Phrase(Phrase::ALL[usize::try_from(n).expect("small") % Phrase::ALL.len()])
    };
    NewRemark {
        id: remark_id(n),
        of: match_id(of),
        room: TalkRoom::Players,
        by: player(by),
        said_at: n * REMARKS_WITHIN_MS,
        said,
    }
}

async fn say(store: &Arc<Store>, new: NewRemark) -> RemarkAdding {
    store.add_remark(new).await.expect("asked")
}

async fn heard(store: &Arc<Store>, of: u32, room: TalkRoom, limit: u32) -> Vec<Remark> {
    store.remarks(match_id(of), room, limit).await.expect("read")
}

fn told(new: NewRemark) -> Remark {
    let NewRemark { id, of, room, by, said_at, said } = new;
    let by = (1..9).map(guest).find(|guest| guest.id == by).expect("a guest");
    Remark { id, of, room, by: Player { id: by.id, name: by.name, kind: by.kind }, said_at, said }
}

/// Guests 1 (with an account), 2 and 3, and matches 1 and 2.
async fn with_matches(store: &Arc<Store>) {
    with_accounts(store, &[1]).await;
    for n in [2, 3] {
        store.add_guest(guest(n), session(u8::try_from(n).expect("small"))).await.expect("added");
    }
    for n in [1, 2] {
        store.create(new_match(n)).await.expect("created");
    }
}

async fn remarks_are_read_as_they_were_made_the_last_ones_in_order(store: Arc<Store>) {
    with_matches(&store).await;
    for n in 1..=6 {
        let by = 1 + u32::try_from(n % 2).expect("small");
        assert_eq!(say(&store, remark(n, 1, by)).await, RemarkAdding::Added);
    }
    let all: Vec<_> = (1..=6).map(|n| told(remark(n, 1, 1 + u32::from(n % 2 == 1)))).collect();
    assert_eq!(heard(&store, 1, TalkRoom::Players, 9).await, all);
    assert_eq!(heard(&store, 1, TalkRoom::Players, 2).await, all[4..]);
    let theirs = store.remarks_by(player(2), None, 2).await.expect("read");
    assert_eq!(theirs, [all[0].clone(), all[2].clone()]);
    let rest = store.remarks_by(player(2), Some(theirs[1].id), 9).await.expect("read");
    assert_eq!(rest, [all[4].clone()]);
    store.rename_guest(player(1), "Zeno".to_owned()).await.expect("renamed");
    assert_eq!(heard(&store, 1, TalkRoom::Players, 1).await[0].by.name, "Zeno");
}

async fn rooms_and_matches_are_apart(store: Arc<Store>) {
    with_matches(&store).await;
    say(&store, remark(1, 1, 1)).await;
    say(&store, NewRemark { room: TalkRoom::Watchers, ..remark(2, 1, 3) }).await;
    say(&store, remark(3, 2, 1)).await;
    let ids = |heard: Vec<Remark>| heard.into_iter().map(|remark| remark.id).collect::<Vec<_>>();
    assert_eq!(ids(heard(&store, 1, TalkRoom::Players, 9).await), [remark_id(1)]);
    assert_eq!(ids(heard(&store, 1, TalkRoom::Watchers, 9).await), [remark_id(2)]);
    assert_eq!(ids(heard(&store, 2, TalkRoom::Players, 9).await), [remark_id(3)]);
    assert_eq!(ids(heard(&store, 2, TalkRoom::Watchers, 9).await), []);
}

async fn nobody_says_more_than_four_things_in_ten_seconds(store: Arc<Store>) {
    with_matches(&store).await;
    let at = |n: u64, said_at: Millis, of, by| NewRemark { said_at, ..remark(n, of, by) };
    for (n, said_at) in [(1, 1_000), (2, 2_000), (3, 3_000), (4, 4_000)] {
        let of = 1 + u32::from(n > 2);
        assert_eq!(say(&store, at(n, said_at, of, 1)).await, RemarkAdding::Added);
    }
    assert_eq!(say(&store, at(5, 4_500, 1, 1)).await, RemarkAdding::TooFast(6_500));
    assert_eq!(say(&store, at(6, 4_500, 1, 2)).await, RemarkAdding::Added, "others may");
    assert_eq!(say(&store, at(7, 11_000, 1, 1)).await, RemarkAdding::Added);
    assert_eq!(say(&store, at(8, 11_000, 1, 1)).await, RemarkAdding::TooFast(1_000));
}

async fn nobody_says_too_much_in_one_match(store: Arc<Store>) {
    with_matches(&store).await;
    let most = u64::from(REMARKS_PER_MATCH_MAX);
    for n in 1..=most {
        assert_eq!(say(&store, remark(n, 1, 1)).await, RemarkAdding::Added);
    }
    assert_eq!(say(&store, remark(most + 1, 1, 1)).await, RemarkAdding::TooMany);
    assert_eq!(say(&store, remark(most + 2, 2, 1)).await, RemarkAdding::Added);
    assert_eq!(say(&store, remark(most + 3, 1, 2)).await, RemarkAdding::Added);
}

async fn who_is_muted_or_banned_says_nothing_until_it_is_over(store: Arc<Store>) {
    with_matches(&store).await;
    imposed(&store, 1, sanction(1, SanctionKind::Warning, None)).await;
    assert_eq!(say(&store, remark(1, 1, 1)).await, RemarkAdding::Added);
    let muted = sanction(2, SanctionKind::Mute, Some(30_000));
    imposed(&store, 1, muted.clone()).await;
    assert_eq!(say(&store, remark(2, 1, 1)).await, RemarkAdding::Sanctioned(muted));
    assert_eq!(say(&store, remark(3, 1, 1)).await, RemarkAdding::Added);
    let banned = sanction(3, SanctionKind::Ban, None);
    imposed(&store, 1, banned.clone()).await;
    assert_eq!(say(&store, remark(4, 1, 1)).await, RemarkAdding::Sanctioned(banned));
    assert_eq!(say(&store, remark(4, 1, 2)).await, RemarkAdding::Added);
}

async fn nothing_is_said_by_nobody_nor_in_no_match(store: Arc<Store>) {
    with_matches(&store).await;
    assert_eq!(say(&store, remark(1, 1, 9)).await, RemarkAdding::GuestGone);
    assert_eq!(say(&store, remark(1, 9, 1)).await, RemarkAdding::NoSuchMatch);
    store.set_blocked(player(2), Some(5)).await.expect("blocked");
    assert_eq!(say(&store, remark(1, 1, 2)).await, RemarkAdding::GuestGone);
    assert_eq!(heard(&store, 1, TalkRoom::Players, 9).await, []);
}

async fn remarks_go_with_who_made_them_and_with_their_match(store: Arc<Store>) {
    with_matches(&store).await;
    for (n, by) in [(1, 2), (2, 1), (3, 2)] {
        say(&store, remark(n, 1, by)).await;
    }
    assert!(store.forget_guest(player(2)).await.expect("forgotten"));
    assert_eq!(heard(&store, 1, TalkRoom::Players, 9).await, [told(remark(2, 1, 1))]);
    let ended = super::Append {
        card: super::card(super::MatchState::Finished),
        deadline: None,
        ..super::append(1, 1)
    };
    store.add_guest(guest(2), session(2)).await.expect("added");
    store.append(ended).await.expect("appended");
    assert!(store.forget_match(match_id(1), 2).await.expect("forgotten"));
    assert_eq!(store.remarks_by(player(1), None, 9).await.expect("read"), []);
}

async fn a_sweep_deletes_old_remarks(store: Arc<Store>) {
    with_matches(&store).await;
    for n in [1, 2] {
        say(&store, remark(n, 1, 1)).await;
    }
    store.sweep(REMARKS_KEPT_MS + remark(1, 1, 1).said_at).await.expect("swept");
    assert_eq!(heard(&store, 1, TalkRoom::Players, 9).await, [told(remark(2, 1, 1))]);
}

async fn an_adopter_has_said_what_the_guest_said(store: Arc<Store>) {
    with_matches(&store).await;
    say(&store, remark(1, 1, 2)).await;
    let begun = store.begin_adoption(departures::adoption(2, 1)).await.expect("asked");
    assert_eq!(begun, lusoria_store::AdoptionBeginning::Begun);
    assert_eq!(
        heard(&store, 1, TalkRoom::Players, 9).await,
        [told(NewRemark { by: player(1), ..remark(1, 1, 2) })]
    );
}

async fn talker(store: &Arc<Store>, n: u32) -> Option<Talker> {
    store.talkers(vec![player(n)]).await.expect("read").pop()
}

async fn settings_are_those_of_an_account(store: Arc<Store>) {
    with_matches(&store).await;
    let usual = talker(&store, 1).await.expect("a guest");
    assert_eq!((usual.guest, usual.matches, usual.settings), (player(1), 0, TalkSettings::default()));
    assert!(usual.account_since.is_some());
    for (takes_text, has_childrens_mode) in [(true, false), (false, true)] {
        let settings = TalkSettings { takes_text, has_childrens_mode };
        assert!(store.set_talk_settings(player(1), settings).await.expect("set"));
        assert_eq!(talker(&store, 1).await, Some(Talker { settings, ..usual.clone() }));
    }
    let settings = TalkSettings { takes_text: true, has_childrens_mode: true };
    assert!(!store.set_talk_settings(player(2), settings).await.expect("asked"));
    let without = talker(&store, 2).await.expect("a guest");
    assert_eq!((without.account_since, without.settings), (None, TalkSettings::default()));
    assert_eq!(talker(&store, 9).await, None);
    let both = store.talkers(vec![player(1), player(9), player(3)]).await.expect("read");
    let mut both: Vec<_> = both.into_iter().map(|talker| talker.guest).collect();
    both.sort_unstable();
    assert_eq!(both, [player(1), player(3)]);
    store.remove_account(player(1)).await.expect("removed");
    let after = talker(&store, 1).await.expect("a guest");
    assert_eq!((after.account_since, after.settings), (None, TalkSettings::default()));
}

async fn matches_against_others_count_to_five(store: Arc<Store>) {
    with_matches(&store).await;
    let computer = Level::ALL[0].player_id();
    let mut n = 10;
    let mut finish = async |one: PlayerId, two: PlayerId| {
        n += 1;
        let mut card = card_of(super::MatchState::Finished, one, Some(two));
        for seat in Seat::BOTH {
            if card.player(seat) == Some(computer) {
                *card.players.get_mut(seat) = Some(Player::computer(Level::ALL[0]));
            }
        }
        let new = super::NewMatch { card, deadline: None, ..new_match(n) };
        store.create(new).await.expect("created");
    };
    finish(player(1), computer).await;
    finish(computer, player(1)).await;
    finish(player(1), player(1)).await;
    finish(player(2), player(3)).await;
    assert_eq!(talker(&store, 1).await.expect("there").matches, 0);
    finish(player(1), player(2)).await;
    finish(player(2), player(1)).await;
    assert_eq!(talker(&store, 1).await.expect("there").matches, 2);
    for _ in 0..TEXT_AFTER_MATCHES {
        finish(player(2), player(1)).await;
    }
    assert_eq!(talker(&store, 1).await.expect("there").matches, TEXT_AFTER_MATCHES);
    let live = super::NewMatch {
        card: card_of(super::MatchState::Live, player(3), Some(player(1))),
        ..new_match(99)
    };
    store.create(live).await.expect("created");
    assert_eq!(talker(&store, 3).await.expect("there").matches, 1);
    let _: MatchId = match_id(99);
}
