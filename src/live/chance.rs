//! The dice of a match, thrown by `lusoria-dice-v1` from its secrets.

use lusoria_dice::{Chain, Game, Secret, lot, seed_hash, throw};
use lusoria_play::{Bytes32, Chance, MatchId, Seat, Seed, Throw};
use lusoria_rules::Die;

use super::Entropy;

/// The secrets of a match's dice.
pub(super) struct DiceSecrets {
    pub(super) chain: Chain,
    /// The secret of the present game, because the chain is long to walk.
    pub(super) current: Option<(u16, Secret)>,
}

impl DiceSecrets {
    pub(super) fn dice<'a>(&'a mut self, id: MatchId, entropy: &'a dyn Entropy) -> MatchDice<'a> {
        MatchDice { id, secrets: self, entropy }
    }

    fn of_game(&mut self, game: u16) -> &Secret {
        let Self { chain, current } = self;
        if current.as_ref().is_none_or(|(number, _)| *number != game) {
            let secret = chain.secret(game).expect("a match has fewer games than its chain secrets");
            *current = Some((game, secret));
        }
        &current.as_ref().expect("it has just been set").1
    }
}

/// Supplies a match with throws and lots from its secrets.
pub(super) struct MatchDice<'a> {
    id: MatchId,
    secrets: &'a mut DiceSecrets,
    entropy: &'a dyn Entropy,
}

fn public<'a>(id: MatchId, number: u16, seeds: (&'a Seed, &'a Seed)) -> Game<'a> {
    Game { match_id: id.0, number, seeds: (seeds.0.as_str(), seeds.1.as_str()) }
}

impl Chance for MatchDice<'_> {
    fn throw(&mut self, which: Throw<'_>, dice: usize) -> Vec<Die> {
        let game = public(self.id, which.game, which.seeds);
        throw(self.secrets.of_game(which.game), game, which.index, dice)
            .into_iter()
            .map(|value| Die::new(value).expect("the scheme throws 1 to 6"))
            .collect()
    }

    fn lot(&mut self, game: u16, seeds: (&Seed, &Seed)) -> Seat {
        let public = public(self.id, game, seeds);
        Seat::try_from(lot(self.secrets.of_game(game), public)).expect("the lot is 1 or 2")
    }

    fn secret(&mut self, game: u16) -> Bytes32 {
        Bytes32(*self.secrets.of_game(game).reveal())
    }

    fn seed(&mut self) -> Seed {
        let text = Bytes32(self.entropy.bytes32()).to_string();
        Seed::try_from(text[..32].to_owned()).expect("hexadecimal digits are a seed")
    }

    fn seed_hash(&mut self, seed: &Seed) -> Bytes32 {
        Bytes32(seed_hash(seed.as_str()))
    }
}
