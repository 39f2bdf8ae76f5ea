//! Keys of `[experiment.load]`; other names are options of the workload.

use super::{Key, KeyType, Setter, Table};
use crate::plan::settings::{Names, Settings, Waiting};
use crate::plan::source::{Diagnostic, Outcome};
use crate::plan::value::{self, Value};
use crate::trial::{Arrivals, Calibrate, Observe, Transient, Workers};
use tenbin_words::msg;

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "kind",
        takes: KeyType::Form("a family of workloads"),
        example: "\"sysbench\"",
        meaning: "The family of the workload; if a family has a workload of the same name, that workload is the default.",
        varies: true,
        set: Setter::Settings(kind),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "workload",
        also: &["script"],
        takes: KeyType::Form("name"),
        example: "\"oltp_read_write\"",
        meaning: "The workload that the clients run; `tenbin list` lists them all.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::text(name, value).map(|text| s.workload = Some(text.to_owned()))
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "clients",
        also: &["threads", "connections"],
        takes: KeyType::Whole(1),
        default: "1",
        example: "64",
        meaning: "Number of concurrent clients, each with its own connection.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::count(name, value, 1, 1_000_000).map(|n| s.spec.load.clients = n as u32)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "options",
        takes: KeyType::Form("table"),
        example: "{ retries = 3 }",
        meaning: "Options of the workload that have the name of a key of this section, as those of a script may.",
        set: Setter::Settings(options),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "group",
        takes: KeyType::Form("list of tables (see below)"),
        example: "[{ name = \"oltp\", scripts = \"pay.sql\", clients = 4 }]",
        meaning: "Groups of clients of the workload sql that run together, each with scripts, clients and a rate of its own.",
        set: Setter::Section,
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "workers",
        takes: KeyType::WordsOrWhole(&["auto", "per-client"]),
        default: "\"auto\"",
        example: "2",
        meaning: "Number of threads that run the clients.",
        varies: true,
        set: Setter::Settings(workers),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "rate",
        takes: KeyType::Number,
        default: "0",
        example: "200",
        meaning: "Intended starts per second of all clients together; 0: each client starts again as soon as it has ended.",
        varies: true,
        set: Setter::Settings(rate),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "arrivals",
        takes: KeyType::Words(&["even", "poisson"]),
        default: "\"poisson\"",
        example: "\"even\"",
        meaning: "Distribution of the intervals between intended starts.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            let words = [("even", Arrivals::Even), ("poisson", Arrivals::Poisson)];
            value::word(name, value, &words).map(|arrivals| s.arrivals = arrivals)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "overload",
        takes: KeyType::Words(&["queue", "skip", "stop"]),
        default: "\"queue\"",
        example: "\"skip\"",
        meaning: "What to do with a start for which no client is free.",
        varies: true,
        set: Setter::Settings(overload),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "overload_limit",
        takes: KeyType::Whole(1),
        default: "100000",
        example: "1000",
        meaning: "Number of starts that may wait before queue skips and stop stops.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::count(name, value, 1, 100_000_000).map(|n| s.overload_limit = n)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "operations",
        also: &["ops", "events"],
        takes: KeyType::Whole(1),
        example: "100000",
        meaning: "Stop after this many transactions of all clients together.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::count(name, value, 1, 1 << 53).map(|n| s.spec.load.operations = Some(n))
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "operations_per_client",
        also: &["ops_per_client"],
        takes: KeyType::Whole(1),
        example: "1000",
        meaning: "The same, multiplied by the number of clients.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::count(name, value, 1, 1 << 33).map(|n| s.operations_per_client = Some(n))
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "drain",
        takes: KeyType::Form("duration"),
        default: "\"0s\"",
        example: "\"10s\"",
        meaning: "Time that transactions in progress at the end of measure may take to finish; they are then counted.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| value::duration_ms(name, value).map(|ms| s.spec.load.drain_ms = ms)),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "observe",
        takes: KeyType::Words(&["always", "ends"]),
        default: "\"always\"",
        example: "\"ends\"",
        meaning: "When the server is observed: continuously, over a separate connection, or only before the clients connect and after they have disconnected.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            let words = [("always", Observe::Always), ("ends", Observe::Ends)];
            value::word(name, value, &words).map(|when| s.spec.load.observe = when)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "calibrate",
        takes: KeyType::Words(&["auto", "always", "never"]),
        default: "\"auto\"",
        example: "\"never\"",
        meaning: "Measure the ceiling of the clients before the first trial with them on a target: for 1.25 seconds all clients execute a statement that does nothing. auto: if warm-up and window together last at least 10 seconds, only time ends the window, clients do not pause, and the server is observed always.",
        set: Setter::Settings(|s, name, value, _| {
            let words = [("auto", Calibrate::Auto), ("always", Calibrate::Always), ("never", Calibrate::Never)];
            value::word(name, value, &words).map(|when| s.spec.load.calibrate = when)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "retries",
        takes: KeyType::Whole(0),
        default: "10",
        example: "0",
        meaning: "Number of retries of a transaction after a deadlock or a lock wait timeout.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            value::count(name, value, 0, 1_000_000).map(|n| s.spec.load.policy.retries = n as u32)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "transient",
        also: &["transient_errors"],
        takes: KeyType::WordsOr(&["known", "all"], "codes"),
        default: "\"known\"",
        example: "\"1213, 1205\"",
        meaning: "Errors that count as conflicts and are retried: those that the driver knows, the listed codes of the server (numbers; SQLSTATEs for PostgreSQL), or all errors with a code. If one of them has ended the connection, it is reopened first.",
        varies: true,
        set: Setter::Settings(transient),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "on_lost",
        takes: KeyType::Words(&["reconnect", "give-up"]),
        default: "\"reconnect\"",
        example: "\"give-up\"",
        meaning: "What a client does when its connection is lost.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            let words = [("reconnect", true), ("give-up", false)];
            value::word(name, value, &words).map(|reconnect| s.spec.load.policy.reconnect = reconnect)
        }),
        ..Key::of(&[Table::Load])
    },
    Key {
        name: "on_error",
        takes: KeyType::Words(&["stop", "count"]),
        default: "\"stop\"",
        example: "\"count\"",
        meaning: "What any other failed statement does: stop the trial, or be counted.",
        varies: true,
        set: Setter::Settings(|s, name, value, _| {
            let words = [("stop", true), ("count", false)];
            value::word(name, value, &words).map(|stop| s.spec.load.policy.stop_on_error = stop)
        }),
        ..Key::of(&[Table::Load])
    },
];

