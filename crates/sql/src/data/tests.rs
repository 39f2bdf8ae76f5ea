//! Each generator has the shape that its name says, with both of its ends: a value at the edge of a range is as frequent as the distribution says, not more.

use super::SqlData;
use super::call::Call;
use super::generator::{Field, Generator};
use super::tables::FilledTables;
use crate::language::Generator as Random;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::{Dataset, DatasetState};

const DRAWS: u64 = 40_000;

fn generator(text: &str) -> Generator {
    Generator::new(&Call::parse(text).unwrap(), &|_| Ok(vec!["red".into(), "green".into(), "blue".into()]))
        .unwrap_or_else(|e| panic!("{text}: {}", e.english()))
}

fn wrong(text: &str) -> String {
    let made = Call::parse(text).and_then(|call| Generator::new(&call, &|_| Ok(Vec::new())));
    made.map(|_| ()).expect_err(text).to_string()
}

fn fields(text: &str) -> impl Iterator<Item = Field> {
    let generator = generator(text);
    (0..DRAWS)
        .map(move |row| generator.value(row, &mut Random::new(row.wrapping_mul(0x9E37)), &mut |_, _, _, _| Field::Null))
}

fn shares(text: &str) -> BTreeMap<i64, f64> {
    let mut counts = BTreeMap::new();
    for field in fields(text) {
        let Field::Int(value) = field else { panic!("{text}: {field:?}") };
        *counts.entry(value).or_insert(0.0) += 1.0 / DRAWS as f64;
    }
    counts
}

/// Whether each share is within five standard deviations of what it should be.
fn assert_shares(text: &str, wanted: impl Fn(i64) -> f64, low: i64, high: i64) {
    let shares = shares(text);
    assert!(*shares.keys().next().unwrap() >= low && *shares.keys().last().unwrap() <= high, "{text}: {shares:?}");
    for value in low..=high {
        let (is, should) = (shares.get(&value).copied().unwrap_or(0.0), wanted(value));
        let deviation = (should * (1.0 - should) / DRAWS as f64).sqrt();
        assert!((is - should).abs() <= 5.0 * deviation + 1e-9, "{text}: {value} has {is}, not {should}");
    }
}

#[test]
fn numbers_have_their_distributions_up_to_the_ends() {
    assert_shares("uniform(-3, 6)", |_| 0.1, -3, 6);
    assert_shares("bool(0.25)", |value| if value == 1 { 0.25 } else { 0.75 }, 0, 1);
    assert_shares(
        "histogram(\"-2--1: 50, 5: 30, 7-8: 20\")",
        |value| match value {
            -2 | -1 => 0.25,
            5 => 0.3,
            7 | 8 => 0.1,
            _ => 0.0,
        },
        -2,
        8,
    );
    let zipf = |exponent: f64| {
        move |value: i64| (value as f64).powf(-exponent) / (1..=20).map(|n| f64::from(n).powf(-exponent)).sum::<f64>()
    };
    assert_shares("zipfian(1, 20, 1.5)", zipf(1.5), 1, 20);
    // The density at x in [0, 1) is that of an exponential distribution, cut off at 1.
    let within = |value: i64| {
        ((-5.0 * value as f64 / 10.0).exp() - (-5.0 * (value + 1) as f64 / 10.0).exp()) / (1.0 - (-5f64).exp())
    };
    assert_shares("exponential(0, 9, 5)", within, 0, 9);
}

#[test]
fn a_normal_distribution_has_its_deviation_and_no_heap_at_its_ends() {
    let shares = shares("gaussian(0, 99, 4)");
    let mean: f64 = shares.iter().map(|(value, share)| (*value as f64 + 0.5) * share).sum();
    let variance: f64 = shares.iter().map(|(value, share)| (*value as f64 + 0.5 - mean).powi(2) * share).sum();
    // Four deviations to each end: 50 / 4.
    assert!((mean - 50.0).abs() < 0.4 && (variance.sqrt() - 12.5).abs() < 0.3, "{mean} {}", variance.sqrt());
    let end = |value: i64| shares.get(&value).copied().unwrap_or(0.0);
    assert!(end(0) < 0.0005 && end(99) < 0.0005, "{} {}", end(0), end(99));
}

