//! The options of the games, their defaults first.

use lusoria_protocol::{OptionEntry, OptionSetting, OptionValue};

/// An option with a fixed set of words.
pub(super) fn words<const N: usize>(name: &str, description: &str, values: [(&str, &str); N]) -> OptionEntry {
    option(name, description, values.map(|(word, means)| (OptionSetting::Word(word.to_owned()), means)))
}

/// An option that is on by default.
pub(super) fn flag(name: &str, description: &str, [on, off]: [&str; 2]) -> OptionEntry {
    option(name, description, [(OptionSetting::Flag(true), on), (OptionSetting::Flag(false), off)])
}

fn option<const N: usize>(name: &str, description: &str, values: [(OptionSetting, &str); N]) -> OptionEntry {
    OptionEntry {
        name: name.to_owned(),
        description: description.to_owned(),
        default: values[0].0.clone(),
        values: values
            .into_iter()
            .map(|(value, means)| OptionValue { value, description: means.to_owned() })
            .collect(),
    }
}
