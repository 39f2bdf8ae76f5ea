//! Results of which nothing in their own figures says whether they are repeats: what stands between and above them does.

use crate::reading::shown;
use tenbin_published::{FigureKind, audit, read};

fn repeated(text: &str) -> bool {
    let read = read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}"));
    audit(&read).confirmed.iter().any(|message| message.is("published-repeated"))
}

/// Of each result its target, what else distinguishes it, and its clients.
fn named(text: &str) -> String {
    let read = read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}"));
    let one = |result: &tenbin_published::PublishedResult| {
        let group = Some(result.group()).filter(|group| !group.is_empty()).map(|group| format!(" [{group}]"));
        format!(
            "{}{} {}",
            result.target_name(),
            group.unwrap_or_default(),
            result.get(FigureKind::Clients).unwrap_or(0.0)
        )
    };
    read.results.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A report of sysbench in words of our own around its labels.
fn report(threads: u32, tps: f64) -> String {
    let (n, mean) = (tps * 10.0, 1e3 * f64::from(threads) / tps);
    format!(
        "Running the test with following options:\nNumber of threads: {threads}\n\nSQL statistics:\n    queries performed:\n        read: {n}\n\
         \x20       write: 0\n        other: 0\n        total: {n}\n    transactions: {n} ({tps:.2} per sec.)\nGeneral statistics:\n    total time: 10.0000s\n\
         Latency (ms):\n         min: 0.50\n         avg: {mean:.2}\n         max: 900.00\n"
    )
}

#[test]
fn settings_before_reports_tell_them_apart() {
    for between in ["", "\n"] {
        let log = |first: &str, second: &str| {
            format!("{first}\n{between}{}{second}\n{between}{}", report(8, 500.0), report(8, 900.0))
        };
        for (first, second, names) in [
            (
                "innodb_flush_log_at_trx_commit=1",
                "innodb_flush_log_at_trx_commit=2",
                "innodb_flush_log_at_trx_commit=1 8; innodb_flush_log_at_trx_commit=2 8",
            ),
            ("sync_binlog = 0", "sync_binlog = 1", "sync_binlog = 0 8; sync_binlog = 1 8"),
            ("sync_binlog: 0", "sync_binlog: 1", "sync_binlog: 0 8; sync_binlog: 1 8"),
            (
                "$ mysql -pqwert -e \"set global sync_binlog=0\"",
                "$ mysql -pqwert -e \"set global sync_binlog=1\"",
                "sync_binlog=0 8; sync_binlog=1 8",
            ),
            (
                "mysql -e 'SET GLOBAL sync_binlog = 0; SET GLOBAL innodb_io_capacity = 200'",
                "mysql -e 'SET GLOBAL sync_binlog = 1'",
                "sync_binlog=0, innodb_io_capacity=200 8; sync_binlog=1 8",
            ),
            ("ALTER SYSTEM SET fsync = off;", "ALTER SYSTEM SET fsync = on;", "fsync=off 8; fsync=on 8"),
        ] {
            let text = log(first, second);
            assert_eq!((named(&text), repeated(&text)), (names.to_owned(), false), "{text}");
        }
        // What was changed is not known.
        assert!(!repeated(&log("", "$ sudo systemctl restart mysqld")));
        assert!(repeated(&log("", "$ sleep 10")));
    }
}

#[test]
fn headings_of_sections_are_kept_beside_those_of_their_parts() {
    let section = |name: &str| {
        format!("## {name}\n\n### read only\n\n{}\n### read write\n\n{}\n", report(8, 900.0), report(8, 500.0))
    };
    let text = format!("# Results\n\n{}{}", section("ext4"), section("xfs"));
    assert_eq!(named(&text), "ext4, read only 8; ext4, read write 8; xfs, read only 8; xfs, read write 8");
    let table = "<table><tr><th>Threads<th>TPS<tr><td>8<td>1000<tr><td>16<td>1500</table>";
    let page =
        format!("<h1>Results</h1><h2>MySQL</h2><h3>read only</h3>{table}<h2>MariaDB</h2><h3>read only</h3>{table}");
    let markdown = |name: &str| format!("# {name}\n\n## Results\n\n|Threads|TPS|\n|-|-|\n|8|1000|\n|16|1500|\n\n");
    let pages = [(page, "read only"), (markdown("MySQL") + &markdown("MariaDB"), "Results")];
    for (text, caption) in pages {
        let of = |name: &str| format!(" [{name}: {caption}] 8;  [{name}: {caption}] 16");
        assert_eq!((named(&text), repeated(&text)), ([of("MySQL"), of("MariaDB")].join("; "), false), "{text}");
    }
}

#[test]
fn a_line_above_a_report_is_of_all_below_it_that_differ_in_their_clients() {
    let both = [report(8, 500.0), report(16, 800.0)].concat();
    for (first, second, [a, b]) in [
        ("Before:", "After:", ["Before", "After"]),
        ("==== MySQL 5.7 ====", "==== MySQL 8.0 ====", ["MySQL 5.7", "MySQL 8.0"]),
        ("MySQL 5.7", "MySQL 8.0", ["MySQL 5.7", "MySQL 8.0"]),
    ] {
        for blank in ["", "\n"] {
            let text = format!("{first}\n{blank}{both}{blank}{second}\n{blank}{both}");
            assert_eq!(named(&text), format!("{a} 8; {a} 16; {b} 8; {b} 16"), "{text}");
        }
    }
}

#[test]
fn lists_of_figures_have_the_names_above_them() {
    let list = |name: &str, tps: u32, mean: &str| format!("{name}\n\n- TPS: {tps}\n- Latency: {mean} ms\n\n");
    for sign in ["### MySQL 8.0", "**MySQL 8.0**", "### MySQL 8.0:"] {
        let text = list(sign, 5400, "11.8") + &list(&sign.replace("MySQL 8.0", "MariaDB"), 5200, "12.3");
        assert_eq!(shown(&text), "MySQL 8.0 tps 5400 mean_ms 11.8; MariaDB tps 5200 mean_ms 12.3", "{text}");
        assert!(!repeated(&text), "{text}");
    }
    let counted = list("**8 threads**", 1000, "8") + &list("**16 threads**", 1500, "10.67");
    assert_eq!(shown(&counted), "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67");
    // Of sentences it is not known what they leave out.
    assert!(!repeated("MySQL reached 1000 TPS with 8 threads.\nMySQL reached 1010 TPS with 8 threads.\n"));
}
