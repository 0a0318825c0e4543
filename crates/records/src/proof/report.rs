//! A proof as text.

use std::fmt;

use super::{Fault, Proof, Reason, Verdict};

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Commitment => "commitment",
            Self::Seed => "seed",
            Self::Secret => "secret",
            Self::Lot => "lot",
            Self::Order => "order",
            Self::Die => "die",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.why)
    }
}

/// What a successful proof shows, and what it does not, after "This proves that every throw".
const PROVES: [&str; 5] = [
    "follows from the commitment and the seeds alone:",
    "once the seeds were known, nobody could choose the dice, and nobody has changed them.",
    "It does not prove that the server's operator did not foresee throws: they have the secrets, and can",
    "compute the throws once they know the seeds. Nor does it prove who played, or that the turns were",
    "legal: lusoria replay judges the turns.",
];

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.checked {
            writeln!(f, "  true: {line}")?;
        }
        for fault in self.faults.kept() {
            writeln!(f, "  FALSE: {fault}")?;
        }
        if self.faults.more() > 0 {
            writeln!(f, "  FALSE: and {} more", self.faults.more())?;
        }
        for line in &self.open {
            writeln!(f, "  open: {line}")?;
        }
        if matches!(self.verdict(), Verdict::True | Verdict::TrueSoFar) {
            for line in &self.unknown {
                writeln!(f, "  unknown: {line}")?;
            }
            let [first, rest @ ..] = PROVES;
            let lot = if self.lot { ", and the lot," } else { "" };
            writeln!(f, "  This proves that every throw{lot} {first}")?;
            for line in rest {
                writeln!(f, "  {line}")?;
            }
        }
        f.write_str(match self.verdict() {
            Verdict::True => "TRUE",
            Verdict::False => "FALSE",
            Verdict::TrueSoFar => "TRUE SO FAR: not all games have ended",
            Verdict::Nothing => "NOTHING TO CHECK: no game has ended, and no secret is published",
        })
    }
}
