//! Parses one line below the tags.

use lusoria_play::ShownRating;
use lusoria_protocol::{
    AbortReason, BySeat, Die, EventKind, GameEnd, Hash, MatchResult, PlayerSeed, RatedSeat, Seat, SideName,
    Thought, meant,
};

use lusoria_wire as wire;

use super::{
    event::{CONSTANTS, LAG, NUMBER, RATED, SEAT_TWO, UNRATED, event, taken_back, turned},
    exact::{match_id, number},
    moment::{read_moment, read_seconds},
    notation::is_step,
    quoted::unquote,
    tags::TagContents,
};

/// The content of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// A player's command, or the end of a game or of the match.
    Event(Box<EventKind>),
    /// A turn, in words.
    Turned { side: SideName, words: String, thought: Option<Thought>, lag_ms: Option<u64> },
    /// A takeback, by the number of the turn in the game, and the event that gave it; 0 if the lines have no
    /// such turn.
    TakenBack { seat: Seat, turn: u32, to: u32 },
    /// Something that follows by the rules.
    Follows(String),
}

impl Content {
    /// The line as it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Event(kind) => event(kind, &[]),
            Self::Turned { side, words, thought, lag_ms } => turned(*side, words, *thought, *lag_ms),
            Self::TakenBack { seat, turn, .. } => taken_back(*seat, *turn),
            Self::Follows(text) => text.clone(),
        }
    }
}

/// A line.
#[derive(Default)]
pub(super) struct Line {
    /// The events; a throw with its dice.
    pub(super) whats: Vec<(Content, Option<Vec<Die>>)>,
    /// The time since the previous event, in milliseconds.
    pub(super) after_ms: Option<u64>,
    /// Whether the line states the time, or must.
    when: TimeStated,
    /// In the last line: the number of events, and whether the match is over.
    pub(super) closing: Option<(usize, bool)>,
    /// The number of the turn, if a side throws or plays.
    pub(super) turn: Option<u32>,
    /// If a game begins: its number, and the seat that plays White (in a tafl game the king).
    pub(super) white: Option<(u16, Seat)>,
}

/// Whether a line states the time since the previous event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TimeStated {
    /// It does not: it happened at the same time.
    #[default]
    SameTime,
    /// It does.
    Stated,
    /// Either is possible.
    Either,
}

/// Parses a line. `present` is the game that began last, with the seat that plays White.
///
/// # Errors
/// In words, if it cannot be parsed.
pub(super) fn read_line(
    text: &str,
    head: &TagContents,
    present: Option<(u16, Seat)>,
) -> Result<Line, String> {
    if let Some(closing) = closing(text) {
        return Ok(Line { closing: Some(closing), ..Line::default() });
    }
    let (said, after_ms) = match text.rsplit_once(" +") {
        Some((said, span)) if read_seconds(span).is_some() => (said, read_seconds(span)),
        _ => (text, None),
    };
    let mut line = said_line(said, head, present)?;
    if after_ms.is_some() && line.when == TimeStated::SameTime {
        return Err("nothing is said here of when it was: it follows from the line before".to_owned());
    }
    if after_ms.is_none() && line.when == TimeStated::Stated {
        return Err("when? the seconds since the event before it stand at the end, as +3.214".to_owned());
    }
    line.after_ms = after_ms;
    Ok(line)
}

