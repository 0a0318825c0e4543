//! Statements over many rows: a round trip to the database's thread costs more than a row does.

use std::sync::LazyLock;

/// One statement for each of 1, 2, 4 … rows: few enough that all stay prepared, enough that any
/// number of rows needs only a few executions.
pub(super) struct ForRows {
    /// Over 1, 2, 4 … rows.
    statements: Vec<String>,
}

/// The most rows in one statement, as a power of two: 64.
const LOG_ROWS_MAX: u32 = 6;

impl ForRows {
    /// `before`, then so many rows of `columns` parameters in parentheses, then `after`.
    ///
    /// The parameters have no numbers: SQLite searches all others for each numbered one, which
    /// dominates the cost with hundreds of them.
    pub(super) fn new(before: &str, columns: usize, after: &str) -> Self {
        let row = format!("({})", vec!["?"; columns].join(", "));
        let statement = |rows: usize| format!("{before}{}{after}", vec![row.as_str(); rows].join(", "));
        Self { statements: (0..=LOG_ROWS_MAX).map(|log| statement(1 << log)).collect() }
    }

    /// The rows in portions, each with the statement over as many.
    pub(super) fn portions<'a, T>(
        &'static self,
        mut rows: &'a [T],
    ) -> impl Iterator<Item = (&'static str, &'a [T])> {
        std::iter::from_fn(move || {
            let log = rows.len().checked_ilog2()?.min(LOG_ROWS_MAX);
            let (portion, rest) = rows.split_at(1 << log);
            rows = rest;
            Some((self.statements[log as usize].as_str(), portion))
        })
    }
}

/// [`ForRows`] that are made when they are first used.
pub(super) type LazyRows = LazyLock<ForRows>;

#[cfg(test)]
mod tests {
    use super::*;

    static PAIRS: LazyRows = LazyLock::new(|| ForRows::new("VALUES ", 2, ";"));

    #[test]
    fn a_statement_has_a_parameter_for_each_value() {
        let (two, rows) = PAIRS.portions(&[0, 0]).next().expect("a portion");
        assert_eq!((two, rows.len()), ("VALUES (?, ?), (?, ?);", 2));
    }

    #[test]
    fn any_number_of_rows_takes_few_statements() {
        let portions = |rows: usize| -> Vec<usize> {
            PAIRS.portions(&vec![(); rows]).map(|(_, portion)| portion.len()).collect()
        };
        assert!(portions(0).is_empty());
        assert_eq!(portions(1), [1]);
        assert_eq!(portions(7), [4, 2, 1]);
        assert_eq!(portions(200), [64, 64, 64, 8]);
    }
}
