//! What progress bars are drawn on: standard error, as long as there is somebody to see it.
//!
//! A terminal can go away while a run goes on (a line that drops, a window that is closed). Drawing then fails, which indicatif takes
//! for the end of the world; here it is passed over.

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};
use std::io;

/// Where bars are drawn, at most so many times a second.
pub fn target(hz: u8) -> ProgressDrawTarget {
    ProgressDrawTarget::term_like_with_hz(Box::new(Screen(Term::buffered_stderr())), hz)
}

#[derive(Debug)]
struct Screen(Term);

/// Whatever came of it.
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
