//! Credentials for AWS, found where its own tools find them: the environment, a profile in `~/.aws`, and the role of the
//! machine (its metadata service, IMDSv2). They are held in memory only.
//!
//! Source: <https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html>.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::Password;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// What requests are signed with.
#[derive(Debug, Clone)]
pub struct AwsCredentials {
    /// The identifier of the key.
    pub key: String,
    /// The key.
    pub secret: Password,
    /// The token of temporary credentials.
    pub token: Option<Password>,
}

/// Looks for credentials. `variable` reads the environment. Fails if there are none, with the places where none were found.
pub fn find(access: &CloudAccess, variable: &dyn Fn(&str) -> Option<String>) -> Result<AwsCredentials, Problem> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if access.profile.is_none()
        && let (Some(key), Some(secret)) = (set("AWS_ACCESS_KEY_ID"), set("AWS_SECRET_ACCESS_KEY"))
    {
        return Ok(credentials(key, secret, set("AWS_SESSION_TOKEN")));
    }
    let chosen = access.profile.clone().or_else(|| set("AWS_PROFILE"));
    let profile = chosen.clone().unwrap_or_else(|| "default".to_owned());
    let at = |name: &str, file: &str| {
        set(name).or_else(|| set("HOME").map(|home| format!("{home}/.aws/{file}"))).unwrap_or_default()
    };
    let files = [
        (at("AWS_SHARED_CREDENTIALS_FILE", "credentials"), profile.clone()),
        (
            at("AWS_CONFIG_FILE", "config"),
            if profile == "default" { profile.clone() } else { format!("profile {profile}") },
        ),
    ];
    let mut keys = BTreeMap::new();
    for (path, section) in &files {
        let text = tenbin_intake::text_or_empty(Path::new(path), tenbin_intake::SMALL);
        // The file of credentials has precedence.
        for (name, value) in of_section(&text, section) {
            keys.entry(name).or_insert(value);
        }
    }
    if let (Some(key), Some(secret)) = (keys.get("aws_access_key_id"), keys.get("aws_secret_access_key")) {
        return Ok(credentials(key.clone(), secret.clone(), keys.get("aws_session_token").cloned()));
    }
    let named = files.iter().map(|(path, _)| path.as_str()).filter(|path| !path.is_empty());
    let mut places = vec![foreign(format_args!("{}: [{profile}]", named.collect::<Vec<_>>().join(", ")))];
    if access.profile.is_none() {
        places.insert(0, foreign("AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY"));
    }
    if chosen.is_none() {
        match of_machine(variable) {
            Ok(credentials) => return Ok(credentials),
            Err(why) => places.push(why),
        }
    }
    let problem = Problem::new(msg!("cloud-credentials-absent")).evidence(Message::joined(places, "\n"));
    // Such a profile stands for a login or a role, which the command line of AWS turns into credentials.
    let turned = ["sso_session", "sso_start_url", "role_arn", "credential_process", "login_session"];
    Err(problem.hint(if turned.iter().any(|name| keys.contains_key(*name)) {
        msg!("cloud-export-credentials", profile = shell::word(&profile))
    } else {
        foreign(match &chosen {
            Some(profile) => format!("aws configure --profile {}", shell::word(profile)),
            None => "aws configure".to_owned(),
        })
    }))
}

fn credentials(key: String, secret: String, token: Option<String>) -> AwsCredentials {
    AwsCredentials { key, secret: Password::new(secret), token: token.map(Password::new) }
}

