//! Replaces a person or their name in a match: the only change to past events. What happened stays; who did
//! it has another name or is somebody else.

use lusoria_play::{Match, MatchId, Player, PlayerId};

use lusoria_store::{Card, Departure, HandingOver, Store, StoreError};

use super::{CommandError, journal::version};

/// How many events are read at once.
const PAGE: u32 = 512;

/// What to replace in all events of a match.
#[derive(Debug, Clone)]
pub enum Rewriting {
    /// A player's name.
    Name {
        /// The player.
        player: PlayerId,
        /// The new name.
        name: String,
    },
    /// A guest, by the account that adopts them. The name stays.
    Player(Departure),
}

/// The result of a rewrite.
pub(super) enum Rewritten {
    /// The match as it is now, with its edition.
    As(Box<Match>, u32),
    /// The match has new events meanwhile.
    MovedOn,
    /// The rewrite is no longer wanted.
    Ended,
}

impl Rewriting {
    /// Rewrites a player in an event. Returns whether that changed anything.
    fn apply(&self, named: &mut Player) -> bool {
        match self {
            Self::Name { player, name } if named.id == *player && named.name != *name => {
                name.clone_into(&mut named.name);
                true
            }
            Self::Player(Departure { guest, adopter: Some(adopter), .. }) if named.id == *guest => {
                named.id = *adopter;
                true
            }
            Self::Name { .. } | Self::Player(_) => false,
        }
    }
}

/// Rewrites a match in the journal, and its card.
pub(super) async fn rewrite(
    store: &Store,
    id: MatchId,
    rewriting: &Rewriting,
) -> Result<Rewritten, CommandError> {
    let first = store.events(id, 0, PAGE).await?;
    // If later pages have another edition, the rewrite is refused.
    let (edition, mut journal) = (first.edition, first.events);
    let mut is_all = journal.len() < PAGE as usize;
    while !is_all {
        let since = journal.last().map_or(0, |last| last.seq);
        let page = store.events(id, since, PAGE).await?.events;
        is_all = page.len() < PAGE as usize;
        journal.extend(page);
    }
    if journal.is_empty() {
        return Err(CommandError::NoSuchMatch);
    }
    let mut changed = Vec::new();
    for recorded in &mut journal {
        let mut has_changed = false;
        for named in recorded.event.players_mut() {
            has_changed |= rewriting.apply(named);
        }
        changed.extend(has_changed.then(|| recorded.clone()));
    }
    let state = Match::from_journal(id, journal)
        .map_err(|why| CommandError::Store(StoreError::Corrupt(why.to_string())))?;
    // Also if no event changes: the card may have been written by a node that did not know of the rewrite,
    // and the creator of a match may be in no event.
    let (of, card) = (version(&state, edition), Card::of(&state));
    let outcome = match rewriting {
        Rewriting::Name { .. } => {
            if store.rewrite(id, of, changed, card).await? {
                HandingOver::HandedOver
            } else {
                HandingOver::MovedOn
            }
        }
        Rewriting::Player(adoption) => store.hand_over(id, of, *adoption, changed, card).await?,
    };
    Ok(match outcome {
        HandingOver::HandedOver => Rewritten::As(Box::new(state), edition + 1),
        HandingOver::MovedOn => Rewritten::MovedOn,
        HandingOver::Ended => Rewritten::Ended,
    })
}
