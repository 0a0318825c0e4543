//! Subjects of messages.

use lusoria_play::{MatchId, PlayerId};
use uuid::Uuid;

/// The subject of a message: it decides which nodes receive it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// Every node.
    All,
    /// Nodes on which the match is followed.
    Match(MatchId),
    /// Nodes on which a player is subscribed.
    Player(PlayerId),
    /// Nodes on which somebody is subscribed to the lobby.
    Lobby,
    /// One node.
    Node(Uuid),
}

impl Subject {
    /// Its name without the cluster's, such as `match.0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f`.
    pub(crate) fn name(self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Match(id) => format!("match.{id}"),
            Self::Player(id) => format!("player.{id}"),
            Self::Lobby => "lobby".to_owned(),
            Self::Node(id) => format!("node.{}", id.hyphenated()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_of_nats_have_no_blanks_and_no_wildcards() {
        let id = Uuid::from_u128(0x0190_a6c2_7b1e_7cc3_98c4_dc0c_0c07_398f);
        let text = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
        assert_eq!(Subject::All.name(), "all");
        assert_eq!(Subject::Match(MatchId(id)).name(), format!("match.{text}"));
        assert_eq!(Subject::Player(PlayerId(id)).name(), format!("player.{text}"));
        assert_eq!(Subject::Lobby.name(), "lobby");
        assert_eq!(Subject::Node(id).name(), format!("node.{text}"));
    }
}
