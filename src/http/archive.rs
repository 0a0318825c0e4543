//! The archive of everything that is stored of a guest: a ZIP file, written while it is sent. At most one record and
//! a few KiB of what is packed are in memory.

use std::{fmt::Display, io, mem, sync::Arc};

use axum::body::Bytes;
use flate2::{Compression, Crc, write::DeflateEncoder};
use lusoria_protocol::{Problem, ToJson};
use lusoria_records::text::moment;
use parking_lot::Mutex;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter, ZipEntryWriter, time::UtcDateTime};
use tokio::sync::mpsc;

use super::{exports::Records, extract::RecordsForm};
use crate::app::{self, App, OwnData};

/// How many bytes are sent at once, or a few more.
const CHUNK_BYTES: usize = 32 * 1024;

/// What is in the archive, by the names of its files.
const README: &str = "\
README.txt       this text
me.json          who you are
account.json     your account: when it was opened, and how many recovery codes are left; not there if you have none
sessions.json    your devices: when they were signed in and last used
api-tokens.json  the API tokens of your programs: their names and scopes, and when they were last used
passkeys.json    your passkeys: their names, and when they were last used
preferences.json  what you prefer, on every device; not there if you have no account
conditional-turns.json  the turns that you have laid down for your matches by days
push-subscriptions.json  where you are told by push messages: at which push services, and since when
blocks.json      those whom you have blocked
follows.json     those whom you follow
challenge-settings.json  whose challenges you take, and to which games
challenges.json  the challenges that you made or got, and what came of those of the last hour
seeks.json       the opponents that you seek, and what came of those of the last hour
talk-settings.json  how you talk
conduct.json     how you stand, whom you have reported, and the live matches that you have left in the last two weeks
talk.ndjson      what you have said in matches in the last 90 days, the earliest first: a remark a line
matches.ndjson   the matches in which you sit, the newest first, but those that wait for an opponent: a record a line
matches.txt      the same as text for people, with an empty line between two matches

Each JSON file is what the API answers; /api describes it. Times in JSON are milliseconds since the beginning of 1970
(UTC). `lusoria replay FILE` checks the record of one match, with its dice.

The server knows no password, token or code, only what it needs to recognise them; so they are not here. The addresses
to which push messages go are not here either: who knows one can send there.
";

/// The archive, while it is written.
pub(super) struct Archive {
    chunks: mpsc::Receiver<Result<Option<Bytes>, Problem>>,
}

impl Archive {
    /// Begins to write it.
    pub(super) fn of(own: OwnData, app: &Arc<App>) -> Self {
        let (to, chunks) = mpsc::channel(1);
        let writer = Writer { app: Arc::clone(app), at: own.at, packed: Packed::default(), to };
        tokio::spawn(writer.write_all(own));
        Self { chunks }
    }

    /// What comes next; none at the end.
    ///
    /// # Errors
    /// As [`RecordsReader::next`](crate::app::RecordsReader::next).
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        self.chunks.recv().await.unwrap_or_else(|| Err(app::internal()))
    }
}

/// The files but the matches, with their names.
fn documents(own: &OwnData) -> Vec<(&'static str, Vec<u8>)> {
    let about = format!("What this server has stored of you, as of {}.\n\n{README}", moment(own.at));
    let mut documents = vec![
        ("README.txt", about.into_bytes()),
        ("me.json", own.me.to_json()),
        ("sessions.json", own.sessions.to_json()),
        ("api-tokens.json", own.api_tokens.to_json()),
        ("passkeys.json", own.passkeys.to_json()),
        ("conditional-turns.json", own.conditional_turns.to_json()),
        ("push-subscriptions.json", own.push_subscriptions.to_json()),
        ("blocks.json", own.blocks.to_json()),
        ("follows.json", own.follows.to_json()),
        ("challenge-settings.json", own.challenge_settings.to_json()),
        ("challenges.json", own.challenges.to_json()),
        ("seeks.json", own.seeks.to_json()),
        ("talk-settings.json", own.talk_settings.to_json()),
        ("conduct.json", own.conduct.to_json()),
    ];
    documents.extend(own.account.iter().map(|account| ("account.json", account.to_json())));
    documents.extend(own.preferences.iter().map(|preferred| ("preferences.json", preferred.to_json())));
    documents
}

/// Writes an archive, for as long as somebody reads it.
struct Writer {
    app: Arc<App>,
    /// In milliseconds since 1970.
    at: u64,
    /// What is to be sent.
    packed: Packed,
    to: mpsc::Sender<Result<Option<Bytes>, Problem>>,
}

/// Why an archive is not written to its end.
enum Stopped {
    /// Nobody reads it any more.
    Unread,
    Failed(Box<Problem>),
}

