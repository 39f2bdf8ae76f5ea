//! The statements of one transaction: a list of statement groups and a seed in, statements and values out. Pure.
//!
//! sysbench's rules: a group draws its table once, however often it repeats; each repetition draws a new row; DELETE
//! and INSERT of one repetition use the same row. A retried transaction draws everything again.

use crate::sysbench::name_of;
use crate::sysbench::{C_FORM, PAD_FORM};
use tenbin_driver::Value;
use tenbin_model::tally::StatementKind;
use tenbin_workload::distribution::{DistributionKind, Sampler};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::{Random, Template};

/// The statements of which transactions consist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Begin,
    PointSelect,
    SimpleRange,
    SumRange,
    OrderRange,
    DistinctRange,
    IndexUpdate,
    NonIndexUpdate,
    Delete,
    Insert,
    Commit,
    /// That of 0.4, whose rows are all equal.
    PlainInsert,
    /// The same after the last row: the server numbers it.
    AppendingInsert,
}

/// How many there are.
pub(super) const VERBS: usize = Verb::AppendingInsert as usize + 1;

/// The value of a `?`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueSlot {
    Id,
    /// The range's last id: not limited to the table's end, as in sysbench.
    RangeEnd,
    K,
    C,
    Pad,
}

impl Verb {
    /// The name it is counted under.
    pub(super) fn name(self) -> &'static str {
        match self {
            Verb::Begin => "begin",
            Verb::PointSelect => "point_select",
            Verb::SimpleRange => "simple_range",
            Verb::SumRange => "sum_range",
            Verb::OrderRange => "order_range",
            Verb::DistinctRange => "distinct_range",
            Verb::IndexUpdate => "index_update",
            Verb::NonIndexUpdate => "non_index_update",
            Verb::Delete => "delete",
            Verb::Insert | Verb::PlainInsert | Verb::AppendingInsert => "insert",
            Verb::Commit => "commit",
        }
    }

    pub(super) fn kind(self) -> StatementKind {
        match self {
            Verb::Begin | Verb::Commit => StatementKind::Other,
            Verb::IndexUpdate | Verb::NonIndexUpdate | Verb::Delete => StatementKind::Write,
            Verb::Insert | Verb::PlainInsert | Verb::AppendingInsert => StatementKind::Write,
            _ => StatementKind::Read,
        }
    }

    /// Its text for the table `t`. `writes`: whether its transaction has a writing statement.
    pub(super) fn sql(self, t: &str, dialect: Dialect, writes: bool) -> String {
        match self {
            Verb::Begin => dialect.begin(writes).to_owned(),
            Verb::PointSelect => format!("SELECT c FROM {t} WHERE id=?"),
            Verb::SimpleRange => format!("SELECT c FROM {t} WHERE id BETWEEN ? AND ?"),
            Verb::SumRange => format!("SELECT SUM(k) FROM {t} WHERE id BETWEEN ? AND ?"),
            Verb::OrderRange => format!("SELECT c FROM {t} WHERE id BETWEEN ? AND ? ORDER BY c"),
            Verb::DistinctRange => format!("SELECT DISTINCT c FROM {t} WHERE id BETWEEN ? AND ? ORDER BY c"),
            Verb::IndexUpdate => format!("UPDATE {t} SET k=k+1 WHERE id=?"),
            Verb::NonIndexUpdate => format!("UPDATE {t} SET c=? WHERE id=?"),
            Verb::Delete => format!("DELETE FROM {t} WHERE id=?"),
            Verb::Insert => format!("INSERT INTO {t} (id, k, c, pad) VALUES (?, ?, ?, ?)"),
            Verb::Commit => "COMMIT".to_owned(),
            Verb::AppendingInsert => format!("INSERT INTO {t} (k, c, pad) VALUES (0, ' ', '{INSERTED_PAD_OF_0_4}')"),
            Verb::PlainInsert => {
                format!("INSERT INTO {t} (id, k, c, pad) VALUES (?, 0, ' ', '{INSERTED_PAD_OF_0_4}')")
            }
        }
    }

    /// Whether to prepare it.
    pub(super) fn prepares(self, dialect: Dialect) -> bool {
        self != Verb::Begin || dialect.prepares_begin()
    }

    /// Whether it names a table, and is thus prepared once for each.
    pub(super) fn has_table(self) -> bool {
        self == Verb::AppendingInsert || !self.slots().is_empty()
    }

    fn slots(self) -> &'static [ValueSlot] {
        match self {
            Verb::Begin | Verb::Commit | Verb::AppendingInsert => &[],
            Verb::PointSelect | Verb::IndexUpdate | Verb::Delete | Verb::PlainInsert => &[ValueSlot::Id],
            Verb::SimpleRange | Verb::SumRange | Verb::OrderRange | Verb::DistinctRange => {
                &[ValueSlot::Id, ValueSlot::RangeEnd]
            }
            Verb::NonIndexUpdate => &[ValueSlot::C, ValueSlot::Id],
            Verb::Insert => &[ValueSlot::Id, ValueSlot::K, ValueSlot::C, ValueSlot::Pad],
        }
    }
}

