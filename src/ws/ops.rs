//! The operations of a connection and of its matches; for everything else see [`super::api`].

use axum::extract::ws::Utf8Bytes;
use lusoria_protocol::{
    Code, ForMatch, Keyed, MatchId, Problem,
    socket::{MatchCommand, Nothing, OfMatch, Op, Watch},
};

use super::{
    client::{Client, viewer},
    reply::{RequestId, fitting, reply, written},
};
use crate::{
    app::Operation,
    live::{Arrived, LastRead},
};

impl Client {
    /// Carries out the request `re` and gives the reply to it.
    pub(super) async fn carry_out(
        &mut self,
        re: u32,
        op: Op,
        arrived: Arrived,
        last_read: &LastRead,
        id: RequestId,
    ) -> Utf8Bytes {
        if !matches!(op, Op::Http(_) | Op::Command(_)) {
            // It may take long, and no deadline is to wait for it.
            arrived.holds_nothing_up();
        }
        let outcome = match op {
            Op::Http(request) => return self.over_http(request, arrived, last_read, id).await.reply(re),
            Op::Command(command) => self.command(command, arrived).await,
            Op::Hello(_) => Err(Code::AlreadyReady.into()),
            Op::Ping(Nothing {}) => written(&Nothing {}),
            Op::Watch(request) => self.watch(&request).await,
            Op::Unwatch(OfMatch { id }) => self.unwatch(id),
            Op::Lobby(switch) => self.lobby(switch).await,
            Op::Personal(switch) => self.personal(switch).await,
            Op::Talk(switch) => self.talk(switch).await,
        };
        reply(id, Some(re), outcome)
    }

    async fn command(
        &self,
        ForMatch { id, request: Keyed { key, request: command } }: ForMatch<Keyed<MatchCommand>>,
        arrived: Arrived,
    ) -> Result<String, Problem> {
        arrived.concerns(id);
        self.permit(operation(&command))?;
        let caller = self.caller()?.asking(Some(arrived));
        let response = self.sockets.app.command(&caller, id, key.as_ref(), command).await?;
        fitting(response.into_json().into())
    }

    async fn watch(&mut self, request: &Watch) -> Result<String, Problem> {
        self.permit(Operation::Events)?;
        let Self { sockets, caller, watches, mailbox, .. } = self;
        let (viewer, watches_max) = (viewer(caller.as_ref()), sockets.limits.watches);
        written(&watches.watch(&sockets.app, mailbox, viewer, request, watches_max).await?)
    }

    fn unwatch(&mut self, id: MatchId) -> Result<String, Problem> {
        self.watches.unwatch(id)?;
        self.hush(id);
        written(&Nothing {})
    }
}

/// What a command is in the table of who may ask for what.
const fn operation(command: &MatchCommand) -> Operation {
    match command {
        MatchCommand::Join(_) => Operation::Join,
        MatchCommand::Seed(_) => Operation::RevealSeed,
        MatchCommand::Turn(_) => Operation::PlayTurn,
        MatchCommand::Takeback(_) => Operation::Takeback,
        MatchCommand::Resign(_) => Operation::Resign,
        MatchCommand::Abort(_) => Operation::Abort,
        MatchCommand::Claim(_) => Operation::Claim,
        MatchCommand::Draw(_) => Operation::Draw,
        MatchCommand::Rematch(_) => Operation::Rematch,
    }
}
