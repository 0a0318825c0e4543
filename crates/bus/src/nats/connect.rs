//! One attempt to connect.

use std::{io, time::Duration};

use async_nats::{Client, ConnectError, ConnectOptions, Event};
use tokio::sync::mpsc;
use tracing::{instrument::WithSubscriber, subscriber::NoSubscriber};

use super::{
    complaints::{What, whole},
    options::{Credentials, NatsOptions},
};

/// How long connecting to one address may take.
const CONNECTS_WITHIN: Duration = Duration::from_secs(5);

/// How often the connection is tested. It counts as lost when three pings are not answered.
const PINGS_EVERY: Duration = Duration::from_secs(3);

/// How long a response of the server may take.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// The most waiting messages of one subscription. We take them continuously, and keep them under another
/// limit.
const SUBSCRIPTION_MAX: usize = 16_384;

/// The most waiting events of the connection. Lost events are noticed in another way.
const EVENTS_MAX: usize = 128;

/// A connection, and its events.
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) events: mpsc::Receiver<Event>,
}

/// A connection could not be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotConnected {
    #[error("{}", whole(.0))]
    Connect(ConnectError),
    #[error("the credentials file: {0}")]
    CredentialsFile(io::Error),
}

impl NotConnected {
    pub(super) fn what(&self) -> What {
        match self {
            Self::Connect(error) => What::of(error),
            Self::CredentialsFile(_) => What::CredentialsFile,
        }
    }
}

/// Tries each address once. A connected client that loses the connection tries each of them once more, and
/// then ends.
pub(super) async fn connect(options: &NatsOptions) -> Result<Connection, NotConnected> {
    let (sender, events) = mpsc::channel(EVENTS_MAX);
    let connect = with_identity(options).await.map_err(NotConnected::CredentialsFile)?;
    let connect = connect
        .name(&options.name)
        .no_echo()
        .require_tls(options.needs_tls())
        .connection_timeout(CONNECTS_WITHIN)
        .request_timeout(Some(ANSWERS_WITHIN))
        .ping_interval(PINGS_EVERY)
        .subscription_capacity(SUBSCRIPTION_MAX)
        // Servers may announce addresses of another network.
        .ignore_discovered_servers()
        .max_reconnects(options.url.addresses().len())
        .reconnect_delay_callback(|_| Duration::ZERO)
        .event_callback(move |event| {
            // A lost event is noticed in another way.
            let _ = sender.try_send(event);
            std::future::ready(())
        });
    // The library logs every attempt; we log each problem once a minute.
    let client = connect.connect(options.url.addresses()).with_subscriber(NoSubscriber::default()).await;
    Ok(Connection { client: client.map_err(NotConnected::Connect)?, events })
}

async fn with_identity(options: &NatsOptions) -> io::Result<ConnectOptions> {
    let mut connect = match (&options.credentials_file, options.url.credentials()) {
        (Some(path), _) => ConnectOptions::with_credentials_file(path).await?,
        (None, Some(Credentials::Password { user, password })) => {
            ConnectOptions::with_user_and_password(user.clone(), password.clone())
        }
        (None, Some(Credentials::Token(token))) => ConnectOptions::with_token(token.clone()),
        (None, None) => ConnectOptions::new(),
    };
    if let Some(authority) = &options.authority {
        connect = connect.add_root_certificates(authority.clone());
    }
    if let Some((certificate, key)) = &options.certificate {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    Ok(connect)
}
