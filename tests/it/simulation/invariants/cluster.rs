//! What must hold of several nodes together.

use lusoria_play::{AbortReason, Clock, Event, GameEnd, Match, MatchEnd, MatchId, Millis, Recorded};
use lusoria_store::Card;

use super::{Verdict, answers::BUSY_MS, holds};
use crate::simulation::{
    ledger::Book,
    world::{EPOCH, World},
};

/// How long it may take until those who watch a match are sent what another node has committed, even if every
/// hint is lost, in milliseconds: a node looks every two seconds.
const REACHES_HEAD_MS: Millis = 3_000;

/// Everybody who watches over a node that is well, and reads what they are sent, is sent what has happened.
pub(in crate::simulation) fn watchers_reach_the_head(world: &World) -> Verdict {
    let now = world.now();
    for (number, link) in world.links.iter().enumerate() {
        let is_busy = link.unanswered.front().is_some_and(|(_, read_at)| read_at + BUSY_MS < now);
        let is_heard = !is_busy && link.ending.is_none() && !link.broken && !link.left && !link.dismissed;
        let Some(well_since) = world.well_since_of(number) else { continue };
        if !is_heard || !link.reads_well() || link.pings > 0 || well_since + REACHES_HEAD_MS > now {
            continue;
        }
        for (id, &(sent, watched_since)) in &link.sent {
            let Some(next_at) = world.ledger.books.get(id).and_then(|book| book.committed_at(sent + 1))
            else {
                continue;
            };
            let since = next_at
                .max(EPOCH + watched_since.max(well_since).max(link.busy_until).max(link.heard_pong_at));
            holds(since + REACHES_HEAD_MS >= EPOCH + now, || {
                let head = world.ledger.books[id].head();
                format!("link {number} at node {}: {} of {head} of {} since {next_at}", link.node, sent, id.0)
            })?;
        }
    }
    Ok(())
}

/// What lists show of a match is what its journal folds to.
pub(in crate::simulation) fn is_card_of(book: &Book, card: &Card) -> Verdict {
    let folded = Card::of(book.now());
    holds(*card == folded, || format!("{card:?}, not {folded:?}"))
}

/// How long a caller may go by the name that they had, in milliseconds: so long tokens are not looked up again.
const NAME_KEPT_MS: u64 = 12_000;

/// How the names end that guests have at first.
const FIRST_NAME_END: &str = "ensis";

/// A name that was replaced everywhere does not come back.
pub(in crate::simulation) fn has_no_replaced_name(world: &World, recorded: &Recorded) -> Verdict {
    let mut event = recorded.event.clone();
    for player in event.players_mut() {
        let replaced_at = world.renamed.get(&player.id);
        let is_back = replaced_at.is_some_and(|at| at + NAME_KEPT_MS < world.now())
            && player.name.ends_with(FIRST_NAME_END);
        holds(!is_back, || format!("{} since {replaced_at:?}", player.name))?;
    }
    Ok(())
}

/// For how long what a node answers about who is connected may be old when the claim is committed.
const ASKED_BEFORE_MS: u64 = 6_000;

/// A game is claimed only if its loser was connected to no node for as long as that takes.
pub(in crate::simulation) fn may_be_claimed(
    world: &World,
    id: MatchId,
    after: &Match,
    recorded: &Recorded,
) -> Verdict {
    let loser = match recorded.event {
        Event::GameEnded { winner: Some(winner), reason: GameEnd::Claimed, .. } => winner.other(),
        Event::MatchEnded { end: MatchEnd::Aborted(AbortReason::NoShow(seat)) }
            if after.terms().clock == (Clock::None {}) =>
        {
            seat
        }
        _ => return Ok(()),
    };
    let Some(player) = after.player(loser) else { return Ok(()) };
    let Some(seen) = world.seen.get(&(id, player.id)) else { return Ok(()) };
    let now = world.now();
    let last = if seen.since + ASKED_BEFORE_MS > now { seen.before } else { seen.last };
    holds(last + Clock::CLAIM_AFTER_MS <= now + ASKED_BEFORE_MS, || {
        format!("{loser:?} was connected at {last}")
    })
}

