//! PostgreSQL: `pg_stat_activity`, whose wait events say what a session waits for. The names are those of the chapter
//! "Monitoring Database Activity" of the manuals of versions 10 to 18.

use super::{SeenSession, SeenSessions, SessionActivity};
use tenbin_driver::Connection;
use tenbin_model::names::session::SessionClass;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How one server is asked.
#[derive(Debug)]
pub(super) struct PostgresSessions {
    query: String,
}

/// The classes that PostgreSQL distinguishes.
const TOLD: [SessionClass; 10] = [
    SessionClass::Running,
    SessionClass::Read,
    SessionClass::Write,
    SessionClass::Commit,
    SessionClass::RowLock,
    SessionClass::TableLock,
    SessionClass::Latch,
    SessionClass::Client,
    SessionClass::Requested,
    SessionClass::Other,
];

/// Learns the account and the host of the connection, which the clients share; `any_host`: only the account.
pub(super) async fn source(connection: &mut Connection, any_host: bool) -> Result<PostgresSessions, Problem> {
    let own = "SELECT usesysid, quote_nullable(host(client_addr)) FROM pg_stat_activity WHERE pid = pg_backend_pid()";
    let own = connection.table(own).await.map_err(|e| e.problem(msg!("reading-sessions")))?;
    let row = own.rows.first().map(Vec::as_slice).unwrap_or_default();
    let value = |at: usize| row.get(at).and_then(Option::as_deref).unwrap_or("NULL");
    Ok(PostgresSessions { query: query(value(0), (!any_host).then(|| value(1))) })
}

/// The query: number, ours, visible, state, wait event type, wait event. Of sessions of others the type is not shown to
/// every account.
fn query(account: &str, host: Option<&str>) -> String {
    let host = host.map_or_else(String::new, |host| format!(" AND host(client_addr) IS NOT DISTINCT FROM {host}"));
    format!(
        "SELECT pid, (usesysid = {account}{host})::int, \
         (query IS DISTINCT FROM '<insufficient privilege>')::int, state, wait_event_type, wait_event \
         FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
         AND (backend_type = 'client backend' OR backend_type IS NULL AND datid IS NOT NULL)"
    )
}

/// All sessions.
pub(super) async fn seen(connection: &mut Connection, source: &PostgresSessions) -> Result<SeenSessions, Problem> {
    let table = connection.table(&source.query).await.map_err(|e| e.problem(msg!("reading-sessions")))?;
    of_rows(&table.rows)
}

fn of_rows(rows: &[Vec<Option<String>>]) -> Result<SeenSessions, Problem> {
    let classes = TOLD.into_iter().collect();
    let mut snapshot = SeenSessions {
        distinguished: classes,
        tells_transactions: true,
        tells_others: true,
        ..SeenSessions::default()
    };
    for row in rows {
        let value = |at: usize| row.get(at).and_then(Option::as_deref);
        let Some(number) = value(0).and_then(|pid| pid.parse().ok()) else { continue };
        let ours = value(1) == Some("1");
        if value(2) == Some("0") {
            snapshot.tells_others = false;
            continue;
        }
        if value(3) == Some("disabled") && ours {
            return Err(Problem::new(msg!("sessions-not-tracked")).hint(msg!("turn-on-track-activities")));
        }
        let doing = activity(value(3).unwrap_or_default(), value(4), value(5).unwrap_or_default());
        snapshot.sessions.push(SeenSession { number, ours, doing });
    }
    if !snapshot.tells_others {
        let what = Problem::new(msg!("sessions-of-others-not-visible"));
        snapshot.notes.push(what.hint(msg!("grant-pg-read-all-stats")));
    }
    Ok(snapshot)
}

/// What a session with this state and wait event is doing.
fn activity(state: &str, kind: Option<&str>, event: &str) -> SessionActivity {
    match state {
        "active" | "fastpath function call" => SessionActivity::Active(class(kind, event)),
        "idle in transaction" | "idle in transaction (aborted)" => SessionActivity::InTransaction,
        // Also empty: it is just starting.
        _ => SessionActivity::Idle,
    }
}

