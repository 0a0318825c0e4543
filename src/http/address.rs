//! The client's address of a request, behind a proxy or not.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::HeaderMap;

use crate::{app::ClientAddress, config::Network};

/// The address of all clients whose own cannot be read: they share their limits, and are never taken for a proxy.
const UNREADABLE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The client's address. `X-Forwarded-For` is trusted only as far as trusted proxies wrote it: the last address in it
/// that is not a trusted proxy's.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> ClientAddress {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.contains(address));
    let peer = peer.to_canonical();
    if !is_trusted(peer) {
        return ClientAddress(peer);
    }
    // From the end, and no further than it is trusted: a client may have sent thousands of addresses, or bytes that
    // are not text.
    let written_last_first = headers.get_all("x-forwarded-for").iter().rev();
    for bytes in written_last_first.flat_map(|value| value.as_bytes().rsplit(|&byte| byte == b',')) {
        match bytes.trim_ascii() {
            b"" => {}
            bytes => match written(bytes) {
                Some(address) if is_trusted(address) => {}
                Some(address) => return ClientAddress(address),
                None => return ClientAddress(UNREADABLE),
            },
        }
    }
    ClientAddress(peer)
}

/// An address as proxies write it: some add the port, some put IPv6 in brackets.
fn written(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?;
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    let address: Option<IpAddr> = text.parse().ok().or_else(with_port).or_else(bare);
    address.map(|address| address.to_canonical())
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
            ("10.1.2.3", "203.0.113.9, nonsense", "0.0.0.0"),
            ("10.1.2.3", "\u{fc}", "0.0.0.0"),
            ("10.1.2.3", "\u{fc}, 198.51.100.1", "198.51.100.1"),
            ("10.1.2.3", "\u{fc}, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
            ("10.1.2.3", "198.51.100.1, \u{fc}", "0.0.0.0"),
            ("10.1.2.3", "198.51.100.1,", "198.51.100.1"),
            ("10.1.2.3", "", "10.1.2.3"),
            ("::1", "2001:db8::1", "2001:db8::1"),
            ("::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"),
            ("10.1.2.3", "198.51.100.1:4711", "198.51.100.1"),
            ("10.1.2.3", "[2001:db8::1]:4711, 10.9.9.9", "2001:db8::1"),
            ("10.1.2.3", "[2001:db8::1]", "2001:db8::1"),
            ("10.1.2.3", "198.51.100.1:65536", "0.0.0.0"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_bytes(forwarded.as_bytes()).unwrap());
            let found = client_address(address(peer), &headers, &trusted);
            assert_eq!(found, ClientAddress(address(client)), "{peer} saying {forwarded:?}");
        }
    }

    #[test]
    fn of_several_headers_the_last_one_was_written_last() {
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("203.0.113.9"));
        headers.append("x-forwarded-for", HeaderValue::from_static("198.51.100.1, 10.0.0.2"));
        let found = client_address(address("10.1.2.3"), &headers, &trusted);
        assert_eq!(found, ClientAddress(address("198.51.100.1")));
    }
}
