//! Keys that the server makes for itself. Nodes that share a store share them.

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyPurpose {
    /// Signing for push services: a key pair, as PKCS #8.
    Push,
    /// Sealing what nodes tell each other: 32 bytes.
    Messages,
    /// Making challenges for passkeys: 32 bytes.
    Challenges,
}

impl KeyPurpose {
    /// Its name in a database.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Messages => "messages",
            Self::Challenges => "challenges",
        }
    }
}

/// A key. It has neither `Debug` nor `Serialize`.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(pub Vec<u8>);
