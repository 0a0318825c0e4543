//! Moments and spans of time, to the millisecond.

const DAY_MS: u64 = 86_400_000;

/// The days from 1 March of the year 0 to 1 January 1970.
const EPOCH_DAYS: u64 = 719_468;

/// Milliseconds since the epoch as a moment of UTC: `2026-09-21T14:13:20.000Z`.
pub fn moment(at_ms: u64) -> String {
    let (year, month, day) = date(at_ms / DAY_MS);
    let ms = at_ms % DAY_MS;
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1_000)
}

/// The reverse of [`moment`]; none for anything else.
pub(super) fn read_moment(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.split('-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, ms) = time.split_once('.')?;
    let mut time = time.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    let days = days(year, month, day)?;
    let seconds = hour.checked_mul(3_600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    let of_day = seconds.checked_mul(1_000)?.checked_add(ms.parse().ok()?)?;
    let at_ms = days.checked_mul(DAY_MS)?.checked_add(of_day)?;
    // A value out of range is formatted in another way.
    Some(at_ms).filter(|&at_ms| moment(at_ms) == text)
}

/// A span as seconds: `3.214`.
pub(super) fn seconds(span_ms: u64) -> String {
    format!("{}.{:03}", span_ms / 1_000, span_ms % 1_000)
}

/// The reverse of [`seconds`]; none for anything else.
pub(super) fn read_seconds(text: &str) -> Option<u64> {
    let (whole, thousandths) = text.split_once('.')?;
    let span_ms = whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths.parse().ok()?)?;
    Some(span_ms).filter(|&span_ms| seconds(span_ms) == text)
}

/// The date of a day, counted from the epoch: a year that begins in March has its leap day at its end, and
/// four hundred years always have the same number of days.
const fn date(day: u64) -> (u64, u64, u64) {
    let day = day + EPOCH_DAYS;
    let (cycle, of_cycle) = (day / 146_097, day % 146_097);
    let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year + if month <= 2 { 1 } else { 0 }, month, day)
}

/// The reverse of [`date`].
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || year > 1_000_000_000 {
        return None;
    }
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let (cycle, year) = (year / 400, year % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_cycle = year * 365 + year / 4 - year / 100 + of_year;
    (cycle * 146_097 + of_cycle).checked_sub(EPOCH_DAYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        for (at_ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_790_000_000_001, "2026-09-21T14:13:20.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (u64::MAX, "584556019-04-03T14:25:51.615Z"),
        ] {
            assert_eq!(moment(at_ms), text);
            assert_eq!(read_moment(text), Some(at_ms));
        }
        for day in 0..800_000 {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), Some(day));
        }
    }

    #[test]
    fn an_invalid_moment_is_refused() {
        for text in [
            "",
            "Z",
            "2026-09-21",
            "2026-09-21T14:13:20Z",
            "2026-02-30T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-01-01T24:00:00.000Z",
            "2026-1-01T00:00:00.000Z",
            "+2026-01-01T00:00:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "584556019-04-03T14:25:51.616Z",
            "2026-01-01T00:00:00.000Z ",
        ] {
            assert_eq!(read_moment(text), None, "{text}");
        }
    }

    #[test]
    fn spans_are_seconds() {
        for (span_ms, text) in [(0, "0.000"), (3_214, "3.214"), (u64::MAX, "18446744073709551.615")] {
            assert_eq!(seconds(span_ms), text);
            assert_eq!(read_seconds(text), Some(span_ms));
        }
        for text in [
            "",
            ".",
            "1",
            "1.",
            ".5",
            "0.5",
            "00.500",
            "+1.000",
            "-1.000",
            "1.2345",
            "1e3",
            "18446744073709551.616",
        ] {
            assert_eq!(read_seconds(text), None, "{text}");
        }
    }
}
