//! The few formulas a comparison needs, with their sources.
