//! Servers for tests: without a network, over any store and under the runtime's time; or on a
//! free port.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use lusoria::{
    app::{App, BackgroundPool, Caller, wire},
    config::{Config, Limits, Site},
    live::{Cluster, Live, OsEntropy, ServerTime},
    server::Server,
};
use lusoria_play::{Millis, PlayerId};
use lusoria_protocol::{CreateGuest, Token};
use lusoria_store::{AccountOpening, JoinError, NewAccount, PasswordHash, Store};
use lusoria_testkit::{parsed, seeded_bytes};

use super::database;

/// Where the guests' requests come from.
pub(crate) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Flags of a server that lets every client ask as fast as it can.
pub(crate) const GENEROUS: [&str; 8] = [
    "--guest-requests-per-s",
    "100000",
    "--guest-burst",
    "100000",
    "--address-requests-per-s",
    "100000",
    "--address-burst",
    "100000",
];

/// Starts it at `now`. Its random bytes follow from the seed, its costly work is done at once.
///
/// # Errors
/// If the store cannot be read.
pub(crate) async fn app(
    store: Arc<Store>,
    now: Millis,
    seed: u64,
    limits: &Limits,
) -> Result<Arc<App>, JoinError> {
    node(store, Cluster::none(), now, seed, limits).await
}

/// Starts one of several nodes, the same way.
///
/// # Errors
/// As [`Live::begin`].
pub(crate) async fn node(
    store: Arc<Store>,
    cluster: Cluster,
    now: Millis,
    seed: u64,
    limits: &Limits,
) -> Result<Arc<App>, JoinError> {
    let (time, bytes) = (ServerTime::from_epoch(now), Arc::new(seeded_bytes(seed)));
    let live = Live::prepare(store, cluster, time, bytes, Arc::new(wire::JsonRender));
    live.begin().await?;
    Ok(App::new(
        live,
        limits.clone(),
        Site::default(),
        BackgroundPool::Inline,
        Arc::new(BackgroundPool::Inline),
    ))
}

/// A new guest, who has just shown their token.
pub(crate) async fn guest(app: &App, request: CreateGuest) -> (Caller, Token) {
    let guest = app.create_guest(request, ADDRESS).await.expect("a new guest");
    (app.authenticate(guest.token.clone()).await.expect("a good token"), guest.token)
}

/// Opens an account for an authenticated guest.
pub(crate) async fn open_account(store: &Store, guest: PlayerId, handle: &str, created_at: Millis) {
    let sessions = store.sessions(guest).await.expect("read");
    let new = NewAccount {
        guest,
        by: sessions[0].id,
        handle: handle.to_owned(),
        skeleton: handle.to_lowercase(),
        default_name: String::new(),
        password: Some(PasswordHash("$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA".to_owned())),
        passkey: None,
        recovery_codes: Vec::new(),
        sign_up_code: None,
        created_at,
    };
    assert_eq!(store.open_account(new).await.expect("asked"), AccountOpening::Opened);
}

/// A server on a free port, over an empty store, started with these flags.
pub(crate) async fn server_with(flags: &[&str]) -> Server {
    server_over(database::store_in_real_time(), ServerTime::from_system(), flags).await
}

/// The same over any store and at any time.
pub(crate) async fn server_over(store: Arc<Store>, time: ServerTime, flags: &[&str]) -> Server {
    let config: Config = parsed(&[&["--listen", "127.0.0.1:0"], flags].concat());
    Server::start_with(&config, store, time, Arc::new(OsEntropy)).await.expect("a server on a free port")
}
