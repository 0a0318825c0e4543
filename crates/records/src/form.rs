//! Checks the form of a record as JSON more strictly than its types do (docs/record.md).
//!
//! The types accept JSON that two programs can understand in two ways: a name that occurs twice in an object,
//! a list in place of an object, a number in place of a name. This module compares the JSON with the parsed
//! record, and refuses such forms.

use std::{collections::HashSet, fmt};

use lusoria_protocol::{Event, Record, strict::make_whole};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The deepest nesting of objects and lists, including the record itself.
pub(super) const DEPTH_MAX: usize = 64;

/// Reads a record, and compares the JSON with the result.
///
/// # Errors
/// The fault, and its place.
pub(super) fn read(text: &str) -> serde_json::Result<Record> {
    held_to(text, serde_json::from_str(text)?)
}

/// The same, but whole numbers may be written as fractions, `4.0`, as in every body sent to the API.
///
/// # Errors
/// As [`read`].
pub(super) fn read_generously(text: &str) -> serde_json::Result<Record> {
    read(text).or_else(|why| {
        let mut value: Value = serde_json::from_str(text)?;
        if !make_whole(&mut value) {
            return Err(why);
        }
        serde_json::from_value(value).map_err(|_| why).and_then(|record| held_to(text, record))
    })
}

fn held_to(text: &str, mut record: Record) -> serde_json::Result<Record> {
    // There are many events: each is serialised again only when it is compared.
    let events = std::mem::take(&mut record.events);
    let frame = written(&record);
    let whole = Comparison { read: ParsedValue::Record(&frame, &events), place: &Place::Top };
    whole.deserialize(&mut serde_json::Deserializer::from_str(text))?;
    Ok(Record { events, ..record })
}

fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("wire types are plain data")
}

/// A place in the record.
enum Place<'a> {
    Top,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    /// How many objects and lists contain it.
    fn depth(&self) -> usize {
        match self {
            Self::Top => 0,
            Self::Field(outer, _) | Self::Item(outer, _) => outer.depth() + 1,
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => f.write_str("the record"),
            Self::Field(Self::Top, name) => f.write_str(name),
            Self::Field(outer, name) => write!(f, "{outer}.{name}"),
            Self::Item(outer, at) => write!(f, "{outer}[{at}]"),
        }
    }
}

/// The result of parsing a value, as a value again.
#[derive(Clone, Copy)]
enum ParsedValue<'a> {
    /// Nothing: the field is not known.
    Nothing,
    /// The record without its events, and the events.
    Record(&'a Value, &'a [Event]),
    Events(&'a [Event]),
    Value(&'a Value),
}

impl<'a> ParsedValue<'a> {
    fn kind(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Record(..) | Self::Value(Value::Object(_)) => Some(OBJECT),
            Self::Events(_) | Self::Value(Value::Array(_)) => Some(LIST),
            Self::Value(Value::Number(_)) => Some(NUMBER),
            Self::Value(Value::String(_)) => Some(TEXT),
            Self::Value(Value::Bool(_)) => Some(TRUTH),
            // Only a number that is too large for its type is serialised as null.
            Self::Value(Value::Null) => Some("a number up to 3.4e38"),
        }
    }

    fn field(self, name: &str) -> ParsedValue<'a> {
        match self {
            Self::Record(_, events) if name == "events" => ParsedValue::Events(events),
            Self::Record(value, _) | Self::Value(value) => {
                value.get(name).map_or(ParsedValue::Nothing, ParsedValue::Value)
            }
            Self::Nothing | Self::Events(_) => ParsedValue::Nothing,
        }
    }
}

const OBJECT: &str = "an object";
const LIST: &str = "a list";
const NUMBER: &str = "a number";
const TEXT: &str = "a string";
const TRUTH: &str = "true or false";

/// Compares a value with the result of parsing it.
#[derive(Clone, Copy)]
struct Comparison<'a> {
    read: ParsedValue<'a>,
    place: &'a Place<'a>,
}

impl Comparison<'_> {
    /// Checks that the value has the parsed kind.
    fn must_be<E: Error>(self, found: &str) -> Result<(), E> {
        match self.read.kind() {
            Some(expected) if expected != found => {
                Err(E::custom(format_args!("{}: expected {expected}, not {found}", self.place)))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The same for an object or a list; also checks the depth.
    fn must_hold<E: Error>(self, found: &str) -> Result<(), E> {
        self.must_be(found)?;
        if self.place.depth() >= DEPTH_MAX {
            let why = format!("objects and lists stand more than {DEPTH_MAX} deep in each other");
            return Err(E::custom(format_args!("{why}: {:.200}", self.place.to_string())));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Comparison<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Comparison<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    /// An optional field may be null.
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.must_be("null")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.must_be(TRUTH)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.must_be(NUMBER)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.must_be(NUMBER)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.must_be(NUMBER)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.must_be(TEXT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.must_hold(LIST)?;
        for at in 0.. {
            let place = &Place::Item(self.place, at);
            let comparison = |read| Comparison { read, place };
            let event;
            let read = match self.read {
                ParsedValue::Events(events) => {
                    event = events.get(at).map(written);
                    event.as_ref().map_or(ParsedValue::Nothing, ParsedValue::Value)
                }
                ParsedValue::Value(value) => value.get(at).map_or(ParsedValue::Nothing, ParsedValue::Value),
                ParsedValue::Record(..) | ParsedValue::Nothing => ParsedValue::Nothing,
            };
            if items.next_element_seed(comparison(read))?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        self.must_hold(OBJECT)?;
        let mut names = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            if names.contains(&name) {
                let why = format_args!("{}: the name \"{name:.80}\" stands twice in it", self.place);
                return Err(A::Error::custom(why));
            }
            let place = &Place::Field(self.place, &name);
            fields.next_value_seed(Comparison { read: self.read.field(&name), place })?;
            names.insert(name);
        }
        Ok(())
    }
}
