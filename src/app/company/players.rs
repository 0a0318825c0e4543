//! Public profiles of players with accounts: their names, matches and results.
//!
//! Results are counted from the matches at each request and stored nowhere, so they are always correct.

use std::str::FromStr;

use lusoria_play::{Admission, Length, MatchEnd, MatchId, Player, PlayerId, PlayerKind, Seat};
use lusoria_protocol::{
    AccountPlayer, Clock, Cursor, Game, GameResults, Handle, HeadToHead, InvalidText, MatchList, Name,
    PlayerList, Problem, Profile, Results, SideResults,
};
use lusoria_rules::Side;
use lusoria_store::{Account, AccountFilter, Card, CardResult, MatchFilter, MatchRow, Page, Played};
use serde::Deserialize;

use crate::app::{App, Caller, ClientAddress, matches::lists::PAGE_MAX, people::handles, problem};

/// How many players are found at most.
const FOUND_MAX: u32 = 20;

/// How many of a player's matches are searched for results.
const RESULTS_OF: usize = 2_000;

/// How many matches are searched for one page of a filtered list.
const LOOKED_THROUGH_MAX: usize = 1_000;

/// How many matches are read at once.
pub(in crate::app) const READ_AT_ONCE: u32 = 200;

/// How a match ended for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// They won it.
    Won,
    /// They lost it.
    Lost,
    /// Nobody won it.
    Drawn,
    /// It was aborted.
    Aborted,
}

/// The kind of clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockKind {
    /// None.
    None,
    /// A stock of time, with an increment after every turn.
    Fischer,
    /// A stock of time that starts to run only after a delay in each turn.
    Delay,
    /// Days for every turn.
    Days,
}

/// A player with an account, as clients name them. Handles are shorter than ids.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum WhichPlayer {
    /// By their handle.
    Handle(Handle),
    /// By their id, as in the seats of matches.
    Id(PlayerId),
}

impl TryFrom<String> for WhichPlayer {
    type Error = InvalidText;

    fn try_from(text: String) -> Result<Self, InvalidText> {
        match text.parse() {
            Ok(id) => Ok(Self::Id(id)),
            Err(_) => text.try_into().map(Self::Handle),
        }
    }
}

impl FromStr for WhichPlayer {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Self, InvalidText> {
        text.to_owned().try_into()
    }
}

/// A filter for matches of a player.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The game.
    pub game: Option<Game>,
    /// The opponent.
    pub opponent: Option<WhichPlayer>,
    /// How it ended for the player.
    pub ended: Option<Ended>,
    /// Points to win the match.
    pub points: Option<u16>,
    /// The kind of clock.
    pub clock: Option<ClockKind>,
    /// Created at this time or later.
    pub from: Option<u64>,
    /// Created before this time.
    pub until: Option<u64>,
}

