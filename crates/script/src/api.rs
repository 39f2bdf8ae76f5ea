//! What Lua calls: C functions in one table, called through LuaJIT's ffi, which compiles the calls inline.
//!
//! Each takes the address of its thread's [`Host`]. `lua/api.lua` declares the same table; the two must agree.
//! A panic must not cross into Lua: it becomes an error.
//!
//! SAFETY of all functions here: the addresses come only from `lua/*.lua`, which received them from us: a [`Host`]
//! outlives its Lua state, a [`Bound`] lives until `forget`, a text as long as the call, a [`Param`] as long as the Lua
//! object of its statement, which calls `execute`. One thread at a time runs a Lua state.

use super::draws::Kind;
use super::host::{Host, HostAnswer, HostStatement};
use super::host_shared::{ERROR, RECONNECT};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use tenbin_driver::{Class, Error, Value};
use tenbin_words::msg;

/// All of it.
#[repr(C)]
pub(super) struct Api {
    connect: extern "C" fn(*mut Host, c_int) -> c_int,
    reconnect: extern "C" fn(*mut Host, c_int) -> c_int,
    disconnect: extern "C" fn(*mut Host, c_int),
    answer: extern "C" fn(*mut Host, c_int) -> *mut HostAnswer,
    query: extern "C" fn(*mut Host, c_int, *const c_char, usize) -> c_int,
    cell: extern "C" fn(*mut Host, *const HostAnswer, u32, *mut *const c_char) -> i64,
    more: extern "C" fn(*mut Host, c_int) -> c_int,
    next: extern "C" fn(*mut Host, c_int) -> c_int,
    roll_back: extern "C" fn(*mut Host),
    fetches: extern "C" fn(*mut Host, c_int),
    prepare: extern "C" fn(*mut Host, c_int, *const c_char, usize) -> *mut Bound,
    bind: extern "C" fn(*mut Bound, *const Param) -> c_int,
    execute: extern "C" fn(*mut Host, *mut Bound) -> c_int,
    forget: extern "C" fn(*mut Host, *mut Bound),
    bulk_init: extern "C" fn(*mut Host, c_int, *const c_char, usize) -> c_int,
    bulk_next: extern "C" fn(*mut Host, c_int, *const c_char, usize) -> c_int,
    bulk_done: extern "C" fn(*mut Host, c_int) -> c_int,
    draw: extern "C" fn(*mut Host, c_int, u32, u32) -> u32,
    beyond: extern "C" fn(*mut Host) -> c_int,
    unique: extern "C" fn(*mut Host) -> u32,
    word: extern "C" fn(*mut Host) -> u64,
    unit: extern "C" fn(*mut Host) -> f64,
    template: extern "C" fn(*mut Host, *const c_char, usize) -> c_int,
    text: extern "C" fn(*mut Host, c_int, *mut c_char, usize) -> usize,
    error: extern "C" fn(*mut Host, *mut Failure),
    stopped: extern "C" fn(*mut Host) -> c_int,
    event_ended: extern "C" fn(*mut Host) -> c_int,
    uses_sql: extern "C" fn(*mut Host),
}

/// The one table.
pub(super) static API: Api = Api {
    connect,
    reconnect,
    disconnect,
    answer,
    query,
    cell,
    more,
    next,
    roll_back,
    fetches,
    prepare,
    bind,
    execute,
    forget,
    bulk_init,
    bulk_next,
    bulk_done,
    draw,
    beyond,
    unique,
    word,
    unit,
    template,
    text,
    error,
    stopped,
    event_ended,
    uses_sql,
};

/// An answer of a kind that has no rows.
const NO_ROWS: c_int = 0;
/// An answer with rows, possibly zero.
const ROWS: c_int = 1;
/// See `error`.
const FAILED: c_int = -1;

/// A value of a prepared statement, written by Lua, followed by `max` bytes of text.
#[repr(C)]
pub(super) struct Param {
    kind: u8,
    null: u8,
    len: u32,
    max: u32,
    int: i64,
    float: f64,
    text: [u8; 0],
}

/// A prepared statement with its values.
pub(super) struct Bound {
    statement: HostStatement,
    link: usize,
    params: Vec<*const Param>,
}

/// The last error, as Lua sees it.
#[repr(C)]
pub(super) struct Failure {
    number: u32,
    ignorable: u8,
    state: [u8; 6],
    message: *const c_char,
    message_len: usize,
}

/// Performs a call; an error or a panic is kept in the host and returned as `failed`.
#[inline]
fn guarded<T>(host: *mut Host, failed: T, call: impl FnOnce(&mut Host) -> Result<T, Error>) -> T {
    // SAFETY: see the head of this file.
    let host = unsafe { &mut *host };
    let outcome = catch_unwind(AssertUnwindSafe(|| call(host)))
        .unwrap_or_else(|_| Err(Error::new(Class::Protocol, msg!("panic"))));
    outcome.unwrap_or_else(|error| {
        (host.error, host.thrown) = (Some(error), true);
        failed
    })
}

