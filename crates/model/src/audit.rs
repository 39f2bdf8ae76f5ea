//! What we doubt about a result: VALID, DEGRADED or INVALID, with reasons.
