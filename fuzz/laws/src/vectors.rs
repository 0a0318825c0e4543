//! Lines of files of test vectors.

use lusoria_rules::vectors;

/// A line is judged, and whoever is told that it is wrong is told why in words.
pub fn check(bytes: &[u8]) {
    if let Err(why) = vectors::check(&String::from_utf8_lossy(bytes)) {
        assert!(!why.to_string().is_empty());
    }
}
