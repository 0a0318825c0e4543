//! Tells by the system's tables whether the server still has its end of a connection open. A client that does
//! not read cannot see that: the close comes after everything that it has not read.

use std::{fs, io, net::SocketAddr};

/// The state of a connection that neither end has closed, in `/proc/net/tcp`.
const ESTABLISHED: &str = "01";

/// Whether the server serves the connection from `client`.
///
/// # Errors
/// If the system cannot tell: only Linux can.
pub(super) fn is_served(server: SocketAddr, client: SocketAddr) -> io::Result<bool> {
    Ok(is_established(&fs::read_to_string("/proc/net/tcp")?, server, client))
}

fn is_established(table: &str, server: SocketAddr, client: SocketAddr) -> bool {
    let (server, client) = (written(server), written(client));
    table.lines().any(|line| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        fields.next() == Some(&server) && fields.next() == Some(&client) && fields.next() == Some(ESTABLISHED)
    })
}

/// An address as the system writes it: the bytes of the address in the order of the machine.
fn written(address: SocketAddr) -> String {
    let ip = match address {
        SocketAddr::V4(address) => u32::from_ne_bytes(address.ip().octets()),
        SocketAddr::V6(_) => 0,
    };
    format!("{ip:08X}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_endian = "little")]
    fn a_connection_is_found_by_both_ends_and_its_state() {
        let table = "  sl  local_address rem_address   st tx_queue\n   \
            0: 0100007F:1F90 0100007F:C350 01 00000000\n   1: 0100007F:1F90 0100007F:C351 04 00000000\n";
        let at = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
        assert!(is_established(table, at(8080), at(50_000)));
        assert!(!is_established(table, at(8080), at(50_001)), "closed");
        assert!(!is_established(table, at(50_000), at(8080)), "the other end");
    }
}
