//! What was done, for people.

use lusoria_protocol::word;

use crate::{
    app::admin::{Done, Failed, GuestTold, MatchTold, StatisticsTold},
    cli::moment::Moment,
};

/// What was done, in lines, and what was not.
pub(super) fn lines(done: &Done) -> Vec<String> {
    let mut lines = done_lines(done);
    lines.extend(
        done.failed().into_iter().flat_map(Failed::told).map(|(id, why)| {
            format!("match {id} could not be changed: {why}; do it again when it can be read")
        }),
    );
    lines
}

fn done_lines(done: &Done) -> Vec<String> {
    match done {
        Done::Ended(told) => [vec!["ended".to_owned()], match_lines(told)].concat(),
        Done::Renamed { guest, matches, .. } => {
            vec![format!("{} is called {} now; renamed in {matches} matches", guest.id, guest.name)]
        }
        Done::Blocked { guest, ended, .. } => {
            vec![format!("{} ({}) is blocked; {ended} matches were ended", guest.name, guest.id)]
        }
        Done::Unblocked { guest } => vec![format!("{} ({}) is not blocked any more", guest.name, guest.id)],
        Done::Erased { id, ended, matches, is_left_in_log, .. } => {
            let mut lines = vec![
                format!("{id} is erased; {ended} matches were ended, the name is gone from {matches}"),
                "backups made before, and what a restore has replaced (.replaced-1, 2 …), still hold it: \
                 after a restore do it again, by the id"
                    .to_owned(),
            ];
            lines.extend(is_left_in_log.then(left_in_log));
            lines
        }
        Done::NothingLeft { id, is_left_in_log } => {
            let nobody =
                format!("no guest has the id {id}, and he is in no match: there is nothing to erase");
            std::iter::once(nobody).chain(is_left_in_log.then(left_in_log)).collect()
        }
        Done::Pruned { ended, forgotten, dry_run: false, .. } => {
            vec![format!("{ended} matches were ended; {forgotten} of them had no turn and were deleted")]
        }
        Done::Pruned { ended, forgotten, dry_run: true, .. } => vec![format!(
            "{ended} matches would be ended; {forgotten} of them have no turn and would be deleted"
        )],
        Done::Statistics(told) => statistics_lines(told),
        Done::Guests { guests } => guests.iter().map(guest_line).collect(),
        Done::Match(told) => match_lines(told),
    }
}

fn left_in_log() -> String {
    "the log of the database (-wal) may still hold what was deleted, since somebody reads it, perhaps a backup, \
     or it is just being copied: do it again, by the id, or wait for the server to stop"
        .to_owned()
}

fn guest_line(GuestTold { id, name, bot, created_at, blocked_at }: &GuestTold) -> String {
    let kind = if *bot { "bot, " } else { "" };
    let blocked = blocked_at.map_or_else(String::new, |at| format!(", blocked since {}", Moment(at)));
    format!("{id}  {name}  ({kind}since {}{blocked})", Moment(*created_at))
}

fn match_lines(told: &MatchTold) -> Vec<String> {
    let MatchTold { id, game, state, head, turns, updated_at, players } = told;
    let first = format!(
        "{id}  {game}, {state}, {turns} turns, {head} events, last changed {}",
        Moment(*updated_at),
        state = word(state)
    );
    let seats =
        (1..).zip(players).map(|(seat, player)| format!("  seat {seat}: {}  {}", player.id, player.name));
    std::iter::once(first).chain(seats).collect()
}

fn statistics_lines(StatisticsTold { statistics, at }: &StatisticsTold) -> Vec<String> {
    let of = &statistics;
    let mut lines = vec![
        format!("{} UTC", Moment(*at)),
        format!("guests    {} people, {} bots; {} blocked", of.people, of.bots, of.blocked),
        format!("database  {} bytes", of.bytes),
    ];
    lines.extend(of.matches.iter().map(|row| {
        let (game, state) = (row.game.id(), word(&row.state));
        format!("matches   {game:<8} {state:<9} {:>9}  {:>11} events", row.matches, row.events)
    }));
    lines.extend(of.recent.iter().map(|recent| {
        let (since, guests) = (Moment(recent.since), recent.guests);
        format!(
            "since {since}: {guests} guests came, {} matches were made, {} went on",
            recent.made, recent.touched
        )
    }));
    lines
}
