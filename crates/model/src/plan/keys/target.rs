//! Keys of `[targets.<name>]`.

use super::{Key, KeyType, Setter, Table};
use crate::dsn::Dsn;
use crate::load_host::ClientPlace;
use crate::plan::of_target::apply::apply;
use crate::plan::of_target::cloud::cloud;
use crate::plan::of_target::draft::TargetDraft;
use crate::plan::of_target::exporters::exporters;
use crate::plan::of_target::replicas::replicas;
use crate::plan::source::{Diagnostic, Diagnostics, Outcome};
use crate::plan::tables::{place_of, server, table_of};
use crate::plan::value::{self, Value};
use crate::price::Price;
use crate::trial::{Allow, HostAccess, LinkSpec, RestoreCommand, RestoreKind, SshAccess};
use std::ops::RangeInclusive;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::units;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "dsn",
        also: &["url"],
        takes: KeyType::Form("address"),
        example: "\"mysql://bench@127.0.0.1:3306/sbtest\"",
        meaning: "Address of the database: mysql://, mariadb://, postgres://, postgresql://, sqlite: or null:; host: for this machine itself, host:DIRECTORY for its storage.",
        set: Setter::Target(|t, name, value, _| {
            let read = Dsn::parse(value::text(name, value)?).map_err(|p| Diagnostic { what: p.what, hint: p.hint })?;
            t.dsn = Some((read, value.span()));
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "password_env",
        takes: KeyType::Form("name of a variable"),
        example: "\"BENCH_PASSWORD\"",
        meaning: "The environment variable that holds the password.",
        set: Setter::Target(|t, name, value, _| {
            let text = value::text(name, value)?;
            let plain = text.trim_start_matches(['$', '{']).trim_end_matches('}');
            if plain != text {
                let what = msg!("key-cannot-be", key = name, value = format_args!("{text:?}"));
                return Err(Diagnostic::new(what, msg!("write-key", key = name, value = format_args!("{plain:?}"))));
            }
            t.target.password_env = Some(text.to_owned());
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "password_file",
        takes: KeyType::Form("path"),
        example: "\"bench.password\"",
        meaning: "The file that holds the password.",
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.password_file = Some(text.to_owned()))
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "sandbox",
        takes: KeyType::Form("\"mariadbd\", \"mysqld\", \"postgres\", a path, or \"sqlite\""),
        example: "\"mariadbd\"",
        meaning: "Start a private server for the run, and stop it afterwards.",
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.sandbox = Some(text.to_owned()))
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "data_directory",
        takes: KeyType::Form("absolute path"),
        default: "the directory of private servers",
        example: "\"/mnt/xfs/bench\"",
        meaning: "Where the data of a private server lie, so that file systems and disks can be compared: in a directory of its own within this one, which exists. It is removed afterwards, and nothing else there is touched.",
        set: Setter::Target(|t, name, value, _| {
            let text = value::text(name, value)?;
            if !text.starts_with('/') || text.contains(char::is_control) {
                let what = msg!("path-not-absolute", key = name, value = format_args!("{text:?}"));
                return Err(Diagnostic::new(
                    what,
                    msg!("write-key-for-example", key = name, value = "\"/mnt/xfs/bench\""),
                ));
            }
            t.target.data_directory = Some(text.to_owned());
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "option_file",
        takes: KeyType::Form("path"),
        example: "\"my.cnf\"",
        meaning: "The settings of a private server: an option file of MySQL or MariaDB, of which the groups of the server are used, or a postgresql.conf. server in the plan has precedence.",
        set: Setter::Target(|t, name, value, _| {
            value::text(name, value).map(|text| t.target.option_file = Some(text.to_owned()))
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "server",
        takes: KeyType::Form("table"),
        example: "{ innodb_flush_log_at_trx_commit = 2 }",
        meaning: "Server variables, or pragmas of SQLite; sizes may be written \"1GiB\". On a server that Tenbin did not start they are put back at the end of the run.",
        set: Setter::Target(|t, _, value, complaints| {
            server(value, &format!("targets.{}.server", t.target.name), &mut t.target.server, complaints);
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "restore",
        takes: KeyType::Form(
            "\"reload\", \"copy\", \"backup\", \"template\", or a table with kind, store, stop and start, or with command and timeout",
        ),
        default: "\"reload\"",
        example: "\"copy\"",
        meaning: "How data are restored: loaded again, put back from a golden copy of the whole data directory, copied from a golden database of the same server (PostgreSQL), or by a command of yours.",
        set: Setter::Target(restore),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "price",
        takes: KeyType::Form("amount, currency and time"),
        example: "\"1.2 USD/h\"",
        meaning: "What the target costs, per h, month or year: the answer then tells what 1,000 transactions cost.",
        set: Setter::Target(|t, name, value, _| {
            let text = value::text(name, value)?;
            let price = Price::parse(text).ok_or_else(|| {
                let what = msg!("key-cannot-be", key = name, value = format_args!("{text:?}"));
                Diagnostic::new(what, msg!("write-key-for-example", key = name, value = "\"1.2 USD/h\""))
            })?;
            t.target.price = Some(price);
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "baseline",
        takes: KeyType::Form("true or false"),
        default: "false",
        example: "true",
        meaning: "Whether the other targets are compared with this one. Without a baseline, of two targets the better one is compared with the other, of more each one with the first.",
        set: Setter::Target(|t, name, value, _| {
            t.target.baseline = value::yes_or_no(name, value)?;
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "apply",
        takes: KeyType::Form("\"set-global\", \"persist\", \"alter-system\", \"parameter-group\" or a table"),
        default: "\"set-global\", or \"alter-system\" for PostgreSQL",
        example: "{ file = \"/etc/mysql/conf.d/zz-tenbin.cnf\", restart = \"systemctl restart mariadb\" }",
        meaning: "How server variables are set on a server that Tenbin did not start: by a statement, by an option file (not with PostgreSQL) and a command that restarts the server, or by the parameter group of a managed instance (kind, timeout).",
        set: Setter::Target(apply),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "pin",
        takes: KeyType::Form("table with version and variables"),
        example: "{ version = \"8.0.*\", variables = { sync_binlog = 1 } }",
        meaning: "What the server must be: its version, in which * stands for anything, and values of variables. A server that differs is refused before anything is done.",
        set: Setter::Target(pin),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "replicas",
        takes: KeyType::Form("table of names with addresses, \"sandbox\" or tables"),
        example: "{ r1 = \"mysql://mon@replica:3306\" }",
        meaning: "The servers that replicate from it: their lag is measured by a heartbeat that Tenbin writes to the source. A table has dsn, password_env, password_file and cloud, or sandbox = true, server and delay.",
        set: Setter::Target(replicas),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "exporters",
        takes: KeyType::Form("table of names with addresses or tables"),
        example: "{ node = \"http://db:9100/metrics\" }",
        meaning: "Prometheus exporters whose figures are recorded beside those of the observers. A table has url, names (patterns of the series that are recorded), every, ca, password_env and password_file.",
        set: Setter::Target(exporters),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "host",
        takes: KeyType::Form("\"local\", \"none\", \"ssh://user@host:port\", or a table with ssh and config"),
        default: "\"local\", if its server is found on this machine",
        example: "{ ssh = \"bench@db-a\" }",
        meaning: "Where the server's machine can be looked at, for the table of machines and the readings of its processors, memory, disks and network: on this machine, over ssh without a password (config is a configuration file of ssh), or nowhere.",
        set: Setter::Target(host),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "cloud",
        takes: KeyType::Form("table with rds or cluster, region, profile, endpoint and wait"),
        default: "wait = \"4m\"",
        example: "{ rds = \"db-1\", region = \"ap-northeast-1\" }",
        meaning: "What the server is in Amazon RDS (rds, the identifier of the instance) or Aurora (cluster; without rds, its instance that writes). profile is one of the user's configuration of AWS, endpoint the address of an imitation of AWS, wait how long the figures of CloudWatch are waited for after the load.",
        set: Setter::Target(|t, _, value, complaints| {
            t.target.cloud = cloud(value, complaints)?;
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "link",
        takes: KeyType::Form("table with rate and delay"),
        example: "{ rate = \"100Mbit\", delay = \"2ms\" }",
        meaning: "A simulated link between Tenbin and a private server: bits per second in each direction, shared by all connections, and the delay of each direction.",
        set: Setter::Target(link),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "line",
        takes: KeyType::Form("bits per second"),
        default: "what the interface says itself",
        example: "\"1Gbit\"",
        meaning: "The rate of the line to the server, where it is narrower than the interface: a leased line, or what a provider allows. With it Tenbin knows when the line is full.",
        set: Setter::Target(|t, name, value, _| {
            t.target.line_bits = Some(bit_rate(name, value, "\"1Gbit\"")?);
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "client",
        takes: KeyType::Form("\"here\", \"host:local\", or \"host:\" and an ssh destination"),
        default: "as [hosts] says",
        example: "\"host:bench@db-a\"",
        meaning: "Where the clients of the target run: in this process, or on one load host, such as the server's own machine. Two targets with one address and different clients show what the network between them costs. Program and configuration of ssh are those of [hosts].",
        set: Setter::Target(|t, name, value, _| {
            let text = value::text(name, value)?;
            let client = ClientPlace::read(text).ok_or_else(|| {
                let what = msg!("key-cannot-be", key = name, value = format_args!("{text:?}"));
                Diagnostic::new(what, msg!("write-key-for-example", key = name, value = "\"host:bench@db-a\""))
            })?;
            t.target.client = Some(client);
            Ok(())
        }),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "hooks",
        takes: KeyType::Form("table with before_run, before_trial, with_data, after_trial, after_run and timeout"),
        default: "no commands; timeout = \"300s\"",
        example: "{ before_trial = \"sysctl vm.drop_caches=3\" }",
        meaning: "Commands of yours, run by sh -c: before the first trial on the target, before each trial, when its data are there, after it, and at the end of the run.",
        set: Setter::Target(hooks),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "allow",
        takes: KeyType::Form(
            "list of \"write-unmarked\", \"write-replica\", \"share-tables\", \"replace-server\", \"reboot-instance\", \"change-shared-group\", \"change-other-settings\", \"shared-machine\"",
        ),
        example: "[\"write-unmarked\"]",
        meaning: "Permits what is otherwise refused: writing to tables that Tenbin did not create, writing to a replica or a read-only server, using tables that another run is using, replacing a data directory or database that has tables of others, rebooting a managed instance, changing a parameter group that other instances use, putting in force by a restart (apply) what others have written into the configuration, driving it at the same time as a target on the same machine (order = \"duet\").",
        set: Setter::Target(allow),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "tls",
        takes: KeyType::Words(&["disabled", "preferred", "required", "verify-ca", "verify-identity"]),
        default: "\"preferred\"",
        example: "\"required\"",
        meaning: "Encryption of all connections.",
        set: Setter::Target(tls),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "tls_ca",
        takes: KeyType::Form("path"),
        example: "\"ca.pem\"",
        meaning: "The certificate authority that verify-ca and verify-identity trust.",
        set: Setter::Target(tls_file),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "tls_cert",
        takes: KeyType::Form("path"),
        example: "\"client.pem\"",
        meaning: "The client certificate, for servers that request one; requires tls_key.",
        set: Setter::Target(tls_file),
        ..Key::of(&[Table::Target])
    },
    Key {
        name: "tls_key",
        takes: KeyType::Form("path"),
        example: "\"client-key.pem\"",
        meaning: "The private key of tls_cert.",
        set: Setter::Target(tls_file),
        ..Key::of(&[Table::Target])
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

/// A kind, or a table with more.
fn restore(
    target: &mut TargetDraft,
    name: &'static str,
    value: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Outcome {
    let method = &mut target.target.restore;
    if !value.get_ref().is_table() {
        method.kind = value::word(name, value, &RestoreKind::WORDS)?;
        return Ok(());
    }
    let Some(table) = table_of(&foreign(name), value, complaints) else { return Ok(()) };
    let (mut kind, mut run, mut timeout_ms) = (None, None, None);
    for (key, value) in value::in_order(table) {
        let text = || value::text(key.get_ref(), value).map(|text| Some(text.to_owned()));
        let set = match *key.get_ref() {
            "command" => text().map(|text| run = text),
            "timeout" => value::duration_ms("timeout", value).map(|ms| timeout_ms = Some(ms)),
            "kind" => value::word("kind", value, &RestoreKind::WORDS).map(|word| kind = Some(word)),
            "store" => text().map(|text| method.store = text),
            "stop" => text().map(|text| method.stop = text),
            "start" => text().map(|text| method.start = text),
            other => Err(value::unknown_key(other, name, &["kind", "store", "stop", "start", "command", "timeout"])),
        };
        if let Err(refusal) = set {
            complaints.add(place_of(&key, value), refusal);
        }
    }
    method.kind = kind.unwrap_or(if run.is_some() { RestoreKind::Command } else { RestoreKind::Reload });
    match (run, timeout_ms) {
        (Some(run), timeout) => {
            method.command = Some(RestoreCommand { run, timeout_ms: timeout.unwrap_or(RESTORE_TIMEOUT_MS) });
            Ok(())
        }
        (None, Some(_)) => {
            Err(Diagnostic::new(msg!("restore-timeout-unused"), msg!("remove-option", option = "timeout")))
        }
        (None, None) => Ok(()),
    }
}

/// How long a command that restores data may take if the plan does not say.
const RESTORE_TIMEOUT_MS: u64 = 3_600_000;

/// A version and variables.
fn pin(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let Some(table) = table_of(&foreign(name), value, complaints) else { return Ok(()) };
    let pin = target.target.pin.get_or_insert_default();
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "version" => match value::text("version", value) {
                Ok(text) => pin.version = Some(text.to_owned()),
                Err(refusal) => complaints.add(place_of(&key, value), refusal),
            },
            "variables" => server(value, "server", &mut pin.variables, complaints),
            other => complaints.add(key.span(), value::unknown_key(other, name, &["version", "variables"])),
        }
    }
    Ok(())
}

/// A word, a URI, or a table of a destination and a configuration file.
fn host(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let (mut destination, mut config) = (None, None);
    if value.get_ref().is_table() {
        let Some(table) = table_of(&foreign(name), value, complaints) else { return Ok(()) };
        for (key, value) in value::in_order(table) {
            match *key.get_ref() {
                "ssh" => destination = Some(value::text("ssh", value)?),
                "config" => config = Some(value::text("config", value)?.to_owned()),
                other => complaints.add(key.span(), value::unknown_key(other, name, &["ssh", "config"])),
            }
        }
    } else {
        match value::text(name, value)? {
            "local" => target.target.host = Some(HostAccess::Local),
            "none" => target.target.host = Some(HostAccess::None),
            uri => destination = Some(uri).filter(|uri| uri.starts_with("ssh://")),
        }
        if destination.is_none() && target.target.host.is_some() {
            return Ok(());
        }
    }
    let Some(destination) = destination.filter(|text| SshAccess::is_destination(text)).map(str::to_owned) else {
        return Err(Diagnostic::new(
            msg!("host-is-no-destination"),
            msg!("write-key", key = name, value = "\"ssh://user@host:22\""),
        ));
    };
    target.target.host = Some(HostAccess::Ssh(SshAccess { destination, config }));
    Ok(())
}

/// A rate and a delay.
fn link(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let Some(table) = table_of(&foreign(name), value, complaints) else { return Ok(()) };
    let mut link = LinkSpec::default();
    for (key, value) in value::in_order(table) {
        let set = match *key.get_ref() {
            "rate" => bit_rate(key.get_ref(), value, "\"100Mbit\"").map(|bits| link.bits_per_s = Some(bits)),
            "delay" => amount(key.get_ref(), value, units::microseconds, 0..=10_000_000, "\"2ms\"")
                .map(|us| link.delay_us = us),
            other => Err(value::unknown_key(other, name, &["rate", "delay"])),
        };
        if let Err(refusal) = set {
            complaints.add(place_of(&key, value), refusal);
        }
    }
    target.target.link = Some(link);
    Ok(())
}

/// The rate of a line, bits per second.
fn bit_rate(name: &str, value: &Value<'_>, example: &'static str) -> Result<u64, Diagnostic> {
    amount(name, value, units::bits_per_second, 1000..=100_000_000_000, example)
}

/// An amount with its unit, in a range.
fn amount(
    name: &str,
    value: &Value<'_>,
    read: fn(&str) -> Result<u64, Message>,
    allowed: RangeInclusive<u64>,
    example: &'static str,
) -> Result<u64, Diagnostic> {
    let text = value::option(name, value)?;
    let hint = || msg!("write-key", key = name, value = example);
    match read(&text) {
        Ok(n) if allowed.contains(&n) => Ok(n),
        Ok(_) => Err(Diagnostic::new(msg!("key-cannot-be", key = name, value = text), hint())),
        Err(why) => Err(Diagnostic::new(msg!("key-is-no-amount", key = name, why), hint())),
    }
}

/// Commands, and their time limit.
fn hooks(target: &mut TargetDraft, name: &'static str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let Some(table) = table_of(&foreign(name), value, complaints) else { return Ok(()) };
    let hooks = &mut target.target.hooks;
    for (key, value) in value::in_order(table) {
        let command = match *key.get_ref() {
            "before_run" => &mut hooks.before_run,
            "before_trial" => &mut hooks.before_trial,
            "with_data" => &mut hooks.with_data,
            "after_trial" => &mut hooks.after_trial,
            "after_run" => &mut hooks.after_run,
            "timeout" => {
                match value::duration_ms("timeout", value) {
                    Ok(ms) => hooks.timeout_ms = ms,
                    Err(refusal) => complaints.add(place_of(&key, value), refusal),
                }
                continue;
            }
            other => {
                let names = ["before_run", "before_trial", "with_data", "after_trial", "after_run", "timeout"];
                complaints.add(key.span(), value::unknown_key(other, name, &names));
                continue;
            }
        };
        match value::text(key.get_ref(), value) {
            Ok(text) => *command = Some(text.to_owned()),
            Err(refusal) => complaints.add(place_of(&key, value), refusal),
        }
    }
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
