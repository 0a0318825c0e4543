//! Taking a person out of a match, or putting one in another's place: the one thing that changes events that have
//! happened. What happened stays, who did it has another name or is somebody else.

use lusoria_play::{Match, MatchId, Player, PlayerId};

use lusoria_store::{Card, Departure, HandingOver, Store, StoreError};

use super::{CommandError, journal::version};

/// How many events are read at once.
const PAGE: u32 = 512;

/// What is put in the place of something in all events of a match.
#[derive(Debug, Clone)]
pub enum Rewriting {
    /// Another name in the place of a player's.
    Name {
        /// Whose.
        player: PlayerId,
        /// The new name.
        name: String,
    },
    /// Who adopts a guest in the place of the guest. The name stays.
    Player(Departure),
}

/// What came of a rewriting.
pub(super) enum Rewritten {
    /// The match is so now, with its edition.
    As(Box<Match>, u32),
    /// The match has moved on meanwhile.
    MovedOn,
    /// It is no longer to be done.
    Ended,
}

impl Rewriting {
    /// Rewrites what an event says of a player. Whether it has changed.
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

/// Rewrites a match, in the journal and in what lists show.
pub(super) async fn rewrite(
    store: &Store,
    id: MatchId,
    rewriting: &Rewriting,
) -> Result<Rewritten, CommandError> {
    let first = store.events(id, 0, PAGE).await?;
    // If later pages are of another edition, the rewrite is refused.
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
    // Even if no event changes: what lists show may have been written since by somebody who did not know of it, and
    // who has made a match may stand in no event.
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
