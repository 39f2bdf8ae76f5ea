//! The timestamp as tpcc-mysql writes it into rows: the client's, in its time zone, to the second.

use jiff::Zoned;
use std::time::{Duration, Instant};

/// Caches the last text as long as it is valid.
#[derive(Debug, Default)]
pub(super) struct Clock {
    text: String,
    until: Option<Instant>,
}

impl Clock {
    /// `2026-11-22 03:08:05`.
    #[inline]
    pub(super) fn now(&mut self) -> &[u8] {
        let now = Instant::now();
        if self.until.is_none_or(|until| now >= until) {
            self.observe(now);
        }
        self.text.as_bytes()
    }

    /// Once a second.
    #[cold]
    fn observe(&mut self, now: Instant) {
        let time = Zoned::now();
        self.text = time.strftime("%Y-%m-%d %H:%M:%S").to_string();
        let left = Duration::from_secs(1).saturating_sub(Duration::from_nanos(time.subsec_nanosecond() as u64));
        self.until = now.checked_add(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_written_once_and_the_next_anew() {
        let mut clock = Clock::default();
        let first = String::from_utf8(clock.now().to_vec()).unwrap();
        assert!(jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M:%S", &first).is_ok(), "{first}");
        clock.text = "kept".into();
        clock.until = Instant::now().checked_add(Duration::from_secs(60));
        assert_eq!(clock.now(), b"kept");
        clock.until = Some(Instant::now());
        assert!(clock.now() >= first.as_bytes() && clock.text.len() == 19);
    }
}
