//! Processes that we start, pin, watch and end. None survives us, however we end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running process; dropping it kills it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Where its standard output goes.
    out: PathBuf,
    started: Instant,
}

/// CPU time so far, in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cpu {
    /// In user mode.
    pub user_s: f64,
    /// In the kernel.
    pub system_s: f64,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it wrote to standard output, and standard error after it.
    pub said: String,
    /// From start to end.
    pub wall_s: f64,
    /// All CPU it took.
    pub cpu: Cpu,
}

/// Starts a program with its output in `dir`, on one core when `core` is given.
///
/// util-linux's `setpriv` lets the kernel end it when we end, and `taskset` pins it before its first instruction.
pub fn start(program: &Path, arguments: &[String], core: Option<usize>, dir: &Path) -> io::Result<Process> {
    let out = dir.join("stdout");
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if let Some(core) = core {
        command.args(["taskset", "-c", &core.to_string()]);
    }
    command.arg(program).args(arguments).current_dir(dir);
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(dir.join("stderr"))?);
    let started = Instant::now();
    let child =
        command.spawn().map_err(|e| io::Error::other(format!("setpriv (util-linux) cannot be started: {e}")))?;
    Ok(Process { child, out, started })
}

/// Whether there is a program of this name.
pub fn is_on_the_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

impl Process {
    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has written to standard output until now.
    pub fn output(&self) -> String {
        std::fs::read_to_string(&self.out).unwrap_or_default()
    }

    /// Fails with what it said when it has ended.
    pub fn must_run(&mut self) -> io::Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => Err(io::Error::other(format!("it ended early ({status}): {}", self.everything()))),
        }
    }

    /// CPU time until now, of all its threads.
    pub fn cpu(&self) -> io::Result<Cpu> {
        cpu_of(self.id())
    }

    /// Its resident memory now.
    pub fn memory_kib(&self) -> io::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
        kib.ok_or_else(|| io::Error::other("the kernel does not tell its memory"))
    }

    /// CPU time until now of those threads whose name is asked for, in seconds: exact, where ticks are too coarse.
    pub fn threads_cpu_s(&self, is_asked: impl Fn(&str) -> bool) -> io::Result<f64> {
        let mut ns = 0.0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.id()))? {
            let task = task?.path();
            // A thread that has just ended is not there any more.
            let (Ok(name), Ok(times)) =
                (std::fs::read_to_string(task.join("comm")), std::fs::read_to_string(task.join("schedstat")))
            else {
                continue;
            };
            if is_asked(name.trim_end()) {
                ns += times.split(' ').next().and_then(|first| first.parse::<f64>().ok()).unwrap_or_default();
            }
        }
        Ok(ns / 1e9)
    }

    /// Waits for its end, at most this long.
    pub fn wait(mut self, most: Duration) -> io::Result<Ended> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let pid = i32::try_from(self.id()).ok().and_then(Pid::from_raw).ok_or_else(|| io::Error::other("no pid"))?;
        // Seen, but not yet reaped: its CPU time can still be read.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        while waitid(WaitId::Pid(pid), options)?.is_none() {
            if self.started.elapsed() > most {
                return Err(io::Error::other(format!("not done after {most:?}: {}", self.everything())));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let wall_s = self.started.elapsed().as_secs_f64();
        let cpu = self.cpu()?;
        let status = self.child.wait()?;
        Ok(Ended { status, said: self.everything(), wall_s, cpu })
    }

    fn everything(&self) -> String {
        let errors = std::fs::read_to_string(self.out.with_file_name("stderr")).unwrap_or_default();
        format!("{}{errors}", self.output())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU time of a process until now, of all its threads.
pub fn cpu_of(pid: u32) -> io::Result<Cpu> {
    cpu_at(pid, [11, 12])
}

/// The same with its children, living and ended: PostgreSQL has one for each connection.
pub fn cpu_of_all(pid: u32) -> io::Result<Cpu> {
    let mut all = cpu_of(pid)?.and(cpu_at(pid, [13, 14])?);
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    for child in children.split_whitespace().filter_map(|n| n.parse().ok()) {
        // One that has just ended is in its parent's sum the next time.
        all = cpu_of(child).map_or(all, |cpu| all.and(cpu));
    }
    Ok(all)
}

/// Two fields of `/proc/PID/stat`, counted behind the name in parentheses, which may hold anything.
fn cpu_at(pid: u32, places: [usize; 2]) -> io::Result<Cpu> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok());
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    match (ticks(places[0]), ticks(places[1])) {
        (Some(user), Some(system)) => Ok(Cpu { user_s: user / per_second, system_s: system / per_second }),
        _ => Err(io::Error::other(format!("/proc/{pid}/stat cannot be read: {stat}"))),
    }
}

impl Cpu {
    /// User and kernel.
    pub fn total_s(self) -> f64 {
        self.user_s + self.system_s
    }

    /// Both together.
    fn and(self, other: Cpu) -> Cpu {
        Cpu { user_s: self.user_s + other.user_s, system_s: self.system_s + other.system_s }
    }

    /// What was spent since `earlier`.
    pub fn since(self, earlier: Cpu) -> Cpu {
        Cpu { user_s: self.user_s - earlier.user_s, system_s: self.system_s - earlier.system_s }
    }
}
