#!/usr/bin/env bash
# Every test and check of the project; `make test` and CI run exactly this.
# Installs what the tests need from Debian when it may (root and apt); otherwise says which command does.
set -euo pipefail
cd "$(dirname "$0")/.."

# Servers (PostgreSQL with its extensions) and the peer to test against; a browser and fonts for the page; what unpacks and runs the older servers.
packages=(mariadb-server mariadb-backup postgresql postgresql-contrib sysbench chromium fonts-dejavu-core fonts-noto-cjk unzip openssl libaio1 maven python3-pip iproute2 openssh-client openssh-server pgbouncer prometheus-node-exporter prometheus-mysqld-exporter python3-prometheus-client)

main() {
    needed cargo gcc node npm
    install_missing
    step "format" cargo fmt --all --check
    step "lints" cargo clippy --workspace --all-targets --quiet -- -D warnings
    step "documentation" env RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" cargo doc --workspace --no-deps --document-private-items --quiet
    if cargo deny --version >/dev/null 2>&1; then
        step "licences and bans" cargo deny --offline check licenses bans sources
    fi
    # The acceptance tests run the binaries.
    step "binaries" cargo build --workspace --bins --quiet
    # All of them, also after a failure: a run of the suite tells every failure, not only the first.
    step "tests" cargo test --workspace --no-fail-fast
}

step() {
    echo "== $1"
    shift
    "$@"
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

main
