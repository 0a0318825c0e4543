//! The process of an engine, and its three pipes.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read, Write},
    process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{
    super::{Program, error::TurnError},
    Fault,
    answer::shown,
    fault::{StderrTail, millis},
    process_group::ProcessGroup,
};

/// The longest line that an engine may reply with, in bytes: far more than any turn needs.
const LINE_BYTES_MAX: usize = 64 << 10;

/// How many lines may wait to be written to an engine, and to be read from it.
const LINES_WAITING_MAX: usize = 8;

/// How many of the last lines of its standard error are kept, and how much of each.
const LAST_WORDS_LINES: usize = 5;
const LAST_WORDS_BYTES: usize = 200;

/// How often a wait for a reply checks whether the arena must stop.
const STOP_SEEN_WITHIN: Duration = Duration::from_millis(50);

/// How long a process may take to end after its input was closed, and how long to wait for its last lines.
const GRACE: Duration = Duration::from_millis(500);

/// A running program. Dropping this ends it and waits for it.
pub(super) struct Process {
    group: ProcessGroup,
    /// Lines for the writing thread; dropping it closes standard input.
    lines: Option<SyncSender<String>>,
    heard: Receiver<OutputLine>,
    stderr_tail: Arc<Mutex<VecDeque<String>>>,
    /// Disconnects when standard error is closed.
    quiet: Receiver<()>,
}

