//! The task of a match: it carries out what it is asked, one thing after another.
//!
//! Order: apply, append to the journal and wait for the commit, put the new state in
//! place, answer, publish. A task ends when it has been idle; the next request starts
//! another one.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use lusoria_dice::{Chain, Secret};
use lusoria_play::{
    Admission, Command, Event, Match, MatchId, Millis, Phase, PlayerId, Recorded, Seat, SeedBrought,
};
use lusoria_rules::Game;
use metrics::Counter;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};
use tracing::Instrument;

use super::{
    Answered, Card, CommandError, Live, Notice, Room,
    chance::MatchDice,
    names,
    queue::{Request, WAITING_MAX},
    request::{Do, announce, draw_up},
    room::LoadError,
    summary::summary,
};
use lusoria_store::{Append, AppendError, Guest, KeyUse, NewMatch, Outage, SecretHash, StoreError};

/// How long a task without requests stays.
const IDLE: Duration = Duration::from_secs(30);

/// How soon the journal is read again if it could not be read after a commit whose outcome
/// is unknown.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// How often a request is tried again when somebody else has appended first.
const ATTEMPTS: u32 = 4;

/// Starts the task of a match.
pub(super) fn start(live: &Arc<Live>, room: &Arc<Room>) -> mpsc::Sender<Request> {
    let (sender, requests) = mpsc::channel(WAITING_MAX);
    let task =
        Task { live: Arc::clone(live), room: Arc::clone(room), chain: None, current: None, unsure: false };
    // Not within what is being done by whoever asks first: others will ask of the task too.
    let span = tracing::info_span!(parent: None, "match", id = %room.id().0);
    live.tasks.spawn(task.run(requests).instrument(span));
    sender
}

/// Counts the tasks that run.
struct Counted;

impl Counted {
    fn new() -> Self {
        metrics::gauge!("lusoria_match_tasks").increment(1);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_match_tasks").decrement(1);
    }
}

/// Turns of each game. Looked up once: every turn counts here.
static TURNS: LazyLock<[(Game, Counter); 5]> = LazyLock::new(|| {
    Game::ALL.map(|game| (game, metrics::counter!("lusoria_turns_total", "game" => game.id())))
});

fn count_turns(state: &Match, events: &[Recorded]) {
    let turns = events.iter().filter(|recorded| matches!(recorded.event, Event::Turned { .. })).count();
    let game = state.terms().variant.game();
    if let Some((_, counter)) = TURNS.iter().find(|(of, _)| *of == game) {
        counter.increment(turns as u64);
    }
}

struct Task {
    live: Arc<Live>,
    room: Arc<Room>,
    /// The secrets of the dice, once they are needed.
    chain: Option<Chain>,
    /// The secret of the game that is being played.
    current: Option<(u16, Secret)>,
    /// Whether the journal may hold more than is known: the outcome of a commit is unknown
    /// and the journal could not be read since.
    unsure: bool,
}

/// What has been committed.
struct Done {
    answered: Answered,
    before: Arc<Match>,
    /// Whether everybody has been told: whatever a reload finds is told by it.
    published: bool,
}

/// What goes with an append.
#[derive(Default)]
struct Along {
    key: Option<KeyUse>,
    spends: Option<SecretHash>,
    create: Option<Box<NewMatch>>,
}