/// Statements on one table, repeated with a new row each time.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatementGroup {
    pub(super) verbs: &'static [Verb],
    pub(super) times: u32,
}

impl StatementGroup {
    pub(super) const fn new(times: u32, verbs: &'static [Verb]) -> StatementGroup {
        StatementGroup { verbs, times }
    }
}

/// Everything that determines what a workload sends, except for the seed.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) groups: Vec<StatementGroup>,
    pub(super) tables: u32,
    pub(super) table_size: u32,
    pub(super) range_size: u32,
    pub(super) shape: DistributionKind,
    /// The name of the single table of 0.4, where ranges end at the table's end.
    pub(super) legacy_0_4: Option<String>,
}

/// What 0.4 inserts.
const INSERTED_PAD_OF_0_4: &str = "aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy";

impl Script {
    /// Each verb once, in the order of their first use.
    pub(super) fn verbs(&self) -> Vec<Verb> {
        let mut all = Vec::new();
        for verb in self.groups.iter().filter(|g| g.times > 0).flat_map(|g| g.verbs) {
            if !all.contains(verb) {
                all.push(*verb);
            }
        }
        all
    }

    /// The statements of one transaction in order, on the first table: `10 × SELECT …`.
    pub(super) fn outline(&self, dialect: Dialect) -> Vec<String> {
        let line = |group: &StatementGroup| {
            let table = self.table(1);
            let sql = group.verbs.iter().map(|verb| verb.sql(&table, dialect, self.writes()));
            let sql = sql.collect::<Vec<_>>().join("; ");
            if group.times == 1 { sql } else { format!("{} × {sql}", group.times) }
        };
        self.groups.iter().filter(|g| g.times > 0).map(line).collect()
    }

    /// The name of a table by its number.
    pub(super) fn table(&self, number: u32) -> String {
        self.legacy_0_4.clone().unwrap_or_else(|| name_of(number))
    }

    pub(super) fn writes(&self) -> bool {
        self.verbs().iter().any(|v| v.kind() == StatementKind::Write)
    }
}

/// What the events of all clients have in common, made from a [`Script`] once.
#[derive(Debug)]
pub(super) struct EventSource {
    groups: Vec<SourceGroup>,
    ids: Sampler,
    tables: Sampler,
    range: i64,
    /// No range ends after it.
    last: i64,
    c_form: Template,
    pad_form: Template,
}

/// A group that is not empty.
#[derive(Debug)]
struct SourceGroup {
    verbs: &'static [Verb],
    times: u32,
    has_table: bool,
    /// Exactly what one repetition needs: each value once, in the order in which the group's statements have them. sysbench's scripts
    /// draw in this order too, so that both send the same for the same seed.
    drawn: Vec<ValueSlot>,
}

/// The position in the current transaction, and the current row. Allocates nothing.
#[derive(Debug)]
pub(super) struct OltpEvent {
    group: u32,
    /// Repetitions of the group that are done.
    done: u32,
    /// Verbs of the repetition that are done.
    verb: u32,
    table: u32,
    id: i64,
    k: i64,
    c: [u8; C_FORM.len()],
    pad: [u8; PAD_FORM.len()],
}

/// One statement with its values.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) verb: Verb,
    /// From 1; 0 for a statement without one.
    pub(super) table: u32,
    values: [Value<'a>; 4],
    count: usize,
}

impl<'a> Call<'a> {
    #[inline]
    pub(super) fn values(&self) -> &[Value<'a>] {
        &self.values[..self.count]
    }
}

impl EventSource {
    pub(super) fn new(script: &Script) -> EventSource {
        EventSource {
            groups: script.groups.iter().filter(|g| g.times > 0).map(SourceGroup::new).collect(),
            ids: script.shape.over(1, script.table_size),
            tables: DistributionKind::Uniform.over(1, script.tables),
            range: i64::from(script.range_size) - 1,
            last: if script.legacy_0_4.is_some() { script.table_size.into() } else { i64::MAX },
            c_form: Template::new(C_FORM),
            pad_form: Template::new(PAD_FORM),
        }
    }
}

impl SourceGroup {
    fn new(group: &StatementGroup) -> SourceGroup {
        let mut drawn = Vec::new();
        for slot in group.verbs.iter().flat_map(|v| v.slots()) {
            if *slot != ValueSlot::RangeEnd && !drawn.contains(slot) {
                drawn.push(*slot);
            }
        }
        let has_table = group.verbs.iter().any(|v| v.has_table());
        SourceGroup { verbs: group.verbs, times: group.times, has_table, drawn }
    }
}

impl OltpEvent {
    pub(super) fn new() -> OltpEvent {
        let (c, pad) = ([0; C_FORM.len()], [0; PAD_FORM.len()]);
        OltpEvent { group: 0, done: 0, verb: 0, table: 0, id: 0, k: 0, c, pad }
    }

