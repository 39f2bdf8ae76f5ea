//! Statements shown as they are sent, for `mysqlslap -vvv`. The mark's own, with which Tenbin knows its schema again, are not
//! among them.
//!
//! One place for the whole process, because what is shown is a terminal, and there is one. Nobody who measures uses it:
//! where it is not set, a statement costs one look at an address that never changes.

use std::sync::OnceLock;

static SHOW: OnceLock<fn(&str)> = OnceLock::new();

/// From here on every line goes to `show`, from any thread.
pub fn show_to(show: fn(&str)) {
    // Twice is the same.
    let _ = SHOW.set(show);
}

/// A stage, or what mysqlslap says at this point.
#[inline]
pub(super) fn line(text: &str) {
    if let Some(show) = SHOW.get() {
        show(text);
    }
}

/// A statement, with what mysqlslap puts behind each.
#[inline]
pub(super) fn statement(sql: &[u8]) {
    if let Some(show) = SHOW.get() {
        show(&format!("{};", String::from_utf8_lossy(sql)));
    }
}
