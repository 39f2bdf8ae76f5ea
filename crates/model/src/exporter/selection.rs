//! Which series of an exporter are recorded. An exporter offers hundreds; without `names` in the plan those are recorded
//! which explain the figures of a database, of the exporters that are known.

use crate::exposition::{Exposition, MetricKind, MetricSample, series};
use crate::reading::{ReadingSpec, Whose};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tenbin_words::text::{is_like, visible};

/// What is recorded of one scrape.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExporterReadings {
    /// The declarations and values, in the order of the names.
    pub readings: Vec<(ReadingSpec, f64)>,
    /// The number of series that the exporter offers.
    pub offered: usize,
    /// The number of those that were chosen and are more than are recorded, or have too long a name.
    pub left_out: usize,
}

/// Most series of an exporter that are recorded.
const MOST: usize = 500;
/// The same of an exporter that is not known, without `names`.
const MOST_UNKNOWN: usize = 100;
/// Most bytes of a name.
const LONGEST_NAME: usize = 200;

/// An exporter that is known: what its names begin with, and patterns of the series that are recorded.
struct KnownExporter {
    start: &'static str,
    series: &'static [&'static str],
}

/// By default all others of these exporters are left out, also those about the exporter itself.
const KNOWN: &[KnownExporter] = &[
    KnownExporter {
        start: "node_",
        series: &[
            "node_cpu_seconds_total",
            "node_load1",
            "node_procs_blocked",
            "node_procs_running",
            "node_context_switches_total",
            "node_memory_MemAvailable_bytes",
            "node_memory_Dirty_bytes",
            "node_memory_Writeback_bytes",
            "node_vmstat_pgmajfault",
            "node_vmstat_pswp*",
            "node_pressure_*",
            "node_disk_reads_completed_total",
            "node_disk_writes_completed_total",
            "node_disk_read_bytes_total",
            "node_disk_written_bytes_total",
            "node_disk_read_time_seconds_total",
            "node_disk_write_time_seconds_total",
            "node_disk_flush_requests_total",
            "node_disk_flush_requests_time_seconds_total",
            "node_disk_io_time_seconds_total",
            "node_disk_io_time_weighted_seconds_total",
            "node_network_receive_bytes_total",
            "node_network_transmit_bytes_total",
            "node_netstat_Tcp_RetransSegs",
        ],
    },
    KnownExporter {
        start: "mysql_",
        series: &[
            "mysql_up",
            "mysql_global_status_commands_total{command=\"begin\"}",
            "mysql_global_status_commands_total{command=\"commit\"}",
            "mysql_global_status_commands_total{command=\"delete\"}",
            "mysql_global_status_commands_total{command=\"insert\"}",
            "mysql_global_status_commands_total{command=\"rollback\"}",
            "mysql_global_status_commands_total{command=\"select\"}",
            "mysql_global_status_commands_total{command=\"stmt_execute\"}",
            "mysql_global_status_commands_total{command=\"update\"}",
            "mysql_global_status_connection_errors_total*",
            "mysql_global_status_innodb_row_ops_total*",
            "mysql_global_status_buffer_pool_pages*",
            "mysql_global_status_buffer_pool_dirty_pages",
            "mysql_global_status_threads_connected",
            "mysql_global_status_threads_running",
            "mysql_global_status_innodb_row_lock_current_waits",
            "mysql_global_status_innodb_history_list_length",
            "mysql_global_status_innodb_checkpoint_age",
            "mysql_slave_status_seconds_behind_master*",
            "mysql_slave_status_slave_*_running*",
        ],
    },
    KnownExporter {
        start: "pg_",
        series: &[
            "pg_up",
            "pg_locks_count*",
            "pg_replication_lag*",
            "pg_stat_activity_count*",
            "pg_stat_activity_max_tx_duration*",
            "pg_stat_bgwriter_*",
            "pg_stat_checkpointer_*",
            "pg_stat_database_*",
            "pg_stat_replication_*lag*",
            "pg_stat_wal_*",
        ],
    },
];

