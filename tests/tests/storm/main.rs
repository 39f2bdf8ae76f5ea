//! The storm: faults and attacks drawn at random from a seed, each with what must hold afterwards. Every kind comes
//! once in `make test-all`; `make storm` goes on for a minute, or for TENBIN_STORM_S seconds (an hour: 3600).
//!
//! A fault that the storm finds is reported with its seed: TENBIN_STORM_SEED=… runs the same attacks in the same order. The
//! moments TENBIN_STORM_ONLY=word leaves out the kinds without that word in their names. The moments at which signals
//! arrive are as exact as the machine is idle.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod directory;
mod floods;
mod hostile;
mod labels;
mod lies;
mod outcome;
mod restore;
mod server;
mod signals;
mod store;

use outcome::Outcome;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use tenbin_tests::Phoenix;
use tenbin_workload::Random;

/// What an attack needs: randomness, a place for files, and servers that are started on first use.
pub struct AttackContext {
    random: Random,
    dir: tempfile::TempDir,
    mariadb: Option<Phoenix>,
}

/// One kind of attack: its name, and a function that strikes once, asserts what must hold, and says what was seen.
struct Attack {
    name: &'static str,
    strike: fn(&mut AttackContext) -> String,
}

/// All kinds, in the order of the first round.
const ATTACKS: &[Attack] = &[
    Attack { name: "server killed", strike: server::killed },
    Attack { name: "server frozen", strike: server::frozen },
    Attack { name: "tenbin frozen", strike: server::ourselves_frozen },
    Attack { name: "tenbin killed", strike: signals::killed },
    Attack { name: "signals", strike: signals::stopped },
    Attack { name: "terminal closed", strike: signals::terminal_closed },
    Attack { name: "disk full under the run directory", strike: directory::disk_full },
    Attack { name: "run directory damaged", strike: directory::damaged },
    Attack { name: "run directory with links and pipes", strike: directory::linked },
    Attack { name: "hostile MySQL server", strike: hostile::mysql },
    Attack { name: "hostile PostgreSQL server", strike: hostile::postgres },
    Attack { name: "data directory behind links", strike: lies::by_links },
    Attack { name: "process that calls itself mysqld", strike: lies::by_a_process },
    Attack { name: "server that comes back", strike: restore::comes_back },
    Attack { name: "signals while data are put back", strike: restore::signals },
    Attack { name: "server restarted and set by others", strike: labels::disturbed },
    Attack { name: "variables wanted by two", strike: labels::wanted_by_two },
    Attack { name: "flood of a hook", strike: floods::hook },
    Attack { name: "flood of a load host", strike: floods::load_host },
    Attack { name: "flood of a machine", strike: floods::machine },
    Attack { name: "flood of orders", strike: floods::orders },
    Attack { name: "flood of a file", strike: floods::file },
    Attack { name: "flood of a server", strike: floods::server },
];

#[test]
fn every_attack_is_held() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("TENBIN_STORM_S").unwrap_or(0);
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = number("TENBIN_STORM_SEED").unwrap_or(clock);
    eprintln!("TENBIN_STORM_SEED={seed} repeats what follows");

    let only = std::env::var("TENBIN_STORM_ONLY").unwrap_or_default();
    let attacks: Vec<&Attack> = ATTACKS.iter().filter(|a| a.name.contains(&only)).collect();
    assert!(!attacks.is_empty(), "no attack has {only:?} in its name");

    let start = Instant::now();
    let dir = tempfile::tempdir().unwrap();
    // Servers have accounts of their own.
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o711)).unwrap();
    let mut world = AttackContext { random: Random::new(seed, 0), dir, mariadb: None };
    let mut choice = Random::new(seed, u64::MAX);
    for count in 0.. {
        if count >= attacks.len() && start.elapsed() >= Duration::from_secs(seconds) {
            eprintln!("{count} attacks held in {} s", start.elapsed().as_secs());
            break;
        }
        let index = if count < attacks.len() { count } else { choice.word() as usize % attacks.len() };
        let attack = attacks[index];
        // Each attack has a stream of its own, so that it does not depend on how much those before it drew.
        world.random = Random::new(seed, count as u64);
        eprintln!("{:>5} s  {count}: {}", start.elapsed().as_secs(), attack.name);
        let effect = (attack.strike)(&mut world);
        eprintln!("         {effect}");
        world.cleaned();
    }
}

impl AttackContext {
    /// A whole number from `from` up to `to`, both included.
    fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.random.word() % (to - from + 1)
    }

    /// Removes what the attack has left.
    fn cleaned(&self) {
        for entry in std::fs::read_dir(self.dir.path()).unwrap().flatten() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }

    /// One of several.
    fn one_of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.random.word() as usize % all.len()]
    }

    /// A new empty folder, through which every account may pass.
    fn folder(&mut self) -> std::path::PathBuf {
        let path = self.dir.path().join(format!("{:016x}", self.random.word()));
        std::fs::create_dir(&path).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o711)).unwrap();
        path
    }

    /// A MariaDB with the tables of `oltp_read_write`.
    fn mariadb(&mut self) -> &mut Phoenix {
        self.mariadb.get_or_insert_with(|| {
            let server = Phoenix::start(&[]);
            let loaded = Outcome::of(tenbin_tests::tenbin().args(["load", "oltp_read_write", &server.dsn()]));
            assert_eq!(loaded.code, Some(0), "{loaded:?}");
            server
        })
    }
}
