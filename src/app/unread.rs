//! How much of long answers waits until it is read: in all, and for each client's address.
//!
//! A short answer costs little more than its connection, and connections are counted. A long
//! one lies in memory until its reader has taken it.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use lusoria_protocol::{Code, Problem};
use parking_lot::Mutex;

use super::{App, ClientAddress, problem};
use crate::config::Limits;

/// An answer that is no longer is not counted, in bytes.
const SHORT_BYTES: u64 = 16 * 1024;

/// When whoever has left too much unread may come again.
const RETRY_S: u64 = 1;

/// The long answers that are being read.
pub(super) struct UnreadAnswers {
    total_max: u64,
    per_address_max: u64,
    now: Mutex<Now>,
}

#[derive(Default)]
struct Now {
    total: u64,
    by_address: HashMap<IpAddr, u64>,
}

/// A long answer that is being read. Dropping it makes room for others.
pub struct Unread {
    app: Arc<App>,
    address: IpAddr,
    bytes: u64,
}

impl UnreadAnswers {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            total_max: limits.unread_bytes.into(),
            per_address_max: limits.unread_bytes_per_address.into(),
            now: Mutex::default(),
        }
    }
}

impl App {
    /// Counts an answer of that many bytes; to be kept until it has been read. None for a
    /// short one. A single answer may be longer than the limit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has left too much unread; `unavailable` if all
    /// have together.
    pub fn unread(self: &Arc<Self>, address: ClientAddress, bytes: u64) -> Result<Option<Unread>, Problem> {
        if bytes <= SHORT_BYTES {
            return Ok(None);
        }
        let address = address.network();
        let UnreadAnswers { total_max, per_address_max, ref now } = self.unread;
        let mut now = now.lock();
        if now.by_address.get(&address).is_some_and(|&unread| unread >= per_address_max) {
            let detail = "read what you have asked for before you ask for more";
            return Err(Problem::new(Code::TooManyRequests, detail)
                .with_limit(per_address_max)
                .with_retry_after_s(RETRY_S));
        }
        if now.total >= total_max {
            return Err(problem::unavailable());
        }
        now.total += bytes;
        *now.by_address.entry(address).or_default() += bytes;
        Ok(Some(Unread { app: Arc::clone(self), address, bytes }))
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let mut now = self.app.unread.now.lock();
        now.total -= self.bytes;
        if let Some(unread) = now.by_address.get_mut(&self.address) {
            *unread -= self.bytes;
            if *unread == 0 {
                now.by_address.remove(&self.address);
            }
        }
    }
}
