//! Response times over time as a map of fixed size: the page draws it, one for a trial. Nothing is kept of each interval but
//! the counts of 40 ranges, and neighbouring intervals share a column when there are more than 64: 11 kB for a trial that runs, and some 2 kB once
//! it has ended.

use crate::histogram::Histogram;
use crate::packed::Packed;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The most columns that a map has.
pub const COLUMNS: usize = 64;
/// The rows: five or six for each factor of ten from 10 µs to 100 s, and what is beyond; see [`HeatMap::edge_ns`].
pub const ROWS: usize = 40;

/// Where the second row begins: 10 µs. Shorter times are in the first.
const LOWEST_NS: f64 = 1e4;
/// Each row reaches to this multiple of the one below it, so that the last begins at 100 s.
const FACTOR: f64 = 1.528;

/// How many transactions ended when, and how long they had taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "PackedMap", try_from = "PackedMap")]
pub struct HeatMap(HeatMapForm);

#[derive(Debug, Clone)]
enum HeatMapForm {
    Open(OpenMap),
    /// Kept to be read; see [`HeatMap::pack`].
    Packed(PackedMap),
}

/// A map that grows.
#[derive(Debug, Clone, Default, PartialEq)]
struct OpenMap {
    columns: Vec<Column>,
    /// How many intervals share a column.
    each: usize,
    /// How many are in the last column.
    last: usize,
}

/// The transactions of one or more intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// Start of the first interval, nanoseconds since the run's start.
    pub from_ns: u64,
    /// End of the last.
    pub to_ns: u64,
    /// Completed transactions by the range of their response time. More than 4 billion in one cell are counted as this many.
    pub counts: [u32; ROWS],
}

/// A map in few bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PackedMap {
    from_ns: Packed,
    to_ns: Packed,
    /// The counts of column after column.
    counts: Packed,
    each: usize,
    last: usize,
}

impl Default for HeatMap {
    fn default() -> Self {
        HeatMap(HeatMapForm::Open(OpenMap::default()))
    }
}

impl PartialEq for HeatMap {
    fn eq(&self, other: &Self) -> bool {
        *self.opened() == *other.opened()
    }
}

impl From<HeatMap> for PackedMap {
    fn from(map: HeatMap) -> PackedMap {
        match map.0 {
            HeatMapForm::Open(open) => PackedMap::of(&open),
            HeatMapForm::Packed(packed) => packed,
        }
    }
}

impl PackedMap {
    fn of(map: &OpenMap) -> PackedMap {
        let OpenMap { columns, each, last } = map;
        PackedMap {
            from_ns: Packed::of_integers(columns.iter().map(|c| c.from_ns)),
            to_ns: Packed::of_integers(columns.iter().map(|c| c.to_ns)),
            counts: Packed::of_integers(columns.iter().flat_map(|c| c.counts).map(u64::from)),
            each: *each,
            last: *last,
        }
    }

    /// The map; `None` if a column is not whole.
    fn opened(&self) -> Option<OpenMap> {
        let (mut to_ns, mut counts) = (self.to_ns.integers(), self.counts.integers());
        let mut column = |from_ns| {
            let mut column = Column { from_ns, to_ns: to_ns.next()?, counts: [0; ROWS] };
            for count in &mut column.counts {
                *count = u32::try_from(counts.next()?).ok()?;
            }
            Some(column)
        };
        let columns: Option<Vec<Column>> = self.from_ns.integers().take(COLUMNS).map(&mut column).collect();
        Some(OpenMap { columns: columns?, each: self.each, last: self.last })
    }
}

impl TryFrom<PackedMap> for HeatMap {
    type Error = &'static str;

    fn try_from(packed: PackedMap) -> Result<HeatMap, Self::Error> {
        packed.opened().map(|open| HeatMap(HeatMapForm::Open(open))).ok_or("a column of the map is not whole")
    }
}

impl HeatMap {
    /// Adds the response times of the next interval.
    pub fn push(&mut self, from_ns: u64, to_ns: u64, response: &Histogram) {
        if let HeatMapForm::Packed(_) = self.0 {
            self.0 = HeatMapForm::Open(self.opened().into_owned());
        }
        if let HeatMapForm::Open(open) = &mut self.0 {
            open.push(from_ns, to_ns, response);
        }
    }

    /// Makes it small until another interval is added.
    pub fn pack(&mut self) {
        if let HeatMapForm::Open(open) = &self.0 {
            self.0 = HeatMapForm::Packed(PackedMap::of(open));
        }
    }

    /// Its columns in order of time.
    pub fn columns(&self) -> Vec<Column> {
        self.opened().into_owned().columns
    }

