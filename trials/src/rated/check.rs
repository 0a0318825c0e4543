//! After a restart: the expected state of the match and of the ratings of its players.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use lusoria_protocol::{BySeat, Event, EventKind, Game, MatchId, Pace, RatedSeat};
use serde_json::value::RawValue;

use super::{Found, ending::Last, playing::Playing};
use crate::{
    accounts::Account,
    crash::{
        check::journal,
        error::{TrialError, broken, promised, read},
        seen::Told,
    },
};

/// How long it may take until a clock runs out that was credited the time without a server.
const FLAG_WITHIN: Duration = Duration::from_secs(30);

/// How often to poll.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Rated matches of a game, the oldest first, each with the change of a player's rating that its journal
/// shows.
type ToldChanges = Vec<(MatchId, RatedSeat)>;

/// An account, with the expected changes of its ratings.
pub(super) struct RatedAccount {
    pub(super) account: Account,
    rated: BTreeMap<Game, ToldChanges>,
}

/// Checks the state in which the server left a match, and ends it if it is not over. Returns that state, and
/// the changes of both ratings.
pub(super) async fn settle(
    playing: &mut Playing,
    last: &Last,
    told: Option<&RawValue>,
) -> Result<(Found, BySeat<RatedSeat>), TrialError> {
    let (at, id) = (playing.at, playing.id());
    let left = journal(at, id).await?;
    // Everything acknowledged is there, including the end.
    playing.seen.compare(&left)?;
    let change = change(&left)?;
    let found = match (change, told) {
        (None, None) => Found::NotOver,
        (None, Some(told)) => return Err(broken!("{id} was ended by {told} and is not over")),
        (Some(_), None) => Found::OverUntold,
        (Some(_), Some(_)) => Found::OverAsTold,
    };
    match last {
        Last::Request { seat, op } => {
            let again = playing.ask(*seat, op).await?;
            let is_same = told.is_none_or(|told| told.get() == again.get());
            promised!(is_same, "{op:?} was answered {told:?} and is now answered {again}");
            let Told { head, events, .. } = read(again.get())?;
            let is_old = change.is_none() || head as usize == left.len();
            promised!(is_old, "{id} has {} events, and repeating the end adds {events:?}", left.len());
        }
        Last::Flag { .. } => until_over(at, id).await?,
    }
    let after = journal(at, id).await?;
    playing.seen.compare(&after)?;
    promised!(change.is_none() || after.len() == left.len(), "{id} continues after its end: {after:?}");
    let seats = self::change(&after)?.ok_or_else(|| broken!("{id} was ended again and is not over"))?;
    promised!(change.is_none_or(|change| change == seats), "{id} reports its change in two forms: {after:?}");
    Ok((found, seats))
}

/// The changes of ratings by a journal: exactly once, right after the end, or none if the match is not over.
fn change(journal: &[Box<RawValue>]) -> Result<Option<BySeat<RatedSeat>>, TrialError> {
    let (mut ended_at, mut rated) = (None, None);
    for text in journal {
        let event: Event = read(text.get())?;
        match event.kind {
            EventKind::MatchEnded { .. } => {
                promised!(ended_at.is_none(), "a match has ended twice: {text}");
                ended_at = Some(event.seq);
            }
            EventKind::Rated { seats, .. } => {
                promised!(rated.is_none(), "a match was rated twice: {text}");
                let follows = ended_at.is_some_and(|ended_at| event.seq == ended_at + 1);
                promised!(follows, "a match was rated elsewhere than at its end: {text}");
                rated = Some(seats);
            }
            _ => {}
        }
    }
    promised!(ended_at.is_none() || rated.is_some(), "a match has ended and was not rated: {journal:?}");
    Ok(rated)
}

/// Waits until a clock has run out.
async fn until_over(at: SocketAddr, id: MatchId) -> Result<(), TrialError> {
    let began = Instant::now();
    while change(&journal(at, id).await?)?.is_none() {
        promised!(began.elapsed() < FLAG_WITHIN, "the clock of {id} does not run out");
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

impl RatedAccount {
    pub(super) const fn new(account: Account) -> Self {
        Self { account, rated: BTreeMap::new() }
    }

    /// Notes the change of a rating by a match.
    pub(super) fn note(&mut self, game: Game, id: MatchId, seat: RatedSeat) {
        self.rated.entry(game).or_default().push((id, seat));
    }

    /// Checks that each of its rated matches has changed its rating once, that the changes follow each other
    /// without gaps, and that they lead to the present ratings.
    pub(super) async fn check(&self, at: SocketAddr) -> Result<(), TrialError> {
        let handle = &self.account.handle;
        let shown = self.account.profile(at).await?.ratings;
        promised!(
            shown.len() == self.rated.len(),
            "{handle} has other ratings than they played for: {shown:?}"
        );
        for (&game, matches) in &self.rated {
            let curve = self.account.curve(at, game).await?.changes;
            let count = matches.len();
            promised!(curve.len() == count, "{handle} has {} changes in {game}, not {count}", curve.len());
            let mut number = 0;
            let mut rating = None;
            for (change, (id, seat)) in curve.iter().zip(matches) {
                number += 1;
                let is_it = change.id == Some(*id)
                    && change.number == number
                    && (change.number, change.before, change.after) == (seat.number, seat.before, seat.after);
                promised!(is_it, "{handle}, {game}: {change:?}, and {id} reports {seat:?}");
                let follows = rating.is_none_or(|rating| rating == change.before);
                promised!(follows, "{handle}, {game}: {change:?} does not follow {rating:?}");
                rating = Some(change.after);
            }
            let now = shown.iter().find(|shown| shown.game == game && shown.pace == Pace::Live);
            let now = now.map(|now| (now.matches, now.rating));
            promised!(
                now == rating.map(|rating| (number, rating)),
                "{handle}, {game}: the changes lead to {rating:?} after {number} matches, and it is {now:?}"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn ended() -> Value {
        json!({"type": "match_ended", "result": "won", "winner_seat": 1})
    }

    fn rated() -> Value {
        let rating = json!({"points": 1500, "deviation": 250, "provisional": true});
        let seat = json!({"number": 1, "before": rating, "after": rating});
        json!({"type": "rated", "constants": 1, "seats": {"1": seat, "2": seat}})
    }

    fn offered() -> Value {
        json!({"type": "draw_offered", "seat": 1})
    }

    fn changes(events: &[Value]) -> Result<bool, TrialError> {
        let events = (1..).zip(events).map(|(seq, event): (u32, _)| {
            let mut event = event.clone();
            (event["match"], event["seq"], event["at"]) = (json!(ID), json!(seq), json!(1));
            serde_json::value::to_raw_value(&event).unwrap()
        });
        change(&events.collect::<Vec<_>>()).map(|seats| seats.is_some())
    }

    #[test]
    fn a_match_changes_ratings_once_when_it_ends() {
        assert!(matches!(changes(&[offered()]), Ok(false)));
        assert!(matches!(changes(&[offered(), ended(), rated()]), Ok(true)));
        for broken in [
            &[ended()][..],
            &[ended(), rated(), rated()],
            &[ended(), offered(), rated()],
            &[rated()],
            &[ended(), rated(), ended()],
        ] {
            assert!(matches!(changes(broken), Err(TrialError::Broken(_))), "{broken:?}");
        }
    }
}
