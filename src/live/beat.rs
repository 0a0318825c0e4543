//! The beat of this node: every second it records that it runs, and reads what all nodes share.
//!
//! The store refuses an append that names an earlier era. The node then beats and tries again.

use std::{sync::Arc, time::Duration};

use lusoria_bus::Seal;
use lusoria_store::{Beat, JoinError, KeyPurpose, NewNode, Outage, SecretKey, StoreError};
use tokio::time::{Instant, MissedTickBehavior, sleep, timeout};

use super::{Notice, ServerTime, context::Context, membership::Changed};

/// How often a node beats.
const EVERY: Duration = Duration::from_secs(1);

/// How long a beat may take in a shared store before another one is tried.
const WITHIN: Duration = Duration::from_secs(2);

/// How long a node waits to record whether NATS is connected. It tries again at the next beat.
const NOTE_WITHIN: Duration = Duration::from_millis(500);

/// How long a node waits for its name, since a node that was killed counts as running for a while.
const NAME_WITHIN: Duration = Duration::from_secs(6);
const NAME_AGAIN: Duration = Duration::from_millis(250);

/// How many times a node beats before it serves, if joining took too long for its time to be exact. Until
/// then perhaps no other node serves.
const BEATS_TO_BE_SURE: u32 = 3;

/// A beat that took longer than this gives a time that is too inexact, unless it is the first.
const ROUGH_AFTER: Duration = Duration::from_millis(200);

/// Joins the other nodes. From now on this node uses their time.
pub(super) async fn join(context: &Context) -> Result<(), JoinError> {
    let member = &context.membership;
    let new = || NewNode {
        id: member.id(),
        name: member.name().to_owned(),
        release: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let tried_until = Instant::now() + NAME_WITHIN;
    if member.is_shared() {
        let made = SecretKey(context.entropy.bytes32().to_vec());
        let SecretKey(key) = context.store.server_key(KeyPurpose::Messages, made).await?;
        let _ = context.seal.set(Seal::new(&key, member.id().0));
    }
    let (beat, asked, told) = loop {
        let (asked, now) = (Instant::now(), context.now());
        match context.store.join(new(), now).await {
            Ok(beat) => break (beat, asked, Instant::now()),
            Err(JoinError::NameTaken(_)) if Instant::now() < tried_until => sleep(NAME_AGAIN).await,
            Err(error) => return Err(error),
        }
    };
    // The time may be moved forward, never back.
    let time = ServerTime::from_epoch(beat.time);
    let time = if member.is_shared() { time.steered() } else { time };
    let outages = context.store.outages(0).await?;
    // A server without other nodes uses its own time.
    let unsure_ms = if member.is_shared() { millis(told - asked) } else { 0 };
    member.take(beat, Some(outages), Instant::now(), Some(unsure_ms));
    context.run_by(time);
    for _ in 0..BEATS_TO_BE_SURE {
        if member.is_well() {
            break;
        }
        if let Err(error) = self::beat(context).await {
            tracing::warn!(%error, "could not look up the time; retrying");
        }
    }
    Ok(())
}

/// Beats until the server stops.
pub(super) async fn keep_beating(context: Arc<Context>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut was_cut_off, mut bus_noted) = (false, None);
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            _ = ticks.tick() => {
                context.recent_rooms.sweep(context.now());
                if let Err(error) = beat(&context).await {
                    tracing::warn!(%error, "could not record that the server is running; retrying");
                }
                let is_cut_off = context.membership.is_shared() && context.membership.is_cut_off();
                if is_cut_off && !was_cut_off {
                    tracing::error!("cut off from the database: closing all sockets until it accepts writes again");
                    context.interrupt();
                }
                was_cut_off = is_cut_off;
                note_bus(&context, &mut bus_noted).await;
            }
        }
    }
}

/// Records for the operator whether this node receives messages from the others, if that has changed.
async fn note_bus(context: &Context, noted: &mut Option<bool>) {
    let is_connected = context.bus.is_connected();
    if context.bus.is_alone() || !context.membership.is_well() || *noted == Some(is_connected) {
        return;
    }
    let note = context.store.note_bus(context.membership.id(), is_connected);
    if timeout(NOTE_WITHIN, note).await.is_ok_and(|done| done.is_ok()) {
        *noted = Some(is_connected);
    }
}

/// Beats once.
///
/// # Errors
/// If the store cannot be written.
pub(super) async fn beat(context: &Context) -> Result<(), StoreError> {
    let member = &context.membership;
    // One at a time, so that an earlier result never replaces a later one.
    let _alone = context.beating.lock().await;
    let asked = Instant::now();
    let beating = context.store.beat(member.id(), context.now());
    if !member.is_shared() {
        let beat = beating.await?;
        member.take(beat, None, Instant::now(), None);
        return Ok(());
    }
    let slow = |_| StoreError::Busy("a beat took too long".to_owned());
    let beat = timeout(WITHIN, beating).await.map_err(slow)??;
    let told = Instant::now();
    if !beat.nodes.iter().any(|node| node.id == member.id()) {
        context.expelled.cancel();
        return Err(StoreError::Failed(format!("another node now runs as \"{}\"", member.name())));
    }
    let outages = if member.is_news(&beat) {
        Some(timeout(WITHIN, context.store.outages(0)).await.map_err(slow)??)
    } else {
        None
    };
    take(context, beat, outages, asked, told);
    Ok(())
}

fn take(context: &Context, beat: Beat, outages: Option<Vec<Outage>>, asked: Instant, told: Instant) {
    let member = &context.membership;
    let half = (told - asked) / 2;
    metrics::histogram!("lusoria_beat_seconds").record((told - asked).as_secs_f64());
    let is_rough = told - asked > ROUGH_AFTER && member.is_well();
    let unsure_ms =
        (!is_rough).then(|| context.time().steer(beat.time, asked + half, millis(half)) + millis(half));
    // Dated when it was asked, so that the state is never taken to be newer than it is.
    let Changed { history, lost, found } = member.take(beat, outages, asked, unsure_ms);
    if history {
        tracing::warn!("another history has begun: reloading everything and closing all sockets");
        context.rooms.forget_all();
        context.tournaments.forget_all();
        context.interrupt();
    }
    if !lost.is_empty() {
        tracing::info!(nodes = lost.len(), "nodes have stopped or cannot be reached");
        for (id, seat) in context.presence.lose(&lost, context.now()) {
            if let Some(room) = context.rooms.get(id) {
                room.notify(&context.render.notice(&Notice::Presence { id, seat, connected: false }));
            }
        }
        context.spectators.lose(&lost);
        // The computer's turns that those nodes were working on.
        context.computer_inbox.mark_all();
    }
    if found {
        // Their players' presence was forgotten, if it was known, and they have missed who connected here.
        context.compare_presence();
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
