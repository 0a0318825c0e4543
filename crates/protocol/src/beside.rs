//! Parts of a request beside its body: in the path or a header over HTTP, a field of the same object over the socket.

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, Error},
};
use serde_json::{Map, Value};
#[cfg(feature = "schema")]
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr, Type,
        schema::{ObjectBuilder, OneOfBuilder, Schema},
    },
};

use crate::{IdempotencyKey, MatchId};

/// A request about a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForMatch<T> {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// The rest of the request.
    #[serde(flatten)]
    pub request: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for ForMatch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let id = fields.remove("match").ok_or_else(|| D::Error::missing_field("match"))?;
        Ok(Self { id: read(id)?, request: rest(fields, "match")? })
    }
}

#[cfg(feature = "schema")]
impl<T: PartialSchema> PartialSchema for ForMatch<T> {
    fn schema() -> RefOr<Schema> {
        with_field(T::schema(), "match", described::<MatchId>("The match.").into(), true)
    }
}

#[cfg(feature = "schema")]
impl<T: ToSchema> ToSchema for ForMatch<T> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((MatchId::name().into_owned(), MatchId::schema()));
        T::schemas(schemas);
    }
}

/// A request that may have an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Keyed<T> {
    /// The key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<IdempotencyKey>,
    /// The rest of the request.
    #[serde(flatten)]
    pub request: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let key = fields.remove("key").map(read).transpose()?.flatten();
        Ok(Self { key, request: rest(fields, "key")? })
    }
}

#[cfg(feature = "schema")]
impl<T: PartialSchema> PartialSchema for Keyed<T> {
    fn schema() -> RefOr<Schema> {
        let key = described::<IdempotencyKey>("Your idempotency key.");
        let null = ObjectBuilder::new().schema_type(Type::Null);
        let key_or_null = OneOfBuilder::new().item(key).item(null).build();
        with_field(T::schema(), "key", Schema::OneOf(key_or_null).into(), false)
    }
}

#[cfg(feature = "schema")]
impl<T: ToSchema> ToSchema for Keyed<T> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((IdempotencyKey::name().into_owned(), IdempotencyKey::schema()));
        T::schemas(schemas);
    }
}

#[cfg(feature = "schema")]
fn described<T: ToSchema>(description: &str) -> Ref {
    Ref::builder().ref_location_from_schema_name(T::name()).description(Some(description)).build()
}

/// Reads the rest of an object after field `taken`. The error about an unknown field lists `taken` among the known
/// ones.
fn rest<T: DeserializeOwned, E: Error>(fields: Map<String, Value>, taken: &str) -> Result<T, E> {
    T::deserialize(Value::Object(fields)).map_err(|error| {
        let error = error.to_string();
        let Some((unknown, known)) = error.split_once(", ").filter(|_| error.starts_with("unknown field "))
        else {
            return E::custom(error);
        };
        let mut names = vec![taken];
        names.extend(known.split('`').skip(1).step_by(2));
        let known = match names.as_slice() {
            [one] => format!("`{one}`"),
            [one, other] => format!("`{one}` or `{other}`"),
            _ => format!("one of `{}`", names.join("`, `")),
        };
        E::custom(format_args!("{unknown}, expected {known}"))
    })
}

fn read<T: DeserializeOwned, E: Error>(value: Value) -> Result<T, E> {
    T::deserialize(value).map_err(E::custom)
}

/// The schema of an object, with one more field.
#[cfg(feature = "schema")]
fn with_field(schema: RefOr<Schema>, name: &str, field: RefOr<Schema>, is_required: bool) -> RefOr<Schema> {
    let RefOr::T(Schema::Object(mut object)) = schema else {
        unreachable!("a request is an object");
    };
    object.properties.insert(name.to_owned(), field);
    if is_required {
        object.required.push(name.to_owned());
    }
    RefOr::T(Schema::Object(object))
}
