//! A request to the API that comes from a socket.

use super::Caller;
use crate::live::Arrived;

/// The extension of such a request. The socket has already charged it to the rate limiters.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The id of the request.
    pub id: String,
    /// The caller, as the socket knows them.
    pub caller: Option<Caller>,
    /// Its arrival.
    pub arrived: Arrived,
}
