//! The loop that everything else is for: one client, from one intended start to the next.

use crate::course::{Course, lock};
use crate::shard::{Outcome, Shard};
use std::sync::Mutex;
use std::time::Duration;
use tenbin_driver::{Class, Error, Transport};
use tenbin_model::event::Phase;
use tenbin_model::problem::Problem;
use tenbin_workload::{Client, Turn};

/// First and longest pause between two attempts to reconnect.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// Drives one connected client until the course is over.
pub async fn run(client: &mut dyn Client, course: &Course, shard: &Mutex<Shard>, transport: Transport) {
    let mut turn = Turn::default();
    // After an outage: when the client wanted to go on. The wait for the server is part of the response time.
    let mut wanted_ns = None;
    while course.going() {
        // When.
        let Some((due_ns, phase)) = next_start(course, shard, wanted_ns.take()).await else { break };
        // What: nothing of ours happens between here and the last row.
        let start_ns = course.now_ns();
        let (result, retries) = attempts(client, course, shard, phase, &mut turn).await;
        let end_ns = course.now_ns();
        // Count.
        let outcome = Outcome {
            transaction: *result.as_ref().unwrap_or(&turn.transaction),
            response_ns: end_ns - due_ns,
            service_ns: end_ns - start_ns,
            retries,
            error: result.as_ref().err(),
        };
        let in_time = end_ns < course.end_of(phase);
        lock(shard).end(phase, &turn.marks, in_time.then_some(outcome));
        course.settle(phase);
        // What if.
        if let Err(error) = result {
            wanted_ns = Some(end_ns);
            if !mend(client, course, shard, phase, transport, &error).await {
                break;
            }
        }
    }
}

/// The next intended start, waited for and begun; `None` when there is none left.
async fn next_start(course: &Course, shard: &Mutex<Shard>, wanted_ns: Option<u64>) -> Option<(u64, Phase)> {
    let now_ns = course.now_ns();
    let due_ns = match &course.arrivals {
        None => wanted_ns.unwrap_or(now_ns),
        Some(arrivals) => lock(arrivals).ticket(now_ns),
    };
    let phase = course.phase(due_ns)?;
    if due_ns > now_ns {
        tokio::time::sleep_until(course.instant(due_ns).into()).await;
    }
    if !course.going() || !course.issue(phase) {
        return None;
    }
    match &course.arrivals {
        None => lock(shard).begin(phase, true),
        Some(arrivals) => {
            // Both under the schedule's lock: the collector never sees a ticket on its way.
            let mut arrivals = lock(arrivals);
            arrivals.taken(due_ns, course.now_ns());
            lock(shard).begin(phase, false);
            if arrivals.overloaded() {
                drop(arrivals);
                course.break_off(overload(course));
            }
        }
    }
    Some((due_ns, phase))
}

fn overload(course: &Course) -> Problem {
    Problem::new("the clients could not keep up with the asked rate, and the plan says to stop then")
        .evidence(format!("schedule {:?}, {} clients", course.what.load.schedule, course.what.load.clients))
        .mend("ask for a lower rate, give more clients, or set overload = \"queue\"")
}

/// The transaction, again after each conflict as often as the policy allows; answers with the number of retries.
async fn attempts(
    client: &mut dyn Client,
    course: &Course,
    shard: &Mutex<Shard>,
    phase: Phase,
    turn: &mut Turn,
) -> (Result<usize, Error>, u64) {
    turn.attempt = 0;
    loop {
        turn.marks.clear();
        let result = client.transaction(turn).await;
        let again = matches!(&result, Err(e) if e.class() == Class::Conflict)
            && turn.attempt < course.policy.retries
            && course.going();
        if !again {
            return (result, u64::from(turn.attempt));
        }
        lock(shard).attempt(phase, &turn.marks);
        if let Err(error) = client.recover().await {
            turn.marks.clear();
            return (Err(error), u64::from(turn.attempt));
        }
        turn.attempt += 1;
    }
}

/// Brings the client back after a failed transaction; answers whether it can go on.
async fn mend(
    client: &mut dyn Client,
    course: &Course,
    shard: &Mutex<Shard>,
    phase: Phase,
    transport: Transport,
    error: &Error,
) -> bool {
    let lost = match error.class() {
        Class::Lost => true,
        Class::Conflict => client.recover().await.is_err(),
        Class::Refused | Class::Sql | Class::Limit | Class::Protocol => {
            if course.policy.stop_on_error {
                course.break_off(error.problem("a statement"));
                return false;
            }
            client.recover().await.is_err()
        }
    };
    if !lost {
        return true;
    }
    course.count_connected(false);
    if !course.policy.reconnect {
        // A client that gives up leaves the others going; without any the drive is over.
        if course.connected() == 0 {
            course.break_off(error.problem("all clients lost their connections; the last"));
        }
        return false;
    }
    let (mut pause, longest) = BACK_OFF;
    while course.going() {
        if client.connect(transport).await.is_ok() {
            course.count_connected(true);
            lock(shard).reconnected(phase);
            return true;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(longest);
    }
    false
}
