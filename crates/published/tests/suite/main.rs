//! Published tables and logs of any kind, read from bytes.

mod any_bytes;
mod asides;
mod courses_and_matrices;
mod forms;
mod kinds;
mod markup;
mod matrices;
mod other_nouns;
mod rates;
mod reading;
mod rows_of_figures;
mod signs_and_shares;
mod units_and_names;
