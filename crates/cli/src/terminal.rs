//! The display during a run: a bar for the whole run with its ETA, the current trial, live TPS and p99.
//!
//! Everything goes to standard error, so that standard output contains only the result. If standard error is not a
//! terminal, or one that cannot move its cursor, lines are printed instead of bars.

use crate::table::{shortened, width};
use crate::{exit, screen};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tenbin_model::counted;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{EndState, Event, Phase, Severity};
use tenbin_model::figures::Figure;
use tenbin_model::plan::driven_ms;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, label};
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Load, Trial};
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question::{self, TimesOf};
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// What is shown of an interval.
struct Interval<'e> {
    phase: Phase,
    from_ns: u64,
    to_ns: u64,
    clients: u32,
    tally: &'e Tally,
}

impl Interval<'_> {
    /// The figures of its trial, so far: of the same transactions as when it has ended; and whose they are, where there is room for it.
    fn figures(&self, planned: &Trial, words: TerminalWords, has_room: bool) -> Message {
        let (load, starts) = (&planned.load, &self.tally.accounting);
        let figure = throughput(planned);
        let amount = question::of_interval(figure, load, self.tally, self.to_ns.saturating_sub(self.from_ns));
        let times = TimesOf::load(load).in_tally(self.tally).response;
        let [whose, whose_times] = if has_room { beside_figures(load, words) } else { Default::default() };
        let p99 = match (starts.all_completed(), times.count()) {
            (0, _) => msg!("nothing-completed"),
            // What had fallen due before the window has no time in it.
            (_, 0) => foreign(format_args!("p99 –{whose_times}")),
            _ => foreign(format_args!("p99 {}{whose_times}", figure::milliseconds(times.quantile_ns(0.99) as f64))),
        };
        let failed = match starts.all_failed() {
            0 => foreign(""),
            n => msg!("interval-failed", n),
        };
        let away = match load.clients.saturating_sub(self.clients) {
            0 => foreign(""),
            n => msg!("interval-away", n),
        };
        let amount = foreign(format_args!("{} {}{whose}  ", figure::grouped(amount), figure.unit()));
        Message::joined([amount, p99, failed, away], "")
    }
}

/// The throughput of a trial, as in the table at the end.
fn throughput(trial: &Trial) -> Figure {
    let of_orders = Question::of_load(&trial.load, trial.search.is_some()).has(Figure::NewOrders);
    if of_orders { Figure::NewOrders } else { Figure::Transactions }
}

/// Whose the throughput and the times of a trial are, where that needs to be said.
fn beside_figures(load: &Load, words: TerminalWords) -> [String; 2] {
    let whose = [question::throughput_of(load), TimesOf::load(load).words()];
    whose.map(|whose| whose.map_or_else(String::new, |whose| format!(" ({})", words.text(whose))))
}

/// The display of a run.
pub struct Terminal {
    words: TerminalWords,
    /// The planned trials, in order.
    trials: Vec<Trial>,
    /// The expected number of trials.
    expected: u32,
    /// Planned milliseconds of driving and settling of all trials; for those not planned yet, the mean of the others.
    total_ms: u64,
    bars: Option<Bars>,
    /// Whether lines are printed instead of bars.
    plain: bool,
    /// The phase of the current trial.
    phase: Option<Phase>,
    /// The start of the phase, nanoseconds since the run started.
    phase_from_ns: u64,
    /// Notes printed above the bars.
    noted: BTreeSet<String>,
    /// The last error printed: many trials may fail for the same reason.
    last_error: Option<Problem>,
    /// What the trials at the same time have done in their last intervals, by their numbers.
    beside: BTreeMap<u32, String>,
}

struct Bars {
    whole: ProgressBar,
    now: ProgressBar,
}

