//! The operations: each is the method of the application that HTTP calls too.

use std::sync::Arc;

use lusoria_protocol::{
    Code, ForChallenge, ForGame, ForMatch, Keyed, MatchStage, Problem,
    socket::{
        EventsOf, GameNamed, ListMatches, ListMine, MatchCommand, Nothing, OfChallenge, OfMatch, OfSeek,
        OfSession, Op, RecordOf,
    },
};

use super::{
    client::{Client, viewer},
    limits::EVENTS_MAX,
    reply::{fitting, limit, written},
};
use crate::{
    app::{Operation, within_head},
    live::{Arrived, Positions},
};
use lusoria_wire::catalogue;

/// The longest page of matches.
const PAGE_MAX: u32 = 100;
/// How many matches a page has if nothing is said.
const PAGE_USUAL: u32 = 20;
/// The most events that may be asked for; an answer has [`EVENTS_MAX`] at most.
const EVENTS_ASKED_MAX: u32 = 1_000;
/// How many events a page has if nothing is said.
const EVENTS_USUAL: u32 = 100;

impl Client {
    /// Carries out a request and gives the answer as JSON.
    ///
    /// # Errors
    /// Those of the operation.
    pub(super) async fn carry_out(&mut self, op: Op, arrived: Arrived) -> Result<String, Problem> {
        match &op {
            Op::Command(command) => arrived.concerns(command.id),
            // It may take long, and no deadline is to wait for it.
            _ => arrived.holds_nothing_up(),
        }
        self.asks(Some(arrived));
        let answer = self.answer(op).await;
        self.asks(None);
        answer
    }

