//! The engine's shortcuts against the rules taken word by word, on positions
//! that need not arise in play.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::{
    Position, Rules, Turn,
    dice::Hand,
    pieces::{PIECES, Pieces, Place},
    road::{Progress, Road},
};
use crate::{BySide, Die, Mother, Shift, Side, Variant};

/// Compulsion as rules/README.md has it: the most dice over all sequences.
/// Nothing but the single steps is shared with the engine.
fn most(road: &Road, progress: Progress, known: &mut HashMap<Progress, Option<u8>>) -> Option<u8> {
    if progress.has_won() {
        return Some(progress.hand.len());
    }
    if let Some(&most) = known.get(&progress) {
        return most;
    }
    let mut best = if progress.owes_entry { None } else { Some(0) };
    for die in progress.hand.values() {
        for pace in road.paces(&progress.own, die) {
            best = best.max(most(road, progress.after(road, pace), known).map(|rest| rest + 1));
        }
    }
    known.insert(progress, best);
    best
}

/// The ends, by walking every sequence that plays `owed` dice.
fn ends(
    road: &Road,
    progress: Progress,
    owed: u8,
    seen: &mut HashSet<(Progress, u8)>,
    found: &mut HashSet<(Pieces, u64)>,
) {
    if progress.has_won() || owed == 0 {
        if !progress.owes_entry {
            found.insert((progress.own, progress.hits));
        }
        return;
    }
    for die in progress.hand.values() {
        for pace in road.paces(&progress.own, die) {
            let after = progress.after(road, pace);
            if seen.insert((after, owed)) {
                ends(road, after, owed - 1, seen, found);
            }
        }
    }
}

const VARIANTS: [Variant; 6] = [
    Variant::Zeno { shift: Shift::Throw },
    Variant::Zeno { shift: Shift::Die },
    Variant::Tavla { mother: Mother::PlayOn },
    Variant::Scripta { row_a_gate: true },
    Variant::Scripta { row_a_gate: false },
    Variant::Tabula,
];

/// Fifteen pieces a side, put down one after the other wherever the numbers
/// say; those that meet the enemy go off instead. The mover's pieces keep to
/// few cells where `crowd` is small.
fn position(rules: &'static Rules, crowd: u16, places: &[(u16, bool)]) -> Option<Position> {
    let mut sides = BySide { white: Pieces::default(), black: Pieces::default() };
    for (at, &(number, pair)) in places.iter().enumerate() {
        let side = if at % 2 == 0 { Side::White } else { Side::Black };
        let cells = u16::from(rules.length()).min(if side == Side::White { crowd } else { 36 });
        let shift = u16::from(rules.length()) - cells;
        let place = match number % 50 {
            0..=2 if rules.has_supply() => Place::SUPPLY,
            3..=4 if rules.has_bar() => Place::BAR,
            5 if rules.middle_row().next().is_some() => {
                rules.middle_row().nth(usize::from(number / 50 % 12))?
            }
            _ => Place::cell(u8::try_from(shift * (number % 3 / 2) + number / 3 % cells).ok()?),
        };
        let enemy = sides.get(side.other());
        let taken = place.index() < rules.length() && enemy.count(rules.across(place)) > 0;
        let place = if taken { Place::OFF } else { place };
        let own = sides.get_mut(side);
        let total: u8 = (0..=Place::OFF.index()).map(|index| own.count(Place::at(index))).sum();
        let more = if pair { 2 } else { 1 }.min(PIECES - total);
        own.set(place, own.count(place) + more);
    }
    for side in Side::BOTH {
        let own = sides.get_mut(side);
        let total: u8 = (0..=Place::OFF.index()).map(|index| own.count(Place::at(index))).sum();
        own.set(Place::OFF, own.count(Place::OFF) + PIECES - total);
        if rules.shelter().is_some() && own.count(Place::SUPPLY) == 0 {
            own.expose();
        }
    }
    let position = Position::new(rules, sides, Side::White);
    let crate::Setup::Tables { sides, to_move } = position.setup() else { return None };
    Position::from_setup(rules, &sides, to_move).ok()
}

fn cases() -> impl Strategy<Value = (Position, Vec<Die>)> {
    let variant = prop::sample::select(VARIANTS.to_vec());
    let places = prop::collection::vec((any::<u16>(), any::<bool>()), 30);
    let alike = prop::sample::select(vec![false, false, true]);
    (variant, 4u16..37, places, prop::collection::vec(0usize..6, 3), alike).prop_filter_map(
        "a position that can be",
        |(variant, crowd, places, dice, alike)| {
            let rules = Rules::of(variant)?;
            let roll =
                (0..rules.game().dice()).map(|at| Die::ALL[dice[if alike { 0 } else { at }]]).collect();
            Some((position(rules, crowd, &places)?, roll))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 200_000, ..ProptestConfig::default() })]

    #[test]
    fn the_most_dice_and_the_ends_are_those_of_all_sequences((position, roll) in cases()) {
        let hand = Hand::of_roll(position.rules(), &roll).expect("a roll of the game");
        let (road, progress) = Road::of(&position, hand);
        let turn = Turn::new(position, &roll).expect("a roll of the game");
        let all = turn.ends(4000);
        // Every sequence of twelve steps is too much where there are many.
        prop_assume!(!all.truncated);
        let naive = most(&road, progress, &mut HashMap::new());
        prop_assert_eq!(turn.dice_playable(), naive.unwrap_or(0));
        let mut found = HashSet::new();
        if naive.is_some() {
            ends(&road, progress, turn.dice_playable(), &mut HashSet::new(), &mut found);
        } else {
            found.insert((progress.own, 0));
        }
        let found: HashSet<Position> =
            found.into_iter().map(|(own, hits)| position.played(own, hits).with_to_move(Side::Black)).collect();
        prop_assert_eq!(all.positions.len(), found.len());
        prop_assert_eq!(all.positions.into_iter().collect::<HashSet<_>>(), found);
    }

    #[test]
    fn legal_first_steps_are_those_that_keep_the_most_dice((position, roll) in cases()) {
        let turn = Turn::new(position, &roll).expect("a roll of the game");
        prop_assume!(!turn.ends(4000).truncated);
        let (road, progress) = (&turn.road, turn.progress);
        let mut known = HashMap::new();
        let best = most(road, progress, &mut known);
        let mut naive = Vec::new();
        for die in progress.hand.values() {
            for pace in road.paces(&progress.own, die) {
                let rest = most(road, progress.after(road, pace), &mut known);
                if best.is_some() && rest.map(|rest| rest + 1) == best {
                    naive.push(turn.written(pace));
                }
            }
        }
        naive.sort();
        prop_assert_eq!(turn.steps(), naive);
    }
}
