//! An HDR histogram of latencies in nanoseconds, with three significant digits.
//!
//! Histograms are merged by adding counts, never by averaging percentiles. On disk they have the HDR "V2 compressed"
//! form in base64, which the tools of hdrhistogram.org can read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::{Deserialize, Serialize};
use std::io::Read;

/// Durations in nanoseconds. Values up to 64 ns share one count, up to 131 µs the step is 64 ns, above it 0.1 %.
/// It grows with the largest value, so an unused one is small.
#[derive(Clone, PartialEq)]
pub struct Histogram(hdrhistogram::Histogram<u64>);

/// Shorter times are not distinguished: one clock reading takes about as long.
const LOWEST_NS: u64 = 64;
/// About 39 hours; longer durations are counted here. The exact maximum is kept by the caller where it matters.
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

    /// Clears all counts and keeps the memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// How many durations were counted.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The duration that `quantile` (0 to 1) of them do not exceed; 0 if empty.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.value_at_quantile(quantile) }
    }

    /// The mean; 0 when empty.
    pub fn mean_ns(&self) -> f64 {
        if self.0.is_empty() { 0.0 } else { self.0.mean() }
    }

    /// All durations added up; 0 when empty.
    pub fn sum_ns(&self) -> f64 {
        self.mean_ns() * self.count() as f64
    }

    /// The smallest counted value (within the histogram's precision); 0 when empty.
    pub fn min_ns(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.min() }
    }

    /// The largest counted value (within the histogram's precision); 0 when empty.
    pub fn max_ns(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.max() }
    }

    /// `(highest value of the bucket in ns, count)` for each non-empty bucket, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter_recorded().map(|b| (b.value_iterated_to(), b.count_at_value()))
    }

    /// Memory of its counts, bytes.
    pub fn memory(&self) -> u64 {
        self.0.distinct_values() as u64 * size_of::<u64>() as u64
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
        let head = head(&bytes)?;
        if !head.ours() {
            return Err(format!("not a histogram of Tenbin's: {head:?}"));
        }
        let mut inner: hdrhistogram::Histogram<u64> = Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .map_err(|e| format!("not an HDR V2 histogram: {e:?}"))?;
        inner.auto(true);
        Ok(Histogram(inner))
    }
}

/// The header of the compressed form. It determines the memory needed for decompression.
#[derive(Debug)]
struct Head {
    /// Length of the payload in bytes.
    payload: u32,
    digits: u32,
    lowest: u64,
    highest: u64,
}

impl Head {
    /// Whether [`Histogram::to_text`] may have written it. A bucket takes at most nine bytes, and the number of buckets
    /// is limited by the range from [`LOWEST_NS`] to [`HIGHEST_NS`].
    fn ours(&self) -> bool {
        const MOST_BUCKETS: u32 = 40 * 1024;
        self.lowest == LOWEST_NS
            && self.digits == 3
            && (2 * LOWEST_NS..=4 * HIGHEST_NS).contains(&self.highest)
            && self.payload <= 9 * MOST_BUCKETS
    }
}

/// Reads the header of the compressed form (hdrhistogram.org, "V2 compressed"): its cookie, its length, and then a zlib
/// stream that starts with cookie, length of the payload, offset, digits, lowest and highest value.
fn head(packed: &[u8]) -> Result<Head, String> {
    const COOKIE: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();
    let zlib = packed.get(8..).filter(|_| packed.starts_with(&COOKIE));
    let mut plain = [0u8; 32];
    let read = flate2::read::ZlibDecoder::new(zlib.unwrap_or_default()).read_exact(&mut plain);
    read.map_err(|e| format!("not an HDR V2 histogram: {e}"))?;
    let number = |at: usize| plain[at..at + 4].iter().fold(0, |n, b| n << 8 | u32::from(*b));
    let long = |at: usize| u64::from(number(at)) << 32 | u64::from(number(at + 4));
    Ok(Head { payload: number(4), digits: number(12), lowest: long(16), highest: long(24) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    /// The compressed form of any header, without counts.
    fn packed(payload: u32, digits: u32, lowest: u64, highest: u64) -> String {
        packed_with(payload, digits, lowest, highest, &[])
    }

    /// The same with these counts.
    fn packed_with(payload: u32, digits: u32, lowest: u64, highest: u64, counts: &[u8]) -> String {
        let mut plain = 0x1c84_9313_u32.to_be_bytes().to_vec();
        [payload, 0, digits].iter().for_each(|n| plain.extend(n.to_be_bytes()));
        [lowest, highest, 1.0f64.to_bits()].iter().for_each(|n| plain.extend(n.to_be_bytes()));
        plain.extend(counts);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&plain).unwrap();
        let zlib = zlib.finish().unwrap();
        let mut all = 0x1c84_9314_u32.to_be_bytes().to_vec();
        all.extend((zlib.len() as u32).to_be_bytes());
        all.extend(zlib);
        STANDARD.encode(all)
    }

    #[test]
    fn a_few_bytes_cannot_ask_for_gigabytes() {
        for (payload, digits, lowest, highest) in [
            (u32::MAX, 3, 64, 1 << 30),
            (0, 5, 64, 1 << 47),
            (0, 3, 1, u64::MAX),
            (0, 3, 64, u64::MAX),
            (0, 255, 64, 1 << 47),
        ] {
            let text = packed(payload, digits, lowest, highest);
            let told = Histogram::from_text(&text).expect_err("none of ours is like this");
            assert!(text.len() < 100 && told.starts_with("not a histogram of Tenbin's: Head"), "{told}");
        }
        assert_eq!(Histogram::from_text(&packed(0, 3, 64, 1 << 47)).map(|h| h.count()), Ok(0));
    }

    /// Found by the fuzz target `histogram`: a run of zeros whose length is the negation of the smallest 64-bit
    /// integer.
    #[test]
    fn a_number_of_zeros_that_has_no_positive_is_refused() {
        let told = Histogram::from_text(&packed_with(10, 3, 64, 1 << 47, &[0xff; 10])).expect_err("no such count");
        assert_eq!(told, "not an HDR V2 histogram: UsizeTypeTooSmall");
    }

    #[test]
    fn the_largest_of_ours_is_read_back() {
        let mut h = Histogram::new();
        (0..64).for_each(|n| h.record(1 << n));
        h.record_n(u64::MAX, u64::from(u32::MAX));
        assert_eq!(Histogram::from_text(&h.to_text()), Ok(h.clone()));
        assert!(h.memory() > 200_000 && h.memory() < 400_000, "{}", h.memory());
        assert_eq!(Histogram::from_text(&Histogram::new().to_text()), Ok(Histogram::new()));
    }
}
