//! Run directories, pages and exports, from events and recordings.

mod bundles;
mod common;
mod damage;
mod experiments;
mod formats;
mod languages;
mod load_hosts;
mod strangers;
mod summaries;
mod variants;
mod verify;
