//! A real server that a user's command restarts, as `systemctl restart` does: with an option file's directory, and a
//! command that fails if the server does not come back.

use crate::sql::Address;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;

/// Ends the server (PostgreSQL without waiting for its clients), starts it again with `"$@"` as its account, and waits until it listens;
/// PostgreSQL listens before it accepts anybody.
const RESTART: &str = r#"old=$(cat "$PID"); kill -s "$SIGNAL" "$old"; while kill -0 "$old" 2>/dev/null; do sleep 0.02; done
setpriv --reuid="$OWNER" --regid="$GROUP" --clear-groups "$@" >>"$LOG" 2>&1 & echo $! >"$PID"
while ! (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; do
  kill -0 "$(cat "$PID")" 2>/dev/null || { tail -n 3 "$LOG"; exit 1; }
  sleep 0.02
done
[ "$SIGNAL" != INT ] || until pg_isready -q -h 127.0.0.1 -p "$PORT"; do
  kill -0 "$(cat "$PID")" 2>/dev/null || { tail -n 3 "$LOG"; exit 1; }
  sleep 0.02
done"#;

/// A server and the command that restarts it.
#[derive(Debug)]
pub struct Restarting {
    sandbox: Sandbox,
}

impl Restarting {
    /// Makes a private server one that its user restarts.
    pub fn of(sandbox: Sandbox) -> Restarting {
        let pid = sandbox.pid().expect("it has a process");
        let argv = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).expect("it runs");
        let mut argv: Vec<String> = argv.trim_end_matches('\0').split('\0').map(str::to_owned).collect();
        let restarting = Restarting { sandbox };
        let dir = restarting.sandbox.dir();
        let options = dir.join("conf.d");
        std::fs::create_dir(&options).expect("its directory can be written");
        let owner = std::fs::metadata(dir.join("data")).expect("its data are there");
        if argv[1] == "--no-defaults" {
            std::fs::write(dir.join("my.cnf"), format!("!includedir {}\n", options.display())).expect("writable");
            argv[1] = format!("--defaults-file={}", dir.join("my.cnf").display());
            argv.retain(|argument| !argument.contains("innodb-buffer-pool-size"));
        } else {
            // What is on its command line could not be changed.
            let places: Vec<usize> = (0..argv.len()).filter(|at| argv[*at].starts_with("shared_buffers")).collect();
            for at in places {
                argv.drain(at - 1..=at);
            }
        }
        let (log, signal) = if argv[1] == "-D" { ("restart.log", "INT") } else { ("error.log", "TERM") };
        let port = Dsn::parse(&restarting.dsn()).expect("it has an address").port.expect("it has a port");
        let quoted = |text: &str| tenbin_words::shell::quoted(text);
        let arguments = argv.iter().map(|argument| quoted(argument)).collect::<Vec<_>>().join(" ");
        let place = |name: &str| quoted(&dir.join(name).display().to_string());
        let script = format!(
            "set -- {arguments}\nSIGNAL={signal} OWNER={} GROUP={} PORT={port} PID={} LOG={}\n{RESTART}\n",
            owner.uid(),
            owner.gid(),
            place("pid.now"),
            place(log)
        );
        std::fs::write(dir.join("pid.now"), pid.to_string()).expect("writable");
        std::fs::write(dir.join("restart.sh"), script).expect("writable");
        restarting
    }

    /// The command that restarts it.
    pub fn command(&self) -> String {
        format!("bash {}", self.sandbox.dir().join("restart.sh").display())
    }

    /// The commands that stop and start it.
    pub fn commands(&self) -> (String, String) {
        let part = |name: &str, last: &str| {
            let script = std::fs::read_to_string(self.dir().join("restart.sh")).expect("it was written");
            let (at, path) = (script.find("setpriv").expect("it starts the server"), self.dir().join(name));
            let (head, tail) = script.split_at(at);
            let settings = head.rsplit_once("old=").expect("it ends the server").0;
            let text = if last == "stop" { head.to_owned() } else { format!("{settings}\n{tail}") };
            std::fs::write(&path, text).expect("writable");
            format!("bash {}", path.display())
        };
        (part("stop.sh", "stop"), part("start.sh", "start"))
    }

    /// An option file that it would read.
    pub fn option_file(&self) -> PathBuf {
        self.sandbox.dir().join("conf.d/zz-tenbin.cnf")
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        self.sandbox.dir()
    }

    /// Its process now.
    pub fn pid(&self) -> u32 {
        let text = std::fs::read_to_string(self.sandbox.dir().join("pid.now")).expect("it was started");
        text.trim().parse().expect("a number")
    }
}

impl Address for Restarting {
    fn dsn(&self) -> String {
        self.sandbox.dsn()
    }
}

impl Drop for Restarting {
    fn drop(&mut self) {
        if Some(self.pid()) != self.sandbox.pid() && Path::new(&format!("/proc/{}", self.pid())).exists() {
            crate::phoenix::signal(self.pid(), "KILL");
        }
    }
}
