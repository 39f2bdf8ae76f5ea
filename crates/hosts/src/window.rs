//! When the measured window begins, if that is found while the clients warm up: all hosts begin with the same interval.
//!
//! Clients decide about starts ahead of time, each host for itself. So all are asked from which interval on nothing will have been
//! decided for a while, and within that time they receive the latest of the answers. Pure: the coordinator sends what is returned.

use tenbin_engine::{Timeline, UNDECIDED_FOR};

/// How long before it begins hosts learn of the window at the latest.
const NOTICE_NS: u64 = 500_000_000;

/// What is to be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowStep {
    /// Nothing now.
    Wait,
    /// All hosts are asked.
    Ask,
    /// All hosts begin with the interval of this number.
    Begin(u64),
}

/// The questions and answers of one drive.
#[derive(Debug)]
pub struct CommonWindow {
    asked_ns: Option<u64>,
    /// By host, to the latest question.
    answers: Vec<Option<u64>>,
    is_over: bool,
}

impl CommonWindow {
    /// Of this many hosts.
    pub fn new(hosts: usize) -> CommonWindow {
        CommonWindow { asked_ns: None, answers: vec![None; hosts], is_over: false }
    }

    /// Takes the answer of a host.
    pub fn take(&mut self, host: usize, interval: u64) {
        if let Some(answer) = self.answers.get_mut(host) {
            *answer = Some(interval);
        }
    }

    /// The next step of clients that have warmed up. `now_ns` is since the common start; `drives` says whether a host is still at work.
    /// The beginning of the window on the timeline is moved with [`WindowStep::Begin`].
    pub fn step(&mut self, now_ns: u64, timeline: &Timeline, drives: impl Fn(usize) -> bool) -> WindowStep {
        if self.is_over {
            return WindowStep::Wait;
        }
        let answered = |host: usize| self.answers[host].is_some() || !drives(host);
        let Some(asked_ns) = self.asked_ns else { return self.ask(now_ns) };
        if !(0..self.answers.len()).all(answered) {
            return WindowStep::Wait;
        }
        let valid_to_ns = asked_ns.saturating_add(UNDECIDED_FOR.as_nanos() as u64);
        if now_ns.saturating_add(NOTICE_NS) > valid_to_ns {
            // The last answer took too long. No other is under way.
            return self.ask(now_ns);
        }
        self.is_over = true;
        let first = self.answers.iter().flatten().max().copied();
        // Otherwise the longest warm-up has passed by then, and all know when that is.
        first.filter(|first| timeline.measure_from(*first)).map_or(WindowStep::Wait, WindowStep::Begin)
    }

    fn ask(&mut self, now_ns: u64) -> WindowStep {
        self.asked_ns = Some(now_ns);
        self.answers.fill(None);
        WindowStep::Ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WindowStep::{Ask, Begin, Wait};

    const S: u64 = 1_000_000_000;

    #[test]
    fn the_latest_answer_counts() {
        let (mut window, timeline) = (CommonWindow::new(3), Timeline::new(60_000, 5000, 1000));
        assert_eq!(window.step(9 * S, &timeline, |_| true), Ask);
        window.take(0, 12);
        window.take(2, 14);
        assert_eq!(window.step(9 * S + 1, &timeline, |_| true), Wait, "the second host has not answered");
        window.take(1, 12);
        assert_eq!((window.step(10 * S, &timeline, |_| true), timeline.warmup_ns()), (Begin(14), 14 * S));
        assert_eq!(window.step(10 * S, &timeline, |_| true), Wait, "only once");
    }

    #[test]
    fn a_host_that_is_gone_is_not_waited_for() {
        let (mut window, timeline) = (CommonWindow::new(2), Timeline::new(60_000, 5000, 1000));
        assert_eq!(window.step(0, &timeline, |_| true), Ask);
        window.take(0, 3);
        assert_eq!(window.step(S, &timeline, |host| host == 0), Begin(3));
        let (mut window, timeline) = (CommonWindow::new(1), Timeline::new(60_000, 5000, 1000));
        assert_eq!(window.step(0, &timeline, |_| true), Ask);
        assert_eq!(window.step(S, &timeline, |_| false), Wait, "no host is left");
    }

    #[test]
    fn an_answer_that_took_too_long_is_asked_for_again() {
        let (mut window, timeline) = (CommonWindow::new(2), Timeline::new(60_000, 5000, 1000));
        assert_eq!(window.step(0, &timeline, |_| true), Ask);
        window.take(0, 3);
        window.take(1, 5);
        assert_eq!(window.step(2 * S, &timeline, |_| true), Ask, "3 may be decided about by now");
        window.take(0, 5);
        assert_eq!(window.step(2 * S, &timeline, |_| true), Wait, "the other answer was to the first question");
        window.take(1, 5);
        assert_eq!(window.step(3 * S, &timeline, |_| true), Begin(5));
    }

    #[test]
    fn the_longest_warm_up_ends_where_it_was_to_end() {
        let (mut window, timeline) = (CommonWindow::new(1), Timeline::new(10_000, 5000, 1000));
        assert_eq!(window.step(8 * S, &timeline, |_| true), Ask);
        window.take(0, 10);
        assert_eq!((window.step(8 * S, &timeline, |_| true), timeline.warmup_ns()), (Wait, 10 * S));
    }
}
