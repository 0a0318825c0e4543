//! A proxy between a client and a server, which can cut their connection.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

use super::{listens, origin, person::Person};

/// How the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It leads to that server. Lines of an earlier number are cut.
    Whole { to: SocketAddr, number: u32 },
    /// From the moment that the server says this, nothing that it says arrives.
    Deaf { at: &'static str, to: SocketAddr, number: u32 },
    /// Nobody is there.
    Cut,
}

/// A line that can be cut.
pub(super) struct Proxy {
    address: SocketAddr,
    state: Arc<watch::Sender<State>>,
}

impl Proxy {
    /// A line to a server.
    pub(super) async fn to(server: SocketAddr) -> Self {
        let state = Arc::new(watch::Sender::new(State::Whole { to: server, number: 0 }));
        let states = Arc::clone(&state);
        let address = listens(move |client| carry(client, *states.borrow(), states.subscribe())).await;
        Self { address, state }
    }

    /// Where it begins.
    pub(super) fn origin(&self) -> String {
        origin(self.address)
    }

    /// From the moment that the server says this, nothing that it says arrives.
    pub(super) fn deafen_at(&self, at: &'static str) {
        self.state.send_modify(|state| {
            if let State::Whole { to, number } = *state {
                *state = State::Deaf { at, to, number };
            }
        });
    }

    /// Cuts it, and nobody is there until it is mended.
    pub(super) fn cut(&self) {
        self.state.send_replace(State::Cut);
    }

    /// Cuts it, and the person whose line it is sees that.
    pub(super) async fn cuts_off(&self, person: &mut Person) {
        self.cut();
        person.sees("-- The connection is lost").await;
    }

    /// It leads to that server again.
    pub(super) fn mend(&self, server: SocketAddr) {
        self.state.send_modify(|state| {
            let number = match *state {
                State::Whole { number, .. } | State::Deaf { number, .. } => number + 1,
                State::Cut => u32::MAX,
            };
            *state = State::Whole { to: server, number };
        });
    }
}

async fn carry(client: TcpStream, now: State, mut states: watch::Receiver<State>) {
    // Where nobody is, the connection is closed at once.
    let (State::Whole { to, number } | State::Deaf { to, number, .. }) = now else { return };
    let Ok(server) = TcpStream::connect(to).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let heard = states.clone();
    let is_cut = move |state: &State| match state {
        State::Cut => true,
        State::Whole { number: present, .. } | State::Deaf { number: present, .. } => *present != number,
    };
    let cut = states.wait_for(is_cut);
    let up = pass(from_client, to_server, None);
    let down = pass(from_server, to_client, Some(heard));
    tokio::select! {
        _ = cut => {}
        () = up => {}
        () = down => {}
    }
}

/// Passes on what comes, but for what the deaf do not hear.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, states: Option<watch::Receiver<State>>) {
    let mut bytes = vec![0; 16 * 1024];
    let mut deaf = false;
    // What the server says may come in two parts.
    let mut said = Vec::new();
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if let Some(State::Deaf { at, .. }) = states.as_ref().map(|states| *states.borrow()) {
            said.extend_from_slice(&bytes[..read]);
            deaf |= said.windows(at.len()).any(|part| part == at.as_bytes());
            said.drain(..said.len().saturating_sub(at.len() - 1));
        }
        if !deaf && to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
