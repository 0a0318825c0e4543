//! Statements that can refuse an append.

use sqlx::Error;

use super::{
    tx::{Answer, Statement, Tx},
    value::Value,
};
use crate::error::Refused;

/// Why an append is refused, if it is.
type Judged = Result<Option<Refused>, Error>;

/// A statement, and whether what it comes to refuses an append. It may change something.
pub(crate) struct Check<'c> {
    statement: Statement,
    judge: Box<dyn Fn(&Answer) -> Judged + Send + Sync + 'c>,
}

impl<'c> Check<'c> {
    pub(crate) fn of(statement: Statement, judge: impl Fn(&Answer) -> Judged + Send + Sync + 'c) -> Self {
        Self { statement, judge: Box::new(judge) }
    }

    /// Refused unless a row is changed.
    pub(crate) fn one_changes(sql: &'static str, args: Vec<Value>, refused: Refused) -> Self {
        let judge = move |done: &Answer| Ok((done.changed() == 0).then_some(refused));
        Self::of(Statement::new(sql, args), judge)
    }
}

/// Runs checks, all of them. Of several reasons that of the lowest rank counts.
pub(crate) async fn first_refused(tx: &mut Tx, checks: Vec<Check<'_>>) -> Result<Option<Refused>, Error> {
    let (statements, judges): (Vec<_>, Vec<_>) =
        checks.into_iter().map(|check| (check.statement, check.judge)).unzip();
    let done = tx.run_all(statements).await?;
    let refused: Vec<Option<Refused>> =
        judges.iter().zip(&done).map(|(judge, done)| judge(done)).collect::<Result<_, Error>>()?;
    Ok(refused.into_iter().flatten().min_by_key(Refused::rank))
}
