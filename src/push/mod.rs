//! Sends push messages to players who have no page open, through the push services of their browsers (RFC
//! 8030). It reacts to commits of this node only ([`crate::live::PushInbox`]), so that in a cluster exactly
//! one node sends.
//!
//! Nothing waits for it or depends on it: messages that a node has not sent when it stops are lost. A push
//! service learns when a browser gets a message and from which server, but cannot read the message.

mod allowance;
mod delivery;
mod https;
mod message;
mod sender;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use lusoria_protocol::Problem;
use lusoria_store::StoreError;
use parking_lot::Mutex;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

use crate::{
    app::App,
    live::{PushMatter, PushOccasion},
};
use allowance::Allowances;
use delivery::Deliveries;

pub use https::Https;
pub use sender::{PushAnswer, PushRequest, PushSender, Unsent};

/// How long occasions are collected: a player who has just followed a link is connected by then, and several
/// occasions about one match become one message.
const GATHERED_FOR: Duration = Duration::from_secs(2);

/// Sends push messages to players.
struct Pushes {
    app: Arc<App>,
    allowances: Mutex<Allowances>,
    deliveries: Deliveries,
}

/// The reason that a message was not sent.
#[derive(Debug, thiserror::Error)]
enum PushError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no key to sign with.
    #[error("no key to sign with: {}", .0.detail)]
    Key(Box<Problem>),
}

/// Starts to send messages, until the live matches stop. It runs in `tasks`.
pub fn start(app: &Arc<App>, sender: Arc<dyn PushSender>, tasks: &TaskTracker) {
    app.live().push_inbox().open();
    let pushes = Pushes {
        app: Arc::clone(app),
        allowances: Mutex::default(),
        deliveries: Deliveries::new(app, sender, tasks),
    };
    tasks.spawn(async move {
        let stopping = pushes.app.live().stopping().clone();
        stopping.run_until_cancelled(pushes.listen()).await;
    });
}

impl Pushes {
    async fn listen(&self) {
        let inbox = self.app.live().push_inbox();
        loop {
            inbox.arrived().await;
            sleep(GATHERED_FOR).await;
            for occasion in gathered(inbox.take()) {
                if let Err(error) = self.tell(occasion).await {
                    tracing::warn!(%error, "could not send a player a push message; dropping it");
                }
            }
            self.allowances.lock().sweep(self.app.now());
        }
    }

    /// Sends a message, if the player wants it and does not know the news already.
    async fn tell(&self, occasion: PushOccasion) -> Result<(), PushError> {
        let (live, player) = (self.app.live(), occasion.player);
        let targets = live.store().push_targets(player, live.now()).await?;
        if targets.is_empty() {
            return Ok(());
        }
        let Some(message) = message::of(live, occasion).await? else { return Ok(()) };
        if !self.allowances.lock().admit(occasion, live.now()) {
            delivery::count("limited");
            return Ok(());
        }
        // Before any message is built, because none can be sent without the key.
        self.app.signing_key().await.map_err(|problem| PushError::Key(Box::new(problem)))?;
        for target in targets {
            self.deliveries.begin(target, occasion, &message);
        }
        Ok(())
    }
}

/// Drops occasions that another one includes: the message about a new match also says whose turn it is.
fn gathered(mut occasions: BTreeSet<PushOccasion>) -> BTreeSet<PushOccasion> {
    let all = occasions.clone();
    occasions.retain(|&PushOccasion { player, what }| match what {
        PushMatter::YourTurn(id) => !all.contains(&PushOccasion { player, what: PushMatter::Answered(id) }),
        PushMatter::Challenge(_)
        | PushMatter::Answered(_)
        | PushMatter::TournamentCall { .. }
        | PushMatter::TournamentEnded(_) => true,
    });
    occasions
}
