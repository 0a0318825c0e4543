//! Tournaments in words.

use std::collections::HashMap;

use lusoria_protocol::{
    EntrantList, EntrantPresence, MatchId, PairingEnd, Seat, Seeding, Standings, Tournament, TournamentCard,
    TournamentCommandName, TournamentEventKind, TournamentFormat, TournamentPairing, TournamentPhase,
    TournamentPlayer, WhoEnters, WhyBye, WhyEnded, YouInTournament, YourPairing,
};

use super::opponents::clock;
use crate::{
    event_text::{NAME_MAX, clipped},
    terms::{length_and_stake, plain},
};

/// The longest name of a tournament that is shown, in characters: servers allow 60.
const TITLE_MAX: usize = 60;

/// How many lines of a description are shown, and how long they are.
const DESCRIPTION_LINES: usize = 20;
const DESCRIPTION_CHARS: usize = 200;

/// How many rows of the standings are shown; one's own comes after them.
const ROWS: usize = 10;

/// How many pairings of a round are told.
const PAIRINGS_TOLD: usize = 8;

/// The name of a tournament.
pub(super) fn title(name: &str) -> String {
    clipped(name, TITLE_MAX)
}

/// A player's name.
pub(super) fn player(player: &TournamentPlayer) -> String {
    clipped(player.name.as_str(), NAME_MAX)
}

/// A time in words: "2 d 3 h", "2 h 5 min", "3 min", "20 s".
pub(super) fn span(ms: u64) -> String {
    let (seconds, minutes, hours, days) = (ms / 1_000, ms / 60_000, ms / 3_600_000, ms / 86_400_000);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) if minutes % 60 == 0 => format!("{hours} h"),
        (0, _, _) => format!("{hours} h {} min", minutes % 60),
        (_, _, _) if hours % 24 == 0 => format!("{days} d"),
        (_, _, _) => format!("{days} d {} h", hours % 24),
    }
}

/// Half points as points; those of an arena as they are.
fn points(format: &TournamentFormat, half_points: u16) -> String {
    match format {
        TournamentFormat::Arena { .. } => half_points.to_string(),
        _ if half_points.is_multiple_of(2) => (half_points / 2).to_string(),
        _ => format!("{}.5", half_points / 2),
    }
}

/// "Swiss, 5 rounds, one every 1 d"
fn format_of(card: &TournamentCard) -> String {
    let mut words = Vec::new();
    match card.format {
        TournamentFormat::RoundRobin { by_round, .. } => {
            words.push("round robin".to_owned());
            words.push(if by_round { "round by round" } else { "all rounds open" }.to_owned());
        }
        TournamentFormat::Swiss { rounds, every_ms } => {
            words.push("Swiss".to_owned());
            words.extend(card.rounds.or(rounds.map(u16::from)).map(|rounds| match rounds {
                1 => "1 round".to_owned(),
                rounds => format!("{rounds} rounds"),
            }));
            words.extend(every_ms.map(|every| format!("one every {}", span(every))));
        }
        TournamentFormat::Knockout { seeding, consolation, points_more_by_round } => {
            words.push("knock-out".to_owned());
            words.push(
                match seeding {
                    Seeding::Rating => "seeded by rating",
                    Seeding::Lot => "seeded at random",
                }
                .to_owned(),
            );
            words.extend(consolation.then(|| "with a second bracket for those who lose".to_owned()));
            words.extend(
                (points_more_by_round > 0)
                    .then(|| format!("matches longer by {points_more_by_round} in each round")),
            );
        }
        TournamentFormat::Arena { lasts_ms } => words.push(format!("arena of {}", span(lasts_ms))),
    }
    words.join(", ")
}

/// The game and the terms of each match.
fn terms(card: &TournamentCard) -> String {
    let mut terms = vec![plain(&card.game), clock(Some(&card.clock))];
    terms.extend(length_and_stake(card.points, card.games, card.rated));
    terms.join(", ")
}

