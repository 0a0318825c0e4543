//! TV: a channel for each game, which shows the most interesting public match in progress.

mod choice;

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use lusoria_play::{Millis, PlayerId, PlayerKind, Seat};
use lusoria_protocol::{Game, Notice, Problem, ToJson, Tv, TvChannel};
use lusoria_store::{MatchFilter, MatchRow, MatchState, RATED_PLAYERS_MAX, RatingKey, StoreError};

use crate::app::{App, problem, wire};
use choice::{Interest, Playing, QUIET_MS, ranked};

/// How many of the newest matches of a game are considered.
const LOOKED_THROUGH_MAX: usize = 500;

/// For how many of those, the most interesting first, the server checks whether they may be shown.
const ASKED_ABOUT_MAX: usize = 100;

/// How many finished matches are searched for one to show when none is in progress.
const FINISHED_MAX: u32 = 20;

/// How many matches are read at once.
const AT_ONCE: u32 = 100;

/// How long a choice is cached, in milliseconds.
pub(in crate::app) const CHOSEN_FOR_MS: Millis = 3_000;

/// The preference of an account that keeps its matches off TV: its name, and the value that does so.
const PREFERENCE: (&str, &str) = ("tv", "off");

/// The cached choice, and its time.
#[derive(Default)]
pub(in crate::app) struct Choice(tokio::sync::Mutex<Option<(Arc<Tv>, Millis)>>);

impl App {
    /// The match on each channel.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn tv(&self) -> Result<Arc<Tv>, Problem> {
        // Concurrent requests wait for the same choice.
        let mut chosen = self.tv.0.lock().await;
        let now = self.live.now();
        if let Some((tv, at)) = &*chosen
            && now < at + CHOSEN_FOR_MS
        {
            return Ok(Arc::clone(tv));
        }
        let mut channels = Vec::with_capacity(Game::ALL.len());
        for game in Game::ALL {
            let shown = self.shown_on(game, now).await.map_err(problem::store)?;
            let is_live = shown.as_ref().is_some_and(|row| row.card.state() == MatchState::Live);
            let names = self.listed_names(shown.as_slice()).await?;
            let card = shown.map(|row| Box::new(wire::card(&row, None, names.of(&row))));
            channels.push(TvChannel { game, is_live, card });
        }
        let tv = Arc::new(Tv { channels });
        *chosen = Some((Arc::clone(&tv), now));
        Ok(tv)
    }

    /// A notice for each channel that shows another match than `before`, or the end of the same one.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn switched(&self, before: &mut Option<Arc<Tv>>) -> Result<Vec<Bytes>, Problem> {
        let now = self.tv().await?;
        let shows = |tv: &Tv, game: Game| {
            let channel = tv.channels.iter().find(|channel| channel.game == game);
            channel.map(|channel| (channel.card.as_ref().map(|card| card.id), channel.is_live))
        };
        let is_new = |channel: &&TvChannel| {
            before.as_ref().is_none_or(|before| shows(before, channel.game) != shows(&now, channel.game))
        };
        let notice = |channel: &TvChannel| Notice::TvSwitched { channel: channel.clone() }.to_json().into();
        let notices = now.channels.iter().filter(is_new).map(notice).collect();
        *before = Some(now);
        Ok(notices)
    }

    /// The match on the channel of a game: one in progress, or the one that ended last.
    async fn shown_on(&self, game: Game, now: Millis) -> Result<Option<MatchRow>, StoreError> {
        let rows = self.played_now(game).await?;
        let strengths = self.strengths(game, &rows).await?;
        let interests = rows.iter().map(|row| (interest(row, &strengths, now), row.id)).collect();
        let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (row.id, row)).collect();
        for id in ranked(interests).into_iter().take(ASKED_ABOUT_MAX) {
            if let Some(row) = rows.remove(&id)
                && self.may_be_on_tv(&row).await?
            {
                return Ok(Some(row));
            }
        }
        let filter = MatchFilter::Listed { state: MatchState::Finished, game: Some(game) };
        for row in self.store().list(filter, None, FINISHED_MAX).await?.rows {
            if row.card.turns > 0 && self.may_be_on_tv(&row).await? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// The listed matches of a game in progress; if there are many, the newest.
    async fn played_now(&self, game: Game) -> Result<Vec<MatchRow>, StoreError> {
        let filter = MatchFilter::Listed { state: MatchState::Live, game: Some(game) };
        let (mut rows, mut after) = (Vec::new(), None);
        while rows.len() < LOOKED_THROUGH_MAX {
            let page = self.store().list(filter.clone(), after, AT_ONCE).await?;
            rows.extend(page.rows);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(rows)
    }

    /// The points of players whose rating in that game is settled.
    async fn strengths(
        &self,
        game: Game,
        rows: &[MatchRow],
    ) -> Result<HashMap<(PlayerId, RatingKey), f64>, StoreError> {
        let mut players: Vec<PlayerId> = rows
            .iter()
            .flat_map(|row| Seat::BOTH.into_iter().filter_map(|seat| row.card.player(seat)))
            .collect();
        players.sort_unstable();
        players.dedup();
        let mut strengths = HashMap::new();
        for some in players.chunks(RATED_PLAYERS_MAX) {
            for (player, key, stored) in self.store().ratings_of(some.to_vec()).await? {
                if key.game == game && stored.matches > 0 && !stored.rating.is_provisional() {
                    strengths.insert((player, key), stored.rating.points());
                }
            }
        }
        Ok(strengths)
    }

    /// Whether a match may be shown: neither player has opted out, and it is not one of a guest without an
    /// account, who cannot opt out, against the computer.
    async fn may_be_on_tv(&self, row: &MatchRow) -> Result<bool, StoreError> {
        let (name, off) = PREFERENCE;
        let is_computer = |seat: &Seat| kind(row, *seat).level().is_some();
        let against_computer = Seat::BOTH.iter().any(is_computer);
        for seat in Seat::BOTH.into_iter().filter(|seat| !is_computer(seat)) {
            let Some(player) = row.card.player(seat) else { continue };
            if against_computer && self.store().account(player).await?.is_none() {
                return Ok(false);
            }
            if self.store().preferences(player).await?.get(name).is_some_and(|value| value == off) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn kind(row: &MatchRow, seat: Seat) -> PlayerKind {
    row.card.players.get(seat).as_ref().map_or(PlayerKind::Person, |player| player.kind)
}

fn interest(row: &MatchRow, strengths: &HashMap<(PlayerId, RatingKey), f64>, now: Millis) -> Interest {
    let card = &row.card;
    let key = RatingKey { game: card.game(), pace: card.terms.clock.pace() };
    let points = |seat| card.player(seat).and_then(|player| strengths.get(&(player, key))).copied();
    let strength = Seat::BOTH.into_iter().filter_map(points).sum();
    let is_moving = card.updated_at + QUIET_MS > now;
    let is_live = !card.terms.clock.is_correspondence();
    Interest::new(is_moving, is_live, Playing::of(Seat::BOTH.map(|seat| kind(row, seat))), strength)
}
