//! Messages decrypted as a browser does.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_push::{BODY_BYTES, ContentKeys, HEADER_BYTES, MESSAGE_BYTES_MAX, Receiver, ReceiverError};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    rand::SystemRandom,
};

/// A browser's private key, and the keys that it gives the server.
fn browser(random: &SystemRandom) -> (EphemeralPrivateKey, Receiver, [String; 2]) {
    let private = EphemeralPrivateKey::generate(&ECDH_P256, random).expect("a key");
    let public = private.compute_public_key().expect("its public key");
    let told = [public.as_ref(), &[7; 16]].map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let receiver = Receiver::read(&told[0], &told[1], random).expect("sound keys");
    (private, receiver, told)
}

/// The message in a body, as a browser decrypts it (RFC 8188 2.1, RFC 8291 3.1).
fn opened(private: EphemeralPrivateKey, receiver: &Receiver, body: &[u8]) -> Option<Vec<u8>> {
    let (header, record) = body.split_at(HEADER_BYTES);
    let salt = header[..16].try_into().expect("sixteen bytes");
    assert_eq!(header[16..21], [0, 0, 16, 0, 65], "the record's size and the key's length");
    let sender: [u8; 65] = header[21..].try_into().expect("a key");
    let theirs = UnparsedPublicKey::new(&ECDH_P256, sender);
    let shared = agree_ephemeral(private, &theirs, |shared| shared.try_into().expect("32 bytes"));
    let keys = ContentKeys::derive(&shared.expect("a point"), receiver, &sender, salt);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, keys.key()).expect("a key"));
    let mut record = record.to_vec();
    let nonce = Nonce::assume_unique_for_key(*keys.nonce());
    let filled = key.open_in_place(nonce, Aad::empty(), &mut record).ok()?;
    let end = filled.iter().rposition(|byte| *byte != 0)?;
    (filled[end] == 2).then(|| filled[..end].to_vec())
}

#[test]
fn a_browser_reads_what_was_encrypted_for_it() {
    let random = SystemRandom::new();
    for message in [&b""[..], b"{}", "Ἀγαθίας 0\0".as_bytes(), &[b'a'; MESSAGE_BYTES_MAX]] {
        let (private, receiver, _) = browser(&random);
        let body = receiver.encrypt(message, &random).expect("encrypted");
        assert_eq!(body.len(), BODY_BYTES, "the length tells nothing");
        assert_eq!(opened(private, &receiver, &body).as_deref(), Some(message));
    }
}

#[test]
fn no_other_browser_reads_it_and_a_changed_body_is_none() {
    let random = SystemRandom::new();
    let encrypted = || {
        let (private, receiver, _) = browser(&random);
        let body = receiver.encrypt(b"a turn", &random).expect("encrypted");
        (private, receiver, body)
    };
    let (_, receiver, body) = encrypted();
    let (other, ..) = browser(&random);
    assert_eq!(opened(other, &receiver, &body), None);
    let (private, receiver, body) = encrypted();
    let other = Receiver::stored(*receiver.key(), [8; 16]);
    assert_eq!(opened(private, &other, &body), None);
    for place in [0, HEADER_BYTES, BODY_BYTES - 1] {
        let (private, receiver, mut body) = encrypted();
        body[place] ^= 1;
        assert_eq!(opened(private, &receiver, &body), None, "byte {place}");
    }
}

#[test]
fn nothing_is_encrypted_the_same_way_twice() {
    let random = SystemRandom::new();
    let (_, receiver, _) = browser(&random);
    let [one, two] = [0; 2].map(|_| receiver.encrypt(b"a turn", &random).expect("encrypted"));
    assert_ne!(one[..16], two[..16], "the salt");
    assert_ne!(one[21..HEADER_BYTES], two[21..HEADER_BYTES], "the sender's key");
    assert_eq!(receiver.encrypt(&[0; MESSAGE_BYTES_MAX + 1], &random), Err(ReceiverError::MessageTooLong));
}

#[test]
fn keys_that_are_none_are_refused() {
    let random = SystemRandom::new();
    let (.., [key, auth]) = browser(&random);
    let read = |key: &str, auth: &str| Receiver::read(key, auth, &random).map(drop);
    assert_eq!(read(&format!("{key}="), &format!("{auth}==")), Ok(()), "some libraries fill up");
    let point = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let mut off_the_curve = BASE64_URL_SAFE_NO_PAD.decode(&key).expect("bytes");
    off_the_curve[64] ^= 1;
    let compressed = [&[2][..], &off_the_curve[1..33]].concat();
    for wrong in [
        String::new(),
        key[..80].to_owned(),
        format!("{key}AA"),
        key.replacen('B', "*", 1),
        point(&off_the_curve),
        point(&compressed),
        point(&[0]),
        point(&[[4; 1].as_slice(), &[0; 64]].concat()),
        point(&[[4; 1].as_slice(), &[255; 64]].concat()),
    ] {
        assert_eq!(read(&wrong, &auth), Err(ReceiverError::BadKey), "{wrong}");
    }
    for wrong in ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAA", "not base64url at all"] {
        assert_eq!(read(&key, wrong), Err(ReceiverError::BadAuth), "{wrong}");
    }
}
