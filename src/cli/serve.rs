//! `lusoria serve`: the server, with its log.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use tracing_subscriber::EnvFilter;

use crate::{
    config::{Config, LogFormat},
    server,
};

/// `EX_TEMPFAIL` of sysexits: the same start may succeed later.
const MAY_PASS: u8 = 75;

/// Libraries whose log repeats the server's own in other words; shown only if `--log` names them.
const QUIET: &str = "async_nats=off,sqlx=warn";

/// Runs the server until a stop signal, which may come before it is ready. The exit code is then 0; 2 if the
/// server does not start, because the database or an address cannot be opened or the log filter is wrong; 75
/// if the obstacle may be temporary ([`server::StartError::may_pass`]).
pub(super) fn serve(config: &Config) -> ExitCode {
    if let Err(why) = start_log(config) {
        eprintln!("lusoria: --log {}: {why}", config.log);
        return ExitCode::from(2);
    }
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(why) => {
            eprintln!("lusoria: the runtime: {why}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(server::serve(config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("lusoria: {why}");
            ExitCode::from(if why.may_pass() { MAY_PASS } else { 2 })
        }
    }
}

/// The log goes to standard error; standard output says where the server listens.
fn start_log(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(format!("{QUIET},{}", config.log)).map_err(|error| error.to_string())?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match config.log_format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
