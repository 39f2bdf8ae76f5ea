//! Keys of `[[experiment]]`, of which `[defaults]` and `[metrics]` have some.

use super::{Key, KeyType, Setter, Table};
use crate::figures::Figure;
use crate::plan::settings::{LONGEST_MS, Names, Order, Settings};
use crate::plan::source::{Diagnostic, Outcome};
use crate::plan::value::{self, Value};
use crate::precision::{MeasureUntil, Precision, RepeatsUntil};
use crate::search::{Objective, Search, Varied};
use crate::trial::{Restore, SettleLimits};
use crate::warmup::WarmupUntil;
use crate::workload::{NO_DATA, SCRIPT_DATA};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::units;
use toml::de::{DeTable, DeValue};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "name",
        takes: KeyType::Form("text"),
        default: "the workload's name",
        example: "\"threads\"",
        meaning: "The experiment's name.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "targets",
        also: &["target"],
        takes: KeyType::Form("list of names"),
        default: "all, in the plan's order",
        example: "[\"a\"]",
        meaning: "The targets that are measured.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "dataset",
        takes: KeyType::Form("a name, \"script\" or \"none\""),
        default: "the only one; if there is none, the workload's own with its defaults, or what the script prepares",
        example: "\"small\"",
        meaning: "The data set that is loaded on them. \"script\": what the command prepare of the load's script creates, with the load's options. \"none\": nothing is loaded.",
        varies: true,
        set: Setter::Settings(dataset),
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "load",
        takes: KeyType::Form("table"),
        example: "{ workload = \"oltp_point_select\", clients = 8 }",
        meaning: "What the clients do, and when they do it.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "matrix",
        takes: KeyType::Form("table"),
        example: "{ load.clients = [1, 8] }",
        meaning: "The varied parameters: each combination is a cell.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "compare",
        takes: KeyType::WordsOr(
            &["targets"],
            "the name of an axis of the matrix, or a table with axis and base (see below)",
        ),
        default: "targets; with one target the only axis whose values are alternatives",
        example: "\"targets\"",
        meaning: "What is compared: the targets, or the values of an axis on the same target, as with and without an index.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "server",
        takes: KeyType::Form("table"),
        example: "{ sync_binlog = 1 }",
        meaning: "Server variables for every target of the experiment; they take precedence over the target's own.",
        set: Setter::Section,
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "repeats",
        takes: KeyType::Form("whole number from 1, or a table (see below)"),
        default: "3",
        example: "5",
        meaning: "The number of trials of each cell on each target; or between which numbers, and when enough is known.",
        set: Setter::Settings(repeats),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "search",
        takes: KeyType::Form("text, or a table with until, vary, from, to and trials (see below)"),
        example: "\"p99 < 20ms\"",
        meaning: "Searches for the highest rate, or number of clients, at which each target holds this.",
        set: Setter::Settings(search),
        ..Key::of(&[Table::Experiment])
    },
    Key {
        name: "order",
        takes: KeyType::Words(&["random-block", "abba", "sequential", "duet"]),
        default: "\"random-block\"",
        example: "\"abba\"",
        meaning: "The order in which repeats, cells and targets are run; \"duet\": the targets of a cell at the same time (see above).",
        set: Setter::Settings(|s, name, value, _| {
            let words = [
                ("random-block", Order::RandomBlock),
                ("abba", Order::Abba),
                ("sequential", Order::Sequential),
                ("duet", Order::Duet),
            ];
            value::word(name, value, &words).map(|order| s.order = order)
        }),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "warmup",
        also: &["warm_up"],
        takes: KeyType::Form("duration, \"auto\", or a table (see below)"),
        default: "\"30s\"",
        example: "\"60s\"",
        meaning: "Time under load before the measurement, which is not counted; \"auto\": until throughput is steady.",
        varies: true,
        set: Setter::Settings(warmup),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "measure",
        takes: KeyType::Form("duration, or a table (see below)"),
        default: "\"300s\"",
        example: "\"5m\"",
        meaning: "Duration of the measurement, with load.operations its upper limit; or between which durations, and when enough is known.",
        varies: true,
        set: Setter::Settings(measure),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "max_cell_time",
        takes: KeyType::Form("duration"),
        example: "\"30m\"",
        meaning: "A trial that ends after a number of transactions is stopped after this time and marked as truncated.",
        varies: true,
        set: Setter::Settings(max_cell_time),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "settle",
        takes: KeyType::Form(
            "duration, \"none\", \"flush\", or a table with dirty_pages, purge, checkpoint_age, replica_lag and at_most",
        ),
        default: "\"none\"",
        example: "\"10s\"",
        meaning: "Between loading the data and starting the clients: a pause, or a wait until the server has written what it has changed (see below).",
        varies: true,
        set: Setter::Settings(settle),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "catch_up",
        takes: KeyType::Form("duration or \"none\""),
        default: "\"10m\"",
        example: "\"30m\"",
        meaning: "How long to wait after the load until the replicas of the target have caught up.",
        varies: true,
        set: Setter::Settings(|settings, name, value, _| {
            settings.spec.catch_up_ms = if value.get_ref().as_str() == Some("none") { 0 } else { long(name, value)? };
            Ok(())
        }),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "interval",
        takes: KeyType::Form("duration"),
        default: "\"1s\"",
        example: "\"500ms\"",
        meaning: "Length of a reporting interval.",
        varies: true,
        set: Setter::Settings(interval),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "restore",
        takes: KeyType::Words(&["before-run", "before-cell", "before-dataset", "never", "require"]),
        default: "\"before-run\" for loads that write; else \"never\", or \"before-dataset\" if an axis varies the data",
        example: "\"never\"",
        meaning: "When the data are restored (see below): before each trial, each cell or only the first use in a run; loaded if missing; or used as they are.",
        varies: true,
        set: Setter::Settings(restore),
        ..Key::of(&[Table::Defaults, Table::Experiment])
    },
    Key {
        name: "interval",
        takes: KeyType::Form("duration"),
        default: "\"1s\"",
        example: "\"1s\"",
        meaning: "The same as interval in [defaults].",
        set: Setter::Settings(interval),
        ..Key::of(&[Table::Metrics])
    },
];

