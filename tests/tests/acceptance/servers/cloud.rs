//! Managed servers: a real MariaDB whose management is moto, or an AWS that refuses.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::moto::REGION;
use tenbin_tests::{FakeAws, Moto, mariadb, output_of, tenbin};

/// A key that must not be found anywhere afterwards.
const SECRET: &str = "wJalrXUtnFEMI+K7MDENG+bPxRfiCYEXAMPLEKEY";
const TOKEN: &str = "IQoJb3JpZ2luX2VjEXAMPLETOKEN";

pub fn plan(dir: &Path, server: &Sandbox, cloud: &str) -> PathBuf {
    let plan = dir.join("plan.toml");
    let text = format!(
        "schema = 1\nname = \"managed\"\ndefaults = {{ warmup = \"0s\", measure = \"1s\", settle = \"0s\", repeats = 1 }}\n\
         [targets.rds]\ndsn = \"{}\"\ncloud = {{ {cloud} }}\n[datasets.small]\ntables = 1\ntable_size = 100\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 1 }}\n",
        server.dsn()
    );
    std::fs::write(&plan, text).unwrap();
    plan
}

/// `tenbin` with credentials of its own, and none of this machine.
pub fn with_credentials(home: &Path) -> Command {
    let mut command = without_credentials(home);
    command.envs([
        ("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_SESSION_TOKEN", TOKEN),
    ]);
    command
}

fn without_credentials(home: &Path) -> Command {
    let mut command = tenbin();
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    command.env("HOME", home).env("AWS_EC2_METADATA_DISABLED", "true");
    command
}

/// The text without what differs from one test to the next.
pub fn steady(text: &str, server: &Sandbox, endpoint: &str, dir: &Path) -> String {
    let text = text.replace(endpoint, "http://ENDPOINT").replace(dir.to_str().unwrap(), "DIR");
    let dsn = server.dsn();
    let address = dsn.rsplit('@').next().unwrap().split('/').next().unwrap();
    text.replace(address, "SERVER")
}

#[test]
fn an_instance_is_asked_beforehand_and_described_beside_the_machines() {
    let (server, moto, dir) = (mariadb(&[]), Moto::start(), tempfile::tempdir().unwrap());
    moto.instance("db-1");
    let endpoint = moto.endpoint();
    let cloud = format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{endpoint}\"");
    let plan = plan(dir.path(), &server, &cloud);
    let (code, out, err) = output_of(with_credentials(dir.path()).args(["plan", "check"]).arg(&plan));
    assert_eq!(code, 0, "{out}{err}");
    let of_target = out.lines().skip_while(|line| !line.starts_with("target"));
    let of_cloud: Vec<&str> = of_target.filter(|line| line.contains("managed instance")).collect();
    insta::assert_snapshot!(steady(&of_cloud.join("\n"), &server, &endpoint, dir.path()), @r#"
    ok     managed instance db-1 in ap-northeast-1: mysql 8.0.31 on db.r5.large: io1, 100 GiB, 3000 IOPS
    doubt  the address of the target is not one of the managed instance db-1: the instance has db-1.aaaaaaaaaa.ap-northeast-1.rds.amazonaws.com, the target has 127.0.0.1
    "#);

    let runs = dir.path().join("runs");
    let (code, out, err) =
        output_of(with_credentials(dir.path()).arg("run").arg(&plan).arg("--json").arg("--runs").arg(&runs));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {code} {out}{err}"));
    let machine = json["machines"]["rds"].as_object().unwrap();
    let facts = machine.iter().filter(|(name, _)| name.starts_with("cloud_"));
    let facts: Vec<String> = facts.map(|(name, value)| format!("{name} = {}", value.as_str().unwrap())).collect();
    insta::assert_snapshot!(facts.join("\n"), @r#"
    cloud_class = db.r5.large
    cloud_engine = mysql 8.0.31
    cloud_instance = db-1
    cloud_multi_az = no
    cloud_parameter_group = db-1-parameters (in-sync)
    cloud_storage = io1, 100 GiB, 3000 IOPS
    cloud_zone = ap-northeast-1a
    "#);
    let run = PathBuf::from(json["dir"].as_str().unwrap());
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("instance class") && page.contains("db.r5.large"), "the table of machines has it");
    assert!(err.contains("the address of the target is not one of the managed instance db-1"), "{err}");
    // Nothing that was written has the credentials.
    let grep = Command::new("grep").args(["-rlE", &format!("{TOKEN}|wJalrXUtnFEMI|AKIDEXAMPLE")]).arg(&runs).output();
    assert_eq!(String::from_utf8(grep.unwrap().stdout).unwrap(), "");
}

