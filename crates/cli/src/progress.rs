//! The progress of a load or a check: a bar on a terminal, otherwise a line every five seconds, nothing with `--json`.

use crate::{exit, screen};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenbin_model::stop::StopSignal;
use tenbin_servers::Waiting;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Seconds between two lines.
const EVERY_S: f64 = 5.0;

/// The period in seconds whose rate is used to estimate the remaining time, because a load slows down
/// when the server's memory is full.
const WINDOW_S: f64 = 30.0;

/// Seconds without progress after which the server is queried for its activity. Building an index or a key also makes
/// no progress.
const SILENT_S: f64 = 15.0;

/// How often in a row this query may fail before the server is given up: more than a minute.
const DEAF: u32 = 4;

/// Shown on standard error until it is dropped.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    pace: Mutex<Pace>,
    /// Lines are printed instead of the bar.
    lines: bool,
    unit: &'static str,
}

impl Progress {
    /// For this many rows (or another `unit`); with `quiet` it is only shown on a screen.
    pub fn new(rows: u64, unit: &'static str, quiet: bool) -> Progress {
        let on_screen = exit::is_screen(&std::io::stderr());
        let target = if on_screen { screen::target(20) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(rows), target);
        let words = exit::words().text(msg!(
            "progress-of-load",
            done = "{human_pos}",
            of = "{human_len}",
            unit = tenbin_lab::unit(unit),
            rate = "{per_sec}",
            left = msg!("time-left", time = "{eta}"),
        ));
        let form = format!("{{bar:36.cyan/dim}} {{percent:>3}}%  {words}");
        bar.set_style(ProgressStyle::with_template(&form).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let lines = !quiet && !on_screen;
        Progress { bar, start: Instant::now(), pace: Mutex::default(), lines, unit }
    }

    /// Sets the progress. Called from any thread.
    pub fn at(&self, done: u64, of: u64) {
        if self.bar.length() != Some(of) {
            self.bar.set_length(of);
        }
        self.bar.set_position(done);
        let line = {
            let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.at(self.start.elapsed().as_secs_f64(), done, of, self.unit)
        };
        if let Some(line) = line.filter(|_| self.lines) {
            self.print(&exit::words().text(line));
        }
    }

    /// Does the work while another thread watches: if there was no progress for [`SILENT_S`], the result of `waiting` is
    /// printed, and again while this lasts. A server that has not answered [`DEAF`] times in a row is given up: `leave`
    /// is requested.
    pub fn watched<T>(&self, waiting: impl Fn() -> Waiting + Sync, leave: &StopSignal, work: impl FnOnce() -> T) -> T {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (mut remarked_s, mut deaf, mut before_s) = (0.0, 0, 0.0);
                while !over.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(100));
                    let now_s = self.start.elapsed().as_secs_f64();
                    let moved_s = self.pace.lock().unwrap_or_else(PoisonError::into_inner).moved_s;
                    if now_s - moved_s.max(remarked_s) > SILENT_S {
                        let Waiting { problem, answers } = waiting();
                        deaf = if answers || moved_s > before_s { 0 } else { deaf + 1 };
                        before_s = moved_s;
                        if !over.load(Ordering::Relaxed) {
                            self.bar.suspend(|| exit::remark(&problem));
                        }
                        if deaf == DEAF {
                            leave.ask();
                        }
                        remarked_s = self.start.elapsed().as_secs_f64();
                    }
                }
            });
            let _over = Over(&over);
            work()
        })
    }

    /// Prints a separate line, above the bar.
    pub fn print(&self, line: &str) {
        self.bar.suspend(|| exit::print_error(&format!("  {line}")));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Ends the watch, also when the work panics.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The rate of progress.
#[derive(Debug, Default)]
struct Pace {
    /// Time and count: of the start, and of the last half minute.
    samples: VecDeque<(f64, u64)>,
    remarked_s: f64,
    /// The time of the last progress.
    moved_s: f64,
}

impl Pace {
    /// The line to print now, if it is time for one.
    fn at(&mut self, now_s: f64, done: u64, of: u64, unit: &str) -> Option<Message> {
        self.moved_s = now_s;
        if self.samples.is_empty() {
            // A continued load starts with existing rows.
            self.samples.push_back((now_s, done));
            self.remarked_s = now_s;
        }
        if now_s < self.remarked_s + EVERY_S || done == 0 {
            return None;
        }
        self.remarked_s = now_s;
        while self.samples.len() > 1 && self.samples[1].0 <= now_s - WINDOW_S {
            self.samples.pop_front();
        }
        let (then_s, before) = *self.samples.front()?;
        self.samples.push_back((now_s, done));
        let rate = done.saturating_sub(before) as f64 / (now_s - then_s);
        let left = (of.saturating_sub(done) as f64 / rate).round();
        let left =
            if left.is_finite() { msg!("time-left", time = figure::duration(left)) } else { msg!("standing-still") };
        let [done, of] = [done, of].map(|n| figure::whole(i128::from(n)));
        let unit = tenbin_lab::unit(unit);
        let rate = msg!("rate-of-load", n = figure::grouped(rate), unit);
        Some(msg!("progress-of-load", done, of, unit, rate, left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_last_half_minute() {
        let mut pace = Pace::default();
        // A thousand rows are in from before; then 100 a second, from the hundredth second on 10.
        let rows = |s: u64| 1000 + 100 * s.min(100) + 10 * s.saturating_sub(100);
        let lines: Vec<Option<Message>> = (0..=140).map(|s| pace.at(s as f64, rows(s), 12_000, "rows")).collect();
        assert_eq!(lines[0], None, "nothing is known yet");
        assert_eq!(lines[5].as_deref(), Some("1,500 of 12,000 rows  100 rows/s  1 min 45 s left"));
        assert_eq!(lines[6], None, "a line every five seconds");
        assert_eq!(lines[140].as_deref(), Some("11,400 of 12,000 rows  10 rows/s  60 s left"));
        let japanese = lines[5].as_ref().unwrap().text(tenbin_words::language::Language::Japanese);
        assert_eq!(japanese, "1,500 / 12,000 行  毎秒 100 行  残り 1 分 45 秒");
        let still: Vec<_> = (141..180).filter_map(|s| pace.at(f64::from(s), 11_400, 12_000, "rows")).collect();
        assert_eq!(*still.last().unwrap(), "11,400 of 12,000 rows  0 rows/s  standing still");
    }
}