/// A text from Lua as a statement, with unchanged bytes.
fn sql<'a>(text: *const c_char, len: usize) -> &'a [u8] {
    // SAFETY: see the head of this file.
    unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) }
}

extern "C" fn connect(host: *mut Host, other: c_int) -> c_int {
    guarded(host, FAILED, |host| {
        let link = host.connect(other != 0)?;
        host.links[link].answer.link = link as u32;
        Ok(link as c_int)
    })
}

extern "C" fn reconnect(host: *mut Host, link: c_int) -> c_int {
    guarded(host, FAILED, |host| {
        let outcome = host.reconnect(link as usize);
        host.counters.add(if outcome.is_ok() { RECONNECT } else { ERROR }, 1);
        if host.counts {
            host.connect_errors.extend(outcome.as_ref().err().cloned());
        }
        outcome?;
        host.reconnects += u32::from(host.counts);
        Ok(NO_ROWS)
    })
}

extern "C" fn disconnect(host: *mut Host, link: c_int) {
    guarded(host, (), |host| {
        host.disconnect(link as usize);
        Ok(())
    });
}

extern "C" fn answer(host: *mut Host, link: c_int) -> *mut HostAnswer {
    // SAFETY: see the head of this file. Links are boxed, so the address stays.
    unsafe { &raw mut (&mut (*host).links)[link as usize].answer }
}

/// Records what Lua may ask about the current result.
fn told(host: &mut Host, link: usize) -> c_int {
    let (rows, columns, changed) = host.looked_at(link);
    tell(host, link, if columns > 0 { rows } else { changed }, columns > 0, columns)
}

#[inline]
fn tell(host: &mut Host, link: usize, count: u64, reads: bool, columns: usize) -> c_int {
    let answer = &mut host.links[link].answer;
    (answer.nrows, answer.nfields, answer.row) = (u32::try_from(count).unwrap_or(u32::MAX), columns as u32, 0);
    if reads { ROWS } else { NO_ROWS }
}

extern "C" fn query(host: *mut Host, link: c_int, text: *const c_char, len: usize) -> c_int {
    guarded(host, FAILED, |host| {
        host.query(link as usize, sql(text, len))?;
        Ok(told(host, link as usize))
    })
}

/// Whether another result follows.
extern "C" fn more(host: *mut Host, link: c_int) -> c_int {
    guarded(host, 0, |host| Ok(host.more_results(link as usize).into()))
}

/// Goes to the next result.
extern "C" fn next(host: *mut Host, link: c_int) -> c_int {
    guarded(host, FAILED, |host| {
        host.next_result(link as usize);
        Ok(told(host, link as usize))
    })
}

extern "C" fn roll_back(host: *mut Host) {
    guarded(host, (), |host| {
        host.roll_back();
        Ok(())
    });
}

extern "C" fn fetches(host: *mut Host, whether: c_int) {
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.fetches = whether != 0;
}

/// The value in a column of the row before the next; its length, or -1 for NULL, or -2 if rows were not kept.
extern "C" fn cell(host: *mut Host, answer: *const HostAnswer, column: u32, out: *mut *const c_char) -> i64 {
    // SAFETY: see the head of this file.
    let (host, answer, out) = unsafe { (&mut *host, &*answer, &mut *out) };
    match host.cell(answer.link as usize, (answer.row as usize).wrapping_sub(1), column as usize) {
        Ok(Some(value)) => {
            *out = value.as_ptr().cast();
            value.len() as i64
        }
        Ok(None) => -1,
        Err(()) => -2,
    }
}

extern "C" fn prepare(host: *mut Host, link: c_int, text: *const c_char, len: usize) -> *mut Bound {
    guarded(host, std::ptr::null_mut(), |host| {
        let statement = host.prepare(link as usize, sql(text, len))?;
        Ok(Box::into_raw(Box::new(Bound { statement, link: link as usize, params: Vec::new() })))
    })
}

/// Adds a value; without one starts again.
extern "C" fn bind(bound: *mut Bound, param: *const Param) -> c_int {
    // SAFETY: see the head of this file.
    let bound = unsafe { &mut *bound };
    if param.is_null() {
        bound.params.clear()
    } else {
        bound.params.push(param)
    }
    NO_ROWS
}

/// Statements with at most this many values are assembled without allocating.
const FEW: usize = 16;

