//! Resolves the options: cells, statements, the server.

use super::failure;
use crate::address::{bracketed, default_socket, written};
use crate::environment;
use crate::hint::{HintWords, ServerLocation, mysql_client, quoted};
use crate::parsed_args::{NO_VALUE, ParsedArgs, completed};
use std::collections::BTreeMap;
use std::path::Path;
use tenbin_driver::Quoting;
use tenbin_model::dsn::Password;
use tenbin_slap as slap;
use tenbin_words::problem::Problem;

/// Options of a data set or a load, as in a plan.
pub type Options = BTreeMap<String, String>;

/// Everything a run needs.
#[derive(Debug, Clone)]
pub struct Settings {
    pub engines: Vec<String>,
    /// Numbers of clients in turn; none: all of them, from 1 on.
    pub concurrency: Vec<u32>,
    pub iterations: u32,
    /// Of all clients together; 0: not given.
    pub queries: u64,
    pub execute: u64,
    /// The number of statements in the list of each client, if it is known beforehand.
    pub list: Option<u64>,
    pub data: Options,
    pub load: Options,
    /// Whether a schema is created, and thus dropped at the end.
    pub makes: bool,
    /// Whether anything has to be done before or after a trial.
    pub dataset: bool,
    pub no_drop: bool,
    pub only_print: bool,
    pub csv: Option<Option<String>>,
    pub silent: bool,
    pub verbose: u64,
    pub load_type: &'static str,
    /// The same as it was typed, for the CSV line.
    pub load_label: String,
    pub dsn: String,
    pub password: Option<Password>,
    /// Hints in the terms of these programs.
    pub words: HintWords,
}

/// Resolves the arguments; the error is a line for standard error.
pub fn resolve(args: &ParsedArgs) -> Result<Settings, String> {
    let generated = args.on("auto-generate-sql");
    let load_type = load_type(args);
    exclusive(args, generated)?;
    if args.given("csv") == Some("") {
        return Err("Could not open csv file: ".into());
    }
    let mut settings = Settings {
        engines: list(args.text("engine")),
        concurrency: concurrency(args.text("concurrency"))?,
        iterations: match args.number("iterations") {
            0 => return Err("--iterations=0 is refused: there is nothing to average".into()),
            // As mysqlslap limits it.
            n => u32::try_from(n).unwrap_or(u32::MAX),
        },
        queries: args.number("number-of-queries"),
        execute: args.number("auto-generate-sql-execute-number"),
        list: None,
        data: Options::new(),
        load: Options::new(),
        makes: generated || !args.text("create").is_empty(),
        dataset: false,
        no_drop: args.on("no-drop"),
        only_print: args.on("only-print"),
        csv: args.has("csv").then(|| Some(args.text("csv").to_owned()).filter(|file| file != NO_VALUE)),
        silent: args.on("silent") || args.has("csv"),
        verbose: args.number("verbose"),
        load_type,
        load_label: args.text(LOAD_TYPE).to_owned(),
        dsn: String::new(),
        password: None,
        words: words(args),
    };
    data(args, generated, &mut settings)?;
    load(args, generated, &mut settings)?;
    (settings.dsn, settings.password) = address(args)?;
    settings.dataset = settings.makes
        || ["pre_query", "post_query", "pre_query_file", "post_query_file", "pre_system", "post_system"]
            .iter()
            .any(|n| settings.data.contains_key(*n));
    let message = |problem: Problem| failure::told(&settings.words.told(&failure::of_option(problem))).to_string();
    settings.list = slap::list_length(&settings.data, &settings.load).map_err(message)?;
    Ok(settings)
}

fn words(args: &ParsedArgs) -> HintWords {
    // Invalid values are reported when the address is built.
    let host = Some(args.text("host")).filter(|h| !h.is_empty()).unwrap_or("localhost");
    let (host, socket) = match by_tcp(args, host) {
        Ok(true) if host == "localhost" => ("127.0.0.1", ""),
        Ok(true) => (host, ""),
        _ => (host, args.text("socket")),
    };
    let port = args.number("port").to_string();
    let user = user(args);
    let server = ServerLocation { host, port: &port, socket, user: &user, password: true };
    HintWords {
        account: format!("give others with -u and -p (or MYSQL_PWD); try them: {}", mysql_client("mysql", &server)),
        ping: format!("{} ping", mysql_client("mysqladmin", &server)),
        over_tcp: if host == "localhost" { "-h 127.0.0.1".into() } else { String::new() },
        create: format!(
            "{} create {}, or name another with --create-schema",
            mysql_client("mysqladmin", &server),
            quoted(args.text("create-schema"))
        ),
        plain: "--skip-ssl".into(),
        encrypted: "--ssl-mode=required".into(),
        authority: "--ssl-ca".into(),
        compression: "--compress".into(),
        ..HintWords::default()
    }
}

