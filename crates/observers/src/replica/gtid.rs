//! How many transactions of a source a replica has not applied, by the positions that both report: sets of MySQL
//! (manual 19.1.3.1) and positions of MariaDB (knowledge base "Global Transaction ID").

use std::collections::BTreeMap;

/// The number of transactions in `source` that are not in `replica`; `None` if a position cannot be read.
pub(super) fn missing(source: &str, replica: &str) -> Option<u64> {
    if source.contains(':') || replica.contains(':') {
        let (source, replica) = (set(source)?, set(replica)?);
        let none = Vec::new();
        return Some(source.iter().map(|(uuid, all)| outside(all, replica.get(uuid).unwrap_or(&none))).sum());
    }
    let (source, replica) = (position(source)?, position(replica)?);
    Some(source.iter().map(|(domain, seq)| seq.saturating_sub(*replica.get(domain).unwrap_or(&0))).sum())
}

/// `0-1-123,1-2-5`: the sequence number of each domain.
fn position(text: &str) -> Option<BTreeMap<u64, u64>> {
    let each = text.split(',').map(str::trim).filter(|one| !one.is_empty()).map(|one| {
        let mut parts = one.split('-').map(|part| part.parse::<u64>().ok());
        let (domain, _server, seq) = (parts.next()??, parts.next()??, parts.next()??);
        Some((domain, seq))
    });
    each.collect()
}

/// `uuid:1-5:7,uuid:tag:1-3`: intervals by UUID and tag.
fn set(text: &str) -> Option<BTreeMap<String, Vec<(u64, u64)>>> {
    let mut all: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for one in text.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        let mut parts = one.split(':').map(str::trim);
        let uuid = parts.next()?;
        let mut key = uuid.to_owned();
        for part in parts {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            match (from.parse(), to.parse()) {
                (Ok(from), Ok(to)) => all.entry(key.clone()).or_default().push((from, to)),
                // Tags begin with a letter or an underscore.
                _ if part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => key = format!("{uuid}:{part}"),
                _ => return None,
            }
        }
    }
    Some(all)
}

/// How many numbers of these intervals are in none of the others.
fn outside(all: &[(u64, u64)], others: &[(u64, u64)]) -> u64 {
    let length = |from: u64, to: u64| to.saturating_sub(from).saturating_add(u64::from(to >= from));
    let common = |a: (u64, u64)| others.iter().map(|b| length(a.0.max(b.0), a.1.min(b.1))).sum::<u64>();
    all.iter().map(|a| length(a.0, a.1).saturating_sub(common(*a))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_counted() {
        let (a, b) = ("3e11fa47-71ca-11e1-9e33-c80aa9429562", "4e11fa47-71ca-11e1-9e33-c80aa9429562");
        for (source, replica, missing_there) in [
            ("0-1-120", "0-1-100", Some(20)),
            ("0-1-120,1-1-7", "0-1-120", Some(7)),
            ("0-1-100", "0-1-120", Some(0)),
            ("", "", Some(0)),
            ("0-1-5", "", Some(5)),
            (&format!("{a}:1-120"), &format!("{a}:1-100"), Some(20)),
            (&format!("{a}:1-120"), &format!("{a}:1-50:61-100:110"), Some(29)),
            (&format!("{a}:1-120,\n{b}:1-5:7"), &format!("{b}:1-9"), Some(120)),
            (&format!("{a}:1-5:x:1-3"), &format!("{a}:1-5:x:1"), Some(2)),
            (&format!("{a}:1-5"), "", Some(5)),
            ("0-1", "0-1-5", None),
            (&format!("{a}:!"), "", None),
            (&format!("{a}:5-1"), "", Some(0)),
        ] {
            assert_eq!(missing(source, replica), missing_there, "{source} {replica}");
        }
    }
}
