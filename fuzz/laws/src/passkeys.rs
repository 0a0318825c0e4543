//! What browsers answer with passkeys.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_passkey::{
    Assertion, CREDENTIAL_ID_BYTES_MAX, Ceremony, Credential, KEY_BYTES_MAX, PublicKey, Registration,
};

const CHALLENGE: [u8; 32] = [7; 32];

/// Nothing that is made up signs in; what registers has lengths and a key that can be stored and used.
pub fn check(bytes: &[u8]) {
    let ceremony = Ceremony {
        challenge: &CHALLENGE,
        relying_party: "example.org",
        origins: &["https://example.org"],
        must_verify_user: false,
    };
    let made_up = encode(bytes);
    let [registered, asserted] = ["webauthn.create", "webauthn.get"].map(client_data);
    for (client_data_json, attestation_object) in [(&registered, &made_up), (&made_up, &made_up)] {
        if let Ok(credential) = (Registration { client_data_json, attestation_object }).verify(&ceremony) {
            assert!((1..=CREDENTIAL_ID_BYTES_MAX).contains(&credential.id.len()), "{credential:?}");
            assert!(credential.cose_key.len() <= KEY_BYTES_MAX, "{credential:?}");
            PublicKey::from_cose(&credential.cose_key).expect("the key was read");
            refuse(&ceremony, &asserted, &made_up, &credential);
        }
    }
    // Any key would do: what is made up is signed by none.
    let cose_key = [&[0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32][..], &[9; 32]].concat();
    for is_backup_eligible in [false, true] {
        let id = vec![1];
        let cose_key = cose_key.clone();
        let credential = Credential { id, cose_key, counter: 0, is_backup_eligible, is_backed_up: false };
        refuse(&ceremony, &asserted, &made_up, &credential);
    }
}

/// Takes no answer in which bytes that are made up stand in for a part.
fn refuse(ceremony: &Ceremony<'_>, client_data_json: &str, made_up: &str, credential: &Credential) {
    let id = encode(&credential.id);
    for (client_data_json, signature) in
        [(client_data_json, made_up), (made_up, made_up), (client_data_json, "")]
    {
        let answer = Assertion {
            id: &id,
            client_data_json,
            authenticator_data: made_up,
            signature,
            user_handle: None,
        };
        let judged = answer.verify(ceremony, credential, &[], true);
        assert!(judged.is_err(), "{answer:?}: {judged:?}");
    }
}

fn client_data(kind: &str) -> String {
    let challenge = encode(&CHALLENGE);
    encode(
        serde_json::json!({"type": kind, "challenge": challenge, "origin": "https://example.org"})
            .to_string()
            .as_bytes(),
    )
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
