#!/usr/bin/env bash
# Runs every fuzz target for SECONDS_EACH (60) seconds, on the pinned toolchain: no nightly, no cargo-fuzz.
# A finding is kept in fuzz/artifacts and ends the script.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${SECONDS_EACH:-60}
host=$(rustc -vV | sed -n 's/^host: //p')

# What cargo-fuzz passes, without the sanitizer, which alone would need a nightly compiler.
sancov=(-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code)
RUSTFLAGS="${sancov[*]}" cargo build --release --target "$host"

built=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/$host/release
mkdir -p artifacts
for target in fuzz_targets/*.rs; do
    name=$(basename "$target" .rs)
    mkdir -p "corpus/$name"
    # Seeds: for plans the examples, for the others what stands in seeds/.
    [ "$name" = plan ] && cp ../plans/*.toml "corpus/$name/"
    [ -d "seeds/$name" ] && cp "seeds/$name"/* "corpus/$name/"
    "$built/$name" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="artifacts/$name-" "corpus/$name" >"artifacts/$name.log" 2>&1 || {
        tail -40 "artifacts/$name.log"
        echo "fuzz $name: a finding, kept in fuzz/artifacts" >&2
        exit 1
    }
    echo "fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "artifacts/$name.log") runs, nothing found"
done
