//! moto, an imitation of AWS, from its Python package: Amazon RDS and CloudWatch on a free port. Signatures and permissions
//! are not checked by it; answers of an AWS that refuses are those of [`FakeAws`](crate::FakeAws).

use crate::{fetched, run};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The region of everything that tests create.
pub const REGION: &str = "ap-northeast-1";

/// Runs until it is dropped.
pub struct Moto {
    process: Child,
    port: u16,
}

impl Moto {
    /// It has nothing yet.
    pub fn start() -> Moto {
        let home = fetched("moto-5.2.5", |to| {
            run(Command::new("python3")
                .args(["-m", "pip", "install", "-q", "--root-user-action=ignore", "--target"])
                .arg(to)
                .arg("moto[server]==5.2.5"));
        });
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port is free").port();
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "python3", "-m", "moto.server", "-H", "127.0.0.1", "-p"]);
        command.arg(port.to_string()).env("PYTHONPATH", home).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let process = command.spawn().expect("setpriv is of util-linux");
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(120), "moto does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        Moto { process, port }
    }

    /// Its address, for `endpoint` of `cloud`.
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// An action of Amazon RDS with its parameters; the answer is XML.
    pub fn rds(&self, action: &str, parameters: &[(&str, &str)]) -> String {
        let all = parameters.iter().map(|(name, value)| format!("&{name}={value}"));
        let body = format!("Action={action}&Version=2014-10-31{}", all.collect::<String>());
        self.post("rds", "content-type: application/x-www-form-urlencoded", &body)
    }

    /// An instance of MySQL with a parameter group of its own, `NAME-parameters`.
    pub fn instance(&self, name: &str) {
        let group = format!("{name}-parameters");
        self.rds(
            "CreateDBParameterGroup",
            &[("DBParameterGroupName", &group), ("DBParameterGroupFamily", "mysql8.0"), ("Description", "tests")],
        );
        self.rds(
            "CreateDBInstance",
            &[
                ("DBInstanceIdentifier", name),
                ("Engine", "mysql"),
                ("EngineVersion", "8.0.31"),
                ("DBInstanceClass", "db.r5.large"),
                ("AllocatedStorage", "100"),
                ("StorageType", "io1"),
                ("Iops", "3000"),
                ("MasterUsername", "bench"),
                ("MasterUserPassword", "not-used-here"),
                ("DBParameterGroupName", &group),
            ],
        );
    }

    /// A read replica of an instance.
    pub fn replica(&self, name: &str, source: &str) {
        let given = [("DBInstanceIdentifier", name), ("SourceDBInstanceIdentifier", source)];
        self.rds("CreateDBInstanceReadReplica", &given);
    }

    /// A cluster of Aurora MySQL with these instances, of which the first one writes.
    pub fn cluster(&self, name: &str, instances: &[&str]) {
        let account = [("MasterUsername", "bench"), ("MasterUserPassword", "not-used-here")];
        let cluster = [("DBClusterIdentifier", name), ("Engine", "aurora-mysql"), account[0], account[1]];
        self.rds("CreateDBCluster", &cluster);
        for instance in instances {
            let own = [("DBInstanceIdentifier", *instance), ("DBInstanceClass", "db.r5.large")];
            self.rds("CreateDBInstance", &[&cluster[..2], &own[..]].concat());
        }
    }

    /// Tells CloudWatch the mean of a metric of an instance over the minute that starts then, seconds since 1970.
    pub fn metric(&self, instance: &str, metric: &str, unix_s: i64, value: f64) {
        self.figures().put(instance, metric, unix_s, value);
    }

    /// What takes figures, also on another thread.
    pub fn figures(&self) -> Figures {
        Figures { port: self.port }
    }

    fn post(&self, service: &str, headers: &str, body: &str) -> String {
        post(self.port, service, headers, body)
    }
}

/// The CloudWatch of moto.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    port: u16,
}

impl Figures {
    /// See [`Moto::metric`].
    pub fn put(&self, instance: &str, metric: &str, unix_s: i64, value: f64) {
        let body = format!(
            r#"{{"Namespace": "AWS/RDS", "MetricData": [{{"MetricName": "{metric}", "Timestamp": {unix_s}, "Value": {value},
               "Dimensions": [{{"Name": "DBInstanceIdentifier", "Value": "{instance}"}}]}}]}}"#
        );
        let headers =
            "content-type: application/x-amz-json-1.0\r\nx-amz-target: GraniteServiceVersion20100801.PutMetricData";
        post(self.port, "monitoring", headers, &body);
    }
}

fn post(port: u16, service: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("moto answers");
    let length = body.len();
    // Service and region are read from the signature, which is not checked.
    write!(
        stream,
        "POST / HTTP/1.0\r\nhost: 127.0.0.1\r\n{headers}\r\ncontent-length: {length}\r\nauthorization: \
             AWS4-HMAC-SHA256 Credential=tests/20260101/{REGION}/{service}/aws4_request, SignedHeaders=host, \
             Signature=0\r\n\r\n{body}"
    )
    .expect("moto reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("moto answers with text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer of HTTP");
    assert!(head.contains(" 200 "), "{answer}");
    body.to_owned()
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
