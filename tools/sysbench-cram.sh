#!/usr/bin/env bash
# Runs the regression suite of upstream sysbench (cram transcripts; GPL, never part of this project) against Tenbin under
# the name sysbench, and lists what passes.
#
#   git clone --branch 1.0.20 https://github.com/akopytov/sysbench /tmp/sysbench
#   python3 -m venv /tmp/cram && /tmp/cram/bin/pip install cram
#   PATH=/tmp/cram/bin:$PATH tools/sysbench-cram.sh /tmp/sysbench [test.t …]
#
# SBTEST_MYSQL_ARGS and SBTEST_PGSQL_ARGS (say --mysql-user=root) turn on the files that need a server; they also want
# `mysql -uroot sbtest` and `psql` to get in without more words. TENBIN names the binary [target/debug/tenbin].
set -eu

[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 1; }
suite=$(cd "$1" && pwd)/tests
shift
here=$(cd "$(dirname "$0")/.." && pwd)
tenbin=${TENBIN:-$here/target/debug/tenbin}
cram=$(command -v cram || true)
[ -n "$cram" ] || { echo "error: cram is not there; mend: python3 -m venv /tmp/cram && /tmp/cram/bin/pip install cram"; exit 1; }
[ -x "$tenbin" ] || { echo "error: $tenbin is not built; mend: cargo build -p tenbin-cli"; exit 1; }
[ -d "$suite/t" ] || { echo "error: $suite/t is not there; mend: give the folder of a checkout of sysbench"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$tenbin" "$work/bin/sysbench"
export PATH="$work/bin:$PATH" TENBIN_QUIET=1 TENBIN_RUNS="$work/runs"
export SBTEST_ROOTDIR="$suite" SBTEST_SCRIPTDIR="$suite/../src/lua" SBTEST_SUITEDIR="$suite/t" SBTEST_INCDIR="$suite/include"
SBTEST_VERSION_STRING=$(sysbench --version | cut -d ' ' -f 1,2)
SBTEST_VERSION=${SBTEST_VERSION_STRING#* }
export SBTEST_VERSION_STRING SBTEST_VERSION SBTEST_CONFIG="$work/config.sh"
export SBTEST_HAS_MYSQL=yes SBTEST_HAS_PGSQL=yes
export LUA_PATH="$SBTEST_SCRIPTDIR/?;$SBTEST_SCRIPTDIR/?.lua;$SBTEST_INCDIR/?;$SBTEST_INCDIR/?.lua"
: >"$SBTEST_CONFIG"

files=("$@")
[ ${#files[@]} -gt 0 ] || files=("$suite"/t/*.t)
passed=0 missed=0 skipped=0 worded=0
for file in "${files[@]}"; do
  name=$(basename "$file")
  # Each by itself, so that one that hangs costs no other.
  if timeout 180 "$cram" --shell=/bin/bash "$suite/t/$name" >"$work/out" 2>&1; then
    if grep -q '1 skipped' "$work/out"; then skipped=$((skipped + 1)); echo "skip  $name"
    else passed=$((passed + 1)); echo "pass  $name"; fi
  else
    # What only words a help differently is told apart: its sentences are sysbench's own.
    if sed -n '/^@@/,$p' "$work/out" | grep -E '^[-+]' | grep -qvE '^[-+] +(--[a-z]|echo )'; then
      missed=$((missed + 1)); echo "MISS  $name"
    else
      worded=$((worded + 1)); echo "words $name"
    fi
    [ -z "${SHOW:-}" ] || sed 's/^/      /' "$work/out"
  fi
  rm -f "$suite/t/$name.err"
done
echo "$passed passed, $worded differ in the words of a help only, $missed missed, $skipped skipped"
