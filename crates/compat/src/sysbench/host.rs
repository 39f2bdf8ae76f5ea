//! The tests cpu, memory, threads, mutex and fileio under the name sysbench: what they print at the start,
//! and their own lines of a report.

use super::database::Address;
use super::messages::{self, NOTICE, print};
use super::row::{BOTH, GENERAL, row};
use super::settings::Settings;
use super::text::{ReportFigures, ReportForm};
use super::{Code, Options, seed_of};
use crate::option::{OptionSpec, ValueType, canonical};
use crate::parsed_args::UnknownOption;
use std::time::Instant;
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;
use tenbin_words::units::binary_size;
use tenbin_workload::{PartState, WorkloadEntry, options};

/// Whether a native test is one of these.
pub fn is(entry: &WorkloadEntry) -> bool {
    !entry.needs_database()
}

/// Their address: this machine, with files in the current directory.
pub fn address() -> Address {
    ("host:.".to_owned(), None)
}

/// Their options in sysbench's form, in which sizes may have a suffix.
pub fn rows(entry: &WorkloadEntry) -> Vec<OptionSpec> {
    let takes = |o: &options::OptionSpec| match o.takes {
        options::ValueType::Switch => ValueType::Bool,
        _ if o.name.contains("size") => ValueType::Size,
        options::ValueType::Count(..) => ValueType::Int,
        options::ValueType::Number(..) => ValueType::Double,
        _ if o.name.contains("flags") => ValueType::List,
        _ => ValueType::Text,
    };
    entry.rows().into_iter().map(|o| row(GENERAL, o.name, takes(o), default(o), BOTH, meaning(o))).collect()
}

/// Under this name the access pattern has no default.
fn default(option: &options::OptionSpec) -> &'static str {
    if option.name == "file_test_mode" { "-" } else { option.default }
}

/// In sysbench's terms, where a plan has others.
fn meaning(option: &options::OptionSpec) -> &'static str {
    match option.name {
        "file_test_mode" => {
            "access pattern: seqwr, seqrewr, seqrd, rndrd, rndwr or rndrw; seqwr recreates the files, the others use those of prepare"
        }
        "file_dir" => "directory of the files; empty: the current one",
        _ => option.meaning,
    }
}

/// Rejects values that the test cannot use, with sysbench's messages.
///
/// `typed`: options as they were given, because a size that is refused is told so.
pub fn check(
    settings: &Settings,
    entry: &WorkloadEntry,
    given: &Options,
    typed: &[UnknownOption],
) -> Result<(), String> {
    let here =
        Dsn::parse(&address().0).and_then(|dsn| Connector::new(dsn, None)).map_err(|p| p.what.english().to_owned())?;
    let given_so = || {
        let mut all = given.clone();
        for UnknownOption { name, value, .. } in typed.iter().filter(|option| option.name.ends_with("-size")) {
            all.entry(name.replace('-', "_"))
                .and_modify(|size| size.clone_from(value.as_ref().unwrap_or(&String::new())));
        }
        all
    };
    tenbin_workloads::workload(entry.name, given, here)
        .map(|_| ())
        .map_err(|problem| refused(settings, &given_so(), &problem))
}

/// Rejects sizes and numbers of files that cannot be, with sysbench's messages.
pub fn check_files(settings: &Settings, data: &Options) -> Result<(), String> {
    let here =
        Dsn::parse(&address().0).and_then(|dsn| Connector::new(dsn, None)).map_err(|p| p.what.english().to_owned())?;
    tenbin_workloads::dataset("files", data, here.dsn().scheme)
        .map(|_| ())
        .map_err(|problem| refused(settings, data, &problem))
}

/// A value that is refused, in the words of each option.
fn refused(settings: &Settings, given: &Options, problem: &Problem) -> String {
    let option = problem.what.arg("option").and_then(|name| given.get_key_value(name.english().trim_matches('"')));
    match option {
        Some((name, value)) => match name.as_str() {
            "file_test_mode" => format!("Invalid IO operations mode: {value}."),
            "file_io_mode" => format!("unknown I/O mode: {value}"),
            "file_fsync_mode" => format!("Invalid fsync mode: {value}."),
            "cpu_max_prime" => format!("Invalid value of cpu-max-prime: {value}."),
            "file_block_size" | "file_fsync_freq" | "file_merged_requests" => {
                format!("Invalid value for {}: {value}.", canonical(name))
            }
            "file_rw_ratio" => {
                format!("Invalid value for --file-rw-ratio: {:.6}.", value.parse::<f64>().unwrap_or_default())
            }
            name => format!("Invalid value for {}: {value}", canonical(name)),
        },
        None => messages::told(&settings.words, problem),
    }
}

