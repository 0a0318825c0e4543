//! NATS that stops and comes back, and the log of a bus meanwhile.

use bytes::Bytes;
use lusoria_bus::{Bus, Delivery, NatsBus, PAYLOAD_MAX, Subject};
use lusoria_play::MatchId;
use lusoria_services::nats::Nats;
use uuid::Uuid;

use crate::support::{Log, Net, Proxy, node, options, text, until};

#[tokio::test]
async fn after_a_kill_and_a_restart_both_get_a_gap_and_hear_again() {
    let Net::Nats(buses, mut server) = Net::nats(2).await else { unreachable!() };
    let [one, two] = &buses[..] else { unreachable!() };
    let listening: Vec<_> = (0..100).map(|id| Subject::Match(MatchId(Uuid::from_u128(id)))).collect();
    let _listening: Vec<_> = listening.iter().map(|&subject| two.subscribe(subject)).collect();
    two.settled().await;
    server.kill().unwrap();
    until(|| !one.is_connected() && !two.is_connected()).await;
    one.publish(listening[0], Bytes::from_static(b"lost"));
    server.start_again().unwrap();
    assert_eq!(one.next().await, Some(Delivery::Gap));
    assert_eq!(two.next().await, Some(Delivery::Gap));
    two.settled().await;
    until(|| one.is_connected()).await;
    for &subject in &listening {
        one.publish(subject, Bytes::from_static(b"again"));
        let heard = match two.next().await {
            // The messages lost while one was away.
            Some(Delivery::Gap) => two.next().await,
            heard => heard,
        };
        assert_eq!(heard, text(subject, "again"));
    }
}

#[tokio::test]
async fn a_cut_connection_is_restored_with_all_subscriptions() {
    let server = Nats::start("").unwrap();
    let proxy = Proxy::start(server.port()).await;
    let (one, two) = (node(&server.url()), node(&proxy.url));
    let _listening = two.subscribe(Subject::Lobby);
    let log = Log::kept();
    one.settled().await;
    two.settled().await;
    assert_eq!(two.next().await, Some(Delivery::Gap), "it had listened before it was connected");
    for _ in 0..3 {
        proxy.cut();
        assert_eq!(two.next().await, Some(Delivery::Gap));
        one.publish(Subject::Lobby, Bytes::from_static(b"hello"));
        assert_eq!(two.next().await, text(Subject::Lobby, "hello"), "the gap comes when all is in force");
    }
    assert_eq!(log.0.with("ERROR"), [""; 0]);
}

#[tokio::test]
async fn a_bus_starts_without_nats_and_says_so_once() {
    let mut server = Nats::start("").unwrap();
    server.kill().unwrap();
    let (log, _guard) = Log::kept();
    let (one, two) = (node(&server.url()), node(&server.url()));
    let _listening = two.subscribe(Subject::All);
    one.publish(Subject::All, Bytes::from_static(b"lost"));
    until(|| log.with("cannot connect to NATS").len() == 2).await;
    assert!(!one.is_connected() && !two.is_connected());
    server.start_again().unwrap();
    one.settled().await;
    two.settled().await;
    assert_eq!(two.next().await, Some(Delivery::Gap), "it had listened in vain");
    one.publish(Subject::All, Bytes::from_static(b"heard"));
    let mut heard = two.next().await;
    if heard == Some(Delivery::Gap) {
        // One could not send: that may be reported after two knows that its subscription was useless.
        heard = two.next().await;
    }
    assert_eq!(heard, text(Subject::All, "heard"));
    let lines = log.with("cannot connect to NATS");
    assert_eq!(lines.len(), 2, "one of each bus: {lines:?}");
    assert!(lines[0].contains(&server.url()) && lines[0].contains("refused"), "{}", lines[0]);
}

#[tokio::test]
async fn an_overflow_of_the_outbox_leaves_a_gap_with_the_others() {
    let net = Net::nats(2).await;
    let _listening = net.bus(1).subscribe(Subject::All);
    net.settled().await;
    // Nothing is sent before this task waits.
    let payload = Bytes::from(vec![0; PAYLOAD_MAX]);
    for _ in 0..300 {
        net.bus(0).publish(Subject::All, payload.clone());
    }
    let mut heard = 0;
    while net.bus(1).next().await != Some(Delivery::Gap) {
        heard += 1;
    }
    assert!(heard <= 256, "{heard}");
    net.bus(0).publish(Subject::Lobby, Bytes::new());
    net.bus(0).publish(Subject::All, Bytes::from_static(b"last"));
    loop {
        heard += 1;
        if net.bus(1).next().await == text(Subject::All, "last") {
            break;
        }
    }
    assert_eq!(heard, 257, "all that fitted arrived");
}

#[tokio::test]
async fn clusters_on_one_nats_do_not_hear_each_other() {
    let server = Nats::start("").unwrap();
    let (one, two) = (node(&server.url()), node(&server.url()));
    let other = NatsBus::start(options(&server.url()), Uuid::from_u128(7)).unwrap();
    let _listening = two.subscribe(Subject::All);
    for bus in [&one, &two, &other] {
        bus.settled().await;
    }
    other.publish(Subject::All, Bytes::from_static(b"of another cluster"));
    other.settled().await;
    one.publish(Subject::All, Bytes::from_static(b"of ours"));
    let mut heard = two.next().await;
    if heard == Some(Delivery::Gap) {
        heard = two.next().await;
    }
    assert_eq!(heard, text(Subject::All, "of ours"));
}

#[tokio::test]
async fn subscriptions_come_and_go_by_the_thousand() {
    let net = Net::nats(2).await;
    let (one, two) = (net.bus(0), net.bus(1));
    let subject = |id: u128| Subject::Match(MatchId(Uuid::from_u128(id)));
    let mut kept = Vec::new();
    for round in 0..10 {
        let listening: Vec<_> = (0..1000).map(|id| two.subscribe(subject(round * 1000 + id))).collect();
        net.settled().await;
        let mut listening = listening.into_iter();
        kept.extend(listening.next());
    }
    net.settled().await;
    for id in 0..10_000 {
        one.publish(subject(id), Bytes::from(id.to_string()));
    }
    for round in 0..10 {
        let id = round * 1000;
        assert_eq!(two.next().await, text(subject(id), &id.to_string()));
    }
}

#[tokio::test]
async fn closing_does_not_wait_for_nats() {
    let mut server = Nats::start("").unwrap();
    server.kill().unwrap();
    let bus = node(&server.url());
    bus.close().await;
    assert_eq!(bus.next().await, None);
    bus.settled().await;
}