#[test]
fn decimals_and_times_reach_both_ends_and_not_beyond() {
    let digits = |text: &str| -> Vec<String> {
        fields(text)
            .map(|field| match field {
                Field::Digits(digits) | Field::Text(digits) => digits,
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let all = digits("decimal(-0.5, 0.5, 1)");
    for wanted in ["-0.5", "-0.1", "0.0", "0.5"] {
        let share = all.iter().filter(|value| *value == wanted).count() as f64 / DRAWS as f64;
        assert!((share - 1.0 / 11.0).abs() < 0.01, "{wanted} has {share}");
    }
    let days = digits("date(\"2023-12-31\", \"2024-01-02\")");
    for wanted in ["2023-12-31", "2024-01-01", "2024-01-02"] {
        let share = days.iter().filter(|value| *value == wanted).count() as f64 / DRAWS as f64;
        assert!((share - 1.0 / 3.0).abs() < 0.015, "{wanted} has {share}");
    }
    let times = digits("timestamp(\"2024-01-01 00:00:00\", \"2024-01-01 00:00:01\")");
    assert!(times.contains(&"2024-01-01 00:00:00".to_owned()) && times.contains(&"2024-01-01 00:00:01".to_owned()));
    let floats: Vec<f64> = digits("float(-1, 3)").iter().map(|value| value.parse().unwrap()).collect();
    let mean = floats.iter().sum::<f64>() / DRAWS as f64;
    assert!((mean - 1.0).abs() < 0.03 && floats.iter().all(|value| (-1.0..3.0).contains(value)));
}

#[test]
fn texts_have_their_forms() {
    let first = |text: &str| fields(text).next().unwrap();
    let texts = |text: &str| {
        fields(text)
            .take(2000)
            .map(|field| match field {
                Field::Text(text) => text,
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(first("serial"), Field::Int(1));
    assert_eq!(fields("serial(10, -5)").nth(3), Some(Field::Int(-5)));
    for (kind, version) in [("uuid4", '4'), ("uuid7", '7')] {
        let all = texts(kind);
        let right =
            |id: &String| id.len() == 36 && id.as_bytes()[14] == version as u8 && b"89ab".contains(&id.as_bytes()[19]);
        assert!(all.iter().all(right), "{kind}: {}", all[0]);
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all.is_sorted(), version == '7', "{kind}: only those of version 7 are in order");
    }
    assert!(texts("words(2, 4)").iter().all(|text| (2..=4).contains(&text.split(' ').count())));
    let lengths: BTreeMap<usize, usize> = texts("text(3, 5)").iter().fold(BTreeMap::new(), |mut all, text| {
        *all.entry(text.len()).or_default() += 1;
        all
    });
    assert!(lengths.keys().eq([&3, &4, &5]) && lengths.values().all(|n| *n > 550), "{lengths:?}");
    assert!(texts("email").iter().all(|text| text.ends_with("@example.com") && text.is_ascii()));
    assert_eq!(texts("email").iter().collect::<std::collections::BTreeSet<_>>().len(), 2000);
    assert!(texts("name").iter().all(|text| text.split(' ').count() == 2));
    assert!(texts("file(\"colours\", zipfian(2))").iter().filter(|text| *text == "red").count() > 1300);
    let threes = texts("pick(\"a\", 'b', 3)").iter().filter(|text| *text == "3").count();
    assert!((560..780).contains(&threes), "{threes}");
    let json = texts("json('{ \"a\" :1 }')");
    assert_eq!(json[0], "{ \"a\" :1 }", "a template is taken as it is");
    let json = texts("json('{\"n\": ${uniform(7, 7)}, \"who\": ${pick(\"a\\b\")}, \"x\": ${null(1, name)}}')");
    assert_eq!(json[0], "{\"n\": 7, \"who\": \"a\\\\b\", \"x\": null}");
    let json = texts("json('{\"c\": ${pick(\"x}y\")}, \"d\": ${ uniform(7, 7) }}')");
    assert_eq!(json[0], "{\"c\": \"x}y\", \"d\": 7}", "a brace within quotes ends nothing");
    let json = texts(
        "json('{\"full\": \"${pick(\"a\\b\")}, ${uniform(7, 7)}\\\"\", \"x\": [${pick(\"y\")}, \"${bytes(2, 1)}\"]}')",
    );
    assert_eq!(
        json[0], "{\"full\": \"a\\\\b, 7\\\"\", \"x\": [\"y\", \"0000\"]}",
        "a part of a text has no quotes of its own"
    );
    assert!(texts("json('{\"full\": \"${name}\"}')").iter().all(|text| super::json::is_json(text)));
}

#[test]
fn bytes_are_as_compressible_as_they_should_be() {
    for (text, zeros) in [("bytes(1000)", 4.0), ("bytes(1000, 0.5)", 500.0), ("bytes(1000, 1)", 1000.0)] {
        let Some(Field::Bytes(bytes)) = fields(text).next() else { panic!("{text}") };
        let count = bytes.iter().filter(|byte| **byte == 0).count() as f64;
        assert!(bytes.len() == 1000 && (count - zeros).abs() < 25.0, "{text}: {count}");
    }
}

#[test]
fn a_share_is_null() {
    let nulls = fields("null(0.2, uniform(1, 2))").filter(|field| *field == Field::Null).count() as f64 / DRAWS as f64;
    assert!((nulls - 0.2).abs() < 0.01, "{nulls}");
    assert!(fields("null(0, name)").all(|field| field != Field::Null));
}

#[test]
fn mistakes_in_generators_are_told() {
    let table = [
        ("unifrom(1, 2)", "there is no generator unifrom"),
        ("uniform(5, 1)", "empty range"),
        ("uniform(1)", "argument 2 of uniform"),
        ("gaussian(1, 5, 1)", "at least 2"),
        ("zipfian(1, 5, 1)", "from 1.001 to 1000"),
        ("date(\"2024-02-30\", \"2024-03-01\")", "not a date"),
        ("ref(\"id\")", "a table and a column"),
        ("null(0.5)", "a share and a generator"),
        ("null(2, name)", "argument 1 of null"),
        ("histogram(\"a\")", "a histogram is written as"),
        ("histogram(\"é-5: 50\")", "a histogram is written as"),
        ("histogram(\"é: 1\")", "a histogram is written as"),
        ("histogram(\": 1\")", "a histogram is written as"),
        ("file(\"empty\")", "no values"),
        ("name(1)", "does not take this number"),
        ("words(3, 1)", "empty range"),
        ("ref(\"t.id\", uniform(5, 7))", "uniform does not take this number"),
        ("ref(\"t.id\", exponential(1, 100, 5))", "exponential does not take this number"),
        ("ref(\"t.id\", gaussian(2, 3))", "gaussian does not take this number"),
        ("uniform(1, 10, 3)", "uniform does not take this number"),
        ("zipfian(1, 10, 1.5, 2)", "zipfian does not take this number"),
        ("uniform(-9223372036854775808, 9223372036854775807)", "the range is too large"),
        ("float(-1.7e308, 1.7e308)", "the range is too large"),
        ("float(2, 1)", "empty range"),
        ("bytes(99999999999)", "99999999999 is too long: at most 16777216"),
        ("text(1, 9999999)", "9999999 is too long: at most 1048576"),
        ("json('${name x}')", "not a generator"),
        ("json('${pick(\"x}\"')", "not a generator"),
        ("decimal(1, 2, 99)", "0 to 15 places"),
        ("json(\"${name\")", "no closing brace"),
        ("json('{\"a\": ${name}')", "what the template makes is not JSON: {\"a\": \""),
        ("json('{\"a\": \"${name}}')", "is not JSON"),
        ("json(\"{\\x22a\\x22: 1}\")", "is not JSON"),
        ("serial(", "not a generator"),
        ("", "not a generator"),
    ];
    for (text, wanted) in table {
        assert!(wrong(text).contains(wanted), "{text}: {}", wrong(text));
    }
    let call = Call::parse("file(\"w\", zipfian(1.2, 9, 9))").unwrap();
    let error = Generator::new(&call, &|_| Ok(vec!["red".into()])).unwrap_err();
    assert!(error.english().contains("zipfian does not take this number"), "{}", error.english());
}

const BANK: &str = "[branch]\nrows = 10\nid = serial\n[account]\nrows = 1k\nid = serial(1000)\nbranch = ref(\"branch.id\", zipfian(1.5))\n\
                    [entry]\nrows = 100\naccount = ref(\"account.id\")\namount = decimal(0, 10, 2)\nof = ref(\"account.branch\")\n";

#[test]
fn a_reference_is_a_value_that_the_other_table_has() {
    let tables = FilledTables::parse(BANK, 1_000_000).unwrap();
    assert_eq!(tables.rows(), 1110);
    let column = |table: usize, column: usize| -> Vec<Field> {
        (0..tables.all[table].rows).map(|row| tables.value(&tables.all[table], column, row, 7)).collect()
    };
    let (branches, accounts) = (column(0, 0), column(1, 0));
    let of_accounts = column(1, 1);
    assert!(of_accounts.iter().all(|value| branches.contains(value)));
    let first = of_accounts.iter().filter(|value| **value == Field::Int(1)).count();
    let last = of_accounts.iter().filter(|value| **value == Field::Int(10)).count();
    assert!(first > 400 && last > 2 && last < 60, "{first} {last}");
    assert!(column(2, 0).iter().all(|value| accounts.contains(value)));
    assert!(column(2, 2).iter().all(|value| branches.contains(value)), "a reference to a reference");
}

#[test]
fn a_row_depends_on_nothing_but_its_number() {
    let tables = FilledTables::parse(BANK, 1_000_000).unwrap();
    let row = |row, seed| tables.value(&tables.all[2], 1, row, seed);
    let backwards: Vec<Field> = (0..50).rev().map(|at| row(at, 3)).rev().collect();
    assert_eq!((0..50).map(|at| row(at, 3)).collect::<Vec<_>>(), backwards);
    assert_ne!((0..50).map(|at| row(at, 4)).collect::<Vec<_>>(), backwards);
    assert_eq!(FilledTables::parse(BANK, 10_000).unwrap().rows(), 12, "a hundredth, and at least one row of each");
}

#[test]
fn a_size_is_turned_into_rows() {
    let rows = |size: &str| {
        FilledTables::parse(&format!("[t]\nsize = {size}\nid = serial\nfiller = text(100, 100)\n"), 1_000_000)
            .unwrap()
            .rows()
    };
    // 8 and 102 bytes, and 40 for the row.
    assert_eq!(rows("150KiB"), 1024);
    assert_eq!(rows("1GiB"), (1 << 30) / 150);
}

#[test]
fn a_column_may_be_called_rows_or_size() {
    let shown = |text: &str| {
        let tables = FilledTables::parse(text, 1_000_000).map_err(|problem| problem.to_string())?;
        let names = tables.all[0].columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
        Ok::<_, String>(format!("{names}: {}", tables.rows()))
    };
    assert_eq!(shown("[t]\nrows = 9\nid = serial\nsize = uniform(1, 10)\n").unwrap(), "id size: 9");
    assert_eq!(shown("[t]\nsize = 150KiB\nrows = serial\nx = text(100, 100)\n").unwrap(), "rows x: 1024");
    assert_eq!(shown("[t]\nrows = 9\nsize = Null(0.5, name)\n").unwrap(), "size: 9");
    let error = shown("[t]\nrows = 9\nsize = unifrom(1, 10)\n").unwrap_err();
    assert!(error.contains("column size: there is no generator unifrom"), "{error}");
    let error = shown("[t]\nrows = serial\nid = serial\n").unwrap_err();
    assert!(
        error.contains("neither rows nor size says how much is loaded: with a generator they are columns"),
        "{error}"
    );
}

/// A foreign key needs the rows that it refers to, and the rows of a table with a size are known when it is filled.
#[test]
fn a_table_is_filled_after_those_that_it_refers_to() {
    let order = |text: &str| {
        let tables = FilledTables::parse(text, 1_000_000).map_err(|problem| problem.to_string())?;
        Ok::<_, String>(tables.all.into_iter().map(|table| table.name).collect::<Vec<_>>().join(" "))
    };
    let through =
        "[a]\nrows = 1\nx = ref(\"b.y\")\n[b]\nrows = 1\ny = null(0.1, ref(\"c.z\"))\n[c]\nsize = 1KiB\nz = serial\n";
    assert_eq!(order(through).unwrap(), "c b a");
    assert_eq!(order(&through.replace("size = 1KiB", "rows = 9")).unwrap(), "c b a");
    let child = "[child]\nrows = 9\nid = serial\nof = ref(\"parent.id\")\n[parent]\nrows = 2\nid = serial\nfirst = ref(\"parent.id\")\n";
    assert_eq!(order(child).unwrap(), "parent child");
    // Where both refer to each other the order is the plan's, after which comes what refers to them.
    let circle = "[z]\nrows = 1\nx = ref(\"a.id\")\n[a]\nrows = 1\nid = serial\nx = ref(\"b.id\")\n[b]\nrows = 1\nid = serial\nx = ref(\"a.id\")\n";
    assert_eq!(order(circle).unwrap(), "a b z");
    let both = "[a]\nsize = 1KiB\nid = serial\nx = ref(\"b.id\")\n[b]\nrows = 5\nid = serial\ny = ref(\"a.id\")\n";
    assert_eq!(order(both).unwrap(), "a b");
    let error = order(&both.replace("rows = 5", "size = 1KiB")).unwrap_err();
    assert!(error.contains("the table a takes values from b") && error.contains("give b rows"), "{error}");
    let error = order("[a]\nsize = 1KiB\nid = serial\nx = ref(\"a.id\")\n").unwrap_err();
    assert!(error.contains("the table a takes values from a"), "{error}");
}

#[test]
fn references_to_nothing_and_circles_are_refused() {
    let error = |text: &str| FilledTables::parse(text, 1_000_000).unwrap_err().to_string();
    assert!(error("[a]\nrows = 1\nx = ref(\"b.id\")\n").contains("refers to b.id, which the plan does not have"));
    assert!(error("[a]\nrows = 1\nx = ref(\"a.y\")\ny = ref(\"a.x\")\n").contains("leads back to it"));
    assert!(error("[a]\nrows = many\n").contains("not a number of rows"));
    assert!(error("rows = 1\n").contains("not a line of a table"));
}

/// The pages of a table that was dropped are not those of the next one, and what a table has reached once the next load of the same rows has too.
#[test]
fn a_table_with_a_size_has_as_many_rows_whenever_it_is_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    std::fs::write(path("s.sql"), "CREATE TABLE acc (id INTEGER PRIMARY KEY, owner TEXT NOT NULL);").unwrap();
    let at = Connector::new(Dsn::parse(&format!("sqlite:{}", path("db"))).unwrap(), None).unwrap();
    let of = |after: &str| {
        let fill = "[acc]\nsize = 300KiB\nid = serial\nowner = name\n";
        let create = path("s.sql");
        let options = [("create", &*create), ("fill", fill), ("after_load", after), ("parts_per_million", "1000000")];
        let options = options.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        SqlData::new(&options, Scheme::Sqlite).unwrap()
    };
    let load = |data: &SqlData| {
        data.load(&at, 4, 0, &|_| (), &StopSignal::new()).unwrap();
        data.rows()
    };
    let mut rows = Vec::new();
    for _ in 0..3 {
        let data = of("");
        rows.push(load(&data));
        data.drop_ours(&at).unwrap();
    }
    assert!(rows.iter().all(|count| count.abs_diff(rows[0]) <= rows[0] / 20), "{rows:?}");

    load(&of(""));
    with_connection(&at, msg!("loading"), async |c| {
        c.query("UPDATE tenbin_mark SET size_rows = 1234 WHERE name = 'acc'").await.map(|_| Ok(()))
    })
    .unwrap();
    let data = of("CREATE INDEX by_owner ON acc (owner)");
    assert!(matches!(data.inspect(&at).unwrap(), DatasetState::Different { ours: true, .. }));
    data.drop_ours(&at).unwrap();
    assert_eq!(load(&data), 1234);
    assert_eq!(of("CREATE INDEX by_owner ON acc (owner)").inspect(&at).unwrap(), DatasetState::Ready { ours: true });
    assert_eq!(
        (data.streams_used(&at, 4), data.streams_used(&Connector::nowhere(Scheme::Postgres).unwrap(), 4)),
        (1, 4)
    );
}
