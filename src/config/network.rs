//! An address or a network of addresses.

use std::{fmt, net::IpAddr, str::FromStr};

/// A network such as `10.0.0.0/8`; a single address is a network of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// How many leading bits the addresses of the network share.
    prefix: u8,
}

impl Network {
    /// Whether the address belongs to the network. An IPv4 address and the same address written as IPv6
    /// (`::ffff:10.0.0.1`) count as one, in the network and in the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        let shares = |differing: u128| differing.leading_zeros() >= u32::from(self.prefix);
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                (ours.to_bits() ^ theirs.to_bits()).leading_zeros() >= u32::from(self.prefix)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => shares(ours.to_bits() ^ theirs.to_bits()),
            (IpAddr::V6(ours), IpAddr::V4(theirs)) => {
                shares(ours.to_bits() ^ theirs.to_ipv6_mapped().to_bits())
            }
            (IpAddr::V4(_), IpAddr::V6(_)) => false,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// The text is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The part before the slash is not an address.
    #[error("\"{0}\" is not an IP address")]
    Address(String),
    /// The part after the slash is not a valid prefix.
    #[error("a network's prefix is a number from 0 to {max}, not \"{found}\"")]
    Prefix {
        /// 32 for IPv4, 128 for IPv6.
        max: u8,
        /// The text after the slash.
        found: String,
    },
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, prefix) =
            text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr =
            address.trim().parse().map_err(|_| NetworkError::Address(address.to_owned()))?;
        let max = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => max,
            Some(found) => found
                .trim()
                .parse()
                .ok()
                .filter(|&prefix| prefix <= max)
                .ok_or_else(|| NetworkError::Prefix { max, found: found.to_owned() })?,
        };
        Ok(Self { address, prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_contains_what_shares_its_prefix() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
            ("192.168.1.7", "192.168.1.7", "192.168.1.6"),
            ("192.168.1.7/31", "192.168.1.6", "192.168.1.8"),
            ("10.0.0.0/8", "::ffff:10.1.1.1", "::10.1.1.1"),
            ("2001:db8::/32", "2001:db8:1::1", "2001:db9::1"),
            ("0.0.0.0/0", "8.8.8.8", "::1"),
            ("::ffff:10.0.0.0/104", "10.1.1.1", "11.0.0.0"),
            ("::ffff:192.168.1.7", "::ffff:192.168.1.7", "::192.168.1.7"),
        ] {
            let contains = |address: &str| {
                network.parse::<Network>().expect(network).contains(address.parse().expect(address))
            };
            assert!(contains(inside), "{inside} in {network}");
            assert!(!contains(outside), "{outside} not in {network}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "localhost", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/-1"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