/// What the exporters say of themselves and of their own processes.
const OWN: &[&str] = &["go_*", "process_*", "promhttp_*", "python_*", "jvm_*", "scrape_*", "*_build_info", "*_info"];

/// Sums to which their exporter gives no type. Everything else without a type is recorded as it is.
const COUNTERS: &[&str] = &[
    "mysql_global_status_aborted_*",
    "mysql_global_status_bytes_*",
    "mysql_global_status_connections",
    "mysql_global_status_created_tmp_*",
    "mysql_global_status_innodb_buffer_pool_read_requests",
    "mysql_global_status_innodb_buffer_pool_reads",
    "mysql_global_status_innodb_buffer_pool_wait_free",
    "mysql_global_status_innodb_buffer_pool_write_requests",
    "mysql_global_status_innodb_data_fsyncs",
    "mysql_global_status_innodb_data_read*",
    "mysql_global_status_innodb_data_writes",
    "mysql_global_status_innodb_data_written",
    "mysql_global_status_innodb_deadlocks",
    "mysql_global_status_innodb_log_waits",
    "mysql_global_status_innodb_log_write*",
    "mysql_global_status_innodb_os_log_fsyncs",
    "mysql_global_status_innodb_os_log_written",
    "mysql_global_status_innodb_row_lock_time",
    "mysql_global_status_innodb_row_lock_waits",
    "mysql_global_status_opened_tables",
    "mysql_global_status_queries",
    "mysql_global_status_questions",
    "mysql_global_status_select_*",
    "mysql_global_status_slow_queries",
    "mysql_global_status_sort_*",
    "mysql_global_status_table_locks_*",
    "node_netstat_*",
    "node_vmstat_pg*",
    "node_vmstat_psw*",
];

/// Series of which by default the sum over a label is recorded: a machine may have hundreds of processors.
const SUMMED: &[(&str, &str)] = &[("node_cpu_seconds_total", "cpu")];

/// Labels and values of series that are left out by default: loopback, devices in memory, templates of databases.
const UNINTERESTING: &[(&str, &str)] =
    &[("device", "lo"), ("device", "loop*"), ("device", "ram*"), ("device", "zram*"), ("datname", "template*")];

/// Units of series whose names do not end with them.
const UNITS: &[(&str, &str)] = &[
    ("mysql_global_status_bytes_*", "bytes"),
    ("mysql_global_status_innodb_checkpoint_age", "bytes"),
    ("mysql_global_status_innodb_data_read", "bytes"),
    ("mysql_global_status_innodb_data_written", "bytes"),
    ("mysql_global_status_innodb_os_log_written", "bytes"),
    ("mysql_global_status_innodb_row_lock_time", "ms"),
];

/// The series that are recorded: those that have one of the patterns `names`, or without them a choice. A pattern with
/// `{` is compared with the name and the labels, any other with the name alone.
pub fn select(exposition: &Exposition<'_>, names: &[String]) -> ExporterReadings {
    let choice = SeriesRule::of(exposition, names);
    let mut chosen: BTreeMap<String, (ReadingSpec, f64)> = BTreeMap::new();
    let mut too_long = 0;
    for sample in exposition.samples.iter().filter(|sample| choice.has(sample)) {
        let summed = SUMMED.iter().find(|(name, _)| names.is_empty() && *name == sample.name).map(|(_, label)| *label);
        let labels = sample.labels.iter().filter(|(label, _)| Some(*label) != summed);
        let name = series(sample.name, labels.map(|(label, value)| (*label, &**value)));
        if name.len() > LONGEST_NAME {
            too_long += 1;
        } else if sample.value.is_finite() {
            let spec = || spec(visible(&name).into_owned(), sample);
            let (_, value) = chosen.entry(name.clone()).or_insert_with(|| (spec(), 0.0));
            *value = if summed.is_some() { *value + sample.value } else { sample.value };
        }
    }
    let readings: Vec<_> = chosen.into_values().collect();
    let left_out = too_long + readings.len().saturating_sub(choice.most());
    let readings = readings.into_iter().take(choice.most()).collect();
    ExporterReadings { readings, offered: exposition.samples.len(), left_out }
}

