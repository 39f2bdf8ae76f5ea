//! pgbench's built-in scripts.

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// Its name for `-b`.
    pub name: &'static str,
    /// How reports name it.
    pub title: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them, in the order in which they are listed.
pub const ALL: [Builtin; 3] = [
    Builtin {
        name: "tpcb-like",
        title: "<builtin: TPC-B (sort of)>",
        text: "\\set aid random(1, 100000 * :scale)\n\
               \\set bid random(1, 1 * :scale)\n\
               \\set tid random(1, 10 * :scale)\n\
               \\set delta random(-5000, 5000)\n\
               BEGIN;\n\
               UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;\n\
               SELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n\
               UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;\n\
               UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;\n\
               INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);\n\
               END;\n",
    },
    Builtin {
        name: "simple-update",
        title: "<builtin: simple update>",
        text: "\\set aid random(1, 100000 * :scale)\n\
               \\set bid random(1, 1 * :scale)\n\
               \\set tid random(1, 10 * :scale)\n\
               \\set delta random(-5000, 5000)\n\
               BEGIN;\n\
               UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;\n\
               SELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n\
               INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);\n\
               END;\n",
    },
    Builtin {
        name: "select-only",
        title: "<builtin: select only>",
        text: "\\set aid random(1, 100000 * :scale)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n",
    },
];

/// The script of which this is the beginning of the name; otherwise how many have it: 0, or 2 and more.
pub fn find(name: &str) -> Result<Builtin, usize> {
    let matches: Vec<Builtin> = ALL.into_iter().filter(|builtin| builtin.name.starts_with(name)).collect();
    match matches[..] {
        [one] => Ok(one),
        _ => Err(matches.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_name_is_enough() {
        assert_eq!(find("se").map(|b| b.name), Ok("select-only"));
        assert_eq!(find("tpcb-like").map(|b| b.name), Ok("tpcb-like"));
        assert_eq!((find("s"), find("x"), find("")), (Err(2), Err(0), Err(3)));
    }
}
