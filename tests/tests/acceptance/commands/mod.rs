//! Plans and single commands from the command line to the run directory: what is refused beforehand, what is run, what
//! is left.

mod advice;
mod attached_by_others;
mod audit;
mod before_work;
mod cli;
mod compare;
mod credentials;
mod diff;
mod duet;
mod durability;
mod ends;
mod folders;
mod gate;
mod github_action;
mod history;
mod host;
mod host_files;
mod live_metrics;
mod machines;
mod observers;
mod one_at_a_time;
mod plans;
mod resume;
mod screen;
mod tables_of_others;
mod threads;
mod try_out;
mod typed;
mod verify;
mod warm_up;
