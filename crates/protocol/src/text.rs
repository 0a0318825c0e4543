//! Strings with a format: names, codes, tokens, keys.

use std::fmt;

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A malformed string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidText(&'static str);

macro_rules! text {
    (
        $(#[$doc:meta])* $name:ident, $min:tt, $max:tt, $pattern:tt, $example:tt,
        $accepts:expr, $message:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(
            feature = "schema",
            schema(value_type = String, min_length = $min, max_length = $max, pattern = $pattern, example = $example)
        )]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                let fits = ($min..=$max).contains(&text.chars().count());
                let accepts: fn(&str) -> bool = $accepts;
                if fits && accepts(&text) { Ok(Self(text)) } else { Err(InvalidText($message)) }
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidText;

            fn from_str(text: &str) -> Result<Self, InvalidText> {
                text.to_owned().try_into()
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
    };
}

macro_rules! shown_to_programmers {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.0).finish()
            }
        }
    )*};
}

/// A reader of the log could use it, so only its kind is written.
macro_rules! hidden_from_logs {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )*};
}

shown_to_programmers!(
    Name,
    DeviceName,
    TokenName,
    PasskeyName,
    Base64Url,
    LanguageTag,
    ScopeName,
    PreferenceName,
    PreferenceValue,
    Handle,
    IdempotencyKey,
    Cursor,
    Notation,
    ReportText,
    RemarkText
);
hidden_from_logs!(Token, OneTimeCode, EntryCode, Password, PushEndpoint, PushAuth);

/// Letters that `base64url` uses.
fn is_base64url(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Characters that no name may have: control characters, invisible ones, ones that change the direction of text, and
/// noncharacters.
const fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || c as u32 & 0xfffe == 0xfffe
}

/// Characters that are allowed but show nothing by themselves: spaces, and variation selectors.
const fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{fe00}'..='\u{fe0f}')
}

/// Whether people can read all of a text: it has no control or invisible characters, and is not blank.
pub fn is_visible(text: &str) -> bool {
    !text.chars().any(is_hidden) && !text.chars().all(is_blank)
}

