//! The log of JdbcRunner: its settings, throughput per second, and at the end counts, throughput and percentiles. A script with several
//! types of transactions has a number for each of them, separated by commas.

use super::find::has;
use super::{Line, LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const LOG: LogFormat = LogFormat { name: "JdbcRunner", signature: "[Total tx count]", line: "", read };

/// What the end of a run calls a response time, and what it is.
const TIMES: [(&str, FigureKind); 6] = [
    ("minimum", FigureKind::Min),
    ("50%tile", FigureKind::Percentile(5000)),
    ("90%tile", FigureKind::Percentile(9000)),
    ("95%tile", FigureKind::Percentile(9500)),
    ("99%tile", FigureKind::Percentile(9900)),
    ("maximum", FigureKind::Max),
];

fn read(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut now) = (Vec::new(), PublishedResult::default());
    for (at, line) in lines(text) {
        if line.contains("> JdbcRunner ") {
            now = PublishedResult::default();
        } else if let Some((name, value)) = line.split_once(" : ").map(|(name, value)| (name.trim(), value.trim())) {
            setting(&mut now, name, value);
        } else if line.contains("< JdbcRunner ") {
            // Of a run that was stopped before it measured, nothing is known.
            all.extend(Some(std::mem::take(&mut now)).filter(|now| now.figures.contains_key(&FigureKind::Tps)));
        } else {
            measured(&mut now, (at, line));
        }
    }
    // A log that was cut before its last line.
    all.extend(Some(now).filter(|now| now.figures.contains_key(&FigureKind::Tps)));
    // Runs on one server need not name it.
    if all.windows(2).all(|two| two[0].target == two[1].target) {
        all.iter_mut().for_each(|result: &mut PublishedResult| result.target = None);
    }
    all
}

/// `mysql://db1:3306` of `jdbc:mysql://db1:3306/x?user=y`: without what may be a secret.
fn server(url: &str) -> Option<String> {
    let (scheme, rest) = url.strip_prefix("jdbc:")?.split_once("//")?;
    let address = rest.split(['/', '?', ';']).next().unwrap_or_default();
    let address = address.rsplit_once('@').map_or(address, |(_, address)| address);
    (!address.is_empty()).then(|| format!("{scheme}//{address}"))
}

/// `Number of agents     : 16`.
fn setting(now: &mut PublishedResult, name: &str, value: &str) {
    let is_set = |value: &str| number(value).is_some_and(|rate| rate.value > 0.0);
    match name {
        "Script filename" => now.workload = Some(stem(value).to_owned()).filter(|stem| !stem.is_empty()),
        "JDBC URL" => now.target = server(value),
        "Number of agents" => put(now, FigureKind::Clients, number(value)),
        "Measurement time" => put(now, FigureKind::Seconds, number(value)),
        // Agents that sleep between transactions, or run at a given rate, are no closed loop.
        "Sleep time" => now.is_open_loop |= value.split(',').any(is_set),
        "Throttle" => now.is_open_loop |= is_set(value),
        _ if name.ends_with("Scale factor") && now.workload.as_deref() == Some("tpcc") => {
            put(now, FigureKind::Warehouses, number(value));
        }
        _ => {}
    }
}

/// The name of a script without its folder and extension.
fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn measured(now: &mut PublishedResult, (at, line): Line<'_>) {
    if let Some((_, progress)) = line.split_once("[Progress] ") {
        let mut parts = progress.split(", ");
        let (seconds, rates) = (parts.next().and_then(number), parts.next().map(each));
        if let (Some(seconds), Some(rates)) = (seconds, rates) {
            now.periods.push((seconds.value, rates.iter().map(|rate| rate.value).sum()));
        }
    } else if let Some((_, counts)) = line.split_once("[Total tx count] ") {
        now.line = at;
        let counts = each(counts);
        put(now, FigureKind::Transactions, sum(&counts));
        // The first type of its TPC-C is New-Order.
        let seconds = now.get(FigureKind::Seconds).filter(|seconds| *seconds > 0.0);
        if let ([new_orders, _, _, _, _], Some(seconds), Some("tpcc")) = (&counts[..], seconds, now.workload.as_deref())
        {
            let per_minute = new_orders.times(60.0 / seconds);
            put(now, FigureKind::NewOrders, Some(*new_orders));
            put(now, FigureKind::Nopm, Some(per_minute));
        }
    } else if let Some((_, rates)) = line.split_once("[Throughput] ") {
        put(now, FigureKind::Tps, sum(&each(rates)));
    } else if let Some((name, times)) = line.split_once("[Response time (").and_then(|(_, rest)| rest.split_once(")] "))
    {
        // Times of several types cannot be joined.
        if let ([time], Some((_, kind))) = (&each(times)[..], TIMES.iter().find(|(of, _)| *of == name)) {
            put(now, *kind, Some(*time));
        }
    }
}

/// A remark on response times of several types: those of all transactions cannot be had from them.
pub(super) fn times_left_out(text: &str, file: &str) -> Option<Message> {
    if !has(text, "[Response time (") {
        return None;
    }
    let times = text.lines().filter_map(|line| line.split_once("[Response time (")?.1.split_once(")] "));
    let types = { times }.map(|(_, times)| each(times).len()).max().filter(|types| *types > 1)?;
    Some(msg!("published-times-of-types", file, types))
}

