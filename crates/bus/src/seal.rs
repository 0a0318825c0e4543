//! Seals messages: nodes ignore messages that were published to NATS without the key.
//!
//! A sealed message is the id of the sending node (16 bytes), its number (8 bytes, big-endian), a tag (32
//! bytes), and the content. The tag is the HMAC-SHA256 of the length and the name of the subject, the id, the
//! number and the content. Numbers are microseconds since the epoch, by the time that all nodes share, and
//! increase, so that even a node that has just started recognises old messages.

use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use sha2::Sha256;
use uuid::Uuid;

use crate::Subject;

const ID_BYTES: usize = 16;
const NUMBER_BYTES: usize = 8;
const TAG_BYTES: usize = 32;

/// How far the time of a message may be in the past or future, in milliseconds: clocks of nodes differ a
/// little.
const HEARD_FOR_MS: u64 = 30_000;

/// How many numbers are remembered for each node. A number below all of them counts as known.
const NUMBERS_MAX: usize = 1_024;

/// Seals the messages of a node, and opens those of others.
pub struct Seal {
    key: Hmac<Sha256>,
    node: Uuid,
    last: Mutex<u64>,
    heard: Mutex<HashMap<Uuid, BTreeSet<u64>>>,
}

/// The reason that a message is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotGenuine {
    /// It was not sealed with this key, for this subject.
    Forged,
    /// It was received before.
    Repeated,
    /// It is too old.
    Old,
}

impl NotGenuine {
    /// A name for metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forged => "forged",
            Self::Repeated => "repeated",
            Self::Old => "old",
        }
    }
}

impl Seal {
    /// A seal with the key of the cluster, for the node with this id.
    pub fn new(key: &[u8], node: Uuid) -> Self {
        let key = Hmac::new_from_slice(key).expect("HMAC takes keys of any length");
        Self { key, node, last: Mutex::default(), heard: Mutex::default() }
    }

    /// Seals a message sent at `now`, in milliseconds since the epoch.
    pub fn close(&self, subject: Subject, now: u64, message: &[u8]) -> Bytes {
        let number = {
            let mut last = self.last.lock();
            *last = (*last + 1).max(now.saturating_mul(1_000));
            last.to_be_bytes()
        };
        let head = [self.node.as_bytes(), &number[..]].concat();
        let tag = self.mac(subject, &head, message).finalize().into_bytes();
        [&head[..], &tag[..], message].concat().into()
    }

    /// Opens a message received at `now`. Returns the id of the sending node, and the content.
    ///
    /// # Errors
    /// If it is not genuine.
    pub fn open(&self, subject: Subject, now: u64, sealed: &Bytes) -> Result<(Uuid, Bytes), NotGenuine> {
        let split = sealed.split_at_checked(ID_BYTES + NUMBER_BYTES);
        let (head, rest) = split.ok_or(NotGenuine::Forged)?;
        let (tag, message) = rest.split_at_checked(TAG_BYTES).ok_or(NotGenuine::Forged)?;
        self.mac(subject, head, message).verify_slice(tag).map_err(|_| NotGenuine::Forged)?;
        let (node, number) = head.split_at(ID_BYTES);
        let node = Uuid::from_slice(node).expect("16 bytes");
        self.hear(node, u64::from_be_bytes(number.try_into().expect("8 bytes")), now)?;
        Ok((node, sealed.slice_ref(message)))
    }

    fn hear(&self, node: Uuid, number: u64, now: u64) -> Result<(), NotGenuine> {
        let is_old = |number: &u64| (number / 1_000).abs_diff(now) > HEARD_FOR_MS;
        if is_old(&number) {
            return Err(NotGenuine::Old);
        }
        let mut heard = self.heard.lock();
        if !heard.contains_key(&node) {
            heard.retain(|_, numbers| numbers.last().is_some_and(|last| !is_old(last)));
        }
        let numbers = heard.entry(node).or_default();
        let is_full = numbers.len() >= NUMBERS_MAX;
        if is_full && numbers.first().is_some_and(|first| number < *first) || !numbers.insert(number) {
            return Err(NotGenuine::Repeated);
        }
        if is_full {
            numbers.pop_first();
        }
        Ok(())
    }

