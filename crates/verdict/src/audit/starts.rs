//! Doubts about the starts of a load, of all its clients or of one group of them: whether they took place, failed, and were enough; and
//! the views by which each group is judged.

use super::standstill::{silent_at_end, standstill};
use super::{About, Doubt, DoubtCheck, Verdict, codes, doubt};
use crate::question::{self, TimesOf};
use crate::rate::{self, Growth, Since};
use tenbin_model::counted;
use tenbin_model::event::EndState;
use tenbin_model::search::Limited;
use tenbin_model::standstill::least_ns;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::Accounting;
use tenbin_model::trial::Schedule;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[
    (About::EachGroup, none_completed),
    (About::Trial, starved),
    (About::Trial, still_waiting),
    (About::Trial, drain_short),
    (About::Group, errors),
    (About::Group, rate_not_reached),
    (About::Group, few_samples),
];

/// The trial as each group of its clients had it, by the groups' names; none if it has no groups, or if nothing at all was measured.
pub(super) fn groups(t: &TrialResult) -> Vec<(String, TrialResult)> {
    let groups = t.trial.load.groups.iter().filter(|_| t.tally.accounting.completed > 0);
    groups.map(|group| (group.name.clone(), t.of_group(group))).collect()
}

/// A doubt that is about one group.
pub(super) fn named(doubt: Doubt, group: &str) -> Doubt {
    let evidence = [msg!("of-the-group", group)].into_iter().chain(doubt.problem.evidence.clone());
    let evidence = Some(Message::joined(evidence, ": "));
    Doubt { problem: Problem { evidence, ..doubt.problem }, ..doubt }
}

/// A group without a completed transaction beside others that have some.
fn none_completed(t: &TrialResult) -> Option<Doubt> {
    let accounting = &t.tally.accounting;
    (t.state.is_some() && t.measured_ns() > 0 && accounting.completed == 0).then_some(())?;
    if let Some(what) = super::all_failed([t]) {
        let problem = Problem::new(what).hint(msg!("doubt-all-failed-hint"));
        return doubt(Verdict::Invalid, "not-measured", problem);
    }
    let problem = only_carried(t).unwrap_or_else(|| {
        // It may take longer than the window, or be due less often.
        Problem::new(msg!("doubt-group-without-figures")).hint(msg!("doubt-few-samples-hint"))
    });
    doubt(Verdict::Degraded, "not-measured", problem)
}

/// What is to be said where all that completed in the window had fallen due in the warm-up: it has throughput, and no response times.
pub(super) fn only_carried(t: &TrialResult) -> Option<Problem> {
    let Accounting { completed, carried, .. } = t.tally.accounting;
    (completed == 0 && carried > 0).then_some(())?;
    let tps = format!("{:.0}", t.tps());
    let hint = match t.trial.load.schedule {
        Schedule::Open { .. } => msg!("doubt-carried-only-hint", tps),
        Schedule::Closed => msg!("doubt-few-samples-hint"),
    };
    let evidence = msg!("doubt-carried-only-seen", n = carried);
    Some(Problem::new(msg!("doubt-carried-only")).evidence(evidence).hint(hint))
}

/// This share of failed transactions is too much, unless the trial is part of a search that allows more.
const FAILED: f64 = 0.01;

/// The share from which on a result is INVALID. A search judges itself what it allows.
fn too_many_failed(t: &TrialResult) -> f64 {
    let conditions = t.trial.search.iter().flat_map(|search| &search.until.conditions);
    let allowed = conditions.filter_map(|condition| match condition.of {
        Limited::Errors(share) => Some(share),
        _ => None,
    });
    allowed.fold(FAILED, f64::max)
}

/// Of all that ended in the window, also of what had fallen due before it.
fn errors(t: &TrialResult) -> Option<Doubt> {
    let (failed, completed) = (t.tally.accounting.all_failed(), t.tally.accounting.all_completed());
    if failed == 0 || completed == 0 {
        return None;
    }
    let all = failed.saturating_add(completed);
    let share = failed as f64 / all as f64;
    let percent = share * 100.0;
    let verdict = if share > too_many_failed(t) { Verdict::Invalid } else { Verdict::Degraded };
    let codes = codes(&t.tally.errors());
    doubt(
        verdict,
        "errors",
        Problem::new(msg!("doubt-errors")).evidence(msg!(
            "doubt-errors-seen",
            failed = figure::whole(i128::from(failed)),
            all = figure::whole(i128::from(all)),
            percent = format_args!("{percent:.2}"),
            codes
        )),
    )
}

/// More than 1 % of the starts that fell due did not take place in time, or fewer ended than fell due. Those that failed took place, and
/// so did those that were in progress at the end.
fn rate_not_reached(t: &TrialResult) -> Option<Doubt> {
    let Schedule::Open { rate, .. } = t.trial.load.schedule else { return None };
    let a = &t.tally.accounting;
    let (in_time, growth) = (rate::began_in_time(t), rate::growth(t));
    (t.state == Some(EndState::Complete) && (!in_time || growth.is_some())).then_some(())?;
    let evidence = msg!(
        "doubt-rate-seen",
        rate,
        offered = a.scheduled,
        reached = a.completed,
        failed = a.failed,
        skipped = a.skipped,
        open = a.open
    );
    // Where starts waited for a client, those are what there is to say.
    let grown = growth.filter(|_| in_time).map(|Growth { since, before, after }| match since {
        Since::Middle => msg!("doubt-rate-grown", before, after),
        Since::Start => msg!("doubt-rate-grown-since-start", before, after),
        Since::Equilibrium => msg!("doubt-rate-more-in-progress", before, after),
    });
    let problem = Problem::new(msg!("doubt-rate")).evidence(Message::joined([evidence].into_iter().chain(grown), "; "));
    let tps = t.tps();
    let hint = (tps > 0.0).then(|| {
        let tps = format!("{tps:.0}");
        // With as many clients as they are, each start took place at once.
        if in_time { msg!("doubt-rate-grown-hint", tps) } else { msg!("doubt-rate-hint", tps) }
    });
    doubt(Verdict::Degraded, "rate", Problem { hint, ..problem })
}

