//! The schema that mysqlslap creates before each iteration and drops after it. Ours has our mark, with a row for every
//! table in it; a schema without it, or with other tables, is left alone.

use super::echo;
use super::file;
use super::options;
use super::settings::delimiter;
use super::shape::{Profile, TableShape};
use super::split;
use super::texts::{self, Texts, fixed};
use std::process::Command;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::{Scheme, is_system_schema};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::system;
use tenbin_workload::tables::{created, mark};
use tenbin_workload::{Dataset, DatasetEntry, DatasetState, Progress};

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "slap",
    about: "mysqlslap's schema with the table t1, or with tables of own statements; created and dropped as a whole",
    options: &[options::TABLE, options::DATA],
    sizes: &[("preload", 100)],
    own_schema: true,
    created_by_user: true,
    columns: |_| Vec::new(),
    ..DatasetEntry::made_by(|given, scheme| Ok(Box::new(Slap::new(given, scheme)?)))
};

/// The only table if no statement of the user creates others.
const GENERATED: &str = "t1";

/// Rows of one INSERT in the profile `fixed`.
const BATCH: u64 = 500;

/// Statements of the preload are sent together up to this many bytes.
const TEXT: usize = 64 * 1024;

/// The schema and what is done around a trial.
#[derive(Debug)]
pub struct Slap {
    given: OptionMap,
    shape: TableShape,
    schema: String,
    engine: String,
    scheme: Scheme,
    /// Statements of the user that create the tables.
    create: Vec<Vec<u8>>,
    before: Vec<Vec<u8>>,
    after: Vec<Vec<u8>>,
    generate: bool,
}

impl Slap {
    pub fn new(given: &OptionMap, scheme: Scheme) -> Result<Slap, Problem> {
        let o = Resolved(given);
        if !scheme.kind().takes_mysql {
            return Err(Problem::new(msg!("slap-needs-mysql")).hint(msg!("use-mysql-or-oltp")));
        }
        let delimiter = delimiter(o)?;
        let own = |text: &str, path: &str| -> Result<Vec<Vec<u8>>, Problem> {
            let text = match o.text(path) {
                "" => o.text(text).as_bytes().to_vec(),
                path => file::small(path.as_ref())?.ok_or_else(|| {
                    Problem::new(msg!("file-larger-than-4-mib", file = path)).hint(msg!("load-with-mariadb-client"))
                })?,
            };
            Ok(split::all(&text, &delimiter))
        };
        let slap = Slap {
            shape: TableShape::of(given),
            schema: o.text("schema").to_owned(),
            engine: o.text("engine").to_owned(),
            create: own("create", "create_file")?,
            before: own("pre_query", "pre_query_file")?,
            after: own("post_query", "post_query_file")?,
            generate: o.on("generate"),
            scheme,
            given: given.clone(),
        };
        if slap.makes() && slap.schema.is_empty() {
            return Err(Problem::new(msg!("schema-without-name")).hint(msg!("name-the-schema")));
        }
        if slap.makes() && is_system_schema(Scheme::Mysql, &slap.schema) {
            return Err(system::refused(&slap.schema).hint(msg!("name-another-schema")));
        }
        Ok(slap)
    }

    /// Whether it creates a schema at all; otherwise only the user's statements are executed around each trial.
    pub fn makes(&self) -> bool {
        self.generate || !self.create.is_empty()
    }

    /// All statements that create tables and rows, in order.
    fn build(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        let clause = texts::engine_clause(&self.engine);
        // mysqlslap appends the engine to the first statement, whatever it is.
        let table = self.create.iter().position(|sql| makes_table(sql));
        let own = self.create.iter().enumerate().map(move |(i, sql)| match Some(i) == table {
            true => [sql.as_slice(), clause.as_bytes()].concat(),
            false => sql.clone(),
        });
        let generated = self.generate.then(|| {
            let create = texts::create(&self.shape, &self.engine).into_bytes();
            std::iter::once(create).chain(self.fill())
        });
        own.chain(generated.into_iter().flatten())
    }

