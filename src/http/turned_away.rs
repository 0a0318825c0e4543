//! The response to a refused connection, whose request is not read.

use lusoria_protocol::{Code, Problem, ToJson};

/// The seconds until the client may try again.
const TRY_AGAIN_AFTER_S: u64 = 5;

/// The whole response to a client with too many connections.
pub fn too_many_connections(request_id: &str) -> String {
    let problem = Problem::new(Code::TooManyConnections, "close some").with_retry_after_s(TRY_AGAIN_AFTER_S);
    let problem = Problem { request_id: Some(request_id.to_owned()), ..problem };
    let body = String::from_utf8(problem.to_json()).expect("JSON is UTF-8");
    let bytes = body.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\n\
         content-type: application/problem+json\r\n\
         retry-after: {TRY_AGAIN_AFTER_S}\r\n\
         x-request-id: {request_id}\r\n\
         connection: close\r\n\
         content-length: {bytes}\r\n\
         \r\n\
         {body}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_its_own_length_and_id() {
        let answer = too_many_connections("id");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{head}");
        assert!(head.contains("\r\nx-request-id: id\r\n"), "{head}");
        let problem: Problem = serde_json::from_str(body).unwrap();
        assert_eq!((problem.code, problem.status), (Code::TooManyConnections, 503));
        assert_eq!((problem.request_id.as_deref(), problem.retry_after_s), (Some("id"), Some(5)));
    }
}
