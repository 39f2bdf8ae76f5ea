//! Which clients and which starts of a load this process drives, if several load hosts drive it together.
//!
//! Both are dealt out by number, so that all hosts together do what one would: a client has the same number, and so the same random
//! numbers, wherever it runs, and every host computes the same intended starts and takes those that are its own.

use std::ops::Range;
use tenbin_client::Workload;

/// One of the parts into which a load is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadPart {
    /// Which, from 0.
    pub number: u32,
    /// How many parts there are, at least 1.
    pub of: u32,
}

impl LoadPart {
    /// All of the load.
    pub const ALL: LoadPart = LoadPart { number: 0, of: 1 };

    /// Whether client `number` of `clients` belongs to it: clients in turn, but those that the workload wants together are dealt
    /// out together ([`Workload::group`]).
    fn has(self, workload: &dyn Workload, number: u32, clients: u32) -> bool {
        self.of <= 1 || workload.group(number, clients) % self.of == self.number
    }

    /// The clients of all parts, by their numbers.
    pub fn deal(of: u32, workload: &dyn Workload, clients: u32) -> Vec<ClientNumbers> {
        if of <= 1 {
            return vec![ClientNumbers::All(clients)];
        }
        let mut parts = vec![Vec::new(); of as usize];
        (0..clients).for_each(|n| parts[(workload.group(n, clients) % of) as usize].push(n));
        parts.into_iter().map(ClientNumbers::These).collect()
    }

    /// The numbers of its clients.
    pub fn clients(self, workload: &dyn Workload, clients: u32) -> ClientNumbers {
        match self.of {
            0 | 1 => ClientNumbers::All(clients),
            _ => ClientNumbers::These((0..clients).filter(|&n| self.has(workload, n, clients)).collect()),
        }
    }
}

/// The numbers of the clients of this process, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientNumbers {
    /// All up to this one.
    All(u32),
    /// These.
    These(Vec<u32>),
}

impl ClientNumbers {
    /// How many there are.
    pub fn count(&self) -> u32 {
        match self {
            ClientNumbers::All(clients) => *clients,
            ClientNumbers::These(numbers) => numbers.len() as u32,
        }
    }

    /// Those in this range, counted from its start.
    pub fn within(&self, range: Range<u32>) -> ClientNumbers {
        match self {
            ClientNumbers::All(clients) => ClientNumbers::All(range.end.min(*clients).saturating_sub(range.start)),
            ClientNumbers::These(numbers) => {
                let within = numbers.iter().filter(|number| range.contains(number));
                ClientNumbers::These(within.map(|number| number - range.start).collect())
            }
        }
    }

    /// The number of the client at this place.
    pub fn at(&self, place: u32) -> u32 {
        match self {
            ClientNumbers::All(_) => place,
            ClientNumbers::These(numbers) => numbers.get(place as usize).copied().unwrap_or(u32::MAX),
        }
    }

    /// What falls to them of `all`, which all `clients` share: parts in proportion, and together `all`.
    pub fn share_of(&self, all: u64, clients: u32) -> u64 {
        match self {
            ClientNumbers::All(_) => all,
            // One is dealt out to each client in turn, as often as it takes.
            ClientNumbers::These(numbers) => {
                let (each, left) = (all / u64::from(clients.max(1)), all % u64::from(clients.max(1)));
                each * numbers.len() as u64 + numbers.iter().filter(|&&n| u64::from(n) < left).count() as u64
            }
        }
    }

    /// Of the starts of a schedule, those of these clients: start `i` belongs to client `i` modulo `clients`.
    pub fn starts(&self, clients: u32) -> OwnStarts {
        match self {
            ClientNumbers::All(_) => OwnStarts(Vec::new()),
            ClientNumbers::These(numbers) => {
                let mut own = vec![false; clients as usize];
                for &number in numbers {
                    if let Some(own) = own.get_mut(number as usize) {
                        *own = true;
                    }
                }
                OwnStarts(own)
            }
        }
    }
}

/// The starts of a schedule that fall to this process. Which of its clients executes one is decided when one is free.
#[derive(Debug, Clone, Default)]
pub struct OwnStarts(Vec<bool>);

impl OwnStarts {
    /// Whether start `index` is one of them.
    #[inline]
    pub fn has(&self, index: u64) -> bool {
        self.0.is_empty() || self.0[(index % self.0.len() as u64) as usize]
    }
}