/// What decides whether a series is recorded.
enum SeriesRule<'a> {
    /// The patterns of the plan.
    Named(&'a [String]),
    /// The patterns of these exporters.
    Known(Vec<&'a KnownExporter>),
    /// The exporter is not known.
    Unknown,
}

impl<'a> SeriesRule<'a> {
    fn of(exposition: &Exposition<'_>, names: &'a [String]) -> SeriesRule<'a> {
        if !names.is_empty() {
            return SeriesRule::Named(names);
        }
        let offers = |known: &&KnownExporter| exposition.samples.iter().any(|s| s.name.starts_with(known.start));
        let known: Vec<_> = KNOWN.iter().filter(offers).collect();
        if known.is_empty() { SeriesRule::Unknown } else { SeriesRule::Known(known) }
    }

    fn has(&self, sample: &MetricSample<'_>) -> bool {
        let labels = || sample.labels.iter().map(|(label, value)| (*label, &**value));
        let is = |pattern: &str| match pattern.split_once('{') {
            // The whole series is written only if its name can be the one.
            Some((name, _)) => is_like(name, sample.name) && is_like(pattern, &series(sample.name, labels())),
            None => is_like(pattern, sample.name),
        };
        match self {
            SeriesRule::Named(patterns) => patterns.iter().any(|pattern| is(pattern)),
            SeriesRule::Known(known) => {
                let here = known.iter().find(|known| sample.name.starts_with(known.start));
                let listed = |known: &&KnownExporter| {
                    let untyped_sum = sample.kind == MetricKind::Unknown && is_counter(sample);
                    known.series.iter().any(|pattern| is(pattern)) || (untyped_sum && known.start == "mysql_")
                };
                here.is_some_and(listed) && !is_uninteresting(sample)
            }
            SeriesRule::Unknown => !OWN.iter().any(|pattern| is(pattern)),
        }
    }

    fn most(&self) -> usize {
        if matches!(self, SeriesRule::Unknown) { MOST_UNKNOWN } else { MOST }
    }
}

fn is_uninteresting(sample: &MetricSample<'_>) -> bool {
    let has = |label: &(&str, Cow<'_, str>)| {
        UNINTERESTING.iter().any(|(name, value)| label.0 == *name && is_like(value, &label.1))
    };
    sample.labels.iter().any(has)
}

fn is_counter(sample: &MetricSample<'_>) -> bool {
    match sample.kind {
        MetricKind::Counter => true,
        MetricKind::Gauge => false,
        MetricKind::Unknown => COUNTERS.iter().any(|pattern| is_like(pattern, sample.name)),
    }
}

