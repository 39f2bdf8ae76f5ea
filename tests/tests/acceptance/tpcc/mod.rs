//! TPC-C: loads, drives, conditions, faults.

mod deferred;
mod disk;
mod drives;
mod endurance;
mod faults;
mod sets;
mod slices;
