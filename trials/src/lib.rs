//! Trials of the server as a process: it is started as anybody would start it, treated
//! badly, and what it did is compared with what it promises.

pub mod crash;
pub mod hostile;
pub mod in_time;
pub mod server;
pub mod slow;
pub mod web;
