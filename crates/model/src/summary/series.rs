//! The intervals of a trial. While it runs they are points; once it has ended they are [packed](Packed) by column, because a run
//! of a thousand trials has a million of them.

use crate::event::Phase;
use crate::packed::Packed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One interval of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Warm-up or measure.
    pub phase: Phase,
    /// Start and end, nanoseconds since the run's start.
    pub from_ns: u64,
    /// End.
    pub to_ns: u64,
    /// Completed per second.
    pub tps: f64,
    /// Mean response time; this and the other times are of TPC-C those of New-Orders.
    pub mean_ns: f64,
    /// 95th percentile of response time.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99th percentile of the service time.
    pub service_p99_ns: u64,
    /// 99th percentile of the wait from the intended start to the actual one.
    pub wait_p99_ns: u64,
    /// Longest.
    pub max_ns: u64,
    /// Failed transactions.
    pub failed: u64,
    /// Connected clients at the end.
    pub clients: u32,
    /// Starts that were due or in progress at the end and had not ended; `None` in a closed loop that only time ends, where each client has
    /// one, and in recordings that do not have it.
    pub outstanding: Option<u64>,
    /// The same of each group of clients with a rate, by its name.
    pub outstanding_of: BTreeMap<String, u64>,
    /// Completed by transaction name, if there are several: those of which throughput is made.
    pub completed: BTreeMap<String, u64>,
}

/// The intervals of a trial, in order.
#[derive(Debug, Clone)]
pub struct Series(SeriesForm);

#[derive(Debug, Clone)]
enum SeriesForm {
    Open(Vec<Point>),
    Packed(Box<PackedSeries>),
}

impl Default for Series {
    fn default() -> Self {
        Series(SeriesForm::Open(Vec::new()))
    }
}

impl Series {
    /// Appends the next interval.
    pub(super) fn push(&mut self, point: Point) {
        if let SeriesForm::Packed(_) = self.0 {
            self.0 = SeriesForm::Open(self.points().collect());
        }
        if let SeriesForm::Open(points) = &mut self.0 {
            points.push(point);
        }
    }

    /// Makes them small until another one is appended.
    pub(super) fn pack(&mut self) {
        if let SeriesForm::Open(_) = self.0 {
            self.0 = SeriesForm::Packed(Box::new(self.packed()));
        }
    }

    pub(super) fn packed(&self) -> PackedSeries {
        match &self.0 {
            SeriesForm::Open(points) => PackedSeries::of(points),
            SeriesForm::Packed(packed) => (**packed).clone(),
        }
    }

    /// The same as they were packed; `None` if the columns have different lengths, or something else than a number of clients.
    pub(super) fn of_packed(packed: PackedSeries) -> Option<Series> {
        packed.is_whole().then(|| Series(SeriesForm::Packed(Box::new(packed))))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            SeriesForm::Open(points) => points.len(),
            SeriesForm::Packed(packed) => packed.measured.integers().count(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            SeriesForm::Open(points) => points.is_empty(),
            SeriesForm::Packed(packed) => packed.measured.integers().next().is_none(),
        }
    }

    /// The last one, as of a trial that runs.
    pub fn last(&self) -> Option<Point> {
        match &self.0 {
            SeriesForm::Open(points) => points.last().cloned(),
            SeriesForm::Packed(packed) => packed.points().last(),
        }
    }

    /// Clients connected at the end of the last one of a phase.
    pub(super) fn last_clients(&self, phase: Phase) -> Option<u32> {
        match &self.0 {
            SeriesForm::Open(points) => points.iter().rfind(|point| point.phase == phase).map(|point| point.clients),
            SeriesForm::Packed(packed) => {
                packed.rates().filter(|rate| rate.phase == phase).last().map(|rate| rate.clients)
            }
        }
    }

    /// All intervals with their figures. This unpacks every figure: [`Series::rates`] is enough for most.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<'_> {
        let (open, packed) = self.forms();
        open.iter().cloned().chain(packed.into_iter().flat_map(PackedSeries::points))
    }

    /// The throughput of all intervals.
    pub fn rates(&self) -> impl Iterator<Item = IntervalRate> + use<'_> {
        let (open, packed) = self.forms();
        open.iter().map(IntervalRate::of).chain(packed.into_iter().flat_map(PackedSeries::rates))
    }

    /// How many starts had not ended at the end of the warm-up, and at the ends of the intervals of the measured window, as far as that is known.
    pub(super) fn outstanding(&self) -> Vec<(u64, u64)> {
        self.course(|point| point.outstanding)
    }

    /// The same of a group of clients with a rate.
    pub(super) fn outstanding_of(&self, group: &str) -> Vec<(u64, u64)> {
        self.course(|point| point.outstanding_of.get(group).copied())
    }

    fn course(&self, of: impl Fn(&Point) -> Option<u64>) -> Vec<(u64, u64)> {
        let (mut warm_up, mut measured) = (None, Vec::new());
        for point in self.points() {
            let value = of(&point).map(|value| (point.to_ns, value));
            match point.phase {
                Phase::Measure => measured.extend(value),
                _ => warm_up = value,
            }
        }
        // Without a window there is none in it.
        if measured.is_empty() { measured } else { warm_up.into_iter().chain(measured).collect() }
    }

    /// The start of the first and the end of the last interval, nanoseconds since the run's start.
    pub fn span_ns(&self) -> Option<(u64, u64)> {
        match &self.0 {
            SeriesForm::Open(points) => Some((points.first()?.from_ns, points.last()?.to_ns)),
            SeriesForm::Packed(packed) => Some((packed.from_ns.integers().next()?, packed.to_ns.integers().last()?)),
        }
    }

    fn forms(&self) -> (&[Point], Option<&PackedSeries>) {
        match &self.0 {
            SeriesForm::Open(points) => (points, None),
            SeriesForm::Packed(packed) => (&[], Some(packed)),
        }
    }
}