/// The values of one section of a file of AWS.
fn of_section(text: &str, section: &str) -> BTreeMap<String, String> {
    let (mut values, mut within) = (BTreeMap::new(), false);
    for line in text.lines() {
        let nested = line.starts_with([' ', '\t']);
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            within = name.trim() == section;
        } else if within
            && !nested
            && !line.starts_with(['#', ';'])
            && let Some((name, value)) = line.split_once('=')
        {
            values.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    values
}

/// The largest answer of the metadata service, which has some hundred bytes.
const MOST_BYTES: u64 = 1 << 20;

/// How long the metadata service may take to answer: a machine without one gives no answer.
const METADATA: Duration = Duration::from_secs(1);

/// The credentials of the role of an EC2 instance; otherwise why there are none.
fn of_machine(variable: &dyn Fn(&str) -> Option<String>) -> Result<AwsCredentials, Message> {
    if variable("AWS_EC2_METADATA_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Err(msg!("cloud-metadata-disabled"));
    }
    let endpoint = variable("AWS_EC2_METADATA_SERVICE_ENDPOINT").filter(|endpoint| !endpoint.is_empty());
    let endpoint = endpoint.unwrap_or_else(|| "http://169.254.169.254".to_owned());
    let endpoint = endpoint.trim_end_matches('/');
    let why = |why: String| msg!("cloud-metadata-without-role", place = endpoint, why);
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(METADATA)).proxy(None).build().into();
    let read = |reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>| {
        let text = reply.and_then(|mut reply| reply.body_mut().with_config().limit(MOST_BYTES).read_to_string());
        text.map_err(|e| why(e.to_string()))
    };
    let token =
        agent.put(format!("{endpoint}/latest/api/token")).header("x-aws-ec2-metadata-token-ttl-seconds", "21600");
    let token = read(token.send_empty())?;
    let roles = format!("{endpoint}/latest/meta-data/iam/security-credentials/");
    let get = |path: &str| read(agent.get(path).header("x-aws-ec2-metadata-token", token.trim()).call());
    let role = get(&roles)?;
    let role = role.lines().next().unwrap_or_default().trim();
    let text = get(&format!("{roles}{role}"))?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| why(e.to_string()))?;
    let value = |name: &str| json.get(name).and_then(|value| value.as_str()).map(str::to_owned);
    match (value("AccessKeyId"), value("SecretAccessKey")) {
        (Some(key), Some(secret)) => Ok(credentials(key, secret, value("Token"))),
        _ => Err(why(value("Code").unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(profile: Option<&str>, variables: &[(&str, &str)]) -> String {
        let access = CloudAccess {
            instance: Some("db-1".into()),
            cluster: None,
            region: "us-east-1".into(),
            profile: profile.map(str::to_owned),
            wait_ms: 0,
            endpoint: None,
        };
        let variable = |name: &str| {
            let disabled = ("AWS_EC2_METADATA_DISABLED", "true");
            let all = variables.iter().copied().chain([disabled]);
            all.clone().find(|(n, _)| *n == name).map(|(_, value)| value.to_owned())
        };
        match find(&access, &variable) {
            Ok(c) => {
                format!("{} {} {}", c.key, c.secret.reveal(), c.token.map_or("-".into(), |t| t.reveal().to_owned()))
            }
            Err(problem) => format!("{problem}"),
        }
    }

    #[test]
    fn credentials_are_found_in_the_order_of_the_tools_of_aws() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().to_str().unwrap().to_owned();
        std::fs::create_dir(dir.path().join(".aws")).unwrap();
        let credentials = "[default]\naws_access_key_id = D\naws_secret_access_key=d\n# aws_session_token = no\n\
                           [bench]\nAWS_ACCESS_KEY_ID = B\naws_secret_access_key = b=/+\naws_session_token = t\n";
        std::fs::write(dir.path().join(".aws/credentials"), credentials).unwrap();
        let config = "[profile other]\ns3 =\n  aws_access_key_id = no\naws_access_key_id = O\naws_secret_access_key = o\n\
                      [profile login]\nsso_session = work\n[profile bench]\naws_access_key_id = not-this\n";
        std::fs::write(dir.path().join(".aws/config"), config).unwrap();
        let own = [("AWS_ACCESS_KEY_ID", "E"), ("AWS_SECRET_ACCESS_KEY", "e"), ("HOME", home.as_str())];
        let session = [own[0], own[1], ("AWS_SESSION_TOKEN", "s")];
        assert_eq!(found(None, &session), "E e s");
        assert_eq!(found(None, &own), "E e -");
        assert_eq!(found(Some("bench"), &own), "B b=/+ t", "a profile of the plan has precedence");
        assert_eq!(found(None, &own[2..]), "D d -");
        assert_eq!(found(None, &[own[2], ("AWS_PROFILE", "other")]), "O o -");
        assert_eq!(found(None, &[own[0], own[2]]), "D d -", "half a pair is none");
        let absent = |profile| found(profile, &[("HOME", &home), ("AWS_CONFIG_FILE", "/nowhere")]);
        insta::assert_snapshot!(absent(Some("gone")).replace(&home, "~"), @r#"
        no credentials for AWS were found
          evidence  ~/.aws/credentials, /nowhere: [gone]
          hint      aws configure --profile gone
        "#);
        insta::assert_snapshot!(found(Some("login"), &own).replace(&home, "~"), @r#"
        no credentials for AWS were found
          evidence  ~/.aws/credentials, ~/.aws/config: [login]
          hint      eval "$(aws configure export-credentials --profile login --format env)", and take the profile out of cloud and AWS_PROFILE
        "#);
        insta::assert_snapshot!(found(None, &[("AWS_CONFIG_FILE", "/config")]), @r#"
        no credentials for AWS were found
          evidence  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
                    /config: [default]
                    the role of this machine: AWS_EC2_METADATA_DISABLED is true
          hint      aws configure
        "#);
    }
}