/// Clients that completed nothing, while the others completed at least this many each on average: if chance gave out what is completed
/// (Poisson), that would happen to one client in 5 × 10⁸.
const SERVED: f64 = 20.0;

/// Clients that waited during the whole window. No percentile has their time, because none of their transactions ended.
pub(super) fn starved(t: &TrialResult) -> Option<Doubt> {
    let (load, each) = (&t.trial.load, t.per_client.completed.as_slice());
    // Lost connections are reported as such, and clients with a number of transactions may have done them.
    let are_there = each.len() == load.clients as usize && t.clients_at_end() == Some(load.clients);
    (are_there && counted::expected(load).is_none()).then_some(())?;
    let of = |schedule: Schedule, own: &[u64]| if schedule == Schedule::Closed { starved_of(own) } else { None };
    if load.groups.is_empty() {
        return of(load.schedule, each);
    }
    // Each group does something else. At a rate one client may do all.
    let mut rest = each;
    load.groups.iter().find_map(|group| {
        let (own, others) = rest.split_at_checked(group.clients as usize)?;
        rest = others;
        of(group.schedule, own).map(|doubt| named(doubt, &group.name))
    })
}

/// The share of the window for which a transaction may have been in progress at its end …
const WAITING: f64 = 0.1;
/// … and how many times as long as all that ended, before it is one that waits and not just another one.
const BEYOND_ENDED: f64 = 5.0;

/// Clients that still waited at the end, for much longer than anything that ended: neither a percentile nor the maximum has that time. At a rate both do.
pub(super) fn still_waiting(t: &TrialResult) -> Option<Doubt> {
    let all = t.tally.all_starts();
    let (oldest_ns, window_ns) = (t.oldest_open_ns?, t.measured_ns());
    let longest_ns = all.response.max_ns().max(all.failed_service.max_ns());
    let waits = oldest_ns >= least_ns(window_ns)
        && oldest_ns as f64 >= WAITING * window_ns as f64
        && oldest_ns as f64 >= BEYOND_ENDED * longest_ns as f64;
    // The time of all of them is reported already, and of those that waited the whole time.
    let is_reported = || standstill(t).is_some() || silent_at_end(t).is_some() || starved(t).is_some();
    (t.tally.accounting.completed > 0 && waits && !is_reported()).then_some(())?;
    doubt(
        Verdict::Degraded,
        "clients-waiting",
        Problem::new(msg!("doubt-clients-waiting"))
            .evidence(msg!(
                "doubt-clients-waiting-seen",
                oldest = super::s(oldest_ns),
                longest = super::s(longest_ns),
                window = super::s(window_ns)
            ))
            .hint(msg!("doubt-clients-waiting-hint")),
    )
}

/// From this share of the starts on it matters to a p99 that they had not ended.
const LEFT: f64 = 0.001;

/// Transactions that were waited for after the window, and had not ended when the wait was over: they are the longest, and their time is not known.
/// At a rate it is among the response times, as far as they had waited.
fn drain_short(t: &TrialResult) -> Option<Doubt> {
    let (load, starts) = (&t.trial.load, &t.tally.accounting);
    let left = u64::try_from(starts.open).unwrap_or(0);
    (load.is_closed() && load.drain_ms > 0 && t.state == Some(EndState::Complete) && starts.completed > 0)
        .then_some(())?;
    (left as f64 > LEFT * starts.scheduled as f64 && still_waiting(t).is_none()).then_some(())?;
    doubt(
        Verdict::Degraded,
        "drain-short",
        Problem::new(msg!("doubt-drain-short"))
            .evidence(msg!("doubt-drain-short-seen", n = left, all = starts.scheduled))
            .hint(msg!("doubt-drain-short-hint", drain = "drain")),
    )
}

/// Those of clients that do the same, by what each has completed.
fn starved_of(each: &[u64]) -> Option<Doubt> {
    let n = each.iter().filter(|completed| **completed == 0).count();
    let mean = each.iter().sum::<u64>() as f64 / (each.len() - n).max(1) as f64;
    (n > 0 && mean >= SERVED).then_some(())?;
    doubt(
        Verdict::Degraded,
        "clients-starved",
        Problem::new(msg!("doubt-clients-starved"))
            .evidence(msg!("doubt-clients-starved-seen", n, clients = each.len(), mean = figure::grouped(mean)))
            .hint(msg!("doubt-clients-starved-hint")),
    )
}

fn few_samples(t: &TrialResult) -> Option<Doubt> {
    // Of TPC-C the times that are compared and limited are those of New-Orders.
    let of_orders = TimesOf::trial(t) == TimesOf::NewOrders;
    let n = if of_orders { question::times(t).count() } else { t.tally.accounting.completed };
    // A percentile p requires 10/(1−p) samples: 1,000 for p99.
    (n > 0 && n < 1000).then_some(())?;
    let evidence = if of_orders { msg!("doubt-few-orders-seen", n) } else { msg!("doubt-few-samples-seen", n) };
    doubt(
        Verdict::Degraded,
        "few-samples",
        Problem::new(msg!("doubt-few-samples")).evidence(evidence).hint(msg!("doubt-few-samples-hint")),
    )
}
