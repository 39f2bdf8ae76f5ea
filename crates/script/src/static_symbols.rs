//! What `ffi.C` finds in a binary that is linked statically, as those for musl are: it has no dynamic linker, whose
//! `dlsym` LuaJIT asks for the address of a name.
//!
//! The functions here take the place of musl's own, which find nothing. They know sysbench's names and the functions of
//! the C library that scripts use: to sleep, to know the time, to print, to read and write files, to handle memory and
//! texts. For any other name, and for a library that is to be loaded, the error of LuaJIT says why not.
//!
//! SAFETY of all declarations here: only addresses are taken; LuaJIT calls them by what the script declares.

use super::symbols;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};
#[cfg(not(test))]
use std::ffi::{c_char, c_int};
use tenbin_words::language::Language;
use tenbin_words::msg;

/// The names, and a function from name to address.
macro_rules! known {
    (sysbench: $($ours:ident)*; c: $($libc:ident)*;) => {
        // SAFETY: see the head of this file.
        unsafe extern "C" {
            $(fn $libc();)*
        }

        /// The address of a function, if it is one of them.
        fn address(name: &[u8]) -> Option<*mut c_void> {
            $(if name == stringify!($ours).as_bytes() {
                return Some(symbols::$ours as *mut c_void);
            })*
            $(if name == stringify!($libc).as_bytes() {
                return Some($libc as *mut c_void);
            })*
            None
        }
    };
}

known! {
    sysbench:
        sb_rand_default sb_rand_uniform sb_rand_gaussian sb_rand_special sb_rand_pareto sb_rand_zipfian sb_rand_unique
        sb_rand_uniform_uint64 sb_rand_uniform_double sb_rand_str sb_rand_varstr
        sb_counter_inc sb_counter_add sb_counter_val sb_event_start sb_event_stop sb_more_events;
    c:
        usleep sleep nanosleep poll sched_yield time gettimeofday clock_gettime localtime gmtime mktime strftime
        printf puts putchar fprintf snprintf sprintf fopen fclose fflush fputs fgets fread fwrite perror
        open close read write lseek fsync unlink access isatty
        malloc calloc realloc free memcpy memmove memset memcmp
        strlen strcmp strncmp strcpy strncpy strcat strchr strstr strdup strtol strtoul strtod strerror atoi
        rand srand random srandom drand48 srand48 abs
        getenv setenv getpid getppid getuid gethostname getrusage sysconf exit;
}

/// In place of musl's, which finds nothing.
// SAFETY: the C library's name and form; LuaJIT passes a text that ends with a 0.
#[cfg(not(test))]
#[unsafe(no_mangle)]
unsafe extern "C" fn dlsym(_library: *mut c_void, name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(name) };
    address(name.to_bytes()).unwrap_or_else(|| refused(name))
}

/// In place of musl's, whose error does not say what to do.
// SAFETY: the C library's name and form; LuaJIT passes a text that ends with a 0, or none.
#[cfg(not(test))]
#[unsafe(no_mangle)]
unsafe extern "C" fn dlopen(path: *const c_char, _mode: c_int) -> *mut c_void {
    if path.is_null() {
        // It names the program itself, for which any address will do.
        return std::ptr::dangling_mut::<u8>().cast();
    }
    // SAFETY: as above.
    refused(unsafe { CStr::from_ptr(path) })
}

// SAFETY: the C library's name and form.
#[cfg(not(test))]
#[unsafe(no_mangle)]
extern "C" fn dlclose(_library: *mut c_void) -> c_int {
    0
}

/// Why the last name was not found, or the last library not loaded; LuaJIT copies it at once.
// SAFETY: the C library's name and form.
#[cfg(not(test))]
#[unsafe(no_mangle)]
extern "C" fn dlerror() -> *mut c_char {
    REASON.try_with(|reason| reason.borrow().as_ptr().cast_mut()).unwrap_or(std::ptr::null_mut())
}

thread_local! {
    /// What `dlerror` says on this thread.
    static REASON: RefCell<CString> = RefCell::default();
}

/// Keeps the reason for `dlerror`; the address that stands for "not found".
fn refused(name: &CStr) -> *mut c_void {
    // A thread that ends may have none any more.
    let _ = REASON.try_with(|reason| *reason.borrow_mut() = why_not(name));
    std::ptr::null_mut()
}

/// Scripts, and those who read what they print, expect English.
fn why_not(name: &CStr) -> CString {
    let text = msg!("static-build-has-no-symbol", name = name.to_string_lossy()).text(Language::English);
    CString::new(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_binary_knows_each_function_that_a_dynamic_one_exports() {
        let source = include_str!("symbols.rs");
        // What is written out, and what a macro writes.
        let names = source.match_indices("sb_").filter_map(|(at, _)| {
            let before = source[..at].chars().next_back();
            let name: &str = source[at..].split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next()?;
            (name != "sb_" && name != "sb_rand" && before != Some('`')).then_some(name)
        });
        let names: std::collections::BTreeSet<_> = names.collect();
        assert!(names.len() > 15, "{names:?}");
        for name in names {
            assert!(address(name.as_bytes()).is_some(), "{name}");
        }
        assert!(address(b"usleep").is_some());
    }

    #[test]
    fn another_name_has_no_address_but_a_reason() {
        assert_eq!(address(b"mysql_real_connect"), None);
        assert!(refused(c"mysql_real_connect").is_null());
        let reason = REASON.with_borrow(|reason| reason.to_string_lossy().into_owned());
        assert!(reason.contains("mysql_real_connect") && reason.contains("linked statically"), "{reason}");
    }
}
