//! A browser that gets push messages.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_push::{ContentKeys, HEADER_BYTES, Receiver};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey as SignerKey},
};
use serde_json::{Value, json};

/// A browser that reads one message: `ring` has no keys that are used twice.
pub(crate) struct Browser {
    key: EphemeralPrivateKey,
    endpoint: String,
}

const AUTH: [u8; 16] = [7; 16];

impl Browser {
    pub(crate) fn at(endpoint: &str) -> Self {
        let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).expect("a key");
        Self { key, endpoint: endpoint.to_owned() }
    }

    fn public(&self) -> [u8; 65] {
        let public = self.key.compute_public_key().expect("its public key");
        public.as_ref().try_into().expect("an uncompressed point")
    }

    /// What `PushSubscription.toJSON()` gives.
    pub(crate) fn subscription(&self) -> Value {
        let [p256dh, auth] = [&self.public()[..], &AUTH].map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes));
        json!({"endpoint": self.endpoint, "expirationTime": null, "keys": {"p256dh": p256dh, "auth": auth}})
    }

    /// Decrypts the body of a message (RFC 8291).
    pub(crate) fn read(self, body: &[u8]) -> Value {
        let receiver = Receiver::stored(self.public(), AUTH);
        let (header, record) = body.split_at(HEADER_BYTES);
        let salt = header[..16].try_into().expect("sixteen bytes");
        let sender: [u8; 65] = header[21..].try_into().expect("a key");
        let theirs = UnparsedPublicKey::new(&ECDH_P256, sender);
        let shared = agree_ephemeral(self.key, &theirs, |shared| shared.try_into().expect("32 bytes"));
        let keys = ContentKeys::derive(&shared.expect("a point"), &receiver, &sender, salt);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, keys.key()).expect("a key"));
        let (mut record, nonce) = (record.to_vec(), Nonce::assume_unique_for_key(*keys.nonce()));
        let filled = key.open_in_place(nonce, Aad::empty(), &mut record).expect("for this browser");
        let end = filled.iter().rposition(|byte| *byte != 0).expect("the end of the record");
        serde_json::from_slice(&filled[..end]).expect("JSON")
    }
}

/// What `Authorization` claims (RFC 8292), if it is signed with that key.
pub(crate) fn claims(authorization: &str, key: &str) -> Option<Value> {
    let (token, signer) = authorization.strip_prefix("vapid t=")?.split_once(", k=")?;
    let (content, signature) = token.rsplit_once('.')?;
    let bytes = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let signature = bytes(signature)?;
    SignerKey::new(&ECDSA_P256_SHA256_FIXED, bytes(signer)?).verify(content.as_bytes(), &signature).ok()?;
    let claims = serde_json::from_slice(&bytes(content.split_once('.')?.1)?).ok()?;
    (signer == key).then_some(claims)
}
