//! The nine tables as data: names, columns, keys, indexes and foreign keys of tpcc-mysql, in an order in which each
//! table comes after those it refers to.
//!
//! There are two layouts: `spec` is as wide as clause 1.3 requires (four decimals of tax and discount, 32-bit numbers
//! where tpcc-mysql's overflow); `tpcc_mysql` is exactly that tool's. SQLite has no exact decimals: it stores money
//! in whole cents, rates in whole 1/10,000.

use tenbin_workload::tables::catalogue::Kind as Held;
use tenbin_workload::tables::dialect::Dialect;

/// Districts of a warehouse (clause 1.2.1).
pub(super) const DISTRICTS: u64 = 10;
/// Customers of a district.
pub(super) const CUSTOMERS: u64 = 3000;
/// Orders of a district in a fresh population.
pub(super) const ORDERS: u64 = 3000;
/// The first order of a district that is not delivered in a fresh population.
pub(super) const FIRST_NEW: u64 = 2101;
/// Items, and so rows of stock of a warehouse.
pub(super) const ITEMS: u64 = 100_000;

/// The declared type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// A warehouse's number.
    Warehouse,
    /// A number below 100.
    Tiny,
    /// A count for which tpcc-mysql uses 16 bits.
    Small,
    Int,
    Char(u32),
    Var(u32),
    /// 500 characters.
    Long,
    Moment,
    /// Exact, two decimals, this many digits.
    Money(u32),
    /// The credit limit: no decimals in tpcc-mysql.
    Limit,
    /// Exact, without decimals, eight digits.
    Whole,
    /// A rate: four decimals, or two in tpcc-mysql's layout.
    Rate,
}

/// How wide types are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Spec,
    TpccMysql,
}

/// The names of the layouts, as values of the option.
pub(super) const LAYOUTS: &[&str] = &["spec", "tpcc_mysql"];

impl Layout {
    pub(super) fn named(name: &str) -> Layout {
        if name == LAYOUTS[1] { Layout::TpccMysql } else { Layout::Spec }
    }

    pub(super) fn name(self) -> &'static str {
        LAYOUTS[usize::from(self == Layout::TpccMysql)]
    }
}

/// One column: name, type, whether it may be NULL.
type Column = (&'static str, Type, bool);

/// A foreign key: its name, its columns, the table it refers to and that table's.
type Foreign = (&'static str, &'static str, &'static str, &'static str);

/// One table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
    /// Columns of the primary key; empty for history.
    pub(super) key: &'static str,
    /// Secondary indexes: name and columns.
    pub(super) indexes: &'static [(&'static str, &'static str)],
    pub(super) foreign: &'static [Foreign],
}

const fn id(name: &'static str, kind: Type) -> Column {
    (name, kind, false)
}

const fn has(name: &'static str, kind: Type) -> Column {
    (name, kind, true)
}

use Type::{Char, Int, Limit, Long, Moment, Money, Rate, Small, Tiny, Var, Warehouse, Whole};

