//! The SQL that is generated: the table, the rows that fill it, the list of statements of the clients. Pure.
//!
//! In the profile `mysqlslap` every byte is the same as in mysqlslap (`--only-print` shows them; the tests compare),
//! which includes its peculiarities: without a key nothing is looked up; the list is one longer than requested and the
//! same for all clients, in the same order; `mixed` has 6 INSERTs for 5 SELECTs, and two INSERTs in a row where the
//! list starts again.

use super::glibc::Glibc;
use super::shape::{Columns, Key, Kind, Profile, TableShape};
use std::fmt::Write;
use tenbin_model::tally::StatementKind;
use tenbin_workload::Random;

/// mysqlslap's alphabet: 60 characters, without U and V.
const LETTERS: &[u8; 60] = b"0123456789ABCDEFGHIJKLMNOPQRSTWXYZabcdefghijklmnopqrstuvwxyz";

/// Characters of a string.
const LENGTH: usize = 126;

/// The key shown by `--only-print`, as in mysqlslap.
pub const SHOWN_KEY: &str = "796c4422-1d94-102a-9d6d-00e0812d";

/// One statement of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub sql: Vec<u8>,
    /// ` WHERE id =  'KEY'` is appended each time, with another key.
    pub keyed: bool,
    pub name: String,
    pub kind: StatementKind,
}

impl Text {
    fn new(sql: String, keyed: bool, name: &str, kind: StatementKind) -> Text {
        Text { sql: sql.into_bytes(), keyed, name: name.to_owned(), kind }
    }

    /// The maximum length in bytes when it is sent.
    pub fn longest(&self) -> u64 {
        let key = if self.keyed { " WHERE id =  ''".len() + SHOWN_KEY.len() } else { 0 };
        (self.sql.len() + key) as u64
    }

    /// Writes the statement to be sent.
    pub fn write(&self, key: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&self.sql);
        if self.keyed {
            out.extend_from_slice(b" WHERE id =  '");
            out.extend_from_slice(key);
            out.push(b'\'');
        }
    }
}

/// All texts of the profile `mysqlslap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The distinct INSERTs of the preload, in turn.
    pub rows: Vec<String>,
    /// The statements of the clients.
    pub list: Vec<Text>,
}

impl Texts {
    /// Generates them in mysqlslap's order, which determines the values.
    pub fn new(shape: &TableShape, kind: Kind, unique_queries: u32) -> Texts {
        let mut values = Glibc::default();
        let rows = (0..shape.unique_writes).map(|_| insert(shape, &mut values)).collect();
        let keyed = shape.key != Key::None;
        let list = (0..=unique_queries)
            .map(|i| match kind {
                Kind::Read => Text::new(select(shape), false, "select", StatementKind::Read),
                Kind::Key => Text::new(select(shape), true, "select", StatementKind::Read),
                Kind::Write => Text::new(insert(shape, &mut values), false, "insert", StatementKind::Write),
                Kind::Update => Text::new(update(shape, &mut values), keyed, "update", StatementKind::Write),
                Kind::Mixed if i % 2 == 0 => {
                    Text::new(insert(shape, &mut values), false, "insert", StatementKind::Write)
                }
                Kind::Mixed => Text::new(select(shape), keyed, "select", StatementKind::Read),
            })
            .collect();
        Texts { rows, list }
    }
}

/// The source of random values.
trait Values {
    fn int(&mut self) -> u32;
    fn letters(&mut self, out: &mut String);
}

impl Values for Glibc {
    fn int(&mut self) -> u32 {
        self.next()
    }

    fn letters(&mut self, out: &mut String) {
        out.extend((0..LENGTH).map(|_| char::from(LETTERS[(self.next() % 60) as usize])));
    }
}

impl Values for Random {
    fn int(&mut self) -> u32 {
        (self.word() >> 33) as u32
    }

    fn letters(&mut self, out: &mut String) {
        // 60⁹ is below 2⁵⁴: the bias of a word divided into nine characters is below 10⁻³ of a character's share.
        for _ in 0..LENGTH / 9 {
            let mut word = self.word();
            for _ in 0..9 {
                out.push(char::from(LETTERS[(word % 60) as usize]));
                word /= 60;
            }
        }
    }
}

/// The CREATE TABLE, `engine` as the user wrote it (`innodb`, `memory:max_rows=10`) or empty.
pub fn create(shape: &TableShape, engine: &str) -> String {
    let mut parts = Vec::new();
    match (shape.key, shape.profile) {
        (Key::None, _) => {}
        (Key::Autoincrement, Profile::Mysqlslap) => parts.push("id serial".to_owned()),
        (Key::Autoincrement, Profile::Fixed) => {
            parts.push("id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY".to_owned());
        }
        (Key::Guid, _) => parts.push("id varchar(36) primary key".to_owned()),
    }
    parts.extend((0..shape.secondary).map(|i| format!("id{i} varchar(36) unique key")));
    let plain = |mark: &str, indexed: bool, name: &str| {
        if indexed { format!(", INDEX({name}){mark}") } else { String::new() }
    };
    parts.extend((1..=shape.ints.count).map(|i| {
        let name = format!("intcol{i}");
        let end = if shape.ints.indexed { plain("", true, &name) } else { " ".to_owned() };
        format!("{name} INT(32){end}")
    }));
    parts.extend((1..=shape.chars.count).map(|i| {
        let name = format!("charcol{i}");
        format!("{name} VARCHAR(128){}", plain(" ", shape.chars.indexed, &name))
    }));
    format!("CREATE TABLE `t1` ({}){}", parts.join(","), engine_clause(engine))
}

