//! Senders without end: hooks, load hosts, machines over ssh, orders for a load host, files, and servers. What Tenbin takes of it is
//! bounded in memory and on disk, and it ends by itself or at one Ctrl-C.

use crate::AttackContext;
use crate::hostile::{Liar, mysql_greeting, mysql_packet};
use crate::outcome::{Outcome, Running};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::tenbin_through;

/// The most memory that any of these may take, bytes, and the most that may be in all of its folders.
const MEMORY: u64 = 700 << 20;
const DISK: u64 = 64 << 20;
/// A command that goes on without end is asked to end after this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a flood consists of, as a shell makes it.
const SHAPES: &[&str] = &[
    "yes",
    "cat /dev/zero",
    "tr '\\0' '\\n' </dev/zero",
    "tr '\\0' '[' </dev/zero",
    "while :; do printf '{\"a\":'; done",
    "cat /dev/urandom",
    "yes '{\"ready\":1}'",
    "yes '= tenbin'",
    "printf '= tenbin\\n'; cat /dev/zero",
    "printf '= tenbin\\n'; yes '= 1'",
    "yes >&2",
];

/// Folders of one flood, which are its temporary directory, too.
struct Folders {
    dir: PathBuf,
}

impl Folders {
    fn new(world: &mut AttackContext) -> Folders {
        let dir = world.folder();
        for name in ["tmp", "runs", "state", "bin"] {
            std::fs::create_dir(dir.join(name)).unwrap();
        }
        std::fs::set_permissions(dir.join("state"), PermissionsExt::from_mode(0o711)).unwrap();
        Folders { dir }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        path
    }

    /// Runs `tenbin` in these folders and watches what it takes. `from` writes to its standard input.
    fn does(&self, arguments: &[&str], from: Option<&str>) -> (Outcome, u64) {
        let script = match from {
            // What is waited for is `tenbin` alone: a flood that writes elsewhere does not end with its reader.
            Some(flood) => {
                let pipe = self.dir.join("flood").display().to_string();
                format!("mkfifo '{pipe}'; {{ {flood}; }} >'{pipe}' 2>/dev/null & exec \"$0\" \"$@\" <'{pipe}'")
            }
            None => "exec \"$0\" \"$@\" </dev/null".to_owned(),
        };
        let mut command = tenbin_through("sh", &["-c", &script]);
        command.args(arguments).env("TMPDIR", self.dir.join("tmp")).env("TENBIN_RUNS", self.dir.join("runs"));
        command.env("TENBIN_STATE_DIR", self.dir.join("state"));
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.dir.join("bin").display()));
        // What floods it ends with it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let running = Running::start(&mut command);
        let group = running.child.id();
        let watched = std::thread::spawn(move || most_memory(group));
        let outcome = running.end();
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
        let most = watched.join().unwrap();
        assert!(most < MEMORY, "{} MB of memory: {arguments:?} {outcome:?}", most >> 20);
        let disk = bytes_in(&self.dir);
        assert!(disk < DISK, "{} MB on disk: {arguments:?} {outcome:?}", disk >> 20);
        (outcome, most)
    }
}

/// The most memory that a `tenbin` of a process group has had; asks it to end when it takes long.
fn most_memory(group: u32) -> u64 {
    let (start, mut most, mut is_asked) = (Instant::now(), 0, false);
    loop {
        let members = members(group);
        if members.is_empty() {
            return most;
        }
        for pid in members.iter().filter(|pid| name(**pid) == "tenbin") {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let high = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib: u64 = high.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0);
            most = most.max(kib << 10);
            if start.elapsed() > PATIENCE && !is_asked {
                let _ = Command::new("kill").args(["-INT", &pid.to_string()]).stderr(Stdio::null()).status();
            }
        }
        is_asked |= start.elapsed() > PATIENCE;
        // Only the flood is left.
        if most > 0 && !members.iter().any(|pid| name(*pid) == "tenbin") {
            return most;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn members(group: u32) -> Vec<u32> {
    let all =
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_member = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let fields: Vec<&str> = fields.split_whitespace().collect();
        fields.len() > 2 && fields[0] != "Z" && fields[2] == group.to_string()
    };
    all.filter(is_member).collect()
}

fn name(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned()
}

fn bytes_in(dir: &Path) -> u64 {
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => bytes_in(&entry.path()),
        Ok(meta) if meta.is_file() => std::os::unix::fs::MetadataExt::blocks(&meta) * 512,
        _ => 0,
    };
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(of).sum()
}

fn told(what: &str, (outcome, most): &(Outcome, u64)) -> String {
    format!("{what} → {} MB, {}", most >> 20, outcome.end())
}

