//! Our mark in a schema: the table `tenbin_mark` has a row for each table that we made. Only those are ever dropped.

use crate::catalogue::{Catalogue, Described, Kind};
use tenbin_driver::{Connection, Error};
use tenbin_model::problem::Problem;

/// The mark's own name.
pub(crate) const NAME: &str = "tenbin_mark";

/// What makes the mark's table.
pub(crate) const CREATE: &str = "CREATE TABLE IF NOT EXISTS tenbin_mark(name VARCHAR(64) NOT NULL PRIMARY KEY, \
     dataset VARCHAR(64) NOT NULL, size_rows BIGINT NOT NULL, complete INTEGER NOT NULL, made_by VARCHAR(64) NOT NULL, \
     created VARCHAR(32) NOT NULL, options VARCHAR(1024) NOT NULL)";

const COLUMNS: [(&str, Kind); 5] = [
    ("name", Kind::Text),
    ("dataset", Kind::Text),
    ("size_rows", Kind::Integer),
    ("complete", Kind::Integer),
    ("options", Kind::Text),
];

/// One marked table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) name: String,
    pub(crate) dataset: String,
    pub(crate) complete: bool,
}

/// The marks of tables that are (still) there, of all datasets.
pub(crate) async fn read(c: &mut Connection, catalogue: &Catalogue) -> Result<Result<Vec<Marked>, Problem>, Error> {
    let Some(found) = catalogue.get(NAME) else { return Ok(Ok(Vec::new())) };
    if let Some(problem) = crate::catalogue::misshapen(NAME, found, &COLUMNS) {
        return Ok(Err(Problem {
            what: format!("the table {NAME} in this schema is not Tenbin's"),
            mend: Some(format!("rename it, or use another schema: Tenbin keeps its own table {NAME} there")),
            ..problem
        }));
    }
    let table = c.table("SELECT name, dataset, complete FROM tenbin_mark").await?;
    let marks = table.rows.into_iter().filter_map(|row| {
        let [name, dataset, complete] = <[_; 3]>::try_from(row).ok()?.map(Option::unwrap_or_default);
        Some(Marked { name, dataset, complete: complete == "1" })
    });
    Ok(Ok(marks.filter(|m| catalogue.contains_key(&m.name)).collect()))
}

/// Marks a table that was just made, before its rows go in: a broken load can then be cleaned up. `options` are written
/// down for people; both must be free of quotes, as names and numbers are.
pub(crate) async fn leave(
    c: &mut Connection,
    name: &str,
    dataset: &str,
    size_rows: u64,
    options: &str,
) -> Result<(), Error> {
    // One of that name may be left from a table that somebody else has dropped since.
    c.query(&format!("DELETE FROM tenbin_mark WHERE name='{name}'")).await?;
    let tool = env!("CARGO_PKG_VERSION");
    let row = format!("'{name}', '{dataset}', {size_rows}, 0, 'tenbin {tool}', CURRENT_TIMESTAMP, '{options}'");
    c.query(&format!(
        "INSERT INTO tenbin_mark (name, dataset, size_rows, complete, made_by, created, options) VALUES ({row})"
    ))
    .await?;
    Ok(())
}

/// Marks a table as loaded to the end, indexes included.
pub(crate) async fn complete(c: &mut Connection, name: &str) -> Result<(), Error> {
    c.query(&format!("UPDATE tenbin_mark SET complete=1 WHERE name='{name}'")).await.map(|_| ())
}

/// Makes the mark's table where it is not there. Two that do so at once may meet on PostgreSQL in spite of IF NOT EXISTS:
/// then the other has made it.
pub(crate) async fn create(c: &mut Connection) -> Result<(), Error> {
    match c.query(CREATE).await {
        Err(e) if matches!(e.sqlstate(), Some("23505" | "42P07")) => Ok(()),
        outcome => outcome.map(|_| ()),
    }
}