fn exclusive(args: &ParsedArgs, generated: bool) -> Result<(), String> {
    // Also without a value.
    let own = args.has("query") || args.has("create");
    if generated && own {
        return Err("Can't use --auto-generate-sql when create and query strings are specified! \
                    Leave out --create and --query"
            .into());
    }
    if args.on("auto-generate-sql-guid-primary") && args.on("auto-generate-sql-add-autoincrement") {
        return Err("Either auto-generate-sql-guid-primary or auto-generate-sql-add-autoincrement can be used! \
                    A table has one primary key"
            .into());
    }
    if generated && args.number("number-of-queries") > 0 && args.number("auto-generate-sql-execute-number") > 0 {
        return Err("Either auto-generate-sql-execute-number or number-of-queries can be used! \
                    The former is of each client, the latter of all"
            .into());
    }
    if args.has("delimiter") && args.text("delimiter").is_empty() {
        return Err("--delimiter is empty: no statement would ever end".into());
    }
    Ok(())
}

/// By its first letter, as by mysqlslap.
fn load_type(args: &ParsedArgs) -> &'static str {
    match args.text(LOAD_TYPE).chars().next() {
        Some('u') => "update",
        Some('w') => "write",
        Some('k') => "key",
        Some('r') => "read",
        _ => "mixed",
    }
}

const LOAD_TYPE: &str = "auto-generate-sql-load-type";

/// What is said of a load type that is no word of these programs, which say nothing.
pub fn doubtful_load_type(args: &ParsedArgs) -> Option<String> {
    let (typed, taken) = (args.text(LOAD_TYPE), load_type(args));
    (!taken.starts_with(typed)).then(|| {
        format!(
            "--{LOAD_TYPE}={typed} is taken for {taken}, as by mysqlslap: it is one of mixed, update, write, key, read"
        )
    })
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|e| !e.is_empty()).map(str::to_owned).collect()
}

/// As in mysqlslap a 0 ends the list, and a list that begins with it is that of all numbers.
fn concurrency(text: &str) -> Result<Vec<u32>, String> {
    if text.is_empty() {
        return Ok(vec![1]);
    }
    // After the last comma nothing has to follow.
    let numbers = text.strip_suffix(',').unwrap_or(text).split(',').map(|n| match n.trim().parse::<u32>() {
        Ok(n) if n <= 100_000 => Ok(n),
        _ => Err(format!("--concurrency: {n:?} is not a number of clients")),
    });
    let mut numbers = numbers.collect::<Result<Vec<u32>, String>>()?;
    numbers.truncate(numbers.iter().position(|n| *n == 0).unwrap_or(numbers.len()));
    Ok(numbers)
}

/// What is said of a list of numbers of clients with a 0, of which mysqlslap says nothing.
pub fn behind_zero(args: &ParsedArgs) -> Option<String> {
    let typed = args.text("concurrency");
    let numbers = concurrency(typed).ok()?;
    let is_zero = |n: &str| n.trim().parse() == Ok(0);
    let first = typed.split(',').position(is_zero)?;
    let what = match numbers.is_empty() {
        true => "counts up from 1, until the server refuses to connect, or Ctrl-C",
        false if first + 1 < typed.trim_end_matches(',').split(',').count() => "ends at the 0: what follows is not run",
        false => return None,
    };
    Some(format!("--concurrency={typed} {what}, as by mysqlslap; a list is 1,2,4,8"))
}

/// `n` or `n:indexed`.
fn columns(args: &ParsedArgs, option: &str, name: &str, into: &mut Options) -> Result<(), String> {
    let Some(text) = args.given(option).filter(|text| !text.is_empty()) else { return Ok(()) };
    let (count, index) = text.split_once(':').unwrap_or((text, "0"));
    let wrong = || {
        format!("--{option} cannot be {text:?}: it is a number of columns up to 4096, and `:1` for an index on each")
    };
    let count = count.parse::<u32>().ok().filter(|n| *n <= 4096).ok_or_else(wrong)?;
    into.insert(format!("{name}_cols"), count.to_string());
    let indexed = index.split(':').next().and_then(|n| n.parse::<u32>().ok()).ok_or_else(wrong)? > 0;
    into.insert(format!("{name}_indexes"), if indexed { "on" } else { "off" }.to_owned());
    Ok(())
}

