//! Table sets: the nine tables once, under their own names, or N times with a number behind each name, as
//! sysbench-tpcc's `--tables` has it. One set's indexes are few and hot; N sets spread the same load over N times as
//! many.

use super::schema::TABLES;
use std::borrow::Cow;
use std::sync::LazyLock;
use tenbin_workload::Random;

/// The stream of the generator that the seeds of further sets come from.
const SEEDS: u64 = 0xC10A_D000_0000_0003;

/// One set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Set {
    /// What stands behind the names; 0: nothing.
    number: u32,
}

/// Every name in our SQL that a set has for itself: tables, indexes, foreign keys.
static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let of = |t: &'static super::schema::Table| {
        let keys = t.foreign.iter().map(|f| f.0);
        std::iter::once(t.name).chain(t.indexes.iter().map(|i| i.0)).chain(keys)
    };
    // go-tpc's name, for the checks.
    TABLES.iter().flat_map(of).chain(["new_order"]).collect()
});

impl Set {
    /// The only set, without a number.
    pub(super) const ALONE: Set = Set { number: 0 };

    /// The sets of the options `tables` and `numbered`: one is [`Set::ALONE`] unless it is numbered too, more are
    /// numbered from 1.
    pub(super) fn all(tables: u64, numbered: bool) -> Vec<Set> {
        match tables {
            0 | 1 if !numbered => vec![Set::ALONE],
            n => (1..=n.max(1) as u32).map(|number| Set { number }).collect(),
        }
    }

    /// What the options of such sets are on a command line, with a blank before each.
    pub(super) fn typed(sets: &[Set]) -> String {
        match sets {
            [Set::ALONE] => String::new(),
            [_] => " -o numbered=on".to_owned(),
            more => format!(" --tables {}", more.len()),
        }
    }

    /// The set with this number behind its names.
    pub(super) fn numbered(number: u32) -> Set {
        Set { number }
    }

    /// The set that client `number` of `of` works in, and which of how many clients it is there.
    pub(super) fn of_client(number: u64, of: u64, sets: &[Set]) -> (Set, u64, u64) {
        let tables = sets.len() as u64;
        let at = number % tables;
        let there = (of.max(1) + tables - 1 - at) / tables;
        (sets[at as usize], number / tables, there.max(1))
    }

    /// Its place among all sets.
    pub(super) fn place(self) -> u64 {
        u64::from(self.number.saturating_sub(1))
    }

    /// Its share of the `of` that all sets have.
    pub(super) fn share(self, of: u64, tables: u64) -> u64 {
        let (before, tables) = (self.place(), tables.max(1));
        (before + 1) * of / tables - before * of / tables
    }

    /// The name of one of its tables.
    pub(super) fn named(self, name: &str) -> String {
        if self.number == 0 { name.to_owned() } else { format!("{name}{}", self.number) }
    }

    /// The table and the set that a name stands for.
    pub(super) fn split(name: &str) -> Option<(&'static str, Set)> {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let table = TABLES.iter().find(|t| t.name == base)?;
        let number = if base.len() == name.len() { 0 } else { name[base.len()..].parse().ok()? };
        Some((table.name, Set { number }))
    }

    /// A statement with the names of this set for those of the only one.
    pub(super) fn sql(self, text: &str) -> Cow<'_, str> {
        if self.number == 0 {
            return Cow::Borrowed(text);
        }
        let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut out, mut rest) = (String::with_capacity(text.len() + 32), text);
        while let Some(start) = rest.find(of_word) {
            let word = &rest[start..];
            let word = &word[..word.find(|c| !of_word(c)).unwrap_or(word.len())];
            out.push_str(&rest[..start]);
            out.push_str(word);
            if NAMES.contains(&word) {
                out.push_str(&self.number.to_string());
            }
            rest = &rest[start + word.len()..];
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// The seed of its rows: the first set has the rows of the only one, the others have their own.
    pub(super) fn seed(self, seed: u64) -> u64 {
        match self.place() {
            0 => seed,
            number => Random::new(seed, SEEDS.wrapping_add(number)).word(),
        }
    }
}

