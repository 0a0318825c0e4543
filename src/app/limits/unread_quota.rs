//! The quota for unread responses: how many bytes of long responses may wait to be read, in total and for
//! each client's address.
//!
//! A short response costs little more than its connection, and connections are limited. A long one stays in
//! memory until its client has read it.

use lusoria_protocol::{Code, Problem};

use crate::app::{
    App, ClientAddress,
    limits::quota::{QuotaExceeded, QuotaShare},
    problem,
};

/// Responses up to this length are not counted, in bytes.
const SHORT_BYTES: u64 = 16 * 1024;

/// When a client with too many unread bytes may try again, in seconds.
const RETRY_S: u64 = 1;

impl App {
    /// Counts a response of that many bytes. Keep the result until it has been read. None for a short one. A
    /// single response may be longer than the limit.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too much unread; `unavailable` if all clients together have.
    pub fn count_unread(&self, address: ClientAddress, bytes: u64) -> Result<Option<QuotaShare>, Problem> {
        if bytes <= SHORT_BYTES {
            return Ok(None);
        }
        self.unread_quota.take(address, bytes).map(Some).map_err(|exceeded| match exceeded {
            QuotaExceeded::OfAddress(limit) => {
                let detail = "read the responses that are waiting before you ask for more";
                Problem::new(Code::TooManyRequests, detail).with_limit(limit).with_retry_after_s(RETRY_S)
            }
            QuotaExceeded::InAll(_) => problem::unavailable(),
        })
    }
}
