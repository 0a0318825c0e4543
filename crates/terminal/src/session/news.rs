//! Handles the server's messages.

use lusoria_protocol::{EventKind, MatchId, Notice, Snapshot, socket::ApiRequest};

use super::{Session, SessionError, outbox::Pending, play::TurnState};
use crate::{
    event_text::{clipped, named, told},
    output::Output,
};
use lusoria_client::{ConnectionError, EventMessage, LinkEvent};

impl<O: Output> Session<O> {
    pub(super) async fn heard(&mut self, news: LinkEvent) -> Result<(), SessionError> {
        match news {
            LinkEvent::Event(event) => self.happened(&event).await,
            LinkEvent::Notice(notice) => self.noticed(&notice).await,
            LinkEvent::Lost(why) => {
                let why = match why {
                    ConnectionError::Closed { code, reason } if !reason.is_empty() => {
                        format!(" ({code} {})", clipped(&reason, 100))
                    }
                    ConnectionError::Refused { status, .. } => format!(" ({status})"),
                    ConnectionError::Unreadable(what) => format!(" ({})", clipped(&what, 100)),
                    ConnectionError::Closed { .. }
                    | ConnectionError::Unreachable(_)
                    | ConnectionError::Unanswered
                    | ConnectionError::Away
                    | ConnectionError::Broken(_) => String::new(),
                };
                self.say(&format!("-- The connection is lost{why}. Reconnecting until it is back."))
            }
            LinkEvent::Anew(snapshot) => self.gone_back(*snapshot).await,
            LinkEvent::Back => {
                self.say("-- The connection is back.")?;
                self.outbox.refusals = 0;
                self.listen().await;
                self.follow_again().await;
                self.reveal().await?;
                self.records.check_again();
                self.draw_soon();
                self.send_pending().await
            }
        }
    }

    /// Handles a restore of the server from a backup: the match is as in that snapshot.
    async fn gone_back(&mut self, snapshot: Snapshot) -> Result<(), SessionError> {
        self.turn = TurnState::default();
        let unsent = self.outbox.has_promises();
        if unsent {
            self.is_refused(true);
        }
        self.outbox.waiting.retain(|pending| matches!(pending, Pending::Sit(_)));
        let Some(current) = &mut self.current else { return Ok(()) };
        if current.now.id == snapshot.id {
            self.records.seen.entry(snapshot.id).or_default().put_back(&snapshot);
            current.now = snapshot.into();
        }
        self.say("-- The connection is back. The server was put back to an earlier time: this is the match as it was then.")?;
        if unsent {
            self.say("What was to be sent is not sent: look what still fits, and type it again.")?;
        }
        self.reveal().await?;
        self.draw_soon();
        self.send_pending().await
    }

    async fn happened(&mut self, numbered: &EventMessage) -> Result<(), SessionError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        if current.now.id != numbered.id || current.now.head >= numbered.seq {
            return Ok(());
        }
        // An event type of a newer server: the snapshot says enough.
        let Ok(event) = numbered.read() else { return self.look_instead(numbered.id).await };
        // The text describes the event in the state before it.
        self.records.seen.entry(numbered.id).or_default().told(&event);
        let joins = matches!(event.kind, EventKind::Joined { .. });
        let line = told(current, &event);
        if current.now.follow(&event).is_err() {
            return self.look_instead(numbered.id).await;
        }
        let concerns = current.mine().is_empty() || current.both_mine();
        if let Some(line) = line {
            self.say(&line)?;
        }
        if joins {
            self.reveal().await?;
        }
        match &event.kind {
            EventKind::GameStarted { .. } | EventKind::TakenBack { .. } | EventKind::GameEnded { .. } => {
                self.draw_soon();
            }
            EventKind::Turned { .. } if concerns => self.draw_soon(),
            EventKind::Thrown { .. } | EventKind::OpeningThrown { .. } | EventKind::Turned { .. } => {
                if self.my_turn().is_some() {
                    self.draw_soon();
                }
            }
            EventKind::MatchEnded { .. } => {
                self.draw_soon();
                self.records.check(numbered.id);
            }
            EventKind::RematchDeclined { .. } => self.next_expected = false,
            EventKind::RematchAgreed { next } if !concerns || self.my_seat_is_known() => {
                self.sit(*next).await?;
                self.next_expected = false;
            }
            EventKind::RematchAgreed { .. }
            | EventKind::Created { .. }
            | EventKind::Joined { .. }
            | EventKind::SeedRevealed { .. }
            | EventKind::Passed { .. }
            | EventKind::TakebackOffered { .. }
            | EventKind::TakebackDeclined { .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::Rated { .. }
            | EventKind::Unrated { .. }
            | EventKind::RematchOffered { .. } => {}
        }
        Ok(())
    }

    /// Fetches a snapshot, in place of an event that cannot be applied.
    async fn look_instead(&mut self, id: MatchId) -> Result<(), SessionError> {
        if let Some(snapshot) = self.ask::<Snapshot>(ApiRequest::get(&format!("/matches/{id}"))).await?
            && let Some(current) = &mut self.current
        {
            self.records.seen.entry(id).or_default().shown(&snapshot);
            current.now = snapshot.into();
        }
        self.draw_soon();
        Ok(())
    }

    fn my_seat_is_known(&self) -> bool {
        self.current.as_ref().is_some_and(|current| !current.mine().is_empty())
    }

    async fn noticed(&mut self, notice: &Notice) -> Result<(), SessionError> {
        match notice {
            Notice::Time { server_time } => {
                self.ahead_ms = super::ahead_of(*server_time);
                Ok(())
            }
            Notice::Presence { id, seat, connected } => {
                let Some(current) = self.current.as_mut().filter(|current| current.now.id == *id) else {
                    return Ok(());
                };
                let changed = current.now.set_connected(*seat, *connected);
                if !changed || current.mine().contains(seat) {
                    return Ok(());
                }
                let name = named(current, *seat);
                self.say(&if *connected { format!("({name} is back)") } else { format!("({name} has gone)") })
            }
            Notice::Seek { seek } => self.heard_of_seek(seek).await,
            Notice::Challenge { challenge } => self.heard_of_challenge(challenge).await,
            Notice::TournamentChanged { tournament, head } => {
                self.heard_of_change(*tournament, *head);
                Ok(())
            }
            Notice::TournamentCall { .. } => self.heard_of_call(notice),
            Notice::TournamentEnded { tournament, name } => self.heard_of_end(*tournament, name),
            Notice::Building { .. }
            | Notice::Spectators { .. }
            | Notice::Remark { .. }
            | Notice::Skipped { .. }
            | Notice::YourTurn { .. }
            | Notice::MatchChanged { .. }
            | Notice::Opened { .. }
            | Notice::Closed { .. }
            | Notice::TvSwitched { .. } => Ok(()),
        }
    }
}
