//! Converts `--mysql-*` and `--pgsql-*` to one address and a separate password.

use super::{arguments, option_names};
use crate::address::{bracketed, default_socket, written};
use crate::environment::{self, Environment};
use crate::hint::{self, HintWords, ServerLocation, ServerName, quoted};
use crate::libpq::{self, Server, TypedServer};
use crate::option::canonical;
use crate::parsed_args::ParsedArgs;
use std::path::{Path, PathBuf};
use tenbin_model::dsn::{Password, Scheme, is_system_schema, redact};

/// An address without its password, and the password.
pub type Address = (String, Option<Password>);

/// The address from the options, of which `words` learn; the error is a line for standard output, after `FATAL: `.
pub fn address(args: &ParsedArgs, words: &HintWords) -> Result<Address, String> {
    let mode = args.text("db-ps-mode");
    if !["auto", "disable"].contains(&mode) {
        return Err(format!("Invalid value for db-ps-mode: {mode}"));
    }
    match args.text("db-driver") {
        "mysql" if args.on("mysql-dry-run") => Ok(("null:".to_owned(), None)),
        "mysql" => mysql(
            args,
            default_socket,
            &environment::own,
            &std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        ),
        "pgsql" => {
            let server = pgsql(args, &environment::own)?;
            // The first address is that of the run.
            words.chosen.get_or_init(|| server.clone());
            Ok((server.dsn, server.password))
        }
        "" => Err("Multiple DB drivers are available. Use --db-driver=name to specify which one to use".to_owned()),
        other => Err(format!("invalid database driver name: '{other}'")),
    }
}

/// `folder`: where files of sysbench's names are.
fn mysql(
    args: &ParsedArgs,
    default_socket: impl Fn() -> String,
    env: Environment<'_>,
    folder: &Path,
) -> Result<Address, String> {
    let (hosts, ports) = (args.list("mysql-host"), args.list("mysql-port"));
    // An unset variable of a shell, as in --mysql-host=$HOST, must not lead to the server of this machine.
    for (list, what) in [(&hosts, "hosts"), (&ports, "ports")] {
        if list.iter().all(|value| value.is_empty()) {
            return Err(format!("No MySQL {what} specified, aborting"));
        }
    }
    let mut sockets: Vec<String> = args.list("mysql-socket").into_iter().map(str::to_owned).collect();
    // As in every MySQL client: the port is ignored then.
    let of_localhost = (sockets.is_empty() && hosts.contains(&"localhost")).then(default_socket);
    if hosts == ["localhost"] {
        sockets.extend(of_localhost.clone());
    }
    let ports: Vec<i64> = ports.into_iter().map(port_number).collect();
    if let Some(port) = ports.iter().find(|port| !(0..=65_535).contains(*port)).filter(|_| sockets.is_empty()) {
        // No client can connect to it; the library's own attempt would go to another port.
        let host = hosts.first().unwrap_or(&"localhost");
        return Err(format!(
            "unable to connect to MySQL server on host '{host}', port {}, aborting...\n\
             FATAL: error 2002: Can't connect to server on '{host}' (115)",
            *port as u32
        ));
    }
    let of_library = env("MYSQL_TCP_PORT").filter(|port| is_port(port)).unwrap_or_else(|| "3306".to_owned());
    let number = |port: &i64| if (1..=65_535).contains(port) { port.to_string() } else { of_library.clone() };
    let ports: Vec<String> = ports.iter().map(number).collect();
    let (host, port) = (hosts.first().unwrap_or(&"localhost"), ports.first().map_or("3306", String::as_str));
    let mut options = Vec::new();
    if !sockets.is_empty() {
        options.push(("socket", sockets.join(",")));
    } else if hosts.len() * ports.len() > 1 {
        let one = |host: &str, port: &str| match &of_localhost {
            Some(path) if host == "localhost" => path.clone(),
            _ => format!("{}:{port}", bracketed(host)),
        };
        let all: Vec<String> = hosts.iter().flat_map(|host| ports.iter().map(|port| one(host, port))).collect();
        options.push(("hosts", all.join(",")));
    }
    let files = TlsFiles::of(args, folder);
    options.push(("tls", tls(args, files.authority.is_some())));
    let files = [("tls_ca", files.authority), ("tls_cert", files.certificate), ("tls_key", files.key)];
    options.extend(files.into_iter().filter_map(|(option, file)| Some((option, file?))));
    if compress(args)? {
        options.push(("compress", "on".to_owned()));
    }
    options.push(("connect_timeout_s", args.int("thread-init-timeout").clamp(1, 999_999).to_string()));
    let address = format!("{}:{port}", bracketed(host));
    let of = |name: &str| args.text(&format!("mysql-{name}")).to_owned();
    let password = Some(of("password"))
        .filter(|p| !p.is_empty())
        .map_or_else(|| environment::mysql_password(env), |p| Ok(Some(p)))?;
    Ok((written("mysql", &user(of("user")), &address, &of("db"), &options), password.map(Password::new)))
}

