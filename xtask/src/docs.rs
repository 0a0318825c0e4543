//! The documentation of the code: it builds, without a broken link.

use crate::{
    Outcome,
    commands::{cargo, run},
};

/// Builds the documentation of every crate, warnings counting as errors.
pub(crate) fn build() -> Outcome {
    run(cargo().args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
}
