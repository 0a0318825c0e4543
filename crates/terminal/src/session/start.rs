//! The start and end of a session: the user's goal, the connection, and the outcome.

use std::io;

use futures_util::future::BoxFuture;
use lusoria_protocol::{
    CreateGuest, Game, Guest, GuestId, Name, RenameGuest,
    socket::{ApiRequest, HelloOk, Method},
};

use super::{
    Lobby, Opponents, Outbox, Records, Session, SessionState, Tournaments, TurnState, TypedAhead, WORDS_MAX,
    ahead_of, words,
};
use crate::{
    address::Destination,
    board::Style,
    event_text::clipped,
    input::Input,
    output::Output,
    profile::{Profile, ProfileError},
    sanitize,
    terms::{BadTerms, Terms},
};
use lusoria_client::{Link, Origin, RequestError};

/// The name of this device in the list of a guest's devices.
pub(crate) const DEVICE: &str = "lusoria play";

/// The goal of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// No particular goal: it lists the open matches.
    Lobby,
    /// To create a match.
    Create(Game, Terms),
    /// To take a seat.
    Join(Destination),
    /// To watch a match, to continue one of the user's own, or to look at a tournament.
    Watch(Destination),
    /// To continue a match where it is the user's turn.
    Resume,
}

/// The options of a session.
pub struct SessionOptions {
    /// The server.
    pub origin: Origin,
    /// The user's files: their identity and the dice of their matches.
    pub profile: Profile,
    /// The name that the user wants.
    pub name: Option<Name>,
    /// What the session is started for.
    pub goal: Goal,
    /// The style of drawing.
    pub style: Style,
}

/// The end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Good,
    /// The record of a match is wrong, or differs from what the session saw: its dice, its seeds or its
    /// turns.
    NotSound,
    /// The goal of a script was refused, or not reached in time.
    Refused,
    /// A waiting request was not sent: the connection did not come back in time, or the server refused it.
    NotSent,
    /// A match ended, but its dice could not be checked.
    NotChecked,
}

/// The reason that a session could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The user's files cannot be used.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The terms of the match to create are not possible.
    #[error(transparent)]
    Terms(#[from] BadTerms),
    /// The server no longer knows the guest.
    #[error(
        "the server does not know this guest any more ({0}): \"lusoria play login\" signs in to your account; \
         or move that file away to be a new guest"
    )]
    UnknownGuest(String),
    /// The server refuses the connection or the request.
    #[error("{}", .0)]
    Refused(String),
    /// There was no connection at the start.
    #[error("{0}")]
    NoConnection(String),
    /// The output is closed.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// The source of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputSource {
    /// A person, who sees the result of a line before they type the next one.
    Person,
    /// A pipe, whose lines were written in advance.
    Script,
}

impl InputSource {
    const fn of(input: &Input) -> Self {
        if input.is_edited() { Self::Person } else { Self::Script }
    }

    pub(super) const fn is_person(self) -> bool {
        matches!(self, Self::Person)
    }
}

/// The progress towards a script's goal. Its input is meant for the match of its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GoalState {
    /// It is reached, or the input comes from a person.
    Done,
    /// It is not reached yet.
    Pending,
    /// It cannot be reached.
    Failed,
}

/// Runs a session from its connection to its end.
///
/// # Errors
/// If it cannot start, or the server ends it.
pub fn run_session(
    options: SessionOptions,
    input: Input,
    output: Box<dyn Output + Send>,
) -> BoxFuture<'static, Result<Ending, SessionError>> {
    Box::pin(async move {
        let (link, hello, me) = arrive(&options).await?;
        let SessionOptions { profile, style, goal, .. } = options;
        let mut session = Session {
            link,
            profile,
            me,
            style,
            output,
            ahead_ms: ahead_of(hello.server_time),
            lobby: Lobby::default(),
            opponents: Opponents::default(),
            tournaments: Tournaments::default(),
            current: None,
            turn: TurnState::default(),
            outbox: Outbox::default(),
            records: Records::default(),
            ahead: TypedAhead::default(),
            state: SessionState::new(InputSource::of(&input)),
            to_confirm: None,
            draw_at: None,
            next_expected: false,
        };
        match session.greet_and_run(&hello, goal, input).await {
            Ok(()) => {}
            // The output is closed; the result so far counts.
            Err(SessionError::Output(why)) if why.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(session.ending());
            }
            Err(why @ (SessionError::UnknownGuest(_) | SessionError::Refused(_))) => {
                // If the output is closed, the exit code says it.
                let _ = session.tell_undone();
                return Err(why);
            }
            Err(why) => return Err(why),
        }
        let ending = session.ending();
        session.link.close().await;
        Ok(ending)
    })
}

impl<O: Output> Session<O> {
    async fn greet_and_run(&mut self, hello: &HelloOk, goal: Goal, input: Input) -> Result<(), SessionError> {
        self.greet(hello)?;
        self.begin(goal).await?;
        self.run(input).await?;
        self.tell_undone()
    }
}

/// Connects as the stored guest, or as a new one.
async fn arrive(options: &SessionOptions) -> Result<(Link, HelloOk, GuestId), SessionError> {
    let SessionOptions { origin, profile, name, goal, .. } = options;
    let open = async |token| Link::open(origin.clone(), token).await;
    let kept = profile.guest(origin)?;
    let is_new = kept.is_none();
    let (id, token) = if let Some(kept) = kept {
        (kept.id, kept.token)
    } else {
        let (mut stranger, _) = open(None).await.map_err(no_connection)?;
        check_terms(&mut stranger, goal).await?;
        let device = DEVICE.parse().ok();
        let ask = ApiRequest::post("/guests", &CreateGuest { name: name.clone(), bot: false, device });
        let guest: Guest = stranger.ask(ask).await.map_err(no_connection)?;
        profile.keep_guest(origin, &guest)?;
        stranger.close().await;
        (guest.id, guest.token)
    };
    let (mut link, mut hello) = open(Some(token)).await.map_err(|error| match error {
        RequestError::Problem(problem) if problem.status == 401 => {
            SessionError::UnknownGuest(profile.guest_file().display().to_string())
        }
        error => no_connection(error),
    })?;
    check_terms(&mut link, goal).await?;
    if let Some(name) = name
        && !is_new
        && hello.you.as_ref().is_some_and(|me| me.name != *name)
    {
        let rename = ApiRequest::new(Method::Patch, "/me").with(&RenameGuest { name: name.clone() });
        let me = link.ask(rename).await.map_err(no_connection)?;
        hello.you = Some(me);
    }
    Ok((link, hello, id))
}

/// Checks the terms of the match to create, before anything is changed.
async fn check_terms(link: &mut Link, goal: &Goal) -> Result<(), SessionError> {
    let Goal::Create(game, terms) = goal else { return Ok(()) };
    let entry = link.ask(ApiRequest::get(&format!("/games/{game}"))).await.map_err(no_connection)?;
    Ok(terms.request(&sanitize::entry(entry)).map(drop)?)
}

fn no_connection(error: RequestError) -> SessionError {
    match error {
        RequestError::Problem(problem) => SessionError::Refused(words(&problem)),
        why @ (RequestError::Lost(_) | RequestError::Unreadable(_)) => {
            SessionError::NoConnection(clipped(&why.to_string(), WORDS_MAX))
        }
    }
}
