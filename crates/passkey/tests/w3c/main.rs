//! The test vectors of the standard (`vectors.txt`), unchanged and with every bit flipped.

use std::collections::HashMap;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_passkey::{Asserted, Assertion, Ceremony, Credential, Error, Registration};

const USER: &[u8] = b"somebody";

/// A vector's values by their names.
type Vector = HashMap<&'static str, Vec<u8>>;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

fn vectors() -> HashMap<&'static str, Vector> {
    let mut vectors: HashMap<_, Vector> = HashMap::new();
    let mut section = "";
    let lines = include_str!("vectors.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.rsplit_once(' ') {
            None => section = line,
            Some((name, hex)) => drop(vectors.entry(section).or_default().insert(name, bytes(hex))),
        }
    }
    vectors
}

fn ceremony(challenge: &[u8]) -> Ceremony<'_> {
    let origins = &["https://example.org"];
    Ceremony { challenge, relying_party: "example.org", origins, must_verify_user: false }
}

fn text(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn register(vector: &Vector, ceremony: &Ceremony<'_>) -> Result<Credential, Error> {
    let client_data_json = &text(&vector["registration clientDataJSON"]);
    let attestation_object = &text(&vector["registration attestationObject"]);
    Registration { client_data_json, attestation_object }.verify(ceremony)
}

fn registered(vector: &Vector) -> Result<Credential, Error> {
    register(vector, &ceremony(&vector["registration challenge"]))
}

/// The vector without its attestation, which browsers remove for a server that does not ask for one.
fn without_attestation(vector: &Vector) -> Vector {
    let object = &vector["registration attestationObject"];
    let name = b"\x68authData";
    let at = object.windows(name.len()).position(|window| window == name).expect("authenticator data");
    let mut bare = b"\xa3\x63fmt\x64none\x67attStmt\xa0".to_vec();
    bare.extend_from_slice(&object[at..]);
    let mut vector = vector.clone();
    vector.insert("registration attestationObject", bare);
    vector
}

fn assert(vector: &Vector, credential: &Credential, ceremony: &Ceremony<'_>) -> Result<Asserted, Error> {
    Assertion {
        id: &text(&vector["credential_id"]),
        client_data_json: &text(&vector["assertion clientDataJSON"]),
        authenticator_data: &text(&vector["assertion authenticatorData"]),
        signature: &text(&vector["assertion signature"]),
        user_handle: Some(&text(USER)),
    }
    .verify(ceremony, credential, USER, false)
}

fn asserted(vector: &Vector, credential: &Credential) -> Result<Asserted, Error> {
    assert(vector, credential, &ceremony(&vector["assertion challenge"]))
}

/// Every vector, with the result of its registration, and of the same without its attestation.
const EXPECTED: [(&str, Option<Error>, Option<Error>); 15] = [
    ("none-es256", None, None),
    ("packed-self-es256", None, None),
    ("none-es256-crossOrigin", Some(Error::CrossOrigin), Some(Error::CrossOrigin)),
    ("none-es256-topOrigin", Some(Error::CrossOrigin), Some(Error::CrossOrigin)),
    ("none-es256-long-credential-id", None, None),
    ("packed-es256", Some(Error::UnsupportedAttestation), None),
    ("packed-es384", Some(Error::UnsupportedAttestation), Some(Error::UnsupportedAlgorithm)),
    ("packed-es512", Some(Error::UnsupportedAttestation), Some(Error::UnsupportedAlgorithm)),
    ("packed-rs256", Some(Error::UnsupportedAttestation), None),
    ("packed-eddsa", Some(Error::UnsupportedAttestation), None),
    ("packed-ed448", Some(Error::UnsupportedAttestation), Some(Error::UnsupportedAlgorithm)),
    ("tpm-es256", Some(Error::UnsupportedAttestation), None),
    ("android-key-es256", Some(Error::UnsupportedAttestation), None),
    ("apple-es256", Some(Error::UnsupportedAttestation), None),
    ("fido-u2f-es256", Some(Error::UnsupportedAttestation), None),
];

#[test]
fn the_standards_vectors() {
    let vectors = vectors();
    assert_eq!(vectors.len(), EXPECTED.len());
    for (name, expected, bare_expected) in EXPECTED {
        let vector = &vectors[name];
        let found = registered(vector);
        assert_eq!(found.as_ref().err(), expected.as_ref(), "{name}");
        let bare = registered(&without_attestation(vector));
        assert_eq!(bare.as_ref().err(), bare_expected.as_ref(), "{name} without attestation");
        let Ok(credential) = bare else { continue };
        assert_eq!(credential.id, vector["credential_id"], "{name}");
        assert!(found.is_err() || found == Ok(credential.clone()), "{name}");
        asserted(vector, &credential).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

/// Calls `check` with the vector with one bit of one value flipped, for each bit.
fn with_each_bit_flipped(vector: &Vector, names: &[&'static str], check: impl Fn(&Vector, &str, usize)) {
    for name in names {
        for bit in 0..vector[name].len() * 8 {
            let mut flipped = vector.clone();
            flipped.get_mut(name).expect("a part")[bit / 8] ^= 1 << (bit % 8);
            check(&flipped, name, bit);
        }
    }
}

#[test]
fn no_flipped_bit_of_an_assertion_passes() {
    let vectors = vectors();
    for vector in ["none-es256", "packed-eddsa", "packed-rs256"].map(|name| &vectors[name]) {
        let credential = registered(&without_attestation(vector)).unwrap();
        let names = [
            "assertion challenge",
            "assertion clientDataJSON",
            "assertion authenticatorData",
            "assertion signature",
            "credential_id",
        ];
        with_each_bit_flipped(vector, &names, |flipped, name, bit| {
            // The server expects the challenge; the other values come from the client.
            assert!(asserted(flipped, &credential).is_err(), "bit {bit} of the {name}");
        });
    }
}

#[test]
fn no_flipped_bit_of_a_self_attestation_passes() {
    let names = ["registration challenge", "registration clientDataJSON", "registration attestationObject"];
    with_each_bit_flipped(&vectors()["packed-self-es256"], &names, |flipped, name, bit| {
        assert!(registered(flipped).is_err(), "bit {bit} of the {name}");
    });
}

#[test]
fn truncated_and_overlong_values_are_refused() {
    let vectors = vectors();
    let vector = &vectors["none-es256"];
    let credential = registered(vector).unwrap();
    let lengths = |name: &'static str| (0..vector[name].len()).chain([vector[name].len() + 1, 10_000]);
    for name in ["registration clientDataJSON", "registration attestationObject"] {
        for length in lengths(name) {
            let mut cut = vector.clone();
            cut.get_mut(name).unwrap().resize(length, 0);
            assert_eq!(registered(&cut), Err(Error::Malformed), "{name} of {length} bytes");
        }
    }
    for name in ["assertion clientDataJSON", "assertion authenticatorData", "assertion signature"] {
        for length in lengths(name) {
            let mut cut = vector.clone();
            cut.get_mut(name).unwrap().resize(length, 0);
            assert!(asserted(&cut, &credential).is_err(), "{name} of {length} bytes");
        }
    }
}

#[test]
fn the_response_is_checked_against_the_request() {
    let vectors = vectors();
    let vector = &vectors["none-es256"];
    let credential = registered(vector).unwrap();
    let (made, used) = (&vector["registration challenge"], &vector["assertion challenge"]);
    let both = |change: fn(&mut Ceremony<'_>)| {
        let [mut made, mut used] = [ceremony(made), ceremony(used)];
        change(&mut made);
        change(&mut used);
        [register(vector, &made).err(), assert(vector, &credential, &used).err()]
    };
    assert_eq!(both(|_| ()), [None, None]);
    assert_eq!(both(|asked| asked.challenge = &[0; 32]), [Some(Error::WrongChallenge); 2]);
    assert_eq!(both(|asked| asked.origins = &["https://example.org:444"]), [Some(Error::WrongOrigin); 2]);
    assert_eq!(both(|asked| asked.relying_party = "example.com"), [Some(Error::WrongRelyingParty); 2]);
    // The authenticator has not verified the user in either of them.
    assert_eq!(both(|asked| asked.must_verify_user = true), [Some(Error::UserUnverified); 2]);
}

#[test]
fn the_response_is_checked_against_the_credential_and_its_owner() {
    let vectors = vectors();
    let vector = &vectors["none-es256"];
    let credential = registered(vector).unwrap();
    let verify = |credential: &Credential, user_handle: Option<&str>, is_owner_known| {
        Assertion {
            id: &text(&vector["credential_id"]),
            client_data_json: &text(&vector["assertion clientDataJSON"]),
            authenticator_data: &text(&vector["assertion authenticatorData"]),
            signature: &text(&vector["assertion signature"]),
            user_handle,
        }
        .verify(&ceremony(&vector["assertion challenge"]), credential, USER, is_owner_known)
        .err()
    };
    let (theirs, anothers) = (&text(USER), &text(b"another"));
    assert_eq!(verify(&credential, Some(theirs), false), None);
    assert_eq!(verify(&credential, None, true), None);
    assert_eq!(verify(&credential, None, false), Some(Error::WrongUserHandle));
    assert_eq!(verify(&credential, Some(anothers), true), Some(Error::WrongUserHandle));
    let of = |change: fn(&mut Credential)| {
        let mut changed = credential.clone();
        change(&mut changed);
        verify(&changed, Some(theirs), false)
    };
    assert_eq!(of(|stored| stored.id[0] ^= 1), Some(Error::WrongCredential));
    assert_eq!(of(|stored| stored.is_backup_eligible ^= true), Some(Error::WrongBackup));
    assert_eq!(of(|stored| stored.counter = 1), Some(Error::Cloned));
}

#[test]
fn a_response_to_the_other_ceremony_is_refused() {
    let vectors = vectors();
    let vector = &vectors["none-es256"];
    let client_data_json = &text(&vector["assertion clientDataJSON"]);
    let attestation_object = &text(&vector["registration attestationObject"]);
    let found = Registration { client_data_json, attestation_object };
    assert_eq!(found.verify(&ceremony(&vector["assertion challenge"])), Err(Error::WrongType));
}
