//! What must hold once everything has come to rest.

use std::collections::BTreeSet;

use lusoria::app::wire;
use lusoria_play::{Admission, MatchId, Phase, Seat};
use lusoria_records::replay;
use lusoria_store::Store;

use super::{Verdict, holds};
use crate::simulation::{
    client::Client,
    cluster_plan::ClusterPlan,
    heal::Stage,
    life::Life,
    world::{Shared, World},
};

/// Judges everything at rest.
pub(in crate::simulation) async fn all(
    world: &Shared,
    lives: &[(usize, &Life)],
    kept: &Store,
    stage: Stage,
) -> Vec<(&'static str, Verdict)> {
    let (order, hears_all, mut verdicts) = {
        let world = world.lock();
        // What is only told, and told once, may have been lost.
        let hears_all = world.hears_all();
        let mut verdicts = vec![("every_request_is_answered", every_request_is_answered(&world))];
        if hears_all || world.cluster.as_ref().is_some_and(ClusterPlan::heals) && stage == Stage::Finish {
            verdicts.push(("the_lobby_is_true", the_lobby_is_true(&world)));
        }
        (world.ledger.order.clone(), hears_all, verdicts)
    };
    for id in order {
        verdicts.push(("the_store_holds_the_journal", the_store_holds_the_journal(world, kept, id).await));
        for &(node, life) in lives {
            verdicts.push(("the_live_state_is_the_fold", the_live_state_is_the_fold(world, life, id).await));
            if hears_all && world.lock().is_watched(node, id) {
                verdicts.push(("presence_is_true", presence_is_true(world, life, id).await));
            }
        }
        if stage == Stage::Finish {
            verdicts.push(("the_record_is_sound", the_record_is_sound(&world.lock(), id)));
        }
    }
    verdicts
}

impl World {
    /// Whether somebody watches a match over a server. If nobody does, it is told nothing of who is connected
    /// to others.
    fn is_watched(&self, node: usize, id: MatchId) -> bool {
        let watches = |client: &Client| {
            client.link.is_some_and(|link| self.links[link].node == node)
                && client.views.get(&id).is_some_and(|view| view.watching)
        };
        self.cluster.is_none() || self.clients.iter().any(watches)
    }
}

fn every_request_is_answered(world: &World) -> Verdict {
    let open = world.links.iter().enumerate().filter(|(_, link)| link.ending.is_none() && !link.broken);
    for (number, link) in open {
        holds(link.unanswered.is_empty(), || format!("link {number}: {:?}", link.unanswered))?;
    }
    Ok(())
}

/// A client that has been in the lobby without a break sees the matches that wait.
fn the_lobby_is_true(world: &World) -> Verdict {
    let books = &world.ledger.books;
    let waits = |id: &&MatchId| {
        let state = books[id].now();
        state.phase() == Phase::Open && state.terms().admission == Admission::Open
    };
    let open: BTreeSet<MatchId> = world.ledger.order.iter().filter(waits).copied().collect();
    for (number, client) in world.clients.iter().enumerate() {
        let (Some(link), Some(lobby)) = (client.link, &client.topics.lobby) else { continue };
        holds(!world.links[link].reads_well() || *lobby == open, || {
            format!("client {number} sees {lobby:?}, but {open:?} wait")
        })?;
    }
    Ok(())
}

async fn the_store_holds_the_journal(world: &Shared, kept: &Store, id: MatchId) -> Verdict {
    let events = kept.events(id, 0, u32::MAX).await.map_err(|why| why.to_string())?.events;
    holds(events == world.lock().ledger.books[&id].events, || format!("{} has changed", id.0))
}

async fn the_live_state_is_the_fold(world: &Shared, life: &Life, id: MatchId) -> Verdict {
    let state = life.app.live().state(id).await.map_err(|why| why.to_string())?;
    holds(state == *world.lock().ledger.books[&id].now(), || format!("{} is not: {state:?}", id.0))
}

/// A player counts as connected if one of their clients watches.
async fn presence_is_true(world: &Shared, life: &Life, id: MatchId) -> Verdict {
    let snapshot = life.app.snapshot(id, None).await.map_err(|problem| problem.detail)?;
    let told = [Some(&snapshot.players.one), snapshot.players.two.as_ref()];
    let world = world.lock();
    for (seat, told) in Seat::BOTH.into_iter().zip(told) {
        let Some(told) = told else { continue };
        if world.ledger.books[&id].now().is_computer(seat) {
            continue;
        }
        let player = world.ledger.books[&id].player(seat);
        let watches = world.clients.iter().any(|client| {
            client.guest.map(|guest| world.guests[guest].id) == player
                && client.views.get(&id).is_some_and(|view| view.watching)
        });
        holds(told.connected == watches, || format!("{} {seat:?}: {} for {watches}", id.0, told.connected))?;
    }
    Ok(())
}

fn the_record_is_sound(world: &World, id: MatchId) -> Verdict {
    let book = &world.ledger.books[&id];
    let report = replay::judge(&wire::record(book.now(), &book.events));
    holds(report.is_sound() && report.judged == book.events.len(), || {
        format!("{}: {:?}", id.0, report.faults)
    })
}
