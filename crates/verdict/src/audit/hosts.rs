//! Doubts about load hosts that drive a trial together, and the views by which each is judged.

use super::{About, Doubt, DoubtCheck, Verdict, doubt};
use tenbin_model::event::EndState;
use tenbin_model::load_host::{LoadHostPart, LoadHostResult};
use tenbin_model::summary::TrialResult;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] =
    &[(About::Trial, lost), (About::Trial, not_together), (About::Trial, clock_stepped)];

/// The trial as one load host had it.
pub(crate) struct HostView {
    pub number: u32,
    pub name: String,
    pub view: TrialResult,
}

/// Those of all its load hosts that were there to the end; none if there is one process.
pub(crate) fn views(t: &TrialResult) -> Vec<HostView> {
    let there = t.hosts.iter().filter(|(_, host)| host.part.lost.is_none());
    let view = |(&number, host): (&u32, &LoadHostResult)| {
        Some(HostView { number, name: host.part.name.clone(), view: t.of_load_host(number)? })
    };
    there.filter_map(view).collect()
}

/// A doubt that is about one host.
pub(super) fn named(doubt: Doubt, host: &str) -> Doubt {
    let evidence = [msg!("on-host", host)].into_iter().chain(doubt.problem.evidence.clone());
    let evidence = Some(Message::joined(evidence, ": "));
    Doubt { problem: Problem { evidence, ..doubt.problem }, ..doubt }
}

/// Hosts that were given up while the others went on.
fn lost(t: &TrialResult) -> Option<Doubt> {
    let lost: Vec<&Problem> = t.lost_hosts().filter_map(|part| part.lost.as_ref()).collect();
    // What ended the trial is reported already.
    let first = *lost.first().filter(|_| t.state != Some(EndState::Failed))?;
    let late: u64 = t.hosts.values().map(|host| host.part.late_reports).sum();
    let why = match &first.evidence {
        Some(evidence) => msg!("problem-with-evidence", what = first.what, seen = evidence),
        None => first.what.clone(),
    };
    let left_out = (late > 0).then(|| msg!("doubt-host-lost-late", late));
    doubt(
        Verdict::Degraded,
        "host-lost",
        Problem::new(msg!("doubt-host-lost", lost = lost.len(), hosts = t.hosts.len()))
            .evidence(Message::joined([why].into_iter().chain(left_out), "; "))
            .hint(msg!("doubt-host-lost-hint")),
    )
}

/// The share of an interval by which the clients of hosts may have started apart.
const APART: f64 = 0.05;

/// Clients that did not start together: intervals of hosts are then of different times.
fn not_together(t: &TrialResult) -> Option<Doubt> {
    let off = |host: &LoadHostPart| {
        // A clock that runs differently moves the later intervals too.
        let drift_ns = host.drift_ns.unsigned_abs().saturating_sub(host.drift_error_ns);
        host.late_ns.max(host.offset_error_ns).max(drift_ns)
    };
    let worst = t.hosts.values().filter(|host| host.part.lost.is_none()).max_by_key(|host| off(&host.part))?;
    let (ns, interval_ms) = (off(&worst.part), t.trial.interval_ms);
    let limit_ms = interval_ms as f64 * APART;
    (ns as f64 / 1e6 > limit_ms).then_some(())?;
    let ms = |ns: u64| format!("{:.1}", ns as f64 / 1e6);
    doubt(
        Verdict::Degraded,
        "hosts-not-together",
        Problem::new(msg!("doubt-hosts-not-together"))
            .evidence(msg!(
                "doubt-hosts-not-together-seen",
                host = worst.part.name,
                late = ms(worst.part.late_ns),
                error = ms(worst.part.offset_error_ns),
                drift = format_args!("{:+.1}", worst.part.drift_ns as f64 / 1e6),
                limit = format_args!("{limit_ms:.0}"),
                percent = format_args!("{:.0}", APART * 100.0)
            ))
            .hint(msg!("doubt-hosts-not-together-hint")),
    )
}

/// Clocks of hosts that were stepped while they were driving: what such a host counted in an interval is of another time than that of
/// the others, and its window was longer or shorter by the step.
fn clock_stepped(t: &TrialResult) -> Option<Doubt> {
    let stepped: Vec<&LoadHostPart> =
        t.hosts.values().map(|host| &host.part).filter(|part| !part.clock_steps.is_none()).collect();
    let worst = stepped.iter().max_by_key(|part| part.clock_steps.largest_ns.unsigned_abs())?;
    let interval_ns = t.trial.interval_ms.saturating_mul(1_000_000);
    // Beyond it no interval is of one time.
    let is_over = worst.clock_steps.largest_ns.unsigned_abs() > interval_ns;
    doubt(
        if is_over { Verdict::Invalid } else { Verdict::Degraded },
        "clock-stepped",
        Problem::new(msg!("doubt-clock-stepped", hosts = stepped.len()))
            .evidence(msg!(
                "doubt-clock-stepped-seen",
                host = worst.name,
                step = format_args!("{:+.1}", worst.clock_steps.largest_ns as f64 / 1e6),
                interval = t.trial.interval_ms
            ))
            .hint(msg!("doubt-clock-stepped-hint")),
    )
}
