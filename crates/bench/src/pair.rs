//! Two players who play one match after the other.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use lusoria_protocol::{CreateMatch, MatchId, PlayTurn, Seat, Token};
use rand::rngs::StdRng;
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, Interval, MissedTickBehavior, interval, sleep, timeout},
};

use super::{
    arrivals::TurnTimes,
    audience::Audience,
    connection_opener::ConnectionOpener,
    error::ClientError,
    event_order::{EventOrder, Head},
    player::{self, Player},
    run::Stage,
    run_state::RunState,
    tally::Tally,
};
use lusoria_client::{ConnectionError, EventMessage, Incoming, MatchView, RequestError, ViewError};

/// How long a turn may take before the match is given up.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// How often a pair checks how long it has waited.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The pause before a pair tries again after a failure.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// The longest pause before a refused turn is sent again, in seconds.
const HELD_MAX_S: u64 = 24 * 60 * 60;

/// How long a pair waits at the end for messages in transit.
const LAST_WITHIN: Duration = Duration::from_secs(5);

/// Two players who play one match after the other.
pub(super) struct Pair {
    pub(super) opener: Arc<ConnectionOpener>,
    pub(super) run_state: Arc<RunState>,
    pub(super) audience: Arc<Audience>,
    pub(super) stage: watch::Receiver<Stage>,
    /// Notifies the run that the pair is ready, once for each stage.
    pub(super) ready: Option<mpsc::Sender<()>>,
    pub(super) tokens: [Token; 2],
    pub(super) terms: CreateMatch,
    pub(super) starts: TurnTimes,
    pub(super) random: StdRng,
    pub(super) tally: Tally,
    /// The previous match and its last event.
    pub(super) ended: Option<(MatchId, u32)>,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MatchEnding {
    /// By the rules.
    Finished,
    /// The run is over.
    Over,
}

/// A match in progress.
struct RunningMatch {
    view: MatchView,
    /// Each player's progress in its events.
    orders: [EventOrder; 2],
    /// The number of the last event in a response.
    told: u32,
    /// The turn that comes next, chosen before it is due.
    planned: Option<PlayTurn>,
    sent: Option<Sent>,
    /// A refused turn: when it was due, and when it may be sent again.
    held: Option<(Instant, Instant)>,
    /// When something last happened.
    last_activity: Instant,
    /// Whether the run is over.
    over: bool,
}

/// A turn in transit.
struct Sent {
    by: usize,
    asked: u32,
    /// The number of the event that it responds to.
    answers: u32,
    due: Instant,
    counts: bool,
    acknowledged: bool,
    received: bool,
}

/// What a pair waits for.
enum Next {
    Heard(usize, Incoming),
    Start(Option<Instant>),
    Look,
}

impl Pair {
    /// Plays until the run is over.
    ///
    /// # Errors
    /// If the players cannot connect at all.
    pub(super) async fn play(mut self) -> Result<Tally, ClientError> {
        let mut players = self.open().await?;
        self.say_ready().await;
        self.reached(&mut players, Stage::SitDown).await?;
        while !self.run_state.is_over(Instant::now()) {
            let error = match self.play_match(&mut players).await {
                Ok(MatchEnding::Finished) => {
                    self.tally.matches_finished += 1;
                    continue;
                }
                Ok(MatchEnding::Over) => break,
                Err(error) if self.ready.is_some() => return Err(error),
                Err(error) => error,
            };
            self.tally.count_error(&error, &self.run_state);
            self.tally.matches_abandoned += 1;
            match self.come_back(&error).await {
                Some(opened) => players = opened,
                None => break,
            }
        }
        self.audience.close(self.ended);
        self.starts.give_up(None, &self.run_state);
        Ok(self.tally)
    }

    async fn open(&self) -> Result<[Player; 2], ClientError> {
        let [one, two] = &self.tokens;
        Ok([self.opener.open_player(one).await?, self.opener.open_player(two).await?])
    }

    /// Opens new connections after the old ones were lost; none if the run ends first.
    async fn come_back(&mut self, why: &ClientError) -> Option<[Player; 2]> {
        let mut wait = why.retry_after_s().map_or(AGAIN_AFTER, Duration::from_secs);
        loop {
            sleep(wait).await;
            if self.run_state.is_over(Instant::now()) {
                return None;
            }
            match self.open().await {
                Ok(players) => return Some(players),
                Err(error) => {
                    self.tally.count_error(&error, &self.run_state);
                    wait = error.retry_after_s().map_or(2 * AGAIN_AFTER, Duration::from_secs);
                }
            }
        }
    }