impl Terminal {
    /// Starts. With `quiet` (for JSON) no lines are printed either.
    pub fn start(quiet: bool, language: Language) -> Terminal {
        let on_screen = exit::is_screen(&std::io::stderr());
        let bars = on_screen.then(|| {
            let many = indicatif::MultiProgress::with_draw_target(screen::target(10));
            let whole = many.add(ProgressBar::new(0));
            let form = "{bar:36.cyan/dim} {percent:>3}%  {msg}";
            whole.set_style(ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar()));
            let now = many.add(ProgressBar::new_spinner());
            now.set_style(
                ProgressStyle::with_template("{spinner} {wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            now.enable_steady_tick(Duration::from_millis(200));
            Bars { whole, now }
        });
        Terminal {
            words: TerminalWords::new(language),
            trials: Vec::new(),
            expected: 0,
            total_ms: 0,
            plain: !on_screen && !quiet,
            bars,
            phase: None,
            phase_from_ns: 0,
            noted: BTreeSet::new(),
            last_error: None,
            beside: BTreeMap::new(),
        }
    }

    /// Shows one event; `summary` contains it already.
    pub fn show(&mut self, event: &Event, summary: &Summary) {
        match event {
            Event::TrialPlanned { planned, expected } => self.planned(planned, *expected),
            Event::TrialStarted { trial, .. } => {
                self.phase = None;
                let text = self.title(*trial);
                self.whole(*trial, 0);
                self.line(&text);
                self.now(&text);
            }
            Event::PhaseStarted { trial, phase, at_ns } => {
                self.phase = Some(*phase);
                self.phase_from_ns = *at_ns;
                let text = format!("{}  {}", self.title(*trial), self.words.phase(*phase));
                self.now(&text);
                self.phase_line(*trial, *phase);
            }
            Event::Progress { trial, phase, at_ns, done, total, unit } => {
                self.progress(*trial, *phase, *at_ns, *done, *total, unit);
            }
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, .. } => {
                let interval = Interval { phase: *phase, from_ns: *from_ns, to_ns: *to_ns, clients: *clients, tally };
                self.interval(*trial, &interval);
            }
            Event::Note { severity: Severity::Error, problem, trial, .. }
                if self.last_error.as_ref() == Some(problem) =>
            {
                let same = self.words.text(msg!("same-error-in-trial", trial));
                let same = format!("{}: {same}", self.words.text(msg!("label-error")));
                self.always(&same);
            }
            Event::Note { severity, problem, .. } if *severity > Severity::Info => {
                if *severity == Severity::Error {
                    self.last_error = Some(problem.clone());
                }
                let text = self.words.problem(problem);
                match severity {
                    Severity::Error => self.always(&format!("{}: {text}", self.words.text(msg!("label-error")))),
                    _ => self.above(|| exit::warn(self.words, &text)),
                }
            }
            Event::Note { problem, .. } => {
                // On a terminal each is printed once, because the bars are more important there.
                let text = problem.what.text(self.words.language);
                let text = format!("  {} {text}", self.words.label(msg!("label-note")));
                if self.plain {
                    self.line(&text);
                } else if self.bars.is_some() && self.noted.insert(problem.what.english().to_owned()) {
                    self.always(&text);
                }
            }
            Event::TrialFinished { trial, state, .. } => self.finished(*trial, *state, summary),
            Event::RunFinished { .. }
            | Event::RunStarted { .. }
            | Event::HostInterval { .. }
            | Event::HostFinished { .. }
            | Event::FileUsed { .. }
            | Event::ObserverDeclared { .. }
            | Event::Observation { .. }
            | Event::ServerStatements { .. }
            | Event::ClientCeiling { .. }
            | Event::Facts { .. }
            | Event::ServerInspected { .. } => {}
        }
    }

    /// Clears the bars.
    pub fn finish(self) {
        if let Some(bars) = self.bars {
            bars.now.finish_and_clear();
            bars.whole.finish_and_clear();
        }
    }

    fn planned(&mut self, trial: &Trial, expected: u32) {
        self.trials.push(trial.clone());
        self.expected = expected.max(self.trials.len() as u32);
        self.total_ms = total_ms(&self.trials, self.expected);
        if let Some(bars) = &self.bars {
            bars.whole.set_length(self.total_ms);
        }
    }

    fn progress(&mut self, trial: u32, phase: Phase, at_ns: u64, done: u64, total: u64, unit: &str) {
        let seconds = at_ns.saturating_sub(self.phase_from_ns) as f64 / 1e9;
        let rate = done as f64 / seconds.max(1e-9);
        let left = (done > 0).then(|| format!("  {}", self.words.left((total - done.min(total)) as f64 / rate)));
        let left = left.unwrap_or_default();
        let (title, phase) = (self.title(trial), self.words.phase(phase));
        let text = match unit {
            "rows" => self.words.text(msg!(
                "progress-rows",
                title,
                phase,
                rows = figure::whole(i128::from(done)),
                of = figure::whole(i128::from(total)),
                rate = figure::grouped(rate),
                left,
            )),
            _ => format!("{title}  {phase}{left}"),
        };
        self.now(&text);
        // Without bars: a line every five seconds, and the last.
        if unit == "rows"
            && (done == total || ((seconds as u64).is_multiple_of(5) && seconds.fract() < 0.25 && seconds > 1.0))
        {
            self.line(&format!("  {text}"));
        }
    }

