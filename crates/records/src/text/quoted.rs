//! Text of players, such as names, in quotation marks.

/// The text in quotation marks: `"` and `\` are preceded by `\`, and invisible characters are written as
/// `\u{200b}`.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if is_unseen(letter) => quoted.extend(letter.escape_unicode()),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// The text within quotation marks; none if it is not quoted correctly.
pub(super) fn unquote(quoted: &str) -> Option<String> {
    let inside = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return None,
            '\\' => match letters.next()? {
                escaped @ ('"' | '\\') => text.push(escaped),
                'u' => text.push(code_point(&mut letters)?),
                _ => return None,
            },
            letter => text.push(letter),
        }
    }
    Some(text)
}

fn code_point(letters: &mut std::str::Chars<'_>) -> Option<char> {
    let (digits, rest) = letters.as_str().strip_prefix('{')?.split_once('}')?;
    let sound = digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    *letters = rest.chars();
    u32::from_str_radix(digits, 16).ok().filter(|_| sound).and_then(char::from_u32)
}

/// Whether a character is invisible, changes the direction of text, or ends a line.
pub(super) fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_is_reversible() {
        for text in
            ["", "Agathias", "a \"b\" \\ c\\", "line\nline\r\u{85}\u{2028}", "\u{202e}x\u{10ffff}", "é ü"]
        {
            let quoted = quote(text);
            assert_eq!(quoted.lines().count(), 1);
            assert_eq!(unquote(&quoted).as_deref(), Some(text), "{quoted}");
        }
        assert_eq!(quote("a\"\\\n"), r#""a\"\\\u{a}""#);
    }

    #[test]
    fn a_wrongly_quoted_text_is_none() {
        for quoted in [
            "",
            "\"",
            "x",
            "\"x",
            "\"a\"b\"",
            r#""\""#,
            r#""\n""#,
            r#""\u""#,
            r#""\u{}""#,
            r#""\u{d800}""#,
            r#""\u{+041}""#,
            r#""\u{0000041}""#,
            r#""\u{41"#,
            r#""\u{41""#,
        ] {
            assert_eq!(unquote(quoted), None, "{quoted}");
        }
    }
}
