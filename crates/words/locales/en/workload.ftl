# Workloads and their tables.

a-name = a name of letters, digits and _
a-name-of-schema = a name of letters, digits, spaces and _ $ - . with at most 64 bytes
a-size-from = a size from { $from } bytes on, such as 16384, 16K, 16KiB (powers of 1024) or 16KB (of 1000)
address-without-schema = the address of the database names no schema
asking-which-run = asking which run uses the tables
bulk-insert-numbers-rows-from-1 = bulk_insert numbers its rows from 1, so they would meet those of an earlier run
checking = checking
count-rows-of-table = look at SELECT COUNT(*) FROM { $table }, and whether anybody else writes to it
create-database-sbtest = CREATE DATABASE sbtest, and name that in the address (mysqlslap: --create-schema)
    .remedy = tenbin
    .elsewhere = CREATE DATABASE …, and name that
creating-tables = creating the tables
dataset-kind = dataset
dataset-without-script = the data set has no { $option }: the file whose prepare command creates its tables
delete-mark = DELETE FROM { $mark } WHERE name='{ $table }', then try again
do-not-use-results = do not use results measured on them; load them again and look at the server's log
drop-tables-of-script-yourself = drop them yourself, or by their names, as sysbench does: tenbin sysbench { $script } cleanup, with sysbench's options of the database
    .remedy = tenbin
dropped-only-with-mark = tables of the kind { $kind } are dropped only where they carry Tenbin's mark
dropping-our-tables = dropping our tables
dropping-schema = dropping the schema
dropping-tables = dropping the tables
empty-tables-yourself = empty or drop the tables yourself, or use another schema: Tenbin did not make them
first-then = { $first }; then { $then }
give-database-address = give the address of a database such as mysql://user@127.0.0.1/sbtest, or a workload such as cpu
    .remedy = tenbin
give-it-another-name = give it another name
give-options-of-tables = give the options that these tables were made with, or use an empty schema: Tenbin did not make them and does not drop them
give-wanted-for-example = give { $wanted }, for example { $example }
ids-there = { $sizes }; of { $looked } ids looked at, spread over the table, { $there } are there
index-on-id = index on id
index-on-k = index on k
keep-one-row = keep one of the two rows
kind-not-read-beforehand = tables of the kind { $kind } are not read beforehand
last-rows-not-written = { $rows ->
    [1] the last row is
   *[other] the last { $rows } rows are
  } not written: { $why }
load-again-or-restore = tenbin load oltp_read_write { $address } --drop --tables { $tables } --table-size { $table_size }, or restore = "before-run" in a plan
    .remedy = recreate
load-script-again = set restore = "before-dataset", or drop the tables with the script's cleanup command
    .remedy = tenbin
load-tables-first = load the tables first: tenbin load { $workload } { $dsn }
    .remedy = load
load-with-drop-or-empty-schema = load with --drop if Tenbin made it, or name an empty schema
    .remedy = recreate
loaded-by-one-process = data of the kind { $kind } is loaded by one process only
loaded-only-where-alone = data of the kind { $kind } is loaded only where no other data are
looking-at-schema = looking at the schema
looking-at-tables = looking at the tables
looking-how-tables-are-kept = looking how the tables are kept
looking-which-schema = looking which schema is in use
looking-whose-tables = looking whose the tables are
making-schema = making the schema
mark-has-another-digest = the mark of the table { $table } has another digest
mark-names-foreign-table = { $mark } names { $table }, which Tenbin did not make: nothing is dropped
mark-of-earlier-table = { $mark } is about an earlier table of that name, which was dropped, rebuilt or put back since: on MySQL and MariaDB by ALTER TABLE, CREATE INDEX or OPTIMIZE too, or by TRUNCATE soon after it was created
mark-says-unfinished = { $mark } says so: its load was stopped or failed
mark-table-not-ours = the table { $table } in this schema is not Tenbin's
mark-without-row = { $mark } has no row for it
marking-tables-of-script = looking which tables the script has created
name-script-of-dataset = write script = "orders.lua" in the section of the data set
name-table-otherwise = give the table another name, or write dataset = "none" and load the tables yourself
names-that-can-be-marked = names of letters, digits, spaces and _ $ - . with at most 64 characters can
no-mark-table = there is no table { $table } in the schema
no-such-name = there is no { $kind } { $name }
no-table-marked-for-script = no table here has the mark of a script's prepare: nothing is dropped, and the cleanup command of { $script }, which drops by name, is not run
not-a-name-of-ours = not a name that Tenbin gives
not-connected = not connected
not-text = not text
nothing-was-changed = nothing was changed
number-from-to = a number from { $from } to { $to }
number-of-warehouses = number of warehouses
on-or-off = on or off
one-of-words = one of { $words }
one-of-words-meant = one of { $words } (did you mean { $word }?)
option-cannot-be = { $whose }: { $option } cannot be { $value }
option-is = { $option }: { $meaning }
option-unknown = { $whose } has no option { $option }
put-schema-behind-port = put it behind the port, as in mysql://user@127.0.0.1:3306/sbtest
    .remedy = tenbin