/// Where it is.
fn when(card: &TournamentCard, now: u64) -> String {
    let until = |at: u64| span(at.saturating_sub(now));
    match card.phase {
        TournamentPhase::Announced => format!("begins in {}", until(card.begins_at)),
        TournamentPhase::CheckIn => format!("check-in is open, begins in {}", until(card.begins_at)),
        TournamentPhase::Running | TournamentPhase::Stopped => {
            let round = card.round.map(|round| match card.rounds {
                Some(rounds) => format!("round {round} of {rounds}"),
                None => format!("round {round}"),
            });
            let ends = card.ends_at.map(|at| format!("ends in {}", until(at)));
            let words: Vec<String> = round.into_iter().chain(ends).collect();
            let words = if words.is_empty() { "it has begun".to_owned() } else { words.join(", ") };
            if card.phase == TournamentPhase::Stopped { format!("stopped, {words}") } else { words }
        }
        TournamentPhase::Ended => {
            let ended = card.ended_at.unwrap_or(now);
            let winner = card.winner.as_ref().map(|winner| format!(", won by {}", player(winner)));
            format!("ended {} ago{}", span(now.saturating_sub(ended)), winner.unwrap_or_default())
        }
    }
}

/// "  3  Friday Swiss: Swiss, tavla, 3+2, rated; begins in 2 h; 8 entrants"
pub(super) fn line(number: usize, card: &TournamentCard, now: u64) -> String {
    let (name, format, terms, when) = (title(&card.name), format_of(card), terms(card), when(card, now));
    format!("{number:>3}  {name}: {format}; {terms}; {when}; {}", entrants(card))
}

fn entrants(card: &TournamentCard) -> String {
    match card.entrants {
        0 => "nobody has entered".to_owned(),
        1 => "1 entrant".to_owned(),
        count => format!("{count} entrants"),
    }
}

/// A tournament, with its standings once it has begun and what concerns the user.
pub(super) fn shown(tournament: &Tournament, standings: Option<&Standings>, now: u64) -> Vec<String> {
    let card = &tournament.card;
    let mut lines = vec![
        format!("{}: {}", title(&card.name), format_of(card)),
        format!("  {}; {}", terms(card), when(card, now)),
        format!(
            "  {} of at most {}, organised by {}",
            entrants(card),
            card.entrants_max,
            player(&card.organiser)
        ),
    ];
    let conditions = conditions(tournament);
    if !conditions.is_empty() {
        lines.push(format!("  for {}", conditions.join(", ")));
    }
    if tournament.playing > 0 {
        lines.push(format!("  boards being played: {}", tournament.playing));
    }
    lines.extend(
        tournament.next_round_at.map(|at| format!("  next round in {}", span(at.saturating_sub(now)))),
    );
    if let Some(ended) = tournament.ended {
        lines.push(format!("  {}", why_ended(ended, tournament.reason.as_deref())));
    } else if let Some(reason) = &tournament.reason {
        lines.push(format!("  stopped: {}", clipped(reason, DESCRIPTION_CHARS)));
    }
    let description = tournament.description.lines().take(DESCRIPTION_LINES);
    lines.extend(description.map(|line| format!("  {}", clipped(line, DESCRIPTION_CHARS))));
    let mine = tournament.you.as_ref().and_then(|you| you.entrant);
    lines.extend(standings.into_iter().flat_map(|standings| table(&card.format, standings, mine)));
    lines.extend(tournament.you.as_ref().into_iter().flat_map(|you| your_state(tournament, you, now)));
    lines
}

