//! Every option of mysqlslap (MySQL 8 and 9, MariaDB 10 and 11): the table that parser, help and
//! `doc/compat/mysqlslap.md` use.

use crate::grammar::{Grammar, Style};
use crate::option::ValueType::{self, Count, Flag, OptionalText, Text, Times};
use crate::option::{DefaultValue, OptionSpec};

/// The command line and the option files.
pub const GRAMMAR: Grammar = Grammar { style: Style::Mysql, tables: &[OPTIONS], first: FILES };

// Programs that have an option.
const BOTH: &str = "";
/// MySQL's program.
pub const MYSQL: &str = "MySQL";
/// MariaDB's.
pub const MARIADB: &str = "MariaDB";
const TENBIN: &str = "Tenbin";

/// A row of the table; the letter ` ` and the default ``: none.
const fn row(
    name: &'static str,
    letter: char,
    takes: ValueType,
    default: &'static str,
    of: &'static str,
    meaning: &'static str,
) -> OptionSpec {
    let default = if default.is_empty() { DefaultValue::None } else { DefaultValue::Value(default) };
    OptionSpec { letter, of, ..OptionSpec::new(name, takes, default, meaning) }
}

const NO_LIBRARY: &str = "Tenbin speaks the protocol itself and loads no plug-ins";
const RUSTLS: &str = "only TLS 1.2 and 1.3 with current ciphers are supported";
const NO_DEBUG: &str = "Tenbin contains no debugging library";
const WINDOWS: &str = "it exists on Windows only";

