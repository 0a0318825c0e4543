//! Who comes, what for, and how it ends.

use std::io;

use lusoria_protocol::{
    CreateGuest, Game, Guest, GuestId, Name, RenameGuest,
    socket::{GameNamed, HelloOk, Op},
};

use super::{Session, WORDS_MAX, fresh_key, words};
use crate::{
    board::Look,
    clean,
    input::Input,
    keep::{Keep, KeepError},
    output::Output,
    place::Door,
    telling::clipped,
    terms::{BadTerms, Terms},
};
use lusoria_client::{AskError, Link, Origin};

/// What this device is called in the list of a guest's devices.
const DEVICE: &str = "lusoria play";

/// What a person came for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// To look around.
    Hall,
    /// To make a match.
    Create(Game, Terms),
    /// To take a seat.
    Join(Door),
    /// To look at a match, or to go on with one's own.
    Watch(Door),
    /// To go on with the match of one's own that waits.
    Resume,
}

/// Who comes, where to and what for.
pub struct Visit {
    /// The server.
    pub origin: Origin,
    /// Where one's identity is kept.
    pub keep: Keep,
    /// What one wants to be called.
    pub name: Option<Name>,
    /// What for.
    pub errand: Errand,
    /// How things are drawn.
    pub look: Look,
}

/// How a visit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Good,
    /// A match was not what it should have been, or not what was seen of it: its dice, its seeds
    /// or its turns.
    NotSound,
    /// What a script came for was refused, or could not be done in time.
    Refused,
    /// Something that was promised to be done is not: the connection did not come back in time, or the
    /// server took it no more.
    NotSent,
    /// A match was seen to its end, but its dice could not be checked.
    NotChecked,
}

/// Why a visit ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What is kept on this machine cannot be used.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// It was asked for a match that cannot be.
    #[error(transparent)]
    Terms(#[from] BadTerms),
    /// The server does not know the guest any more.
    #[error("the server does not know this guest any more ({0}); move that file away to be a new one")]
    Stranger(String),
    /// The server lets us in no more, or not to what was asked for.
    #[error("{}", .0)]
    TurnedAway(String),
    /// There was no connection from the start.
    #[error("{0}")]
    NoLine(String),
    /// Nobody reads what is printed.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Who types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typist {
    /// A person, who sees what comes of a line before typing the next one.
    Person,
    /// A pipe, whose lines are written before.
    Script,
}

impl Typist {
    const fn of(input: &Input) -> Self {
        if input.is_edited() { Self::Person } else { Self::Script }
    }

    pub(super) const fn is_person(self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Whether a script's errand is done: what it types is meant for the match that it came for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is done, or a person can look for something else.
    Free,
    /// It waits to be done.
    Waits,
    /// It could not be done.
    Failed,
}

/// Comes, does what there is to do, and leaves.
///
/// # Errors
/// If it cannot be begun, or the server ends it.
pub async fn visit(visit: Visit, input: Input, output: impl Output) -> Result<Ending, Failure> {
    let (link, hello, me) = arrive(&visit).await?;
    let Visit { keep, look, errand, .. } = visit;
    let mut session = Session::new(link, keep, me, look, output, &hello, Typist::of(&input));
    match session.stay(&hello, errand, input).await {
        Ok(()) => {}
        // Nobody reads any more; what was found out by then holds.
        Err(Failure::Output(why)) if why.kind() == io::ErrorKind::BrokenPipe => return Ok(session.ending()),
        Err(why @ (Failure::Stranger(_) | Failure::TurnedAway(_))) => {
            // If nobody reads that, the exit code says it.
            let _ = session.tell_undone();
            return Err(why);
        }
        Err(why) => return Err(why),
    }
    let ending = session.ending();
    session.link.close().await;
    Ok(ending)
}

impl<O: Output> Session<O> {
    async fn stay(&mut self, hello: &HelloOk, errand: Errand, input: Input) -> Result<(), Failure> {
        self.greet(hello)?;
        self.begin(errand).await?;
        self.run(input).await?;
        self.tell_undone()
    }
}

/// Connects as the guest that is kept, or as a new one.
async fn arrive(visit: &Visit) -> Result<(Link, HelloOk, GuestId), Failure> {
    let Visit { origin, keep, name, errand, .. } = visit;
    let open = async |token| Link::open(origin.clone(), token).await;
    let kept = keep.guest(origin)?;
    let is_new = kept.is_none();
    let (id, token) = if let Some(kept) = kept {
        (kept.id, kept.token)
    } else {
        let (mut stranger, _) = open(None).await.map_err(no_line)?;
        check_terms(&mut stranger, errand).await?;
        let device = DEVICE.parse().ok();
        let ask = Op::Guest(CreateGuest { name: name.clone(), bot: false, device });
        let guest: Guest = stranger.ask(ask).await.map_err(no_line)?;
        keep.keep_guest(origin, &guest)?;
        stranger.close().await;
        (guest.id, guest.token)
    };
    let (mut link, mut hello) = open(Some(token)).await.map_err(|error| match error {
        AskError::Problem(problem) if problem.status == 401 => {
            Failure::Stranger(keep.guest_file().display().to_string())
        }
        error => no_line(error),
    })?;
    check_terms(&mut link, errand).await?;
    if let Some(name) = name
        && !is_new
        && hello.you.as_ref().is_some_and(|me| me.name != *name)
    {
        let me = link.ask(Op::Rename(RenameGuest { name: name.clone() })).await.map_err(no_line)?;
        hello.you = Some(me);
    }
    Ok((link, hello, id))
}

/// Whether a match that one wants to make can be: before anything is changed.
async fn check_terms(link: &mut Link, errand: &Errand) -> Result<(), Failure> {
    let Errand::Create(game, terms) = errand else { return Ok(()) };
    let entry = link.ask(Op::Game(GameNamed { game: *game })).await.map_err(no_line)?;
    Ok(terms.request(&clean::entry(entry), fresh_key()?).map(drop)?)
}

fn no_line(error: AskError) -> Failure {
    match error {
        AskError::Problem(problem) => Failure::TurnedAway(words(&problem)),
        why @ (AskError::Lost(_) | AskError::Unreadable(_)) => {
            Failure::NoLine(clipped(&why.to_string(), WORDS_MAX))
        }
    }
}
