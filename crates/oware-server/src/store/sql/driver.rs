//! The two databases behind one face: statements with `$1`, values of three kinds in, rows of
//! three kinds out. What differs between them is in this file and in the migrations.
//!
//! sqlx's own `Any` driver is not used: it hides `BEGIN IMMEDIATE`, and it reads neither
//! database's types fully.

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;
use sqlx::query::Query;
use sqlx::sqlite::SqliteRow;
use sqlx::{
    AssertSqlSafe, Database, Encode, PgPool, Postgres, Sqlite, SqlitePool, Transaction, Type,
};

use crate::store::StoreError;

/// What can go wrong inside.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The database says no.
    Sql(sqlx::Error),
    /// What it gave back makes no sense.
    Damaged(String),
}

/// What the inner functions answer.
pub(super) type Tried<T> = Result<T, Trouble>;

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Self {
        Trouble::Sql(error)
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Sql(error) => StoreError::Database(error.to_string()),
            Trouble::Damaged(what) => StoreError::Damaged(what),
        }
    }
}

impl Trouble {
    /// Whether the database only asks for another try: PostgreSQL's serialisation failure and
    /// deadlock. Nothing was done then.
    pub(super) fn is_passing(&self) -> bool {
        let Trouble::Sql(sqlx::Error::Database(error)) = self else { return false };
        matches!(error.code().as_deref(), Some("40001" | "40P01"))
    }

    /// Whether a row broke a rule of the schema.
    pub(super) fn is_constraint(&self) -> bool {
        let Trouble::Sql(sqlx::Error::Database(error)) = self else { return false };
        error.is_unique_violation()
            || error.is_foreign_key_violation()
            || error.is_check_violation()
    }

    /// Whether a row like it is there already.
    pub(super) fn is_unique(&self) -> bool {
        matches!(self, Trouble::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
}

/// A value that goes into a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Text or nothing.
    Text(Option<String>),
    /// A whole number or nothing.
    Int(Option<i64>),
    /// A number or nothing.
    Real(Option<f64>),
}

macro_rules! value_from {
    ($($kind:ty, $variant:ident, $given:ident => $made:expr;)*) => {$(
        impl From<$kind> for Value {
            fn from($given: $kind) -> Value {
                Value::$variant($made)
            }
        }
    )*};
}

value_from! {
    &str, Text, text => Some(text.to_owned());
    &String, Text, text => Some(text.clone());
    String, Text, text => Some(text);
    Option<&str>, Text, text => text.map(str::to_owned);
    Option<String>, Text, text => text;
    i64, Int, number => Some(number);
    u32, Int, number => Some(i64::from(number));
    u8, Int, number => Some(i64::from(number));
    bool, Int, on => Some(i64::from(on));
    Option<i64>, Int, number => number;
    Option<u32>, Int, number => number.map(i64::from);
    Option<u8>, Int, number => number.map(i64::from);
    f64, Real, number => Some(number);
    Option<f64>, Real, number => number;
}

/// The values of a statement, each made into a [`Value`].
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$(crate::store::sql::driver::Value::from($value)),*]
    };
}
pub(super) use values;

/// A row of either database, read from left to right.
pub(super) struct Row {
    inner: Inner,
    next: usize,
}

enum Inner {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

macro_rules! read {
    ($(#[$doc:meta] $maybe:ident, $sure:ident: $kind:ty;)*) => {$(
        #[$doc]
        pub(super) fn $maybe(&mut self) -> Tried<Option<$kind>> {
            self.next += 1;
            let value = match &self.inner {
                Inner::Sqlite(row) => sqlx::Row::try_get(row, self.next - 1),
                Inner::Postgres(row) => sqlx::Row::try_get(row, self.next - 1),
            };
            value.map_err(|error| Trouble::Damaged(format!("column {}: {error}", self.next)))
        }

        #[$doc]
        pub(super) fn $sure(&mut self) -> Tried<$kind> {
            let value = self.$maybe()?;
            value.ok_or_else(|| Trouble::Damaged(format!("column {} has nothing", self.next)))
        }
    )*};
}

impl Row {
    read! {
        /// The next column, a text.
        maybe_text, text: String;
        /// The next column, a whole number.
        maybe_int, int: i64;
        /// The next column, a number.
        maybe_real, real: f64;
    }

    /// The next column, a whole number that must fit.
    pub(super) fn count<N: TryFrom<i64>>(&mut self) -> Tried<N> {
        let number = self.int()?;
        N::try_from(number)
            .map_err(|_| Trouble::Damaged(format!("column {}: {number} is too large", self.next)))
    }

    /// The next column, a whole number that must fit, or nothing.
    pub(super) fn maybe_count<N: TryFrom<i64>>(&mut self) -> Tried<Option<N>> {
        let Some(number) = self.maybe_int()? else { return Ok(None) };
        N::try_from(number)
            .map(Some)
            .map_err(|_| Trouble::Damaged(format!("column {}: {number} is too large", self.next)))
    }

