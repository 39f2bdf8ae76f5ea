//! sysbench's histogram of response times, as text.

use tenbin_model::histogram::Histogram;

/// sysbench's buckets: their number; they are evenly spaced on a logarithmic scale of milliseconds.
const BUCKETS: usize = 1024;
const FROM_MS: f64 = 0.001;
const TO_MS: f64 = 100_000.0;

/// The histogram with bars, in these buckets.
pub fn lines(response: &Histogram) -> Vec<String> {
    let (low, step) = (FROM_MS.ln(), (TO_MS.ln() - FROM_MS.ln()) / (BUCKETS - 1) as f64);
    let mut counts = vec![0u64; BUCKETS];
    for (ns, n) in response.buckets() {
        let bucket = (((ns as f64 / 1e6).max(FROM_MS).ln() - low) / step).round();
        counts[(bucket as usize).min(BUCKETS - 1)] += n;
    }
    let mut lines = vec![
        "Latency histogram (values are in milliseconds)".to_owned(),
        "       value  ------------- distribution ------------- count".to_owned(),
    ];
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    for (bucket, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let bar = "*".repeat((*n as f64 * 40.0 / most as f64).round() as usize);
        lines.push(format!("{:>12.3} |{bar:<40} {n}", (low + step * bucket as f64).exp()));
    }
    lines.push(" ".to_owned());
    lines
}