extern "C" fn execute(host: *mut Host, bound: *mut Bound) -> c_int {
    guarded(host, FAILED, |host| {
        // SAFETY: see the head of this file.
        let Bound { statement, link, params } = unsafe { &mut *bound };
        let value = |param: &*const Param| {
            // SAFETY: see the head of this file; `len` is at most `max`, which Lua made room for.
            let param = unsafe { &**param };
            match param.kind {
                _ if param.null != 0 => Value::Null,
                1 => Value::Int(param.int),
                2 => Value::Float(param.float),
                // SAFETY: as above.
                _ => Value::Text(unsafe {
                    std::slice::from_raw_parts(param.text.as_ptr(), param.len.min(param.max) as usize)
                }),
            }
        };
        let reply = if params.len() <= FEW {
            let mut values = [Value::Null; FEW];
            values.iter_mut().zip(params.iter()).for_each(|(v, p)| *v = value(p));
            host.execute(*link, statement, &values[..params.len()])?
        } else {
            host.execute(*link, statement, &params.iter().map(value).collect::<Vec<_>>())?
        };
        let (rows, columns, _) = host.looked_at(*link);
        if columns > 0 {
            return Ok(tell(host, *link, rows, true, columns));
        }
        let reads = statement.reads() || reply.rows > 0;
        Ok(tell(host, *link, if reads { reply.rows } else { reply.affected }, reads, 0))
    })
}

extern "C" fn forget(host: *mut Host, bound: *mut Bound) {
    guarded(host, (), |host| {
        // SAFETY: it came from `prepare`, and Lua forgets the address when it calls this.
        let bound = unsafe { Box::from_raw(bound) };
        host.forget(bound.link, &bound.statement);
        Ok(())
    });
}

extern "C" fn bulk_init(host: *mut Host, link: c_int, text: *const c_char, len: usize) -> c_int {
    guarded(host, FAILED, |host| {
        host.bulk_init(link as usize, sql(text, len));
        Ok(NO_ROWS)
    })
}

extern "C" fn bulk_next(host: *mut Host, link: c_int, text: *const c_char, len: usize) -> c_int {
    guarded(host, FAILED, |host| host.bulk_next(link as usize, sql(text, len)).map(|()| NO_ROWS))
}

extern "C" fn bulk_done(host: *mut Host, link: c_int) -> c_int {
    guarded(host, FAILED, |host| host.bulk_flush(link as usize).map(|()| NO_ROWS))
}

extern "C" fn draw(host: *mut Host, kind: c_int, low: u32, high: u32) -> u32 {
    let kind = match kind {
        1 => Kind::Uniform,
        2 => Kind::Gaussian,
        3 => Kind::Special,
        4 => Kind::Pareto,
        5 => Kind::Zipfian,
        _ => Kind::Default,
    };
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.draws.draw(kind, low, high)
}

/// Whether a bound beyond 32 bits is the first one of this script, in whatever thread.
extern "C" fn beyond(host: *mut Host) -> c_int {
    // SAFETY: see the head of this file.
    let host = unsafe { &*host };
    c_int::from(!host.shared.beyond.swap(true, std::sync::atomic::Ordering::Relaxed))
}

extern "C" fn unique(host: *mut Host) -> u32 {
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.draws.unique.draw()
}

extern "C" fn word(host: *mut Host) -> u64 {
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.draws.random.word()
}

extern "C" fn unit(host: *mut Host) -> f64 {
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.draws.random.unit()
}

extern "C" fn template(host: *mut Host, form: *const c_char, len: usize) -> c_int {
    // SAFETY: see the head of this file.
    let (host, form) = unsafe { (&mut *host, std::slice::from_raw_parts(form.cast::<u8>(), len)) };
    host.draws.template(&String::from_utf8_lossy(form)) as c_int
}

extern "C" fn text(host: *mut Host, template: c_int, out: *mut c_char, len: usize) -> usize {
    // SAFETY: see the head of this file; Lua gives `len` bytes at `out`.
    let (host, out) = unsafe { (&mut *host, std::slice::from_raw_parts_mut(out.cast::<u8>(), len)) };
    host.draws.write_text(template as usize, out)
}

extern "C" fn error(host: *mut Host, out: *mut Failure) {
    // SAFETY: see the head of this file.
    let (host, out) = unsafe { (&*host, &mut *out) };
    *out = Failure { number: 0, ignorable: 0, state: [0; 6], message: std::ptr::null(), message_len: 0 };
    let Some(error) = &host.error else { return };
    out.number = error.number().unwrap_or(0);
    out.ignorable = u8::from(host.shared.ignore.covers(error));
    let state = error.sqlstate().unwrap_or("").as_bytes();
    out.state[..state.len()].copy_from_slice(state);
    (out.message, out.message_len) = (error.message().as_ptr().cast(), error.message().len());
}

extern "C" fn stopped(host: *mut Host) -> c_int {
    // SAFETY: see the head of this file.
    unsafe { &*host }.shared.stop.load(std::sync::atomic::Ordering::Relaxed).into()
}

/// See [`Host::event_ended`].
extern "C" fn event_ended(host: *mut Host) -> c_int {
    // SAFETY: see the head of this file.
    unsafe { &mut *host }.event_ended().into()
}

/// The script has asked for the driver of a database.
extern "C" fn uses_sql(host: *mut Host) {
    // SAFETY: see the head of this file.
    unsafe { &*host }.shared.uses_sql.store(true, Ordering::Relaxed);
}
