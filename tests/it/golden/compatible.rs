//! Whether a client that was made by an old description can live with a new one (api.md,
//! "What may change").
//!
//! What is asked may become more generous, what is answered may become more; nothing that a
//! client knows may go, change its type, or be demanded of it anew. Numbers that limit what is
//! answered may change: only requests must not become narrower. The sets of values that are
//! answered are complete, but for those in [`OPEN`].

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value, json};

/// Which way something travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// From the client.
    Asked,
    /// To the client.
    Answered,
}

/// The fields whose values, in what is answered, may become more: kinds of events and notices,
/// and codes.
const OPEN: [&str; 3] = ["type", "code", "notice"];

const METHODS: [&str; 6] = ["get", "head", "post", "put", "patch", "delete"];

/// What an old client would stumble over in a new OpenAPI document.
pub(super) fn breaks_of_api(old: &Value, new: &Value) -> Vec<String> {
    let mut judge = Judge::new(old, new);
    for (path, item) in object(&old["paths"]) {
        for method in METHODS.into_iter().filter(|method| item.get(method).is_some()) {
            let place = format!("{} {path}", method.to_uppercase());
            match new["paths"][path].get(method) {
                Some(operation) => judge.operation(&place, &item[method], operation),
                None => judge.fault(&place, "is gone"),
            }
        }
    }
    // What comes as lines of a stream, and every error.
    for name in ["Notice", "Problem", "Event"] {
        let reference = json!({"$ref": format!("#/components/schemas/{name}")});
        if old["components"]["schemas"].get(name).is_some() {
            judge.schema(name, &reference, &reference, Way::Answered);
        }
    }
    judge.faults
}

/// The same of the schema of the socket's messages.
pub(super) fn breaks_of_socket(old: &Value, new: &Value) -> Vec<String> {
    let mut judge = Judge::new(old, new);
    let ways = [("ClientMessage", Way::Asked), ("ServerMessage", Way::Answered), ("Answers", Way::Answered)];
    for (name, way) in ways {
        let reference = json!({"$ref": format!("#/$defs/{name}")});
        judge.schema(name, &reference, &reference, way);
    }
    judge.faults
}

struct Judge<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Pairs of schemas that have been compared already, or are being compared.
    seen: HashSet<(String, String, Way)>,
    faults: Vec<String>,
}

impl<'a> Judge<'a> {
    fn new(old: &'a Value, new: &'a Value) -> Self {
        Self { old, new, seen: HashSet::new(), faults: Vec::new() }
    }

    fn fault(&mut self, place: &str, what: impl AsRef<str>) {
        self.faults.push(format!("{place} {}", what.as_ref()));
    }

    fn operation(&mut self, place: &str, old: &Value, new: &Value) {
        if is_empty(&old["security"]) && !is_empty(&new["security"]) {
            self.fault(place, "needs a token now");
        }
        let (schemes, schemes_now) = (list(&old["security"]), list(&new["security"]));
        if !is_empty(&new["security"]) && schemes.iter().any(|scheme| !schemes_now.contains(scheme)) {
            self.fault(place, "takes another kind of token now");
        }
        self.parameters(place, list(&old["parameters"]), list(&new["parameters"]));
        let (old_body, new_body) = (&old["requestBody"], &new["requestBody"]);
        if is_required(new_body) && !is_required(old_body) {
            self.fault(place, "demands a body now");
        }
        self.contents(&format!("{place}, asked"), old_body, new_body, Way::Asked);
        for (status, answer) in object(&old["responses"]) {
            let place = format!("{place}, answer {status}");
            match new["responses"].get(status) {
                Some(now) => self.contents(&place, answer, now, Way::Answered),
                None if status.starts_with('2') => self.fault(&place, "is gone"),
                // Which errors an operation can end in may change; what an error is may not.
                None => {}
            }
        }
    }

    fn parameters(&mut self, place: &str, old: &[Value], new: &[Value]) {
        let same = |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for before in old {
            let place = format!("{place}, parameter {}", text(&before["name"]));
            match new.iter().find(|now| same(before, now)) {
                None => self.fault(&place, "is gone"),
                Some(now) => {
                    if is_required(now) && !is_required(before) {
                        self.fault(&place, "is required now");
                    }
                    self.schema(&place, &before["schema"], &now["schema"], Way::Asked);
                }
            }
        }
        for added in new.iter().filter(|now| is_required(now) && !old.iter().any(|before| same(before, now)))
        {
            self.fault(place, format!("demands a parameter {} now", text(&added["name"])));
        }
    }

