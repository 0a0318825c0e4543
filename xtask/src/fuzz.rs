//! Fuzzing: checks the laws of `fuzz/laws` with bytes from libFuzzer.

use std::fs;

use crate::{
    Outcome,
    commands::{cargo, root, run, succeeds},
    source::files,
};

/// How long each target runs by default, in minutes.
const MINUTES: u32 = 10;
/// An input that takes longer counts as a bug, in seconds.
const INPUT_MAX_S: u32 = 5;
const MEMORY_MAX_MB: u32 = 2048;
const INPUT_MAX_BYTES: u32 = 8192;

/// The targets to fuzz, and for how long.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    target: Option<String>,
    minutes: u32,
}

/// Runs one target, or all of them one after the other. Useful inputs stay in `fuzz/corpus`, inputs that
/// break a law in `fuzz/artifacts`.
pub(crate) fn run_targets(arguments: &[String]) -> Outcome {
    let wish = read(arguments)?;
    let all = targets()?;
    if !succeeds(cargo().args(["fuzz", "--version"])) {
        return Err("cargo-fuzz is not installed: cargo install cargo-fuzz --locked".to_owned());
    }
    match wish.target {
        None => all.iter().try_for_each(|target| run_target(target, wish.minutes)),
        Some(target) if all.contains(&target) => run_target(&target, wish.minutes),
        Some(target) => Err(format!("there is no target {target:?}; there are {}", all.join(", "))),
    }
}

fn run_target(target: &str, minutes: u32) -> Outcome {
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    fs::create_dir_all(root().join(&corpus)).map_err(|why| format!("cannot make {corpus}: {why}"))?;
    let mut command = cargo();
    // Sanitizers look for faults of unsafe code, of which there is none here, halve the speed, and need
    // another compiler than the project's.
    command.args(["fuzz", "run", "--sanitizer", "none", target, &corpus, &seeds, "--"]).args([
        format!("-max_total_time={}", minutes * 60),
        format!("-timeout={INPUT_MAX_S}"),
        format!("-rss_limit_mb={MEMORY_MAX_MB}"),
        format!("-max_len={INPUT_MAX_BYTES}"),
        "-dict=fuzz/words.dict".to_owned(),
        "-print_final_stats=1".to_owned(),
    ]);
    run(&mut command).map_err(|why| {
        format!("{why}\nfix it, and keep the input from fuzz/artifacts/{target} under a name in {seeds}")
    })
}

/// The targets by their names, in order.
fn targets() -> Result<Vec<String>, String> {
    let files = files("fuzz/fuzz_targets", &[".rs"])?;
    Ok(files.iter().filter_map(|path| path.file_stem()?.to_str().map(str::to_owned)).collect())
}

fn read(arguments: &[String]) -> Result<Wish, String> {
    let mut wish = Wish { target: None, minutes: MINUTES };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--minutes" {
            let minutes = arguments.next().and_then(|minutes| minutes.parse().ok());
            // Zero would mean forever to libFuzzer.
            wish.minutes = minutes
                .filter(|minutes| (1..=u32::MAX / 60).contains(minutes))
                .ok_or_else(|| "--minutes takes a number from 1".to_owned())?;
        } else if wish.target.is_some() || argument.starts_with('-') {
            return Err(format!("fuzz [TARGET] [--minutes N], not {argument:?}"));
        } else {
            wish.target = Some(argument.clone());
        }
    }
    Ok(wish)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(line: &str) -> Result<Wish, String> {
        read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn one_target_or_all_and_how_long() {
        let all = |minutes| Ok(Wish { target: None, minutes });
        let one = |minutes| Ok(Wish { target: Some("tafl".to_owned()), minutes });
        for (line, expected) in
            [("", all(10)), ("--minutes 600", all(600)), ("tafl", one(10)), ("--minutes 2 tafl", one(2))]
        {
            assert_eq!(wish(line), expected, "{line}");
        }
        for line in ["--minutes", "--minutes 0", "--minutes x", "tafl tables", "--hours 1"] {
            assert!(wish(line).is_err(), "{line}");
        }
    }
}
