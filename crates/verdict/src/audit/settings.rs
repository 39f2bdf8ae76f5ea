//! Doubts about the server of a trial as a whole, and about its replicas: whether it was started again, is another one, or has other
//! settings than right before the load, and whether they are those that the plan asks for.

use super::{About, Doubt, DoubtCheck, Verdict, doubt, s};
use tenbin_model::event::EndState;
use tenbin_model::inspection::{AroundLoad, CONFIGURATION, Inspected};
use tenbin_model::names::tables::DEFINITION;
use tenbin_model::promise;
use tenbin_model::summary::TrialResult;
use tenbin_model::variables::in_bytes;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[
    (About::Trial, restarted),
    (About::Trial, another_server),
    (About::Trial, other_role),
    (About::Trial, changed),
    (About::Trial, tables_changed),
    (About::Trial, put_back),
    (About::Trial, not_as_asked),
    (About::Trial, not_read),
];

/// A server of a trial in which something was measured, and its inspections.
struct Server<'t> {
    /// Its name, if it is a replica.
    replica: Option<&'t str>,
    before: &'t Inspected,
    after: Option<&'t Inspected>,
}

impl Server<'_> {
    /// Evidence of it: with its name, if it is a replica.
    fn named(&self, evidence: Message) -> Message {
        match self.replica {
            Some(replica) => msg!("doubt-of-replica", replica, what = evidence),
            None => evidence,
        }
    }
}

/// The server of the target and its replicas, as far as they were asked before the load.
fn servers(t: &TrialResult) -> impl Iterator<Item = Server<'_>> {
    let target = (None, t.before.as_ref(), t.after.as_ref());
    let replicas = t.replicas.iter().map(|(name, AroundLoad { before, after })| {
        let replica: Option<&str> = Some(name);
        (replica, before.as_ref(), after.as_ref())
    });
    let all = std::iter::once(target).chain(replicas).filter(|_| t.measured_ns() > 0);
    all.filter_map(|(replica, before, after)| Some(Server { replica, before: before?, after }))
}

