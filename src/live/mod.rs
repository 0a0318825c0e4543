//! The matches in memory: decides requests to each in order, publishes to watchers, and keeps deadlines.
//!
//! [`Live`] is the façade. It reads and writes the store; `http` and `ws` reach it through `app`. All that is
//! in memory is in the journal, too, so any of it can be dropped at any time.
//!
//! Imports go one way: [`Live`]; `scheduler`, `tournaments`, `conditional`, `node_messages`; `talk`; `loading`; `submit`;
//! `judge`; what it calls, such as `creation`, `refresh`, `beat`; `context`, which all share; `room` and the
//! parts below it, such as `judge_state`.

mod alarm;
mod arrival;
mod beat;
mod challenges;
mod chance;
mod conditional;
mod context;
mod creation;
mod error;
mod finish;
mod journal;
mod judge;
mod judge_state;
mod leavings;
mod line;
mod loading;
mod mailbox;
mod match_inbox;
mod membership;
mod names;
mod news;
mod node_messages;
mod pairing;
mod pairing_note;
mod presence;
mod publish;
mod push_inbox;
mod questions;
mod queue;
mod rated_end;
mod rating;
mod recent_rooms;
mod refresh;
mod request;
mod room;
mod scheduler;
mod spectators;
mod submit;
mod talk;
mod time;
mod topics;
mod tournaments;
mod watch;
mod watchers;

pub use arrival::{Arrived, LastRead};
pub use challenges::{CHALLENGE_BY_DAYS_FOR_MS, LIVE_CHALLENGE_FOR_MS};
pub use creation::{Answering, Creation, Invite};
pub use error::CommandError;
pub use mailbox::{Mail, Mailbox};
pub use match_inbox::{Marked, MatchInbox};
pub use names::Rewriting;
pub use pairing::{LIVE_SEEK_FOR_MS, SEEK_BY_DAYS_FOR_MS};
pub use presence::Presence;
pub use publish::{Notice, Positions, Published, Render};
pub use push_inbox::{PushInbox, PushMatter, PushOccasion};
pub use queue::WAITING_OF_GUEST_MAX;
pub use rating::{Constants, Rateable, shown};
pub use request::{MatchRequest, Outcome, RematchSeed};
pub use room::Room;
pub use talk::{SaidRemark, hears};
pub use time::{Entropy, OsEntropy, ServerTime};
pub use topics::TopicSubscription;
pub use tournaments::{
    CommittedTournament, Listed as ListedTournament, TournamentCall, TournamentError,
    listing as tournament_listing, read_event as read_tournament_event,
};
pub use watch::{GivenTurn, Watch};

use std::sync::Arc;

use lusoria_bus::{Alone, Bus};
use lusoria_play::{Match, MatchId, Millis, Player, PlayerId, Recorded, Seat, SeedBrought, SeekId, TalkRoom};
use lusoria_rules::Step;
use lusoria_store::{JoinError, NamedChallenge, Node, NodeId, Store, StoreError, WaitingSeek};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use context::Context;
use finish::Finish;
use membership::Membership;
use names::Rewritten;
use refresh::refresh;

/// All live matches of this server.
pub struct Live {
    context: Arc<Context>,
}

/// A server's membership in a cluster.
pub struct Cluster {
    /// Its id, new at each start.
    pub id: NodeId,
    /// The name that the operator gave this node.
    pub name: String,
    /// The bus to the other nodes.
    pub bus: Arc<dyn Bus>,
}

impl Cluster {
    /// For a server without other nodes.
    pub fn none() -> Self {
        Self { id: NodeId(Uuid::nil()), name: "alone".to_owned(), bus: Arc::new(Alone::default()) }
    }
}

