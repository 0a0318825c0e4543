//! What several tests need.

pub(crate) mod http;
pub(crate) mod random;
pub(crate) mod random_match;
pub(crate) mod server;
pub(crate) mod store;

use lusoria_protocol::Record;
use lusoria_records::replay::judge;

/// Nothing is wrong with a record, and all of it was judged.
#[track_caller]
pub(crate) fn assert_sound(record: &Record) {
    let report = judge(record);
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(report.is_sound(), "{faults:#?}");
    assert_eq!((report.judged, report.events), (record.events.len(), record.events.len()));
}
