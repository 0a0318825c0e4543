//! Which values, alternatives and fields of the schemas stand in the examples: what a schema
//! allows without an example could change unseen.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use utoipa::{PartialSchema, ToSchema};

/// The schemas of some types, by name, with those to which they refer.
#[derive(Default)]
pub(crate) struct Schemas(BTreeMap<String, Value>);

/// Values, alternatives and fields, each with where it stands.
pub(crate) type Places = BTreeSet<String>;

impl Schemas {
    pub(crate) fn add<T: ToSchema + PartialSchema>(&mut self) {
        let mut schemas = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut schemas);
        for (name, schema) in schemas {
            let schema = serde_json::to_value(schema).expect("a schema is plain data");
            self.0.insert(name, schema);
        }
    }

    /// Everything that the schemas allow.
    pub(crate) fn allowed(&self) -> Places {
        let mut places = Places::new();
        for (name, schema) in &self.0 {
            allow(name, schema, &mut places);
        }
        places
    }

    /// Notes what an example of a type has.
    pub(crate) fn note<T: ToSchema>(&self, example: &Value, seen: &mut Places) {
        let name = T::name();
        self.walk(&name, &self.0[name.as_ref()], example, seen);
    }

    fn walk(&self, place: &str, schema: &Value, example: &Value, seen: &mut Places) {
        if let Some(name) = referred(schema) {
            return self.walk(name, &self.0[name], example, seen);
        }
        if strings(schema).any(|value| example == value) {
            seen.insert(format!("{place}: {}", shown(example)));
        }
        for variant in list(&schema["oneOf"]).iter().filter(|variant| self.fits(variant, example)) {
            let name = named(variant);
            seen.insert(format!("{place} as {name}"));
            self.walk(&format!("{place}<{name}>"), variant, example, seen);
        }
        for part in list(&schema["allOf"]) {
            self.walk(place, part, example, seen);
        }
        for (name, field) in object(&schema["properties"]) {
            if let Some(value) = example.get(name) {
                seen.insert(format!("{place}.{name}"));
                self.walk(&format!("{place}.{name}"), field, value, seen);
            }
        }
        for item in list(example) {
            self.walk(&format!("{place}[]"), &schema["items"], item, seen);
        }
        if schema["additionalProperties"].is_object() {
            for (_, value) in object(example) {
                self.walk(&format!("{place}.*"), &schema["additionalProperties"], value, seen);
            }
        }
    }

    /// Whether an example can be of an alternative.
    fn fits(&self, schema: &Value, example: &Value) -> bool {
        if let Some(name) = referred(schema) {
            return self.fits(&self.0[name], example);
        }
        let is_type = match schema["type"].as_str() {
            Some("object") => example.is_object(),
            Some("string") => example.is_string(),
            Some("array") => example.is_array(),
            Some("integer" | "number") => example.is_number(),
            Some("boolean") => example.is_boolean(),
            Some("null") => example.is_null(),
            _ => true,
        };
        let has_value = strings(schema).next().is_none() || strings(schema).any(|value| value == example);
        let has_fields = list(&schema["required"]).iter().all(|name| example.get(shown(name)).is_some());
        let tags_fit = object(&schema["properties"]).all(|(name, field)| {
            let mut values = strings(field).peekable();
            values.peek().is_none() || example.get(name).is_none_or(|tag| values.any(|value| value == tag))
        });
        let parts_fit = list(&schema["allOf"]).iter().all(|part| self.fits(part, example));
        let one_fits = list(&schema["oneOf"]);
        let one_fits = one_fits.is_empty() || one_fits.iter().any(|one| self.fits(one, example));
        is_type && has_value && has_fields && tags_fit && parts_fit && one_fits
    }
}

fn allow(place: &str, schema: &Value, places: &mut Places) {
    places.extend(strings(schema).map(|value| format!("{place}: {}", shown(value))));
    for variant in list(&schema["oneOf"]).iter().filter(|variant| variant["type"] != "null") {
        let name = named(variant);
        places.insert(format!("{place} as {name}"));
        allow(&format!("{place}<{name}>"), variant, places);
    }
    for part in list(&schema["allOf"]) {
        allow(place, part, places);
    }
    for (name, field) in object(&schema["properties"]) {
        places.insert(format!("{place}.{name}"));
        allow(&format!("{place}.{name}"), field, places);
    }
    for (end, inside) in [("[]", &schema["items"]), (".*", &schema["additionalProperties"])] {
        if inside.is_object() {
            allow(&format!("{place}{end}"), inside, places);
        }
    }
}

/// What tells an alternative from the others: the value of its tag, what it refers to, its fields.
fn named(variant: &Value) -> String {
    let parts = list(&variant["allOf"]).iter().chain([variant]);
    let mut tags = parts.flat_map(|part| object(&part["properties"])).filter_map(|(name, field)| {
        let values: Vec<_> = strings(field).collect();
        (values.len() == 1).then(|| format!("{name} {}", shown(values[0])))
    });
    if let Some(tag) = tags.next() {
        return tag;
    }
    if let Some(name) = referred(variant) {
        return name.to_owned();
    }
    let fields = list(&variant["required"]).iter().map(shown);
    [shown(&variant["type"])]
        .into_iter()
        .chain(strings(variant).map(shown))
        .chain(fields)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The values that a schema names.
fn strings(schema: &Value) -> impl Iterator<Item = &Value> {
    list(&schema["enum"]).iter().chain(schema.get("const"))
}

fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn shown(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}
