//! The share of the chance of being wrong that the looks at repeats have.

use super::Trial;

impl Trial {
    /// The share of the look after this repeat: 1 if repeats are counted.
    pub fn share_of_look(&self) -> f64 {
        self.repeats_until.map_or(1.0, |until| until.share(self.repeat))
    }
}
