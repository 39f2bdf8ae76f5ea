# TPC-B and pgbench.

give-scale-of-tables = give the scale of the tables
load-tpcb-again = load them again: tenbin load tpcb_like { $address } --drop --scale { $scale }; or set restore = "before-run"
no-row-in-mark = { $mark } has no row for { $table }, or one for an earlier table of that name
pgbench-allow-change = check what is in it; pgbench -i --allow-drop empties or changes it nevertheless
pgbench-allow-drop = check what is in it; pgbench -i --allow-drop drops it nevertheless
pgbench-needs-postgresql = { $address } is not PostgreSQL
pgbench-script-wrong = a script cannot be run
table-not-ours = the table { $table } was not made by Tenbin, so it is not dropped
table-not-ours-left = the table { $table } was not made by Tenbin, so it is neither emptied nor changed
tpcb-account-missing = there is no account { $aid }
tpcb-found = found: { $branches } branches, the last account is { $accounts }
tpcb-of-another-scale = the tables are not of scale { $scale }
use-another-schema-for-tpcb = use another database, or give the scale of these tables; Tenbin did not make them and does not drop them