impl From<Problem> for Stopped {
    fn from(problem: Problem) -> Self {
        Self::Failed(Box::new(problem))
    }
}

impl Writer {
    async fn write_all(self, own: OwnData) {
        let last = match self.write(&own).await {
            Ok(()) => Ok(None),
            Err(Stopped::Failed(problem)) => Err(*problem),
            Err(Stopped::Unread) => return,
        };
        // Whether it is heard changes nothing.
        let _ = self.to.send(last).await;
    }

    async fn write(&self, own: &OwnData) -> Result<(), Stopped> {
        let mut archive = ZipArchiveWriter::new(self.packed.clone());
        for (name, document) in documents(own) {
            let (mut file, mut packing) = self.begin(&mut archive, name)?;
            packing = self.add(packing, document.into(), &mut file).await?;
            packing.end(file)?;
        }
        let (mut file, mut packing) = self.begin(&mut archive, "talk.ndjson")?;
        let mut last = None;
        loop {
            let remarks = own.remarks(last).await?;
            let Some(latest) = remarks.last() else { break };
            last = Some(latest.id);
            let lines: Vec<u8> =
                remarks.iter().flat_map(|remark| [remark.to_json(), b"\n".to_vec()].concat()).collect();
            packing = self.add(packing, lines.into(), &mut file).await?;
        }
        packing.end(file)?;
        for (name, form) in [("matches.ndjson", RecordsForm::Ndjson), ("matches.txt", RecordsForm::Text)] {
            let (mut file, mut packing) = self.begin(&mut archive, name)?;
            let mut records = Records::new(own.records(), form);
            while let Some(record) = records.next(&self.app).await? {
                packing = self.add(packing, record, &mut file).await?;
            }
            packing.end(file)?;
        }
        archive.finish().map_err(not_written)?;
        self.send(self.packed.take()).await
    }

    fn begin<'a>(
        &self,
        archive: &'a mut ZipArchiveWriter<Packed>,
        name: &str,
    ) -> Result<(ZipEntryWriter<'a, Packed>, Packing), Problem> {
        let at = UtcDateTime::from_unix(i64::try_from(self.at / 1_000).unwrap_or_default());
        let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE).last_modified(at);
        let (file, _) = file.start().map_err(not_written)?;
        Ok((file, Packing::default()))
    }

    /// Adds bytes to a file, and sends what is packed if it is enough.
    async fn add(
        &self,
        mut packing: Packing,
        bytes: Bytes,
        file: &mut ZipEntryWriter<'_, Packed>,
    ) -> Result<Packing, Stopped> {
        let added = self.app.in_background(move || {
            let packed = packing.add(&bytes);
            packed.map(|packed| (packing, packed))
        });
        let (packing, packed) = added.await?.map_err(not_written)?;
        io::Write::write_all(file, &packed).map_err(not_written)?;
        if self.packed.len() >= CHUNK_BYTES {
            self.send(self.packed.take()).await?;
        }
        Ok(packing)
    }

    async fn send(&self, packed: Vec<u8>) -> Result<(), Stopped> {
        self.to.send(Ok(Some(packed.into()))).await.map_err(|_| Stopped::Unread)
    }
}

/// Packs a file.
struct Packing {
    encoder: DeflateEncoder<Vec<u8>>,
    crc: Crc,
    bytes: u64,
}

impl Default for Packing {
    fn default() -> Self {
        Self { encoder: DeflateEncoder::new(Vec::new(), Compression::default()), crc: Crc::new(), bytes: 0 }
    }
}

impl Packing {
    /// Takes bytes, and gives what is packed by now.
    fn add(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.crc.update(bytes);
        self.bytes += bytes.len() as u64;
        io::Write::write_all(&mut self.encoder, bytes)?;
        Ok(mem::take(self.encoder.get_mut()))
    }

    fn end(self, mut file: ZipEntryWriter<'_, Packed>) -> Result<(), Problem> {
        let rest = self.encoder.finish().map_err(not_written)?;
        io::Write::write_all(&mut file, &rest).map_err(not_written)?;
        file.finish(DataDescriptorOutput::new(self.crc.sum(), self.bytes)).map_err(not_written)?;
        Ok(())
    }
}

/// What is packed and not sent yet.
#[derive(Debug, Clone, Default)]
struct Packed(Arc<Mutex<Vec<u8>>>);

impl Packed {
    fn len(&self) -> usize {
        self.0.lock().len()
    }

    fn take(&self) -> Vec<u8> {
        mem::take(&mut *self.0.lock())
    }
}

impl io::Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn not_written(error: impl Display) -> Problem {
    tracing::error!(%error, "could not write an archive");
    app::internal()
}
