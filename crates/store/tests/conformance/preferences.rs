//! What the holders of accounts prefer.

use super::*;

on_all_stores!(
    what_is_not_named_stays,
    too_many_preferences_change_nothing,
    only_a_session_of_an_account_changes_anything,
    preferences_go_with_the_account_and_the_guest,
);

fn changes(named: &[(&str, Option<&str>)]) -> PreferenceChanges {
    named.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect()
}

pub(super) fn values(named: &[(&str, &str)]) -> PreferenceValues {
    named.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

async fn change(s: &Fixture, of: u32, by: u32, named: &[(&str, Option<&str>)]) -> Answer<PreferenceChange> {
    s.change_preferences(player(of), session_id(by), changes(named)).await
}

/// Sets one of a guest, by their session.
pub(super) async fn set(s: &Fixture, of: u32, name: &str, value: u32) -> PreferenceChange {
    done!(change(s, of, of, &[(name, Some(&value.to_string()))]))
}

async fn what_is_not_named_stays(s: Fixture) {
    s.with_accounts([1, 2]).await;
    is!(s.preferences(player(1)), values(&[]));
    let wood = "\"it's \\\"wood\\\"\"";
    let first = [("board.zeno", Some(wood)), ("b", Some("2")), ("c", Some("3"))];
    let named = [("b", None), ("c", Some("4")), ("d", Some("5")), ("never there", None)];
    let expected = values(&[("board.zeno", wood), ("c", "4"), ("d", "5")]);
    for (named, expected) in [
        (&first[..], values(&[("board.zeno", wood), ("b", "2"), ("c", "3")])),
        (&named, expected.clone()),
        (&[], expected),
    ] {
        is!(change(&s, 1, 1, named), PreferenceChange::Changed(expected.clone()));
        is!(s.preferences(player(1)), expected);
    }
    is!(s.preferences(player(2)), values(&[]));
}

async fn too_many_preferences_change_nothing(s: Fixture) {
    s.with_accounts([1]).await;
    let most = (0..PREFERENCES_PER_GUEST_MAX).map(|n| (format!("n{n}"), Some(n.to_string()))).collect();
    let kept = done!(s.change_preferences(player(1), session_id(1), most));
    assert!(
        matches!(&kept, PreferenceChange::Changed(all) if all.len() == PREFERENCES_PER_GUEST_MAX as usize)
    );
    is!(change(&s, 1, 1, &[("n0", Some("9")), ("other", Some("1"))]), PreferenceChange::TooMany);
    is!(change(&s, 1, 1, &[]), kept);
    let in_its_place = done!(change(&s, 1, 1, &[("n0", None), ("other", Some("1"))]));
    assert!(matches!(in_its_place, PreferenceChange::Changed(_)));
}

async fn only_a_session_of_an_account_changes_anything(s: Fixture) {
    use PreferenceChange::{NoAccount, SessionEnded};
    s.with_accounts([1, 2]).await;
    s.guests([3]).await;
    let refuses = async |of, by, expected| {
        is!(change(&s, of, by, &[("a", Some("1"))]), expected);
        is!(s.preferences(player(of)), values(&[]));
    };
    refuses(3, 3, NoAccount).await;
    refuses(1, 2, SessionEnded).await;
    s.block(1).await;
    refuses(1, 1, SessionEnded).await;
    s.unblock(1).await;
    yes!(s.revoke_session(player(1), session_id(1), session_id(1)));
    refuses(1, 1, SessionEnded).await;
}

async fn preferences_go_with_the_account_and_the_guest(s: Fixture) {
    s.with_accounts(1..=3).await;
    let named = [("a", Some("1"))];
    let kept = values(&[("a", "1")]);
    for n in 1..=3 {
        is!(change(&s, n, n, &named), PreferenceChange::Changed(kept.clone()));
    }
    is!(s.remove_account(player(1)), Some(0));
    s.forget(2).await;
    for (n, expected) in [(1, values(&[])), (2, values(&[])), (3, kept)] {
        is!(s.preferences(player(n)), expected);
    }
}