rows-beyond-integer = { $rows } rows per table are too many to create: id is an INTEGER, up to 2147483647
give-rows-of-integer = give at most 2147483647, or create and fill tables with a larger id yourself
remove-option-none-here = remove it: there are no options here
rename-mark-table = rename it, or use another schema: Tenbin keeps its own table { $table } there
restore-or-load-bulk-insert = set restore = "before-run" in the plan, or tenbin load bulk_insert { $dsn } --drop
    .remedy = recreate
rows-lost-with-connection = { $rows ->
    [1] the row that was not yet confirmed when a connection was lost was given up
   *[other] the { $rows } rows that were not yet confirmed when a connection was lost were given up
  }
rows-of-failed-inserts = { $rows ->
    [1] the row of an INSERT that failed is
   *[other] the { $rows } rows of INSERTs that failed are
  } not written: { $why }
saying-which-run = saying which run uses the tables
script-prepare-made-no-table = the prepare command of { $script } created no table
script-without-data-of-its-own = write dataset = "none" if the tables are there already
server-took-fewer-rows = the server took { $took } of { $wanted } rows into { $table }
slices-are-not-the-whole = the processes that loaded the data together inserted { $inserted } of { $all }
statement-into-file = statements are in files: echo { $statement } > x.sql, and name x.sql
statement-is-not-text = the statement is not text
statements-after-trial = the statements after the trial
statements-before-trial = the statements before the trial
stopped-without-answer = stopped while { $doing }: the server's answer was not waited for
storage-engine = storage engine
stream-panicked = a stream panicked; this is a fault of Tenbin
system-schema = the schema { $schema } belongs to the server itself: Tenbin makes, fills and drops nothing in it
table-beside-those-of-script = { $table } came into being while { $script } prepared its tables, and none of its statements names it: it is left alone as the table of somebody else
table-cannot-be-marked = the table { $table } cannot be marked as ours
table-differs = table { $table } has another { $property } than wanted
table-exists = table { $table } already exists
table-half-loaded = the table { $table } was not loaded to its end
table-has-other-columns-now = it has other columns than the table that was marked
table-has-wrong-size = table { $table } has the wrong size
table-is-missing = table { $table } is missing
table-not-empty = table { $table } is not empty
table-not-loaded-to-end = table { $table } was not loaded to the end
table-not-of-bulk-insert = table { $table } is not one of bulk_insert's
table-not-of-sysbench = table { $table } is not one of sysbench's
table-of-other-script = table { $table } was prepared by another script than { $script }
table-without-mark = table { $table } does not carry Tenbin's mark, so nothing is dropped
tables-are-there = { $there } of { $tables } tables are there
tables-in-schema = the schema had { $tables } { $tables ->
    [1] table
   *[other] tables
  } before it
tables-inconsistent = the tables do not agree with themselves: { $wrong } of { $all } conditions fail
tables-of-another-script = the tables were prepared by another text of the script { $script }, or with other options
tables-there-one-per-client = { $there } of { $tables } tables are there; each client fills one of its own
taking-back-run = taking back which run uses the tables
target-is = the target is { $target }
target-is-this-machine = the target is { $target }: this machine itself
tenbin-load-oltp = tenbin load oltp_read_write { $address } --drop --tables { $tables } --table-size { $table_size }
    .remedy = recreate
the-dataset = the dataset { $dataset }
the-workload = the workload { $workload }
unfinished-load = { $n } of { $all } rows were loaded
use-it-or-load-with-drop = use it as it is, load with --drop if Tenbin made it, or name an empty schema
    .remedy = recreate
use-one-of = use one of: { $names }
use-tables-or-drop-yourself = use the tables as they are, or DROP TABLE { $table } yourself, or use an empty schema
value-is-not-text = a value is not text
wanted-columns-found = wanted columns { $wanted }, found { $found }
wanted-columns-id-k = wanted columns id, k and no others
wanted-found = wanted { $option } = { $wanted }, found { $found }
wanted-rows-found-ids = wanted { $size } rows, found ids { $first } to { $last }
wanted-rows-found-none = wanted { $size } rows, found none
warming-tables = warming the tables up
whole-number-from-to = a whole number from { $from } to { $to }
workload-declares-option-twice = the workload { $workload } declares the option { $option } twice
workload-exists = there is a workload { $workload } already
workload-kind = workload
workload-needs-database = the workload { $workload } needs a database
workload-tests-this-machine = the workload { $workload } tests this machine, not a database
write-host-as-address = write host: as the target's address, or host:DIRECTORY for the storage under a directory
    .remedy = tenbin
write-or-list = write { $right }, or see all with `tenbin list`
    .remedy = tenbin
