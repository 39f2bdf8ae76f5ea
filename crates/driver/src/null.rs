//! The null driver: answers at once, or after a fixed delay. A load on it measures Tenbin itself.

use crate::{Error, Reply};
use std::time::Duration;

/// A connection to nothing.
#[derive(Debug)]
pub struct NullConnection {
    delay: Duration,
}

impl NullConnection {
    pub(crate) fn new(delay: Duration) -> Self {
        NullConnection { delay }
    }

    pub(crate) async fn answer(&mut self) -> Result<Reply, Error> {
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        Ok(Reply { rows: 1, ..Reply::default() })
    }
}
