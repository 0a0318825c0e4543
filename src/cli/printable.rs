//! Text from outside, as it may stand on a terminal.

/// The text with everything that could steer the terminal escaped.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let (plain, escaped) = if letter.is_control() {
                (None, Some(letter.escape_default()))
            } else {
                (Some(letter), None)
            };
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}\n ü"), "a\\u{1b}[2Jb\\u{9b}\\n ü");
    }
}
