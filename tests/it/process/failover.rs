//! A standby takes over from the primary that a server runs on.

use std::{
    net::SocketAddr,
    process::Command,
    time::{Duration, Instant},
};

use lusoria_services::postgres::Postgres;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

use super::{child::Process, table::Table};
use crate::support::{assert_sound, http::Request, server::GENEROUS};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(40);

/// An address that leads to one port or another.
struct Address {
    at: SocketAddr,
    leads_to: watch::Sender<u16>,
}

impl Address {
    async fn new(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (at, leads_to) = (listener.local_addr().expect("it"), watch::Sender::new(port));
        let seen = leads_to.subscribe();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut seen = seen.clone();
                let port = *seen.borrow_and_update();
                tokio::spawn(async move {
                    let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = seen.changed() => {}
                    }
                });
            }
        });
        Self { at, leads_to }
    }
}

fn serve(url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--shutdown-grace", "10"]);
    command.args(GENEROUS).args(["--database", url]);
    command
}

/// Waits until `/readyz` answers so.
async fn until_ready(server: &Process, status: u16) {
    let until = Instant::now() + PATIENCE;
    loop {
        let answer = Request::new("GET", "/readyz").send(server.address()).await.expect("it runs");
        if answer.status == status {
            return;
        }
        assert!(Instant::now() < until, "{answer:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_a_standby_takes_over() {
    let mut primary = Postgres::start(&["max_connections=40"]).expect("PostgreSQL");
    primary.create_database("lusoria").expect("a database");
    let address = Address::new(primary.port()).await;
    let url_of = |port: u16| primary.url("lusoria").replace(&primary.port().to_string(), &port.to_string());
    let url = url_of(address.at.port());
    let server = Process::of(&mut serve(&url));
    let standby = primary.standby().expect("a standby");
    let mut table = Table::new("tavla", server.address()).await.expect("two guests");
    for _ in 0..6 {
        assert!(table.turn(server.address()).await.expect("it runs"));
    }

    // The address leads to a server that only reads, as while a failover is under way.
    address.leads_to.send_replace(standby.port());
    let standbys = url_of(standby.port());
    primary.kill().expect("killed");
    until_ready(&server, 503).await;
    let path = format!("/api/v1/matches/{}/resign", table.id());
    let resign = Request::new("POST", &path).token(table.token(0)).json(&serde_json::json!({}));
    let refused = resign.send(server.address()).await.expect("it runs");
    assert_eq!(refused.status, 503, "{refused:?}");
    let second = serve(&standbys).env_clear().output().expect("the binary runs");
    assert_eq!(second.status.code(), Some(75), "it may be promoted soon");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains("is a standby or read-only; name the primary"), "{said}");

    standby.promote().expect("promoted");
    until_ready(&server, 200).await;
    table.assert_nothing_is_lost(server.address()).await;
    table.send_last_turn(server.address()).await.expect("it runs");
    while table.turn(server.address()).await.expect("it runs") {}
    let record = table.record(server.address()).await.expect("it runs");
    assert_sound(&serde_json::from_value(record).expect("a record"));
    assert!(server.terminate().await.success());
}
