//! What a published figure says: throughput, a response time, a count.

use std::borrow::Cow;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The meaning of a figure. Its unit is fixed: response times in milliseconds, durations in seconds, rates per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FigureKind {
    /// Concurrent clients: threads, connections, virtual users.
    Clients,
    /// Transactions per second.
    Tps,
    /// Statements per second.
    Qps,
    /// New-Orders per minute, as tpmC and NOPM.
    Nopm,
    /// Transactions of all types per minute.
    Tpm,
    /// Completed in each period of [`FigureKind::Period`], the mean.
    PerPeriod,
    /// The shortest response time, ms.
    Min,
    /// The mean response time, ms.
    Mean,
    /// A percentile of the response time, ms; in hundredths of a percent, 9900 for p99.
    Percentile(u16),
    /// The longest response time, ms.
    Max,
    /// The duration of the measurement, or the time that a fixed number of queries took, s.
    Seconds,
    /// The mean of the times that the repeats of a fixed number of queries took, s.
    MeanSeconds,
    /// The shortest of them, s.
    MinSeconds,
    /// The longest of them, s.
    MaxSeconds,
    /// Queries that each client sent.
    QueriesPerClient,
    /// Statements that read.
    Reads,
    /// Statements that write.
    Writes,
    /// Statements that do neither, such as COMMIT.
    Others,
    /// All statements.
    Queries,
    /// Completed transactions.
    Transactions,
    /// Completed New-Orders.
    NewOrders,
    /// A sum of which the table does not say what was counted.
    Total,
    /// A figure beside clients of which no word of its table says what it is.
    Unstated,
    /// Failed transactions.
    Failed,
    /// Transactions that were started again after an error, such as sysbench's ignored errors.
    Retried,
    /// The sum of all response times, ms.
    Sum,
    /// Transactions of each client, the mean.
    EventsPerClient,
    /// Their standard deviation.
    EventsDeviation,
    /// The time that each client spent in transactions, the mean, s.
    ClientSeconds,
    /// Its standard deviation, s.
    ClientSecondsDeviation,
    /// A standard deviation.
    Deviation,
    /// The length of the periods of [`FigureKind::PerPeriod`], s.
    Period,
    /// The number of warehouses of TPC-C.
    Warehouses,
}

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// A number, or a number per second.
    Number,
}

impl FigureKind {
    /// By the name that `words.txt` has for it.
    pub(crate) fn named(name: &str) -> Option<FigureKind> {
        Some(match name {
            "clients" => FigureKind::Clients,
            "tps" => FigureKind::Tps,
            "qps" => FigureKind::Qps,
            "min" => FigureKind::Min,
            "mean" => FigureKind::Mean,
            "max" => FigureKind::Max,
            "seconds" => FigureKind::Seconds,
            "queries-per-client" => FigureKind::QueriesPerClient,
            "reads" => FigureKind::Reads,
            "writes" => FigureKind::Writes,
            "others" => FigureKind::Others,
            "queries" => FigureKind::Queries,
            "total" => FigureKind::Total,
            "transactions" => FigureKind::Transactions,
            "failed" => FigureKind::Failed,
            "retried" => FigureKind::Retried,
            "sum" => FigureKind::Sum,
            "new-orders" => FigureKind::NewOrders,
            "nopm" => FigureKind::Nopm,
            "tpm" => FigureKind::Tpm,
            "deviation" => FigureKind::Deviation,
            "events-per-client" => FigureKind::EventsPerClient,
            "events-deviation" => FigureKind::EventsDeviation,
            "client-seconds" => FigureKind::ClientSeconds,
            "client-seconds-deviation" => FigureKind::ClientSecondsDeviation,
            _ => return None,
        })
    }

    /// What it is measured in.
    pub fn measure(self) -> Measure {
        use FigureKind::{
            ClientSeconds, ClientSecondsDeviation, Max, MaxSeconds, Mean, MeanSeconds, Min, MinSeconds, Percentile,
            Period, Seconds, Sum,
        };
        match self {
            Min | Mean | Percentile(_) | Max | Sum => Measure::Milliseconds,
            Seconds | MeanSeconds | MinSeconds | MaxSeconds | ClientSeconds | ClientSecondsDeviation | Period => {
                Measure::Seconds
            }
            _ => Measure::Number,
        }
    }

