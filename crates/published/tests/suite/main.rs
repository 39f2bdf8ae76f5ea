//! Published tables and logs of any kind, read from bytes.

mod any_bytes;
mod asides;
mod forms;
mod kinds;
mod markup;
mod matrices;
mod rates;
mod reading;
mod signs_and_shares;
mod units_and_names;
