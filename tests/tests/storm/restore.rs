//! Data that are put back into a server of somebody else's: the server comes back after its stop, or Tenbin gets signals. The
//! server keeps whole data, and no golden copy is half of one.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use crate::store::{Place, is_restored, leftovers, rows, target};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tenbin_tests::{Mounted, Restarting, mariadb, tenbin, wait_until};

/// A service manager that starts a server again when it has ended, after this many milliseconds.
struct Init {
    process: Child,
    lock: String,
}

impl Init {
    fn of(server: &Restarting, start: &str, after: u64) -> Init {
        let seconds = Duration::from_millis(after).as_secs_f64();
        let pid = server.dir().join("pid.now");
        let script = format!(
            "while :; do kill -0 $(cat {}) 2>/dev/null || {{ sleep {seconds}; {start}; }}; sleep 0.02; done",
            pid.display()
        );
        let mut sh = Command::new("sh");
        let process = sh.args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Init { process: process.unwrap(), lock: lock(server) }
    }
}

impl Drop for Init {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // A start that it had begun ends first.
        let _ = Command::new("flock").args([&self.lock, "true"]).status();
    }
}

fn lock(server: &Restarting) -> String {
    server.dir().join("start.lock").display().to_string()
}

/// The command that starts a server unless it runs, also when others give it too.
fn start_once(server: &Restarting, start: &str) -> String {
    let pid = server.dir().join("pid.now");
    format!("flock -o {} sh -c 'kill -0 $(cat {}) 2>/dev/null || {start}'", lock(server), pid.display())
}

pub fn comes_back(world: &mut AttackContext) -> String {
    let server = Restarting::of(mariadb(&[]));
    let place = Place::new(world);
    let (stop, start) = server.commands();
    let start = start_once(&server, &start);
    let (kind, after) = (*world.one_of(&["copy", "copy", "backup"]), world.between(0, 1500));
    let target = target(&tenbin_tests::sql::Address::dsn(&server), kind, &stop, &start);
    let has_copy = world.between(0, 1) == 0;
    if has_copy {
        is_restored(&place.does(&target), &server);
    }
    let before = has_copy.then(|| rows(&server));
    let init = Init::of(&server, &start, after);
    let outcome = place.does(&target);
    wait_until("the server is there", || std::net::TcpStream::connect(address(&server)).is_ok());
    drop(init);
    place.are_copies_whole();
    let restored = format!("{}{}", outcome.out, outcome.err).contains("data restored");
    if restored {
        is_restored(&outcome, &server);
    } else {
        // Nothing was measured on data that were not put back, and nothing was put back under a server that ran.
        assert!(!matches!(outcome.code, Some(0 | 3)), "{outcome:?}");
        let now = rows(&server);
        assert!(before.map_or(now == 2000, |before| before == now), "{now} rows and not {before:?}: {outcome:?}");
    }
    is_restored(&place.does(&target), &server);
    assert_eq!(leftovers(server.dir()), Vec::<String>::new());
    let end = if restored { "put back".to_owned() } else { outcome.end() };
    format!("{kind}{}, back after {after} ms → {end}", if has_copy { "" } else { " without a copy yet" })
}

fn address(server: &Restarting) -> String {
    let dsn = tenbin_model::dsn::Dsn::parse(&tenbin_tests::sql::Address::dsn(server)).unwrap();
    format!("127.0.0.1:{}", dsn.port.unwrap())
}

pub fn signals(world: &mut AttackContext) -> String {
    let server = Restarting::of(mariadb(&[]));
    let place = Place::new(world);
    let (stop, start) = server.commands();
    let target = target(&tenbin_tests::sql::Address::dsn(&server), "copy", &stop, &start);
    // Where the data are a file system of their own they are replaced in place.
    let mounted = (world.between(0, 2) > 0).then(|| {
        assert!(Command::new("sh").args(["-c", &stop]).status().unwrap().success());
        let mounted = Mounted::over(&server.dir().join("data"), 600);
        assert!(mounted.does(&start), "the server starts on its own file system");
        mounted
    });
    let run = || place.run_by(mounted.as_ref().map_or_else(tenbin, Mounted::tenbin), &target);
    is_restored(&Outcome::of(&mut run()), &server);

    let (name, twice) = (*world.one_of(&["INT", "INT", "TERM", "KILL"]), world.between(0, 3) == 0);
    let after = world.between(0, 1200);
    let pid = server.pid();
    let running = Running::start(&mut run());
    wait_until("the server is stopped", || !Path::new(&format!("/proc/{pid}/exe")).exists());
    std::thread::sleep(Duration::from_millis(after));
    let id = running.child.id().to_string();
    let send = || Command::new("kill").args([&format!("-{name}"), &id]).output();
    let _ = send();
    if twice {
        std::thread::sleep(Duration::from_millis(world.between(0, 300)));
        let _ = send();
    }
    let outcome = running.end();
    if name != "KILL" && !twice {
        // The step under way has ended: the server is there, on whole data.
        assert!(rows(&server) >= 2000, "{outcome:?}");
    }
    is_restored(&Outcome::of(&mut run()), &server);
    place.are_copies_whole();
    let data = server.dir().join("data/.tenbin-incomplete");
    let is_clean = mounted.as_ref().is_none_or(|mounted| mounted.does(&format!("test ! -e {}", data.display())));
    assert!(is_clean && leftovers(server.dir()).is_empty(), "{:?}", leftovers(server.dir()));
    let end = outcome.end();
    let how = if mounted.is_some() { "in place" } else { "by renaming" };
    format!("{how}, {name}{} after {after} ms → {end}", if twice { " twice" } else { "" })
}
