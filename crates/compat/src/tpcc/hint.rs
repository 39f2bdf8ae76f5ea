//! Hints in the terms of these two programs: instead of an address or a plan they name options, and
//! the loader is tpcc_load.

use super::server::Server;
use crate::hint::{HintWords, quoted};
use tenbin_model::dsn::{Dsn, Scheme, is_system_schema};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::remedy::Remedy;

/// The data from which hints are built.
pub struct HintContext<'a> {
    pub server: &'a Server,
    /// The options of tpcc_load that would load the requested data, after those of the server: `-w 10`.
    pub load: String,
    /// Whether the program is tpcc_load.
    pub loads: bool,
}

impl HintContext<'_> {
    /// The same problem in the terms of these programs: their options in place of an address, and their hint.
    pub fn told(&self, problem: &Problem) -> Problem {
        let named = |message: &Message| message.with("dsn", &|dsn| self.server_of(dsn));
        Problem { hint: self.hint(problem), what: named(&problem.what), evidence: problem.evidence.as_ref().map(named) }
    }

    /// The options that name the server of this address; with several databases it may be that of another one than the first.
    fn server_of(&self, dsn: &Message) -> Message {
        let database = Dsn::parse(dsn.english()).map(|dsn| dsn.database);
        let database = database.unwrap_or_else(|_| self.server.database().to_owned());
        foreign(self.server.location(&database))
    }

    fn hint(&self, problem: &Problem) -> Option<Message> {
        let Problem { what, hint: Some(hint), .. } = problem else { return None };
        let load = |database: &str| match is_system_schema(Scheme::Mysql, database) {
            // Nothing is made in those of the server itself.
            true => "name another database with -d".to_owned(),
            false => format!("tpcc_load {} {}", self.server.options(database), self.load),
        };
        let ours = self.server.database();
        let says = |id: &str| hint.find(id);
        // The names of a database and of a table are only in the server's message.
        if let Some(name) = between(what, "Unknown database '", "'") {
            let create = format!("{} create {}", self.server.client("mysqladmin", false), quoted(name));
            return Some(foreign(if self.loads { create } else { format!("{create} && {}", load(name)) }));
        }
        if let Some(there) = says("set-warehouses-or-load").and_then(|hint| hint.arg("there")) {
            return Some(match there.english() {
                "0" => foreign(load(ours)),
                there => msg!("w-or-load-others", there, load = load(ours)),
            });
        }
        if hint.is("same-again-goes-on") {
            return Some(msg!("same-again-goes-on", load = load(ours)));
        }
        if let Some(again) = says("set-option-or-load-again") {
            let arg = |name: &str| again.arg(name).map_or("", |value| value.english());
            // Tables of another layout, or with or without foreign keys, which is an option of tpcc_load.
            let keep = match arg("option") {
                "foreign_keys" => foreign(format_args!("--foreign-keys {}", arg("value"))),
                _ => msg!("use-empty-database"),
            };
            let drop = format!("{} --drop", arg("load"));
            return Some(msg!("keep-or-load-again", keep, load = self.with_password(&drop)));
        }
        if says("tenbin-load").is_some() {
            return Some(hint.with("load", &|load| foreign(self.with_password(load.english()))));
        }
        if hint.remedy() == Some(Remedy::Load) {
            return Some(foreign(load(between(what, "Table '", ".").unwrap_or(ours))));
        }
        self.words().hint(problem)
    }

    fn words(&self) -> HintWords {
        let (client, database) = (self.server.client("mysql", true), quoted(self.server.database()));
        let admin = self.server.client("mysqladmin", false);
        HintWords {
            account: format!("give others with -u and -p (or MYSQL_PWD); try them: {client} {database}"),
            ping: format!("{admin} ping"),
            over_tcp: "-h 127.0.0.1".into(),
            create: format!("{admin} create {database}, or name another with -d"),
            plain: "--ssl-mode=disabled".into(),
            encrypted: "--ssl-mode=required".into(),
            authority: "--ssl-ca".into(),
            ..HintWords::default()
        }
    }

    /// A command of Tenbin; its address has no password.
    fn with_password(&self, command: &str) -> String {
        match self.server.password {
            Some(_) => format!("{command} --password-env MYSQL_PWD"),
            None => command.to_owned(),
        }
    }
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    text.split_once(from)?.1.split_once(to).map(|(part, _)| part)
}

#[cfg(test)]
mod tests {
    use super::super::{arguments, options, server::server};
    use super::*;

