//! The outcome of an admin request as lines for people.

use lusoria_protocol::{TournamentCard, TournamentFormat, word};
use lusoria_store::{LogRow, SignUpPolicy, SignUps};

use crate::{
    app::admin::{
        AccountDetails, AdminOutcome, Failed, FlagDetails, GuestDetails, LossDetails, MatchDetails,
        NodeDetails, NodeState, NodesDetails, ReportDetails, StatisticsDetails, TournamentDifferences,
    },
    app::ratings::RatingsDetails,
    cli::moment::Moment,
};

/// The result line by line, with what failed.
pub(super) fn lines(done: &AdminOutcome) -> Vec<String> {
    let mut lines = done_lines(done);
    lines.extend(done.failed().into_iter().flat_map(Failed::told).map(|(id, why)| {
        format!("match {id} could not be changed: {why}; repeat the command when it can be read")
    }));
    lines
}

#[expect(clippy::too_many_lines, reason = "an arm for each outcome")]
fn done_lines(done: &AdminOutcome) -> Vec<String> {
    match done {
        AdminOutcome::Ended(told) => [vec!["ended".to_owned()], match_lines(told)].concat(),
        AdminOutcome::Renamed { guest, matches, .. } => {
            vec![format!("{} is called {} now; renamed in {matches} matches", guest.id, guest.name)]
        }
        AdminOutcome::Blocked { guest, ended, .. } => {
            vec![format!("{} ({}) is blocked; {ended} matches were ended", guest.name, guest.id)]
        }
        AdminOutcome::Unblocked { guest } => {
            vec![format!("{} ({}) is no longer blocked", guest.name, guest.id)]
        }
        AdminOutcome::Erased { id, ended, matches, is_left_in_log, .. } => {
            let mut lines = vec![
                format!("{id} is erased; {ended} matches were ended, the name is gone from {matches}"),
                "earlier backups, and files that a restore has replaced (.replaced-1, 2 …), still hold it: \
                 repeat this command by id after a restore"
                    .to_owned(),
            ];
            lines.extend(is_left_in_log.then(left_in_log));
            lines
        }
        AdminOutcome::NothingLeft { id, is_left_in_log } => {
            let nothing = format!("no guest and no match has the id {id}: there is nothing to erase");
            std::iter::once(nothing).chain(is_left_in_log.then(left_in_log)).collect()
        }
        AdminOutcome::Pruned { ended, forgotten, dry_run: false, .. } => {
            vec![format!("{ended} matches were ended; {forgotten} of them had no turn and were deleted")]
        }
        AdminOutcome::Pruned { ended, forgotten, dry_run: true, .. } => vec![format!(
            "{ended} matches would be ended; {forgotten} of them have no turn and would be deleted"
        )],
        AdminOutcome::CountedAgain { matches, .. } => {
            vec![format!("{matches} finished matches were counted")]
        }
        AdminOutcome::RecoveryCode { account: AccountDetails { handle, guest, .. }, code } => vec![
            format!(
                "with this code {handle} ({}) can set a new password, once; it is shown only once:",
                guest.id
            ),
            code.as_str().to_owned(),
        ],
        AdminOutcome::AccountRemoved { account: AccountDetails { handle, guest, .. }, sessions } => vec![
            format!(
                "{} ({}) has no account now: {handle} is free; {sessions} sessions ended",
                guest.name, guest.id
            ),
            "their other tokens stay valid: with a stolen one somebody could open an account again"
                .to_owned(),
        ],
        AdminOutcome::SignUps(SignUps { policy, codes }) => vec![match policy {
            SignUpPolicy::Open => "open: anybody may open an account".to_owned(),
            SignUpPolicy::InviteOnly => {
                format!("invite-only: an account needs a sign-up code; {codes} are valid now")
            }
            SignUpPolicy::Closed => "closed: nobody may open an account; guests may still play".to_owned(),
        }],
        AdminOutcome::SignUpCodes { codes, expires_at } => {
            let until = Moment(*expires_at);
            let first = format!("each opens one account until {until} UTC; they are shown only once:");
            std::iter::once(first).chain(codes.iter().map(|code| code.as_str().to_owned())).collect()
        }
        AdminOutcome::Accounts { accounts, more } => {
            let mut lines: Vec<String> = accounts.iter().map(account_line).collect();
            if accounts.is_empty() {
                lines.push("no account".to_owned());
            }
            lines.extend(more.then(|| format!("there are more than these {}: use --since", accounts.len())));
            lines
        }
        AdminOutcome::Statistics(told) => statistics_lines(told),
        AdminOutcome::Guests { guests } => guests.iter().map(guest_line).collect(),
        AdminOutcome::Moderated { row, guest, .. } => {
            let whom =
                guest.as_ref().map_or_else(String::new, |guest| format!("  {} ({})", guest.name, guest.id));
            vec![format!("{}{whom}", log_line(row))]
        }
        AdminOutcome::Reports { reports } if reports.is_empty() => vec!["no report".to_owned()],
        AdminOutcome::Reports { reports } => reports.iter().map(report_line).collect(),
        AdminOutcome::Report { report, talk } => {
            let said = talk.iter().map(|remark| {
                let at = Moment(remark.said_at);
                format!("  {at}  {}  {}: {}", remark.room, remark.by.name, remark.said)
            });
            std::iter::once(report_line(report)).chain(said).collect()
        }
        AdminOutcome::Flags { flags } if flags.is_empty() => vec!["no flag".to_owned()],
        AdminOutcome::Flags { flags } => flags.iter().map(flag_line).collect(),
        AdminOutcome::Flag { flag, matches } => {
            std::iter::once(flag_line(flag)).chain(matches.iter().map(loss_line)).collect()
        }
        AdminOutcome::Log { rows } if rows.is_empty() => vec!["nothing".to_owned()],
        AdminOutcome::Log { rows } => rows.iter().map(log_line).collect(),
        AdminOutcome::Match(told) => match_lines(told),
        AdminOutcome::Unrated { told, ratings } => [
            vec!["the rating changes of this match are taken back:".to_owned()],
            match_lines(told),
            ratings_lines(ratings),
        ]
        .concat(),
        AdminOutcome::Ratings { ratings, stored } => {
            let mut lines: Vec<String> = ratings.iter().flat_map(ratings_lines).collect();
            let differences: u64 = ratings.iter().map(|of| of.differences).sum();
            lines.push(match (differences, stored) {
                (0, _) => "all ratings equal those computed from the journals".to_owned(),
                (n, true) => format!("{n} rows differed; the ratings computed from the journals are stored now"),
                (n, false) => format!(
                    "{n} rows differ: \"lusoria admin ratings --rebuild\" stores the ratings computed from the journals"
                ),
            });
            lines
        }
        AdminOutcome::Tournaments { tournaments, more } => {
            let mut lines: Vec<String> = tournaments.iter().map(tournament_line).collect();
            if tournaments.is_empty() {
                lines.push("no tournament".to_owned());
            }
            lines.extend(more.then(|| format!("there are more than these {}", tournaments.len())));
            lines
        }
        AdminOutcome::TournamentsChecked { tournaments, matches, differing } => {
            let mut lines: Vec<String> = differing.iter().flat_map(tournament_difference_lines).collect();
            let of = format!("{tournaments} tournaments with {matches} matches");
            lines.push(match differing.len() {
                0 => format!("{of} are checked: nothing differs"),
                differing => format!("{of} are checked: {differing} tournaments differ"),
            });
            lines
        }
        AdminOutcome::Nodes(NodesDetails { nodes, .. }) if nodes.is_empty() => {
            vec!["no server runs on this database".to_owned()]
        }
        AdminOutcome::Nodes(NodesDetails { at, nodes }) => {
            nodes.iter().map(|node| node_line(node, *at)).collect()
        }
    }
}

