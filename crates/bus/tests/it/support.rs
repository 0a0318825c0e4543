//! Test support: buses of both kinds, a proxy that cuts connections, and the lines of the log.

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use lusoria_bus::{Bus, Delivery, Hub, HubBus, NatsBus, NatsOptions, Subject};
use lusoria_services::nats::Nats;
use tokio::net::{TcpListener, TcpStream};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};
use uuid::Uuid;

pub(crate) const CLUSTER: Uuid = Uuid::from_u128(0x0190_a6c2_7b1e_7cc3_98c4_dc0c_0c07_398f);

/// Several nodes on one bus.
pub(crate) enum Net {
    Hub(Vec<HubBus>),
    Nats(Vec<NatsBus>, Nats),
}

impl Net {
    pub(crate) fn hub(nodes: usize) -> Self {
        let hub = Hub::default();
        Self::Hub((0..nodes).map(|number| hub.connect(number)).collect())
    }

    /// Connected nodes.
    pub(crate) async fn nats(nodes: usize) -> Self {
        let server = Nats::start("").unwrap();
        let buses: Vec<_> = (0..nodes).map(|_| node(&server.url())).collect();
        for bus in &buses {
            bus.settled().await;
        }
        Self::Nats(buses, server)
    }

    pub(crate) fn bus(&self, number: usize) -> &dyn Bus {
        match self {
            Self::Hub(buses) => &buses[number],
            Self::Nats(buses, _) => &buses[number],
        }
    }

    /// Waits until all subscriptions are active.
    pub(crate) async fn settled(&self) {
        if let Self::Nats(buses, _) = self {
            for bus in buses {
                bus.settled().await;
            }
        }
    }
}

pub(crate) fn options(url: &str) -> NatsOptions {
    NatsOptions::new(url.parse().unwrap())
}

pub(crate) fn node(url: &str) -> NatsBus {
    NatsBus::start(options(url), CLUSTER).unwrap()
}

/// What `next` returns for a message of text.
#[expect(clippy::unnecessary_wraps, reason = "it is compared with what `next` returns")]
pub(crate) fn text(subject: Subject, payload: &str) -> Option<Delivery> {
    Some(Delivery::Message { subject, payload: Bytes::from(payload.to_owned()) })
}

/// Waits for a condition that sends no notification.
pub(crate) async fn until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Forwards connections to a port, each until it is cut.
pub(crate) struct Proxy {
    pub(crate) url: String,
    passing: Arc<Mutex<Vec<tokio::task::JoinHandle<()>>>>,
}

impl Proxy {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let passing = Arc::<Mutex<Vec<_>>>::default();
        let kept = Arc::clone(&passing);
        tokio::spawn(async move {
            while let Ok((mut inside, _)) = listener.accept().await {
                let task = tokio::spawn(async move {
                    let mut outside = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
                    // However it ends, both are closed.
                    let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
                });
                kept.lock().unwrap().push(task);
            }
        });
        Self { url, passing }
    }

    /// Cuts the present connections. Later ones are forwarded.
    pub(crate) fn cut(&self) {
        for task in self.passing.lock().unwrap().drain(..) {
            task.abort();
        }
    }
}

/// The lines logged on this thread.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// Collects log lines until the guard is dropped.
    pub(crate) fn kept() -> (Self, tracing::subscriber::DefaultGuard) {
        let log = Self::default();
        (log.clone(), tracing::subscriber::set_default(log))
    }

    /// The lines with that text.
    pub(crate) fn with(&self, text: &str) -> Vec<String> {
        self.0.lock().unwrap().iter().filter(|line| line.contains(text)).cloned().collect()
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} {}", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}
