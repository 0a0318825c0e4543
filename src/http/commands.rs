//! Commands of players to a match: taking a seat, revealing a seed, ending it, playing again. Turns have a file of
//! their own.

use axum::extract::State;
use lusoria_protocol::{Abort, Claim, Draw, JoinMatch, Rematch, Resign, RevealSeed, Takeback};

#[cfg(test)]
use super::described::prelude::*;
use super::{
    Http,
    error::HandlerResult,
    extract::{Body, Guest, Key, OfMatch, OptionalBody},
};
use crate::app::CommandResponse;

routes! {
    json {
        Join: POST "/matches/{id}/join" => join,
        RevealSeed: POST "/matches/{id}/seed" => reveal_seed,
        Takeback: POST "/matches/{id}/takeback" => takeback,
        Resign: POST "/matches/{id}/resign" => resign,
        Abort: POST "/matches/{id}/abort" => abort,
        Claim: POST "/matches/{id}/claim" => claim,
        Draw: POST "/matches/{id}/draw" => draw,
        Rematch: POST "/matches/{id}/rematch" => rematch,
    }
}

/// All are carried out alike; only their bodies and descriptions differ.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($body:ident<$request:ty>);)*) => {$(
        $(#[$attribute])*
        pub(super) async fn $name(
            State(http): State<Http>,
            Guest(caller): Guest,
            OfMatch(id): OfMatch,
            Key(key): Key,
            $body(request): $body<$request>,
        ) -> HandlerResult<CommandResponse> {
            Ok(http.app.command(&caller, id, key.as_ref(), request).await?)
        }
    )*};
}

commands! {
    /// Join an open match
    ///
    /// You take seat 2.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/join", tag = "matches",
        params(MatchPath, KeyHeader), request_body = Option<JoinMatch>,
        responses((status = 200, description = "You have seat 2", body = Answer), Forbidden, NotFound, Conflict)))]
    join(OptionalBody<JoinMatch>);

    /// Reveal your seed
    ///
    /// The seed whose hash you sent. Nothing is thrown before.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/seed", tag = "matches",
        params(MatchPath, KeyHeader), request_body = RevealSeed,
        responses((status = 200, description = "Seed revealed", body = Answer), Forbidden, NotFound, Conflict)))]
    reveal_seed(Body<RevealSeed>);

    /// Take your last turn back, or ask for it
    ///
    /// Against the computer at once; against a person, in an unrated match, this offers it, and they accept or decline.
    /// You have the turn again with the same dice; the turns since then no longer count, and the throws after yours
    /// come again. The match is marked with it.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/takeback", tag = "play",
        params(MatchPath, KeyHeader), request_body = Takeback,
        responses((status = 200, description = "Turn taken back, or offered or answered", body = Answer),
            Forbidden, NotFound, Conflict)))]
    takeback(Body<Takeback>);

    /// Resign
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/resign", tag = "play",
        params(MatchPath, KeyHeader), request_body = Option<Resign>,
        responses((status = 200, description = "Resigned", body = Answer), Forbidden, NotFound, Conflict)))]
    resign(OptionalBody<Resign>);

    /// Abort
    ///
    /// Ends the match without a result: for its creator while nobody has joined, and for both players until each side
    /// has made its first turn.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/abort", tag = "play",
        params(MatchPath, KeyHeader), request_body = Option<Abort>,
        responses((status = 200, description = "Match aborted", body = Answer), Forbidden, NotFound, Conflict)))]
    abort(OptionalBody<Abort>);

    /// Claim the game
    ///
    /// In a match without a clock, when it is the opponent's turn and they have been away too long.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/claim", tag = "play",
        params(MatchPath, KeyHeader), request_body = Option<Claim>,
        responses((status = 200, description = "Game claimed", body = Answer), Forbidden, NotFound, Conflict)))]
    claim(OptionalBody<Claim>);

    /// Offer a draw, or answer an offer
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/draw", tag = "play",
        params(MatchPath, KeyHeader), request_body = Draw,
        responses((status = 200, description = "Offered or answered", body = Answer),
            Forbidden, NotFound, Conflict)))]
    draw(Body<Draw>);

    /// Offer a rematch, or answer an offer
    ///
    /// When both have agreed, `next` is the new match.
    #[cfg_attr(test, utoipa::path(post, path = "/matches/{id}/rematch", tag = "play",
        params(MatchPath, KeyHeader), request_body = Rematch,
        responses(
            (status = 200, description = "Offered or answered", body = RematchAnswer),
            Forbidden, NotFound, Conflict
        )))]
    rematch(Body<Rematch>);
}
