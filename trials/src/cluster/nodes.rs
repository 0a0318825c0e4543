//! The processes of a cluster, and the connections between them.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lusoria_services::{nats::Nats, postgres::Postgres};
use tokio::{sync::watch, task::block_in_place};

use super::{
    NODES,
    fault::Fault,
    proxy::{Line, Proxy},
};
use crate::{
    crash::error::{TrialError, broken, promised},
    server::{Process, Program},
    web,
};

/// The database of the cluster.
const DATABASE: &str = "lusoria";

/// How long all nodes may take until they are ready, after the last fault is repaired.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// How often to poll whether a node is ready.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The addresses of some nodes.
pub(super) type Addresses<const N: usize> = [SocketAddr; N];

/// The address of each node, while it listens.
pub(super) type Listening = [Option<SocketAddr>; NODES];

/// Three nodes on one PostgreSQL and one NATS. All processes end when it is dropped.
pub(super) struct Cluster {
    nodes: Vec<Node>,
    listening: watch::Sender<Listening>,
    postgres: Postgres,
    nats: Nats,
}

struct Node {
    program: Program,
    server: Option<Process>,
    to_postgres: Proxy,
    to_nats: Proxy,
}

impl Cluster {
    /// Starts everything, with the nodes' logs in that folder, whose contents are removed.
    ///
    /// # Errors
    /// If a program is missing or does not start.
    pub(super) async fn start(binary: &Path, folder: &Path) -> Result<Self, TrialError> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        let postgres = block_in_place(|| Postgres::start(&["max_connections=200"]))?;
        postgres.create_database(DATABASE)?;
        let nats = block_in_place(|| Nats::start(""))?;
        let mut cluster =
            Self { nodes: Vec::new(), listening: watch::Sender::new([None; NODES]), postgres, nats };
        for number in 0..NODES {
            let node = Node::new(number, binary, folder, &cluster.postgres, &cluster.nats).await?;
            cluster.nodes.push(node);
            cluster.start_node(number)?;
        }
        Ok(cluster)
    }

    /// Returns a receiver of the nodes' addresses, now and after every change.
    pub(super) fn addresses(&self) -> watch::Receiver<Listening> {
        self.listening.subscribe()
    }

    /// The nodes' addresses. All nodes must run.
    pub(super) fn now(&self) -> Addresses<NODES> {
        self.listening.borrow().map(|address| address.expect("all nodes run between faults"))
    }

    /// Causes a fault, and repairs it.
    pub(super) async fn suffer(&mut self, fault: Fault) -> Result<(), TrialError> {
        match fault {
            Fault::Kill { node, gone } => {
                self.take(node).kill();
                tokio::time::sleep(gone).await;
                self.start_node(node)?;
            }
            Fault::Pause { node, lasting } => {
                self.server(node).pause()?;
                tokio::time::sleep(lasting).await;
                self.server(node).go_on()?;
            }
            Fault::NatsLine { node, line, lasting } => {
                disturb(&self.nodes[node].to_nats, line, lasting).await;
            }
            Fault::PostgresLine { node, line, lasting } => {
                disturb(&self.nodes[node].to_postgres, line, lasting).await;
            }
            Fault::Postgres { gone } => {
                block_in_place(|| self.postgres.kill())?;
                tokio::time::sleep(gone).await;
                block_in_place(|| self.postgres.start_again())?;
            }
            Fault::Nats { gone } => {
                block_in_place(|| self.nats.kill())?;
                tokio::time::sleep(gone).await;
                block_in_place(|| self.nats.start_again())?;
            }
            Fault::Rolling { first } => {
                for node in (0..NODES).map(|next| (first + next) % NODES) {
                    self.stop_node(node)?;
                    self.start_node(node)?;
                    self.ready(node).await?;
                }
            }
        }
        Ok(())
    }

    /// Waits until all nodes are ready. No node may have ended by itself.
    pub(super) async fn all_ready(&mut self) -> Result<(), TrialError> {
        for node in 0..NODES {
            self.ready(node).await?;
        }
        Ok(())
    }

    /// Stops all nodes with SIGTERM.
    pub(super) fn stop(&mut self) -> Result<(), TrialError> {
        (0..NODES).try_for_each(|node| self.stop_node(node))
    }

    async fn ready(&mut self, node: usize) -> Result<(), TrialError> {
        let until = Instant::now() + READY_WITHIN;
        let server = self.nodes[node].server.as_mut().expect("all nodes run between faults");
        loop {
            let ended = server.ended()?;
            promised!(ended.is_none(), "node {node} has ended by itself: {ended:?}; see its log");
            let said = web::ready(server.address).await;
            let why_not = match said {
                Ok(ready) => match ready.why_not {
                    None => return Ok(()),
                    Some(why_not) => why_not,
                },
                Err(error) => error.to_string(),
            };
            promised!(
                Instant::now() < until,
                "node {node} is not ready after {} s: {why_not}",
                READY_WITHIN.as_secs()
            );
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn start_node(&mut self, node: usize) -> Result<(), TrialError> {
        let started = block_in_place(|| self.nodes[node].program.start());
        let server = started.map_err(|error| broken!("node {node}: {error}; see its log"))?;
        let address = server.address;
        self.nodes[node].server = Some(server);
        self.listening.send_modify(|listening| listening[node] = Some(address));
        Ok(())
    }

    fn stop_node(&mut self, node: usize) -> Result<(), TrialError> {
        let server = self.take(node);
        let status = block_in_place(|| {
            server.ask_to_stop()?;
            server.wait()
        })?;
        promised!(status.success(), "node {node} was told to stop and ended with {status}");
        Ok(())
    }

    /// Takes a node's server out, so that the caller can end it.
    fn take(&mut self, node: usize) -> Process {
        self.listening.send_modify(|listening| listening[node] = None);
        self.nodes[node].server.take().expect("all nodes run between faults")
    }

    fn server(&self, node: usize) -> &Process {
        self.nodes[node].server.as_ref().expect("all nodes run between faults")
    }
}

impl Node {
    async fn new(
        number: usize,
        binary: &Path,
        folder: &Path,
        postgres: &Postgres,
        nats: &Nats,
    ) -> io::Result<Self> {
        let (to_postgres, to_nats) = (Proxy::start(postgres.port()).await?, Proxy::start(nats.port()).await?);
        let name = format!("node-{number}");
        let mut program = Program::in_folder(binary, &folder.join(&name))?;
        let [direct, by_proxy] =
            [postgres.port(), to_postgres.address.port()].map(|port| format!(":{port}/"));
        program.database = PathBuf::from(postgres.url(DATABASE).replace(&direct, &by_proxy));
        let nats = format!("nats://{}", to_nats.address);
        program.arguments = ["--nats", &nats, "--node", &name].map(Into::into).to_vec();
        Ok(Self { program, server: None, to_postgres, to_nats })
    }
}

async fn disturb(proxy: &Proxy, line: Line, lasting: Duration) {
    proxy.set(line);
    tokio::time::sleep(lasting).await;
    proxy.set(Line::FREE);
}
