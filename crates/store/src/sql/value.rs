//! What statements are given and what rows hold: columns of either database as Rust's types.

use lusoria_play::{
    ApiTokenId, ChallengesFrom, FlagId, MatchId, MatchStage, Pace, PasskeyId, PlayerId, PushSubscriptionId,
    RemarkId, ReportId, SanctionId, Seat, SeekId, SeekTerms, SessionId, Terms, TournamentId,
};
use lusoria_rules::Game;
use sqlx::{
    Arguments, Error, Row as _, ValueRef,
    error::BoxDynError,
    postgres::{PgArguments, PgRow},
    sqlite::{SqliteArguments, SqliteRow},
};
use uuid::Uuid;

use crate::{
    NodeId, PasswordHash, SecretHash, SessionOrigin, SignUpPolicy, TournamentStage, text::state_column,
};

/// An argument of a statement. Each kind of column has its own null, because PostgreSQL wants its type.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Integer(Option<i64>),
    Real(Option<f64>),
    Boolean(Option<bool>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Id(Option<Uuid>),
}

impl Value {
    pub(super) fn add_to_sqlite(self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        match self {
            Self::Integer(value) => arguments.add(value),
            Self::Real(value) => arguments.add(value),
            Self::Boolean(value) => arguments.add(value),
            Self::Text(value) => arguments.add(value),
            Self::Bytes(value) => arguments.add(value),
            Self::Id(value) => arguments.add(value),
        }
    }

    pub(super) fn add_to_postgres(self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        match self {
            Self::Integer(value) => arguments.add(value),
            Self::Real(value) => arguments.add(value),
            Self::Boolean(value) => arguments.add(value),
            Self::Text(value) => arguments.add(value),
            Self::Bytes(value) => arguments.add(value),
            Self::Id(value) => arguments.add(value),
        }
    }
}

/// What can be an argument.
pub(crate) trait Argument {
    /// Its column; a null of the same kind if there is none.
    fn value(this: Option<Self>) -> Value
    where
        Self: Sized;
}

/// The arguments of a statement, in the order of `$1`, `$2`, and so on.
macro_rules! args {
    ($($argument:expr),* $(,)?) => { vec![$($crate::sql::value::argument($argument)),*] };
}
pub(crate) use args;

pub(crate) fn argument(of: impl Argument) -> Value {
    Argument::value(Some(of))
}

impl<T: Argument> Argument for Option<T> {
    fn value(this: Option<Self>) -> Value {
        T::value(this.flatten())
    }
}

/// A row of either database.
pub(crate) enum AnyRow<'r> {
    Sqlite(&'r SqliteRow),
    Postgres(&'r PgRow),
}

impl AnyRow<'_> {
    /// Reads a column, which are counted from 0.
    pub(crate) fn get<T: Column>(&self, index: usize) -> Result<T, Error> {
        T::read(self, index)
    }

    fn is_null(&self, index: usize) -> Result<bool, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get_raw(index)?.is_null(),
            Self::Postgres(row) => row.try_get_raw(index)?.is_null(),
        })
    }
}

/// What a column can be read as.
pub(crate) trait Column: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// If it is null or holds something else.
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error>;
}

impl<T: Column> Column for Option<T> {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        if row.is_null(index)? { Ok(None) } else { T::read(row, index).map(Some) }
    }
}

/// What a row becomes.
pub(crate) trait Row: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// If a column holds something else.
    fn read(row: &AnyRow<'_>) -> Result<Self, Error>;
}

impl<T: Column> Row for T {
    fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
        row.get(0)
    }
}

macro_rules! rows {
    ($(($($name:ident $index:literal)*))*) => { $(
        impl<$($name: Column),*> Row for ($($name,)*) {
            fn read(row: &AnyRow<'_>) -> Result<Self, Error> {
                Ok(($(row.get::<$name>($index)?,)*))
            }
        }
    )* };
}
rows! {
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}

/// The error for a column that holds what cannot be there.
pub(crate) fn undecodable(why: impl Into<BoxDynError>) -> Error {
    Error::Decode(why.into())
}

macro_rules! native {
    ($($type:ty => $kind:ident),* $(,)?) => { $(
        impl Argument for $type {
            fn value(this: Option<Self>) -> Value {
                Value::$kind(this)
            }
        }
        impl Column for $type {
            fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
                match row {
                    AnyRow::Sqlite(row) => row.try_get(index),
                    AnyRow::Postgres(row) => row.try_get(index),
                }
            }
        }
    )* };
}
native!(i64 => Integer, f64 => Real, bool => Boolean, String => Text, Vec<u8> => Bytes, Uuid => Id);

impl Argument for &str {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(str::to_owned))
    }
}

impl Argument for &String {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.cloned())
    }
}

impl Argument for &[u8] {
    fn value(this: Option<Self>) -> Value {
        Value::Bytes(this.map(<[u8]>::to_vec))
    }
}

/// Times, beyond whose range they are the latest, and counts.
impl Argument for u64 {
    fn value(this: Option<Self>) -> Value {
        Value::Integer(this.map(|value| i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl Column for $type {
            fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
                Self::try_from(row.get::<i64>(index)?).map_err(undecodable)
            }
        }
    )* };
}
integers!(u64, u32, u16, i32);

