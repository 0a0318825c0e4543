//! What an organiser asks for, as settings.

use lusoria_play::Bytes32;
use lusoria_protocol::{
    Code, CreateTournament, EditTournament, EntryConditions, Problem, Seeding as WireSeeding,
    ShownConditions, TournamentFormat, TournamentSettings, WhoEnters, is_visible,
};
use lusoria_tournament::{Conditions, Format, Refusal, Seeding, Settings, Who};
use lusoria_wire::{games, length, variant};
use sha2::{Digest, Sha256};

use super::refused;

/// The settings of a new tournament.
///
/// # Errors
/// If the game has no such option, or a text is not one that all can read. Ranges are checked later.
pub fn settings(request: &CreateTournament) -> Result<Settings, Problem> {
    let format = format(request.format);
    Ok(Settings {
        name: readable_name(&request.name)?,
        description: readable_description(&request.description)?,
        variant: variant(request.game, &request.options)?,
        length: length(request.points, request.games)?,
        clock: request.clock,
        rated: request.rated,
        begins_at: request.begins_at,
        wait_ms: request.wait_ms,
        listed: request.listed,
        conditions: conditions(&request.conditions, &format),
        format,
    })
}

/// A change of settings. If a new format admits fewer entrants than the old settings, as many as it does may enter.
///
/// # Errors
/// As [`settings`].
pub fn change(request: EditTournament) -> Result<impl Fn(&Settings) -> Settings, Problem> {
    let EditTournament { game, options, points, games: of_games, .. } = request;
    if options.is_some() && game.is_none() {
        return Err(Problem::new(Code::InvalidBody, "options: send them together with game"));
    }
    let name = request.name.as_deref().map(readable_name).transpose()?;
    let description = request.description.as_deref().map(readable_description).transpose()?;
    let variant = game.map(|game| variant(game, &options.unwrap_or_default())).transpose()?;
    let has_length = points.is_some() || of_games.is_some();
    let length = has_length.then(|| length(points.unwrap_or(1), of_games)).transpose()?;
    Ok(move |old: &Settings| {
        let mut new = old.clone();
        new.name = name.clone().unwrap_or(new.name);
        new.description = description.clone().unwrap_or(new.description);
        new.format = request.format.map_or(new.format, format);
        new.variant = variant.unwrap_or(new.variant);
        new.length = length.unwrap_or(new.length);
        new.clock = request.clock.unwrap_or(new.clock);
        new.rated = request.rated.unwrap_or(new.rated);
        new.begins_at = request.begins_at.unwrap_or(new.begins_at);
        new.wait_ms = request.wait_ms.unwrap_or(new.wait_ms);
        new.listed = request.listed.unwrap_or(new.listed);
        let most = new.format.entrants().1;
        match &request.conditions {
            Some(wire) => new.conditions = conditions(wire, &new.format),
            None => new.conditions.entrants_max = new.conditions.entrants_max.min(most),
        }
        new
    })
}

/// A name that everybody can read, trimmed. Its length is checked later.
///
/// # Errors
/// `tournament_name`.
pub fn readable_name(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    if is_visible(text) { Ok(text.to_owned()) } else { Err(refused(&Refusal::Name)) }
}

/// A description that everybody can read, trimmed. Its length is checked later.
///
/// # Errors
/// `tournament_description`.
pub fn readable_description(text: &str) -> Result<String, Problem> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    let is_readable = text.lines().all(|line| line.trim().is_empty() || is_visible(line));
    if is_readable { Ok(text) } else { Err(refused(&Refusal::Description)) }
}

const fn format(wire: TournamentFormat) -> Format {
    match wire {
        TournamentFormat::RoundRobin { ends_at, by_round } => Format::RoundRobin { ends_at, by_round },
        TournamentFormat::Swiss { rounds, every_ms } => Format::Swiss { rounds, every_ms },
        TournamentFormat::Knockout { seeding, consolation, points_more_by_round } => Format::Knockout {
            seeding: match seeding {
                WireSeeding::Rating => Seeding::Rating,
                WireSeeding::Lot => Seeding::Lot,
            },
            consolation,
            points_more_by_round,
        },
        TournamentFormat::Arena { lasts_ms } => Format::Arena { lasts_ms },
    }
}

/// A format as the wire has it.
pub(super) const fn shown_format(format: &Format) -> TournamentFormat {
    match *format {
        Format::RoundRobin { ends_at, by_round } => TournamentFormat::RoundRobin { ends_at, by_round },
        Format::Swiss { rounds, every_ms } => TournamentFormat::Swiss { rounds, every_ms },
        Format::Knockout { seeding, consolation, points_more_by_round } => TournamentFormat::Knockout {
            seeding: match seeding {
                Seeding::Rating => WireSeeding::Rating,
                Seeding::Lot => WireSeeding::Lot,
            },
            consolation,
            points_more_by_round,
        },
        Format::Arena { lasts_ms } => TournamentFormat::Arena { lasts_ms },
    }
}

fn conditions(wire: &EntryConditions, format: &Format) -> Conditions {
    let mut players = wire.players.clone();
    players.sort_unstable();
    players.dedup();
    let code = wire.code.as_ref().map(|code| code_hash(code.trimmed()));
    Conditions {
        who: match wire.who {
            WhoEnters::People => Who::People,
            WhoEnters::Bots => Who::Bots,
            WhoEnters::Both => Who::Both,
        },
        entrants_max: wire.entrants_max.unwrap_or(format.entrants().1),
        rated_matches_min: wire.rated_matches_min,
        rating_min: wire.rating_min,
        rating_max: wire.rating_max,
        account_age_ms_min: wire.account_age_ms_min,
        players,
        code,
    }
}

/// A code as it is kept.
pub fn code_hash(code: &str) -> Bytes32 {
    Bytes32(Sha256::digest(code).into())
}

pub(super) const fn who(who: Who) -> WhoEnters {
    match who {
        Who::People => WhoEnters::People,
        Who::Bots => WhoEnters::Bots,
        Who::Both => WhoEnters::Both,
    }
}

pub(super) fn shown_conditions(conditions: &Conditions) -> ShownConditions {
    let players = u16::try_from(conditions.players.len()).unwrap_or(u16::MAX);
    ShownConditions {
        rated_matches_min: conditions.rated_matches_min,
        rating_min: conditions.rating_min,
        rating_max: conditions.rating_max,
        account_age_ms_min: conditions.account_age_ms_min,
        players: (players > 0).then_some(players),
    }
}

/// Settings as everybody sees them: without the list of players and the hash of the code, which could be guessed.
pub(super) fn shown_settings(settings: &Settings) -> TournamentSettings {
    TournamentSettings {
        name: settings.name.clone(),
        description: settings.description.clone(),
        format: shown_format(&settings.format),
        game: settings.variant.game(),
        options: settings.variant.options(),
        points: settings.length.points(),
        games: games(settings.length),
        clock: settings.clock,
        rated: settings.rated,
        begins_at: settings.begins_at,
        wait_ms: settings.wait_ms,
        listed: settings.listed,
        who: who(settings.conditions.who),
        entrants_max: settings.conditions.entrants_max,
        has_code: settings.conditions.code.is_some(),
        conditions: shown_conditions(&settings.conditions),
    }
}
