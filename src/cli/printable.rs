//! Text from outside, as it may stand on a terminal.

pub(super) use lusoria_client::printable;
