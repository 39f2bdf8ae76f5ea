//! The groups of clients of a load that run together, each with a schedule of its own. A load that has none is one group of all clients, without a name.

use crate::lock::locked;
use crate::part::ClientNumbers;
use crate::schedule::{ArrivalQueue, Remaining, ScheduleSpec, StartSchedule};
use crate::timeline::Timeline;
use std::sync::MutexGuard;
use tenbin_model::counted;
use tenbin_model::tally::CountedBy;
use tenbin_model::trial::{ClientGroup, Load};
use tenbin_words::problem::Problem;

/// One group.
#[derive(Debug)]
pub struct Group {
    /// Its name; empty if the load has no groups.
    pub name: String,
    /// The number after that of its last client.
    end: u32,
    /// Its clients in this process.
    pub clients: u32,
    pub counted_by: CountedBy,
    pub schedule: StartSchedule,
}

/// All of them.
#[derive(Debug)]
pub struct Groups(Vec<Group>);

impl Groups {
    /// Those of a load, with their starts that fall to the clients of this process.
    pub fn new(load: &Load, numbers: &ClientNumbers, timeline: &Timeline, seed: u64) -> Result<Groups, Problem> {
        let whole = [ClientGroup { name: String::new(), clients: load.clients, schedule: load.schedule }];
        let all = if load.groups.is_empty() { &whole[..] } else { &load.groups };
        let mut groups = Vec::with_capacity(all.len());
        let mut first = 0;
        for (place, group) in all.iter().take(ClientGroup::MOST).enumerate() {
            let end = first + group.clients;
            let (counted_by, numbers) = (counted::group_by(load, group), numbers.within(first..end));
            let spec = ScheduleSpec {
                schedule: group.schedule,
                numbers: &numbers,
                clients: group.clients,
                operations: load.operations,
                counted_by,
                group: place as u8,
            };
            let schedule = StartSchedule::new(&spec, timeline.clone(), seed)?;
            groups.push(Group { name: group.name.clone(), end, clients: numbers.count(), counted_by, schedule });
            first = end;
        }
        Ok(Groups(groups))
    }

    /// The place of the group of the client with this number.
    pub fn place_of(&self, number: u32) -> u8 {
        let index = self.0.iter().position(|group| number < group.end);
        index.unwrap_or(self.0.len() - 1) as u8
    }

    /// The group at this place.
    #[inline]
    pub fn at(&self, place: u8) -> &Group {
        &self.0[usize::from(place)]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Group> {
        self.0.iter()
    }

    /// Whether the clients of any start at intended times.
    pub fn has_rate(&self) -> bool {
        self.iter().any(|group| matches!(group.schedule, StartSchedule::Open(_)))
    }

    /// The queues of those that have a rate, in the order of the groups.
    pub fn queues(&self) -> impl Iterator<Item = (&Group, MutexGuard<'_, ArrivalQueue>)> {
        self.iter().filter_map(|group| match &group.schedule {
            StartSchedule::Closed(_) => None,
            StartSchedule::Open(arrivals) => Some((group, locked(arrivals))),
        })
    }

    /// Why there is no next start, for any client.
    pub fn rest(&self) -> Remaining {
        let rest = |group: &Group| match &group.schedule {
            StartSchedule::Closed(closed) => closed.rest(),
            StartSchedule::Open(arrivals) => locked(arrivals).rest(),
        };
        let all: Vec<Remaining> = self.iter().map(rest).collect();
        match all.iter().all(|one| *one == Remaining::Done) {
            true => Remaining::Done,
            false if all.contains(&Remaining::Some) => Remaining::Some,
            false => Remaining::NoneBeforeEnd,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::trial::{Arrivals, Overload, Schedule};

    #[test]
    fn clients_belong_to_groups_in_their_order_on_any_host() {
        let rate = Schedule::Open { rate: 10.0, arrivals: Arrivals::Even, overload: Overload::Skip };
        let group = |name: &str, clients, schedule| ClientGroup { name: name.to_owned(), clients, schedule };
        let groups = vec![group("a", 3, Schedule::Closed), group("b", 2, rate)];
        let load = Load { clients: 5, groups, ..Load::default() };
        let timeline = Timeline::new(0, 1000, 1000);
        let of = |numbers: &ClientNumbers| Groups::new(&load, numbers, &timeline, 7).expect("groups");
        let all = of(&ClientNumbers::All(5));
        assert_eq!((0..5).map(|n| all.place_of(n)).collect::<Vec<_>>(), [0, 0, 0, 1, 1]);
        assert_eq!(all.iter().map(|group| group.clients).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(all.iter().map(|group| group.counted_by).collect::<Vec<_>>(), [CountedBy::End, CountedBy::Start]);
        assert!(all.has_rate());
        let one = of(&ClientNumbers::These(vec![0, 2, 4]));
        assert_eq!(one.iter().map(|group| group.clients).collect::<Vec<_>>(), [2, 1]);
        // The starts of all hosts together are those of one: here every second.
        let (_, mut queue) = one.queues().next().expect("a queue");
        assert_eq!(queue.take(0).and_then(|start| start.intended_ns), Some(100_000_000));
        assert_eq!(queue.take(0).and_then(|start| start.intended_ns), Some(300_000_000));
    }
}
