//! What the client libraries of MySQL and PostgreSQL read from the environment, for the old names: a setting that reaches the old tool
//! in this way reaches Tenbin too. What Tenbin has and cannot leave unsaid without another meaning is refused by name.
//!
//! Sources: PostgreSQL manual, "Environment Variables" (libpq); MySQL manual, "Environment Variables"; MariaDB Connector/C.

/// Reads a variable of the environment.
pub type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// The environment of this process. An empty variable is one that is not set, as for both libraries.
pub fn own(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The meaning of a variable of libpq.
enum Meaning {
    /// This option of an address.
    Option(&'static str),
    /// This run-time setting of the session, as `-c NAME=VALUE`.
    Session(&'static str),
    /// It may have these values, which change nothing here.
    Only(&'static [&'static str]),
}
use Meaning::{Only, Option as Opt, Session};

/// The variables of libpq that are beside host, port, account and password; `PGPASSFILE` and `PGSERVICEFILE` are read where passwords
/// and services are. Not in it, because they have no meaning without GSS, libraries and translations of its own: `PGKRBSRVNAME`,
/// `PGGSSLIB`, `PGGSSDELEGATION`, `PGSSLCOMPRESSION`, `PGSSLSNI`, `PGLOADBALANCEHOSTS`, `PGLOCALEDIR`.
const LIBPQ: &[(&str, Meaning)] = &[
    ("PGSSLMODE", Opt("sslmode")),
    ("PGSSLROOTCERT", Opt("tls_ca")),
    ("PGSSLCERT", Opt("tls_cert")),
    ("PGSSLKEY", Opt("tls_key")),
    ("PGCHANNELBINDING", Opt("channel_binding")),
    ("PGCONNECT_TIMEOUT", Opt("connect_timeout_s")),
    ("PGAPPNAME", Opt("application_name")),
    ("PGSERVICE", Opt("service")),
    ("PGDATESTYLE", Session("datestyle")),
    ("PGTZ", Session("timezone")),
    ("PGGEQO", Session("geqo")),
    ("PGCLIENTENCODING", Only(&["utf8", "utf-8", "unicode", "sql_ascii", "auto"])),
    ("PGSSLNEGOTIATION", Only(&["postgres"])),
    ("PGSSLCERTMODE", Only(&["allow"])),
    ("PGSSLMINPROTOCOLVERSION", Only(&["tlsv1", "tlsv1.1", "tlsv1.2"])),
    ("PGSSLMAXPROTOCOLVERSION", Only(&["tlsv1.3"])),
    ("PGSSLCRL", Only(&[])),
    ("PGSSLCRLDIR", Only(&[])),
    ("PGREQUIREAUTH", Only(&[])),
    ("PGREQUIREPEER", Only(&[])),
    ("PGGSSENCMODE", Only(&["disable", "prefer"])),
    ("PGTARGETSESSIONATTRS", Only(&["any"])),
    ("PGMINPROTOCOLVERSION", Only(&["3.0"])),
    ("PGMAXPROTOCOLVERSION", Only(&["3.0", "latest"])),
];

/// The options of a PostgreSQL address that the environment adds to those that are `given`. The error is a line that names the
/// variable.
pub fn libpq(env: Environment<'_>, given: impl Fn(&str) -> bool) -> Result<Vec<(&'static str, String)>, String> {
    let mut options = Vec::new();
    let mut session: Vec<String> = env("PGOPTIONS").into_iter().collect();
    for (name, meaning) in LIBPQ {
        let Some(value) = env(name) else { continue };
        match meaning {
            Opt(option) if given(option) => {}
            Opt(option) => options.push((*option, value)),
            Session(setting) => {
                session.push(format!("-c {setting}={}", value.replace('\\', "\\\\").replace(' ', "\\ ")))
            }
            Only(values) if values.contains(&value.to_ascii_lowercase().as_str()) => {}
            Only(_) => return Err(refused(name)),
        }
    }
    if env("PGREQUIRESSL").is_some_and(|value| value == "1") && env("PGSSLMODE").is_none() && !given("sslmode") {
        options.push(("sslmode", "require".to_owned()));
    }
    if !session.is_empty() {
        options.push(("options", session.join(" ")));
    }
    Ok(options)
}

/// The password for MySQL that is not given otherwise. The error is a line that names a variable that cannot be followed.
pub fn mysql_password(env: Environment<'_>) -> Result<Option<String>, String> {
    // It permits a password in clear: the login would fail for no visible reason.
    match env("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN") {
        Some(value) if value.starts_with(['1', 'y', 'Y']) => Err(refused("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN")),
        _ => Ok(env("MYSQL_PWD")),
    }
}

fn refused(name: &str) -> String {
    format!("the environment has {name}, which Tenbin cannot follow: take it away with: unset {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)], given: &str) -> Result<Vec<(&'static str, String)>, String> {
        let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        libpq(&env, |option| option == given)
    }

    #[test]
    fn settings_of_libpq_become_options_of_the_address() {
        let of =
            |set| read(set, "").unwrap().into_iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join("&");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[("PGSSLMODE", "require"), ("PGSSLROOTCERT", "/c/ca.pem")]), "sslmode=require&tls_ca=/c/ca.pem");
        assert_eq!(of(&[("PGREQUIRESSL", "1")]), "sslmode=require");
        assert_eq!(of(&[("PGREQUIRESSL", "1"), ("PGSSLMODE", "disable")]), "sslmode=disable");
        assert_eq!(
            of(&[("PGOPTIONS", "-c synchronous_commit=off"), ("PGTZ", "Asia/Tokyo"), ("PGDATESTYLE", "ISO, MDY")]),
            "options=-c synchronous_commit=off -c datestyle=ISO,\\ MDY -c timezone=Asia/Tokyo"
        );
        assert_eq!(of(&[("PGGSSENCMODE", "prefer"), ("PGCLIENTENCODING", "UTF8"), ("PGSSLSNI", "0")]), "");
    }

    #[test]
    fn the_command_line_has_precedence() {
        assert_eq!(read(&[("PGSSLMODE", "require")], "sslmode"), Ok(vec![]));
        assert_eq!(read(&[("PGREQUIRESSL", "1")], "sslmode"), Ok(vec![]));
    }

    #[test]
    fn what_cannot_be_followed_is_refused_by_its_name() {
        for (name, value) in
            [("PGSSLCRL", "/c/crl"), ("PGREQUIREPEER", "postgres"), ("PGTARGETSESSIONATTRS", "read-write")]
        {
            let told = read(&[(name, value)], "").unwrap_err();
            assert!(told.contains(&format!("unset {name}")) && !told.contains(value), "{told}");
        }
        let env = |name: &str| (name != "MYSQL_PWD").then(|| "Y".to_owned());
        assert!(mysql_password(&env).unwrap_err().contains("LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN"));
        let env = |name: &str| (name == "MYSQL_PWD").then(|| "geheim".to_owned());
        assert_eq!(mysql_password(&env), Ok(Some("geheim".to_owned())));
    }
}
