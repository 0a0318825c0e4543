//! Matches as rows of commands.

use lusoria_play::{Match, Millis, Phase, Recorded, Seat};

use crate::{
    rules::bytes::Bytes,
    table::{Done, Table},
};

/// A command is refused and changes nothing, or its events lead to the state that it left;
/// numbers have no gaps and times do not run backwards; a deadline does nothing before its
/// time and everything at it; and the journal, written and read, is the match.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut table = match Table::new(&mut bytes) {
        Ok(table) => table,
        Err(why) => return assert!(!why.to_string().is_empty()),
    };
    while !bytes.is_empty() {
        if bytes.once_in(8) {
            table.play_on(&mut bytes);
        }
        let (before, recorded) = (table.state.clone(), table.journal.len());
        let done = table.go_on(&mut bytes);
        follows(&before, &table, &table.journal[recorded..], &done);
        stands(&table.state, table.now);
    }
    numbered(&table.journal);
    is_its_journal(&table.state, &table.journal);
    if let Some(again) = table.rematch() {
        let (state, journal) =
            Match::create(again, table.now, &mut table.dice).expect("the terms have been good once");
        numbered(&journal);
        is_its_journal(&state, &journal);
    }
}

fn follows(before: &Match, table: &Table, events: &[Recorded], done: &Done) {
    let now = table.now.max(before.last_at());
    for recorded in events {
        assert_eq!(recorded.at, now);
        assert_eq!(recorded.first, before.head() + 1);
    }
    match done {
        Done::Waited(happened) => {
            let late = before.next_deadline().is_some_and(|deadline| deadline <= now);
            assert_eq!(!happened.is_empty(), late);
            assert!(table.state.next_deadline().is_none_or(|deadline| deadline > now));
        }
        Done::Asked(command, Ok(happened)) => assert!(
            !happened.is_empty() || matches!(command, lusoria_play::Command::Credit { .. }),
            "{command:?} was accepted, and nothing happened"
        ),
        Done::Asked(_, Err(why)) => {
            assert!(!why.to_string().is_empty());
            assert_eq!(before, &table.state, "a refused command changed the match");
        }
    }
    let mut folded = before.clone();
    for recorded in events {
        folded.fold(recorded).expect("an event of ours folds");
    }
    assert_eq!(folded, table.state);
}

/// What holds of every match at every time.
fn stands(state: &Match, now: Millis) {
    let playing = matches!(state.phase(), Phase::Playing);
    assert_eq!(state.to_play().is_some(), playing, "a match that is played waits for a turn");
    assert_eq!(state.next_deadline().is_none(), matches!(state.phase(), Phase::Ended(_)));
    assert!(state.score().0.max(state.score().1) <= state.terms().length.points() + 1);
    if let Some(turn) = state.turn() {
        assert!(!turn.is_complete(), "a turn was given in which nothing can be played");
    }
    if let (Some(clocks), Some(stock)) = (state.clocks_ms(now), state.terms().clock.stock_ms()) {
        // A day's clock never grows; an increment is added for each turn at most.
        let grown = u64::from(state.turns()) * lusoria_play::Clock::STEP_MAX_MS;
        for seat in Seat::BOTH {
            assert!(*clocks.get(seat) <= stock + grown);
        }
    }
}

pub(crate) fn numbered(journal: &[Recorded]) {
    for (expected, recorded) in (1..).zip(journal) {
        assert_eq!(recorded.seq, expected);
        assert!(recorded.first <= recorded.seq);
    }
    assert!(journal.is_sorted_by_key(|recorded| recorded.at));
}

fn is_its_journal(state: &Match, journal: &[Recorded]) {
    let read = journal.iter().map(|recorded| {
        let text = serde_json::to_string(recorded).expect("an event is plain data");
        let read: Recorded = serde_json::from_str(&text).expect("what was written can be read");
        assert_eq!(&read, recorded);
        read
    });
    let folded = Match::from_journal(state.id(), read.collect::<Vec<_>>());
    assert_eq!(folded.as_ref(), Ok(state));
}
