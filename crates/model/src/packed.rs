//! Sequences of numbers in few bytes: the readings and intervals of a thousand trials are in memory, and in the summaries of
//! their logs.
//!
//! The first byte gives the form. Integers (counters, times) are stored as the change of their differences, zigzag and base-128
//! coded as in Protocol Buffers: a counter that grows evenly takes a byte each. Anything else is stored as the bytes in which
//! a value differs from the one before, after Pelkonen et al., "Gorilla" (VLDB 2015).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};

/// A sequence of numbers, which is decoded from its start.
#[derive(Clone, PartialEq, Eq)]
pub struct Packed(Box<[u8]>);

const INTEGERS: u8 = 0;
const FLOATS: u8 = 1;

/// Larger integers are not exact as floating-point numbers.
const MOST_EXACT: f64 = (1u64 << 53) as f64;

impl Default for Packed {
    fn default() -> Self {
        Packed::of_integers([])
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packed({} bytes)", self.0.len())
    }
}

impl Packed {
    /// Packs integers; unsigned ones are given by their bits.
    pub fn of_integers(values: impl IntoIterator<Item = u64>) -> Packed {
        let mut bytes = vec![INTEGERS];
        let (mut last, mut step) = (0u64, 0u64);
        for value in values {
            let next = value.wrapping_sub(last);
            write_number(&mut bytes, zigzag(next.wrapping_sub(step)));
            (last, step) = (value, next);
        }
        Packed(bytes.into())
    }

    /// Packs floating-point numbers; NaN stands for none.
    pub fn of_floats(values: &[f64]) -> Packed {
        // Zero has two signs.
        let is_integer = |v: &f64| v.fract() == 0.0 && v.abs() < MOST_EXACT && (*v != 0.0 || v.is_sign_positive());
        if values.iter().all(is_integer) {
            return Packed::of_integers(values.iter().map(|v| *v as i64 as u64));
        }
        let mut bytes = vec![FLOATS];
        let mut last = 0u64;
        for value in values {
            let changed = value.to_bits() ^ last;
            last = value.to_bits();
            let leading = changed.leading_zeros() / 8;
            let trailing = changed.trailing_zeros().min(64) / 8;
            let length = 8u32.saturating_sub(leading + trailing);
            bytes.push((trailing << 4 | length) as u8);
            bytes.extend((changed.checked_shr(8 * trailing).unwrap_or(0)).to_le_bytes().iter().take(length as usize));
        }
        Packed(bytes.into())
    }

    /// The integers. Anything else is read as far as it can be.
    pub fn integers(&self) -> impl Iterator<Item = u64> + Clone + use<'_> {
        let mut rest = self.0.split_first().filter(|(form, _)| **form == INTEGERS).map_or(&[][..], |(_, rest)| rest);
        let (mut last, mut step) = (0u64, 0u64);
        std::iter::from_fn(move || {
            step = step.wrapping_add(unzigzag(read_number(&mut rest)?));
            last = last.wrapping_add(step);
            Some(last)
        })
    }

    /// The numbers.
    pub fn floats(&self) -> impl Iterator<Item = f64> + Clone + use<'_> {
        let mut rest = self.0.split_first().filter(|(form, _)| **form == FLOATS).map_or(&[][..], |(_, rest)| rest);
        let mut last = 0u64;
        let floats = std::iter::from_fn(move || {
            let (head, after) = rest.split_first()?;
            let (trailing, length) = (u32::from(head >> 4), usize::from(head & 15));
            let (changed, after) = after.split_at_checked(length).filter(|_| length <= 8)?;
            let changed = changed.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
            last ^= changed.checked_shl(8 * trailing).unwrap_or(0);
            rest = after;
            Some(f64::from_bits(last))
        });
        self.integers().map(|n| n as i64 as f64).chain(floats)
    }
}

