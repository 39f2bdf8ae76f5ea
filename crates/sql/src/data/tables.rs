//! The tables of a data set as the plan describes them: how many rows each has, and which generator each column. Their rows are a pure function of the seed,
//! so that slices on several hosts load the same ones.

use super::call::Call;
use super::generator::{Field, Generator, NAMES, Shape};
use crate::file;
use crate::language::Generator as Random;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::units;

/// One table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filled {
    pub(crate) name: String,
    /// Its rows; an estimate if it has a size.
    pub(crate) rows: u64,
    /// The bytes that it is to have, if the plan says them instead of rows.
    pub(crate) size: Option<u64>,
    pub(crate) columns: Vec<(String, Generator)>,
    /// The names of the table and of its columns that only quotes keep, with their letters.
    pub(crate) quoted: BTreeMap<String, String>,
}

/// All tables, in the order in which they are filled.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FilledTables {
    pub(crate) all: Vec<Filled>,
}

/// The most tables that may take their values from one another in a chain.
const DEEPEST_REF: usize = 8;

/// The rows by which the size of a table is estimated.
const SAMPLED: u64 = 500;

/// What a row takes beside its values, in bytes: headers, the primary key.
const ROW_OVERHEAD: u64 = 40;

impl FilledTables {
    /// Reads the lines that the plan's tables were turned into: `[account]`, `rows = 1000`, `id = serial`. `millionths`: the part of all rows that is loaded.
    pub(crate) fn parse(text: &str, millionths: u64) -> Result<FilledTables, Problem> {
        let (mut tables, mut has_rows) = (FilledTables::default(), Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                tables.all.push(Filled {
                    name: name.to_owned(),
                    rows: 0,
                    size: None,
                    columns: Vec::new(),
                    quoted: BTreeMap::new(),
                });
                has_rows.push(false);
                continue;
            }
            let (Some((name, value)), Some(table)) = (line.split_once('='), tables.all.last_mut()) else {
                return Err(Problem::new(msg!("sql-table-line-wrong", line)).hint(msg!("sql-table-example")));
            };
            let (name, value) = (name.trim(), value.trim());
            let refuse = |why: Message| {
                Problem::new(msg!("sql-column-wrong", table = table.name, column = name, why))
                    .evidence(foreign(line))
                    .hint(msg!("sql-table-example"))
            };
            let refuse_key = |why: Message| {
                let what = msg!("sql-table-key-wrong", table = table.name, key = name, why);
                Problem::new(what).evidence(foreign(line)).hint(msg!("sql-table-example"))
            };
            match name {
                // A column may have such a name.
                "rows" if !is_generator(value) => {
                    table.rows = units::count(value).ok_or_else(|| refuse_key(msg!("sql-not-a-count")))?;
                    has_rows.iter_mut().last().into_iter().for_each(|has| *has = true);
                }
                "size" if !is_generator(value) => table.size = Some(units::bytes(value).map_err(refuse_key)?),
                _ => {
                    let generator = Call::parse(value).and_then(|call| Generator::new(&call, &lines_of));
                    table.columns.push((name.to_owned(), generator.map_err(refuse)?));
                }
            }
        }
        for (table, has_rows) in tables.all.iter().zip(has_rows) {
            match (has_rows, table.size.is_some()) {
                (true, true) => {
                    return Err(Problem::new(msg!("sql-table-rows-and-size", table = table.name))
                        .hint(msg!("keep-one-of-them")));
                }
                (false, false) => {
                    return Err(Problem::new(msg!("sql-table-without-rows", table = table.name))
                        .hint(msg!("sql-table-example")));
                }
                _ => {}
            }
        }
        tables.check()?;
        tables.order()?;
        let part = |n: u64| (u128::from(n) * u128::from(millionths) / 1_000_000).max(u128::from(n > 0)) as u64;
        for at in 0..tables.all.len() {
            let rows = match tables.all[at].size {
                Some(bytes) => (bytes / tables.row_bytes(at).max(1)).max(u64::from(bytes > 0)),
                None => tables.all[at].rows,
            };
            let table = &mut tables.all[at];
            (table.rows, table.size) = (part(rows), table.size.map(part));
        }
        Ok(tables)
    }

    /// Takes the names of a table and its columns as the statement that creates it writes them: those in quotes keep their letters in PostgreSQL. `names`: its
    /// names in order, and whether they are in quotes.
    pub(crate) fn spell(&mut self, table: usize, names: &[(String, bool)]) {
        let Filled { name, columns, quoted, .. } = &mut self.all[table];
        for name in [&*name].into_iter().chain(columns.iter().map(|(name, _)| name)) {
            let exactly = names.iter().find(|(other, _)| other == name);
            let spelling = exactly.or_else(|| names.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)));
            if let Some((other, true)) = spelling
                && other.chars().any(char::is_uppercase)
            {
                quoted.insert(name.clone(), other.clone());
            }
        }
    }

    /// Every reference is to a table and a column that are there, and none comes back to itself.
    fn check(&self) -> Result<(), Problem> {
        for table in &self.all {
            if let Some((name, _)) = table.columns.iter().enumerate().find_map(|(at, (name, _))| {
                table.columns[..at].iter().any(|(before, _)| before == name).then_some((name, at))
            }) {
                return Err(Problem::new(msg!("sql-column-twice", table = table.name, column = name))
                    .hint(msg!("sql-table-example")));
            }
            for (column, generator) in &table.columns {
                self.check_refs(&table.name, column, generator, 0)?;
            }
        }
        Ok(())
    }

    fn check_refs(&self, table: &str, column: &str, generator: &Generator, depth: usize) -> Result<(), Problem> {
        let mut refers = Vec::new();
        generator.refers_to(&mut |table, column| refers.push((table.to_owned(), column.to_owned())));
        for (of_table, of_column) in refers {
            let reference = format!("{of_table}.{of_column}");
            let Some((_, of)) = self.find(&of_table, &of_column) else {
                let known: Vec<String> = self
                    .all
                    .iter()
                    .flat_map(|t| t.columns.iter().map(|(name, _)| format!("{}.{name}", t.name)))
                    .collect();
                return Err(Problem::new(msg!("sql-ref-to-nothing", table, column, reference))
                    .hint(msg!("use-one-of", names = known.join(", "))));
            };
            if depth >= DEEPEST_REF || (of_table == table && of_column == column) {
                return Err(
                    Problem::new(msg!("sql-ref-in-a-circle", table, column, reference)).hint(msg!("sql-ref-another"))
                );
            }
            self.check_refs(table, column, of, depth + 1)?;
        }
        Ok(())
    }

    /// Puts tables after those from which they take values, as a foreign key asks for, as far as no circle leads back: there the order is the plan's. Those
    /// with a size are always before, because they have their number of rows only when they are filled.
    fn order(&mut self) -> Result<(), Problem> {
        let sized: Vec<BTreeSet<usize>> = (0..self.all.len()).map(|at| self.sized_before(at)).collect();
        let referred = self.all_referred();
        let (mut order, mut placed) = (Vec::new(), vec![false; sized.len()]);
        while let Some(first) = placed.iter().position(|is_placed| !is_placed) {
            let blocker = |at: usize| sized[at].iter().copied().find(|before| !placed[*before]);
            let mut open = (first..placed.len()).filter(|at| !placed[*at] && blocker(*at).is_none());
            // All that it waits for waits for it too, or nothing is left.
            let is_next =
                |at: &usize| referred[*at].iter().all(|other| placed[*other] || referred[*other].contains(at));
            let Some(next) = open.clone().find(is_next).or_else(|| open.next()) else {
                let (table, other) = (&self.all[first].name, &self.all[blocker(first).unwrap_or(first)].name);
                return Err(
                    Problem::new(msg!("sql-ref-to-size", table, other)).hint(msg!("sql-ref-needs-rows", table = other))
                );
            };
            placed[next] = true;
            order.push(next);
        }
        let mut all: Vec<Option<Filled>> = std::mem::take(&mut self.all).into_iter().map(Some).collect();
        self.all = order.into_iter().filter_map(|at| all[at].take()).collect();
        Ok(())
    }

    /// For each table all others from which it takes values, and those from which they do.
    fn all_referred(&self) -> Vec<BTreeSet<usize>> {
        let direct = |table: &Filled| {
            let mut all = BTreeSet::new();
            for (_, generator) in &table.columns {
                generator.refers_to(&mut |table, column| all.extend(self.find(table, column).map(|(at, _)| at)));
            }
            all
        };
        let mut referred: Vec<BTreeSet<usize>> = self.all.iter().map(direct).collect();
        for through in 0..referred.len() {
            let further = referred[through].clone();
            referred.iter_mut().filter(|all| all.contains(&through)).for_each(|all| all.extend(&further));
        }
        referred
    }

    /// The tables with a size from which the columns of a table take values, through those of others too.
    fn sized_before(&self, at: usize) -> BTreeSet<usize> {
        let (mut sized, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<&Generator> = self.all[at].columns.iter().map(|(_, generator)| generator).collect();
        while let Some(generator) = open.pop() {
            generator.refers_to(&mut |table, column| {
                if let Some((index, of)) = self.find(table, column)
                    && seen.insert((index, column.to_owned()))
                {
                    sized.extend(self.all[index].size.map(|_| index));
                    open.push(of);
                }
            });
        }
        sized
    }

    fn find(&self, table: &str, column: &str) -> Option<(usize, &Generator)> {
        let at = self.all.iter().position(|filled| filled.name == table)?;
        let column = self.all[at].columns.iter().find(|(name, _)| name == column)?;
        Some((at, &column.1))
    }

    /// The value of a column in a row, counted from 0.
    pub(crate) fn value(&self, table: &Filled, column: usize, row: u64, seed: u64) -> Field {
        let Some((name, generator)) = table.columns.get(column) else { return Field::Null };
        let mut random = random(seed, &table.name, name, row);
        self.generated(generator, row, &mut random, seed)
    }

    fn generated(&self, generator: &Generator, row: u64, random: &mut Random, seed: u64) -> Field {
        generator.value(row, random, &mut |table: &str, column: &str, shape: Shape, random: &mut Random| {
            let Some((at, of)) = self.find(table, column) else { return Field::Null };
            let referred = &self.all[at];
            if referred.rows == 0 {
                return Field::Null;
            }
            let chosen = shape.draw(0, referred.rows.min(i64::MAX as u64 - 1) as i64 - 1, random) as u64;
            // The value that this row has: of the same numbers.
            let mut own = self::random(seed, table, column, chosen);
            self.generated(of, chosen, &mut own, seed)
        })
    }

    /// The approximate bytes of a row on disk.
    fn row_bytes(&self, at: usize) -> u64 {
        let table = &self.all[at];
        let length = |field: Field| match field {
            Field::Null => 1,
            Field::Int(_) => 8,
            Field::Digits(digits) => digits.len() as u64 / 2 + 2,
            Field::Text(text) => text.len() as u64 + 2,
            Field::Bytes(bytes) => bytes.len() as u64 + 4,
        };
        let row = |row| (0..table.columns.len()).map(|column| length(self.value(table, column, row, 1))).sum::<u64>();
        (0..SAMPLED).map(row).sum::<u64>() / SAMPLED + ROW_OVERHEAD
    }

    /// Whether the size of a table decides how many rows it has.
    pub(crate) fn has_sizes(&self) -> bool {
        self.all.iter().any(|table| table.size.is_some())
    }

    /// All rows.
    pub(crate) fn rows(&self) -> u64 {
        self.all.iter().map(|table| table.rows).sum()
    }

    /// The bytes of all tables on disk: what the plan asks for, otherwise approximately, with half as much for indexes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = |at: usize| match self.all[at].size {
            Some(bytes) => bytes,
            None => self.row_bytes(at).saturating_mul(self.all[at].rows) / 2 * 3,
        };
        (0..self.all.len()).map(bytes).fold(0, u64::saturating_add)
    }
}

/// Whether a value is a generator and no number of rows or bytes: a call, or the name of one.
fn is_generator(value: &str) -> bool {
    let name = value.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    value.contains('(') || NAMES.split(", ").any(|known| known.eq_ignore_ascii_case(name))
}

/// The random numbers of one value.
fn random(seed: u64, table: &str, column: &str, row: u64) -> Random {
    let name = table.bytes().chain([b'.']).chain(column.bytes());
    let hash =
        name.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    // Multiplied by odd numbers, so that neither neighbouring rows nor seeds have the same stream.
    Random::new(seed.wrapping_mul(0xD1B5_4A32_D192_ED03) ^ hash ^ row.wrapping_mul(0x9E6C_63D0_876A_68EF))
}

/// The lines of a file of words, without empty ones.
fn lines_of(path: &str) -> Result<Vec<String>, Message> {
    let bytes = file::read(path).map_err(|problem| problem.what)?;
    let text = String::from_utf8(bytes).map_err(|_| msg!("sql-file-not-utf-8", file = path))?;
    Ok(text
        .lines()
        .map(|line| line.trim_end_matches('\r'))
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}