    fn mac(&self, subject: Subject, head: &[u8], message: &[u8]) -> Hmac<Sha256> {
        let subject = subject.name();
        let mut mac = self.key.clone();
        mac.update(&(subject.len() as u64).to_be_bytes());
        mac.update(subject.as_bytes());
        mac.update(head);
        mac.update(message);
        mac
    }
}

#[cfg(test)]
mod tests {
    use lusoria_play::PlayerId;

    use super::*;

    const NOW: u64 = 1_700_000_000_000;

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    #[test]
    fn a_sealed_message_is_opened_once_by_another_node() {
        let [one, two] = [1, 2].map(|n| Seal::new(b"key", id(n)));
        let sealed = one.close(Subject::All, NOW, b"said");
        assert_eq!(two.open(Subject::All, NOW, &sealed), Ok((id(1), Bytes::from_static(b"said"))));
        assert_eq!(two.open(Subject::All, NOW, &sealed), Err(NotGenuine::Repeated));
        let empty = one.close(Subject::All, NOW, b"");
        assert_eq!(two.open(Subject::All, NOW, &empty), Ok((id(1), Bytes::new())), "another number");
    }

    #[test]
    fn what_was_changed_or_moved_is_forged() {
        let [one, two, stranger] =
            [(&b"key"[..], 1), (b"key", 2), (b"another", 1)].map(|(key, n)| Seal::new(key, id(n)));
        let sealed = one.close(Subject::All, NOW, b"said");
        for n in 0..sealed.len() {
            let mut changed = sealed.to_vec();
            changed[n] ^= 1;
            assert_eq!(two.open(Subject::All, NOW, &changed.into()), Err(NotGenuine::Forged), "byte {n}");
            assert_eq!(two.open(Subject::All, NOW, &sealed.slice(..n)), Err(NotGenuine::Forged), "{n} bytes");
        }
        for elsewhere in [Subject::Lobby, Subject::Player(PlayerId(id(1))), Subject::Node(id(1))] {
            assert_eq!(two.open(elsewhere, NOW, &sealed), Err(NotGenuine::Forged), "{elsewhere:?}");
        }
        let foreign = stranger.close(Subject::All, NOW, b"said");
        assert_eq!(two.open(Subject::All, NOW, &foreign), Err(NotGenuine::Forged));
        assert!(two.open(Subject::All, NOW, &sealed).is_ok(), "what was refused is not remembered");
    }

    #[test]
    fn a_node_that_has_just_started_refuses_old_messages() {
        let [one, two] = [1, 2].map(|n| Seal::new(b"key", id(n)));
        let sealed = one.close(Subject::All, NOW, b"said");
        for now in [NOW + HEARD_FOR_MS + 1, NOW - HEARD_FOR_MS - 1] {
            assert_eq!(two.open(Subject::All, now, &sealed), Err(NotGenuine::Old), "{now}");
        }
        assert!(two.open(Subject::All, NOW + HEARD_FOR_MS, &sealed).is_ok());
    }

    #[test]
    fn messages_may_overtake_each_other_and_few_numbers_are_kept() {
        let [one, two] = [1, 2].map(|n| Seal::new(b"key", id(n)));
        let mut sealed: Vec<_> = (0..=NUMBERS_MAX).map(|_| one.close(Subject::All, NOW, b"said")).collect();
        let first = sealed.remove(0);
        for message in sealed.iter().rev() {
            assert!(two.open(Subject::All, NOW, message).is_ok());
        }
        assert_eq!(two.open(Subject::All, NOW, &first), Err(NotGenuine::Repeated), "nobody knows any more");
        assert_eq!(two.heard.lock()[&id(1)].len(), NUMBERS_MAX);
        let later = NOW + 3 * HEARD_FOR_MS;
        let of_another = Seal::new(b"key", id(3)).close(Subject::All, later, b"said");
        assert!(two.open(Subject::All, later, &of_another).is_ok());
        assert_eq!(two.heard.lock().len(), 1, "a node that was not heard for long is forgotten");
    }
}
