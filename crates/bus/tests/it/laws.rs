//! Laws for a hub and for NATS.

use std::sync::Arc;

use bytes::Bytes;
use lusoria_bus::{Alone, Bus, Delivery, PAYLOAD_MAX, Subject};
use lusoria_play::{MatchId, PlayerId};
use uuid::Uuid;

use crate::support::{Net, text};

const SUBJECTS: [Subject; 5] = [
    Subject::All,
    Subject::Lobby,
    Subject::Match(MatchId(Uuid::from_u128(1))),
    Subject::Player(PlayerId(Uuid::from_u128(1))),
    Subject::Node(Uuid::from_u128(1)),
];

macro_rules! laws {
    ($($law:ident of $nodes:literal nodes),+ $(,)?) => {
        mod on_a_hub {
            use super::Net;
            $(#[tokio::test] async fn $law() { super::$law(&Net::hub($nodes)).await; })+
        }
        mod over_nats {
            use super::Net;
            $(#[tokio::test] async fn $law() { super::$law(&Net::nats($nodes).await).await; })+
        }
    };
}

laws! {
    a_node_does_not_hear_its_own_messages of 2 nodes,
    only_those_who_listen_hear of 3 nodes,
    subscriptions_are_counted of 2 nodes,
    any_bytes_arrive_as_they_were_sent of 2 nodes,
    what_is_too_long_is_refused_and_leaves_a_gap of 2 nodes,
    nothing_is_heard_after_the_end of 2 nodes,
}

async fn a_node_does_not_hear_its_own_messages(net: &Net) {
    let (one, two) = (net.bus(0), net.bus(1));
    let _listening = (one.subscribe(Subject::All), two.subscribe(Subject::All));
    net.settled().await;
    one.publish(Subject::All, Bytes::from_static(b"question"));
    assert_eq!(two.next().await, text(Subject::All, "question"));
    two.publish(Subject::All, Bytes::from_static(b"answer"));
    assert_eq!(one.next().await, text(Subject::All, "answer"));
}

async fn only_those_who_listen_hear(net: &Net) {
    for listened in SUBJECTS {
        let _listening = [net.bus(1).subscribe(listened), net.bus(2).subscribe(listened)];
        net.settled().await;
        for subject in SUBJECTS {
            net.bus(0).publish(subject, Bytes::from(format!("{subject:?}")));
        }
        net.bus(0).publish(listened, Bytes::from_static(b"last"));
        for bus in [net.bus(1), net.bus(2)] {
            assert_eq!(bus.next().await, text(listened, &format!("{listened:?}")));
            assert_eq!(bus.next().await, text(listened, "last"));
        }
    }
}

async fn subscriptions_are_counted(net: &Net) {
    let (one, two) = (net.bus(0), net.bus(1));
    let _all = two.subscribe(Subject::All);
    let (first, second) = (two.subscribe(Subject::Lobby), two.subscribe(Subject::Lobby));
    drop(first);
    net.settled().await;
    one.publish(Subject::Lobby, Bytes::from_static(b"one is left"));
    assert_eq!(two.next().await, text(Subject::Lobby, "one is left"));
    drop(second);
    net.settled().await;
    one.publish(Subject::Lobby, Bytes::from_static(b"nobody listens"));
    one.publish(Subject::All, Bytes::from_static(b"all"));
    assert_eq!(two.next().await, text(Subject::All, "all"));
    let _again = two.subscribe(Subject::Lobby);
    net.settled().await;
    one.publish(Subject::Lobby, Bytes::from_static(b"again"));
    assert_eq!(two.next().await, text(Subject::Lobby, "again"));
}

async fn any_bytes_arrive_as_they_were_sent(net: &Net) {
    let (one, two) = (net.bus(0), net.bus(1));
    let _listening = two.subscribe(Subject::All);
    net.settled().await;
    let longest = vec![0xff; PAYLOAD_MAX];
    for payload in [&b""[..], b"\r\n", b"\0\x80\xff", b"MSG lusoria 1 1\r\n", &longest] {
        let payload = Bytes::copy_from_slice(payload);
        one.publish(Subject::All, payload.clone());
        assert_eq!(two.next().await, Some(Delivery::Message { subject: Subject::All, payload }));
    }
}

async fn what_is_too_long_is_refused_and_leaves_a_gap(net: &Net) {
    let (one, two) = (net.bus(0), net.bus(1));
    let _listening = two.subscribe(Subject::All);
    net.settled().await;
    one.publish(Subject::All, Bytes::from(vec![0; PAYLOAD_MAX + 1]));
    one.publish(Subject::All, Bytes::from_static(b"short"));
    // The gap may come a little later, or first.
    let heard = [two.next().await, two.next().await];
    assert!(heard.contains(&text(Subject::All, "short")), "{heard:?}");
    assert!(heard.contains(&Some(Delivery::Gap)), "{heard:?}");
}

async fn nothing_is_heard_after_the_end(net: &Net) {
    let (one, two) = (net.bus(0), net.bus(1));
    let _listening = (one.subscribe(Subject::All), two.subscribe(Subject::All));
    net.settled().await;
    assert!(one.is_connected() && two.is_connected());
    two.publish(Subject::All, Bytes::from_static(b"farewell"));
    two.close().await;
    assert!(!two.is_connected());
    assert_eq!(one.next().await, text(Subject::All, "farewell"), "what waited was sent");
    one.publish(Subject::All, Bytes::from_static(b"too late"));
    assert_eq!(two.next().await, None);
    assert_eq!(two.next().await, None);
}

#[tokio::test]
async fn a_node_alone_waits_until_it_is_closed() {
    let alone = Arc::new(Alone::default());
    let _listening = alone.subscribe(Subject::All);
    alone.publish(Subject::All, Bytes::from_static(b"nobody is there"));
    assert!(!alone.is_connected());
    let waiting = Arc::clone(&alone);
    let next = tokio::spawn(async move { waiting.next().await });
    tokio::task::yield_now().await;
    assert!(!next.is_finished());
    alone.close().await;
    assert_eq!(next.await.unwrap(), None);
}
