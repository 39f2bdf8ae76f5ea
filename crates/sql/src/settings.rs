//! What all clients of a trial share: the scripts, their variables, and how each statement is sent. Made once from the options.

use crate::file;
use crate::groups::{self, ScriptGroup};
use crate::language::{
    Choice, CommandKind, Dialect, Generator, Names, Part, Script, Seeds, Slot, SqlCommand, Value, Variables,
};
use crate::misplaced;
use crate::statement::{self, Savepoints, Statement};
use crate::told;
use std::collections::{BTreeSet, HashMap};
use tenbin_driver::Connector;
use tenbin_model::promise;
use tenbin_model::tally::{StatementKind, group_prefix};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::names::distinct;
use tenbin_workload::options::{OptionMap, Resolved};
use tenbin_workload::{TransactionContext, ValueForm};

/// The scripts of a trial and all that follows from them.
#[derive(Debug)]
pub(crate) struct SqlSettings {
    pub(crate) connector: Connector,
    pub(crate) scripts: Vec<PlannedScript>,
    pub(crate) names: Names,
    /// The clients that choose among the same scripts; one group if all do.
    pub(crate) groups: Vec<ScriptGroup>,
    /// Names of statements and their kinds.
    pub(crate) statements: Vec<(String, StatementKind)>,
    /// What the user defines.
    defines: Vec<(Slot, String)>,
    scale: u64,
    slots: Slots,
    /// The number of statements that a client prepares.
    pub(crate) prepared: u32,
}

/// The variables that have values without being set.
#[derive(Debug, Clone, Copy)]
struct Slots {
    scale: Slot,
    client_id: Slot,
    random_seed: Slot,
    default_seed: Slot,
}

/// One script, and how its statements are sent.
#[derive(Debug)]
pub(crate) struct PlannedScript {
    pub(crate) path: String,
    /// Its name among the transactions.
    pub(crate) name: String,
    /// How the names of its group's transactions and statements begin.
    pub(crate) prefix: String,
    pub(crate) weight: u64,
    pub(crate) script: Script,
    /// By the index of the command; `None` where it is no statement.
    pub(crate) sql: Vec<Option<Planned>>,
}

/// How a statement is sent.
#[derive(Debug)]
pub(crate) struct Planned {
    /// Index into the names of statements.
    pub(crate) statement: usize,
    pub(crate) what: Statement,
    /// If it is prepared: where it stands among the prepared ones, its text with `?`, and its parameters.
    pub(crate) prepared: Option<PreparedText>,
    /// It is text without variables.
    pub(crate) constant: bool,
    /// Its variables have values that the workload writes into it: `false` if what looks like them is text.
    pub(crate) has_values: bool,
    /// How many statements its text has beyond the first.
    pub(crate) more: u32,
}

impl Planned {
    /// Says that the statement that was sent last was this one, as text.
    pub(crate) fn sent_as_text(&self, context: &mut TransactionContext) {
        if self.has_values {
            context.sent_as(ValueForm::Text);
        }
        context.sent_with(self.more);
    }
}

/// A statement that is prepared.
#[derive(Debug)]
pub(crate) struct PreparedText {
    pub(crate) place: usize,
    pub(crate) text: Box<[u8]>,
    pub(crate) parameters: Vec<Slot>,
}

/// With more statements than this in all scripts those of a script share names by their first word.
const NAMED_EACH: usize = 500;

impl SqlSettings {
    /// From options that are checked.
    pub(crate) fn new(options: &OptionMap, connector: &Connector) -> Result<SqlSettings, Problem> {
        let o = Resolved(options);
        let dialect = Dialect::of(connector.dsn().scheme);
        let mut names = Names::default();
        let (mut scripts, mut groups, mut end) = (Vec::new(), Vec::new(), 0_u32);
        for group in groups::of_options(options)? {
            let (first, mut weights) = (scripts.len(), Vec::new());
            let prefix = if group.name.is_empty() { String::new() } else { group_prefix(&group.name) };
            for (path, weight) in group.scripts {
                let text = file::read(&path)?;
                let script = Script::parse(&path, &text, dialect, &mut names).map_err(|error| told::mistake(&error))?;
                weights.push(weight as i64);
                let (name, prefix) = (String::new(), prefix.clone());
                scripts.push(PlannedScript { name, prefix, path, weight, script, sql: Vec::new() });
            }
            end = end.saturating_add(group.clients);
            groups.push(ScriptGroup { end, scripts: first..scripts.len(), choice: Choice::new(&weights) });
        }
        name_transactions(&mut scripts);
        let defines = defines(o.text("define"), &mut names)?;
        let slots = Slots {
            scale: names.slot("scale"),
            client_id: names.slot("client_id"),
            random_seed: names.slot("random_seed"),
            default_seed: names.slot("default_seed"),
        };
        let mut settings = SqlSettings {
            connector: connector.clone(),
            groups,
            scripts,
            names,
            statements: Vec::new(),
            defines,
            scale: o.count("scale"),
            slots,
            prepared: 0,
        };
        settings.refuse_shell(o.on("shell"))?;
        settings.plan_statements(o.text("ps_mode") != "disable", dialect)?;
        Ok(settings)
    }