/// The throughput of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalRate {
    /// Warm-up or measure.
    pub phase: Phase,
    /// Start, nanoseconds since the run's start.
    pub from_ns: u64,
    /// End.
    pub to_ns: u64,
    /// Completed per second.
    pub tps: f64,
    /// Connected clients at the end.
    clients: u32,
}

impl IntervalRate {
    fn of(point: &Point) -> IntervalRate {
        let Point { phase, from_ns, to_ns, tps, clients, .. } = *point;
        IntervalRate { phase, from_ns, to_ns, tps, clients }
    }
}

fn is_default(packed: &Packed) -> bool {
    *packed == Packed::default()
}

/// Intervals by column; see [`Point`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PackedSeries {
    /// 1 if it is of the measured window.
    measured: Packed,
    from_ns: Packed,
    to_ns: Packed,
    tps: Packed,
    mean_ns: Packed,
    p95_ns: Packed,
    p99_ns: Packed,
    service_p99_ns: Packed,
    wait_p99_ns: Packed,
    max_ns: Packed,
    failed: Packed,
    clients: Packed,
    /// One more than were outstanding; 0 if that is not known. Absent if it is not known of any.
    #[serde(default, skip_serializing_if = "is_default")]
    outstanding: Packed,
    /// The same of groups of clients, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    outstanding_of: BTreeMap<String, Packed>,
    /// One more than were completed; 0 if the interval does not have the name.
    completed: BTreeMap<String, Packed>,
}

impl PackedSeries {
    fn of(series: &[Point]) -> PackedSeries {
        let integers = |of: fn(&Point) -> u64| Packed::of_integers(series.iter().map(of));
        let floats = |of: fn(&Point) -> f64| Packed::of_floats(&series.iter().map(of).collect::<Vec<_>>());
        let by_name = |of: fn(&Point) -> &BTreeMap<String, u64>| -> BTreeMap<String, Packed> {
            let names: BTreeSet<&String> = series.iter().flat_map(|p| of(p).keys()).collect();
            let one_more = |p: &Point, name: &String| of(p).get(name).map_or(0, |n| n.saturating_add(1));
            let column = |name: &String| Packed::of_integers(series.iter().map(|p| one_more(p, name)));
            names.into_iter().map(|name| (name.clone(), column(name))).collect()
        };
        PackedSeries {
            measured: integers(|p| u64::from(p.phase == Phase::Measure)),
            from_ns: integers(|p| p.from_ns),
            to_ns: integers(|p| p.to_ns),
            tps: floats(|p| p.tps),
            mean_ns: floats(|p| p.mean_ns),
            p95_ns: integers(|p| p.p95_ns),
            p99_ns: integers(|p| p.p99_ns),
            service_p99_ns: integers(|p| p.service_p99_ns),
            wait_p99_ns: integers(|p| p.wait_p99_ns),
            max_ns: integers(|p| p.max_ns),
            failed: integers(|p| p.failed),
            clients: integers(|p| u64::from(p.clients)),
            outstanding: match series.iter().any(|p| p.outstanding.is_some()) {
                true => integers(|p| p.outstanding.map_or(0, |n| n.saturating_add(1))),
                false => Packed::default(),
            },
            outstanding_of: by_name(|p| &p.outstanding_of),
            completed: by_name(|p| &p.completed),
        }
    }

    /// Whether every interval has every figure. An interval that lacks the number of a name has no transactions of it.
    fn is_whole(&self) -> bool {
        let PackedSeries { measured, from_ns, to_ns, tps, mean_ns, p95_ns, p99_ns, service_p99_ns, .. } = self;
        let PackedSeries { wait_p99_ns, max_ns, failed, clients, outstanding, outstanding_of, completed, .. } = self;
        let n = measured.integers().count();
        let integers = [from_ns, to_ns, p95_ns, p99_ns, service_p99_ns, wait_p99_ns, max_ns, failed, clients];
        integers.iter().all(|column| column.integers().count() == n)
            && outstanding.integers().count() <= n
            && completed.values().chain(outstanding_of.values()).all(|column| column.integers().count() <= n)
            && [tps, mean_ns].iter().all(|column| column.floats().count() == n)
            && clients.integers().all(|n| u32::try_from(n).is_ok())
    }

