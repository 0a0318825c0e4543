//! The arrows of ARCHITECTURE.md, checked: which crate may depend on which, and
//! which folder of `src/` may mention which.

mod crates;
mod folders;

use crate::Outcome;

/// Checks the crates, then the folders, and names every line that breaks a rule.
pub(crate) fn check() -> Outcome {
    let mut faults = crates::faults()?;
    faults.extend(folders::faults()?);
    if faults.is_empty() {
        eprintln!("layers: every arrow points the right way");
        return Ok(());
    }
    Err(format!("layers:\n  {}", faults.join("\n  ")))
}
