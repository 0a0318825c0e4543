//! Checks ARCHITECTURE.md: what pure crates must not use, which folder of `src/` may mention which, and the
//! reasons for third-party crates.

mod crates;
mod dependencies;
mod folders;

pub(crate) use dependencies::manifests;

use crate::{Outcome, source::verdict};

/// Checks the crates, the folders and the dependencies, and names every line that breaks a rule.
pub(crate) fn check() -> Outcome {
    let mut faults = crates::faults()?;
    faults.extend(folders::faults()?);
    faults.extend(dependencies::faults()?);
    verdict("layers", "every arrow points the right way, every dependency has its reason", &faults)
}
