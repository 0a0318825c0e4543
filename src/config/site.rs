//! The server's place on the Internet, and what depends on it.

use clap::{Args, ValueEnum};
use lusoria_push::PushHost;

use super::{Contact, PublicUrl, WebLink};

/// The server's place on the Internet, and what depends on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Site {
    /// The URL under which browsers reach the server, without a path; needed for passkeys (with HTTPS and a
    /// domain, or with localhost), push messages, link previews and the sitemap
    #[arg(long, env = "LUSORIA_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// How people reach you: an email address or a page; shown in the footer of the page
    #[arg(long, env = "LUSORIA_CONTACT", value_name = "MAIL|URL")]
    pub contact: Option<Contact>,

    /// The page with the source code of this server; shown in the footer of the page
    #[arg(long, env = "LUSORIA_SOURCE_URL", value_name = "URL")]
    pub source_url: Option<WebLink>,

    /// Whether the server sends push messages through the browsers' push services, if --public-url is set
    #[arg(long, env = "LUSORIA_PUSH", value_name = "WHETHER", value_enum, default_value_t = Push::On)]
    pub push: Push,

    /// Other push services to which messages may be sent, HOST or HOST:PORT, separated by commas
    #[arg(long, env = "LUSORIA_PUSH_HOST", value_name = "HOST", value_delimiter = ',')]
    pub push_host: Vec<PushHost>,
}

/// Whether push messages are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Push {
    /// Send them
    #[default]
    On,
    /// Send none
    Off,
}

impl Site {
    /// Whether this server sends push messages. It needs its public URL, because push services require the
    /// sender's address.
    pub fn sends_push(&self) -> bool {
        self.public_url.is_some() && self.push == Push::On
    }
}
