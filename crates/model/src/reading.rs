//! The declarations of an observer's readings. They are part of the event stream, so that a recording can be
//! drawn and exported without the code that created it.

use crate::omit;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One reading of an observer: its name, the type of its values, and its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingSpec {
    /// The name under which it is recorded; unique within its observer.
    pub name: Cow<'static, str>,
    /// Counter or gauge.
    pub kind: ReadingKind,
    /// `s`, `bytes`, `pages`, …; empty for a plain number.
    pub unit: Cow<'static, str>,
    /// What it describes.
    pub whose: Whose,
    /// Its label; `None` if the name is the server's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
    /// Each value is the mean over so many milliseconds before its time; 0: it is that of its time.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub mean_over_ms: u64,
}

/// The type of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadingKind {
    /// A sum since some point in time, of which differences and rates are meaningful.
    Counter,
    /// A current value.
    Gauge,
}

/// What a reading describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The machine of the clients, or Tenbin itself.
    Client,
    /// The server, or its processes.
    Server,
    /// The network between them.
    Network,
    /// A replica of the server.
    Replica,
}

impl Whose {
    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Whose::Client => "client",
            Whose::Server => "server",
            Whose::Network => "network",
            Whose::Replica => "replica",
        }
    }
}

impl ReadingKind {
    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            ReadingKind::Counter => "counter",
            ReadingKind::Gauge => "gauge",
        }
    }
}

/// A label in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// English.
    pub en: Cow<'static, str>,
    /// 日本語.
    pub ja: Cow<'static, str>,
}

impl ReadingSpec {
    /// A counter without a label.
    pub fn counter(name: impl Into<Cow<'static, str>>, unit: &'static str, whose: Whose) -> ReadingSpec {
        ReadingSpec {
            name: name.into(),
            kind: ReadingKind::Counter,
            unit: unit.into(),
            whose,
            label: None,
            mean_over_ms: 0,
        }
    }

    /// A gauge without a label.
    pub fn gauge(name: impl Into<Cow<'static, str>>, unit: &'static str, whose: Whose) -> ReadingSpec {
        ReadingSpec { kind: ReadingKind::Gauge, ..ReadingSpec::counter(name, unit, whose) }
    }

    /// The same with this label.
    #[must_use]
    pub fn label(self, en: impl Into<Cow<'static, str>>, ja: impl Into<Cow<'static, str>>) -> ReadingSpec {
        ReadingSpec { label: Some(Label { en: en.into(), ja: ja.into() }), ..self }
    }

    /// The same, each value of which is a mean over so many milliseconds before its time.
    #[must_use]
    pub fn mean_over(self, ms: u64) -> ReadingSpec {
        ReadingSpec { mean_over_ms: ms, ..self }
    }

    /// The declaration of a reading in an older recording, which has none. The observer's name determines what it
    /// describes, the reading's name its unit; the gauges of that time are listed.
    pub fn of_undeclared(observer: &str, name: &str) -> ReadingSpec {
        const GAUGES: &[&str] = &[
            "innodb_buffer_pool_pages_dirty",
            "memory_available_bytes",
            "memory_bytes",
            "memory_dirty_bytes",
            "numbackends",
            "prepared_stmt_count",
            "threads_connected",
            "threads_running",
        ];
        let unit = match name {
            _ if name.ends_with("_s") || name == "uptime" => "s",
            "bytes_received" | "bytes_sent" | "innodb_data_read" | "innodb_data_written" | "innodb_os_log_written" => {
                "bytes"
            }
            _ if name.ends_with("_bytes") => "bytes",
            "innodb_row_lock_time" => "ms",
            _ => "",
        };
        let whose = match name {
            _ if name.starts_with("net_") || name.starts_with("lo_") => Whose::Network,
            _ if observer.starts_with("client") => Whose::Client,
            _ if observer.starts_with("replica") => Whose::Replica,
            _ => Whose::Server,
        };
        let kind = if GAUGES.contains(&name) { ReadingKind::Gauge } else { ReadingKind::Counter };
        ReadingSpec { kind, ..ReadingSpec::counter(name.to_owned(), unit, whose) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_written_and_read_back() {
        let memory = ReadingSpec::gauge("memory_bytes", "bytes", Whose::Server).label("memory", "メモリー");
        let text = r#"{"name":"memory_bytes","kind":"gauge","unit":"bytes","whose":"server","label":{"en":"memory","ja":"メモリー"}}"#;
        assert_eq!(serde_json::to_string(&memory).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadingSpec>(text).unwrap(), memory);
        let plain = ReadingSpec::counter("com_select", "", Whose::Server);
        let text = r#"{"name":"com_select","kind":"counter","unit":"","whose":"server"}"#;
        assert_eq!(serde_json::to_string(&plain).unwrap(), text);
        assert_eq!(serde_json::from_str::<ReadingSpec>(text).unwrap(), plain);
    }

    #[test]
    fn names_tell_what_readings_of_older_recordings_are() {
        let of = |observer: &str, name: &str| {
            let spec = ReadingSpec::of_undeclared(observer, name);
            format!("{} {} [{}] of the {}", spec.name, spec.kind.name(), spec.unit, spec.whose.name())
        };
        assert_eq!(of("client.host", "cpu_user_s"), "cpu_user_s counter [s] of the client");
        assert_eq!(of("client.host", "net_rx_bytes"), "net_rx_bytes counter [bytes] of the network");
        assert_eq!(of("server.process", "memory_bytes"), "memory_bytes gauge [bytes] of the server");
        assert_eq!(of("server.status", "threads_running"), "threads_running gauge [] of the server");
        assert_eq!(of("server.status", "innodb_row_lock_time"), "innodb_row_lock_time counter [ms] of the server");
    }
}
