//! What CloudWatch says of a managed server and its replicas: means over whole minutes, which it has one to three minutes
//! late. Each is recorded at the end of its minute, by the clock of AWS.
//!
//! Minutes that lie wholly between the start of the observer and now are asked for; after the load the run waits for the
//! last one of the measured window (`lab/src/late.rs`).

use super::{Observer, ObserverEntry, PastSample, Sample, Subject};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::names::cloud_metrics::{MINUTE_MS, MINUTE_S, OBSERVER};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::stop::StopSignal;
use tenbin_servers::cloud::metrics::{self, Metrics, MinuteValue};
use tenbin_servers::cloud::{self, AwsClient};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: OBSERVER,
    readings,
    // Each metric of each request has its price; there is a new figure once a minute.
    period: Some(Duration::from_secs(30)),
    patience: Duration::from_secs(60),
    connects: false,
    make: |subject| {
        let each = subject.managed.iter().map(|server| Server {
            prefix: prefix(server.replica.as_deref()),
            access: server.access.clone(),
            since: unix_s() - server.since.elapsed().as_secs_f64(),
            known: None,
            newest: BTreeMap::new(),
            inactive: false,
            fails: false,
        });
        let all = CloudWatch { servers: each.collect(), clock: None };
        (!all.servers.is_empty()).then(|| Box::new(all) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

/// A metric: its name in CloudWatch, its unit, and what it is, in English and Japanese.
type Metric = (&'static str, &'static str, &'static str, &'static str);

/// Of every instance.
///
/// Source: <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-metrics.html>.
const OF_INSTANCES: &[Metric] = &[
    ("CPUUtilization", "%", "processor use", "CPU 使用率"),
    ("DatabaseConnections", "", "connections", "接続数"),
    ("FreeableMemory", "bytes", "available memory", "利用可能メモリー"),
    ("SwapUsage", "bytes", "swap space in use", "スワップ使用量"),
    ("FreeStorageSpace", "bytes", "free storage", "ストレージの空き"),
    ("ReadIOPS", "1/s", "reads per second", "毎秒の読み取り"),
    ("WriteIOPS", "1/s", "writes per second", "毎秒の書き込み"),
    ("ReadLatency", "s", "time of a read", "読み取り 1 回の時間"),
    ("WriteLatency", "s", "time of a write", "書き込み 1 回の時間"),
    ("ReadThroughput", "bytes/s", "bytes read per second", "毎秒の読み取りバイト数"),
    ("WriteThroughput", "bytes/s", "bytes written per second", "毎秒の書き込みバイト数"),
    ("DiskQueueDepth", "", "requests waiting for the storage", "ストレージを待つ要求"),
    ("BurstBalance", "%", "remaining burst credit of the storage", "ストレージのバーストクレジット残量"),
    ("NetworkReceiveThroughput", "bytes/s", "received over the network", "ネットワーク受信"),
    ("NetworkTransmitThroughput", "bytes/s", "sent over the network", "ネットワーク送信"),
    (REPLICA_LAG, "s", "lag of this replica", "このレプリカの遅延"),
    ("BinLogDiskUsage", "bytes", "disk use of the binary logs", "バイナリーログのディスク使用量"),
];

/// Of instances of Aurora MySQL besides.
///
/// Source: <https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Aurora.AuroraMonitoring.Metrics.html>.
const OF_AURORA: &[Metric] = &[
    ("AuroraReplicaLag", "ms", "lag of this reader", "このリーダーの遅延"),
    ("AuroraBinlogReplicaLag", "s", "lag by the binary log", "バイナリーログによる遅延"),
    ("CommitLatency", "ms", "time of a commit", "コミット 1 回の時間"),
    ("CommitThroughput", "1/s", "commits per second", "毎秒のコミット"),
    ("Queries", "1/s", "queries per second", "毎秒のクエリー"),
    ("Deadlocks", "1/s", "deadlocks per second", "毎秒のデッドロック"),
    ("BufferCacheHitRatio", "%", "hits in the buffer cache", "バッファーキャッシュのヒット率"),
    ("RollbackSegmentHistoryListLength", "", "undo logs that are not purged", "パージされていない undo ログ"),
    ("SumBinaryLogSize", "bytes", "size of the binary logs", "バイナリーログのサイズ"),
];

/// -1 if the replica does not replicate.
const REPLICA_LAG: &str = "ReplicaLag";

fn readings(subject: &Subject) -> Vec<ReadingSpec> {
    let of = |replica: Option<&str>| {
        let (prefix, whose) = (prefix(replica), if replica.is_some() { Whose::Replica } else { Whose::Server });
        let spec = move |(name, unit, en, ja): &Metric| {
            let (name, unit) = (format!("{prefix}{name}"), *unit);
            let (en, ja) = match replica {
                Some(replica) => {
                    (format!("{name}: {en} ({replica}, CloudWatch)"), format!("{name}: {ja}({replica}、CloudWatch)"))
                }
                None => (format!("{name}: {en} (CloudWatch)"), format!("{name}: {ja}(CloudWatch)")),
            };
            ReadingSpec::gauge(name, unit, whose).label(en, ja).mean_over(MINUTE_MS)
        };
        OF_INSTANCES.iter().chain(OF_AURORA).map(spec).collect::<Vec<_>>()
    };
    subject.managed.iter().flat_map(|server| of(server.replica.as_deref())).collect()
}

/// What the names of the readings of a replica begin with.
fn prefix(replica: Option<&str>) -> String {
    replica.map(|name| format!("{name}.")).unwrap_or_default()
}

/// All managed servers of a target.
struct CloudWatch {
    servers: Vec<Server>,
    /// The clocks at the first answer: ours, and that of AWS in seconds since 1970.
    clock: Option<(Instant, f64)>,
}

struct Server {
    prefix: String,
    access: CloudAccess,
    /// From when on its figures are asked for, by the clock of this machine: seconds since 1970.
    since: f64,
    /// Once it was described: the way to it, its identifier, and the metrics that it has.
    known: Option<(AwsClient, String, Vec<&'static str>)>,
    /// The start of the newest minute that was recorded of each metric.
    newest: BTreeMap<&'static str, i64>,
    /// Whether it was reported that it does not replicate.
    inactive: bool,
    /// Whether the last request failed.
    fails: bool,
}

/// Figures that come later than this after a newer one of another metric are not asked for any more.
const LATE_S: i64 = 900;

impl Observer for CloudWatch {
    /// Fails only if no server can be asked: of one of several the others' figures remain.
    fn read(&mut self) -> Result<Sample, Problem> {
        let (mut minutes, mut notes, mut failures) = (Minutes::new(), Vec::new(), Vec::new());
        for at in 0..self.servers.len() {
            let now = self.now();
            match self.servers[at].ask(now) {
                Ok(metrics) => {
                    // The clock of AWS is given in whole seconds.
                    let theirs = metrics.unix_s.map_or(now, |unix_s| unix_s as f64 + 0.5);
                    self.clock.get_or_insert((Instant::now(), theirs));
                    notes.extend(self.servers[at].take(metrics, theirs, &mut minutes));
                }
                Err(problem) => failures.push((at, problem)),
            }
        }
        if failures.len() == self.servers.len()
            && let Some((_, problem)) = failures.pop()
        {
            return Err(problem);
        }
        for (at, server) in self.servers.iter_mut().enumerate() {
            let failure = failures.iter().find(|(failed, _)| *failed == at).map(|(_, problem)| problem.clone());
            let was_failing = std::mem::replace(&mut server.fails, failure.is_some());
            notes.extend(failure.filter(|_| !was_failing));
        }
        let past = minutes.into_iter().filter_map(|(end, values)| Some(PastSample { at: self.at(end)?, values }));
        Ok(Sample { past: Some(past.collect()), notes, ..Sample::default() })
    }
}

/// Values by the names of readings, by the end of their minute in seconds since 1970.
type Minutes = BTreeMap<i64, BTreeMap<String, f64>>;

impl CloudWatch {
    /// Seconds since 1970 by the clock of AWS, or by ours before the first answer.
    fn now(&self) -> f64 {
        self.clock.map_or_else(unix_s, |(at, theirs)| theirs + at.elapsed().as_secs_f64())
    }

    /// A time of AWS on the clock of this machine.
    fn at(&self, unix_s: i64) -> Option<Instant> {
        let (at, theirs) = self.clock?;
        let apart = Duration::from_secs_f64((unix_s as f64 - theirs).abs());
        if (unix_s as f64) < theirs { at.checked_sub(apart) } else { at.checked_add(apart) }
    }
}

impl Server {
    /// What CloudWatch has since the last time; `now` is by the clock of AWS.
    fn ask(&mut self, now: f64) -> Result<Metrics, Problem> {
        let first = (self.since / MINUTE_S as f64).ceil() as i64 * MINUTE_S;
        let from = self.newest.values().max().map_or(first, |newest| (newest - LATE_S).max(first));
        let (client, instance, names) = self.reached()?;
        metrics::of_instance(client, instance, names, (from, now as i64))
    }

    /// Adds what is new to the minutes, and returns what the user should know.
    fn take(&mut self, metrics: Metrics, theirs: f64, minutes: &mut Minutes) -> Option<Problem> {
        let was_inactive = self.inactive;
        for (name, course) in metrics.values {
            let newest = self.newest.get(name).copied().unwrap_or(i64::MIN);
            // The clock of this machine may be ahead.
            let whole = |minute: &MinuteValue| ((minute.from_unix_s + MINUTE_S) as f64) < theirs + 1.0;
            for minute in course.into_iter().filter(|minute| minute.from_unix_s > newest && whole(minute)) {
                self.newest.insert(name, minute.from_unix_s);
                if name == REPLICA_LAG && minute.value < 0.0 {
                    self.inactive = true;
                    continue;
                }
                let values = minutes.entry(minute.from_unix_s + MINUTE_S).or_default();
                values.insert(format!("{}{name}", self.prefix), minute.value);
            }
        }
        let name = self.access.name();
        (self.inactive && !was_inactive).then(|| Problem::new(msg!("cloudwatch-replication-inactive", name)))
    }

    /// The way to it, which is looked for until it is found.
    fn reached(&mut self) -> Result<(&mut AwsClient, &str, &[&'static str]), Problem> {
        let (client, name, metrics) = match self.known.take() {
            Some(known) => self.known.insert(known),
            None => {
                // It ends with the observer: no stop reaches it.
                let stop = StopSignal::new();
                let server = cloud::describe(&self.access, &stop)?.instance;
                let more = if server.engine.starts_with("aurora") { OF_AURORA } else { &[] };
                let metrics = OF_INSTANCES.iter().chain(more).map(|(name, ..)| *name).collect();
                self.known.insert((AwsClient::new(&self.access, &stop)?, server.name, metrics))
            }
        };
        Ok((client, name, metrics))
    }
}

fn unix_s() -> f64 {
    jiff::Timestamp::now().as_millisecond() as f64 / 1e3
}