    fn contents(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        for (kind, content) in object(&old["content"]) {
            match new["content"].get(kind) {
                Some(now) => {
                    self.schema(&format!("{place} as {kind}"), &content["schema"], &now["schema"], way);
                }
                None => self.fault(place, format!("is no longer {kind}")),
            }
        }
    }

    /// Compares two schemas, following their references.
    fn schema(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        if let (Some(before), Some(now)) = (old.get("$ref"), new.get("$ref"))
            && !self.seen.insert((text(before).to_owned(), text(now).to_owned(), way))
        {
            return;
        }
        let (old, new) = (whole(self.old, old), whole(self.new, new));
        self.variants(place, &old, &new, way);
        self.types(place, &old, &new, way);
        self.values(place, &old, &new, way);
        self.form(place, &old, &new, way);
        self.fields(place, &old, &new, way);
        if let Some(items) = old.get("items") {
            self.schema(&format!("{place}[]"), items, new.get("items").unwrap_or(&Value::Null), way);
        }
        match (way, old.get("additionalProperties"), new.get("additionalProperties")) {
            (Way::Asked, None | Some(Value::Bool(true)), Some(Value::Bool(false))) => {
                self.fault(place, "takes no other fields now");
            }
            (_, Some(before @ Value::Object(_)), now) => {
                self.schema(&format!("{place}.*"), before, now.unwrap_or(&Value::Null), way);
            }
            _ => {}
        }
        if way == Way::Asked {
            self.limits(place, &old, &new);
        }
    }

    fn types(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let (before, now) = (types(old), types(new));
        if before.is_empty() {
            return;
        }
        let fits = match way {
            // What says nothing takes everything.
            Way::Asked => now.is_empty() && alternatives(new).is_none() || before.is_subset(&now),
            Way::Answered => !now.is_empty() && now.is_subset(&before),
        };
        if !fits && alternatives(new).is_none() {
            self.fault(place, format!("was {before:?} and is {now:?}"));
        }
    }

    fn values(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let (before, now) = (values(old), values(new));
        for value in &before {
            let stays = now.contains(value) || now.is_empty() && way == Way::Asked;
            if !stays && alternatives(new).is_none() {
                self.fault(place, format!("no longer has the value {value}"));
            }
        }
        if before.is_empty() && !now.is_empty() && way == Way::Asked {
            self.fault(place, "takes only certain values now");
        }
        let is_open = OPEN.iter().any(|name| place.ends_with(&format!(".{name}")));
        if way == Way::Answered && !before.is_empty() && !is_open {
            for value in now.iter().filter(|value| !before.contains(value)) {
                self.fault(place, format!("has the new value {value}"));
            }
        }
    }

    /// What a text looks like, or how great a number is: a client may rely on it.
    fn form(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        for name in ["format", "pattern"] {
            if way == Way::Answered
                && !old[name].is_null()
                && old[name] != new[name]
                && alternatives(new).is_none()
            {
                self.fault(place, format!("has another {name} now"));
            }
        }
    }

    fn fields(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        // What had no alternatives and has some now is compared with each of them.
        if alternatives(old).is_none() && alternatives(new).is_some() {
            return;
        }
        let (before, now) = (required(old), required(new));
        for (name, field) in object(&old["properties"]) {
            let place = format!("{place}.{name}");
            match new["properties"].get(name) {
                Some(field_now) => self.schema(&place, field, field_now, way),
                None => self.fault(&place, "is gone"),
            }
        }
        match way {
            Way::Asked => {
                for name in now.difference(&before) {
                    self.fault(&format!("{place}.{name}"), "is required now");
                }
            }
            Way::Answered => {
                for name in before.difference(&now).filter(|name| new["properties"].get(name).is_some()) {
                    self.fault(&format!("{place}.{name}"), "may be left out now");
                }
            }
        }
    }

    /// Every alternative that there was must still be one; in answers there are no others, but
    /// for kinds that are told by an open field.
    fn variants(&mut self, place: &str, old: &Value, new: &Value, way: Way) {
        let before = alternatives(old).unwrap_or(std::slice::from_ref(old));
        let now = alternatives(new).unwrap_or(std::slice::from_ref(new));
        if alternatives(old).is_none() && alternatives(new).is_none() {
            return;
        }
        for variant in before {
            let faults = now.iter().map(|other| self.faults_of(place, variant, other, way));
            let best = faults.min_by_key(|(is_other, faults)| (*is_other, faults.len()));
            match best {
                Some((_, faults)) if faults.is_empty() => {}
                Some((false, faults)) => self.faults.extend(faults),
                _ => self.fault(place, format!("no longer can be {}", named(self.old, variant))),
            }
        }
        for other in now.iter().filter(|_| way == Way::Answered) {
            let name = named(self.new, other);
            let is_open = OPEN.iter().any(|open| name.starts_with(&format!("{open} ")));
            let fits = |variant| self.faults_of(place, variant, other, way).1.is_empty();
            if !is_open && !types(other).contains("null") && !before.iter().any(fits) {
                self.fault(place, format!("can be {name} now"));
            }
        }
        let can_be_null = |of: &[Value]| of.iter().any(|variant| types(variant).contains("null"));
        if way == Way::Answered && can_be_null(now) && !can_be_null(before) {
            self.fault(place, "can be null now");
        }
    }

