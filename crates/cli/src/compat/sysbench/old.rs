//! Command lines of sysbench 0.4 (`--test=oltp`) and of 0.5 (`--test=…/oltp.lua` if that script does not exist),
//! converted to a native test with options, limits and seed.

use super::Options;
use super::text::ReportForm;
use crate::compat::parsed_args::ParsedArgs;
use tenbin_workload::WorkloadEntry;

/// A converted command line.
pub struct Old {
    pub entry: &'static WorkloadEntry,
    pub options: Options,
    pub form: ReportForm,
}

/// The scripts of 0.5 by file name, and the native test with the same statements.
const SCRIPTS: &[(&str, &str)] = &[
    ("oltp", "oltp_read_write"),
    ("oltp_simple", "oltp_point_select"),
    ("select", "oltp_point_select"),
    ("insert", "oltp_insert"),
    ("delete", "oltp_delete"),
    ("update_index", "oltp_update_index"),
    ("update_non_index", "oltp_update_non_index"),
    ("bulk_insert", "bulk_insert"),
    ("select_random_points", "select_random_points"),
    ("select_random_ranges", "select_random_ranges"),
];

/// Converts if `--test` names a test of 0.4 or a script of 0.5 that does not exist; sets the default limits of that
/// version.
pub fn translate(args: &mut ParsedArgs) -> Result<Option<Old>, String> {
    let Some(name) = args.given("test").map(str::to_owned) else { return Ok(None) };
    let (name, form) = if name == "oltp" {
        ("oltp", ReportForm::V04)
    } else if name.ends_with(".lua") && !std::path::Path::new(&name).exists() {
        let file = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".lua");
        let Some((_, native)) = SCRIPTS.iter().find(|(script, _)| *script == file) else { return Ok(None) };
        let of_oltp = match (args.on("oltp-read-only"), args.on("oltp-write-only")) {
            (true, _) => "oltp_read_only",
            (_, true) => "oltp_write_only",
            _ => native,
        };
        (if file == "oltp" { of_oltp } else { native }, ReportForm::V10)
    } else {
        return Ok(None);
    };
    let entry = tenbin_workloads::find_workload(name).map_err(|p| p.what.english().to_owned())?;
    if args.text("oltp-table-name") != "sbtest" {
        return Err(
            "--oltp-table-name is refused: the table is sbtest, so that it is recognised and dropped safely".into()
        );
    }
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
    limits(args);
    Ok(Some(Old { entry, options: options(args, entry, form), form }))
}

/// The limits, threads and seed of 0.4 and 0.5: 10,000 requests, no time limit, the same random numbers each time.
fn limits(args: &mut ParsedArgs) {
    let mut put = |name: &str, old: &str, default: &str| {
        let said = args.remove(old);
        args.set_default(name, said.unwrap_or_else(|| default.to_owned()));
    };
    put("events", "max-requests", "10000");
    put("time", "max-time", "0");
    put("threads", "num-threads", "1");
    put("rate", "tx-rate", "0");
    let from_clock = args.on("init-rng") || args.on("rand-init");
    let seed = if from_clock { "0" } else { args.given("seed-rng").unwrap_or("1") };
    let seed = seed.to_owned();
    args.set_default("rand-seed", seed);
    for (new, old) in [
        ("rand-type", "oltp-dist-type"),
        ("rand-spec-iter", "oltp-dist-iter"),
        ("rand-spec-pct", "oltp-dist-pct"),
        ("rand-spec-res", "oltp-dist-res"),
    ] {
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
    // Only its mode of transactions reconnects: the other modes do not.
    if args.text("oltp-reconnect-mode") == "transaction" && args.text("oltp-test-mode") == "complex" {
        options.insert("reconnect".to_owned(), "1".to_owned());
    }
    // Options of 0.5's scripts whose names have not changed.
    for other in &args.unknown {
        let name = other.name.replace('-', "_");
        let name = if name == "random_ranges_delta" { "delta".to_owned() } else { name };
        if entry.rows().iter().any(|r| r.name == name) {
            options.insert(name, other.value.clone().unwrap_or_else(|| "on".into()));
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::sysbench::{arguments, settings};

    fn of(line: &str) -> (ParsedArgs, Old) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = arguments::parse(&words, |_| Err("none".into())).unwrap();
        let old = translate(&mut args).unwrap().unwrap();
        (args, old)
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
        let mut args = arguments::parse(&["--test=cpu".to_owned()], |_| Err("none".into())).unwrap();
        assert!(translate(&mut args).unwrap().is_none());
    }
}
