//! The command `lusoria`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lusoria::cli::main()
}
