//! An HDR histogram of latencies in nanoseconds, with three significant digits.
//!
//! Histograms are merged by adding counts, never by averaging percentiles. On disk they have the HDR "V2 compressed"
//! form in base64, which the tools of hdrhistogram.org can read.

mod packed;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use packed::PackedCounts;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::sync::LazyLock;

/// Durations in nanoseconds. Values up to 64 ns share one count, up to 131 µs the step is 64 ns, above it 0.1 %.
/// It grows with the largest value, so an unused one is small.
#[derive(Clone)]
pub struct Histogram(HistogramForm);

#[derive(Clone)]
enum HistogramForm {
    /// Can be counted in: eight bytes for each bucket up to the largest value.
    Open(hdrhistogram::Histogram<u64>),
    /// Kept to be read; see [`Histogram::pack`].
    Packed(PackedCounts),
}

/// Shorter times are not distinguished: one clock reading takes about as long.
const LOWEST_NS: u64 = 64;
/// About 39 hours; longer durations are counted here. The exact maximum is kept by the caller where it matters.
const HIGHEST_NS: u64 = 1 << 47;

/// One that is read has no more counts, 32 days of a hundred million per second: those of thousands of trials can still be added, and written.
const MOST_COUNTS: u64 = 1 << 48;

/// The text of an empty histogram: half of those in a log are empty.
static EMPTY: LazyLock<String> = LazyLock::new(|| compressed(&open()));

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (HistogramForm::Open(a), HistogramForm::Open(b)) => a == b,
            _ => self.packed_counts() == other.packed_counts(),
        }
    }
}

impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Histogram(n={}, mean={:.0}ns, max={}ns)", self.count(), self.mean_ns(), self.max_ns())
    }
}

/// An empty histogram of the library.
fn open() -> hdrhistogram::Histogram<u64> {
    let mut inner = hdrhistogram::Histogram::new_with_bounds(LOWEST_NS, LOWEST_NS * 2 * 2048, 3)
        .expect("constant bounds are valid");
    inner.auto(true);
    inner
}

/// Adds packed counts.
fn add(to: &mut hdrhistogram::Histogram<u64>, counts: &PackedCounts) {
    if counts.count() > 0 {
        // The largest first, so that it resizes once.
        _ = to.record_n(counts.max_ns(), 0);
        counts.buckets().for_each(|bucket| _ = to.record_n(bucket.lowest_ns, bucket.count));
    }
}

#[cold]
fn unpacked(counts: &PackedCounts) -> hdrhistogram::Histogram<u64> {
    let mut inner = open();
    add(&mut inner, counts);
    inner
}

/// The HDR V2 compressed form, base64.
fn compressed(inner: &hdrhistogram::Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new().serialize(inner, &mut bytes).expect("a histogram serialises into memory");
    STANDARD.encode(bytes)
}

impl Histogram {
    /// An empty histogram.
    pub fn new() -> Self {
        Histogram(HistogramForm::Open(open()))
    }

