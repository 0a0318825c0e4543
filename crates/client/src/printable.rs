//! Escapes untrusted text for a terminal.

/// The text with everything escaped that could control the terminal, change the direction of text, or hide.
pub fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let (plain, escaped) = if letter.is_control() || is_hidden(letter) {
                (None, Some(letter.escape_default()))
            } else {
                (Some(letter), None)
            };
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

const fn is_hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}\n ü"), "a\\u{1b}[2Jb\\u{9b}\\n ü");
    }

    #[test]
    fn nothing_turns_the_direction_of_the_text_or_hides_in_it() {
        assert_eq!(printable("\u{202e}abc\u{200d}"), "\\u{202e}abc\\u{200d}");
    }
}
