//! What of a file is moved to PostgreSQL: tables that both have with the same columns.

use sqlx::Error;

use crate::sql::value::{AnyRow, Value};

/// In an order in which a row comes after those that it refers to. Not among them is what nodes share while they
/// run, what expires within minutes, and counts of the games, which are counted again from the journals.
pub(crate) const TABLES: &str = "guests, tokens, device_codes, accounts, recovery_codes, seeks, blocks, follows, \
     challenges, challenge_settings, sign_ups, sign_up_codes, api_tokens, passkeys, departures, preferences, \
     server_keys, push_subscriptions, matches, journal, deadlines, secrets, invitations, used_keys, analyses, \
     conditional_turns, remarks, talk_settings, reports, sanctions, moderation_log, leavings, turn_losses, \
     engine_flags, ratings, rating_changes, ratings_stale, outages, tournaments, tournament_events, \
     tournament_entrants";

/// A table, as PostgreSQL describes it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether it is one of the primary key.
    pub(crate) is_key: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Real,
    Boolean,
    Text,
    Bytes,
    Id,
}

impl Table {
    /// The names of its columns.
    pub(crate) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
        names.join(", ")
    }

    /// The order of its rows: by the primary key, whose texts have this collation.
    pub(crate) fn order(&self, collation: &str) -> String {
        let key = self.columns.iter().filter(|column| column.is_key).map(|Column { name, kind, .. }| {
            if *kind == Kind::Text { format!("{name} COLLATE {collation}") } else { name.clone() }
        });
        key.collect::<Vec<_>>().join(", ")
    }

    /// Reads a row that begins with its columns.
    pub(crate) fn read(&self, row: &AnyRow<'_>) -> Result<Vec<Value>, Error> {
        self.columns.iter().enumerate().map(|(n, column)| column.kind.read(row, n)).collect()
    }

    /// Which row it is. Tells no other value than an id, since some are secret.
    pub(crate) fn told(&self, row: &[Value]) -> String {
        let id = ["match", "tournament", "id", "guest"].iter().find_map(|name| {
            let n = self.columns.iter().position(|column| column.name == *name)?;
            if let Value::Id(id) = row[n] { id } else { None }
        });
        id.map_or_else(|| "a row".to_owned(), |id| format!("a row of {id}"))
    }
}

impl Kind {
    /// What PostgreSQL calls so; none if no table has such a column.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "bigint" => Self::Integer,
            "double precision" => Self::Real,
            "boolean" => Self::Boolean,
            "text" => Self::Text,
            "bytea" => Self::Bytes,
            "uuid" => Self::Id,
            _ => return None,
        })
    }

    pub(crate) fn read(self, row: &AnyRow<'_>, index: usize) -> Result<Value, Error> {
        Ok(match self {
            Self::Integer => Value::Integer(row.get(index)?),
            Self::Real => Value::Real(row.get(index)?),
            Self::Boolean => Value::Boolean(row.get(index)?),
            Self::Text => Value::Text(row.get(index)?),
            Self::Bytes => Value::Bytes(row.get(index)?),
            Self::Id => Value::Id(row.get(index)?),
        })
    }
}

/// Whether two rows are equal. As texts: those of two floats differ if any bit does.
pub(crate) fn are_equal(one: &[Value], other: &[Value]) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::args;

    #[test]
    fn a_difference_is_found_in_any_column() {
        let row = || args!["a", 1_i64, 0.1, vec![0_u8, 255], None::<bool>];
        assert!(are_equal(&row(), &row()));
        for (n, other) in [
            (0, args!["A"]),
            (1, args![2_i64]),
            (1, args![None::<i64>]),
            (2, args![f64::next_up(0.1)]),
            (3, args![vec![0_u8, 254]]),
            (4, args![false]),
        ] {
            let mut changed = row();
            changed.splice(n..=n, other);
            assert!(!are_equal(&row(), &changed), "{changed:?}");
        }
        let [zero, less] = [0.0, -0.0].map(|zero| args![zero]);
        assert!(!are_equal(&zero, &less));
    }
}