/// ` Engine = name options`, or nothing.
pub fn engine_clause(engine: &str) -> String {
    match engine.split_once(':') {
        _ if engine.is_empty() => String::new(),
        Some((name, options)) => format!(" Engine = {name} {options}"),
        None => format!(" Engine = {engine}"),
    }
}

/// The columns of a SELECT.
fn names(shape: &TableShape) -> Vec<String> {
    let ints = (1..=shape.ints.count).map(|i| format!("intcol{i}"));
    ints.chain((1..=shape.chars.count).map(|i| format!("charcol{i}"))).collect()
}

fn select(shape: &TableShape) -> String {
    format!("SELECT {} FROM t1", names(shape).join(","))
}

fn insert(shape: &TableShape, values: &mut impl Values) -> String {
    let mut sql = String::from("INSERT INTO t1 VALUES (");
    let id = match shape.key {
        Key::None => None,
        Key::Autoincrement => Some("NULL"),
        Key::Guid => Some("uuid()"),
    };
    tuple(shape, id, values, &mut sql);
    sql.push(')');
    sql
}

/// The values of a row, without the parentheses.
fn tuple(shape: &TableShape, id: Option<&str>, values: &mut impl Values, sql: &mut String) {
    let mut comma = "";
    for head in id.into_iter().chain((0..shape.secondary).map(|_| "uuid()")) {
        sql.push_str(comma);
        sql.push_str(head);
        comma = ",";
    }
    for _ in 0..shape.ints.count {
        let _ = write!(sql, "{comma}{}", values.int());
        comma = ",";
    }
    for _ in 0..shape.chars.count {
        let _ = write!(sql, "{comma}'");
        values.letters(sql);
        sql.push('\'');
        comma = ",";
    }
}

fn update(shape: &TableShape, values: &mut impl Values) -> String {
    let mut sql = String::from("UPDATE t1 SET ");
    assignments(shape.ints, "int", values, &mut sql);
    assignments(shape.chars, "char", values, &mut sql);
    sql
}

fn assignments(columns: Columns, kind: &str, values: &mut impl Values, sql: &mut String) {
    for i in 1..=columns.count {
        let comma = if sql.ends_with("SET ") { "" } else { "," };
        let _ = write!(sql, "{comma}{kind}col{i} = ");
        if kind == "int" {
            let _ = write!(sql, "{}", values.int());
        } else {
            sql.push('\'');
            values.letters(sql);
            sql.push('\'');
        }
    }
}

/// The profile `fixed`: statements drawn one by one.
pub mod fixed {
    use super::{Key, Kind, Random, TableShape, insert, select, tuple, update};
    use std::fmt::Write;

    /// The kinds of statement of this profile, by index in `NAMES`.
    pub const SELECT: usize = 0;
    pub const INSERT: usize = 1;
    pub const UPDATE: usize = 2;

    /// Appends rows `from` to `to` (from 1) as one INSERT.
    pub fn preload(shape: &TableShape, seed: u64, rows: std::ops::RangeInclusive<u64>) -> String {
        let mut sql = String::from("INSERT INTO t1 VALUES ");
        for (i, row) in rows.enumerate() {
            let mut random = Random::new(seed, row);
            sql.push_str(if i == 0 { "(" } else { ",(" });
            let id = match shape.key {
                Key::Guid => format!("'{}'", guid(seed, row)),
                _ => row.to_string(),
            };
            tuple(shape, Some(&id), &mut random, &mut sql);
            sql.push(')');
        }
        sql
    }

    /// The key of row `row`, which a client can compute without reading it.
    pub fn guid(seed: u64, row: u64) -> String {
        let mut random = Random::new(seed ^ 0x6775_6964, row);
        let (a, b) = (random.word(), random.word());
        let (third, fourth) = (0x4000 | (a & 0xFFF), 0x8000 | (b >> 48 & 0x3FFF));
        format!("{:08x}-{:04x}-{third:04x}-{fourth:04x}-{:012x}", a >> 32, a >> 16 & 0xFFFF, b & 0xFFFF_FFFF_FFFF)
    }

    /// Writes the next statement to `sql` and returns its kind.
    pub fn next(shape: &TableShape, kind: Kind, read_percent: u64, random: &mut Random, sql: &mut String) -> usize {
        sql.clear();
        let reads = match kind {
            Kind::Read | Kind::Key => true,
            Kind::Write | Kind::Update => false,
            Kind::Mixed => random.below(100) < read_percent,
        };
        let row = 1 + random.below(shape.preload.max(1));
        if !reads && kind != Kind::Update {
            sql.push_str(&insert(shape, random));
            return INSERT;
        }
        sql.push_str(&if reads { select(shape) } else { update(shape, random) });
        let _ = match shape.key {
            // The seed of the preload, as for every data set.
            Key::Guid => write!(sql, " WHERE id = '{}'", guid(0, row)),
            _ => write!(sql, " WHERE id = {row}"),
        };
        if reads { SELECT } else { UPDATE }
    }
}
