//! The archive of all data stored about a guest: a ZIP file, written while it is sent. At most one record and a few
//! KiB of compressed data are in memory.

use std::{fmt::Display, io, mem, sync::Arc};

use axum::body::Bytes;
use flate2::{Compression, Crc, write::DeflateEncoder};
use lusoria_protocol::{Problem, ToJson};
use lusoria_records::text::moment;
use parking_lot::Mutex;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter, ZipEntryWriter, time::UtcDateTime};
use tokio::sync::mpsc;

use super::{exports::Records, extract::RecordsForm};
use crate::app::{self, App, OwnData, RecordsReader, TournamentRecords};

/// The approximate size of a chunk that is sent, in bytes.
const CHUNK_BYTES: usize = 32 * 1024;

/// The contents of the archive, by file name.
const README: &str = "\
README.txt       this text
me.json          your guest: id and name
account.json     your account: when it was opened, and the recovery codes left; missing if you have none
sessions.json    your devices: when they were signed in and last used
api-tokens.json  the API tokens of your programs: their names and scopes, and when they were last used
passkeys.json    your passkeys: their names, and when they were last used
preferences.json  your preferences, on every device; missing if you have no account
conditional-turns.json  your conditional turns in correspondence matches
push-subscriptions.json  your push subscriptions: the push services, and since when
blocks.json      the people you blocked
follows.json     the people you follow
challenge-settings.json  the challenges that you accept: from whom, and to which games
challenges.json  the challenges that you sent or received: open ones, and those that ended in the last hour
seeks.json       your seeks: open ones, and those that were answered in the last hour
talk-settings.json  your settings for talk
tournaments.ndjson  the tournaments that you entered or organise, the latest first: one a line
conduct.json     your sanctions, your reports, and the live matches that you left in the last two weeks
talk.ndjson      your remarks in matches in the last 90 days, the earliest first: one a line
matches.ndjson   the matches in which you have a seat, the newest first, except open ones: a record a line
matches.txt      the same as text for people, with an empty line between two matches

Each JSON file is a response of the API; /api describes it. Times in JSON are milliseconds since the beginning of 1970
(UTC). `lusoria replay FILE` checks the record of one match, with its dice.

The server stores no password, token or code, only hashes that recognise them, so they are not here. The addresses
of push messages are not here either: anybody with such an address can send there.
";

/// What the archive of a tournament contains.
const TOURNAMENT_README: &str = "\
README.txt      this text
standings.json  the standings
pairings.json   the pairings and byes
matches.ndjson  the ended matches, in order of pairing: a record a line
matches.txt     the same as text for people, with an empty line between two matches

Each JSON file is a response of the API; /api describes it. Times in JSON are milliseconds since the beginning of 1970
(UTC). `lusoria replay FILE` checks the record of one match, with its dice.
";

/// An archive that is being written.
pub(super) struct Archive {
    chunks: mpsc::Receiver<Result<Option<Bytes>, Problem>>,
}

impl Archive {
    /// Begins to write it.
    pub(super) fn of(contents: Contents, app: &Arc<App>) -> Self {
        let (to, chunks) = mpsc::channel(1);
        let writer = Writer { app: Arc::clone(app), at: contents.at(), packed: Packed::default(), to };
        tokio::spawn(writer.write_all(contents));
        Self { chunks }
    }

    /// The next chunk; none at the end.
    ///
    /// # Errors
    /// As [`RecordsReader::next`](crate::app::RecordsReader::next).
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        self.chunks.recv().await.unwrap_or_else(|| Err(app::internal()))
    }
}

/// The contents of an archive.
pub(super) enum Contents {
    /// All data stored about a guest.
    Own(Box<OwnData>),
    /// The matches of a tournament.
    Tournament(Box<TournamentRecords>),
}

impl Contents {
    const fn at(&self) -> u64 {
        match self {
            Self::Own(own) => own.at,
            Self::Tournament(of) => of.at,
        }
    }