    fn interval(&mut self, trial: u32, interval: &Interval<'_>) {
        let Some(planned) = self.trials.iter().find(|t| t.number == trial) else { return };
        let Interval { phase, to_ns, .. } = *interval;
        let within_ms = to_ns.saturating_sub(self.phase_from_ns) / 1_000_000;
        let phase_is_measure = phase == Phase::Measure;
        let before_ms = if phase_is_measure { planned.settle_ms + planned.warmup_ms } else { planned.settle_ms };
        let of_ms = if phase_is_measure { planned.measure_ms } else { planned.warmup_ms };
        self.whole(trial, before_ms + within_ms);
        let words = self.words;
        let [figures, brief] = [true, false].map(|has_room| interval.figures(planned, words, has_room));
        let (title, phase) = (self.title(trial), words.phase(phase));
        if planned.duet {
            // Those of the targets that are driven at the same time, side by side.
            let own = format!("{}  {}", planned.target.name, words.text(brief.clone()));
            let of_pair: Vec<u32> = self.trials.iter().filter(|t| is_beside(t, planned)).map(|t| t.number).collect();
            self.beside.retain(|number, _| of_pair.contains(number));
            self.beside.insert(trial, own);
        }
        let forms = match self.beside.len() {
            2.. if planned.duet => {
                let both = self.beside.values().map(String::as_str).collect::<Vec<_>>().join("  |  ");
                [foreign(&both), foreign(&both)]
            }
            _ => [figures, brief],
        };
        let seconds = within_ms as f64 / 1e3;
        let ends_early =
            if phase_is_measure { planned.measure_until.is_some() } else { planned.warmup_until.is_some() };
        let of = format!("{}{:.0}", if ends_early { "≤ " } else { "" }, of_ms as f64 / 1e3);
        let within = format!("{seconds:.0}");
        let behind = |figures: Message| {
            words.text(msg!("interval-shown", title = "", phase = &phase, within = &within, of = &of, figures))
        };
        self.now(&live_line(&title, forms.map(behind), screen::columns_of_bars().saturating_sub(SPINNER)));
    }

    /// Without bars: a line when a phase begins that takes some time; short trials print only their end.
    fn phase_line(&self, trial: u32, phase: Phase) {
        let Some(planned) = self.trials.iter().find(|t| t.number == trial) else { return };
        // The clients of all targets of a duet begin at the same time.
        if planned.duet && self.trials.iter().any(|t| t.number < trial && is_beside(t, planned)) {
            return;
        }
        let (ms, ends_early) = match phase {
            Phase::WarmUp => (planned.warmup_ms, planned.warmup_until.is_some()),
            Phase::Measure => (planned.measure_ms, planned.measure_until.is_some()),
            _ => return,
        };
        if ms >= 10_000 {
            let value = self.words.text(figure::duration(ms as f64 / 1e3));
            let time = if ends_early { self.words.text(msg!("at-most", value)) } else { value };
            self.line(&format!("  {}  {time}", self.words.phase(phase)));
        }
    }

    fn finished(&mut self, trial: u32, state: EndState, summary: &Summary) {
        let Some(result) = summary.trial(trial) else { return };
        let planned = driven_ms(std::slice::from_ref(&result.trial));
        self.whole(trial, planned);
        if result.tally.accounting.all_completed() == 0 {
            return;
        }
        let times = question::times(result);
        let words = self.words;
        let word = words.text(match state {
            EndState::Complete if counted::truncated(result) => msg!("ended-truncated"),
            EndState::Complete => foreign(""),
            EndState::Partial => msg!("ended-partial"),
            EndState::Failed => msg!("ended-failed"),
        });
        let doubts: Vec<String> = result.doubts().iter().map(|d| d.code.clone()).collect();
        let doubts = if doubts.is_empty() { String::new() } else { format!("  [{}]", doubts.join(", ")) };
        let title = self.title(trial);
        // The figures that the table at the end is made of.
        let in_seconds = Question::of(result) == Question::Seconds && !counted::is_short(result);
        let figure = if in_seconds { Figure::Seconds } else { throughput(&result.trial) };
        let amount = question::of_one_run(figure, result).map_or_else(String::new, figure::grouped);
        let [whose, whose_times] = beside_figures(&result.trial.load, words);
        let line = match result.verdict() {
            // Its figures are not a measurement, so they are not shown.
            Verdict::Invalid => format!("{title}  {}{doubts}{word}", words.text(Verdict::Invalid.word())),
            verdict => format!(
                "{title}  {amount} {}{whose}  {} {}  p99 {}{whose_times}  {}{doubts}{word}",
                figure.unit(),
                words.text(msg!("column-mean")),
                figure::milliseconds(times.mean_ns()),
                figure::milliseconds(times.quantile_ns(0.99) as f64),
                words.text(verdict.word())
            ),
        };
        match &self.bars {
            Some(_) => self.always(&line),
            None => self.line(&format!("  {line}")),
        }
    }

