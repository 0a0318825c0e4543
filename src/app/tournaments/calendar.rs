//! Calendars of tournaments (RFC 5545).

use std::fmt::Write;

use lusoria_play::{Millis, TournamentId};
use lusoria_protocol::Problem;
use lusoria_tournament::Format;

use super::read_listed;
use crate::{
    app::{App, Caller, ClientAddress, WhichPlayer, problem},
    live::ListedTournament,
};

/// How many tournaments a calendar has at most.
const TOURNAMENTS_MAX: u32 = 100;

/// The longest line, in bytes without its end (3.1).
const LINE_BYTES_MAX: usize = 75;

impl App {
    /// The calendar of a tournament.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn tournament_calendar(&self, id: TournamentId) -> Result<String, Problem> {
        let known = self.known_tournament(id).await?;
        let listed = ListedTournament::of(&known.state);
        Ok(self.calendar(&listed.name, [(id, &listed)]))
    }

    /// The calendar of the tournaments that a player has entered or organises; unlisted ones too, for themselves.
    ///
    /// # Errors
    /// `no_such_guest`; `too_many_requests`; `unavailable`.
    pub async fn player_calendar(
        &self,
        which: &WhichPlayer,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<String, Problem> {
        let handle = self.player(which).await?.handle;
        let filter = self.tournaments_filter(which, viewer).await?;
        let page = self.store().tournaments(filter, None, TOURNAMENTS_MAX).await.map_err(problem::store)?;
        self.admit_items(address, page.rows.len())?;
        let listed: Vec<_> = page.rows.iter().map(read_listed).collect::<Result<_, _>>()?;
        let all = page.rows.iter().map(|row| row.id).zip(&listed);
        Ok(self.calendar(handle.as_str(), all))
    }

    fn calendar<'a>(
        &self,
        name: &str,
        tournaments: impl IntoIterator<Item = (TournamentId, &'a ListedTournament)>,
    ) -> String {
        let mut lines = Lines::default();
        lines.add("BEGIN:VCALENDAR");
        lines.add("VERSION:2.0");
        lines.add("PRODID:-//Lusoria//Tournaments//EN");
        lines.add(&format!("NAME:{}", escaped(name)));
        lines.add(&format!("X-WR-CALNAME:{}", escaped(name)));
        let now = self.live.now();
        let base = self.site.public_url.as_ref().map(ToString::to_string);
        for (id, listed) in tournaments {
            for (number, (from, until)) in (1..).zip(times(listed)) {
                lines.add("BEGIN:VEVENT");
                lines.add(&format!("UID:{id}-{number}@lusoria"));
                lines.add(&format!("DTSTAMP:{}", moment(now)));
                lines.add(&format!("DTSTART:{}", moment(from)));
                // It may have ended before it began.
                if let Some(until) = until.filter(|&until| until > from) {
                    lines.add(&format!("DTEND:{}", moment(until)));
                }
                if listed.ended_at.is_some() && !listed.has_begun {
                    lines.add("STATUS:CANCELLED");
                }
                lines.add(&format!("SUMMARY:{}", escaped(&listed.name)));
                if let Some(base) = &base {
                    lines.add(&format!("URL:{}/tournament/{id}", base.trim_end_matches('/')));
                }
                lines.add("END:VEVENT");
            }
        }
        lines.add("END:VCALENDAR");
        lines.0
    }
}

/// When it is played: each round of a Swiss with fixed times, else the whole.
fn times(listed: &ListedTournament) -> Vec<(Millis, Option<Millis>)> {
    let begins_at = listed.begins_at;
    match listed.format {
        Format::Swiss { every_ms: Some(every_ms), .. } if listed.rounds > 0 => {
            (0..u64::from(listed.rounds)).map(|round| (begins_at + round * every_ms, None)).collect()
        }
        Format::Swiss { .. } | Format::Knockout { .. } => vec![(begins_at, listed.ended_at)],
        Format::RoundRobin { .. } | Format::Arena { .. } => {
            vec![(begins_at, listed.ended_at.or(listed.ends_at))]
        }
    }
}

/// A time in UTC: `20261129T075500Z`.
fn moment(at: Millis) -> String {
    // Gregorian dates from days since 1970, as Howard Hinnant's `civil_from_days` has them.
    let (days, seconds) = (at / 86_400_000, at / 1_000 % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_shifted + 2) / 5 + 1;
    let month = if month_shifted < 10 { month_shifted + 3 } else { month_shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// A text as the value of a property (3.3.11).
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n")
}

/// Lines that are folded where they are too long (3.1).
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, line: &str) {
        let mut room = LINE_BYTES_MAX;
        for letter in line.chars() {
            if letter.len_utf8() > room {
                self.0.push_str("\r\n ");
                // The space counts.
                room = LINE_BYTES_MAX - 1;
            }
            room -= letter.len_utf8();
            let _ = self.0.write_char(letter);
        }
        self.0.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (at, expected) in [
            (0, "19700101T000000Z"),
            (951_782_400_000, "20000229T000000Z"),
            (1_795_938_900_000, "20261129T075500Z"),
            (4_107_542_399_999, "21000228T235959Z"),
        ] {
            assert_eq!(moment(at), expected);
        }
    }

    #[test]
    fn no_line_is_longer_than_75_bytes_and_unfolding_gives_it_back() {
        for letter in ["a", "é", "棋", "🎲"] {
            let line = format!("SUMMARY:{}", letter.repeat(60));
            let mut lines = Lines::default();
            lines.add(&line);
            assert!(lines.0.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX), "{}", lines.0);
            assert_eq!(lines.0.replace("\r\n ", ""), format!("{line}\r\n"));
        }
    }
}
