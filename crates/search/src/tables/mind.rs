//! What the computer knows of a dice game: its network, and the end of the race.

use std::sync::OnceLock;

use lusoria_rules::{Die, Game, Variant, tables};

use super::{
    bearing_off::BearingOff,
    net::Net,
    throws::{Throw, throws},
    weights::Weights,
};

/// The file of weights of a dice game.
pub(crate) fn shipped(game: Game) -> &'static [u8] {
    match game {
        Game::Zeno => include_bytes!("../../weights/zeno.bin"),
        Game::Tavla => include_bytes!("../../weights/tavla.bin"),
        Game::Scripta => include_bytes!("../../weights/scripta.bin"),
        Game::Tabula => include_bytes!("../../weights/tabula.bin"),
        Game::Tablut => unreachable!("tablut is played without dice"),
    }
}

/// Everything known of one game.
#[derive(Debug)]
pub(super) struct Mind {
    pub(super) net: Net,
    /// The game's throws, the likeliest first.
    pub(super) throws: Vec<Throw>,
    rules: &'static tables::Rules,
    bearing_off: OnceLock<Option<BearingOff>>,
}

impl Mind {
    /// The mind of a dice game.
    pub(super) fn of(game: Game) -> &'static Self {
        static ZENO: OnceLock<Mind> = OnceLock::new();
        static TAVLA: OnceLock<Mind> = OnceLock::new();
        static SCRIPTA: OnceLock<Mind> = OnceLock::new();
        static TABULA: OnceLock<Mind> = OnceLock::new();
        let mind = match game {
            Game::Zeno => &ZENO,
            Game::Tavla => &TAVLA,
            Game::Scripta => &SCRIPTA,
            Game::Tabula => &TABULA,
            Game::Tablut => unreachable!("tablut is played without dice"),
        };
        mind.get_or_init(|| {
            let weights = Weights::read(shipped(game)).expect("the weights that are shipped fit the program");
            debug_assert_eq!(weights.game, game);
            Self {
                net: Net::new(weights.phases),
                throws: throws(game.dice()),
                rules: tables::Rules::of(Variant::standard(game)).expect("the game has dice"),
                bearing_off: OnceLock::new(),
            }
        })
    }

    /// Which throw these dice are, in whatever order.
    pub(super) fn throw(&self, dice: &[Die]) -> usize {
        let mut dice = dice.to_vec();
        dice.sort_unstable();
        let known = self.throws.iter().position(|throw| throw.dice == dice);
        known.expect("the dice are a throw of the game")
    }

    /// How many distinct throws there are.
    pub(super) fn throws_count(&self) -> u32 {
        u32::try_from(self.throws.len()).expect("there are at most 56")
    }

    /// The table of the end of the race, counted when it is first asked for; none where the
    /// sides travel the same way.
    pub(super) fn bearing_off(&self) -> Option<&BearingOff> {
        self.bearing_off.get_or_init(|| BearingOff::of(self.rules)).as_ref()
    }
}