    /// `trial 3/16  wal  load.clients 4  repeat 1`
    fn title(&self, number: u32) -> String {
        let Some(t) = self.trials.iter().find(|t| t.number == number) else {
            return self.words.text(msg!("trial-of-number", number));
        };
        let axes = label(&t.axes);
        let axes = if axes.is_empty() { String::new() } else { format!("  {axes}") };
        let (target, of) = (&t.target.name, self.expected);
        self.words.text(msg!("trial-title", number, of, target, axes, repeat = t.repeat))
    }

    /// Moves the bar of the whole run: all trials before `trial`, and `within_ms` of it.
    fn whole(&self, trial: u32, within_ms: u64) {
        let Some(bars) = &self.bars else { return };
        let before = before_ms(&self.trials, trial);
        let done = (before + within_ms).min(self.total_ms);
        bars.whole.set_position(done);
        bars.whole.set_message(self.words.left((self.total_ms - done) as f64 / 1e3));
    }

    fn now(&self, text: &str) {
        if let Some(bars) = &self.bars {
            bars.now.set_message(visible(text).into_owned());
        }
    }

    /// A line; nothing if there are bars.
    fn line(&self, text: &str) {
        if self.plain {
            exit::print_error(text);
        }
    }

    /// A line in any case.
    fn always(&self, text: &str) {
        self.above(|| exit::print_error(text));
    }

    /// Prints above the bars, if there are any.
    fn above(&self, print: impl FnOnce()) {
        match &self.bars {
            Some(bars) => bars.whole.suspend(print),
            None => print(),
        }
    }
}

/// The line of a trial that runs, in this many columns, because what is longer is cut off at its end, where the p99 is: its title, and what
/// stands behind it, long and brief. The brief form is whole; the title is shortened to what it leaves.
fn live_line(title: &str, [long, brief]: [String; 2], room: usize) -> String {
    match width(title) + width(&long) <= room {
        true => format!("{title}{long}"),
        false => format!("{}{brief}", shortened(title, room.saturating_sub(width(&brief)))),
    }
}

/// The columns of the spinner and the space behind it.
const SPINNER: usize = 2;

/// The total for all trials, of which these are planned; the others are assumed to take as long on average.
fn total_ms(planned: &[Trial], expected: u32) -> u64 {
    let planned_ms = before_ms(planned, u32::MAX);
    planned_ms.saturating_mul(u64::from(expected)) / (planned.len() as u64).max(1)
}

/// How long those before this one take; the trials of a duet take the time of one.
fn before_ms(planned: &[Trial], trial: u32) -> u64 {
    let at = planned.iter().position(|t| t.number == trial).unwrap_or(planned.len());
    let first = planned.get(at).and_then(|own| planned.iter().position(|t| is_beside(t, own))).unwrap_or(at);
    let counts = |(index, t): &(usize, &Trial)| {
        let is_first = *index == 0 || !is_beside(&planned[*index - 1], t);
        is_first || !t.duet
    };
    planned[..first].iter().enumerate().filter(counts).map(|(_, t)| driven_ms(std::slice::from_ref(t))).sum()
}