    /// The fixed name, for programs.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            FigureKind::Percentile(_) => return Cow::Owned(format!("{}_ms", self.percentile_name())),
            FigureKind::Clients => "clients",
            FigureKind::Tps => "tps",
            FigureKind::Qps => "qps",
            FigureKind::Nopm => "nopm",
            FigureKind::Tpm => "tpm",
            FigureKind::PerPeriod => "per_period",
            FigureKind::Min => "min_ms",
            FigureKind::Mean => "mean_ms",
            FigureKind::Max => "max_ms",
            FigureKind::Seconds => "seconds",
            FigureKind::MeanSeconds => "mean_s",
            FigureKind::MinSeconds => "min_s",
            FigureKind::MaxSeconds => "max_s",
            FigureKind::QueriesPerClient => "queries_per_client",
            FigureKind::Reads => "reads",
            FigureKind::Writes => "writes",
            FigureKind::Others => "others",
            FigureKind::Queries => "queries",
            FigureKind::Transactions => "transactions",
            FigureKind::NewOrders => "new_orders",
            FigureKind::Total => "total",
            FigureKind::Unstated => "unstated",
            FigureKind::Failed => "failed",
            FigureKind::Retried => "retried",
            FigureKind::Sum => "sum_ms",
            FigureKind::EventsPerClient => "events_per_client",
            FigureKind::EventsDeviation => "events_deviation",
            FigureKind::ClientSeconds => "client_s",
            FigureKind::ClientSecondsDeviation => "client_deviation_s",
            FigureKind::Deviation => "deviation",
            FigureKind::Period => "period_s",
            FigureKind::Warehouses => "warehouses",
        })
    }

    /// `p99`, `p99.9`; of others nothing.
    pub fn percentile_name(self) -> String {
        let FigureKind::Percentile(hundredths) = self else { return String::new() };
        format!("p{}", f64::from(hundredths) / 100.0)
    }

    /// What it is called in sentences.
    pub fn words(self) -> Message {
        match self {
            FigureKind::Percentile(_) => tenbin_words::message::foreign(self.percentile_name()),
            FigureKind::Clients => msg!("published-clients"),
            FigureKind::Tps => msg!("published-tps"),
            FigureKind::Qps => msg!("published-qps"),
            FigureKind::Nopm => msg!("published-nopm"),
            FigureKind::Tpm => msg!("published-tpm"),
            FigureKind::PerPeriod => msg!("published-per-period"),
            FigureKind::Min => msg!("published-min"),
            FigureKind::Mean => msg!("published-mean"),
            FigureKind::Max => msg!("published-max"),
            FigureKind::Seconds => msg!("published-seconds"),
            FigureKind::MeanSeconds => msg!("published-mean-seconds"),
            FigureKind::MinSeconds => msg!("published-min-seconds"),
            FigureKind::MaxSeconds => msg!("published-max-seconds"),
            FigureKind::QueriesPerClient => msg!("published-queries-per-client"),
            FigureKind::Reads => msg!("published-reads"),
            FigureKind::Writes => msg!("published-writes"),
            FigureKind::Others => msg!("published-others"),
            FigureKind::Queries => msg!("published-queries"),
            FigureKind::Transactions => msg!("published-transactions"),
            FigureKind::NewOrders => msg!("published-new-orders"),
            FigureKind::Total => msg!("published-total"),
            FigureKind::Unstated => msg!("published-unstated"),
            FigureKind::Failed => msg!("published-failed"),
            FigureKind::Retried => msg!("published-retried"),
            FigureKind::Sum => msg!("published-sum"),
            FigureKind::EventsPerClient => msg!("published-events-per-client"),
            FigureKind::EventsDeviation => msg!("published-events-deviation"),
            FigureKind::ClientSeconds => msg!("published-client-seconds"),
            FigureKind::ClientSecondsDeviation => msg!("published-client-seconds-deviation"),
            FigureKind::Deviation => msg!("published-deviation"),
            FigureKind::Period => msg!("published-period"),
            FigureKind::Warehouses => msg!("published-warehouses"),
        }
    }
}
