//! SIGTERM under load: the server stops in an orderly way.

use std::{
    io::Write,
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use lusoria_client::ConnectionError;
use rand::{RngExt, rngs::StdRng};

use super::{World, instant};
use crate::crash::{TrialError, error::promised, playing::Ended};

/// How long a server without requests in flight may take to stop: far less than the grace period for
/// requests in flight.
const STOPS_WITHIN: Duration = Duration::from_secs(5);

/// The close code of a server that stops.
const STOPPING: u16 = 1012;

pub(super) async fn round(world: &mut World, random: &mut StdRng) -> Result<(), TrialError> {
    let playing = world.play();
    let idle = if random.random_ratio(1, 4) { idlers(world.server().address)? } else { Vec::new() };
    instant(world, random).await;
    let began = Instant::now();
    world.end_in_order()?;
    let (took, idlers) = (began.elapsed(), idle.len());
    promised!(took <= STOPS_WITHIN, "the server took {took:?} to stop, with {idlers} idlers");
    for ended in world.wait_for(playing).await? {
        if let Ended::Gone(ConnectionError::Closed { code, reason }) = ended {
            promised!(code == STOPPING, "a socket was closed with the code {code} {reason}");
        }
    }
    world.start_and_check().await
}

/// Connections of clients that send no request, or never finish one.
fn idlers(at: SocketAddr) -> std::io::Result<Vec<TcpStream>> {
    let head = "POST /api/v1/guests HTTP/1.1\r\nhost: here\r\n";
    let half_a_head = format!("{head}content-le");
    let half_a_body = format!("{head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{{");
    let begun = ["", "POST /api/v1/gue", &half_a_head, &half_a_body];
    let connect = |begun: &&str| {
        let mut stream = TcpStream::connect(at)?;
        stream.write_all(begun.as_bytes())?;
        Ok(stream)
    };
    begun.iter().map(connect).collect()
}
