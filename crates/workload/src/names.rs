//! Names of transactions and statements, of which figures are kept by name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The names with a number behind those that would be like another one: `pay`, `pay #2`.
pub fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    // How many have had each name.
    let mut taken: HashMap<String, u64> = HashMap::new();
    let one = |name: String| {
        let mut number = match taken.entry(name.clone()) {
            Entry::Vacant(free) => {
                free.insert(1);
                return name;
            }
            Entry::Occupied(count) => *count.get(),
        };
        loop {
            number += 1;
            let other = format!("{name} #{number}");
            if let Entry::Vacant(free) = taken.entry(other.clone()) {
                free.insert(1);
                taken.insert(name, number);
                return other;
            }
        }
    };
    names.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_alike() {
        let of = |names: &[&str]| distinct(names.iter().map(|&name| name.to_owned())).join("|");
        assert_eq!(of(&["a", "b", "a", "a"]), "a|b|a #2|a #3");
        assert_eq!(of(&["a #2", "a", "a", "a #2"]), "a #2|a|a #3|a #2 #2");
        assert_eq!(of(&["a", "a", "a #2"]), "a|a #2|a #2 #2");
    }
}
