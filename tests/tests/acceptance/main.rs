//! The real binary against real servers, as its users meet it. Which of it `make test` runs is in `.config/nextest.toml`.

mod commands;
mod dead_or_frozen;
mod faults;
mod guides;
mod hosts;
mod installed;
mod old_names;
mod own_sql;
mod ray;
mod servers;
mod settings;
mod tpcc;
mod why;
