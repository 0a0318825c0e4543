//! Trials of the server as a process: it is started like any installation, treated badly, and its
//! behaviour is compared with its promises.

pub mod cluster;
pub mod crash;
pub mod hostile;
pub mod in_time;
pub mod server;
pub mod slow;
pub mod web;
