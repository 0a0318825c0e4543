//! Limits on what clients may use.

use clap::{Args, Command, FromArgMatches, ValueEnum, value_parser};

/// What may be said beside matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TalkPolicy {
    /// Nothing
    Off,
    /// Phrases, which each reader sees in their own language
    Phrases,
    /// Also free text, between accounts that have all turned it on
    Text,
}

/// The configurable limits; api.md documents them for clients.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// What may be said beside matches
    #[arg(long, env = "LUSORIA_TALK", value_name = "WHAT", value_enum, default_value_t = TalkPolicy::Phrases)]
    pub talk: TalkPolicy,

    /// Keep the whole server in children's mode: phrases only, and challenges only from people whom the
    /// challenged player follows
    #[arg(long, env = "LUSORIA_CHILDRENS_MODE")]
    pub childrens_mode: bool,

    /// Requests a second for each guest
    #[arg(long, env = "LUSORIA_GUEST_REQUESTS_PER_S", value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    pub guest_requests_per_s: u32,

    /// Requests that a guest may send in a burst
    #[arg(long, env = "LUSORIA_GUEST_BURST", value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..))]
    pub guest_burst: u32,

    /// Requests a second without a token, for each address
    #[arg(long, env = "LUSORIA_ADDRESS_REQUESTS_PER_S", value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    pub address_requests_per_s: u32,

    /// Requests without a token that an address may send in a burst
    #[arg(long, env = "LUSORIA_ADDRESS_BURST", value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..))]
    pub address_burst: u32,

    /// Requests a second from an address in total, with and without tokens, new connections included
    /// [default: five times --address-requests-per-s]
    #[arg(long, env = "LUSORIA_ADDRESS_TOTAL_PER_S", value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub address_total_per_s: Option<u32>,

    /// New guests an hour for each address; at most a twentieth of them in a second
    #[arg(long, env = "LUSORIA_NEW_GUESTS_PER_HOUR", value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..))]
    pub new_guests_per_hour: u32,

    /// Unfinished matches that a guest may have created
    #[arg(long, env = "LUSORIA_UNFINISHED_MATCHES", value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    pub unfinished_matches: u32,

    /// Unfinished matches that the computer plays against a guest, or in their place
    #[arg(long, env = "LUSORIA_COMPUTER_MATCHES", value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    pub computer_matches: u32,

    /// Unfinished matches that the computer plays against itself, for all guests together
    #[arg(long, env = "LUSORIA_COMPUTER_AGAINST_ITSELF", value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..))]
    pub computer_against_itself: u32,

    /// Threads on which the computer thinks, with the lowest priority
    #[arg(long, env = "LUSORIA_COMPUTER_THREADS", value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=64))]
    pub computer_threads: u16,

    /// Hints that a guest may ask for in a minute
    #[arg(long, env = "LUSORIA_HINTS_PER_MINUTE", value_name = "N", default_value_t = 30, value_parser = value_parser!(u32).range(1..))]
    pub hints_per_minute: u32,

    /// Evaluations of variations that an address may ask for in a minute
    #[arg(long, env = "LUSORIA_EVALUATIONS_PER_MINUTE", value_name = "N", default_value_t = 60, value_parser = value_parser!(u32).range(1..))]
    pub evaluations_per_minute: u32,

    /// Positions that the computer evaluates to analyse a turn of a finished match; for a variation at most
    /// as many as for a hint
    #[arg(long, env = "LUSORIA_ANALYSIS_NODES", value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub analysis_nodes: u32,

    /// Rated matches that are checked for engine help in an hour, at most; 0 for none
    #[arg(long, env = "LUSORIA_FAIR_PLAY_CHECKS_PER_HOUR", value_name = "N", default_value_t = 600, value_parser = value_parser!(u32).range(..=36_000))]
    pub fair_play_checks_per_hour: u32,

    /// Matches that may wait to be analysed
    #[arg(long, env = "LUSORIA_ANALYSES_WAITING", value_name = "N", default_value_t = 256, value_parser = value_parser!(u32).range(1..))]
    pub analyses_waiting: u32,

    /// Turns that may wait to be rolled out
    #[arg(long, env = "LUSORIA_ROLLOUTS_WAITING", value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..))]
    pub rollouts_waiting: u32,

    /// Games that a rollout plays from each turn, at most; rounded up to a multiple of 36
    #[arg(long, env = "LUSORIA_ROLLOUT_GAMES", value_name = "N", default_value_t = 144, value_parser = value_parser!(u32).range(36..=12_960))]
    pub rollout_games: u32,

    /// Requests to the rules endpoint that run at the same time
    #[arg(long, env = "LUSORIA_RULES_AT_ONCE", value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub rules_at_once: u16,

    /// Requests of each costly kind (rules, hints, evaluations, analyses, rollouts, records) that an address may have
    /// waiting
    #[arg(long, env = "LUSORIA_COSTLY_PER_ADDRESS", value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..))]
    pub costly_per_address: u32,

    /// Bytes of long responses that the clients of an address may leave unread
    #[arg(long, env = "LUSORIA_UNREAD_BYTES_PER_ADDRESS", value_name = "BYTES", default_value_t = 8 << 20, value_parser = value_parser!(u32).range(1..))]
    pub unread_bytes_per_address: u32,

    /// Bytes of long responses that all clients together may leave unread
    #[arg(long, env = "LUSORIA_UNREAD_BYTES", value_name = "BYTES", default_value_t = 256 << 20, value_parser = value_parser!(u32).range(1..))]
    pub unread_bytes: u32,

    /// Connections in total, WebSockets and event streams included
    #[arg(long, env = "LUSORIA_CONNECTIONS", value_name = "N", default_value_t = 15_000, value_parser = value_parser!(u32).range(1..))]
    pub connections: u32,

    /// WebSockets and event streams that a client's address may hold open
    #[arg(long, env = "LUSORIA_SOCKETS_PER_ADDRESS", value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    pub sockets_per_address: u32,

    /// Connections that an address may hold open; those of a trusted proxy are not counted
    #[arg(long, env = "LUSORIA_CONNECTIONS_PER_ADDRESS", value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u32).range(1..))]
    pub connections_per_address: u32,

    /// Matches that a WebSocket may watch
    #[arg(long, env = "LUSORIA_WATCHES_PER_SOCKET", value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..=10_000))]
    pub watches_per_socket: u32,

    /// The longest request body and WebSocket message, in bytes
    #[arg(long, env = "LUSORIA_BODY_BYTES", value_name = "BYTES", default_value_t = 16 * 1024, value_parser = value_parser!(u32).range(4096..=1_048_576))]
    pub body_bytes: u32,
}

impl Limits {
    /// The default limits.
    pub fn usual() -> Self {
        let matches = Self::augment_args(Command::new("limits")).get_matches_from(["limits"]);
        Self::from_arg_matches(&matches).expect("every limit has a default")
    }

    /// Requests a second from an address in total.
    pub fn address_total_per_s(&self) -> u32 {
        self.address_total_per_s.unwrap_or_else(|| self.address_requests_per_s.saturating_mul(5))
    }
}
