//! Three cases in which the cause cannot be known: that is said, with what it would need. And one in which the trial says nothing at
//! all, because the client itself was stopped.

use super::{Diagnosed, Staged};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use tenbin_tests::{Link, Namespace, NullServer, mariadb, tenbin, wait_until_measured};

fn assert_not_known(diagnosed: &Diagnosed, needed: &[&str]) {
    let why = &diagnosed.why;
    if !diagnosed.is_as_staged(why["limit"] == "not-enough-evidence") {
        return;
    }
    assert_eq!(why["limit"], "not-enough-evidence", "{}\n{}", why["sentence"], why["rules"]);
    let missing = why["missing"].to_string();
    for needed in needed {
        assert!(missing.contains(needed), "{needed}: {missing}");
    }
}

/// A server on another machine, of which nothing is known but what its clients see.
#[test]
fn a_server_elsewhere_whose_machine_cannot_be_seen_is_not_guessed_at() {
    let network = Namespace::new();
    let server = mariadb(&[]);
    let port = tenbin_tests::sql::connector(&server).dsn().port.expect("a test's server has a port");
    let link = Link::from(&network.server(), port);
    let why = Staged::plan(&format!(
        "[targets.there]\ndsn = \"mysql://root@{}:{}/sbtest\"\nhost = \"none\"\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\ndataset = \"sb\"\nload = {{ workload = \"DIR/work.lua\", clients = 1 }}\n",
        network.server(),
        link.port()
    ));
    // Work that only the server's processors know of.
    let why = why.script("work.lua", "con:query(\"SELECT BENCHMARK(20000, MD5('a'))\")");
    assert_not_known(&why.diagnosed_by(|| network.tenbin()), &["the processor use of the server", "ssh://"]);
}

/// Observers only before and after the clients: no figure of the measured window.
#[test]
fn a_window_that_was_not_observed_is_not_guessed_at() {
    let server = mariadb(&[]);
    let why = Staged::plan(&format!(
        "[targets.unseen]\ndsn = \"{}\"\nhost = \"none\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_update_non_index\", clients = 4, observe = \"ends\" }}\n",
        server.dsn()
    ));
    let needed = ["the processor use of the server", "the waits in commits", "the waits for row locks"];
    assert_not_known(&why.diagnosed(), &needed);
}

/// A load on a server that shows nothing of itself.
fn silent(server: &NullServer) -> Staged {
    Staged::plan(&format!(
        "[targets.silent]\ndsn = \"{}\"\nhost = \"none\"\nallow = [\"write-unmarked\"]\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\nrestore = \"require\"\nload = {{ workload = \"oltp_point_select\", clients = 8 }}\n",
        server.dsn()
    ))
}

/// A server that takes its time and does not say for what.
#[test]
fn a_server_that_tells_nothing_is_not_guessed_at() {
    let server = NullServer::start(&["--delay", "20ms"]);
    assert_not_known(
        &silent(&server).diagnosed(),
        &["the processor use of the server", "the waits for reads from the disk"],
    );
}

/// What becomes of every other case at its last attempt, if the machine disturbs it: terminal and page say how.
#[test]
fn a_client_that_was_stopped_is_told_on_terminal_and_page() {
    let server = NullServer::start(&["--delay", "20ms"]);
    let signal = |pid: u32, name: &str| {
        let status = Command::new("kill").args([name, &pid.to_string()]).status().expect("kill is there");
        assert!(status.success(), "{name} to {pid}");
    };
    let stopped = silent(&server).diagnosed_while(tenbin, |pid, runs| {
        wait_until_measured(runs, 2);
        signal(pid, "-STOP");
        sleep(Duration::from_millis(2500));
        signal(pid, "-CONT");
    });
    assert!(stopped.disturbed.iter().any(|doubt| doubt["code"] == "client-stopped"), "{:?}", stopped.disturbed);
    stopped.assert_told();
}