/// A port as atoi(3) reads it: the digits at the beginning, without any 0.
fn port_number(text: &str) -> i64 {
    let text = text.trim_start();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    sign * digits[..end].parse::<u32>().map_or(if end == 0 { 0 } else { i64::from(u32::MAX) }, i64::from)
}

/// A port that can be connected to; 0 stands for the default of the client library.
fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port > 0)
}

/// The account; for an empty one both client libraries take the login name.
fn user(account: String) -> String {
    if account.is_empty() { environment::login_name() } else { account }
}

/// The files of TLS, by their paths.
#[derive(Debug, Default)]
struct TlsFiles {
    authority: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

impl TlsFiles {
    /// As given (1.1). With the switch of 1.0 those of its names in the current folder, as far as they are there: sysbench cannot
    /// connect without them.
    fn of(args: &ParsedArgs, folder: &Path) -> TlsFiles {
        let given = |option: &str| Some(args.text(option).to_owned()).filter(|path| !path.is_empty());
        let switched = args.on("mysql-ssl");
        let here = |name: &str| {
            let path = folder.join(name);
            (switched && path.is_file()).then(|| path.display().to_string())
        };
        let files = TlsFiles {
            authority: given("mysql-ssl-ca").or_else(|| here("cacert.pem")),
            certificate: given("mysql-ssl-cert"),
            key: given("mysql-ssl-key"),
        };
        match (&files.certificate, &files.key, here("client-cert.pem"), here("client-key.pem")) {
            (None, None, certificate @ Some(_), key @ Some(_)) => TlsFiles { certificate, key, ..files },
            _ => files,
        }
    }
}

/// 1.0 has a switch, 1.1 a mode; by default nothing is encrypted. With a certificate authority (`verifies`) the switch means that the
/// server's certificate is verified, without its name.
fn tls(args: &ParsedArgs, verifies: bool) -> String {
    match args.text("mysql-ssl") {
        "off" => "disabled",
        "on" if verifies => "verify-ca",
        "on" => "required",
        mode => mode,
    }
    .to_owned()
}

/// Whether to compress; zlib is the supported algorithm.
fn compress(args: &ParsedArgs) -> Result<bool, String> {
    let ways = args.list("mysql-compression-algorithms");
    match args.on("mysql-compression") {
        true if ways.contains(&"zlib") => Ok(true),
        true if ways == ["uncompressed"] => Ok(false),
        true => Err(format!(
            "--mysql-compression-algorithms={} is refused: zlib is what the driver speaks",
            args.text("mysql-compression-algorithms")
        )),
        false => Ok(false),
    }
}

/// The modes of `--pgsql-sslmode`.
const PGSQL_MODES: [&str; 6] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/// As libpq does, what the options leave open is taken from the environment. Of a connection string in place of a database's name counts
/// what the options, which have defaults, leave open.
fn pgsql(args: &ParsedArgs, env: Environment<'_>) -> Result<Server, String> {
    let mode = args.text("pgsql-sslmode");
    if args.has("pgsql-sslmode") && !mode.is_empty() && !PGSQL_MODES.contains(&mode) {
        return Err(format!(
            "Invalid value for the 'pgsql_sslmode' option: '{mode}'\nFATAL: give one of {}",
            PGSQL_MODES.join(", ")
        ));
    }
    libpq::server(typed_server(args), env, environment::login_name())
}

fn typed_server(args: &ParsedArgs) -> TypedServer<'_> {
    TypedServer {
        host: Some(args.text("pgsql-host")),
        port: Some(args.text("pgsql-port")).filter(|port| *port != "0"),
        user: Some(args.text("pgsql-user")),
        database: Some(args.text("pgsql-db")),
        password: Some(args.text("pgsql-password")),
        sslmode: args.has("pgsql-sslmode").then(|| args.text("pgsql-sslmode")),
        application: None,
        precedes: true,
    }
}

