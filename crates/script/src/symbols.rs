//! C functions under sysbench's names, for scripts that call them through `ffi.C` and for C modules they load.
//!
//! The binary exports them (`build.rs`: `--export-dynamic-symbol`); the addresses below keep the linker from leaving
//! them out. They have no argument for the thread's state, so it is in a thread-local while Lua runs.
//!
//! SAFETY of all functions here: [`HOST`] is set by `machine.rs` around every call into Lua and points to that thread's
//! [`Host`], which nothing else touches while a C function is called from Lua; outside of one it is null, and nothing
//! is done.

use super::draws::Kind;
use super::host::Host;
use super::host_shared::EVENT;
use std::cell::Cell;
use std::ffi::{c_char, c_double, c_int};

thread_local! {
    /// The state of the script that runs on this thread.
    static HOST: Cell<*mut Host> = const { Cell::new(std::ptr::null_mut()) };
}

/// Installs a host for the following calls; returns the previous one.
pub(super) fn enter(host: *mut Host) -> *mut Host {
    HOST.replace(host)
}

fn with<T>(nothing: T, call: impl FnOnce(&mut Host) -> T) -> T {
    let host = HOST.get();
    if host.is_null() {
        return nothing;
    }
    // SAFETY: see the head of this file.
    call(unsafe { &mut *host })
}

/// The address of each, so that all are linked.
macro_rules! kept {
    ($($name:ident: $kind:ty = $functions:expr;)*) => {$(
        #[used]
        static $name: $kind = $functions;
    )*};
}

kept! {
    DRAWS: [extern "C" fn(u32, u32) -> u32; 6] =
        [sb_rand_default, sb_rand_uniform, sb_rand_gaussian, sb_rand_special, sb_rand_pareto, sb_rand_zipfian];
    COUNTS: extern "C" fn(c_int, c_int) = sb_counter_inc;
    ADDS: extern "C" fn(c_int, c_int, u64) = sb_counter_add;
    TELLS: extern "C" fn(c_int, c_int) -> u64 = sb_counter_val;
    EVENTS: [extern "C" fn(c_int); 2] = [sb_event_start, sb_event_stop];
    ASKS: extern "C" fn(c_int) -> bool = sb_more_events;
    UNIQUE: extern "C" fn() -> u32 = sb_rand_unique;
    WORDS: extern "C" fn() -> u64 = sb_rand_uniform_uint64;
    UNITS: extern "C" fn() -> c_double = sb_rand_uniform_double;
    TEXTS: extern "C" fn(*const c_char, *mut c_char) = sb_rand_str;
    LENGTHS: extern "C" fn(*mut c_char, u32, u32) -> u32 = sb_rand_varstr;
}

macro_rules! distributions {
    ($($name:ident $kind:ident),*) => {$(
        // SAFETY: no other function here has a name that begins with sb_rand.
        #[unsafe(no_mangle)]
        pub(super) extern "C" fn $name(low: u32, high: u32) -> u32 {
            with(low, |host| host.draws.draw(Kind::$kind, low, high))
        }
    )*};
}

distributions!(
    sb_rand_default Default, sb_rand_uniform Uniform, sb_rand_gaussian Gaussian, sb_rand_special Special,
    sb_rand_pareto Pareto, sb_rand_zipfian Zipfian
);

/// Exports functions under their names.
macro_rules! exported {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        // SAFETY: no other function of the program has a name that begins with `sb_`.
        #[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($($argument: $kind),*) $(-> $result)? $body
    )*};
}

exported! {
    fn sb_rand_unique() -> u32 {
        with(0, |host| host.draws.unique.draw())
    }

    fn sb_rand_uniform_uint64() -> u64 {
        with(0, |host| host.draws.random.word())
    }

    fn sb_rand_uniform_double() -> c_double {
        with(0.0, |host| host.draws.random.unit())
    }

    /// Writes as many bytes as the template has to `out`, without a terminating 0.
    fn sb_rand_str(form: *const c_char, out: *mut c_char) {
        // SAFETY: sysbench's contract: `form` ends with a 0, `out` has room for as much.
        let form = unsafe { std::ffi::CStr::from_ptr(form) };
        // SAFETY: as above.
        let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), form.to_bytes().len()) };
        with((), |host| tenbin_workload::Template::new(&form.to_string_lossy()).write(&mut host.draws.random, out));
    }

    /// A text of `low` to `high` characters '0' to 'z'; its length.
    fn sb_rand_varstr(out: *mut c_char, low: u32, high: u32) -> u32 {
        with(0, |host| {
            let length = host.draws.draw(Kind::Uniform, low, high);
            // SAFETY: sysbench's contract: `out` has room for `high` bytes.
            let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), length as usize) };
            for byte in out {
                *byte = b'0' + host.draws.random.below(u64::from(b'z' - b'0') + 1) as u8;
            }
            length
        })
    }

    fn sb_counter_inc(_thread: c_int, counter: c_int) {
        with((), |host| host.count(counter as usize, 1));
    }

    fn sb_counter_add(_thread: c_int, counter: c_int, n: u64) {
        with((), |host| host.count(counter as usize, n));
    }

    /// What a thread has counted, and the engine for it.
    fn sb_counter_val(thread: c_int, counter: c_int) -> u64 {
        with(0, |host| host.shared.counter(thread as u32, counter as usize))
    }

    /// Starts an event; nothing to do, because the engine has recorded its start already.
    fn sb_event_start(_thread: c_int) {}

    /// Ends an event of a script's own thread_run(); otherwise does nothing.
    fn sb_event_stop(_thread: c_int) {
        let host = HOST.get();
        if host.is_null() {
            return;
        }
        // SAFETY: see the head of this file.
        let host = unsafe { &mut *host };
        host.counters.add(EVENT, 1);
        host.turn();
    }

    /// Whether another event may begin.
    fn sb_more_events(_thread: c_int) -> bool {
        with(false, |host| host.more_events())
    }
}
