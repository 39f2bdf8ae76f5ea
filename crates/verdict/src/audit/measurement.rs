//! Doubts about the measurement itself: whether there was one, whether its figures agree with one another, and what stood still or was missing meanwhile.

use super::standstill::{LOST_AT_END, silent_at_end, standstill};
use super::{About, DoubtCheck, codes, doubt, in_one, s, seconds, starts};
use crate::counting;
use crate::durability;
use crate::settling;
use std::collections::BTreeMap;
use tenbin_model::counted;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::event::EndState;
use tenbin_model::names::observer;
use tenbin_model::promise;
use tenbin_model::summary::TrialResult;
use tenbin_model::tpcc;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[
    (About::Trial, altered),
    (About::Trial, not_measured),
    (About::Trial, unbalanced),
    (About::Trial, cut_short),
    (About::Trial, server_gone),
    (About::Trial, clients_gone),
    (About::Trial, duet_alone),
    (About::Trial, unavailable),
    (About::Trial, no_transactions),
    (About::Trial, littles_law),
    (About::Trial, long_transactions),
    (About::Trial, duet_without),
    (About::Trial, many_servers),
    (About::Trial, scaled),
    (About::Trial, not_settled),
];

fn altered(t: &TrialResult) -> Option<Doubt> {
    doubt(Verdict::Invalid, "altered", t.altered.clone()?)
}

fn not_measured(t: &TrialResult) -> Option<Doubt> {
    if t.state.is_some() && t.measured_ns() > 0 && t.tally.accounting.completed > 0 {
        return None;
    }
    if t.state.is_some()
        && t.failure().is_none()
        && let Some(what) = all_failed([t])
    {
        return doubt(Verdict::Invalid, "not-measured", Problem::new(what).hint(msg!("doubt-all-failed-hint")));
    }
    if t.state.is_some()
        && t.failure().is_none()
        && let Some(problem) = starts::only_carried(t)
    {
        return doubt(Verdict::Invalid, "not-measured", problem);
    }
    let problem = Problem::new(msg!("doubt-not-measured")).hint(msg!("doubt-not-measured-hint"));
    let evidence = match t.state {
        None => Some(msg!("doubt-not-measured-seen")),
        Some(_) => t.failure().map(in_one),
    };
    doubt(Verdict::Invalid, "not-measured", Problem { evidence, ..problem })
}

/// What is to be said of trials in which transactions were executed and every one of them failed: with which error most of them did.
pub fn all_failed<'t>(trials: impl IntoIterator<Item = &'t TrialResult>) -> Option<Message> {
    let (mut n, mut errors) = (0, BTreeMap::new());
    for t in trials {
        let accounting = &t.tally.accounting;
        (accounting.all_completed() == 0).then_some(())?;
        n += accounting.all_failed();
        for (name, statement) in &t.tally.statements {
            statement.all_errors().into_iter().for_each(|(code, n)| *errors.entry((name, code)).or_insert(0) += n);
        }
    }
    (n > 0).then_some(())?;
    Some(match errors.into_iter().max_by_key(|(_, n)| *n) {
        Some(((statement, code), _)) => msg!("doubt-all-failed", n, statement, code),
        None => msg!("doubt-all-failed-without-code", n),
    })
}

fn unbalanced(t: &TrialResult) -> Option<Doubt> {
    let a = &t.tally.accounting;
    if a.balances() {
        return None;
    }
    doubt(
        Verdict::Invalid,
        "accounting",
        Problem::new(msg!("doubt-accounting")).evidence(msg!(
            "doubt-accounting-seen",
            before = a.begun_before,
            scheduled = a.scheduled,
            completed = a.completed,
            failed = a.failed,
            skipped = a.skipped,
            open = a.open
        )),
    )
}

fn cut_short(t: &TrialResult) -> Option<Doubt> {
    if t.measured_ns() == 0 {
        // Reported already.
        return None;
    }
    let (measured_s, planned_s) = (t.measured_ns() as f64 / 1e9, t.trial.measure_ms as f64 / 1e3);
    let is_hidden = figure::seconds(measured_s) == figure::seconds(planned_s);
    // 0.49 s are not "0.5 s of 0.5 s".
    let shown = |value: f64| if is_hidden { msg!("seconds", value = format!("{value:.3}")) } else { seconds(value) };
    let evidence = match t.measured_ns() / 1_000_000 < t.trial.measure_ms {
        true => msg!("measured-of-planned", measured = shown(measured_s), planned = shown(planned_s)),
        false => msg!("measured-all-of-planned", planned = seconds(planned_s)),
    };
    match t.state? {
        EndState::Complete => None,
        EndState::Partial => {
            doubt(Verdict::Degraded, "partial", Problem::new(msg!("doubt-partial")).evidence(evidence))
        }
        EndState::Failed => doubt(
            Verdict::Invalid,
            "failed",
            Problem::new(msg!("doubt-failed")).evidence(match t.failure() {
                None => evidence,
                Some(why) => msg!("seen-then", seen = evidence, why = in_one(why)),
            }),
        ),
    }
}