/// The declaration. By convention the unit is at the end of the name of a metric.
fn spec(name: String, sample: &MetricSample<'_>) -> ReadingSpec {
    let base = sample.name.strip_suffix("_total").unwrap_or(sample.name);
    let unit = match base {
        _ if base.ends_with("_seconds") || base.ends_with("_seconds_sum") => "s",
        _ if base.ends_with("_bytes") || base.ends_with("_bytes_sum") => "bytes",
        _ => UNITS.iter().find(|(pattern, _)| is_like(pattern, base)).map_or("", |(_, unit)| unit),
    };
    match is_counter(sample) {
        true => ReadingSpec::counter(name, unit, Whose::Server),
        false => ReadingSpec::gauge(name, unit, Whose::Server),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposition::read;

    fn chosen(text: &str, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let selected = select(&read(text).unwrap(), &names);
        let line = |(spec, value): &(ReadingSpec, f64)| {
            format!("{} {} [{}] {value}\n", spec.kind.name(), spec.name, spec.unit)
        };
        let lines: String = selected.readings.iter().map(line).collect();
        format!("{lines}of {}, left out {}", selected.offered, selected.left_out)
    }

    const NODE: &str = r#"# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 10
node_cpu_seconds_total{cpu="1",mode="idle"} 20.5
node_cpu_seconds_total{cpu="0",mode="user"} 1
# TYPE node_memory_Dirty_bytes gauge
node_memory_Dirty_bytes 4096
# TYPE node_network_receive_bytes_total counter
node_network_receive_bytes_total{device="eth0"} 7
node_network_receive_bytes_total{device="lo"} 9
# TYPE node_disk_read_bytes_total counter
node_disk_read_bytes_total{device="zram0"} 0
# TYPE node_netstat_Tcp_RetransSegs untyped
node_netstat_Tcp_RetransSegs 5
# TYPE node_timex_offset_seconds gauge
node_timex_offset_seconds -0.5
# TYPE go_goroutines gauge
go_goroutines 8
node_load1 NaN
"#;

    #[test]
    fn a_known_exporter_has_a_choice_and_names_have_their_own() {
        insta::assert_snapshot!(chosen(NODE, &[]), @r#"
        counter node_cpu_seconds_total{mode="idle"} [s] 30.5
        counter node_cpu_seconds_total{mode="user"} [s] 1
        gauge node_memory_Dirty_bytes [bytes] 4096
        counter node_netstat_Tcp_RetransSegs [] 5
        counter node_network_receive_bytes_total{device="eth0"} [bytes] 7
        of 11, left out 0
        "#);
        insta::assert_snapshot!(chosen(NODE, &["node_timex_*", "*{cpu=\"1\",*"]), @r#"
        counter node_cpu_seconds_total{cpu="1",mode="idle"} [s] 20.5
        gauge node_timex_offset_seconds [s] -0.5
        of 11, left out 0
        "#);
        assert_eq!(chosen(NODE, &["nothing"]), "of 11, left out 0");
    }

    #[test]
    fn an_exporter_that_is_not_known_is_recorded_up_to_a_limit() {
        let mut text = String::from("# TYPE go_threads gauge\ngo_threads 1\napp_build_info{version=\"1\"} 1\n");
        for n in 0..150 {
            text += &format!("app_requests_total{{path=\"/{n}\"}} {n}\n");
        }
        text += &format!("app_depth{{query=\"{}\"}} 1\n", "x".repeat(300));
        let of = |names: &[&str]| chosen(&text, names).lines().count();
        assert_eq!(chosen(&text, &[]).lines().last(), Some("of 153, left out 51"));
        assert_eq!((of(&[]), of(&["app_requests_*"]), of(&["go_*", "*_info"])), (101, 151, 3));
    }

    #[test]
    fn sums_of_mysqld_exporter_without_a_type_are_counters() {
        let text = "# TYPE mysql_global_status_questions untyped\nmysql_global_status_questions 7\n\
                    # TYPE mysql_global_status_threads_running untyped\nmysql_global_status_threads_running 2\n\
                    # TYPE mysql_global_status_bytes_sent untyped\nmysql_global_status_bytes_sent 100\n\
                    # TYPE mysql_global_status_innodb_row_lock_time untyped\nmysql_global_status_innodb_row_lock_time 3\n\
                    # TYPE mysql_global_status_uptime untyped\nmysql_global_status_uptime 9\n\
                    # TYPE mysql_global_status_commands_total counter\n\
                    mysql_global_status_commands_total{command=\"select\"} 5\n\
                    mysql_global_status_commands_total{command=\"alter_db\"} 5\n";
        insta::assert_snapshot!(chosen(text, &[]), @r#"
        counter mysql_global_status_bytes_sent [bytes] 100
        counter mysql_global_status_commands_total{command="select"} [] 5
        counter mysql_global_status_innodb_row_lock_time [ms] 3
        counter mysql_global_status_questions [] 7
        gauge mysql_global_status_threads_running [] 2
        of 7, left out 0
        "#);
    }
}
