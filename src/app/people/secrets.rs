//! Tokens and codes: random, stored as SHA-256, shown once.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use lusoria_play::{Millis, PlayerId};
use lusoria_protocol::{OneTimeCode, Token};
use sha2::{Digest, Sha256};

use crate::live::Entropy;
use lusoria_store::{SecretHash, SecretKey};

/// A guest's bearer token: 32 random bytes.
pub(in crate::app) fn new_token(entropy: &dyn Entropy) -> Token {
    Token::try_from(base64url(&entropy.bytes32())).expect("base64url is a token")
}

/// The prefix of API tokens, so that people and secret scanners recognise them.
const API_TOKEN_PREFIX: &str = "lus_";

/// The length of API tokens: the prefix and 32 bytes. Session tokens are shorter.
const API_TOKEN_CHARS: usize = API_TOKEN_PREFIX.len() + 43;

/// An API token: the prefix and 32 random bytes.
pub(in crate::app) fn new_api_token(entropy: &dyn Entropy) -> Token {
    let text = format!("{API_TOKEN_PREFIX}{}", base64url(&entropy.bytes32()));
    Token::try_from(text).expect("base64url is a token")
}

/// Whether a token has the form of an API token.
pub(in crate::app) fn is_api_token(token: &Token) -> bool {
    token.as_str().starts_with(API_TOKEN_PREFIX) && token.as_str().len() == API_TOKEN_CHARS
}

/// A one-time code of 128 bits.
pub(in crate::app) fn new_code(entropy: &dyn Entropy) -> OneTimeCode {
    code(&entropy.bytes32())
}

/// The letters of codes that people write down: no two look alike (Crockford's base 32).
const WRITTEN_LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A code of 80 bits for people to write down: a recovery or sign-up code. Four groups of four letters.
pub(in crate::app) fn new_written_code(entropy: &dyn Entropy) -> OneTimeCode {
    let bytes = entropy.bytes32();
    let letters: Vec<char> =
        bytes[..16].iter().map(|byte| char::from(WRITTEN_LETTERS[usize::from(byte % 32)])).collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    OneTimeCode::try_from(groups.join("-")).expect("letters and hyphens are a code")
}

/// The stored hash of such a code, the same for every way of writing it.
pub(in crate::app) fn hash_written_code(code: &OneTimeCode) -> SecretHash {
    let letters = code.as_str().chars().filter(|letter| !matches!(letter, '-' | '_'));
    let written: String = letters
        .map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            letter => letter,
        })
        .collect();
    hash(&written)
}

/// The one-time code for a guest's request under a key. It is derived from the token, so a repeated request
/// gets the same code although only its hash is stored.
pub(in crate::app) fn code_under_key(token: &Token, key: &str) -> OneTimeCode {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(token.as_str().as_bytes()).expect("HMAC takes keys of any length");
    mac.update(b"lusoria-invitation|");
    mac.update(key.as_bytes());
    code(&mac.finalize().into_bytes())
}

const NONCE_BYTES: usize = 16;
const EXPIRY_BYTES: usize = 8;

/// A passkey challenge for `guest`, or for signing in: a nonce (16 bytes), the expiry (8 bytes, big-endian),
/// and the HMAC-SHA256 of both and of the guest (32 bytes).
pub(in crate::app) fn new_challenge(
    entropy: &dyn Entropy,
    key: &SecretKey,
    guest: Option<PlayerId>,
    expires_at: Millis,
) -> Vec<u8> {
    let head = [&entropy.bytes32()[..NONCE_BYTES], &expires_at.to_be_bytes()].concat();
    let tag = challenge_mac(key, guest, &head).finalize().into_bytes();
    [&head[..], &tag].concat()
}

/// The expiry of a challenge; none if it was not made with this key for `guest`.
pub(in crate::app) fn challenge_expiry(
    key: &SecretKey,
    guest: Option<PlayerId>,
    challenge: &[u8],
) -> Option<Millis> {
    let (head, tag) = challenge.split_at_checked(NONCE_BYTES + EXPIRY_BYTES)?;
    challenge_mac(key, guest, head).verify_slice(tag).ok()?;
    Some(Millis::from_be_bytes(*head.last_chunk()?))
}

fn challenge_mac(SecretKey(key): &SecretKey, guest: Option<PlayerId>, head: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    match guest {
        Some(guest) => {
            mac.update(b"guest|");
            mac.update(guest.0.as_bytes());
        }
        None => mac.update(b"sign-in|"),
    }
    mac.update(head);
    mac
}

fn code(bytes: &[u8]) -> OneTimeCode {
    OneTimeCode::try_from(base64url(&bytes[..16])).expect("base64url is a code")
}

/// The stored hash of a token, code or challenge.
pub(in crate::app) fn hash(secret: impl AsRef<[u8]>) -> SecretHash {
    SecretHash(Sha256::digest(secret).into())
}

fn base64url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_challenge_is_for_one_guest_or_to_sign_in_and_says_when_it_expires() {
        let [key, other] = [1, 2].map(|n| SecretKey(vec![n; 32]));
        let guests = [None, Some(PlayerId(Uuid::from_u128(1))), Some(PlayerId(Uuid::from_u128(2)))];
        let entropy = || [7; 32];
        for guest in guests {
            let challenge = new_challenge(&entropy, &key, guest, 9_000);
            for of in guests {
                assert_eq!(challenge_expiry(&key, of, &challenge), (of == guest).then_some(9_000));
            }
            assert_eq!(challenge_expiry(&other, guest, &challenge), None);
            for n in 0..challenge.len() {
                let mut changed = challenge.clone();
                changed[n] ^= 1;
                assert_eq!(challenge_expiry(&key, guest, &changed), None, "byte {n}");
                assert_eq!(challenge_expiry(&key, guest, &challenge[..n]), None, "{n} bytes");
            }
        }
    }

    #[test]
    fn a_recovery_code_is_the_same_however_it_is_written() {
        let code = |text: &str| hash_written_code(&OneTimeCode::try_from(text.to_owned()).unwrap());
        assert_eq!(code("7ZK3-01AB-CDEF-GHJK"), code("7zk3oiabcdefghjk"));
        assert_eq!(code("7ZK3-01AB-CDEF-GHJK"), code("7zk3_0LAB_cdef_GHJK"));
        assert_ne!(code("7ZK3-01AB-CDEF-GHJK"), code("7ZK3-01AB-CDEF-GHJM"));
    }

    #[test]
    fn a_key_gives_the_same_code_to_the_same_token_only() {
        let token = |text: &str| Token::try_from(text.to_owned()).unwrap();
        assert_eq!(code_under_key(&token("a"), "k"), code_under_key(&token("a"), "k"));
        assert_ne!(code_under_key(&token("a"), "k"), code_under_key(&token("b"), "k"));
        assert_ne!(code_under_key(&token("a"), "k"), code_under_key(&token("a"), "l"));
    }
}
