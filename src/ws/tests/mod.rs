//! Conversations without a network, over the memory store, under virtual time.

mod api_tokens;
mod hello;
mod lag;
mod lean;
mod limits;
mod listening;
mod presence;
mod requests;
mod slowly;
mod watching;
mod world;
