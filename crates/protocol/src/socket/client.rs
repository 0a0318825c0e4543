//! The messages of clients.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::Value;
#[cfg(feature = "schema")]
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    Abort, Claim, Draw, ForMatch, IdempotencyKey, JoinMatch, Keyed, MatchId, PlayTurn, Rematch, Resign,
    RevealSeed, Step, Takeback, strict,
};

use super::{
    api::{ApiRequest, Method, RawJson},
    request::{Hello, OfMatch, Switch, TalkSwitch, TournamentSwitch, Watch},
};

/// A request: `{"id": 7, "op": "watch", …}` with the fields of the operation beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientMessage {
    /// Chosen by the client; the reply has it as `re`.
    pub id: u32,
    /// The action.
    pub op: Op,
}

macro_rules! ops {
    (
        ops { $($(#[$doc:meta])* $name:ident($request:ty) $text:literal,)* }
        commands { $($(#[$command_doc:meta])* $command:ident($body:ty) $command_text:literal,)* }
    ) => {
        /// The operations.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Op {
            $($(#[$doc])* $name($request),)*
            /// A command of a player to a match.
            Command(ForMatch<Keyed<MatchCommand>>),
        }

        /// The commands of players to a match.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(untagged)]
        pub enum MatchCommand {
            $($(#[$command_doc])* $command($body),)*
        }

        $(impl From<$body> for MatchCommand {
            fn from(body: $body) -> Self {
                Self::$command(body)
            }
        })*

        impl MatchCommand {
            /// The names of all commands.
            pub const NAMES: &'static [&'static str] = &[$($command_text,)*];

            /// The name of the command: its operation on the socket, the end of its path over HTTP.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$command(_) => $command_text,)* }
            }
        }

        impl Op {
            /// The names of all operations.
            pub const NAMES: &'static [&'static str] = &[$($text,)* $($command_text,)*];

            /// The name of this operation.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $text,)*
                    Self::Command(command) => command.request.request.name(),
                }
            }

            fn read(name: &str, fields: Value) -> Result<Self, Unread> {
                match name {
                    $($text => <$request>::deserialize(fields).map(Self::$name),)*
                    _ if name == TURN => ForMatch::<PlayTurn>::deserialize(fields)
                        .map(|ForMatch { id, request }| Self::command(id, None, request)),
                    $($command_text => ForMatch::<Keyed<$body>>::deserialize(fields)
                        .map(|ForMatch { id, request: Keyed { key, request } }| {
                            Self::command(id, key, request)
                        }),)*
                    _ => return Err(Unread::UnknownOp),
                }
                .map_err(Unread::Fields)
            }

            fn fields(&self) -> serde_json::Result<Value> {
                match self {
                    $(Self::$name(request) => serde_json::to_value(request),)*
                    Self::Command(command) => serde_json::to_value(command),
                }
            }

            fn serialize_with<S: serde::Serializer>(&self, id: u32, serializer: S) -> Result<S::Ok, S::Error> {
                let op = self.name();
                match self {
                    $(Self::$name(request) => Written { id, op, request }.serialize(serializer),)*
                    Self::Command(request) => Written { id, op, request }.serialize(serializer),
                }
            }

            /// The name of each operation and the schema of its fields.
            #[cfg(feature = "schema")]
            pub fn schemas() -> Vec<(&'static str, Value)> {
                vec![
                    $(($text, crate::schema_as_json(<$request as PartialSchema>::schema())),)*
                    $(($command_text, crate::schema_as_json(command_schema::<$body>($command_text))),)*
                ]
            }

            /// The schemas to which they refer.
            #[cfg(feature = "schema")]
            pub fn referred(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                $(<$request as ToSchema>::schemas(schemas);)*
                $(<ForMatch<Keyed<$body>> as ToSchema>::schemas(schemas);)*
            }
        }
    };
}

/// The only command without an idempotency key: `seq` shows whether it is new.
const TURN: &str = "turn";

/// The operation that carries requests of the API.
const HTTP: &str = "http";

#[cfg(feature = "schema")]
fn command_schema<T: PartialSchema>(name: &str) -> RefOr<Schema> {
    if name == TURN { ForMatch::<T>::schema() } else { ForMatch::<Keyed<T>>::schema() }
}

ops! {
    ops {
        /// Identifies the client; the first message.
        Hello(Hello) "hello",
        /// Checks that the connection is alive.
        Ping(Nothing) "ping",
        /// Watches a match.
        Watch(Watch) "watch",
        /// Stops watching it.
        Unwatch(OfMatch) "unwatch",
        /// Switches the lobby topic on or off.
        Lobby(Switch) "lobby",
        /// Switches your own topic on or off.
        Personal(Switch) "personal",
        /// Switches the talk in a room of a match on or off: the reply has its remarks, and later ones are pushed.
        Talk(TalkSwitch) "talk",
        /// Switches the notices of a tournament's changes on or off: the reply has the number of its last event.
        Tournament(TournamentSwitch) "tournament",
        /// Sends any request of the API; the response is the same as over HTTP.
        Http(ApiRequest) "http",
    }
    commands {
        /// Takes seat 2 of an open match.
        Join(JoinMatch) "join",
        /// Reveals your seed.
        Seed(RevealSeed) "seed",
        /// Plays a whole turn.
        Turn(PlayTurn) "turn",
        /// Takes your last turn back.
        Takeback(Takeback) "takeback",
        /// Resigns.
        Resign(Resign) "resign",
        /// Ends the match without a result.
        Abort(Abort) "abort",
        /// Claims the game of an opponent who is away.
        Claim(Claim) "claim",
        /// Offers a draw or answers an offer.
        Draw(Draw) "draw",
        /// Offers a rematch or answers an offer.
        Rematch(Rematch) "rematch",
    }
}

impl Op {
    /// The match and the turn, if it plays one.
    pub const fn as_turn(&self) -> Option<(MatchId, &PlayTurn)> {
        match self.as_command() {
            Some((id, MatchCommand::Turn(turn))) => Some((id, turn)),
            _ => None,
        }
    }

    /// The match and the command, if it is a command.
    pub const fn as_command(&self) -> Option<(MatchId, &MatchCommand)> {
        match self {
            Self::Command(ForMatch { id, request: Keyed { request, .. } }) => Some((*id, request)),
            _ => None,
        }
    }

    /// A command to a match.
    pub fn command(id: MatchId, key: Option<IdempotencyKey>, command: impl Into<MatchCommand>) -> Self {
        Self::Command(ForMatch { id, request: Keyed { key, request: command.into() } })
    }
}

/// An operation that takes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The reason why a message could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// There is no such operation.
    #[error("there is no such operation; there are {}", Op::NAMES.join(", "))]
    UnknownOp,
    /// A field is missing, unknown, of the wrong type or out of its range.
    #[error("{0}")]
    Fields(serde_json::Error),
    /// The text is not JSON.
    #[error("{0}")]
    NotJson(serde_json::Error),
}

impl ClientMessage {
    /// Reads only the id of a message, if it is JSON and has one.
    pub fn read_id(text: &str) -> Option<u32> {
        #[derive(Deserialize)]
        struct Id {
            id: u32,
        }
        serde_json::from_str(text).ok().map(|Id { id }| id)
    }

    /// Reads a message.
    ///
    /// # Errors
    /// The reason why it cannot be read, and its id if that can be read.
    pub fn read(text: &str) -> Result<Self, (Option<u32>, Unread)> {
        if let Some(turn) = TurnMessage::read(text) {
            return Ok(turn.into_message());
        }
        if let Some(ApiMessage { id, method, path, key, body, .. }) = ApiMessage::read(text) {
            return Ok(Self { id, op: Op::Http(ApiRequest { method, path, key, body }) });
        }
        Self::read_any(text)
    }

    fn read_any(text: &str) -> Result<Self, (Option<u32>, Unread)> {
        #[derive(Deserialize)]
        struct Envelope {
            id: u32,
            op: String,
        }
        let known_of = |value: &Value| value.get("id")?.as_u64()?.try_into().ok();
        let mut value = match strict::read_strictly(text.as_bytes()) {
            Ok(value) => value,
            Err(error) if error.is_data() => {
                let known = serde_json::from_str(text).ok().as_ref().and_then(known_of);
                return Err((known, Unread::Fields(error)));
            }
            Err(error) => return Err((None, Unread::NotJson(error))),
        };
        strict::make_whole(&mut value);
        if !value.is_object() {
            // The reader would accept a list of the fields in their order.
            let why = serde_json::Error::custom("expected an object");
            return Err((None, Unread::Fields(why)));
        }
        let known = known_of(&value);
        let Envelope { id, op } =
            Envelope::deserialize(&value).map_err(|error| (known, Unread::Fields(error)))?;
        if let Some(fields) = value.as_object_mut() {
            fields.remove("id");
            fields.remove("op");
        }
        let read = Op::read(&op, value.clone()).map_err(|unread| (Some(id), unread))?;
        let written = read.fields().map_err(|error| (Some(id), Unread::Fields(error)))?;
        match strict::list_for_object(&value, &written) {
            None => Ok(Self { id, op: read }),
            Some(place) => {
                let why = format!("{}: expected an object", place.trim_start_matches('.'));
                Err((Some(id), Unread::Fields(serde_json::Error::custom(why))))
            }
        }
    }
}

/// An object and nothing else: for a struct alone the reader would accept a list of its fields in their order.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
            }
        }
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// A turn as clients usually write it. Read directly, because most requests are turns.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnMessage<'a> {
    id: u32,
    op: &'a str,
    #[serde(rename = "match")]
    of: MatchId,
    seq: u32,
    steps: Vec<Object<Step>>,
}

