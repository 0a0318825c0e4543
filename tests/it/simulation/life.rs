//! One life of the server: from its start until it is stopped or killed.

use std::{sync::Arc, time::Duration};

use lusoria::{
    app::{App, ClientAddress},
    config::Limits,
    live::LastRead,
    ws::Sockets,
};
use lusoria_store::StoreError;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::support::server::{self, ADDRESS};

use super::{
    network::ServersEnd,
    store::FaultyStore,
    world::{EPOCH, Shared},
};

/// How long a server that stops waits for its clients to leave.
const GRACE: Duration = Duration::from_secs(10);

/// Buckets are filled by real time, which does not pass here: nobody may meet them.
const NO_LIMIT: u32 = 1_000_000;

const LIMITS: Limits = Limits {
    guest_requests_per_s: NO_LIMIT,
    guest_burst: NO_LIMIT,
    address_requests_per_s: NO_LIMIT,
    address_burst: NO_LIMIT,
    address_total_per_s: None,
    new_guests_per_hour: NO_LIMIT,
    unfinished_matches: 100,
    computer_matches: 20,
    computer_against_itself: 50,
    computer_threads: 1,
    hints_per_minute: NO_LIMIT,
    analysis_nodes: 1,
    analyses_waiting: 1,
    rules_at_once: 1,
    costly_per_address: 8,
    unread_bytes_per_address: 8 << 20,
    unread_bytes: 256 << 20,
    connections: NO_LIMIT,
    sockets_per_address: NO_LIMIT,
    connections_per_address: NO_LIMIT,
    watches_per_socket: 200,
    body_bytes: 16 * 1024,
};

/// A server that runs.
pub(super) struct Life {
    pub(super) app: Arc<App>,
    sockets: Arc<Sockets>,
    stopping: CancellationToken,
    conversations: TaskTracker,
}

impl Life {
    /// Starts a server on what the store holds.
    pub(super) async fn start(world: &Shared, store: Arc<FaultyStore>) -> Result<Self, StoreError> {
        let (drawn, now) = {
            let mut world = world.lock();
            // Somebody may have set the clock of the machine meanwhile.
            let right = EPOCH + world.now();
            let now = match world.random.below(10) {
                0 => right - world.random.below(90_000),
                1 => right + world.random.below(90_000),
                _ => right,
            };
            (world.random.number(), now)
        };
        // Each life draws other random bytes.
        let app = server::app(store, now, drawn, &LIMITS).await?;
        world.lock().server_tells(app.live().now());
        let stopping = CancellationToken::new();
        let sockets = Sockets::new(&app, &LIMITS, &stopping);
        Ok(Self { app, sockets, stopping, conversations: TaskTracker::new() })
    }

    /// Begins the conversation on a link.
    pub(super) fn open(&self, world: &Shared, link: usize) {
        let (end, sockets, world) =
            (ServersEnd::new(world, link), Arc::clone(&self.sockets), Shared::clone(world));
        self.conversations.spawn(async move {
            let ending = sockets.converse(end, ClientAddress(ADDRESS), LastRead::default()).await;
            world.lock().conversation_ended(link, ending);
        });
    }

    /// Makes a guest.
    pub(super) async fn guest(&self) -> lusoria_protocol::Guest {
        let request = lusoria_protocol::CreateGuest::default();
        self.app.create_guest(request, ADDRESS).await.expect("the weather is fair at the beginning")
    }

    /// Stops as the server does when it is told to.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + use<> {
        let (app, stopping) = (Arc::clone(&self.app), self.stopping.clone());
        let conversations = self.conversations.clone();
        async move {
            stopping.cancel();
            app.live().stop().await;
            conversations.close();
            let _ = tokio::time::timeout(GRACE, conversations.wait()).await;
        }
    }
}
