//! What follows an error of a transaction, and how long to pause. Pure.

use std::time::Duration;
use tenbin_client::{Class, Error, Random};
use tenbin_model::trial::{Policy, Transient};

/// How long after the end of a drive that waits for its last transactions one of them may still be tried again: conflicts are over by then,
/// because no client begins another one. What still fails would fail without end.
pub const RETRIES_AFTER_END: Duration = Duration::from_secs(3);

/// What a client does after an attempt ended with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorAction {
    /// The same transaction again, after ROLLBACK and a pause.
    Retry,
    /// The same transaction again, on a new connection.
    RetryElsewhere,
    /// The transaction has failed; the next one after ROLLBACK.
    Next,
    /// The transaction has failed; the next one on a new connection.
    Reconnect,
    /// The transaction has failed and the client leaves.
    Leave,
    /// The transaction has failed and the drive ends.
    Stop,
}

/// `attempt` is 0 for the first; `retries` is what the transaction itself says, if it does.
pub fn after(error: &Error, attempt: u32, retries: Option<u32>, policy: &Policy) -> ErrorAction {
    let may_retry = attempt < retries.unwrap_or(policy.retries);
    match class(error, &policy.transient) {
        Class::Conflict if may_retry => ErrorAction::Retry,
        // Abandoned: a deadlock never ends a trial.
        Class::Conflict => ErrorAction::Next,
        Class::Lost if policy.reconnect && may_retry && is_listed(error, &policy.transient) => {
            ErrorAction::RetryElsewhere
        }
        Class::Lost if policy.reconnect => ErrorAction::Reconnect,
        Class::Lost => ErrorAction::Leave,
        Class::Sql | Class::Limit | Class::Refused | Class::Protocol if policy.stop_on_error => ErrorAction::Stop,
        Class::Sql | Class::Limit | Class::Refused => ErrorAction::Next,
        // The meaning of the next bytes is unknown.
        Class::Protocol if policy.reconnect => ErrorAction::Reconnect,
        Class::Protocol => ErrorAction::Leave,
    }
}

/// Whether the plan says that it is transient.
fn is_listed(error: &Error, transient: &Transient) -> bool {
    let named = match transient {
        Transient::Known => false,
        Transient::All => true,
        Transient::Codes(codes) => codes.iter().any(|code| error.is(code)),
    };
    named && error.has_code() && !error.is_never_transient()
}

/// The error's class, unless the plan specifies otherwise. A lost connection remains lost.
fn class(error: &Error, transient: &Transient) -> Class {
    if *transient == Transient::Known || !error.has_code() || error.is_never_transient() {
        return error.class();
    }
    match error.class() {
        Class::Lost => Class::Lost,
        _ if is_listed(error, transient) => Class::Conflict,
        Class::Conflict => Class::Sql,
        other => other,
    }
}

/// The pause before retry `attempt` (from 1): 1 ms, doubling to 64 ms, varied by half so that clients in conflict do
/// not collide again.
pub fn before_retry(attempt: u32, random: &mut Random) -> Duration {
    let base = 1u64 << (attempt.saturating_sub(1)).min(6);
    Duration::from_millis(base).mul_f64(0.5 + random.unit())
}

/// The pause after reconnect number `failed` (from 1) has failed: 100 ms, doubling to 2 s, varied by a quarter.
pub fn before_reconnect(failed: u32, random: &mut Random) -> Duration {
    let base = (100u64 << (failed.saturating_sub(1)).min(5)).min(2000);
    Duration::from_millis(base).mul_f64(0.75 + random.unit() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::foreign;

    #[test]
    fn each_class_has_its_consequence() {
        let strict = Policy { retries: 2, reconnect: true, stop_on_error: true, transient: Transient::Known };
        let lax = Policy { stop_on_error: false, ..strict.clone() };
        let frail = Policy { reconnect: false, ..lax.clone() };
        let all = |policy: &Policy| {
            [Class::Conflict, Class::Lost, Class::Refused, Class::Sql, Class::Limit, Class::Protocol]
                .map(|class| after(&Error::new(class, foreign("")), 0, None, policy))
        };
        use ErrorAction::*;
        assert_eq!(all(&strict), [Retry, Reconnect, Stop, Stop, Stop, Stop]);
        assert_eq!(all(&lax), [Retry, Reconnect, Next, Next, Next, Reconnect]);
        assert_eq!(all(&frail), [Retry, Leave, Next, Next, Next, Leave]);
        assert_eq!(after(&Error::new(Class::Conflict, foreign("")), 2, None, &strict), Next, "after 2 retries");
        assert_eq!(
            after(&Error::new(Class::Conflict, foreign("")), 2, Some(3), &strict),
            Retry,
            "the transaction says 3"
        );
    }

    #[test]
    fn a_plan_may_say_which_errors_are_transient() {
        let (deadlock, duplicate) =
            (Error::new(Class::Conflict, foreign("")).code(1213), Error::new(Class::Sql, foreign("")).code(1062));
        let (lost, ours) = (Error::new(Class::Lost, foreign("")).code(2013), Error::new(Class::Sql, foreign("")));
        let then = |transient| {
            let policy = Policy { transient, ..Policy::default() };
            [&deadlock, &duplicate, &lost, &ours].map(|e| after(e, 0, None, &policy))
        };
        use ErrorAction::*;
        assert_eq!(then(Transient::Known), [Retry, Stop, Reconnect, Stop]);
        assert_eq!(then(Transient::Codes(vec!["1062".into()])), [Stop, Retry, Reconnect, Stop]);
        assert_eq!(then(Transient::All), [Retry, Retry, RetryElsewhere, Stop]);
        assert_eq!(then(Transient::Codes(vec!["2013".into()])), [Stop, Stop, RetryElsewhere, Stop]);
        let policy = Policy { transient: Transient::All, reconnect: false, ..Policy::default() };
        assert_eq!(after(&lost, 0, None, &policy), Leave, "there is no other connection");
        let policy = Policy { transient: Transient::All, ..Policy::default() };
        assert_eq!(
            after(&duplicate.clone().never_transient(), 0, None, &policy),
            Stop,
            "the next attempt would send the same"
        );
    }

    #[test]
    fn pauses_grow_to_their_bounds() {
        let mut random = Random::new(1, 0);
        for n in 1..100 {
            let retry = before_retry(n, &mut random).as_secs_f64();
            assert!((0.0005..=0.096).contains(&retry), "{n}: {retry}");
            let reconnect = before_reconnect(n, &mut random).as_secs_f64();
            assert!((0.075..=2.5).contains(&reconnect), "{n}: {reconnect}");
        }
        assert!(before_reconnect(9, &mut random).as_secs_f64() >= 1.5);
    }
}
