//! The terms of a match to create: the same words on the command line and in the lobby.

use clap::{Args, Parser};
use lusoria_protocol::{
    Admission, CatalogueEntry, Clock, Computer, CreateMatch, Game, GuestId, Level, OptionSetting, Options,
    PlayAs,
};

const MINUTE_MS: u64 = 60_000;
const SECOND_MS: u64 = 1_000;

/// The terms of a match to create.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
#[derive(Debug, Clone, PartialEq, Eq, Default, Args)]
pub struct Terms {
    /// Play against the computer, at a level from 1 to 5
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["invite", "both"])]
    pub computer: Option<u8>,
    /// By invitation: prints the link to send to somebody
    #[arg(long, conflicts_with = "both")]
    pub invite: bool,
    /// Play both sides
    #[arg(long)]
    pub both: bool,
    /// The side to play in the first game; random if left out
    #[arg(long, value_name = "white|black|defenders|attackers")]
    pub side: Option<String>,
    /// `quick`, `normal`, `slow`, `delay`, `none`, `MINUTES+SECONDS`, or `DAYSd`
    #[arg(long, value_name = "CLOCK")]
    pub clock: Option<String>,
    /// Points to win the match; 1 is a single game
    #[arg(long, default_value_t = 1)]
    pub points: u16,
    /// Two games with the sides exchanged
    #[arg(long, conflicts_with_all = ["points", "both"])]
    pub pair: bool,
    /// The match changes the ratings of both players, who need accounts
    #[arg(long, conflicts_with_all = ["computer", "both"])]
    pub rated: bool,
    /// An option of the game, such as shift=die
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
}

/// The line after `create`.
#[derive(Debug, Parser)]
#[command(name = "create", no_binary_name = true, disable_version_flag = true, max_term_width = 80)]
struct Line {
    #[arg(help = format!("The game: {}", Game::list("or")))]
    game: String,
    #[command(flatten)]
    terms: Terms,
}

/// The line after `seek`.
#[derive(Debug, Parser)]
#[command(name = "seek", no_binary_name = true, disable_version_flag = true, max_term_width = 80)]
struct SeekLine {
    #[arg(help = format!("The games, with commas between: {}", Game::list("or")), value_delimiter = ',', required = true)]
    games: Vec<String>,
    /// `quick`, `normal`, `slow`, `delay`, `none`, `MINUTES+SECONDS`, or `DAYSd`
    #[arg(long, value_name = "CLOCK")]
    clock: Option<String>,
    /// Points to win the match; 1 is a single game
    #[arg(long, default_value_t = 1)]
    points: u16,
    /// Two games with the sides exchanged
    #[arg(long, conflicts_with = "points")]
    pair: bool,
    /// The match changes the ratings of both players, who need accounts
    #[arg(long)]
    rated: bool,
    /// The opponent may be a bot
    #[arg(long)]
    bots: bool,
}

/// The terms of a seek.
#[derive(Debug)]
pub(super) struct SeekWish {
    pub(super) games: Vec<Game>,
    pub(super) terms: Terms,
    pub(super) bots: bool,
}

/// The line after `challenge`.
#[derive(Debug, Parser)]
#[command(name = "challenge", no_binary_name = true, disable_version_flag = true, max_term_width = 80)]
struct ChallengeLine {
    /// The opponent's id; `me` prints your own
    who: GuestId,
    #[arg(help = format!("The game: {}", Game::list("or")))]
    game: String,
    #[command(flatten)]
    terms: Terms,
}

/// A challenge to be made.
#[derive(Debug)]
pub(super) struct ChallengeWish {
    pub(super) who: GuestId,
    pub(super) game: Game,
    pub(super) terms: Terms,
}

/// Invalid terms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTerms {
    /// There is no such game.
    #[error("there is no game \"{0}\": there are {games}", games = Game::list("and"))]
    Game(String),
    /// The game has no such side.
    #[error("{game} has no side \"{side}\": it has {has}")]
    Side {
        /// The game.
        game: String,
        /// The requested side.
        side: String,
        /// The available ones.
        has: String,
    },
    /// The clock has an unknown form.
    #[error("\"{clock}\" is not a clock: write MINUTES+SECONDS, DAYSd, or one of {presets}")]
    Clock {
        /// The requested clock.
        clock: String,
        /// The available ones.
        presets: String,
    },
    /// The levels are 1 to 5.
    #[error("the levels of the computer are 1 to 5, not {0}")]
    Level(u8),
    /// Points are 1 to 99.
    #[error("a match goes to 1 to 99 points, not {0}")]
    Points(u16),
    /// The game has no such option or value.
    #[error("{game} has no option \"{option}\": it has {has}")]
    Option {
        /// The game.
        game: String,
        /// The requested option.
        option: String,
        /// The available ones.
        has: String,
    },
    /// The words are not understood.
    #[error("{0}")]
    Words(String),
}

/// A game by its id.
///
/// # Errors
/// If it does not exist.
pub fn game(text: &str) -> Result<Game, BadTerms> {
    serde_json::from_value(serde_json::Value::from(text))
        .map_err(|_| BadTerms::Game(super::event_text::clipped(text, 40)))
}

/// The words after `create` in the lobby.
pub(super) fn read(words: &[String]) -> Result<(Game, Terms), BadTerms> {
    let line = Line::try_parse_from(words).map_err(|why| BadTerms::Words(why.render().to_string()))?;
    Ok((game(&line.game)?, line.terms))
}

