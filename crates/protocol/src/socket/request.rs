//! What the operations of the socket take: the same fields as over HTTP, with the match and
//! the idempotency key beside them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Admission, Clock, Computer, Cursor, Die, Game, Hash, IdempotencyKey, MatchId, MatchStage, Notation,
    OfferAction, OneTimeCode, Options, PlayAs, PlayerSeed, Position, ResignScope, SessionId, Step, Token,
};

use super::OnLag;

const fn one() -> u16 {
    1
}

macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
    )*};
}

requests! {
    /// Says who you are. Without a token you can watch.
    Hello {
        /// Your token.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Token>,
    }
    /// Watches a match.
    Watch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the last event that you have; you get those after it. Without it
        /// you get a snapshot, and the events after that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u32>,
        /// What to do if you fall behind.
        #[serde(default)]
        on_lag: OnLag,
    }
    /// An operation on a match that takes nothing else.
    OfMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
    }
    /// Asks for the record of a match.
    RecordOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Whether with its analysis, if that is ready.
        #[serde(default)]
        analysis: bool,
    }
    /// An operation on a session of yours.
    OfSession {
        /// The session.
        session: SessionId,
    }
    /// An operation on a game of the catalogue.
    GameNamed {
        /// The game.
        game: Game,
    }
    /// Turns a topic on or off.
    Switch {
        /// On or off.
        on: bool,
    }
    /// Makes a match.
    CreateAMatch {
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// What is played.
        game: Game,
        /// The game's options.
        #[serde(default)]
        options: Options,
        /// Points to win the match.
        #[serde(default = "one")]
        #[schema(minimum = 1, maximum = 99, default = 1)]
        points: u16,
        /// The clock.
        #[serde(default)]
        clock: Clock,
        /// The side that you play in the first game.
        #[serde(default)]
        side: PlayAs,
        /// Who may take seat 2.
        #[serde(default)]
        admission: Admission,
        /// Who takes seat 2 at once: the computer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opponent: Option<Computer>,
        /// Who takes seat 1 in your place: the computer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stand_in: Option<Computer>,
        /// The SHA-256 of your seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Hash>,
    }
    /// Takes seat 2 of an open match.
    JoinAMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// Your seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<PlayerSeed>,
    }
    /// Takes seat 2 of the match to which the code invites.
    SpendAnInvitation {
        /// The code.
        code: OneTimeCode,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// Your seed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<PlayerSeed>,
    }
    /// Reveals your seed.
    SeedOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// The seed.
        seed: PlayerSeed,
    }
    /// Asks for the legal next steps of the present turn.
    LegalOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The steps so far.
        #[serde(default)]
        #[schema(max_items = 16)]
        steps: Vec<Step>,
    }
    /// Plays a whole turn.
    TurnOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the event that gave the turn.
        seq: u32,
        /// The steps, in order.
        #[schema(max_items = 16)]
        steps: Vec<Step>,
    }
    /// Shows the turn being built.
    BuildingMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the event that gave the turn.
        seq: u32,
        /// The steps so far.
        #[schema(max_items = 16)]
        steps: Vec<Step>,
    }
    /// Gives up.
    ResignMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// What is given up.
        #[serde(default)]
        scope: ResignScope,
    }
    /// Ends the match without a result.
    AbortMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
    }
    /// Claims the game of an opponent who has gone.
    ClaimMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
    }
    /// Offers a draw or answers an offer.
    DrawMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// What to do.
        action: OfferAction,
    }
    /// Offers a rematch or answers an offer.
    RematchMatch {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// Your idempotency key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<IdempotencyKey>,
        /// What to do.
        action: OfferAction,
        /// The SHA-256 of your seed for the new match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Hash>,
    }
    /// Asks for a page of events.
    EventsOf {
        /// The match.
        #[serde(rename = "match")]
        id: MatchId,
        /// The number of the last event that you have; you get those after it.
        #[serde(default)]
        since: u32,
        /// How many at most, 1 to 1000; 100 if left out. A message has 200 at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 1000)]
        limit: Option<u32>,
    }
    /// Asks the rules about a position.
    RulesOf {
        /// The game.
        game: Game,
        /// The game's options.
        #[serde(default)]
        options: Options,
        /// The position at the start of the turn; the start of the game if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<Position>,
        /// The dice thrown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 3)]
        dice: Option<Vec<Die>>,
        /// The steps so far.
        #[serde(default)]
        #[schema(max_items = 16)]
        steps: Vec<Step>,
        /// The steps so far as people write them, instead of `steps`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<Notation>,
        /// Whether to list the positions in which the turn can end.
        #[serde(default)]
        ends: bool,
    }
    /// Asks for a page of public matches.
    ListMatches {
        /// Where they stand; `open` if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<MatchStage>,
        /// Of which game; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Game>,
        /// Where the page begins: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cursor: Option<Cursor>,
        /// How many at most, 1 to 100; 20 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 100)]
        limit: Option<u32>,
    }
    /// Asks for a page of your own matches.
    ListMine {
        /// Where they stand; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<MatchStage>,
        /// Where the page begins: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cursor: Option<Cursor>,
        /// How many at most, 1 to 100; 20 if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 100)]
        limit: Option<u32>,
    }
}