    fn opened(&self) -> Cow<'_, OpenMap> {
        match &self.0 {
            HeatMapForm::Open(open) => Cow::Borrowed(open),
            // It was whole when it was packed, or read.
            HeatMapForm::Packed(packed) => Cow::Owned(packed.opened().unwrap_or_default()),
        }
    }

    /// The shortest time of a row, nanoseconds: 0 for the first. The row reaches to the edge of the next.
    pub fn edge_ns(row: usize) -> f64 {
        if row == 0 { 0.0 } else { LOWEST_NS * FACTOR.powi(row as i32 - 1) }
    }
}

impl OpenMap {
    /// Adds the response times of the next interval.
    fn push(&mut self, from_ns: u64, to_ns: u64, response: &Histogram) {
        self.each = self.each.max(1);
        if self.columns.is_empty() || self.last == self.each {
            if self.columns.len() == COLUMNS {
                self.halve();
            }
            self.columns.push(Column { from_ns, to_ns, counts: [0; ROWS] });
            self.last = 0;
        }
        self.last += 1;
        let Some(column) = self.columns.last_mut() else { return };
        column.to_ns = to_ns;
        for (ns, count) in response.buckets() {
            let cell = &mut column.counts[row(ns)];
            *cell = cell.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// Each two columns become one.
    fn halve(&mut self) {
        let merged = self.columns.chunks(2).map(|pair| {
            let mut column = pair[0];
            for other in &pair[1..] {
                column.to_ns = other.to_ns;
                column.counts.iter_mut().zip(other.counts).for_each(|(a, b)| *a = a.saturating_add(b));
            }
            column
        });
        self.columns = merged.collect();
        self.each *= 2;
    }
}

/// The row of a time.
fn row(ns: u64) -> usize {
    let above = (ns as f64 / LOWEST_NS).ln() / FACTOR.ln();
    if above < 0.0 { 0 } else { (above as usize + 1).min(ROWS - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(map: &HeatMap) -> u64 {
        map.columns().iter().flat_map(|column| column.counts).map(u64::from).sum()
    }

    #[test]
    fn every_transaction_is_in_one_cell_however_many_intervals_there_are() {
        for intervals in [1, 2, 63, 64, 65, 128, 129, 1000, 5000] {
            let (mut map, mut all, mut response) = (HeatMap::default(), 0, Histogram::new());
            for interval in 0..intervals {
                response.clear();
                for n in 0..interval % 7 {
                    response.record_n(1 << (interval % 45), n + 1);
                    all += n + 1;
                }
                map.push(interval * 10, interval * 10 + 10, &response);
            }
            assert_eq!(total(&map), all, "{intervals}");
            let columns = map.columns();
            assert!(columns.len() <= COLUMNS && columns.len() as u64 >= intervals.min(COLUMNS as u64 / 2));
            assert_eq!((columns[0].from_ns, columns[columns.len() - 1].to_ns), (0, intervals * 10));
            assert!(columns.windows(2).all(|w| w[0].to_ns == w[1].from_ns), "{intervals}: no gap");
            let text = serde_json::to_string(&map).unwrap();
            assert_eq!(serde_json::from_str::<HeatMap>(&text).unwrap(), map);
            let mut packed = map.clone();
            packed.pack();
            assert_eq!(packed, map);
            response.record(1);
            [&mut packed, &mut map]
                .into_iter()
                .for_each(|map| map.push(intervals * 10, intervals * 10 + 10, &response));
            assert_eq!((&packed, total(&packed)), (&map, all + response.count()));
        }
    }

    #[test]
    fn rows_are_ranges_of_equal_ratio() {
        assert_eq!((row(0), row(9_999), row(10_000), row(u64::MAX)), (0, 0, 1, ROWS - 1));
        for of in 1..ROWS {
            let from = HeatMap::edge_ns(of).ceil() as u64;
            assert_eq!((row(from + 1), row(from - 2)), (of, of - 1), "{of}");
        }
        let last_s = HeatMap::edge_ns(ROWS - 1) / 1e9;
        assert!((90.0..110.0).contains(&last_s), "{last_s}");
    }

    #[test]
    fn nothing_grows_beyond_the_fixed_size() {
        assert_eq!(HeatMap::default().columns().len(), 0);
        let mut map = HeatMap::default();
        map.push(0, 1, &Histogram::new());
        assert_eq!((map.columns().len(), total(&map)), (1, 0));
        assert!(size_of::<Column>() * COLUMNS <= 12_000, "{}", size_of::<Column>());
    }
}