    /// A command of the shell does anything, on the machine of the clients.
    fn refuse_shell(&self, permitted: bool) -> Result<(), Problem> {
        let shell = |script: &PlannedScript| {
            let command = script.script.commands.iter().find(|command| is_shell(&command.kind))?;
            Some((script.path.clone(), command.line, command.first_line.clone()))
        };
        match self.executed().find_map(shell).filter(|_| !permitted) {
            Some((script, line, text)) => Err(Problem::new(msg!("sql-shell-not-permitted", script, line))
                .evidence(foreign(text))
                .hint(msg!("sql-permit-shell"))),
            None => Ok(()),
        }
    }

    /// Decides for each statement how it is sent, and under which name it is counted.
    fn plan_statements(&mut self, prepare: bool, dialect: Dialect) -> Result<(), Problem> {
        let set = self.variables_that_are_set();
        let all: usize =
            self.scripts.iter().flat_map(|script| &script.script.commands).filter(|c| c.sql().is_some()).count();
        let several = self.scripts.len() > 1;
        let mut places: HashMap<String, usize> = HashMap::new();
        for script in &mut self.scripts {
            if let Some((line, why)) = misplaced::first(&script.script.commands) {
                let problem = Problem::new(msg!("sql-command-failed", script = script.path, line, why));
                return Err(problem.hint(msg!("correct-line")));
            }
            let (mut open, mut ends, mut savepoints) = (None, false, Savepoints::default());
            for command in &script.script.commands {
                let Some(sql) = command.sql() else {
                    script.sql.push(None);
                    continue;
                };
                if let Some((quote, line)) = sql.open {
                    return Err(Problem::new(msg!("sql-quote-open", script = script.path, line, quote))
                        .hint(msg!("sql-close-quote")));
                }
                let of_several = match sql.statements > 1 {
                    true if sql.store.is_some() => {
                        Some(msg!("sql-store-of-several", script = script.path, line = command.line))
                    }
                    // Servers differ in which of them the result is.
                    true if !command.extras.expect.is_empty() => {
                        Some(msg!("sql-expect-of-several", script = script.path, line = command.line))
                    }
                    _ => None,
                };
                if let Some(what) = of_several {
                    let problem = Problem::new(what).evidence(foreign(&command.first_line));
                    return Err(problem.hint(msg!("sql-write-statements-apart")));
                }
                let mut what = statement::of(sql, dialect);
                savepoints.follow(&sql.text, &mut what, dialect);
                if what.transaction == Some(true) {
                    open.get_or_insert(command.line);
                }
                ends |= what.transaction == Some(false);
                let named = match &command.extras.name {
                    Some(name) => format!("{}{name}", script.prefix),
                    None => {
                        let verb = if what.verb.is_empty() { "statement" } else { &what.verb };
                        let head = if several { format!("{} ", script.name) } else { String::new() };
                        let table = what.table.as_deref().unwrap_or_default();
                        match all > NAMED_EACH {
                            true => format!("{head}{verb}"),
                            false => format!("{head}{}: {verb} {table}", command.line).trim_end().to_owned(),
                        }
                    }
                };
                let next = self.statements.len();
                let statement = *places.entry(named.clone()).or_insert(next);
                if statement == next {
                    self.statements.push((named, what.kind));
                }
                let choice = command.extras.prepare;
                let prepared = prepared(sql, &set, dialect, self.prepared as usize);
                let prepared = match (choice, prepare) {
                    (Some(false), _) | (None, false) => None,
                    (Some(true), _) => Some(prepared),
                    (None, true) if what.preparable && has_parameters(sql, &set) => Some(prepared),
                    (None, true) => None,
                };
                let prepared = prepared.transpose().map_err(|name| {
                    Problem::new(msg!("sql-variable-in-quotes", script = script.path, line = command.line, name))
                        .evidence(foreign(&command.first_line))
                        .hint(msg!("sql-send-as-text"))
                })?;
                self.prepared += u32::from(prepared.is_some());
                let constant = !sql.parts.iter().any(|part| matches!(part, Part::Variable { .. }));
                let has_values = sql.parameters.iter().any(|slot| set.knows(*slot));
                let more = sql.statements.saturating_sub(1);
                script.sql.push(Some(Planned { statement, what, prepared, constant, has_values, more }));
            }
            if let (Some(line), false) = (open, ends) {
                let problem = Problem::new(msg!("sql-transaction-left-open", script = script.path, line));
                return Err(problem.hint(msg!("sql-end-transaction")));
            }
        }
        match self.statements.len() > usize::from(u16::MAX) {
            true => Err(Problem::new(msg!("sql-too-many-names", names = self.statements.len(), most = u16::MAX))
                .hint(msg!("sql-name-alike"))),
            false => Ok(()),
        }
    }