impl Live {
    /// Prepares the live matches of a server that does not run yet. Until [`Live::begin`] no match may be
    /// read.
    pub fn prepare(
        store: Arc<Store>,
        Cluster { id, name, bus }: Cluster,
        time: ServerTime,
        entropy: Arc<dyn Entropy>,
        render: Arc<dyn Render>,
    ) -> Arc<Self> {
        let membership = Membership::new(id, name, store.is_shared());
        Arc::new(Self { context: Arc::new(Context::new(store, bus, membership, time, entropy, render)) })
    }

    /// Records in the store that the server runs, and starts the scheduler. Slow work of a start belongs
    /// before this, because the outage for which matches are given credit ends here. The server's time stands
    /// still while this runs.
    ///
    /// # Errors
    /// If another node has this one's name, or the store cannot be read or written.
    pub async fn begin(&self) -> Result<(), JoinError> {
        self.begin_without_scheduler().await?;
        let context = || Arc::clone(&self.context);
        let era = self.context.membership.era();
        self.context.tasks.spawn(scheduler::wake_what_is_due(context(), era));
        self.context.tasks.spawn(scheduler::sweep_now_and_then(context()));
        self.context.tasks.spawn(tournaments::wake_what_is_due(context()));
        self.context.tasks.spawn(tournaments::tell_followers(context()));
        self.context.tasks.spawn(pairing::keep_pairing(context()));
        self.context.tasks.spawn(conditional::keep_playing(context()));
        self.context.tasks.spawn(spectators::tell_now_and_then(context()));
        if self.context.membership.is_shared() {
            self.context.tasks.spawn(node_messages::listen(context()));
            self.context.tasks.spawn(refresh::look_now_and_then(context()));
        }
        Ok(())
    }

    /// The same for a command that runs offline: due work waits for the server.
    ///
    /// # Errors
    /// As [`Live::begin`].
    pub async fn begin_without_scheduler(&self) -> Result<(), JoinError> {
        beat::join(&self.context).await?;
        self.context.tasks.spawn(beat::keep_beating(Arc::clone(&self.context)));
        Ok(())
    }

    /// The server's time, in milliseconds since the epoch.
    pub fn now(&self) -> Millis {
        self.context.now()
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.context.store
    }

