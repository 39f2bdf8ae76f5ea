//! The rows of a fresh population (clause 4.3.3.1): a pure function of the seed and the row's key, so any stream can
//! generate any part, in any order, and an interrupted load continues where it was.

use super::nurand::{A_LAST, c_load, last_name, nurand};
use super::row_writer::{Format, RowWriter};
use super::schema::{CUSTOMERS, DISTRICTS, FIRST_NEW, ITEMS, Layout, ORDERS, SchemaForm};
use super::set::Set;
use super::text::{between, data, digits, state};
use tenbin_workload::Random;

/// The date of the population; a constant, because equal seeds must give equal rows at any time.
const LOADED: &[u8] = b"2020-01-01 00:00:00";

/// Which rows: one table, of one warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum TableRows {
    OrderLine,
    Customer,
    Orders,
    Stock,
    History,
    NewOrders,
    Item,
    District,
    Warehouse,
}

impl TableRows {
    /// In the order of loading: tables whose indexes are built afterwards come first.
    pub(super) const ALL: [TableRows; 9] = [
        TableRows::OrderLine,
        TableRows::Customer,
        TableRows::Orders,
        TableRows::Stock,
        TableRows::History,
        TableRows::NewOrders,
        TableRows::Item,
        TableRows::District,
        TableRows::Warehouse,
    ];

    /// The table's name.
    pub(super) fn table(self) -> &'static str {
        match self {
            TableRows::OrderLine => "order_line",
            TableRows::Customer => "customer",
            TableRows::Orders => "orders",
            TableRows::Stock => "stock",
            TableRows::History => "history",
            TableRows::NewOrders => "new_orders",
            TableRows::Item => "item",
            TableRows::District => "district",
            TableRows::Warehouse => "warehouse",
        }
    }

    /// The number of units that [`Population::unit`] generates for a warehouse: rows, but orders for order lines.
    pub(super) fn units(self) -> u64 {
        match self {
            TableRows::Warehouse => 1,
            TableRows::District => DISTRICTS,
            TableRows::Item | TableRows::Stock => ITEMS,
            TableRows::Customer | TableRows::History => DISTRICTS * CUSTOMERS,
            TableRows::Orders | TableRows::OrderLine => DISTRICTS * ORDERS,
            TableRows::NewOrders => DISTRICTS * (ORDERS + 1 - FIRST_NEW),
        }
    }

    /// Rows per warehouse; for order lines the mean.
    pub(super) fn rows(self) -> u64 {
        if self == TableRows::OrderLine { self.units() * 10 } else { self.units() }
    }
}

/// Bytes of the longest unit: an order's fifteen lines, or a customer.
pub(super) const LONGEST: usize = 15 * 110;

/// Generates rows. Keeps the order of a district's customers between rows, so it belongs to one stream.
#[derive(Debug)]
pub(super) struct Population {
    seed: u64,
    c_load: u64,
    /// Decimals of tax and discount.
    rate_decimals: u32,
    whole_limit: bool,
    decimals: bool,
    /// The customers of a district's orders, and of which district.
    customers: Vec<u16>,
    of: Option<(u64, u64)>,
}

impl Population {
    /// The population of one set; all sets of a seed share its C-Load.
    pub(super) fn new(seed: u64, set: Set, form: &SchemaForm) -> Population {
        let narrow = form.layout == Layout::TpccMysql;
        Population {
            seed: set.seed(seed),
            c_load: c_load(seed),
            rate_decimals: if narrow { 2 } else { 4 },
            whole_limit: narrow && form.decimals(),
            decimals: form.decimals(),
            customers: Vec::new(),
            of: None,
        }
    }

