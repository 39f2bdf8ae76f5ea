//! The output of progress bars: standard error, and the width of standard output.
//!
//! A terminal may be closed during a run (a lost connection, a closed window). Drawing then fails, on which indicatif
//! panics; here errors are ignored.

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};
use std::io;

/// The columns of the terminal that standard output is; `None` if it is not a terminal.
pub fn columns() -> Option<usize> {
    let out = Term::stdout();
    out.is_term().then(|| usize::from(out.size().1).clamp(60, 120))
}

/// The columns of the terminal that the bars are drawn on, standard error.
pub fn columns_of_bars() -> usize {
    usize::from(Term::stderr().size().1)
}

/// The draw target, with at most this many updates per second, for a standard error that is a screen (`exit::is_screen`).
pub fn target(hz: u8) -> ProgressDrawTarget {
    ProgressDrawTarget::term_like_with_hz(Box::new(Screen(Term::buffered_stderr())), hz)
}

#[derive(Debug)]
struct Screen(Term);

/// Ignores the outcome.
fn passed_over(_: io::Result<()>) -> io::Result<()> {
    Ok(())
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        passed_over(self.0.move_cursor_up(n))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        passed_over(self.0.move_cursor_down(n))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        passed_over(self.0.move_cursor_right(n))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        passed_over(self.0.move_cursor_left(n))
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        passed_over(self.0.write_line(s))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        passed_over(self.0.write_str(s))
    }

    fn clear_line(&self) -> io::Result<()> {
        passed_over(self.0.clear_line())
    }

    fn flush(&self) -> io::Result<()> {
        passed_over(self.0.flush())
    }
}
