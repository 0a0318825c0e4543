//! `lusoria-lab echo`: the bare echo that `lusoria-lab bench --echo` measures.

use std::{io::Read, net::Ipv4Addr};

use lusoria_bench::{Transport, echo};
use tokio::net::TcpListener;

use super::{Failure, Verdict};

/// Serves an echo on a free port of this machine, which it prints on standard output. Ends when standard
/// input ends, so that it does not outlive its parent.
pub(super) fn serve(http: bool) -> Result<Verdict, Failure> {
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
    served.map(|()| Verdict::Good).map_err(|why| Failure::Io { what: "the bare echo".to_owned(), why })
}