/// Leaves out games without rated matches.
fn ratings_lines(of: &RatingsDetails) -> Vec<String> {
    let RatingsDetails { game, pace, players, matches, taken_back, differences, first_differences } = of;
    if *matches == 0 && *differences == 0 {
        return Vec::new();
    }
    let first = format!(
        "{game}, {pace}: matches {matches} (taken back {taken_back}), players {players}, differences {differences}"
    );
    std::iter::once(first).chain(first_differences.iter().map(|one| format!("  {one}"))).collect()
}

fn left_in_log() -> String {
    "the WAL may still hold deleted data, because a reader such as a backup holds it back or a checkpoint is \
     running: repeat this command by id, or wait for the server to stop"
        .to_owned()
}

fn guest_line(GuestDetails { id, name, bot, created_at, blocked_at }: &GuestDetails) -> String {
    let kind = if *bot { "bot, " } else { "" };
    let blocked = blocked_at.map_or_else(String::new, |at| format!(", blocked since {}", Moment(at)));
    format!("{id}  {name}  ({kind}since {}{blocked})", Moment(*created_at))
}

fn account_line(AccountDetails { handle, guest, opened_at, recovery_codes }: &AccountDetails) -> String {
    let (opened, guest) = (Moment(*opened_at), guest_line(guest));
    format!("{handle}  opened {opened}, {recovery_codes} recovery codes  {guest}")
}