/// The hints: commands with everything that was typed except the password, and sysbench's options.
pub fn words(args: &ParsedArgs) -> HintWords {
    let of = |name: &str| args.text(&format!("{}-{name}", args.text("db-driver")));
    // Nothing is made or dropped in those of the server itself.
    let is_its_own = args.text("db-driver") == "mysql" && is_system_schema(Scheme::Mysql, of("db"));
    let again = |command: &str| match is_its_own {
        true => "name another schema with --mysql-db".to_owned(),
        false => again(args, command),
    };
    let own = HintWords {
        load: again("prepare"),
        drop: again("cleanup"),
        unprepared: "--db-ps-mode=disable".into(),
        connects_in: match arguments::command(args) {
            Some("run") => "thread_init",
            Some("cleanup") => "cleanup",
            _ => "sysbench.cmdline.call_command",
        },
        typed: option_names::of_given(args),
        ..HintWords::default()
    };
    let (database, user) = (quoted(&redact(of("db"))), user(of("user").to_owned()));
    if args.text("db-driver") == "pgsql" {
        let server = libpq::unseen(typed_server(args), &environment::own, environment::login_name());
        // What cannot be followed ends the command before anything is said of a server.
        let Ok(server) = server else { return own };
        let at = format!("-h {} -p {} -U {}", quoted(&server.host), server.port, quoted(&server.user));
        let database = quoted(&server.database);
        return HintWords {
            server: ServerName::Postgres(Box::new(server)),
            account: format!("give others with --pgsql-user and --pgsql-password; try them: psql {at} {database}"),
            ping: format!("pg_isready {at}"),
            create: format!("createdb {at} {database}"),
            plain: "--pgsql-sslmode=disable".into(),
            encrypted: "--pgsql-sslmode=require".into(),
            ..own
        };
    }
    let first = |name: &str| args.list(&format!("mysql-{name}")).first().copied().unwrap_or_default();
    let port = (port_number(first("port")) as u32).to_string();
    let client = |program: &str| {
        let (host, socket) = (first("host"), first("socket"));
        hint::mysql_client(
            program,
            &ServerLocation { host, port: &port, socket, user: &user, password: !of("password").is_empty() },
        )
    };
    let server = match (first("socket"), first("host")) {
        ("", host) => ServerName::Mysql(format!("host '{host}', port {port}")),
        (socket, _) => ServerName::Mysql(format!("socket '{socket}'")),
    };
    HintWords {
        server,
        account: format!(
            "give others with --mysql-user and --mysql-password; try them: {} {database}",
            client("mysql")
        ),
        ping: format!("{} ping", client("mysqladmin")),
        over_tcp: if first("host") == "localhost" { "--mysql-host=127.0.0.1".into() } else { String::new() },
        create: format!("{} create {database}", client("mysqladmin")),
        plain: "--mysql-ssl=off".into(),
        encrypted: "--mysql-ssl=on".into(),
        authority: "--mysql-ssl-ca".into(),
        compression: "--mysql-compression".into(),
        ignore: format!("--mysql-ignore-errors={},", args.text("mysql-ignore-errors")),
        ..own
    }
}

