//! Databases of earlier versions, as their servers left them: the golden databases of the tests, enlarged.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use rand::{RngExt, rngs::StdRng};
use rusqlite::{Connection, config::DbConfig};

use super::TrialError;
use crate::server::{beside, now_ms};

/// Where they are kept, packed, in folders with the numbers of their versions.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/it/golden/databases");

/// The last version whose database a server copies into a new file. Later ones are changed in place.
const LAST_COPIED: &str = "0006";

/// How often each finished match is there, so that bringing the database up to date takes a while.
const COPIES: std::ops::Range<u32> = 20..100;

/// How long what expires is still good.
const GOOD_FOR_MS: u64 = 3_600_000;

/// The tables with rows of matches, as far as they are copied.
const OF_MATCHES: [&str; 4] = ["matches", "events", "secrets", "used_keys"];

/// Puts one of them there, of any version that is copied, as a server that stopped or was killed left it.
/// Returns which.
pub(super) fn put(database: &Path, random: &mut StdRng) -> Result<String, TrialError> {
    let mut versions: Vec<PathBuf> =
        fs::read_dir(FOLDER)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    versions.retain(|folder| folder.file_name().is_some_and(|version| version <= LAST_COPIED));
    versions.sort();
    let folder = &versions[random.random_range(0..versions.len())];
    let was_killed = random.random_ratio(1, 2);
    unpack(&folder.join("lusoria.db.gz"), database)?;
    if was_killed {
        unpack(&folder.join("lusoria.db-wal.gz"), &beside(database, "-wal"))?;
    }
    let copies = random.random_range(COPIES);
    enlarge(database, copies, was_killed)?;
    let (version, how) =
        (folder.file_name().unwrap_or_default(), if was_killed { "killed" } else { "stopped" });
    Ok(format!("{}, {how}, with {copies} copies", version.display()))
}

fn unpack(packed: &Path, to: &Path) -> io::Result<()> {
    let mut bytes = Vec::new();
    GzDecoder::new(&fs::read(packed)?[..]).read_to_end(&mut bytes)?;
    fs::write(to, bytes)
}

/// Copies the finished matches under other ids, and lets nothing have expired. After a kill what is new is
/// in the WAL.
fn enlarge(database: &Path, copies: u32, was_killed: bool) -> rusqlite::Result<()> {
    let mut connection = Connection::open(database)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, was_killed)?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    let transaction = connection.transaction()?;
    let put_off = "UPDATE invitations SET expires_at = ?1 + ?2; \
         UPDATE device_codes SET expires_at = ?1 + ?2; \
         UPDATE used_keys SET at = ?1";
    for statement in put_off.split(';') {
        let mut statement = transaction.prepare(statement)?;
        let times = [now_ms(), GOOD_FOR_MS].map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        statement.execute(rusqlite::params_from_iter(&times[..statement.parameter_count()]))?;
    }
    let finished = "CREATE TEMP TABLE finished AS SELECT id FROM matches WHERE state = 'finished'";
    transaction.execute(finished, [])?;
    for table in OF_MATCHES {
        let mut statement = transaction.prepare(&copying(&transaction, table)?)?;
        for copy in 1..=copies {
            statement.execute([copy])?;
        }
    }
    transaction.execute("DROP TABLE temp.finished", [])?;
    transaction.commit()
}

/// The statement that copies the rows of a table. Its columns differ with the version.
fn copying(connection: &Connection, table: &str) -> rusqlite::Result<String> {
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let columns: Vec<String> = columns.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let id = if table == "matches" { "id" } else { "match_id" };
    // The last twelve digits of the id begin with the number of the copy.
    let new_id = format!("substr({id}, 1, 24) || printf('%04x', ?1) || substr({id}, 29)");
    let copied = columns.iter().map(|column| match column.as_str() {
        column if column == id => new_id.clone(),
        "key" => "key || '-' || ?1".to_owned(),
        column => column.to_owned(),
    });
    let copied: Vec<String> = copied.collect();
    let (columns, copied) = (columns.join(", "), copied.join(", "));
    Ok(format!("INSERT INTO {table} ({columns}) SELECT {copied} FROM {table} WHERE {id} IN finished"))
}
