//! Checks for engine help. The losses of turns in rated matches are computed in the background, and a player
//! who loses too little is flagged for a person to judge (`lusoria_fair_play`).

use std::{collections::BTreeSet, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use lusoria_fair_play::{MATCHES_MAX, MatchLosses, NEAR_POINTS, Others, Window};
use lusoria_play::{BySeat, FlagId, Match, MatchId, Millis, PlayerId, PlayerKind, Seat};
use lusoria_protocol::{AnalysedGame, AnalysedTurn};
use lusoria_search::Stakes;
use lusoria_store::{FlagGrounds, NearLosses, NewFlag, RatingKey, StoreError, TurnLosses};
use tokio::time::MissedTickBehavior;

use super::{App, Found, GivenUp, stakes};

/// Matches that ended longer ago are not checked, in milliseconds: a day. If more matches end than can be
/// checked, the newest are.
const OLDEST_MS: Millis = 86_400_000;

/// How many matches are remembered as seen, so that none is tried twice. Some leave no result in the store:
/// they cannot be read, another node checks them, or their players are gone.
const SEEN_MAX: usize = 1_000;

/// The losses of both players' turns in a match: the number of turns with a choice, and their total loss.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Losses(BySeat<(u32, f64)>);

impl Losses {
    fn add(&mut self, turn: &AnalysedTurn) {
        if !turn.forced {
            let (turns, lost) = self.0.get_mut(turn.seat);
            *turns += 1;
            *lost += f64::from(turn.lost);
        }
    }

    fn of_games(games: &[AnalysedGame]) -> Self {
        let mut losses = Self::default();
        games.iter().flat_map(|game| &game.turns).for_each(|turn| losses.add(turn));
        losses
    }
}

impl App {
    /// Checks rated matches that have ended, one after the other, as long as the server runs.
    pub async fn keep_checking(&self) {
        let Some(every) = Duration::from_hours(1).checked_div(self.limits.fair_play_checks_per_hour) else {
            return;
        };
        let mut seen = BTreeSet::new();
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.check_one(&mut seen).await {
                tracing::warn!(%error, "could not look for matches to check; trying again later");
            }
        }
    }

    /// Checks the newest finished match that has been neither checked nor seen, if there is one.
    async fn check_one(&self, seen: &mut BTreeSet<MatchId>) -> Result<(), StoreError> {
        let since = self.live.now().saturating_sub(OLDEST_MS);
        let most = u32::try_from(seen.len()).unwrap_or(u32::MAX).saturating_add(1);
        let found = self.store().matches_to_check(since, most).await?;
        let Some(id) = found.into_iter().find(|id| !seen.contains(id)) else { return Ok(()) };
        if seen.len() >= SEEN_MAX {
            seen.pop_first();
        }
        seen.insert(id);
        let checked = AssertUnwindSafe(self.check(id)).catch_unwind().await;
        if let Err(error) = checked.unwrap_or(Err(GivenUp::Panicked)) {
            tracing::error!(id = %id.0, %error, "could not check a match; leaving it out until the next start");
        }
        Ok(())
    }

    /// Stores the losses of a match, and flags players who are suspected after it.
    async fn check(&self, id: MatchId) -> Result<(), GivenUp> {
        let state = self.live.state(id).await?;
        let (Some(rated), Some(result)) = (state.rated(), state.rating_result()) else {
            return Err(GivenUp::NotRated);
        };
        if !self.takes(id, state.head()).await? {
            // Another node checks it.
            return Ok(());
        }
        let judge = self.engine(state.terms().variant);
        let kept = self.store().analysis(id).await?.filter(|kept| kept.engine == judge);
        let games = kept.and_then(|kept| serde_json::from_str::<Vec<AnalysedGame>>(&kept.body).ok());
        let losses = match games {
            Some(games) => Losses::of_games(&games),
            None => self.losses(&state).await?,
        };
        let key = RatingKey { game: result.game, pace: result.pace };
        // A loss in points counts half: certain defeat and certain victory are two points apart.
        let scale = match stakes(&state) {
            Stakes::Game => 1.0,
            Stakes::Points => 0.5,
        };
        let people = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, state.player(seat)?)));
        let of_seat = |(seat, player): (Seat, &lusoria_play::Player)| {
            let (turns, lost) = *losses.0.get(seat);
            TurnLosses {
                of: id,
                seat,
                player: player.id,
                key,
                ended_at: result.ended_at,
                points: rated.seats.get(seat).before.points.into(),
                turns,
                lost: lost * scale,
                judge: judge.clone(),
            }
        };
        self.store().keep_turn_losses(people.clone().map(of_seat).collect()).await?;
        metrics::counter!("lusoria_fair_play_checks_total").increment(1);
        for (_, player) in people.filter(|(_, player)| player.kind == PlayerKind::Person) {
            self.flag_if_suspected(player.id, key, &judge).await?;
        }
        Ok(())
    }

    /// The losses of a match, computed now.
    async fn losses(&self, state: &Match) -> Result<Losses, GivenUp> {
        let mut losses = Losses::default();
        let add = |_, found: Option<Found>, _: &_| {
            if let Some(Found::Turn(turn)) = found {
                losses.add(&turn);
            }
        };
        self.look_back(state, add).await?;
        Ok(losses)
    }

    /// Flags a player if they lose too little in the matches since their last flag.
    async fn flag_if_suspected(
        &self,
        player: PlayerId,
        key: RatingKey,
        judge: &str,
    ) -> Result<(), StoreError> {
        let now = self.live.now();
        let after = self.store().flagged_at(player, key).await?.map_or(0, |at| at + 1);
        let most = u32::try_from(MATCHES_MAX).expect("few matches are looked at");
        let last = self.store().turn_losses(player, key, after..=now.max(after), most).await?;
        let of_judge = last.into_iter().filter(|of| of.judge == judge);
        let compared = of_judge.map(|of| MatchLosses { points: of.points, turns: of.turns, lost: of.lost });
        let Some(window) = Window::of(compared) else { return Ok(()) };
        let near = NearLosses {
            except: player,
            key,
            judge: judge.to_owned(),
            points: window.points() - NEAR_POINTS..=window.points() + NEAR_POINTS,
        };
        let others = self.store().losses_near(near).await?;
        let others = Others { turns: others.turns, lost: others.lost };
        let Some(suspicion) = window.suspicion(key.game, others) else { return Ok(()) };
        let new = NewFlag {
            id: FlagId(self.new_id(now)),
            player,
            key,
            raised_at: now,
            grounds: FlagGrounds {
                points: suspicion.points,
                matches: suspicion.matches,
                turns: suspicion.turns,
                lost: suspicion.lost,
                expected: suspicion.expected,
            },
        };
        if self.store().raise_flag(new).await? {
            tracing::warn!(guest = %player.0, game = %key.game, "a player loses so little by their turns that a person should look at it (lusoria admin flags)");
            metrics::counter!("lusoria_engine_flags_total").increment(1);
        }
        Ok(())
    }
}