/// The name of a set in messages.
impl std::fmt::Display for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "set {}", self.number.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_set_has_its_own_foreign_keys() {
        let keys = crate::inspect::foreign_keys;
        let of_stock =
            ["fkey_stock_12 (s_w_id) REFERENCES warehouse2(w_id)", "fkey_stock_22 (s_i_id) REFERENCES item2(i_id)"];
        assert_eq!(keys("stock2"), of_stock);
        assert_eq!(keys("district"), ["fkey_district_1 (d_w_id) REFERENCES warehouse(w_id)"]);
        assert!(["warehouse", "sbtest1"].into_iter().all(|table| keys(table).is_empty()));
    }

    #[test]
    fn names_of_tables_indexes_and_keys_get_the_number_and_nothing_else_does() {
        let set = Set { number: 3 };
        let text = "SELECT COUNT(DISTINCT s_i_id), 'x' FROM order_line, stock WHERE ol_i_id=? AND items_of > 2";
        assert_eq!(
            set.sql(text),
            "SELECT COUNT(DISTINCT s_i_id), 'x' FROM order_line3, stock3 WHERE ol_i_id=? AND items_of > 2"
        );
        assert_eq!(
            set.sql("ALTER TABLE new_orders ADD CONSTRAINT fkey_new_orders_1 FOREIGN KEY (no_w_id) REFERENCES orders(o_w_id)"),
            "ALTER TABLE new_orders3 ADD CONSTRAINT fkey_new_orders_13 FOREIGN KEY (no_w_id) REFERENCES orders3(o_w_id)"
        );
        assert_eq!(set.sql("CREATE INDEX idx_orders ON orders(o_id)"), "CREATE INDEX idx_orders3 ON orders3(o_id)");
        assert_eq!(Set::ALONE.sql(text), text);
    }

    #[test]
    fn names_are_split_again() {
        assert_eq!(Set::split("order_line12"), Some(("order_line", Set { number: 12 })));
        assert_eq!(Set::split("orders"), Some(("orders", Set::ALONE)));
        assert_eq!([Set::split("sbtest1"), Set::split("12"), Set::split("orders99999999999")], [None; 3]);
        for set in Set::all(11, false) {
            assert_eq!(Set::split(&set.named("stock")), Some(("stock", set)));
        }
    }

    #[test]
    fn clients_are_spread_over_the_sets_and_numbered_in_them() {
        for (of, tables) in [(40, 4), (7, 3), (2, 5), (1, 1), (64, 10)] {
            let mut clients: BTreeMap<Set, Vec<u64>> = BTreeMap::new();
            for number in 0..of {
                let (set, mine, there) = Set::of_client(number, of, &Set::all(tables, false));
                assert!(mine < there);
                clients.entry(set).or_default().push(mine);
            }
            for (set, numbers) in &clients {
                assert_eq!(*numbers, (0..numbers.len() as u64).collect::<Vec<_>>(), "{set}");
            }
            let most = clients.values().map(Vec::len).max().unwrap();
            assert_eq!((clients.len() as u64, most as u64), (tables.min(of), of.div_ceil(tables)));
        }
    }

    #[test]
    fn shares_add_up() {
        for (of, tables) in [(10, 3), (7, 7), (2, 5), (9, 1)] {
            assert_eq!(Set::all(tables, false).into_iter().map(|s| s.share(of, tables)).sum::<u64>(), of);
        }
    }

    #[test]
    fn sets_differ_in_their_rows_and_the_first_is_the_only_one() {
        let seeds: std::collections::BTreeSet<u64> = Set::all(100, false).into_iter().map(|s| s.seed(7)).collect();
        assert_eq!((Set::all(1, false), Set::all(1, true)), (vec![Set::ALONE], vec![Set::numbered(1)]));
        assert_eq!((seeds.len(), Set::numbered(1).seed(7), Set::ALONE.seed(7)), (100, 7, 7));
    }
}
