//! What is to be set so that more is known, as users write it. It is not translated.

use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const OBSERVE: &str = "observe = \"always\"";
pub(super) const LOAD: &str = "[experiment.load]";
pub(super) const LINE: &str = "line = \"1Gbit\"";
pub(super) const HOST: &str = "host = \"ssh://…\"";
pub(super) const PRIVILEGE: &str = "PROCESS";
pub(super) const PERFORMANCE_SCHEMA: &str = "performance_schema = ON";
pub(super) const WAITS: &str = "performance_schema: wait/synch/%, events_waits_current";

/// What sessions need to be seen.
pub(super) fn sessions() -> Message {
    msg!("missing-sessions-how", setting = OBSERVE, section = LOAD, privilege = PRIVILEGE)
}
