#!/usr/bin/env bash
# Compiles Tenbin for trying it out, and compares two settings of SQLite: `make demo`.
# The profile `demo` (Cargo.toml) takes half of what an installed binary takes to compile, and shares nothing with it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=(--profile demo -p tenbin-cli --no-default-features)
if [ ! -x "${CARGO_TARGET_DIR:-target}/demo/tenbin" ]; then
    cores=$(nproc 2>/dev/null || echo 2)
    echo "compiling Tenbin for the first time: about $((11 / cores > 2 ? 11 / cores : 2)) to $((16 / cores > 3 ? 16 / cores : 3)) minutes on $cores processors; the demo itself takes one minute" >&2
fi
cargo build "${build[@]}"
exec cargo run --quiet "${build[@]}" -- demo
