//! Resolves the general options. Invalid values are reported here.

use super::database;
use super::option_names;
use super::options;
use super::text::ReportForm;
use crate::hint::HintWords;
use crate::option::canonical;
use crate::parsed_args::ParsedArgs;

/// The general options, resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub threads: u32,
    /// `None`: no limit.
    pub events: Option<u64>,
    /// `None`: no limit.
    pub time_s: Option<f64>,
    pub warmup_s: f64,
    /// Starts per second; 0: closed loop.
    pub rate: u64,
    /// As typed, if no clients keep up with it.
    pub rate_too_high: Option<i64>,
    /// 0: no lines of figures.
    pub report_interval_s: u64,
    /// Ascending.
    pub checkpoints_s: Vec<u64>,
    pub debug: bool,
    pub validate: bool,
    /// `None`: from the clock.
    pub seed: Option<i64>,
    pub verbosity: u8,
    pub percentiles: Vec<f64>,
    pub histogram: bool,
    /// Whose reports and defaults.
    pub form: ReportForm,
    /// If it is not off: seconds after the time limit.
    pub forced_shutdown_s: Option<f64>,
    /// Hints in sysbench's terms.
    pub words: HintWords,
    /// WARNING lines, in order.
    pub warnings: Vec<String>,
}

/// Options that 1.0 still accepts under an old name: old, new, and the old one's value above which it counts.
const ALIASES: &[(&str, &str, i64)] =
    &[("num-threads", "threads", 1), ("max-requests", "events", 0), ("max-time", "time", 0), ("tx-rate", "rate", 0)];

/// The maximum rate, above what any machine can do.
const MOST_PER_SECOND: i64 = 10_000_000;

/// The maximum number of threads.
const MOST_THREADS: i64 = 1_000_000;

/// The longest run, 31 days: a longer one is in effect a run without a limit.
const MOST_SECONDS: f64 = 31.0 * 86_400.0;

/// Resolves; the error is a line for standard output, after `FATAL: `.
pub fn resolve(args: &ParsedArgs) -> Result<Settings, String> {
    let mut args = args.clone();
    let mut warnings = take_old_names(&mut args);
    // Below 0 is no limit too.
    let limit = |name: &str| args.int(name).max(0) as u64;
    let threads = match args.int("threads") {
        n if (1..=MOST_THREADS).contains(&n) => n as u32,
        n => return Err(format!("Invalid value for --threads: {n}.\n")),
    };
    let seconds = |name: &str| args.float(name).clamp(0.0, MOST_SECONDS);
    let is_wrong = |name: &str| args.wrong.iter().any(|(row, _)| row.name == name);
    if is_wrong("thread-stack-size") || args.given("thread-stack-size") == Some("0") {
        return Err("Invalid value for thread-stack-size: 0.\n".to_owned());
    }
    let (events, time_s) = (limit("events"), seconds("time"));
    if args.float("warmup-time") < 0.0 {
        return Err(format!("Invalid value for --warmup-time: {}", args.text("warmup-time")));
    }
    if events == 0 && time_s == 0.0 && args.float("time") == 0.0 {
        warnings.push("Both event and time limits are disabled, running an endless test".into());
    }
    let percentiles = percentiles(&args)?;
    let histogram = args.on("histogram");
    if histogram && percentiles.is_empty() {
        return Err("--histogram cannot be used with --percentile=0".into());
    }
    let distribution = args.text("rand-type");
    if !["uniform", "gaussian", "special", "pareto", "zipfian"].contains(&distribution) {
        let line = format!("Invalid random numbers distribution: {distribution}.");
        return Err(match option_names::of_given(&args).get("rand_type").filter(|name| *name != "rand-type") {
            Some(name) => format!("{line}\nFATAL: --{name} is uniform, gaussian or special"),
            None => line,
        });
    }
    // Below 0 sysbench starts events without any pause.
    let rate = args.int("rate");
    let rate_too_high = Some(rate).filter(|rate| !(0..=MOST_PER_SECOND).contains(rate));
    Ok(Settings {
        threads,
        events: Some(events).filter(|n| *n > 0),
        time_s: Some(time_s).filter(|s| *s > 0.0),
        warmup_s: seconds("warmup-time"),
        rate: if rate_too_high.is_some() { 0 } else { rate as u64 },
        rate_too_high,
        report_interval_s: limit("report-interval"),
        checkpoints_s: checkpoints(&args)?,
        debug: args.on("debug"),
        validate: args.on("validate"),
        seed: Some(args.int("rand-seed")).filter(|n| *n != 0),
        verbosity: args.int("verbosity").clamp(0, 5) as u8,
        percentiles,
        histogram,
        form: form(&args)?,
        forced_shutdown_s: forced_shutdown(&args, time_s)?,
        words: database::words(&args),
        warnings,
    })
}

