//! Private servers where things are not as they should be: no rights, a wrong variable, no binary, no folder; and the
//! doctor's words.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tenbin_model::dsn::Dsn;
use tenbin_tests::{Phoenix, mariadb, output_of, target_dir, tenbin, tenbin_through};

/// Runs `tenbin` as a user without rights when we are root; else as we are. Answers with code, output, errors.
fn as_somebody(state: &Path, args: &[&str]) -> (i32, String, String) {
    let root = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0;
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let mut command = if root { tenbin_through("setpriv", &nobody) } else { tenbin() };
    output_of(command.args(args).env("TENBIN_STATE_DIR", state).env("HOME", state).current_dir(state))
}

/// A folder that everybody may use.
fn open_folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o1777)).unwrap();
    dir
}

#[test]
fn a_user_without_rights_has_private_servers_too() {
    let dir = open_folder();
    let build = target_dir();
    let closed = build.ancestors().filter_map(|f| f.metadata().ok()).find(|m| m.permissions().mode() & 0o001 == 0);
    assert!(closed.is_none(), "the build lies where others may not go; hint: chmod a+x on its folders");
    let state = dir.path().join("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o777)).unwrap();
    let state = state.join("own");
    std::fs::create_dir(&state).unwrap();
    std::os::unix::fs::chown(&state, Some(65534), Some(65534)).ok();
    let plan = dir.path().join("plan.toml");
    std::fs::write(
        &plan,
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nsettle = \"0s\"\nmeasure = \"500ms\"\nrepeats = 1\n[targets.a]\nsandbox = \"mariadbd\"\n\
         [datasets.d]\ntable_size = 200\n[[experiment]]\nload = { workload = \"oltp_read_write\", clients = 2 }\n",
    )
    .unwrap();
    let runs = state.join("runs").display().to_string();
    let (code, out, err) = as_somebody(&state, &["run", &plan.display().to_string(), "--runs", &runs]);
    assert!(code == 0 || code == 3, "{code}\n{out}\n{err}");
    assert!(out.contains("answer   a completed"), "{out}\n{err}");
    let (code, list, err) = as_somebody(&state, &["sandbox", "list", "--json"]);
    assert_eq!((code, list.trim()), (0, "[]"), "nothing is left: {err}");
}

#[test]
fn what_a_server_says_when_it_does_not_start_is_told() {
    let dir = open_folder();
    let start = |args: &[&str]| {
        let mut command = tenbin();
        command.args(["sandbox", "start"]).args(args).env("TENBIN_STATE_DIR", dir.path());
        output_of(&mut command)
    };
    let (code, _, err) = start(&["mariadbd", "--set", "no_such_variable=1"]);
    assert!(code == 1 && err.contains("no-such-variable"), "the server's own words: {code} {err}");
    let (code, _, err) = start(&["mariadbd", "--set", "inodb_buffer_pool_size=64M"]);
    assert!(code == 1 && err.contains("write innodb_buffer_pool_size in the place of inodb_buffer_pool_size"), "{err}");
    let (code, _, err) = start(&["mariadbd", "--set", "innodb_page_size=12345"]);
    assert!(code == 1 && err.contains("Invalid page size=12345") && err.contains("hint"), "{code} {err}");
    let (code, _, err) = start(&["no-such-server"]);
    assert!(code == 1 && err.contains("there is no no-such-server") && err.contains("hint"), "{code} {err}");
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|n| n == "sandbox"), "a server that did not start leaves no folder: {left:?}");
    let (code, _, err) = output_of(tenbin().args(["sandbox", "stop", "nobody"]).env("TENBIN_STATE_DIR", dir.path()));
    assert!(code == 1 && err.contains("nobody") && err.contains("hint"), "{code} {err}");
}