    fn told(line: &str, problem: &Problem) -> Problem {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let server = server(&arguments::read(&words, &options::START, arguments::START).unwrap().args).unwrap();
        HintContext { server: &server, load: "-w 5".into(), loads: false }.told(problem)
    }

    fn hinted(line: &str, what: &str, hint: Message) -> String {
        told(line, &Problem::new(foreign(what)).hint(hint)).hint.map_or("none".into(), |hint| hint.english().to_owned())
    }

    #[test]
    fn a_server_is_named_by_options() {
        let address = "mysql://root@127.0.0.1:3307/my_db_1?tls=preferred";
        let problem = Problem::new(msg!("connecting-to", dsn = address)).evidence(msg!("looked-in", dsn = "none"));
        let line = "-h 127.0.0.1 -P 3307 -u root -d my_db -m 2 -p s3cret";
        insta::assert_snapshot!(told(line, &problem), @r"
        connecting to -h 127.0.0.1 -P 3307 -d my_db_1 -u root
          evidence  looked in -h 127.0.0.1 -P 3307 -d my_db -u root
        ");
    }

    #[test]
    fn hints_are_commands_that_can_be_typed_here() {
        let tcp = "-h 127.0.0.1 -P 3307 -u root -d my_db";
        let locked = "-S /run/s -u app -p s3cret --ssl-mode required";
        let load = "tenbin load tpcc 'mysql://…'";
        let warehouses = |there| msg!("set-warehouses-or-load", there, dsn = "DSN", sets = "", wanted = 5);
        let again = |option, value| msg!("set-option-or-load-again", option, value, load);
        let hints = [
            hinted(tcp, "Access denied", msg!("check-user-and-password")),
            hinted(tcp, "Unknown database 'my_db_0' (error 1049)", msg!("create-or-name-schema")),
            hinted(locked, "Table 'x.warehouse' doesn't exist", msg!("load-tpcc-first", dsn = "DSN")),
            hinted("-d mysql", "Table 'mysql.warehouse' doesn't exist", msg!("load-tpcc-first", dsn = "DSN")),
            hinted(tcp, "5 wanted", warehouses(1)),
            hinted(tcp, "5 wanted", warehouses(0)),
            hinted(tcp, "stopped while loading", msg!("same-again-goes-on", load)),
            hinted(tcp, "another layout", again("layout", "spec")),
            hinted(locked, "other keys", again("foreign_keys", "off")),
            hinted(tcp, "no TLS", msg!("set-up-tls-mysql", plain = "tls=disabled")),
            hinted(tcp, "no authority", msg!("add-tls-ca")),
            hinted(tcp, "nothing answers", msg!("is-server-running-at-port", address = "'mysql://…'")),
            hinted(tcp, "another name", msg!("certificate-for-another-name")),
            hinted(tcp, "a thread is missing", msg!("raise-processes")),
            hinted(tcp, "no engine for keys", msg!("set-foreign-keys-off")),
            hinted(tcp, "of a plan alone", msg!("set-workers-to-number")),
            hinted(tcp, "anything", foreign("SET GLOBAL max_connections = 9")),
        ]
        .join("\n");
        insta::assert_snapshot!(hints, @r"
        give others with -u and -p (or MYSQL_PWD); try them: mysql -h 127.0.0.1 -P 3307 -u root -p my_db
        mysqladmin -h 127.0.0.1 -P 3307 -u root create my_db_0 && tpcc_load -h 127.0.0.1 -P 3307 -d my_db_0 -u root -w 5
        tpcc_load -S /run/s -d x -u app -p PASSWORD --ssl-mode required -w 5
        name another database with -d
        -w 1, or load the others: tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        the same again goes on from there: tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        use an empty database, or load again: tenbin load tpcc 'mysql://…' --drop
        --foreign-keys off, or load again: tenbin load tpcc 'mysql://…' --drop --password-env MYSQL_PWD
        use --ssl-mode=disabled on a line that you trust
        give the authority that signed it: --ssl-ca=/path/to/ca.pem
        is the server running, and is this its port? mysqladmin -h 127.0.0.1 -P 3307 -u root ping
        the server's certificate is for another name: connect by a name that is in it, or use --ssl-mode=verify-ca, which does not check the name
        raise the limit of processes (ulimit -u)
        load with --foreign-keys off, or use an engine that has them
        none
        SET GLOBAL max_connections = 9
        ");
        assert!(!hints.contains("s3cret"), "{hints}");
    }
}