    /// The next column, yes or no.
    pub(super) fn flag(&mut self) -> Tried<bool> {
        Ok(self.int()? != 0)
    }
}

/// A statement with its values.
fn bound<DB>(sql: &str, values: Vec<Value>) -> Query<'static, DB, DB::Arguments>
where
    DB: Database,
    Option<String>: Encode<'static, DB> + Type<DB>,
    Option<i64>: Encode<'static, DB> + Type<DB>,
    Option<f64>: Encode<'static, DB> + Type<DB>,
{
    // Every statement of this module is put together from fixed pieces; what comes from outside
    // goes in as a value.
    let query = sqlx::query(AssertSqlSafe(sql.to_owned()));
    values.into_iter().fold(query, |query, value| match value {
        // PostgreSQL knows no text with a zero in it. Nothing that is kept holds one, so that
        // looking for such a text finds nothing.
        Value::Text(Some(text)) if text.contains('\0') => {
            query.bind(Some(text.replace('\0', "\u{fffd}")))
        }
        Value::Text(text) => query.bind(text),
        Value::Int(number) => query.bind(number),
        Value::Real(number) => query.bind(number),
    })
}

/// An open database.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// A file: one connection writes, others read what was committed before they began.
    Sqlite {
        /// A pool of one.
        write: SqlitePool,
        /// These cannot write.
        read: SqlitePool,
    },
    /// A server.
    Postgres(PgPool),
}

impl Base {
    /// Begins a transaction that may write. In SQLite it takes the right to write at once: one
    /// that took it later could find that what it read is no longer so, for which waiting does
    /// not help.
    pub(super) async fn begin(&self) -> Tried<Tx> {
        Ok(match self {
            Base::Sqlite { write, .. } => {
                let mut tx = SqliteTx { connection: write.acquire().await?, open: true };
                sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *tx.connection).await?;
                Tx::Sqlite(tx)
            }
            Base::Postgres(pool) => Tx::Postgres(pool.begin().await?),
        })
    }

    /// The rows of a statement that only reads.
    pub(super) async fn fetch(&self, sql: &str, values: Vec<Value>) -> Tried<Vec<Row>> {
        Ok(match self {
            Base::Sqlite { read, .. } => {
                let rows = bound::<Sqlite>(sql, values).fetch_all(read).await?;
                rows.into_iter().map(|row| Row { inner: Inner::Sqlite(row), next: 0 }).collect()
            }
            Base::Postgres(pool) => {
                let rows = bound::<Postgres>(sql, values).fetch_all(pool).await?;
                rows.into_iter().map(|row| Row { inner: Inner::Postgres(row), next: 0 }).collect()
            }
        })
    }

    /// The first row, if there is one.
    pub(super) async fn fetch_one(&self, sql: &str, values: Vec<Value>) -> Tried<Option<Row>> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// Does one statement, in a transaction of its own; how many rows it touched.
    pub(super) async fn execute(&self, sql: &str, values: Vec<Value>) -> Tried<u64> {
        Ok(match self {
            // One statement needs no BEGIN: it takes the right to write at once by itself.
            Base::Sqlite { write, .. } => {
                bound::<Sqlite>(sql, values).execute(write).await?.rows_affected()
            }
            Base::Postgres(pool) => {
                bound::<Postgres>(sql, values).execute(pool).await?.rows_affected()
            }
        })
    }
}

/// A transaction in SQLite. sqlx's own counts its depth, which is wrong for ever once SQLite has
/// undone a transaction by itself, as it does when the disk is full. Here a connection whose
/// transaction did not end well is closed, which undoes everything, and another is opened.
pub(super) struct SqliteTx {
    connection: PoolConnection<Sqlite>,
    open: bool,
}

impl SqliteTx {
    async fn commit(mut self) -> Tried<()> {
        sqlx::raw_sql("COMMIT").execute(&mut *self.connection).await?;
        self.open = false;
        Ok(())
    }
}

impl Drop for SqliteTx {
    fn drop(&mut self) {
        if self.open {
            self.connection.close_on_drop();
        }
    }
}

/// A transaction; what it did is undone when it is dropped without [`Tx::commit`].
pub(super) enum Tx {
    /// In SQLite.
    Sqlite(SqliteTx),
    /// In PostgreSQL.
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    /// The rows of a statement.
    pub(super) async fn fetch(&mut self, sql: &str, values: Vec<Value>) -> Tried<Vec<Row>> {
        Ok(match self {
            Tx::Sqlite(tx) => {
                let rows = bound::<Sqlite>(sql, values).fetch_all(&mut *tx.connection).await?;
                rows.into_iter().map(|row| Row { inner: Inner::Sqlite(row), next: 0 }).collect()
            }
            Tx::Postgres(tx) => {
                let rows = bound::<Postgres>(sql, values).fetch_all(&mut **tx).await?;
                rows.into_iter().map(|row| Row { inner: Inner::Postgres(row), next: 0 }).collect()
            }
        })
    }

    /// The first row, if there is one.
    pub(super) async fn fetch_one(&mut self, sql: &str, values: Vec<Value>) -> Tried<Option<Row>> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// Does a statement; how many rows it touched.
    pub(super) async fn execute(&mut self, sql: &str, values: Vec<Value>) -> Tried<u64> {
        Ok(match self {
            Tx::Sqlite(tx) => {
                bound::<Sqlite>(sql, values).execute(&mut *tx.connection).await?.rows_affected()
            }
            Tx::Postgres(tx) => {
                bound::<Postgres>(sql, values).execute(&mut **tx).await?.rows_affected()
            }
        })
    }

    /// Makes it so, on disk.
    pub(super) async fn commit(self) -> Tried<()> {
        match self {
            Tx::Sqlite(tx) => tx.commit().await?,
            Tx::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }

    /// What a `SELECT` ends with that must keep its rows until the end of the transaction: in
    /// SQLite nothing, since nobody else writes meanwhile.
    pub(super) fn lock(&self) -> &'static str {
        match self {
            Tx::Sqlite(_) => "",
            Tx::Postgres(_) => " FOR UPDATE",
        }
    }
}