#[test]
fn a_folder_of_somebody_else_or_none_is_refused_for_sandboxes() {
    let dir = open_folder();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    for state in [file.as_path(), Path::new("/proc/none")] {
        let (code, _, err) = output_of(tenbin().args(["sandbox", "start"]).env("TENBIN_STATE_DIR", state));
        assert!(code == 1 && err.contains("cannot be used") && err.contains("TENBIN_STATE_DIR="), "{code} {err}");
    }
    let long = dir.path().join("x".repeat(120));
    let (code, _, err) = output_of(tenbin().args(["sandbox", "start"]).env("TENBIN_STATE_DIR", &long));
    assert!(code == 1 && err.contains("too long for a socket"), "{code} {err}");
}

#[test]
fn the_doctor_computes_limits_and_ends_with_a_code() {
    let server = mariadb(&[("max_connections", "12"), ("max_prepared_stmt_count", "40"), ("local_infile", "0")]);
    let (code, out, err) = output_of(tenbin().args(["doctor", &server.dsn()]));
    assert_eq!(code, 1, "{out}{err}");
    for part in [
        "does not allow so many connections",
        "max_connections 12, 0 in use by others, 20 wanted",
        "hint: SET GLOBAL max_connections = ",
        "does not allow so many prepared statements",
        "hint: SET GLOBAL max_prepared_stmt_count = ",
        "local_infile OFF",
        "durability as it is set: commits survive a power failure",
        "innodb_flush_log_at_trx_commit 1, sync_binlog ",
        "share this machine",
    ] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
    let roomy = mariadb(&[]);
    let (code, out, _) = output_of(tenbin().args(["doctor", &roomy.dsn()]));
    assert!(
        code == 0 && out.contains("connections are enough") && out.contains("prepared statements are enough"),
        "{out}"
    );
    let (code, out, _) = output_of(tenbin().arg("doctor"));
    assert!(code == 0 && out.contains("client  ") && out.contains("sandbox mariadbd is here"), "{out}");
    // A password in an address is not repeated.
    let (code, out, err) = output_of(tenbin().args(["doctor", &server.dsn().replace("root@", "root:Gehe1mnis@")]));
    assert!(code == 1 && !format!("{out}{err}").contains("Gehe1mnis"), "{out}{err}");
}

#[test]
fn neighbours_keep_their_temporary_tables_to_themselves() {
    // A MariaDB that starts removes all temporary tables in its folder of them.
    let servers = [tenbin_tests::mariadb(&[]), tenbin_tests::mariadb(&[])];
    let of = servers.each_ref().map(|s| tenbin_tests::tpcc::query(&s.dsn(), "SELECT @@tmpdir").concat());
    assert!(of[0] != of[1] && of.iter().all(|dir| dir.ends_with("/tmp") && dir != "/tmp"), "{of:?}");
}

/// The note of a private server has the process that was started first; one that was killed and started again by
/// somebody else has another, and its data must not be taken from under it.
#[test]
fn a_server_that_was_started_again_is_listed_and_stopped() {
    for mut server in [Phoenix::start(&[]), Phoenix::postgres(&[])] {
        let (name, address) = (server.name().to_owned(), Dsn::parse(&server.dsn()).unwrap());
        let listed = || {
            let (_, list, err) = output_of(tenbin().args(["sandbox", "list"]));
            let row = list.lines().find(|l| l.split_whitespace().next() == Some(&name)).map(str::to_owned);
            let row = row.unwrap_or_else(|| panic!("{name} is not listed: {list}{err}"));
            row.split_whitespace().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        server.crash();
        // Its memory is gone at once, its number when the last thread is.
        let since = std::time::Instant::now();
        while listed()[0] != "dead" {
            assert!(since.elapsed() < std::time::Duration::from_secs(30), "{name} is never dead: {:?}", listed());
        }
        server.rise();
        assert_eq!(listed(), ["running", &server.pid().to_string()]);
        let (code, out, err) = output_of(tenbin().args(["sandbox", "stop", &name, "--force"]));
        assert_eq!((code, out.as_str()), (0, format!("stopped  {name}\n").as_str()), "{err}");
        let at = ("127.0.0.1", address.port.unwrap());
        assert!(std::net::TcpStream::connect(at).is_err(), "{name} still answers");
        assert!(!server.dir().exists(), "its data are gone after it, not before");
    }
}