    /// [`Self::build`] as it is sent: short statements of ours are sent several at a time, which saves round trips.
    /// Statements of the user are sent unchanged.
    fn sent(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        let mut own = self.create.len();
        let mut build = self.build().inspect(|sql| echo::statement(sql)).peekable();
        std::iter::from_fn(move || {
            let mut text = build.next()?;
            if own > 0 {
                own -= 1;
                return Some(text);
            }
            while let Some(next) = build.next_if(|next| text.len() + next.len() < TEXT) {
                text.push(b';');
                text.extend_from_slice(&next);
            }
            Some(text)
        })
    }

    /// The INSERTs that fill the table.
    fn fill(&self) -> Box<dyn Iterator<Item = Vec<u8>> + '_> {
        let (shape, preload) = (&self.shape, self.shape.preload);
        if shape.profile == Profile::Fixed {
            let batch = move |from: u64| fixed::preload(shape, 0, from..=preload.min(from + BATCH - 1)).into_bytes();
            return Box::new((1..=preload).step_by(BATCH as usize).map(batch));
        }
        let rows = Texts::new(shape, super::shape::Kind::Read, 0).rows;
        let preload = if rows.is_empty() { 0 } else { preload };
        Box::new((0..preload).map(move |i| rows[(i % rows.len() as u64) as usize].clone().into_bytes()))
    }

    /// What `--only-print` shows for the start of each iteration.
    pub fn printed(&self, drop: bool, say: &mut dyn FnMut(&[u8])) {
        if self.makes() {
            if drop {
                say(self.drop_schema().as_bytes());
            }
            say(self.create_schema().as_bytes());
            say(format!("use {}", self.schema).as_bytes());
            self.build().for_each(|sql| say(&sql));
        }
        self.before.iter().for_each(|sql| say(sql));
    }

    /// What it shows for the end.
    pub fn printed_after(&self, say: &mut dyn FnMut(&[u8])) {
        self.after.iter().for_each(|sql| say(sql));
    }

    pub fn drop_schema(&self) -> String {
        format!("DROP SCHEMA IF EXISTS `{}`", self.schema)
    }

    fn create_schema(&self) -> String {
        format!("CREATE SCHEMA `{}`", self.schema)
    }

    async fn inspect(&self, c: &mut Connection) -> Result<DatasetState, Error> {
        let schema = &self.schema;
        let there = format!("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME='{schema}'");
        if c.table(&there).await?.rows.is_empty() {
            return Ok(DatasetState::Nothing);
        }
        let tables = format!("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA='{schema}'");
        let tables = column(c, &tables).await?;
        let marked = match tables.iter().any(|t| t == mark::NAME) {
            true => mark::of_schema(c, schema).await?,
            false => Vec::new(),
        };
        // A table that somebody has put in place of ours is theirs.
        let ours = |name: &str| marked.iter().find(|m| m.dataset == ENTRY.kind && m.current && m.name == name);
        let objects = objects(c, schema).await?;
        let there = tables.iter().filter(|table| *table != mark::NAME).chain(&objects);
        let foreign: Vec<&str> = there.map(String::as_str).filter(|name| ours(name).is_none()).collect();
        let whole = ours(&self.whole());
        if let Some(whole) = whole.filter(|_| foreign.is_empty()) {
            return Ok(if whole.complete && whole.options == self.recorded() {
                DatasetState::Ready { ours: true }
            } else {
                DatasetState::Different { ours: true, problem: other(schema) }
            });
        }
        let evidence = match (whole.is_some(), foreign.as_slice()) {
            (false, []) => msg!("schema-empty-without-mark"),
            (_, some) => {
                let shown = some.iter().take(3).copied().collect::<Vec<_>>().join(", ");
                msg!("foreign-tables-in-schema", shown, more = if some.len() > 3 { ", …" } else { "" })
            }
        };
        let problem = Problem::new(msg!("schema-not-ours", schema))
            .evidence(evidence)
            .hint(msg!("name-another-schema-or-allow-drop"));
        let allowed = Resolved(&self.given).on("allow_drop");
        Ok(DatasetState::Different { ours: allowed, problem })
    }

    /// The mark's row for the schema as a whole.
    fn whole(&self) -> String {
        format!("schema {}", self.schema)
    }

    /// The options of the schema as stored in the mark: without quotes, backslashes and secrets.
    fn recorded(&self) -> String {
        let o = Resolved(&self.given);
        let own: u64 = self.create.iter().flatten().fold(14_695_981_039_346_656_037, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211)
        });
        let table = options::TABLE.iter().map(|row| format!("{}={}", row.name, o.text(row.name)));
        let clean = |text: &str| text.chars().filter(|c| c.is_ascii_alphanumeric() || "=_ .:,".contains(*c)).collect();
        let engine: String = clean(&self.engine);
        let all = table.chain([format!("engine={engine} generate={} create={own:x}", self.generate)]);
        all.collect::<Vec<_>>().join(" ")
    }

    /// Fills the schema that was just created and marked.
    async fn fill_schema(
        &self,
        c: &mut Connection,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Result<(), Problem>, Error> {
        let mut rows = 0;
        for sql in self.sent() {
            if stop.asked() {
                return Ok(Err(Problem::new(msg!("stopped-while-loading"))));
            }
            rows += c.query_bytes(&sql).await.map_err(|e| e.sent(&first_of(&sql), false))?.affected;
            progress(rows);
        }
        let replaced = self.other_engine(c).await?;
        if self.create.is_empty() && replaced.is_none() {
            mark::leave_complete_with(c, GENERATED, ENTRY.kind, &self.whole()).await?;
        } else {
            // One commit, and not one for each mark.
            c.query("BEGIN").await?;
            self.mark_all(c).await?;
            if replaced.is_none() {
                mark::complete(c, &self.whole()).await?;
            }
            c.query("COMMIT").await?;
        }
        if replaced.is_none() {
            echo::line("Generating primary key list");
        }
        Ok(replaced.map_or(Ok(()), Err))
    }

    /// Creates the schema, marks and fills it. `inside`: the server with the schema.
    fn make(
        &self,
        connector: &Connector,
        inside: &Connector,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        let doing = || msg!("making-schema");
        with_connection(connector, doing(), async |c| {
            let sql = self.create_schema();
            echo::line("Loading Pre-data");
            echo::statement(sql.as_bytes());
            c.query(&sql).await.map_err(|e| e.sent(&sql, false)).map(|_| Ok(()))
        })?;
        if let Err(problem) = with_connection(inside, doing(), async |c| self.mark_schema(c).await.map(Ok)) {
            // Without its mark no later run would know that it is ours.
            let _ = with_connection(connector, doing(), async |c| c.query(&self.drop_schema()).await.map(Ok));
            return Err(problem);
        }
        with_connection(&self.of_user(inside), doing(), async |c| self.fill_schema(c, progress, stop).await)
    }

    /// The connector for statements among which are those that create the tables: in what state the user's leave their session is not known.
    fn of_user(&self, inside: &Connector) -> Connector {
        if self.create.is_empty() { inside.clone() } else { inside.keeping_none() }
    }

    /// Marks the schema that was just created.
    async fn mark_schema(&self, c: &mut Connection) -> Result<(), Error> {
        mark::create(c).await?;
        mark::leave(c, &self.whole(), ENTRY.kind, self.shape.preload, &self.recorded()).await
    }

    /// Marks the tables and the other objects that statements of the user have created: those that are there and that the statements name. Somebody else may
    /// have created others meanwhile.
    async fn mark_all(&self, c: &mut Connection) -> Result<(), Error> {
        let tables = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE()";
        let mut all = column(c, tables).await?;
        all.extend(objects(c, &self.schema).await?);
        all.retain(|name| name != mark::NAME && is_plain(name));
        let all_own = self.create.iter().chain(&self.before).filter(|sql| makes(sql));
        let statements = all_own.map(|sql| sql.to_ascii_lowercase()).collect::<Vec<_>>().join(&b'\n');
        let (created, _) = created::created_by(&statements, all, name_of);
        for name in &created {
            mark::leave(c, name, ENTRY.kind, 0, "").await?;
        }
        mark::all_complete(c, &created).await
    }

    /// Lets the marks mean the tables as the statements of the trial have left them: emptied, changed or created again.
    async fn mark_again(&self, c: &mut Connection) -> Result<(), Error> {
        let marked = mark::of_schema(c, &self.schema).await?;
        let is_other = |m: &mark::MarkRow| m.complete && !m.current && m.name != self.whole();
        let tables: Vec<String> = marked.into_iter().filter(is_other).map(|m| m.name).collect();
        mark::all_complete(c, &tables).await
    }

    /// A server may replace an unknown engine by another one, with a warning only.
    async fn other_engine(&self, c: &mut Connection) -> Result<Option<Problem>, Error> {
        let wanted = self.engine.split(':').next().unwrap_or("");
        if wanted.is_empty() || !self.generate {
            return Ok(None);
        }
        let sql = "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='t1'";
        let engine = column(c, sql).await?.pop().unwrap_or_default();
        Ok((!engine.is_empty() && !engine.eq_ignore_ascii_case(wanted) && !wanted.eq_ignore_ascii_case("heap")).then(
            || {
                Problem::new(msg!("engine-replaced", found = engine, wanted))
                    .evidence(msg!("server-replaces-engines"))
                    .hint(msg!("show-engines"))
            },
        ))
    }

    async fn all(c: &mut Connection, statements: &[Vec<u8>]) -> Result<(), Error> {
        for sql in statements {
            echo::statement(sql);
            c.query_bytes(sql).await.map_err(|e| e.sent(&String::from_utf8_lossy(sql), false))?;
        }
        Ok(())
    }
}

