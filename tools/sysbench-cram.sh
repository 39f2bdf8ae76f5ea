#!/usr/bin/env bash
# Runs the regression suite of upstream sysbench (cram transcripts; GPL, never part of this project) against Tenbin under
# the name sysbench, and lists what passes.
#
#   git clone --branch 1.0.20 https://github.com/akopytov/sysbench /tmp/sysbench
#   python3 -m venv /tmp/cram && /tmp/cram/bin/pip install cram
#   PATH=/tmp/cram/bin:$PATH tools/sysbench-cram.sh /tmp/sysbench [test.t …]
#
# The files that need a server get a private MariaDB and a private PostgreSQL, started and stopped here; SERVERS=no leaves
# those files out. TENBIN names the binary [target/debug/tenbin], SHOW=1 shows what differs, PEER=1 judges /usr/bin/sysbench.
# FORM is 1.0 or 1.1, whose reports are expected [the suite's version].
set -eu

[ $# -ge 1 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 1; }
suite=$(cd "$1" && pwd)/tests
shift
here=$(cd "$(dirname "$0")/.." && pwd)
tenbin=${TENBIN:-$here/target/debug/tenbin}
cram=$(command -v cram || true)
[ -n "$cram" ] || { echo "error: cram is not there; mend: python3 -m venv /tmp/cram && /tmp/cram/bin/pip install cram"; exit 1; }
[ -x "$tenbin" ] || { echo "error: $tenbin is not built; mend: cargo build -p tenbin-cli"; exit 1; }
[ -d "$suite/t" ] || { echo "error: $suite/t is not there; mend: give the folder of a checkout of sysbench"; exit 1; }

work=$(mktemp -d)
servers=()
leave() {
  for name in ${servers[@]+"${servers[@]}"}; do "$tenbin" sandbox stop "$name" >/dev/null 2>&1 || true; done
  rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM
mkdir "$work/bin"
# Whose reports the suite expects: its own version's, which its build file tells.
form=${FORM:-$(grep -q 'AC_INIT(\[sysbench\], *\[1\.1' "$suite/../configure.ac" && echo 1.1 || echo 1.0)}
if [ -n "${PEER:-}" ]; then
  ln -s /usr/bin/sysbench "$work/bin/sysbench"
else
  printf '#!/bin/sh\nexec "%s" sysbench --tenbin-form=%s "$@"\n' "$tenbin" "$form" >"$work/bin/sysbench"
  chmod +x "$work/bin/sysbench"
fi

# Starts a private server of this kind; its port and the file of its password.
serve() {
  "$tenbin" sandbox start "$1" --name "$2" --json | sed -n 's/.*"dsn":"[^"]*:\([0-9]*\)\/sbtest[^"]*".*"password_file":"\([^"]*\)".*/\1 \2/p'
}
# A client that gets in without more words, as the suite types it.
client() {
  printf '#!/bin/bash\nset -o pipefail\n%s "$@" %s\n' "$2" "${3:-}" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# MySQL's own form of what MariaDB shows otherwise; the real sysbench misses these files without it too.
as_mysql="2>&1 | sed -e '/^-------*\$/d' -e '/^SHOW CREATE TABLE [a-z0-9]*\$/d' -e '/^\$/d' -e \"s/ DEFAULT \\([0-9]*\\),\$/ DEFAULT '\\1',/\""
# The suite reads columns without ORDER BY: in their order as long as no join is hashed.
pg_options="-c\\ enable_hashjoin=off\\ -c\\ enable_mergejoin=off"
if [ "${SERVERS:-yes}" != no ]; then
  servers=("cram-$$-mariadb" "cram-$$-postgres")
  read -r mysql_port mysql_password <<<"$(serve mariadbd "${servers[0]}")"
  read -r pgsql_port pgsql_password <<<"$(serve postgres "${servers[1]}")"
  [ -n "$mysql_port" ] && [ -n "$pgsql_port" ] || { echo "error: the servers did not start; mend: tenbin doctor"; exit 1; }
  client mysql "/usr/bin/mysql --defaults-file=${mysql_password%/*}/client.cnf --protocol=tcp" "$as_mysql"
  client psql "env PGPASSFILE=${pgsql_password%/*}/pgpass PGHOST=127.0.0.1 PGPORT=$pgsql_port PGUSER=postgres PGOPTIONS=$pg_options /usr/bin/psql -X"
  export SBTEST_MYSQL_ARGS="--mysql-host=127.0.0.1 --mysql-port=$mysql_port --mysql-user=root --mysql-password=$(cat "$mysql_password")"
  export SBTEST_PGSQL_ARGS="--pgsql-host=127.0.0.1 --pgsql-port=$pgsql_port --pgsql-user=postgres --pgsql-password=$(cat "$pgsql_password")"
fi
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
    if [[ $name != opt_help.t && $name != help_drv_*.t && $name != script_oltp_help.t ]] &&
      sed -n '/^@@/,$p' "$work/out" | grep -E '^[-+]' | grep -qvE '^[-+] +(--[a-z]|echo )'; then
      missed=$((missed + 1)); echo "MISS  $name"
    else
      worded=$((worded + 1)); echo "words $name"
    fi
    [ -z "${SHOW:-}" ] || sed 's/^/      /' "$work/out"
  fi
  rm -f "$suite/t/$name.err"
done
echo "$passed passed, $worded differ in the words of a help only, $missed missed, $skipped skipped"
