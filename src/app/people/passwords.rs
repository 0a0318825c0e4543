//! Passwords, stored as Argon2id with 19 MiB and two passes (OWASP's minimum).
//!
//! A list refuses common ones. `zxcvbn`, which estimates strength, would add twenty crates.

use std::{collections::HashSet, sync::LazyLock};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc},
};
use lusoria_protocol::Password;
use lusoria_store::PasswordHash;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Length of the salt, in bytes.
pub(in crate::app) const SALT_BYTES: usize = 16;

static ARGON2: LazyLock<Argon2<'static>> = LazyLock::new(|| {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("they are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
});

/// A hash that no password has, so that an unknown handle takes as long as a wrong password.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The most common passwords, in lower case: those of Django's list that are long enough.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("passwords/common.txt").lines().collect());

/// Whether a password is common, ignoring capitals and the digits and signs around it.
pub(in crate::app) fn is_common(password: &Password) -> bool {
    let text = password.as_str().to_lowercase();
    let bare = text.trim_matches(|sign: char| !sign.is_alphabetic());
    [&text, bare].into_iter().any(|text| COMMON.contains(text))
}

/// Hashes a password. Takes tens of milliseconds.
pub(in crate::app) fn hash(password: &Password, salt: &[u8; SALT_BYTES]) -> PasswordHash {
    let hashed = ARGON2.hash_password_with_salt(password.as_str().as_bytes(), salt);
    PasswordHash(hashed.expect("password and salt are in range").to_string())
}

/// Checks a password; false without a stored hash. Takes tens of milliseconds in both cases.
pub(in crate::app) fn is_right(password: &Password, stored: Option<&PasswordHash>) -> bool {
    let compared = phc::PasswordHash::new(stored.map_or(NOBODYS, |stored| &stored.0))
        .is_ok_and(|parsed| ARGON2.verify_password(password.as_str().as_bytes(), &parsed).is_ok());
    stored.is_some() && compared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        text.to_owned().try_into().expect("a password")
    }

    #[test]
    fn what_is_tried_first_is_common() {
        for text in [
            "password",
            "Password",
            "password123!",
            "12345678",
            "qwertyuiop",
            "1q2w3e4r",
            "ILoveYou",
            "!!Sunshine!!",
        ] {
            assert!(is_common(&password(text)), "{text}");
        }
        for text in
            ["three rolls of the dice", "my password is long", "8391-2277-4410", "Agathias_1", "пять костей"]
        {
            assert!(!is_common(&password(text)), "{text}");
        }
        assert!(COMMON.iter().all(|text| text.chars().count() >= 8 && text.to_lowercase() == **text));
    }

    #[test]
    fn only_the_password_itself_is_right() {
        let stored = hash(&password("three dice, sixes"), &[7; SALT_BYTES]);
        assert!(stored.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", stored.0);
        assert!(is_right(&password("three dice, sixes"), Some(&stored)));
        assert!(!is_right(&password("Three dice, sixes"), Some(&stored)));
        assert!(!is_right(&password("three dice, sixes"), None));
        assert!(!is_right(&password("three dice, sixes"), Some(&PasswordHash("damaged".to_owned()))));
        assert_ne!(hash(&password("three dice, sixes"), &[8; SALT_BYTES]), stored);
    }

    #[test]
    fn nobodys_password_costs_as_much_as_any() {
        let cost = |hash: &str| {
            let hash = phc::PasswordHash::new(hash).expect("it is read");
            (hash.algorithm, hash.version, hash.params, hash.salt.map(|salt| salt.len()))
        };
        assert_eq!(cost(NOBODYS), cost(&hash(&password("three dice, sixes"), &[7; SALT_BYTES]).0));
    }
}
