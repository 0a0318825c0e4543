//! Connections that break in the middle of a write: its outcome is unknown, and `settle` finds it out.

use std::{sync::Arc, time::Duration};

use lusoria_services::postgres::Database;
use lusoria_store::{Append, AppendError, Head, Store, StoreError, Version, postgres::PostgresOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Mutex, Notify},
};

use super::{append, match_id, new_match, version};

/// What the statement of an append has, and no other that these tests send.
const APPEND: &[u8] = b"draw_offered";
const COMMIT: &[u8] = b"COMMIT";

/// What to do with a request that has these bytes.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// Break the connection instead of forwarding it.
    Before(&'static [u8]),
    /// Forward it, and break the connection when the server has answered.
    After(&'static [u8]),
    /// Forward it when the test says so, and let the client wait until then.
    Late(&'static [u8]),
}

impl Fault {
    fn meets(self, request: &[u8]) -> bool {
        let (Self::Before(bytes) | Self::After(bytes) | Self::Late(bytes)) = self;
        request.windows(bytes.len()).any(|window| window == bytes)
    }
}

/// A way to the server that breaks as the test says.
#[derive(Clone, Default)]
pub(super) struct Line {
    fault: Arc<Mutex<Option<Fault>>>,
    /// Of a fault: it has happened; what is late may go on; the server has answered to it.
    pub(super) happened: Arc<Notify>,
    pub(super) go_on: Arc<Notify>,
    answered: Arc<Notify>,
}

impl Line {
    /// Opens a way to that port. Returns its own port.
    pub(super) async fn open(&self, to: u16) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let line = self.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", to)).await.expect("the server runs");
                tokio::spawn(line.clone().forward(client, server));
            }
        });
        port
    }

    /// Forwards until one end closes, or a fault.
    async fn forward(self, mut client: TcpStream, mut server: TcpStream) {
        let (mut request, mut response) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            tokio::select! {
                read = client.read(&mut request) => {
                    let Ok(length @ 1..) = read else { return };
                    let request = &request[..length];
                    let fault = self.fault.lock().await.take_if(|fault| fault.meets(request));
                    if let Some(fault) = fault {
                        self.happened.notify_one();
                        if let Fault::Late(_) = fault {
                            self.go_on.notified().await;
                        }
                        if !matches!(fault, Fault::Before(_)) && server.write_all(request).await.is_ok() {
                            // Even that it has closed the connection is an answer.
                            let _ = server.read(&mut response).await;
                            self.answered.notify_one();
                        }
                        return;
                    }
                    if server.write_all(request).await.is_err() {
                        return;
                    }
                }
                read = server.read(&mut response) => {
                    let Ok(length @ 1..) = read else { return };
                    if client.write_all(&response[..length]).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    pub(super) async fn break_with(&self, fault: Fault) {
        *self.fault.lock().await = Some(fault);
    }
}

/// A store at the end of such a line, with a match whose head is 2.
struct Place {
    store: Store,
    line: Line,
    _database: Database,
}

async fn place() -> Place {
    let (database, line) = (Database::new().expect("a database"), Line::default());
    let port = line.open(database.port()).await;
    let url = database.tcp_url().replace(&format!(":{}/", database.port()), &format!(":{port}/"));
    let options = PostgresOptions {
        writers: 1,
        statement_timeout: Duration::from_millis(700),
        answer_timeout: Duration::from_millis(1_200),
        ..PostgresOptions::default()
    };
    let store = Store::open_server(&format!("{url}?sslmode=disable"), options).await.expect("opened");
    store.create(new_match(1)).await.expect("created");
    store.append(append(1, 1)).await.expect("appended");
    Place { store, line, _database: database }
}

/// Settles a match, as often as it must be tried.
async fn settle(store: &Store, n: u32) -> Option<Head> {
    for _ in 0..20 {
        match store.settle(match_id(n)).await {
            Ok(head) => return head,
            Err(StoreError::Busy(_) | StoreError::Unknown(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
    panic!("it is never settled")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_whose_answer_is_lost_is_found() {
    let Place { store, line, .. } = &place().await;
    line.break_with(Fault::After(APPEND)).await;
    let lost = store.append(append(1, 2)).await;
    assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");
    let settled = settle(store, 1).await.expect("a head").version;
    assert_eq!(settled.head, 3);
    store.append(Append { of: settled, ..append(1, 3) }).await.expect("appended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_that_never_arrives_never_will() {
    let Place { store, line, .. } = &place().await;
    line.break_with(Fault::Before(APPEND)).await;
    let lost = store.append(append(1, 2)).await;
    assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");
    let settled = settle(store, 1).await.expect("a head").version;
    assert_eq!(settled.head, 2);
    assert!(settled.edition > 0, "so that who knows the one before is shut out");
    assert!(matches!(store.append(append(1, 2)).await, Err(AppendError::Conflict)));
    store.append(Append { of: settled, ..append(1, 2) }).await.expect("appended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_that_arrives_after_it_was_settled_is_shut_out() {
    let Place { store, line, .. } = &place().await;
    line.break_with(Fault::Late(APPEND)).await;
    let lost = store.append(append(1, 2)).await;
    assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");
    let settled = settle(store, 1).await.expect("a head").version;
    assert_eq!(settled.head, 2);
    line.go_on.notify_one();
    line.answered.notified().await;
    assert_eq!(store.head(match_id(1)).await.expect("read").expect("a head").version, settled);
    assert_eq!(store.events(match_id(1), 0, 9).await.expect("read").events.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_creation_whose_answer_is_lost_is_found() {
    let Place { store, line, .. } = &place().await;
    line.break_with(Fault::After(COMMIT)).await;
    let lost = store.create(new_match(2)).await;
    assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");
    assert_eq!(settle(store, 2).await.expect("a head").version.head, 1);
    assert!(store.secret(match_id(2)).await.expect("read").is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_creation_that_was_not_committed_never_will_be() {
    for fault in [Fault::Before(COMMIT), Fault::Late(COMMIT)] {
        let Place { store, line, .. } = &place().await;
        line.break_with(fault).await;
        let lost = store.create(new_match(2)).await;
        assert!(matches!(lost, Err(AppendError::Unknown(_))), "{lost:?}");
        // The open transaction holds the id until the server gives it up.
        assert_eq!(settle(store, 2).await, None);
        if let Fault::Late(_) = fault {
            line.go_on.notify_one();
            line.answered.notified().await;
        }
        assert!(matches!(store.create(new_match(2)).await, Err(AppendError::Conflict)));
        assert_eq!(settle(store, 2).await, None, "once is as good as often");
        assert_eq!(store.head(match_id(2)).await.expect("read"), None);
        assert!(store.secret(match_id(2)).await.expect("read").is_none());
    }
}

/// What breaks before the commit was sent is no doubt.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_breaks_before_its_end_is_refused() {
    let Place { store, line, .. } = &place().await;
    for fault in [Fault::Before(b"BEGIN"), Fault::After(b"BEGIN")] {
        line.break_with(fault).await;
        let refused = store.create(new_match(2)).await;
        assert!(matches!(refused, Err(AppendError::Store(StoreError::Busy(_)))), "{refused:?}");
    }
    store.create(new_match(2)).await.expect("created");
    assert_eq!(store.head(match_id(2)).await.expect("read").expect("a head").version, version(1));
}

/// Reads are simply done again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_over_a_broken_connection_is_read_again() {
    let Place { store, line, .. } = &place().await;
    let id = match_id(1).0.into_bytes();
    let bytes: &'static [u8] = Box::leak(Box::new(id));
    for fault in [Fault::Before(bytes), Fault::After(bytes)] {
        line.break_with(fault).await;
        let version = store.head(match_id(1)).await.expect("read").expect("a head").version;
        assert_eq!(version, Version { head: 2, edition: 0 });
        line.happened.notified().await;
    }
}
