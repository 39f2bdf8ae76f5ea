//! Shared by all clients of one trial: the list of statements, the keys to choose from, the number of statements per
//! client.

use super::echo;
use super::file::{self, Reader};
use super::options::{NOTHING, QUERY_FILE};
use super::shape::{Kind, Profile, TableShape, kind_of};
use super::split;
use super::texts::{Text, Texts};
use std::path::PathBuf;
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::promise;
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};
use tokio::sync::OnceCell;

/// With more statements, those of the user are counted under one name.
const NAMED: usize = 40;

/// Reads the keys, as mysqlslap does.
const READ_KEYS: &str = "SELECT id from t1";

/// The statements that are not in the list, by their index in [`SlapSettings::names`].
pub const CONNECT: usize = 0;
pub const COMMIT: usize = 1;
/// The index of the first name of the list.
const OWN: usize = 2;

/// Everything about a trial's load that does not change.
#[derive(Debug)]
pub struct SlapSettings {
    /// To the schema itself.
    pub connector: Connector,
    pub shape: TableShape,
    pub list: QueryList,
    /// Names and kinds of statements.
    pub names: Vec<(String, StatementKind)>,
    pub quota: Quota,
    pub commit: u64,
    pub detach: u64,
    pub init: Vec<Vec<u8>>,
    pub leave_on_error: bool,
    keys: OnceCell<Vec<Box<[u8]>>>,
}

/// Where statements come from.
#[derive(Debug)]
pub enum QueryList {
    /// Executed from the first to the last and again; with the statement's index in the list of names.
    Kept(Vec<(Text, usize)>),
    /// Read while it is sent, and again from its start.
    File { path: PathBuf, delimiter: Vec<u8> },
    /// Drawn one by one.
    Drawn { kind: Kind, read_percent: u64 },
}

/// How many statements each client sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    Unlimited,
    /// All together; the first clients take the remainder.
    Total(u64),
    Each(u64),
    /// The list, once.
    Once,
}

impl SlapSettings {
    /// From checked options.
    pub fn new(given: &OptionMap, connector: &Connector) -> Result<SlapSettings, Problem> {
        let o = Resolved(given);
        let shape = TableShape::of(given);
        let delimiter = delimiter(o)?;
        let (list, names) = list(o, &shape, &delimiter)?;
        let quota = match (o.count("queries"), o.count("queries_per_client"), o.on("once")) {
            (0, 0, true) if matches!(list, QueryList::Drawn { .. }) => {
                return Err(Problem::new(msg!("drawn-statements-run-once")).hint(msg!("give-queries-per-client")));
            }
            (0, 0, true) => Quota::Once,
            // Clients that have nothing to send would not end.
            _ if matches!(&list, QueryList::Kept(list) if list.is_empty()) => {
                return Err(Problem::new(msg!("no-statement-to-run")).hint(msg!("give-a-query")));
            }
            (0, 0, false) => Quota::Unlimited,
            (total, 0, false) => Quota::Total(total),
            (0, each, false) => Quota::Each(each),
            _ => {
                return Err(Problem::new(msg!("queries-contradict")).hint(msg!("keep-one-you-mean")));
            }
        };
        Ok(SlapSettings {
            connector: connector.at_database(o.text("schema"))?,
            shape,
            list,
            names,
            quota,
            commit: o.count("commit"),
            detach: o.count("detach"),
            init: init(o),
            leave_on_error: o.on("leave_on_error"),
            keys: OnceCell::new(),
        })
    }

    /// Statements of client `number` of `of`; `None` without limit. A file that runs once ends itself.
    pub fn share(&self, number: u32, of: u32) -> Option<u64> {
        match (self.quota, &self.list) {
            (Quota::Unlimited, _) => None,
            (Quota::Total(n), _) => Some(n / u64::from(of) + u64::from(u64::from(number) < n % u64::from(of))),
            (Quota::Each(n), _) => Some(n),
            (Quota::Once, QueryList::Kept(list)) => Some(list.len() as u64),
            (Quota::Once, _) => None,
        }
    }

    /// The first statement that may set what the commits of its session survive; those of a file that is read while it is sent are not known.
    pub fn sets_durability(&self) -> Option<String> {
        let list = match &self.list {
            QueryList::Kept(list) => list.as_slice(),
            QueryList::File { .. } | QueryList::Drawn { .. } => &[],
        };
        let all = self.init.iter().chain(list.iter().map(|(text, _)| &text.sql));
        all.map(|sql| String::from_utf8_lossy(sql)).find(|sql| promise::is_set_by(sql)).map(|sql| sql.trim().to_owned())
    }

    /// The keys to choose from, read once from the preloaded rows.
    pub async fn keys(&self, c: &mut Connection) -> Result<&[Box<[u8]>], Error> {
        let keyed = matches!(&self.list, QueryList::Kept(list) if list.iter().any(|(t, _)| t.keyed));
        if !keyed {
            return Ok(&[]);
        }
        let keys = self.keys.get_or_try_init(|| async {
            echo::statement(READ_KEYS.as_bytes());
            let table = c.table(READ_KEYS).await?;
            let ids = table.rows.into_iter().filter_map(|row| row.into_iter().next().flatten());
            let keys: Vec<Box<[u8]>> = ids.map(|id| id.into_bytes().into_boxed_slice()).collect();
            if keys.is_empty() {
                return Err(Error::new(Class::Sql, msg!("table-without-rows")).hint(msg!("preload-a-row")));
            }
            Ok(keys)
        });
        keys.await.map(Vec::as_slice)
    }