/// All of them, in the order of mysqlslap's help.
#[rustfmt::skip] // one row, one line: a table to read
const OPTIONS: &[OptionSpec] = &[
    row("help", '?', Flag, "", BOTH, "print this help"),
    row("auto-generate-sql", 'a', Flag, "off", BOTH, "generate the table, its rows and the statements"),
    row("auto-generate-sql-add-autoincrement", ' ', Flag, "off", BOTH, "a first column that is an auto-increment key (`id serial`)"),
    row("auto-generate-sql-execute-number", ' ', Count, "0", BOTH, "number of statements of each client"),
    row("auto-generate-sql-guid-primary", ' ', Flag, "off", BOTH, "a first column filled with uuid()"),
    row("auto-generate-sql-load-type", ' ', Text, "mixed", BOTH, "mixed, update, write, key or read; the first letter decides, and any other word means mixed, as in mysqlslap, and is told"),
    row("auto-generate-sql-secondary-indexes", ' ', Count, "0", BOTH, "number of unique columns filled with uuid()"),
    row("auto-generate-sql-unique-query-number", ' ', Count, "10", BOTH, "number of distinct statements; as in mysqlslap, the list is one longer"),
    row("auto-generate-sql-unique-write-number", ' ', Count, "10", BOTH, "number of distinct INSERTs of the preload"),
    row("auto-generate-sql-write-number", ' ', Count, "100", BOTH, "number of statements of the preload including CREATE TABLE, so one row less; for all clients together"),
    row("character-sets-dir", ' ', Text, "", MARIADB, "the directory of character sets").inert("no character sets are read from files"),
    row("commit", ' ', Count, "0", BOTH, "autocommit off in the clients (mysqlslap: in the preload too), COMMIT after this many statements and at the end"),
    row("compress", 'C', Flag, "off", BOTH, "compress the protocol with zlib, on every connection (MySQL's mysqlslap: on the first only); it is an error if the server does not offer it (mysqlslap: ignored silently)"),
    row("compression-algorithms", ' ', Text, "", MYSQL, "compression algorithm: zlib or uncompressed; from a list that contains zlib, zlib"),
    row("concurrency", 'c', Text, "1", BOTH, "number of clients, or a list of numbers, which ends at a 0; a list that begins with 0 is 1, 2, 3 … until the server refuses to connect"),
    row("create", ' ', Text, "", BOTH, "statements that create the tables, or a file of them"),
    row("create-schema", ' ', Text, "mysqlslap", BOTH, "the schema; dropped only if Tenbin created it (mysqlslap: always)"),
    row("csv", ' ', OptionalText, "", BOTH, "print a line of comma-separated values for each cell, to standard output or appended to a file"),
    row("debug", '#', OptionalText, "", BOTH, "write a trace").inert(NO_DEBUG),
    row("debug-check", ' ', Flag, "off", BOTH, "check memory at the end").inert(NO_DEBUG),
    row("debug-info", 'T', Flag, "off", BOTH, "print resource usage at the end").inert(NO_DEBUG),
    row("default-auth", ' ', Text, "", BOTH, "the authentication method to try first").inert("the server names the method, and every one that the driver supports is tried"),
    row("delimiter", 'F', Text, "", BOTH, "the delimiter of statements: all its characters (mysqlslap: the first), outside quotes and comments (mysqlslap: everywhere)").by_default("a newline"),
    row("detach", ' ', Count, "0", BOTH, "reconnect after this many statements, counted continuously (mysqlslap: counted again for each pass through the list)"),
    row("enable-cleartext-plugin", 'Y', Flag, "off", MYSQL, "allow passwords in clear text").inert("a password in clear text is sent if the server asks for it and the connection is encrypted or local"),
    row("engine", 'e', Text, "", BOTH, "list of storage engines; each may have table options after a colon"),
    row("get-server-public-key", ' ', Flag, "off", MYSQL, "ask the server for its RSA key").inert("it is requested whenever it is needed"),
    row("host", 'h', Text, "localhost", BOTH, "the server's host"),
    row("init-command", ' ', Text, "", MARIADB, "a statement that is executed first on every client's connection"),
    row("iterations", 'i', Count, "1", BOTH, "number of runs of each cell"),
    row("no-drop", ' ', Flag, "off", BOTH, "keep the schema after the last iteration (mysqlslap: it is not dropped before the next iteration either, which then fails)"),
    row("number-char-cols", 'x', Text, "1", BOTH, "number of VARCHAR columns; `:1` creates an index on each"),
    row("number-int-cols", 'y', Text, "1", BOTH, "number of INT columns; `:1` creates an index on each"),
    row("number-of-queries", ' ', Count, "0", BOTH, "exact number of statements of all clients together (mysqlslap: the remainder is lost, and fewer statements than clients means no limit)"),
    row("only-print", ' ', Flag, "off", BOTH, "print the statements without connecting to a server; shell commands are not run (mysqlslap: they are)"),
    row("password", 'p', OptionalText, "", BOTH, "the password; preferably in MYSQL_PWD or a defaults file. Without a value it is requested on the terminal"),
    row("password1", ' ', OptionalText, "", MYSQL, "the same"),
    row("password2", ' ', OptionalText, "", MYSQL, "the second factor").refused("only one factor of authentication is supported"),
    row("password3", ' ', OptionalText, "", MYSQL, "the third factor").refused("only one factor of authentication is supported"),
    row("pipe", 'W', Flag, "off", BOTH, "a named pipe").refused(WINDOWS),
    row("plugin-dir", ' ', Text, "", BOTH, "the directory of plug-ins").inert(NO_LIBRARY),
    row("port", 'P', Count, "3306", BOTH, "the server's port; together with localhost it means TCP, unless --socket or --protocol follows"),
    row("post-query", ' ', Text, "", BOTH, "statements after each iteration, not timed, or a file of them"),
    row("post-system", ' ', Text, "", BOTH, "a shell command after each iteration; if it fails, the run ends (mysqlslap: ignored)"),
    row("pre-query", ' ', Text, "", BOTH, "statements before each iteration, not timed, or a file of them"),
    row("pre-system", ' ', Text, "", BOTH, "a shell command before each iteration; if it fails, the run ends (mysqlslap: ignored)"),
    row("protocol", ' ', Text, "", BOTH, "tcp or socket"),
    row("query", 'q', Text, "", BOTH, "statements, or a file of them, which is streamed if it is large; the name of a missing file is refused (mysqlslap: sent as SQL)"),
    row("server-public-key-path", ' ', Text, "", MYSQL, "the server's RSA key").inert("the key is requested from the server"),
    row("shared-memory-base-name", ' ', Text, "", MYSQL, "shared memory").refused(WINDOWS),
    row("silent", 's', Flag, "off", BOTH, "do not print the report"),
    row("socket", 'S', Text, "", BOTH, "the server's socket"),
    row("sql-mode", ' ', Text, "", MYSQL, "sql_mode of every client's connection (mysqlslap: of the first only)"),
    row("ssl", ' ', Flag, "on", BOTH, "encrypt if the server supports it; --skip-ssl: never"),
    row("ssl-mode", ' ', Text, "", MYSQL, "disabled, preferred, required, verify_ca or verify_identity, for every connection (mysqlslap: for the first only)"),
    row("ssl-ca", ' ', Text, "", BOTH, "file of the certificate authority"),
    row("ssl-capath", ' ', Text, "", BOTH, "a directory of certificate authorities").refused("only a file is supported; put the certificates into one and use --ssl-ca"),
    row("ssl-cert", ' ', Text, "", BOTH, "file of the client certificate"),
    row("ssl-key", ' ', Text, "", BOTH, "file of the client certificate's private key"),
    row("ssl-cipher", ' ', Text, "", BOTH, "ciphers of TLS 1.2").refused(RUSTLS),
    row("tls-ciphersuites", ' ', Text, "", MYSQL, "ciphers of TLS 1.3").refused(RUSTLS),
    row("ssl-crl", ' ', Text, "", BOTH, "revoked certificates").refused("lists of revoked certificates are not supported"),
    row("ssl-crlpath", ' ', Text, "", BOTH, "a directory of lists of revoked certificates").refused("lists of revoked certificates are not supported"),
    row("ssl-fips-mode", ' ', Text, "", MYSQL, "OpenSSL's FIPS mode").refused(RUSTLS),
    row("tls-version", ' ', Text, "", BOTH, "versions of TLS").inert(RUSTLS),
    row("tls-sni-servername", ' ', Text, "", MYSQL, "the server name to send").inert("the host's name is sent"),
    row("ssl-session-data", ' ', Text, "", MYSQL, "a TLS session to resume").refused("sessions are not resumed"),
    row("ssl-session-data-continue-on-failed-reuse", ' ', Flag, "off", MYSQL, "continue if the session cannot be resumed").inert("sessions are not resumed"),
    row("ssl-verify-server-cert", ' ', Flag, "off", MARIADB, "verify the server's certificate and the name in it"),
    row("user", 'u', Text, "", BOTH, "the account (MySQL's default is root)").by_default("the login name"),
    row("verbose", 'v', Times, "0", BOTH, "twice: print the stages; three times: also the statements as they are sent (except Tenbin's mark in the schema); figures that mysqlslap does not have go to standard error"),
    row("version", 'V', Flag, "", BOTH, "print the version"),
    row("zstd-compression-level", ' ', Count, "3", MYSQL, "compression level of zstd").refused("only zlib is supported, with one level, as in MySQL"),
    row("allow-drop", ' ', Flag, "off", TENBIN, "drop the schema even if Tenbin did not create it"),
];

/// Options that determine which files are read; they must be first.
#[rustfmt::skip]
const FILES: &[OptionSpec] = &[
    row("print-defaults", ' ', Flag, "", BOTH, "print the options from the files and exit"),
    row("no-defaults", ' ', Flag, "", BOTH, "read no files"),
    row("defaults-file", ' ', Text, "", BOTH, "read this file only"),
    row("defaults-extra-file", ' ', Text, "", BOTH, "read this file after the system's"),
    row("defaults-group-suffix", ' ', Text, "", BOTH, "also read groups whose names have this suffix"),
    row("login-path", ' ', Text, "", MYSQL, "also read this group of mysql_config_editor's ~/.mylogin.cnf, even with --no-defaults; a missing group is refused (mysqlslap: ignored)"),
    row("no-login-paths", ' ', Flag, "off", MYSQL, "do not read ~/.mylogin.cnf; under the name mariadb-slap it is read for --login-path only, as in MariaDB"),
];
