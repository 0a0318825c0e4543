//! Invitations: spent once, withdrawn, expired, and for one match alone; and what else expires.

use super::*;

on_all_stores!(
    an_invitation_leads_to_its_match_until_it_expires,
    an_invitation_is_spent_once,
    an_append_that_is_refused_spends_no_invitation,
    another_invitation_or_none_takes_its_place,
    what_has_expired_is_swept,
);

/// Match 1, with invitation 1, which is good until 5000, and match 2 without.
async fn with_invitation(s: &Fixture) {
    done!(s.create(NewMatch { invitation: Some(invitation(1)), ..new_match(1) }));
    s.matches([2]).await;
}

/// The append that joins match `n` with an invitation.
fn join(n: u32, head: u32, code: u32) -> Append {
    Append { spends: Some(hash(code)), ..append(n, head) }
}

async fn an_invitation_leads_to_its_match_until_it_expires(s: Fixture) {
    with_invitation(&s).await;
    for (code, now, leads_to) in [(1, 4_999, Some(match_id(1))), (1, 5_000, None), (2, 0, None)] {
        is!(s.invited_to(hash(code), now), leads_to);
    }
    no!(s.set_invitation(match_id(9), Some(invitation(9))), "there is no such match");
    is!(s.invited_to(hash(9), 0), None);
}

async fn an_invitation_is_spent_once(s: Fixture) {
    with_invitation(&s).await;
    let answers = join_all((0..20).map(|_| s.append(join(1, 1, 1)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Err(InvitationGone))).count(), 19);
    is!(s.invited_to(hash(1), 0), None);
    is!(s.length(1), 2);
}

async fn an_append_that_is_refused_spends_no_invitation(s: Fixture) {
    with_invitation(&s).await;
    refused!(s.append(join(2, 1, 1)), InvitationGone);
    refused!(s.append(join(1, 7, 1)), Conflict);
    refused!(s.append(Append { events: events(1, 1, 5_000).into(), ..join(1, 1, 1) }), InvitationGone);
    is!(s.invited_to(hash(1), 0), Some(match_id(1)));
    is!(s.length(1), 1);
}

async fn another_invitation_or_none_takes_its_place(s: Fixture) {
    with_invitation(&s).await;
    yes!(s.set_invitation(match_id(1), Some(invitation(2))));
    for (code, leads_to) in [(1, None), (2, Some(match_id(1)))] {
        is!(s.invited_to(hash(code), 0), leads_to);
    }
    yes!(s.set_invitation(match_id(1), None));
    refused!(s.append(join(1, 1, 2)), InvitationGone);
}

async fn what_has_expired_is_swept(s: Fixture) {
    with_invitation(&s).await;
    s.guests([1]).await;
    let code = DeviceCode { hash: hash(200), guest: player(1), expires_at: 5_000 };
    yes!(s.add_device_code(code, session_id(1)));
    done!(s.create(NewMatch { key: Some(key(1, "make")), ..new_match(3) }));
    done!(s.sweep(4_999));
    is!(s.invited_to(hash(1), 0), Some(match_id(1)));
    done!(s.sweep(5_000));
    is!(s.invited_to(hash(1), 0), None);
    is!(s.spend_code(2), None);
    for (now, is_kept) in [(1_000, true), (1_001, false)] {
        done!(s.sweep(now + KEYS_KEPT_MS));
        assert_eq!(done!(s.used_key(player(1), "make".to_owned())).is_some(), is_kept);
    }
}
