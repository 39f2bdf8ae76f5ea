//! Locks that remain usable after a panic elsewhere: what they protect is valid at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks it.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
