//! `apply` of a target: how server variables of an existing server are set.

use super::draft::{ApplyDraft, TargetDraft};
use crate::dsn::Scheme;
use crate::plan::source::{Diagnostic, Diagnostics};
use crate::plan::value::{self, Value};
use crate::trial::{Allow, Apply, ParameterGroupAccess, Target};
use std::ops::Range;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use toml::de::DeValue;

/// The keys of the table.
const KEYS: [&str; 4] = ["file", "restart", "kind", "timeout"];

/// The ways that are one word.
const WORDS: [(&str, ApplyDraft); 4] = [
    ("set-global", ApplyDraft::Statements(Apply::SetGlobal)),
    ("persist", ApplyDraft::Statements(Apply::Persist)),
    ("alter-system", ApplyDraft::Statements(Apply::AlterSystem)),
    (GROUP, ApplyDraft::ParameterGroup { timeout_ms: ParameterGroupAccess::TIMEOUT_MS }),
];
const GROUP: &str = "parameter-group";

/// A word, or a table: of an option file and a command, or of a kind and a timeout.
pub fn apply(
    target: &mut TargetDraft,
    name: &'static str,
    value: &Value<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Result<(), Diagnostic> {
    let DeValue::Table(table) = value.get_ref() else {
        let words = WORDS.each_ref().map(|(word, apply)| (*word, apply));
        target.apply = Some((value::word(name, value, &words)?.clone(), value.span()));
        return Ok(());
    };
    let (mut kind, mut timeout_ms, mut file, mut restart) = (None, None, None, None);
    for (key, value) in value::in_order(table) {
        match *key.get_ref() {
            "file" => file = Some(value::text("file", value)?.to_owned()),
            "restart" => restart = Some(value::text("restart", value)?.to_owned()),
            "kind" => kind = Some(value::word("kind", value, &[(GROUP, ())])?),
            "timeout" => timeout_ms = Some(value::duration_ms("timeout", value)?),
            other => complaints.add(key.span(), value::unknown_key(other, name, &KEYS)),
        }
    }
    let draft = match (kind, file, restart, timeout_ms) {
        (Some(()), None, None, timeout) => {
            ApplyDraft::ParameterGroup { timeout_ms: timeout.unwrap_or(ParameterGroupAccess::TIMEOUT_MS) }
        }
        (Some(()), ..) => {
            let whole = format_args!("{{ kind = {GROUP:?}, timeout = \"30m\" }}");
            return Err(Diagnostic::new(msg!("apply-group-and-restart"), msg!("write-key", key = name, value = whole)));
        }
        (None, file, Some(restart), None) => ApplyDraft::Restart { file, restart },
        (None, _, Some(_), Some(_)) => {
            return Err(Diagnostic::new(msg!("apply-timeout-unused"), msg!("remove-option", option = "timeout")));
        }
        (None, _, None, _) => {
            return Err(Diagnostic::new(msg!("apply-has-no-restart"), msg!("give-restart-command")));
        }
    };
    target.apply = Some((draft, value.span()));
    Ok(())
}

/// Resolves it, when all keys of the target are known; a refusal if it is not possible on this kind of target.
pub fn resolve(target: &mut Target, draft: Option<(ApplyDraft, Range<usize>)>, complaints: &mut Diagnostics<'_>) {
    let Some((draft, span)) = draft else { return };
    let scheme = target.scheme();
    let apply = match draft {
        ApplyDraft::Statements(apply) => Ok(apply),
        ApplyDraft::Restart { file, restart } => {
            let may_change_others = target.allow.contains(&Allow::ChangeOtherSettings);
            Ok(Apply::Restart { file, restart, may_change_others })
        }
        ApplyDraft::ParameterGroup { timeout_ms } => match (&target.cloud, scheme) {
            (Some(cloud), Scheme::Mysql) => Ok(Apply::ParameterGroup(ParameterGroupAccess {
                cloud: cloud.clone(),
                may_reboot: target.allow.contains(&Allow::RebootInstance),
                may_be_shared: target.allow.contains(&Allow::ChangeSharedGroup),
                timeout_ms,
            })),
            (None, Scheme::Mysql) if target.sandbox.is_none() => {
                let example = foreign("{ rds = \"db-1\", region = \"ap-northeast-1\" }");
                let hint = msg!("write-key", key = "cloud", value = example);
                Err(Diagnostic::new(msg!("apply-group-without-cloud", target = target.name), hint))
            }
            _ => Err(not_of(target)),
        },
    };
    match apply {
        Ok(apply) if target.sandbox.is_none() && apply.is_of(scheme) => target.apply = Some(apply),
        Ok(_) => complaints.add(span, not_of(target)),
        Err(refusal) => complaints.add(span, refusal),
    }
}

fn not_of(target: &Target) -> Diagnostic {
    let hint = match target.scheme() {
        _ if target.sandbox.is_some() => msg!("remove-option", option = "apply"),
        Scheme::Mysql => msg!("use-apply-of-mysql"),
        Scheme::Postgres => msg!("use-apply-of-postgres"),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => msg!("remove-option", option = "apply"),
    };
    Diagnostic::new(msg!("apply-not-of-target", target = target.name), hint)
}
