//! Tells the binary which commit it was built from, and lets scripts see C functions of ours.
//!
//! The functions are sysbench's names (`sb_*`), reached through `ffi.C`, and Lua's own for C modules: without this a
//! symbol of the binary stays invisible to the dynamic linker. `crates/script/build.rs` does the same for that crate's
//! tests.

use std::path::Path;
use std::process::Command;

fn main() {
    export_functions();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=TENBIN_VERSION={}", version());
}

/// A static binary has no dynamic linker; it finds the functions by a table (`crates/script/src/static_symbols.rs`). Zig's
/// linker, which `tools/dist.sh` uses, has no such option; it is given a library that refers to them.
fn export_functions() {
    println!("cargo::rerun-if-env-changed=TENBIN_EXPORTS");
    if is_static() {
        return;
    }
    if let Ok(library) = std::env::var("TENBIN_EXPORTS") {
        println!("cargo::rustc-link-arg-bins={library}");
        return;
    }
    for names in ["sb_*", "lua_*", "luaL_*", "luaopen_*", "luaJIT_*"] {
        println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol={names}");
    }
}

/// Whether the C library is linked statically. Cargo does not pass this feature on to build scripts (1.95), so that the compiler is asked.
fn is_static() -> bool {
    let given = |name: &str| std::env::var(name).unwrap_or_default();
    if given("CARGO_CFG_TARGET_ENV") != "musl" {
        return false;
    }
    let flags = given("CARGO_ENCODED_RUSTFLAGS");
    let flags = flags.split('\u{1f}').filter(|flag| !flag.is_empty());
    let output =
        Command::new(given("RUSTC")).args(["--print", "cfg", "--target", &given("TARGET")]).args(flags).output();
    output.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).lines().any(|line| line == "target_feature=\"crt-static\"")
    })
}

/// `0.1.0 (0123456789ab)`; with `, modified` where sources differ from that commit. Without git, or outside a checkout
/// of it, the version alone.
fn version() -> String {
    let number = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // An archive of the sources may have been unpacked inside another project's checkout.
    let ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| ours) else { return number };
    // The sources may change without a commit, and a commit comes without a change of them.
    println!("cargo::rerun-if-changed=..");
    for name in ["HEAD", "logs/HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|p| Path::new(p).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let modified = git(&["status", "--porcelain", "--untracked-files=no", "--", ".."]).is_some_and(|s| !s.is_empty());
    format!("{number} ({commit}{})", if modified { ", modified" } else { "" })
}

/// What git says; `None` when it is not there or refuses.
fn git(arguments: &[&str]) -> Option<String> {
    // Reading the state must not write to the checkout.
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
