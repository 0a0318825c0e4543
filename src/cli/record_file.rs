//! Records as files that a command line names.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use super::{Failure, printable};
use lusoria_records::{self as record, BYTES_MAX, RecordFile};

/// Reads a record of either format; `-` is the standard input.
pub(super) fn read(path: &Path) -> Result<RecordFile, Failure> {
    let name = path.display();
    let mut bytes = Vec::new();
    let bytes_max = BYTES_MAX as u64 + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(bytes_max).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(bytes_max).read_to_end(&mut bytes))
    }
    .map_err(|why| Failure::Io { what: name.to_string(), why })?;
    record::read(&bytes).map_err(|why| Failure::Usage(format!("{name}: {}", printable(&why.to_string()))))
}