    async fn say_ready(&mut self) {
        if let Some(ready) = &self.ready {
            // The run may have given up waiting.
            let _ = ready.send(()).await;
        }
    }

    /// Waits for a stage of the run, while the players read and answer the server's pings.
    async fn reached(&mut self, players: &mut [Player; 2], stage: Stage) -> Result<(), ClientError> {
        let [one, two] = players;
        loop {
            let lost = tokio::select! {
                _ = self.stage.wait_for(|reached| *reached >= stage) => return Ok(()),
                heard = one.receive() => heard.err(),
                heard = two.receive() => heard.err(),
            };
            if let Some(lost) = lost {
                return Err(lost.into());
            }
        }
    }

    async fn play_match(&mut self, players: &mut [Player; 2]) -> Result<MatchEnding, ClientError> {
        let [one, two] = players;
        let [view, other] = player::start_match(one, two, self.terms.clone()).await?;
        let orders = [EventOrder::after(view.head), EventOrder::after(other.head)];
        let view = if view.head < other.head { other } else { view };
        self.audience.show(view.id, self.ended);
        // Late watchers are not waited for longer than a turn.
        if timeout(SILENCE_MAX, self.audience.all_watching()).await.is_err() {
            self.tally.count_error(&ClientError::Silence(SILENCE_MAX.as_secs()), &self.run_state);
        }
        self.audience.forget();
        if self.ready.is_some() {
            self.say_ready().await;
            self.reached(players, Stage::Play).await?;
            self.ready = None;
        }
        let mut playing = RunningMatch::new(view, orders);
        let how = self.turns(players, &mut playing).await;
        self.ended = Some((playing.view.id, playing.view.head));
        if how.is_err() {
            // So that it does not count as unfinished forever. Nobody waits for the response.
            let _ = players[0].resign(playing.view.id).await;
        }
        how
    }

    async fn turns(
        &mut self,
        players: &mut [Player; 2],
        playing: &mut RunningMatch,
    ) -> Result<MatchEnding, ClientError> {
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if playing.is_in_step() && playing.view.has_ended() {
                return Ok(MatchEnding::Finished);
            }
            if playing.is_in_step() && playing.over {
                return Ok(MatchEnding::Over);
            }
            let may_start = playing.plan(&mut self.random)?;
            match self.next(players, &mut look, playing.held.map(|(due, _)| due), may_start).await? {
                Next::Heard(by, heard) => self.receive(playing, by, heard)?,
                Next::Start(Some(due)) if playing.held.is_some() || self.run_state.take_turn(due) => {
                    self.send(players, playing, due).await?;
                }
                Next::Start(due) => {
                    self.starts.give_up(due, &self.run_state);
                    (playing.over, playing.last_activity) = (true, Instant::now());
                }
                Next::Look if may_start => {}
                Next::Look if playing.over && playing.last_activity.elapsed() > LAST_WITHIN => {
                    self.tally.count_error(&ClientError::Silence(LAST_WITHIN.as_secs()), &self.run_state);
                    return Ok(MatchEnding::Over);
                }
                Next::Look if playing.last_activity.elapsed() > SILENCE_MAX && playing.held.is_none() => {
                    return Err(match playing.sent {
                        Some(_) => ClientError::Silence(SILENCE_MAX.as_secs()),
                        None => ClientError::Stuck,
                    });
                }
                Next::Look => {}
            }
        }
    }

    /// Waits for what happens next. Received messages come before a new turn, so that the players do not keep
    /// each other waiting.
    async fn next(
        &mut self,
        players: &mut [Player; 2],
        look: &mut Interval,
        held: Option<Instant>,
        may_start: bool,
    ) -> Result<Next, ClientError> {
        let [one, two] = players;
        let start = async {
            match held {
                Some(due) => Some(due),
                None => self.starts.next().await,
            }
        };
        Ok(tokio::select! {
            biased;
            heard = one.receive() => Next::Heard(0, heard?),
            heard = two.receive() => Next::Heard(1, heard?),
            due = start, if may_start => Next::Start(due),
            _ = look.tick() => Next::Look,
        })
    }