fn repeats(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let DeValue::Table(table) = value.get_ref() else {
        (settings.repeats, settings.repeats_until) = (value::count(name, value, 1, 10_000)? as u32, None);
        return Ok(());
    };
    let (mut min, mut max, mut until) = (3, 10, None);
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "min" => min = value::count("min", value, 2, 10_000)? as u32,
            "max" => max = value::count("max", value, 2, 10_000)? as u32,
            "until" => until = Some(precision(value)?),
            other => return Err(value::unknown_key(other, name, &["min", "max", "until"])),
        }
    }
    if min >= max {
        return Err(Diagnostic::new(
            msg!("repeats-until-limits"),
            msg!("write-key", key = "max", value = min.saturating_add(5)),
        ));
    }
    let until = until.ok_or_else(|| until_missing(name))?;
    (settings.repeats, settings.repeats_until) = (max, Some(RepeatsUntil { min, max, until }));
    Ok(())
}

fn search(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let objective = |key: &str, value: &Value<'_>| {
        Objective::parse(value::text(key, value)?).map_err(|what| Diagnostic::new(what, msg!("objective-for-example")))
    };
    let (mut vary, mut until, mut from, mut to, mut trials) = (Varied::Rate, None, 1.0, None, 12);
    match value.get_ref() {
        DeValue::Table(table) => {
            for (key, value) in value::in_order(table) {
                match *key.get_ref() {
                    "until" => until = Some(objective("until", value)?),
                    "vary" => {
                        let (rate, clients) = (Varied::Rate, Varied::Clients);
                        let words =
                            [("rate", rate), ("clients", clients), (rate.axis(), rate), (clients.axis(), clients)];
                        vary = value::word("vary", value, &words)?;
                    }
                    "from" => from = value::number("from", value)?,
                    "to" => to = Some(value::number("to", value)?),
                    "trials" => trials = value::count("trials", value, 3, 100)? as u32,
                    other => {
                        return Err(value::unknown_key(other, name, &["until", "vary", "from", "to", "trials"]));
                    }
                }
            }
        }
        _ => until = Some(objective(name, value)?),
    }
    let Some(until) = until else {
        let (key, value) = ("until", "\"p99 < 20ms\"");
        return Err(Diagnostic::new(msg!("until-missing", key = name), msg!("write-key", key, value)));
    };
    if vary == Varied::Clients {
        (from, to) = (from.floor(), Some(to.unwrap_or(1024.0).floor()));
    }
    if from <= 0.0 || to.is_some_and(|to| to <= from) {
        return Err(Diagnostic::new(
            msg!("search-limits"),
            msg!("write-key", key = "to", value = from.max(1.0) * 100.0),
        ));
    }
    settings.search = Some(Search { vary, until, from, to, trials, cell: 0, level: None });
    Ok(())
}