/// A text for people: visible, on one line.
macro_rules! visible {
    ($(#[$doc:meta])* $name:ident, $max:tt, $example:tt, $message:literal) => {
        text! {
            $(#[$doc])* $name, 1, $max,
            "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{3fffe}-\u{3ffff}\u{4fffe}-\u{4ffff}\u{5fffe}-\u{5ffff}\u{6fffe}-\u{6ffff}\u{7fffe}-\u{7ffff}\u{8fffe}-\u{8ffff}\u{9fffe}-\u{9ffff}\u{afffe}-\u{affff}\u{bfffe}-\u{bffff}\u{cfffe}-\u{cffff}\u{dfffe}-\u{dffff}\u{efffe}-\u{effff}\u{ffffe}-\u{fffff}\u{10fffe}-\u{10ffff}]*[^ \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000\\ufe00-\\ufe0f\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{3fffe}-\u{3ffff}\u{4fffe}-\u{4ffff}\u{5fffe}-\u{5ffff}\u{6fffe}-\u{6ffff}\u{7fffe}-\u{7ffff}\u{8fffe}-\u{8ffff}\u{9fffe}-\u{9ffff}\u{afffe}-\u{affff}\u{bfffe}-\u{bffff}\u{cfffe}-\u{cffff}\u{dfffe}-\u{dffff}\u{efffe}-\u{effff}\u{ffffe}-\u{fffff}\u{10fffe}-\u{10ffff}][^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{3fffe}-\u{3ffff}\u{4fffe}-\u{4ffff}\u{5fffe}-\u{5ffff}\u{6fffe}-\u{6ffff}\u{7fffe}-\u{7ffff}\u{8fffe}-\u{8ffff}\u{9fffe}-\u{9ffff}\u{afffe}-\u{affff}\u{bfffe}-\u{bffff}\u{cfffe}-\u{cffff}\u{dfffe}-\u{dffff}\u{efffe}-\u{effff}\u{ffffe}-\u{fffff}\u{10fffe}-\u{10ffff}]*$",
            $example,
            is_visible,
            $message
        }

        impl $name {
            /// A text that was accepted when it was written, whatever is accepted today.
            pub fn given_before(text: String) -> Self {
                Self(text)
            }

            /// The text without the spaces around it.
            pub fn trimmed(&self) -> &str {
                self.0.trim()
            }
        }
    };
}

visible! {
    /// The name of a guest: 1 to 24 characters, not all of them spaces, none of them a control or an invisible
    /// character. Spaces around it are removed.
    Name, 24, "Agathias",
    "a name has 1 to 24 characters, no control or invisible characters, and is not blank"
}

visible! {
    /// The name of a device: 1 to 40 characters, not all of them spaces, none of them a control or an invisible
    /// character. Spaces around it are removed.
    DeviceName, 40, "Firefox on Android",
    "a device's name has 1 to 40 characters, no control or invisible characters, and is not blank"
}

visible! {
    /// The code of a tournament that admits those who know it: 1 to 64 characters. Spaces around it are removed.
    EntryCode, 64, "ides of march",
    "a code has 1 to 64 characters, no control or invisible characters, and is not blank"
}

text! {
    /// A one-time code, such as an invitation to a match or a device code.
    OneTimeCode, 1, 64, r"^[A-Za-z0-9_-]+$", "q7Zb3xkP0mXh5V2r8tWc1A",
    is_base64url,
    "a code has 1 to 64 letters, digits, \"-\" and \"_\""
}

text! {
    /// A guest's bearer token. It proves that a client is the guest; it must never be in a URL.
    Token, 1, 128, r"^[A-Za-z0-9_-]+$", "6rT0aVJ2qkq9m3Zb1s8uXw4yE5cD7fGhIjKlMnOpQrS",
    is_base64url,
    "a token has letters, digits, \"-\" and \"_\""
}

text! {
    /// Tells a repeated request from a new one: 1 to 64 visible ASCII characters. The same key with the same request
    /// gets the first response again, for a week.
    IdempotencyKey, 1, 64, r"^[!-~]+$", "5c1f2e0a-create",
    |text| text.bytes().all(|b| b.is_ascii_graphic()),
    "an idempotency key has 1 to 64 visible ASCII characters"
}

text! {
    /// The beginning of the next page of a list. Its content may change at any time.
    Cursor, 36, 36, r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f",
    |text| text.parse::<crate::MatchId>().is_ok(),
    "a cursor is what an answer gave as \"next\""
}

impl Cursor {
    /// The match after which the page begins.
    pub fn after(&self) -> crate::MatchId {
        self.0.parse().expect("a cursor is checked to be an id")
    }
}

impl From<crate::MatchId> for Cursor {
    fn from(last: crate::MatchId) -> Self {
        Self(last.to_string())
    }
}

text! {
    /// A turn, or the beginning of one, in notation: `24/18 13/11`, `bar/5*`, `supply/3`, `6/off`, `e8-e6xd6`.
    Notation, 1, 256, r"^[ -~]+$", "supply/3 supply/5",
    |text| text.bytes().all(|b| (b' '..=b'~').contains(&b)),
    "a turn is written in 1 to 256 printable ASCII characters"
}

visible! {
    /// The name of a passkey.
    PasskeyName, 40, "My telephone",
    "a passkey's name has 1 to 40 characters, no control or invisible characters, and is not blank"
}

text! {
    /// At most 4096 bytes as base64url, without padding.
    Base64Url, 1, 5462, r"^[A-Za-z0-9_-]+$", "6rT0aVJ2qkq9m3Zb1s8uXw",
    is_base64url,
    "bytes as base64url have 1 to 5462 letters, digits, \"-\" and \"_\", and no padding"
}

text! {
    /// The address that a browser got from its push service. Anybody with it can send there.
    PushEndpoint, 1, 1024, r"^[!-~]+$", "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk",
    |text| text.bytes().all(|byte| byte.is_ascii_graphic()),
    "an endpoint has 1 to 1024 visible ASCII characters"
}

text! {
    /// The secret that a browser shares with the server: 16 bytes as base64url, without padding.
    PushAuth, 22, 22, r"^[A-Za-z0-9_-]+$", "BTBZMqHH6r4Tts7J_aSIgg",
    is_base64url,
    "16 bytes as base64url have 22 letters, digits, \"-\" and \"_\", and no padding"
}

text! {
    /// A BCP 47 language tag, such as `fr` or `pt-BR`.
    LanguageTag, 2, 35, r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", "fr",
    |text| {
        let mut parts = text.split('-');
        let is_language = |part: &str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        parts.next().is_some_and(is_language)
            && text.split('-').all(|part| {
                (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    },
    "a language is written as fr or pt-BR"
}

text! {
    /// The name of a preference: a small letter, then letters, digits, ".", "_" and "-".
    #[derive(PartialOrd, Ord)]
    PreferenceName, 1, 40, r"^[a-z][A-Za-z0-9._-]*$", "board",
    |text| {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        text.starts_with(|first: char| first.is_ascii_lowercase()) && text.bytes().all(is_of_name)
    },
    "a preference's name has 1 to 40 letters, digits, \".\", \"_\" and \"-\", the first of them a small letter"
}

text! {
    /// The value of a preference, in printable ASCII characters.
    PreferenceValue, 0, 64, r"^[ -~]*$", "stone",
    |text| text.bytes().all(|byte| matches!(byte, b' '..=b'~')),
    "the value of a preference has at most 64 printable ASCII characters"
}

visible! {
    /// The text of a remark, on one line.
    RemarkText, 150, "The 7 was on the wrong side of the board!",
    "a remark has 1 to 150 characters, no control or invisible characters, and is not blank"
}

visible! {
    /// The description in a report, on one line.
    ReportText, 500, "Insulted me after the fourth throw.",
    "a report has 1 to 500 characters, no control or invisible characters, and is not blank"
}

visible! {
    /// The name of an API token.
    TokenName, 40, "My bot",
    "a token's name has 1 to 40 characters, no control or invisible characters, and is not blank"
}

text! {
    /// The name of a scope. New ones may be added.
    ScopeName, 3, 40, r"^[a-z]+:[a-z]+$", "match:read",
    |text| {
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        text.split_once(':').is_some_and(|(of, what)| is_word(of) && is_word(what))
    },
    "a scope is two words of small letters with a colon between them"
}

impl From<crate::Scope> for ScopeName {
    fn from(scope: crate::Scope) -> Self {
        Self(scope.as_str().to_owned())
    }
}

/// Tokens and codes are shown only to their owner.
impl Token {
    /// Makes a token from well-formed text.
    pub fn new(text: String) -> Self {
        Self(text)
    }
}

impl OneTimeCode {
    /// Makes a code from well-formed text.
    pub fn new(text: String) -> Self {
        Self(text)
    }
}

text! {
    /// The handle of an account: 3 to 20 letters from a to z, digits, "-" and "_", at least one of them a letter.
    /// Capital letters are shown, but otherwise ignored.
    Handle, 3, 20, r"^[0-9_-]*[A-Za-z][A-Za-z0-9_-]*$", "Agathias",
    |text| is_base64url(text) && text.bytes().any(|byte| byte.is_ascii_alphabetic()),
    "a handle has 3 to 20 letters from a to z, digits, \"-\" and \"_\", and at least one letter"
}

text! {
    /// A password: 8 to 256 characters of any kind. It must never be in a URL.
    Password, 8, 256, r"^[\s\S]*$", "three rolls of the dice",
    |_| true,
    "a password has 8 to 256 characters"
}
