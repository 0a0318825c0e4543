//! All integration tests of the server, in one binary.

mod live;
