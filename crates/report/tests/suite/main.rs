//! Run directories, pages and exports, from events and recordings.

mod along_axis;
mod bundles;
mod common;
mod damage;
mod experiments;
mod hostile;
mod languages;
mod load_hosts;
mod strangers;
mod summaries;
mod tables;
mod variants;
mod verify;
