//! The second stage: a network that has learnt by playing learns what looking further tells.
//!
//! It plays against itself at a glance, and in one turn of some ([`STUDIED`]) looks again at the ends that it likes best
//! ([`CANDIDATES`]): one ply deep, at the best reply to every throw. It learns what these come to on average, for every
//! such end, played or not. Where that differs much from what the network thinks of the end at a glance
//! ([`DIFFERENCE_MAX`]), it plays on from there for [`PLIES`] turns, takes out the luck of the dice, and learns the mean
//! of some such games ([`ROLLOUTS`]): what looking one ply further for each of these turns would tell, on average.

use lusoria_rules::tables;
use lusoria_search::{
    Random, Value,
    endings::{known, nearly_known},
    network::{Memory, PruningNet, pruned_to},
};

use super::learning::{Lesson, Teacher, begin, by_lot, following, worth};

/// One turn in so many is studied; the others are played at a glance, so that what is learnt is of many games.
const STUDIED: usize = 4;
/// Ends of a turn that is studied which are looked at again, at most.
const CANDIDATES: usize = 4;
/// How much less than the best such an end may be worth at a glance; worth runs from -1.5 to 1.5.
const MARGIN: f32 = 0.1;
/// The largest difference between a glance and a look at every reply, in scores from 0 to 1, that is learnt as it is:
/// games are played on where there is a larger one.
const DIFFERENCE_MAX: f32 = 0.04;
/// How many games are played on from such an end.
const ROLLOUTS: u8 = 2;
/// Turns of each of them.
const PLIES: usize = 2;
/// Ends of a turn up to so many are all listed, of more those that promise most.
const ENDS: usize = 400;
/// How many positions are gone on from where there are more, in a turn that is studied.
const WIDTH: usize = 8;
/// How many positions are gone on from where a reply has more.
const REPLY_WIDTH: usize = 2;
/// Longer games are broken off: what has been learnt stays.
const TURNS_MAX: usize = 1_000;

/// A network that looks further.
#[derive(Debug)]
pub(super) struct Lookahead<'a> {
    pub(super) teacher: Teacher,
    /// Says which replies are worth a judgement.
    pub(super) pruning: Option<&'a PruningNet>,
}

/// An end of a turn with what it is worth to the side that played it.
#[derive(Debug, Clone, Copy)]
struct Judged {
    end: tables::Position,
    value: Value,
    /// Whether the value is exact or all but exact, and not what the network says.
    is_known: bool,
}

/// A position with the best reply to every throw, in the order of the teacher's throws.
#[derive(Debug)]
struct Look {
    /// What the side that throws can hope for, by all of them.
    value: Value,
    replies: Vec<Judged>,
}

impl Lookahead<'_> {
    /// Plays one game, and says what is to be learnt from it.
    pub(super) fn play(&self, seed: u64) -> Vec<Lesson> {
        let mut random = Random::new(seed);
        let (mut position, mut turns_by_lot) = begin(self.teacher.rules(), &mut random);
        let mut lessons = Vec::new();
        for _ in 0..TURNS_MAX {
            let dice = self.teacher.throw(&mut random);
            let turn = tables::Turn::new(position, &dice).expect("as many dice as the game has");
            let next = if turns_by_lot > 0 {
                turns_by_lot -= 1;
                by_lot(&turn, &mut random)
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

    /// Learns of the best ends of a turn, and says which is played: the best, or in one turn of four any of them by
    /// lot. None if nobody can move any more.
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

    /// The ends of a turn that are worth most at a glance, the best first.
    fn candidates(&self, turn: &tables::Turn) -> Vec<Judged> {
        let mut candidates = self.judged(turn, WIDTH, None);
        candidates.sort_by(|a, b| worth(&b.value).total_cmp(&worth(&a.value)));
        let least = worth(&candidates[0].value) - MARGIN;
        candidates.retain(|one| worth(&one.value) >= least);
        candidates.truncate(CANDIDATES);
        candidates
    }

    /// What is to be learnt of a position that has been looked at; `thought` is what the network says of it. Both are
    /// to the side that throws.
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

    /// What a position is worth to the side that throws, by a game with these throws, each the number of one of the
    /// teacher's: what a throw gave more than the mean of all throws is taken out. On average over all throws it is
    /// what looking at one throw more than these would tell.
    fn roll_out(&self, first: &Look, throws: &[usize]) -> Value {
        let mut value = first.value;
        let mut looked = None;
        for (ply, &throw) in throws.iter().enumerate() {
            let reply = looked.as_ref().unwrap_or(first).replies[throw];
            if reply.is_known {
                break;
            }
            let look = self.look(&reply.end);
            // To the side that threw first, which throws again at every other ply.
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

    /// The number of a throw, each as often as it is likely to come.
    fn throw_number(&self, random: &mut Random) -> usize {
        let dice = self.teacher.throw(random);
        let number = self.teacher.throws().iter().position(|throw| throw.dice == dice);
        number.expect("every throw is listed")
    }

    /// The ends of a turn, each judged; with a pruning network only those that promise most, if there are many.
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

/// The end that is worth most; of equals the first.
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
    use crate::tables::{endings, learning::Student};

    fn lookahead(game: Game) -> Lookahead<'static> {
        Lookahead { teacher: Student::new(Variant::standard(game), 3).teacher(), pruning: None }
    }

    fn start(lookahead: &Lookahead<'_>, dice: &[u8]) -> tables::Turn {
        let dice: Vec<Die> = dice.iter().map(|&die| Die::new(die).unwrap()).collect();
        tables::Turn::new(tables::Position::start(lookahead.teacher.rules()), &dice).unwrap()
    }

    /// The mean over all throws of something told of each by its number.
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
    fn a_look_meets_every_throw_with_the_best_reply() {
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

    /// What a position is worth if every throw of so many turns after the first is looked at.
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
    fn games_played_on_tell_on_average_what_looking_at_every_throw_would() {
        let lookahead = lookahead(Game::Zeno);
        // Few pieces, so that the tables know most of the replies, but not all.
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
        assert!(!is_close(&one, &look.value), "{one:?} is no more than a look tells");
        let two = mean(&lookahead, |a| mean(&lookahead, |b| lookahead.roll_out(&look, &[a, b])));
        assert!(is_close(&two, &told(&lookahead, &look, 2)), "{two:?}");
        assert!(!is_close(&two, &one), "{two:?} is no more than one turn tells");
    }

    #[test]
    fn a_turn_teaches_of_the_best_ends_played_or_not() {
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
    fn a_look_is_learnt_as_it_is_unless_it_differs_much_from_a_glance() {
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
    fn only_replies_that_promise_something_are_judged() {
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
