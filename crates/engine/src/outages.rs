//! The time that clients spend without a connection, from its loss to the next one, by interval. Updated only when a
//! connection is lost or reopened.

/// When clients lost their connections, and when they had another.
#[derive(Debug, Default)]
pub struct Outages {
    /// Losses (+1) and new connections (−1) that are not assigned to an interval yet.
    changes: Vec<(u64, i64)>,
    /// Clients without a connection at `to_ns`.
    without: i64,
    /// The end of the last interval.
    to_ns: u64,
}

impl Outages {
    /// A client has lost its connection.
    pub fn lost(&mut self, at_ns: u64) {
        self.changes.push((at_ns, 1));
    }

    /// A client has a connection again.
    pub fn back(&mut self, at_ns: u64) {
        self.changes.push((at_ns, -1));
    }

    /// Time without a connection from the end of the last call to `to_ns`, summed over all clients, in nanoseconds.
    /// Changes that are reported late count from then on.
    pub fn drain(&mut self, to_ns: u64) -> u64 {
        self.changes.sort_by_key(|(at_ns, _)| *at_ns);
        let past = self.changes.partition_point(|(at_ns, _)| *at_ns < to_ns);
        let mut sum = 0;
        for (at_ns, change) in self.changes.drain(..past).chain([(to_ns, 0)]) {
            let at_ns = at_ns.max(self.to_ns);
            sum += (at_ns - self.to_ns) * self.without.max(0) as u64;
            (self.to_ns, self.without) = (at_ns, self.without + change);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_cut_by_intervals_and_told_late_it_counts_from_then_on() {
        let mut outages = Outages::default();
        outages.lost(40);
        outages.lost(90);
        outages.back(70);
        outages.back(130);
        assert_eq!(outages.drain(100), 30 + 10);
        assert_eq!(outages.drain(200), 30);
        outages.lost(150);
        assert_eq!(outages.drain(300), 100, "the first fifty were over when it was told");
        assert_eq!(outages.drain(300), 0);
        assert_eq!(outages.drain(310), 10, "still away");
    }
}
