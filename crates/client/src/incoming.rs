//! Messages from the server.

use lusoria_protocol::{Code, Event, MatchId, Problem};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::ConnectionError;

/// A message from the server. Its content is parsed only on demand: most clients of a load generator do
/// not need it.
#[derive(Debug)]
pub enum Incoming {
    /// The response to a request.
    Answer {
        /// The number of the request; none if the server could not read it.
        re: Option<u32>,
        /// The response as JSON, or the refusal.
        outcome: Result<Box<RawValue>, Box<Problem>>,
    },
    /// An event of a watched match.
    Event(EventMessage),
    /// A notice.
    Notice(Notice),
}

/// An event with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventMessage {
    /// The match.
    pub id: MatchId,
    /// Its number.
    pub seq: u32,
    text: Utf8Bytes,
}

impl EventMessage {
    /// The event as received: the same bytes for all watchers.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The type of the event, such as `turned`; none if it is missing.
    pub fn kind(&self) -> Option<&str> {
        #[derive(Deserialize)]
        struct Typed<'a> {
            #[serde(rename = "type")]
            kind: &'a str,
        }
        match EventHeader::at(&self.text) {
            Some(glance) => Some(glance.kind),
            None => serde_json::from_str(&self.text).ok().map(|Typed { kind }| kind),
        }
    }

    /// Parses the event.
    ///
    /// # Errors
    /// If it is not an event.
    pub fn read(&self) -> Result<Event, ConnectionError> {
        let unreadable = |error: serde_json::Error| ConnectionError::Unreadable(error.to_string());
        match EventHeader::at(&self.text) {
            // Parsing only the rest costs half as much as parsing the whole.
            Some(EventHeader { id, seq, at, .. }) => {
                let kind = serde_json::from_str(&self.text).map_err(unreadable)?;
                Ok(Event { id, seq, at, kind })
            }
            None => serde_json::from_str(&self.text).map_err(unreadable),
        }
    }
}

/// A notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Which one.
    pub kind: String,
    text: Utf8Bytes,
}

impl Notice {
    /// The content of the notice.
    ///
    /// # Errors
    /// If this client does not know the notice.
    pub fn read(&self) -> Result<lusoria_protocol::Notice, ConnectionError> {
        self.read_as()
    }

    /// Parses some of its fields.
    ///
    /// # Errors
    /// If a field is missing or has another form.
    pub fn read_as<T: serde::de::DeserializeOwned>(&self) -> Result<T, ConnectionError> {
        serde_json::from_str(&self.text).map_err(|error| ConnectionError::Unreadable(error.to_string()))
    }
}

/// The first fields of an event, found without parsing the rest, because most messages to a watcher are
/// events.
struct EventHeader<'a> {
    id: MatchId,
    seq: u32,
    at: u64,
    kind: &'a str,
}