/// Drops tables by name, marked or not, with their marks; the mark itself too when nothing is left under it.
pub(crate) async fn drop_named(
    c: &mut Connection,
    catalogue: &Catalogue,
    names: &[String],
    tell: &dyn Fn(&str),
) -> Result<Result<(), Problem>, Error> {
    let marks = catalogue.contains_key(NAME);
    for name in names {
        tell(name);
        c.query(&format!("DROP TABLE IF EXISTS {name}")).await?;
        if marks {
            c.query(&format!("DELETE FROM tenbin_mark WHERE name='{name}'")).await?;
        }
    }
    if marks && c.table("SELECT count(*) FROM tenbin_mark").await?.scalar() == Some("0") {
        c.query("DROP TABLE tenbin_mark").await?;
    }
    Ok(Ok(()))
}

/// Drops every table that carries this dataset's mark, then the mark itself when nothing is left under it. Refuses, and
/// drops nothing, when one of the tables `wanted` is there without it or when a marked table has another shape by now.
pub(crate) async fn drop_marked(
    c: &mut Connection,
    catalogue: &Catalogue,
    dataset: &str,
    wanted: &[String],
    shape: &[(&str, Kind)],
) -> Result<Result<(), Problem>, Error> {
    drop_marked_if(c, catalogue, dataset, wanted, &|name, found| {
        // The names come from a table that others can write to: only such as we give are dropped.
        let digits = name.strip_prefix("sbtest").unwrap_or("");
        if name != "sbtest" && digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err("not a name that Tenbin gives".into());
        }
        match crate::catalogue::misshapen(name, found, shape) {
            Some(problem) => Err(problem.evidence.unwrap_or_default()),
            None => Ok(()),
        }
    })
    .await
}

/// Says why a marked table cannot be one of ours by now, if so.
pub(crate) type Recognise<'a> = &'a dyn Fn(&str, &Described) -> Result<(), String>;

/// [`drop_marked`] with any way to recognise our tables.
pub(crate) async fn drop_marked_if(
    c: &mut Connection,
    catalogue: &Catalogue,
    dataset: &str,
    wanted: &[String],
    recognise: Recognise<'_>,
) -> Result<Result<(), Problem>, Error> {
    let marked = match read(c, catalogue).await? {
        Ok(marked) => marked,
        Err(problem) => return Ok(Err(problem)),
    };
    let ours: Vec<&Marked> = marked.iter().filter(|m| m.dataset == dataset).collect();
    let foreign = wanted.iter().find(|w| catalogue.contains_key(*w) && ours.iter().all(|m| m.name != **w));
    if let Some(name) = foreign {
        return Ok(Err(Problem::new(format!("table {name} does not carry Tenbin's mark, so nothing is dropped"))
            .evidence(match catalogue.contains_key(NAME) {
                true => format!("{NAME} has no row for it"),
                false => format!("there is no table {NAME} in the schema"),
            })
            .mend(format!("use the tables as they are, or DROP TABLE {name} yourself, or use an empty schema"))));
    }
    for mark in &ours {
        let name = &mark.name;
        let evidence = match catalogue.get(name) {
            Some(found) => recognise(name, found).err(),
            None => None,
        };
        if let Some(evidence) = evidence {
            return Ok(Err(Problem::new(format!(
                "{NAME} names {name}, which Tenbin did not make: nothing is dropped"
            ))
            .evidence(evidence)
            .mend(format!("DELETE FROM {NAME} WHERE name='{name}', then try again"))));
        }
    }
    for mark in &ours {
        c.query(&format!("DROP TABLE {}", mark.name)).await?;
        c.query(&format!("DELETE FROM tenbin_mark WHERE name='{}'", mark.name)).await?;
    }
    if catalogue.contains_key(NAME) {
        // Marks of tables that somebody else has dropped are of no use to anybody.
        c.query(&format!("DELETE FROM tenbin_mark WHERE dataset='{dataset}'")).await?;
        if c.table("SELECT count(*) FROM tenbin_mark").await?.scalar() == Some("0") {
            c.query("DROP TABLE tenbin_mark").await?;
        }
    }
    Ok(Ok(()))
}