    fn phases(&self) -> impl Iterator<Item = Phase> + use<'_> {
        self.measured.integers().map(|measured| if measured == 1 { Phase::Measure } else { Phase::WarmUp })
    }

    fn client_numbers(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.clients.integers().map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    fn rates(&self) -> impl Iterator<Item = IntervalRate> + use<'_> {
        let times = self.from_ns.integers().zip(self.to_ns.integers());
        let figures = self.tps.floats().zip(self.client_numbers());
        let all = self.phases().zip(times).zip(figures);
        all.map(|((phase, (from_ns, to_ns)), (tps, clients))| IntervalRate { phase, from_ns, to_ns, tps, clients })
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<'_> {
        let mut mean_ns = self.mean_ns.floats();
        let (mut p95_ns, mut p99_ns) = (self.p95_ns.integers(), self.p99_ns.integers());
        let (mut service, mut wait) = (self.service_p99_ns.integers(), self.wait_p99_ns.integers());
        let (mut max_ns, mut failed) = (self.max_ns.integers(), self.failed.integers());
        let mut outstanding = self.outstanding.integers();
        let mut outstanding_of: Vec<_> = self.outstanding_of.iter().map(|(name, n)| (name, n.integers())).collect();
        let mut completed: Vec<_> = self.completed.iter().map(|(name, n)| (name, n.integers())).collect();
        self.rates().map_while(move |IntervalRate { phase, from_ns, to_ns, tps, clients }| {
            let of_name = |(name, values): &mut (&String, _)| {
                let n: Option<u64> = Iterator::next(values);
                n.and_then(|n| Some(((*name).clone(), n.checked_sub(1)?)))
            };
            Some(Point {
                phase,
                from_ns,
                to_ns,
                tps,
                mean_ns: mean_ns.next()?,
                p95_ns: p95_ns.next()?,
                p99_ns: p99_ns.next()?,
                service_p99_ns: service.next()?,
                wait_p99_ns: wait.next()?,
                max_ns: max_ns.next()?,
                failed: failed.next()?,
                clients,
                outstanding: outstanding.next().and_then(|n| n.checked_sub(1)),
                outstanding_of: outstanding_of.iter_mut().filter_map(of_name).collect(),
                completed: completed.iter_mut().filter_map(of_name).collect(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(n: u64) -> Point {
        Point {
            phase: if n < 2 { Phase::WarmUp } else { Phase::Measure },
            from_ns: n * 10,
            to_ns: n * 10 + 10,
            tps: n as f64 / 3.0,
            mean_ns: 1e6 / (n + 1) as f64,
            p95_ns: n * n,
            p99_ns: u64::MAX - n,
            service_p99_ns: n % 3,
            wait_p99_ns: 7 * n,
            max_ns: 1 << (n % 60),
            failed: n / 2,
            clients: u32::MAX - n as u32,
            outstanding: (n % 4).checked_sub(1),
            outstanding_of: (0..n % 2).map(|name| (format!("g{name}"), n)).collect(),
            completed: (0..n % 3).map(|name| (format!("t{name}"), n)).collect(),
        }
    }

    #[test]
    fn packed_intervals_are_what_they_were_and_can_be_continued() {
        for n in 0..7 {
            let mut series = Series::default();
            (0..n).for_each(|n| series.push(point(n)));
            let check = |series: &Series, n: u64| {
                let expected: Vec<Point> = (0..n).map(point).collect();
                assert_eq!((series.points().collect::<Vec<_>>(), series.len()), (expected.clone(), expected.len()));
                let rates: Vec<IntervalRate> = expected.iter().map(IntervalRate::of).collect();
                assert_eq!((series.rates().collect::<Vec<_>>(), series.is_empty()), (rates, n == 0));
                assert_eq!(series.last(), expected.last().cloned());
                let of = |phase| expected.iter().rfind(|p| p.phase == phase).map(|p| p.clients);
                for phase in [Phase::WarmUp, Phase::Measure] {
                    assert_eq!(series.last_clients(phase), of(phase));
                }
                assert_eq!(series.span_ns(), (n > 0).then_some((0, n * 10)));
            };
            check(&series, n);
            series.pack();
            check(&series, n);
            check(&Series::of_packed(series.packed()).unwrap(), n);
            series.push(point(n));
            check(&series, n + 1);
        }
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let packed = || PackedSeries::of(&[point(1), point(2)]);
        let one = || Packed::of_integers([1]);
        let three = || Packed::of_integers([1, 2, 3]);
        assert!(Series::of_packed(packed()).is_some());
        for broken in [
            PackedSeries { measured: three(), ..packed() },
            PackedSeries { from_ns: one(), ..packed() },
            PackedSeries { tps: three(), ..packed() },
            PackedSeries { max_ns: Packed::default(), ..packed() },
            PackedSeries { clients: Packed::of_integers([1, 1 << 32]), ..packed() },
            PackedSeries { outstanding: three(), ..packed() },
            PackedSeries { completed: BTreeMap::from([("t".to_owned(), three())]), ..packed() },
        ] {
            assert!(Series::of_packed(broken).is_none());
        }
    }
}
