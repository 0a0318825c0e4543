//! The second stage: a network that has learnt by playing learns from look-ahead.
//!
//! It plays against itself without look-ahead, and in some turns ([`STUDIED`]) looks again at the ends that
//! it values most ([`CANDIDATES`]): one ply deep, at the best reply to every throw. It learns the mean value
//! of these, for every such end, played or not. Where that differs much from the network's own value of the
//! end ([`DIFFERENCE_MAX`]), it continues from there for [`PLIES`] turns, removes the luck of the dice, and
//! learns the mean of some such games ([`ROLLOUTS`]): on average what looking one ply further for each of
//! these turns would give.

use lusoria_rules::tables;
use lusoria_search::{
    Random, Value,
    endings::{known, nearly_known},
    network::{Memory, PruningNet, pruned_to},
};

use super::learning::{Lesson, Teacher, begin, following, random_end, worth};

/// One turn in this many is studied; the others are played without look-ahead, so that lessons come from many
/// games.
const STUDIED: usize = 4;
/// The most ends of a studied turn that are looked at again.
const CANDIDATES: usize = 4;
/// The most by which such an end's value without look-ahead may be below the best; values run from -1.5 to
/// 1.5.
const MARGIN: f32 = 0.1;
/// The largest difference between a value without look-ahead and one by every reply, in scores from 0 to 1,
/// that is learnt directly: with a larger one, games are continued from there.
const DIFFERENCE_MAX: f32 = 0.04;
/// The number of games that are continued from such an end.
const ROLLOUTS: u8 = 2;
/// The number of turns of each of them.
const PLIES: usize = 2;
/// Up to this many ends of a turn are all listed; of more only the most promising.
const ENDS: usize = 400;
/// The beam width of a studied turn.
const WIDTH: usize = 8;
/// The beam width of a reply.
const REPLY_WIDTH: usize = 2;
/// Longer games are aborted; their lessons are kept.
const TURNS_MAX: usize = 1_000;

/// A network with look-ahead.
#[derive(Debug)]
pub(super) struct Lookahead<'a> {
    pub(super) teacher: Teacher,
    /// Selects the replies to evaluate.
    pub(super) pruning: Option<&'a PruningNet>,
}

/// An end of a turn with its value for the side that played it.
#[derive(Debug, Clone, Copy)]
struct Judged {
    end: tables::Position,
    value: Value,
    /// Whether the value is exact or almost, and not the network's.
    is_known: bool,
}

/// A position with the best reply to every throw, in the order of the teacher's throws.
#[derive(Debug)]
struct Look {
    /// The value for the side that throws, over all throws.
    value: Value,
    replies: Vec<Judged>,
}

