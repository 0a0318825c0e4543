//! Talk: what was said in matches, and how guests talk.

use RemarkAdding::{Added, NoSuchMatch, Sanctioned, TooFast, TooMany};
use TalkRoom::{Players, Watchers};

use super::{
    moderation::{imposed, sanction},
    *,
};

on_all_stores!(
    remarks_are_read_as_they_were_made_the_last_ones_in_order,
    nobody_says_more_than_four_things_in_ten_seconds,
    nobody_says_too_much_in_one_match,
    a_muted_or_banned_guest_says_nothing_until_it_is_over,
    nothing_is_said_by_nobody_nor_in_no_match,
    remarks_go_with_who_made_them_with_their_match_and_with_time,
    settings_are_those_of_an_account,
    matches_against_others_count_to_five,
);

fn remark_id(n: u64) -> RemarkId {
    RemarkId(numbered(0x0190_0000_0000_7000_8000_0000_0000_7000, n))
}

/// Remark `n`, said by guest `by` in match `of` at `n` times ten seconds: each third in words.
pub(super) fn remark(n: u64, of: u32, by: u32) -> NewRemark {
    let said = if n.is_multiple_of(3) {
        Said::Words(format!("\"Καλημέρα\" {n}"))
    } else {
        Said::Phrase(Phrase::ALL[few::<usize>(n) % Phrase::ALL.len()])
    };
    let (id, of, by, said_at) = (remark_id(n), match_id(of), player(by), n * REMARKS_WITHIN_MS);
    NewRemark { id, of, room: Players, by, said_at, said }
}

async fn say<const N: usize>(s: &Fixture, all: [NewRemark; N]) {
    for new in all {
        is!(s.add_remark(new), Added);
    }
}

fn told(new: NewRemark) -> Remark {
    let NewRemark { id, of, room, by, said_at, said } = new;
    let by = (1..9).map(seated).find(|player| player.id == by).expect("a guest");
    Remark { id, of, room, by, said_at, said }
}

async fn heard(s: &Fixture, of: u32, room: TalkRoom, expected: &[NewRemark]) {
    let expected: Vec<_> = expected.iter().cloned().map(told).collect();
    is!(s.remarks(match_id(of), room, 99), expected, "match {of}, {room:?}");
}

/// Guests 1 (with an account), 2 and 3, and matches 1 and 2.
async fn with_matches(s: &Fixture) {
    s.with_accounts([1]).await;
    s.guests([2, 3]).await;
    s.matches([1, 2]).await;
}

async fn remarks_are_read_as_they_were_made_the_last_ones_in_order(s: Fixture) {
    with_matches(&s).await;
    let all = [1, 2, 3, 4, 5, 6].map(|n| remark(n, 1, 1 + u32::from(n % 2 == 1)));
    say(&s, all.clone()).await;
    let watched = NewRemark { room: Watchers, ..remark(7, 1, 3) };
    say(&s, [watched.clone(), remark(8, 2, 1)]).await;
    heard(&s, 1, Players, &all).await;
    heard(&s, 1, Watchers, &[watched]).await;
    heard(&s, 2, Players, &[remark(8, 2, 1)]).await;
    heard(&s, 2, Watchers, &[]).await;
    let all = all.map(told);
    is!(s.remarks(match_id(1), Players, 2), all[4..]);
    let of = |numbers: &[usize]| numbers.iter().map(|n| all[n - 1].clone()).collect::<Vec<_>>();
    is!(s.remarks_by(player(2), None, 2), of(&[1, 3]));
    is!(s.remarks_by(player(2), Some(remark_id(3)), 9), of(&[5]));
    yes!(s.rename_guest(player(1), "Zeno".to_owned()));
    assert_eq!(done!(s.remarks(match_id(1), Players, 1))[0].by.name, "Zeno");
}

async fn nobody_says_more_than_four_things_in_ten_seconds(s: Fixture) {
    with_matches(&s).await;
    for (n, said_at, of, by, expected) in [
        (1, 1_000, 1, 1, Added),
        (2, 2_000, 1, 1, Added),
        (3, 3_000, 2, 1, Added),
        (4, 4_000, 2, 1, Added),
        (5, 4_500, 1, 1, TooFast(6_500)),
        (6, 4_500, 1, 2, Added),
        (7, 11_000, 1, 1, Added),
        (8, 11_000, 1, 1, TooFast(1_000)),
    ] {
        is!(s.add_remark(NewRemark { said_at, ..remark(n, of, by) }), expected, "{n}");
    }
}

async fn nobody_says_too_much_in_one_match(s: Fixture) {
    const MOST: u64 = REMARKS_PER_MATCH_MAX as u64;
    with_matches(&s).await;
    for n in 1..=MOST {
        say(&s, [remark(n, 1, 1)]).await;
    }
    is!(s.add_remark(remark(MOST + 1, 1, 1)), TooMany);
    say(&s, [remark(MOST + 2, 2, 1), remark(MOST + 3, 1, 2)]).await;
}