/// All nine.
pub(super) const TABLES: [Table; 9] = [
    Table {
        name: "warehouse",
        columns: &[
            id("w_id", Warehouse),
            has("w_name", Var(10)),
            has("w_street_1", Var(20)),
            has("w_street_2", Var(20)),
            has("w_city", Var(20)),
            has("w_state", Char(2)),
            has("w_zip", Char(9)),
            has("w_tax", Rate),
            has("w_ytd", Money(12)),
        ],
        key: "w_id",
        indexes: &[],
        foreign: &[],
    },
    Table {
        name: "district",
        columns: &[
            id("d_id", Tiny),
            id("d_w_id", Warehouse),
            has("d_name", Var(10)),
            has("d_street_1", Var(20)),
            has("d_street_2", Var(20)),
            has("d_city", Var(20)),
            has("d_state", Char(2)),
            has("d_zip", Char(9)),
            has("d_tax", Rate),
            has("d_ytd", Money(12)),
            has("d_next_o_id", Int),
        ],
        key: "d_w_id, d_id",
        indexes: &[],
        foreign: &[("fkey_district_1", "d_w_id", "warehouse", "w_id")],
    },
    Table {
        name: "item",
        columns: &[
            id("i_id", Int),
            has("i_im_id", Int),
            has("i_name", Var(24)),
            has("i_price", Money(5)),
            has("i_data", Var(50)),
        ],
        key: "i_id",
        indexes: &[],
        foreign: &[],
    },
    Table {
        name: "customer",
        columns: &[
            id("c_id", Int),
            id("c_d_id", Tiny),
            id("c_w_id", Warehouse),
            has("c_first", Var(16)),
            has("c_middle", Char(2)),
            has("c_last", Var(16)),
            has("c_street_1", Var(20)),
            has("c_street_2", Var(20)),
            has("c_city", Var(20)),
            has("c_state", Char(2)),
            has("c_zip", Char(9)),
            has("c_phone", Char(16)),
            has("c_since", Moment),
            has("c_credit", Char(2)),
            has("c_credit_lim", Limit),
            has("c_discount", Rate),
            has("c_balance", Money(12)),
            has("c_ytd_payment", Money(12)),
            has("c_payment_cnt", Small),
            has("c_delivery_cnt", Small),
            has("c_data", Long),
        ],
        key: "c_w_id, c_d_id, c_id",
        indexes: &[("idx_customer", "c_w_id, c_d_id, c_last, c_first")],
        foreign: &[("fkey_customer_1", "c_w_id, c_d_id", "district", "d_w_id, d_id")],
    },
    Table {
        name: "history",
        columns: &[
            has("h_c_id", Int),
            has("h_c_d_id", Tiny),
            has("h_c_w_id", Warehouse),
            has("h_d_id", Tiny),
            has("h_w_id", Warehouse),
            has("h_date", Moment),
            has("h_amount", Money(6)),
            has("h_data", Var(24)),
        ],
        key: "",
        indexes: &[],
        foreign: &[
            ("fkey_history_1", "h_c_w_id, h_c_d_id, h_c_id", "customer", "c_w_id, c_d_id, c_id"),
            ("fkey_history_2", "h_w_id, h_d_id", "district", "d_w_id, d_id"),
        ],
    },
    Table {
        name: "stock",
        columns: &[
            id("s_i_id", Int),
            id("s_w_id", Warehouse),
            has("s_quantity", Small),
            has("s_dist_01", Char(24)),
            has("s_dist_02", Char(24)),
            has("s_dist_03", Char(24)),
            has("s_dist_04", Char(24)),
            has("s_dist_05", Char(24)),
            has("s_dist_06", Char(24)),
            has("s_dist_07", Char(24)),
            has("s_dist_08", Char(24)),
            has("s_dist_09", Char(24)),
            has("s_dist_10", Char(24)),
            has("s_ytd", Whole),
            has("s_order_cnt", Small),
            has("s_remote_cnt", Small),
            has("s_data", Var(50)),
        ],
        key: "s_w_id, s_i_id",
        indexes: &[("fkey_stock_2", "s_i_id")],
        foreign: &[("fkey_stock_1", "s_w_id", "warehouse", "w_id"), ("fkey_stock_2", "s_i_id", "item", "i_id")],
    },
    Table {
        name: "orders",
        columns: &[
            id("o_id", Int),
            id("o_d_id", Tiny),
            id("o_w_id", Warehouse),
            has("o_c_id", Int),
            has("o_entry_d", Moment),
            has("o_carrier_id", Tiny),
            has("o_ol_cnt", Tiny),
            has("o_all_local", Tiny),
        ],
        key: "o_w_id, o_d_id, o_id",
        indexes: &[("idx_orders", "o_w_id, o_d_id, o_c_id, o_id")],
        foreign: &[("fkey_orders_1", "o_w_id, o_d_id, o_c_id", "customer", "c_w_id, c_d_id, c_id")],
    },
    Table {
        name: "new_orders",
        columns: &[id("no_o_id", Int), id("no_d_id", Tiny), id("no_w_id", Warehouse)],
        key: "no_w_id, no_d_id, no_o_id",
        indexes: &[],
        foreign: &[("fkey_new_orders_1", "no_w_id, no_d_id, no_o_id", "orders", "o_w_id, o_d_id, o_id")],
    },
    Table {
        name: "order_line",
        columns: &[
            id("ol_o_id", Int),
            id("ol_d_id", Tiny),
            id("ol_w_id", Warehouse),
            id("ol_number", Tiny),
            has("ol_i_id", Int),
            has("ol_supply_w_id", Warehouse),
            has("ol_delivery_d", Moment),
            has("ol_quantity", Tiny),
            has("ol_amount", Money(6)),
            has("ol_dist_info", Char(24)),
        ],
        key: "ol_w_id, ol_d_id, ol_o_id, ol_number",
        indexes: &[("fkey_order_line_2", "ol_supply_w_id, ol_i_id")],
        foreign: &[
            ("fkey_order_line_1", "ol_w_id, ol_d_id, ol_o_id", "orders", "o_w_id, o_d_id, o_id"),
            ("fkey_order_line_2", "ol_supply_w_id, ol_i_id", "stock", "s_w_id, s_i_id"),
        ],
    },
];

