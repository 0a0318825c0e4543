//! The server's configuration, from flags and `LUSORIA_*` variables.
//!
//! Only this module reads them; all other code is passed the values.

mod database;
mod limits;
mod links;
mod network;
mod nodes;
mod public_url;
mod site;

pub use database::{BadDatabase, DatabasePlace};
pub use limits::{Limits, TalkPolicy};
pub use links::{BadContact, BadLink, Contact, WebLink};
pub use network::{Network, NetworkError};
pub use nodes::Nodes;
pub use public_url::{BadPublicUrl, PublicUrl};
pub use site::{Push, Site};

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, builder::NonEmptyStringValueParser, value_parser};

/// How the server runs. The defaults are usually right.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Config {
    /// The address and port to listen on; port 0 picks a free one
    #[arg(long, env = "LUSORIA_LISTEN", value_name = "ADDRESS", default_value_t = SocketAddr::from(([127, 0, 0, 1], 8080)))]
    pub listen: SocketAddr,

    /// The database file, created if there is none; or, for several servers, the PostgreSQL database
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE
    #[arg(
        long,
        env = "LUSORIA_DATABASE",
        value_name = "FILE|URL",
        default_value = "lusoria.db",
        hide_env_values = true
    )]
    pub database: DatabasePlace,

    /// The server's place on the Internet.
    #[command(flatten)]
    pub site: Site,

    /// Proxies whose X-Forwarded-For header is trusted: addresses or networks such as
    /// 10.0.0.0/8, separated by commas
    #[arg(long, env = "LUSORIA_TRUSTED_PROXY", value_name = "NETWORK", value_delimiter = ',')]
    pub trusted_proxy: Vec<Network>,

    /// A separate, private address for Prometheus metrics (/metrics); without it there are none
    #[arg(long, env = "LUSORIA_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// The socket through which `lusoria admin` reaches the server [default: the database file's path
    /// with .admin appended; none with PostgreSQL]
    #[arg(long, env = "LUSORIA_ADMIN_SOCKET", value_name = "FILE")]
    pub admin_socket: Option<PathBuf>,

    /// What to do at start if acknowledged commits are missing because the write-ahead log is
    /// damaged or gone
    #[arg(long, env = "LUSORIA_ON_LOST_COMMITS", value_name = "ACTION", value_enum, default_value_t = LostCommits::NewHistory)]
    pub on_lost_commits: LostCommits,

    /// Bytes of free disk space to keep beyond what a WAL checkpoint needs; with less, writes are refused
    /// until there is space
    #[arg(long, env = "LUSORIA_DISK_RESERVE_BYTES", value_name = "BYTES", default_value_t = 8 << 20, value_parser = value_parser!(u64).range(1 << 20..))]
    pub disk_reserve_bytes: u64,

    /// How many seconds after its last event a finished match is packed in the database
    #[arg(long, env = "LUSORIA_PACK_AFTER", value_name = "SECONDS", default_value_t = 600, value_parser = value_parser!(u64).range(..=31_536_000))]
    pack_after: u64,

    /// What to log: error, warn, info, debug, trace, or a filter such as lusoria=debug,warn
    #[arg(long, env = "LUSORIA_LOG", value_name = "FILTER", default_value = "info", value_parser = NonEmptyStringValueParser::new())]
    pub log: String,

    /// The format of the log on standard error
    #[arg(long, env = "LUSORIA_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// How many seconds requests in flight may take when the server stops
    #[arg(long, env = "LUSORIA_SHUTDOWN_GRACE", value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u64).range(..=600))]
    shutdown_grace: u64,

    /// Other servers on the same database.
    #[command(flatten)]
    pub nodes: Nodes,

    /// Limits for each client.
    #[command(flatten)]
    pub limits: Limits,
}

impl Config {
    /// How long requests in flight may take when the server stops.
    pub const fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace)
    }

    /// How long after its last event a finished match is packed.
    pub const fn pack_after(&self) -> Duration {
        Duration::from_secs(self.pack_after)
    }

    /// Whether `address` belongs to a trusted proxy.
    pub fn trusts(&self, address: std::net::IpAddr) -> bool {
        self.trusted_proxy.iter().any(|network| network.contains(address))
    }
}

/// What to do at start if acknowledged commits are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LostCommits {
    /// Begin a new history, so that clients discard their state
    NewHistory,
    /// Refuse to start and leave the files as they are
    Refuse,
}

/// The format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line, for programs
    Json,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        config: Config,
    }

    fn config(arguments: &[&str]) -> Result<Config, String> {
        let line = ["lusoria"].iter().chain(arguments);
        Program::try_parse_from(line).map(|program| program.config).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_needs_to_be_set() {
        let config = config(&[]).expect("every flag has a default");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.database, DatabasePlace::File("lusoria.db".into()));
        assert_eq!(config.shutdown_grace(), Duration::from_secs(10));
        assert_eq!(config.pack_after(), Duration::from_mins(10));
        assert_eq!(config.limits.watches_per_socket, 200);
        assert!(!config.trusts([127, 0, 0, 1].into()));
    }

    #[test]
    fn proxies_are_a_list() {
        let config = config(&["--trusted-proxy", "10.0.0.0/8,::1"]).expect("a list of networks");
        assert!(config.trusts([10, 1, 2, 3].into()));
        assert!(config.trusts(std::net::Ipv6Addr::LOCALHOST.into()));
        assert!(!config.trusts([11, 1, 2, 3].into()));
    }

    #[test]
    fn push_messages_are_sent_by_a_server_that_says_where_it_is() {
        let sends = |arguments: &[&str]| config(arguments).expect("sound flags").site.sends_push();
        assert!(!sends(&[]));
        assert!(sends(&["--public-url", "https://games.example"]));
        assert!(!sends(&["--public-url", "https://games.example", "--push", "off"]));
        let hosts = config(&["--push-host", "a.example,b.example:8443", "--push-host", "c.example"]);
        let hosts: Vec<_> = hosts.expect("hosts").site.push_host.iter().map(ToString::to_string).collect();
        assert_eq!(hosts, ["a.example:443", "b.example:8443", "c.example:443"]);
    }

    #[test]
    fn nonsense_is_refused_by_the_flag_that_holds_it() {
        for arguments in [
            ["--listen", "8080"],
            ["--trusted-proxy", "10.0.0.0/33"],
            ["--shutdown-grace", "601"],
            ["--pack-after", "soon"],
            ["--guest-burst", "0"],
            ["--body-bytes", "100"],
            ["--on-lost-commits", "forget"],
            ["--contact", "nobody"],
            ["--source-url", "javascript:alert(1)"],
            ["--database", "mysql://db/club"],
            ["--nats", "http://nats"],
            ["--node", "two words"],
            ["--nats-key", "key.pem"],
            ["--disk-reserve-bytes", "1000"],
            ["--public-url", "games.example"],
            ["--push", "maybe"],
            ["--push-host", "127.0.0.1:443"],
            ["--log", ""],
            ["--log-format", "xml"],
        ] {
            let refusal = config(&arguments).expect_err("nonsense");
            assert!(refusal.contains(arguments[0]), "{refusal}");
        }
    }
}
