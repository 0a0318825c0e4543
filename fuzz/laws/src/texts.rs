//! Texts with a form: names, seeds, hashes, codes, tokens, keys, cursors, ids, networks, and
//! the header in which proxies say whose request it is.

use std::{fmt::Debug, net::IpAddr};

use axum::http::{HeaderMap, HeaderValue};
use lusoria::{
    app::ClientAddress,
    config::{Network, NetworkError},
    http::client_address,
};
use lusoria_protocol::{
    Cursor, GuestId, Hash, IdempotencyKey, MatchId, Name, Notation, OneTimeCode, PlayerSeed, Token,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::rules::bytes::Bytes;

/// What is taken has the length and the letters that were promised and is written as it was
/// read; two names for one form agree; a network contains its own address; and only what
/// trusted proxies wrote decides whose request it is.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let is_base64url = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    has_form::<Name>(&text, 1..=24, |c| !c.is_control());
    has_form::<PlayerSeed>(&text, 1..=64, |c| (' '..='~').contains(&c) && c != '|');
    has_form::<Hash>(&text, 64..=64, |c| matches!(c, '0'..='9' | 'a'..='f'));
    has_form::<OneTimeCode>(&text, 1..=64, is_base64url);
    has_form::<Token>(&text, 1..=128, is_base64url);
    has_form::<IdempotencyKey>(&text, 1..=64, |c| c.is_ascii_graphic());
    has_form::<Cursor>(&text, 36..=36, |c| matches!(c, '0'..='9' | 'a'..='f' | '-'));
    has_form::<Notation>(&text, 1..=256, |c| (' '..='~').contains(&c));
    has_form::<MatchId>(&text, 36..=36, |c| matches!(c, '0'..='9' | 'a'..='f' | '-'));
    has_form::<GuestId>(&text, 36..=36, |c| matches!(c, '0'..='9' | 'a'..='f' | '-'));
    agree(&text);
    network(&text);
    forwarded(bytes);
}

/// What is taken has that length in characters and those alone, and is written as it was read.
fn has_form<T>(text: &str, chars: std::ops::RangeInclusive<usize>, fits: impl Fn(char) -> bool)
where
    T: Serialize + DeserializeOwned + Debug,
{
    let json = serde_json::to_string(text).expect("a text is plain data");
    match serde_json::from_str::<T>(&json) {
        Ok(taken) => {
            assert!(chars.contains(&text.chars().count()) && text.chars().all(fits), "{text:?} was taken");
            assert_eq!(serde_json::to_string(&taken).expect("a text is plain data"), json, "{taken:?}");
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
}

fn agree(text: &str) {
    let owned = || text.to_owned();
    assert_eq!(Cursor::try_from(owned()).is_ok(), text.parse::<MatchId>().is_ok());
    if let Ok(cursor) = Cursor::try_from(owned()) {
        assert_eq!(cursor.after().to_string(), text);
    }
    if let Ok(name) = Name::try_from(owned()) {
        assert!(!name.trimmed().is_empty());
        assert!(Name::try_from(name.trimmed().to_owned()).is_ok());
    }
    if let Ok(token) = Token::try_from(owned()) {
        assert!(text.len() < 8 || !format!("{token:?}").contains(text), "a token is shown by Debug");
    }
}

fn network(text: &str) {
    match text.parse::<Network>() {
        Ok(network) => {
            let written = network.to_string();
            assert_eq!(written.parse(), Ok(network), "{written}");
            let (address, _) = written.split_once('/').expect("a network is written with its prefix");
            let address: IpAddr = address.parse().expect("a network is written with its address");
            assert!(network.contains(address), "{network} does not contain itself");
        }
        Err(why @ (NetworkError::Address(_) | NetworkError::Prefix { .. })) => {
            assert!(!why.to_string().is_empty());
        }
    }
}

fn forwarded(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let address = |text: &str| -> IpAddr { text.parse().expect("an address") };
    let peers = ["10.1.2.3", "::1", "::ffff:10.9.9.9", "192.0.2.7", "2001:db8::1"].map(address);
    let peer = *bytes.one_of(&peers);
    let trusted: Vec<Network> =
        ["10.0.0.0/8", "::1"].iter().map(|network| network.parse().expect("a network")).collect();
    let mut headers = HeaderMap::new();
    let rest = bytes.text();
    for line in rest.lines() {
        if let Ok(value) = HeaderValue::from_bytes(line.as_bytes()) {
            headers.append("x-forwarded-for", value);
        }
    }
    let ClientAddress(client) = client_address(peer, &headers, &trusted);
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    assert_eq!(client, client.to_canonical());
    if !is_trusted(peer) {
        assert_eq!(client, peer.to_canonical(), "an untrusted peer was believed");
    }
    if client != peer.to_canonical() {
        assert!(!is_trusted(client), "a proxy was taken for a client");
        let named = rest.split([',', '\n', '\r']).filter_map(|word| word.trim().parse::<IpAddr>().ok());
        let is_named = named.map(|address| address.to_canonical()).any(|address| address == client);
        assert!(
            is_named || client.is_unspecified(),
            "nobody named {client}, and it is not that of the unreadable"
        );
    }
}
