//! The quota for unread responses: how many bytes of long responses wait to be read, in all and
//! for each client's address.
//!
//! A short response costs little more than its connection, and connections are limited. A long
//! one stays in memory until its client has read it.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;

use super::{App, ClientAddress, problem};
use crate::config::Limits;

/// Responses up to this length are not counted, in bytes.
const SHORT_BYTES: u64 = 16 * 1024;

/// When a client that has left too much unread may try again.
const RETRY_S: u64 = 1;

/// Counts the long responses that are being read.
pub(super) struct UnreadQuota {
    total_max: u64,
    per_address_max: u64,
    now: Mutex<Now>,
}

#[derive(Default)]
struct Now {
    total: u64,
    by_address: HashMap<IpAddr, u64>,
}

/// A long response that is being read. Dropping it frees its share of the quota.
pub struct UnreadResponse {
    app: Arc<App>,
    address: IpAddr,
    bytes: u64,
}

impl UnreadQuota {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            total_max: limits.unread_bytes.into(),
            per_address_max: limits.unread_bytes_per_address.into(),
            now: Mutex::default(),
        }
    }
}

impl App {
    /// Counts a response of that many bytes; keep the result until it has been read. None for a
    /// short one. A single response may be longer than the limit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has left too much unread; `unavailable` if all
    /// clients together have.
    pub fn count_unread(
        self: &Arc<Self>,
        address: ClientAddress,
        bytes: u64,
    ) -> Result<Option<UnreadResponse>, Problem> {
        if bytes <= SHORT_BYTES {
            return Ok(None);
        }
        let address = address.network();
        let UnreadQuota { total_max, per_address_max, ref now } = self.unread_quota;
        let mut now = now.lock();
        if now.by_address.get(&address).is_some_and(|&unread| unread >= per_address_max) {
            let detail = "read the responses that you have asked for before you ask for more";
            return Err(Problem::new(Code::TooManyRequests, detail)
                .with_limit(per_address_max)
                .with_retry_after_s(RETRY_S));
        }
        if now.total >= total_max {
            return Err(problem::unavailable());
        }
        now.total += bytes;
        *now.by_address.entry(address).or_default() += bytes;
        Ok(Some(UnreadResponse { app: Arc::clone(self), address, bytes }))
    }
}

impl Drop for UnreadResponse {
    fn drop(&mut self) {
        let mut now = self.app.unread_quota.now.lock();
        now.total -= self.bytes;
        if let Some(unread) = now.by_address.get_mut(&self.address) {
            *unread -= self.bytes;
            if *unread == 0 {
                now.by_address.remove(&self.address);
            }
        }
    }
}