/// Parses the line without its seconds.
fn said_line(text: &str, head: &TagContents, present: Option<(u16, Seat)>) -> Result<Line, String> {
    let one = |kind: EventKind, when: TimeStated| Line {
        whats: vec![(Content::Event(Box::new(kind)), None)],
        when,
        ..Line::default()
    };
    let told = |kind: EventKind| one(kind, TimeStated::Stated);
    if let Some((seat, turn)) = takes_back(text) {
        let whats = vec![(Content::TakenBack { seat, turn, to: 0 }, None)];
        return Ok(Line { whats, when: TimeStated::Stated, ..Line::default() });
    }
    if let Some(said) = text.strip_prefix("seat ") {
        return seat_line(said, head).map(told);
    }
    if let Some(said) = text.strip_prefix("match ends: ") {
        let ended = match_ended(said).ok_or_else(|| form("match ends: seat 1 wins"))?;
        return Ok(one(ended, TimeStated::Either));
    }
    if let Some(said) = text.strip_prefix(RATED) {
        let rated = rated(said).ok_or_else(|| {
            form("rated: seat 1 1500 (250) to 1609 (214) number 1, seat 2 1688 (68) to 1679 (68) number 24, constants 1")
        })?;
        return Ok(one(rated, TimeStated::SameTime));
    }
    if let Some(reason) = text.strip_prefix(UNRATED) {
        let reason = meant(reason).ok_or_else(|| form("unrated: mistake"))?;
        return Ok(told(EventKind::Unrated { reason }));
    }
    if let Some(said) = text.strip_prefix("server down from ") {
        let moments = said.split_once(" to ").and_then(|(down, up)| read_moment(down).zip(read_moment(up)));
        let credited = moments.map(|(down_at, up_at)| EventKind::Credited { down_at, up_at, credit_ms: 0 });
        return credited.map(told).ok_or_else(|| form("server down from MOMENT to MOMENT"));
    }
    if let Some(next) = text.strip_prefix("rematch ") {
        let next = match_id(next).ok_or_else(|| form("rematch ID"))?;
        return Ok(told(EventKind::RematchAgreed { next }));
    }
    if let Some(said) = text.strip_prefix("game ") {
        if !said.contains(" ends: ") {
            let (what, white) = game_started(text, said).ok_or_else(|| form("game 1: seat 2 plays white"))?;
            return Ok(Line { whats: vec![(what, None)], white: Some(white), ..Line::default() });
        }
        return game_ended(said, head, present).map(|ended| one(ended, TimeStated::Either));
    }
    if let Some(said) = text.strip_prefix("opening: ") {
        let dice = said.strip_prefix("white ").and_then(|said| said.split_once(", black "));
        let dice = dice.and_then(|(white, black)| Some(vec![die(white)?, die(black)?]));
        let dice = dice.ok_or_else(|| form("opening: white 3, black 1"))?;
        let whats = vec![(Content::Follows(text.to_owned()), Some(dice))];
        return Ok(Line { whats, ..Line::default() });
    }
    side_line(text)
}

fn form(form: &str) -> String {
    format!("this is written {form}")
}

fn closing(text: &str) -> Option<(usize, bool)> {
    let (events, rest) = text.split_once(" events, ")?;
    let over = match rest {
        "over" => true,
        "being played" => false,
        _ => return None,
    };
    Some((number::<u32>(events)? as usize, over))
}

fn die(text: &str) -> Option<Die> {
    number::<u8>(text).and_then(|value| Die::try_from(value).ok())
}

fn seat(text: &str) -> Option<Seat> {
    number::<u8>(text).and_then(|number| Seat::try_from(number).ok())
}

/// The seat that takes back a turn, and the number of the turn.
fn takes_back(text: &str) -> Option<(Seat, u32)> {
    let (taken, turn) = text.strip_prefix("seat ")?.split_once(" takes back turn ")?;
    Some((seat(taken)?, number(turn)?))
}

