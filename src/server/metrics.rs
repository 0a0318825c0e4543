//! Metrics for Prometheus, on an address of their own. docs/operating.md explains each one.

use std::{
    future::Future,
    net::SocketAddr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{Router, routing::get};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How often recorded values are put into the histograms.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// The bounds of histograms of times, in seconds.
const SECONDS: [f64; 14] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The bounds of histograms of counts.
const COUNTS: [f64; 13] =
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1_024.0, 4_096.0, 16_384.0];

/// The bounds of the histogram of positions in the computer's budget.
const NODES: [f64; 7] = [10.0, 100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0, 10_000_000.0];

/// The type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It only grows.
    Counter,
    /// It rises and falls.
    Gauge,
    /// A distribution of values.
    Histogram,
}

use Kind::{Counter, Gauge, Histogram};

/// Every metric with its description.
const METRICS: [(&str, Kind, &str); 44] = [
    ("lusoria_build_info", Gauge, "1, with the version of the server"),
    ("lusoria_start_time_seconds", Gauge, "when the server started, in seconds since the epoch"),
    ("lusoria_matches", Gauge, "matches that have not ended, by state (open or live), counted every minute"),
    ("lusoria_matches_loaded", Gauge, "matches in memory: played, watched or just read"),
    ("lusoria_matches_recent", Gauge, "matches created or asked in the last 30 seconds"),
    ("lusoria_turns_total", Counter, "turns that were played and committed, by game"),
    ("lusoria_append_seconds", Histogram, "from handing events to the store to their commit"),
    (
        "lusoria_store_commit_seconds",
        Histogram,
        "batches of writes until they are committed, the sync of the WAL included",
    ),
    ("lusoria_store_batch_writes", Histogram, "writes that went into a transaction together"),
    ("lusoria_store_writes_total", Counter, "writes of all kinds"),
    ("lusoria_disk_free_bytes", Gauge, "free space on the disk of the database, at the last write"),
    (
        "lusoria_lost_commits",
        Gauge,
        "the most commits that can have been missing when the server started with a damaged WAL",
    ),
    ("lusoria_sockets_open", Gauge, "WebSockets that are open"),
    (
        "lusoria_sockets_ended_total",
        Counter,
        "WebSockets that ended, by how; `silent`: no message came from the client, `stuck`: the network took \
         nothing for it",
    ),
    ("lusoria_socket_messages_total", Counter, "messages on WebSockets, by direction"),
    ("lusoria_mailbox_depth", Histogram, "matches and notices that waited for a connection when it looked"),
    ("lusoria_notices_dropped_total", Counter, "notices dropped because a connection was too slow"),
    (
        "lusoria_reader_lag_events",
        Histogram,
        "events by which a reader who had been at a match's head was behind it when they read on",
    ),
    (
        "lusoria_readers_lagging_total",
        Counter,
        "times that such a reader fell behind by more than a batch of 64",
    ),
    (
        "lusoria_http_requests_total",
        Counter,
        "requests, over HTTP and as `http` over sockets, by method, route and status (`gone` if the client disconnected)",
    ),
    ("lusoria_http_request_seconds", Histogram, "from a request's head to its response's, likewise"),
    ("lusoria_refusals_total", Counter, "problems in responses, over HTTP and sockets, by code"),
    ("lusoria_computer_turns_total", Counter, "turns that the computer played, by level"),
    ("lusoria_computer_waiting", Gauge, "matches that wait for the computer"),
    ("lusoria_computer_thought_seconds", Histogram, "how long the computer thought"),
    ("lusoria_computer_budget_nodes", Histogram, "positions that it was allowed to evaluate"),
    ("lusoria_computer_failures_total", Counter, "times that thinking failed"),
    ("lusoria_analyses_total", Counter, "matches that were analysed"),
    ("lusoria_fair_play_checks_total", Counter, "rated matches that were looked at for help from an engine"),
    ("lusoria_engine_flags_total", Counter, "flags that were raised for it"),
    ("lusoria_analyses_waiting", Gauge, "matches that wait to be analysed"),
    ("lusoria_rollouts_total", Counter, "turns rolled out"),
    ("lusoria_rollouts_waiting", Gauge, "turns that wait to be rolled out"),
    (
        "lusoria_pushes_total",
        Counter,
        "push messages by outcome: `sent` to a push service, `gone` (the browser no longer exists), `refused`, \
         `failed` after four attempts, `limited` (the player got enough messages), `dropped` (too many were being sent)",
    ),
    ("lusoria_pushes_waiting", Gauge, "push messages that are being sent"),
    ("lusoria_nodes", Gauge, "running nodes, including this one"),
    ("lusoria_beat_seconds", Histogram, "notes in the shared database that this node runs"),
    ("lusoria_bus_connected", Gauge, "1 while NATS is connected, else 0"),
    ("lusoria_bus_published_total", Counter, "messages published to NATS"),
    ("lusoria_bus_received_total", Counter, "messages received from other nodes"),
    ("lusoria_bus_dropped_total", Counter, "messages to or from other nodes that were dropped, by reason"),
    ("lusoria_bus_gaps_total", Counter, "times that messages from other nodes may have been lost"),
    (
        "lusoria_bus_not_genuine_total",
        Counter,
        "messages over the bus that no node has sent, by reason: `forged`, `repeated`, `old`",
    ),
    ("lusoria_bus_not_understood_total", Counter, "messages from other nodes that could not be read"),
];