/// How the tables are created.
#[derive(Debug, Clone)]
pub(super) struct SchemaForm {
    pub(super) dialect: Dialect,
    pub(super) layout: Layout,
    /// Storage engine of MySQL and MariaDB.
    pub(super) engine: String,
    pub(super) foreign_keys: bool,
}

impl SchemaForm {
    /// Whether decimals are a type of the database (or else whole cents).
    pub(super) fn decimals(&self) -> bool {
        self.dialect != Dialect::Sqlite
    }

    /// Creates an empty table with its primary key; SQLite accepts foreign keys only here.
    pub(super) fn create(&self, table: &Table) -> String {
        let mut parts: Vec<String> = table
            .columns
            .iter()
            .map(|(name, kind, null)| format!("{name} {}{}", self.type_of(*kind), if *null { "" } else { " NOT NULL" }))
            .collect();
        if !table.key.is_empty() {
            parts.push(format!("PRIMARY KEY ({})", table.key));
        }
        if self.foreign_keys && self.dialect == Dialect::Sqlite {
            parts.extend(table.foreign.iter().map(references));
        }
        let tail = match self.dialect {
            Dialect::Mysql => format!(" ENGINE = {}", self.engine),
            // The rows are stored in the key's order, as in InnoDB.
            Dialect::Sqlite if !table.key.is_empty() => " WITHOUT ROWID".to_owned(),
            _ => String::new(),
        };
        format!("CREATE TABLE {}({}){tail}", table.name, parts.join(", "))
    }

    /// Creates the secondary indexes, after the rows have been loaded.
    pub(super) fn index(&self, table: &Table) -> Vec<String> {
        if table.indexes.is_empty() && self.dialect != Dialect::Postgres {
            return Vec::new();
        }
        match self.dialect {
            // One pass over the table for all of them.
            Dialect::Mysql => {
                let each = table.indexes.iter().map(|(name, columns)| format!("ADD INDEX {name}({columns})"));
                vec![format!("ALTER TABLE {} {}", table.name, each.collect::<Vec<_>>().join(", "))]
            }
            Dialect::Postgres | Dialect::Sqlite => {
                let each =
                    table.indexes.iter().map(|(n, columns)| format!("CREATE INDEX {n} ON {}({columns})", table.name));
                // Without it the first minutes use plans made for empty tables.
                let analyze = (self.dialect == Dialect::Postgres).then(|| format!("VACUUM (ANALYZE) {}", table.name));
                each.chain(analyze).collect()
            }
        }
    }

    /// Adds the foreign keys, once all tables are full.
    pub(super) fn constrain(&self, table: &Table) -> Vec<String> {
        if !self.foreign_keys || self.dialect == Dialect::Sqlite || table.foreign.is_empty() {
            return Vec::new();
        }
        let each = table.foreign.iter().map(|f| format!("ADD {}", references(f)));
        vec![format!("ALTER TABLE {} {}", table.name, each.collect::<Vec<_>>().join(", "))]
    }

    fn type_of(&self, kind: Type) -> String {
        let spec = self.layout == Layout::Spec;
        let mysql = self.dialect == Dialect::Mysql;
        if self.dialect == Dialect::Sqlite {
            return match kind {
                Char(n) => format!("CHAR({n})"),
                Var(n) => format!("VARCHAR({n})"),
                Long | Moment => "TEXT".into(),
                _ => "INTEGER".into(),
            };
        }
        let word = match kind {
            Char(n) => return format!("CHAR({n})"),
            Var(n) => return format!("VARCHAR({n})"),
            Money(digits) => return format!("DECIMAL({digits}, 2)"),
            Long if spec => "VARCHAR(500)",
            Long => "TEXT",
            Moment if mysql => "DATETIME",
            Moment => "TIMESTAMP",
            Int => "INTEGER",
            Tiny if mysql => "TINYINT",
            Tiny => "SMALLINT",
            Warehouse | Small if spec => "INTEGER",
            Warehouse | Small => "SMALLINT",
            Limit if spec => "DECIMAL(12, 2)",
            Limit => "BIGINT",
            Whole => "DECIMAL(8, 0)",
            Rate if spec => "DECIMAL(4, 4)",
            Rate => "DECIMAL(4, 2)",
        };
        word.to_owned()
    }
}

