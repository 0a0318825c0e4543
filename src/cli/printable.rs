//! Text from outside, as it may stand on a terminal.

pub(super) use crate::client::printable;
