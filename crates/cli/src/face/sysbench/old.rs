//! Command lines of sysbench 0.4 (`--test=oltp`) and of 0.5 (`--test=…/oltp.lua` where that script is no longer there), said in
//! today's words: which native test, with which options, limits and seed.

use super::plan::Options;
use super::text::Form;
use super::typed::Typed;
use tenbin_workload::Entry;

/// A command line of old, translated.
pub struct Old {
    pub entry: &'static Entry,
    pub options: Options,
    pub form: Form,
}

/// The scripts of 0.5 by their file's name, and the native test of the same statements.
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

/// Translates when `--test` names a test of 0.4 or a script of 0.5 that is not there; sets the limits of that time.
pub fn translate(typed: &mut Typed) -> Result<Option<Old>, String> {
    let Some(name) = typed.given.get("test").cloned() else { return Ok(None) };
    let (name, form) = if name == "oltp" {
        ("oltp", Form::V04)
    } else if name.ends_with(".lua") && !std::path::Path::new(&name).exists() {
        let file = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".lua");
        let Some((_, native)) = SCRIPTS.iter().find(|(script, _)| *script == file) else { return Ok(None) };
        let of_oltp = match (typed.on("oltp-read-only"), typed.on("oltp-write-only")) {
            (true, _) => "oltp_read_only",
            (_, true) => "oltp_write_only",
            _ => native,
        };
        (if file == "oltp" { of_oltp } else { native }, Form::V10)
    } else {
        return Ok(None);
    };
    let entry = tenbin_workload::find_workload(name).map_err(|p| p.what.english().to_owned())?;
    if typed.text("oltp-table-name") != "sbtest" {
        return Err(
            "--oltp-table-name is refused: the table is sbtest, so that it is recognised and dropped safely".into()
        );
    }
    if typed.text("oltp-test-mode") == "sp" {
        return Err(
            "this mode of 0.4 is refused: there is no native test of it; write a script that calls your procedure"
                .into(),
        );
    }
    if typed.text("oltp-nontrx-mode") == "insert" && !typed.on("oltp-auto-inc") {
        return Err(
            "--oltp-nontrx-mode=insert is refused with --oltp-auto-inc=off: the server numbers the rows it adds".into(),
        );
    }
    if !["session", "transaction"].contains(&typed.text("oltp-reconnect-mode")) {
        return Err("this --oltp-reconnect-mode is refused: connections last for the session or for a transaction, \
                    not for less"
            .into());
    }
    limits(typed);
    Ok(Some(Old { entry, options: options(typed, entry, form), form }))
}

/// The limits, threads and seed of 0.4 and 0.5: 10,000 requests, no limit of time, the same numbers each time.
fn limits(typed: &mut Typed) {
    let mut put = |name: &str, old: &str, default: &str| {
        let said = typed.given.remove(old);
        let value = said.unwrap_or_else(|| default.to_owned());
        typed.given.entry(name.to_owned()).or_insert(value);
    };
    put("events", "max-requests", "10000");
    put("time", "max-time", "0");
    put("threads", "num-threads", "1");
    put("rate", "tx-rate", "0");
    let from_clock = typed.on("init-rng") || typed.on("rand-init");
    let seed = if from_clock { "0" } else { typed.given.get("seed-rng").map_or("1", String::as_str) };
    let seed = seed.to_owned();
    typed.given.entry("rand-seed".into()).or_insert(seed);
    for (new, old) in [
        ("rand-type", "oltp-dist-type"),
        ("rand-spec-iter", "oltp-dist-iter"),
        ("rand-spec-pct", "oltp-dist-pct"),
        ("rand-spec-res", "oltp-dist-res"),
    ] {
        if let Some(value) = typed.given.get(old).cloned() {
            typed.given.entry(new.to_owned()).or_insert(value);
        }
    }
}

/// `--oltp-…` as options of the native test and its tables.
fn options(typed: &Typed, entry: &Entry, form: Form) -> Options {
    let mut options = Options::new();
    for (name, value) in &typed.given {
        let name = match name.as_str() {
            "mysql-table-engine" => "mysql_storage_engine".to_owned(),
            "oltp-tables-count" => "tables".to_owned(),
            // Both names of 0.5's are names of today's tests.
            "oltp-read-only" | "oltp-write-only" if form == Form::V10 => continue,
            name => match name.strip_prefix("oltp-") {
                Some(rest) => rest.replace('-', "_"),
                None => continue,
            },
        };
        let value = match super::option::switch(value) {
            Some(on) if !value.is_empty() && value.parse::<i64>().is_err() => if on { "on" } else { "off" }.to_owned(),
            _ => value.clone(),
        };
        options.insert(name, value);
    }
    // Its transactions alone end with a new connection: the other modes have none.
    if typed.text("oltp-reconnect-mode") == "transaction" && typed.text("oltp-test-mode") == "complex" {
        options.insert("reconnect".to_owned(), "1".to_owned());
    }
    // Of 0.5's scripts: options whose names have not changed.
    for other in &typed.others {
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
    use crate::face::sysbench::{asked, typed};

    fn of(line: &str) -> (Typed, Old) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut typed = typed::parse(&words, |_| Err("none".into())).unwrap();
        let old = translate(&mut typed).unwrap().unwrap();
        (typed, old)
    }

    #[test]
    fn the_published_line_of_0_4() {
        let (typed, old) = of(
            "--test=oltp --oltp-table-size=50000000 --num-threads=16 --max-requests=0 --max-time=180 --init-rng=on --oltp-read-only=on --oltp-dist-type=uniform run",
        );
        let asked = asked::asked(&typed).unwrap();
        assert_eq!((asked.threads, asked.events, asked.time_s, asked.seed), (16, None, Some(180.0), None));
        assert_eq!((old.entry.name, old.form), ("oltp", Form::V04));
        assert_eq!(typed.text("rand-type"), "uniform");
        assert_eq!((old.options["table_size"].as_str(), old.options["read_only"].as_str()), ("50000000", "on"));
        assert!(asked.warnings.is_empty(), "these were its names: {:?}", asked.warnings);
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
        let (typed, old) =
            of("--test=/no/such/db/oltp.lua --oltp-tables-count=8 --oltp-table-size=40 --oltp-read-only=on run");
        assert_eq!((old.entry.name, old.form), ("oltp_read_only", Form::V10));
        assert_eq!((old.options["tables"].as_str(), old.options["table_size"].as_str()), ("8", "40"));
        let asked = asked::asked(&typed).unwrap();
        assert_eq!((asked.events, asked.time_s, asked.seed), (Some(10_000), None, Some(1)));
        let mut typed = typed::parse(&["--test=cpu".to_owned()], |_| Err("none".into())).unwrap();
        assert!(translate(&mut typed).unwrap().is_none());
    }
}
