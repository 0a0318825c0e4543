//! Names, numbers and steps.

use lusoria_play::{Level, Player, PlayerKind as PlayPlayerKind, SeatSeed as PlaySeed};
use lusoria_protocol::{CardPlayer, Code, PlayerKind, Problem, Reach, STEPS_MAX, SeatSeed, SideName};
use lusoria_rules::{Family, Game, Side, Step};

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

/// A value for each seat, on the wire.
pub const fn by_seat<T: Copy>(values: lusoria_play::BySeat<T>) -> lusoria_protocol::BySeat<T> {
    lusoria_protocol::BySeat { one: values.0, two: values.1 }
}

/// The way of one piece by several dice; none without a step.
pub fn reach(steps: &[Step]) -> Option<Reach> {
    let (from, to) = (steps.first()?.from.clone(), steps.last()?.to.clone());
    Some(Reach { from, to, steps: steps.to_vec() })
}

/// Checks steps from the wire.
///
/// # Errors
/// `invalid_body` if there are more than a turn can have, or the name of a place is too long.
pub fn check_steps(steps: &[Step]) -> Result<(), Problem> {
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
    Ok(())
}

pub(super) fn seat_seed(seed: &PlaySeed) -> SeatSeed {
    match seed {
        PlaySeed::Brought(seed) => SeatSeed::Brought { seed: seed.clone() },
        PlaySeed::Drawn(seed) => SeatSeed::Drawn { seed: seed.clone() },
        PlaySeed::Hash(bytes) => SeatSeed::Committed { seed_hash: *bytes },
    }
}

/// A player, as lists show them.
pub fn player(player: &Player) -> CardPlayer {
    let (kind, level) = player_kind(player.kind);
    CardPlayer { id: player.id, name: player.name.clone(), kind, level }
}

/// A player from the wire; a computer without a level becomes a person.
pub(super) fn play_player(player: &CardPlayer) -> Player {
    let kind = match (player.kind, player.level) {
        (PlayerKind::Computer, Some(of)) => PlayPlayerKind::Computer(of),
        (PlayerKind::Bot, _) => PlayPlayerKind::Bot,
        (PlayerKind::Computer | PlayerKind::Person, _) => PlayPlayerKind::Person,
    };
    Player { id: player.id, name: player.name.clone(), kind }
}

/// The kind of a player, with the level of the computer.
pub const fn player_kind(kind: PlayPlayerKind) -> (PlayerKind, Option<Level>) {
    match kind {
        PlayPlayerKind::Person => (PlayerKind::Person, None),
        PlayPlayerKind::Bot => (PlayerKind::Bot, None),
        PlayPlayerKind::Computer(level) => (PlayerKind::Computer, Some(level)),
    }
}