    /// The source of random bytes: the operating system (a seed in tests).
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.context.entropy
    }

    /// Marks a match whose player to move may have conditional turns.
    pub fn play_conditional(&self, id: MatchId) {
        self.context.conditional_inbox.mark(id);
    }

    /// The matches that the computer must look at.
    pub fn computer_inbox(&self) -> &MatchInbox {
        &self.context.computer_inbox
    }

    /// The occasions for push messages.
    pub fn push_inbox(&self) -> &PushInbox {
        &self.context.push_inbox
    }

    /// Cancelled when the server is stopping.
    pub fn stopping(&self) -> &CancellationToken {
        &self.context.stopping
    }

    /// Whether this server can serve: it has lately recorded in the store that it runs, and its time agrees
    /// with the other nodes'.
    pub fn is_well(&self) -> bool {
        self.context.membership.is_well()
    }

    /// Whether other nodes may use the store.
    pub fn is_shared(&self) -> bool {
        self.context.membership.is_shared()
    }

    /// The running nodes, including this one.
    pub fn nodes(&self) -> Vec<Node> {
        self.context.membership.nodes()
    }

    /// This node.
    pub fn node(&self) -> NodeId {
        self.context.membership.id()
    }

    /// The history that the journals belong to.
    pub fn history(&self) -> Uuid {
        self.context.membership.known().history
    }

    /// Waits until all sockets and streams must be closed: what their clients know may be wrong, or this node
    /// can no longer serve them.
    pub async fn interrupted(&self) {
        self.context.interrupted().await;
    }

    /// Cancelled when another node has taken this one's name, so that this one must stop.
    pub fn expelled(&self) -> &CancellationToken {
        &self.context.expelled
    }

    /// Creates a match. It is finished even if the caller no longer waits.
    ///
    /// # Errors
    /// If the terms are out of range or the store refuses.
    pub async fn create(&self, creation: Creation) -> Result<Arc<Match>, CommandError> {
        let made = creation::create(Arc::clone(&self.context), creation);
        Finish::new(Box::pin(made), self.context.tasks.token())
            .await
            .unwrap_or_else(|| Err(CommandError::lost()))
    }

    /// Pairs a seek that has just been stored with another one, if one fits, and notifies both players. If
    /// the store fails it is paired later.
    pub async fn pair(&self, id: SeekId) {
        // Finished even if the caller no longer waits, so that the other player is notified.
        let paired = self.context.tasks.spawn(pairing::pair(Arc::clone(&self.context), id));
        if let Ok(Err(error)) = paired.await {
            tracing::warn!(%error, "could not pair a seek; trying again soon");
        }
    }

    /// The waiting seeks of others that would be paired now with an equal one of this player, or of an
    /// unknown guest, the newest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn waiting_seeks(&self, viewer: Option<&Player>) -> Result<Vec<WaitingSeek>, StoreError> {
        pairing::waiting_for(&self.context, viewer).await
    }

    /// Creates the match of a waiting challenge, with the seed that the challenged player brings, and
    /// notifies both sides. It is finished even if the caller no longer waits.
    ///
    /// # Errors
    /// `ChallengeGone` if it no longer waits or one player has blocked the other; errors of the store.
    pub async fn accept(
        &self,
        of: NamedChallenge,
        seed: SeedBrought,
    ) -> Result<NamedChallenge, CommandError> {
        let accepted = challenges::accept(Arc::clone(&self.context), of, seed);
        Finish::new(Box::pin(accepted), self.context.tasks.token())
            .await
            .unwrap_or_else(|| Err(CommandError::lost()))
    }

    /// Notifies both sides of a challenge's new state.
    pub fn tell_challenge(&self, of: &NamedChallenge) {
        challenges::tell_both(&self.context, of);
    }

    /// Registers the arrival of a message whose last bytes the connection has just read: a command to match
    /// `of`, or to any match if that is not known yet. Until it is decided, later deadlines wait for it.
    pub fn arrived(&self, last_read: &LastRead, of: Option<MatchId>) -> Arrived {
        self.context.arrivals.note(self.context.time(), last_read.at(), of)
    }

    /// Submits a request that arrives now to a match, and waits until it has been committed or refused.
    ///
    /// # Errors
    /// If there is no such match, it refuses the request, too many requests wait for it, or the store
    /// refuses.
    pub async fn request(&self, id: MatchId, request: MatchRequest) -> Result<Outcome, CommandError> {
        let arrived = self.arrived(&LastRead::default(), Some(id));
        self.submit(&self.room(id).await?, request, &arrived).await
    }

    /// The same for a match in memory and a request that arrived earlier. It is judged as of its arrival, or
    /// as of the last event of the match if that is later.
    ///
    /// # Errors
    /// As [`Live::request`].
    pub async fn submit(
        &self,
        room: &Arc<Room>,
        request: MatchRequest,
        arrived: &Arrived,
    ) -> Result<Outcome, CommandError> {
        arrived.concerns(room.id());
        submit::submit(&self.context, room, request, arrived.at()).await
    }

    /// The last committed state of a match, by any node.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn state(&self, id: MatchId) -> Result<Arc<Match>, CommandError> {
        let room = self.room(id).await?;
        self.look_at(&room).await?;
        Ok(room.state())
    }

    /// The last state of a match that this node knows. Another node may have committed since.
    ///
    /// # Errors
    /// As [`Live::state`].
    pub async fn known_state(&self, id: MatchId) -> Result<Arc<Match>, CommandError> {
        Ok(self.room(id).await?.state())
    }

    /// Reads what other nodes have added to a match.
    ///
    /// # Errors
    /// If the match no longer exists, or its journal cannot be read.
    pub async fn look_at(&self, room: &Arc<Room>) -> Result<(), CommandError> {
        if self.context.membership.is_shared() {
            // Boxed: a single node has nothing to do.
            Box::pin(refresh(&self.context, room)).await?;
        }
        Ok(())
    }

    /// Events of a match after `since`, from memory or else from the journal; at most `limit`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn events_of(
        &self,
        room: &Room,
        since: u32,
        limit: u32,
        positions: Positions,
    ) -> Result<Vec<Published>, StoreError> {
        let render = &*self.context.render;
        if let Some(recent) = room.recent_after(since, limit as usize, positions, render) {
            return Ok(recent);
        }
        // Boxed, so that a connection that waits for events needs no space for it.
        Box::pin(self.events_in_journal(room, since, limit, positions)).await
    }

    async fn events_in_journal(
        &self,
        room: &Room,
        since: u32,
        limit: u32,
        positions: Positions,
    ) -> Result<Vec<Published>, StoreError> {
        let (state, render) = (room.state(), &*self.context.render);
        let rows = self.store().events(room.id(), since, limit).await?.events;
        let committed = rows.iter().take_while(|recorded| recorded.seq <= state.head());
        let published = Published::all(&state, committed, render).into_iter();
        Ok(published.map(|event| event.with(positions, render)).collect())
    }

    /// Events of a match, as every reader gets them.
    pub fn rendered(&self, of: &Match, events: &[Recorded]) -> Vec<Published> {
        Published::all(of, events, &*self.context.render)
    }

    /// Watches a match: `mailbox` is marked whenever its head advances. `seats` are the watcher's seats; they
    /// count as connected while the watch lasts.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn watch(
        &self,
        id: MatchId,
        mailbox: Arc<Mailbox>,
        player: Option<PlayerId>,
    ) -> Result<Watch, CommandError> {
        let room = self.room(id).await?;
        let watch = Watch::begin(&self.context, room, mailbox, player);
        // From here on other nodes send their commits; earlier ones are read.
        self.look_at(watch.room()).await?;
        Ok(watch)
    }

    /// Shows all watchers a partial turn, which is not stored. False if too many were shown just now.
    pub fn show_building(&self, room: &Arc<Room>, notice: &Notice) -> bool {
        let may = room.may_show(self.now());
        if may {
            self.context.tell_watchers(room, notice);
        }
        may
    }

    /// Subscribes a mailbox to the lobby.
    pub fn subscribe_lobby(&self, mailbox: &Arc<Mailbox>) -> TopicSubscription {
        TopicSubscription::lobby(&self.context.topics, mailbox, &*self.context.bus)
    }

    /// Subscribes a mailbox to a player's personal notices.
    pub fn subscribe_personal(&self, mailbox: &Arc<Mailbox>, player: PlayerId) -> TopicSubscription {
        TopicSubscription::personal(&self.context.topics, mailbox, player, &*self.context.bus)
    }

    /// Subscribes a mailbox to the talk in a room of a match, as `reader`.
    pub fn subscribe_talk(
        &self,
        mailbox: &Arc<Mailbox>,
        id: MatchId,
        room: TalkRoom,
        reader: Option<PlayerId>,
    ) -> TopicSubscription {
        let hearer = topics::Hearer { mailbox: Arc::clone(mailbox), reader };
        TopicSubscription::talk(&self.context.topics, hearer, (id, room), &*self.context.bus)
    }

    /// Sends a remark to the subscribers. They get it even if the caller no longer waits.
    pub fn tell_remark(&self, remark: SaidRemark) {
        talk::tell(&self.context, remark);
    }

    /// Registers the mailbox of a connection that has shown a player's token, so that it learns when the
    /// token must be looked up again.
    pub fn token_shown(&self, mailbox: &Arc<Mailbox>, player: PlayerId) -> TopicSubscription {
        TopicSubscription::shown(&self.context.topics, mailbox, player)
    }

    /// Makes every connection that has shown a token of this player look it up again: at once, or, if it has
    /// only just shown it, with its next request.
    pub fn doubt(&self, player: PlayerId) {
        self.context.doubt_here(player);
        self.context.tell_doubt(player);
    }

    /// How many tokens have been revoked since the start, as far as is known. Code that keeps a caller for
    /// long looks the token up again when this has changed.
    pub fn revocations(&self) -> u64 {
        self.context.revocations()
    }

    /// Notes that the player of a seat is present.
    pub fn saw(&self, id: MatchId, seat: Seat) {
        self.context.presence.saw(id, seat, self.now());
    }

    /// Whether the player of a seat is connected, and since when not, as far as this node knows.
    pub fn presence(&self, id: MatchId, seat: Seat) -> Presence {
        self.context.presence.of(id, seat, self.now())
    }

    /// The number of spectators of a match, as far as this node knows.
    pub fn spectators(&self, id: MatchId) -> u32 {
        self.context.spectators.of(id)
    }

    /// The steps last shown of the turn being built that event `given` gave; none if there are none, as far
    /// as this node knows.
    pub fn shown_steps(&self, id: MatchId, given: u32) -> Option<Vec<Step>> {
        self.context.rooms.get(id)?.shown(given)
    }

    /// Asks other nodes about a match that nobody follows here, so that [`Live::presence`] includes what they
    /// know.
    pub async fn glimpse_presence(&self, id: MatchId) {
        if self.is_shared() {
            // Boxed: a single node has nothing to do.
            Box::pin(self.context.glimpse(id)).await;
        }
    }

    /// Asks all nodes. If one does not answer, the player counts as connected.
    pub async fn presence_everywhere(&self, id: MatchId, seat: Seat) -> Presence {
        self.context.presence_everywhere(id, seat).await
    }

    /// The room of a match, loaded from the journal if it is not in memory.
    ///
    /// # Errors
    /// If there is no such match or its journal cannot be read.
    pub async fn room(&self, id: MatchId) -> Result<Arc<Room>, CommandError> {
        loading::room(&self.context, id).await
    }

    /// Rewrites a match, including past events. If the match is not in memory, only the journal is written.
    ///
    /// # Errors
    /// If there is no such match, its journal cannot be read, or the store refuses.
    pub async fn rewrite(&self, id: MatchId, rewriting: Rewriting) -> Result<(), CommandError> {
        // A request that loads the match meanwhile may have read the old events; they have another edition.
        if !self.context.rooms.has(id) {
            match names::rewrite(self.store(), id, &rewriting).await {
                Ok(Rewritten::As(state, edition)) if !self.context.rooms.has(id) => {
                    self.context.tell_committed(id, journal::version(&state, edition));
                    return Ok(());
                }
                Ok(Rewritten::Ended) => return Ok(()),
                // If the outcome is unknown, a request with the old events must not write them again.
                Ok(_) | Err(CommandError::Store(StoreError::Unknown(_))) => {}
                Err(error) => return Err(error),
            }
        }
        self.request(id, MatchRequest::Rewrite(rewriting)).await.map(drop)
    }

    /// Deletes a finished match whose head is `head`. Watchers keep what they have. False if there is none.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn forget_match(&self, id: MatchId, head: u32) -> Result<bool, StoreError> {
        let forgotten = self.store().forget_match(id, head).await?;
        if forgotten {
            self.context.rooms.remove(id);
        }
        Ok(forgotten)
    }

    /// Stops the scheduler, lets every task finish its work, and records the time of the call as the last
    /// moment of running: from then on no clock runs.
    pub async fn stop(&self) {
        let stopped_at = self.now();
        self.context.stopping.cancel();
        self.context.tasks.close();
        self.context.tasks.wait().await;
        if let Err(error) = self.store().leave(self.context.membership.id(), stopped_at).await {
            tracing::warn!(%error, "could not store the time of the stop");
        }
        self.context.bus.close().await;
    }
}
