//! A request to the API that does not come by HTTP.

use lusoria_protocol::Problem;

use super::Caller;
use crate::live::Arrived;

/// What a request to the API brings along, among its extensions, if it comes from a socket: it was counted there.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The id of the request.
    pub id: String,
    /// Who asks, or what is wrong with their token.
    pub caller: Result<Option<Caller>, Problem>,
    /// When it was read.
    pub arrived: Arrived,
}