impl<'a> TurnMessage<'a> {
    /// None for other messages, and for a turn in another form or with errors: [`ClientMessage::read_any`] handles
    /// those.
    fn read(text: &'a str) -> Option<Self> {
        let Object(message) = serde_json::from_str::<Object<Self>>(text).ok()?;
        (message.op == TURN).then_some(message)
    }

    fn into_message(self) -> ClientMessage {
        let steps = self.steps.into_iter().map(|Object(step)| step).collect();
        ClientMessage { id: self.id, op: Op::command(self.of, None, PlayTurn { seq: self.seq, steps }) }
    }
}

/// A request of the API as clients usually write it. Its body keeps its original text, so that a refusal reports the
/// same position as over HTTP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApiMessage<'a> {
    id: u32,
    op: &'a str,
    method: Method,
    path: String,
    #[serde(default)]
    key: Option<IdempotencyKey>,
    #[serde(default)]
    body: Option<RawJson>,
}

impl<'a> ApiMessage<'a> {
    /// None for other messages, and for a request in another form or with errors: [`ClientMessage::read_any`] handles
    /// those.
    fn read(text: &'a str) -> Option<Self> {
        let Object(message) = serde_json::from_str::<Object<Self>>(text).ok()?;
        (message.op == HTTP).then_some(message)
    }
}

