//! lusoria