    /// The variables that something may set: the others are text that looks like one.
    fn variables_that_are_set(&self) -> VariablesSet {
        let mut set = VariablesSet { slots: BTreeSet::new() };
        let Slots { scale, client_id, random_seed, default_seed } = self.slots;
        set.slots.extend([scale, client_id, random_seed, default_seed]);
        set.slots.extend(self.defines.iter().map(|(slot, _)| *slot));
        let commands = || self.scripts.iter().flat_map(|script| &script.script.commands);
        for command in commands() {
            match &command.kind {
                CommandKind::Set { slot, .. } | CommandKind::SetShell { slot, .. } => _ = set.slots.insert(*slot),
                CommandKind::Sql(SqlCommand { store: Some(store), .. }) => {
                    let stored = |name: &&str| name.starts_with(&store.prefix) && name.len() > store.prefix.len();
                    set.slots.extend(self.names.iter().filter(stored).filter_map(|name| self.names.find(name)));
                }
                _ => {}
            }
        }
        set
    }

    /// The variables of a client before its first transaction.
    pub(crate) fn variables(&self, number: u32, seed: u64, default_seed: i64) -> Variables {
        let mut variables = Variables::new(&self.names);
        let Slots { scale, client_id, random_seed, default_seed: of_hashes } = self.slots;
        variables.set(scale, Value::Int(self.scale as i64));
        variables.set(client_id, Value::Int(i64::from(number)));
        variables.set(random_seed, Value::Int(seed as i64));
        variables.set(of_hashes, Value::Int(default_seed));
        for (slot, text) in &self.defines {
            variables.set_text(*slot, text.as_bytes());
        }
        variables
    }

    /// The random numbers of a client: of its functions, of its choice of scripts, and the value of `:default_seed`. They are those of pgbench with
    /// this seed and a thread for each client, and do not depend on where the client runs.
    pub(crate) fn random(&self, number: u32, of: u32, seed: u64) -> (Generator, Generator, i64) {
        let defined = self.defines.iter().find(|(slot, _)| *slot == self.slots.default_seed);
        // Whatever its text is, none is drawn.
        let given = defined.map(|(_, text)| text.parse().unwrap_or_default());
        let seeds = Seeds::draw(seed, of.max(number + 1), number + 1, given);
        let at = number as usize;
        (Generator::new(seeds.clients[at]), Generator::new(seeds.threads[at].choice), seeds.default_seed)
    }

    /// Whether a client executes commands of the shell, for which it waits.
    pub(crate) fn has_shell(&self) -> bool {
        self.executed().flat_map(|script| &script.script.commands).any(|command| is_shell(&command.kind))
    }

    /// The place of the group of the client with this number.
    pub(crate) fn group_of(&self, number: u32) -> usize {
        self.groups.iter().position(|group| number < group.end).unwrap_or(self.groups.len() - 1)
    }

    /// The first statement that changes the server itself, with its file and line.
    pub(crate) fn beyond_rows(&self) -> Option<String> {
        self.first(|_, planned| planned.what.beyond_rows)
    }

    /// The first statement after which a table is another one to MySQL and MariaDB.
    pub(crate) fn rebuilds(&self) -> Option<String> {
        self.first(|_, planned| planned.what.rebuilds())
    }

    /// The first statement that may set what the commits of its session survive.
    pub(crate) fn sets_durability(&self) -> Option<String> {
        self.first(|sql, _| promise::is_set_by(&String::from_utf8_lossy(&sql.text)))
    }

