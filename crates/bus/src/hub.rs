//! A bus between nodes in one process, for tests: a policy makes it lose, repeat and delay messages.
//!
//! The order of everything depends only on the calls, so that a simulation under tokio's paused time is the
//! same for the same seed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::{
    Bus, Delivery, PAYLOAD_MAX, Subject, Subscription, count_dropped, inbox::Inbox, interests::Interests,
};

/// A message in transit from one node to another.
#[derive(Debug, Clone, Copy)]
pub struct Passing<'a> {
    /// The number of the node that sends.
    pub from: usize,
    /// The number of the receiving node, which is subscribed to the subject.
    pub to: usize,
    /// Its subject.
    pub subject: Subject,
    /// Its payload.
    pub payload: &'a Bytes,
}

/// Decides after which delays the copies of a message arrive: none if it is lost, several if it is repeated.
pub type Policy = Box<dyn FnMut(&Passing<'_>) -> Vec<Duration> + Send>;

/// Connects nodes in one process.
#[derive(Clone, Default)]
pub struct Hub(Arc<Mutex<Network>>);

#[derive(Default)]
struct Network {
    /// By the number of the node, so that every message passes them in the same order.
    members: BTreeMap<usize, Arc<Member>>,
    policy: Option<Policy>,
    /// Pairs of nodes that cannot reach each other, the lower number first.
    parted: BTreeSet<(usize, usize)>,
    /// How many messages have been sent: orders messages that arrive at the same time.
    sent: u64,
}

/// A node of a [`Hub`].
#[derive(Clone)]
pub struct HubBus {
    hub: Hub,
    number: usize,
    member: Arc<Member>,
}

#[derive(Default)]
struct Member {
    interests: Arc<Interests>,
    inbox: Inbox,
    on_the_way: Mutex<BTreeMap<(Instant, u64), (Subject, Bytes)>>,
    /// Notified when another message may be the next to arrive.
    sooner: Notify,
    is_cut_off: AtomicBool,
    is_closed: AtomicBool,
    /// Whether something that it sent was lost since it was cut off.
    owes_gap: AtomicBool,
}

impl Hub {
    /// Adds a node with that number. A node that has it already is cut off permanently: its process has died.
    #[must_use]
    pub fn connect(&self, number: usize) -> HubBus {
        let member = Arc::<Member>::default();
        let earlier = self.0.lock().members.insert(number, Arc::clone(&member));
        if let Some(earlier) = earlier {
            earlier.close();
        }
        HubBus { hub: self.clone(), number, member }
    }

    /// Sets the policy for all further messages. It is called for each subscribed node, in the order of their
    /// numbers.
    pub fn set_policy(&self, policy: impl FnMut(&Passing<'_>) -> Vec<Duration> + Send + 'static) {
        self.0.lock().policy = Some(Box::new(policy));
    }

    /// Delivers every further message at once.
    pub fn clear_policy(&self) {
        self.0.lock().policy = None;
    }

    /// Cuts a node off: it sends and receives nothing, and knows it.
    pub fn cut_off(&self, number: usize) {
        if let Some(member) = self.0.lock().members.get(&number) {
            member.is_cut_off.store(true, Ordering::Relaxed);
        }
    }

    /// Connects a node again. It gets a gap, and so do the others if something that it sent was lost.
    pub fn come_back(&self, number: usize) {
        let network = self.0.lock();
        let Some(member) = network.members.get(&number) else { return };
        if member.is_cut_off.swap(false, Ordering::Relaxed) {
            member.inbox.note_gap();
            if member.owes_gap.swap(false, Ordering::Relaxed) {
                for (_, other) in network.others(number) {
                    other.inbox.note_gap();
                }
            }
        }
    }

    /// Parts two nodes: neither reaches the other, and neither knows it.
    pub fn part(&self, one: usize, other: usize) {
        self.0.lock().parted.insert((one.min(other), one.max(other)));
    }

    /// Ends all partitions.
    pub fn rejoin(&self) {
        self.0.lock().parted.clear();
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").finish_non_exhaustive()
    }
}

impl fmt::Debug for HubBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubBus").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Network {
    /// All other connected nodes.
    fn others(&self, number: usize) -> impl Iterator<Item = (usize, &Arc<Member>)> {
        let others =
            self.members.iter().filter(move |(other, member)| **other != number && member.is_there());
        others.map(|(other, member)| (*other, member))
    }

    fn send(&mut self, from: usize, subject: Subject, payload: &Bytes) {
        let listeners: Vec<_> = self
            .others(from)
            .filter(|(to, member)| {
                !self.parted.contains(&(from.min(*to), from.max(*to))) && member.interests.includes(subject)
            })
            .map(|(to, member)| (to, Arc::clone(member)))
            .collect();
        for (to, member) in listeners {
            let copies = match &mut self.policy {
                Some(policy) => policy(&Passing { from, to, subject, payload }),
                None => vec![Duration::ZERO],
            };
            for delay in copies {
                self.sent += 1;
                let at = (Instant::now() + delay, self.sent);
                member.on_the_way.lock().insert(at, (subject, payload.clone()));
                member.sooner.notify_one();
            }
        }
    }
}

impl Member {
    fn is_there(&self) -> bool {
        !self.is_cut_off.load(Ordering::Relaxed) && !self.is_closed.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.inbox.close();
        self.on_the_way.lock().clear();
    }

    /// Moves arrived messages into the inbox, and waits for more, forever.
    async fn receive(&self) {
        loop {
            let first = loop {
                let mut on_the_way = self.on_the_way.lock();
                let Some(entry) = on_the_way.first_entry() else { break None };
                let (at, _) = *entry.key();
                if at > Instant::now() {
                    break Some(at);
                }
                let (subject, payload) = entry.remove();
                if self.is_there() {
                    self.inbox.put(subject, payload);
                }
            };
            tokio::select! {
                biased;
                () = self.sooner.notified() => {}
                () = arrival(first) => {}
            }
        }
    }
}

async fn arrival(first: Option<Instant>) {
    match first {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

impl Bus for HubBus {
    fn publish(&self, subject: Subject, payload: Bytes) {
        let mut network = self.hub.0.lock();
        if payload.len() > PAYLOAD_MAX {
            count_dropped("too_large", 1);
            for (_, other) in network.others(self.number) {
                other.inbox.note_gap();
            }
        } else if self.member.is_there() {
            network.send(self.number, subject, &payload);
        } else {
            self.member.owes_gap.store(true, Ordering::Relaxed);
        }
    }

    fn subscribe(&self, subject: Subject) -> Subscription {
        self.member.interests.subscribe(subject)
    }

    fn next(&self) -> BoxFuture<'_, Option<Delivery>> {
        Box::pin(async {
            tokio::select! {
                biased;
                () = self.member.receive() => None,
                delivery = self.member.inbox.next() => delivery,
            }
        })
    }

    fn is_connected(&self) -> bool {
        self.member.is_there()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.member.close();
        Box::pin(std::future::ready(()))
    }
}
