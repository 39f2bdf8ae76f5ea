//! `-m` and `-o`: several databases, DB_0, DB_1, …, and connection *i* in the one that is *i* mod their number. The workload
//! is made once for each, and its clients are dealt out.

use std::sync::Arc;
use tenbin_model::tally::StatementKind;
use tenbin_workload::{Client, Workload};

/// One workload that deals its clients out to several.
pub fn dealt(each: Vec<Arc<dyn Workload>>) -> Option<Arc<dyn Workload>> {
    let first = each.first()?.clone();
    Some(if each.len() == 1 { first } else { Arc::new(Dealt { first, each }) })
}

struct Dealt {
    /// Whose names and ways are those of all.
    first: Arc<dyn Workload>,
    each: Vec<Arc<dyn Workload>>,
}

/// Which of so many schemas client `number` of `of` works in, its number there, and of how many.
fn place(number: u32, of: u32, schemas: u32) -> (u32, u32, u32) {
    let at = number % schemas;
    (at, number / schemas, (of.max(1) + schemas - 1 - at) / schemas)
}

impl Workload for Dealt {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn transactions(&self) -> Vec<String> {
        self.first.transactions()
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.first.statements()
    }

    fn counters(&self) -> Vec<String> {
        self.first.counters()
    }

    fn paces(&self) -> bool {
        self.first.paces()
    }

    fn connections(&self, clients: u32) -> u32 {
        self.first.connections(clients)
    }

    fn prepared_per_connection(&self) -> u32 {
        self.first.prepared_per_connection()
    }

    fn blocks(&self) -> bool {
        self.first.blocks()
    }

    fn local(&self) -> bool {
        self.first.local()
    }

    fn interrupt(&self) {
        self.each.iter().for_each(|w| w.interrupt());
    }

    fn burst(&self) -> u32 {
        self.first.burst()
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        let (at, number, of) = place(number, of, self.each.len() as u32);
        // The same connection of two databases is not to draw the same orders.
        let seed = seed.wrapping_add(u64::from(at).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.each[at as usize].client(number, of, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn every_client_has_one_place_and_schemas_differ_by_one_at_most() {
        for (of, schemas) in [(7, 3), (4, 4), (2, 3), (9, 1)] {
            let mut all: Vec<_> = (0..of).map(|n| place(n, of, schemas)).collect();
            assert!(all.iter().all(|(at, number, there)| at < &schemas && number < there), "{all:?}");
            for at in 0..schemas.min(of) {
                let here: Vec<_> = all.iter().filter(|p| p.0 == at).collect();
                assert!(here.iter().all(|p| p.2 as usize == here.len()), "{all:?}");
            }
            all.dedup();
            assert_eq!(all.len(), of as usize);
        }
    }
}
