//! Turns in the notation of their game, with the die where the move alone does not determine it.

use lusoria_protocol::{Die, TakenStep};
use lusoria_rules::{Step, Turn};

use lusoria_wire::in_runs;

use super::exact::number;

/// The most steps that one word can stand for.
const TIMES_MAX: usize = 12;

/// The target of pieces that are borne off, with a die that may be larger than needed.
const OFF: &str = "off";

/// Writes steps as words: `24/18 13/8*(2)`, `3/off:5`, `e8-e6xd6`. `thrown` are the dice of the turn. If they
/// differ, every piece that is borne off is written with its die.
pub(super) fn write(steps: &[TakenStep], thrown: &[Die]) -> String {
    let differ = thrown.windows(2).any(|pair| pair[0] != pair[1]);
    in_runs(steps.iter().map(|step| word(step, differ)))
}

fn word(step: &TakenStep, differ: bool) -> String {
    let TakenStep { die, from, to, hit, pin, captures } = step;
    let Some(die) = *die else {
        let captures: String = captures.iter().flat_map(|cell| ["x", cell]).collect();
        return format!("{from}-{to}{captures}");
    };
    let mark = match (hit, pin) {
        (true, _) => "*",
        (false, true) => "^",
        (false, false) => "",
    };
    let die = if differ && to == OFF { format!(":{}", u8::from(die)) } else { String::new() };
    format!("{from}/{to}{mark}{die}")
}

/// The steps that the words mean in this turn.
///
/// # Errors
/// The first word that is not a step or not legal, and the reason.
pub(super) fn read(mut turn: Turn, words: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    for word in words.split_whitespace() {
        let (way, times) = times(word).ok_or_else(|| format!("\"{word}\" is not a step"))?;
        for _ in 0..times {
            let meant = match way.split_once(':') {
                Some((way, die)) => {
                    vec![with_die(way, die).ok_or_else(|| format!("\"{word}\" is not a step"))?]
                }
                None => turn.parse(way).map_err(|why| why.to_string())?,
            };
            for step in meant {
                turn.play(&step).map_err(|why| format!("\"{word}\": {why}"))?;
                steps.push(step);
            }
        }
    }
    Ok(steps)
}

/// A word without its `(2)`, and its count.
fn times(word: &str) -> Option<(&str, usize)> {
    let Some(rest) = word.strip_suffix(')') else { return Some((word, 1)) };
    let (way, times) = rest.split_once('(')?;
    Some((way, number(times).filter(|times| (2..=TIMES_MAX).contains(times))?))
}

/// Whether a word has the form of a step in any game: `13/8*(2)`, `3/off:5`, `e8-e6xd6`.
pub(super) fn is_step(word: &str) -> bool {
    // An x separates captured cells.
    let stands_there = |letter: u8| letter.is_ascii_alphanumeric() && letter != b'x';
    let is_cell = |cell: &str| !cell.is_empty() && cell.bytes().all(stands_there);
    let Some((from, to)) = word.split_once('/') else {
        return word.split_once('-').is_some_and(|(from, to)| is_cell(from) && to.split('x').all(is_cell));
    };
    let Some((to, _)) = times(to) else { return false };
    let to = match to.split_once(':') {
        Some((to, die)) if matches!(die.as_bytes(), [b'1'..=b'6']) => to,
        Some(_) => return false,
        None => to,
    };
    is_cell(from) && is_cell(to.strip_suffix(['*', '^']).unwrap_or(to))
}

fn with_die(way: &str, die: &str) -> Option<Step> {
    let (from, to) = way.split_once('/')?;
    let die = die.parse().ok().and_then(Die::new)?;
    Some(Step { die: Some(die), from: from.to_owned(), to: to.to_owned() })
}
