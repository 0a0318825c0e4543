//! A guest who is blocked or erased after their token was looked up, and before their request is written,
//! takes no seat.

use lusoria::app::admin::AdminAction;
use lusoria_play::Phase;
use lusoria_protocol::{
    IdempotencyKey, JoinMatch, OfferAction, Rematch, Resign, ResignScope, SpendInvitation,
};
use serde_json::json;

use super::world::{World, code};

/// Everything by which somebody gets into a match is refused so.
async fn gets_into_none(world: &World, guest: &lusoria::app::Caller, why: &str) {
    let other = world.guest("Zeno").await;
    let open = world.open(&other).await;
    let invited =
        world.try_create(&other, json!({"game": "zeno", "admission": "invitation"})).await.expect("made");
    let spend = SpendInvitation { code: invited.invitation.expect("a code").code, seed: None };
    let computer = json!({"computer": 1});
    for request in [
        json!({"game": "tablut"}),
        json!({"game": "tablut", "admission": "both_seats"}),
        json!({"game": "tablut", "opponent": computer}),
        json!({"game": "tablut", "opponent": computer, "stand_in": computer}),
    ] {
        assert_eq!(code(world.try_create(guest, request).await), why);
    }
    assert_eq!(code(world.app.command(guest, open, None, JoinMatch::default()).await), why);
    assert_eq!(code(world.app.spend_invitation(guest, &spend, None).await), why);
    assert_eq!(world.store.matches_of(guest.id(), None, 10).await.expect("read"), []);
    assert_eq!(world.app.live().state(open).await.expect("a match").phase(), Phase::Open);
    world.app.spend_invitation(&world.guest("Quintus").await, &spend, None).await.expect("not spent");
}

#[tokio::test(start_paused = true)]
async fn a_guest_blocked_during_a_request_takes_no_seat() {
    let world = World::new().await;
    let guest = world.guest("Agathias").await;
    world.block(&guest).await;
    gets_into_none(&world, &guest, "blocked").await;
    world.act(AdminAction::Unblock { guest: "Agathias".to_owned() }).await.expect("unblocked");
    world.open(&guest).await;
}

#[tokio::test(start_paused = true)]
async fn a_guest_erased_during_a_request_takes_no_seat() {
    let world = World::new().await;
    let guest = world.guest("Agathias").await;
    world.act(AdminAction::Erase { guest: "Agathias".to_owned() }).await.expect("erased");
    gets_into_none(&world, &guest, "unknown_token").await;
}

#[tokio::test(start_paused = true)]
async fn an_offer_of_a_rematch_falls_with_the_guest_who_made_it() {
    let world = World::new().await;
    for act in [|guest: String| AdminAction::Block { guest }, |guest: String| AdminAction::Erase { guest }] {
        let (offers, accepts) = (world.guest("Agathias").await, world.guest("Zeno").await);
        let id = world.played(&offers, &accepts).await;
        let resign = Resign { scope: ResignScope::Match };
        world.app.command(&offers, id, None, resign.clone()).await.expect("resigned");
        let rematch = |action| Rematch { action, seed_hash: None };
        world.app.command(&offers, id, None, rematch(OfferAction::Offer)).await.expect("offered");
        world.act(act(offers.id().0.to_string())).await.expect("done");
        for action in [OfferAction::Accept, OfferAction::Offer] {
            let answer = world.app.command(&accepts, id, None, rematch(action)).await;
            assert_eq!(code(answer), "no_rematch");
        }
        assert_eq!(world.store.matches_of(accepts.id(), None, 10).await.expect("read"), [id]);
        world.app.command(&accepts, id, None, rematch(OfferAction::Decline)).await.expect("declined");
        // Nor can a blocked guest accept an offer.
        let other = world.guest("Quintus").await;
        let id = world.played(&other, &accepts).await;
        world.app.command(&other, id, None, resign).await.expect("resigned");
        world.app.command(&other, id, None, rematch(OfferAction::Offer)).await.expect("offered");
        world.block(&accepts).await;
        let answer = world.app.command(&accepts, id, None, rematch(OfferAction::Accept)).await;
        assert_eq!(code(answer), "blocked");
    }
}

/// A request made before leaves no key behind either.
#[tokio::test(start_paused = true)]
async fn a_late_offer_of_a_rematch_is_refused_by_its_key() {
    let world = World::new().await;
    let (erased, other) = (world.guest("Agathias").await, world.guest("Zeno").await);
    let id = world.played(&erased, &other).await;
    let resign = Resign { scope: ResignScope::Match };
    world.app.command(&erased, id, None, resign).await.expect("resigned");
    world.act(AdminAction::Erase { guest: erased.id().0.to_string() }).await.expect("erased");
    let key = IdempotencyKey::try_from("late".to_owned()).expect("a key");
    let rematch = Rematch { action: OfferAction::Offer, seed_hash: None };
    let answer = world.app.command(&erased, id, Some(&key), rematch).await;
    assert_eq!(code(answer), "unknown_token");
    assert_eq!(world.store.used_key(erased.id(), "late".to_owned()).await.expect("read"), None);
}
