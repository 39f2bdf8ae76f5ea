//! Command lines of sysbench 0.4 (`oltp`) and of 0.5 (`…/oltp.lua` if that script does not exist), converted to a native test
//! with options, limits and seed. Whether the name is the first word or in `--test` makes no difference.

use super::option_names::DISTRIBUTION;
use super::text::ReportForm;
use super::{Options, arguments, engine_of, test};
use crate::parsed_args::ParsedArgs;
use tenbin_workload::WorkloadEntry;

/// A converted command line.
pub struct Old {
    pub entry: &'static WorkloadEntry,
    pub options: Options,
    pub form: ReportForm,
    /// Whether its run creates the tables.
    pub prepares: bool,
}

/// What stands behind the engine in the scripts of 0.5.
const OF_TABLES: &str = "mysql_table_options";

impl Old {
    /// Takes away what follows the name of the tables' engine. Returns whether there is anything, so that the tables are not those of the native test.
    pub fn leave_engine_alone(&mut self) -> bool {
        let mut has_more = self.options.remove(OF_TABLES).is_some_and(|options| !options.trim().is_empty());
        if let Some(engine) = self.options.get_mut("mysql_storage_engine") {
            let name = engine_of(engine).to_owned();
            has_more |= name.len() < engine.len();
            *engine = name;
        }
        has_more
    }
}

/// The script of 0.5 that creates the tables with several threads.
const PREPARES: &str = "parallel_prepare";

/// The scripts of 0.5 by file name, and the native test with the same statements.
const SCRIPTS: &[(&str, &str)] = &[
    ("oltp", "oltp_read_write"),
    ("oltp_simple", "oltp_point_select"),
    ("select", "oltp_point_select"),
    (PREPARES, "oltp_read_write"),
    ("insert", "oltp_insert"),
    ("delete", "oltp_delete"),
    ("update_index", "oltp_update_index"),
    ("update_non_index", "oltp_update_non_index"),
    ("bulk_insert", "bulk_insert"),
    ("select_random_points", "select_random_points"),
    ("select_random_ranges", "select_random_ranges"),
];

/// The name of an old test, of [`SCRIPTS`] or `oltp`, and where it comes from; `None` for today's tests and for scripts that exist.
fn named(name: &str) -> Option<(&str, Origin)> {
    if test::is_a_script(name) {
        return None;
    }
    if name == "oltp" {
        return Some((name, Origin::V04));
    }
    // The scripts of 1.0 have their own defaults wherever they would be installed.
    if tenbin_script::module(name).is_some() || !(name.contains('/') || name.ends_with(".lua")) {
        return None;
    }
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let file = file.strip_suffix(".lua").unwrap_or(file);
    // The package of 1.0 has the scripts of 0.5 in this directory, which then run with its defaults.
    let origin = if folder.ends_with("oltp_legacy") { Origin::Legacy } else { Origin::V05 };
    SCRIPTS.iter().any(|(script, _)| *script == file).then_some((file, origin))
}

/// The version that ran a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    V04,
    V05,
    /// 1.0, with the scripts of 0.5 that came with it.
    Legacy,
}

/// Converts if the test is one of 0.4 or a script of 0.5 that does not exist; sets the default limits of that version.
pub fn translate(args: &mut ParsedArgs) -> Result<Option<Old>, String> {
    let Some(name) = arguments::test(args).map(str::to_owned) else { return Ok(None) };
    let Some((file, origin)) = named(&name) else { return Ok(None) };
    let of_oltp = match (args.on("oltp-read-only"), args.on("oltp-write-only")) {
        (true, _) => "oltp_read_only",
        (_, true) => "oltp_write_only",
        _ => "oltp_read_write",
    };
    let native = SCRIPTS.iter().find(|(script, _)| *script == file).map_or("oltp_read_write", |(_, native)| *native);
    let (name, form) = match (origin, file) {
        (Origin::V04, _) => ("oltp", ReportForm::V04),
        (_, "oltp") => (of_oltp, ReportForm::V10),
        _ => (native, ReportForm::V10),
    };
    let entry = tenbin_workloads::find_workload(name).map_err(|p| p.what.english().to_owned())?;
    if args.text("oltp-test-mode") == "sp" {
        return Err(
            "this mode of 0.4 is refused: there is no native test of it; write a script that calls your procedure"
                .into(),
        );
    }
    if args.text("oltp-nontrx-mode") == "insert" && !args.on("oltp-auto-inc") {
        return Err(
            "--oltp-nontrx-mode=insert is refused with --oltp-auto-inc=off: the server numbers the rows it adds".into(),
        );
    }
    if !["session", "transaction"].contains(&args.text("oltp-reconnect-mode")) {
        return Err("this --oltp-reconnect-mode is refused: connections last for the session or for a transaction, \
                    not for less"
            .into());
    }
    if origin == Origin::Legacy {
        distribution(args);
    } else {
        limits(args);
    }
    Ok(Some(Old { entry, options: options(args, entry, form), form, prepares: file == PREPARES }))
}

