//! The clock of this machine, before anything is named after its time.

use std::time::{Duration, SystemTime};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The first second that has no date of four digits: 10000-01-01, less a day for time zones.
const END_S: u64 = 253_402_300_800 - 86_400;
/// Seconds of a year on average.
const YEAR_S: u64 = 31_556_952;

/// Fails if the clock shows no date between 1970 and 9999.
pub fn check() -> Result<(), Problem> {
    checked(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok())
}

fn checked(since_1970: Option<Duration>) -> Result<(), Problem> {
    let year = match since_1970 {
        Some(time) if time.as_secs() < END_S => return Ok(()),
        Some(time) => (1970 + time.as_secs() / YEAR_S).to_string(),
        None => "< 1970".to_owned(),
    };
    Err(Problem::new(msg!("clock-shows-no-date")).evidence(msg!("clock-shows-year", year)).hint(msg!("set-the-clock")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_above_9999_is_one_clear_error() {
        let at = |seconds| checked(Some(Duration::from_secs(seconds)));
        assert!(at(0).is_ok() && at(1_795_399_169).is_ok() && at(END_S - 1).is_ok());
        let problem = at(300_000_000_000).unwrap_err();
        assert_eq!(problem.evidence.unwrap().english(), "its clock shows the year 11476");
        assert!(at(u64::MAX).is_err() && checked(None).is_err());
    }
}
