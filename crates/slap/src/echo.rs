//! Shows statements as they are sent, for `mysqlslap -vvv`, without those of Tenbin's mark.
//!
//! Global for the process, because there is one terminal. It is not used during measurements:
//! if it is not set, a statement costs one read of a constant address.

use std::sync::OnceLock;
use tenbin_driver::Error;

static SHOW: OnceLock<fn(&str)> = OnceLock::new();

/// From now on every line is passed to `show`, from any thread.
pub fn show_to(show: fn(&str)) {
    // A second call has no effect.
    let _ = SHOW.set(show);
}

/// Takes a statement that the server refused, and why.
type TellFailure = Box<dyn Fn(&str, &str) + Send + Sync>;

static FAILED: OnceLock<TellFailure> = OnceLock::new();

/// From now on every statement of a client that the server refuses is passed to `tell`, from any thread, with the server's message.
pub fn failures_to(tell: impl Fn(&str, &str) + Send + Sync + 'static) {
    // A second call has no effect.
    let _ = FAILED.set(Box::new(tell));
}

/// Tells of a statement that the server has refused.
#[cold]
pub(super) fn failed(sql: &[u8], error: &Error) {
    if let Some(tell) = FAILED.get() {
        tell(&String::from_utf8_lossy(sql), error.message());
    }
}

/// Shows a stage, or what mysqlslap prints at this point.
#[inline]
pub(super) fn line(text: &str) {
    if let Some(show) = SHOW.get() {
        show(text);
    }
}

/// Shows a statement, with the text that mysqlslap appends to each.
#[inline]
pub(super) fn statement(sql: &[u8]) {
    if let Some(show) = SHOW.get() {
        show(&format!("{};", String::from_utf8_lossy(sql)));
    }
}