/// The limits, threads and seed of 0.4 and 0.5: 10,000 requests, no time limit, the same random numbers each time.
fn limits(args: &mut ParsedArgs) {
    let mut put = |name: &str, old: &str, default: &str| {
        let value = args.remove(old);
        args.set_default(name, value.unwrap_or_else(|| default.to_owned()));
    };
    put("events", "max-requests", "10000");
    put("time", "max-time", "0");
    put("threads", "num-threads", "1");
    put("rate", "tx-rate", "0");
    let from_clock = args.on("init-rng") || args.on("rand-init");
    let seed = if from_clock { "0" } else { args.given("seed-rng").unwrap_or("1") };
    let seed = seed.to_owned();
    args.set_default("rand-seed", seed);
    distribution(args);
}

/// The old names of the options of keys' distribution.
fn distribution(args: &mut ParsedArgs) {
    for (new, old) in DISTRIBUTION {
        if let Some(value) = args.given(old).map(str::to_owned) {
            args.set_default(new, value);
        }
    }
}

/// `--oltp-…` as options of the native test and its tables.
fn options(args: &ParsedArgs, entry: &WorkloadEntry, form: ReportForm) -> Options {
    let mut options = Options::new();
    for (name, value) in args.all() {
        let name = match name {
            "mysql-table-engine" => "mysql_storage_engine".to_owned(),
            "oltp-tables-count" => "tables".to_owned(),
            // In 0.5 these are names of tests that exist today.
            "oltp-read-only" | "oltp-write-only" if form == ReportForm::V10 => continue,
            name => match name.strip_prefix("oltp-") {
                Some(rest) => rest.replace('-', "_"),
                None => continue,
            },
        };
        options.insert(name, value.to_owned());
    }
    if form == ReportForm::V04 {
        let is_myisam = args.text("mysql-table-engine").eq_ignore_ascii_case("myisam");
        let rows = is_myisam.then(|| format!("MAX_ROWS={}", args.text("myisam-max-rows")));
        let own = args.given("mysql-create-options").map(str::to_owned);
        let all = rows.into_iter().chain(own).collect::<Vec<_>>().join(" ");
        if !all.is_empty() {
            options.insert("table_options".to_owned(), all);
        }
    }
    // Only its mode of transactions reconnects: the other modes do not.
    if args.text("oltp-reconnect-mode") == "transaction" && args.text("oltp-test-mode") == "complex" {
        options.insert("reconnect".to_owned(), "1".to_owned());
    }
    // Options of 0.5's scripts whose names have not changed.
    for other in &args.unknown {
        let name = other.name.replace('-', "_");
        let name = if name == "random_ranges_delta" { "delta".to_owned() } else { name };
        if name == OF_TABLES || entry.rows().iter().any(|r| r.name == name) {
            options.insert(name, other.value.clone().unwrap_or_else(|| "on".into()));
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::settings;

    fn of(line: &str) -> (ParsedArgs, Old) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = arguments::parse(&words, |_| Err("none".into())).unwrap();
        if let Some(name) = args.given("test").map(str::to_owned) {
            args.words.insert(0, name);
        }
        let old = translate(&mut args).unwrap().unwrap();
        (args, old)
    }

    #[test]
    fn a_name_means_the_same_as_first_word_and_as_option() {
        let is = |name: &str| named(name).map(|(file, origin)| (file.to_owned(), origin));
        let (v04, v05, legacy) = (Origin::V04, Origin::V05, Origin::Legacy);
        for (name, meant) in [
            ("oltp", Some(("oltp", v04))),
            ("/no/such/doc/sysbench/tests/db/oltp.lua", Some(("oltp", v05))),
            ("no/tests/db/select", Some(("select", v05))),
            ("update_index.lua", Some(("update_index", v05))),
            ("/no/such/sysbench/tests/include/oltp_legacy/insert.lua", Some(("insert", legacy))),
            ("/no/such/share/sysbench/bulk_insert.lua", None),
            ("oltp_read_write", None),
            ("insert", None),
            ("/home/me/own.lua", None),
        ] {
            assert_eq!(is(name), meant.map(|(file, origin)| (file.to_owned(), origin)), "{name}");
        }
        for (line, same) in [("oltp run", "--test=oltp run"), ("no/db/oltp.lua run", "--test=no/db/oltp.lua run")] {
            let ((a, first), (b, option)) = (of(line), of(same));
            assert_eq!((first.entry.name, first.form), (option.entry.name, option.form), "{line}");
            assert_eq!((a.text("events"), a.text("time")), (b.text("events"), b.text("time")), "{line}");
        }
    }

    #[test]
    fn scripts_of_0_5_that_came_with_1_0_have_its_limits() {
        let (args, old) = of("/no/oltp_legacy/oltp.lua --oltp-tables-count=2 run");
        let settings = settings::resolve(&args).unwrap();
        assert_eq!((settings.events, settings.time_s, settings.seed), (None, Some(10.0), None));
        assert_eq!((old.entry.name, old.options["tables"].as_str()), ("oltp_read_write", "2"));
    }

    #[test]
    fn the_published_line_of_0_4() {
        let (args, old) = of(
            "--test=oltp --oltp-table-size=50000000 --num-threads=16 --max-requests=0 --max-time=180 --init-rng=on --oltp-read-only=on --oltp-dist-type=uniform run",
        );
        let settings = settings::resolve(&args).unwrap();
        assert_eq!((settings.threads, settings.events, settings.time_s, settings.seed), (16, None, Some(180.0), None));
        assert_eq!((old.entry.name, old.form), ("oltp", ReportForm::V04));
        assert_eq!(args.text("rand-type"), "uniform");
        assert_eq!((old.options["table_size"].as_str(), old.options["read_only"].as_str()), ("50000000", "on"));
        assert!(settings.warnings.is_empty(), "these were its names: {:?}", settings.warnings);
    }

    #[test]
    fn tables_of_0_4_have_the_options_of_its_lines() {
        let of = |line: &str| of(&format!("--test=oltp {line} prepare")).1.options.get("table_options").cloned();
        assert_eq!(of("--mysql-table-engine=innodb --myisam-max-rows=7"), None);
        assert_eq!(of("--mysql-table-engine=MyISAM").as_deref(), Some("MAX_ROWS=1000000"));
        let line = "--mysql-table-engine=myisam --myisam-max-rows=7 --mysql-create-options=CHECKSUM=1";
        assert_eq!(of(line).as_deref(), Some("MAX_ROWS=7 CHECKSUM=1"));
    }

    #[test]
    fn what_follows_the_engine_is_no_part_of_the_native_test() {
        let of = |word: &str| {
            let words = ["no/oltp.lua", word, "prepare"].map(str::to_owned);
            let mut old = translate(&mut arguments::parse(&words, |_| Err("none".into())).unwrap()).unwrap().unwrap();
            (old.leave_engine_alone(), old.options.get("mysql_storage_engine").cloned())
        };
        let innodb = || Some("innodb".to_owned());
        assert_eq!(of("--mysql-table-engine=innodb ROW_FORMAT=COMPRESSED"), (true, innodb()));
        assert_eq!(of("--mysql-table-options=ROW_FORMAT=COMPRESSED"), (true, None), "the test has its own");
        assert_eq!(of("--mysql-table-engine=innodb"), (false, innodb()));
    }

    #[test]
    fn a_new_connection_for_each_transaction() {
        let reconnect = |line: &str| of(&format!("--test=oltp {line} run")).1.options.get("reconnect").cloned();
        assert_eq!(reconnect("--oltp-reconnect-mode=transaction"), Some("1".into()));
        assert_eq!(reconnect("--oltp-reconnect-mode=session"), None);
        assert_eq!(reconnect("--oltp-reconnect-mode=transaction --oltp-test-mode=simple"), None);
    }

    #[test]
    fn a_script_of_0_5_that_is_gone_has_its_native_test() {
        let (args, old) =
            of("--test=/no/such/db/oltp.lua --oltp-tables-count=8 --oltp-table-size=40 --oltp-read-only=on run");
        assert_eq!((old.entry.name, old.form), ("oltp_read_only", ReportForm::V10));
        assert_eq!((old.options["tables"].as_str(), old.options["table_size"].as_str()), ("8", "40"));
        let settings = settings::resolve(&args).unwrap();
        assert_eq!((settings.events, settings.time_s, settings.seed), (Some(10_000), None, Some(1)));
        let mut args = arguments::parse(&["cpu".to_owned()], |_| Err("none".into())).unwrap();
        assert!(translate(&mut args).unwrap().is_none());
    }
}
