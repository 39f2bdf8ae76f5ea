//! Keys of `[targets.<name>]`.

use super::{Key, Outcome, Setter, Table};
use crate::dsn::Dsn;
use crate::plan::source::{Diagnostic, Diagnostics};
use crate::plan::tables::server;
use crate::plan::target::draft::TargetDraft;
use crate::plan::value::{self, Value};
use crate::trial::Allow;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Target],
        name: "dsn",
        also: &["url"],
        takes: "address",
        default: "",
        example: "\"mysql://bench@127.0.0.1:3306/sbtest\"",
        meaning: "Address of the database: mysql://, mariadb://, postgres://, postgresql://, sqlite: or null:; host: for this machine itself, host:DIRECTORY for its storage.",
        varies: false,
        set: Setter::Target(|t, name, value, _| {
            let read = Dsn::parse(value::text(name, value)?).map_err(|p| Diagnostic { what: p.what, hint: p.hint })?;
            t.dsn = Some((read, value.span()));
            Ok(())
        }),
    },
    Key {
        tables: &[Table::Target],
        name: "password_env",
        also: &[],
        takes: "name of a variable",
        default: "",
        example: "\"BENCH_PASSWORD\"",
        meaning: "The environment variable that holds the password.",
        varies: false,
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.password_env = Some(text.to_owned()))
        }),
    },
    Key {
        tables: &[Table::Target],
        name: "password_file",
        also: &[],
        takes: "path",
        default: "",
        example: "\"bench.password\"",
        meaning: "The file that holds the password.",
        varies: false,
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.password_file = Some(text.to_owned()))
        }),
    },
    Key {
        tables: &[Table::Target],
        name: "sandbox",
        also: &[],
        takes: "\"mariadbd\", \"mysqld\", \"postgres\", a path, or \"sqlite\"",
        default: "",
        example: "\"mariadbd\"",
        meaning: "Start a private server for the run, and stop it afterwards.",
        varies: false,
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.sandbox = Some(text.to_owned()))
        }),
    },
    Key {
        tables: &[Table::Target],
        name: "server",
        also: &[],
        takes: "table",
        default: "",
        example: "{ innodb_flush_log_at_trx_commit = 2 }",
        meaning: "Server variables of a sandbox, or pragmas of SQLite; sizes may be written \"1GiB\".",
        varies: false,
        set: Setter::Target(|t, _, value, complaints| {
            server(value, &mut t.target.server, complaints);
            Ok(())
        }),
    },
    Key {
        tables: &[Table::Target],
        name: "allow",
        also: &[],
        takes: "list of \"write-unmarked\", \"write-replica\", \"share-tables\"",
        default: "",
        example: "[\"write-unmarked\"]",
        meaning: "Permits what is otherwise refused: writing to tables that Tenbin did not create, writing to a replica or a read-only server, using tables that another run is using.",
        varies: false,
        set: Setter::Target(allow),
    },
    Key {
        tables: &[Table::Target],
        name: "tls",
        also: &[],
        takes: "\"disabled\", \"preferred\", \"required\", \"verify-ca\" or \"verify-identity\"",
        default: "\"preferred\"",
        example: "\"required\"",
        meaning: "Encryption of all connections.",
        varies: false,
        set: Setter::Target(tls),
    },
    Key {
        tables: &[Table::Target],
        name: "tls_ca",
        also: &[],
        takes: "path",
        default: "",
        example: "\"ca.pem\"",
        meaning: "The certificate authority that verify-ca and verify-identity trust.",
        varies: false,
        set: Setter::Target(tls_file),
    },
    Key {
        tables: &[Table::Target],
        name: "tls_cert",
        also: &[],
        takes: "path",
        default: "",
        example: "\"client.pem\"",
        meaning: "The client certificate, for servers that request one; requires tls_key.",
        varies: false,
        set: Setter::Target(tls_file),
    },
    Key {
        tables: &[Table::Target],
        name: "tls_key",
        also: &[],
        takes: "path",
        default: "",
        example: "\"client-key.pem\"",
        meaning: "The private key of tls_cert.",
        varies: false,
        set: Setter::Target(tls_file),
    },
];

fn tls(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, _: &mut Diagnostics<'_>) -> Outcome {
    let modes = ["disabled", "preferred", "required", "verify-ca", "verify-identity"].map(|m| (m, m));
    let mode = value::word(name, value, &modes)?;
    target.tls.push((name, mode.to_owned(), value.span()));
    Ok(())
}

fn tls_file(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, _: &mut Diagnostics<'_>) -> Outcome {
    target.tls.push((name, value::text(name, value)?.to_owned(), value.span()));
    Ok(())
}

/// The values of `allow`, each once.
fn allow(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let words = match value::texts(name, value) {
        Ok(words) => words,
        Err((span, refusal)) => {
            complaints.add(span, refusal);
            return Ok(());
        }
    };
    let allow = &mut target.target.allow;
    for (_, item) in words {
        match value::word(name, item, &Allow::WORDS) {
            Ok(word) if allow.contains(&word) => {}
            Ok(word) => allow.push(word),
            Err(refusal) => complaints.add(item.span(), refusal),
        }
    }
    Ok(())
}