/// The first of statements that are sent together: an error of the table is one of it.
fn first_of(sql: &[u8]) -> String {
    String::from_utf8_lossy(sql.split(|byte| *byte == b';').next().unwrap_or_default()).into_owned()
}

fn other(schema: &str) -> Problem {
    Problem::new(msg!("schema-made-otherwise", schema)).hint(msg!("restore-before-run-or-name-schema"))
}

/// The first column of an answer.
async fn column(c: &mut Connection, sql: &str) -> Result<Vec<String>, Error> {
    let rows = c.table(sql).await?.rows;
    Ok(rows.into_iter().filter_map(|row| row.into_iter().next().flatten()).collect())
}

/// The routines, events and triggers of a schema, as `procedure name`; those of a server that does not tell them are none.
async fn objects(c: &mut Connection, schema: &str) -> Result<Vec<String>, Error> {
    let each = [
        format!(
            "SELECT LOWER(ROUTINE_TYPE), ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA='{schema}'"
        ),
        format!("SELECT 'event', EVENT_NAME FROM information_schema.EVENTS WHERE EVENT_SCHEMA='{schema}'"),
        format!("SELECT 'trigger', TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA='{schema}'"),
    ];
    // Together, because the server commits after each; one by one, if it does not have all of them.
    let mut rows = c.rows_if_visible(&each.join(" UNION ALL ")).await?;
    if rows.is_none() {
        let mut all = Vec::new();
        for sql in &each {
            all.extend(c.rows_if_visible(sql).await?.unwrap_or_default());
        }
        rows = Some(all);
    }
    let name = |row: Vec<Option<String>>| row.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(rows.into_iter().flatten().map(name).collect())
}

