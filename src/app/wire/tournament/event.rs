//! Events of a tournament.

use lusoria_protocol::{
    EventBye, EventPairing, PairingEnd as WireEnd, TournamentBracket, TournamentEvent, TournamentEventKind,
    WhoExcluded, WhyBye, WhyEnded,
};
use lusoria_tournament::{
    Bracket, Bye, ByeWhy, EndedWhy, Entrant, Event, ExcludedBy, Paired, PairingEnd, Recorded, Tournament,
};

use super::settings::shown_settings;

/// An event of a tournament.
pub fn event(recorded: &Recorded, of: &Tournament) -> TournamentEvent {
    use TournamentEventKind as Kind;
    let mut event = kind(&recorded.event);
    if recorded.seq < of.texts_replaced_at() {
        let texts = match &mut event {
            Kind::Created { settings, .. } | Kind::Edited { settings } => {
                Some((&mut settings.name, &mut settings.description))
            }
            Kind::TextsReplaced { name, description } => Some((name, description)),
            _ => None,
        };
        if let Some((name, description)) = texts {
            name.clone_from(&of.settings().name);
            description.clone_from(&of.settings().description);
        }
    }
    TournamentEvent { seq: recorded.seq, at: recorded.at, event }
}

fn kind(event: &Event) -> TournamentEventKind {
    use TournamentEventKind as Kind;
    match event {
        Event::Created { organiser, settings, version: _ } => {
            Kind::Created { organiser: *organiser, settings: Box::new(shown_settings(settings)) }
        }
        Event::Edited { settings } => Kind::Edited { settings: Box::new(shown_settings(settings)) },
        Event::TextsReplaced { name, description } => {
            Kind::TextsReplaced { name: name.clone(), description: description.clone() }
        }
        &Event::Entered { entrant, player, rating, half_points, is_bot: _ } => {
            let half_points = Some(half_points).filter(|&half_points| half_points > 0);
            Kind::Entered { entrant: entrant.0, player, rating, half_points }
        }
        &Event::Here { entrant, until } => Kind::Here { entrant: entrant.0, until },
        &Event::Paused { entrant } => Kind::Paused { entrant: entrant.0 },
        &Event::Withdrew { entrant } => Kind::Withdrew { entrant: entrant.0 },
        &Event::ByeAsked { entrant, round } => Kind::ByeAsked { entrant: entrant.0, round },
        Event::Excluded { entrant, by, reason } => {
            let by = match by {
                ExcludedBy::Organiser => WhoExcluded::Organiser,
                ExcludedBy::Operator => WhoExcluded::Operator,
                ExcludedBy::Server => WhoExcluded::Server,
            };
            Kind::Excluded { entrant: entrant.0, by, reason: reason.clone() }
        }
        Event::Began { rounds, order, absent } => {
            Kind::Began { rounds: *rounds, order: numbers(order), absent: numbers(absent) }
        }
        Event::RoundPaired { round, pairings, byes, by_hand } => Kind::RoundPaired {
            round: *round,
            pairings: pairings.iter().map(paired).collect(),
            byes: byes.iter().copied().map(bye).collect(),
            by_hand: *by_hand,
        },
        Event::Seated { pairings } => {
            Kind::Seated { pairings: pairings.iter().map(|pairing| pairing.0).collect() }
        }
        &Event::MatchBegan { match_id } => Kind::MatchBegan { match_id },
        &Event::MatchEnded { match_id, end } => {
            let (end, seat) = match end {
                PairingEnd::Won(seat) => (WireEnd::Won, Some(seat)),
                PairingEnd::Drawn => (WireEnd::Drawn, None),
                PairingEnd::NoShow(seat) => (WireEnd::NoShow, Some(seat)),
                PairingEnd::Aborted => (WireEnd::Aborted, None),
            };
            Kind::MatchEnded { match_id, end, seat }
        }
        Event::Forfeited { pairing, absent, winner } => Kind::Forfeited {
            pairing: pairing.0,
            absent: numbers(absent),
            winner: winner.map(|winner| winner.0),
        },
        &Event::Again { pairing, match_id, first, seated: _ } => {
            Kind::Again { pairing: pairing.0, match_id, first: first.0 }
        }
        Event::ResultSet { pairing, half_points, reason } => {
            Kind::ResultSet { pairing: pairing.0, half_points: *half_points, reason: reason.clone() }
        }
        Event::Stopped { reason } => Kind::Stopped { reason: reason.clone() },
        Event::Resumed {} => Kind::Resumed {},
        &Event::Credited { by_ms } => Kind::Credited { by_ms },
        Event::Ended { why, reason } => Kind::Ended { why: why_ended(*why), reason: reason.clone() },
    }
}

fn numbers(entrants: &[Entrant]) -> Vec<u16> {
    entrants.iter().map(|entrant| entrant.0).collect()
}

fn paired(paired: &Paired) -> EventPairing {
    EventPairing {
        pairing: paired.pairing.0,
        board: paired.board,
        first: paired.first.0,
        second: paired.second.0,
        match_id: paired.match_id,
        bracket: paired.place.map(|place| bracket(place.bracket)),
        slot: paired.place.map(|place| place.slot),
    }
}

const fn bye(bye: Bye) -> EventBye {
    EventBye { entrant: bye.entrant.0, half_points: bye.half_points, why: why_bye(bye.why) }
}

pub(super) const fn bracket(bracket: Bracket) -> TournamentBracket {
    match bracket {
        Bracket::Main => TournamentBracket::Main,
        Bracket::Consolation => TournamentBracket::Consolation,
    }
}

/// Why an entrant is not paired.
pub const fn why_bye(why: ByeWhy) -> WhyBye {
    match why {
        ByeWhy::Odd => WhyBye::Odd,
        ByeWhy::Asked => WhyBye::Asked,
        ByeWhy::Late => WhyBye::Late,
        ByeWhy::Absent => WhyBye::Absent,
        ByeWhy::Top => WhyBye::Top,
    }
}

pub(super) const fn why_ended(why: EndedWhy) -> WhyEnded {
    match why {
        EndedWhy::Finished => WhyEnded::Finished,
        EndedWhy::TooFew => WhyEnded::TooFew,
        EndedWhy::Organiser => WhyEnded::Organiser,
        EndedWhy::Operator => WhyEnded::Operator,
    }
}