/// The words after `seek` in the lobby.
pub(super) fn read_seek(words: &[String]) -> Result<SeekWish, BadTerms> {
    let line = SeekLine::try_parse_from(words).map_err(|why| BadTerms::Words(why.render().to_string()))?;
    let games = line.games.iter().map(|name| game(name)).collect::<Result<_, _>>()?;
    let SeekLine { clock, points, pair, rated, .. } = line;
    let terms = Terms { clock, points, pair, rated, ..Terms::default() };
    Ok(SeekWish { games, terms, bots: line.bots })
}

/// The words after `challenge` in the lobby.
pub(super) fn read_challenge(words: &[String]) -> Result<ChallengeWish, BadTerms> {
    let line =
        ChallengeLine::try_parse_from(words).map_err(|why| BadTerms::Words(why.render().to_string()))?;
    if line.terms.computer.is_some() || line.terms.invite || line.terms.both {
        return Err(BadTerms::Words(
            "--computer, --invite and --both are for matches without a challenge".to_owned(),
        ));
    }
    Ok(ChallengeWish { who: line.who, game: game(&line.game)?, terms: line.terms })
}

impl Terms {
    /// The request, without a seed for the dice.
    pub(super) fn request(&self, entry: &CatalogueEntry) -> Result<CreateMatch, BadTerms> {
        let level = self.computer.map(|level| {
            let level = Level::try_from(i64::from(level)).map_err(|_| BadTerms::Level(level))?;
            Ok(Computer { computer: level })
        });
        if !(1..=99).contains(&self.points) {
            return Err(BadTerms::Points(self.points));
        }
        Ok(CreateMatch {
            game: entry.id,
            options: self.options_of(entry)?,
            points: self.points,
            games: self.pair.then_some(2),
            clock: self.clock_of(entry)?,
            side: self.side_of(entry)?,
            admission: match (self.invite, self.both) {
                (true, _) => Admission::Invitation,
                (false, true) => Admission::BothSeats,
                (false, false) => Admission::Open,
            },
            rated: self.rated,
            opponent: level.transpose()?,
            stand_in: None,
            seed_hash: None,
        })
    }

    fn side_of(&self, entry: &CatalogueEntry) -> Result<PlayAs, BadTerms> {
        let Some(side) = self.side.as_deref().filter(|&side| side != "lot") else {
            return Ok(PlayAs::Lot);
        };
        let names: Vec<String> = entry.sides.iter().map(|side| plain(&side.id)).collect();
        let known = names.iter().any(|name| name == side);
        known.then(|| serde_json::from_value(side.into()).ok()).flatten().ok_or_else(|| BadTerms::Side {
            game: entry.name.clone(),
            side: side.to_owned(),
            has: names.join(" and "),
        })
    }

    fn clock_of(&self, entry: &CatalogueEntry) -> Result<Clock, BadTerms> {
        let Some(text) = &self.clock else { return Ok(Clock::None {}) };
        let preset = entry.clock_presets.iter().find(|preset| preset.id == *text);
        let written = || {
            if let Some(days) = text.strip_suffix('d') {
                return Some(Clock::Days { days: days.parse().ok()? });
            }
            let (minutes, seconds) = text.split_once('+')?;
            let (minutes, seconds): (u64, u64) = (minutes.parse().ok()?, seconds.parse().ok()?);
            Some(Clock::Fischer {
                base_ms: minutes.checked_mul(MINUTE_MS)?,
                increment_ms: seconds.checked_mul(SECOND_MS)?,
            })
        };
        preset.map(|preset| preset.clock).or_else(written).ok_or_else(|| BadTerms::Clock {
            clock: text.clone(),
            presets: entry
                .clock_presets
                .iter()
                .map(|preset| preset.id.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    fn options_of(&self, entry: &CatalogueEntry) -> Result<Options, BadTerms> {
        let mut chosen = serde_json::Map::new();
        for text in &self.options {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let option = entry.options.iter().find(|option| option.name == name);
            let setting = option.and_then(|option| {
                option.values.iter().map(|known| &known.value).find(|known| setting(known) == value)
            });
            let setting = setting.ok_or_else(|| BadTerms::Option {
                game: entry.name.clone(),
                option: text.clone(),
                has: all_options(entry),
            })?;
            let setting = serde_json::to_value(setting).expect("wire types are plain data");
            chosen.insert(name.to_owned(), setting);
        }
        serde_json::from_value(chosen.into()).map_err(|why| BadTerms::Words(why.to_string()))
    }
}

fn all_options(entry: &CatalogueEntry) -> String {
    let values = entry.options.iter().flat_map(|option| {
        option.values.iter().map(move |value| format!("{}={}", option.name, setting(&value.value)))
    });
    let all: Vec<String> = values.collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn setting(value: &OptionSetting) -> String {
    match value {
        OptionSetting::Flag(flag) => flag.to_string(),
        OptionSetting::Word(word) => word.clone(),
    }
}

/// The length and the word "rated", except for an unrated single game.
pub(super) fn length_and_stake(points: u16, games: Option<u8>, rated: bool) -> Vec<String> {
    let length = match games {
        Some(games) => Some(format!("{games} games")),
        None => (points > 1).then(|| format!("to {points} points")),
    };
    length.into_iter().chain(rated.then(|| "rated".to_owned())).collect()
}

/// The word for a value on the wire.
pub(super) fn plain(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}
