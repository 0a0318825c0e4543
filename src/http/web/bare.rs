//! Modules as browsers get them: without comments.

/// A module without the comments that have lines of their own. Every line keeps its number.
///
/// This is no parser: comments beside code stay, and so do texts that look like a comment in the middle of a line.
/// Comments would be a fifth of a first visit.
pub(super) fn bare(module: &str) -> String {
    let mut bare = String::with_capacity(module.len());
    let mut is_inside = false;
    for line in module.lines() {
        let words = line.trim();
        let begins = !is_inside && words.starts_with("/*");
        if is_inside || begins {
            match words.split_once("*/") {
                None => is_inside = true,
                Some((_, "")) => is_inside = false,
                Some((_, code)) => {
                    bare.push_str(if begins { line } else { code });
                    is_inside = false;
                }
            }
        } else if !words.starts_with("//") {
            bare.push_str(line);
        }
        bare.push('\n');
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_code_stays_in_its_line() {
        let module = "// What it is.\n\nimport \"./a.js\"; // stays\n/**\n * What.\n * @param {number} a\n */\n\
                      export const f = (a) => a; /* stays */\n  /** @type {any} */ (f)(1);\n/* one */\n\
                      const url = \"https://a\";\n";
        let lines = [
            "",
            "",
            "import \"./a.js\"; // stays",
            "",
            "",
            "",
            "",
            "export const f = (a) => a; /* stays */",
            "  /** @type {any} */ (f)(1);",
            "",
            "const url = \"https://a\";",
        ];
        assert_eq!(bare(module).lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn nothing_is_lost_of_what_follows_a_long_comment() {
        assert_eq!(bare("/* a\n b */ f();\ng();"), "\n f();\ng();\n");
    }
}
