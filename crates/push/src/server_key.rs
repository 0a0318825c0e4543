//! The server's key, with which it identifies itself to push services (RFC 8292, "VAPID").

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::{
    rand::SecureRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde::Serialize;

/// The server's key pair. It cannot be shown: it has neither `Debug` nor `Serialize`.
pub struct ServerKey(EcdsaKeyPair);

/// The stored bytes are not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored key for push messages is damaged")]
pub struct BadServerKey;

/// The system has no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gave no random bytes")]
pub struct Unsigned;

/// The signed claims, in the standard's order (RFC 8292 2.4).
#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

/// `{"typ":"JWT","alg":"ES256"}`
const HEADER: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9";

impl ServerKey {
    /// Generates a key pair in its stored form (PKCS #8).
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn generate(random: &dyn SecureRandom) -> Result<Vec<u8>, Unsigned> {
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, random);
        made.map(|made| made.as_ref().to_vec()).map_err(|_| Unsigned)
    }

    /// Reads a stored key pair.
    ///
    /// # Errors
    /// If it is not a key pair.
    pub fn read(stored: &[u8], random: &dyn SecureRandom) -> Result<Self, BadServerKey> {
        let read = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, stored, random);
        read.map(Self).map_err(|_| BadServerKey)
    }

    /// The public key for browsers (`applicationServerKey`): an uncompressed point on P-256 as base64url.
    pub fn public(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.0.public_key())
    }

    /// The value of `Authorization` for a push service: valid until the given time in seconds since the
    /// epoch, at most a day from now. `audience` is [`crate::Endpoint::origin`], `subject` the operator's
    /// contact address.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn authorization(
        &self,
        audience: &str,
        subject: Option<&str>,
        expires_at_s: u64,
        random: &dyn SecureRandom,
    ) -> Result<String, Unsigned> {
        let claims = Claims { aud: audience, exp: expires_at_s, sub: subject };
        let claims = serde_json::to_vec(&claims).expect("plain data");
        let signed = format!("{HEADER}.{}", BASE64_URL_SAFE_NO_PAD.encode(claims));
        let signature = self.0.sign(random, signed.as_bytes()).map_err(|_| Unsigned)?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

#[cfg(test)]
mod tests {
    use ring::{
        rand::SystemRandom,
        signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey},
    };

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).expect(text)
    }

    /// The signed part of a header, if the signature is valid.
    fn verified(authorization: &str) -> Option<&str> {
        let (token, key) = authorization.strip_prefix("vapid t=")?.split_once(", k=")?;
        let (signed, signature) = token.rsplit_once('.')?;
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key));
        key.verify(signed.as_bytes(), &bytes(signature)).ok().map(|()| signed)
    }

    #[test]
    fn the_standards_example_is_signed_with_our_key() {
        // RFC 8292 2.4.
        let theirs = "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
        let signed = verified(theirs).expect("their signature holds");
        let random = SystemRandom::new();
        let key = ServerKey::read(&ServerKey::generate(&random).expect("a key"), &random).expect("a key");
        let ours = key.authorization(
            "https://push.example.net",
            Some("mailto:push@example.com"),
            1_453_523_768,
            &random,
        );
        let ours = ours.expect("signed");
        assert_eq!(verified(&ours), Some(signed));
        assert_eq!(ours.rsplit_once("k=").expect("a key").1, key.public());
        assert_eq!((bytes(&key.public()).len(), bytes(&key.public())[0]), (65, 4));
        let forged = ours.replacen(signed, &signed.replace("Mj", "Mz"), 1);
        assert!(forged != ours && verified(&forged).is_none());
    }

    #[test]
    fn a_key_is_stored_and_read_and_nothing_else_is_one() {
        let random = SystemRandom::new();
        let stored = ServerKey::generate(&random).expect("a key");
        let read = || ServerKey::read(&stored, &random).expect("a key").public();
        assert_eq!(read(), read());
        assert_ne!(stored, ServerKey::generate(&random).expect("another"));
        for wrong in [&stored[1..], &[], &[0; 138]] {
            assert!(ServerKey::read(wrong, &random).is_err());
        }
    }
}