    /// Starts a transaction, also after one that was abandoned.
    #[inline]
    pub(super) fn start(&mut self) {
        (self.group, self.done, self.verb) = (0, 0, 0);
    }

    /// The next statement of the transaction; `None` at its end.
    #[inline]
    pub(super) fn next(&mut self, source: &EventSource, random: &mut Random) -> Option<Call<'_>> {
        let group = source.groups.get(self.group as usize)?;
        let verb = group.verbs[self.verb as usize];
        if self.verb == 0 {
            self.draw(group, source, random);
        }
        self.verb += 1;
        if self.verb as usize == group.verbs.len() {
            self.verb = 0;
            self.done += 1;
            if self.done == group.times {
                self.done = 0;
                self.group += 1;
            }
        }
        let mut values = [Value::Null; 4];
        let slots = verb.slots();
        for (value, slot) in values.iter_mut().zip(slots) {
            *value = match slot {
                ValueSlot::Id => Value::Int(self.id),
                ValueSlot::RangeEnd => Value::Int((self.id + source.range).min(source.last)),
                ValueSlot::K => Value::Int(self.k),
                ValueSlot::C => Value::Text(&self.c),
                ValueSlot::Pad => Value::Text(&self.pad),
            };
        }
        let table = if verb.has_table() { self.table } else { 0 };
        Some(Call { verb, table, values, count: slots.len() })
    }

    /// Draws the row of one repetition, and its table for the first.
    #[inline]
    fn draw(&mut self, group: &SourceGroup, source: &EventSource, random: &mut Random) {
        if group.has_table && self.done == 0 {
            self.table = source.tables.draw(random);
        }
        for slot in &group.drawn {
            match slot {
                ValueSlot::Id => self.id = i64::from(source.ids.draw(random)),
                ValueSlot::K => self.k = i64::from(source.ids.draw(random)),
                ValueSlot::C => source.c_form.write(random, &mut self.c),
                ValueSlot::Pad => source.pad_form.write(random, &mut self.pad),
                // Follows from the row.
                ValueSlot::RangeEnd => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) mod test {
    use super::*;

    /// The statements of `events` transactions as text, one a line.
    pub(crate) fn transcript(script: &Script, dialect: Dialect, events: u32) -> String {
        let (source, mut event, mut random) = (EventSource::new(script), OltpEvent::new(), Random::new(1, 0));
        let mut lines = String::new();
        for _ in 0..events {
            event.start();
            while let Some(call) = event.next(&source, &mut random) {
                lines += &call.verb.sql(&script.table(call.table), dialect, script.writes());
                for value in call.values() {
                    lines += &match value {
                        Value::Text(text) => format!(" | {}", std::str::from_utf8(text).unwrap()),
                        Value::Int(n) => format!(" | {n}"),
                        other => format!(" | {other:?}"),
                    };
                }
                lines.push('\n');
            }
        }
        lines
    }

    fn script(groups: Vec<StatementGroup>) -> Script {
        Script {
            groups,
            tables: 2,
            table_size: 1000,
            range_size: 10,
            shape: DistributionKind::Uniform,
            legacy_0_4: None,
        }
    }

    #[test]
    fn a_transaction_left_in_the_middle_begins_again_with_new_values() {
        let script =
            script(vec![StatementGroup::new(1, &[Verb::Begin]), StatementGroup::new(3, &[Verb::Delete, Verb::Insert])]);
        let (source, mut event, mut random) = (EventSource::new(&script), OltpEvent::new(), Random::new(1, 0));
        let mut delete = |skip: usize| {
            event.start();
            assert_eq!(event.next(&source, &mut random).unwrap().verb, Verb::Begin);
            let id = event.next(&source, &mut random).unwrap().values()[0];
            let Value::Int(id) = id else { panic!("{id:?}") };
            for _ in 0..skip {
                event.next(&source, &mut random);
            }
            id
        };
        let drawn = [delete(0), delete(1), delete(3), delete(0)];
        assert!(drawn.windows(2).all(|w| w[0] != w[1]), "{drawn:?}");
    }

    #[test]
    fn delete_and_insert_share_table_and_row_and_a_group_its_table() {
        let script = script(vec![
            StatementGroup::new(4, &[Verb::Delete, Verb::Insert]),
            StatementGroup::new(0, &[Verb::PointSelect]),
        ]);
        assert_eq!(script.verbs(), [Verb::Delete, Verb::Insert], "what is asked for zero times is not prepared");
        let (source, mut event, mut random) = (EventSource::new(&script), OltpEvent::new(), Random::new(3, 0));
        for _ in 0..50 {
            event.start();
            let mut calls = Vec::new();
            while let Some(call) = event.next(&source, &mut random) {
                calls.push((call.table, format!("{:?}", call.values()[0])));
            }
            assert_eq!(calls.len(), 8);
            assert!(calls.iter().all(|s| s.0 == calls[0].0), "{calls:?}");
            assert!(calls.chunks(2).all(|pair| pair[0].1 == pair[1].1), "{calls:?}");
        }
    }
}
