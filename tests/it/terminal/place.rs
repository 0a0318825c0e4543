//! A server, its database, and a folder for the profiles of those who come to it.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use lusoria::{config::Config, server::Server};
use lusoria_terminal::Goal;
use lusoria_testkit::parsed;
use tempfile::TempDir;

use super::{attackers, origin, person::Person, proxy::Proxy};
use crate::support::{database::DatabasePlace, server::GENEROUS};

/// A server with its database and its folder.
pub(super) struct Place {
    server: Server,
    kept: Kept,
}

/// What is left of a place when its server has stopped.
pub(super) struct Kept {
    database: DatabasePlace,
    folder: TempDir,
}

impl Place {
    pub(super) async fn new() -> Self {
        Self::with(&[]).await
    }

    /// The same with these flags more.
    pub(super) async fn with(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::over(Kept { database: DatabasePlace::new(), folder }, flags).await
    }

    /// A server that starts on what another one has left.
    pub(super) async fn over(kept: Kept, flags: &[&str]) -> Self {
        let database = kept.database.path();
        let database = database.to_str().expect("a path in UTF-8");
        let line = ["--listen", "127.0.0.1:0", "--database", database, "--shutdown-grace", "5"];
        let config: Config = parsed(&[&line, &GENEROUS[..], flags].concat());
        Self { server: Server::start(&config).await.expect("the server starts"), kept }
    }

    /// Stops the server.
    pub(super) async fn stops(self) -> Kept {
        self.server.stop().await;
        self.kept
    }

    pub(super) fn database(&self) -> PathBuf {
        self.kept.database.path()
    }

    pub(super) fn folder(&self) -> &Path {
        self.kept.folder.path()
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    pub(super) fn origin(&self) -> String {
        origin(self.address())
    }

    /// A user of the server.
    pub(super) fn person(&self, called: &str, goal: Goal) -> Person {
        self.person_at(&self.origin(), called, goal)
    }

    /// A user who reaches it by that address.
    pub(super) fn person_at(&self, origin: &str, called: &str, goal: Goal) -> Person {
        Person::comes(origin, self.folder(), called, goal)
    }

    /// A user who reaches it by that address, at a terminal where the line can be edited.
    pub(super) fn editor_at(&self, origin: &str, called: &str, goal: Goal) -> Person {
        Person::edits(origin, self.folder(), called, goal)
    }

    /// Two at the first game of a match to so many points; each comes by an address of their own.
    pub(super) async fn two_at(&self, first: &str, second: &str, points: u16) -> [Person; 2] {
        let mut one = self.person_at(first, "Agathias", attackers(points));
        one.sees("It waits for somebody to join").await;
        let mut two = self.person_at(second, "Zeno", Goal::Lobby);
        two.sees("  1  tablut").await;
        two.types("join 1").await;
        one.sees("Your turn.").await;
        two.sees("Waiting for Attackers (Agathias).").await;
        [one, two]
    }
}

/// Two at the first game of a match to so many points: the first one's line can be cut.
pub(super) async fn two_at_a_match(points: u16) -> (Place, Proxy, [Person; 2]) {
    let place = Place::new().await;
    let proxy = Proxy::to(place.address()).await;
    let two = place.two_at(&proxy.origin(), &place.origin(), points).await;
    (place, proxy, two)
}