/// Small for small changes in both directions.
fn zigzag(n: u64) -> u64 {
    (n << 1) ^ ((n as i64 >> 63) as u64)
}

fn unzigzag(n: u64) -> u64 {
    (n >> 1) ^ (n & 1).wrapping_neg()
}

/// Appends a number, seven bits in a byte, the lowest first.
pub(crate) fn write_number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Takes a number from the front; `None` if there is no whole one, or not as [`write_number`] writes it: each number has one form.
pub(crate) fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let (mut n, mut shift) = (0u64, 0);
    loop {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        let is_overlong = *byte == 0 && shift > 0 || shift == 63 && *byte > 1;
        n |= u64::from(byte & 0x7f).checked_shl(shift).filter(|_| !is_overlong)?;
        if byte & 0x80 == 0 {
            return Some(n);
        }
        shift += 7;
    }
}

/// Bytes as base64 in JSON.
pub(crate) fn to_text(bytes: &[u8]) -> String {
    STANDARD_NO_PAD.encode(bytes)
}

/// Reads what [`to_text`] wrote.
pub(crate) fn from_text<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Box<[u8]>, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
    STANDARD_NO_PAD.decode(text.as_bytes()).map(Vec::into_boxed_slice).map_err(serde::de::Error::custom)
}

impl Serialize for Packed {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&to_text(&self.0))
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        from_text(d).map(Packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_are_what_they_were(values: Vec<u64>) {
            let packed = Packed::of_integers(values.iter().copied());
            prop_assert_eq!(packed.integers().collect::<Vec<_>>(), values);
        }

        #[test]
        fn floats_are_what_they_were_bit_by_bit(values in prop::collection::vec(
            prop_oneof![any::<f64>(), (-1000i32..1000).prop_map(f64::from), (0..1000).prop_map(|n| f64::from(n) / 100.0)], 0..50,
        )) {
            let bits = |all: Vec<f64>| all.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            let packed = Packed::of_floats(&values);
            let text = serde_json::to_string(&packed).unwrap();
            let again: Packed = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(bits(again.floats().collect()), bits(values));
        }

        #[test]
        fn no_bytes_are_a_panic_or_more_numbers_than_bytes(bytes: Vec<u8>) {
            let packed = Packed(bytes.into());
            prop_assert!(packed.floats().count() <= packed.0.len() && packed.integers().count() <= packed.0.len());
        }
    }

    #[test]
    fn each_number_has_one_form() {
        for n in [0, 1, 127, 128, u64::MAX >> 1, u64::MAX] {
            let mut bytes = Vec::new();
            write_number(&mut bytes, n);
            assert_eq!(read_number(&mut &bytes[..]), Some(n));
        }
        let most = [[0xff; 9].as_slice(), &[3]].concat();
        for other in [&[0x81, 0][..], &[0x80, 0], &[0x80], &[0xff; 11], &most] {
            assert_eq!(read_number(&mut &other[..]), None, "{other:?}");
        }
    }

    #[test]
    fn edges_are_what_they_were() {
        let values = [0.0, -0.0, f64::NAN, f64::INFINITY, MOST_EXACT, -MOST_EXACT, f64::MIN_POSITIVE, f64::MAX];
        for from in 0..values.len() {
            let packed = Packed::of_floats(&values[from..]);
            let bits: Vec<u64> = packed.floats().map(f64::to_bits).collect();
            assert_eq!(bits, values[from..].iter().map(|v| v.to_bits()).collect::<Vec<_>>());
        }
        assert_eq!(Packed::default().floats().count(), 0);
    }

    #[test]
    fn counters_that_grow_evenly_take_a_byte_each() {
        let even: Vec<f64> = (0..1000).map(|n| 1e9 + 1000.0 * f64::from(n)).collect();
        assert!(Packed::of_floats(&even).0.len() < 1020);
        let same = vec![0.1; 1000];
        assert!(Packed::of_floats(&same).0.len() < 1020);
    }
}
