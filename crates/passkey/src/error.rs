//! Errors of responses.

/// The reason that a response is refused.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, thiserror::Error)]
pub enum Error {
    /// Not in the standard's form, or too long.
    #[error("the response is malformed")]
    Malformed,
    /// Made for the other ceremony.
    #[error("the response is of the other ceremony")]
    WrongType,
    /// Not the challenge that was sent.
    #[error("the response is to another challenge")]
    WrongChallenge,
    /// Not one of the server's origins.
    #[error("the response comes from another origin")]
    WrongOrigin,
    /// Made in a page within another site's page.
    #[error("the response comes from a page within another site's page")]
    CrossOrigin,
    /// Made for another server.
    #[error("the response is for another relying party")]
    WrongRelyingParty,
    /// The authenticator did not detect a user.
    #[error("the user was not present")]
    UserAbsent,
    /// The authenticator did not verify the user, although that was required.
    #[error("the user was not verified")]
    UserUnverified,
    /// A credential that cannot be backed up claims to be backed up, or its eligibility has changed.
    #[error("the backup flags contradict each other")]
    WrongBackup,
    /// Not one of [`crate::ALGORITHMS`].
    #[error("the key's algorithm was not offered")]
    UnsupportedAlgorithm,
    /// Neither `none` nor self attestation.
    #[error("the attestation is of a format that was not asked for")]
    UnsupportedAttestation,
    /// Made with another credential.
    #[error("the response is of another credential")]
    WrongCredential,
    /// Not the owner's user handle, or missing where only it identifies the user.
    #[error("the user handle is not the owner's")]
    WrongUserHandle,
    /// Not made with the credential's key.
    #[error("the signature is wrong")]
    WrongSignature,
    /// The counter did not increase: there may be a copy of the authenticator.
    #[error("the counter did not go forward")]
    Cloned,
}