/// Gives options the values of their old names, as scripts see them too; returns the warnings about it.
pub fn take_old_names(args: &mut ParsedArgs) -> Vec<String> {
    let mut warnings = Vec::new();
    for (old, new, most) in ALIASES {
        if args.int(old) > *most {
            warnings.push(format!("--{old} is deprecated, use --{new} instead"));
            args.set(new, args.text(old).to_owned());
        }
    }
    if args.text("rand-seed") == "0" && args.has("seed-rng") {
        args.set("rand-seed", args.text("seed-rng").to_owned());
    }
    if args.on("debug") {
        args.set("verbosity", "5".to_owned());
    }
    warnings
}

/// As requested, or according to options that only one version has.
pub fn form(args: &ParsedArgs) -> Result<ReportForm, String> {
    match args.text("tenbin-form") {
        "1.0" => return Ok(ReportForm::V10),
        "1.1" => return Ok(ReportForm::V11),
        "" => {}
        other => return Err(format!("Invalid value for --tenbin-form: '{other}': it is 1.0 or 1.1")),
    }
    let only_there = |name: &str| is_of_1_1(name) && !args.declared.contains(name);
    let typed_there = args.all().any(|(name, _)| args.has_here(name) && only_there(name));
    let theirs = typed_there || args.unknown.iter().any(|o| !o.from_file && only_there(&o.name));
    Ok(if theirs { ReportForm::V11 } else { ReportForm::V10 })
}

/// Whether an option is one that only 1.1 has.
pub fn is_of_1_1(name: &str) -> bool {
    let row = options::GRAMMAR.find(name).or_else(|| options::OLTP.iter().find(|r| r.name == name));
    row.is_some_and(|r| r.of == super::row::FROM_1_1)
}

fn percentiles(args: &ParsedArgs) -> Result<Vec<f64>, String> {
    let percentiles = args.list("percentile");
    if percentiles == ["0"] {
        return Ok(Vec::new());
    }
    let read = |text: &&str| match text.parse::<f64>() {
        Ok(p) if p > 0.0 && p <= 100.0 => Ok(p),
        _ => Err(format!("Invalid value for --percentile: {text}")),
    };
    percentiles.iter().map(read).collect()
}

