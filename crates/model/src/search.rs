//! A search as a plan describes it: what is varied, between which levels, and which objective must hold, such as `p99 < 20ms`.

use crate::figures::{Figure, or_equal};
use serde::{Deserialize, Serialize};
use std::fmt;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// What a search varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Varied {
    /// Intended starts per second. The first trial is a closed loop, whose throughput no rate exceeds.
    Rate,
    /// Clients of a closed loop.
    Clients,
}

/// One condition of an objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// What must be within the limit.
    pub of: Limited,
    /// Whether it may be exactly the limit: `<=`, `>=`.
    pub may_equal: bool,
}

/// What a condition limits, and to what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limited {
    /// A mean or percentile of response times below this many nanoseconds.
    Time(Figure, f64),
    /// The longest response time below this many nanoseconds.
    Longest(f64),
    /// Failed transactions below this share of all.
    Errors(f64),
    /// Transactions per second above this.
    Throughput(f64),
}

/// What must hold: all of some conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Objective {
    /// All of them.
    pub conditions: Vec<Condition>,
    text: String,
}

impl Objective {
    /// Reads `p99 < 20ms, errors < 0.1%`.
    pub fn parse(text: &str) -> Result<Objective, Message> {
        let conditions: Option<Vec<Condition>> = text.split(',').map(|part| condition(part.trim())).collect();
        match conditions {
            Some(conditions) => Ok(Objective { conditions, text: text.trim().to_owned() }),
            None => Err(msg!("objective-unreadable", text = format_args!("{text:?}"))),
        }
    }

    /// The first of its times, and what it may be, nanoseconds; `None` if it has none.
    pub fn time(&self) -> Option<(Figure, f64)> {
        self.conditions.iter().find_map(|condition| match condition.of {
            Limited::Time(figure, ns) => Some((figure, ns)),
            _ => None,
        })
    }

    /// The figure that a chart shows: the first of its times, p99 if it has none.
    pub fn figure(&self) -> Figure {
        self.time().map_or(Figure::Percentile(990), |(figure, _)| figure)
    }
}

fn condition(text: &str) -> Option<Condition> {
    if let Some((name, value)) = text.split_once('>') {
        let (may_equal, value) = or_equal(value);
        let tps: f64 = value.parse().ok()?;
        let of = Limited::Throughput(tps);
        return (name.trim() == "tps" && tps >= 0.0).then_some(Condition { of, may_equal });
    }
    let (name, value) = text.split_once('<')?;
    let (name, (may_equal, value)) = (name.trim(), or_equal(value));
    if name == "errors" {
        let percent: f64 = value.strip_suffix('%')?.trim().parse().ok()?;
        let of = Limited::Errors(percent / 100.0);
        // Nothing is below 0 %.
        let can_be = percent > 0.0 || (may_equal && percent == 0.0);
        return (can_be && percent <= 100.0).then_some(Condition { of, may_equal });
    }
    // A number without a unit could be meant as milliseconds or as seconds.
    let with_unit = value.ends_with('s').then_some(value)?;
    let ns = units::microseconds(with_unit).ok().filter(|us| *us > 0)? as f64 * 1e3;
    let of = match name {
        "max" => Limited::Longest(ns),
        _ => match Figure::parse(name)? {
            figure @ (Figure::Mean | Figure::Percentile(_)) => Limited::Time(figure, ns),
            _ => return None,
        },
    };
    Some(Condition { of, may_equal })
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Objective> for String {
    fn from(objective: Objective) -> String {
        objective.text
    }
}

impl TryFrom<String> for Objective {
    type Error = String;

    fn try_from(text: String) -> Result<Objective, String> {
        Objective::parse(&text).map_err(|message| message.english().to_owned())
    }
}

/// A search, as a trial of it knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// What is varied.
    pub vary: Varied,
    /// What must hold.
    pub until: Objective,
    /// The lowest level.
    pub from: f64,
    /// The highest level; `None`: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// The most trials for each target.
    pub trials: u32,
    /// The cell of the plan that is searched.
    pub cell: u32,
    /// The level of this trial; `None`: a closed loop before rates are probed, or not decided yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
}

impl Varied {
    /// The axis on which its levels are.
    pub fn axis(self) -> &'static str {
        match self {
            Varied::Rate => "load.rate",
            Varied::Clients => "load.clients",
        }
    }

    /// A level with its unit: `8 clients`.
    pub fn amount(self, level: f64) -> Message {
        match self {
            Varied::Rate => msg!("limit-rate", rate = figure::grouped(level)),
            Varied::Clients => msg!("cell-clients", value = level),
        }
    }
}