/// `plan check` with an AWS that always answers this, as exit code and errors; and how often it was asked.
fn refused(server: &Sandbox, status: u16, body: &str) -> (String, usize) {
    let (dir, body) = (tempfile::tempdir().unwrap(), body.to_owned());
    let aws = FakeAws::start(move |_| (status, body.clone()));
    let cloud = format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{}\"", aws.endpoint());
    let plan = plan(dir.path(), server, &cloud);
    let (code, out, err) = output_of(with_credentials(dir.path()).args(["plan", "check"]).arg(&plan));
    assert!(![SECRET, TOKEN].iter().any(|secret| format!("{out}{err}").contains(secret)), "{out}{err}");
    (format!("{code}\n{}", steady(&err, server, &aws.endpoint(), dir.path())), aws.requests().len())
}

#[test]
fn refusals_of_aws_are_explained_with_one_command() {
    let server = mariadb(&[]);
    let refused = |status, code: &str, text: &str| refused(&server, status, &FakeAws::refusal(code, text));
    let (message, request) = refused(403, "ExpiredToken", "The security token included in the request is expired");
    insta::assert_snapshot!(message, @r#"
    1
    error: the credentials for AWS have expired
      evidence  ExpiredToken: The security token included in the request is expired
      hint      renew them (aws sso login, or new AWS_… variables), and check them: aws sts get-caller-identity --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    assert_eq!(request, 2, "they may have been renewed");
    let (message, request) = refused(400, "Throttling", "Rate exceeded");
    insta::assert_snapshot!(regular(&message), @r#"
    1
    error: AWS did not answer rds:DescribeDBInstances: 5 attempts in N s were throttled or failed
      evidence  Throttling: Rate exceeded
      hint      try again in a minute; other programs of this account use the same limit
    "#);
    assert_eq!(request, 5);
    let (message, _) = refused(
        403,
        "AccessDenied",
        "User: arn:aws:iam::1:user/bench is not authorized to perform: rds:DescribeDBInstances",
    );
    insta::assert_snapshot!(message, @r#"
    1
    error: the credentials for AWS do not permit rds:DescribeDBInstances
      evidence  AccessDenied: User: arn:aws:iam::1:user/bench is not authorized to perform: rds:DescribeDBInstances
      hint      allow the action rds:DescribeDBInstances in the IAM policy of these credentials; whose they are: aws sts get-caller-identity --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    // The text of AWS repeats what was signed.
    let signed = format!("The canonical string should have been 'POST / x-amz-security-token:{TOKEN} host'");
    insta::assert_snapshot!(refused(403, "SignatureDoesNotMatch", &signed).0, @r#"
    1
    error: AWS does not accept the credentials
      evidence  SignatureDoesNotMatch: The canonical string should have been 'POST / x-amz-security-token:*** host'
      hint      check whose credentials these are: aws sts get-caller-identity --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    insta::assert_snapshot!(refused(404, "DBInstanceNotFound", "DBInstance db-1 not found.").0, @r#"
    1
    error: there is no instance db-1 in ap-northeast-1
      evidence  DBInstanceNotFound: DBInstance db-1 not found.
      hint      aws rds describe-db-instances --query 'DBInstances[].DBInstanceIdentifier' --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    insta::assert_snapshot!(refused(400, "InvalidAction", "no such action").0, @r#"
    1
    error: AWS refused rds:DescribeDBInstances (HTTP 400)
      evidence  InvalidAction: no such action
      hint      aws sts get-caller-identity --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
}

/// The text without its times.
fn regular(text: &str) -> String {
    let (before, after) = text.split_once("attempts in ").unwrap();
    format!("{before}attempts in N{}", after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

#[test]
fn absent_credentials_unreachable_addresses_and_garbage_are_explained() {
    let (server, dir) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://{closed}");
    let plan = plan(dir.path(), &server, &format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{endpoint}\""));
    let message = |command: &mut Command| {
        let (code, _, err) = output_of(command.args(["plan", "check"]).arg(&plan));
        format!("{code}\n{}", steady(&err, &server, &endpoint, dir.path()))
    };
    insta::assert_snapshot!(message(&mut without_credentials(dir.path())), @r#"
    1
    error: no credentials for AWS were found
      evidence  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
                DIR/.aws/credentials, DIR/.aws/config: [default]
                the role of this machine: AWS_EC2_METADATA_DISABLED is true
      hint      aws configure
    "#);
    insta::assert_snapshot!(message(&mut with_credentials(dir.path())), @r#"
    1
    error: http://ENDPOINT cannot be reached
      evidence  io: Connection refused (os error 111)
      hint      curl -sS http://ENDPOINT
    "#);
    for (status, body) in [(200, "<html>a login page</html>"), (200, ""), (200, "<a><b></a>")] {
        let (message, _) = refused(&server, status, body);
        assert!(message.contains("the answer of AWS to rds:DescribeDBInstances cannot be understood"), "{message}");
    }
}

#[test]
fn the_role_of_the_machine_gives_credentials() {
    let (server, dir) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let aws = FakeAws::start(|request| {
        let first = request.lines().next().unwrap_or_default();
        let with_token = request.contains("x-aws-ec2-metadata-token: T0");
        match first {
            "PUT /latest/api/token HTTP/1.1" => (200, "T0".into()),
            "GET /latest/meta-data/iam/security-credentials/ HTTP/1.1" if with_token => (200, "bench-role\n".into()),
            "GET /latest/meta-data/iam/security-credentials/bench-role HTTP/1.1" if with_token => (
                200,
                format!(
                    r#"{{"Code": "Success", "AccessKeyId": "AKIDROLE", "SecretAccessKey": "{SECRET}", "Token": "{TOKEN}"}}"#
                ),
            ),
            "POST / HTTP/1.1" => (404, FakeAws::refusal("DBInstanceNotFound", "none")),
            _ => (401, String::new()),
        }
    });
    let endpoint = aws.endpoint();
    let plan = plan(dir.path(), &server, &format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{endpoint}\""));
    let message = |role: &str| {
        let mut command = without_credentials(dir.path());
        command.env_remove("AWS_EC2_METADATA_DISABLED").env("AWS_EC2_METADATA_SERVICE_ENDPOINT", role);
        let (_, _, err) = output_of(command.args(["plan", "check"]).arg(&plan));
        steady(&err, &server, &endpoint, dir.path())
    };
    let text = message(&endpoint);
    assert!(text.contains("there is no instance db-1"), "AWS was asked: {text}");
    let signed = aws.requests().pop().unwrap();
    assert!(
        signed.contains("Credential=AKIDROLE/") && signed.contains(&format!("x-amz-security-token: {TOKEN}")),
        "{signed}"
    );
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let text = message(&format!("http://{nobody}"));
    assert!(text.contains("no credentials for AWS were found") && text.contains("Connection refused"), "{text}");
}

#[test]
fn an_instance_that_is_not_available_is_waited_for_by_a_command() {
    let (server, dir) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let body = |status: &str, parameters: &str| {
        format!(
            "<DescribeDBInstancesResponse><DescribeDBInstancesResult><DBInstances><DBInstance>\
             <DBInstanceIdentifier>db-1</DBInstanceIdentifier><DBInstanceStatus>{status}</DBInstanceStatus>\
             <Endpoint><Address>127.0.0.1</Address><Port>3306</Port></Endpoint><DBParameterGroups><DBParameterGroup>\
             <DBParameterGroupName>own</DBParameterGroupName><ParameterApplyStatus>{parameters}</ParameterApplyStatus>\
             </DBParameterGroup></DBParameterGroups></DBInstance></DBInstances></DescribeDBInstancesResult>\
             </DescribeDBInstancesResponse>"
        )
    };
    let message = |status: &str, parameters: &str| {
        let body = body(status, parameters);
        let aws = FakeAws::start(move |_| (200, body.clone()));
        let cloud = format!("rds = \"db-1\", region = \"{REGION}\", endpoint = \"{}\"", aws.endpoint());
        let plan = plan(dir.path(), &server, &cloud);
        let (code, out, err) = output_of(with_credentials(dir.path()).args(["plan", "check"]).arg(&plan));
        let warnings = out.lines().skip_while(|line| !line.contains("managed instance")).collect::<Vec<_>>().join("\n");
        (code, steady(&err, &server, &aws.endpoint(), dir.path()), warnings)
    };
    let (code, err, _) = message("stopped", "in-sync");
    assert_eq!(code, 1);
    insta::assert_snapshot!(err, @r#"
    error: the managed instance db-1 is not available
      evidence  its status is stopped
      hint      aws rds wait db-instance-available --db-instance-identifier db-1 --region ap-northeast-1 --endpoint-url http://ENDPOINT
    "#);
    let (code, _, out) = message("backing-up", "pending-reboot");
    assert_eq!(code, 0, "it serves its clients");
    for words in ["is not available", "backing-up", "values in the parameter group own are not in effect on db-1"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let (code, _, out) = message("available", "in-sync");
    assert!(code == 0 && !out.contains("is not one of") && !out.contains("not available"), "{out}");
}