async fn a_muted_or_banned_guest_says_nothing_until_it_is_over(s: Fixture) {
    with_matches(&s).await;
    imposed(&s, 1, sanction(1, SanctionKind::Warning, None)).await;
    say(&s, [remark(1, 1, 1)]).await;
    let muted = sanction(2, SanctionKind::Mute, Some(30_000));
    imposed(&s, 1, muted.clone()).await;
    is!(s.add_remark(remark(2, 1, 1)), Sanctioned(muted));
    say(&s, [remark(3, 1, 1)]).await;
    let banned = sanction(3, SanctionKind::Ban, None);
    imposed(&s, 1, banned.clone()).await;
    is!(s.add_remark(remark(4, 1, 1)), Sanctioned(banned));
    say(&s, [remark(4, 1, 2)]).await;
}

async fn nothing_is_said_by_nobody_nor_in_no_match(s: Fixture) {
    with_matches(&s).await;
    s.block(2).await;
    for (of, by, expected) in
        [(1, 9, RemarkAdding::GuestGone), (1, 2, RemarkAdding::GuestGone), (9, 1, NoSuchMatch)]
    {
        is!(s.add_remark(remark(1, of, by)), expected);
    }
    heard(&s, 1, Players, &[]).await;
}

async fn remarks_go_with_who_made_them_with_their_match_and_with_time(s: Fixture) {
    with_matches(&s).await;
    say(&s, [remark(1, 1, 2), remark(2, 1, 1), remark(3, 1, 2), remark(4, 2, 1), remark(5, 2, 1)]).await;
    s.forget(2).await;
    heard(&s, 1, Players, &[remark(2, 1, 1)]).await;
    s.guests([2]).await;
    s.end(1).await;
    yes!(s.forget_match(match_id(1), 2));
    is!(s.remarks_by(player(1), None, 9), [told(remark(4, 2, 1)), told(remark(5, 2, 1))]);
    done!(s.sweep(REMARKS_KEPT_MS + remark(4, 2, 1).said_at));
    heard(&s, 2, Players, &[remark(5, 2, 1)]).await;
}

async fn talker(s: &Fixture, n: u32) -> Option<Talker> {
    done!(s.talkers(vec![player(n)])).pop()
}

async fn settings_are_those_of_an_account(s: Fixture) {
    with_matches(&s).await;
    let usual = talker(&s, 1).await.expect("a guest");
    assert_eq!((usual.guest, usual.matches, usual.settings), (player(1), 0, TalkSettings::default()));
    assert_eq!(usual.account_since, Some(2_000));
    for (takes_text, has_childrens_mode) in [(true, false), (false, true)] {
        let settings = TalkSettings { takes_text, has_childrens_mode };
        yes!(s.set_talk_settings(player(1), settings));
        assert_eq!(talker(&s, 1).await, Some(Talker { settings, ..usual.clone() }));
    }
    no!(s.set_talk_settings(player(2), TalkSettings { takes_text: true, has_childrens_mode: true }));
    let without = |n| Some(Talker { guest: player(n), account_since: None, ..usual.clone() });
    assert_eq!(talker(&s, 2).await, without(2));
    assert_eq!(talker(&s, 9).await, None);
    let both = done!(s.talkers(vec![player(1), player(9), player(3)]));
    assert_eq!(both.len(), 2);
    is!(s.remove_account(player(1)), Some(0));
    assert_eq!(talker(&s, 1).await, without(1));
}

async fn matches_against_others_count_to_five(s: Fixture) {
    with_matches(&s).await;
    let computer = || Player::computer(Level::ALL[0]);
    let mut n = 10;
    let mut play = async |state, one: Player, two: Player| {
        n += 1;
        let card = Card { players: BySeat(Some(one), Some(two)), ..card(state) };
        done!(s.create(NewMatch { card, deadline: None, ..new_match(n) }));
    };
    let counts = async |n, expected| assert_eq!(talker(&s, n).await.expect("there").matches, expected);
    for (one, two) in
        [(seated(1), computer()), (computer(), seated(1)), (seated(1), seated(1)), (seated(2), seated(3))]
    {
        play(MatchState::Finished, one, two).await;
    }
    play(MatchState::Live, seated(3), seated(1)).await;
    counts(1, 0).await;
    counts(3, 1).await;
    for n in 1..=TEXT_AFTER_MATCHES + 1 {
        let (one, two) = if n % 2 == 0 { (1, 2) } else { (2, 1) };
        play(MatchState::Finished, seated(one), seated(two)).await;
        counts(1, n.min(TEXT_AFTER_MATCHES)).await;
    }
}