    /// Whether the text of a statement, in lower case, is so.
    pub(crate) fn has_text(&self, is_so: impl Fn(&str) -> bool) -> bool {
        self.naming(is_so).is_some()
    }

    /// The first statement whose text, in lower case, is so, with its file and line.
    pub(crate) fn naming(&self, is_so: impl Fn(&str) -> bool) -> Option<String> {
        self.first(|sql, _| is_so(&String::from_utf8_lossy(&sql.text).to_lowercase()))
    }

    /// The first statement that is meant, with its file and line.
    fn first(&self, is_meant: impl Fn(&SqlCommand, &Planned) -> bool) -> Option<String> {
        self.executed().find_map(|script| {
            let mut commands = script.script.commands.iter().zip(&script.sql);
            let statement = commands.find(|(command, planned)| {
                command.sql().zip(planned.as_ref()).is_some_and(|(sql, planned)| is_meant(sql, planned))
            });
            statement.map(|(command, _)| format!("{}:{}: {}", script.path, command.line, command.first_line))
        })
    }

    /// The scripts that clients choose: not those of weight 0.
    pub(crate) fn executed(&self) -> impl Iterator<Item = &PlannedScript> {
        self.scripts.iter().filter(|script| script.weight > 0)
    }

    /// All statements of scripts that clients choose.
    pub(crate) fn planned(&self) -> impl Iterator<Item = &Planned> {
        self.executed().flat_map(|script| script.sql.iter().flatten())
    }
}

/// What may be set.
struct VariablesSet {
    slots: BTreeSet<Slot>,
}

impl VariablesSet {
    fn knows(&self, slot: Slot) -> bool {
        self.slots.contains(&slot)
    }
}

/// Whether a statement has variables, and each is one for every server: of a comment that not all execute only some see its parameters.
fn has_parameters(sql: &SqlCommand, set: &VariablesSet) -> bool {
    let places = || {
        sql.parts.iter().filter_map(|part| match part {
            Part::Variable { slot, place, .. } if set.knows(*slot) => Some(place.start),
            _ => None,
        })
    };
    places().next().is_some() && !places().any(|at| sql.executable.iter().any(|comment| comment.contains(&at)))
}

/// The text of a statement with `?` in place of its variables, but for those in comments; fails with the name of one that is within quotes, where no
/// parameter is possible.
fn prepared(sql: &SqlCommand, set: &VariablesSet, dialect: Dialect, place: usize) -> Result<PreparedText, String> {
    let (mut text, mut parameters) = (Vec::with_capacity(sql.text.len()), Vec::new());
    let push = |range: std::ops::Range<usize>, text: &mut Vec<u8>| {
        for at in range {
            text.push(sql.text[at]);
            // An operator of PostgreSQL is not a parameter if it is doubled.
            let plain = || !sql.opaque.iter().any(|hidden| hidden.contains(&at));
            if dialect == Dialect::Postgres && sql.text[at] == b'?' && plain() {
                text.push(b'?');
            }
        }
    };
    for part in &sql.parts {
        match part {
            Part::Text(range) => push(range.clone(), &mut text),
            Part::Variable { slot, place, .. } if !set.knows(*slot) || sql.is_comment(place) => {
                push(place.clone(), &mut text);
            }
            Part::Variable { place, quoted: true, .. } => {
                return Err(String::from_utf8_lossy(&sql.text[place.clone()]).into_owned());
            }
            Part::Variable { slot, .. } => {
                text.push(b'?');
                parameters.push(*slot);
            }
        }
    }
    Ok(PreparedText { place, text: text.into(), parameters })
}

pub(crate) fn is_shell(kind: &CommandKind) -> bool {
    matches!(kind, CommandKind::Shell { .. } | CommandKind::SetShell { .. })
}

/// Names of transactions: of the files, each another one.
fn name_transactions(scripts: &mut [PlannedScript]) {
    let of_file = |script: &PlannedScript| {
        let stem = std::path::Path::new(&script.path).file_stem().unwrap_or_default();
        format!("{}{}", script.prefix, stem.to_string_lossy())
    };
    let names = distinct(scripts.iter().map(of_file));
    scripts.iter_mut().zip(names).for_each(|(script, name)| script.name = name);
}