    fn asks(&mut self, arrived: Option<Arrived>) {
        if let Some(caller) = &mut self.caller {
            caller.asks(arrived);
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    async fn answer(&mut self, op: Op) -> Result<String, Problem> {
        let sockets = Arc::clone(&self.sockets);
        let app = &sockets.app;
        if let Some(operation) = operation(&op) {
            self.permit(operation)?;
        }
        match op {
            Op::Hello(_) => Err(Code::AlreadyReady.into()),
            Op::Ping(Nothing {}) => written(&Nothing {}),
            Op::Watch(request) => {
                let Self { caller, watches, mailbox, .. } = self;
                let (viewer, watches_max) = (viewer(caller.as_ref()), sockets.limits.watches);
                written(&watches.watch(app, mailbox, viewer, &request, watches_max).await?)
            }
            Op::Unwatch(OfMatch { id }) => {
                self.watches.unwatch(id)?;
                self.hush(id);
                written(&Nothing {})
            }
            Op::Lobby(switch) => self.lobby(switch).await,
            Op::Personal(switch) => self.personal(switch).await,
            Op::Games(Nothing {}) => written(catalogue::catalogue()),
            Op::Game(GameNamed { game }) => written(catalogue::entry(game)),
            Op::Guest(request) => written(&app.create_guest(request, self.address.0).await?),
            Op::Me(Nothing {}) => written(&app.me(self.caller()?).await?),
            Op::Rename(request) => self.rename(&request).await,
            Op::DeviceCode(Nothing {}) => written(&app.device_code(self.caller()?).await?),
            Op::SpendDeviceCode(request) => written(&app.spend_device_code(&request).await?),
            Op::RevokeToken(Nothing {}) => {
                app.revoke_token(self.caller()?).await?;
                written(&Nothing {})
            }
            Op::Sessions(Nothing {}) => written(&app.sessions(self.caller()?).await?),
            Op::RevokeSession(OfSession { session }) => {
                app.revoke_session(self.caller()?, session).await?;
                written(&Nothing {})
            }
            Op::RevokeOtherSessions(Nothing {}) => {
                app.revoke_other_sessions(self.caller()?).await?;
                written(&Nothing {})
            }
            Op::Create(Keyed { key, request }) => {
                written(&Box::pin(app.create(self.caller()?, &request, key.as_ref())).await?)
            }
            Op::Seek(request) => written(&app.seek(self.caller()?, &request).await?),
            Op::Seeks(Nothing {}) => written(&app.seeks(self.caller()?).await?),
            Op::WithdrawSeek(OfSeek { seek }) => {
                app.withdraw_seek(self.caller()?, seek).await?;
                written(&Nothing {})
            }
            Op::Challenge(request) => written(&app.challenge(self.caller()?, &request).await?),
            Op::Challenges(Nothing {}) => written(&app.challenges(self.caller()?).await?),
            Op::AcceptChallenge(ForChallenge { id, request }) => {
                written(&app.accept_challenge(self.caller()?, id, &request).await?)
            }
            Op::DeclineChallenge(ForChallenge { id, request }) => {
                written(&app.decline_challenge(self.caller()?, id, &request).await?)
            }
            Op::WithdrawChallenge(OfChallenge { challenge }) => {
                app.withdraw_challenge(self.caller()?, challenge).await?;
                written(&Nothing {})
            }
            Op::Command(ForMatch { id, request: Keyed { key, request: command } }) => {
                let response = app.command(self.caller()?, id, key.as_ref(), command).await?;
                fitting(response.into_json().into())
            }
            Op::Invite(OfMatch { id }) => written(&app.invite(self.caller()?, id).await?),
            Op::WithdrawInvitation(OfMatch { id }) => {
                app.withdraw_invitation(self.caller()?, id).await?;
                written(&Nothing {})
            }
            Op::LookInvitation(request) => written(&app.look_at_invitation(&request).await?),
            Op::SpendInvitation(Keyed { key, request }) => {
                let spent = Box::pin(app.spend_invitation(self.caller()?, &request, key.as_ref()));
                let response = spent.await?;
                fitting(response.into_json().into())
            }
            Op::Legal(ForMatch { id, request }) => written(&app.legal(self.viewer(), id, &request).await?),
            Op::Talk(switch) => self.talk(switch).await,
            Op::Say(ForMatch { id, request }) => written(&app.say(self.caller()?, id, &request).await?),
            Op::Building(ForMatch { id, request }) => {
                app.show_building(self.caller()?, id, &request).await?;
                written(&Nothing {})
            }
            Op::Hint(OfMatch { id }) => written(&app.hint(self.caller()?, id, self.address).await?),
            Op::Snapshot(OfMatch { id }) => written(&app.snapshot(id, self.viewer()).await?),
            Op::Events(EventsOf { id, since, limit: asked, positions }) => {
                let limit = limit(asked, EVENTS_USUAL, EVENTS_ASKED_MAX)?.min(EVENTS_MAX);
                let (positions, caller) = (Positions::asked(positions), self.viewer());
                let events = app.events(id, since, limit, positions, caller, self.address).await?;
                within_head(since, events.head)?;
                written(&events)
            }
            Op::Record(RecordOf { id, analysis: false }) => written(&app.record(id, self.address).await?),
            Op::Record(RecordOf { id, analysis: true }) => {
                written(&Box::pin(app.record_with_analysis(id, self.address)).await?)
            }
            Op::Analysis(OfMatch { id }) => written(&app.analysis(id, self.address).await?),
            Op::Rules(ForGame { game, request }) => {
                written(&app.ask_rules(game, request, self.address).await?)
            }
            Op::Matches(ListMatches { state, game, cursor, limit: asked }) => {
                let limit = limit(asked, PAGE_USUAL, PAGE_MAX)?;
                let state = state.unwrap_or(MatchStage::Open);
                written(&app.matches(state, game, cursor.as_ref(), limit, self.address).await?)
            }
            Op::MyMatches(ListMine { state, cursor, limit: asked }) => {
                let limit = limit(asked, PAGE_USUAL, PAGE_MAX)?;
                let caller = self.caller()?;
                written(&app.my_matches(caller, state, cursor.as_ref(), limit, self.address).await?)
            }
        }
    }
}

/// What is asked for; none if it concerns only the connection.
const fn operation(op: &Op) -> Option<Operation> {
    Some(match op {
        Op::Hello(_) | Op::Ping(_) | Op::Unwatch(_) => return None,
        Op::Watch(_) | Op::Events(_) => Operation::Events,
        Op::Lobby(_) => Operation::LobbyEvents,
        Op::Personal(_) => Operation::MyEvents,
        Op::Games(_) => Operation::Games,
        Op::Game(_) => Operation::Game,
        Op::Guest(_) => Operation::CreateGuest,
        Op::Me(_) => Operation::Me,
        Op::Rename(_) => Operation::Rename,
        Op::DeviceCode(_) => Operation::MakeDeviceCode,
        Op::SpendDeviceCode(_) => Operation::SpendDeviceCode,
        Op::RevokeToken(_) => Operation::RevokeToken,
        Op::Sessions(_) => Operation::Sessions,
        Op::RevokeSession(_) => Operation::RevokeSession,
        Op::RevokeOtherSessions(_) => Operation::RevokeOtherSessions,
        Op::Create(_) => Operation::CreateMatch,
        Op::Command(ForMatch { request: Keyed { request, .. }, .. }) => match request {
            MatchCommand::Join(_) => Operation::Join,
            MatchCommand::Seed(_) => Operation::RevealSeed,
            MatchCommand::Turn(_) => Operation::PlayTurn,
            MatchCommand::Takeback(_) => Operation::Takeback,
            MatchCommand::Resign(_) => Operation::Resign,
            MatchCommand::Abort(_) => Operation::Abort,
            MatchCommand::Claim(_) => Operation::Claim,
            MatchCommand::Draw(_) => Operation::Draw,
            MatchCommand::Rematch(_) => Operation::Rematch,
        },
        Op::Seek(_) => Operation::CreateSeek,
        Op::Seeks(_) => Operation::Seeks,
        Op::WithdrawSeek(_) => Operation::WithdrawSeek,
        Op::Challenge(_) => Operation::CreateChallenge,
        Op::Challenges(_) => Operation::Challenges,
        Op::AcceptChallenge(_) => Operation::AcceptChallenge,
        Op::DeclineChallenge(_) => Operation::DeclineChallenge,
        Op::WithdrawChallenge(_) => Operation::WithdrawChallenge,
        Op::Invite(_) => Operation::Invite,
        Op::WithdrawInvitation(_) => Operation::WithdrawInvitation,
        Op::LookInvitation(_) => Operation::LookInvitation,
        Op::SpendInvitation(_) => Operation::SpendInvitation,
        Op::Legal(_) => Operation::Legal,
        Op::Talk(_) => Operation::Talk,
        Op::Say(_) => Operation::Say,
        Op::Building(_) => Operation::Building,
        Op::Hint(_) => Operation::Hint,
        Op::Snapshot(_) => Operation::Snapshot,
        Op::Record(_) => Operation::Record,
        Op::Analysis(_) => Operation::Analysis,
        Op::Rules(_) => Operation::Rules,
        Op::Matches(_) => Operation::Matches,
        Op::MyMatches(_) => Operation::MyMatches,
    })
}
