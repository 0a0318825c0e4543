//! Messages of the socket.

use lusoria_protocol::socket::{ClientMessage, Op, Unread};
use serde_json::Value;

/// A message is either read, and then writing and reading it again gives the same message; or it is
/// refused in words, under its id if it has one.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match ClientMessage::read(&text) {
        Ok(message) => {
            assert!(Op::NAMES.contains(&message.op.name()));
            let written = serde_json::to_string(&message).expect("a message is plain data");
            let again = ClientMessage::read(&written).unwrap_or_else(|(_, why)| panic!("{written}: {why}"));
            assert_eq!(again, message);
            // The log form of a message contains no secrets.
            says_no_secret(&message, &written);
        }
        Err((id, why)) => {
            assert!(!why.to_string().is_empty());
            let json = serde_json::from_str::<Value>(&text).ok();
            assert_eq!(matches!(why, Unread::NotJson(_)), json.is_none());
            if let Some(id) = id {
                let given = json.as_ref().and_then(|json| json.get("id")).and_then(Value::as_f64);
                assert_eq!(given, Some(f64::from(id)));
            }
        }
    }
}

fn says_no_secret(message: &ClientMessage, written: &str) {
    let shown = format!("{message:?}");
    // The body of a request may hold a number that is too great for any type.
    let Ok(fields) = serde_json::from_str::<Value>(written) else { return };
    for field in ["token", "code"] {
        if let Some(secret) = fields.get(field).and_then(Value::as_str).filter(|secret| secret.len() > 16) {
            assert!(!shown.contains(secret), "{field} is shown by Debug");
        }
    }
}
