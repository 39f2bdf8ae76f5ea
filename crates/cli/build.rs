//! Lets scripts see C functions of ours: sysbench's names (`sb_*`) through `ffi.C`, and Lua's own for C modules.
//!
//! Without this a symbol of the binary stays invisible to the dynamic linker. `crates/workload/build.rs` does the same for
//! that crate's tests.

fn main() {
    for names in ["sb_*", "lua_*", "luaL_*", "luaopen_*", "luaJIT_*"] {
        println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol={names}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
