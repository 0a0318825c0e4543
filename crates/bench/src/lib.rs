//! Loads a server and measures it: many matches that are played to their ends, watchers who
//! read, read slowly or not at all, and sockets on which nothing happens.
//!
//! Every latency of a turn counts from when the turn was meant to be sent, so that a server
//! that stalls cannot hide it by being asked less. Each task keeps its own tally; they
//! are added up when the run is over.

mod arrivals;
mod connector;
mod course;
pub mod echo;
mod gallery;
mod idle;
mod load;
mod order;
mod pair;
mod process;
mod report;
mod run;
mod solo;
mod tally;
mod trouble;
mod watcher;

pub use arrivals::Arrivals;
pub use load::{Arrival, Load, Pace};
pub use process::resident_bytes;
pub use report::{Asked, Computer, Echo, Idle, Latency, Memory, Players, Process, Report, Watchers};
pub use run::{Progress, Stage, run};
pub use trouble::{BenchError, Trouble};