/// One doubt about all servers that were asked before and after the load: as serious as that about any of them, with the evidence of each.
fn of_each(t: &TrialResult, look: impl Fn(&Server<'_>, &Inspected, &Inspected) -> Option<Doubt>) -> Option<Doubt> {
    servers(t).filter_map(|server| look(&server, server.before, server.after?)).reduce(together)
}

fn together(a: Doubt, b: Doubt) -> Doubt {
    let evidence = [&a, &b].into_iter().filter_map(|doubt| doubt.problem.evidence.clone());
    let evidence = Message::joined(evidence, "\n");
    let most_serious = if b.verdict > a.verdict { b } else { a };
    Doubt { problem: most_serious.problem.evidence(evidence), ..most_serious }
}

fn was_restarted(before: &Inspected, after: &Inspected) -> bool {
    let elapsed_s = after.at_ns.saturating_sub(before.at_ns) as f64 / 1e9;
    before.inspection.was_restarted(&after.inspection, elapsed_s)
}

fn restarted(t: &TrialResult) -> Option<Doubt> {
    of_each(t, |server, before, after| {
        was_restarted(before, after).then_some(())?;
        let elapsed = s(after.at_ns.saturating_sub(before.at_ns));
        let whole = |uptime_s: Option<f64>| s((uptime_s.unwrap_or(0.0) * 1e9) as u64);
        let evidence = match (&before.inspection.started, &after.inspection.started) {
            (Some(former), Some(now)) => msg!("doubt-restarted-at", former, now),
            _ => msg!(
                "doubt-restarted-seen",
                before = whole(before.inspection.uptime_s),
                after = whole(after.inspection.uptime_s),
                elapsed
            ),
        };
        let problem = Problem::new(msg!("doubt-restarted")).evidence(server.named(evidence));
        doubt(Verdict::Invalid, "server-restarted", problem.hint(msg!("doubt-restarted-hint")))
    })
}

fn another_server(t: &TrialResult) -> Option<Doubt> {
    of_each(t, |server, Inspected { inspection: before, .. }, Inspected { inspection: after, .. }| {
        let pairs = [(&before.identity, &after.identity), (&before.version, &after.version)];
        let differ = pairs.iter().filter(|(a, b)| a != b);
        let differ: Vec<Message> = differ.map(|(a, b)| server.named(foreign(format_args!("{a} → {b}")))).collect();
        (!differ.is_empty()).then_some(())?;
        let problem = Problem::new(msg!("doubt-another-server")).evidence(Message::joined(differ, "\n"));
        doubt(Verdict::Invalid, "another-server", problem.hint(msg!("doubt-another-server-hint")))
    })
}

/// Of the target alone: whether a replica still replicates is what its observer reports.
fn other_role(t: &TrialResult) -> Option<Doubt> {
    let Server { before, after, .. } = servers(t).find(|server| server.replica.is_none())?;
    let after = after?;
    let role = |inspected: &Inspected| match inspected.inspection.role.as_slice() {
        [] => foreign("–"),
        role => foreign(role.join(", ")),
    };
    (before.inspection.role != after.inspection.role).then_some(())?;
    let evidence = msg!("doubt-other-role-seen", before = role(before), after = role(after));
    let problem = Problem::new(msg!("doubt-other-role")).evidence(evidence).hint(msg!("doubt-another-server-hint"));
    doubt(Verdict::Invalid, "role-changed", problem)
}

/// Whether the plan sets this fact, or a commit survives something else by it.
fn is_of_label(before: &Inspected, fact: &str) -> bool {
    before.inspection.facts.contains_key(fact) || promise::decides(fact)
}

/// Whether it is reported that it was started again, or is another one: what that brings is reported with it.
fn is_reported(before: &Inspected, after: &Inspected) -> bool {
    was_restarted(before, after) || before.inspection.identity != after.inspection.identity
}

/// Values that changed between the inspections: INVALID if the plan sets one of them, or if a commit survives something else.
fn changed(t: &TrialResult) -> Option<Doubt> {
    of_each(t, |server, before, after| {
        let mut all: Vec<_> = after.changed.iter().filter(|(fact, _)| !fact.starts_with(DEFINITION)).collect();
        (!all.is_empty() && !is_reported(before, after)).then_some(())?;
        let decisive = all.iter().any(|(fact, _)| is_of_label(before, fact));
        let name = |fact: &str| fact.strip_prefix("variable.").unwrap_or(fact).to_owned();
        all.sort_by_key(|(fact, _)| !is_of_label(before, fact));
        let each = all
            .iter()
            .take(MOST)
            .map(|(fact, [former, now])| msg!("doubt-settings-changed-seen", variable = name(fact), former, now));
        let more = (all.len() > MOST).then(|| msg!("and-more-settings", more = all.len() - MOST));
        let each = each.chain(more).map(|line| server.named(line));
        let what = if decisive { msg!("doubt-settings-changed") } else { msg!("doubt-other-settings-changed") };
        let problem = Problem::new(what).evidence(Message::joined(each, "\n"));
        let verdict = if decisive { Verdict::Invalid } else { Verdict::Degraded };
        doubt(verdict, "settings-changed", problem.hint(msg!("doubt-settings-changed-hint")))
    })
}

/// Tables that somebody altered, emptied or replaced meanwhile: what the statements met changed.
fn tables_changed(t: &TrialResult) -> Option<Doubt> {
    of_each(t, |server, before, after| {
        let all = after.changed.iter().filter_map(|(fact, values)| Some((fact.strip_prefix(DEFINITION)?, values)));
        let all: Vec<_> = all.collect();
        (!all.is_empty() && !is_reported(before, after)).then_some(())?;
        let seen =
            |(table, [former, now]): &(&str, &[String; 2])| msg!("doubt-tables-changed-seen", table, former, now);
        let more = (all.len() > MOST).then(|| msg!("and-more-settings", more = all.len() - MOST));
        let each = all.iter().take(MOST).map(seen).chain(more).map(|line| server.named(line));
        let problem = Problem::new(msg!("doubt-tables-changed")).evidence(Message::joined(each, "\n"));
        doubt(Verdict::Invalid, "tables-changed", problem.hint(msg!("doubt-tables-changed-hint")))
    })
}

/// What somebody set meanwhile and has its former value: what the server had in between is not known.
fn put_back(t: &TrialResult) -> Option<Doubt> {
    of_each(t, |server, before, after| {
        (!is_reported(before, after)).then_some(())?;
        let has_changed = |name: &String| after.changed.contains_key(&format!("variable.{name}"));
        let any_changed = after.changed.keys().any(|fact| fact.starts_with("variable."));
        let set: Vec<_> = before
            .inspection
            .set_meanwhile(&after.inspection)
            // Values that the configuration has changed are a doubt of their own.
            .filter(|(name, _)| if *name == CONFIGURATION { !any_changed } else { !has_changed(name) })
            .collect();
        (!set.is_empty()).then_some(())?;
        let each = set.iter().take(MOST).map(|(name, how)| match name.as_str() {
            CONFIGURATION => msg!("doubt-settings-put-back-read", at = how),
            _ if how.contains('@') => msg!("doubt-settings-put-back-at", variable = name, at = how),
            _ => msg!("doubt-settings-put-back-set", variable = name),
        });
        let more = (set.len() > MOST).then(|| msg!("and-more-settings", more = set.len() - MOST));
        let each = each.chain(more).map(|line| server.named(line));
        let problem = Problem::new(msg!("doubt-settings-put-back")).evidence(Message::joined(each, "\n"));
        let decisive = set.iter().map(|(name, _)| format!("variable.{name}")).any(|fact| is_of_label(before, &fact));
        let verdict = if decisive { Verdict::Invalid } else { Verdict::Degraded };
        doubt(verdict, "settings-put-back", problem.hint(msg!("doubt-settings-changed-hint")))
    })
}

/// The most variables that are named.
const MOST: usize = 8;

/// A number that the server has limited or rounded counts as the one that was asked for within this share of it: buffer pools
/// consist of chunks.
const ROUNDED: f64 = 0.1;

/// Values that the server does not have although they are asked for: INVALID if a commit survives something else by one of them.
fn not_as_asked(t: &TrialResult) -> Option<Doubt> {
    let number = |text: &str| in_bytes(text).map(|bytes| bytes as f64).or_else(|| text.parse().ok());
    let is_off = |[asked, has]: &&[String; 2]| match (number(asked), number(has)) {
        (Some(asked), Some(has)) => (asked - has).abs() > ROUNDED * f64::abs(asked),
        _ => true,
    };
    let of_server = |server: Server<'_>| {
        let off: Vec<_> = server.before.inspection.unlike.iter().filter(|(_, values)| is_off(values)).collect();
        (!off.is_empty()).then_some(())?;
        let decisive = off.iter().any(|(variable, _)| promise::decides(&format!("variable.{variable}")));
        let each =
            off.into_iter().map(|(variable, [asked, has])| msg!("doubt-not-as-asked-seen", variable, asked, has));
        let each = each.map(|line| server.named(line));
        let problem = Problem::new(msg!("doubt-not-as-asked")).evidence(Message::joined(each, "\n"));
        let verdict = if decisive { Verdict::Invalid } else { Verdict::Degraded };
        doubt(verdict, "settings-not-as-asked", problem.hint(msg!("give-value-that-server-takes")))
    };
    servers(t).filter_map(of_server).reduce(together)
}

/// One was asked before the load, and could not be asked after it.
fn not_read(t: &TrialResult) -> Option<Doubt> {
    (t.state == Some(EndState::Complete)).then_some(())?;
    let of_server = |server: Server<'_>| {
        let evidence = server.named(msg!("doubt-settings-not-read-seen"));
        let problem = Problem::new(msg!("doubt-settings-not-read")).evidence(evidence);
        doubt(Verdict::Degraded, "settings-not-read", problem.hint(msg!("doubt-settings-not-read-hint")))
    };
    servers(t).filter(|server| server.after.is_none()).filter_map(of_server).reduce(together)
}