fn precision(value: &Value<'_>) -> Result<Precision, Diagnostic> {
    Precision::parse(value::text("until", value)?).map_err(|what| Diagnostic::new(what, msg!("precision-for-example")))
}

fn until_missing(key: &str) -> Diagnostic {
    Diagnostic::new(msg!("until-missing", key), msg!("write-key", key = "until", value = "\"ci(tps) < 2%\""))
}

fn measure(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let DeValue::Table(table) = value.get_ref() else {
        (settings.spec.measure_ms, settings.spec.measure_until) = (long(name, value)?, None);
        return Ok(());
    };
    let (mut min_ms, mut max_ms, mut until) = (60_000, 3_600_000, None);
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "min" => min_ms = long("min", value)?,
            "max" => max_ms = long("max", value)?,
            "until" => until = Some(precision(value)?),
            other => return Err(value::unknown_key(other, name, &["min", "max", "until"])),
        }
    }
    if min_ms >= max_ms {
        let max = format!("{:?}", units::write_duration(min_ms.saturating_mul(10)));
        return Err(Diagnostic::new(msg!("measure-until-limits"), msg!("write-key", key = "max", value = max)));
    }
    let until = until.ok_or_else(|| until_missing(name))?;
    if until.figure != Figure::Transactions {
        let tps = format!("{:?}", Precision { figure: Figure::Transactions, ..until }.to_string());
        return Err(Diagnostic::new(msg!("measure-until-figure"), msg!("write-key", key = "until", value = tps)));
    }
    (settings.spec.measure_ms, settings.spec.measure_until) = (max_ms, Some(MeasureUntil { min_ms, until }));
    Ok(())
}

fn warmup(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let (mut until, mut max_ms) = (WarmupUntil::AUTO, WarmupUntil::MAX_MS);
    let table = match value.get_ref() {
        DeValue::Table(table) => value::in_order(table),
        DeValue::String(word) if word == "auto" => Vec::new(),
        _ => {
            (settings.warmup_ms, settings.spec.warmup_until) = (Some(long(name, value)?), None);
            return Ok(());
        }
    };
    for (key, value) in table {
        match *key.get_ref() {
            "min" => until.min_ms = long("min", value)?,
            "max" => max_ms = long("max", value)?,
            "until" => value::word("until", value, &[("steady", ())])?,
            other => return Err(value::unknown_key(other, name, &["min", "max", "until"])),
        }
    }
    if until.min_ms >= max_ms {
        let max = format!("{:?}", units::write_duration(until.min_ms.max(1000).saturating_mul(10)));
        return Err(Diagnostic::new(msg!("measure-until-limits"), msg!("write-key", key = "max", value = max)));
    }
    (settings.warmup_ms, settings.spec.warmup_until) = (Some(max_ms), Some(until));
    Ok(())
}