const PLAN: &str = "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\nrepeats = 1\n\
    [datasets.d]\ntable_size = 10000\n\
    [[experiment]]\nload = { workload = \"oltp_read_only\", clients = 2, calibrate = \"never\" }\n";

/// A command of the user's that prints without end, or leaves something running that does.
pub fn hook(world: &mut AttackContext) -> String {
    let (folders, shape) = (Folders::new(world), *world.one_of(SHAPES));
    let (when, seconds) =
        (*world.one_of(&["before_run", "before_trial", "after_trial", "after_run"]), world.between(1, 3));
    let flood = folders.file("flood.sh", &format!("#!/bin/sh\n{shape}\n"));
    let command = match world.between(0, 1) {
        0 => format!("timeout {seconds} {}", flood.display()),
        _ => format!("timeout {} {} & echo begun", seconds + 5, flood.display()),
    };
    let plan = folders
        .file("plan.toml", &format!("{PLAN}[targets.t]\nsandbox = \"sqlite\"\nhooks = {{ {when} = {command:?} }}\n"));
    let (outcome, most) = folders.does(&["run", plan.to_str().unwrap()], None);
    assert!(outcome.code.is_some(), "{outcome:?}");
    told(&format!("{when}, {command} of {shape}"), &(outcome, most))
}

/// In the place of `ssh`: the other end says something without end, at once or when it was asked.
fn flooding_ssh(world: &mut AttackContext, folders: &Folders) -> &'static str {
    let shape = *world.one_of(SHAPES);
    let asks = *world.one_of(&["", "head -c 1 >/dev/null; "]);
    folders.file("bin/ssh", &format!("#!/bin/sh\n{asks}{shape}\n"));
    shape
}

pub fn load_host(world: &mut AttackContext) -> String {
    let folders = Folders::new(world);
    let shape = flooding_ssh(world, &folders);
    let server = world.mariadb().dsn();
    let plan =
        folders.file("plan.toml", &format!("{PLAN}[hosts]\nat = [\"db\"]\n[targets]\na = {{ dsn = {server:?} }}\n"));
    let end = folders.does(&["run", plan.to_str().unwrap()], None);
    assert!(matches!(end.0.code, Some(1 | 2 | 130)), "{shape}: {:?}", end.0);
    told(shape, &end)
}

pub fn machine(world: &mut AttackContext) -> String {
    let folders = Folders::new(world);
    let shape = flooding_ssh(world, &folders);
    let server = world.mariadb().dsn();
    let target = format!("[targets.a]\ndsn = {server:?}\nhost = {{ ssh = \"db\" }}\n");
    let plan = folders.file("plan.toml", &format!("{PLAN}{target}"));
    let command = *world.one_of(&[&["run"][..], &["plan", "check"]]);
    let end = folders.does(&[command, &[plan.to_str().unwrap()]].concat(), None);
    assert!(end.0.code.is_some_and(|code| code != 0), "{shape}: {:?}", end.0);
    told(&format!("{} {shape}", command[0]), &end)
}

pub fn orders(world: &mut AttackContext) -> String {
    let (folders, shape) = (Folders::new(world), *world.one_of(SHAPES));
    let end = folders.does(&["load-host"], Some(shape));
    told(shape, &end)
}

/// Files that have no end, or one line, or very many columns.
pub fn file(world: &mut AttackContext) -> String {
    let folders = Folders::new(world);
    let shape = *world.one_of(SHAPES);
    let kind = *world.one_of(&["/dev/zero", "/dev/urandom", "pipe", "standard input", "columns", "lines", "depth"]);
    let (path, from) = match kind {
        "pipe" => {
            let path = folders.dir.join("pipe");
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            let mut writer = Command::new("timeout");
            writer.args(["20", "sh", "-c", &format!("{{ {shape}; }} >'{}' 2>/dev/null", path.display())]);
            // It ends with the reader of the pipe.
            std::thread::spawn(move || writer.status());
            (path.display().to_string(), None)
        }
        "standard input" => ("/dev/stdin".to_owned(), Some(shape)),
        "columns" => {
            let columns = world.between(1000, 200_000) as usize;
            let row = |cell: &str| vec![cell; columns].join(",");
            let text = format!("{}\n{}\n", row("tps"), row("1"));
            (folders.file("wide.csv", &text).display().to_string(), None)
        }
        "lines" => (folders.file("long.csv", &"threads,tps\n1,2\n".repeat(500_000)).display().to_string(), None),
        "depth" => (folders.file("deep.json", &"[".repeat(3_000_000)).display().to_string(), None),
        device => (device.to_owned(), None),
    };
    let commands: [&[&str]; 4] = [&["audit"], &["diff", "/dev/null"], &["report"], &["plan", "check"]];
    let command = *world.one_of(&commands);
    let start = Instant::now();
    let end = folders.does(&[command, &[&path]].concat(), from);
    assert!(end.0.code.is_some_and(|code| code <= 3 || code == 130), "{command:?} {kind} {shape}: {:?}", end.0);
    // Linear in what it reads; a pipe may be slow.
    let is_fast = start.elapsed() < Duration::from_secs(60);
    assert!(is_fast, "{command:?} {kind}: {:?}", start.elapsed());
    told(&format!("{} {kind}", command.join(" ")), &end)
}

