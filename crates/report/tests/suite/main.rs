//! Run directories, pages and exports, from events and recordings.

mod along_axis;
mod bundles;
mod cards;
mod common;
mod content;
mod damage;
mod experiments;
mod glance;
mod hostile;
mod jobs;
mod languages;
mod load_hosts;
mod strangers;
mod summaries;
mod tables;
mod variants;
mod verify;
mod whose;
