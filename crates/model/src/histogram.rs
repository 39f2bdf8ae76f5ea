//! Latencies, counted: an HDR histogram of nanoseconds with three significant digits.
//!
//! Merged by adding counts, never by averaging percentiles. On disk it is the HDR "V2 compressed" form in
//! base64, which the tools of hdrhistogram.org read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::{Deserialize, Serialize};

/// Durations in nanoseconds. Values up to 64 ns share one count, up to 131 µs the step is 64 ns, above it 0.1 %.
/// It grows with the largest value seen, so an idle one is small.
#[derive(Clone, PartialEq)]
pub struct Histogram(hdrhistogram::Histogram<u64>);

/// Below this, times are not told apart: one clock reading costs about as much.
const LOWEST_NS: u64 = 64;
/// About 39 hours; anything longer is counted here. The exact largest value is kept by the caller where it matters.
const HIGHEST_NS: u64 = 1 << 47;

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Histogram(n={}, mean={:.0}ns, max={}ns)", self.count(), self.mean_ns(), self.max_ns())
    }
}

impl Histogram {
    /// An empty histogram.
    pub fn new() -> Self {
        let mut inner = hdrhistogram::Histogram::new_with_bounds(LOWEST_NS, LOWEST_NS * 2 * 2048, 3)
            .expect("constant bounds are valid");
        inner.auto(true);
        Histogram(inner)
    }

    /// Counts one duration.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.record_n(ns, 1);
    }

    /// Counts the same duration several times.
    #[inline]
    pub fn record_n(&mut self, ns: u64, times: u64) {
        // Cannot fail: the histogram resizes itself and the value is bounded.
        let _ = self.0.record_n(ns.min(HIGHEST_NS), times);
    }

    /// Adds another's counts to ours.
    pub fn merge(&mut self, other: &Histogram) {
        // Cannot fail: we resize.
        let _ = self.0.add(&other.0);
    }

    /// Forgets all counts and keeps the memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// How many durations were counted.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The duration below or at which `quantile` (0 to 1) of them lie; 0 when empty.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.value_at_quantile(quantile) }
    }

    /// The mean; 0 when empty.
    pub fn mean_ns(&self) -> f64 {
        if self.0.is_empty() { 0.0 } else { self.0.mean() }
    }

    /// The smallest counted value (within the histogram's precision); 0 when empty.
    pub fn min_ns(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.min() }
    }

    /// The largest counted value (within the histogram's precision); 0 when empty.
    pub fn max_ns(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.max() }
    }

    /// `(highest value of the bucket in ns, count)` for each bucket that holds anything, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter_recorded().map(|b| (b.value_iterated_to(), b.count_at_value()))
    }

    /// The HDR V2 compressed form, base64.
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&self.0, &mut bytes).expect("a histogram serialises into memory");
        STANDARD.encode(bytes)
    }

    /// Reads what [`Self::to_text`] wrote. The error says what was wrong with the text.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let bytes = STANDARD.decode(text).map_err(|e| format!("not base64: {e}"))?;
        // The compressed form states its size; refuse what could not have come from us before allocating.
        let mut inner: hdrhistogram::Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .map_err(|e| format!("not an HDR V2 histogram: {e:?}"))?;
        inner.auto(true);
        Ok(Histogram(inner))
    }
}

impl Serialize for Histogram {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.to_text())
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Histogram::from_text(&text).map_err(serde::de::Error::custom)
    }
}