/// Who may enter.
fn conditions(tournament: &Tournament) -> Vec<String> {
    let asked = &tournament.conditions;
    let mut words = Vec::new();
    match tournament.card.who {
        WhoEnters::People => words.push("people only".to_owned()),
        WhoEnters::Bots => words.push("bots only".to_owned()),
        WhoEnters::Both => {}
    }
    words.extend(tournament.card.has_code.then(|| "those who know the code".to_owned()));
    words.extend(asked.players.map(|count| format!("{count} players on a list")));
    words.extend(asked.rating_min.map(|least| format!("ratings from {least}")));
    words.extend(asked.rating_max.map(|most| format!("ratings up to {most}")));
    if asked.rated_matches_min > 0 {
        words.push(format!("those with {} rated matches", asked.rated_matches_min));
    }
    if asked.account_age_ms_min > 0 {
        words.push(format!("accounts older than {}", span(asked.account_age_ms_min)));
    }
    words
}

/// The first rows of the standings, and the user's own.
fn table(format: &TournamentFormat, standings: &Standings, mine: Option<u16>) -> Vec<String> {
    let rows = standings.standings.iter().enumerate();
    rows.filter(|(index, row)| *index < ROWS || Some(row.entrant) == mine)
        .map(|(_, row)| {
            let is_me = if Some(row.entrant) == mine { " (you)" } else { "" };
            let gone = if row.counts { "" } else { ", does not count" };
            let (name, points) = (player(&row.player) + is_me, points(format, row.half_points));
            format!("{:>4}  {name:<30} {points:>5}  {} played{gone}", row.place, row.played)
        })
        .collect()
}

/// What concerns the user: their state, their pairing, and what they can do.
pub(super) fn your_state(tournament: &Tournament, you: &YouInTournament, now: u64) -> Vec<String> {
    let mut lines: Vec<String> = you.state.iter().map(|state| presence(*state, you, now)).collect();
    if let (Some(place), Some(half_points)) = (you.place, you.half_points) {
        lines
            .push(format!("You are in place {place} with {}.", points(&tournament.card.format, half_points)));
    }
    if let Some(bye) = you.bye.filter(|_| you.pairing.is_none()) {
        lines.push(format!("In round {} you have a bye: {}.", bye.round, why_bye(bye.why)));
    }
    if !you.byes.is_empty() {
        let rounds: Vec<String> = you.byes.iter().map(ToString::to_string).collect();
        lines.push(format!("You have asked for a bye in round {}.", rounds.join(", ")));
    }
    lines.extend(you.pairing.as_ref().map(|pairing| your_pairing(pairing, now)));
    let words: Vec<&str> =
        you.may.iter().filter_map(|name| word_for(*name, tournament.card.has_code)).collect();
    if !words.is_empty() {
        lines.push(format!("You can: {}", words.join(", ")));
    }
    lines
}

fn presence(state: EntrantPresence, you: &YouInTournament, now: u64) -> String {
    let reason = you.reason.as_ref().map(|reason| format!(": {}", clipped(reason, DESCRIPTION_CHARS)));
    match state {
        EntrantPresence::Playing => "You play.".to_owned(),
        EntrantPresence::Here => match you.here_until {
            Some(until) => format!("You are here, for {} more.", span(until.saturating_sub(now))),
            None => "You are here.".to_owned(),
        },
        EntrantPresence::Away => "You have entered.".to_owned(),
        EntrantPresence::Absent => "You were not there: you are not paired until you say here.".to_owned(),
        EntrantPresence::Paused => "You pause: you are not paired until you say here.".to_owned(),
        EntrantPresence::Out => "You are out.".to_owned(),
        EntrantPresence::Withdrawn => "You have withdrawn.".to_owned(),
        EntrantPresence::Excluded => format!("You are excluded{}.", reason.unwrap_or_default()),
    }
}

/// The user's pairing, and what it waits for.
pub(super) fn your_pairing(pairing: &YourPairing, now: u64) -> String {
    let opponent = player(&pairing.opponent);
    let limit = pairing.until.map(|until| format!(", for {} more", span(until.saturating_sub(now))));
    let waits = match (pairing.match_id, pairing.is_here, pairing.opponent_here) {
        (Some(_), ..) => "go opens the board".to_owned(),
        (None, false, _) => format!("say here when you are at the board{}", limit.unwrap_or_default()),
        (None, true, false) => format!("they are waited for{}", limit.unwrap_or_default()),
        (None, true, true) => "the board is made in a moment".to_owned(),
    };
    format!("Round {}: you play {opponent}; {waits}.", pairing.round)
}

