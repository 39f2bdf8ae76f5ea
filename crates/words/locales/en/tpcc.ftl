# TPC-C.

another-load-under-way = another load of these tables is under way
connection-compressed = this connection takes one statement at a time, because it is compressed
engine-without-foreign-keys = the storage engine { $engine } has no foreign keys
engine-without-transactions = the storage engine { $engine } has no transactions, and TPC-C is made of them
fewer-warehouses-complete = { $wanted ->
    [1] 1 warehouse is
   *[other] { $wanted } warehouses are
  } wanted, { $there } { $there ->
    [1] is
   *[other] are
  } loaded
foreign-key-without-effect = it takes the statement that adds one, and adds none; nothing was changed
foreign-keys-not-taken = the database did not take all foreign keys
foreign-keys-there = { $there } of { $wanted } are there; storage engine { $engine }
give-one-weight = give one of them more, such as -o new_order=45
is-missing = { $name } is missing
leave-out-deferred-or-profile = leave out deferred_delivery, or profile
leave-out-pipeline = leave out pipeline
leave-out-pipeline-or-compression = leave out pipeline = on, or the compression of the address
    .remedy = compression
leave-out-pipeline-or-profile = leave out pipeline, or profile
leave-out-pool = leave out pool
leave-out-profile = leave out profile: the statements of batched are for every database
load-adds-warehouses = a load adds the others and leaves those that are there as they are
load-tpcc-first = load the tables first: tenbin load tpcc { $dsn } -o warehouses=N
    .remedy = load
load-tpcc-with-warehouses = load them: tenbin load tpcc { $dsn } -o warehouses=N
    .remedy = load
loading = loading
look-who-writes = look whether anybody else writes to the table, and at the server's log
look-with-check = look with: tenbin check { $dsn }
    .remedy = tenbin
met-fewer-rows = { $transaction } met { $got } of { $wanted } rows: the tables are not as they were loaded
name-and-why = { $name }: { $why }
neither-of-two-tables = there is neither a table { $ours } nor { $theirs }
no-connection-to-share = the terminals of this thread have no connection to share
no-load-has-begun = the tables of the load that this is a slice of are not there
no-number-in-column = { $transaction }: no number in row { $row }, column { $column }: { $found }
no-tpcc-tables = there are no tables of TPC-C to check
no-transaction-weights = the cards or weights of the five transactions are all 0
order-taken-by-another = another delivery took the order in between
other-warehouses-there = { $wanted ->
    [1] 1 warehouse is
   *[other] { $wanted } warehouses are
  } wanted, { $count } { $count ->
    [1] is
   *[other] are
  } there
pipeline-needs-server = pipeline = on is for servers: SQLite answers in the call, with no way to spare
pool-empty = the pool is empty: a fault of Tenbin
pool-needs-server = connections are shared only to a server: with SQLite each terminal has a thread of its own
profile-for-mysql = is for MySQL and MariaDB
profile-no-queue = has no queued deliveries
profile-one-statement = sends one statement at a time
profile-refused = profile = { $profile } { $why }
range-loaded-part-by-part = a range of warehouses is loaded part by part
range-without-part = warehouses { $first } to { $last } of { $warehouses }, and no part
rollback-without-effect = a ROLLBACK would take nothing back; nothing was changed
rows-are-in = rows are in { $tables }
rows-are-in-and-stay = about { $n } of { $all } rows are in, and stay
rows-in-load-goes-on = { $rows } of about { $all } rows are in; a load goes on from there
run-or-empty-yourself = run on them as they are, empty them yourself, or use an empty schema
same-again-goes-on = the same again goes on from there: { $load }
server-without-locks = the server has no locks that keep a second load of these tables out
set-foreign-keys-off = set foreign_keys = off, or use an engine that has them (mysql_storage_engine = innodb)
    .elsewhere = load with --foreign-keys off, or use an engine that has them
set-option-or-load-again = set { $option } = { $value }, or load again: { $load } --drop
    .remedy = recreate
set-part = set part to items, warehouse, customer or orders
set-range-of-warehouses = set first_warehouse and last_warehouse between 1 and warehouses
set-warehouses-or-empty-schema = set warehouses to what is there, or use an empty schema
    .elsewhere = give -w the number that is there, or use an empty database
set-warehouses-or-load = set warehouses = { $there }, or: tenbin load tpcc { $dsn }{ $sets } -o warehouses={ $wanted }
    .remedy = load
set-workers-to-number = set load.workers to a number, such as 2
    .remedy = tenbin
set-workers-to-pool = set load.workers to at most as many as pool has connections for each set of tables
    .remedy = tenbin
somebody-else-loads = somebody else loads TPC-C tables into { $dsn }
statistics-not-updated = the server did not look at the tables anew: its plans may be made for smaller ones
stopped-while-checking = stopped while checking
table-is-empty = the table { $table } is empty
table-of-another-tool = { $why }; there is a table { $table }, as go-tpc, HammerDB or BenchBase make it
tables-loaded-otherwise = the tables were loaded with another { $property }
tables-not-loaded-to-end = the tables were not loaded to the end
threads-cannot-share = terminals with a thread each cannot share connections
tpcc-tables-not-ours = there are tables of TPC-C here that Tenbin did not make
use-empty-schema = use an empty schema: Tenbin neither fills nor drops what it did not make
use-engine-with-transactions = use an engine that has them (mysql_storage_engine = innodb)
    .elsewhere = use an engine that has them
use-them-or-load-again = use them as they are, or load again: { $load } --drop
    .remedy = recreate
wait-or-name-schema = wait until it has ended, or name another schema
warehouses-and-last = { $count ->
    [1] 1 warehouse is
   *[other] { $count } warehouses are
  } there, the last has number { $last }
warehouses-no-part = warehouses { $first } to { $last } are no part of { $warehouses }
warehouses-with-gaps = the warehouses are not numbered from 1 without gaps