fn data(args: &ParsedArgs, generated: bool, settings: &mut Settings) -> Result<(), String> {
    let data = &mut settings.data;
    data.insert("generate".into(), if generated { "on" } else { "off" }.into());
    if args.on("allow-drop") {
        data.insert("allow_drop".into(), "on".into());
    }
    match args.given("create-schema") {
        Some("") if settings.makes => {
            return Err("Error creating schema: Incorrect database name ''".into());
        }
        Some(schema) => drop(data.insert("schema".into(), schema.to_owned())),
        None => {}
    }
    if args.on("auto-generate-sql-add-autoincrement") {
        data.insert("primary_key".into(), "autoincrement".into());
    } else if args.on("auto-generate-sql-guid-primary") {
        data.insert("primary_key".into(), "guid".into());
    }
    columns(args, "number-int-cols", "int", data)?;
    columns(args, "number-char-cols", "char", data)?;
    for (option, name) in [
        ("auto-generate-sql-secondary-indexes", "secondary_indexes"),
        ("auto-generate-sql-unique-write-number", "unique_writes"),
    ] {
        if args.has(option) {
            data.insert(name.into(), args.text(option).into());
        }
    }
    // The CREATE TABLE is included in the number.
    let preload = args.number("auto-generate-sql-write-number").saturating_sub(1);
    data.insert("preload".into(), preload.to_string());
    if args.has("delimiter") {
        data.insert("delimiter".into(), args.text("delimiter").into());
    }
    for (option, name) in [("create", "create"), ("pre-query", "pre_query"), ("post-query", "post_query")] {
        own(args.text(option), option, name, data)?;
    }
    for (option, name) in [("pre-system", "pre_system"), ("post-system", "post_system")] {
        if !args.text(option).is_empty() {
            data.insert(name.into(), args.text(option).into());
        }
    }
    Ok(())
}

fn load(args: &ParsedArgs, generated: bool, settings: &mut Settings) -> Result<(), String> {
    let load = &mut settings.load;
    own(args.text("query"), "query", "query", load)?;
    let is_empty = !generated && args.text("query").is_empty();
    if is_empty && settings.queries > 0 {
        return Err(format!(
            "--number-of-queries={} is refused: there is no query to execute so often (mysqlslap: it would not end); give --query=\"…\"",
            settings.queries
        ));
    }
    if is_empty && !settings.makes && !args.has("create-schema") {
        // Clients that send nothing need no schema, and the default one may not exist.
        settings.data.insert("schema".into(), String::new());
    }
    load.insert("type".into(), if is_empty { "none" } else { settings.load_type }.into());
    if args.has("auto-generate-sql-unique-query-number") {
        load.insert("unique_queries".into(), args.text("auto-generate-sql-unique-query-number").into());
    }
    let each = if generated { settings.execute } else { 0 };
    let (name, value) = match (settings.queries, each) {
        (0, 0) => ("once", "on".to_owned()),
        (0, each) => ("queries_per_client", each.to_string()),
        (all, _) => ("queries", all.to_string()),
    };
    load.insert(name.into(), value);
    for name in ["commit", "detach"] {
        if args.number(name) > 0 {
            load.insert(name.into(), args.text(name).into());
        }
    }
    let mode = args.text("sql-mode");
    let init = args.text("init-command");
    match (init, mode) {
        ("", "") => {}
        (init, "") => drop(load.insert("init_command".into(), init.into())),
        ("", mode) => drop(load.insert("init_command".into(), format!("SET sql_mode={}", Quoting::MYSQL.text(mode)))),
        _ => {
            return Err(
                "--init-command (MariaDB) and --sql-mode (MySQL) exclude each other: put SET sql_mode into the command"
                    .into(),
            );
        }
    }
    load.insert("leave_on_error".into(), "on".into());
    Ok(())
}

/// A text, or the file that it names.
fn own(value: &str, option: &str, name: &str, into: &mut Options) -> Result<(), String> {
    if value.is_empty() {
        return Ok(());
    }
    let path = Path::new(value);
    if path.is_file() {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        into.insert(format!("{name}_file"), whole.display().to_string());
        return Ok(());
    }
    // A single word with a directory or an extension is a file name; mysqlslap would send it as SQL.
    let one_word = !value.contains(char::is_whitespace) && !value.contains("/*");
    if one_word && (value.contains('/') || value.ends_with(".sql") || value.ends_with(".txt")) {
        return Err(format!("--{option}: there is no file {value}"));
    }
    into.insert(name.into(), value.to_owned());
    Ok(())
}

