//! `exporters` of a target: the Prometheus exporters that are read during its trials, each an address or a table.

use super::draft::TargetDraft;
use crate::exporter::{Exporter, ExporterUrl};
use crate::plan::source::{Diagnostic, Diagnostics, Outcome};
use crate::plan::tables::{at_most, head, place_of, table_of};
use crate::plan::value::{self, Value, in_order};
use std::ops::{Range, RangeInclusive};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use toml::de::DeValue;

/// The most exporters of one target: each is read by a thread of its own.
const MOST: usize = 16;
/// The most patterns of one exporter.
const MOST_NAMES: usize = 100;
/// The keys of an exporter's table.
const KEYS: [&str; 6] = ["url", "names", "every", "ca", "password_env", "password_file"];
/// The range of `every`, milliseconds.
const EVERY_MS: RangeInclusive<u64> = 100..=3_600_000;

/// Reads the table `exporters`: names and addresses.
pub fn exporters(
    draft: &mut TargetDraft,
    key: &'static str,
    value: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Outcome {
    let Some(all) = table_of(&foreign(key), value, complaints) else { return Ok(()) };
    for (name, value) in at_most(in_order(all), MOST, msg!("exporters"), head(value), complaints) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.get_ref().is_empty() || !name.get_ref().chars().all(plain) {
            let what = msg!("not-an-exporter-name", name = format_args!("{:?}", name.get_ref()));
            complaints.add(name.span(), Diagnostic::new(what, msg!("name-with-letters-and-digits")));
            continue;
        }
        let mut exporter = Exporter {
            name: (*name.get_ref()).to_owned(),
            url: String::new(),
            password_env: None,
            password_file: None,
            ca: None,
            names: Vec::new(),
            every_ms: None,
        };
        let before = complaints.count();
        let mut url = None;
        match value.get_ref() {
            DeValue::Table(keys) => {
                for (key, value) in in_order(keys) {
                    if let Err(refusal) = set(&mut exporter, &mut url, key.get_ref(), value, complaints) {
                        complaints.add(place_of(&key, value), refusal);
                    }
                }
            }
            _ => match value::text(name.get_ref(), value).and_then(|text| address(text, value)) {
                Ok(address) => url = Some(address),
                Err(refusal) => complaints.add(value.span(), refusal),
            },
        }
        match url {
            _ if complaints.count() > before => {}
            Some((url, span)) => draft.exporters.push((exporter, url, span)),
            None => {
                let what = msg!("exporter-has-no-address", exporter = exporter.name);
                let hint = msg!("write-key", key = "url", value = "\"http://host:9100/metrics\"");
                complaints.add(name.span(), Diagnostic::new(what, hint));
            }
        }
    }
    Ok(())
}

/// An address, and its position in the plan.
type AddressInPlan = (ExporterUrl, Range<usize>);

fn address(text: &str, value: &Value<'_>) -> Result<AddressInPlan, Diagnostic> {
    let hint = || msg!("write-key", key = "url", value = "\"http://host:9100/metrics\"");
    ExporterUrl::parse(text).map(|url| (url, value.span())).map_err(|what| Diagnostic::new(what, hint()))
}

fn set(
    exporter: &mut Exporter,
    url: &mut Option<AddressInPlan>,
    key: &str,
    value: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Outcome {
    let text = || value::text(key, value).map(|text| Some(text.to_owned()));
    match key.replace('-', "_").as_str() {
        "url" => *url = Some(address(value::text(key, value)?, value)?),
        "password_env" => exporter.password_env = text()?,
        "password_file" => exporter.password_file = text()?,
        "ca" => exporter.ca = text()?,
        "names" => match value::texts(key, value) {
            Ok(names) if names.len() > MOST_NAMES => {
                let what = msg!("too-many-patterns", exporter = exporter.name, most = MOST_NAMES);
                return Err(Diagnostic::new(what, msg!("use-fewer-patterns")));
            }
            Ok(names) => exporter.names = names.into_iter().map(|(name, _)| name.to_owned()).collect(),
            Err((span, refusal)) => complaints.add(span, refusal),
        },
        "every" => {
            let ms = value::duration_ms(key, value)?;
            if !EVERY_MS.contains(&ms) {
                let hint = msg!("write-key", key, value = "\"5s\"");
                return Err(Diagnostic::new(msg!("exporter-period-out-of-range"), hint));
            }
            exporter.every_ms = Some(ms);
        }
        other => return Err(value::unknown_key(other, "exporters", &KEYS)),
    }
    Ok(())
}