impl App {
    /// Finds players whose handles begin like this, and the one whose handle looks like it.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn players(&self, beginning: &str, limit: u32) -> Result<PlayerList, Problem> {
        let which = AccountFilter::Starting(beginning.to_owned());
        let mut found =
            self.store().accounts(which, limit.clamp(1, FOUND_MAX)).await.map_err(problem::store)?;
        let skeleton = handles::skeleton(beginning);
        let alike = self.store().account_by_skeleton(skeleton).await.map_err(problem::store)?;
        if let Some(alike) = alike.filter(|alike| found.iter().all(|account| account.guest != alike.guest)) {
            found.truncate(limit as usize - 1);
            found.push(alike);
        }
        let mut players = Vec::with_capacity(found.len());
        for account in found {
            players.extend(self.player_of(account).await?);
        }
        Ok(PlayerList { players })
    }

    /// A player, with their results.
    ///
    /// # Errors
    /// `no_such_guest`; `too_many_requests` if the address has too many waiting; `unavailable`.
    pub async fn profile(&self, which: &WhichPlayer, address: ClientAddress) -> Result<Profile, Problem> {
        let player = self.player(which).await?;
        let results = self.results(player.id, None, address).await?;
        let ratings = self.ratings_of(player.id).await?;
        Ok(Profile { player, results, ratings })
    }

    /// A player's results against another one.
    ///
    /// # Errors
    /// As [`Self::profile`].
    pub async fn head_to_head(
        &self,
        which: &WhichPlayer,
        other: &WhichPlayer,
        address: ClientAddress,
    ) -> Result<HeadToHead, Problem> {
        let (player, opponent) = (self.player(which).await?, self.player(other).await?);
        let results = self.results(player.id, Some(opponent.id), address).await?;
        Ok(HeadToHead { player, opponent, results })
    }

    /// The matches of a player that a viewer may see, the newest first. A page of a filtered list may be
    /// short.
    ///
    /// # Errors
    /// `no_such_guest` also for the opponent; `too_many_requests` if the address has asked for too much;
    /// `unavailable`.
    pub async fn matches_played(
        &self,
        which: &WhichPlayer,
        wanted: &Wanted,
        after: Option<&Cursor>,
        limit: u32,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<MatchList, Problem> {
        let player = self.player(which).await?.id;
        let which = self.played(player, wanted, viewer).await?;
        let viewer = viewer.map(Caller::id);
        let limit = limit.clamp(1, PAGE_MAX);
        let page = if wanted.is_seen_in_rows() {
            let page = self.store().list(MatchFilter::Played(which), after.map(Cursor::after), limit).await;
            let page = page.map_err(problem::store)?;
            self.admit_items(address, page.rows.len())?;
            page
        } else {
            let _permit = self.results.acquire(address).await?;
            self.look_through(which, wanted, after.map(Cursor::after), limit as usize, address).await?
        };
        self.list(page, viewer).await
    }

    /// The part of the filter that the store can apply.
    pub(in crate::app) async fn played(
        &self,
        player: PlayerId,
        wanted: &Wanted,
        viewer: Option<&Caller>,
    ) -> Result<Played, Problem> {
        let opponent = match &wanted.opponent {
            Some(opponent) => Some(self.player(opponent).await?.id),
            None => None,
        };
        let Wanted { game, from, until, .. } = *wanted;
        Ok(Played { player, opponent, game, viewer: viewer.map(Caller::id), from, until })
    }

    /// A page of matches that pass the filter, or as many as one request may search.
    async fn look_through(
        &self,
        which: Played,
        wanted: &Wanted,
        mut after: Option<MatchId>,
        limit: usize,
        address: ClientAddress,
    ) -> Result<Page, Problem> {
        let player = which.player;
        let (mut rows, mut looked_at) = (Vec::new(), 0);
        loop {
            let filter = MatchFilter::Played(which.clone());
            let page = self.store().list(filter, after, READ_AT_ONCE).await.map_err(problem::store)?;
            self.admit_items(address, page.rows.len())?;
            looked_at += page.rows.len();
            for row in page.rows {
                if rows.len() == limit {
                    let next = rows.last().map(|last: &MatchRow| last.id);
                    return Ok(Page { rows, next });
                }
                rows.extend(Some(row).filter(|row| wanted.has(&row.card, player)));
            }
            after = page.next;
            if after.is_none() || looked_at >= LOOKED_THROUGH_MAX {
                return Ok(Page { rows, next: after });
            }
        }
    }

    pub(in crate::app) async fn player(&self, which: &WhichPlayer) -> Result<AccountPlayer, Problem> {
        let account = match which {
            WhichPlayer::Handle(handle) => self.account_named(handle.as_str()).await?,
            WhichPlayer::Id(id) => self.store().account(*id).await.map_err(problem::store)?,
        };
        let account = account.ok_or_else(no_such_player)?;
        self.player_of(account).await?.ok_or_else(no_such_player)
    }

    /// The player of an account; none if they were erased meanwhile.
    async fn player_of(&self, account: Account) -> Result<Option<AccountPlayer>, Problem> {
        let handle = account.handle.try_into().map_err(|_| problem::internal())?;
        let guest = self.store().guest(account.guest).await.map_err(problem::store)?;
        Ok(guest.map(|guest| AccountPlayer {
            handle,
            id: guest.id,
            name: Name::given_before(guest.name),
            kind: lusoria_wire::player_kind(guest.kind).0,
            since: account.created_at,
        }))
    }

    /// Results of a player's public matches, against one player or all except the computer.
    async fn results(
        &self,
        player: PlayerId,
        opponent: Option<PlayerId>,
        address: ClientAddress,
    ) -> Result<Results, Problem> {
        let _permit = self.results.acquire(address).await?;
        let which = Played { player, opponent, game: None, viewer: None, from: None, until: None };
        let (mut results, mut after, mut looked_at) = (Results::default(), None, 0);
        loop {
            let filter = MatchFilter::Played(which.clone());
            let page = self.store().list(filter, after, READ_AT_ONCE).await.map_err(problem::store)?;
            self.admit_items(address, page.rows.len())?;
            looked_at += page.rows.len();
            for row in &page.rows {
                count(&mut results.games, &row.card, player);
            }
            after = page.next;
            if after.is_none() || looked_at >= RESULTS_OF {
                results.games.sort_by_key(|of| of.game.id());
                results.older_left_out = after.is_some();
                return Ok(results);
            }
        }
    }
}