/// `hot=100, region=eu`: up to the next line, or to a comma that another variable follows. Other commas belong to the value.
fn defines(text: &str, names: &mut Names) -> Result<Vec<(Slot, String)>, Problem> {
    let begins = |rest: &str| {
        let name = rest.split_once('=').map(|(name, _)| name.trim());
        name.is_some_and(|name| crate::language::is_name(name.as_bytes()))
    };
    let mut all = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        loop {
            rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
            if rest.is_empty() {
                break;
            }
            let ends = rest.match_indices(',').map(|(at, _)| at).find(|at| begins(&rest[at + 1..]));
            let (item, after) = rest.split_at(ends.unwrap_or(rest.len()));
            let Some((name, value)) = item.split_once('=').filter(|_| begins(item)) else {
                return Err(Problem::new(msg!("sql-define-wrong", item)).hint(msg!("sql-define-example")));
            };
            let value = value.trim_end_matches(|c: char| c == ',' || c.is_whitespace()).trim_start();
            all.push((names.slot(name.trim()), value.to_owned()));
            rest = after;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_variable_within_quotes_cannot_be_a_parameter() {
        let read = |text: &str, dialect| {
            let mut names = Names::default();
            let script = Script::parse("x", text.as_bytes(), dialect, &mut names).unwrap();
            let set = VariablesSet { slots: BTreeSet::from([names.slot("x")]) };
            let read = prepared(script.commands[0].sql().unwrap(), &set, dialect, 0);
            read.map(|wanted| (String::from_utf8_lossy(&wanted.text).into_owned(), wanted.parameters.len()))
        };
        for (text, dialect, wanted) in [
            ("SELECT :x -- the :x\n + 1;", Dialect::Postgres, "SELECT ? -- the :x\n + 1;"),
            ("SELECT /* the :x */ :x;", Dialect::Postgres, "SELECT /* the :x */ ?;"),
            ("SELECT :x # the :x\n;", Dialect::Mysql, "SELECT ? # the :x\n"),
        ] {
            assert_eq!(read(text, dialect), Ok((wanted.to_owned(), 1)), "{text}");
        }
        assert_eq!(read("SELECT /*! ':x' */ 1;", Dialect::Mysql), Err(":x".to_owned()));
        for text in ["SELECT ':x';", "SELECT \"a:x\";", "SELECT $$ -- :x $$;"] {
            assert_eq!(read(text, Dialect::Postgres), Err(":x".to_owned()), "{text}");
        }
    }

    #[test]
    fn no_two_scripts_have_one_name() {
        let mut names = Names::default();
        let mut one = |(prefix, path): &(&str, &str)| PlannedScript {
            path: (*path).to_owned(),
            name: String::new(),
            prefix: (*prefix).to_owned(),
            weight: 1,
            script: Script::parse("x", b"SELECT 1;", Dialect::Mysql, &mut names).unwrap(),
            sql: Vec::new(),
        };
        let paths =
            [("", "a.sql"), ("", "x/a.sql"), ("", "a #2.sql"), ("", "a.sql"), ("g: ", "a.sql"), ("", "g: a.sql")];
        let mut scripts: Vec<PlannedScript> = paths.iter().map(&mut one).collect();
        name_transactions(&mut scripts);
        let names: Vec<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
        assert_eq!(names, ["a", "a #2", "a #2 #2", "a #3", "g: a", "g: a #2"]);
    }

    #[test]
    fn a_comma_belongs_to_a_value_unless_a_variable_follows() {
        let read = |text: &str| {
            let mut names = Names::default();
            let all = defines(text, &mut names).map_err(|problem| problem.what.to_string())?;
            Ok(all.iter().map(|(slot, value)| format!("{}={value}", names.name(*slot))).collect::<Vec<_>>().join("|"))
        };
        for (text, wanted) in [
            ("hot=100, region=eu", "hot=100|region=eu"),
            ("ids=1,2,3", "ids=1,2,3"),
            ("ids = 1, 2, 3 , hot = 5,", "ids=1, 2, 3|hot=5"),
            ("a=,b=x=y,\n\n c=1,1x=2", "a=|b=x=y|c=1,1x=2"),
            ("", ""),
        ] {
            assert_eq!(read(text), Ok(wanted.to_owned()), "{text}");
        }
        for (text, item) in [("hot", "hot"), ("1x=2", "1x=2"), ("a=1\nhot", "hot"), ("5, a=1", "5")] {
            let error: Result<String, String> = Err(format!("{item} is not a variable with a value"));
            assert_eq!(read(text), error, "{text}");
        }
    }
}
