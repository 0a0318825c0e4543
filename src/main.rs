//! The command `lusoria`.

use std::process::ExitCode;

/// Every turn makes and drops many small things: that costs less than with the system's
/// allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    lusoria::cli::main()
}
