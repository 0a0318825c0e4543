//! Decides the requests to a match, one after the other, in the task of the requester.
//!
//! Each request goes through `decide`, `attempt`, `apply`, `commit` and `publish`: it is applied to a copy of the
//! state, its events are appended to the journal, and after the commit the new state is installed and published.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use lusoria_play::{
    Admission, Command, Event, Match, MatchId, Millis, Phase, PlayerId, Recorded, Seat, SeedBrought,
};
use lusoria_rules::Game;
use metrics::{Counter, Histogram};
use tokio::{
    sync::MutexGuard,
    time::{Instant, sleep},
};

use lusoria_store::{
    Append, AppendError, Card, Guest, KeyUse, MatchRow, NewMatch, Outage, SecretHash, StoreError,
};

use super::{
    CommandError, MatchRequest, Notice, Outcome, Published, RematchSeed, Room,
    beat::beat,
    chance::{DiceSecrets, MatchDice},
    context::Context,
    creation::{announce, create_state, enter, new_id},
    journal::{read_match, version},
    judge_state::{JudgeState, Unresolved},
    leavings,
    membership::Known,
    names::{self, Rewriting, Rewritten},
    news::is_news,
    pairing_note,
    queue::QueueSlot,
    rated_end::rate,
    refresh::refresh,
};

/// The pause before the journal is read again, if it could not be read after a commit with unknown outcome.
const RELOAD_RETRY: Duration = Duration::from_millis(500);

/// How often a request is attempted while others keep appending first.
const ATTEMPTS: u32 = 4;

/// The counters of turns, one a game. Looked up once, because every turn is counted.
static TURNS: LazyLock<[(Game, Counter); Game::ALL.len()]> = LazyLock::new(|| {
    Game::ALL.map(|game| (game, metrics::counter!("lusoria_turns_total", "game" => game.id())))
});

fn count_turns(state: &Match, events: &[Recorded]) {
    let turns = events.iter().filter(|recorded| matches!(recorded.event, Event::Turned { .. })).count();
    let game = state.terms().variant.game();
    if let Some((_, counter)) = TURNS.iter().find(|(of, _)| *of == game) {
        counter.increment(turns as u64);
    }
}

static APPENDED: LazyLock<Histogram> = LazyLock::new(|| metrics::histogram!("lusoria_append_seconds"));

/// The judge of one request, while no other request to the match is decided.
struct Judge<'a> {
    context: &'a Arc<Context>,
    room: &'a Arc<Room>,
    state: MutexGuard<'a, JudgeState>,
    /// What this node knew of the others when the request was attempted.
    known: Arc<Known>,
}

/// A commit: what it changed, and what is needed to publish it.
struct Commit {
    outcome: Outcome,
    before: Arc<Match>,
    edition: u32,
    events: Arc<[Recorded]>,
}

/// What else is written in the transaction of an append.
#[derive(Default)]
struct Extras {
    key: Option<KeyUse>,
    spends: Option<SecretHash>,
    create: Option<Box<NewMatch>>,
}

/// Decides a request that arrived at `at`, when those before it are decided: publishes what it commits, and returns
/// its outcome.
///
/// # Errors
/// If the match refuses it, too many requests wait for it, or the store refuses.
pub(super) async fn decide(
    context: Arc<Context>,
    room: Arc<Room>,
    request: MatchRequest,
    at: Millis,
) -> Result<Outcome, CommandError> {
    let judge_state = if let Ok(judge_state) = room.judge_state.try_lock() {
        judge_state
    } else {
        let _slot = QueueSlot::take(&room.queue, &request)?;
        room.judge_state.lock().await
    };
    context.recent_rooms.note(&room, context.now());
    let mut judge =
        Judge { context: &context, room: &room, state: judge_state, known: context.membership.known() };
    let decided = judge.retry_on_conflict(request, at).await;
    match &decided {
        // Before the response, so that the requester's connection writes both at once.
        Ok(commit) => judge.publish(commit),
        Err(error) => tracing::debug!(id = %room.id().0, %error, "refused"),
    }
    decided.map(|commit| commit.outcome)
}