/// Creates or removes the files of `fileio`.
pub fn files(command: &str, settings: &Settings, data: &Options, load: &Options) -> Result<Code, String> {
    // No signal is taken: as sysbench, it is ended by the first one.
    let stop = StopSignal::new();
    let message = |p| messages::told(&settings.words, &p);
    let here = Dsn::parse(&address().0).and_then(|dsn| Connector::new(dsn, None)).map_err(message)?;
    let set = tenbin_workloads::dataset("files", data, here.dsn().scheme).map_err(|p| refused(settings, data, &p))?;
    let tell = |line: &str| print(settings.verbosity, NOTICE, line);
    if command == "cleanup" {
        tell("Removing test files...");
        return set.drop_named(&here, &|_| ()).map(|()| Code::Done).map_err(message);
    }
    let Sizes { files, total, .. } = sizes(data);
    let each = total / files.max(1);
    tell(&format!("{files} files, {}Kb each, {}Mb total", each / 1024, (each * files) >> 20));
    tell("Creating files for the test...");
    tell(&flags(load));
    let what = |made, name: &str| {
        let made = match made {
            PartState::New => "Creating",
            PartState::Longer => "Extending existing",
            PartState::Kept => "Reusing existing",
        };
        tell(&format!("{made} file {name}"));
    };
    let start = Instant::now();
    let written = set.load_named(&here, seed_of(settings), &what, &stop).map_err(message)?;
    let (seconds, mib) = (start.elapsed().as_secs_f64(), written as f64 / f64::from(1 << 20));
    tell(&match written {
        0 => "No bytes written.".to_owned(),
        _ => format!("{written} bytes written in {seconds:.2} seconds ({:.2} MiB/sec).", mib / seconds.max(1e-9)),
    });
    Ok(Code::Done)
}

/// Removes the files that `seqwr` makes anew, also those of another program: sysbench overwrites whatever has their names.
pub fn make_way(settings: &Settings, data: &Options) -> Result<(), String> {
    let message = |p| messages::told(&settings.words, &p);
    let here = Dsn::parse(&address().0).and_then(|dsn| Connector::new(dsn, None)).map_err(message)?;
    let set = tenbin_workloads::dataset("files", data, here.dsn().scheme).map_err(|p| refused(settings, data, &p))?;
    set.drop_named(&here, &|_| ()).map_err(message)
}

/// The sizes of `fileio`'s files.
struct Sizes {
    files: u64,
    total: u64,
    block: u64,
}

fn sizes(given: &Options) -> Sizes {
    let of = |name: &str, default: &str| binary_size(given.get(name).map_or(default, String::as_str)).unwrap_or(0);
    Sizes { files: of("file_num", "128"), total: of("file_total_size", "2G"), block: of("file_block_size", "16384") }
}

fn extra_flags(given: &Options) -> impl Iterator<Item = &str> {
    given.get("file_extra_flags").map_or("", String::as_str).split(',').map(str::trim).filter(|f| !f.is_empty())
}

/// Rejects unknown flags with sysbench's message, for every command.
pub fn check_flags(given: &Options) -> Result<(), String> {
    match extra_flags(given).find(|flag| !["sync", "dsync", "direct"].contains(flag)) {
        Some(flag) => Err(format!("Invalid value for file-extra-flags: {flag}")),
        None => Ok(()),
    }
}

/// sysbench's message for files that are missing or too short, if the problem is one of these.
pub fn told(problem: &Problem) -> Option<String> {
    let name = |message: &Message, arg: &str| Some(message.arg(arg)?.strip_prefix("./")?.to_owned());
    if let Some(opened) = problem.what.find("file-cannot-be-opened") {
        let (name, error) = (name(opened, "path")?, problem.what.find("what-seen")?.arg("seen")?);
        // The message and number of the operating system, in Rust's format.
        let (words, number) = error.trim_end_matches(')').rsplit_once(" (os error ")?;
        let more = if number == "2" { "\nWARNING: Did you forget to run the prepare step?" } else { "" };
        return Some(format!("Cannot open file '{name}' errno = {number} ({words}){more}"));
    }
    let size = problem.what.find("file-has-wrong-size")?;
    let (name, there, wanted) = (name(size, "file")?, size.arg("length")?, size.arg("size")?);
    let (there, wanted) = (short(there.parse().ok()?), short(wanted.parse().ok()?));
    Some(format!(
        "Size of file '{name}' is {there}, but at least {wanted} is expected.\n\
         WARNING: Did you run 'prepare' with different --file-total-size or --file-num values?"
    ))
}

