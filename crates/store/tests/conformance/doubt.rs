//! Connections that break in the middle of a write: its outcome is unknown, and `settle` finds it out.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Mutex, Notify},
};

use super::*;

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
    async fn open(&self, to: u16) -> u16 {
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

/// Opens a database over such a line.
pub(super) async fn through(line: &Line, database: &Database, options: PostgresOptions) -> Fixture {
    let port = line.open(database.port()).await;
    let url = database.tcp_url().replace(&format!(":{}/", database.port()), &format!(":{port}/"));
    let store = Store::open_server(&format!("{url}?sslmode=disable"), options).await;
    Fixture(Arc::new(store.expect("the database opens")))
}

/// A store at the end of such a line, with a match whose head is 2.
async fn place() -> (Fixture, Line, Database) {
    let (database, line) = (Database::new().expect("a database"), Line::default());
    let options = PostgresOptions {
        writers: 1,
        statement_timeout: Duration::from_millis(700),
        answer_timeout: Duration::from_millis(1_200),
        ..PostgresOptions::default()
    };
    let s = through(&line, &database, options).await;
    s.matches([1]).await;
    done!(s.append(append(1, 1)));
    (s, line, database)
}

/// Settles a match, as often as it must be tried.
async fn settle(s: &Fixture, n: u32) -> Option<Version> {
    for _ in 0..20 {
        match s.settle(match_id(n)).await {
            Ok(head) => return head.map(|head| head.version),
            Err(StoreError::Busy(_) | StoreError::Unknown(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
    panic!("it is never settled")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_whose_answer_is_lost_is_made_or_never_will_be() {
    for (fault, head) in [(Fault::After(APPEND), 3), (Fault::Before(APPEND), 2), (Fault::Late(APPEND), 2)] {
        let (s, line, _database) = place().await;
        line.break_with(fault).await;
        refused!(s.append(append(1, 2)), AppendError::Unknown(_));
        let settled = settle(&s, 1).await.expect("a head");
        assert_eq!(settled.head, head);
        if head == 2 {
            assert!(settled.edition > 0, "so that who knows the one before is shut out");
        }
        if let Fault::Late(_) = fault {
            line.go_on.notify_one();
            line.answered.notified().await;
            assert_eq!(there!(s.head(match_id(1))).version, settled);
        }
        assert_eq!(done!(s.journal(1)).len(), head as usize);
        refused!(s.append(append(1, 2)), Conflict);
        done!(s.append(Append { of: settled, ..append(1, head) }));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_creation_whose_answer_is_lost_is_made_or_never_will_be() {
    for fault in [Fault::After(COMMIT), Fault::Before(COMMIT), Fault::Late(COMMIT)] {
        let (s, line, _database) = place().await;
        let is_made = matches!(fault, Fault::After(_));
        line.break_with(fault).await;
        refused!(s.create(new_match(2)), AppendError::Unknown(_));
        // The open transaction holds the id until the server gives it up; once is as good as often.
        for is_late in [matches!(fault, Fault::Late(_)), false] {
            assert_eq!(settle(&s, 2).await.is_some(), is_made);
            if is_late {
                line.go_on.notify_one();
                line.answered.notified().await;
            }
            refused!(s.create(new_match(2)), Conflict);
        }
        is!(s.length(2), u32::from(is_made));
        assert_eq!(done!(s.secret(match_id(2))).is_some(), is_made);
    }
}

/// What breaks before the commit was sent is no doubt, and reads are simply done again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_breaks_before_its_end_is_refused_or_read_again() {
    let (s, line, _database) = place().await;
    for fault in [Fault::Before(b"BEGIN"), Fault::After(b"BEGIN")] {
        line.break_with(fault).await;
        refused!(s.create(new_match(2)), AppendError::Store(StoreError::Busy(_)));
        line.happened.notified().await;
    }
    s.matches([2]).await;
    is!(s.length(2), 1);
    let id: &'static [u8] = Box::leak(Box::new(match_id(1).0.into_bytes()));
    for fault in [Fault::Before(id), Fault::After(id)] {
        line.break_with(fault).await;
        is!(s.length(1), 2);
        line.happened.notified().await;
    }
}
