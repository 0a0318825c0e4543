//! After a round: compares what every node says with what clients saw.

use std::time::Duration;

use lusoria_client::RequestError;
use lusoria_protocol::{
    Claim, Event, EventKind, GameEnd, MatchId, Snapshot,
    socket::{ApiRequest, Op},
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use super::{NODES, nodes::Addresses};
use crate::{
    crash::{
        check::{self, Compared, Patience, UNAVAILABLE_MAX, journal},
        error::{TrialError, broken, promised, read},
        pair::Pair,
        seen::Seen,
    },
    web,
};

/// How long a node may show an older state: if it misses a notification, it polls every 2 s.
const KNOWN_WITHIN: Duration = Duration::from_secs(10);

/// How often to poll.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Checks all pairs at the same time, each with its players on two nodes.
pub(super) async fn all(
    pairs: Vec<Pair>,
    at: Addresses<NODES>,
    homes: Vec<[usize; 2]>,
    judged: usize,
) -> (Vec<Pair>, Result<Compared, TrialError>) {
    let mut checks = JoinSet::new();
    for (mut pair, homes) in pairs.into_iter().zip(homes) {
        let judged = pair.number() == judged;
        checks.spawn(async move {
            let mut patience = Patience(UNAVAILABLE_MAX);
            let checked = loop {
                let checked = one(&mut pair, at, homes, judged).await;
                if !patience.lasts(&checked).await {
                    break checked;
                }
            };
            pair.hang_up();
            (pair, checked)
        });
    }
    let mut pairs = Vec::new();
    let mut all: Result<_, TrialError> = Ok(Compared::default());
    while let Some(checked) = checks.join_next().await {
        let (pair, checked) = checked.expect("a check does not panic");
        pairs.push(pair);
        all = all.and_then(|mut all| {
            all += checked?;
            Ok(all)
        });
    }
    pairs.sort_by_key(Pair::number);
    // All faults have been repaired: a missing response breaks a promise too.
    (pairs, all.map_err(|why| broken!("{why}")))
}

async fn one(
    pair: &mut Pair,
    at: Addresses<NODES>,
    homes: [usize; 2],
    judged: bool,
) -> Result<Compared, TrialError> {
    if let Some(current) = &pair.current {
        for (node, &at) in at.iter().enumerate() {
            whole(node, at, &current.seen).await?;
        }
    }
    let compared = check::check(pair, homes.map(|node| at[node]), None, judged).await?;
    present(pair, at).await?;
    claim_in_vain(pair, homes.map(|node| at[node])).await?;
    if let Some(current) = &pair.current {
        no_claims(&current.seen)?;
    }
    Ok(compared)
}

/// Checks that a node receives every event that was acknowledged, and sends it with the same bytes.
async fn whole(node: usize, at: std::net::SocketAddr, seen: &Seen) -> Result<(), TrialError> {
    let until = Instant::now() + KNOWN_WITHIN;
    loop {
        let journal = journal(at, seen.id()).await?;
        if journal.len() >= seen.head() as usize || Instant::now() > until {
            return seen.compare(&journal).map_err(|why| broken!("on node {node}: {why}"));
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Checks that every node learns that both players are connected.
async fn present(pair: &Pair, at: Addresses<NODES>) -> Result<(), TrialError> {
    // They watch a rematch only once they have its snapshot.
    let Some(current) = pair.current.as_ref().filter(|current| current.view.is_some()) else { return Ok(()) };
    if current.has_ended() || !pair.players.iter().all(crate::crash::player::Player::has_socket) {
        return Ok(());
    }
    let until = Instant::now() + KNOWN_WITHIN;
    for (node, &at) in at.iter().enumerate() {
        loop {
            let shown = snapshot(at, current.id()).await?;
            let players = [Some(&shown.players.one), shown.players.two.as_ref()];
            if players.into_iter().flatten().all(|player| player.connected) {
                break;
            }
            promised!(
                Instant::now() < until,
                "node {node} does not know that both players of {} are connected: {players:?}",
                shown.id
            );
            sleep(LOOK_EVERY).await;
        }
    }
    Ok(())
}

/// Checks that neither player can claim the game while the other is connected or was a moment ago.
async fn claim_in_vain(pair: &mut Pair, at: Addresses<2>) -> Result<(), TrialError> {
    let Some(current) = &pair.current else { return Ok(()) };
    let claim = Op::command(current.id(), None, Claim {});
    for (player, at) in pair.players.iter_mut().zip(at) {
        match player.ask(at, &claim).await {
            Ok(answer) => return Err(broken!("a claim against a player who is connected: {answer}")),
            Err(RequestError::Problem(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Checks that nobody has lost a game by a claim.
pub(super) fn no_claims(seen: &Seen) -> Result<(), TrialError> {
    for text in (1..=seen.head()).filter_map(|seq| seen.event(seq)) {
        let event: Event = read(text)?;
        let is_claim = matches!(event.kind, EventKind::GameEnded { reason: GameEnd::Claimed, .. });
        promised!(!is_claim, "a game of {} was lost by a claim: {text}", seen.id());
    }
    Ok(())
}

async fn snapshot(at: std::net::SocketAddr, id: MatchId) -> Result<Snapshot, TrialError> {
    read(web::ask(at, None, &ApiRequest::get(&format!("/matches/{id}")).into()).await?.get())
}
