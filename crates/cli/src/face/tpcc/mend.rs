//! The way out of a problem, in the words of these two programs: what Tenbin would have written into an address or a plan
//! is an option here, and its loader is tpcc_load.

use super::server::Server;
pub use crate::face::hint::quoted;
use tenbin_model::problem::Problem;

/// What a way out is written from.
pub struct Here<'a> {
    pub server: &'a Server,
    /// The options of the tpcc_load that would bring what is asked for, after those of the server: `-w 10`.
    pub load: String,
    /// Whether it is tpcc_load that asks.
    pub loads: bool,
}

impl Here<'_> {
    /// The same problem with a way out that can be typed here.
    pub fn told(&self, problem: &Problem) -> Problem {
        let mend = problem.mend.as_deref().map(|mend| self.mend(mend, &problem.what));
        Problem { mend, ..problem.clone() }
    }

    fn mend(&self, mend: &str, what: &str) -> String {
        let load = |database: &str| format!("tpcc_load {} {}", self.server.options(database), self.load);
        let ours = self.server.database();
        if mend.starts_with("check user and password") {
            let client = self.server.client("mysql", true);
            return format!("give others with -u and -p (or MYSQL_PWD); try them: {client} {}", quoted(ours));
        }
        if let Some(name) = between(what, "Unknown database '", "'") {
            let create = format!("{} create {}", self.server.client("mysqladmin", false), quoted(name));
            return if self.loads { create } else { format!("{create} && {}", load(name)) };
        }
        if mend.starts_with("load the tables first") {
            return load(between(what, "Table '", ".").unwrap_or(ours));
        }
        if let Some((there, _)) = mend.strip_prefix("set warehouses = ").and_then(|rest| rest.split_once(", or: ")) {
            return match there {
                "0" => load(ours),
                there => format!("-w {there}, or load the others: {}", load(ours)),
            };
        }
        if mend.starts_with("the same again goes on from there") {
            return format!("the same again goes on from there: {}", load(ours));
        }
        if let Some((option, again)) = mend.strip_prefix("set ").and_then(|rest| rest.split_once(", or load again: ")) {
            // Tables of another layout, or with or without foreign keys, which is an option of tpcc_load.
            let keep = match option.split_once(" = ") {
                Some(("foreign_keys", there)) => format!("--foreign-keys {there}"),
                _ => "use an empty database".to_owned(),
            };
            return format!("{keep}, or load again: {}", self.with_password(again));
        }
        if mend.contains("tenbin load ") {
            return self.with_password(mend);
        }
        mend.replace("tls=disabled", "--ssl-mode disabled")
            .replace("add tls_ca=/path/to/ca.pem to the address", "add --ssl-ca /path/to/ca.pem")
            .replace("tls_ca=/path", "--ssl-ca /path")
    }

    /// A command of Tenbin's; its address has no password.
    fn with_password(&self, command: &str) -> String {
        match self.server.password {
            Some(_) => format!("{command} --password-env MYSQL_PWD"),
            None => command.to_owned(),
        }
    }
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    text.split_once(from)?.1.split_once(to).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::super::{option, server::server, typed};
    use super::*;

    fn mended(line: &str, what: &str, mend: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let server = server(&typed::read(&words, option::START, typed::START).unwrap(), "tpcc").unwrap();
        let here = Here { server: &server, load: "-w 5".into(), loads: false };
        here.told(&Problem::new(what).mend(mend)).mend.unwrap()
    }

    #[test]
    fn ways_out_are_commands_that_can_be_typed_here() {
        let tcp = "-h 127.0.0.1 -P 3307 -u root -d my_db";
        let locked = "-S /run/s -u app -p s3cret --ssl-mode required";
        let told = [
            mended(tcp, "Access denied", "check user and password: --password-env NAME, or password_env in the plan"),
            mended(tcp, "Unknown database 'my_db_0' (error 1049)", "name an existing schema in the address"),
            mended(locked, "Table 'x.warehouse' doesn't exist", "load the tables first: tenbin load tpcc DSN -o …"),
            mended(tcp, "5 wanted", "set warehouses = 1, or: tenbin load tpcc DSN -o warehouses=5"),
            mended(tcp, "5 wanted", "set warehouses = 0, or: tenbin load tpcc DSN -o warehouses=5"),
            mended(tcp, "stopped while loading", "the same again goes on from there: tenbin load tpcc 'mysql://…'"),
            mended(tcp, "another layout", "set layout = spec, or load again: tenbin load tpcc 'mysql://…' --drop"),
            mended(locked, "other keys", "set foreign_keys = off, or load again: tenbin load tpcc 'mysql://…' --drop"),
            mended(tcp, "no TLS", "set it up on the server, or use tls=disabled on a line that you trust"),
            mended(tcp, "no authority", "add tls_ca=/path/to/ca.pem to the address"),
            mended(tcp, "anything", "SET GLOBAL max_connections = 9"),
        ]
        .join("\n");
        insta::assert_snapshot!(told, @r"
        give others with -u and -p (or MYSQL_PWD); try them: mysql -h 127.0.0.1 -P 3307 -u root -p my_db
        mysqladmin -h 127.0.0.1 -P 3307 -u root create my_db_0 && tpcc_load -h 127.0.0.1 -P 3307 -d my_db_0 -u root -w 5
        tpcc_load -S /run/s -d x -u app -p PASSWORD --ssl-mode required -w 5
        -w 1, or load the others: tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        the same again goes on from there: tpcc_load -h 127.0.0.1 -P 3307 -d my_db -u root -w 5
        use an empty database, or load again: tenbin load tpcc 'mysql://…' --drop
        --foreign-keys off, or load again: tenbin load tpcc 'mysql://…' --drop --password-env MYSQL_PWD
        set it up on the server, or use --ssl-mode disabled on a line that you trust
        add --ssl-ca /path/to/ca.pem
        SET GLOBAL max_connections = 9
        ");
        assert!(!told.contains("s3cret"), "{told}");
    }
}