/// The flags for opening files, with sysbench's names and blanks.
fn flags(given: &Options) -> String {
    let given: Vec<&str> = extra_flags(given).collect();
    let known = [("sync", "sync "), ("dsync", "dsync "), ("direct", "directio")];
    let all: String = known.iter().filter(|(flag, _)| given.contains(flag)).map(|(_, shown)| *shown).collect();
    format!("Extra file open flags: {}", if all.is_empty() { "(none)" } else { &all })
}

/// sysbench's output for `fileio` at the start.
fn head_of_fileio(given: &Options, events: u64) -> Vec<String> {
    let Sizes { files, total, block } = sizes(given);
    let each = total / files.max(1);
    let of = |name: &str, default: &str| given.get(name).cloned().unwrap_or_else(|| default.to_owned());
    let mut head = vec![
        flags(given),
        format!("{files} files, {} each", short(each)),
        format!("{} total file size", short(each * files)),
        format!("Block size {}", short(block)),
    ];
    let merged: u64 = of("file_merged_requests", "0").parse().unwrap_or(0);
    if merged > 0 {
        head.push(format!("Merging requests up to {} for sequential IO.", short(merged * block)));
    }
    let mode = of("file_test_mode", "");
    if mode.starts_with("rnd") {
        head.push(format!("Number of IO requests: {events}"));
        head.push(format!(
            "Read/Write ratio for combined random IO test: {:.2}",
            of("file_rw_ratio", "1.5").parse().unwrap_or(1.5)
        ));
    }
    let every = of("file_fsync_freq", "100");
    if of("file_fsync_all", "off") == "on" {
        head.push("Calling fsync() after each write operation.".to_owned());
    } else {
        if every != "0" {
            head.push(format!("Periodic FSYNC enabled, calling fsync() each {every} requests."));
        }
        if of("file_fsync_end", "on") == "on" {
            head.push("Calling fsync() at the end of test, Enabled.".to_owned());
        }
    }
    head.push(match of("file_io_mode", "sync").as_str() {
        "async" => "Using asynchronous I/O mode".to_owned(),
        "mmap" => "Using fast mmaped I/O mode".to_owned(),
        _ => "Using synchronous I/O mode".to_owned(),
    });
    if of("validate", "off") == "on" {
        head.push("Using checksums validation.".to_owned());
    }
    head.push(format!(
        "Doing {} test",
        match mode.as_str() {
            "seqwr" => "sequential write (creation)",
            "seqrewr" => "sequential rewrite",
            "seqrd" => "sequential read",
            "rndrd" => "random read",
            "rndwr" => "random write",
            _ => "random r/w",
        }
    ));
    head
}

/// Bytes in sysbench's short form: `16KiB`, `341.33MiB`, in five digits.
fn short(bytes: u64) -> String {
    let (mut value, mut units) = (bytes as f64, ["", "Ki", "Mi", "Gi", "Ti", "Pi"].iter());
    let mut unit = units.next();
    while value >= 1024.0
        && let Some(next) = units.next()
    {
        (value, unit) = (value / 1024.0, Some(next));
    }
    let decimals = if value >= 1000.0 { 1 } else { 4_usize.saturating_sub(value.max(1.0).log10() as usize) };
    let digits = format!("{value:.decimals$}");
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{digits}{}B", unit.unwrap_or(&""))
}

/// Whether the number of events and the time end it; memory and mutex end by themselves.
pub fn ends(name: &str) -> (bool, bool) {
    match name {
        "memory" => (false, true),
        "mutex" => (false, false),
        _ => (true, true),
    }
}

/// What the test prints at the start; `names_itself`: with its name, as from verbosity 4 on.
pub fn head(name: &str, given: &Options, events: u64, names_itself: bool) -> Vec<String> {
    let of = |option: &str| {
        let default = || {
            let rows = tenbin_workloads::find_workload(name).map(WorkloadEntry::rows).unwrap_or_default();
            rows.iter().find(|r| r.name == option).map_or(String::new(), |r| r.default.to_owned())
        };
        given.get(option).cloned().unwrap_or_else(default)
    };
    let size = |option: &str| binary_size(&of(option)).unwrap_or(0);
    let doing = |what: &str| vec![format!("Doing {what}")];
    match name {
        "cpu" => {
            let mut lines = if names_itself { doing("CPU performance benchmark\n") } else { Vec::new() };
            lines.push(format!("Prime numbers limit: {}\n", of("cpu_max_prime")));
            lines
        }
        "threads" if names_itself => {
            let (yields, locks) = (of("thread_yields"), of("thread_locks"));
            let mut lines = doing("thread subsystem performance test");
            lines.push(format!("Thread yields per test: {yields} Locks used: {locks}"));
            lines
        }
        "mutex" if names_itself => doing("mutex performance test"),
        "memory" => vec![
            "Running memory speed test with the following options:".to_owned(),
            format!("  block size: {}KiB", size("memory_block_size") / 1024),
            format!("  total size: {}MiB", size("memory_total_size") >> 20),
            format!("  operation: {}", of("memory_oper")),
            format!("  scope: {}\n", of("memory_scope")),
        ],
        "fileio" => head_of_fileio(given, events),
        _ => Vec::new(),
    }
}

