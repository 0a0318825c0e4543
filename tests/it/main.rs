//! All integration tests of the server, in one binary.

mod access;
mod accounts;
mod admin;
mod api_md;
mod api_tokens;
mod arena;
mod arrival;
mod bench;
mod cli;
mod client;
mod computer;
mod golden;
mod http;
mod limits;
mod live;
mod passkeys;
mod players;
mod process;
mod record;
mod replay;
mod seeks;
mod simulation;
mod support;
mod terminal;
mod web;
mod ws;