impl Lookahead<'_> {
    /// Plays one game and returns the lessons.
    pub(super) fn play(&self, seed: u64) -> Vec<Lesson> {
        let mut random = Random::new(seed);
        let (mut position, mut random_turns) = begin(self.teacher.rules(), &mut random);
        let mut lessons = Vec::new();
        for _ in 0..TURNS_MAX {
            let dice = self.teacher.throw(&mut random);
            let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
            let next = if random_turns > 0 {
                random_turns -= 1;
                random_end(&turn, &mut random)
            } else if random.below(STUDIED) == 0 {
                self.study(&turn, &mut lessons, &mut random)
            } else {
                following(&turn, self.teacher.best_end(&turn))
            };
            match next {
                Some(next) if known(&next).is_none() => position = next,
                _ => break,
            }
        }
        lessons
    }

    /// Learns the best ends of a turn. Returns the one to play: the best, or in one turn of four a random
    /// one. None if neither side can move any more.
    fn study(
        &self,
        turn: &tables::Turn,
        lessons: &mut Vec<Lesson>,
        random: &mut Random,
    ) -> Option<tables::Position> {
        let candidates = self.candidates(turn);
        following(turn, candidates[0].end)?;
        let mut looked = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            if candidate.is_known {
                looked.push(*candidate);
                continue;
            }
            let look = self.look(&candidate.end);
            looked.push(Judged { value: look.value.turned(), ..*candidate });
            lessons.push(Lesson::new(&candidate.end, &self.target(&look, &candidate.value.turned(), random)));
        }
        let played = if random.below(4) == 0 { looked[random.below(looked.len())] } else { best(looked) };
        Some(played.end)
    }

    /// The ends of a turn with the highest values without look-ahead, the best first.
    fn candidates(&self, turn: &tables::Turn) -> Vec<Judged> {
        let mut candidates = self.judged(turn, WIDTH, None);
        candidates.sort_by(|a, b| worth(&b.value).total_cmp(&worth(&a.value)));
        let least = worth(&candidates[0].value) - MARGIN;
        candidates.retain(|one| worth(&one.value) >= least);
        candidates.truncate(CANDIDATES);
        candidates
    }

    /// The target for a position that was looked at; `thought` is the network's value. Both are for the side
    /// that throws.
    fn target(&self, look: &Look, thought: &Value, random: &mut Random) -> Value {
        if (look.value.score() - thought.score()).abs() <= DIFFERENCE_MAX {
            return look.value;
        }
        let mut mean = Value::default();
        for _ in 0..ROLLOUTS {
            let throws = [(); PLIES].map(|()| self.throw_number(random));
            mean.add(&self.roll_out(look, &throws), 1.0 / f32::from(ROLLOUTS));
        }
        mean
    }

    /// The best reply to every throw.
    fn look(&self, position: &tables::Position) -> Look {
        let throws = self.teacher.throws();
        let mut look = Look { value: Value::default(), replies: Vec::with_capacity(throws.len()) };
        for throw in throws {
            let turn = tables::Turn::new(*position, &throw.dice).expect("a throw of the game");
            let reply = if following(&turn, *position).is_none() {
                Judged { end: *position, value: Value::DRAWN, is_known: true }
            } else {
                best(self.judged(&turn, REPLY_WIDTH, self.pruning))
            };
            look.value.add(&reply.value, throw.chance);
            look.replies.push(reply);
        }
        look
    }

    /// The value of a position for the side that throws, by a game with these throws, each the number of one
    /// of the teacher's: the difference between a throw's value and the mean of all throws is removed. On
    /// average over all throws it is what looking one throw further than these would give.
    fn roll_out(&self, first: &Look, throws: &[usize]) -> Value {
        let mut value = first.value;
        let mut looked = None;
        for (ply, &throw) in throws.iter().enumerate() {
            let reply = looked.as_ref().unwrap_or(first).replies[throw];
            if reply.is_known {
                break;
            }
            let look = self.look(&reply.end);
            // For the side that threw first, which throws again at every other ply.
            let (found, thought) = if ply % 2 == 0 {
                (look.value.turned(), reply.value)
            } else {
                (look.value, reply.value.turned())
            };
            value.add(&found, 1.0);
            value.add(&thought, -1.0);
            looked = Some(look);
        }
        value
    }

    /// The number of a throw, drawn by its probability.
    fn throw_number(&self, random: &mut Random) -> usize {
        let dice = self.teacher.throw(random);
        let number = self.teacher.throws().iter().position(|throw| throw.dice == dice);
        number.expect("every throw is listed")
    }

    /// The ends of a turn, each evaluated; with a pruning network only the most promising ones, if there are
    /// many.
    fn judged(&self, turn: &tables::Turn, width: usize, pruning: Option<&PruningNet>) -> Vec<Judged> {
        let mut memory: Memory = None;
        let ends = turn.ends(ENDS);
        let keep = pruned_to(turn.position().rules().game());
        let mut positions = ends.positions;
        if ends.truncated {
            positions = turn.ends_guided(width, |end| worth(&self.judge(end, &mut memory).value));
        } else if let Some(pruning) = pruning
            && positions.len() > 2 * keep
        {
            pruning.prune(&mut positions, keep);
        }
        positions.iter().map(|end| self.judge(end, &mut memory)).collect()
    }

    fn judge(&self, end: &tables::Position, memory: &mut Memory) -> Judged {
        let known = known(end).or_else(|| nearly_known(end));
        let value = known.unwrap_or_else(|| self.teacher.judgement(end, memory)).turned();
        Judged { end: *end, value, is_known: known.is_some() }
    }
}

