//! Starts PostgreSQL and NATS for tests and trials, on free ports, in temporary folders, as an unprivileged
//! user, and reads SQLite files.

pub mod authority;
pub mod nats;
pub mod postgres;
pub mod sqlite;
