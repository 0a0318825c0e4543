//! The data that the authenticator signs (§6.1).

use ring::digest::{SHA256, digest};

use crate::{CREDENTIAL_ID_BYTES_MAX, Ceremony, Error, KEY_BYTES_MAX, PublicKey, cbor::Reader};

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const ATTESTED_CREDENTIAL: u8 = 1 << 6;
const EXTENSIONS: u8 = 1 << 7;

/// The length of an AAGUID, which identifies a model of authenticators.
const AAGUID_BYTES: usize = 16;

/// The authenticator's data.
pub(crate) struct AuthenticatorData<'a> {
    pub(crate) is_backup_eligible: bool,
    pub(crate) is_backed_up: bool,
    pub(crate) counter: u32,
    pub(crate) new: Option<NewCredential<'a>>,
}

/// The credential that it has created.
pub(crate) struct NewCredential<'a> {
    pub(crate) id: &'a [u8],
    pub(crate) cose_key: &'a [u8],
    pub(crate) key: PublicKey<'a>,
}

/// Reads it, and checks that it is for this server and that the user was present.
pub(crate) fn read<'a>(bytes: &'a [u8], ceremony: &Ceremony<'_>) -> Result<AuthenticatorData<'a>, Error> {
    let mut reader = Reader::new(bytes);
    let relying_party = reader.take(32)?;
    let [flags] = reader.array()?;
    let counter = u32::from_be_bytes(reader.array()?);
    let has = |flag: u8| flags & flag != 0;
    if relying_party != digest(&SHA256, ceremony.relying_party.as_bytes()).as_ref() {
        return Err(Error::WrongRelyingParty);
    }
    if !has(USER_PRESENT) {
        return Err(Error::UserAbsent);
    }
    if ceremony.must_verify_user && !has(USER_VERIFIED) {
        return Err(Error::UserUnverified);
    }
    if has(BACKED_UP) && !has(BACKUP_ELIGIBLE) {
        return Err(Error::WrongBackup);
    }
    let new = if has(ATTESTED_CREDENTIAL) { Some(new_credential(&mut reader)?) } else { None };
    // No extensions are requested, but some are sent unasked.
    if has(EXTENSIONS) {
        reader.skip_map()?;
    }
    reader.end()?;
    let (is_backup_eligible, is_backed_up) = (has(BACKUP_ELIGIBLE), has(BACKED_UP));
    Ok(AuthenticatorData { is_backup_eligible, is_backed_up, counter, new })
}

fn new_credential<'a>(reader: &mut Reader<'a>) -> Result<NewCredential<'a>, Error> {
    reader.take(AAGUID_BYTES)?;
    let id_bytes = usize::from(u16::from_be_bytes(reader.array()?));
    if !(1..=CREDENTIAL_ID_BYTES_MAX).contains(&id_bytes) {
        return Err(Error::Malformed);
    }
    let id = reader.take(id_bytes)?;
    let before = reader.rest();
    let key = PublicKey::read(reader)?;
    let cose_key = &before[..before.len() - reader.rest().len()];
    if cose_key.len() > KEY_BYTES_MAX {
        return Err(Error::Malformed);
    }
    Ok(NewCredential { id, cose_key, key })
}