/// Whether the server is reached over TCP and not over a socket.
fn by_tcp(args: &ParsedArgs, host: &str) -> Result<bool, String> {
    let protocol = args.text("protocol");
    let protocol = match completed(protocol, &["tcp", "socket", "pipe", "memory"]).unwrap_or(protocol) {
        known @ ("" | "tcp" | "socket") => known,
        other => return Err(format!("--protocol={other} is refused: it is tcp or socket")),
    };
    // Of a port, a socket and a protocol on the command line the last decides; a port in a file does not select TCP.
    let mut here = args.order.iter().rev().map(|(row, _)| row.name).filter(|name| args.has_here(name));
    let last = here.find(|name| ["port", "socket", "protocol"].contains(name));
    let protocol = match last {
        Some("port") => "tcp",
        Some("socket") => "socket",
        _ => protocol,
    };
    // As MariaDB's client library: a socket is used for localhost only, whatever a file or the command line contains.
    Ok(protocol == "tcp" || host != "localhost")
}

/// The account.
fn user(args: &ParsedArgs) -> String {
    Some(args.text("user").to_owned()).filter(|user| !user.is_empty()).unwrap_or_else(environment::login_name)
}

/// The address without its password, and the password.
fn address(args: &ParsedArgs) -> Result<(String, Option<Password>), String> {
    let host = Some(args.text("host")).filter(|h| !h.is_empty()).unwrap_or("localhost");
    let user = user(args);
    let password = ["password", "password1"].into_iter().find(|n| args.has(n)).map(|n| args.text(n).to_owned());
    let password = password.map_or_else(|| environment::mysql_password(&environment::own), |p| Ok(Some(p)))?;
    // Without a value and without a prompt: no connection is made.
    let password = password.filter(|p| !p.is_empty() && p != NO_VALUE);
    let tcp = by_tcp(args, host)?;
    let socket = match args.text("socket") {
        _ if tcp => None,
        // An unset variable of a shell must not lead to another server.
        "" if args.has_here("socket") && !args.on("only-print") => {
            return Err("Error when connecting to server: Can't connect to local server through socket '' (111)".into());
        }
        "" => Some(default_socket()),
        path => Some(path.to_owned()),
    };
    let port = match args.number("port") {
        n @ 1..=65_535 => n,
        0 => environment::own("MYSQL_TCP_PORT").and_then(|port| port.parse().ok()).unwrap_or(3306),
        n => return Err(format!("--port={n} is no port")),
    };
    let mut options = vec![("tls", tls(args)?.to_owned())];
    options.extend(socket.map(|path| ("socket", path)));
    if compress(args)? {
        options.push(("compress", "on".to_owned()));
    }
    for (option, file) in [("tls_ca", "ssl-ca"), ("tls_cert", "ssl-cert"), ("tls_key", "ssl-key")] {
        if !args.text(file).is_empty() {
            options.push((option, args.text(file).to_owned()));
        }
    }
    let address = format!("{}:{port}", bracketed(host));
    Ok((written("mysql", &user, &address, "", &options), password.map(Password::new)))
}

/// Whether to compress; zlib is the supported algorithm.
fn compress(args: &ParsedArgs) -> Result<bool, String> {
    let ways: Vec<&str> = args.text("compression-algorithms").split(',').map(str::trim).collect();
    match ways.as_slice() {
        [""] => Ok(args.on("compress")),
        ways if ways.contains(&"zlib") => Ok(true),
        ["uncompressed"] => Ok(false),
        _ => Err(format!(
            "--compression-algorithms={} is refused: it is zlib or uncompressed",
            args.text("compression-algorithms")
        )),
    }
}

