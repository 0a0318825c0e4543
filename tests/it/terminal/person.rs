//! A person at a terminal, who types and reads.

use std::{
    io,
    path::Path,
    sync::{Arc, mpsc as sync},
    time::Duration,
};

use futures_util::FutureExt;
use lusoria_terminal::{
    Ending, Goal, Input, Output, Profile, SessionError, SessionOptions, Style, Typed, run_session,
};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};

/// The longest wait: nothing here takes so long.
const GIVE_UP_AFTER: Duration = Duration::from_mins(1);

/// Somebody at a terminal.
pub(super) struct Person {
    typed: mpsc::Sender<Typed>,
    shown: watch::Receiver<String>,
    /// How much of what was shown has been read.
    read: usize,
    visit: JoinHandle<Result<Ending, SessionError>>,
    /// The prompts, for a person with a line editor.
    _prompts: Option<sync::Receiver<String>>,
}

/// What is printed, for a test to read.
struct Shown(watch::Sender<String>);

impl Output for Shown {
    fn print(&mut self, lines: &str) -> io::Result<()> {
        self.0.send_modify(|shown| shown.push_str(lines));
        Ok(())
    }
}

impl Person {
    /// Starts a session for a goal; the person's profile is in `folder`, as `called`.
    pub(super) fn comes(origin: &str, folder: &Path, called: &str, goal: Goal) -> Self {
        let (typed, to_read) = mpsc::channel(64);
        Self::types_into(typed, Input::heard(to_read), None, (origin, folder, called, goal))
    }

    /// The same at a terminal where the line can be edited.
    pub(super) fn edits(origin: &str, folder: &Path, called: &str, goal: Goal) -> Self {
        let (typed, to_read) = mpsc::channel(64);
        let (ready, prompts) = sync::channel();
        let input = Input::new(to_read, Some(ready), Arc::default());
        Self::types_into(typed, input, Some(prompts), (origin, folder, called, goal))
    }

    fn types_into(
        typed: mpsc::Sender<Typed>,
        input: Input,
        prompts: Option<sync::Receiver<String>>,
        (origin, folder, called, goal): (&str, &Path, &str, Goal),
    ) -> Self {
        let origin = origin.parse().expect("an origin");
        let profile = Profile::within(folder, &origin, Some(called)).expect("a good name");
        let style = Style { colour: false, unicode: true };
        let name = Some(called.parse().expect("a good name"));
        let shown = watch::Sender::new(String::new());
        let seen = shown.subscribe();
        let options = SessionOptions { origin, profile, name, goal, style };
        let visit = tokio::spawn(run_session(options, input, Box::new(Shown(shown))));
        Self { typed, shown: seen, read: 0, visit, _prompts: prompts }
    }

    /// Types a line.
    pub(super) async fn types(&self, line: &str) {
        self.typed.send(Typed::Line(line.to_owned())).await.expect("the session goes on");
    }

    /// Types a line, and reads on until there is that text: as [`Self::sees`].
    pub(super) async fn enters(&mut self, line: &str, text: &str) -> String {
        self.types(line).await;
        self.sees(text).await
    }

    /// Gives up the game that is played.
    pub(super) async fn resigns(&self) {
        self.types("resign").await;
        self.types("yes").await;
    }

    /// Types nothing more.
    pub(super) async fn ends_input(&self) {
        self.typed.send(Typed::End).await.expect("the session goes on");
    }

    /// Presses Ctrl-C.
    pub(super) async fn interrupts(&self) {
        self.typed.send(Typed::Interrupted).await.expect("the session goes on");
    }

    /// Reads on until there is that text; what stands before it and with it.
    pub(super) async fn sees(&mut self, text: &str) -> String {
        self.sees_one_of(&[text]).await.0
    }

    /// Reads on until there is one of those texts, the first of them if there are several:
    /// what stands before it and with it, and which one it is.
    pub(super) async fn sees_one_of(&mut self, texts: &[&str]) -> (String, usize) {
        let from = self.read;
        let find = |shown: &str| {
            let unread = &shown[from..];
            let found = texts
                .iter()
                .enumerate()
                .filter_map(|(which, text)| unread.find(text).map(|at| (at, from + at + text.len(), which)));
            found.min()
        };
        let seen = timeout(GIVE_UP_AFTER, self.shown.wait_for(|shown| find(shown).is_some())).await;
        let Ok(Ok(shown)) = seen.map(|seen| seen.map(|shown| shown.clone())) else {
            // It may have ended by itself.
            let ended = (&mut self.visit).now_or_never();
            panic!("{texts:?} was not shown after:\n{}\n{ended:?}", &self.shown.borrow()[from..]);
        };
        let (_, end, which) = find(&shown).expect("it was waited for");
        self.read = end;
        (shown[from..end].to_owned(), which)
    }

    /// Waits until that text has been shown, whenever it was.
    pub(super) async fn has_seen(&self, text: &str) {
        let mut shown = self.shown.clone();
        let seen = timeout(GIVE_UP_AFTER, shown.wait_for(|shown| shown.contains(text))).await;
        assert!(seen.is_ok(), "{text:?} was not shown in:\n{}", self.all());
    }

    /// Everything that was shown.
    pub(super) fn all(&self) -> String {
        self.shown.borrow().clone()
    }

    /// What is shown, to read after the session.
    pub(super) fn shown(&self) -> watch::Receiver<String> {
        self.shown.clone()
    }

    /// Leaves. Returns how the session ended.
    pub(super) async fn leaves(self) -> Ending {
        // The session may have ended by itself.
        let _ = self.typed.send(Typed::End).await;
        let shown = self.shown.clone();
        let ended = timeout(GIVE_UP_AFTER, self.visit).await.expect("the session ends");
        ended
            .expect("nothing panics")
            .unwrap_or_else(|why| panic!("{why} after:\n{}", shown.borrow().as_str()))
    }

    /// Waits until the session has ended by itself. Returns why.
    pub(super) async fn ends(self) -> SessionError {
        let ended = timeout(GIVE_UP_AFTER, self.visit).await.expect("the session ends");
        ended.expect("nothing panics").expect_err("the session cannot go on")
    }
}

/// All leave, and none of them has anything to complain of.
pub(super) async fn all_leave<const COUNT: usize>(people: [Person; COUNT]) {
    for person in people {
        assert_eq!(person.leaves().await, Ending::Good);
    }
}