/// A line of standard output.
enum OutputLine {
    Line(Vec<u8>),
    TooLong,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.name);
        command.args(&program.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = ProcessGroup::start(&mut command)?;
        let (lines, to_write) = sync_channel(LINES_WAITING_MAX);
        let (hear, heard) = sync_channel(LINES_WAITING_MAX);
        let (hang_up, quiet) = sync_channel(0);
        let stderr_tail = Arc::<Mutex<VecDeque<String>>>::default();
        let kept = Arc::clone(&stderr_tail);
        let leader = &mut group.leader;
        let (stdin, stdout, stderr) = (leader.stdin.take(), leader.stdout.take(), leader.stderr.take());
        thread::spawn(move || write(stdin.expect("it is piped"), &to_write));
        thread::spawn(move || read(stdout.expect("it is piped"), &hear));
        thread::spawn(move || {
            keep(stderr.expect("it is piped"), &kept);
            drop(hang_up);
        });
        Ok(Self { group, lines: Some(lines), heard, stderr_tail, quiet })
    }

    /// Sends it a line, without waiting until it has read earlier ones.
    pub(super) fn tell(&mut self, line: String) -> Result<(), Fault> {
        match self.lines.as_ref().map(|lines| lines.try_send(line)) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(Fault::Deaf),
            // It no longer reads, most likely because it has ended.
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.gone()),
        }
    }

    /// Sends it a line that needs a reply. Lines that it wrote before do not count.
    pub(super) fn ask(&mut self, line: String) -> Result<(), Fault> {
        match self.heard.try_recv() {
            Ok(heard) => Err(Fault::Unasked { line: shown(&heard.line()?) }),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => self.tell(line),
        }
    }

    /// Waits for its next line.
    pub(super) fn answer(&mut self, within: Duration, stop: &AtomicBool) -> Result<Vec<u8>, TurnError> {
        let begun = Instant::now();
        loop {
            let left = within.saturating_sub(begun.elapsed());
            match self.heard.recv_timeout(left.min(STOP_SEEN_WITHIN)) {
                Ok(heard) => return Ok(heard.line()?),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone().into()),
                Err(RecvTimeoutError::Timeout) if stop.load(Relaxed) => return Err(TurnError::Stopped),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() >= within => {
                    return Err(Fault::Late { within_ms: millis(within) }.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends it at once, with all processes in its process group.
    pub(super) fn end(&mut self) {
        self.group.end();
    }

    /// The reason why there are no more lines.
    fn gone(&mut self) -> Fault {
        let status = self.group.wait(GRACE);
        self.group.end();
        // Its last lines may still be on their way; a program that it left running may keep the pipe open.
        let _ = self.quiet.recv_timeout(GRACE);
        let said = StderrTail(self.stderr_tail.lock().iter().cloned().collect());
        match status {
            Some(status) => Fault::Ended { status, said },
            None => Fault::Mute { said },
        }
    }
}

impl Drop for Process {
    /// Closes its input, which asks it to exit; kills it if it does not.
    fn drop(&mut self) {
        self.lines = None;
        self.group.wait(GRACE);
        self.group.end();
    }
}

impl OutputLine {
    fn line(self) -> Result<Vec<u8>, Fault> {
        match self {
            Self::Line(line) => Ok(line),
            Self::TooLong => Err(Fault::LineTooLong { bytes_max: LINE_BYTES_MAX }),
        }
    }
}

/// Writes until the queue is closed or the engine no longer reads.
fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until there are no more, or one is too long.
fn read(stdout: ChildStdout, hear: &SyncSender<OutputLine>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let limit = LINE_BYTES_MAX as u64 + 1;
        let read = reader.by_ref().take(limit).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        let heard = if line.len() > LINE_BYTES_MAX { OutputLine::TooLong } else { OutputLine::Line(line) };
        let is_last = matches!(heard, OutputLine::TooLong);
        if hear.send(heard).is_err() || is_last {
            return;
        }
    }
}

/// Keeps the last lines.
fn keep(stderr: ChildStderr, kept: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return;
        }
        line.truncate(LAST_WORDS_BYTES);
        let words = String::from_utf8_lossy(&line).trim().to_owned();
        if !words.is_empty() {
            let mut kept = kept.lock();
            if kept.len() == LAST_WORDS_LINES {
                kept.pop_front();
            }
            kept.push_back(words);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        Process::start(&Program { name: "sh".to_owned(), arguments }).expect("a shell")
    }

    #[test]
    fn an_engine_that_does_not_read_gets_a_limited_amount() {
        let mut process = shell("sleep 1000");
        // More than a pipe holds, so that the first line is never written.
        let line = "x".repeat(1 << 20);
        let told: Vec<bool> =
            (0..LINES_WAITING_MAX + 2).map(|_| process.tell(line.clone()).is_ok()).collect();
        assert!(told[..LINES_WAITING_MAX].iter().all(|&told| told), "{told:?}");
        assert!(matches!(process.tell(line), Err(Fault::Deaf)), "{told:?}");
        process.end();
    }

    #[test]
    fn output_before_the_request_is_not_an_answer() {
        let mut process = shell("sleep 1000");
        let (say, heard) = sync_channel(2);
        process.heard = heard;
        process.ask("question\n".to_owned()).expect("it has said nothing");
        say.send(OutputLine::Line(b"two".to_vec())).expect("there is room");
        say.send(OutputLine::TooLong).expect("there is room");
        let mut refused =
            || process.ask("question\n".to_owned()).map_err(|fault| (fault.code(), fault.to_string()));
        let more = "it said more than it was asked for: two".to_owned();
        assert_eq!(refused(), Err(("unasked", more)));
        assert_eq!(refused().map_err(|(code, _)| code), Err("line_too_long"));
        process.end();
    }

    #[test]
    fn only_the_last_lines_are_kept_and_of_those_the_beginning() {
        let lines =
            "for n in 1 2 3 4 5 6 7; do printf '%s ' $n; head -c 300 /dev/zero | tr '\\0' x; echo; done";
        let mut process = shell(&format!("({lines}) >&2; exit 7"));
        let Fault::Ended { status, said: StderrTail(said) } = process.gone() else { panic!("it has ended") };
        assert_eq!((status.code(), said.len()), (Some(7), LAST_WORDS_LINES));
        assert!(said[0].starts_with("3 x") && said[4].starts_with("7 x"), "{said:?}");
        assert!(said.iter().all(|line| line.len() == LAST_WORDS_BYTES));
    }
}
