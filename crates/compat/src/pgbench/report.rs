//! The report and the lines of progress, in the forms of the versions. Pure.

use super::form::Form;
use std::fmt::Write;
use std::time::Duration;
use tenbin_pgbench::{ClientCounts, CommandCounts, QueryMode, SimpleStats, Stats};

/// What a report is made of.
#[derive(Debug)]
pub struct Report<'a> {
    pub form: Form,
    pub scale: i64,
    /// Empty: not partitioned.
    pub partition_method: &'a str,
    pub partitions: u64,
    pub mode: QueryMode,
    pub clients: u32,
    pub threads: u32,
    pub max_tries: u32,
    /// Of each client; 0: until the time is over.
    pub transactions: u64,
    pub duration: Option<Duration>,
    pub connect_each: bool,
    pub rate: bool,
    pub latency_limit_ms: Option<f64>,
    pub progress: bool,
    pub per_command: bool,
    pub failures_detailed: bool,
    pub scripts: &'a [ScriptLines],
    pub counts: &'a ClientCounts,
    /// From the first client's start to the last one's end.
    pub elapsed: Duration,
    /// Until all clients had connected.
    pub connecting: Duration,
}

/// A script: its name, weight, and the lines of its commands.
#[derive(Debug, Clone)]
pub struct ScriptLines {
    pub name: String,
    pub weight: i64,
    pub commands: Vec<String>,
}

/// Percent; not a number if there are none.
fn percent(part: u64, all: u64) -> String {
    three(100.0 * part as f64 / all as f64)
}

/// The sign of percent, which had a blank before it.
fn percent_sign(form: Form) -> &'static str {
    if form.has_failures() { "%" } else { " %" }
}

/// Three decimals, and `NaN` as C prints what is not a number (whose sign is that of the processor's).
fn three(value: f64) -> String {
    if value.is_nan() { "NaN".to_owned() } else { format!("{value:.3}") }
}

fn six(value: f64) -> String {
    if value.is_nan() { "NaN".to_owned() } else { format!("{value:.6}") }
}

