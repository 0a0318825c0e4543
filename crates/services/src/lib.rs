//! Starts PostgreSQL and NATS for tests and trials: on free ports, in temporary folders, as an unprivileged
//! user.

pub mod authority;
pub mod nats;
pub mod postgres;
