#!/usr/bin/env bash
# Every test and check of the project; `make test` and CI run exactly this.
# Installs what the tests need from Debian when it may (root and apt); otherwise says which command does.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(mariadb-server sysbench chromium fonts-dejavu-core fonts-noto-cjk unzip openssl libaio1 maven)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    install="apt-get install -y --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q </dev/null
        $install </dev/null
    else
        echo "missing for the tests: ${missing[*]}" >&2
        echo "mend: sudo $install" >&2
        exit 1
    fi
fi

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
cargo test --workspace
