//! Lets scripts that this crate's tests run see sysbench's C functions (`sb_*`) through `ffi.C`, as the binary does.

fn main() {
    println!("cargo::rustc-link-arg=-Wl,--export-dynamic-symbol=sb_*");
    println!("cargo::rerun-if-changed=build.rs");
}
