//! The checker accepts true vectors and refuses all others.

use lusoria_rules::vectors::{VectorError, check};
use proptest::prelude::*;
use serde_json::{Value, json};

const FILES: [(&str, &str); 13] = [
    ("scripta-corners", include_str!("../vectors/scripta-corners.jsonl")),
    ("scripta-options", include_str!("../vectors/scripta-options.jsonl")),
    ("scripta", include_str!("../vectors/scripta.jsonl")),
    ("tablut-corners", include_str!("../vectors/tablut-corners.jsonl")),
    ("tablut-options", include_str!("../vectors/tablut-options.jsonl")),
    ("tablut", include_str!("../vectors/tablut.jsonl")),
    ("tabula-corners", include_str!("../vectors/tabula-corners.jsonl")),
    ("tabula", include_str!("../vectors/tabula.jsonl")),
    ("tavla-corners", include_str!("../vectors/tavla-corners.jsonl")),
    ("tavla", include_str!("../vectors/tavla.jsonl")),
    ("zeno-corners", include_str!("../vectors/zeno-corners.jsonl")),
    ("zeno-options", include_str!("../vectors/zeno-options.jsonl")),
    ("zeno", include_str!("../vectors/zeno.jsonl")),
];

fn lines() -> impl Iterator<Item = (String, &'static str)> {
    FILES.into_iter().flat_map(|(name, text)| {
        text.lines().enumerate().map(move |(number, line)| (format!("{name}, line {}", number + 1), line))
    })
}

#[test]
fn every_vector_holds() {
    let mut count = 0;
    for (place, line) in lines() {
        assert_eq!(check(line), Ok(()), "{place}");
        count += 1;
    }
    assert_eq!(count, 584);
}

#[test]
fn a_vector_that_names_no_option_means_the_default() {
    let differ = lines().filter(|(_, line)| {
        let default = line.replacen(r#""options": {"throne": "closed"}, "#, "", 1);
        default != *line && check(&default).is_err()
    });
    assert_eq!(differ.count(), 12, "the option decides every line");
}

/// This vector with each small change that makes it false.
fn damaged(vector: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Value)| {
        let mut damaged = vector.clone();
        change(&mut damaged);
        if damaged != *vector {
            all.push(damaged);
        }
    };
    let count = vector["steps"].as_array().map_or(0, Vec::len);
    for index in 0..count {
        with(&|vector| {
            vector["steps"].as_array_mut().map(|steps| steps.remove(index));
        });
        with(&|vector| {
            let step = vector["steps"][index].clone();
            if let Some(steps) = vector["steps"].as_array_mut() {
                steps.push(step);
            }
        });
        for (field, value) in
            [("from", json!("c3")), ("to", json!("c3")), ("die", json!(1)), ("captures", json!(["a1"]))]
        {
            with(&|vector| vector["steps"][index][field] = value.clone());
        }
        for field in ["captures", "wins", "exits", "die"] {
            with(&|vector| {
                vector["steps"][index].as_object_mut().map(|step| step.remove(field));
            });
        }
        with(&|vector| vector["steps"][index]["exits"] = json!(4));
        with(&|vector| vector["steps"][index]["surprise"] = json!(true));
    }
    for (field, off) in [("plays", 1), ("dice_playable", 1), ("plays", -1), ("dice_playable", -1)] {
        with(&|vector| {
            if let Some(number) = vector[field].as_i64() {
                vector[field] = json!(number + off);
            }
        });
    }
    for index in 0..vector["results"].as_array().map_or(0, Vec::len) {
        with(&|vector| {
            vector["results"].as_array_mut().map(|results| results.remove(index));
        });
        with(&|vector| vector["results"][index]["white"]["off"] = json!(14));
    }
    for field in ["game", "position", "dice", "plays", "dice_playable"] {
        with(&|vector| {
            vector.as_object_mut().map(|vector| vector.remove(field));
        });
    }
    with(&|vector| vector["surprise"] = json!(1));
    with(&|vector| vector["options"] = json!({"surprise": true}));
    with(&|vector| vector["options"] = json!({"game": "tavla"}));
    with(&|vector| vector["game"] = json!("chess"));
    all
}

