//! The vectors of an implementation independent of this one.

use lusoria_rules::vectors::check;

#[test]
fn a_vector_that_names_no_option_means_the_default() {
    let differ = include_str!("../vectors/tablut-options.jsonl").lines().filter(|line| {
        let default = line.replacen(r#""options": {"throne": "closed"}, "#, "", 1);
        assert_ne!(*line, default);
        check(&default).is_err()
    });
    assert_eq!(differ.count(), 12, "the option decides every line");
}
