//! The vectors of an implementation independent of this one.

use lusoria_rules::vectors::check;

const FILES: [(&str, usize, &str); 3] = [
    ("tablut", 80, include_str!("../vectors/tablut.jsonl")),
    ("tablut-corners", 44, include_str!("../vectors/tablut-corners.jsonl")),
    ("tablut-options", 12, include_str!("../vectors/tablut-options.jsonl")),
];

#[test]
fn every_vector_holds() {
    for (name, count, lines) in FILES {
        for (number, line) in lines.lines().enumerate() {
            assert_eq!(check(line), Ok(()), "{name}, line {}", number + 1);
        }
        assert_eq!(lines.lines().count(), count, "{name}");
    }
}

#[test]
fn a_vector_that_names_no_option_means_the_default() {
    let (_, _, lines) = FILES[2];
    let differ = lines.lines().filter(|line| {
        let default = line.replacen(r#""options": {"throne": "closed"}, "#, "", 1);
        assert_ne!(*line, default);
        check(&default).is_err()
    });
    assert_eq!(differ.count(), 12, "the option decides every line");
}
