//! Load hosts that act as one client: with a fake launcher, and in a simulated network.

mod hosts;
mod simulation;
