//! The results, as a table.

use super::{Found, ending::Ending};

/// The rounds after which a kill must have come before the commit, and one after it.
const ROUNDS_TO_TRY: u32 = 20;

/// The rounds after which a kill must have come between the commit and the response.
const ROUNDS_TO_HIT: u32 = 100;

/// How often each ending was found in each way.
#[derive(Debug, Default)]
pub(super) struct Report([[u32; Found::ALL.len()]; Ending::ALL.len()]);

impl Report {
    pub(super) const fn count(&mut self, ending: Ending, found: Found) {
        self.0[ending as usize][found as usize] += 1;
    }

    /// A line for each ending.
    pub(super) fn table(&self) -> String {
        let mut table = line("ending", Found::ALL.map(|found| found.name().to_owned()));
        for ending in Ending::ALL {
            table += &line(ending.name(), self.0[ending as usize].map(|times| times.to_string()));
        }
        table + &line("all", Found::ALL.map(|found| self.found(found).to_string()))
    }

    /// What the kills have not covered, so that the trial shows nothing about it.
    pub(super) fn untried(&self) -> Option<&'static str> {
        let [not_over, untold, as_told] = Found::ALL.map(|found| self.found(found));
        let rounds = not_over + untold + as_told;
        if rounds >= ROUNDS_TO_TRY && not_over == 0 {
            Some("no kill came before the commit")
        } else if rounds >= ROUNDS_TO_TRY && untold + as_told == 0 {
            Some("no kill came after the commit")
        } else if rounds >= ROUNDS_TO_HIT
            && untold == self.0[Ending::Flag as usize][Found::OverUntold as usize]
        {
            // A clock that runs out sends no response.
            Some("no kill came between the commit and the answer")
        } else {
            None
        }
    }

    fn found(&self, found: Found) -> u32 {
        self.0.iter().map(|times| times[found as usize]).sum()
    }
}

fn line(name: &str, cells: [String; Found::ALL.len()]) -> String {
    let cells = cells.map(|cell| format!("  {cell:>13}"));
    format!("{name:<32}{}\n", cells.concat())
}