/// What to type for a command; none for those of organisers, which the page has.
const fn word_for(name: TournamentCommandName, has_code: bool) -> Option<&'static str> {
    match name {
        TournamentCommandName::Enter if has_code => Some("enter CODE"),
        TournamentCommandName::Enter => Some("enter"),
        TournamentCommandName::Here => Some("here"),
        TournamentCommandName::Pause => Some("pause"),
        TournamentCommandName::Withdraw => Some("withdraw tournament"),
        TournamentCommandName::AskBye => Some("bye ROUND"),
        TournamentCommandName::Edit
        | TournamentCommandName::Start
        | TournamentCommandName::Stop
        | TournamentCommandName::Resume
        | TournamentCommandName::NextRound
        | TournamentCommandName::Pair
        | TournamentCommandName::SetResult
        | TournamentCommandName::Exclude
        | TournamentCommandName::End => None,
    }
}

const fn why_bye(why: WhyBye) -> &'static str {
    match why {
        WhyBye::Odd => "there is an odd number of players",
        WhyBye::Asked => "you asked for it",
        WhyBye::Late => "you entered after it was paired",
        WhyBye::Absent => "you were not there",
        WhyBye::Top => "top seeds go on without a match",
    }
}

fn why_ended(why: WhyEnded, reason: Option<&str>) -> String {
    let why = match why {
        WhyEnded::Finished => "played to the end",
        WhyEnded::TooFew => "ended: too few were there",
        WhyEnded::Organiser => "ended by the organiser",
        WhyEnded::Operator => "ended by the server's operator",
    };
    match reason {
        Some(reason) => format!("{why}: {}", clipped(reason, DESCRIPTION_CHARS)),
        None => why.to_owned(),
    }
}

/// Who the numbers in the events of a tournament are.
#[derive(Debug, Default)]
pub(super) struct Names {
    entrants: HashMap<u16, String>,
    /// The first and second entrant of each pairing.
    pairings: HashMap<u32, (u16, u16)>,
    /// The entrants at seats 1 and 2 of each match.
    matches: HashMap<MatchId, (u16, u16)>,
}

impl Names {
    pub(super) fn learn_entrants(&mut self, list: &EntrantList) {
        self.entrants.extend(list.entrants.iter().map(|entrant| (entrant.entrant, player(&entrant.player))));
    }

    pub(super) fn learn_pairings(&mut self, pairings: &[TournamentPairing]) {
        for pairing in pairings {
            let both = (pairing.first.entrant, pairing.second.entrant);
            self.pairings.insert(pairing.pairing, both);
            self.matches.extend(pairing.match_id.map(|id| (id, both)));
        }
    }

    fn of(&self, entrant: u16) -> String {
        self.entrants.get(&entrant).cloned().unwrap_or_else(|| format!("entrant {entrant}"))
    }

    fn both(&self, (first, second): (u16, u16)) -> String {
        format!("{} - {}", self.of(first), self.of(second))
    }

    fn all(&self, entrants: impl IntoIterator<Item = u16>) -> String {
        entrants.into_iter().map(|entrant| self.of(entrant)).collect::<Vec<_>>().join(", ")
    }

