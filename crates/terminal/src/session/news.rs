//! What is heard while one types.

use lusoria_protocol::{
    EventKind, MatchId, Notice, Snapshot,
    socket::{OfMatch, Op},
};

use super::{Failure, Session, owed::Owed, play::TurnState};
use crate::{
    output::Output,
    telling::{clipped, named, told},
};
use lusoria_client::{Lost, News, Numbered};

impl<O: Output> Session<O> {
    pub(super) async fn heard(&mut self, news: News) -> Result<(), Failure> {
        match news {
            News::Event(event) => self.happened(&event).await,
            News::Notice(notice) => self.noticed(&notice),
            News::Lost(why) => {
                let why = match why {
                    Lost::Closed { code, reason } if !reason.is_empty() => {
                        format!(" ({code} {})", clipped(&reason, 100))
                    }
                    Lost::Refused { status, .. } => format!(" ({status})"),
                    Lost::Unreadable(what) => format!(" ({})", clipped(&what, 100)),
                    Lost::Closed { .. }
                    | Lost::Unreachable(_)
                    | Lost::Unanswered
                    | Lost::Away
                    | Lost::Broken(_) => String::new(),
                };
                self.say(&format!("-- The connection is lost{why}. Reconnecting until it is back."))
            }
            News::Anew(snapshot) => self.gone_back(*snapshot).await,
            News::Back => {
                self.say("-- The connection is back.")?;
                self.outbox.refusals = 0;
                self.reveal().await?;
                self.records.check_again();
                self.draw_soon();
                self.send_owed().await
            }
        }
    }

    /// The server has gone back to a backup: the match is as it stands there.
    async fn gone_back(&mut self, snapshot: Snapshot) -> Result<(), Failure> {
        self.turn = TurnState::default();
        let unsent = self.outbox.has_promises();
        if unsent {
            self.is_refused(true);
        }
        self.outbox.waiting.retain(|owed| matches!(owed, Owed::Sit(_)));
        let Some(table) = &mut self.table else { return Ok(()) };
        if table.now.id == snapshot.id {
            self.records.seen.entry(snapshot.id).or_default().put_back(&snapshot);
            table.now = snapshot.into();
        }
        self.say("-- The connection is back. The server was put back to an earlier time: this is the match as it was then.")?;
        if unsent {
            self.say("What was to be sent is not sent: look what still fits, and type it again.")?;
        }
        self.reveal().await?;
        self.draw_soon();
        self.send_owed().await
    }

    async fn happened(&mut self, numbered: &Numbered) -> Result<(), Failure> {
        let Some(table) = &mut self.table else { return Ok(()) };
        if table.now.id != numbered.id || table.now.head >= numbered.seq {
            return Ok(());
        }
        // Of a kind that a newer server has: how the match stands now tells enough.
        let Ok(event) = numbered.read() else { return self.look_instead(numbered.id).await };
        // A game that begins is told with what is known then.
        self.records.seen.entry(numbered.id).or_default().told(&event);
        let joins = matches!(event.kind, EventKind::Joined { .. });
        let line = told(table, &event);
        if table.now.follow(&event).is_err() {
            return self.look_instead(numbered.id).await;
        }
        let concerns = table.mine().is_empty() || table.both_mine();
        if let Some(line) = line {
            self.say(&line)?;
        }
        if joins {
            self.reveal().await?;
        }
        match &event.kind {
            EventKind::GameStarted { .. } | EventKind::GameEnded { .. } => self.draw_soon(),
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
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::RematchOffered { .. } => {}
        }
        Ok(())
    }

    /// Asks how the match stands, in place of an event that cannot be followed.
    async fn look_instead(&mut self, id: MatchId) -> Result<(), Failure> {
        if let Some(snapshot) = self.ask::<Snapshot>(Op::Snapshot(OfMatch { id })).await?
            && let Some(table) = &mut self.table
        {
            self.records.seen.entry(id).or_default().shown(&snapshot);
            table.now = snapshot.into();
        }
        self.draw_soon();
        Ok(())
    }

    fn my_seat_is_known(&self) -> bool {
        self.table.as_ref().is_some_and(|table| !table.mine().is_empty())
    }

    fn noticed(&mut self, notice: &Notice) -> Result<(), Failure> {
        match notice {
            Notice::Time { server_time } => {
                self.ahead_ms = super::ahead_of(*server_time);
                Ok(())
            }
            Notice::Presence { id, seat, connected } => {
                let Some(table) = self.table.as_mut().filter(|table| table.now.id == *id) else {
                    return Ok(());
                };
                let changed = table.now.set_connected(*seat, *connected);
                if !changed || table.mine().contains(seat) {
                    return Ok(());
                }
                let name = named(table, *seat);
                self.say(&if *connected { format!("({name} is back)") } else { format!("({name} has gone)") })
            }
            Notice::Building { .. }
            | Notice::Skipped { .. }
            | Notice::YourTurn { .. }
            | Notice::MatchChanged { .. }
            | Notice::Opened { .. }
            | Notice::Closed { .. } => Ok(()),
        }
    }
}