macro_rules! small_integers {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            fn value(this: Option<Self>) -> Value {
                Value::Integer(this.map(i64::from))
            }
        }
    )* };
}
small_integers!(u32, u16, i32);

macro_rules! ids {
    ($($type:ident),* $(,)?) => { $(
        impl Argument for $type {
            fn value(this: Option<Self>) -> Value {
                Value::Id(this.map(|id| id.0))
            }
        }
        impl Column for $type {
            fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
                row.get(index).map($type)
            }
        }
    )* };
}
ids!(
    ApiTokenId,
    FlagId,
    MatchId,
    NodeId,
    PasskeyId,
    PlayerId,
    PushSubscriptionId,
    RemarkId,
    ReportId,
    SanctionId,
    SeekId,
    TournamentId,
    SessionId,
);

impl<const N: usize> Argument for [u8; N] {
    fn value(this: Option<Self>) -> Value {
        Value::Bytes(this.map(Vec::from))
    }
}

impl<const N: usize> Column for [u8; N] {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        let bytes = row.get::<Vec<u8>>(index)?;
        bytes.try_into().map_err(|_| undecodable(format!("a column of {N} bytes has another length")))
    }
}

impl Argument for SecretHash {
    fn value(this: Option<Self>) -> Value {
        Argument::value(this.map(|hash| hash.0))
    }
}

impl Column for SecretHash {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        row.get(index).map(Self)
    }
}

impl Argument for &PasswordHash {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|hash| hash.0.clone()))
    }
}

impl Column for PasswordHash {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        row.get(index).map(Self)
    }
}

impl Argument for Seat {
    fn value(this: Option<Self>) -> Value {
        Value::Integer(this.map(|seat| seat.number().into()))
    }
}

impl Column for Seat {
    fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
        let number = u8::try_from(row.get::<i64>(index)?).map_err(undecodable)?;
        Self::try_from(number).map_err(|error| undecodable(error.to_string()))
    }
}

/// Columns that hold one of some words.
macro_rules! words {
    ($($type:ty: $all:expr, $name:expr;)*) => { $(
        impl Argument for $type {
            fn value(this: Option<Self>) -> Value {
                Value::Text(this.map(|value| $name(&value).to_owned()))
            }
        }
        impl Column for $type {
            fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
                let word = row.get::<String>(index)?;
                let found = $all.into_iter().find(|value| $name(value) == word);
                found.ok_or_else(|| undecodable(format!("{word:?} is no {}", stringify!($type))))
            }
        }
    )* };
}
words! {
    Game: Self::ALL, |game: &Self| game.id();
    Pace: Self::ALL, |pace: &Self| pace.name();
    MatchStage: [Self::Open, Self::Live, Self::Finished], |stage: &Self| state_column(*stage);
    SessionOrigin: [Self::Guest, Self::DeviceCode, Self::Password, Self::RecoveryCode, Self::Passkey],
        |origin: &Self| match origin {
            Self::Guest => "guest",
            Self::DeviceCode => "device_code",
            Self::Password => "password",
            Self::RecoveryCode => "recovery_code",
            Self::Passkey => "passkey",
        };
    TournamentStage: [Self::Announced, Self::Running, Self::Ended], |stage: &Self| match stage {
        Self::Announced => "announced",
        Self::Running => "running",
        Self::Ended => "ended",
    };
    SignUpPolicy: [Self::Open, Self::InviteOnly, Self::Closed], |policy: &Self| match policy {
        Self::Open => "open",
        Self::InviteOnly => "invite_only",
        Self::Closed => "closed",
    };
    ChallengesFrom: [Self::Everyone, Self::Followed, Self::Nobody], |from: &Self| match from {
        Self::Everyone => "everyone",
        Self::Followed => "followed",
        Self::Nobody => "nobody",
    };
}

/// Columns that hold JSON.
macro_rules! json {
    ($($type:ty),*) => { $(
        impl Argument for &$type {
            fn value(this: Option<Self>) -> Value {
                Value::Text(this.map(|value| serde_json::to_string(value).expect("plain data")))
            }
        }
        impl Column for $type {
            fn read(row: &AnyRow<'_>, index: usize) -> Result<Self, Error> {
                serde_json::from_str(&row.get::<String>(index)?).map_err(undecodable)
            }
        }
    )* };
}
json!(SeekTerms, Terms);

/// Ids as one argument: `id IN (SELECT unhex(value) FROM json_each($1))`.
#[derive(Clone)]
pub(crate) struct Ids(String);

impl Ids {
    pub(crate) fn of(ids: impl IntoIterator<Item = Uuid>) -> Self {
        let ids = ids.into_iter().map(|id| format!("\"{}\"", id.simple()));
        Self(format!("[{}]", ids.collect::<Vec<_>>().join(",")))
    }
}

/// Rows as one argument: `SELECT unhex(value->>0), CAST(value->>1 AS bigint) FROM json_each($1)`.
impl Argument for serde_json::Value {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|rows| rows.to_string()))
    }
}

impl Argument for Ids {
    fn value(this: Option<Self>) -> Value {
        Value::Text(this.map(|ids| ids.0))
    }
}
