//! Encrypts messages (RFC 8291, with the content coding `aes128gcm` of RFC 8188).

use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    hmac,
};

use crate::{Receiver, receiver::KEY_BYTES};

/// The longest message, in bytes. Shorter ones are padded, so that their length reveals nothing.
pub const MESSAGE_BYTES_MAX: usize = 1024;

pub(crate) const SALT_BYTES: usize = 16;

/// The length of the header before the encrypted message: salt, record size, and the sender's key with its
/// length.
pub const HEADER_BYTES: usize = SALT_BYTES + 4 + 1 + KEY_BYTES;

/// The length of the tag of AES-GCM.
const TAG_BYTES: usize = 16;

/// The length of a whole body. Push services accept 4,096 bytes (RFC 8030 7.2).
pub const BODY_BYTES: usize = HEADER_BYTES + MESSAGE_BYTES_MAX + 1 + TAG_BYTES;

/// The record size in the header; a body has only one record, which is shorter.
const RECORD_BYTES: u32 = 4096;

/// Ends the last record (RFC 8188 2).
const LAST_RECORD: u8 = 2;

/// The keys that encrypt a message.
pub struct ContentKeys {
    key: [u8; 16],
    nonce: [u8; 12],
}

impl ContentKeys {
    /// Derives the keys (RFC 8291 3.4) from the secret that sender and receiver share.
    pub fn derive(
        shared: &[u8; 32],
        receiver: &Receiver,
        sender: &[u8; KEY_BYTES],
        salt: &[u8; SALT_BYTES],
    ) -> Self {
        Self::of(&input(&combining(shared, receiver), receiver, sender), salt)
    }

    /// The keys from the input of HKDF for the content (RFC 8188 2.2, 2.3).
    fn of(input: &[u8; 32], salt: &[u8; SALT_BYTES]) -> Self {
        let pseudorandom = hmac_of(salt, &[input]);
        Self {
            key: expanded(&pseudorandom, &[b"Content-Encoding: aes128gcm\0"]),
            nonce: expanded(&pseudorandom, &[b"Content-Encoding: nonce\0"]),
        }
    }

    /// The key of AES-128-GCM.
    pub const fn key(&self) -> &[u8; 16] {
        &self.key
    }

    /// The nonce of the first record.
    pub const fn nonce(&self) -> &[u8; 12] {
        &self.nonce
    }

    /// The body with a message, padded to `length` bytes, its greatest length.
    pub(crate) fn seal(
        &self,
        message: &[u8],
        sender: &[u8; KEY_BYTES],
        salt: &[u8; SALT_BYTES],
        length: usize,
    ) -> Vec<u8> {
        let mut record = message.to_vec();
        record.push(LAST_RECORD);
        record.resize(length + 1, 0);
        let key = UnboundKey::new(&AES_128_GCM, &self.key).expect("sixteen bytes");
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        let sealed = LessSafeKey::new(key).seal_in_place_append_tag(nonce, Aad::empty(), &mut record);
        sealed.expect("far shorter than AES-GCM allows");
        let id_bytes = u8::try_from(KEY_BYTES).expect("65");
        [&salt[..], &RECORD_BYTES.to_be_bytes(), &[id_bytes], sender, &record].concat()
    }
}

/// The shared secret combined with the browser's `auth` secret (`PRK_key`).
fn combining(shared: &[u8; 32], receiver: &Receiver) -> [u8; 32] {
    hmac_of(receiver.auth(), &[shared])
}

/// The input of HKDF for the content (`IKM`), which depends on both public keys.
fn input(combined: &[u8; 32], receiver: &Receiver, sender: &[u8; KEY_BYTES]) -> [u8; 32] {
    expanded(combined, &[b"WebPush: info\0", receiver.key(), sender])
}

/// HKDF-Expand (RFC 5869 2.3) to at most one block.
fn expanded<const LENGTH: usize>(key: &[u8; 32], info: &[&[u8]]) -> [u8; LENGTH] {
    let parts = [info, &[&[1]]].concat();
    let block = hmac_of(key, &parts);
    block[..LENGTH].try_into().expect("at most 32 bytes")
}

fn hmac_of(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    for part in parts {
        context.update(part);
    }
    context.sign().as_ref().try_into().expect("SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        BASE64_URL_SAFE_NO_PAD.decode(text).expect(text).try_into().expect(text)
    }

    fn text(bytes: &[u8]) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// RFC 8291, appendix A, from the shared secret on, because ring generates its keys itself.
    #[test]
    fn the_standards_example_is_encrypted_as_there() {
        let sender =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let receiver = Receiver::stored(
            bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        );
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw");
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let combined = combining(&shared, &receiver);
        assert_eq!(text(&combined), "Snr3JMxaHVDXHWJn5wdC52WjpCtd2EIEGBykDcZW32k");
        let input = input(&combined, &receiver, &sender);
        assert_eq!(text(&input), "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg");
        assert_eq!(text(&hmac_of(&salt, &[&input])), "09_eUZGrsvxChDCGRCdkLiDXrReGOEVeSCdCcPBSJSc");
        let keys = ContentKeys::derive(&shared, &receiver, &sender, &salt);
        assert_eq!(text(keys.key()), "oIhVW04MRdy2XN9CiKLxTg");
        assert_eq!(text(keys.nonce()), "4h_95klXJ5E_qnoN");
        let message = b"When I grow up, I want to be a watermelon";
        let body = keys.seal(message, &sender, &salt, message.len());
        let expected = concat!(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml",
            "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT",
            "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        );
        assert_eq!(text(&body), expected);
    }
}
