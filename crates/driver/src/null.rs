//! The null driver: answers at once, or after a fixed delay. A load on it measures Tenbin itself.

use crate::{Error, Reply};
use std::time::Duration;

/// A connection to nothing.
#[derive(Debug)]
pub struct NullConnection {
    delay: Duration,
    /// Whether it waits by blocking the thread, for callers that have no runtime.
    blocks: bool,
}

impl NullConnection {
    pub(crate) fn new(delay: Duration) -> Self {
        NullConnection { delay, blocks: false }
    }

    pub(crate) fn blocking(delay: Duration) -> Self {
        NullConnection { delay, blocks: true }
    }

    #[inline]
    pub(crate) fn reply_at_once(&self) -> Option<Reply> {
        self.delay.is_zero().then_some(Reply { rows: 1, ..Reply::default() })
    }

    pub(crate) async fn answer(&mut self) -> Result<Reply, Error> {
        if let Some(reply) = self.reply_at_once() {
            return Ok(reply);
        }
        if self.blocks {
            std::thread::sleep(self.delay);
            return Ok(Reply { rows: 1, ..Reply::default() });
        }
        // On the heap, so that the futures of other drivers, which have the same place, are no larger.
        Box::pin(tokio::time::sleep(self.delay)).await;
        Ok(Reply { rows: 1, ..Reply::default() })
    }
}
