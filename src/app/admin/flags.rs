//! Flags for suspected engine help, as the operator sees them.

use lusoria_play::{FlagId, Millis, Pace};
use lusoria_rules::Game;
use lusoria_store::{EngineFlag, FlagGrounds, Moderated, ModeratorAct, Store, TurnLosses};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{AdminError, AdminOutcome, Failed, Grounds, details::PlayerDetails};
use crate::app::App;

/// How many flags are listed at most.
const TOLD_MAX: u32 = 200;

/// A flag: a player loses so little by their turns that a person should look at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlagDetails {
    /// Its id.
    pub id: Uuid,
    /// Who is flagged.
    pub player: PlayerDetails,
    /// For which game.
    pub game: Game,
    /// At which pace.
    pub pace: Pace,
    /// When, in milliseconds since the epoch.
    pub raised_at: Millis,
    /// Their rating before the last of the matches that led to the flag.
    pub points: f64,
    /// Number of matches judged, the last ones before the flag.
    pub matches: u32,
    /// Number of turns in which they had a choice.
    pub turns: u32,
    /// The total loss of these turns, in chances of winning.
    pub lost: f64,
    /// The loss of one turn expected at that rating, in chances of winning.
    pub expected: f64,
    /// When it was closed.
    pub closed_at: Option<Millis>,
}

impl From<EngineFlag> for FlagDetails {
    fn from(EngineFlag { id, player, key, raised_at, grounds, closed_at }: EngineFlag) -> Self {
        let FlagGrounds { points, matches, turns, lost, expected } = grounds;
        Self {
            id: id.0,
            player: PlayerDetails { id: player.id.0, name: player.name },
            game: key.game,
            pace: key.pace,
            raised_at,
            points,
            matches,
            turns,
            lost,
            expected,
            closed_at,
        }
    }
}

/// The loss of a player's turns in one match, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LossDetails {
    /// The match.
    #[serde(rename = "match")]
    pub of: Uuid,
    /// When it ended, in milliseconds since the epoch.
    pub ended_at: Millis,
    /// The player's rating before it.
    pub points: f64,
    /// Number of turns in which they had a choice.
    pub turns: u32,
    /// The total loss of these turns, in chances of winning.
    pub lost: f64,
}

impl From<TurnLosses> for LossDetails {
    fn from(TurnLosses { of, ended_at, points, turns, lost, .. }: TurnLosses) -> Self {
        Self { of: of.0, ended_at, points, turns, lost }
    }
}

/// Lists flags, the newest first.
pub(super) async fn flags(store: &Store, all: bool) -> Result<AdminOutcome, AdminError> {
    let found = store.flags(!all, TOLD_MAX).await?;
    Ok(AdminOutcome::Flags { flags: found.into_iter().map(FlagDetails::from).collect() })
}

/// Returns a flag, with the matches before it.
pub(super) async fn flag(store: &Store, id: Uuid) -> Result<AdminOutcome, AdminError> {
    let flag = store.flag(FlagId(id)).await?.ok_or(AdminError::NoSuchFlag(id))?;
    let most = u32::try_from(lusoria_fair_play::MATCHES_MAX).expect("few matches are looked at");
    let before = store.turn_losses(flag.player.id, flag.key, 0..=flag.raised_at, most).await?;
    Ok(AdminOutcome::Flag { flag: flag.into(), matches: before.into_iter().map(LossDetails::from).collect() })
}

impl App {
    /// Closes a flag.
    pub(super) async fn close_flag(
        &self,
        id: Uuid,
        note: Option<String>,
    ) -> Result<AdminOutcome, AdminError> {
        let flag = self.store().flag(FlagId(id)).await?.ok_or(AdminError::NoSuchFlag(id))?;
        let grounds = Grounds { note, ..Grounds::default() };
        let closes = |moderated| Moderated { closes_flag: Some(flag.id), ..moderated };
        let row = self.moderate(ModeratorAct::CloseFlag, Some(flag.player.id), None, grounds, closes).await?;
        Ok(AdminOutcome::Moderated { row, guest: None, failed: Failed::default() })
    }
}
