//! Invitations: spent once, withdrawn, expired, and for one match alone.

use std::sync::Arc;

use futures_util::future::join_all;
use lusoria_store::{AppendError, Store};

use super::{append, events, hash, invitation, match_id, new_match, on_all_stores};

on_all_stores!(
    an_invitation_leads_to_its_match,
    an_invitation_is_spent_once,
    an_invitation_is_for_one_match,
    a_conflict_spends_no_invitation,
    an_expired_invitation_is_gone,
    a_withdrawn_invitation_is_gone,
    a_new_invitation_replaces_the_old,
    an_invitation_needs_a_match,
);

/// Match 1, with invitation 1, which is good until 5000.
async fn with_invitation(store: &Arc<Store>) {
    let mut new = new_match(1);
    new.invitation = Some(invitation(1));
    store.create(new).await.expect("created");
}

async fn an_invitation_leads_to_its_match(store: Arc<Store>) {
    with_invitation(&store).await;
    assert_eq!(store.invited_to(hash(1), 4_999).await.expect("read"), Some(match_id(1)));
    assert_eq!(store.invited_to(hash(1), 5_000).await.expect("read"), None);
    assert_eq!(store.invited_to(hash(2), 0).await.expect("read"), None);
}

async fn an_invitation_is_spent_once(store: Arc<Store>) {
    with_invitation(&store).await;
    let join = || {
        let mut join = append(1, 1);
        join.spends = Some(hash(1));
        store.append(join)
    };
    let answers = join_all((0..20).map(|_| join())).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    let gone = |answer: &&Result<(), AppendError>| matches!(answer, Err(AppendError::InvitationGone));
    assert_eq!(answers.iter().filter(gone).count(), 19);
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version.head, 2);
}

async fn an_invitation_is_for_one_match(store: Arc<Store>) {
    with_invitation(&store).await;
    store.create(new_match(2)).await.expect("created");
    let mut join = append(2, 1);
    join.spends = Some(hash(1));
    assert!(matches!(store.append(join).await, Err(AppendError::InvitationGone)));
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), Some(match_id(1)));
}

async fn a_conflict_spends_no_invitation(store: Arc<Store>) {
    with_invitation(&store).await;
    let mut join = append(1, 7);
    join.spends = Some(hash(1));
    assert!(matches!(store.append(join).await, Err(AppendError::Conflict)));
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), Some(match_id(1)));
}

async fn an_expired_invitation_is_gone(store: Arc<Store>) {
    with_invitation(&store).await;
    let mut join = append(1, 1);
    (join.spends, join.events) = (Some(hash(1)), events(1, 1, 5_000).into());
    assert!(matches!(store.append(join).await, Err(AppendError::InvitationGone)));
}

async fn a_withdrawn_invitation_is_gone(store: Arc<Store>) {
    with_invitation(&store).await;
    assert!(store.set_invitation(match_id(1), None).await.expect("withdrawn"));
    let mut join = append(1, 1);
    join.spends = Some(hash(1));
    assert!(matches!(store.append(join).await, Err(AppendError::InvitationGone)));
}

async fn a_new_invitation_replaces_the_old(store: Arc<Store>) {
    with_invitation(&store).await;
    assert!(store.set_invitation(match_id(1), Some(invitation(2))).await.expect("replaced"));
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
    assert_eq!(store.invited_to(hash(2), 0).await.expect("read"), Some(match_id(1)));
}

async fn an_invitation_needs_a_match(store: Arc<Store>) {
    assert!(!store.set_invitation(match_id(1), Some(invitation(1))).await.expect("asked"));
    assert_eq!(store.invited_to(hash(1), 0).await.expect("read"), None);
}
