//! What a stream of events comes to: one result per trial, one cell per target and load.
