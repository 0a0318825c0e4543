//! SQLite files as another program sees them: to read what the server does not show, and to do what it would
//! never do.

use std::{
    fmt::Write,
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, JoinHandle},
};

use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Error, Row as _, SqliteConnection, TypeInfo as _,
    ValueRef as _,
    sqlite::{SqliteConnectOptions, SqliteRow},
};
use tokio::runtime::Builder;

/// A connection to a database file. Dropping it closes it, and ends its locks and its transaction.
///
/// Its calls wait for SQLite, which waits five seconds for a lock. They can be made anywhere, also in a test
/// with paused time: the connection has a thread with its own runtime.
pub struct File {
    path: PathBuf,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// The values of some rows, as text.
type Rows = Vec<Vec<String>>;

/// Statements, and the channel for their rows.
struct Job {
    sql: String,
    rows: Sender<Result<Rows, Error>>,
}

impl File {
    /// Opens a file.
    ///
    /// # Errors
    /// If it does not exist or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::connect(path, false)
    }

    /// Opens a file, and creates it if it does not exist.
    ///
    /// # Errors
    /// If it can be neither opened nor created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::connect(path, true)
    }

    fn connect(path: &Path, may_create: bool) -> io::Result<Self> {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(may_create);
        let runtime = Builder::new_current_thread().build()?;
        let (jobs, asked) = mpsc::channel();
        let (opened, is_open) = mpsc::channel();
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                match options.connect().await {
                    Ok(connection) => {
                        answer(&opened, Ok(()));
                        serve(connection, asked).await;
                    }
                    Err(error) => answer(&opened, Err(error)),
                }
            });
        });
        let file = Self { path: path.to_owned(), jobs: Some(jobs), thread: Some(thread) };
        file.answered(&is_open)?;
        Ok(file)
    }

    /// Runs statements. Returns all rows that they find: a line for each row, with `|` between its values;
    /// bytes are lower-case hexadecimal digits, and NULL is empty.
    ///
    /// # Errors
    /// If SQLite refuses one of them. Those before it have been run.
    pub fn run(&self, sql: &str) -> io::Result<String> {
        let lines: Vec<String> = self.rows(sql)?.iter().map(|row| row.join("|")).collect();
        Ok(lines.join("\n"))
    }

    /// Runs statements. Returns the values of all rows that they find, in the same form.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn rows(&self, sql: &str) -> io::Result<Vec<Vec<String>>> {
        let (rows, found) = mpsc::channel();
        if let Some(jobs) = &self.jobs {
            // If the thread has ended, no result comes back, which is an error below.
            let _ = jobs.send(Job { sql: sql.to_owned(), rows });
        }
        self.answered(&found)
    }

    /// Runs a query that finds one row with one value.
    ///
    /// # Errors
    /// As [`Self::run`], or if it finds anything else.
    pub fn value<T: FromStr>(&self, sql: &str) -> io::Result<T> {
        let rows = self.rows(sql)?;
        if let [row] = &rows[..]
            && let [value] = &row[..]
            && let Ok(value) = value.parse()
        {
            return Ok(value);
        }
        Err(io::Error::other(format!("{}: {sql} finds {rows:?}", self.path.display())))
    }

    /// Waits for the thread's result.
    fn answered<T>(&self, from: &Receiver<Result<T, Error>>) -> io::Result<T> {
        let said = from.recv().unwrap_or(Err(Error::WorkerCrashed));
        said.map_err(|error| io::Error::other(format!("{}: {error}", self.path.display())))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // If it panicked, its messages are on standard error, and the caller got an error.
            let _ = thread.join();
        }
    }
}

/// Runs jobs until the channel is closed.
async fn serve(mut connection: SqliteConnection, jobs: Receiver<Job>) {
    for Job { sql, rows } in jobs {
        let found = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut connection).await;
        answer(&rows, found.and_then(|found| found.iter().map(texts).collect()));
    }
    // Data that could not be written at the end is found by the next connection.
    let _ = connection.close().await;
}

fn answer<T>(to: &Sender<Result<T, Error>>, answer: Result<T, Error>) {
    // The caller waits for it, unless its thread has panicked.
    let _ = to.send(answer);
}

/// The values of a row.
fn texts(row: &SqliteRow) -> Result<Vec<String>, Error> {
    let text = |at: usize| -> Result<String, Error> {
        if row.try_get_raw(at)?.type_info().name() == "BLOB" {
            let bytes: Option<Vec<u8>> = row.try_get_unchecked(at)?;
            return Ok(hexadecimal(&bytes.unwrap_or_default()));
        }
        // SQLite converts numbers to text by itself.
        Ok(row.try_get_unchecked::<Option<String>, _>(at)?.unwrap_or_default())
    };
    (0..row.len()).map(text).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_file() -> (tempfile::TempDir, PathBuf, File) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        let file = File::create(&path).expect("made");
        (folder, path, file)
    }

    #[test]
    fn rows_are_read_as_text() {
        let (_folder, _, file) = new_file();
        let made = "CREATE TABLE t (a, b blob, c); INSERT INTO t VALUES (7, x'00ff', 'z'), (-1.5, NULL, '')";
        assert_eq!(file.run(made).expect("run"), "");
        assert_eq!(file.run("SELECT * FROM t; SELECT COUNT(*) FROM t").expect("read"), "7|00ff|z\n-1.5||\n2");
        assert_eq!(file.rows("SELECT a, c FROM t WHERE a > 0").expect("read"), [["7", "z"]]);
        assert_eq!(file.value::<u64>("SELECT COUNT(*) FROM t").expect("read"), 2);
        for other in ["SELECT a FROM t", "SELECT a, b FROM t WHERE a = 7", "SELECT c FROM t WHERE a = 7"] {
            assert!(file.value::<u64>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn an_error_says_which_file_and_what() {
        let (folder, path, file) = new_file();
        let refused = file.run("SELECT 1; SELEC").expect_err("no SQL").to_string();
        let path = path.display().to_string();
        assert!(refused.starts_with(&path) && refused.contains("syntax error"), "{refused}");
        assert_eq!(file.run("SELECT 1").expect("it goes on"), "1");
        let missing = folder.path().join("missing.db");
        assert!(File::open(&missing).is_err());
        assert!(!missing.exists());
    }

    /// Like tests of the server, whose runtime this blocks.
    #[tokio::test(start_paused = true)]
    async fn a_lock_is_held_until_it_is_given_up() {
        const LOCK: &str = "PRAGMA busy_timeout = 0; BEGIN IMMEDIATE";
        let (_folder, path, file) = new_file();
        file.run("CREATE TABLE t (a)").expect("made");
        let other = File::open(&path).expect("opened");
        file.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)").expect("begun");
        assert!(other.run(LOCK).expect_err("it is locked").to_string().contains("locked"));
        file.run("COMMIT; BEGIN IMMEDIATE; DELETE FROM t").expect("run");
        drop(file);
        other.run(LOCK).expect("nobody else has it");
        assert_eq!(other.value::<u64>("SELECT COUNT(*) FROM t").expect("read"), 1);
    }
}