/// The report.
pub fn report(r: &Report<'_>) -> String {
    let mut out = head(r);
    let all = &r.counts.all;
    match r.duration {
        Some(duration) => {
            line(&mut out, format_args!("duration: {} s", duration.as_secs()));
            line(&mut out, format_args!("number of transactions actually processed: {}", all.completed));
        }
        None => {
            line(&mut out, format_args!("number of transactions per client: {}", r.transactions));
            let planned = r.transactions * u64::from(r.clients);
            line(&mut out, format_args!("number of transactions actually processed: {}/{planned}", all.completed));
        }
    }
    let new = r.form.has_script_totals();
    if !new || all.all() > 0 {
        failures(r, all, "", &mut out);
    }
    if all.all() == 0 || !new && all.completed + all.skipped == 0 {
        // Nothing more is known.
        out.pop();
        return out;
    }
    let sign = percent_sign(r.form);
    if r.rate && r.latency_limit_ms.is_some() {
        let (skipped, share) = (all.skipped, percent(all.skipped, all.all()));
        line(&mut out, format_args!("number of transactions skipped: {skipped} ({share}{sign})"));
    }
    if let Some(limit) = r.latency_limit_ms {
        let (late, of) = (r.counts.late, all.completed);
        let share = percent(late, of.max(1));
        line(
            &mut out,
            format_args!("number of transactions above the {limit:.1} ms latency limit: {late}/{of} ({share}{sign})"),
        );
    }
    times(r, &mut out);
    rates(r, &mut out);
    scripts(r, &mut out);
    out.pop();
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

fn head(r: &Report<'_>) -> String {
    let mut out = String::new();
    let name = match r.scripts {
        [one] => &one.name,
        _ => "multiple scripts",
    };
    line(&mut out, format_args!("transaction type: {name}"));
    line(&mut out, format_args!("scaling factor: {}", r.scale));
    if !r.partition_method.is_empty() {
        line(&mut out, format_args!("partition method: {}\npartitions: {}", r.partition_method, r.partitions));
    }
    let mode = match r.mode {
        QueryMode::Simple => "simple",
        QueryMode::Extended => "extended",
        QueryMode::Prepared => "prepared",
    };
    line(&mut out, format_args!("query mode: {mode}"));
    line(&mut out, format_args!("number of clients: {}\nnumber of threads: {}", r.clients, r.threads));
    if r.form.has_failures() && (r.max_tries > 0) {
        line(&mut out, format_args!("maximum number of tries: {}", r.max_tries));
    }
    out
}

/// The lines of failures and retries, of all or of one script.
fn failures(r: &Report<'_>, stats: &Stats, indent: &str, out: &mut String) {
    if !r.form.has_failures() {
        return;
    }
    let all = stats.all();
    let mut count =
        |name: &str, n: u64| line(out, format_args!("{indent}number of {name}: {n} ({}%)", percent(n, all)));
    count("failed transactions", stats.failures());
    if r.failures_detailed {
        count("serialization failures", stats.serialization_failures);
        count("deadlock failures", stats.deadlock_failures);
        if r.form.has_other_failures() {
            count("other failures", stats.other_failures);
        }
    }
    if r.max_tries != 1 {
        count("transactions retried", stats.retried);
        line(out, format_args!("{indent}total number of retries: {}", stats.retries));
    }
}

fn times(r: &Report<'_>, out: &mut String) {
    let all = &r.counts.all;
    if r.rate || r.progress || r.latency_limit_ms.is_some() {
        simple(&all.latency, "latency", "", out);
    } else {
        let ms = lasted(r).as_secs_f64() * 1e3 * f64::from(r.clients) / all.all() as f64;
        let including = if all.failures() > 0 && r.form.has_failures() { " (including failures)" } else { "" };
        line(out, format_args!("latency average = {} ms{including}", three(ms)));
    }
    if r.rate {
        let mean = all.lag.sum / counted(r, all) as f64;
        let (mean, most) = (three(mean / 1e3), three(all.lag.max / 1e3));
        line(out, format_args!("rate limit schedule lag: avg {mean} (max {most}) ms"));
    }
}

/// Mean and deviation in milliseconds; nothing if there are no values.
fn simple(stats: &SimpleStats, name: &str, indent: &str, out: &mut String) {
    if stats.count > 0 {
        line(out, format_args!("{indent}{name} average = {} ms", three(stats.mean() / 1e3)));
        line(out, format_args!("{indent}{name} stddev = {} ms", three(stats.deviation() / 1e3)));
    }
}

/// The transactions of which there is a mean: those that were skipped were among them.
fn counted(r: &Report<'_>, stats: &Stats) -> u64 {
    if r.form.has_failures() { stats.completed } else { stats.all() }
}

/// How long the run lasted, by which transactions per second are counted: while there were two rates, connecting was a part of it.
fn lasted(r: &Report<'_>) -> Duration {
    if r.form.has_two_rates() && !r.connect_each { r.elapsed + r.connecting } else { r.elapsed }
}

/// Transactions per second.
fn rate(completed: u64, elapsed: Duration) -> f64 {
    completed as f64 / elapsed.as_secs_f64()
}

fn rates(r: &Report<'_>, out: &mut String) {
    let all = &r.counts.all;
    let tps = rate(all.completed, r.elapsed);
    let connecting_ms = r.counts.connecting_us as f64 / 1e3;
    if r.form.has_two_rates() {
        let including = rate(all.completed, lasted(r));
        let each = Duration::from_micros(r.counts.connecting_us / u64::from(r.clients.max(1)));
        // Clients that did nothing but connect have no other rate.
        let rest = lasted(r).saturating_sub(each);
        let excluding = if rest.is_zero() { including } else { rate(all.completed, rest) };
        line(out, format_args!("tps = {} (including connections establishing)", six(including)));
        line(out, format_args!("tps = {} (excluding connections establishing)", six(excluding)));
    } else if r.connect_each {
        let connections = counted(r, all) + all.failures() * u64::from(r.form.has_failures());
        line(out, format_args!("average connection time = {} ms", three(connecting_ms / connections as f64)));
        line(out, format_args!("tps = {} (including reconnection times)", six(tps)));
    } else {
        line(out, format_args!("initial connection time = {} ms", three(r.connecting.as_secs_f64() * 1e3)));
        line(out, format_args!("tps = {} (without initial connection time)", six(tps)));
    }
}

fn scripts(r: &Report<'_>, out: &mut String) {
    if let [only] = r.scripts {
        if r.per_command {
            line(out, format_args!("{}:", command_heading(r)));
            commands(r, only, &r.counts.commands[0], out);
        }
        return;
    }
    let weights: i64 = r.scripts.iter().map(|script| script.weight).sum();
    for (n, (script, stats)) in r.scripts.iter().zip(&r.counts.scripts).enumerate() {
        line(out, format_args!("SQL script {}: {}", n + 1, script.name));
        let target = 100.0 * script.weight as f64 / weights as f64;
        line(out, format_args!(" - weight: {} (targets {target:.1}% of total)", script.weight));
        let of_script = |stats: &Stats| if r.form.has_script_totals() { stats.all() } else { counted(r, stats) };
        let (transactions, total) = (of_script(stats), of_script(&r.counts.all));
        let share = 100.0 * transactions as f64 / total as f64;
        let share = if share.is_nan() { "NaN".to_owned() } else { format!("{share:.1}") };
        let tps = six(rate(stats.completed, lasted(r)));
        if r.form.has_script_totals() {
            line(out, format_args!(" - {transactions} transactions ({share}% of total)"));
            if stats.all() > 0 {
                let processed = stats.completed;
                line(out, format_args!(" - number of transactions actually processed: {processed} (tps = {tps})"));
                failures(r, stats, " - ", out);
            }
        } else {
            line(out, format_args!(" - {transactions} transactions ({share}% of total, tps = {tps})"));
            failures(r, stats, " - ", out);
        }
        if r.rate && r.latency_limit_ms.is_some() && stats.all() > 0 {
            let (skipped, share) = (stats.skipped, percent(stats.skipped, stats.all()));
            line(out, format_args!(" - number of transactions skipped: {skipped} ({share}%)"));
        }
        simple(&stats.latency, "latency", " - ", out);
        if r.per_command {
            line(out, format_args!(" - {}:", command_heading(r)));
            commands(r, script, &r.counts.commands[n], out);
        }
    }
}

fn command_heading(r: &Report<'_>) -> &'static str {
    match (r.form.has_failures(), r.max_tries) {
        (false, _) => "statement latencies in milliseconds",
        (true, 1) => "statement latencies in milliseconds and failures",
        (true, _) => "statement latencies in milliseconds, failures and retries",
    }
}

fn commands(r: &Report<'_>, script: &ScriptLines, counts: &[CommandCounts], out: &mut String) {
    for (text, count) in script.commands.iter().zip(counts) {
        let ms = if count.time.count > 0 { count.time.mean() / 1e3 } else { 0.0 };
        let gap = if r.form.has_script_totals() { " " } else { "  " };
        match (r.form.has_failures(), r.max_tries) {
            (false, _) => line(out, format_args!("   {ms:11.3}  {text}")),
            (true, 1) => line(out, format_args!("   {ms:11.3}  {:10}{gap}{text}", count.failures)),
            (true, _) => {
                line(out, format_args!("   {ms:11.3}  {:10}{gap}{:10}{gap}{text}", count.failures, count.retries));
            }
        }
    }
}

/// A line of progress.
#[derive(Debug)]
pub struct Progress<'a> {
    pub form: Form,
    /// As it is shown: seconds since the start, or since 1970.
    pub at: String,
    /// Since the last line.
    pub seconds: f64,
    pub now: &'a Stats,
    pub before: &'a Stats,
    pub rate: bool,
    pub latency_limit: bool,
    pub max_tries: u32,
}

/// The line.
pub fn progress(p: &Progress<'_>) -> String {
    let (now, before) = (p.now, p.before);
    let count = now.completed - before.completed;
    let between = |now: &SimpleStats, before: &SimpleStats| SimpleStats {
        count: now.count - before.count,
        sum: now.sum - before.sum,
        sum_of_squares: now.sum_of_squares - before.sum_of_squares,
        ..SimpleStats::default()
    };
    let (latency, lag) = (between(&now.latency, &before.latency), between(&now.lag, &before.lag));
    let zero = |value: f64| if value.is_nan() { 0.0 } else { value };
    let mut text = format!(
        "progress: {} s, {:.1} tps, lat {:.3} ms stddev {:.3}",
        p.at,
        count as f64 / p.seconds,
        zero(latency.mean()) / 1e3,
        zero(latency.deviation()) / 1e3
    );
    if p.form.has_failures() {
        text += &format!(", {} failed", now.failures() - before.failures());
    }
    if p.rate {
        text += &format!(", lag {:.3} ms", zero(lag.mean()) / 1e3);
        if p.latency_limit {
            text += &format!(", {} skipped", now.skipped - before.skipped);
        }
    }
    if p.form.has_failures() && p.max_tries != 1 {
        text += &format!(", {} retried, {} retries", now.retried - before.retried, now.retries - before.retries);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, weight: i64, commands: &[&str]) -> ScriptLines {
        ScriptLines { name: name.into(), weight, commands: commands.iter().map(|c| (*c).to_owned()).collect() }
    }

    fn counts(commands: &[usize]) -> ClientCounts {
        let mut counts = ClientCounts::new(commands);
        for us in [2000.0, 4000.0] {
            for stats in [&mut counts.all, &mut counts.scripts[0]] {
                stats.completed += 1;
                stats.latency.add(us);
                stats.lag.add(us / 10.0);
            }
            counts.commands[0][0].time.add(us / 2.0);
        }
        counts.connecting_us = 10_000;
        counts
    }

    fn of<'a>(form: u32, scripts: &'a [ScriptLines], counts: &'a ClientCounts) -> Report<'a> {
        Report {
            form: Form::named(&form.to_string()).unwrap(),
            scale: 1,
            partition_method: "",
            partitions: 0,
            mode: QueryMode::Simple,
            clients: 2,
            threads: 1,
            max_tries: 1,
            transactions: 1,
            duration: None,
            connect_each: false,
            rate: false,
            latency_limit_ms: None,
            progress: false,
            per_command: false,
            failures_detailed: false,
            scripts,
            counts,
            elapsed: Duration::from_millis(10),
            connecting: Duration::from_millis(5),
        }
    }

    #[test]
    fn reports_have_the_forms_of_their_versions() {
        let scripts = [script("<builtin: select only>", 1, &["\\set aid …"])];
        let counts = counts(&[1]);
        insta::assert_snapshot!(report(&of(15, &scripts, &counts)), @r"
        transaction type: <builtin: select only>
        scaling factor: 1
        query mode: simple
        number of clients: 2
        number of threads: 1
        maximum number of tries: 1
        number of transactions per client: 1
        number of transactions actually processed: 2/2
        number of failed transactions: 0 (0.000%)
        latency average = 10.000 ms
        initial connection time = 5.000 ms
        tps = 200.000000 (without initial connection time)
        ");
        let old = report(&of(13, &scripts, &counts));
        let tail: Vec<&str> = old.lines().rev().take(4).collect();
        assert_eq!(
            tail,
            [
                "tps = 200.000000 (excluding connections establishing)",
                "tps = 133.333333 (including connections establishing)",
                "latency average = 15.000 ms",
                "number of transactions actually processed: 2/2",
            ]
        );
        let all = Report {
            rate: true,
            latency_limit_ms: Some(3.0),
            per_command: true,
            failures_detailed: true,
            max_tries: 3,
            partition_method: "hash",
            partitions: 2,
            duration: Some(Duration::from_secs(2)),
            ..of(19, &scripts, &counts)
        };
        insta::assert_snapshot!(report(&all), @r"
        transaction type: <builtin: select only>
        scaling factor: 1
        partition method: hash
        partitions: 2
        query mode: simple
        number of clients: 2
        number of threads: 1
        maximum number of tries: 3
        duration: 2 s
        number of transactions actually processed: 2
        number of failed transactions: 0 (0.000%)
        number of serialization failures: 0 (0.000%)
        number of deadlock failures: 0 (0.000%)
        number of other failures: 0 (0.000%)
        number of transactions retried: 0 (0.000%)
        total number of retries: 0
        number of transactions skipped: 0 (0.000%)
        number of transactions above the 3.0 ms latency limit: 0/2 (0.000%)
        latency average = 3.000 ms
        latency stddev = 1.000 ms
        rate limit schedule lag: avg 0.300 (max 0.400) ms
        initial connection time = 5.000 ms
        tps = 200.000000 (without initial connection time)
        statement latencies in milliseconds, failures and retries:
                 1.500           0          0 \set aid …
        ");
    }

    #[test]
    fn several_scripts_have_their_own_figures() {
        let scripts = [script("a.sql", 3, &["SELECT 1;"]), script("b.sql", 1, &["SELECT 2;"])];
        let counts = counts(&[1, 1]);
        let text = report(&Report { per_command: true, connect_each: true, ..of(15, &scripts, &counts) });
        insta::assert_snapshot!(text.lines().skip(8).collect::<Vec<_>>().join("\n"), @r"
        number of failed transactions: 0 (0.000%)
        latency average = 10.000 ms
        average connection time = 5.000 ms
        tps = 200.000000 (including reconnection times)
        SQL script 1: a.sql
         - weight: 3 (targets 75.0% of total)
         - 2 transactions (100.0% of total, tps = 200.000000)
         - number of failed transactions: 0 (0.000%)
         - latency average = 3.000 ms
         - latency stddev = 1.000 ms
         - statement latencies in milliseconds and failures:
                 1.500           0  SELECT 1;
        SQL script 2: b.sql
         - weight: 1 (targets 25.0% of total)
         - 0 transactions (0.0% of total, tps = 0.000000)
         - number of failed transactions: 0 (NaN%)
         - statement latencies in milliseconds and failures:
                 0.000           0  SELECT 2;
        ");
    }

    /// As of the sources of versions 12 to 14 and 18.
    #[test]
    fn lines_of_other_versions_have_their_blanks_and_figures() {
        let (one, two) = (
            [script("a.sql", 3, &["SELECT 1;"])],
            [script("a.sql", 3, &["SELECT 1;"]), script("b.sql", 1, &["SELECT 2;"])],
        );
        let lines = |report: &Report<'_>, beginning: &str| {
            let text = super::report(report);
            let lines = text.lines().filter(|line| line.contains(beginning)).map(str::to_owned);
            lines.collect::<Vec<_>>()
        };
        let mut late = counts(&[1]);
        late.all.skipped = 2;
        let limited = |form| Report { rate: true, latency_limit_ms: Some(3.0), ..of(form, &one, &late) };
        assert_eq!(
            lines(&limited(14), "number of transactions "),
            [
                "number of transactions per client: 1",
                "number of transactions actually processed: 2/2",
                "number of transactions skipped: 2 (50.000 %)",
                "number of transactions above the 3.0 ms latency limit: 0/2 (0.000 %)",
            ]
        );
        assert_eq!(lines(&limited(15), "skipped"), ["number of transactions skipped: 2 (50.000%)"]);
        assert_eq!(lines(&limited(14), "lag"), ["rate limit schedule lag: avg 0.150 (max 0.400) ms"]);
        assert_eq!(lines(&limited(15), "lag"), ["rate limit schedule lag: avg 0.300 (max 0.400) ms"]);

        // Two clients connected for 5 ms each, on one thread of 13's: of 10 ms another 5 are left.
        let both = counts(&[1, 1]);
        let again = Report { connect_each: true, ..of(13, &two, &both) };
        assert_eq!(
            lines(&again, "establishing"),
            [
                "tps = 200.000000 (including connections establishing)",
                "tps = 400.000000 (excluding connections establishing)",
            ]
        );
        let mut busy = counts(&[1, 1]);
        busy.connecting_us = 30_000;
        let again = Report { connect_each: true, ..of(13, &two, &busy) };
        assert_eq!(lines(&again, "excluding"), ["tps = 200.000000 (excluding connections establishing)"]);

        let mut failed = counts(&[1, 1]);
        for stats in [&mut failed.all, &mut failed.scripts[0]] {
            stats.other_failures = 2;
        }
        let text = report(&Report { per_command: true, ..of(18, &two, &failed) });
        insta::assert_snapshot!(text.lines().skip(8).collect::<Vec<_>>().join("\n"), @r"
        number of failed transactions: 2 (50.000%)
        latency average = 5.000 ms (including failures)
        initial connection time = 5.000 ms
        tps = 200.000000 (without initial connection time)
        SQL script 1: a.sql
         - weight: 3 (targets 75.0% of total)
         - 4 transactions (100.0% of total)
         - number of transactions actually processed: 2 (tps = 200.000000)
         - number of failed transactions: 2 (50.000%)
         - latency average = 3.000 ms
         - latency stddev = 1.000 ms
         - statement latencies in milliseconds and failures:
                 1.500           0 SELECT 1;
        SQL script 2: b.sql
         - weight: 1 (targets 25.0% of total)
         - 0 transactions (0.0% of total)
         - statement latencies in milliseconds and failures:
                 0.000           0 SELECT 2;
        ");
    }

    #[test]
    fn a_run_of_which_everything_was_skipped_has_no_late_transactions() {
        let (scripts, mut counts) = ([script("a.sql", 1, &["SELECT 1;"])], ClientCounts::new(&[1]));
        counts.all.skipped = 3;
        let text = report(&Report { rate: true, latency_limit_ms: Some(1.0), ..of(15, &scripts, &counts) });
        assert!(text.contains("above the 1.0 ms latency limit: 0/0 (0.000%)"), "{text}");
    }

    #[test]
    fn nothing_is_claimed_of_a_run_without_transactions() {
        let (scripts, counts) = ([script("bad.sql", 1, &["SELECT x;"])], ClientCounts::new(&[1]));
        let text = report(&of(15, &scripts, &counts));
        assert!(text.ends_with("processed: 0/2\nnumber of failed transactions: 0 (NaN%)"), "{text}");
        let text = report(&of(18, &scripts, &counts));
        assert!(text.ends_with("processed: 0/2"), "{text}");
        let mut counts = ClientCounts::new(&[1]);
        counts.all.serialization_failures = 2;
        let text = report(&Report { per_command: true, ..of(15, &scripts, &counts) });
        assert!(text.ends_with("processed: 0/2\nnumber of failed transactions: 2 (100.000%)"), "{text}");
        let text = report(&of(18, &scripts, &counts));
        assert!(text.ends_with("tps = 0.000000 (without initial connection time)"), "{text}");
    }

    #[test]
    fn progress_is_of_the_time_since_the_last_line() {
        let counts = counts(&[1]);
        let (now, before) = (&counts.all, &Stats::default());
        let of = |form: &str, rate, max_tries| {
            let form = Form::named(form).unwrap();
            progress(&Progress {
                form,
                at: "2.0".into(),
                seconds: 2.0,
                now,
                before,
                rate,
                latency_limit: true,
                max_tries,
            })
        };
        assert_eq!(of("15", false, 1), "progress: 2.0 s, 1.0 tps, lat 3.000 ms stddev 1.000, 0 failed");
        assert_eq!(of("14", true, 1), "progress: 2.0 s, 1.0 tps, lat 3.000 ms stddev 1.000, lag 0.300 ms, 0 skipped");
        assert!(of("15", false, 0).ends_with(", 0 failed, 0 retried, 0 retries"));
    }
}
