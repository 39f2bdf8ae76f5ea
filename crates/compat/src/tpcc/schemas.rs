//! `-m` and `-o`: several databases, DB_0, DB_1, …, and connection *i* in the one that is *i* mod their number. The
//! workload is created once for each, and the clients are distributed.

use super::like::like;
use std::sync::Arc;
use tenbin_workload::Workload;

/// A workload that distributes its clients over several.
pub fn dealt(each: Vec<Arc<dyn Workload>>) -> Option<Arc<dyn Workload>> {
    if each.len() < 2 {
        return each.into_iter().next();
    }
    like(each.clone(), move |number, of, seed| {
        let (at, number, of) = place(number, of, each.len() as u32);
        // Corresponding connections of two databases must not draw the same orders.
        let seed = seed.wrapping_add(u64::from(at).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        each[at as usize].client(number, of, seed)
    })
}

/// The schema of client `number` of `of`, its number there, and the number of clients there.
fn place(number: u32, of: u32, schemas: u32) -> (u32, u32, u32) {
    let at = number % schemas;
    (at, number / schemas, (of.max(1) + schemas - 1 - at) / schemas)
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