/// The name of a table or of one of the other objects.
fn name_of(object: &str) -> &str {
    let kinds = ["procedure ", "function ", "event ", "trigger "];
    kinds.iter().find_map(|kind| object.strip_prefix(kind)).unwrap_or(object)
}

/// Whether a statement may give the schema a table or another object with a name that it says.
fn makes(sql: &[u8]) -> bool {
    let verb = sql.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default();
    ["create", "alter", "rename"].iter().any(|known| verb.eq_ignore_ascii_case(known.as_bytes()))
}

fn makes_table(sql: &[u8]) -> bool {
    let words: Vec<&[u8]> = sql.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).take(3).collect();
    let is = |i: usize, word: &str| words.get(i).is_some_and(|w| w.eq_ignore_ascii_case(word.as_bytes()));
    is(0, "create") && (is(1, "table") || is(1, "temporary") && is(2, "table"))
}

fn is_plain(name: &str) -> bool {
    !name.contains(['\'', '\\']) && name.len() <= 64
}

/// Runs a shell command to its end.
fn shell(command: &str) -> Result<(), Problem> {
    if command.is_empty() {
        return Ok(());
    }
    let failed = |evidence: String| {
        Problem::new(msg!("command-failed", command)).evidence(foreign(evidence)).hint(msg!("correct-the-command"))
    };
    match Command::new("sh").arg("-c").arg(command).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(status.to_string())),
        Err(e) => Err(failed(e.to_string())),
    }
}

