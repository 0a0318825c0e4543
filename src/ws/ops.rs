//! The socket's own operations; for all others see [`super::api`].

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use lusoria_protocol::{
    Code, ForMatch, Keyed, MatchId, Problem,
    socket::{MatchCommand, Nothing, OfMatch, Op, Watch},
};

use super::{
    client::{Client, viewer},
    reply::{RequestId, fitting, reply, written},
};
use crate::{app::Operation, live::Arrived};

impl Client {
    /// Carries out request `re` and returns its reply.
    pub(super) async fn carry_out(&mut self, re: u32, op: Op, arrived: Arrived, id: RequestId) -> Utf8Bytes {
        if !matches!(op, Op::Http(_) | Op::Command(_)) {
            // It may take long, and no deadline is to wait for it.
            arrived.holds_nothing_up();
        }
        let outcome = match op {
            // Nearly every request is a turn. The others are boxed, so that the future of a turn stays small.
            Op::Http(request) => {
                return Box::pin(self.over_http(request, arrived, id)).await.reply(re);
            }
            Op::Command(command) => self.command(command, arrived).await,
            Op::Hello(_) => Err(Code::AlreadyReady.into()),
            Op::Ping(Nothing {}) => written(&Nothing {}),
            Op::Watch(request) => Box::pin(self.watch(&request)).await,
            Op::Unwatch(OfMatch { id }) => self.unwatch(id),
            Op::Lobby(switch) => Box::pin(self.lobby(switch)).await,
            Op::Personal(switch) => Box::pin(self.personal(switch)).await,
            Op::Talk(switch) => Box::pin(self.talk(switch)).await,
            Op::Tournament(switch) => Box::pin(self.tournament(switch)).await,
        };
        reply(id, Some(re), outcome)
    }

    async fn command(
        &self,
        ForMatch { id, request: Keyed { key, request: command } }: ForMatch<Keyed<MatchCommand>>,
        arrived: Arrived,
    ) -> Result<Bytes, Problem> {
        arrived.concerns(id);
        let caller = self.permitted(operation(&command))?.asking(Some(arrived));
        let response = self.sockets.app.command(&caller, id, key.as_ref(), command).await?;
        fitting(response.into_json())
    }

    async fn watch(&mut self, request: &Watch) -> Result<Bytes, Problem> {
        self.permit(Operation::Events)?;
        let Self { sockets, caller, watches, mailbox, .. } = self;
        let (viewer, watches_max) = (viewer(caller.as_ref()), sockets.limits.watches);
        written(&watches.watch(&sockets.app, mailbox, viewer, request, watches_max).await?)
    }

    fn unwatch(&mut self, id: MatchId) -> Result<Bytes, Problem> {
        self.watches.unwatch(id)?;
        self.hush(id);
        written(&Nothing {})
    }
}

/// The entry of a command in the access table.
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