    /// What is wrong with one variant in place of another, and whether they are two things.
    fn faults_of(&self, place: &str, old: &Value, new: &Value, way: Way) -> (bool, Vec<String>) {
        let name = named(self.old, old);
        let mut judge = Judge { seen: self.seen.clone(), faults: Vec::new(), ..*self };
        judge.schema(&format!("{place}<{name}>"), old, new, way);
        (name != named(self.new, new), judge.faults)
    }

    fn limits(&mut self, place: &str, old: &Value, new: &Value) {
        for (name, grows) in [
            ("maximum", true),
            ("maxLength", true),
            ("maxItems", true),
            ("minimum", false),
            ("minLength", false),
            ("minItems", false),
        ] {
            let Some(now) = new[name].as_f64() else { continue };
            let holds =
                old[name].as_f64().is_some_and(|before| if grows { before <= now } else { now <= before });
            if !holds {
                self.fault(place, format!("has a narrower {name} now: {now}"));
            }
        }
        if !new["pattern"].is_null() && old["pattern"] != new["pattern"] {
            self.fault(place, "has another pattern now");
        }
    }
}

/// What a reference leads to; itself if it is none.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref") {
        Some(Value::String(target)) => {
            let found = target.strip_prefix('#').and_then(|path| document.pointer(path));
            resolved(document, found.unwrap_or_else(|| panic!("{target} leads nowhere")))
        }
        _ => value,
    }
}

/// A schema with what it refers to and is composed of, as one.
fn whole(document: &Value, schema: &Value) -> Value {
    let mut schema = resolved(document, schema).clone();
    let Some(Value::Array(parts)) = schema.as_object_mut().and_then(|fields| fields.remove("allOf")) else {
        return schema;
    };
    for part in parts {
        let part = whole(document, &part);
        for (name, value) in object(&part) {
            let fields = schema.as_object_mut().expect("it had parts");
            match (fields.get_mut(name), value) {
                (Some(Value::Object(kept)), Value::Object(more)) => kept.extend(more.clone()),
                (Some(Value::Array(kept)), Value::Array(more)) => kept.extend(more.iter().cloned()),
                (Some(_), _) => {}
                (None, value) => drop(fields.insert(name.clone(), value.clone())),
            }
        }
    }
    schema
}

/// What an alternative is called: by the one value of a field that has only one, or by where it stands.
fn named(document: &Value, variant: &Value) -> String {
    let schema = whole(document, variant);
    let mut tags = object(&schema["properties"]).filter_map(|(name, field)| match &values(field)[..] {
        [tag] => Some(format!("{name} {tag}")),
        _ => None,
    });
    tags.next().or_else(|| Some(text(variant.get("$ref")?).to_owned())).unwrap_or_else(|| {
        match (&values(&schema)[..], types(&schema)) {
            ([value], _) => value.to_string(),
            (_, types) => types.into_iter().chain(required(&schema)).collect::<Vec<_>>().join(" "),
        }
    })
}

fn alternatives(schema: &Value) -> Option<&[Value]> {
    schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array().map(Vec::as_slice)
}

fn types(schema: &Value) -> BTreeSet<&str> {
    match &schema["type"] {
        Value::String(name) => [name.as_str()].into(),
        Value::Array(names) => names.iter().map(text).collect(),
        _ => BTreeSet::new(),
    }
}

fn values(schema: &Value) -> Vec<Value> {
    match (&schema["enum"], schema.get("const")) {
        (Value::Array(values), _) => values.clone(),
        (_, Some(value)) => vec![value.clone()],
        _ => Vec::new(),
    }
}

fn required(schema: &Value) -> BTreeSet<&str> {
    list(&schema["required"]).iter().map(text).collect()
}

fn is_required(value: &Value) -> bool {
    value["required"] == true
}

fn is_empty(value: &Value) -> bool {
    list(value).iter().all(|one| one.as_object().is_none_or(Map::is_empty))
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