    /// An event in a line; none if there is nothing to say.
    pub(super) fn told(&mut self, event: &TournamentEventKind) -> Option<String> {
        Some(match event {
            TournamentEventKind::Entered { entrant, .. } => format!("{} enters.", self.of(*entrant)),
            TournamentEventKind::Paused { entrant } => format!("{} pauses.", self.of(*entrant)),
            TournamentEventKind::Withdrew { entrant } => format!("{} withdraws.", self.of(*entrant)),
            TournamentEventKind::Excluded { entrant, reason, .. } => {
                format!("{} is excluded{}.", self.of(*entrant), because(reason.as_deref()))
            }
            TournamentEventKind::Began { order, .. } => format!("it begins with {} players.", order.len()),
            TournamentEventKind::RoundPaired { round, pairings, byes, .. } => {
                for paired in pairings {
                    self.pairings.insert(paired.pairing, (paired.first, paired.second));
                    self.matches.insert(paired.match_id, (paired.first, paired.second));
                }
                let told = pairings.iter().take(PAIRINGS_TOLD);
                let mut words: Vec<_> = told.map(|paired| self.both((paired.first, paired.second))).collect();
                let more = pairings.len().saturating_sub(PAIRINGS_TOLD);
                words.extend((more > 0).then(|| format!("and {more} more")));
                let odd = byes.iter().filter(|bye| bye.why == WhyBye::Odd).map(|bye| bye.entrant);
                words.extend(odd.map(|entrant| format!("{} has a bye", self.of(entrant))));
                format!("round {round} is paired: {}.", words.join(", "))
            }
            TournamentEventKind::Again { pairing, match_id, first } => {
                let &(one, two) = self.pairings.get(pairing)?;
                let seats = if *first == one { (one, two) } else { (two, one) };
                self.matches.insert(*match_id, seats);
                format!("{} play again.", self.both(seats))
            }
            TournamentEventKind::MatchEnded { match_id, end, seat } => {
                let &seats = self.matches.get(match_id)?;
                let (this, other) = match seat {
                    Some(Seat::Two) => (self.of(seats.1), self.of(seats.0)),
                    Some(Seat::One) | None => (self.of(seats.0), self.of(seats.1)),
                };
                match end {
                    PairingEnd::Won => format!("{this} wins against {other}."),
                    PairingEnd::Drawn => format!("{this} and {other} draw."),
                    PairingEnd::NoShow => format!("{this} did not come to the board against {other}."),
                    PairingEnd::Aborted => format!("the match of {this} and {other} is aborted."),
                }
            }
            TournamentEventKind::Forfeited { pairing, absent, winner } => {
                let both = self.both(*self.pairings.get(pairing)?);
                let away = if absent.is_empty() {
                    "not played".to_owned()
                } else {
                    self.all(absent.iter().copied()) + " did not come"
                };
                let winner = winner.map(|winner| format!("; it counts for {}", self.of(winner)));
                format!("{both} is forfeited: {away}{}.", winner.unwrap_or_default())
            }
            TournamentEventKind::ResultSet { pairing, half_points: [one, two], reason } => {
                let both = self.both(*self.pairings.get(pairing)?);
                let half = |half_points: u8| f32::from(half_points) / 2.0;
                let (one, two) = (half(*one), half(*two));
                format!("the organiser decides {both}: {one}-{two}{}.", because(Some(reason)))
            }
            TournamentEventKind::Stopped { reason } => format!("it is stopped{}.", because(Some(reason))),
            TournamentEventKind::Resumed {} => "it goes on.".to_owned(),
            TournamentEventKind::Ended { why, reason } => format!("{}.", why_ended(*why, reason.as_deref())),
            TournamentEventKind::Edited { .. } => "its settings have changed.".to_owned(),
            TournamentEventKind::TextsReplaced { name, .. } => {
                format!(
                    "the operator of the server has given it the name {}.",
                    clipped(name, DESCRIPTION_CHARS)
                )
            }
            TournamentEventKind::Created { .. }
            | TournamentEventKind::Here { .. }
            | TournamentEventKind::ByeAsked { .. }
            | TournamentEventKind::Seated { .. }
            | TournamentEventKind::MatchBegan { .. }
            | TournamentEventKind::Credited { .. } => return None,
        })
    }
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(" ({})", clipped(reason, DESCRIPTION_CHARS))).unwrap_or_default()
}