    /// [`Self::keys`] once they have been read.
    pub fn known_keys(&self) -> &[Box<[u8]>] {
        self.keys.get().map_or(&[], Vec::as_slice)
    }

    /// The file from its start, if the list is a file.
    pub fn open(&self) -> Result<Option<Reader>, Error> {
        match &self.list {
            QueryList::File { path, delimiter } => file::open(path, delimiter).map(Some).map_err(|e| unreadable(&e)),
            _ => Ok(None),
        }
    }
}

/// The error for a query file that cannot be read any more.
pub fn unreadable(error: &std::io::Error) -> Error {
    Error::new(Class::Limit, msg!("query-file-unreadable", error))
}

/// The delimiter, which must not be empty.
pub fn delimiter(o: Resolved<'_>) -> Result<Vec<u8>, Problem> {
    match o.text("delimiter") {
        "" => Err(Problem::new(msg!("delimiter-is-empty")).hint(msg!("give-a-delimiter"))),
        text => Ok(text.as_bytes().to_vec()),
    }
}

/// The initial statements of each connection.
fn init(o: Resolved<'_>) -> Vec<Vec<u8>> {
    let autocommit = (o.count("commit") > 0).then(|| b"SET AUTOCOMMIT=0".to_vec());
    let own = Some(o.text("init_command")).filter(|text| !text.is_empty()).map(|text| text.as_bytes().to_vec());
    own.into_iter().chain(autocommit).collect()
}

type Names = Vec<(String, StatementKind)>;

fn list(o: Resolved<'_>, shape: &TableShape, delimiter: &[u8]) -> Result<(QueryList, Names), Problem> {
    let mut names: Names = vec![("connect".into(), StatementKind::Other), ("commit".into(), StatementKind::Other)];
    let (text, path) = (o.text("query"), o.text(QUERY_FILE));
    if !text.is_empty() && !path.is_empty() {
        return Err(Problem::new(msg!("query-given-twice")).hint(msg!("keep-one-you-mean")));
    }
    let own = match path {
        "" if text.is_empty() => None,
        "" => Some(text.as_bytes().to_vec()),
        path => match file::small(path.as_ref())? {
            Some(text) => Some(text),
            None => {
                names.push(("query".into(), StatementKind::Read));
                return Ok((QueryList::File { path: path.into(), delimiter: delimiter.to_vec() }, names));
            }
        },
    };
    if let Some(own) = own {
        return Ok((QueryList::Kept(owned(split::all(&own, delimiter), &mut names)?), names));
    }
    if o.text("type") == NOTHING {
        return Ok((QueryList::Kept(Vec::new()), names));
    }
    let kind = kind_of(o.text("type"));
    shape.check(kind)?;
    if shape.profile == Profile::Fixed {
        names.extend([
            ("select".into(), StatementKind::Read),
            ("insert".into(), StatementKind::Write),
            ("update".into(), StatementKind::Write),
        ]);
        return Ok((QueryList::Drawn { kind, read_percent: o.count("read_percent") }, names));
    }
    let mut list = Vec::new();
    for text in Texts::new(shape, kind, o.count32("unique_queries")).list {
        let index = names.iter().position(|(name, _)| *name == text.name).unwrap_or_else(|| {
            names.push((text.name.clone(), text.kind));
            names.len() - 1
        });
        list.push((text, index));
    }
    Ok((QueryList::Kept(list), names))
}

/// The user's own statements, each with its own number if they are few.
fn owned(statements: Vec<Vec<u8>>, names: &mut Names) -> Result<Vec<(Text, usize)>, Problem> {
    if statements.is_empty() {
        return Err(Problem::new(msg!("no-statement-to-run")).hint(msg!("give-a-query")));
    }
    let few = statements.len() <= NAMED;
    Ok(statements
        .into_iter()
        .enumerate()
        .map(|(i, sql)| {
            let kind = reads(&sql);
            if few {
                names.push((format!("query {}", i + 1), kind));
            } else if i == 0 {
                names.push(("query".into(), kind));
            }
            let index = if few { OWN + i } else { OWN };
            (Text { sql, keyed: false, name: names[index].0.clone(), kind }, index)
        })
        .collect())
}

fn reads(sql: &[u8]) -> StatementKind {
    let word: Vec<u8> = sql.iter().take_while(|b| b.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    match word.as_slice() {
        b"select" | b"show" | b"with" | b"explain" | b"describe" | b"desc" | b"table" | b"values" => {
            StatementKind::Read
        }
        b"begin" | b"start" | b"commit" | b"rollback" | b"set" | b"use" => StatementKind::Other,
        _ => StatementKind::Write,
    }
}