/// Whether they are driven at the same time, or are the same.
fn is_beside(a: &Trial, b: &Trial) -> bool {
    let of = |t: &Trial| (t.duet, t.cell, t.repeat);
    a.number == b.number || (a.duet && of(a) == of(b) && a.experiment == b.experiment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};
    use tenbin_model::tally::{GroupTally, TransactionTally, group_prefix};
    use tenbin_model::trial::{Arrivals, ClientGroup, Overload, Schedule};

    /// The first trial of an experiment with this load.
    fn trial(load: &str) -> Trial {
        let text = format!(
            "schema = 1\ntargets.a.dsn = \"mysql://u@h/a\"\n[[experiment]]\nwarmup = \"1s\"\nmeasure = \"4s\"\n{load}"
        );
        expand(&Plan::parse(&text, &tenbin_workloads::catalog()).unwrap()).remove(0)
    }

    /// The line of two seconds of it, in which these completed: the group, the name, how many, and the milliseconds that each took.
    fn shown(trial: &Trial, each: &[(&str, &str, u64, u64)]) -> String {
        let mut tally = Tally::default();
        for (group, name, n, ms) in each {
            let mut one = TransactionTally { completed: *n, ..TransactionTally::default() };
            one.response.record_n(ms * 1_000_000, *n);
            let prefix = if group.is_empty() { String::new() } else { group_prefix(group) };
            tally.transactions.insert(prefix + name, one);
            tally.accounting.completed += n;
            let mut starts = GroupTally::default();
            starts.accounting.completed = *n;
            tally.groups.insert((*group).to_owned(), starts);
        }
        let clients = trial.load.clients;
        let interval = Interval { phase: Phase::Measure, from_ns: 0, to_ns: 2_000_000_000, clients, tally: &tally };
        let words = TerminalWords::new(Language::English);
        words.text(interval.figures(trial, words, true))
    }

    #[test]
    fn the_p99_is_in_the_line_of_a_trial_that_runs_also_on_a_narrow_terminal() {
        let title = "trial 3/16  mariadb-11.4-on-nvme  load.clients 64, load.workload oltp_read_write  repeat 2";
        let behind = [
            "  measure 3 of 20 s  150 TPS (groups without a rate)  p99 30 ms (all groups together)",
            "  measure 3 of 20 s  150 TPS  p99 30 ms",
        ];
        let line = |room| live_line(title, behind.map(str::to_owned), room);
        assert_eq!(line(200), format!("{title}{}", behind[0]), "all of it where there is room");
        insta::assert_snapshot!([100, 78, 58, 30].map(line).join("\n"), @"
        trial 3/16  mariadb-11.4-on-nv…load oltp_read_write  repeat 2  measure 3 of 20 s  150 TPS  p99 30 ms
        trial 3/16  mariadb…ead_write  repeat 2  measure 3 of 20 s  150 TPS  p99 30 ms
        trial 3/1… repeat 2  measure 3 of 20 s  150 TPS  p99 30 ms
        …  measure 3 of 20 s  150 TPS  p99 30 ms
        ");
        assert!([100, 78, 58].iter().all(|room| width(&line(*room)) <= *room && line(*room).ends_with("p99 30 ms")));
    }

    #[test]
    fn the_line_of_a_trial_that_runs_has_the_figures_of_the_table() {
        let tpcc = "dataset = \"d\"\n[experiment.load]\nworkload = \"tpcc\"\nclients = 4\n[datasets.d]\nkind = \"tpcc\"\nwarehouses = 1\n";
        let tpcc = trial(tpcc);
        let types = [("", "new_order", 200, 2), ("", "payment", 200, 1), ("", "stock_level", 20, 50)];
        let one = trial("[experiment.load]\nworkload = \"oltp_point_select\"\nclients = 2\n");
        let mut groups = one.clone();
        let given = Schedule::Open { rate: 50.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 100 } };
        let of = |name: &str, schedule| ClientGroup { name: name.to_owned(), clients: 1, schedule };
        groups.load.groups = vec![of("own", Schedule::Closed), of("given", given)];
        let lines = [
            shown(&tpcc, &types),
            shown(&tpcc, &types[1..]),
            shown(&groups, &[("own", "a", 300, 2), ("given", "b", 100, 30)]),
            shown(&one, &[("", "t", 4, 3)]),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r"
        6,000 NOPM  p99 2 ms (New-Orders)
        0 NOPM  p99 – (New-Orders)
        150 TPS (groups without a rate)  p99 30 ms (all groups together)
        2 TPS  p99 3 ms
        ");
        assert!(shown(&one, &[]).ends_with("nothing completed"));
    }

    #[test]
    fn trials_that_are_still_to_be_planned_count_as_long_as_the_others() {
        let text = "schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nsettle = \"0s\"\nwarmup = \"1s\"\nmeasure = \"4s\"\nrepeats = 3\n\
                    load = { workload = \"oltp_read_only\" }\n";
        let trials = expand(&Plan::parse(text, &tenbin_workloads::catalog()).unwrap());
        assert_eq!(total_ms(&trials, 3), 15_000, "all are planned");
        assert_eq!(total_ms(&trials[..2], 8), 40_000);
        assert_eq!(total_ms(&[], 8), 0, "nothing is known yet");
        let pair = trials[0].clone();
        let duet: Vec<Trial> =
            (1..=4).map(|number| Trial { number, repeat: number.div_ceil(2), duet: true, ..pair.clone() }).collect();
        assert_eq!(total_ms(&duet, 4), 10_000, "two targets take the time of one");
        assert_eq!([1, 2, 3, 4].map(|number| before_ms(&duet, number)), [0, 0, 5000, 5000]);
    }
}
