//! After a restart: compares what the server sends now with what clients saw before.

use std::{net::SocketAddr, time::Duration};

use lusoria_client::{MatchView, RequestError};
use lusoria_protocol::{Code, MatchId, Me, Record, Snapshot, ToPlay, socket::ApiRequest};
use lusoria_records::replay::judge;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    TrialError,
    clocks::{self, Outage},
    error::{NoAnswer, broken, promised, read},
    pair::{Answered, Pair, StepOutcome},
    seen::{Seen, Told},
};
use crate::web;

/// The number of events on a page.
const PAGE: u32 = 1000;

/// The number of further turns that each match must play.
const TURNS: u32 = 2;

/// The most steps until those turns are played: joining, offers and renames count too.
const STEPS_MAX: u32 = 60;

/// How often a check may find a server that is ready but has not noted in PostgreSQL for two seconds that it
/// runs: then it appends nothing yet. And how long to wait then.
pub(crate) const UNAVAILABLE_MAX: u32 = 20;
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(250);

/// What was compared.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Compared {
    pub(crate) events: u64,
    pub(crate) again: u64,
    pub(crate) judged: u64,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.again += other.again;
        self.judged += other.judged;
    }
}

/// How often a check is repeated when the server is unavailable.
pub(crate) struct Patience(pub(crate) u32);

impl Patience {
    /// Whether to check again, after a moment.
    pub(crate) async fn lasts<T>(&mut self, checked: &Result<T, TrialError>) -> bool {
        let lasts = self.0 > 0 && matches!(checked, Err(TrialError::NoAnswer(NoAnswer::Unavailable(_))));
        if lasts {
            self.0 -= 1;
            tokio::time::sleep(TRY_AGAIN_AFTER).await;
        }
        lasts
    }
}

/// Checks that everything a pair was sent is still there, that each unanswered request was either carried out
/// or not, and that the pair's match continues. Each player uses their own server; the checks use the first
/// player's.
pub(crate) async fn check(
    pair: &mut Pair,
    servers: [SocketAddr; 2],
    outage: Option<&Outage>,
    judged: bool,
) -> Result<Compared, TrialError> {
    let mut compared = Compared::default();
    let at = servers[0];
    if let Some(current) = &mut pair.current {
        let journal = journal(at, current.id()).await?;
        compared.events += current.seen.len() as u64;
        current.seen.compare(&journal)?;
        for event in &journal {
            current.seen.see(event.get())?;
        }
        current.follow()?;
        let snapshot: Snapshot = ask(at, ApiRequest::get(&format!("/matches/{}", current.id()))).await?;
        let shown = MatchView::from(snapshot);
        if let Some(told) = &current.view {
            same_turn(told, &shown)?;
        }
        let events = clocks::read(&journal)?;
        if let Some(outage) = outage {
            clocks::credited(&events, outage)?;
        }
        clocks::running(&events, &shown)?;
        if judged {
            sound(at, current.id()).await?;
            compared.judged += 1;
        }
    }
    known(pair, at).await?;
    compared.again += again(pair, at).await? + spent(pair, at).await?;
    settle(pair, servers).await?;
    play_on(pair, servers).await?;
    Ok(compared)
}

/// Checks that a finished match is still as it was sent.
pub(crate) async fn past(seen: &Seen, at: SocketAddr, judged: bool) -> Result<Compared, TrialError> {
    let journal = journal(at, seen.id()).await?;
    seen.compare(&journal)?;
    if judged {
        sound(at, seen.id()).await?;
    }
    Ok(Compared { events: seen.len() as u64, again: 0, judged: u64::from(judged) })
}

/// Checks that the snapshot shows the same turn, with the same dice, as the events.
fn same_turn(told: &MatchView, shown: &MatchView) -> Result<(), TrialError> {
    let turn = |to_play: &ToPlay| (to_play.seat, to_play.seq, to_play.dice.clone());
    let [told_turn, shown_turn] = [told, shown].map(|view| view.to_play.as_ref().map(turn));
    promised!(
        told.head != shown.head || told_turn == shown_turn,
        "the events of {} give the turn {told_turn:?}, its snapshot {shown_turn:?}",
        told.id
    );
    shown.turn()?;
    Ok(())
}

