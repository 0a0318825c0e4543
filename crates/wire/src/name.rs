//! Names, numbers and steps.

use lusoria_play::{
    Bytes32, Level as PlayLevel, MatchId as PlayMatchId, Player, PlayerId, PlayerKind as PlayPlayerKind,
    Seat as PlaySeat, SeatSeed as PlaySeed, Seed, Thought as PlayThought,
};
use lusoria_protocol::{
    CardPlayer, Code, Game, GuestId, Hash, Level, MatchId, PlayerKind, PlayerSeed, Problem, Reach, STEPS_MAX,
    Seat, SeatSeed, SideName, Step, TakenStep, Thought,
};
use lusoria_rules::{Family, Side, Step as RulesStep};

/// The id of a match, on the wire.
pub const fn match_id(id: PlayMatchId) -> MatchId {
    MatchId(id.0)
}

/// The id of a match, from the wire.
pub const fn play_match_id(id: MatchId) -> PlayMatchId {
    PlayMatchId(id.0)
}

pub(super) const fn guest_id(id: PlayerId) -> GuestId {
    GuestId(id.0)
}

/// A side by its name in the game.
pub const fn side(game: Game, side: Side) -> SideName {
    match (game.family(), side) {
        (Family::Tables(_), Side::White) => SideName::White,
        (Family::Tables(_), Side::Black) => SideName::Black,
        (Family::Tafl(_), Side::White) => SideName::Defenders,
        (Family::Tafl(_), Side::Black) => SideName::Attackers,
    }
}

/// The side of that name, if the game has it.
pub(super) fn side_named(game: Game, name: SideName) -> Result<Side, Problem> {
    let found = Side::BOTH.into_iter().find(|&of| side(game, of) == name);
    found.ok_or_else(|| {
        let [white, black] = Side::BOTH.map(|side| game.side_name(side));
        Problem::new(Code::UnknownSide, format!("the sides of {game} are {white} and {black}"))
    })
}

/// A seat, on the wire.
pub const fn seat(seat: PlaySeat) -> Seat {
    match seat {
        PlaySeat::One => Seat::One,
        PlaySeat::Two => Seat::Two,
    }
}

/// A value for each seat, on the wire.
pub fn by_seat<T, U>(
    values: &lusoria_play::BySeat<T>,
    convert: impl Fn(&T) -> U,
) -> lusoria_protocol::BySeat<U> {
    lusoria_protocol::BySeat { one: convert(&values.0), two: convert(&values.1) }
}

/// A step, on the wire.
pub fn step(step: &RulesStep) -> Step {
    Step { die: step.die, from: step.from.clone(), to: step.to.clone() }
}

/// The way of one piece by several dice, on the wire; none if there is no step in it.
pub fn reach(steps: &[RulesStep]) -> Option<Reach> {
    let (from, to) = (steps.first()?.from.clone(), steps.last()?.to.clone());
    Some(Reach { from, to, steps: steps.iter().map(step).collect() })
}

/// A step that was taken, on the wire.
pub(super) fn taken(taken: &lusoria_play::Taken) -> TakenStep {
    let lusoria_play::Taken { step, played } = taken;
    TakenStep {
        die: step.die,
        from: step.from.clone(),
        to: step.to.clone(),
        hit: played.hit,
        pin: played.pin,
        captures: played.captures.clone(),
    }
}

/// Steps, from the wire.
///
/// # Errors
/// `invalid_body` if there are more than any turn can have.
pub fn steps(steps: &[Step]) -> Result<Vec<RulesStep>, Problem> {
    if steps.len() > STEPS_MAX {
        let detail = format!("steps: at most {STEPS_MAX}, not {}", steps.len());
        return Err(Problem::new(Code::InvalidBody, detail).with_limit(STEPS_MAX as u64));
    }
    let long = |place: &str| place.chars().count() > 16;
    if let Some(index) = steps.iter().position(|step| long(&step.from) || long(&step.to)) {
        return Err(Problem::new(
            Code::InvalidBody,
            format!("steps[{index}]: a place has at most 16 characters"),
        ));
    }
    let read = |step: &Step| RulesStep { die: step.die, from: step.from.clone(), to: step.to.clone() };
    Ok(steps.iter().map(read).collect())
}

/// Thirty-two public bytes, on the wire.
pub fn hash(bytes: Bytes32) -> Hash {
    Hash::try_from(bytes.to_string()).expect("32 bytes are written as 64 hexadecimal digits")
}

/// Thirty-two bytes, from the wire.
pub fn bytes32(hash: &Hash) -> Bytes32 {
    Bytes32::try_from(hash.as_str().to_owned()).expect("a hash has 64 hexadecimal digits")
}

/// A player's seed, from the wire.
pub fn seed(seed: Option<&PlayerSeed>) -> Option<Seed> {
    seed.map(|seed| Seed::try_from(seed.as_str().to_owned()).expect("both kinds of seeds have the same form"))
}

pub(super) fn player_seed(seed: &Seed) -> PlayerSeed {
    PlayerSeed::try_from(seed.as_str().to_owned()).expect("both kinds of seeds have the same form")
}

pub(super) fn seat_seed(seed: &PlaySeed) -> SeatSeed {
    match seed {
        PlaySeed::Brought(seed) => SeatSeed::Brought { seed: player_seed(seed) },
        PlaySeed::Drawn(seed) => SeatSeed::Drawn { seed: player_seed(seed) },
        PlaySeed::Hash(bytes) => SeatSeed::Committed { seed_hash: hash(*bytes) },
    }
}

/// A player, as lists show them.
pub fn player(player: &Player) -> CardPlayer {
    let (kind, level) = player_kind(player.kind);
    CardPlayer { id: guest_id(player.id), name: player.name.clone(), kind, level }
}

/// A player from the wire; a computer without a level is taken for a person.
pub(super) fn play_player(player: &CardPlayer) -> Player {
    let kind = match (player.kind, player.level) {
        (PlayerKind::Computer, Some(of)) => PlayPlayerKind::Computer(level(of)),
        (PlayerKind::Bot, _) => PlayPlayerKind::Bot,
        (PlayerKind::Computer | PlayerKind::Person, _) => PlayPlayerKind::Person,
    };
    Player { id: PlayerId(player.id.0), name: player.name.clone(), kind }
}

/// What a player is, on the wire, with the level of the computer.
pub fn player_kind(kind: PlayPlayerKind) -> (PlayerKind, Option<Level>) {
    match kind {
        PlayPlayerKind::Person => (PlayerKind::Person, None),
        PlayPlayerKind::Bot => (PlayerKind::Bot, None),
        PlayPlayerKind::Computer(level) => {
            let level = Level::try_from(i64::from(level.number())).expect("both have the same levels");
            (PlayerKind::Computer, Some(level))
        }
    }
}

/// A level of the computer, from the wire.
pub fn level(level: Level) -> PlayLevel {
    PlayLevel::try_from(level.number()).expect("both have the same levels")
}

/// What the computer spent on a turn, on the wire.
pub(super) const fn thought(thought: PlayThought) -> Thought {
    Thought { budget: thought.budget, nodes: thought.nodes }
}

/// The reverse of [`thought`].
pub(super) const fn play_thought(thought: Thought) -> PlayThought {
    PlayThought { budget: thought.budget, nodes: thought.nodes }
}