fn no_such_player() -> Problem {
    Problem::new(lusoria_protocol::Code::NoSuchGuest, "no account has this handle or id")
}

impl Wanted {
    /// Whether the store can apply the whole filter.
    const fn is_seen_in_rows(&self) -> bool {
        self.ended.is_none() && self.points.is_none() && self.clock.is_none()
    }

    /// Whether the card of a match found by the store passes the filter.
    pub(in crate::app) fn has(&self, card: &Card, player: PlayerId) -> bool {
        self.points.is_none_or(|points| Length::Points(points) == card.terms.length)
            && self.clock.is_none_or(|clock| clock == kind_of(card.terms.clock))
            && self.ended.is_none_or(|ended| ended_for(card, player) == Some(ended))
    }
}

const fn kind_of(clock: Clock) -> ClockKind {
    match clock {
        Clock::None {} => ClockKind::None,
        Clock::Fischer { .. } => ClockKind::Fischer,
        Clock::Delay { .. } => ClockKind::Delay,
        Clock::Days { .. } => ClockKind::Days,
    }
}

/// How a match ended for a player; none if it has not. A player in both seats has won.
fn ended_for(card: &Card, player: PlayerId) -> Option<Ended> {
    match card.result {
        CardResult::Open | CardResult::Live => None,
        CardResult::Ended(MatchEnd::Won(seat)) if card.player(seat) == Some(player) => Some(Ended::Won),
        CardResult::Ended(MatchEnd::Won(_)) => Some(Ended::Lost),
        CardResult::Ended(MatchEnd::Drawn) => Some(Ended::Drawn),
        CardResult::Ended(MatchEnd::Aborted(_)) => Some(Ended::Aborted),
    }
}

/// Counts a match between a player and another one, if it has a result.
fn count(games: &mut Vec<GameResults>, card: &Card, player: PlayerId) {
    let Some(seat) = Seat::BOTH.into_iter().find(|seat| card.player(*seat) == Some(player)) else { return };
    let computer = |other: &Player| matches!(other.kind, PlayerKind::Computer(_));
    if card.terms.admission == Admission::BothSeats
        || card.players.get(seat.other()).as_ref().is_none_or(computer)
    {
        return;
    }
    let (won, lost, drawn) = match ended_for(card, player) {
        None | Some(Ended::Aborted) => return,
        Some(Ended::Won) => (1, 0, 0),
        Some(Ended::Lost) => (0, 1, 0),
        Some(Ended::Drawn) => (0, 0, 1),
    };
    let game = card.game();
    let at = games.iter().position(|of| of.game == game).unwrap_or_else(|| {
        games.push(GameResults {
            game,
            won: 0,
            lost: 0,
            drawn: 0,
            points: 0,
            points_against: 0,
            sides: vec![],
        });
        games.len() - 1
    });
    let of = &mut games[at];
    (of.won, of.lost, of.drawn) = (of.won + won, of.lost + lost, of.drawn + drawn);
    of.points += u32::from(*card.score.get(seat));
    of.points_against += u32::from(*card.score.get(seat.other()));
    let Some(white) = card.white.filter(|_| card.terms.length == Length::SINGLE) else { return };
    let side = lusoria_wire::side(game, if seat == white { Side::White } else { Side::Black });
    let at = of.sides.iter().position(|of| of.side == side).unwrap_or_else(|| {
        of.sides.push(SideResults { side, won: 0, lost: 0, drawn: 0 });
        of.sides.len() - 1
    });
    let of = &mut of.sides[at];
    (of.won, of.lost, of.drawn) = (of.won + won, of.lost + lost, of.drawn + drawn);
}