/// Options by their own names, whatever keys there are.
fn options(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    for (option, value) in value::members(name, value)? {
        settings.spec.load.options.insert(option.to_owned(), value::option(option, value)?);
    }
    Ok(())
}

/// The family named by a load.
fn kind(settings: &mut Settings, name: &str, value: &Value<'_>, names: Names<'_>) -> Outcome {
    let family = value::text(name, value)?;
    if !names.catalog.has_family(family) {
        let first = names.catalog.workloads.first().map_or(family, |w| w.family);
        return Err(Diagnostic::new(
            msg!("load-kind-unknown", kind = format_args!("{family:?}")),
            msg!("write-kind-or-workload", kind = format_args!("{first:?}"), workload = format_args!("{family:?}")),
        ));
    }
    // A family may also be a workload.
    if settings.workload.is_none() && names.catalog.find(family).is_some() {
        settings.workload = Some(family.into());
    }
    Ok(())
}

fn workers(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    settings.spec.load.workers = match value.get_ref().as_str() {
        Some(_) => value::word(name, value, &[("auto", Workers::Auto), ("per-client", Workers::PerClient)])?,
        None => Workers::Count(value::count(name, value, 1, 4096)? as u32),
    };
    Ok(())
}

fn rate(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    settings.rate = value::number(name, value)?;
    match settings.rate > 1e9 {
        true => Err(Diagnostic::new(msg!("rate-too-high"), msg!("give-starts-per-second"))),
        false => Ok(()),
    }
}

fn overload(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let words = [("queue", Waiting::Queue), ("skip", Waiting::Skip), ("stop", Waiting::Stop)];
    settings.overload = value::word(name, value, &words)?;
    Ok(())
}

/// The errors after which a transaction is retried.
fn transient(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    settings.spec.load.policy.transient = match value::text(name, value)? {
        "known" => Transient::Known,
        "all" => Transient::All,
        codes => {
            let code = |text: &str| {
                let state = text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
                state || text.parse::<u32>().is_ok_and(|n| n.to_string() == text)
            };
            let all: Vec<String> = codes.split(',').map(|n| n.trim().to_owned()).collect();
            if !all.iter().all(|n| code(n)) {
                return Err(Diagnostic::new(
                    msg!("key-cannot-be", key = name, value = format_args!("{codes:?}")),
                    msg!("write-retried-errors", key = name),
                ));
            }
            Transient::Codes(all)
        }
    };
    Ok(())
}
