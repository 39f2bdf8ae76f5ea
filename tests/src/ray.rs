//! A Ray cluster: a head on this machine, and nodes in network namespaces of their own. Each node has a namespace of processes, too,
//! so that nothing of it outlives it, whatever Ray has started there.

use crate::{Namespace, fetched, run, target_dir, tenbin};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The version from PyPI.
const RAY: &str = "2.60.0";
const TOKEN: &str = "5ecd0e4b2a7f4c1f9d6b8a3e7c0f1d2b";
const PORT: u16 = 6379;
const PATIENCE: Duration = Duration::from_secs(90);

/// Runs until it is dropped.
pub struct RayCluster {
    head: Child,
    nodes: Vec<RayNode>,
    python: PathBuf,
    dir: TempDir,
    environment: Vec<(String, String)>,
}

struct RayNode {
    name: String,
    namespace: Namespace,
    process: Child,
}

impl RayCluster {
    /// With this many nodes, `load-1` and so on, which have these variables in their environment. The head has no CPU for load hosts.
    pub fn start(nodes: usize, environment: &[(&str, &str)]) -> RayCluster {
        let python = fetched(&format!("ray-{RAY}"), |to| {
            run(Command::new("python3")
                .args(["-m", "pip", "install", "-q", "--root-user-action=ignore", "--target"])
                .arg(to)
                .arg(format!("ray=={RAY}")));
        });
        let namespaces: Vec<Namespace> = (0..nodes).map(|_| Namespace::new()).collect();
        let address = namespaces[0].server();
        let dir = tempfile::Builder::new().prefix("ray").tempdir_in("/tmp").expect("a directory can be made");
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut cluster = RayCluster { head: idle(), nodes: Vec::new(), python, dir, environment };
        let head = [
            "--head",
            "--num-cpus=0",
            "--include-dashboard=false",
            &format!("--port={PORT}"),
            &format!("--node-ip-address={address}"),
        ];
        cluster.head = cluster.ray("head", &head, &[]);
        for (number, namespace) in namespaces.into_iter().enumerate() {
            // Nodes reach the head, whose address is the other end of the first one.
            namespace.ip(&["route", "add", "default", "via", &namespace.server()]);
            let name = format!("load-{}", number + 1);
            let process = cluster.node(&name, &namespace, &address);
            cluster.nodes.push(RayNode { name, namespace, process });
        }
        cluster.wait();
        cluster
    }

    fn node(&self, name: &str, namespace: &Namespace, head: &str) -> Child {
        let address = format!("--address={head}:{PORT}");
        let own = format!("--node-ip-address={}", namespace.client());
        let named = format!("--node-name={name}");
        self.ray(name, &[&address, &own, &named, "--num-cpus=1"], &["nsenter", &namespace.net()])
    }