    /// Counts one duration.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.record_n(ns, 1);
    }

    /// Counts the same duration several times.
    #[inline]
    pub fn record_n(&mut self, ns: u64, times: u64) {
        // The library would raise the maximum even so.
        if times > 0 {
            // Cannot fail: the histogram resizes itself and the value is bounded.
            let _ = self.opened().record_n(ns.min(HIGHEST_NS), times);
        }
    }

    /// Adds another's counts to ours.
    pub fn merge(&mut self, other: &Histogram) {
        match &other.0 {
            // Cannot fail: we resize.
            HistogramForm::Open(other) => _ = self.opened().add(other),
            HistogramForm::Packed(other) => add(self.opened(), other),
        }
    }

    /// Clears all counts and keeps the memory.
    pub fn clear(&mut self) {
        self.opened().reset();
    }

    /// Makes it small until something is counted in it again. Whatever is read from it remains the same, and takes longer.
    pub fn pack(&mut self) {
        if let HistogramForm::Open(_) = self.0 {
            self.0 = HistogramForm::Packed(self.packed_counts());
        }
    }

    /// The counts as bytes; [`Histogram::from_bytes`] reads them.
    pub fn to_bytes(&self) -> Box<[u8]> {
        self.packed_counts().bytes().into()
    }

    /// Reads what [`Histogram::to_bytes`] returned; `None` if it is something else.
    pub fn from_bytes(bytes: Box<[u8]>) -> Option<Self> {
        PackedCounts::from_bytes(bytes).map(|counts| Histogram(HistogramForm::Packed(counts)))
    }

    /// The library's histogram.
    #[inline]
    fn opened(&mut self) -> &mut hdrhistogram::Histogram<u64> {
        if let HistogramForm::Packed(counts) = &self.0 {
            self.0 = HistogramForm::Open(unpacked(counts));
        }
        match &mut self.0 {
            HistogramForm::Open(inner) => inner,
            HistogramForm::Packed(_) => unreachable!("it was unpacked"),
        }
    }

    fn packed_counts(&self) -> PackedCounts {
        match &self.0 {
            HistogramForm::Open(inner) => {
                PackedCounts::of(inner.iter_recorded().map(|b| (b.value_iterated_to(), b.count_at_value())))
            }
            HistogramForm::Packed(counts) => counts.clone(),
        }
    }

    /// How many durations were counted.
    pub fn count(&self) -> u64 {
        match &self.0 {
            HistogramForm::Open(inner) => inner.len(),
            HistogramForm::Packed(counts) => counts.count(),
        }
    }

    /// The duration that `quantile` (0 to 1) of them do not exceed; 0 if empty.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        match &self.0 {
            HistogramForm::Open(inner) if inner.is_empty() => 0,
            HistogramForm::Open(inner) => inner.value_at_quantile(quantile),
            HistogramForm::Packed(counts) => counts.quantile_ns(quantile),
        }
    }

    /// The mean; 0 when empty.
    pub fn mean_ns(&self) -> f64 {
        match &self.0 {
            HistogramForm::Open(inner) => inner.mean(),
            HistogramForm::Packed(counts) => counts.mean_ns(),
        }
    }

    /// All durations added up; 0 when empty.
    pub fn sum_ns(&self) -> f64 {
        self.mean_ns() * self.count() as f64
    }

    /// The smallest counted value (within the histogram's precision); 0 when empty.
    pub fn min_ns(&self) -> u64 {
        match &self.0 {
            HistogramForm::Open(inner) if inner.is_empty() => 0,
            HistogramForm::Open(inner) => inner.min(),
            HistogramForm::Packed(counts) => counts.min_ns(),
        }
    }

    /// The largest counted value (within the histogram's precision); 0 when empty.
    pub fn max_ns(&self) -> u64 {
        match &self.0 {
            HistogramForm::Open(inner) if inner.is_empty() => 0,
            HistogramForm::Open(inner) => inner.max(),
            HistogramForm::Packed(counts) => counts.max_ns(),
        }
    }

    /// `(highest value of the bucket in ns, count)` for each non-empty bucket, ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (open, packed) = match &self.0 {
            HistogramForm::Open(inner) => (Some(inner), None),
            HistogramForm::Packed(counts) => (None, Some(counts)),
        };
        let open = open.into_iter().flat_map(|inner| inner.iter_recorded());
        let packed = packed.into_iter().flat_map(|counts| counts.buckets());
        open.map(|b| (b.value_iterated_to(), b.count_at_value())).chain(packed.map(|b| (b.highest_ns(), b.count)))
    }

    /// Memory of its counts when it is counted in, bytes.
    pub fn memory(&self) -> u64 {
        let buckets = match &self.0 {
            HistogramForm::Open(inner) => inner.distinct_values() as u64,
            HistogramForm::Packed(counts) => counts.places(),
        };
        buckets * size_of::<u64>() as u64
    }

    /// The HDR V2 compressed form, base64.
    pub fn to_text(&self) -> String {
        match &self.0 {
            HistogramForm::Open(inner) => compressed(inner),
            HistogramForm::Packed(counts) => compressed(&unpacked(counts)),
        }
    }

    /// Reads what [`Self::to_text`] wrote. The error says what was wrong with the text.
    pub fn from_text(text: &str) -> Result<Self, String> {
        if text == *EMPTY {
            return Ok(Histogram::new());
        }
        let bytes = STANDARD.decode(text).map_err(|e| format!("not base64: {e}"))?;
        let plain = payload(&bytes)?;
        let mut inner: hdrhistogram::Histogram<u64> = Deserializer::new()
            .deserialize(&mut plain.as_slice())
            .map_err(|e| format!("not an HDR V2 histogram: {e:?}"))?;
        if inner.len() > MOST_COUNTS {
            return Err(format!("not a histogram of Tenbin's: {} counts", inner.len()));
        }
        inner.auto(true);
        Ok(Histogram(HistogramForm::Open(inner)))
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

/// Decompresses the compressed form (hdrhistogram.org, "V2 compressed"): its cookie, its length, and then a zlib stream that
/// contains cookie, length of the payload, offset, digits, lowest and highest value, and the payload. Fails if the header is
/// not one of ours, before any memory is used for the payload.
fn payload(packed: &[u8]) -> Result<Vec<u8>, String> {
    const COOKIE: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();
    const HEAD: usize = 40;
    let zlib = packed.get(8..).filter(|_| packed.starts_with(&COOKIE));
    let mut zlib = flate2::read::ZlibDecoder::new(zlib.unwrap_or_default());
    let mut plain = vec![0u8; HEAD];
    zlib.read_exact(&mut plain).map_err(|e| format!("not an HDR V2 histogram: {e}"))?;
    let number = |at: usize| plain[at..at + 4].iter().fold(0, |n, b| n << 8 | u32::from(*b));
    let long = |at: usize| u64::from(number(at)) << 32 | u64::from(number(at + 4));
    let head = Head { payload: number(4), digits: number(12), lowest: long(16), highest: long(24) };
    if !head.ours() {
        return Err(format!("not a histogram of Tenbin's: {head:?}"));
    }
    #[expect(clippy::disallowed_methods, reason = "it ends at the length that its head says, which has been checked")]
    let read = zlib.take(u64::from(head.payload)).read_to_end(&mut plain);
    read.map_err(|e| format!("not an HDR V2 histogram: {e}"))?;
    Ok(plain)
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
            let error = Histogram::from_text(&text).expect_err("none of ours is like this");
            assert!(text.len() < 100 && error.starts_with("not a histogram of Tenbin's: Head"), "{error}");
        }
        assert_eq!(Histogram::from_text(&packed(0, 3, 64, 1 << 47)).map(|h| h.count()), Ok(0));
    }

    /// Found by the fuzz target `histogram`: a run of zeros whose length is the negation of the smallest 64-bit
    /// integer.
    #[test]
    fn a_number_of_zeros_that_has_no_positive_is_refused() {
        let error = Histogram::from_text(&packed_with(10, 3, 64, 1 << 47, &[0xff; 10])).expect_err("no such count");
        assert_eq!(error, "not an HDR V2 histogram: UsizeTypeTooSmall");
    }

    /// Two of them together could not be written.
    #[test]
    fn more_counts_than_any_run_has_are_refused() {
        let text = packed_with(9, 3, 64, 1 << 47, &[[0xfe].as_slice(), &[0xff; 8]].concat());
        let error = Histogram::from_text(&text).expect_err("too many");
        assert_eq!(error, format!("not a histogram of Tenbin's: {} counts", i64::MAX));
        let mut bytes = vec![0];
        crate::packed::write_number(&mut bytes, u64::MAX);
        assert_eq!(Histogram::from_bytes(bytes.into()), None);
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

    proptest::proptest! {
        #[test]
        fn a_packed_histogram_gives_what_the_open_one_gives(
            values in proptest::collection::vec((0u32..50, 0u64..1 << 20, 0u64..1000), 0..60),
            more in proptest::collection::vec(0u64..1 << 40, 0..5),
        ) {
            let mut open = Histogram::new();
            values.iter().for_each(|(bits, low, n)| open.record_n((1 << bits) + low, *n));
            let mut packed = open.clone();
            packed.pack();
            let figures = |h: &Histogram| {
                let quantiles = [0.0, 1e-9, 0.25, 0.5, 0.95, 0.99, 0.999, 1.0].map(|q| h.quantile_ns(q));
                let buckets: Vec<_> = h.buckets().collect();
                (h.count(), quantiles, h.mean_ns().to_bits(), h.min_ns(), h.max_ns(), buckets, h.to_text())
            };
            proptest::prop_assert_eq!(figures(&packed), figures(&open));
            proptest::prop_assert_eq!(&packed, &open);
            proptest::prop_assert_eq!(Histogram::from_bytes(packed.to_bytes()), Some(open.clone()));
            proptest::prop_assert_eq!(Histogram::from_text(&packed.to_text()), Ok(open.clone()));
            // Counting goes on as if it had never been packed.
            for h in [&mut open, &mut packed] {
                more.iter().for_each(|ns| h.record(*ns));
            }
            proptest::prop_assert_eq!(figures(&packed), figures(&open));
        }

        #[test]
        fn foreign_bytes_are_a_histogram_or_none(bytes: Vec<u8>) {
            if let Some(h) = Histogram::from_bytes(bytes.into()) {
                let n: u64 = h.buckets().map(|(_, n)| n).sum();
                proptest::prop_assert_eq!((n, h.clone()), (h.count(), Histogram::from_text(&h.to_text()).unwrap()));
            }
        }
    }
}
