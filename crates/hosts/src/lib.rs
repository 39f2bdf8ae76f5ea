//! Many load hosts that act as one client.
//!
//! The coordinator, [`LoadHosts`], is the process that runs the plan. It deals out the clients and the starts of a trial, lets all
//! hosts connect, names a common start, merges what they count interval by interval, and follows their clocks. A host executes
//! [`serve()`] and drives its part with the same engine. A [`Launcher`](launch::Launcher) starts the hosts and connects them.
//!
//! Whatever is lost stays lost: a host that is not heard of for as long as its lease is given up and never replaced, and by then it
//! has stopped by itself.
//!
//! | | |
//! |---|---|
//! | [`coordinator`] | one drive on all hosts, from the assignment to the merged result |
//! | [`examine`] | whether the hosts are fit, before a plan is run |
//! | `fleet` | the hosts: who is there, clocks, leases |
//! | [`network`] | connections and the time, as the coordinator sees them; `connections` are the real ones |
//! | `report_queue` | what hosts have sent and has not been taken yet, and how much that may be |
//! | `admission` | what hosts may say about a drive: observers, samples and notes |
//! | [`serve()`] | the host's side |
//! | [`protocol`] | what they say to each other |
//! | [`clock`] | offset and drift of a host's clock |
//! | `loading` | the rows of a data set, loaded by all hosts |
//! | `window` | the interval with which all begin to measure, if the warm-up has no fixed length |
//! | [`merge`] | intervals of all hosts, added |
//! | [`launch`] | starting hosts: processes of this machine, over ssh, or by Ray |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod admission;
pub mod clock;
mod connections;
pub mod coordinator;
pub mod examine;
mod fleet;

pub mod launch;
mod loading;
pub mod merge;
pub mod network;
mod parts;
pub mod protocol;
mod report_queue;
pub mod serve;
mod window;

pub use coordinator::{HostEvent, HostsEnded, LoadHosts};
pub use examine::ExaminedHost;
pub use fleet::LEASE;
pub use network::Network;
pub use serve::{Served, Site, serve};