    fn ray(&self, name: &str, arguments: &[&str], through: &[&str]) -> Child {
        let own = self.dir.path().join(name);
        let _ = fs::remove_dir_all(&own);
        fs::create_dir_all(&own).expect("the directory can be written");
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]);
        command
            .args(through)
            .arg("python3")
            .arg(self.python.join("bin/ray"))
            .args(["start", "--block"])
            .args(arguments);
        command.args(["--disable-usage-stats", "--object-store-memory=100000000"]);
        command.arg(format!("--temp-dir={}", own.display()));
        let log = File::create(self.dir.path().join(format!("{name}.log"))).expect("the directory can be written");
        command.stdin(Stdio::null()).stdout(log.try_clone().expect("a file")).stderr(log);
        self.with_environment(&mut command).envs(self.environment.iter().map(|(name, value)| (name, value)));
        // A lost node is noticed by Ray within seconds.
        for (name, value) in [("period_ms", "1000"), ("timeout_ms", "1000"), ("failure_threshold", "3")] {
            command.env(format!("RAY_health_check_{name}"), value);
        }
        command.spawn().expect("setpriv and unshare are of util-linux")
    }

    fn with_environment<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let modules = format!("{}:{}", package().display(), self.python.display());
        command
            .env("PATH", format!("{}:{path}", package().join("bin").display()))
            .env("PYTHONPATH", modules)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RAY_AUTH_MODE", "token")
            .env("RAY_AUTH_TOKEN", TOKEN)
    }

    /// Waits until all nodes have joined.
    fn wait(&self) {
        let started = Instant::now();
        let wanted = self.nodes.len() + 1;
        loop {
            let mut command = Command::new("python3");
            command.args(["-c", "import ray, sys; ray.init(address=sys.argv[1], logging_level='ERROR'); print(sum(n['Alive'] for n in ray.nodes()))"]);
            command.arg(self.head()).stderr(Stdio::null());
            let there = self.with_environment(&mut command).output().expect("python3 runs").stdout;
            if String::from_utf8_lossy(&there).trim() == wanted.to_string() {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "not all nodes join:\n{}", self.logs());
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn logs(&self) -> String {
        let files = fs::read_dir(self.dir.path()).into_iter().flatten().flatten().map(|entry| entry.path());
        let logs = files.filter(|path| path.extension().is_some_and(|extension| extension == "log"));
        logs.map(|path| format!("{}\n{}\n", path.display(), fs::read_to_string(&path).unwrap_or_default())).collect()
    }

    /// The address of the head, `HOST:PORT`.
    pub fn head(&self) -> String {
        format!("{}:{PORT}", self.server())
    }

    /// The address of this machine that all nodes reach.
    pub fn server(&self) -> String {
        self.nodes.first().map(|node| node.namespace.server()).unwrap_or_default()
    }

    /// Everything that Ray has written: logs, and what it has spilled.
    pub fn written(&self) -> &Path {
        self.dir.path()
    }

    /// The `tenbin` of this build with `tenbin-ray` on its path, and the token.
    pub fn tenbin(&self) -> Command {
        let mut command = tenbin();
        self.with_environment(&mut command);
        command
    }

    /// The processes of load hosts on a node, from 0.
    pub fn hosts_on(&self, node: usize) -> Vec<u32> {
        let network = fs::metadata(format!("/run/netns/{}", self.nodes[node].namespace.name())).expect("it is there");
        let is_there = |pid: &u32| {
            let of = fs::metadata(format!("/proc/{pid}/ns/net")).map(|net| net.ino());
            let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            of.is_ok_and(|of| of == network.ino()) && line.ends_with("load-host\0")
        };
        let all = fs::read_dir("/proc").expect("Linux").flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_there).collect()
    }

    /// Kills everything of a node.
    pub fn kill(&mut self, node: usize) {
        end(&mut self.nodes[node].process);
    }

    /// Kills the head.
    pub fn kill_head(&mut self) {
        end(&mut self.head);
    }

    /// Cuts a node off, or connects it again.
    pub fn connect(&self, node: usize, up: bool) {
        let interface = self.nodes[node].namespace.interface();
        run(Command::new("ip").args(["link", "set", &interface, if up { "up" } else { "down" }]));
    }

    /// Starts a node again, and waits until it has joined.
    pub fn restart(&mut self, node: usize) {
        self.kill(node);
        let head = self.server();
        let process = self.node(&self.nodes[node].name, &self.nodes[node].namespace, &head);
        self.nodes[node].process = process;
        self.wait();
    }
}

impl Drop for RayCluster {
    fn drop(&mut self) {
        self.nodes.iter_mut().for_each(|node| end(&mut node.process));
        end(&mut self.head);
    }
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

/// In place of a head that is not there yet.
fn idle() -> Child {
    Command::new("true").spawn().expect("coreutils")
}

/// `tenbin-ray`, installed by pip from the source.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project").join("python");
        let dir = target_dir().parent().expect("a target directory").join("tenbin-ray");
        let copy = tempfile::tempdir().expect("a directory can be made");
        // pip builds in the folder of the source.
        run(Command::new("cp").arg("-r").arg(&source).arg(copy.path()));
        let _ = fs::remove_dir_all(&dir);
        run(Command::new("python3")
            .args(["-m", "pip", "install", "-q", "--root-user-action=ignore", "--no-deps", "--target"])
            .arg(&dir)
            .arg(copy.path().join("python")));
        dir
    })
}