fn server_gone(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() > 0 && t.lost_sight(observer::SERVER_PROCESS)).then_some(())?;
    doubt(
        Verdict::Invalid,
        "server-gone",
        Problem::new(msg!("doubt-server-gone"))
            .evidence(msg!("doubt-server-gone-seen"))
            .hint(msg!("doubt-server-gone-hint")),
    )
}

fn clients_gone(t: &TrialResult) -> Option<Doubt> {
    // Those of lost load hosts are reported with them.
    let lost = t.lost_hosts().map(|part| part.clients).sum();
    let (connected, expected) = (t.clients_at_end()?, t.trial.load.clients.saturating_sub(lost));
    (t.state.is_some() && connected < expected).then_some(())?;
    doubt(
        Verdict::Invalid,
        "clients-lost",
        Problem::new(msg!("doubt-clients-lost"))
            .evidence(msg!("doubt-clients-lost-seen", connected, asked = expected))
            .hint(msg!("doubt-clients-lost-hint")),
    )
}

fn unavailable(t: &TrialResult) -> Option<Doubt> {
    let (ns, clients) = (t.tally.unavailable_ns, t.trial.load.clients);
    (ns > 0 && t.measured_ns() > 0).then_some(())?;
    let all = t.measured_ns() as f64 * f64::from(clients.max(1));
    let share = ns as f64 / all;
    let percent = share * 100.0;
    let reconnects = t.tally.reconnects;
    let evidence = msg!(
        "doubt-unavailable-seen",
        time = s(ns),
        percent = format_args!("{percent:.2}"),
        clients,
        value = s(t.measured_ns()),
        reconnects
    );
    let codes = codes(&t.tally.connect_errors());
    let refused = (!codes.is_empty()).then(|| msg!("doubt-unavailable-errors", codes));
    doubt(
        if share >= LOST_AT_END { Verdict::Invalid } else { Verdict::Degraded },
        "unavailable",
        Problem::new(msg!("doubt-unavailable"))
            .evidence(Message::joined([evidence].into_iter().chain(refused), "; "))
            .hint(msg!("doubt-unavailable-hint")),
    )
}

/// TPC-C on tables that cannot roll back: one in a hundred New-Orders is rolled back, and its rows remain.
fn no_transactions(t: &TrialResult) -> Option<Doubt> {
    let engines = promise::without_transactions(durability::engine(t).unwrap_or(""));
    (t.trial.load.workload == tpcc::WORKLOAD && !engines.is_empty()).then_some(())?;
    let engines = engines.join(", ");
    doubt(
        Verdict::Invalid,
        "no-transactions",
        Problem::new(msg!("doubt-no-transactions"))
            .evidence(msg!("doubt-no-transactions-seen", engines))
            .hint(msg!("doubt-no-transactions-hint")),
    )
}

/// In a closed loop each client is always in a transaction, or pauses by itself: the time that they spent so within the window,
/// over the window, is their number (Little 1961). Transactions across the edges count as far as they lie in the window, so that it
/// holds exactly, whatever they last.
fn littles_law(t: &TrialResult) -> Option<Doubt> {
    // Clients that end by themselves are not there to the end; those of a lost load host neither.
    let there = counted::expected(&t.trial.load).is_none() && t.hosts.values().all(|host| host.part.lost.is_none());
    // A window that an error ended may be so short that the threads had hardly begun; that it ended so is a doubt of its own.
    let there = there && t.state != Some(EndState::Failed);
    // Events on the host may be shorter than the cost of counting them; established figures include that cost.
    (t.trial.load.is_closed() && there && !t.on_host() && t.measured_ns() > 0).then_some(())?;
    let (busy, pausing) = (t.in_progress()?, t.pausing());
    let (in_progress, clients) = (busy + pausing, f64::from(t.trial.load.clients));
    // Between two transactions a client spends some time in the engine, so a slightly lower number is normal.
    ((in_progress - clients).abs() / clients > 0.05).then_some(())?;
    let and_pausing = match pausing {
        0.0 => foreign(""),
        pausing => msg!("and-pausing", pausing = format_args!("{pausing:.2}")),
    };
    let busy = format!("{busy:.2}");
    let evidence = match in_progress > clients {
        true => msg!("doubt-littles-law-more", busy, and_pausing, clients),
        false => msg!("doubt-littles-law-seen", busy, and_pausing, clients),
    };
    doubt(Verdict::Degraded, "littles-law", Problem::new(msg!("doubt-littles-law")).evidence(evidence))
}

