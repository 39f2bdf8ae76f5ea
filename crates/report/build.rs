//! Bundles `web/` into the page's script. Where node or npm is not there the page is built without it: complete and
//! static. With `TENBIN_REQUIRE_NODE` that is an error: a Tenbin that is given away has the script (`tools/dist.sh`).
//!
//! `npm ci` runs once, when `web/node_modules` lacks what the bundle needs; after that no network is needed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A folder stands for all files in it.
const SOURCES: [&str; 3] = ["package.json", "package-lock.json", "src"];

fn main() {
    let web = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../web");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TENBIN_NO_NODE");
    println!("cargo::rerun-if-env-changed=TENBIN_REQUIRE_NODE");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let script = bundle(&web, &out).unwrap_or_else(|why| {
        if env::var_os("TENBIN_REQUIRE_NODE").is_some() {
            println!("cargo::error=the script of the report page cannot be built: {why}");
            std::process::exit(1);
        }
        println!("cargo::warning=the report page is built without its script and stays static: {why}");
        String::new()
    });
    fs::write(out.join("page.js"), script).expect("cargo's own folder can be written");
}

/// The script.
fn bundle(web: &Path, out: &Path) -> Result<String, String> {
    if env::var_os("TENBIN_NO_NODE").is_some() {
        return Err("TENBIN_NO_NODE is set".into());
    }
    let modules = web.join("node_modules");
    if !modules.join("esbuild/bin/esbuild").exists() {
        // Without a network it should say so soon, not after minutes of trying again.
        let soon = ["--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000"];
        run(web, "npm", &[&["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"], &soon[..]].concat())?;
    }
    let packed = run(web, "node", &["-e", DEFLATE, &bundled(web, out, "page")?])?;
    let read = |path: &str| fs::read_to_string(path).map_err(|e| format!("{path}: {e}"));
    let unpack = read(&bundled(web, out, "unpack")?)?;
    // It will stand inside <script>.
    let unpack = unpack.replace("</", "<\\/");
    Ok(format!("{{const PACKED=\"{}\";{unpack}}}", packed.trim()))
}

/// Prints a file deflated and as base64, for `web/src/unpack.ts`.
const DEFLATE: &str = "const packed = require('zlib').deflateRawSync(require('fs').readFileSync(process.argv[1]), { level: 9 }); \
                       console.log(packed.toString('base64'))";

/// Bundles one file of `src` with what it imports; where the bundle is.
fn bundled(web: &Path, out: &Path, name: &str) -> Result<String, String> {
    let bundle = out.join(format!("{name}.bundle.js")).display().to_string();
    let (source, outfile) = (format!("src/{name}.ts"), format!("--outfile={bundle}"));
    let esbuild = ["node_modules/esbuild/bin/esbuild", &source, "--bundle", "--minify", "--format=iife"];
    run(web, "node", &[&esbuild[..], &["--target=es2020", "--log-level=warning", &outfile]].concat())?;
    Ok(bundle)
}

/// What a program prints.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output =
        output.map_err(|e| format!("{program} could not be run ({e}); install Node.js and npm, then build again"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let last = words.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("no message").to_owned();
    Err(format!("`{program} {}` failed: {last}", arguments.join(" ")))
}
