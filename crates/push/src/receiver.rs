//! The browser for which messages are encrypted.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::{
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    rand::SecureRandom,
};

use crate::encryption::{BODY_BYTES, ContentKeys, MESSAGE_BYTES_MAX, SALT_BYTES};

/// The length of a public key: an uncompressed point on P-256.
pub const KEY_BYTES: usize = 65;

/// The length of the secret that a browser and its server share.
pub const AUTH_BYTES: usize = 16;

/// The browser for which messages are encrypted (RFC 8291 2).
#[derive(Clone, PartialEq, Eq)]
pub struct Receiver {
    key: [u8; KEY_BYTES],
    auth: [u8; AUTH_BYTES],
}

/// The reason that nothing can be encrypted for a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ReceiverError {
    /// `p256dh` is not a point on P-256, uncompressed, as base64url.
    #[error("p256dh is not an uncompressed point on P-256")]
    BadKey,
    /// `auth` is not sixteen bytes as base64url.
    #[error("auth is not 16 bytes")]
    BadAuth,
    /// More than [`MESSAGE_BYTES_MAX`].
    #[error("the message is longer than {MESSAGE_BYTES_MAX} bytes")]
    MessageTooLong,
    /// The system has no random bytes.
    #[error("the system gave no random bytes")]
    NoRandomness,
}

impl Receiver {
    /// Reads the keys of a `PushSubscription`.
    ///
    /// # Errors
    /// [`ReceiverError::BadKey`], [`ReceiverError::BadAuth`]; [`ReceiverError::NoRandomness`].
    pub fn read(p256dh: &str, auth: &str, random: &dyn SecureRandom) -> Result<Self, ReceiverError> {
        // Browsers omit the padding, libraries do not.
        let bytes = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let key = bytes(p256dh).and_then(|key| key.try_into().ok()).ok_or(ReceiverError::BadKey)?;
        let auth = bytes(auth).and_then(|auth| auth.try_into().ok()).ok_or(ReceiverError::BadAuth)?;
        let receiver = Self { key, auth };
        // Only a key agreement checks that the point is on the curve.
        receiver.agree(random).map(|_| receiver)
    }

    /// Stored keys, which [`Self::read`] has accepted before.
    pub const fn stored(key: [u8; KEY_BYTES], auth: [u8; AUTH_BYTES]) -> Self {
        Self { key, auth }
    }

    /// The public key.
    pub const fn key(&self) -> &[u8; KEY_BYTES] {
        &self.key
    }

    /// The shared secret.
    pub const fn auth(&self) -> &[u8; AUTH_BYTES] {
        &self.auth
    }

    /// Encrypts a message into the body of a request to the push service. All bodies have the same length.
    ///
    /// # Errors
    /// [`ReceiverError::MessageTooLong`]; [`ReceiverError::NoRandomness`].
    pub fn encrypt(&self, message: &[u8], random: &dyn SecureRandom) -> Result<Vec<u8>, ReceiverError> {
        if message.len() > MESSAGE_BYTES_MAX {
            return Err(ReceiverError::MessageTooLong);
        }
        let mut salt = [0; SALT_BYTES];
        random.fill(&mut salt).map_err(|_| ReceiverError::NoRandomness)?;
        let (sender, shared) = self.agree(random)?;
        let keys = ContentKeys::derive(&shared, self, &sender, &salt);
        let body = keys.seal(message, &sender, &salt, MESSAGE_BYTES_MAX);
        debug_assert_eq!(body.len(), BODY_BYTES);
        Ok(body)
    }

    /// An ephemeral public key, and the secret that it shares with the browser's key.
    fn agree(&self, random: &dyn SecureRandom) -> Result<([u8; KEY_BYTES], [u8; 32]), ReceiverError> {
        let own = EphemeralPrivateKey::generate(&ECDH_P256, random);
        let own = own.map_err(|_| ReceiverError::NoRandomness)?;
        let public = own.compute_public_key().map_err(|_| ReceiverError::NoRandomness)?;
        let public = public.as_ref().try_into().map_err(|_| ReceiverError::NoRandomness)?;
        let theirs = UnparsedPublicKey::new(&ECDH_P256, &self.key);
        let shared = agree_ephemeral(own, &theirs, |shared| <[u8; 32]>::try_from(shared));
        let shared = shared.map_err(|_| ReceiverError::BadKey)?.map_err(|_| ReceiverError::BadKey)?;
        Ok((public, shared))
    }
}
