//! Converts typed turns to the steps that the server lists.

use lusoria_protocol::{Legal, Problem, Step};

use lusoria_client::RequestError;

/// The most steps in a line: the server accepts no more in a turn.
const LEGS_MAX: usize = lusoria_protocol::STEPS_MAX;

/// The most questions to the server about one line: where several dice can bear a piece off, each is tried.
const ASKED_MAX: u32 = 64;

/// The move of one piece, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leg {
    /// The word it is from.
    word: String,
    from: String,
    to: String,
    claim: ClaimedEffect,
}

/// The claimed effect of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct ClaimedEffect {
    /// `*` or `^`.
    mark: Option<char>,
    /// The cells whose pieces it captures.
    captures: Vec<String>,
}

/// The reason that a line is not a turn or the beginning of one.
#[derive(Debug, thiserror::Error)]
pub(super) enum MoveError {
    /// A word that is not a step.
    #[error("\"{0}\" is not a step: write 24/18, bar/5, supply/3, 6/off or 13/8(2), or e8-e6")]
    NotAStep(String),
    /// More steps than a turn has.
    #[error("a turn has at most {LEGS_MAX} steps")]
    TooLong,
    /// The step is not legal.
    #[error("{word}: {}", reasons.join("; "))]
    Illegal {
        /// The typed step.
        word: String,
        /// The reasons, for each die.
        reasons: Vec<String>,
    },
    /// Its effect differs from its mark.
    #[error("{word} does not do what its mark says: it is {is}")]
    Otherwise {
        /// The typed step.
        word: String,
        /// The turn with it.
        is: String,
    },
    /// The server did not respond.
    #[error(transparent)]
    Ask(#[from] RequestError),
}

/// Says which steps are legal after some steps of the present turn.
pub(super) trait Rules {
    /// The legal steps after these.
    async fn legal(&mut self, steps: Vec<Step>) -> Result<Legal, RequestError>;
}

/// A turn or part of one: its steps, and the legal ones after them.
#[derive(Debug, Clone)]
pub(super) struct PartialTurn {
    pub(super) steps: Vec<Step>,
    pub(super) legal: Legal,
}

/// Reads a line: `24/18 13/8*`, `24/18/13`, `6/off(2)`, `e8-e6xd6`.
pub(super) fn legs(line: &str) -> Result<Vec<Leg>, MoveError> {
    let mut legs = Vec::new();
    for word in line.split(|letter: char| letter.is_whitespace() || letter == ',') {
        if word.is_empty() {
            continue;
        }
        let not_a_step = || MoveError::NotAStep(word.to_owned());
        let (way, times) = match word.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
            Some((way, times)) => (way, times.parse::<usize>().map_err(|_| not_a_step())?),
            None => (word, 1),
        };
        if times == 0 || times > LEGS_MAX {
            return Err(MoveError::TooLong);
        }
        let once = way_of(word, way).ok_or_else(not_a_step)?;
        legs.extend(once.iter().cycle().take(once.len() * times).cloned());
        if legs.len() > LEGS_MAX {
            return Err(MoveError::TooLong);
        }
    }
    Ok(legs)
}

/// Whether a line looks like steps rather than a command.
pub(super) fn looks_like_steps(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.contains(['/', '-']) && !word.starts_with('-'))
}

fn way_of(word: &str, way: &str) -> Option<Vec<Leg>> {
    let mut stops = way.split(['/', '-']);
    let mut from = place(stops.next()?)?;
    let mut legs = Vec::new();
    for stop in stops {
        let (stop, mark) = match stop.strip_suffix(['*', '^']) {
            Some(bare) => (bare, stop.chars().last()),
            None => (stop, None),
        };
        let mut parts = stop.split('x');
        let to = place(parts.next()?)?;
        let captures = parts.map(place).collect::<Option<_>>()?;
        legs.push(Leg {
            word: word.to_owned(),
            from,
            to: to.clone(),
            claim: ClaimedEffect { mark, captures },
        });
        from = to;
    }
    (!legs.is_empty()).then_some(legs)
}

