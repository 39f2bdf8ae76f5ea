//! What an observer read, look by look: each name is kept once, so that a server's five hundred counters, looked at every
//! second, take some megabytes an hour.

use std::collections::BTreeMap;

/// The looks of one observer, in order.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    /// The place of each name in a look.
    places: BTreeMap<String, usize>,
    looks: Vec<Look>,
}

/// One look.
#[derive(Debug, Clone)]
pub struct Look {
    /// When, nanoseconds since the run's start.
    pub at_ns: u64,
    /// What it read, by place; NaN where it read nothing.
    values: Vec<f64>,
}

impl Readings {
    /// Appends a look.
    pub fn push(&mut self, at_ns: u64, read: &BTreeMap<String, f64>) {
        let mut values = vec![f64::NAN; self.places.len()];
        for (name, value) in read {
            match self.places.get(name) {
                Some(place) => values[*place] = *value,
                None => {
                    self.places.insert(name.clone(), values.len());
                    values.push(*value);
                }
            }
        }
        self.looks.push(Look { at_ns, values });
    }

    /// All looks, in order.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// What a look read under this name.
    pub fn value(&self, look: &Look, name: &str) -> Option<f64> {
        look.values.get(*self.places.get(name)?).copied().filter(|value| !value.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_later_are_missing_before() {
        let read = |all: &[(&str, f64)]| all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let mut readings = Readings::default();
        readings.push(1, &read(&[("b", 1.0)]));
        readings.push(2, &read(&[("a", 2.0), ("b", 3.0)]));
        readings.push(3, &read(&[("a", 4.0)]));
        let of = |name| readings.looks().iter().map(|look| readings.value(look, name)).collect::<Vec<_>>();
        assert_eq!(of("a"), [None, Some(2.0), Some(4.0)]);
        assert_eq!(of("b"), [Some(1.0), Some(3.0), None]);
        assert_eq!(of("c"), [None; 3]);
        assert_eq!(readings.looks()[2].at_ns, 3);
    }
}
