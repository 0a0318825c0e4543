//! The floods, as tables: the name of each, what it does, and the documented limits in which it ends.

mod act;
mod http;
mod limits;
mod sockets;
mod watching;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use act::{Act, As};

/// A flood. Its lanes all do the same at the same time.
#[derive(Debug)]
pub(super) struct Flood {
    /// Its name on the command line.
    pub(super) name: &'static str,
    /// A short description.
    pub(super) does: &'static str,
    /// The number of connections.
    pub(super) lanes: usize,
    /// Messages a second, of all lanes together.
    pub(super) per_s: u32,
    /// How it must end: each of these is counted at least once.
    pub(super) ends: &'static [&'static str],
    /// Its shortest duration, in seconds: longer than the time-out that ends it.
    pub(super) patience_s: u64,
    /// What a lane does until its connection ends.
    pub(super) act: Act,
}

/// All floods, grouped by what they attack.
pub(super) fn all() -> impl Iterator<Item = &'static Flood> {
    [http::FLOODS, sockets::FLOODS, watching::FLOODS, limits::FLOODS].into_iter().flatten()
}

/// Reads the name of a flood on the command line.
pub(super) fn parser() -> impl TypedValueParser<Value = &'static Flood> {
    PossibleValuesParser::new(all().map(|flood| flood.name))
        .map(|name| all().find(|flood| flood.name == name).expect("only names of floods are possible"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn flood_names_are_unique_and_every_flood_has_an_end() {
        for Flood { name, does, lanes, per_s, ends, .. } in all() {
            assert!(!does.is_empty() && *lanes > 0 && *per_s > 0 && !ends.is_empty(), "{name}");
        }
        let names: BTreeSet<_> = all().map(|flood| flood.name).collect();
        assert_eq!(names.len(), all().count());
    }
}
