//! The two ceremonies: creating a credential, and proving its possession.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::digest::{SHA256, digest};

use crate::{
    Credential, Error, PublicKey,
    authenticator_data::{self, AuthenticatorData},
    cbor::Reader,
    client_data,
};

const CLIENT_DATA_BYTES_MAX: usize = 4096;
const ATTESTATION_OBJECT_BYTES_MAX: usize = 4096;
const AUTHENTICATOR_DATA_BYTES_MAX: usize = 1024;
/// As long as the longest RSA modulus.
const SIGNATURE_BYTES_MAX: usize = 512;
const USER_HANDLE_BYTES_MAX: usize = 64;

/// The server's request.
#[derive(Clone, Copy, Debug)]
pub struct Ceremony<'a> {
    /// Its challenge, which is valid once.
    pub challenge: &'a [u8],
    /// Its domain.
    pub relying_party: &'a str,
    /// The origins of its pages, as browsers write them.
    pub origins: &'a [&'a str],
    /// Whether the authenticator must verify the user, by a PIN or a fingerprint.
    pub must_verify_user: bool,
}

/// The browser's result of creating a credential: members of its JSON, in base64url without padding.
#[derive(Clone, Copy, Debug)]
pub struct Registration<'a> {
    /// `response.clientDataJSON`.
    pub client_data_json: &'a str,
    /// `response.attestationObject`.
    pub attestation_object: &'a str,
}

impl Registration<'_> {
    /// Returns the credential, if the response is to this challenge (§7.1). The caller must check that its id
    /// is new.
    ///
    /// # Errors
    /// The first failed check.
    pub fn verify(&self, ceremony: &Ceremony<'_>) -> Result<Credential, Error> {
        let client_data = decode(self.client_data_json, CLIENT_DATA_BYTES_MAX)?;
        let object = decode(self.attestation_object, ATTESTATION_OBJECT_BYTES_MAX)?;
        client_data::check(&client_data, "webauthn.create", ceremony)?;
        let Attestation { signature, authenticator_data } = Attestation::read(&object)?;
        let said = authenticator_data::read(authenticator_data, ceremony)?;
        let new = said.new.ok_or(Error::Malformed)?;
        if let Some((algorithm, signature)) = signature {
            if algorithm != new.key.algorithm() {
                return Err(Error::Malformed);
            }
            new.key.verify(&signed(authenticator_data, &client_data), signature)?;
        }
        Ok(Credential {
            id: new.id.to_vec(),
            cose_key: new.cose_key.to_vec(),
            counter: said.counter,
            is_backup_eligible: said.is_backup_eligible,
            is_backed_up: said.is_backed_up,
        })
    }
}

/// An attestation object (§6.5.4).
struct Attestation<'a> {
    /// With self attestation: the algorithm, and a signature by the new credential itself.
    signature: Option<(i64, &'a [u8])>,
    authenticator_data: &'a [u8],
}

impl<'a> Attestation<'a> {
    fn read(object: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(object);
        if reader.map()? != 3 {
            return Err(Error::Malformed);
        }
        reader.name("fmt")?;
        let format = reader.text()?;
        reader.name("attStmt")?;
        let signature = match (format, reader.map()?) {
            ("none", 0) => None,
            ("none", _) => return Err(Error::Malformed),
            ("packed", 2) => {
                reader.name("alg")?;
                let algorithm = reader.integer()?;
                reader.name("sig")?;
                Some((algorithm, reader.bytes()?))
            }
            _ => return Err(Error::UnsupportedAttestation),
        };
        reader.name("authData")?;
        let authenticator_data = reader.bytes()?;
        reader.end()?;
        Ok(Self { signature, authenticator_data })
    }
}

/// The browser's result of using a credential: members of its JSON, in base64url without padding.
#[derive(Clone, Copy, Debug)]
pub struct Assertion<'a> {
    /// `rawId`, by which the caller has found the credential.
    pub id: &'a str,
    /// `response.clientDataJSON`.
    pub client_data_json: &'a str,
    /// `response.authenticatorData`.
    pub authenticator_data: &'a str,
    /// `response.signature`.
    pub signature: &'a str,
    /// `response.userHandle`, if it is there.
    pub user_handle: Option<&'a str>,
}

/// The new state of a credential after an assertion, to be stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Asserted {
    /// The credential's counter.
    pub counter: u32,
    /// Whether it is on several devices.
    pub is_backed_up: bool,
}

impl Assertion<'_> {
    /// Returns the credential's new state, if the response is to this challenge and made with this credential
    /// (§7.2). `owner` is the user handle of the owner's credentials; `is_owner_known` says whether the
    /// caller knew the owner before the response: if not, the response must name them.
    ///
    /// # Errors
    /// The first failed check.
    pub fn verify(
        &self,
        ceremony: &Ceremony<'_>,
        credential: &Credential,
        owner: &[u8],
        is_owner_known: bool,
    ) -> Result<Asserted, Error> {
        if decode(self.id, crate::CREDENTIAL_ID_BYTES_MAX)? != credential.id {
            return Err(Error::WrongCredential);
        }
        let told = self.user_handle.map(|told| decode(told, USER_HANDLE_BYTES_MAX)).transpose()?;
        if !told.map_or(is_owner_known, |told| told == owner) {
            return Err(Error::WrongUserHandle);
        }
        let client_data = decode(self.client_data_json, CLIENT_DATA_BYTES_MAX)?;
        let authenticator_data = decode(self.authenticator_data, AUTHENTICATOR_DATA_BYTES_MAX)?;
        let signature = decode(self.signature, SIGNATURE_BYTES_MAX)?;
        client_data::check(&client_data, "webauthn.get", ceremony)?;
        let AuthenticatorData { is_backup_eligible, is_backed_up, counter, new } =
            authenticator_data::read(&authenticator_data, ceremony)?;
        // Only a registration contains a credential.
        if new.is_some() {
            return Err(Error::Malformed);
        }
        if is_backup_eligible != credential.is_backup_eligible {
            return Err(Error::WrongBackup);
        }
        let key = PublicKey::from_cose(&credential.cose_key)?;
        key.verify(&signed(&authenticator_data, &client_data), &signature)?;
        if counter <= credential.counter && (counter, credential.counter) != (0, 0) {
            return Err(Error::Cloned);
        }
        Ok(Asserted { counter, is_backed_up })
    }
}

/// The data that the authenticator signs.
fn signed(authenticator_data: &[u8], client_data: &[u8]) -> Vec<u8> {
    [authenticator_data, digest(&SHA256, client_data).as_ref()].concat()
}

/// The bytes of a base64url text, after a check of its length.
fn decode(text: &str, bytes_max: usize) -> Result<Vec<u8>, Error> {
    if text.len() > (bytes_max * 4).div_ceil(3) {
        return Err(Error::Malformed);
    }
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| Error::Malformed)
}
