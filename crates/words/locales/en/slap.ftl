# mysqlslap.

check-name-and-rights = check its name and rights
command-failed = the command failed: { $command }
connection-is-closed = the connection is closed
correct-the-command = correct it; mysqlslap would go on and measure all the same (`… || true` makes it do so here)
delimiter-is-empty = the delimiter is empty
drawn-statements-run-once = statements that are drawn have no list to run once
engine-replaced = the server made the table with the engine { $found }, not { $wanted }
file-cannot-be-read = the file { $file } cannot be read
file-larger-than-4-mib = { $file } is larger than 4 MiB
foreign-tables-in-schema = what is in it that Tenbin did not make: { $shown }{ $more }
give-a-column = int_cols or char_cols of at least 1 (--number-int-cols, --number-char-cols)
    .elsewhere = give --number-int-cols or --number-char-cols of at least 1
give-a-delimiter = give one, for example --delimiter=';'
give-a-primary-key = primary_key = "autoincrement" or "guid" (--auto-generate-sql-add-autoincrement, -guid-primary)
    .elsewhere = --auto-generate-sql-add-autoincrement or --auto-generate-sql-guid-primary
give-a-query = give at least one in --query
give-queries-per-client = queries_per_client = 1000, or profile = "mysqlslap"
key-load-needs-primary-key = a key load needs a primary key
load-with-mariadb-client = load that much with the mariadb client
mysqlslap-sends-no-sql = mysqlslap sends `SELECT  FROM t1` then, which is no SQL
name-another-schema = name another: schema = "…"
    .elsewhere = name another with --create-schema
name-another-schema-or-allow-drop = name another with --create-schema (schema = "…" in a plan), or add --allow-drop (allow_drop = true) to lose it
    .elsewhere = name another with --create-schema, or add --allow-drop to lose it
name-the-schema = name it: schema = "…"
    .elsewhere = name it with --create-schema
no-statement-to-run = there is no statement to run
preload-a-row = preload at least one row (--auto-generate-sql-write-number of at least 2)
printing-statements = printing the statements
queries-contradict = queries, queries_per_client and once say different things
query-file-empty = the query file has no statement
query-file-unreadable = the query file cannot be read: { $error }
query-given-twice = query and query_file are both given
restore-before-run-or-name-schema = set restore = "before-run" to have it made again, or name another schema
    .remedy = recreate
schema-empty-without-mark = it is empty, and there is no mark of ours in it
schema-made-otherwise = the schema { $schema } was made by Tenbin, from other options or not to its end
schema-not-ours = the schema { $schema } was not made by Tenbin, so it is not dropped
schema-without-name = the schema that is to be created has no name
server-replaces-engines = it replaces engines that it does not have
show-engines = SHOW ENGINES tells those it has
slap-csv-not-opened = Could not open csv file: { $path }
slap-needs-mysql = mysqlslap's SQL is MySQL's: this database does not understand it
stopped-while-loading = stopped while loading
table-without-columns = a table with neither int nor char columns leaves nothing to ask for
table-without-rows = the table has no rows, so there is no key to look for
use-mysql-or-oltp = use a target mysql://…, or an oltp_ workload
    .remedy = tenbin