    fn documents(&self) -> Vec<(&'static str, Vec<u8>)> {
        match self {
            Self::Own(own) => documents(own),
            Self::Tournament(of) => vec![
                ("README.txt", TOURNAMENT_README.as_bytes().to_vec()),
                ("standings.json", of.standings.to_vec()),
                ("pairings.json", of.pairings.to_vec()),
            ],
        }
    }

    fn records(&self) -> RecordsReader {
        match self {
            Self::Own(own) => own.records(),
            Self::Tournament(of) => of.records(),
        }
    }
}

/// The files except the matches, with their names.
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

fn lines(of: &[impl ToJson]) -> Bytes {
    of.iter().flat_map(|one| [one.to_json(), b"\n".to_vec()].concat()).collect::<Vec<u8>>().into()
}

/// Writes an archive until the end, or until its reader disconnects.
struct Writer {
    app: Arc<App>,
    /// In milliseconds since 1970.
    at: u64,
    /// The channel to the reader.
    packed: Packed,
    to: mpsc::Sender<Result<Option<Bytes>, Problem>>,
}

/// The reason why an archive is incomplete.
enum Stopped {
    /// The reader has disconnected.
    Unread,
    Failed(Box<Problem>),
}

impl From<Problem> for Stopped {
    fn from(problem: Problem) -> Self {
        Self::Failed(Box::new(problem))
    }
}

impl Writer {
    async fn write_all(self, contents: Contents) {
        let last = match self.write(&contents).await {
            Ok(()) => Ok(None),
            Err(Stopped::Failed(problem)) => Err(*problem),
            Err(Stopped::Unread) => return,
        };
        // If nobody receives the error, there is nothing left to do.
        let _ = self.to.send(last).await;
    }

    async fn write(&self, contents: &Contents) -> Result<(), Stopped> {
        let mut archive = ZipArchiveWriter::new(self.packed.clone());
        for (name, document) in contents.documents() {
            let (mut file, mut packing) = self.begin(&mut archive, name)?;
            packing = self.add(packing, document.into(), &mut file).await?;
            packing.end(file)?;
        }
        if let Contents::Own(own) = contents {
            self.write_talk(&mut archive, own).await?;
            self.write_tournaments(&mut archive, own).await?;
        }
        for (name, form) in [("matches.ndjson", RecordsForm::Ndjson), ("matches.txt", RecordsForm::Text)] {
            let (mut file, mut packing) = self.begin(&mut archive, name)?;
            let mut records = Records::new(contents.records(), form);
            while let Some(record) = records.next(&self.app).await? {
                packing = self.add(packing, record, &mut file).await?;
            }
            packing.end(file)?;
        }
        archive.finish().map_err(not_written)?;
        self.send(self.packed.take()).await
    }

    async fn write_talk(&self, archive: &mut ZipArchiveWriter<Packed>, own: &OwnData) -> Result<(), Stopped> {
        let (mut file, mut packing) = self.begin(archive, "talk.ndjson")?;
        let mut last = None;
        loop {
            let remarks = own.remarks(last).await?;
            let Some(latest) = remarks.last() else { break };
            last = Some(latest.id);
            packing = self.add(packing, lines(&remarks), &mut file).await?;
        }
        packing.end(file)?;
        Ok(())
    }

    async fn write_tournaments(
        &self,
        archive: &mut ZipArchiveWriter<Packed>,
        own: &OwnData,
    ) -> Result<(), Stopped> {
        let (mut file, mut packing) = self.begin(archive, "tournaments.ndjson")?;
        let mut after = None;
        loop {
            let (tournaments, next) = own.tournaments(after).await?;
            packing = self.add(packing, lines(&tournaments), &mut file).await?;
            after = next;
            if after.is_none() {
                break;
            }
        }
        packing.end(file)?;
        Ok(())
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

    /// Adds bytes to a file, and sends the compressed data if there is enough.
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

/// Compresses a file.
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
    /// Accepts bytes, and returns the data compressed so far.
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

/// Compressed data that is not sent yet.
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