/// Notes who is connected to which match, as the servers must see it.
pub(in crate::simulation) fn note_connected(world: &mut World) {
    let now = world.now();
    let mut connected = Vec::new();
    for (number, link) in world.links.iter().enumerate() {
        let is_open = link.ending.is_none()
            && !link.broken
            && !link.left
            && !link.dismissed
            && !world.is_paused(number);
        let Some(guest) = link.guest.filter(|_| is_open) else { continue };
        connected.extend(link.sent.keys().map(|id| (*id, world.guests[guest].id)));
    }
    for of in connected {
        let seen = world.seen.entry(of).or_default();
        if seen.last + 1_000 < now {
            (seen.before, seen.since) = (seen.last, now);
        }
        seen.last = now;
    }
}

/// How long a socket may stay open on which another history was told, in milliseconds.
const HISTORY_WITHIN_MS: u64 = 3_000;

/// Soon after another history has begun no socket is open that knows the one before.
pub(in crate::simulation) fn sockets_know_the_history(world: &World) -> Verdict {
    let (begun_at, history) = world.history;
    for (number, link) in world.links.iter().enumerate() {
        let is_open = link.ending.is_none() && !link.broken && !link.dismissed;
        let Some(well_since) = world.well_since_of(number).filter(|_| is_open) else { continue };
        let is_old = link.history.is_some_and(|told| told != history);
        let is_late = begun_at.max(well_since).max(link.busy_until) + HISTORY_WITHIN_MS < world.now();
        let is_busy = link.unanswered.front().is_some_and(|(_, read_at)| read_at + BUSY_MS < world.now());
        holds(!is_old || !is_late || is_busy, || format!("link {number} is open"))?;
    }
    Ok(())
}

/// For how long a client may hear something whose token has been revoked, in milliseconds.
const HEARS_FOR_MS: u64 = 62_000;

/// A client whose token has been revoked hears nothing after a minute, over a node that is well.
pub(in crate::simulation) fn may_hear(world: &World, link: usize) -> Verdict {
    let Some(revoked_at) = world.clients[world.links[link].client].revoked_at else { return Ok(()) };
    let Some(well_since) = world.well_since_of(link) else { return Ok(()) };
    let until = revoked_at.max(well_since).max(world.links[link].busy_until) + HEARS_FOR_MS;
    holds(world.now() <= until, || format!("revoked at {revoked_at}"))
}

/// How long it may take until the computer has played a turn although the node that was to think has gone, in
/// milliseconds: the others look into the store once a minute at least, and then one waits for its turn.
const COMPUTER_PLAYS_WITHIN_MS: u64 = 90_000;

/// The computer plays, whatever has become of a node that was to think, as long as one is well.
pub(in crate::simulation) fn the_computer_plays(world: &World) -> Verdict {
    let Some(well_since) = world.one_well_since() else { return Ok(()) };
    for (id, book) in &world.ledger.books {
        let state = book.now();
        let Some(to_play) = state.to_play().filter(|to_play| state.is_computer(to_play.seat)) else {
            continue;
        };
        let Some(given_at) = book.committed_at(to_play.given_by) else { continue };
        let since = given_at.max(EPOCH + well_since);
        holds(since + COMPUTER_PLAYS_WITHIN_MS >= EPOCH + world.now(), || {
            format!("{} since {given_at}", id.0)
        })?;
    }
    Ok(())
}

/// If nothing ever goes wrong, a turn of the computer is thought of once.
pub(in crate::simulation) fn each_turn_is_thought_of_once(world: &World) -> Verdict {
    let is_by_computer = |state: &Match, recorded: &Recorded| matches!(recorded.event, Event::Turned { seat, .. } if state.is_computer(seat));
    let books = || world.ledger.books.values();
    let turns: usize = books()
        .map(|book| book.events.iter().filter(|recorded| is_by_computer(book.now(), recorded)).count())
        .sum();
    // A match may end while it thinks.
    let most = turns + books().count();
    holds(world.thoughts <= most as u64, || format!("{} thoughts for {turns} turns", world.thoughts))
}
