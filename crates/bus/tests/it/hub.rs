//! The faults of the hub.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use lusoria_bus::{Bus, Delivery, Hub, HubBus, Subject, Subscription};
use tokio::time::Instant;

use crate::support::text;

fn nodes<const N: usize>(hub: &Hub) -> ([HubBus; N], Vec<Subscription>) {
    let buses = std::array::from_fn(|number| hub.connect(number));
    let listening = buses.iter().map(|bus| bus.subscribe(Subject::All)).collect();
    (buses, listening)
}

fn say(bus: &HubBus, payload: &'static str) {
    bus.publish(Subject::All, Bytes::from_static(payload.as_bytes()));
}

#[tokio::test(start_paused = true)]
async fn a_policy_loses_repeats_and_delays() {
    let hub = Hub::default();
    let ([one, two], _listening) = nodes(&hub);
    hub.set_policy(|passing| match &passing.payload[..] {
        b"lost" => Vec::new(),
        b"twice" => vec![Duration::from_millis(5), Duration::from_millis(40)],
        b"late" => vec![Duration::from_millis(30)],
        _ => vec![Duration::from_millis(10)],
    });
    let start = Instant::now();
    for payload in ["late", "lost", "twice", "plain"] {
        say(&one, payload);
    }
    for (payload, at) in [("twice", 5), ("plain", 10), ("late", 30), ("twice", 40)] {
        assert_eq!(two.next().await, text(Subject::All, payload));
        assert_eq!(start.elapsed(), Duration::from_millis(at), "{payload}");
    }
    hub.clear_policy();
    say(&one, "lost");
    assert_eq!(two.next().await, text(Subject::All, "lost"));
}

#[tokio::test(start_paused = true)]
async fn a_message_that_comes_while_another_is_waited_for_is_heard_first() {
    let hub = Hub::default();
    let ([one, two], _listening) = nodes(&hub);
    hub.set_policy(|passing| vec![Duration::from_millis(if passing.payload == "slow" { 100 } else { 1 })]);
    say(&one, "slow");
    let (heard, ()) = tokio::join!(two.next(), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        say(&one, "quick");
    });
    assert_eq!(heard, text(Subject::All, "quick"));
    assert_eq!(two.next().await, text(Subject::All, "slow"));
}

#[tokio::test]
async fn the_policy_is_asked_in_the_order_of_the_numbers() {
    let hub = Hub::default();
    let asked = Arc::<Mutex<Vec<_>>>::default();
    let seen = Arc::clone(&asked);
    hub.set_policy(move |passing| {
        seen.lock().unwrap().push((passing.from, passing.to));
        vec![Duration::ZERO]
    });
    let buses: Vec<_> = [7, 3, 9, 1].map(|number| hub.connect(number)).into();
    let _listening: Vec<_> = buses.iter().map(|bus| bus.subscribe(Subject::All)).collect();
    say(&buses[1], "one");
    say(&buses[2], "two");
    assert_eq!(*asked.lock().unwrap(), [(3, 1), (3, 7), (3, 9), (9, 1), (9, 3), (9, 7)]);
}

#[tokio::test]
async fn a_node_that_was_cut_off_gets_a_gap_and_so_do_those_to_whom_it_spoke() {
    let hub = Hub::default();
    let ([one, two, three], _listening) = nodes(&hub);
    hub.cut_off(0);
    assert!(!one.is_connected());
    say(&two, "one does not hear");
    assert_eq!(three.next().await, text(Subject::All, "one does not hear"));
    hub.come_back(0);
    assert!(one.is_connected());
    say(&two, "one hears again");
    assert_eq!(one.next().await, Some(Delivery::Gap));
    assert_eq!(one.next().await, text(Subject::All, "one hears again"));
    assert_eq!(three.next().await, text(Subject::All, "one hears again"), "nothing was lost to three");

    hub.cut_off(0);
    say(&one, "nobody hears");
    hub.come_back(0);
    assert_eq!([two.next().await, three.next().await], [Some(Delivery::Gap), Some(Delivery::Gap)]);
}

#[tokio::test]
async fn nodes_that_are_parted_do_not_hear_each_other_and_do_not_know() {
    let hub = Hub::default();
    let ([one, two, three], _listening) = nodes(&hub);
    hub.part(1, 0);
    assert!(one.is_connected() && two.is_connected());
    say(&one, "one");
    say(&two, "two");
    assert_eq!(three.next().await, text(Subject::All, "one"));
    assert_eq!(three.next().await, text(Subject::All, "two"));
    hub.rejoin();
    say(&three, "three");
    assert_eq!(
        [one.next().await, two.next().await],
        [text(Subject::All, "three"), text(Subject::All, "three")]
    );
}

#[tokio::test]
async fn a_node_that_starts_again_takes_the_place_of_its_earlier_process() {
    let hub = Hub::default();
    let ([one, two], _listening) = nodes(&hub);
    let again = hub.connect(1);
    let _hears = again.subscribe(Subject::All);
    assert_eq!(two.next().await, None, "its process has died");
    say(&two, "from the dead");
    say(&one, "hello");
    assert_eq!(again.next().await, text(Subject::All, "hello"));
}
