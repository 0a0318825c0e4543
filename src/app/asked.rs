//! A request to the API that comes from a socket.

use lusoria_protocol::Problem;

use super::Caller;
use crate::live::Arrived;

/// The extension of such a request. The socket has already charged it to the rate limiters.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The id of the request.
    pub id: String,
    /// The caller, or the problem with their token.
    pub caller: Result<Option<Caller>, Problem>,
    /// Its arrival.
    pub arrived: Arrived,
}
