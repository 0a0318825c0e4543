//! All integration tests of the server, in one binary.

mod cli;
mod live;
mod store;