    async fn send(
        &mut self,
        players: &mut [Player; 2],
        playing: &mut RunningMatch,
        due: Instant,
    ) -> Result<(), ClientError> {
        let (Some(turn), Some(by)) = (playing.planned.take(), playing.to_play()) else {
            return Err(ClientError::Stuck);
        };
        let counts = self.run_state.counts(due);
        let is_first = playing.held.take().is_none();
        // Nothing else happens in this match: the next event is the turn.
        let answers = turn.seq;
        let watching = self.audience.sending(answers + 1, due);
        if counts && is_first {
            self.tally.sent += 1;
            self.tally.late.record(due.elapsed());
            self.tally.shown += u64::from(watching);
        }
        let asked = players[by].play(playing.view.id, turn).await?;
        playing.last_activity = Instant::now();
        playing.sent = Some(Sent { by, asked, answers, due, counts, acknowledged: false, received: false });
        Ok(())
    }

    fn receive(&mut self, playing: &mut RunningMatch, by: usize, heard: Incoming) -> Result<(), ClientError> {
        playing.last_activity = Instant::now();
        match heard {
            Incoming::Event(event) if event.id == playing.view.id => self.event(playing, by, &event)?,
            Incoming::Answer { re, outcome } => {
                let now = playing.last_activity;
                let Some(sent) = playing.sent.as_mut().filter(|sent| sent.by == by && re == Some(sent.asked))
                else {
                    return Ok(());
                };
                match outcome {
                    Ok(answer) => {
                        let Head { head } = serde_json::from_str(answer.get())
                            .map_err(|error| ConnectionError::Unreadable(error.to_string()))?;
                        playing.told = playing.told.max(head);
                        sent.acknowledged = true;
                        if sent.counts {
                            self.tally.acknowledged.record(now - sent.due);
                        }
                    }
                    Err(problem) => {
                        let due = sent.due;
                        let error = ClientError::Ask(RequestError::Problem(problem));
                        let Some(seconds) = error.retry_after_s() else { return Err(error) };
                        self.tally.count_error(&error, &self.run_state);
                        playing.sent = None;
                        playing.held = Some((due, now + Duration::from_secs(seconds.min(HELD_MAX_S))));
                    }
                }
            }
            Incoming::Event(_) | Incoming::Notice(_) => {}
        }
        if playing.sent.as_ref().is_some_and(|sent| sent.acknowledged && sent.received) {
            playing.sent = None;
        }
        Ok(())
    }

    fn event(
        &mut self,
        playing: &mut RunningMatch,
        by: usize,
        event: &EventMessage,
    ) -> Result<(), ClientError> {
        self.tally.place(playing.orders[by].receive(event.seq));
        if !self.audience.is_unchanged(event.seq, event.text()) {
            self.tally.changed += 1;
        }
        if by == 0 {
            self.tally.pushed.0 += event.text().len() as u64;
        }
        if let Some(sent) = &mut playing.sent
            && sent.by != by
            && !sent.received
            && event.seq > sent.answers
            && event.kind() == Some("turned")
        {
            sent.received = true;
            self.tally.pushed.1 += 1;
            self.run_state.turns.fetch_add(1, Relaxed);
            if sent.counts {
                self.tally.received.record(playing.last_activity - sent.due);
            }
        }
        if event.seq > playing.view.head {
            playing.view.follow(&event.read()?)?;
        }
        Ok(())
    }
}

impl RunningMatch {
    fn new(view: MatchView, orders: [EventOrder; 2]) -> Self {
        let (told, last_activity) = (view.head, Instant::now());
        Self { view, orders, told, planned: None, sent: None, held: None, last_activity, over: false }
    }

    /// Whether both players have received all events.
    fn is_in_step(&self) -> bool {
        let head = self.view.head;
        self.sent.is_none() && head >= self.told && self.orders.iter().all(|order| order.head() == head)
    }

    /// The player to move, if there is one.
    fn to_play(&self) -> Option<usize> {
        self.view.to_play.as_ref().map(|to_play| usize::from(to_play.seat == Seat::Two))
    }

    /// Chooses the next turn, if the player to move knows that it is theirs. Returns whether there is one to
    /// send.
    fn plan(&mut self, random: &mut StdRng) -> Result<bool, ViewError> {
        if self.over || self.sent.is_some() || self.held.is_some_and(|(_, until)| Instant::now() < until) {
            return Ok(false);
        }
        let Some(to_play) = &self.view.to_play else { return Ok(false) };
        if self.orders[usize::from(to_play.seat == Seat::Two)].head() < to_play.seq {
            return Ok(false);
        }
        if self.planned.is_none() {
            let seq = to_play.seq;
            self.planned = self.view.choose(random)?.map(|steps| PlayTurn { seq, steps });
        }
        Ok(self.planned.is_some())
    }
}
