//! A flood in a process of its own, so that the players do not pay for its work.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use clap::Args;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
    task::JoinSet,
    time::sleep,
};

use super::{
    floods::{self, Flood},
    lane::{Lane, Stage},
    tally::Tally,
    wire::Target,
};

/// How much a flood lowers its own priority: its client must not slow the players down.
const NICENESS: &str = "5";

/// A flood, as the trial starts it. It reads from standard input what is prepared on the server, begins at
/// the next line, and prints how it ended.
#[derive(Debug, Args)]
pub struct FloodOptions {
    /// The name of the flood
    #[arg(value_parser = floods::parser())]
    flood: &'static Flood,

    /// The address that is flooded
    #[arg(long)]
    target: SocketAddr,

    /// The local address that it comes from
    #[arg(long)]
    from: IpAddr,

    /// Whether the target is the echo port
    #[arg(long)]
    echoes: bool,

    /// Its duration, in milliseconds
    #[arg(long)]
    for_ms: u64,
}

/// Floods.
///
/// # Errors
/// If its input is not what the trial writes.
pub async fn flood(options: &FloodOptions) -> Result<bool, String> {
    let mut told = BufReader::new(tokio::io::stdin()).lines();
    let stage = told.next_line().await.ok().flatten().ok_or("nothing was told")?;
    let stage: Stage = serde_json::from_str(&stage).map_err(|error| error.to_string())?;
    told.next_line().await.map_err(|error| error.to_string())?;
    let target = Target { address: options.target, from: options.from, echoes: options.echoes };
    let tally = pour(options.flood, target, Arc::new(stage), Duration::from_millis(options.for_ms)).await;
    println!("{}", serde_json::to_string(&tally).expect("a tally is plain data"));
    Ok(true)
}

async fn pour(flood: &'static Flood, target: Target, stage: Arc<Stage>, duration: Duration) -> Tally {
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut lanes = JoinSet::new();
    for nth in 0..flood.lanes {
        let (stage, tally) = (Arc::clone(&stage), Arc::clone(&tally));
        let mut lane = Lane::new(nth, flood.lanes, flood.per_s, target, stage, tally);
        lanes.spawn(async move {
            loop {
                if let Err(error) = flood.act.attempt(&mut lane).await {
                    lane.count(match error.kind() {
                        // The close frame has been counted.
                        io::ErrorKind::ConnectionAborted => continue,
                        io::ErrorKind::UnexpectedEof
                        | io::ErrorKind::ConnectionReset
                        | io::ErrorKind::BrokenPipe => "closed",
                        _ => "unreachable",
                    });
                }
            }
        });
    }
    sleep(duration).await;
    lanes.shutdown().await;
    let tally = tally.lock().expect("no lane panics while it counts");
    tally.clone()
}

/// A flood that is ready to begin.
pub(super) struct Ready {
    child: Child,
}

impl Ready {
    /// Starts the process. Returns when the process has read what is prepared on the server.
    pub(super) async fn start(
        flood: &Flood,
        target: Target,
        stage: &Stage,
        duration: Duration,
    ) -> io::Result<Self> {
        let mut command = Command::new("nice");
        command
            .args(["-n", NICENESS])
            .arg(std::env::current_exe()?)
            .args(["hostile-flood", flood.name])
            .args(["--target", &target.address.to_string(), "--from", &target.from.to_string()])
            .args(["--for-ms", &duration.as_millis().to_string()])
            .args(target.echoes.then_some("--echoes"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let told = serde_json::to_string(stage).expect("a stage is plain data");
        let input = child.stdin.as_mut().expect("it is piped");
        input.write_all(format!("{told}\n").as_bytes()).await?;
        input.flush().await?;
        Ok(Self { child })
    }

    /// Starts the flood.
    pub(super) async fn go(&mut self) -> io::Result<()> {
        let input = self.child.stdin.as_mut().expect("it is piped");
        input.write_all(b"go\n").await?;
        input.flush().await
    }

    /// Waits until it is over. Returns how it ended.
    pub(super) async fn end(self) -> io::Result<Tally> {
        let output = self.child.wait_with_output().await?;
        serde_json::from_slice(&output.stdout)
            .map_err(|error| io::Error::other(format!("the flood printed no tally: {error}")))
    }
}