/// Where a number of transactions ends the window: what ended, but was in progress when it began, decides the throughput from this share on.
const IN_MIDST: f64 = 0.15;

/// A number of transactions ends the window, and as many as decide its throughput were in progress when it began.
fn starts_in_midst(t: &TrialResult) -> bool {
    let (load, accounting) = (&t.trial.load, &t.tally.accounting);
    let is_by_number = load.is_closed() && load.operations.is_some() && load.drain_ms == 0;
    is_by_number && accounting.carried as f64 > IN_MIDST * accounting.all_completed() as f64
}

/// How many transactions end within the window is a matter of chance: the longest lasted as long as the window, so that most of its like
/// are in progress at one of the edges; or clients begin and end together, and one more of these waves would fit or not.
fn long_transactions(t: &TrialResult) -> Option<Doubt> {
    // Where the last transactions are waited for, it is the window in which they began, and their time counts in all its length.
    let (longest_ns, window_ns) = (counting::longest_ns(t), t.counted_ns());
    let by_time = t.trial.load.is_closed() && counted::expected(&t.trial.load).is_none();
    let edges = counting::doubtful_edges(t);
    let is_left_to_chance = edges.is_some() || by_time && longest_ns >= window_ns;
    (window_ns > 0 && (is_left_to_chance || starts_in_midst(t))).then_some(())?;
    // What was in progress while nothing completed, or waited for something, is long for a reason that is reported already.
    let waits = starts::starved(t).is_some() || starts::still_waiting(t).is_some();
    (!waits && standstill(t).is_none() && silent_at_end(t).is_none()).then_some(())?;
    let (longest, window) = (s(longest_ns), s(window_ns));
    let problem = Problem::new(msg!("doubt-long-transactions"));
    // Where the last transactions are waited for, those whose time this is are not the ones of which throughput is made.
    let exact = edges.filter(|_| t.trial.load.drain_ms == 0).map(|ended| format!("{:.0}", 100.0 * ended));
    let problem = problem.evidence(match exact {
        Some(percent) => msg!("doubt-long-transactions-edges", longest, window, percent),
        None => msg!("doubt-long-transactions-seen", longest, window),
    });
    doubt(Verdict::Degraded, "long-transactions", problem.hint(msg!("doubt-long-transactions-hint")))
}

/// The other targets of its duet were not driven to the end: what it was to be measured beside was not there.
fn duet_alone(t: &TrialResult) -> Option<Doubt> {
    doubt(Verdict::Invalid, "driven-alone", noted(t, "duet-driven-alone")?)
}

/// Some of them were not, and at least one was.
fn duet_without(t: &TrialResult) -> Option<Doubt> {
    doubt(Verdict::Degraded, "fewer-targets", noted(t, "duet-driven-without")?)
}

/// What the run has noted about the trial with this identifier.
fn noted(t: &TrialResult, identifier: &str) -> Option<Problem> {
    t.notes.iter().find(|(_, problem)| problem.what.is(identifier)).map(|(_, problem)| problem.clone())
}

/// Found before the trial: a load balancer, and not one server, was measured.
fn many_servers(t: &TrialResult) -> Option<Doubt> {
    doubt(Verdict::Degraded, "many-servers", noted(t, MANY_SERVERS)?)
}

/// The code of the note, which `target::doctor` makes.
const MANY_SERVERS: &str = "many-servers";

fn scaled(t: &TrialResult) -> Option<Doubt> {
    let scale = t.trial.scale?;
    let problem = Problem::new(msg!("doubt-scaled")).evidence(msg!("doubt-scaled-seen", scale));
    doubt(Verdict::Degraded, "scaled", problem.hint(msg!("doubt-scaled-hint")))
}

fn not_settled(t: &TrialResult) -> Option<Doubt> {
    let left = settling::left(t);
    let evidence = Message::list(left.iter().map(settling::Debt::words).collect::<Vec<_>>());
    (!left.is_empty()).then_some(())?;
    let problem = Problem::new(msg!("doubt-not-settled")).evidence(evidence);
    doubt(
        Verdict::Degraded,
        "not-settled",
        problem.hint(msg!("doubt-not-settled-hint", setting = settling::WRITES_WHEN_IDLE)),
    )
}
