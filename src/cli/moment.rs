//! Moments and spans of time, as a command line reads and writes them.

use std::{fmt, time::Duration};

use lusoria_records::text::moment;

/// Milliseconds since the epoch, written as `2026-11-21 23:07`, in UTC.
pub(super) struct Moment(pub(super) u64);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = moment(self.0);
        let (date, time) = moment.split_once('T').expect("a moment has a date and a time");
        let (to_the_minute, _) = time.rsplit_once(':').expect("a time has seconds");
        write!(f, "{date} {to_the_minute}")
    }
}

/// A span of time such as `90d` or `12h`.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    let form = || format!("\"{text}\" is not a time such as 90d or 12h");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(form)?;
    let seconds: u64 = match unit {
        "d" => 86_400,
        "h" => 3_600,
        _ => return Err(form()),
    };
    let number: u64 = number.parse().map_err(|_| form())?;
    // The span may be longer than the time since the epoch.
    let span = number.checked_mul(seconds).filter(|&span| span > 0 && span <= 100 * 366 * 86_400);
    span.map(Duration::from_secs).ok_or_else(|| format!("{text} is not between 1h and a hundred years"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_a_date() {
        for (ms, written) in [
            (0, "1970-01-01 00:00"),
            (951_782_399_999, "2000-02-28 23:59"),
            (951_782_400_000, "2000-02-29 00:00"),
            (951_868_800_000, "2000-03-01 00:00"),
            (1_795_303_508_794, "2026-11-21 23:25"),
            (4_107_542_399_000, "2100-02-28 23:59"),
            (4_107_542_400_000, "2100-03-01 00:00"),
        ] {
            assert_eq!(Moment(ms).to_string(), written);
        }
    }

    #[test]
    fn a_span_is_a_number_of_days_or_hours() {
        assert_eq!(span("90d"), Ok(Duration::from_hours(90 * 24)));
        assert_eq!(span("1h"), Ok(Duration::from_hours(1)));
        for text in ["", "d", "90", "90 d", "-1d", "0d", "90m", "99999999999999d", "1000000d", "9é"] {
            assert!(span(text).is_err(), "{text}");
        }
    }
}
