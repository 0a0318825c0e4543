//! Push messages: tells players of what waits for them while no page of theirs is open, through the push services of
//! their browsers (RFC 8030). It hears what this node has committed ([`crate::live::PushInbox`]), so of several nodes
//! exactly one tells.
//!
//! Nothing waits for it, and nothing depends on it: what a node has not sent when it ends is not sent. What a push
//! service learns is when somebody is told, and by whom; what they are told it cannot read.

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

/// How long what comes about is gathered: a player who has just followed a link is connected by then, and of several
/// things about one match they are told once.
const GATHERED_FOR: Duration = Duration::from_secs(2);

/// Tells players of what waits for them.
struct Pushes {
    app: Arc<App>,
    allowances: Mutex<Allowances>,
    deliveries: Deliveries,
}

/// Why a player was not told.
#[derive(Debug, thiserror::Error)]
enum PushError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no key to sign with.
    #[error("no key to sign with: {}", .0.detail)]
    Key(Box<Problem>),
}

/// Tells players until the live matches stop. What it does runs in `tasks`.
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
                    tracing::warn!(%error, "could not tell a player by a push message; going on without it");
                }
            }
            self.allowances.lock().sweep(self.app.now());
        }
    }

    /// Tells a player, if they want to be told and do not know it already.
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
        // Before anything is sent: without it nothing can be.
        self.app.signing_key().await.map_err(|problem| PushError::Key(Box::new(problem)))?;
        for target in targets {
            self.deliveries.begin(target, occasion, &message);
        }
        Ok(())
    }
}

/// Without what is told with something else: that a match was made says also whose turn it is.
fn gathered(mut occasions: BTreeSet<PushOccasion>) -> BTreeSet<PushOccasion> {
    let all = occasions.clone();
    occasions.retain(|&PushOccasion { player, what }| match what {
        PushMatter::YourTurn(id) => !all.contains(&PushOccasion { player, what: PushMatter::Answered(id) }),
        PushMatter::Challenge(_) | PushMatter::Answered(_) => true,
    });
    occasions
}
