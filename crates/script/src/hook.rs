//! The reports of sysbench that a script may replace with its own.

/// Which of sysbench's reports a script replaces with its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hook {
    /// `sysbench.hooks.report_intermediate`
    Intermediate,
    /// `sysbench.hooks.report_cumulative`
    Cumulative,
}

/// The values passed to a report hook, under sysbench's names (`time_interval`, `latency_pct` in seconds, …).
pub type Stat<'a> = [(&'a str, f64)];

impl Hook {
    /// Its name in a script.
    pub fn name(self) -> &'static str {
        match self {
            Hook::Intermediate => "report_intermediate",
            Hook::Cumulative => "report_cumulative",
        }
    }
}