#[test]
fn a_damaged_vector_fails() {
    // A few of each file, because a debug build is slow.
    let some =
        FILES.into_iter().flat_map(|(name, text)| text.lines().step_by(4).map(move |line| (name, line)));
    for (name, line) in some {
        let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
        for damaged in damaged(&vector) {
            assert!(check(&damaged.to_string()).is_err(), "{name}: {damaged}");
        }
    }
}

fn vector(game: &str) -> Value {
    let (_, text) = FILES.into_iter().find(|(name, _)| *name == game).expect("a vector file");
    serde_json::from_str(text.lines().next().expect("a vector")).expect("a vector is JSON")
}

type Damage = &'static dyn Fn(&mut Value);

#[test]
fn a_wrong_vector_is_refused_in_words() {
    let told = |game: &str, change: &dyn Fn(&mut Value)| {
        let mut vector = vector(game);
        change(&mut vector);
        check(&vector.to_string()).expect_err("the vector is damaged").to_string()
    };
    let cases: [(&str, Damage, &str); 12] = [
        ("tavla", &|v| v["plays"] = json!(5), "plays: 5 claimed, 4 found"),
        ("tavla", &|v| v["dice_playable"] = json!(1), "dice_playable: 1 claimed, 2 found"),
        (
            "tavla",
            &|v| v["steps"][0]["to"] = json!("18"),
            r#"steps: wrongly claimed {"die":2,"from":"19","to":"18"}; steps: not claimed {"die":2,"from":"19","to":"17"}"#,
        ),
        ("tavla", &|v| v["dice"] = json!([2, 7]), "not a vector: a die does not show 7"),
        ("tavla", &|v| v["dice"] = json!([2]), "a throw of tavla has 2 dice, not 1"),
        ("tavla", &|v| v["position"]["to_move"] = json!("red"), "not a vector: tavla has no side \"red\""),
        (
            "tavla",
            &|v| v["position"]["board"] = json!("9"),
            "not a vector: a position is either a board, or white and black",
        ),
        (
            "tavla",
            &|v| v["position"]["white"]["off"] = json!(3),
            "the position is impossible: white has 18 pieces in all, not 15",
        ),
        (
            "tablut",
            &|v| v["plays"] = json!(5),
            "not a vector: a game without dice has no dice_playable, plays or results",
        ),
        ("tablut", &|v| v["dice"] = json!([3]), "tablut is played without dice"),
        (
            "tablut",
            &|v| v["options"] = json!({"shift": "die"}),
            "not a vector: tablut has no option \"shift\"",
        ),
        (
            "tablut",
            &|v| v["game"] = json!("chess"),
            "there is no game \"chess\"; the games are zeno, tavla, scripta, tabula and tablut",
        ),
    ];
    for (game, change, words) in cases {
        assert_eq!(told(game, change), words);
    }
    let many = told("tablut", &|v| v["steps"] = json!([]));
    assert!(
        many.starts_with("steps: not claimed {\"from\":\"c5\",\"to\":\"c1\"}, ") && many.ends_with(" more"),
        "{many}"
    );
}

#[test]
fn a_line_that_is_no_vector_is_refused() {
    for line in ["", "{", "null", "[]", "{}", "\u{0}", r#"{"game": "zeno"}"#, &"[".repeat(100_000)] {
        assert!(matches!(check(line), Err(VectorError::Malformed(_))));
    }
}

#[test]
fn half_a_line_is_refused() {
    for (place, line) in lines().step_by(40) {
        for end in (0..line.len()).step_by(97) {
            assert!(matches!(check(&line[..end]), Err(VectorError::Malformed(_))), "{place}, cut at {end}");
        }
    }
}

proptest! {
    /// One byte changed anywhere always gives a result.
    #[test]
    fn any_line_gets_an_answer(which in 0..584_usize, at in any::<prop::sample::Index>(), byte in 32..127_u8) {
        let (_, line) = lines().nth(which).expect("there are 584");
        let mut bytes = line.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = check(std::str::from_utf8(&bytes).expect("vectors are ASCII"));
    }
}