/// Checks that every token is still valid, and that every guest has one of the names that they may have.
async fn known(pair: &Pair, at: SocketAddr) -> Result<(), TrialError> {
    for known in pair.players.iter().filter_map(|player| player.known.as_ref()) {
        for token in &known.tokens {
            let me: Me = read(web::ask(at, Some(token), &ApiRequest::get("/me").into()).await?.get())?;
            let is_named = known.names.iter().any(|name| name == me.name.as_str());
            promised!(me.id == known.id && is_named, "{known:?} is now {me:?}");
        }
    }
    Ok(())
}

/// Checks that a repeated request gets the same answer.
async fn again(pair: &mut Pair, at: SocketAddr) -> Result<u64, TrialError> {
    for answered in &pair.answered {
        let token = pair.players[answered.who].token();
        let now = web::ask(at, token, &answered.wish.op()).await?;
        let Answered { wish, answer, .. } = answered;
        promised!(now.get() == answer.get(), "{wish:?} was answered {answer} and is now answered {now}");
    }
    Ok(pair.answered.len() as u64)
}

/// Checks that spent codes stay spent.
async fn spent(pair: &Pair, at: SocketAddr) -> Result<u64, TrialError> {
    for (who, wish) in &pair.spent {
        match web::ask(at, pair.players[*who].token(), &wish.op()).await {
            Err(RequestError::Problem(problem)) if problem.code == Code::UnknownCode => {}
            Err(error) => return Err(error.into()),
            Ok(answer) => return Err(broken!("a code was spent twice: {answer}")),
        }
    }
    Ok(pair.spent.len() as u64)
}

/// Repeats the unanswered request: either it was carried out, and nothing happens now, or it was not, and is
/// carried out now.
async fn settle(pair: &mut Pair, at: [SocketAddr; 2]) -> Result<(), TrialError> {
    let Some(((_, wish), true)) = &pair.asked else { return Ok(()) };
    let turn = wish.as_turn().map(|(_, turn)| turn.seq);
    let before = pair.current.as_ref().map(|current| current.seen.clone());
    pair.step(at).await?;
    let (Some(seq), Some(before), Some(current)) = (turn, before, &pair.current) else { return Ok(()) };
    let was_played = clocks::answers(&before, seq);
    let goes_on = current.seen.head() > before.head();
    promised!(!was_played || !goes_on, "the turn that answers {seq} of {} came twice", before.id());
    let is_there = clocks::answers(&current.seen, seq) || current.has_ended();
    promised!(
        was_played || !goes_on || is_there,
        "the turn that answers {seq} of {} is nowhere",
        before.id()
    );
    Ok(())
}

/// Checks that the match can still be played.
async fn play_on(pair: &mut Pair, at: [SocketAddr; 2]) -> Result<(), TrialError> {
    let mut turns = 0;
    for _ in 0..STEPS_MAX {
        match pair.step(at).await? {
            StepOutcome::Turned => turns += 1,
            StepOutcome::Left => return Ok(()),
            StepOutcome::Other => {}
        }
        if turns == TURNS {
            return Ok(());
        }
    }
    let id = pair.current.as_ref().map(super::current::Current::id);
    Err(broken!("match {id:?} does not continue: {turns} turns in {STEPS_MAX} steps"))
}

/// The whole journal of a match, with the bytes that the server sends.
pub(crate) async fn journal(at: SocketAddr, id: MatchId) -> Result<Vec<Box<RawValue>>, TrialError> {
    let mut journal = Vec::new();
    loop {
        let since = u32::try_from(journal.len()).expect("no match is so long");
        let page = ApiRequest::get(&format!("/matches/{id}/events?since={since}&limit={PAGE}"));
        let told: Told = read(web::ask(at, None, &page.into()).await?.get())?;
        let is_last = told.events.is_empty();
        journal.extend(told.events);
        if is_last || journal.len() >= told.head as usize {
            let (head, events) = (told.head, journal.len());
            promised!(events == head as usize, "{id} has head {head} and {events} events");
            return Ok(journal);
        }
    }
}

/// Replays the record: the dice, every turn, the clocks.
async fn sound(at: SocketAddr, id: MatchId) -> Result<(), TrialError> {
    let record: Record = ask(at, ApiRequest::get(&format!("/matches/{id}/record"))).await?;
    let report = judge(&record);
    promised!(report.is_sound(), "the record of {id} is not sound: {:?}", report.faults);
    Ok(())
}

async fn ask<T: DeserializeOwned>(at: SocketAddr, request: ApiRequest) -> Result<T, TrialError> {
    read(web::ask(at, None, &request.into()).await?.get())
}