/// The class of a wait event.
fn class(kind: Option<&str>, event: &str) -> SessionClass {
    // Up to version 12 the names of lightweight locks end with `Lock`, and some are in other types.
    let plain = event.strip_suffix("Lock").unwrap_or(event);
    match (kind, plain) {
        (None | Some(""), _) => SessionClass::Running,
        (Some("Lock"), "transactionid" | "tuple" | "spectoken" | "speculative token") => SessionClass::RowLock,
        // To extend a file, and pages of hash indexes.
        (Some("Lock"), "extend" | "page") => SessionClass::Latch,
        (Some("Lock"), "advisory" | "userlock") => SessionClass::Requested,
        (Some("Lock"), _) => SessionClass::TableLock,
        // A session waits here until another one has written its part of the log as well.
        (Some("LWLock"), "WALWrite" | "SyncRep") => SessionClass::Commit,
        (Some("LWLock"), "BufferIO" | "buffer_io") => SessionClass::Read,
        (Some("LWLock" | "LWLockNamed" | "LWLockTranche" | "BufferPin" | "Buffer"), _) => SessionClass::Latch,
        (Some("IO"), "WALRead") => SessionClass::Read,
        (Some("IO"), name) if name.starts_with("WAL") || name.starts_with("Twophase") => SessionClass::Commit,
        // From 18 on: only reads are asynchronous.
        (Some("IO"), name) if name.starts_with("Aio") => SessionClass::Read,
        (Some("IO"), name) if name.ends_with("Read") || name.ends_with("Prefetch") => SessionClass::Read,
        (Some("IO"), _) => SessionClass::Write,
        // A commit marks its transaction as ended together with those of others.
        (Some("IPC"), "SyncRep" | "ProcArrayGroupUpdate" | "XactGroupUpdate" | "ClogGroupUpdate") => {
            SessionClass::Commit
        }
        (Some("IPC"), "BufferIO" | "BufferIo") => SessionClass::Read,
        (Some("Client"), _) => SessionClass::Client,
        (Some("Timeout"), "PgSleep") => SessionClass::Requested,
        (Some("Timeout"), "SpinDelay") => SessionClass::Latch,
        _ => SessionClass::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_events_of_the_manual_have_their_classes() {
        let of = |events: &[(&str, &str)]| -> Vec<&str> {
            events.iter().map(|(kind, event)| class(Some(kind), event).name()).collect()
        };
        let all = |name: &str, events: &[(&str, &str)]| assert_eq!(of(events), vec![name; events.len()], "{events:?}");
        assert_eq!(class(None, ""), SessionClass::Running);
        all("row_lock", &[("Lock", "transactionid"), ("Lock", "tuple"), ("Lock", "spectoken")]);
        all("table_lock", &[("Lock", "relation"), ("Lock", "object"), ("Lock", "virtualxid"), ("Lock", "frozenid")]);
        all("requested_wait", &[("Lock", "advisory"), ("Lock", "userlock"), ("Timeout", "PgSleep")]);
        all(
            "commit",
            &[
                ("IO", "WALSync"),
                ("IO", "WALWrite"),
                ("IO", "WALInitSync"),
                ("LWLock", "WALWrite"),
                ("LWLock", "WALWriteLock"),
                ("IPC", "SyncRep"),
                ("LWLock", "SyncRep"),
                ("IPC", "ProcArrayGroupUpdate"),
                ("IPC", "XactGroupUpdate"),
                ("IO", "TwophaseFileSync"),
            ],
        );
        all(
            "read",
            &[
                ("IO", "DataFileRead"),
                ("IO", "DataFilePrefetch"),
                ("IO", "BufFileRead"),
                ("IO", "SLRURead"),
                ("IO", "WALRead"),
                ("IO", "AioIoCompletion"),
                ("IPC", "BufferIO"),
                ("LWLock", "buffer_io"),
            ],
        );
        all(
            "write",
            &[
                ("IO", "DataFileWrite"),
                ("IO", "DataFileExtend"),
                ("IO", "DataFileFlush"),
                ("IO", "DataFileSync"),
                ("IO", "BufFileWrite"),
                ("IO", "SLRUSync"),
            ],
        );
        all(
            "latch",
            &[
                ("LWLock", "WALInsert"),
                ("LWLock", "BufferContent"),
                ("LWLock", "BufferMapping"),
                ("LWLock", "LockManager"),
                ("LWLock", "ProcArray"),
                ("LWLock", "XactSLRU"),
                ("LWLockTranche", "buffer_content"),
                ("BufferPin", "BufferPin"),
                ("Lock", "extend"),
                ("Timeout", "SpinDelay"),
            ],
        );
        all("client", &[("Client", "ClientRead"), ("Client", "ClientWrite")]);
        all("other", &[("IPC", "ExecuteGather"), ("Extension", "Extension"), ("Timeout", "VacuumDelay"), ("New", "X")]);
    }

    fn rows(rows: &[[&str; 6]]) -> Vec<Vec<Option<String>>> {
        let value = |v: &&str| (!v.is_empty()).then(|| (*v).to_owned());
        rows.iter().map(|row| row.iter().map(value).collect()).collect()
    }

    #[test]
    fn idle_sessions_are_not_active_and_hidden_ones_are_told() {
        let snapshot = of_rows(&rows(&[
            ["1", "1", "1", "active", "IO", "WALSync"],
            ["2", "1", "1", "idle", "Client", "ClientRead"],
            ["3", "1", "1", "idle in transaction", "Client", "ClientRead"],
            ["4", "0", "1", "active", "", ""],
            ["5", "1", "1", "", "", ""],
        ]))
        .unwrap();
        let doing: Vec<SessionActivity> = snapshot.sessions.iter().map(|s| s.doing).collect();
        use SessionActivity::{Active, Idle, InTransaction};
        assert_eq!(doing, [Active(SessionClass::Commit), Idle, InTransaction, Active(SessionClass::Running), Idle]);
        assert!(snapshot.tells_others && !snapshot.sessions[3].ours && snapshot.notes.is_empty());
        let hidden = of_rows(&rows(&[["1", "1", "1", "active", "", ""], ["2", "0", "0", "", "", ""]])).unwrap();
        assert!(!hidden.tells_others && hidden.sessions.len() == 1 && hidden.notes.len() == 1);
        let off = of_rows(&rows(&[["1", "1", "1", "disabled", "", ""]]));
        assert_eq!(off.unwrap_err().code(), Some("sessions-not-tracked"));
    }
}
