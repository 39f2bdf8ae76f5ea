//! The data of a page's charts for its script: what charts say about themselves as JSON, in which nothing stands twice, and behind it the points
//! of their lines as small whole numbers, all of it deflated and in base64. `web/src/data.ts` reads it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;

/// What charts of a section have in common: it is left out where it is that of the chart before.
const COMMON: [&str; 8] = ["unit", "xName", "marks", "range", "scale", "shade", "before", "xStep"];
/// And lines at the same place in both.
const COMMON_OF_LINES: [&str; 3] = ["name", "style", "x"];

/// The charts kept so far.
#[derive(Default)]
pub struct ChartData {
    /// Their JSON, separated by commas.
    json: String,
    /// The points of their lines, one line after another: [`keep_points`].
    points: Vec<u8>,
    n: usize,
    /// What the next one does not repeat if it is the same.
    last: BTreeMap<&'static str, Value>,
    /// The same of its lines, by their places.
    last_lines: Vec<BTreeMap<&'static str, Value>>,
    /// The places of points on the x axis that have been written out, with their numbers: many lines were sampled at the same instants.
    places: HashMap<String, usize>,
    /// One more than the greatest style of a line.
    styles: usize,
}

impl ChartData {
    /// Adds a chart's data ([`crate::chart::figures`]), and returns the chart's number.
    pub fn keep(&mut self, mut figures: Value) -> usize {
        self.styles = self.styles.max(crate::chart::styles(&figures));
        let is_stepped = figures.get("xStep").is_some();
        without_common(&mut figures, &mut self.last, &COMMON);
        for (at, line) in figures["lines"].as_array_mut().into_iter().flatten().enumerate() {
            if self.last_lines.len() <= at {
                self.last_lines.push(BTreeMap::new());
            }
            without_common(line, &mut self.last_lines[at], &COMMON_OF_LINES);
            if let Some(x) = line.get_mut("x") {
                let next = self.places.len();
                // Steps and places that are written out may look alike.
                match self.places.entry(format!("{is_stepped} {x}")) {
                    Entry::Occupied(known) => *x = (*known.get()).into(),
                    Entry::Vacant(new) => {
                        new.insert(next);
                        if is_stepped {
                            let places = x.as_array_mut().map(std::mem::take).unwrap_or_default();
                            self.points.extend(number(places.len() as i64));
                            keep_points(&places, &mut self.points);
                        }
                    }
                }
            }
            if is_stepped && let Some(y) = line.as_object_mut().and_then(|line| line.shift_remove("y")) {
                keep_points(y.as_array().map_or(&[], Vec::as_slice), &mut self.points);
            }
        }
        if self.n > 0 {
            self.json.push(',');
        }
        self.json += &figures.to_string();
        self.n += 1;
        self.n - 1
    }

    /// The number of the next chart.
    pub fn next(&self) -> usize {
        self.n
    }

    /// How many styles the lines of all charts have.
    pub fn styles(&self) -> usize {
        self.styles
    }

    /// All of it as text that can stand in a `<script>` element.
    pub fn packed(self) -> String {
        let mut all = format!("[{}]\0", self.json).into_bytes();
        all.extend(self.points);
        packed(&all)
    }
}

/// Bytes, deflated and as base64, as the page's script unpacks them.
pub fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let deflated = encoder.write_all(bytes).and_then(|()| encoder.finish());
    BASE64_STANDARD.encode(deflated.unwrap_or_default())
}

/// Removes what is as it was in the chart before, and keeps it for the next one. What that one had and this one has not is null.
fn without_common(value: &mut Value, last: &mut BTreeMap<&'static str, Value>, common: &[&'static str]) {
    let Some(keys) = value.as_object_mut() else { return };
    for name in common {
        let value = keys.get(*name).cloned().unwrap_or_default();
        if last.get(name).unwrap_or(&Value::Null) == &value {
            keys.shift_remove(*name);
        } else {
            keys.insert((*name).to_owned(), value.clone());
            last.insert(name, value);
        }
    }
}

/// Whole numbers as their differences, each one more than the number before it would have; one that is missing is 0.
fn keep_points(values: &[Value], to: &mut Vec<u8>) {
    let mut before = 0;
    for value in values {
        let Some(value) = value.as_i64() else {
            to.push(0);
            continue;
        };
        let difference = value - before;
        before = value;
        // Those below zero are the odd ones.
        to.extend(number(1 + if difference < 0 { -2 * difference - 1 } else { 2 * difference }));
    }
}

/// A number from 0 on, seven bits in a byte, the least first; all bytes but the last have their highest bit set.
fn number(mut value: i64) -> impl Iterator<Item = u8> {
    let mut is_more = true;
    std::iter::from_fn(move || {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        std::mem::replace(&mut is_more, value > 0).then_some(if value > 0 { byte | 0x80 } else { byte })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::Read;

    /// The JSON and the points as the page's script finds them.
    fn unpacked(text: &str) -> (Value, Vec<u8>) {
        let mut all = Vec::new();
        let bytes = BASE64_STANDARD.decode(text).unwrap();
        flate2::read::DeflateDecoder::new(bytes.as_slice()).read_to_end(&mut all).unwrap();
        let end = all.iter().position(|b| *b == 0).unwrap();
        (serde_json::from_slice(&all[..end]).unwrap(), all[end + 1..].to_vec())
    }

    #[test]
    fn points_are_behind_the_json_as_differences() {
        let mut data = ChartData::default();
        let line = |y: Value| json!({ "name": "a", "style": 1, "x": [0, 100, 200], "y": y, "step": 0.5 });
        assert_eq!(data.keep(json!({ "unit": "ms", "xStep": 0.01, "lines": [line(json!([10, 7, null]))] })), 0);
        assert_eq!(data.keep(json!({ "unit": "ms", "xStep": 0.01, "lines": [line(json!([1, 1, 1000]))] })), 1);
        assert_eq!(data.keep(json!({ "unit": "s", "lines": [{ "x": [1.5], "y": [2.5] }] })), 2);
        assert_eq!((data.next(), data.styles()), (3, 2));
        let (json, points) = unpacked(&data.packed());
        assert_eq!(
            json,
            json!([
                { "unit": "ms", "xStep": 0.01, "lines": [{ "name": "a", "style": 1, "x": [], "step": 0.5 }] },
                // What is as in the chart before is left out.
                { "lines": [{ "step": 0.5 }] },
                { "unit": "s", "xStep": null, "lines": [{ "x": [1.5], "y": [2.5], "name": null, "style": null }] },
            ])
        );
        // Three places, 0, 100 and 200; 10, three less, none; 1, the same, 999 more.
        assert_eq!(points, [3, 1, 0xc9, 1, 0xc9, 1, 21, 6, 0, 3, 1, 0xcf, 0x0f]);
    }

    #[test]
    fn numbers_of_any_size_are_written() {
        let written = |v: i64| number(v).collect::<Vec<u8>>();
        assert_eq!((written(0), written(127), written(128)), (vec![0], vec![127], vec![0x80, 1]));
        let long = written(1 << 50);
        let read = long.iter().rev().fold(0i64, |value, byte| value << 7 | i64::from(byte & 0x7f));
        assert_eq!((read, long.len()), (1 << 50, 8));
    }
}