/// The numbers of all types: `264.4,264.4,26.4,26.4,26.4 tps`.
fn each(text: &str) -> Vec<Quantity> {
    let numbers = text.split_whitespace().next().unwrap_or_default();
    numbers.split(',').map_while(number).collect()
}

fn sum(all: &[Quantity]) -> Option<Quantity> {
    let add = |a: Quantity, b: Quantity| Quantity { value: a.value + b.value, half: a.half + b.half };
    all.iter().copied().reduce(add)
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Clients, Max, Nopm, Percentile, Tps, Transactions};
    use crate::logs;
    use crate::result::Published;

    fn log(script: &str, sleep: &str, end: &str) -> Published {
        let text = format!(
            "13:23:21 [INFO ] > JdbcRunner 1.3.1\n13:23:21 [INFO ] [Config]\nScript filename      : ../scripts/{script}.js\n\
             JDBC URL             : jdbc:mysql://localhost:3306/x\nMeasurement time     : 60 sec\nNumber of agents     : 16\n\
             Sleep time           : {sleep} msec\nThrottle             : - tps (total)\n13:23:23 [INFO ] Scale factor : 4\n\
             13:23:24 [INFO ] [Warmup] -1 sec, 9 tps, (9 tx)\n{end}13:24:30 [INFO ] < JdbcRunner SUCCESS\n"
        );
        logs::read(&text, "jdbcrunner.log").expect("a log")
    }

    #[test]
    fn the_end_of_a_run_is_read() {
        let end = "13:24:29 [INFO ] [Progress] 1 sec, 4014 tps, 4014 tx\n13:24:30 [INFO ] [Progress] 2 sec, 4080 tps, 8094 tx\n\
                   13:24:30 [INFO ] [Total tx count] 242795 tx\n13:24:30 [INFO ] [Throughput] 4046.6 tps\n\
                   13:24:30 [INFO ] [Response time (50%tile)] 4 msec\n13:24:30 [INFO ] [Response time (99%tile)] 7 msec\n\
                   13:24:30 [INFO ] [Response time (maximum)] 10 msec\n";
        let read = log("test", "0", end);
        let run = &read.results[0];
        assert_eq!(
            (run.get(Tps), run.get(Transactions), run.get(Clients)),
            (Some(4046.6), Some(242_795.0), Some(16.0))
        );
        assert_eq!(
            (run.get(Percentile(5000)), run.get(Percentile(9900)), run.get(Max)),
            (Some(4.0), Some(7.0), Some(10.0))
        );
        assert_eq!(run.periods, [(1.0, 4014.0), (2.0, 4080.0)]);
        assert!(!run.is_open_loop && run.workload.as_deref() == Some("test") && read.remarks.is_empty());
        assert!(crate::audit(&read).doubts.is_empty(), "{:?}", crate::audit(&read).doubts);
        assert!(log("test", "5", end).results[0].is_open_loop);
    }

    #[test]
    fn servers_of_several_runs_are_targets() {
        let run = |host: &str| {
            format!(
                "1:1:1 [INFO ] > JdbcRunner 1.3\nJDBC URL    : jdbc:mysql://u:p@{host}:3306/x?a=b\n1:1:2 [INFO ] [Total tx count] 10 tx\n1:1:2 [INFO ] [Throughput] 1.0 tps\n1:1:2 [INFO ] < JdbcRunner SUCCESS\n"
            )
        };
        let targets = |text: &str| {
            logs::read(text, "x").expect("a log").results.into_iter().map(|one| one.target).collect::<Vec<_>>()
        };
        let of = |host: &str| Some(format!("mysql://{host}:3306"));
        assert_eq!(targets(&(run("a") + &run("b"))), [of("a"), of("b")]);
        assert_eq!(targets(&(run("a") + &run("a"))), [None, None]);
    }

    #[test]
    fn types_of_transactions_are_added_and_their_times_are_not() {
        let end = "13:24:30 [INFO ] [Total tx count] 7200,7190,720,719,718 tx\n\
                   13:24:30 [INFO ] [Throughput] 120.0,119.8,12.0,12.0,12.0 tps\n\
                   13:24:30 [INFO ] [Response time (99%tile)] 93,50,8,184,22 msec\n";
        let read = log("tpcc", "0,0,0,0,0", end);
        let run = &read.results[0];
        assert_eq!((run.get(Nopm), run.get(Transactions)), (Some(7200.0), Some(16_547.0)));
        assert!((run.get(Tps).expect("a rate") - 275.8).abs() < 1e-9 && run.get(Percentile(9900)).is_none());
        assert!(read.remarks.iter().any(|remark| remark.is("published-times-of-types")), "{:?}", read.remarks);
    }

    #[test]
    fn runs_without_an_end_are_none() {
        for end in ["", "13:24:30 [INFO ] [Total tx count] x tx\n", "13:24:30 [INFO ] [Throughput] ,1 tps\n"] {
            let text = format!("[Total tx count]\n{end}");
            assert!(logs::read(&text, "x").is_none_or(|read| read.results.is_empty()), "{end}");
        }
    }
}
