//! What the null server can be told to do.

use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

/// A MySQL server that answers at once with canned rows, for measuring clients. Any account and password is let in.
///
/// `SHOW NULL_SERVER STATUS` tells queries and residence times, `RESET NULL_SERVER` sets them to zero; the same figures
/// are printed as JSON when the server is stopped by Ctrl-C or SIGTERM.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "tenbin-null-server",
    version,
    after_help = "Examples:
  tenbin-null-server --port 3399
  tenbin-null-server --delay 20ms                                every answer takes 20 ms
  tenbin-null-server --delay 20ms --delay-tail 2.5               20 ms on average, a few many times as long
  tenbin-null-server --stall-every 5s --stall-for 500ms          nothing is answered for half a second in every five
  tenbin-null-server --error-rate 0.01 --error-code 1213         one statement in a hundred is a deadlock"
)]
pub struct Options {
    /// TCP port on 127.0.0.1; 0 takes a free one. It is printed as `listening on 127.0.0.1:PORT`
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Listen on this Unix socket too
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Hold the answer to every statement back for this long
    #[arg(long, default_value = "0", value_parser = duration)]
    pub delay: Duration,
    /// Delays vary, as a Pareto distribution of this shape (above 1; 2.5: one in 316 is six times the mean) whose mean is --delay
    #[arg(long, value_name = "SHAPE", value_parser = shape, requires = "delay")]
    pub delay_tail: Option<f64>,
    /// Stop answering once in this time (needs --stall-for)
    #[arg(long, value_parser = duration, requires = "stall_for")]
    pub stall_every: Option<Duration>,
    /// How long such a stall lasts
    #[arg(long, value_parser = duration, requires = "stall_every")]
    pub stall_for: Option<Duration>,
    /// Share of statements that end with an error, 0 to 1; which ones depends on --seed alone
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub error_rate: f64,
    /// The error they end with
    #[arg(long, default_value_t = 1213)]
    pub error_code: u16,
    /// Close the connection instead of answering, at every Nth statement of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub drop_every: Option<u64>,
    /// Which statements are hit by --error-rate
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Rows of a range select (WHERE … BETWEEN …)
    #[arg(long, default_value_t = 100)]
    pub rows: u32,
    /// What COUNT(*) and MAX(id) say
    #[arg(long, default_value_t = 10_000)]
    pub table_size: u64,
    /// Print the figures as a line of JSON once in this time
    #[arg(long, value_parser = duration)]
    pub stats_interval: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Options::parse_from(["tenbin-null-server"])
    }
}

/// Reads `20ms`, `5s`, `100us`, `1.5s` or `0`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[number.len()..];
    let factor = match units.iter().find(|(name, _)| *name == unit) {
        Some((_, factor)) => *factor,
        None if number == "0" && unit.is_empty() => 0.0,
        None => return Err(format!("{text:?} is not a duration; write for example 20ms, 5s or 100us")),
    };
    let value: f64 = number.parse().map_err(|_| format!("{number:?} is not a number"))?;
    Duration::try_from_secs_f64(value * factor).map_err(|e| e.to_string())
}

fn shape(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(shape) if shape > 1.0 && shape.is_finite() => Ok(shape),
        _ => Err(format!("{text:?} is no shape: a number above 1, for example 2.5")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{text:?} is not a share between 0 and 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        assert_eq!(duration("20ms"), Ok(Duration::from_millis(20)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("100us"), Ok(Duration::from_micros(100)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        for wrong in ["20", "ms", "-1s", "1h", "nans", ""] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