fn references((name, columns, to, keys): &Foreign) -> String {
    format!("CONSTRAINT {name} FOREIGN KEY ({columns}) REFERENCES {to}({keys})")
}

/// A foreign key as PostgreSQL shows it behind its name.
pub(super) fn foreign_key((name, columns, to, keys): &Foreign) -> String {
    format!("{name} ({columns}) REFERENCES {to}({keys})")
}

impl Table {
    /// Columns by the kind of value they hold, as in the catalogue, without those that databases declare in
    /// different ways (money, timestamps).
    pub(super) fn held(&self) -> impl Iterator<Item = (&'static str, Held)> {
        self.columns.iter().filter_map(|(name, kind, _)| match kind {
            Char(_) | Var(_) | Long => Some((*name, Held::Text)),
            Warehouse | Tiny | Small | Int => Some((*name, Held::Integer)),
            Moment | Money(_) | Limit | Whole | Rate => None,
        })
    }

    /// The names of its columns, as in an INSERT.
    pub(super) fn names(&self) -> String {
        self.columns.iter().map(|c| c.0).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_the_three_forms() {
        let form = |dialect, layout| SchemaForm { dialect, layout, engine: "innodb".into(), foreign_keys: true };
        let mysql = form(Dialect::Mysql, Layout::TpccMysql);
        let [spec, sqlite] = [Dialect::Mysql, Dialect::Sqlite].map(|d| form(d, Layout::Spec));
        let orders = &TABLES[6];
        let statements = [
            mysql.create(&TABLES[0]),
            spec.create(&TABLES[0]),
            sqlite.create(&TABLES[1]),
            mysql.index(orders).concat(),
            mysql.constrain(&TABLES[8]).concat(),
            sqlite.index(orders).concat(),
        ]
        .join("\n");
        insta::assert_snapshot!(statements, @r"
        CREATE TABLE warehouse(w_id SMALLINT NOT NULL, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20), w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4, 2), w_ytd DECIMAL(12, 2), PRIMARY KEY (w_id)) ENGINE = innodb
        CREATE TABLE warehouse(w_id INTEGER NOT NULL, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20), w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4, 4), w_ytd DECIMAL(12, 2), PRIMARY KEY (w_id)) ENGINE = innodb
        CREATE TABLE district(d_id INTEGER NOT NULL, d_w_id INTEGER NOT NULL, d_name VARCHAR(10), d_street_1 VARCHAR(20), d_street_2 VARCHAR(20), d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax INTEGER, d_ytd INTEGER, d_next_o_id INTEGER, PRIMARY KEY (d_w_id, d_id), CONSTRAINT fkey_district_1 FOREIGN KEY (d_w_id) REFERENCES warehouse(w_id)) WITHOUT ROWID
        ALTER TABLE orders ADD INDEX idx_orders(o_w_id, o_d_id, o_c_id, o_id)
        ALTER TABLE order_line ADD CONSTRAINT fkey_order_line_1 FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders(o_w_id, o_d_id, o_id), ADD CONSTRAINT fkey_order_line_2 FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock(s_w_id, s_i_id)
        CREATE INDEX idx_orders ON orders(o_w_id, o_d_id, o_c_id, o_id)
        ");
    }

    #[test]
    fn tables_refer_to_earlier_ones_and_to_columns_that_are_there() {
        for (at, table) in TABLES.iter().enumerate() {
            let has = |t: &Table, columns: &str| columns.split(", ").all(|c| t.columns.iter().any(|k| k.0 == c));
            assert!(table.key.is_empty() || has(table, table.key), "{}", table.name);
            assert!(table.indexes.iter().all(|(_, c)| has(table, c)), "{}", table.name);
            for (name, columns, to, keys) in table.foreign {
                let parent = TABLES[..at].iter().find(|t| t.name == *to).unwrap();
                assert!(has(table, columns) && *keys == parent.key, "{name}");
            }
        }
    }
}
