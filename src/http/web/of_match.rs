//! The heads of a match's documents: the game, the players, the result. For a match that is not listed they name only
//! the game, because only people with its address may know more.

use lusoria_picture::{Picture, Player};
use lusoria_protocol::{Admission, BySeat, MatchResult, MatchState, PlayerKind, PlayerView, Seat, Snapshot};

use super::{
    document::Page,
    head::{Found, Head},
    site::Site,
};
use lusoria_wire::catalogue;

/// Whether a match is public.
pub(super) fn is_listed(state: &Snapshot) -> bool {
    state.admission == Admission::Open
}

/// The head of a match's document.
pub(super) fn head(site: &Site, language: &str, page: Page, state: &Snapshot) -> Head {
    let words = site.words();
    let game = game_name(site, language, state);
    let (title, description) = if is_listed(state) {
        let [a, b] = names(site, language, state);
        let values = [("game", game.as_str()), ("a", a.as_str()), ("b", b.as_str())];
        let (title, told) = match (state.state, state.players.two.is_some()) {
            (MatchState::Open, _) => ("match.title.open", "match.open"),
            (MatchState::AwaitingSeeds | MatchState::Playing, _) => ("match.title", "match.live"),
            (MatchState::Ended, true) if has_dice(state) => ("match.title", "match.ended"),
            (MatchState::Ended, true) => ("match.title", "match.ended.diceless"),
            // Nobody joined: there is nothing to replay.
            (MatchState::Ended, false) => ("match.title.alone", ""),
        };
        let told = [result(site, language, state), words.with(language, told, &values)].join(" ");
        (words.with(language, title, &values), told.trim().to_owned())
    } else {
        let line = words.find(language, &format!("games.{}.line", state.game)).unwrap_or_default();
        (game, line.to_owned())
    };
    let title = match page {
        Page::Dice if has_dice(state) => words.with(language, "match.dice", &[("title", &title)]),
        Page::Dice => words.with(language, "match.dice.diceless", &[("title", &title)]),
        _ => title,
    };
    Head {
        title,
        description,
        path: Some(format!("/match/{}", state.id)),
        found: if is_listed(state) && page == Page::Match { Found::ByEverybody } else { Found::ByAddress },
        picture: format!("/match/{}/board.png?lang={language}&head={}", state.id, shown_head(state)),
        is_translated: false,
        game_of_match: Some(state.game.id()),
    }
}

/// The picture: the position and the players; for a match that is not listed, its game at the start.
pub(super) fn picture(site: &Site, language: &str, state: &Snapshot) -> Picture {
    let entry = catalogue::entry(state.game);
    let title = game_name(site, language, state);
    if !is_listed(state) {
        return Picture { entry, position: entry.start.clone(), title, players: Vec::new() };
    }
    let [one, two] = names(site, language, state);
    let seats = [(Seat::One, one), (Seat::Two, two)];
    let winner = state.result.as_ref().and_then(|result| result.winner_seat);
    let mut players: Vec<Player> = seats
        .into_iter()
        .enumerate()
        .filter(|(_, (_, name))| !name.is_empty())
        .map(|(at, (seat, name))| Player {
            // Before the first game the sides are not known.
            side: state.sides.map_or(entry.sides[at].id, |sides| of_seat(sides, seat)),
            has_won: winner == Some(seat),
            name,
        })
        .collect();
    players.sort_by_key(|player| player.side != entry.sides[0].id);
    let position = state.position.clone().unwrap_or_else(|| entry.start.clone());
    Picture { entry, position, title, players }
}

/// Whether the game is played with dice; without them only the sides are random.
fn has_dice(state: &Snapshot) -> bool {
    catalogue::entry(state.game).dice > 0
}

/// The last event that the picture may show.
fn shown_head(state: &Snapshot) -> u32 {
    if is_listed(state) { state.head } else { 0 }
}

fn game_name(site: &Site, language: &str, state: &Snapshot) -> String {
    let name = site.words().find(language, &format!("games.{}", state.game));
    name.map_or_else(|| catalogue::entry(state.game).name.clone(), str::to_owned)
}

/// The names of the players; none for a free seat.
fn names(site: &Site, language: &str, state: &Snapshot) -> [String; 2] {
    let name = |player: &PlayerView| called(site, language, player);
    [name(&state.players.one), state.players.two.as_ref().map(name).unwrap_or_default()]
}

/// The computer is called by its level.
fn called(site: &Site, language: &str, player: &PlayerView) -> String {
    match (player.kind, player.level) {
        (PlayerKind::Computer, Some(level)) => {
            let level =
                site.words().find(language, &format!("levels.{}", level.number())).unwrap_or_default();
            site.words().with(language, "levels.computer", &[("level", level)])
        }
        _ => player.name.clone(),
    }
}

/// The result of the match; none while it continues.
fn result(site: &Site, language: &str, state: &Snapshot) -> String {
    let Some(result) = &state.result else { return String::new() };
    let [one, two] = names(site, language, state);
    let BySeat { one: of_one, two: of_two } = state.score;
    let (winner, score) = match result.winner_seat {
        Some(Seat::Two) => (two, [of_two, of_one]),
        Some(Seat::One) | None => (one, [of_one, of_two]),
    };
    let [more, less] = score.map(|points| points.to_string());
    let key = match result.result {
        MatchResult::Won if state.points > 1 || state.games.is_some() => "match.won.score",
        MatchResult::Won => "match.won",
        MatchResult::Drawn => "match.drawn",
        MatchResult::Aborted => "match.aborted",
    };
    site.words().with(language, key, &[("name", &winner), ("more", &more), ("less", &less)])
}

fn of_seat<T>(both: BySeat<T>, seat: Seat) -> T {
    match seat {
        Seat::One => both.one,
        Seat::Two => both.two,
    }
}
