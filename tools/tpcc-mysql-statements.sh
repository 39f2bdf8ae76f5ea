#!/bin/sh
# Compares the statements that the real tpcc-mysql sends with doc/compat/tpcc-mysql-statements.txt, and Tenbin's with both, by a
# MariaDB's general log. TPCC_MYSQL names the folder with the real tpcc_start; TENBIN_UPDATE_DOCS=1 writes the text anew.
#
#     git clone https://github.com/Percona-Lab/tpcc-mysql; apt-get install gcc libmariadb-dev; cd tpcc-mysql/src
#     gcc -w -O3 $(mariadb_config --cflags) main.c spt_proc.c driver.c support.c sequence.c rthist.c sb_percentile.c \
#         neword.c payment.c ordstat.c delivery.c slev.c $(mariadb_config --libs) -lm -lpthread -o ../tpcc_start
#     TPCC_MYSQL=$PWD/.. sh tools/tpcc-mysql-statements.sh
set -eu
: "${TPCC_MYSQL:?name the folder with the real tpcc_start in TPCC_MYSQL}"
TPCC_MYSQL=$(cd "$TPCC_MYSQL" && pwd)
export TPCC_MYSQL
cd "$(dirname "$0")/.."
cargo build -p tenbin-cli
cargo test -p tenbin-tests --test acceptance statement_for_statement_and_commit_for_commit