impl Task {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        let _counted = Counted::new();
        let stopping = self.live.stopping.clone();
        loop {
            tokio::select! {
                // What has been asked is done before stopping is looked at: a request in
                // the queue has been accepted.
                biased;
                Some(request) = requests.recv() => self.serve(request).await,
                () = stopping.cancelled() => {
                    requests.close();
                    while let Some(request) = requests.recv().await {
                        self.serve(request).await;
                    }
                    return;
                }
                // Those who watch must not wait until somebody asks something.
                () = tokio::time::sleep(LOOK_AGAIN), if self.unsure => {
                    let _ = self.make_sure().await;
                }
                () = tokio::time::sleep(IDLE), if !self.unsure => {
                    let mut queue = self.room.queue.lock();
                    if requests.is_empty() {
                        *queue = None;
                        return;
                    }
                }
            }
        }
    }

    async fn serve(&mut self, Request { wanted, at, answer, asked_in, place }: Request) {
        drop(place);
        let span = tracing::info_span!(parent: &asked_in, "match", id = %self.room.id().0);
        self.answer(wanted, at, answer).instrument(span).await;
    }

    async fn answer(
        &mut self,
        wanted: Do,
        at: Millis,
        answer: oneshot::Sender<Result<Answered, CommandError>>,
    ) {
        match self.carry_out(wanted, at).await {
            Ok(done) => {
                tracing::debug!(head = self.room.state().head(), "done");
                // Nobody may be waiting any more; what was done is done.
                let _ = answer.send(Ok(done.answered.clone()));
                self.publish(&done);
            }
            Err(error) => {
                tracing::debug!(%error, "refused");
                let _ = answer.send(Err(error));
            }
        }
    }

    async fn carry_out(&mut self, wanted: Do, at: Millis) -> Result<Done, CommandError> {
        for _ in 0..ATTEMPTS {
            match self.attempt(wanted.clone(), at).await {
                Err(Failed::Conflict) => drop(self.reload().await?),
                Err(Failed::For(error)) => return Err(error),
                Ok(done) => return Ok(done),
            }
        }
        Err(StoreError::Busy("the match keeps moving on".to_owned()).into())
    }

    async fn attempt(&mut self, wanted: Do, at: Millis) -> Result<Done, Failed> {
        self.make_sure().await?;
        match wanted {
            Do::Command { command, key, spends } => {
                self.be_up_to_date(at).await?;
                self.apply_at(at, command, Along { key, spends, create: None }, None).await
            }
            Do::AcceptRematch { by, seed, key } => {
                self.be_up_to_date(at).await?;
                let state = self.room.state();
                let names = self.names(&state).await?;
                let seed = seed.map_or(SeedBrought::Nothing, SeedBrought::Hash);
                let creation = |id, commitment| {
                    let mut creation = state.rematch_creation(by, seed, id, commitment)?;
                    let joiner = creation.joiner.as_mut().map(|(joiner, _)| joiner);
                    for player in std::iter::once(&mut creation.creator).chain(joiner) {
                        if let Some(now) = names.iter().find(|guest| guest.id == player.id) {
                            player.name.clone_from(&now.name);
                        }
                    }
                    Ok(creation)
                };
                let next = draw_up(&*self.live.entropy, self.live.now(), creation, None, None)?;
                let id = next.stored.id;
                let along = Along { key, spends: None, create: Some(Box::new(next.stored)) };
                let done =
                    self.apply_at(at, Command::AcceptRematch { by, next: id }, along, Some(id)).await?;
                announce(&self.live, &next.state);
                Ok(done)
            }
            Do::EndUntouched { since } => {
                self.be_up_to_date(at).await?;
                if self.is_touched_since(since).await? {
                    return Ok(self.nothing_happened());
                }
                self.apply_at(at, Command::End, Along::default(), None).await
            }
            // Neither dice nor the time are needed for that.
            Do::Rename { player, name } => self.rename(player, &name).await,
            Do::GiveCredit => {
                self.load_chain().await?;
                self.give_credit().await?;
                Ok(self.nothing_happened())
            }
            Do::Wake => {
                self.load_chain().await?;
                self.give_credit().await?;
                if self.live.deadline_held_up_until(&self.room.state()).is_none() {
                    self.run_out_by(self.live.now()).await?;
                }
                Ok(self.nothing_happened())
            }
        }
    }

    /// Has the dice at hand, and done what was due before something that arrived at `at`.
    async fn be_up_to_date(&mut self, at: Millis) -> Result<(), Failed> {
        self.load_chain().await?;
        self.give_credit().await?;
        self.run_out_by(at).await
    }

    /// Calls a player otherwise, in the journal and here.
    async fn rename(&mut self, player: PlayerId, name: &str) -> Result<Done, Failed> {
        match names::replace(&*self.live.store, self.room.id(), player, name).await {
            Ok(Some(state)) => {
                self.room.put_anew(state, &[], &*self.live.render);
                Ok(self.nothing_happened())
            }
            Ok(None) => Err(Failed::Conflict),
            Err(error) => {
                if let CommandError::Store(StoreError::Unknown(why)) = &error {
                    tracing::error!(id = %self.room.id().0, why, "a commit with an unknown outcome");
                    self.unsure = true;
                    // If this fails it is done again before anything else.
                    let _ = self.make_sure().await;
                }
                Err(error.into())
            }
        }
    }

    /// Whether anything but the credit for outages has happened after event `since`.
    async fn is_touched_since(&self, since: u32) -> Result<bool, CommandError> {
        if self.room.state().head() == since {
            return Ok(false);
        }
        let after = self.live.store.events(self.room.id(), since, u32::MAX).await?;
        Ok(after.iter().any(|recorded| !matches!(recorded.event, Event::Credited { .. })))
    }

    fn nothing_happened(&self) -> Done {
        let state = self.room.state();
        let answered = Answered { state: Arc::clone(&state), events: Vec::new(), next: None };
        Done { answered, before: state, published: true }
    }

    async fn apply_at(
        &mut self,
        at: Millis,
        command: Command,
        along: Along,
        next: Option<MatchId>,
    ) -> Result<Done, Failed> {
        let before = self.room.state();
        let mut state = Match::clone(&before);
        let events = state.apply(command, at, &mut self.dice()).map_err(CommandError::from)?;
        let mut done = self.commit(before, state, events, along).await?;
        done.answered.next = next;
        Ok(done)
    }

    /// Gives the credit for outages, each in an append of its own.
    async fn give_credit(&mut self) -> Result<(), Failed> {
        let owed: Vec<_> = self.live.outages_owed(&self.room.state()).collect();
        for Outage { from, until } in owed {
            // At the time when the outage ended, so that a later one is still owed if this
            // is as far as we get.
            let credit = Command::Credit { from, until };
            let credited = self.apply_at(until, credit, Along::default(), None).await?;
            self.publish(&credited);
        }
        Ok(())
    }

    /// Does what a deadline demands that has passed by `at`.
    async fn run_out_by(&mut self, at: Millis) -> Result<(), Failed> {
        let before = self.room.state();
        if before.next_deadline().is_some_and(|deadline| deadline <= at) {
            let mut state = Match::clone(&before);
            let events = state.on_deadline(at, &mut self.dice());
            let ran_out = self.commit(before, state, events, Along::default()).await?;
            self.publish(&ran_out);
        }
        Ok(())
    }

    async fn commit(
        &mut self,
        before: Arc<Match>,
        state: Match,
        events: Vec<Recorded>,
        along: Along,
    ) -> Result<Done, Failed> {
        let state = Arc::new(state);
        let answered = Answered { state: Arc::clone(&state), events, next: None };
        if answered.events.is_empty() {
            return Ok(Done { answered, before, published: true });
        }
        let mut published = false;
        let rematch_deadline = along.create.as_ref().and_then(|next| next.deadline);
        let append = Append {
            id: self.room.id(),
            head: before.head(),
            events: answered.events.clone(),
            summary: summary(&state),
            deadline: state.next_deadline(),
            key: along.key,
            spends: along.spends,
            create: along.create,
        };
        let handed_over = Instant::now();
        let appended = self.live.store.append(append).await;
        metrics::histogram!("lusoria_append_seconds").record(handed_over.elapsed());
        if appended.is_ok() {
            count_turns(&state, &answered.events);
        }
        match appended {
            Ok(()) => self.room.install(state, &answered.events, &*self.live.render),
            Err(AppendError::Conflict) => return Err(Failed::Conflict),
            Err(AppendError::Unknown(why)) => {
                tracing::error!(id = %self.room.id().0, why, "a commit with an unknown outcome");
                self.unsure = true;
                // Not "busy" if this fails: that would say that nothing has changed.
                let found = self.reload().await.map_err(|_| StoreError::Unknown(why.clone()));
                if !found.map_err(CommandError::from)?.starts_with(&answered.events) {
                    return Err(Failed::For(StoreError::Busy(why).into()));
                }
                count_turns(&state, &answered.events);
                published = true;
            }
            Err(AppendError::KeyUsed) => return Err(Failed::For(CommandError::KeyUsed)),
            Err(AppendError::GuestGone(guest)) => return Err(Failed::For(CommandError::GuestGone(guest))),
            Err(AppendError::InvitationGone) => return Err(Failed::For(CommandError::InvitationGone)),
            Err(AppendError::Store(error)) => return Err(Failed::For(error.into())),
        }
        self.live.alarm.set(answered.state.next_deadline());
        self.live.alarm.set(rematch_deadline);
        Ok(Done { answered, before, published })
    }

    /// Reads the journal if it may hold more than is known.
    async fn make_sure(&mut self) -> Result<(), CommandError> {
        if !self.unsure {
            return Ok(());
        }
        let found = self.reload().await?;
        let rematch = found.iter().find_map(|recorded| match recorded.event {
            Event::RematchAgreed { next } => Some(next),
            _ => None,
        });
        if let Some(next) = rematch {
            let state = self.live.state(next).await?;
            self.live.alarm.set(state.next_deadline());
            announce(&self.live, &state);
        }
        Ok(())
    }

    /// Takes over what the journal has beyond what is known, and publishes it. Answers
    /// the events that were not known before.
    async fn reload(&mut self) -> Result<Vec<Recorded>, CommandError> {
        let before = self.room.state();
        let events = self.room.reload(&self.live).await.map_err(|error| match error {
            LoadError::NoSuchMatch => CommandError::NoSuchMatch,
            LoadError::Store(error) => CommandError::Store(error),
        })?;
        self.unsure = false;
        self.live.alarm.set(self.room.state().next_deadline());
        let answered = Answered { state: self.room.state(), events: events.clone(), next: None };
        self.publish(&Done { answered, before, published: false });
        Ok(events)
    }

    async fn load_chain(&mut self) -> Result<(), CommandError> {
        if self.chain.is_none() {
            let secret = self.live.store.secret(self.room.id()).await?;
            let secret =
                secret.ok_or_else(|| StoreError::Corrupt("the secret of a match is missing".to_owned()))?;
            self.chain = Some(secret.chain());
        }
        Ok(())
    }

    /// What the players are called now: they may have renamed themselves since they sat down.
    async fn names(&self, state: &Match) -> Result<Vec<Guest>, CommandError> {
        let mut guests = Vec::new();
        for seat in Seat::BOTH {
            if let Some(player) = state.player(seat) {
                guests.extend(self.live.store.guest(player.id).await?);
            }
        }
        Ok(guests)
    }

    fn dice(&mut self) -> MatchDice<'_> {
        let chain = self.chain.as_ref().expect("the chain is loaded before anything is tried");
        MatchDice::new(self.room.id(), chain, &mut self.current, &*self.live.entropy)
    }

    fn publish(&self, Done { answered, before, published }: &Done) {
        if *published || answered.events.is_empty() {
            return;
        }
        self.room.mark(&self.live);
        self.live.ring_for_computer(&answered.state);
        let (id, head, state) = (self.room.id(), answered.state.head(), &answered.state);
        if before.phase() == Phase::Open && state.phase() != Phase::Open && is_listed(state) {
            self.live.topics.tell_lobby(|| self.live.render.notice(&Notice::Closed { id }));
        }
        let waits_for = state.waits_for().and_then(|seat| state.player(seat)).map(|player| player.id);
        let seats = Seat::BOTH.into_iter().filter_map(|seat| state.player(seat)).map(|player| player.id);
        let mut players: Vec<_> = seats.collect();
        players.dedup();
        for player in players {
            if waits_for == Some(player) {
                let notice = || Notice::YourTurn { player, id, card: Card::of(state), head };
                self.live.topics.tell(player, || self.live.render.notice(&notice()));
            } else if answered.events.iter().any(|recorded| is_news(&recorded.event)) {
                let notice = || Notice::MatchChanged { player, id, card: Card::of(state), head };
                self.live.topics.tell(player, || self.live.render.notice(&notice()));
            }
        }
    }
}

/// Whether a match appears in public lists.
fn is_listed(state: &Match) -> bool {
    state.terms().admission == Admission::Open
}

/// Whether a player wants to hear of it although it is not his turn.
fn is_news(event: &Event) -> bool {
    match event {
        Event::Created { .. }
        | Event::SeedRevealed { .. }
        | Event::OpeningThrown { .. }
        | Event::Thrown { .. }
        | Event::Turned { .. }
        | Event::Passed { .. }
        | Event::Credited { .. } => false,
        Event::Joined { .. }
        | Event::GameStarted { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::GameEnded { .. }
        | Event::MatchEnded { .. }
        | Event::RematchOffered { .. }
        | Event::RematchDeclined { .. }
        | Event::RematchAgreed { .. } => true,
    }
}

/// Why an attempt failed.
enum Failed {
    /// Somebody else has appended: reload and try again.
    Conflict,
    /// For good.
    For(CommandError),
}

impl From<CommandError> for Failed {
    fn from(error: CommandError) -> Self {
        Self::For(error)
    }
}