fn node_line(
    NodeDetails { id, name, release, since, seen_at, state, nats }: &NodeDetails,
    at: u64,
) -> String {
    let state = match state {
        NodeState::Running => "runs",
        NodeState::Lost => "LOST",
    };
    let nats = match nats {
        Some(true) => "NATS connected",
        Some(false) => "NATS NOT CONNECTED",
        None => "without NATS",
    };
    let seconds = at.saturating_sub(*seen_at) / 1_000;
    let since = Moment(*since);
    format!("{name}  {state}, release {release}, since {since}, noted {seconds} s ago, {nats}  {id}")
}

fn report_line(report: &ReportDetails) -> String {
    let closed = report.closed_at.map_or_else(String::new, |at| format!(", closed {}", Moment(at)));
    let text = report.text.as_ref().map_or_else(String::new, |text| format!(": {text}"));
    format!(
        "{}  {}{closed}  match {}  {} ({}) reports {} ({}) for {}{text}",
        report.id,
        Moment(report.made_at),
        report.of,
        report.reporter.name,
        report.reporter.id,
        report.reported.name,
        report.reported.id,
        report.reason
    )
}

fn flag_line(flag: &FlagDetails) -> String {
    let closed = flag.closed_at.map_or_else(String::new, |at| format!(", closed {}", Moment(at)));
    format!(
        "{}  {}{closed}  {} ({})  {}, {}, rating {:.0}: {:.2} % of a win lost in a turn, players of that rating lose \
         {:.2} %; {} matches, {} turns with a choice",
        flag.id,
        Moment(flag.raised_at),
        flag.player.name,
        flag.player.id,
        flag.game.id(),
        flag.pace.name(),
        flag.points,
        100.0 * flag.lost / f64::from(flag.turns),
        100.0 * flag.expected,
        flag.matches,
        flag.turns
    )
}

fn loss_line(of: &LossDetails) -> String {
    let mean = if of.turns == 0 { 0.0 } else { 100.0 * of.lost / f64::from(of.turns) };
    format!(
        "  {}  match {}  rating {:.0}  {:>4} turns with a choice, {mean:.2} % lost in each",
        Moment(of.ended_at),
        of.of,
        of.points,
        of.turns
    )
}

fn log_line(row: &LogRow) -> String {
    let LogRow { done_at, act, guest, of, tournament, report, until, note, .. } = row;
    let mut parts = vec![Moment(*done_at).to_string(), act.column().to_owned()];
    let named = [("guest", guest), ("match", of), ("tournament", tournament), ("report", report)];
    parts.extend(named.into_iter().filter_map(|(name, id)| id.map(|id| format!("{name} {id}"))));
    parts.extend(until.map(|until| format!("until {}", Moment(until))));
    parts.extend(note.clone());
    parts.join("  ")
}

fn match_lines(told: &MatchDetails) -> Vec<String> {
    let MatchDetails { id, game, state, head, turns, updated_at, players } = told;
    let first = format!(
        "{id}  {game}, {state}, {turns} turns, {head} events, last changed {}",
        Moment(*updated_at),
        state = word(state)
    );
    let seats =
        (1..).zip(players).map(|(seat, player)| format!("  seat {seat}: {}  {}", player.id, player.name));
    std::iter::once(first).chain(seats).collect()
}

fn tournament_line(of: &TournamentCard) -> String {
    let format = match of.format {
        TournamentFormat::RoundRobin { .. } => "round robin",
        TournamentFormat::Swiss { .. } => "Swiss",
        TournamentFormat::Knockout { .. } => "knock-out",
        TournamentFormat::Arena { .. } => "arena",
    };
    let ended = of.ended_at.map_or_else(String::new, |at| format!(", ended {}", Moment(at)));
    let unlisted = if of.listed { "" } else { ", unlisted" };
    format!(
        "{}  {}  {format}, {}, {} entrants, begins {}{ended}{unlisted}  organised by {} ({})",
        of.id.0,
        of.name,
        word(&of.phase),
        of.entrants,
        Moment(of.begins_at),
        of.organiser.name.as_str(),
        of.organiser.id.0
    )
}

fn tournament_difference_lines(of: &TournamentDifferences) -> Vec<String> {
    let TournamentDifferences { id, differences, first_differences } = of;
    let first = format!("tournament {id}: {differences} differences");
    std::iter::once(first).chain(first_differences.iter().map(|one| format!("  {one}"))).collect()
}

fn statistics_lines(StatisticsDetails { statistics, at }: &StatisticsDetails) -> Vec<String> {
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
            "since {since}: {guests} new guests, {} matches were made, {} changed",
            recent.made, recent.touched
        )
    }));
    lines
}