impl Dataset for Slap {
    fn kind(&self) -> &str {
        ENTRY.kind
    }

    fn rows(&self) -> u64 {
        if self.generate { self.shape.preload } else { 0 }
    }

    fn bytes(&self) -> u64 {
        let row = 40
            + 40 * u64::from(self.shape.secondary)
            + 4 * u64::from(self.shape.ints.count)
            + 130 * u64::from(self.shape.chars.count);
        self.rows() * row * 3 / 2
    }

    fn statements(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.makes() {
            all.extend([self.create_schema(), mark::CREATE.to_owned()]);
            if self.generate {
                all.push(texts::create(&self.shape, &self.engine));
            }
            all.extend(self.create.iter().map(|sql| String::from_utf8_lossy(sql).into_owned()));
            all.push(format!("DROP SCHEMA `{}`", self.schema));
        }
        all
    }

    fn schema(&self) -> Option<&str> {
        Some(&self.schema)
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        match self.scheme {
            Scheme::Null => Ok(DatasetState::Ready { ours: false }),
            // Nothing is created, and the work before each trial is done by the load.
            _ if !self.makes() => Ok(DatasetState::Nothing),
            _ => with_connection(connector, msg!("looking-at-schema"), async |c| self.inspect(c).await.map(Ok)),
        }
    }

    fn streams_used(&self, _connector: &Connector, _streams: u32) -> u32 {
        1
    }

    fn load(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(Vec::new());
        }
        let inside = connector.at_database(&self.schema)?;
        if self.makes() {
            self.make(connector, &inside, progress, stop)?;
        }
        shell(Resolved(&self.given).text("pre_system"))?;
        if self.before.is_empty() {
            return Ok(Vec::new());
        }
        with_connection(&inside.keeping_none(), msg!("statements-before-trial"), async |c| {
            Self::all(c, &self.before).await?;
            if self.makes() {
                self.mark_all(c).await?;
            }
            Ok(Ok(()))
        })?;
        Ok(Vec::new())
    }

    fn after(&self, connector: &Connector) -> Result<(), Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(());
        }
        let inside = connector.at_database(&self.schema)?;
        if !self.after.is_empty() {
            let doing = msg!("statements-after-trial");
            with_connection(&inside.keeping_none(), doing, async |c| Self::all(c, &self.after).await.map(Ok))?;
        }
        if self.makes() {
            // Where it fails, because the statements have dropped the schema for example, what has no mark is not dropped.
            let _ = with_connection(&inside, msg!("looking-at-schema"), async |c| self.mark_again(c).await.map(Ok));
        }
        shell(Resolved(&self.given).text("post_system"))
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        if !self.scheme.kind().keeps_tables || !self.makes() {
            return Ok(());
        }
        with_connection(connector, msg!("dropping-schema"), async |c| {
            if let DatasetState::Different { ours: false, problem } = self.inspect(c).await? {
                return Ok(Err(problem));
            }
            echo::statement(self.drop_schema().as_bytes());
            c.query(&self.drop_schema()).await?;
            Ok(Ok(()))
        })
    }
}
