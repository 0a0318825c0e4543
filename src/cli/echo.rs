//! `lusoria echo`: the bare echo that `lusoria bench --echo` measures.

use std::{io::Read, net::Ipv4Addr, process::ExitCode};

use tokio::net::TcpListener;

use lusoria_bench::{Transport, echo};

/// Serves an echo on a free port of this machine, which it prints on standard output. Ends when standard
/// input ends, so that it does not outlive its parent.
pub(super) fn serve(http: bool) -> ExitCode {
    let over = if http { Transport::Http } else { Transport::Socket };
    let served = tokio::runtime::Runtime::new().and_then(|runtime| {
        runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            println!("{}", listener.local_addr()?);
            let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
            tokio::select! {
                served = echo::serve(listener, over) => served,
                _ = ended => Ok(()),
            }
        })
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("lusoria: {why}");
            ExitCode::FAILURE
        }
    }
}
