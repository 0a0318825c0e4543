//! Sends a request to the running server through its Unix socket.

use std::{
    io::{self, ErrorKind, Write},
    path::Path,
    pin::pin,
    time::Duration,
};

use lusoria_client::{ConnectionError, HttpAnswer, HttpRequest};
use tokio::{net::UnixStream, time::timeout};

use crate::{
    app::admin::{AdminAction, AdminOutcome},
    cli::runtime,
};

/// How long to wait for the server.
struct Limits {
    /// After this time, print that the server has not responded yet.
    patience: Duration,
    /// After this time, give up.
    within: Duration,
    /// A text to add to that error.
    afterwards: &'static str,
}

const FOR_QUERY: Limits =
    Limits { patience: Duration::from_secs(5), within: Duration::from_secs(30), afterwards: "" };

/// Pruning, renaming in many matches, or reading many journals may take minutes.
const FOR_ACTION: Limits = Limits {
    patience: Duration::from_secs(5),
    within: Duration::from_hours(1),
    afterwards: "; it may still carry out the request",
};

/// The server's response; none if no server runs.
pub(super) fn over_socket(
    socket: &Path,
    act: &AdminAction,
) -> Result<Option<Result<AdminOutcome, String>>, String> {
    let asked = ask(socket, act);
    runtime().map_err(|failure| failure.to_string())?.block_on(asked)
}

async fn ask(socket: &Path, act: &AdminAction) -> Result<Option<Result<AdminOutcome, String>>, String> {
    let failed = |error: String| format!("{}: {error}", socket.display());
    let stream = match UnixStream::connect(socket).await {
        Ok(stream) => stream,
        // No server, or a socket file that a stopped server left behind.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error.to_string())),
    };
    let json = serde_json::to_string(act).expect("an action is plain data");
    let request = HttpRequest { method: "POST", json, ..HttpRequest::get("/") };
    let is_quick = matches!(act, AdminAction::Query(query) if !query.reads_journals());
    let limits = if is_quick { FOR_QUERY } else { FOR_ACTION };
    let HttpAnswer { status, body } =
        limits.wait_for(request.send_over(Box::new(stream), "lusoria")).await.map_err(failed)?;
    let outcome = if status == 200 { serde_json::from_slice(&body).ok() } else { None };
    let unreadable = || failed("cannot read the server's response; is it another version?".to_owned());
    outcome.map(Some).ok_or_else(unreadable)
}

impl Limits {
    /// Waits for the whole response, within the limits.
    async fn wait_for<T>(
        &self,
        answer: impl Future<Output = Result<T, ConnectionError>>,
    ) -> Result<T, String> {
        let mut answer = pin!(answer);
        let answered = if let Ok(answer) = timeout(self.patience, answer.as_mut()).await {
            Ok(answer)
        } else {
            // Only a hint: ignore a failure to print it.
            let _ = writeln!(io::stderr(), "waiting for the server, which has not answered yet");
            timeout(self.within.saturating_sub(self.patience), answer).await
        };
        let Self { within, afterwards, .. } = self;
        match answered {
            Ok(answer) => answer.map_err(|lost| lost.to_string()),
            Err(_) => Err(format!("no answer from the server within {within:?}{afterwards}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_wait_for_a_server_is_limited() {
        let s = Duration::from_secs;
        let limits = Limits { patience: s(1), within: s(3), afterwards: "; who knows" };
        let silent = limits.wait_for(std::future::pending::<Result<(), ConnectionError>>()).await;
        assert_eq!(silent, Err("no answer from the server within 3s; who knows".to_owned()));
        let late = async {
            tokio::time::sleep(s(2)).await;
            Ok("an answer")
        };
        assert_eq!(limits.wait_for(late).await, Ok("an answer"));
    }
}