/// The end with the highest value; of equal ones the first.
fn best(ends: Vec<Judged>) -> Judged {
    let best =
        ends.into_iter().reduce(|best, one| if worth(&one.value) > worth(&best.value) { one } else { best });
    best.expect("a turn ends somewhere")
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Die, Game, Variant};
    use lusoria_search::network::{self, Phase, PruningLayers};

    use super::*;
    use crate::train::tables::{endings, learning::Student};

    fn lookahead(game: Game) -> Lookahead<'static> {
        Lookahead { teacher: Student::new(Variant::standard(game), 3).teacher(), pruning: None }
    }

    fn start(lookahead: &Lookahead<'_>, dice: &[u8]) -> tables::Turn {
        let dice: Vec<Die> = dice.iter().map(|&die| Die::new(die).unwrap()).collect();
        tables::Turn::new(tables::Position::start(lookahead.teacher.rules()), &dice).unwrap()
    }

    /// The mean over all throws of a value of each, by its number.
    fn mean(lookahead: &Lookahead<'_>, of: impl Fn(usize) -> Value) -> Value {
        let mut mean = Value::default();
        for (number, throw) in lookahead.teacher.throws().iter().enumerate() {
            mean.add(&of(number), throw.chance);
        }
        mean
    }

    fn is_close(a: &Value, b: &Value) -> bool {
        [(a.win, b.win), (a.win_double, b.win_double), (a.lose_double, b.lose_double), (a.draw, b.draw)]
            .iter()
            .all(|(a, b)| (a - b).abs() < 1e-4)
    }

    #[test]
    fn a_look_has_the_best_reply_to_every_throw() {
        let lookahead = lookahead(Game::Tavla);
        let start = tables::Position::start(lookahead.teacher.rules());
        let look = lookahead.look(&start);
        assert!(is_close(&look.value, &mean(&lookahead, |throw| look.replies[throw].value)));
        for (throw, reply) in lookahead.teacher.throws().iter().zip(&look.replies) {
            let turn = tables::Turn::new(start, &throw.dice).unwrap();
            let best = lookahead.judge(&lookahead.teacher.best_end(&turn), &mut None);
            assert!((worth(&reply.value) - worth(&best.value)).abs() < 1e-5, "{throw:?}");
        }
    }

    /// The value of a position if every throw of that many turns after the first is looked at.
    fn told(lookahead: &Lookahead<'_>, look: &Look, plies: usize) -> Value {
        mean(lookahead, |throw| {
            let reply = look.replies[throw];
            if plies == 0 || reply.is_known {
                return reply.value;
            }
            told(lookahead, &lookahead.look(&reply.end), plies - 1).turned()
        })
    }

    #[test]
    fn rollouts_agree_on_average_with_a_full_look_ahead() {
        let lookahead = lookahead(Game::Zeno);
        // Few pieces, so that the tables cover most of the replies, but not all.
        let mut random = Random::new(8);
        let looks = std::iter::repeat_with(|| {
            lookahead.look(&endings::begin(lookahead.teacher.rules(), &mut random))
        });
        let may_be = |look: &Look| {
            let known = look.replies.iter().filter(|reply| reply.is_known).count();
            known > look.replies.len() / 2 && known < look.replies.len()
        };
        let look = looks.take(1_000).find(may_be).expect("one of a thousand is such a position");
        let one = mean(&lookahead, |throw| lookahead.roll_out(&look, &[throw]));
        assert!(is_close(&one, &told(&lookahead, &look, 1)), "{one:?}");
        assert!(!is_close(&one, &look.value), "{one:?} is no more than a look gives");
        let two = mean(&lookahead, |a| mean(&lookahead, |b| lookahead.roll_out(&look, &[a, b])));
        assert!(is_close(&two, &told(&lookahead, &look, 2)), "{two:?}");
        assert!(!is_close(&two, &one), "{two:?} is no more than one turn gives");
    }

    #[test]
    fn a_turn_teaches_its_best_ends_played_or_not() {
        let lookahead = lookahead(Game::Tavla);
        let turn = start(&lookahead, &[2, 5]);
        let candidates = lookahead.candidates(&turn);
        assert!(candidates.len() > 1 && candidates.is_sorted_by(|a, b| worth(&a.value) >= worth(&b.value)));
        let (mut lessons, mut random) = (Vec::new(), Random::new(1));
        let played = lookahead.study(&turn, &mut lessons, &mut random).unwrap();
        assert!(candidates.iter().any(|one| one.end == played));
        let inputs: Vec<_> = lessons.iter().map(Lesson::inputs).collect();
        let expected: Vec<_> = candidates.iter().map(|one| network::inputs(&one.end)).collect();
        assert!(inputs.iter().zip(&expected).all(|(a, b)| *a == b) && inputs.len() == expected.len());
    }

    #[test]
    fn a_look_is_learnt_directly_unless_it_differs_much() {
        let lookahead = lookahead(Game::Tavla);
        let look = lookahead.look(&tables::Position::start(lookahead.teacher.rules()));
        let thought = |more: f32| Value { win: look.value.win + more, ..look.value };
        let target = |more| lookahead.target(&look, &thought(more), &mut Random::new(2));
        for little in [-0.9 * DIFFERENCE_MAX, 0.0, 0.9 * DIFFERENCE_MAX] {
            assert_eq!(target(little), look.value);
        }
        for much in [-1.1 * DIFFERENCE_MAX, 1.1 * DIFFERENCE_MAX] {
            assert_ne!(target(much), look.value);
        }
    }

    #[test]
    fn only_promising_replies_are_evaluated() {
        let lookahead = lookahead(Game::Tavla);
        let pruning = PruningNet::new(vec![PruningLayers::zero(); Phase::COUNT]);
        let keep = pruned_to(Game::Tavla);
        let count = |turn: &tables::Turn, pruning| lookahead.judged(turn, REPLY_WIDTH, pruning).len();
        for throw in lookahead.teacher.throws() {
            let dice: Vec<u8> = throw.dice.iter().map(|die| die.value()).collect();
            let turn = start(&lookahead, &dice);
            let all = count(&turn, None);
            let expected = if all > 2 * keep { keep } else { all };
            assert_eq!(count(&turn, Some(&pruning)), expected, "{throw:?}");
        }
    }

    #[test]
    fn the_same_seed_teaches_the_same() {
        for game in [Game::Zeno, Game::Tavla] {
            let lookahead = lookahead(game);
            let lessons = lookahead.play(4);
            assert!(!lessons.is_empty(), "{game}");
            assert_eq!(lessons, lookahead.play(4), "{game}");
            assert_ne!(lessons, lookahead.play(5), "{game}");
        }
    }
}