    /// Appends unit `index` (from 0) of warehouse `w`; returns the number of rows.
    #[inline]
    pub(super) fn unit(&mut self, what: TableRows, w: u64, index: u64, format: Format, out: &mut Vec<u8>) -> u64 {
        let line = &mut RowWriter::new(out, format, self.decimals);
        let (d, n) = match what {
            TableRows::Customer | TableRows::History | TableRows::Orders | TableRows::OrderLine => {
                (index / CUSTOMERS + 1, index % CUSTOMERS + 1)
            }
            TableRows::NewOrders => {
                let of_district = ORDERS + 1 - FIRST_NEW;
                (index / of_district + 1, index % of_district + FIRST_NEW)
            }
            _ => (0, index + 1),
        };
        match what {
            TableRows::Warehouse => self.warehouse(w, line),
            TableRows::District => self.district(w, n, line),
            TableRows::Item => self.item(n, line),
            TableRows::Stock => self.stock(w, n, line),
            TableRows::Customer => self.customer(w, d, n, line),
            TableRows::History => self.history(w, d, n, line),
            TableRows::Orders => self.order(w, d, n, line),
            TableRows::OrderLine => return self.order_lines(w, d, n, line),
            TableRows::NewOrders => line.begin().int(n).int(d).int(w).end(),
        }
        1
    }

    fn random(&self, what: TableRows, w: u64, d: u64, n: u64) -> Random {
        Random::new(self.seed ^ (what as u64 + 1).wrapping_mul(0xA24B_AED4_963E_E407), w << 32 | d << 24 | n)
    }

    fn warehouse(&self, w: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::Warehouse, w, 0, 0);
        line.begin().int(w).string(r, 6, 10);
        address(r, line);
        line.rate(between(r, 0, 2000), self.rate_decimals).cents(30_000_000).end();
    }

    fn district(&self, w: u64, d: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::District, w, d, 0);
        line.begin().int(d).int(w).string(r, 6, 10);
        address(r, line);
        line.rate(between(r, 0, 2000), self.rate_decimals).cents(3_000_000).int(ORDERS + 1).end();
    }

    fn item(&self, i: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::Item, 0, 0, i);
        line.begin().int(i).int(between(r, 1, 10_000)).string(r, 14, 24).cents(between(r, 100, 10_000) as i64);
        line.made(|out| data(r, out)).end();
    }

    fn stock(&self, w: u64, i: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::Stock, w, 0, i);
        line.begin().int(i).int(w).int(between(r, 10, 100));
        for _ in 0..DISTRICTS {
            line.string(r, 24, 24);
        }
        line.int(0).int(0).int(0).made(|out| data(r, out)).end();
    }

    fn customer(&self, w: u64, d: u64, c: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::Customer, w, d, c);
        let name = if c <= 1000 { c - 1 } else { nurand(r, A_LAST, self.c_load, 0, 999) };
        line.begin().int(c).int(d).int(w).string(r, 8, 16).text(b"OE").made(|out| last_name(name, out));
        address(r, line);
        line.made(|out| digits(r, 16, out)).text(LOADED);
        line.text(if r.below(10) == 0 { b"BC" } else { b"GC" });
        if self.whole_limit {
            line.int(50_000)
        } else {
            line.cents(5_000_000)
        };
        line.rate(between(r, 0, 5000), self.rate_decimals).cents(-1000).cents(1000).int(1).int(0);
        line.string(r, 300, 500).end();
    }

    fn history(&self, w: u64, d: u64, c: u64, line: &mut RowWriter<'_>) {
        let r = &mut self.random(TableRows::History, w, d, c);
        line.begin().int(c).int(d).int(w).int(d).int(w).text(LOADED).cents(1000).string(r, 12, 24).end();
    }

    fn order(&mut self, w: u64, d: u64, o: u64, line: &mut RowWriter<'_>) {
        let customer = self.customer_of(w, d, o);
        let r = &mut self.random(TableRows::Orders, w, d, o);
        let lines = between(r, 5, 15);
        line.begin().int(o).int(d).int(w).int(customer).text(LOADED);
        if o < FIRST_NEW {
            line.int(between(r, 1, 10))
        } else {
            line.null()
        };
        line.int(lines).int(1).end();
    }

    fn order_lines(&self, w: u64, d: u64, o: u64, line: &mut RowWriter<'_>) -> u64 {
        // The first number that its order draws.
        let lines = between(&mut self.random(TableRows::Orders, w, d, o), 5, 15);
        let r = &mut self.random(TableRows::OrderLine, w, d, o);
        for number in 1..=lines {
            line.begin().int(o).int(d).int(w).int(number).int(between(r, 1, ITEMS)).int(w);
            if o < FIRST_NEW {
                line.text(LOADED).int(5).cents(0);
            } else {
                line.null().int(5).cents(between(r, 1, 999_999) as i64);
            }
            line.string(r, 24, 24).end();
        }
        lines
    }

    /// The customer of an order: orders go through all customers of their district in a random order.
    fn customer_of(&mut self, w: u64, d: u64, o: u64) -> u64 {
        if self.of != Some((w, d)) {
            self.of = Some((w, d));
            self.customers.clear();
            self.customers.extend(1..=CUSTOMERS as u16);
            // Orders are numbered from 1, so stream 0 belongs to no order.
            let mut random = self.random(TableRows::Orders, w, d, 0);
            for at in (1..self.customers.len()).rev() {
                self.customers.swap(at, random.below(at as u64 + 1) as usize);
            }
        }
        self.customers[o as usize - 1].into()
    }
}

