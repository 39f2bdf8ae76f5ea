//! `cloud` of a target or a replica: the instance of Amazon RDS, or the cluster of Aurora, that it is.

use crate::cloud::{CloudAccess, USUAL_WAIT_MS, is_endpoint, is_identifier, is_region};
use crate::plan::source::{Diagnostic, Diagnostics};
use crate::plan::tables::{place_of, table_of};
use crate::plan::value::{self, Value, in_order};
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// The keys of the table.
const KEYS: [&str; 6] = ["rds", "cluster", "region", "profile", "endpoint", "wait"];

/// Reads the table; `None` if it has mistakes, which were added to the complaints.
pub fn cloud(value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Result<Option<CloudAccess>, Diagnostic> {
    let before = complaints.count();
    let Some(table) = table_of(&foreign("cloud"), value, complaints) else { return Ok(None) };
    let (mut instance, mut cluster, mut region, mut profile, mut endpoint) = (None, None, None, None, None);
    let mut wait_ms = USUAL_WAIT_MS;
    for (key, value) in in_order(table) {
        let name = *key.get_ref();
        let checked = |is_valid: fn(&str) -> bool, example: &'static str| match value::text(name, value) {
            Ok(text) if is_valid(text) => Ok(Some(text.to_owned())),
            Ok(text) => Err(Diagnostic::new(
                msg!("key-cannot-be", key = name, value = format_args!("{text:?}")),
                msg!("write-key", key = name, value = example),
            )),
            Err(refusal) => Err(refusal),
        };
        let set = match name {
            "rds" => checked(is_identifier, "\"db-1\"").map(|text| instance = text),
            "cluster" => checked(is_identifier, "\"cluster-1\"").map(|text| cluster = text),
            "region" => checked(is_region, "\"ap-northeast-1\"").map(|text| region = text),
            "profile" => value::text(name, value).map(|text| profile = Some(text.to_owned())),
            "endpoint" => checked(is_endpoint, "\"http://127.0.0.1:5000\"").map(|text| endpoint = text),
            "wait" => value::duration_ms(name, value).map(|ms| wait_ms = ms),
            other => Err(value::unknown_key(other, "cloud", &KEYS)),
        };
        if let Err(refusal) = set {
            complaints.add(place_of(&key, value), refusal);
        }
    }
    let whole = msg!("write-key", key = "cloud", value = "{ rds = \"db-1\", region = \"ap-northeast-1\" }");
    match (region, instance.is_some() || cluster.is_some()) {
        _ if complaints.count() > before => Ok(None),
        (None, _) => Err(Diagnostic::new(msg!("cloud-has-no-region"), whole)),
        (_, false) => Err(Diagnostic::new(msg!("cloud-has-no-instance"), whole)),
        (Some(region), true) => Ok(Some(CloudAccess { instance, cluster, region, profile, wait_ms, endpoint })),
    }
}