/// Lines that begin with a seat: it joins, reveals, offers or declines.
fn seat_line(said: &str, head: &TagContents) -> Result<EventKind, String> {
    let (seat, said) = said
        .split_once(' ')
        .and_then(|(taken, said)| Some((seat(taken)?, said)))
        .ok_or("the seats are 1 and 2")?;
    if let Some(quoted) = said.strip_prefix("reveals ") {
        let seed = unquote(quoted).and_then(|seed| PlayerSeed::try_from(seed).ok());
        let seed =
            seed.ok_or("a seed is 1 to 64 printable ASCII characters without \"|\", in quotation marks")?;
        return Ok(EventKind::SeedRevealed { seat, seed });
    }
    if let Some(hash) = said.strip_prefix("offers a rematch with seed ") {
        let seed_hash = Some(meant::<Hash>(hash).ok_or("the hash of a seed has 64 hexadecimal digits")?);
        return Ok(EventKind::RematchOffered { seat, seed_hash });
    }
    match said {
        "joins" => match (&head.joined, seat) {
            (Some(joined), Seat::Two) => Ok(joined.clone()),
            (None, Seat::Two) => Err("who joins? there is no tag Seat2".to_owned()),
            (_, Seat::One) => Err("seat 1 is taken from the start".to_owned()),
        },
        // It is the last turn of the seat, which the replay knows.
        "offers a takeback" => Ok(EventKind::TakebackOffered { seat, turned: 0 }),
        "declines the takeback" => Ok(EventKind::TakebackDeclined { seat }),
        "offers a draw" => Ok(EventKind::DrawOffered { seat }),
        "declines the draw" => Ok(EventKind::DrawDeclined { seat }),
        "offers a rematch" => Ok(EventKind::RematchOffered { seat, seed_hash: None }),
        "declines the rematch" => Ok(EventKind::RematchDeclined { seat }),
        _ => {
            let why = "a seat joins, reveals \"SEED\", takes back turn NUMBER, offers a takeback, a draw or a \
                       rematch, or declines it";
            Err(why.to_owned())
        }
    }
}

fn match_ended(said: &str) -> Option<EventKind> {
    let mut ended = (MatchResult::Drawn, None, None, None);
    if let Some(winner) = said.strip_prefix("seat ") {
        ended.0 = MatchResult::Won;
        ended.1 = Some(seat(winner.strip_suffix(" wins")?)?);
    } else if let Some(why) = said.strip_prefix("aborted, ") {
        let (reason, by) = match why.split_once(" by seat ") {
            Some((reason, by)) => (reason, Some(seat(by)?)),
            None => (why, None),
        };
        ended = (MatchResult::Aborted, None, Some(meant::<AbortReason>(reason)?), by);
    } else if said != "drawn" {
        return None;
    }
    let (result, winner_seat, reason, by_seat) = ended;
    Some(EventKind::MatchEnded { result, winner_seat, reason, by_seat })
}

/// The rating changes of a match, without [`RATED`].
fn rated(said: &str) -> Option<EventKind> {
    let (seats, constants) = said.split_once(CONSTANTS)?;
    let (one, two) = seats.split_once(SEAT_TWO)?;
    let seats = BySeat { one: rated_seat(one)?, two: rated_seat(two)? };
    Some(EventKind::Rated { constants: number(constants)?, seats })
}

fn rated_seat(said: &str) -> Option<RatedSeat> {
    let rating = |said: &str| {
        let (points, deviation) = said.strip_suffix(')')?.split_once(" (")?;
        Some(wire::rating(ShownRating { points: number(points)?, deviation: number(deviation)? }))
    };
    let (ratings, of_player) = said.split_once(NUMBER)?;
    let (before, after) = ratings.split_once(" to ")?;
    Some(RatedSeat { number: number(of_player)?, before: rating(before)?, after: rating(after)? })
}

/// A game that begins, with the seat that plays White, or in a tafl game the king.
fn game_started(text: &str, said: &str) -> Option<(Content, (u16, Seat))> {
    let (count, said) = said.split_once(": seat ")?;
    let (white, side) = said.split_once(" plays ")?;
    match meant::<SideName>(side)? {
        SideName::White | SideName::Defenders => {
            Some((Content::Follows(text.to_owned()), (number(count)?, seat(white)?)))
        }
        SideName::Black | SideName::Attackers => None,
    }
}

