//! Public keys in COSE (RFC 9053, RFC 8230), and the signatures made with them.

use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

use crate::{Error, cbor::Reader};

/// The algorithms that the server offers, by COSE numbers, the preferred first: `EdDSA`, ES256, RS256.
pub const ALGORITHMS: [i64; 3] = [ED_DSA, ES_256, RS_256];

const ES_256: i64 = -7;
const ED_DSA: i64 = -8;
const RS_256: i64 = -257;

const KEY_TYPE: i64 = 1;
const ALGORITHM: i64 = 3;
const OCTET_KEY_PAIR: i64 = 1;
const ELLIPTIC_CURVE: i64 = 2;
const RSA: i64 = 3;
const P_256: i64 = 1;
const CURVE_ED25519: i64 = 6;

/// 2048 to 4096 bits.
const RSA_MODULUS_BYTES: std::ops::RangeInclusive<usize> = 256..=512;
const RSA_EXPONENT_BYTES_MAX: usize = 4;

/// A public key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PublicKey<'a> {
    /// ECDSA on P-256 with SHA-256: an uncompressed point.
    Es256([u8; 65]),
    /// `EdDSA` on Curve25519.
    Ed25519(&'a [u8]),
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256 {
        /// The modulus, without leading zeros.
        modulus: &'a [u8],
        /// The public exponent, without leading zeros.
        exponent: &'a [u8],
    },
}

impl<'a> PublicKey<'a> {
    /// Reads a stored key ([`crate::Credential::cose_key`]).
    ///
    /// # Errors
    /// [`Error::UnsupportedAlgorithm`]; [`Error::Malformed`].
    pub fn from_cose(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes);
        let key = Self::read(&mut reader)?;
        reader.end()?;
        Ok(key)
    }

    /// The algorithm's number in COSE.
    pub fn algorithm(&self) -> i64 {
        match self {
            Self::Es256(_) => ES_256,
            Self::Ed25519(_) => ED_DSA,
            Self::Rs256 { .. } => RS_256,
        }
    }

    /// Reads the key that begins here, with exactly its members in CTAP2's order.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let members = reader.map()?;
        reader.label(KEY_TYPE)?;
        let kind = reader.integer()?;
        reader.label(ALGORITHM)?;
        let algorithm = reader.integer()?;
        let (expected_kind, expected_members) = match algorithm {
            ES_256 => (ELLIPTIC_CURVE, 5),
            ED_DSA => (OCTET_KEY_PAIR, 4),
            RS_256 => (RSA, 4),
            _ => return Err(Error::UnsupportedAlgorithm),
        };
        if (kind, members) != (expected_kind, expected_members) {
            return Err(Error::Malformed);
        }
        reader.label(-1)?;
        match algorithm {
            ES_256 => Self::read_es256(reader),
            ED_DSA => Self::read_ed25519(reader),
            _ => Self::read_rs256(reader),
        }
    }

    fn read_es256(reader: &mut Reader<'a>) -> Result<Self, Error> {
        curve(reader, P_256)?;
        reader.label(-2)?;
        let x = reader.bytes()?;
        reader.label(-3)?;
        let y = reader.bytes()?;
        if x.len() != 32 || y.len() != 32 {
            return Err(Error::Malformed);
        }
        let mut point = [4; 65];
        point[1..33].copy_from_slice(x);
        point[33..].copy_from_slice(y);
        Ok(Self::Es256(point))
    }

    fn read_ed25519(reader: &mut Reader<'a>) -> Result<Self, Error> {
        curve(reader, CURVE_ED25519)?;
        reader.label(-2)?;
        let key = reader.bytes()?;
        if key.len() == 32 { Ok(Self::Ed25519(key)) } else { Err(Error::Malformed) }
    }

    fn read_rs256(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let modulus = reader.bytes()?;
        reader.label(-2)?;
        let exponent = reader.bytes()?;
        let is_sound = RSA_MODULUS_BYTES.contains(&modulus.len())
            && (1..=RSA_EXPONENT_BYTES_MAX).contains(&exponent.len())
            && modulus[0] != 0
            && exponent[0] != 0;
        if is_sound { Ok(Self::Rs256 { modulus, exponent }) } else { Err(Error::Malformed) }
    }

    /// Checks that a message was signed with it.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let verified =
            match self {
                Self::Es256(point) => {
                    UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
                }
                Self::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
                Self::Rs256 { modulus, exponent } => RsaPublicKeyComponents { n: modulus, e: exponent }
                    .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature),
            };
        verified.map_err(|_| Error::WrongSignature)
    }
}

/// Reads the curve of the key.
fn curve(reader: &mut Reader<'_>, expected: i64) -> Result<(), Error> {
    if reader.integer()? == expected { Ok(()) } else { Err(Error::UnsupportedAlgorithm) }
}
