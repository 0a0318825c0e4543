//! Handles: which ones look alike, and which are reserved.

/// Handles reserved for the server and its operators.
const RESERVED: [&str; 26] = [
    "admin",
    "administrator",
    "anonymous",
    "api",
    "bot",
    "computer",
    "deleted",
    "erased",
    "everyone",
    "guest",
    "help",
    "lusoria",
    "me",
    "mod",
    "moderator",
    "nobody",
    "null",
    "official",
    "operator",
    "owner",
    "root",
    "server",
    "staff",
    "support",
    "system",
    "undefined",
];

/// The form that handles which look alike share in many typefaces: `0` and `o`; `1`, `i` and `l`; `5` and
/// `s`; `2` and `z`; `rn` and `m`; `vv` and `w`; with or without `-` and `_`. The store keeps it and finds
/// accounts by it, so its results must never change.
pub(in crate::app) fn skeleton(handle: &str) -> String {
    let plain: String = handle
        .chars()
        .filter(|letter| !matches!(letter, '-' | '_'))
        .map(|letter| match letter.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            '2' => 'z',
            '5' => 's',
            letter => letter,
        })
        .collect();
    plain.replace("rn", "m").replace("vv", "w")
}

/// Whether a handle is reserved.
pub(in crate::app) fn is_reserved(handle: &str) -> bool {
    let skeleton_of = skeleton(handle);
    RESERVED.iter().any(|reserved| skeleton(reserved) == skeleton_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("Agathias", "agathias"),
            ("oliver", "0LIVER"),
            ("illus", "1I1us"),
            ("agathias", "agathla5"),
            ("a_b-c", "abc"),
            ("marta", "rnarta"),
            ("wanda", "vvanda"),
            ("zeno", "2en0"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} and {other}");
        }
        for (one, other) in
            [("zeno", "xeno"), ("agathias", "agathia"), ("ab1", "ab7"), ("mama", "nana"), ("alicia", "alida")]
        {
            assert_ne!(skeleton(one), skeleton(other), "{one} and {other}");
        }
    }

    #[test]
    fn the_names_of_the_server_are_reserved_however_they_are_written() {
        for handle in ["admin", "Admin", "adm1n", "adrnin", "L-u-s-o-r-i-a", "MODERAT0R"] {
            assert!(is_reserved(handle), "{handle}");
        }
        for handle in ["agathias", "helper", "4dmin"] {
            assert!(!is_reserved(handle), "{handle}");
        }
    }
}