fn settle(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    (settings.spec.settle_ms, settings.spec.settle_until) = match value.get_ref() {
        DeValue::Table(table) => (0, Some(settle_limits(name, table)?)),
        DeValue::String(word) if word == "flush" => (0, Some(SettleLimits::default())),
        DeValue::String(word) if word == "none" => (0, None),
        _ => (long(name, value)?, None),
    };
    Ok(())
}

fn settle_limits(name: &str, table: &DeTable<'_>) -> Result<SettleLimits, Diagnostic> {
    let mut limits = SettleLimits::default();
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "replica_lag" => limits.replica_lag_ms = long("replica_lag", value)?,
            "at_most" => limits.at_most_ms = long("at_most", value)?,
            "dirty_pages" => limits.dirty_pages_percent = value::number("dirty_pages", value)?,
            "purge" => limits.purge = value::count("purge", value, 0, u64::MAX)?,
            "checkpoint_age" => {
                let amount = value::option("checkpoint_age", value)?;
                limits.checkpoint_age = units::bytes(&amount).map_err(|why| {
                    let what = msg!("key-is-no-amount", key = "checkpoint_age", why);
                    Diagnostic::new(what, msg!("write-key", key = "checkpoint_age", value = "\"16MiB\""))
                })?;
            }
            other => {
                let names = ["dirty_pages", "purge", "checkpoint_age", "replica_lag", "at_most"];
                return Err(value::unknown_key(other, name, &names));
            }
        }
    }
    Ok(limits)
}

fn interval(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let ms = long(name, value)?;
    if ms < 10 {
        return Err(Diagnostic::new(msg!("interval-too-short"), msg!("write-key", key = name, value = "\"1s\"")));
    }
    settings.spec.interval_ms = ms;
    Ok(())
}

fn max_cell_time(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let ms = long(name, value)?;
    if ms == 0 {
        return Err(Diagnostic::new(msg!("max-cell-time-zero"), msg!("write-key", key = name, value = "\"30m\"")));
    }
    settings.max_cell_ms = Some(ms);
    Ok(())
}

fn restore(settings: &mut Settings, name: &str, value: &Value<'_>, _: Names<'_>) -> Outcome {
    let words = [
        ("before-run", Restore::BeforeRun),
        ("before-cell", Restore::BeforeCell),
        ("before-dataset", Restore::BeforeDataset),
        ("never", Restore::Never),
        ("require", Restore::Require),
    ];
    settings.restore = Some(value::word(name, value, &words)?);
    Ok(())
}

fn dataset(settings: &mut Settings, name: &str, value: &Value<'_>, names: Names<'_>) -> Outcome {
    let dataset = value::text(name, value)?;
    if ![NO_DATA, SCRIPT_DATA].contains(&dataset) && !names.datasets.contains(&dataset) {
        return Err(Diagnostic::new(
            msg!("dataset-unknown", dataset = format_args!("{dataset:?}")),
            match nearest(dataset, names.datasets.iter().copied()) {
                Some(near) => msg!("write-key", key = name, value = format_args!("{near:?}")),
                None if names.datasets.is_empty() => msg!("describe-dataset", name = dataset),
                None => msg!("describe-dataset-or-use", name = dataset, datasets = names.datasets.join(", ")),
            },
        ));
    }
    settings.dataset = Some(dataset.to_owned());
    Ok(())
}

fn long(name: &str, value: &Value<'_>) -> Result<u64, Diagnostic> {
    match value::duration_ms(name, value)? {
        ms if ms > LONGEST_MS => Err(Diagnostic::new(msg!("longer-than-a-month", key = name), msg!("longest-is-31d"))),
        ms => Ok(ms),
    }
}
