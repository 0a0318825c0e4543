//! Loads a server and measures it: many matches that are played to their ends, watchers who read, read slowly
//! or not at all, and idle sockets.
//!
//! Every latency of a turn counts from when the turn was due, so that a stalling server cannot hide it by
//! getting fewer requests. Each task keeps its own tally; they are added up when the run is over.

mod against_computer;
mod arrivals;
mod audience;
mod connection_opener;
pub mod echo;
mod error;
mod event_order;
mod idle;
mod load;
mod pair;
mod player;
mod process;
mod report;
mod run;
mod run_state;
mod tally;
mod watcher;

pub use arrivals::Arrivals;
pub use error::{BenchError, ClientError};
pub use load::{Arrival, Load, Pace, Transport};
pub use process::resident_bytes;
pub use report::{
    Computer, Echo, Idle, Latency, MatchMemory, Memory, Parameters, Players, Process, Report, Watchers,
};
pub use run::{Progress, Stage, run};