/// Its own lines of a report, in place of SQL statistics.
pub fn lines(name: &str, form: ReportForm, at: &ReportFigures<'_>) -> Vec<String> {
    let completed = at.tally.accounting.completed as f64;
    let per_second = |n: f64| if at.seconds > 0.0 { n / at.seconds } else { 0.0 };
    match name {
        "cpu" => vec!["CPU speed:".to_owned(), format!("    events per second: {:8.2}", per_second(completed))],
        "memory" => {
            let mib = at.tally.statements.values().map(|s| s.rows).sum::<u64>() as f64 / f64::from(1 << 20);
            let mut lines = vec![format!("Total operations: {completed} ({:8.2} per second)\n", per_second(completed))];
            if !at.tally.statements.is_empty() {
                lines.push(format!("{mib:.2} MiB transferred ({:.2} MiB/sec)\n", per_second(mib)));
            }
            lines
        }
        "fileio" => {
            let statement = |name: &str| at.tally.statements.get(name).map_or((0, 0), |s| (s.completed, s.rows));
            let (read, written, synced) = (statement("read"), statement("write"), statement("fsync"));
            let mib = |bytes: u64| per_second(bytes as f64 / f64::from(1 << 20));
            if form == ReportForm::V11 {
                let moved = |name: &str, (n, bytes): (u64, u64)| {
                    let (iops, mb) = (per_second(n as f64), per_second(bytes as f64 / 1e6));
                    format!("{name:>15} IOPS={iops:.2} {:.2} MiB/s ({mb:.2} MB/s)", mib(bytes))
                };
                return vec![
                    String::new(),
                    "Throughput:".to_owned(),
                    moved("read: ", read),
                    moved("write:", written),
                    format!("{:>15} IOPS={:.2}", "fsync:", per_second(synced.0 as f64)),
                ];
            }
            let count = |name: &str, value: f64| format!("    {name:<29} {value:.2}");
            vec![
                String::new(),
                "File operations:".to_owned(),
                count("reads/s:", per_second(read.0 as f64)),
                count("writes/s:", per_second(written.0 as f64)),
                count("fsyncs/s:", per_second(synced.0 as f64)),
                String::new(),
                "Throughput:".to_owned(),
                count("read, MiB/s:", mib(read.1)),
                count("written, MiB/s:", mib(written.1)),
            ]
        }
        _ => Vec::new(),
    }
}

/// An interval line, if it does not show events per second.
pub fn interval(name: &str, second: f64, at: &ReportFigures<'_>, latency_ms: f64, percentile: f64) -> Option<String> {
    let second = second.round();
    let mib = |statement: Option<&str>| {
        let all = at.tally.statements.iter().filter(|(name, _)| statement.is_none_or(|s| s == *name));
        all.map(|(_, s)| s.rows).sum::<u64>() as f64 / f64::from(1 << 20) / at.seconds.max(1e-9)
    };
    match name {
        "memory" => Some(format!("[ {second}s ] {:.2} MiB/sec", mib(None))),
        "fileio" => {
            let fsyncs = at.tally.statements.get("fsync").map_or(0, |s| s.completed) as f64 / at.seconds.max(1e-9);
            Some(format!(
                "[ {second}s ] reads: {:.2} MiB/s writes: {:.2} MiB/s fsyncs: {fsyncs:.2}/s latency (ms,{percentile}%): {latency_ms:.3}",
                mib(Some("read")),
                mib(Some("write")),
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As sysbench 1.0.20 prints them.
    #[test]
    fn sizes_have_five_digits() {
        let sizes = [100, 16_384, 209_715, 349_525, 1_048_575, 1 << 20, 1_073_741_823, 1 << 30, 357_913_941, 100 << 30];
        let shown = sizes.map(short).join(" ");
        assert_eq!(shown, "100B 16KiB 204.8KiB 341.33KiB 1024KiB 1MiB 1024MiB 1GiB 341.33MiB 100GiB");
    }
}