/// Two streets, a city, a state and a zip code (clause 4.3.2.7).
fn address(r: &mut Random, line: &mut RowWriter<'_>) {
    line.string(r, 10, 20).string(r, 10, 20).string(r, 10, 20).made(|out| state(r, out)).made(|out| {
        digits(r, 4, out);
        out.extend_from_slice(b"11111");
    });
}

#[cfg(test)]
mod tests {
    use super::super::part::place;
    use super::super::schema::TABLES;
    use super::super::text::ORIGINAL;
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use tenbin_workload::tables::dialect::Dialect;

    fn population(seed: u64, layout: Layout) -> Population {
        Population::new(
            seed,
            Set::ALONE,
            &SchemaForm { dialect: Dialect::Mysql, layout, engine: "innodb".into(), foreign_keys: false },
        )
    }

    /// All rows of a part: fields by name.
    fn rows(what: TableRows, w: u64, mut each: impl FnMut(&BTreeMap<&str, &str>)) -> u64 {
        let (mut population, mut out, mut n) = (population(7, Layout::Spec), Vec::new(), 0);
        let columns = TABLES[place(what)].columns;
        for index in 0..what.units() {
            out.clear();
            let made = population.unit(what, w, index, Format::Lines, &mut out);
            assert!(out.len() <= LONGEST);
            let text = std::str::from_utf8(&out).unwrap();
            assert_eq!(text.lines().count() as u64, made);
            for line in text.lines() {
                let fields: Vec<&str> = line.split('\t').collect();
                assert_eq!(fields.len(), columns.len(), "{line}");
                each(&columns.iter().map(|c| c.0).zip(fields).collect());
                n += 1;
            }
        }
        n
    }

    fn number(row: &BTreeMap<&str, &str>, name: &str) -> f64 {
        row[name].parse().unwrap_or_else(|_| panic!("{name}: {row:?}"))
    }

    #[test]
    fn a_part_is_the_same_on_every_loader() {
        let make = |seed, w, from: u64, what: TableRows| {
            let (mut population, mut out) = (population(seed, Layout::Spec), Vec::new());
            (from..from + 40).for_each(|i| {
                let _rows = population.unit(what, w, i, Format::Lines, &mut out);
            });
            out
        };
        for what in TableRows::ALL.into_iter().filter(|w| w.units() > 3100) {
            let mut both = make(1, 1, 2980, what);
            both.extend(make(1, 1, 3020, what));
            let (mut at_once, mut out) = (population(1, Layout::Spec), Vec::new());
            (2980..3060).for_each(|i| {
                let _rows = at_once.unit(what, 1, i, Format::Lines, &mut out);
            });
            assert_eq!(String::from_utf8(both), String::from_utf8(out), "{what:?}");
            if what != TableRows::NewOrders {
                assert!(make(2, 1, 0, what) != make(1, 1, 0, what), "{what:?}");
            }
        }
        assert!(make(1, 1, 0, TableRows::Customer) != make(1, 2, 0, TableRows::Customer));
    }

