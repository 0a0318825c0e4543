//! A guest who plays against the computer at its highest level, match after match, and plays each turn
//! at once.

use std::sync::Arc;

use lusoria_protocol::{
    Computer, CreateMatch, Created, EventKind, Level, PlayTurn, Seat, Token,
    socket::{ApiRequest, OnLag, Op},
};
use rand::rngs::StdRng;
use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};

use super::{
    connection_opener::ConnectionOpener, error::ClientError, run::Stage, run_state::RunState, tally::Tally,
};
use lusoria_client::{Connection, EventMessage, Incoming, MatchView, RequestError};

/// The computer's level.
const LEVEL: i64 = 5;

pub(super) struct GuestAgainstComputer {
    pub(super) opener: Arc<ConnectionOpener>,
    pub(super) run_state: Arc<RunState>,
    pub(super) stage: watch::Receiver<Stage>,
    pub(super) over: watch::Receiver<bool>,
    pub(super) ready: mpsc::Sender<()>,
    pub(super) token: Token,
    pub(super) terms: CreateMatch,
    pub(super) random: StdRng,
}

impl GuestAgainstComputer {
    /// Plays until the run is over. Notifies the run when the guest is connected.
    ///
    /// # Errors
    /// If the guest cannot connect, or a match cannot continue.
    pub(super) async fn play(mut self) -> Result<Tally, ClientError> {
        let mut connection = self.opener.open(Some(&self.token)).await?;
        // The run may have given up waiting.
        let _ = self.ready.send(()).await;
        let mut over = self.over.clone();
        let mut tally = Tally::default();
        tokio::select! {
            ended = self.play_on(&mut connection, &mut tally) => ended?,
            _ = over.wait_for(|&over| over) => {}
        }
        Ok(tally)
    }

    /// Plays one match after the other, until something goes wrong.
    async fn play_on(&mut self, connection: &mut Connection, tally: &mut Tally) -> Result<(), ClientError> {
        // The run goes through all stages, or ends.
        let _ = self.stage.wait_for(|reached| *reached >= Stage::SitDown).await;
        loop {
            self.play_match(connection, tally).await?;
        }
    }

    async fn play_match(
        &mut self,
        connection: &mut Connection,
        tally: &mut Tally,
    ) -> Result<(), ClientError> {
        let made: Created = connection.ask(ApiRequest::post("/matches", &self.terms)).await?;
        let mut view = connection.watch(made.created.id, OnLag::Journal).await?;
        let mut answered = 0;
        // When the computer's turn began.
        let mut given = Instant::now();
        while !view.has_ended() {
            let ours = view.to_play.as_ref().filter(|to_play| to_play.seat == Seat::One);
            if let Some(seq) = ours.map(|to_play| to_play.seq).filter(|seq| *seq > answered)
                && let Some(steps) = view.choose(&mut self.random)?
            {
                connection.send(Op::command(view.id, None, PlayTurn { seq, steps })).await?;
                answered = seq;
            }
            match connection.receive().await? {
                Incoming::Event(event) if event.id == view.id => {
                    self.event(&mut view, &event, &mut given, tally)?;
                }
                Incoming::Answer { outcome: Err(problem), .. } => {
                    return Err(ClientError::Ask(RequestError::Problem(problem)));
                }
                Incoming::Answer { .. } | Incoming::Event(_) | Incoming::Notice(_) => {}
            }
        }
        Ok(())
    }

    fn event(
        &self,
        view: &mut MatchView,
        event: &EventMessage,
        given: &mut Instant,
        tally: &mut Tally,
    ) -> Result<(), ClientError> {
        let now = Instant::now();
        let event = event.read()?;
        if let EventKind::Turned { thought: Some(thought), .. } = &event.kind
            && self.run_state.counts(*given)
        {
            tally.answered.record(now - *given);
            tally.budgets += u64::from(thought.budget);
        }
        view.follow(&event)?;
        let to_play = view.to_play.as_ref();
        if to_play.is_some_and(|to_play| to_play.seat == Seat::Two && to_play.seq == event.seq) {
            *given = now;
        }
        Ok(())
    }
}

/// The same match against the computer.
pub(super) fn with_computer_opponent(terms: &CreateMatch) -> CreateMatch {
    let computer = Level::try_from(LEVEL).expect("there is such a level");
    CreateMatch { opponent: Some(Computer { computer }), ..*terms }
}
