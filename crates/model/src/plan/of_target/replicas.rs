//! `replicas` of a target: the servers that copy it, each an address, `"sandbox"`, or a table.

use super::cloud::cloud;
use super::draft::{ReplicaDraft, TargetDraft};
use crate::dsn::Dsn;
use crate::plan::source::{Diagnostic, Diagnostics, Outcome};
use crate::plan::tables::{at_most, head, place_of, server, table_of};
use crate::plan::value::{self, Value, in_order};
use crate::trial::{Replica, Target};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use toml::de::DeValue;

/// The most replicas of one target: each is observed by a thread of its own.
const MOST: usize = 16;
/// The keys of a replica's table.
const KEYS: [&str; 7] = ["dsn", "password_env", "password_file", "cloud", "sandbox", "server", "delay"];
/// The value that starts a private server.
const SANDBOX: &str = "sandbox";
/// The longest `delay`, milliseconds: a day.
const LONGEST_DELAY_MS: u64 = 86_400_000;

/// Reads the table `replicas`: names and servers.
pub fn replicas(
    draft: &mut TargetDraft,
    _: &'static str,
    value: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Outcome {
    let Some(all) = table_of(&foreign("replicas"), value, complaints) else { return Ok(()) };
    for (place, (name, value)) in
        at_most(in_order(all), MOST, msg!("replicas"), head(value), complaints).into_iter().enumerate()
    {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.get_ref().is_empty() || !name.get_ref().chars().all(plain) {
            let what = msg!("not-a-replica-name", name = format_args!("{:?}", name.get_ref()));
            complaints.add(name.span(), Diagnostic::new(what, msg!("name-with-letters-and-digits")));
            continue;
        }
        let at = Target::named(name.get_ref(), place as u32);
        let mut replica =
            ReplicaDraft { replica: Replica { at, delay_s: 0 }, dsn: None, span: name.span(), is_private: false };
        let before = complaints.count();
        match value.get_ref() {
            DeValue::Table(keys) => {
                for (key, value) in in_order(keys) {
                    if let Err(refusal) = set(&mut replica, key.get_ref(), value, complaints) {
                        complaints.add(place_of(&key, value), refusal);
                    }
                }
            }
            _ => match value::text(name.get_ref(), value) {
                Ok(SANDBOX) => replica.is_private = true,
                Ok(address) => address_of(&mut replica, address, value, complaints),
                Err(refusal) => complaints.add(value.span(), refusal),
            },
        }
        if complaints.count() == before {
            draft.replicas.push(replica);
        }
    }
    Ok(())
}

fn set(draft: &mut ReplicaDraft, key: &str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) -> Outcome {
    let at = &mut draft.replica.at;
    match key.replace('-', "_").as_str() {
        "dsn" => {
            let address = value::text(key, value)?;
            address_of(draft, address, value, complaints);
        }
        "password_env" => at.password_env = Some(value::text(key, value)?.to_owned()),
        "password_file" => at.password_file = Some(value::text(key, value)?.to_owned()),
        "cloud" => at.cloud = cloud(value, complaints)?,
        SANDBOX => match value.get_ref() {
            DeValue::Boolean(private) => draft.is_private = *private,
            _ => return Err(Diagnostic::new(msg!("replica-sandbox-is-true"), msg!("write-key", key, value = "true"))),
        },
        "server" => server(value, "server", &mut at.server, complaints),
        "delay" => {
            let ms = value::duration_ms(key, value)?;
            if !ms.is_multiple_of(1000) || ms > LONGEST_DELAY_MS {
                let hint = msg!("write-key", key, value = "\"5s\"");
                return Err(Diagnostic::new(msg!("replica-delay-in-seconds"), hint));
            }
            draft.replica.delay_s = ms / 1000;
        }
        other => return Err(value::unknown_key(other, "replicas", &KEYS)),
    }
    Ok(())
}

fn address_of(draft: &mut ReplicaDraft, address: &str, value: &Value<'_>, complaints: &mut Diagnostics<'_>) {
    match Dsn::parse(address) {
        Ok(dsn) => draft.dsn = Some((dsn, value.span())),
        Err(p) => complaints.add(value.span(), Diagnostic { what: p.what, hint: p.hint }),
    }
}
