//! What the values of options are read as.

use std::fmt;
use tenbin_model::plan::PlanScale;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// A duration with a unit, or in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Milliseconds(pub u64);

/// Why a value cannot be what was typed, in the language in which the command line is answered.
#[derive(Debug, Clone)]
pub struct WrongValue(pub Message);

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.english())
    }
}

impl std::error::Error for WrongValue {}

/// A count as people write it: `10000`, `10k`, `1M`, `1e6`.
pub fn count<T: TryFrom<u64>>(text: &str) -> Result<T, WrongValue> {
    let count = units::count(text).ok_or_else(|| WrongValue(msg!("not-a-count")))?;
    T::try_from(count).map_err(|_| WrongValue(msg!("amount-too-large", text = format_args!("{text:?}"))))
}

/// A part of a plan.
pub fn scale(text: &str) -> Result<PlanScale, WrongValue> {
    PlanScale::parse(text).map_err(WrongValue)
}

pub fn duration(text: &str) -> Result<Milliseconds, WrongValue> {
    units::duration_ms(text).map(Milliseconds).map_err(WrongValue)
}