/// Settles a commit with unknown outcome: watchers must not wait until the next request.
async fn keep_resolving(context: Arc<Context>, room: Arc<Room>) {
    loop {
        tokio::select! {
            biased;
            () = context.stopping.cancelled() => return,
            () = sleep(RELOAD_RETRY) => {}
        }
        let judge_state = room.judge_state.lock().await;
        let mut judge =
            Judge { context: &context, room: &room, state: judge_state, known: context.membership.known() };
        if judge.resolve_unknown_commit().await.is_ok() {
            return;
        }
    }
}

impl Judge<'_> {
    /// Attempts a request until it is committed or refused. Reads the journal after a conflict, and before a
    /// refusal if other nodes may have appended.
    async fn retry_on_conflict(&mut self, request: MatchRequest, at: Millis) -> Result<Commit, CommandError> {
        for _ in 0..ATTEMPTS {
            let judged = self.room.version();
            match self.attempt(&request, at).await {
                // What is rare is boxed, here and below: the future of a turn stays small.
                Err(AttemptError::Conflict) => Box::pin(refresh(self.context, self.room)).await?,
                Err(AttemptError::Outdated) => Box::pin(beat(self.context)).await?,
                Err(AttemptError::Final(refused @ CommandError::Refused(_))) => {
                    if !self.context.membership.is_shared() {
                        return Err(refused);
                    }
                    Box::pin(refresh(self.context, self.room)).await?;
                    // Another task may have read newer events into the same room.
                    if self.room.version() == judged {
                        return Err(refused);
                    }
                }
                Err(AttemptError::Final(error)) => return Err(error),
                Ok(commit) => return Ok(commit),
            }
        }
        Err(StoreError::Busy("other writers always come first".to_owned()).into())
    }

    /// Attempts a request once, on the last known state.
    async fn attempt(&mut self, request: &MatchRequest, at: Millis) -> Result<Commit, AttemptError> {
        if self.state.unresolved.is_some() {
            Box::pin(self.resolve_unknown_commit()).await?;
        }
        self.known = self.context.membership.known();
        if self.known.history != self.room.history() {
            return Err(CommandError::from(StoreError::Busy("another history has begun".to_owned())).into());
        }
        match *request {
            MatchRequest::Command { ref command, ref key, spends } => {
                self.catch_up(at).await?;
                let extras = Extras { key: key.clone(), spends, create: None };
                self.apply(at, command, extras, None).await
            }
            MatchRequest::AcceptRematch { by, seed, ref key } => {
                self.catch_up(at).await?;
                Box::pin(self.accept_rematch(at, by, seed, key.clone())).await
            }
            MatchRequest::EndUnlessPlayed { since } => {
                self.catch_up(at).await?;
                if self.is_touched_since(since).await? {
                    return Ok(self.unchanged());
                }
                self.apply(at, &Command::End, Extras::default(), None).await
            }
            // Needs neither dice nor time.
            MatchRequest::Rewrite(ref rewriting) => Box::pin(self.rewrite(rewriting)).await,
            MatchRequest::CreditOutages => {
                self.load_secrets().await?;
                self.credit_outages().await?;
                Ok(self.unchanged())
            }
            MatchRequest::Wake => {
                self.load_secrets().await?;
                self.credit_outages().await?;
                if self.context.deadline_held_up_until(&self.room.state()).is_none() {
                    self.apply_deadline(self.context.now()).await?;
                }
                Ok(self.unchanged())
            }
        }
    }

    /// Accepts the rematch that is offered, and creates the new match.
    async fn accept_rematch(
        &mut self,
        at: Millis,
        by: PlayerId,
        seed: RematchSeed,
        key: Option<KeyUse>,
    ) -> Result<Commit, AttemptError> {
        let state = self.room.state();
        let names = self.current_names(&state).await?;
        let seed = seed.map_or(SeedBrought::Nothing, SeedBrought::Hash);
        let now = self.context.now();
        let id = new_id(&*self.context.entropy, now);
        let creation = |commitment| {
            let mut creation = state.rematch_creation(by, seed, id, commitment)?;
            let joiner = creation.joiner.as_mut().map(|(joiner, _)| joiner);
            for player in std::iter::once(&mut creation.creator).chain(joiner) {
                if let Some(now) = names.iter().find(|guest| guest.id == player.id) {
                    player.name.clone_from(&now.name);
                }
            }
            Ok(creation)
        };
        let next = create_state(&*self.context.entropy, id, now, creation, None, None)?;
        let extras = Extras { key, spends: None, create: Some(Box::new(next.stored)) };
        let room = self.context.room(id);
        let commit = self.apply(at, &Command::AcceptRematch { by, next: id }, extras, Some(id)).await?;
        announce(self.context, &next.state);
        enter(self.context, &room, next.state, next.dice);
        Ok(commit)
    }

    /// Loads the dice, and does what was due before a request that arrived at `at`.
    async fn catch_up(&mut self, at: Millis) -> Result<(), AttemptError> {
        self.load_secrets().await?;
        self.credit_outages().await?;
        self.apply_deadline(at).await
    }

    /// Rewrites the journal and the state in memory.
    async fn rewrite(&mut self, rewriting: &Rewriting) -> Result<Commit, AttemptError> {
        match names::rewrite(&self.context.store, self.room.id(), rewriting).await {
            Ok(Rewritten::As(state, edition)) => {
                if self.room.take_over(*state, edition, &[], &*self.context.render) {
                    self.context.tell_committed(self.room.id(), self.room.version());
                    // The journal that was read may contain events of other nodes.
                    self.room.mark(&self.context.tasks);
                }
                Ok(self.unchanged())
            }
            Ok(Rewritten::MovedOn) => Err(AttemptError::Conflict),
            Ok(Rewritten::Ended) => Ok(self.unchanged()),
            Err(error) => {
                if let CommandError::Store(StoreError::Unknown(why)) = &error {
                    tracing::error!(id = %self.room.id().0, why, "commit with unknown outcome");
                    self.note_unresolved(Unresolved::Rewrite);
                    // If this fails, it is repeated before the next request.
                    let _ = self.resolve_unknown_commit().await;
                }
                Err(error.into())
            }
        }
    }

    /// Whether the match has events after `since` other than credit for outages.
    async fn is_touched_since(&self, since: u32) -> Result<bool, CommandError> {
        if self.room.state().head() == since {
            return Ok(false);
        }
        let after = self.context.store.events(self.room.id(), since, u32::MAX).await?.events;
        Ok(after.iter().any(|recorded| !matches!(recorded.event, Event::Credited { .. })))
    }

    /// The outcome of a request that changed nothing.
    fn unchanged(&self) -> Commit {
        let (state, edition) = self.room.edited_state();
        let outcome = Outcome { state: Arc::clone(&state), events: Vec::new(), next: None };
        Commit { outcome, before: state, edition, events: Arc::default() }
    }

    /// Applies a command to a copy of the state and commits its events.
    async fn apply(
        &mut self,
        at: Millis,
        command: &Command,
        extras: Extras,
        next: Option<MatchId>,
    ) -> Result<Commit, AttemptError> {
        let (before, edition) = self.room.edited_state();
        let mut state = Arc::clone(&before);
        let applied = Arc::make_mut(&mut state).apply(command, at, &mut self.dice());
        let events = applied.map_err(CommandError::from)?;
        let mut commit = self.commit((before, edition), state, events, extras).await?;
        commit.outcome.next = next;
        Ok(commit)
    }

    /// Gives the credit for outages, one append each.
    async fn credit_outages(&mut self) -> Result<(), AttemptError> {
        for Outage { from, until } in self.known.outages_owed(&self.room.state()) {
            // Dated at the end of the outage, so that later ones are still owed if this fails half-way.
            let credit = Command::Credit { from, until };
            let credited = self.apply(until, &credit, Extras::default(), None).await?;
            self.publish(&credited);
        }
        Ok(())
    }

    /// Applies the deadline of the match if it has passed by `at`.
    async fn apply_deadline(&mut self, at: Millis) -> Result<(), AttemptError> {
        let (before, edition) = self.room.edited_state();
        if before.next_deadline().is_some_and(|deadline| deadline <= at) {
            let mut state = Arc::clone(&before);
            let events = Arc::make_mut(&mut state).on_deadline(at, &mut self.dice());
            let ran_out = self.commit((before, edition), state, events, Extras::default()).await?;
            self.publish(&ran_out);
        }
        Ok(())
    }

    /// Appends events to the journal if the match has not changed, and installs the new state.
    async fn commit(
        &mut self,
        (before, edition): (Arc<Match>, u32),
        state: Arc<Match>,
        events: Vec<Recorded>,
        extras: Extras,
    ) -> Result<Commit, AttemptError> {
        if events.is_empty() {
            let outcome = Outcome { state, events: Vec::new(), next: None };
            return Ok(Commit { outcome, before, edition, events: Arc::default() });
        }
        if !self.context.membership.may_append() {
            let why = "this node has not been recorded as running lately".to_owned();
            return Err(CommandError::from(StoreError::Busy(why)).into());
        }
        // Its locks are held until the outcome of the commit is known.
        let (state, events, rated) = if before.end().is_none() && state.rating_result().is_some() {
            Box::pin(rate(self.context, state, events)).await?
        } else {
            (state, events.into(), None)
        };
        let unrates = events.iter().any(|recorded| matches!(recorded.event, Event::Unrated { .. }));
        let rematch_deadline = extras.create.as_ref().and_then(|next| next.deadline);
        let append = Append {
            id: self.room.id(),
            of: version(&before, edition),
            era: self.known.era,
            events: Arc::clone(&events),
            card: Card::of(&state),
            deadline: state.next_deadline(),
            key: extras.key,
            spends: extras.spends,
            create: extras.create,
            rates: rated.as_ref().map(|rated| rated.change.clone()),
            unrates,
            tournament: pairing_note::ended(&before, &state),
        };
        let handed_over = Instant::now();
        let appended = self.context.store.append(append).await;
        APPENDED.record(handed_over.elapsed());
        match appended {
            Ok(()) => {}
            Err(AppendError::Conflict) => return Err(AttemptError::Conflict),
            Err(AppendError::Outdated) => return Err(AttemptError::Outdated),
            Err(AppendError::Unknown(why)) => {
                tracing::error!(id = %self.room.id().0, why, "commit with unknown outcome");
                self.note_unresolved(Unresolved::Append(Arc::clone(&events)));
                // Not "busy" if this fails, which would claim that nothing has changed.
                let found = Box::pin(self.resolve()).await.map_err(|_| StoreError::Unknown(why.clone()));
                if !found.map_err(CommandError::from)? {
                    return Err(AttemptError::Final(StoreError::Busy(why).into()));
                }
            }
            Err(AppendError::KeyUsed) => return Err(AttemptError::Final(CommandError::KeyUsed)),
            Err(AppendError::GuestGone(guest)) => {
                return Err(AttemptError::Final(CommandError::GuestGone(guest)));
            }
            Err(AppendError::InvitationGone) => {
                return Err(AttemptError::Final(CommandError::InvitationGone));
            }
            Err(AppendError::SeekGone) => return Err(AttemptError::Final(CommandError::SeekGone)),
            Err(AppendError::ChallengeGone) => {
                return Err(AttemptError::Final(CommandError::ChallengeGone));
            }
            Err(AppendError::Store(error)) => return Err(AttemptError::Final(error.into())),
        }
        count_turns(&state, &events);
        let published = Published::all(&state, &*events, &*self.context.render);
        self.room.install(Arc::clone(&state), edition, &published);
        self.context.alarm.set(state.next_deadline());
        self.context.alarm.set(rematch_deadline);
        let outcome = Outcome { state, events: published, next: None };
        Ok(Commit { outcome, before, edition, events })
    }

    /// Notes a commit with unknown outcome, which is settled even if nobody asks again.
    fn note_unresolved(&mut self, unresolved: Unresolved) {
        self.state.unresolved = Some(unresolved);
        let settled = keep_resolving(Arc::clone(self.context), Arc::clone(self.room));
        self.context.tasks.spawn(settled);
    }

    /// Reads the journal if the outcome of a commit is unknown, and publishes what was committed.
    async fn resolve_unknown_commit(&mut self) -> Result<(), CommandError> {
        let Some(unresolved) = &self.state.unresolved else { return Ok(()) };
        let events = match unresolved {
            Unresolved::Append(events) => Arc::clone(events),
            Unresolved::Rewrite => Arc::default(),
        };
        let before = self.room.state();
        if !self.resolve().await? {
            return Ok(());
        }
        let (state, edition) = self.room.edited_state();
        self.context.alarm.set(state.next_deadline());
        let rematch = events.iter().find_map(|recorded| match recorded.event {
            Event::RematchAgreed { next } => Some(next),
            _ => None,
        });
        let outcome = Outcome { state, events: Vec::new(), next: None };
        self.context.tell_committed(self.room.id(), version(&outcome.state, edition));
        self.tell_people(&Commit { outcome, before, edition, events });
        if let Some(next) = rematch {
            let (state, _) = read_match(&self.context.store, next).await?;
            self.context.alarm.set(state.next_deadline());
            announce(self.context, &state);
        }
        Ok(())
    }

    /// Waits until the outcome of a commit is known, and reads the journal. Returns whether the commit was
    /// made.
    async fn resolve(&mut self) -> Result<bool, CommandError> {
        let id = self.room.id();
        self.context.store.settle(id).await?;
        // Not what the refresh finds, because another task may have found it first.
        let is_made = match &self.state.unresolved {
            Some(Unresolved::Append(events)) if let Some(first) = events.first() => {
                let count = u32::try_from(events.len()).unwrap_or(u32::MAX);
                self.context.store.events(id, first.seq - 1, count).await?.events == **events
            }
            Some(Unresolved::Append(_) | Unresolved::Rewrite) | None => false,
        };
        refresh(self.context, self.room).await?;
        self.state.unresolved = None;
        Ok(is_made)
    }

    async fn load_secrets(&mut self) -> Result<(), CommandError> {
        if self.state.dice.is_none() {
            let secret = self.context.store.secret(self.room.id()).await?;
            let secret =
                secret.ok_or_else(|| StoreError::Corrupt("the secret of a match is missing".to_owned()))?;
            self.state.dice = Some(DiceSecrets { chain: secret.chain(), current: None });
        }
        Ok(())
    }

    /// The players' present names, which may have changed since they took their seats.
    async fn current_names(&self, state: &Match) -> Result<Vec<Guest>, CommandError> {
        let mut guests = Vec::new();
        for seat in Seat::BOTH {
            if let Some(player) = state.player(seat) {
                guests.extend(self.context.store.guest(player.id).await?);
            }
        }
        Ok(guests)
    }

    fn dice(&mut self) -> MatchDice<'_> {
        let secrets = self.state.dice.as_mut().expect("the secrets are loaded before each attempt");
        secrets.dice(self.room.id(), &*self.context.entropy)
    }

    /// Announces a commit of this node to watchers, players, the lobby, other nodes and the computer.
    fn publish(&self, commit: &Commit) {
        let Commit { outcome, edition, events, .. } = commit;
        if events.is_empty() {
            return;
        }
        self.room.mark(&self.context.tasks);
        self.context.tell_committed(self.room.id(), version(&outcome.state, *edition));
        self.tell_people(commit);
    }

    /// Announces a commit of this node to players, the lobby and the computer.
    fn tell_people(&self, Commit { outcome, before, events, .. }: &Commit) {
        let context = self.context;
        let state = &outcome.state;
        context.tell_computer(state);
        context.play_conditional(state);
        leavings::note(context, before, state, events);
        if before.phase() == Phase::Open && state.phase() != Phase::Open && is_listed(state) {
            let id = self.room.id();
            context.tell_closed(id, || Notice::Opened { row: MatchRow::of(before) });
        }
        if before.waits_for() != state.waits_for() {
            context.push_turn(state);
        }
        if before.end().is_none()
            && state.end().is_some()
            && let Some(id) = state.tournament()
        {
            context.tell_tournament(id);
        }
        if events.last().is_none_or(|last| last.seq < state.head()) {
            // Players have already been notified of later events.
            return;
        }
        let id_of = |seat| state.player(seat).map(|player| player.id);
        let waits_for = state.waits_for().and_then(id_of);
        let mut players: Vec<_> = Seat::BOTH.into_iter().filter_map(id_of).collect();
        players.dedup();
        for player in players {
            let row = || MatchRow::of(state);
            if waits_for == Some(player) {
                context.tell_player(player, || Notice::YourTurn { player, row: row() });
            } else if events.iter().any(|recorded| is_news(&recorded.event, state, player)) {
                context.tell_player(player, || Notice::MatchChanged { player, row: row() });
            }
        }
    }
}

/// Whether a match appears in public lists.
fn is_listed(state: &Match) -> bool {
    state.terms().admission == Admission::Open
}

/// Why an attempt to handle a request failed.
enum AttemptError {
    /// Another writer has appended: read the journal and try again.
    Conflict,
    /// An outage has ended, or another history has begun, that this node does not know.
    Outdated,
    /// The request is refused, or the store failed.
    Final(CommandError),
}

impl From<CommandError> for AttemptError {
    fn from(error: CommandError) -> Self {
        Self::Final(error)
    }
}