/// A game that ends. Its secret is in a tag.
fn game_ended(said: &str, head: &TagContents, present: Option<(u16, Seat)>) -> Result<EventKind, String> {
    let read = || {
        let (game, said) = said.split_once(" ends: ")?;
        let mut parts = said.split(", ");
        let (reason, won, score) = (parts.next()?, parts.next()?, parts.next()?.strip_prefix("score ")?);
        let (winner_side, points) = match won.split_once(" wins ") {
            Some((side, points)) => (Some(meant::<SideName>(side)?), number(points)?),
            None => ((won == "no winner").then_some(None)?, 0),
        };
        let (one, two) = score.split_once('-')?;
        let score = BySeat { one: number(one)?, two: number(two)? };
        Some((number(game)?, meant::<GameEnd>(reason)?, winner_side, points, score))
            .filter(|_| parts.next().is_none())
    };
    let (game_number, reason, winner_side, points, score) =
        read().ok_or_else(|| form("game 1 ends: borne_off, white wins 1, score 1-0"))?;
    let secret = head.secrets.get(&game_number).copied();
    let secret =
        secret.ok_or_else(|| format!("a game that has ended has a tag [Secret{game_number} \"…\"]"))?;
    let white = present.map_or(Seat::One, |(_, white)| white);
    let winner_seat = winner_side.map(|side| match (side, white) {
        (SideName::White | SideName::Defenders, white) => white,
        (SideName::Black | SideName::Attackers, Seat::One) => Seat::Two,
        (SideName::Black | SideName::Attackers, Seat::Two) => Seat::One,
    });
    Ok(EventKind::GameEnded { game_number, winner_seat, winner_side, points, reason, secret, score })
}

/// A throw, a turn or a pass.
fn side_line(text: &str) -> Result<Line, String> {
    let unknown = || "this is nothing that a record can say".to_owned();
    // The number of the turn is for human readers; it is compared at the end.
    let (turn, said) = text.split_once(". ").ok_or_else(unknown)?;
    let turn_number = number::<u32>(turn).ok_or_else(unknown)?;
    let name = said.split([' ', ':']).next().unwrap_or_default();
    let side: SideName = meant(name).ok_or_else(unknown)?;
    let said = &said[name.len()..];
    let (throw, turn) = match said.split_once(": ") {
        Some((throw, turn)) => (throw, Some(turn)),
        None => (said, None),
    };
    let mut line = Line { turn: Some(turn_number), ..Line::default() };
    match throw.strip_prefix(' ') {
        Some(throw) => {
            let dice: Option<Vec<Die>> = throw.split('-').map(die).collect();
            let dice = dice.ok_or_else(|| format!("\"{throw}\" is no throw such as 3-1"))?;
            line.whats.push((Content::Follows(format!("{name} {throw}")), Some(dice)));
        }
        None if throw.is_empty() && turn.is_some() => {}
        None => return Err(unknown()),
    }
    match turn {
        None => {}
        Some("pass") => line.whats.push((Content::Follows(format!("{name}: pass")), None)),
        Some(turn) => {
            let (turn, lag_ms) = match turn.split_once(LAG) {
                Some((turn, lag)) => (turn, Some(read_lag(lag).ok_or_else(|| form("lag 0.150"))?)),
                None => (turn, None),
            };
            let (words, thought) = match turn.split_once(" {") {
                Some((words, thought)) => (words, Some(thought)),
                None => (turn, None),
            };
            if let Some(word) = words.split(' ').find(|word| !is_step(word)) {
                return Err(format!("\"{word}\" is not written as a step is"));
            }
            let read = |thought| {
                read_thought(thought)
                    .ok_or_else(|| form("{843 of 1200}, the positions valued of those allowed"))
            };
            let thought = thought.map(read).transpose()?;
            line.whats.push((Content::Turned { side, words: words.to_owned(), thought, lag_ms }, None));
            line.when = TimeStated::Stated;
        }
    }
    Ok(line)
}

/// A turn that was given nothing back has no such text.
fn read_lag(text: &str) -> Option<u64> {
    read_seconds(text).filter(|&lag_ms| lag_ms > 0)
}

fn read_thought(text: &str) -> Option<Thought> {
    let (nodes, budget) = text.strip_suffix('}')?.split_once(" of ")?;
    Some(Thought { nodes: number(nodes)?, budget: number(budget)? })
}
