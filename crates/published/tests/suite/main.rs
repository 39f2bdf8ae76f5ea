//! Published tables and logs of any kind, read from bytes.

mod any_bytes;
mod asides;
mod courses_and_matrices;
mod cut_reports;
mod durations_and_units;
mod forms;
mod kinds;
mod languages;
mod little;
mod long_tables;
mod markup;
mod matrices;
mod names_of_rows;
mod other_nouns;
mod rates;
mod reading;
mod rows_of_figures;
mod said_twice;
mod scales_and_comparisons;
mod sections;
mod sentences;
mod side_by_side;
mod signs_and_shares;
mod titles;
mod true_logs;
mod units_and_names;
