//! The engine driven against a workload that does what each test tells it to.
//!
//! [`exact`] runs on tokio's paused clock: plan in, events out, to the nanosecond. [`accounting`] does so for random
//! schedules, [`groups`] for clients that do different things, [`edges`] for transactions across the edges of the window, [`standstill`] for servers that die or hang. [`parts`] adds up
//! what several load hosts do, [`window`] lets them begin to measure together. [`threads`] runs the real threads on the real clock.

mod accounting;
mod burst;
mod edges;
mod exact;
mod fake;
mod groups;
mod parts;
mod standstill;
mod threads;
mod window;