impl<'a> EventHeader<'a> {
    /// None if the event is not written in the server's usual order and spacing. It is still an event then,
    /// and must be parsed as JSON.
    fn at(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix(r#"{"match":""#)?;
        let (id, rest) = rest.split_at_checked(36)?;
        let (seq, rest) = rest.strip_prefix(r#"","seq":"#)?.split_once(',')?;
        let (at, rest) = rest.strip_prefix(r#""at":"#)?.split_once(',')?;
        let (kind, _) = rest.strip_prefix(r#""type":""#)?.split_once('"')?;
        Some(Self { id: id.parse().ok()?, seq: seq.parse().ok()?, at: at.parse().ok()?, kind })
    }
}

/// The fields that show the type of a message.
#[derive(Deserialize)]
struct Envelope<'a> {
    re: Option<u32>,
    status: Option<u16>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    seq: Option<u32>,
    #[serde(borrow, rename = "match")]
    id: Option<&'a RawValue>,
    notice: Option<&'a str>,
}

impl Incoming {
    /// Its approximate length, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Answer { outcome: Ok(ok), .. } => ok.get().len(),
            Self::Answer { outcome: Err(problem), .. } => size_of_val(&**problem) + problem.detail.len(),
            Self::Event(event) => event.text.len(),
            Self::Notice(notice) => notice.text.len(),
        }
    }

    /// Reads a message.
    pub(super) fn read(text: Utf8Bytes) -> Result<Self, ConnectionError> {
        if let Some(EventHeader { id, seq, .. }) = EventHeader::at(&text) {
            return Ok(Self::Event(EventMessage { id, seq, text }));
        }
        let unreadable = |error: serde_json::Error| ConnectionError::Unreadable(format!("{error} in {text}"));
        let Envelope { re, status, ok, error, seq, id, notice } =
            serde_json::from_str(&text).map_err(unreadable)?;
        if let Some(kind) = notice {
            let kind = kind.to_owned();
            return Ok(Self::Notice(Notice { kind, text }));
        }
        match (seq, id, error, ok) {
            (Some(seq), Some(id), None, None) => {
                let id = serde_json::from_str(id.get()).map_err(unreadable)?;
                Ok(Self::Event(EventMessage { id, seq, text }))
            }
            (None, None, Some(problem), None) => {
                let problem = read_problem(problem).map_err(unreadable)?;
                Ok(Self::Answer { re, outcome: Err(problem) })
            }
            (None, None, None, Some(ok)) => Ok(Self::Answer { re, outcome: Ok(ok.to_owned()) }),
            // As over HTTP, what has no body says `null`.
            (None, None, None, None) if status.is_some() => {
                Ok(Self::Answer { re, outcome: Ok(RawValue::NULL.to_owned()) })
            }
            _ => {
                Err(ConnectionError::Unreadable(format!("neither an answer, an event nor a notice: {text}")))
            }
        }
    }
}

/// A newer server may have codes that this client does not know. Their detail is enough.
pub(super) fn read_problem(text: &RawValue) -> serde_json::Result<Box<Problem>> {
    #[derive(Deserialize)]
    struct Unknown {
        title: String,
        status: u16,
        code: String,
        detail: String,
    }
    serde_json::from_str(text.get()).or_else(|_| {
        let Unknown { title, status, code, detail } = serde_json::from_str(text.get())?;
        let known = Problem::new(Code::Internal, detail);
        Ok(Box::new(Problem { kind: format!("/problems/{code}"), title, status, ..known }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    #[test]
    fn responses_events_and_notices_are_distinguished() {
        let read = |text: &str| Incoming::read(text.into());
        let answer = read(r#"{"re": 7, "ok": {"seq": 1, "match": 2}}"#).expect("an answer");
        assert!(
            matches!(answer, Incoming::Answer { re: Some(7), outcome: Ok(ok) } if ok.get().contains("seq"))
        );
        let text = format!(r#"{{"match": "{ID}", "seq": 3, "at": 4, "type": "joined"}}"#);
        let Incoming::Event(event) = read(&text).expect("an event") else { panic!("not an event") };
        assert_eq!((event.id.to_string().as_str(), event.seq, event.text()), (ID, 3, text.as_str()));
        let bare = read(r#"{"re": 7, "status": 204}"#).expect("an answer");
        assert!(matches!(bare, Incoming::Answer { re: Some(7), outcome: Ok(ok) } if ok.get() == "null"));
        let notice = read(r#"{"notice": "time", "server_time": 5}"#).expect("a notice");
        assert!(matches!(notice, Incoming::Notice(notice) if notice.kind == "time"));
        let problem = serde_json::to_string(&Problem::from(lusoria_protocol::Code::NoSuchMatch));
        let refusal = format!(r#"{{"re": 8, "error": {}}}"#, problem.expect("JSON"));
        let refusal = read(&refusal).expect("a refusal");
        assert!(matches!(refusal, Incoming::Answer { re: Some(8), outcome: Err(_) }));
        for text in ["", "{}", "[]", r#"{"re": 1}"#, r#"{"match": "x", "seq": 1}"#] {
            assert!(matches!(read(text), Err(ConnectionError::Unreadable(_))), "{text}");
        }
    }

    #[test]
    fn a_refusal_of_a_newer_server_keeps_its_words() {
        let text = r#"{"re": 1, "error": {"type": "/problems/new", "title": "New", "status": 403,
            "code": "of_tomorrow", "detail": "come back tomorrow", "more": 1}}"#;
        let Ok(Incoming::Answer { outcome: Err(problem), .. }) = Incoming::read(text.into()) else {
            panic!("not a refusal")
        };
        assert_eq!((problem.status, problem.detail.as_str()), (403, "come back tomorrow"));
        assert_eq!(problem.kind, "/problems/of_tomorrow");
    }

    #[test]
    fn an_event_is_the_same_however_it_is_spaced() {
        let tight = format!(
            r#"{{"match":"{ID}","seq":12,"at":1,"type":"thrown","seat":1,"side":"white","throw":3,"dice":[1,2]}}"#
        );
        let wide = tight.replace(':', ": ");
        let swapped = tight.replace(
            &format!(r#""match":"{ID}","seq":12,"at":1"#),
            &format!(r#""seq":12,"at":1,"match":"{ID}""#),
        );
        assert!(
            EventHeader::at(&tight).is_some()
                && EventHeader::at(&wide).is_none()
                && EventHeader::at(&swapped).is_none()
        );
        for text in [tight.clone(), wide, swapped] {
            let Ok(Incoming::Event(event)) = Incoming::read(text.as_str().into()) else { panic!("{text}") };
            assert_eq!((event.id.to_string().as_str(), event.seq, event.kind()), (ID, 12, Some("thrown")));
            let read = event.read().expect("an event");
            assert_eq!(serde_json::to_string(&read).expect("JSON"), tight);
        }
    }
}
