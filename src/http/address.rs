//! Whose request it is, behind a proxy or not.

use std::net::IpAddr;

use axum::http::HeaderMap;

use crate::{app::ClientAddress, config::Network};

/// The client's address. `X-Forwarded-For` is believed only as far as trusted proxies
/// wrote it: read from its end, the first address that is not a trusted proxy's.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> ClientAddress {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.contains(address));
    let peer = peer.to_canonical();
    if !is_trusted(peer) {
        return ClientAddress(peer);
    }
    let said: Vec<_> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|address| address.trim().parse::<IpAddr>())
        .collect();
    for address in said.iter().rev() {
        match address {
            Ok(address) if is_trusted(address.to_canonical()) => {}
            Ok(address) => return ClientAddress(address.to_canonical()),
            Err(_) => break,
        }
    }
    ClientAddress(peer)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()];
        for (peer, forwarded, client) in [
            ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
            ("10.1.2.3", "198.51.100.1", "198.51.100.1"),
            ("10.1.2.3", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
            ("10.1.2.3", "203.0.113.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
            ("10.1.2.3", "203.0.113.9, nonsense", "10.1.2.3"),
            ("10.1.2.3", "", "10.1.2.3"),
            ("::1", "2001:db8::1", "2001:db8::1"),
            ("::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_str(forwarded).unwrap());
            let found = client_address(address(peer), &headers, &trusted);
            assert_eq!(found, ClientAddress(address(client)), "{peer} saying {forwarded:?}");
        }
    }
}
