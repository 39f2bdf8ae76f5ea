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
    /// Each value is the mean over this many milliseconds before its time; 0: it is that of its time.
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

    /// The same, each value of which is a mean over this many milliseconds before its time.
    #[must_use]
    pub fn mean_over(self, ms: u64) -> ReadingSpec {
        ReadingSpec { mean_over_ms: ms, ..self }
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
}