impl<'de> Deserialize<'de> for ClientMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::read(&value.to_string()).map_err(|(_, unread)| D::Error::custom(unread))
    }
}

impl Serialize for ClientMessage {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.op.serialize_with(self.id, serializer)
    }
}

/// A message in its original text.
#[derive(Serialize)]
struct Written<'a, T> {
    id: u32,
    op: &'static str,
    #[serde(flatten)]
    request: &'a T,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN_MESSAGE: &str = r#"{"id":7,"op":"turn","match":"0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f","seq":4,"steps":[{"die":3,"from":"supply","to":"3"},{"from":"e5","to":"e8"}]}"#;

    #[test]
    fn a_turn_is_read_at_once() {
        let read = TurnMessage::read(TURN_MESSAGE).expect("a turn");
        assert_eq!((read.id, read.seq, read.steps.len()), (7, 4, 2));
    }

    /// Whatever is changed in a turn, the direct reader and the general one agree.
    #[test]
    fn turns_are_read_the_same_either_way() {
        const PARTS: &[(&str, &str)] = &[
            ("", ""),
            ("{\"id\"", " { \"id\" "),
            ("turn", "tu\\u0072n"),
            ("turn", "rejoin"),
            ("\"id\":7", "\"id\":7,\"id\":7"),
            ("\"id\":7", "\"id\":7.0"),
            ("\"id\":7", "\"id\":-7"),
            ("\"id\":7,", ""),
            ("\"seq\":4", "\"seq\":4e0"),
            ("\"seq\":4", "\"seq\":4,\"key\":\"k\""),
            ("\"seq\":4", "\"seq\":4,\"more\":{\"a\":1,\"a\":2}"),
            ("0190a6c2", "0190A6C2"),
            ("{\"from\":\"e5\",\"to\":\"e8\"}", "[null,\"e5\",\"e8\"]"),
            ("{\"from\":\"e5\",\"to\":\"e8\"}", "{\"from\":\"e5\",\"to\":\"e8\",\"to\":\"e8\"}"),
            ("\"e8\"", "\"[\""),
            ("\"e8\"", "[\"e8\"]"),
            ("\"die\":3", "\"die\":7"),
            ("\"die\":3", "\"die\":3.0"),
            ("}]}", "}]} x"),
            ("}]}", "}]"),
        ];
        for (from, to) in PARTS {
            for (from_too, to_too) in PARTS {
                let text = TURN_MESSAGE.replacen(from, to, 1).replacen(from_too, to_too, 1);
                if let Some(turn) = TurnMessage::read(&text) {
                    assert_eq!(ClientMessage::read_any(&text).ok(), Some(turn.into_message()), "{text}");
                }
            }
        }
    }

    const API_MESSAGE: &str =
        r#"{"id":7,"op":"http","method":"PUT","path":"/api/v1/x?y=1","key":"k","body":{"n": 4.0,"n":[1]}}"#;

    #[test]
    fn the_body_of_a_request_stays_as_it_was_written() {
        let Op::Http(request) = ClientMessage::read(API_MESSAGE).expect("a request").op else {
            panic!("another")
        };
        assert_eq!((request.method, request.path.as_str()), (Method::Put, "/api/v1/x?y=1"));
        let body = request.body.expect("a body");
        assert_eq!(body.get(), r#"{"n": 4.0,"n":[1]}"#);
        assert!(!format!("{body:?}").contains("4.0"), "it may hold a password");
        let written = serde_json::to_string(&ClientMessage::read(API_MESSAGE).unwrap()).expect("JSON");
        assert_eq!(written, API_MESSAGE);
    }

    /// Whatever is around the body, the direct reader and the general one agree, or both refuse it.
    #[test]
    fn requests_of_the_api_are_read_the_same_either_way() {
        for (from, to) in [
            ("{\"n\": 4.0,\"n\":[1]}", "{\"n\":[1]}"),
            ("{\"n\": 4.0,\"n\":[1]}", "null"),
            ("{\"n\": 4.0,\"n\":[1]}", "\"text\""),
            (",\"body\":{\"n\": 4.0,\"n\":[1]}", ""),
            (",\"key\":\"k\",\"body\":{\"n\": 4.0,\"n\":[1]}", ""),
            ("{\"n\": 4.0,\"n\":[1]}", "{},\"body\":{}"),
            ("{\"n\": 4.0,\"n\":[1]}", "{},\"more\":{}"),
            ("\"PUT\"", "\"HEAD\""),
            ("\"k\"", "\"two words\""),
            ("http", "htt"),
        ] {
            let text = API_MESSAGE.replacen(from, to, 1);
            let (at_once, otherwise) = (ClientMessage::read(&text).ok(), ClientMessage::read_any(&text).ok());
            assert_eq!(at_once, otherwise, "{text}");
        }
    }
}