/// The same command line with another command.
fn again(args: &ParsedArgs, command: &str) -> String {
    let mut words = vec!["sysbench".to_owned()];
    for word in &args.typed {
        let option = word.strip_prefix("--").map(|o| canonical(o.split('=').next().unwrap_or(o)));
        match option.as_deref() {
            Some(name @ ("mysql-password" | "pgsql-password")) => words.push(format!("--{name}=PASSWORD")),
            // A connection string of libpq may have one too.
            Some(_) => words.push(quoted(&redact(word))),
            None if arguments::command(args) == Some(word) => {}
            None => words.push(quoted(word)),
        }
    }
    words.push(command.to_owned());
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::arguments::parse;
    use tenbin_model::dsn::Dsn;

    fn of(line: &str) -> Address {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let args = parse(&words, |_| Err("none".into())).unwrap();
        match args.text("db-driver") {
            "mysql" => mysql(&args, || "/run/x.sock".into(), &|_| None, Path::new("/no/such")).unwrap(),
            _ => at(pgsql(&args, &|_| None).unwrap()),
        }
    }

    fn at(server: Server) -> Address {
        (server.dsn, server.password)
    }

    #[test]
    fn every_way_to_name_a_server() {
        let text = |line| of(line).0;
        assert_eq!(
            text("x --mysql-user=root"),
            "mysql://root@localhost:3306/sbtest?socket=/run/x.sock&tls=disabled&connect_timeout_s=30"
        );
        assert_eq!(
            text("x --mysql-host=127.0.0.1 --mysql-db=load_test --mysql-ssl=on --thread-init-timeout=5"),
            "mysql://sbtest@127.0.0.1:3306/load_test?tls=required&connect_timeout_s=5"
        );
        assert_eq!(
            text("x --mysql-host=a,b --mysql-port=1,2 --mysql-ssl=VERIFY_CA --mysql-ssl-ca=/c/a.pem"),
            "mysql://sbtest@a:1/sbtest?hosts=a:1,a:2,b:1,b:2&tls=verify-ca&tls_ca=/c/a.pem&connect_timeout_s=30"
        );
        assert_eq!(
            text("x --mysql-host=localhost,db2"),
            "mysql://sbtest@localhost:3306/sbtest?hosts=/run/x.sock,db2:3306&tls=disabled&connect_timeout_s=30"
        );
        assert_eq!(
            text("x --mysql-socket=/x,/y --mysql-host=a"),
            "mysql://sbtest@a:3306/sbtest?socket=/x,/y&tls=disabled&connect_timeout_s=30"
        );
        assert!(
            text("x --mysql-host=h --mysql-compression --mysql-compression-algorithms=zstd,zlib")
                .contains("&compress=on&")
        );
        assert!(!text("x --mysql-host=h --mysql-compression=off").contains("compress"));
        assert_eq!(text("x --db-driver=pgsql --pgsql-user=me"), "postgres://me@localhost:5432/sbtest");
    }

    #[test]
    fn localhost_is_its_socket_whether_or_not_there_is_one() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let none = || String::from("/no/such.sock");
            mysql(&parse(&words, |_| Err("none".into())).unwrap(), none, &|_| None, Path::new("/no/such")).unwrap().0
        };
        let alone = "socket=/no/such.sock&";
        assert!(of(&["x"]).contains(alone) && of(&["x", "--mysql-port=3307"]).contains(alone));
        assert!(of(&["x", "--mysql-host=localhost,db"]).contains("?hosts=/no/such.sock,db:3306&"));
        assert!(!of(&["x", "--mysql-host=127.0.0.1"]).contains("socket"));
    }

    #[test]
    fn hints_are_commands_that_can_be_typed_here() {
        let of = |line: &str| {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            words(&parse(&args, |_| Err("none".into())).unwrap())
        };
        let tcp = of("oltp_read_only --mysql-host=127.0.0.1 --mysql_password=geheim --mysql-db=my_db --tables=2 run");
        insta::assert_snapshot!([tcp.account, tcp.ping, tcp.create, tcp.load, tcp.drop, tcp.ignore].join("\n"), @r"
        give others with --mysql-user and --mysql-password; try them: mysql -h 127.0.0.1 -P 3306 -u sbtest -p my_db
        mysqladmin -h 127.0.0.1 -P 3306 -u sbtest -p ping
        mysqladmin -h 127.0.0.1 -P 3306 -u sbtest -p create my_db
        sysbench oltp_read_only --mysql-host=127.0.0.1 --mysql-password=PASSWORD --mysql-db=my_db --tables=2 prepare
        sysbench oltp_read_only --mysql-host=127.0.0.1 --mysql-password=PASSWORD --mysql-db=my_db --tables=2 cleanup
        --mysql-ignore-errors=1213,1020,1205,
        ");
        let local = of("oltp_insert --mysql-socket=/run/s --mysql-user=o'b prepare --db-ps-mode=auto");
        insta::assert_snapshot!([local.account, local.drop].join("\n"), @r"
        give others with --mysql-user and --mysql-password; try them: mysql -S /run/s -u 'o'\''b' sbtest
        sysbench oltp_insert --mysql-socket=/run/s '--mysql-user=o'\''b' --db-ps-mode=auto cleanup
        ");
        let pg = of("x.lua --db-driver=pgsql --pgsql-port=5433 run");
        insta::assert_snapshot!([pg.account, pg.ping, pg.create, pg.load].join("\n"), @r"
        give others with --pgsql-user and --pgsql-password; try them: psql -h localhost -p 5433 -U sbtest sbtest
        pg_isready -h localhost -p 5433 -U sbtest
        createdb -h localhost -p 5433 -U sbtest sbtest
        sysbench x.lua --db-driver=pgsql --pgsql-port=5433 prepare
        ");
    }

    #[test]
    fn what_is_not_given_is_taken_from_the_environment() {
        let of = |line: &str, set: &[(&str, &str)]| {
            let words: Vec<String> =
                line.split(if line.contains('\t') { '\t' } else { ' ' }).map(str::to_owned).collect();
            let args = parse(&words, |_| Err("none".into())).unwrap();
            let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
            let (text, password) = match args.text("db-driver") {
                "mysql" => mysql(&args, || "/run/x.sock".into(), &env, Path::new("/no/such")).unwrap(),
                _ => at(pgsql(&args, &env).unwrap()),
            };
            (text, password.map(|p| p.reveal().to_owned()).unwrap_or_default())
        };
        let set =
            [("MYSQL_PWD", "m"), ("PGPASSWORD", "p"), ("PGSSLMODE", "require"), ("PGHOST", "db"), ("PGUSER", "me")];
        assert_eq!(of("x", &set).1, "m");
        assert_eq!(of("x --mysql-password=own", &set).1, "own");
        let (text, password) = of("x --db-driver=pgsql --pgsql-host= --pgsql-user=", &set);
        assert_eq!((text.as_str(), password.as_str()), ("postgres://me@db:5432/sbtest?sslmode=require", "p"));
        let (text, _) = of("x --db-driver=pgsql --pgsql-host=a --pgsql-sslmode=disable", &set);
        assert_eq!(text, "postgres://sbtest@a:5432/sbtest?sslmode=disable");
        let (text, _) = of("x --db-driver=pgsql --pgsql-host=", &[]);
        assert_eq!(text, "postgres://sbtest@localhost:5432/sbtest?host=/var/run/postgresql");
        let login = environment::login_name();
        let (text, _) = of("x --db-driver=pgsql --pgsql-user= --pgsql-port=", &[]);
        assert_eq!(text, format!("postgres://{login}@localhost:5432/sbtest"));
        let (text, _) = of("x --db-driver=pgsql --pgsql-port=", &[("PGPORT", "5433")]);
        assert_eq!(text, "postgres://sbtest@localhost:5433/sbtest");
        let mysql = |line: &str, set: &[(&str, &str)]| of(line, set).0.split('?').next().unwrap_or_default().to_owned();
        assert_eq!(mysql("x --mysql-user= --mysql-host=h", &[]), format!("mysql://{login}@h:3306/sbtest"));
        for port in ["0", "abc", " 3306x", "x1"] {
            assert_eq!(mysql(&format!("x\t--mysql-port={port}\t--mysql-host=h"), &[]), "mysql://sbtest@h:3306/sbtest");
        }
        assert_eq!(
            mysql("x --mysql-port=0 --mysql-host=h", &[("MYSQL_TCP_PORT", "3307")]),
            "mysql://sbtest@h:3307/sbtest"
        );
    }

    /// As in sysbench, which passes all of them to `PQsetdbLogin`.
    #[test]
    fn options_of_postgresql_and_their_defaults_precede_a_connection_string() {
        let of = |more: &[&str]| {
            let string = "--pgsql-db=host=127.0.0.2 port=1 user=u password=s dbname=x connect_timeout=3";
            let words: Vec<String> =
                [&["x", "--db-driver=pgsql", string][..], more].concat().into_iter().map(str::to_owned).collect();
            let (text, password) = at(pgsql(&parse(&words, |_| Err("none".into())).unwrap(), &|_| None).unwrap());
            format!("{text} {}", password.unwrap().reveal())
        };
        let typed = ["--pgsql-host=127.0.0.3", "--pgsql-port=2", "--pgsql-user=me", "--pgsql-password=own"];
        assert_eq!(of(&typed), "postgres://me@127.0.0.3:2/x?connect_timeout_s=3 own");
        assert_eq!(of(&[]), "postgres://sbtest@localhost:5432/x?connect_timeout_s=3 s");
        let empty = ["--pgsql-host=", "--pgsql-port=", "--pgsql-user="];
        assert_eq!(of(&empty), "postgres://u@127.0.0.2:1/x?connect_timeout_s=3 s");
    }

    #[test]
    fn the_switch_of_tls_takes_the_files_of_the_current_folder() {
        let folder = tempfile::tempdir().unwrap();
        let of = |line: &str| {
            let line = format!("{line} --mysql-host=db");
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let (text, _) =
                mysql(&parse(&words, |_| Err("none".into())).unwrap(), String::new, &|_| None, folder.path()).unwrap();
            text.split_once('?').unwrap().1.replace(&folder.path().display().to_string(), "HERE")
        };
        let [on, off, own] = ["x --mysql-ssl=on", "x", "x --mysql-ssl=on --mysql-ssl-ca=/c/a.pem"];
        std::fs::write(folder.path().join("client-cert.pem"), "").unwrap();
        assert_eq!(of(on), "tls=required&connect_timeout_s=30", "a certificate without its key");
        std::fs::write(folder.path().join("client-key.pem"), "").unwrap();
        let client = "tls_cert=HERE/client-cert.pem&tls_key=HERE/client-key.pem&connect_timeout_s=30";
        assert_eq!(of(on), format!("tls=required&{client}"));
        std::fs::write(folder.path().join("cacert.pem"), "").unwrap();
        assert_eq!(of(on), format!("tls=verify-ca&tls_ca=HERE/cacert.pem&{client}"));
        assert_eq!(of(own), format!("tls=verify-ca&tls_ca=/c/a.pem&{client}"));
        assert_eq!(of(off), "tls=disabled&connect_timeout_s=30");
        assert_eq!(of("x --mysql-ssl=REQUIRED"), "tls=required&connect_timeout_s=30");
    }

    #[test]
    fn an_empty_host_is_not_this_machine() {
        let error = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            address(&parse(&words, |_| Err("none".into())).unwrap(), &HintWords::default()).unwrap_err()
        };
        assert_eq!(error("x --mysql-host= run"), "No MySQL hosts specified, aborting");
        assert_eq!(error("x --mysql-host=h --mysql-port= run"), "No MySQL ports specified, aborting");
        assert_eq!(error("x --db-driver=help run"), "invalid database driver name: 'help'");
        assert!(error("x --db-driver= run").starts_with("Multiple DB drivers are available."));
        assert_eq!(error("x --mysql-dry-run --db-ps-mode=x run"), "Invalid value for db-ps-mode: x");
        for (port, shown) in [("99999", "99999"), ("-1", "4294967295")] {
            assert_eq!(
                error(&format!("x --mysql-host=h --mysql-port={port} run")),
                format!(
                    "unable to connect to MySQL server on host 'h', port {shown}, aborting...\n\
                     FATAL: error 2002: Can't connect to server on 'h' (115)"
                )
            );
        }
    }

    #[test]
    fn odd_names_survive_and_the_password_stays_apart() {
        let (text, password) = of("x --mysql-host=h --mysql-user=a@b/c --mysql-password=p@:/? --mysql-db=d?e");
        let dsn = Dsn::parse(&text).unwrap();
        assert_eq!((dsn.user.as_str(), dsn.database.as_str(), dsn.host.as_str()), ("a@b/c", "d?e", "h"));
        assert_eq!(password.unwrap().reveal(), "p@:/?");
        assert!(dsn.password.is_none() && !text.contains("p@:"));
    }

    #[test]
    fn hints_have_no_password_of_a_connection_string() {
        for database in ["--pgsql-db=postgresql://u:geheim@h/x", "--pgsql-db=dbname=x password=geheim"] {
            let typed: Vec<String> = ["x", "--db-driver=pgsql", database, "run"].map(str::to_owned).to_vec();
            let args = parse(&typed, |_| Err("none".into())).unwrap();
            let words = words(&args);
            let hints = [words.load, words.drop, words.account, words.ping, words.create].join("\n");
            assert!(!hints.contains("geheim") && hints.contains("--pgsql-db="), "{hints}");
            assert!(hints.contains("\npg_isready -h localhost -p 5432 -U sbtest\n"), "{hints}");
            let (dsn, password) = at(pgsql(&args, &|_| None).unwrap());
            assert_eq!((password.unwrap().reveal(), dsn.contains("geheim")), ("geheim", false));
        }
    }

    /// Where nothing is made, there is no command that makes it.
    #[test]
    fn hints_for_a_schema_of_the_server_name_another() {
        let of = |line: &str| {
            let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let words = words(&parse(&typed, |_| Err("none".into())).unwrap());
            [words.load, words.drop]
        };
        assert_eq!(of("x --mysql-db=mysql run"), ["name another schema with --mysql-db"; 2]);
        assert!(of("x --mysql-db=mysql1 run")[0].ends_with(" prepare"));
        assert!(of("x --db-driver=pgsql --mysql-db=mysql run")[0].ends_with(" prepare"));
    }

    /// An empty option leaves it to the connection string.
    #[test]
    fn hints_name_the_server_of_a_connection_string() {
        let line = "x --db-driver=pgsql --pgsql-host= --pgsql-port= --pgsql-user= --pgsql-db=postgresql://u:geheim@127.0.0.1:5999/x run";
        let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let words = words(&parse(&typed, |_| Err("none".into())).unwrap());
        assert_eq!(words.ping, "pg_isready -h 127.0.0.1 -p 5999 -U u");
        assert_eq!(words.create, "createdb -h 127.0.0.1 -p 5999 -U u x");
        let ServerName::Postgres(server) = words.server else { panic!("{:?}", words.server) };
        assert_eq!(server.told(), "at \"127.0.0.1\", port 5999");
    }

    #[test]
    fn servers_of_a_list_are_looked_at_once_and_only_for_an_address() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        server.set_nonblocking(true).unwrap();
        let port = server.local_addr().unwrap().port();
        let line = format!("x --db-driver=pgsql --pgsql-host=127.0.0.1,127.0.0.2 --pgsql-port={port} run");
        let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let args = parse(&typed, |_| Err("none".into())).unwrap();
        let words = words(&args);
        assert!(server.accept().is_err() && words.chosen.get().is_none(), "words for messages need no server");
        let (dsn, _) = address(&args, &words).unwrap();
        assert!(dsn.contains(&format!("@127.0.0.1:{port}/")), "{dsn}");
        assert!(server.accept().is_ok() && server.accept().is_err(), "once");
        assert_eq!(words.chosen.get().unwrap().told(), format!("at \"127.0.0.1\", port {port}"));
    }
}