fn checkpoints(args: &ParsedArgs) -> Result<Vec<u64>, String> {
    let read =
        |text: &&str| text.parse::<u64>().map_err(|_| format!("Invalid value for --report-checkpoints: '{text}'"));
    let mut all = args.list("report-checkpoints").iter().map(read).collect::<Result<Vec<u64>, _>>()?;
    // At the start there is nothing to report.
    all.retain(|seconds| *seconds > 0);
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// `off`, seconds, or per cent of the time limit; the bare option is 5 %.
fn forced_shutdown(args: &ParsedArgs, time_s: f64) -> Result<Option<f64>, String> {
    let text = args.text("forced-shutdown");
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| *n >= 0.0);
    let text = text.trim_start();
    // Nothing after the equals sign is no time; the bare option is the share of the limit.
    let is_bare = !args.typed.iter().any(|word| word.ends_with('=') && canonical(word) == "--forced-shutdown=");
    let after = match (text, text.strip_suffix('%')) {
        ("off", _) => return Ok(None),
        ("", _) => Some(if is_bare { time_s / 20.0 } else { 0.0 }),
        (_, Some(percent)) => number(percent).map(|p| p * time_s / 100.0),
        (seconds, None) => number(seconds),
    };
    // Without a time limit it has no effect.
    let behind = |s: f64| Some(time_s + s).filter(|_| time_s > 0.0);
    after.map(behind).ok_or_else(|| format!("Invalid value for --forced-shutdown: '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::arguments;

    fn of(line: &str) -> Result<Settings, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        resolve(&arguments::parse(&words, |_| Err("no files".into())).unwrap())
    }

    #[test]
    fn defaults_are_those_of_1_0_20() {
        let a = of("cpu").unwrap();
        assert_eq!((a.threads, a.events, a.time_s, a.seed, a.verbosity), (1, None, Some(10.0), None, 3));
        assert_eq!((a.percentiles, a.warnings), (vec![95.0], vec![]));
    }

    #[test]
    fn the_form_is_asked_for_or_told_by_the_options() {
        let form = |line: &str| of(line).map(|a| a.form);
        assert_eq!(form("cpu --time=1"), Ok(ReportForm::V10));
        assert_eq!(form("cpu --tenbin-form=1.1"), Ok(ReportForm::V11));
        assert_eq!(form("x --warmup-time=1"), Ok(ReportForm::V11));
        assert_eq!(form("oltp_read_only --reconnect=5"), Ok(ReportForm::V11));
        assert_eq!(form("x --warmup-time=1 --tenbin-form=1.0"), Ok(ReportForm::V10));
        assert!(form("x --tenbin-form=2").unwrap_err().contains("1.0 or 1.1"));
    }

    #[test]
    fn old_names_are_told_and_mean_the_new_ones() {
        let a = of("x --num-threads=16 --max-requests=0 --max-time=180 --tx-rate=7").unwrap();
        assert_eq!((a.threads, a.events, a.time_s, a.rate), (16, None, Some(180.0), 7));
        assert_eq!(a.warnings[0], "--num-threads is deprecated, use --threads instead");
        assert_eq!(a.warnings.len(), 3, "0 is not given: {:?}", a.warnings);
        let a = of("x --num-threads=0 --threads=8 --max-requests=-1 --events=5").unwrap();
        assert_eq!((a.threads, a.events, a.warnings), (8, Some(5), vec![]), "as in sysbench");
    }

    /// As sysbench 1.0.20, which copies them.
    #[test]
    fn scripts_see_what_was_given_by_old_names() {
        let line = "x --num-threads=2 --max-time=33 --max-requests=44 --tx-rate=5 --seed-rng=6 --debug";
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = arguments::parse(&words, |_| Err("no files".into())).unwrap();
        take_old_names(&mut args);
        let values = ["threads", "time", "events", "rate", "rand-seed", "verbosity"].map(|name| args.text(name));
        assert_eq!(values, ["2", "33", "44", "5", "6", "5"]);
    }

    #[test]
    fn a_limit_below_0_is_none() {
        let a = of("x --events=-1 --time=-5 --report-interval=-1 --rand-seed=-1").unwrap();
        assert_eq!((a.events, a.time_s, a.report_interval_s, a.seed), (None, None, 0, Some(-1)));
        assert_eq!(of("x --max-requests=-1 --time= --threads=2").unwrap().time_s, None);
        let a = of("x --time=2147483647 --forced-shutdown=5").unwrap();
        assert_eq!(a.time_s, Some(31.0 * 86_400.0));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (line, error) in [
            ("x --threads=0", "Invalid value for --threads: 0.\n"),
            ("x --threads=", "Invalid value for --threads: 0.\n"),
            ("x --threads=2000000", "Invalid value for --threads: 2000000.\n"),
            ("x --percentile=101", "Invalid value for --percentile: 101"),
            ("x --percentile=0 --histogram", "--histogram cannot be used with --percentile=0"),
            ("x --report-checkpoints=a", "Invalid value for --report-checkpoints: 'a'"),
            ("x --forced-shutdown=x", "Invalid value for --forced-shutdown: 'x'"),
            ("x --rand-type=foo", "Invalid random numbers distribution: foo."),
            ("x --thread-stack-size=0", "Invalid value for thread-stack-size: 0.\n"),
            ("x --thread-stack-size=", "Invalid value for thread-stack-size: 0.\n"),
            ("x --thread-stack-size=x", "Invalid value for thread-stack-size: 0.\n"),
        ] {
            assert_eq!(of(line).unwrap_err(), error, "{line}");
        }
        for rate in [-1, 2_000_000_000] {
            let a = of(&format!("x --rate={rate}")).unwrap();
            assert_eq!((a.rate, a.rate_too_high), (0, Some(rate)), "it is told when the clients have started");
        }
        assert!(of("x --time=0").unwrap().warnings[0].contains("endless"));
        let a = of("x --percentile=50,99,99.9 --forced-shutdown=10% --time=20 --report-checkpoints=3,0,1,3").unwrap();
        assert_eq!((a.percentiles, a.forced_shutdown_s), (vec![50.0, 99.0, 99.9], Some(22.0)));
        let after = |line: &str| of(line).unwrap().forced_shutdown_s;
        assert_eq!(after("x --forced-shutdown= --time=20"), Some(20.0));
        assert_eq!(after("x --forced-shutdown --time=20"), Some(21.0));
        assert_eq!(a.checkpoints_s, [1, 3]);
    }
}
