//! Opens the connections of a load, with their addresses and rate.

use std::{
    net::{IpAddr, SocketAddr},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use futures_util::future::try_join_all;
use lusoria_protocol::{CreateGuest, Guest, Token, socket::ApiRequest};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use super::{
    load::{Load, Transport},
    player::Player,
};
use lusoria_client::{Connection, HttpGuest, Origin, RequestError};

/// How many guests are created at the same time.
const GUESTS_AT_ONCE: usize = 16;

/// The longest pause between two connections.
const APART_MAX: Duration = Duration::from_hours(24);

/// Opens the connections of a load.
pub(super) struct ConnectionOpener {
    origin: Origin,
    address: SocketAddr,
    from: Vec<IpAddr>,
    over: Transport,
    /// How many clients have been given an address.
    clients: AtomicUsize,
    apart: Duration,
    next: Mutex<Instant>,
}

impl ConnectionOpener {
    pub(super) fn new(load: &Load, address: SocketAddr) -> Self {
        Self {
            origin: load.origin.clone(),
            address,
            from: load.from.clone(),
            over: load.over,
            clients: AtomicUsize::new(0),
            apart: Duration::try_from_secs_f64(1.0 / load.connects_per_s)
                .map_or(APART_MAX, |apart| apart.min(APART_MAX)),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Opens a connection when it is due.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub(super) async fn open(&self, token: Option<&Token>) -> Result<Connection, RequestError> {
        self.wait().await;
        let from = self.source();
        let (connection, _) = Connection::open(&self.origin, self.address, from, token).await?;
        Ok(connection)
    }

    /// Opens the connections of a player.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub(super) async fn open_player(&self, token: &Token) -> Result<Player, RequestError> {
        Ok(match self.over {
            Transport::Socket => Player::Socket(Box::new(self.open(Some(token)).await?)),
            Transport::Http => {
                // Two connections from one address.
                self.wait().await;
                self.wait().await;
                let from = self.source();
                Player::Http(Box::new(HttpGuest::open(&self.origin, self.address, from, token).await?))
            }
        })
    }

    /// Waits until the next connection may be opened.
    async fn wait(&self) {
        let due = {
            let mut next = self.next.lock();
            let due = (*next).max(Instant::now());
            *next = due + self.apart;
            due
        };
        sleep_until(due).await;
    }

    /// The local address of the next client, if that matters: one after the other.
    fn source(&self) -> Option<IpAddr> {
        let nth = self.clients.fetch_add(1, Relaxed);
        (!self.from.is_empty()).then(|| self.from[nth % self.from.len()])
    }

    /// Creates this many guests.
    ///
    /// # Errors
    /// If nothing responds there, or the server refuses.
    pub(super) async fn guests(&self, count: usize) -> Result<Vec<Token>, RequestError> {
        let makers = count.min(GUESTS_AT_ONCE);
        let made = (0..makers).map(|nth| async move {
            let mut stranger = self.open(None).await?;
            let mut tokens = Vec::new();
            for _ in (nth..count).step_by(makers) {
                let guest: Guest = stranger.ask(ApiRequest::post("/guests", &CreateGuest::default())).await?;
                tokens.push(guest.token);
            }
            stranger.close().await;
            Ok::<_, RequestError>(tokens)
        });
        Ok(try_join_all(made).await?.into_iter().flatten().collect())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn players_with_two_connections_come_from_all_addresses() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|from| from.parse().expect("an address"));
        let load = Load {
            over: Transport::Http,
            from: vec![one, other],
            connects_per_s: 1e6,
            ..Load::modest(address.into())
        };
        let opener = ConnectionOpener::new(&load, address);
        let token = serde_json::from_str(&format!("\"{}\"", "ab".repeat(32))).expect("a token");
        for from in [one, other, one] {
            let _player = opener.open_player(&token).await.expect("two connections");
            for _ in 0..2 {
                assert_eq!(listener.accept().await.expect("a connection").1.ip(), from);
            }
        }
    }
}