fn place(text: &str) -> Option<String> {
    let is_name = (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_name.then(|| text.to_owned())
}

/// Plays the legs after the steps built so far.
///
/// # Errors
/// The first leg that cannot be played, with the reason for each die.
pub(super) async fn play(
    rules: &mut impl Rules,
    built: &PartialTurn,
    legs: &[Leg],
) -> Result<PartialTurn, MoveError> {
    let mut asked = 0;
    let mut farthest: Option<(usize, MoveError)> = None;
    // Ways still to be tried: the number of legs played, and the steps so far.
    let mut ways = vec![(0, built.clone())];
    while let Some((played, built)) = ways.pop() {
        let Some(leg) = legs.get(played) else { return Ok(built) };
        let mut found = Vec::new();
        for steps in candidates(&built.legal, leg) {
            asked += 1;
            if asked > ASKED_MAX {
                break;
            }
            let steps: Vec<Step> = built.steps.iter().cloned().chain(steps).collect();
            let legal = rules.legal(steps.clone()).await?;
            if let Some(wrong) = otherwise(leg, &legal) {
                keep_farthest(&mut farthest, played, wrong);
                continue;
            }
            found.push((played + 1, PartialTurn { steps, legal }));
        }
        if found.is_empty() && farthest.as_ref().is_none_or(|(at, _)| *at < played) {
            let why = why_not(rules, &built, leg).await?;
            keep_farthest(&mut farthest, played, why);
        }
        // The first one is tried first.
        ways.extend(found.into_iter().rev());
    }
    Err(farthest.map_or(MoveError::TooLong, |(_, why)| why))
}

fn keep_farthest(farthest: &mut Option<(usize, MoveError)>, at: usize, why: MoveError) {
    if farthest.as_ref().is_none_or(|(before, _)| *before < at) {
        *farthest = Some((at, why));
    }
}

/// The steps for this move: by one die if any die does it, otherwise by several.
fn candidates(legal: &Legal, leg: &Leg) -> Vec<Vec<Step>> {
    let fits =
        |from: &str, to: &str| from.eq_ignore_ascii_case(&leg.from) && to.eq_ignore_ascii_case(&leg.to);
    let single = legal.steps.iter().filter(|step| fits(&step.from, &step.to)).map(|step| vec![step.clone()]);
    let reached = legal.reach.iter().filter(|reach| fits(&reach.from, &reach.to));
    single.chain(reached.map(|reach| reach.steps.clone())).collect()
}

/// The error for a wrong claim of a leg, after it was played.
fn otherwise(Leg { word, claim, .. }: &Leg, legal: &Legal) -> Option<MoveError> {
    let last = legal.notation.split_whitespace().last().unwrap_or_default();
    let last = last.split('(').next().unwrap_or_default();
    let mut captured: Vec<&str> = last.split('x').skip(1).collect();
    let mut claimed: Vec<&str> = claim.captures.iter().map(String::as_str).collect();
    captured.sort_unstable();
    claimed.sort_unstable();
    let right =
        claim.mark.is_none_or(|mark| last.ends_with(mark)) && (claimed.is_empty() || claimed == captured);
    (!right).then(|| MoveError::Otherwise { word: word.clone(), is: legal.notation.clone() })
}

/// Asks the server why a leg cannot be played, for each die left.
async fn why_not(rules: &mut impl Rules, built: &PartialTurn, leg: &Leg) -> Result<MoveError, RequestError> {
    let mut dice: Vec<_> = built.legal.dice_left.iter().copied().map(Some).collect();
    dice.dedup();
    if dice.is_empty() {
        dice.push(None);
    }
    let (mut direct, mut elsewhere) = (Vec::new(), Vec::new());
    for die in dice {
        let step = |to: &str| Step { die, from: leg.from.clone(), to: to.to_owned() };
        let Some(problem) = refusal(rules, built, step(&leg.to)).await? else { continue };
        let expected = problem.reason.as_ref().filter(|reason| reason.code == "wrong_target");
        match expected.and_then(|reason| reason.params.get("expected")) {
            None => direct.push(reason(&problem)),
            Some(expected) => {
                let refused = refusal(rules, built, step(expected)).await?;
                elsewhere.push(reason(refused.as_deref().unwrap_or(&problem)));
            }
        }
    }
    let mut reasons = if direct.is_empty() { elsewhere } else { direct };
    reasons.dedup();
    if reasons.is_empty() {
        reasons.push("it cannot be played here".to_owned());
    }
    Ok(MoveError::Illegal { word: leg.word.clone(), reasons })
}

/// The reason without the number of the step: the typed word names the step.
fn reason(problem: &Problem) -> String {
    let detail = problem.detail.as_str();
    let bare = detail.strip_prefix("step ").and_then(|rest| rest.split_once(": "));
    bare.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(detail, |(_, bare)| bare)
        .to_owned()
}

/// The server's refusal of a step after those built already; none if it accepts it.
async fn refusal(
    rules: &mut impl Rules,
    built: &PartialTurn,
    step: Step,
) -> Result<Option<Box<Problem>>, RequestError> {
    let steps = built.steps.iter().cloned().chain([step]).collect();
    match rules.legal(steps).await {
        Ok(_) => Ok(None),
        Err(RequestError::Problem(problem)) if problem.reason.is_some() => Ok(Some(problem)),
        Err(error) => Err(error),
    }
}

/// The possible continuations: each step, and each move by several dice, in notation.
pub(super) fn words(legal: &Legal) -> Vec<String> {
    let mark = if legal.steps.iter().any(|step| step.die.is_some()) { '/' } else { '-' };
    let steps = legal.steps.iter().map(|step| (&step.from, &step.to));
    let reached = legal.reach.iter().map(|reach| (&reach.from, &reach.to));
    let mut words: Vec<String> = steps.chain(reached).map(|(from, to)| format!("{from}{mark}{to}")).collect();
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

/// Steps in notation, without marks for captures.
pub(super) fn written(steps: &[Step]) -> String {
    let word = |step: &Step| {
        let mark = if step.die.is_some() { '/' } else { '-' };
        format!("{}{mark}{}", step.from, step.to)
    };
    steps.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let show = |leg: Leg| format!("{}>{}{}", leg.from, leg.to, leg.claim.mark.unwrap_or(' '));
        legs(line).expect(line).into_iter().map(show).collect()
    }

    #[test]
    fn a_line_is_read_leg_by_leg() {
        assert_eq!(shown("24/18 13/8*"), ["24>18 ", "13>8*"]);
        assert_eq!(shown(" 24/18^/13,bar/5 "), ["24>18^", "18>13 ", "bar>5 "]);
        assert_eq!(shown("6/off(3)"), ["6>off "; 3]);
        assert_eq!(shown("24/18/13(2)").len(), 4);
        assert_eq!(shown("e8-e6"), ["e8>e6 "]);
        assert_eq!(legs("e8-e6xd6xf6").expect("a move")[0].claim.captures, ["d6", "f6"]);
        assert!(shown("").is_empty());
    }

    #[test]
    fn a_word_that_is_no_step_is_named() {
        for word in ["24", "24/", "/18", "24/18(x)", "e8-", "24//18", "a/b/c d", "24/\u{1b}[2J", "e8-e6x"] {
            assert!(matches!(legs(word), Err(MoveError::NotAStep(_))), "{word}");
        }
        for word in ["24/18(0)", "24/18(17)", "6/off(9) 5/off(9)", "24/18(99999999999)"] {
            assert!(legs(word).is_err(), "{word}");
        }
    }

    #[test]
    fn steps_are_told_from_commands() {
        for line in ["24/18", "e8-e6", "24/18 x"] {
            assert!(looks_like_steps(line), "{line}");
        }
        for line in ["board", "create tavla --computer 3", "", "--help", "resign"] {
            assert!(!looks_like_steps(line), "{line}");
        }
    }
}
