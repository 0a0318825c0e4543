//! The part of the store for passkeys.

use lusoria_play::{Millis, PasskeyId, PlayerId};

use crate::{
    Guest, NewSession, Passkey, PasskeyAddition, PasskeyRemoval, PasskeyUse, Proof, SecretHash, StoreFuture,
};

/// Passkeys, and which challenges were answered with one. The promises of [`Store`](crate::Store) hold.
pub trait Passkeys: Send + Sync + 'static {
    /// Spends a challenge, and remembers it until `expires_at`. False if it was spent before.
    fn spend_challenge(&self, hash: SecretHash, expires_at: Millis) -> StoreFuture<'_, bool>;

    /// Stores a passkey of the account that the proof is for, if it has fewer than
    /// [`PASSKEYS_PER_GUEST_MAX`](crate::PASSKEYS_PER_GUEST_MAX).
    fn add_passkey(&self, proof: Proof, new: Passkey) -> StoreFuture<'_, PasskeyAddition>;

    /// Lists the passkeys of a guest, the newest first.
    fn passkeys(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Passkey>>;

    /// Finds the passkey whose credential has this id.
    fn passkey(&self, credential: Vec<u8>) -> StoreFuture<'_, Option<Passkey>>;

    /// Renames a passkey of a guest. False if they have none with that id.
    fn rename_passkey(&self, guest: PlayerId, id: PasskeyId, name: String) -> StoreFuture<'_, bool>;

    /// Removes a passkey of the account that the proof is for.
    fn remove_passkey(&self, proof: Proof, id: PasskeyId) -> StoreFuture<'_, PasskeyRemoval>;

    /// Stores that a passkey was used. False, and nothing changes, if it is gone or was used meanwhile.
    fn use_passkey(&self, used: PasskeyUse) -> StoreFuture<'_, bool>;

    /// The same, and begins a session of its guest; none if it is gone or was used meanwhile. Beyond
    /// [`TOKENS_PER_GUEST_MAX`](crate::TOKENS_PER_GUEST_MAX) sessions the oldest ends. If the guest is blocked,
    /// nothing changes.
    fn sign_in_with_passkey(&self, used: PasskeyUse, session: NewSession) -> StoreFuture<'_, Option<Guest>>;
}