    /// Clause 4.3.3.1, table by table.
    #[test]
    fn cardinalities_and_distributions_of_a_warehouse() {
        let (mut lines, mut open) = (0, 0);
        let orders = rows(TableRows::Orders, 3, |o| {
            let new = number(o, "o_id") >= 2101.0;
            assert_eq!(o["o_carrier_id"] == "\\N", new);
            assert!(new || (1.0..=10.0).contains(&number(o, "o_carrier_id")));
            assert!((5.0..=15.0).contains(&number(o, "o_ol_cnt")));
            (lines, open) = (lines + number(o, "o_ol_cnt") as u64, open + u64::from(new));
        });
        assert_eq!((orders, open), (30_000, 9_000));
        assert!(lines.abs_diff(300_000) < 3_000, "{lines}");
        assert_eq!(rows(TableRows::NewOrders, 3, |n| assert!(number(n, "no_o_id") >= 2101.0)), open);
        let (mut amounts, mut of) = (0.0, 0);
        let made = rows(TableRows::OrderLine, 3, |l| {
            let new = number(l, "ol_o_id") >= 2101.0;
            assert_eq!((l["ol_quantity"], l["ol_supply_w_id"], l["ol_dist_info"].len()), ("5", "3", 24));
            assert_eq!((l["ol_delivery_d"] == "\\N", l["ol_amount"] != "0.00"), (new, new), "{l:?}");
            if new {
                (amounts, of) = (amounts + number(l, "ol_amount"), of + 1);
            }
        });
        assert_eq!(made, lines);
        assert!((amounts / f64::from(of) - 5000.0).abs() < 50.0);

        // Each customer of a district has exactly one order.
        let mut customers = BTreeSet::new();
        rows(TableRows::Orders, 3, |o| assert!(customers.insert((o["o_d_id"].to_owned(), o["o_c_id"].to_owned()))));
        assert_eq!(customers.len(), 30_000);

        let (mut bad, mut names, mut data) = (0, BTreeMap::<String, u32>::new(), 0);
        let made = rows(TableRows::Customer, 3, |c| {
            bad += u32::from(c["c_credit"] == "BC");
            data += c["c_data"].len();
            *names.entry(c["c_last"].to_owned()).or_default() += 1;
            assert!((0.0..=0.5).contains(&number(c, "c_discount")) && (300..=500).contains(&c["c_data"].len()));
            assert!(c["c_zip"].len() == 9 && c["c_zip"].ends_with("11111") && c["c_phone"].len() == 16);
            let fixed = ["c_middle", "c_balance", "c_ytd_payment", "c_payment_cnt", "c_delivery_cnt", "c_credit_lim"];
            assert_eq!(fixed.map(|f| c[f]), ["OE", "-10.00", "10.00", "1", "0", "50000.00"]);
        });
        assert_eq!((made, names.len()), (30_000, 1000));
        assert!((2_800..3_200).contains(&bad), "{bad} of 30,000 have bad credit");
        assert!((data / 30_000).abs_diff(400) < 3);
        let hottest = names.values().max().unwrap();
        assert!(*hottest > 100, "last names beyond the first thousand are uneven: {hottest}");

        let mut original = 0;
        let made = rows(TableRows::Stock, 3, |s| {
            assert!((10.0..=100.0).contains(&number(s, "s_quantity")) && s["s_dist_10"].len() == 24);
            original += u32::from(s["s_data"].as_bytes().windows(8).any(|w| w == ORIGINAL));
        });
        assert_eq!(made, 100_000);
        assert!((9_500..10_500).contains(&original), "{original}");
        let made = rows(TableRows::Item, 0, |i| {
            assert!((1.0..=100.0).contains(&number(i, "i_price")) && (1.0..=10_000.0).contains(&number(i, "i_im_id")));
        });
        assert_eq!(made, 100_000);
        assert_eq!(rows(TableRows::History, 3, |h| assert_eq!((h["h_amount"], h["h_w_id"]), ("10.00", "3"))), 30_000);
        let made = rows(TableRows::District, 3, |d| assert_eq!((d["d_ytd"], d["d_next_o_id"]), ("30000.00", "3001")));
        assert_eq!((made, rows(TableRows::Warehouse, 3, |w| assert_eq!(w["w_ytd"], "300000.00"))), (10, 1));
    }

    #[test]
    fn the_narrow_layout_has_two_decimals() {
        let mut out = Vec::new();
        population(1, Layout::TpccMysql).unit(TableRows::Warehouse, 1, 0, Format::Lines, &mut out);
        let text = String::from_utf8(out).unwrap();
        let tax = text.split('\t').nth(7).unwrap();
        assert!(tax.len() == 4 && tax.parse::<f64>().unwrap() <= 0.2, "{text}");
    }
}