/// Metrics with a series for each value of a label: a series appears with its first value. All others
/// appear at the start, so that Prometheus sees even the first increment of a rare one.
const LABELLED: [&str; 12] = [
    "lusoria_build_info",
    "lusoria_matches",
    "lusoria_turns_total",
    "lusoria_bus_not_genuine_total",
    "lusoria_sockets_ended_total",
    "lusoria_socket_messages_total",
    "lusoria_http_requests_total",
    "lusoria_http_request_seconds",
    "lusoria_refusals_total",
    "lusoria_computer_turns_total",
    "lusoria_pushes_total",
    "lusoria_bus_dropped_total",
];

/// Installs the recorder. Metrics recorded earlier are lost.
///
/// # Errors
/// If a recorder is installed already.
pub(super) fn install() -> Result<PrometheusHandle, String> {
    let said = |error: BuildError| error.to_string();
    let handle = builder().map_err(said)?.install_recorder().map_err(said)?;
    describe();
    metrics::gauge!("lusoria_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    metrics::gauge!("lusoria_start_time_seconds").set(started.as_secs_f64());
    Ok(handle)
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    let ending = |end: &str| Matcher::Suffix(end.to_owned());
    PrometheusBuilder::new()
        .set_buckets_for_metric(ending("_seconds"), &SECONDS)?
        .set_buckets_for_metric(ending("_writes"), &COUNTS)?
        .set_buckets_for_metric(ending("_depth"), &COUNTS)?
        .set_buckets_for_metric(ending("_events"), &COUNTS)?
        .set_buckets_for_metric(ending("_nodes"), &NODES)
}

fn describe() {
    for (name, kind, help) in METRICS {
        match kind {
            Counter => metrics::describe_counter!(name, help),
            Gauge => metrics::describe_gauge!(name, help),
            Histogram => metrics::describe_histogram!(name, help),
        }
        if LABELLED.contains(&name) {
            continue;
        }
        match kind {
            Counter => metrics::counter!(name).increment(0),
            Gauge => metrics::gauge!(name).increment(0),
            Histogram => drop(metrics::histogram!(name)),
        }
    }
}

/// Serves `/metrics` until the server stops.
pub(super) fn serve(
    handle: PrometheusHandle,
    listener: TcpListener,
    address: SocketAddr,
    stopping: CancellationToken,
) -> impl Future<Output = ()> + Send {
    tracing::info!(%address, "serving metrics");
    let rendering = handle.clone();
    let router = Router::new().route("/metrics", get(async move || rendering.render()));
    async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stopping.clone().cancelled_owned());
        tokio::select! {
            served = served.into_future() => if let Err(error) = served {
                tracing::error!(%error, "the metrics listener failed; no metrics until the next start");
            },
            () = keep_up(handle) => {}
        }
    }
}

async fn keep_up(handle: PrometheusHandle) {
    let mut every = tokio::time::interval(UPKEEP_EVERY);
    loop {
        every.tick().await;
        handle.run_upkeep();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, BTreeSet},
        fs,
        path::{Path, PathBuf},
    };

    use super::*;

    const OPERATING: &str = include_str!("../../docs/operating.md");

    fn kind(kind: Kind) -> &'static str {
        match kind {
            Counter => "counter",
            Gauge => "gauge",
            Histogram => "histogram",
        }
    }

    #[test]
    fn the_page_tells_every_metric_and_no_other() {
        let table = OPERATING.split("<!-- metrics -->").nth(1).expect("a table");
        let told: Vec<&str> = table.lines().filter(|line| line.starts_with("| `")).collect();
        let known = METRICS.map(|(name, is, help)| format!("| `{name}` | {} | {help} |", kind(is)));
        assert_eq!(told, known);
    }

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                sources(&entry, found);
            } else if !entry.ends_with("server/metrics.rs") {
                found.push(entry);
            }
        }
    }

    /// Every metric that the code records, and whether it has labels.
    fn recorded() -> BTreeMap<String, bool> {
        let mut files = Vec::new();
        for folder in ["src", "crates/bus/src", "crates/store/src"] {
            sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
        }
        let mut recorded = BTreeMap::from([
            ("lusoria_build_info".to_owned(), true),
            ("lusoria_start_time_seconds".to_owned(), false),
        ]);
        for file in files {
            let text = fs::read_to_string(file).unwrap_or_default();
            let uses = ["metrics::counter!(\"", "metrics::gauge!(\"", "metrics::histogram!(\""];
            for rest in uses.into_iter().flat_map(|used| text.split(used).skip(1)) {
                let (name, rest) = rest.split_once('"').unwrap_or_default();
                recorded.insert(name.to_owned(), rest.starts_with(','));
            }
        }
        recorded
    }

    #[test]
    fn recorded_values_are_served() {
        let told: BTreeSet<String> = METRICS.iter().map(|(name, ..)| (*name).to_owned()).collect();
        assert_eq!(recorded().into_keys().collect::<BTreeSet<_>>(), told);
    }

    #[test]
    fn metrics_without_labels_are_served_from_the_start() {
        let labelled = recorded().into_iter().filter(|(_, has_labels)| *has_labels).map(|(name, _)| name);
        assert_eq!(labelled.collect::<BTreeSet<_>>(), LABELLED.map(str::to_owned).into());
        let recorder = builder().expect("bounds").build_recorder();
        metrics::with_local_recorder(&recorder, describe);
        let shown = recorder.handle().render();
        for (name, kind, _) in METRICS.iter().filter(|(name, ..)| !LABELLED.contains(name)) {
            let line = if *kind == Histogram { format!("{name}_count 0") } else { format!("{name} 0") };
            assert!(shown.lines().any(|shown| shown == line), "{line} in\n{shown}");
        }
    }
}
