//! Other players as their followers or blockers see them.

use lusoria_play::Player;
use lusoria_protocol::{Name, OtherPlayer};
use lusoria_store::Guest;

/// Another guest.
pub fn other_player(Guest { id, name, kind, .. }: Guest) -> OtherPlayer {
    of(&Player { id, name, kind })
}

/// Another player.
pub fn of(player: &Player) -> OtherPlayer {
    OtherPlayer {
        id: player.id,
        name: Name::given_before(player.name.clone()),
        kind: lusoria_wire::player_kind(player.kind).0,
    }
}