/// What a server says: at once, in answer to what it hears, and then without end.
type Conversation = (Vec<u8>, Vec<Vec<u8>>, Vec<u8>);

/// What goes on without end in each protocol.
const OF_MYSQL: &[&str] = &["greeting", "greetings", "columns", "rows", "one row", "results"];
const OF_POSTGRES: &[&str] = &["notices", "parameters", "rows", "one row"];

fn of_mysql(shape: &str) -> Conversation {
    let ok = mysql_packet(2, &[0, 0, 0, 2, 0, 0, 0]);
    let greeting = mysql_greeting("8.0.31");
    let definition = mysql_packet(2, b"\x03def\0\0\0\x01a\0\x0c\x3f\0\x15\0\0\0\xfd\0\0\0\0\0");
    let head = [mysql_packet(1, &[1]), definition.clone(), mysql_packet(3, &[0xfe, 0, 0, 2, 0])].concat();
    match shape {
        "greeting" => ([&[0xff, 0xff, 0xff, 0, 10][..], &[b'8'; 60_000]].concat(), vec![], vec![b'8'; 1 << 16]),
        "greetings" => (greeting.clone(), vec![], greeting.repeat(500)),
        "columns" => (greeting, vec![ok, mysql_packet(1, &[0xfc, 0xff, 0xff])], definition.repeat(1000)),
        "rows" => (greeting, vec![ok, head], mysql_packet(4, b"\x05ha-ha").repeat(5000)),
        "one row" => {
            let row = [&[0xff, 0xff, 0xff, 4, 0xfe, 0, 0, 0, 0, 0, 0, 0, 16][..], &[b'x'; 1000]].concat();
            (greeting, vec![ok, [head, row].concat()], vec![b'x'; 1 << 16])
        }
        _ => (greeting, vec![ok], mysql_packet(1, &[0, 0, 0, 10, 0, 0, 0]).repeat(5000)),
    }
}

fn of_postgres(shape: &str) -> Conversation {
    let message = |kind: u8, body: &[u8]| [&[kind], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat();
    let login = message(b'R', &[0, 0, 0, 0]);
    let welcome = [login.clone(), message(b'Z', b"I")].concat();
    let head = message(b'T', &[&b"\0\x01a\0"[..], &[0; 18]].concat());
    // TLS is not offered.
    let no_tls = b"N".to_vec();
    let (answers, flood) = match shape {
        "notices" => (vec![no_tls, welcome], message(b'N', b"SNOTICE\0C00000\0Mha-ha\0\0").repeat(1000)),
        "parameters" => (vec![no_tls, login], message(b'S', b"server_version\x0015.4\0").repeat(1000)),
        "rows" => (vec![no_tls, welcome, head], message(b'D', b"\0\x01\0\0\0\x05ha-ha").repeat(2000)),
        _ => {
            let row = [&b"D"[..], &0x3fff_ffff_u32.to_be_bytes(), &[0, 1], &0x3fff_fff0_u32.to_be_bytes()].concat();
            (vec![no_tls, welcome, [head, row].concat()], vec![b'x'; 1 << 16])
        }
    };
    (Vec::new(), answers, flood)
}

/// A server that goes on without end, at some step of the conversation.
pub fn server(world: &mut AttackContext) -> String {
    let folders = Folders::new(world);
    let scheme = *world.one_of(&["mysql", "postgres"]);
    let shape = *world.one_of(if scheme == "mysql" { OF_MYSQL } else { OF_POSTGRES });
    let (first, answers, flood) = if scheme == "mysql" { of_mysql(shape) } else { of_postgres(shape) };
    let liar = Liar::endless(first, answers, flood);
    let dsn = format!("{scheme}://u@127.0.0.1:{}/d", liar.port());
    let commands: [&[&str]; 4] = [
        &["doctor", &dsn],
        &["bench", "oltp_point_select", &dsn, "--time", "1"],
        &["load", "oltp_point_select", &dsn, "--table-size", "10"],
        &["check", &dsn],
    ];
    let command = *world.one_of(&commands);
    let end = folders.does(command, None);
    assert!(matches!(end.0.code, Some(1 | 2 | 3 | 130)), "{shape}: {command:?} {:?}", end.0);
    told(&format!("{} of {scheme}: {shape}", command[0]), &end)
}
