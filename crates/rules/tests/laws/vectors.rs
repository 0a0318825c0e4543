//! Lines of files of test vectors.

use lusoria_rules::vectors;

/// Any line gets a result, and a wrong one is refused with a reason in words.
pub fn check(bytes: &[u8]) {
    if let Err(why) = vectors::check(&String::from_utf8_lossy(bytes)) {
        assert!(!why.to_string().is_empty());
    }
}
