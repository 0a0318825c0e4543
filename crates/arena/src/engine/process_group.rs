//! The process groups that engines run in, so that no process in them outlives the arena.

use std::{
    collections::BTreeSet,
    io,
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

/// How often a wait for the end of a process polls.
const END_SEEN_WITHIN: Duration = Duration::from_millis(2);

/// The leaders of the running groups. None of them has been waited for, so their ids are still theirs and
/// their groups'.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A process and all its descendants, except those that leave the group.
pub(super) struct ProcessGroup {
    pub(super) leader: Child,
    /// The exit status of the leader, once it is known: then no process is left.
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Starts a program as the leader of its own group: signals that stop the arena do not reach it.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // `exit_with_engines` waits until this one is registered.
        let mut running = RUNNING.lock();
        let leader = command.spawn()?;
        running.insert(leader.id());
        Ok(Self { leader, status: None })
    }

    /// Gives the leader time to end by itself, then ends the rest of the group. Returns the leader's exit
    /// status.
    pub(super) fn wait(&mut self, within: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        while self.status.is_none() && begun.elapsed() < within {
            if self.leader_has_ended() {
                return self.end();
            }
            thread::sleep(END_SEEN_WITHIN);
        }
        self.status
    }

    /// Kills the whole group at once. Returns the leader's exit status.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let id = self.leader.id();
            let mut running = RUNNING.lock();
            kill(id);
            running.remove(&id);
            drop(running);
            // It may have ended already.
            let _ = self.leader.kill();
            self.status = self.leader.wait().ok();
        }
        self.status
    }

    /// Does not wait for the leader: the processes that it has started are ended first.
    #[cfg(unix)]
    fn leader_has_ended(&self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        pid(self.leader.id()).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), look), Ok(None)))
    }

    #[cfg(not(unix))]
    fn leader_has_ended(&mut self) -> bool {
        !matches!(self.leader.try_wait(), Ok(None))
    }
}

/// Ends this program at once with that exit code, and every engine with it.
pub fn exit_with_engines(code: i32) -> ! {
    // The lock is held until the exit, so that no engine can be started.
    let running = RUNNING.lock();
    running.iter().copied().for_each(kill);
    std::process::exit(code)
}

/// Ends a group whose leader has not been waited for. It may have ended already.
#[cfg(unix)]
fn kill(leader: u32) {
    if let Some(pid) = pid(leader) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

#[cfg(unix)]
fn pid(id: u32) -> Option<rustix::process::Pid> {
    i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
}