fn tls(args: &ParsedArgs) -> Result<&'static str, String> {
    let mode = args.text("ssl-mode");
    let modes = ["disabled", "preferred", "required", "verify-ca", "verify-identity"];
    Ok(match completed(mode, &modes).unwrap_or(mode) {
        "disabled" => "disabled",
        "preferred" => "preferred",
        "required" => "required",
        "verify-ca" => "verify-ca",
        "verify-identity" => "verify-identity",
        "" if args.has("ssl") && !args.on("ssl") => "disabled",
        "" if args.on("ssl-verify-server-cert") => "verify-identity",
        "" if !args.text("ssl-ca").is_empty() => "verify-ca",
        "" => "preferred",
        other => {
            return Err(format!(
                "--ssl-mode={other} is refused: disabled, preferred, required, verify_ca or verify_identity"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::options::GRAMMAR;
    use super::*;
    use crate::parsed_args::Source;

    fn of(words: &[&str]) -> Result<Settings, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut args = ParsedArgs::new(&GRAMMAR);
        args.read(&words, Source::CommandLine).unwrap();
        resolve(&args)
    }

    #[test]
    fn empty_values_are_taken_as_mysqlslap_takes_them() {
        assert_eq!(of(&["-a", "--csv="]).unwrap_err(), "Could not open csv file: ");
        assert_eq!(of(&["-a", "--csv"]).unwrap().csv, Some(None));
        assert!(of(&["-a", "--create-schema="]).unwrap_err().contains("Incorrect database name ''"));
        assert!(of(&["--create=CREATE TABLE t(a INT)", "--create-schema="]).is_err());
        assert_eq!(of(&["--query=SELECT 1", "--create-schema="]).unwrap().data["schema"], "");
        assert_eq!(of(&["-a", "--concurrency=5,"]).unwrap().concurrency, [5]);
        assert_eq!(of(&["-a", "--concurrency=1,2"]).unwrap().concurrency, [1, 2]);
        assert!(of(&["-a", "--concurrency=1,,2"]).is_err());
        assert_eq!(of(&["-a", "-c0"]).unwrap().concurrency, [0; 0]);
        assert_eq!(of(&["-a", "-c4,0,8"]).unwrap().concurrency, [4]);
        assert_eq!(of(&["-a", "-i", "20000"]).unwrap().iterations, 20_000);
        let refused = of(&["-a", "--create-schema=mysql"]).and_then(|settings| {
            let wrong = |all: Vec<Problem>| settings.words.told(&all[0]).to_string();
            super::super::plan::plan(&settings).map(|_| ()).map_err(wrong)
        });
        let refused = refused.unwrap_err();
        assert!(refused.ends_with("name another with --create-schema"), "{refused}");
    }

    #[test]
    fn the_last_of_port_socket_and_protocol_decides_how_localhost_is_reached() {
        for (line, is_socket) in [
            ("-P 888 -S /s", true),
            ("-S /s -P 888", false),
            ("--protocol=socket -P 888 -S /s --protocol=tcp", false),
            ("--protocol=tcp -S /s", true),
            ("-S /s -h 127.0.0.1", false),
            ("-S /s", true),
            ("-P 888", false),
        ] {
            let words: Vec<&str> = ["-a"].into_iter().chain(line.split(' ')).collect();
            assert_eq!(of(&words).unwrap().dsn.contains("socket=/s"), is_socket, "{line}");
        }
        assert!(of(&["-a", "-S", ""]).unwrap_err().contains("through socket ''"));
    }

    /// As MariaDB 10.11's program begins them.
    #[test]
    fn what_programs_search_for_in_the_output() {
        let begins = |words: &[&str], line: &str| {
            let told = of(words).unwrap_err();
            assert!(told.starts_with(line), "{words:?}: {told}");
        };
        begins(&["-a", "-q", "x"], "Can't use --auto-generate-sql when create and query strings are specified!");
        let [guid, auto] = ["--auto-generate-sql-guid-primary", "--auto-generate-sql-add-autoincrement"];
        begins(&["-a", guid, auto], "Either auto-generate-sql-guid-primary or auto-generate-sql-add-autoincrement can");
        let [each, all] = ["--auto-generate-sql-execute-number=3", "--number-of-queries=4"];
        begins(&["-a", each, all], "Either auto-generate-sql-execute-number or number-of-queries can be used!");
    }

    #[test]
    fn a_query_with_a_comment_is_no_file() {
        assert_eq!(of(&["--query=SELECT/**/1"]).unwrap().load["query"], "SELECT/**/1");
        assert!(of(&["--query=dir/query.sql"]).unwrap_err().contains("there is no file dir/query.sql"));
    }

    #[test]
    fn signs_of_an_address_in_a_name_are_no_parts_of_it() {
        let settings = of(&["-a", "-u", "app/r,o@x", "-h", "db", "--port=7"]).unwrap();
        let dsn = tenbin_model::dsn::Dsn::parse(&settings.dsn).unwrap();
        assert_eq!((dsn.user.as_str(), dsn.host.as_str(), dsn.port), ("app/r,o@x", "db", Some(7)));
        assert!(of(&["-a", "-h", "::1"]).unwrap().dsn.contains("@[::1]:3306/"));
    }

    #[test]
    fn without_a_user_it_is_the_login_name_in_hints_too() {
        let settings = of(&["-a", "--user="]).unwrap();
        let login = environment::login_name();
        assert!(settings.dsn.starts_with(&format!("mysql://{login}@")), "{}", settings.dsn);
        assert!(settings.words.ping.contains(&format!("-u {login}")), "{}", settings.words.ping);
    }
}
