//! Honest players, which a flood must not disturb.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use lusoria_bench::{self as bench, Arrival, Load, Pace, Progress, Report, Stage};
use lusoria_client::Origin;
use tokio_util::sync::CancellationToken;

/// The address that they connect from.
const FROM: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// How long they play before anything is counted: the flood begins meanwhile.
pub(super) const WARM_UP: Duration = Duration::from_secs(2);

/// How long honest players play at most if they are not stopped.
const FOR_EVER: Duration = Duration::from_hours(1);

/// The players of a measured run.
pub(super) fn load(server: SocketAddr, turns_per_s: u32, matches: usize, duration: Duration) -> Load {
    Load {
        from: vec![FROM],
        matches,
        pace: Pace::Rate { turns_per_s: turns_per_s.into(), arrival: Arrival::Poisson },
        warm_up: WARM_UP,
        duration: Some(duration),
        watchers: 0,
        connects_per_s: 200.0,
        ..Load::modest(Origin::from(server))
    }
}

/// A few players who play slowly until they are stopped.
pub(super) fn background(server: SocketAddr) -> Load {
    load(server, 20, 2, FOR_EVER)
}

/// Makes them play. Calls `playing` when the first turn is about to be played.
///
/// # Errors
/// If they could not begin.
pub(super) async fn play(
    load: Load,
    stop: CancellationToken,
    mut playing: impl FnMut(&Progress) + Send,
) -> Result<Report, String> {
    let told = |progress: &Progress| {
        if progress.stage == Stage::Play {
            playing(progress);
        }
    };
    bench::run(load, stop, Box::new(told)).await.map_err(|error| error.to_string())
}
