//! Settings of a server that is one of several nodes.

use std::path::PathBuf;

use clap::Args;
use lusoria_bus::{NatsOptions, NatsUrl};

/// How this server works with others on the same PostgreSQL database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Args)]
pub struct Nodes {
    /// NATS, by which several servers on one PostgreSQL database notify each other at once:
    /// nats://USER:PASSWORD@HOST:PORT, or tls://. Without it they find out within two seconds
    #[arg(long, env = "LUSORIA_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<NatsUrl>,

    /// A file with a JWT and the seed of a key for NATS, as nsc writes it
    #[arg(long, env = "LUSORIA_NATS_CREDENTIALS", value_name = "FILE", requires = "nats")]
    nats_credentials: Option<PathBuf>,

    /// Certificates of the authorities that NATS's certificate may come from (PEM), instead of the system's
    #[arg(long, env = "LUSORIA_NATS_CA", value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,

    /// This server's certificate for NATS (PEM), if NATS requires one
    #[arg(long, env = "LUSORIA_NATS_CERTIFICATE", value_name = "FILE", requires = "nats_key")]
    nats_certificate: Option<PathBuf>,

    /// The key of that certificate (PEM)
    #[arg(long, env = "LUSORIA_NATS_KEY", value_name = "FILE", requires = "nats_certificate")]
    nats_key: Option<PathBuf>,

    /// This server's name among those on the same PostgreSQL database; each needs another [default: the
    /// machine's name and the port]
    #[arg(long, env = "LUSORIA_NODE", value_name = "NAME", value_parser = name)]
    node: Option<String>,
}

/// The longest name of a node, in characters.
const NAME_MAX: usize = 64;

fn name(text: &str) -> Result<String, String> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.:".contains(character);
    if (1..=NAME_MAX).contains(&text.len()) && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err(format!("1 to {NAME_MAX} letters, digits, - _ . or :"))
    }
}

impl Nodes {
    /// How to reach NATS; none without it.
    pub fn nats(&self) -> Option<NatsOptions> {
        let url = self.nats.clone()?;
        Some(NatsOptions {
            credentials_file: self.nats_credentials.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_certificate.clone().zip(self.nats_key.clone()),
            ..NatsOptions::new(url)
        })
    }

    /// The name of this server, which listens on `port`.
    pub fn name(&self, port: u16) -> String {
        self.node.clone().unwrap_or_else(|| {
            let machine: String = machine().chars().take(NAME_MAX - ":65535".len()).collect();
            format!("{machine}:{port}")
        })
    }
}

/// The system's name of this machine.
#[cfg(unix)]
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "node".to_owned())
}
