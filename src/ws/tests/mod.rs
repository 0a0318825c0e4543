//! Conversations without a network, over a store in memory, on virtual time.

mod api_tokens;
mod hello;
mod lag;
mod lean;
mod limits;
mod listening;
mod presence;
mod requests;
mod slowly;
mod tournaments;
mod watching;
mod world;
