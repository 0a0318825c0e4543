//! Trials of the server as a process: it is started like any installation, disturbed, and its behaviour is
//! compared with its promises.

mod accounts;
pub mod cluster;
pub mod crash;
pub mod hostile;
pub mod in_time;
pub mod levels;
pub mod rated;
pub mod server;
pub mod slow;
mod thinking;
pub mod web;
