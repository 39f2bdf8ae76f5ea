# Users' own SQL.

path-starts-at = a path without / at its start begins at the directory in which Tenbin was started: { $dir }
sql-after-load-does-more = { $option }, line { $line }: { $verb } may change what is not ours
sql-argument-wrong = argument { $at } of { $name } is missing, or not what it takes
sql-call-wrong = this is not a generator: { $text }
sql-calls-loadable = a statement may call a loadable function of the server, which writes what it likes, also in a session that only reads
sql-close-quote = close it, or take the character away
sql-column-needs-values = { $script } creates the column { $column } of the table { $table } as NOT NULL without a default, and the plan has no values for it
sql-column-not-created = { $script } creates the table { $table } without a column { $column }
sql-column-takes-no-null = { $script } creates the column { $column } of the table { $table } as NOT NULL, and its generator makes NULL now and then
sql-column-twice = the column { $column } of the table { $table } is there twice
sql-column-wrong = table { $table }, column { $column }: { $why }
sql-command-failed = { $script }, line { $line }: { $why }
sql-comment-contradicts = { $name } contradicts a comment for Tenbin before it
sql-comment-example = write it as in: -- tenbin: name=pay prepare retry=3 expect="rows = 1" idle=5ms
sql-comment-mark = a comment for Tenbin begins with -- tenbin: in these letters
sql-comment-without-statement = no statement follows the comment for Tenbin ({ $name })
sql-copied = { $character }, and SQL reads only " and ' and plain spaces: { $command }
sql-correct-or = { $correct }, or, if its names are right: { $otherwise }
sql-create-apart = write each statement with a semicolon of its own
sql-create-does-more = { $script }, line { $line }: { $verb } may change what is not ours
sql-create-has-command = { $script }, line { $line }: a file that creates tables has no commands with a backslash
sql-create-joins-statements = { $script }, line { $line }: statements joined by \; are sent together, and only the first is looked at
sql-create-only = leave only what creates tables, and statements about these; Tenbin drops its tables by its mark
sql-create-sql-only = write the SQL alone
sql-create-table-or-correct = correct the name, or create the table { $table } before
sql-data-example = write create = "schema.sql"
sql-data-without-create = a data set of kind "sql" needs a file that creates its tables
sql-decimal-places = a decimal has 0 to 15 places
sql-define-example = write define = "hot=100, region=eu"
sql-define-wrong = { $item } is not a variable with a value
sql-division-by-zero = division by zero
sql-empty-range = a random number of an empty range
sql-end-transaction = write COMMIT; at its end
sql-expect-of-several = { $script }, line { $line }: nothing can be expected of several statements that are joined by \;
sql-expectation-failed = { $script }, line { $line }: expected { $expectation }, found { $found }
sql-exponential-parameter = the parameter of an exponential distribution must be above 0
sql-expression-too-deep = the expression has too many levels
sql-file-names-public = { $script } names the schema public, and the address leads to the schema { $schema }
sql-file-not-utf-8 = the file { $file } is not UTF-8
sql-gaussian-parameter = the parameter of a normal distribution must be at least 2
sql-give-generator = give it a generator, such as { $column } = "serial", or a DEFAULT in the file
sql-give-generator-without-null = give { $column } the generator within null(…), or take NOT NULL out of the file
sql-give-weights = give files and their weights: scripts = ["pay.sql@30", "look.sql@70"]
sql-groups-and-scripts = scripts and groups are both given
sql-groups-wrong = this is not a group of clients: { $item }
sql-histogram-wrong = a histogram is written as "1-10: 50, 11-100: 30, 500: 20"
sql-invalid-name = { $name } cannot be the name of a variable
sql-json-open = a generator in the template has no closing brace
sql-leave-out-schema = leave the schema out of the names in the file, or name public in the address
sql-missing-argument = an argument is missing
sql-name-alike = give several statements one name: -- tenbin: name=pay
sql-name-the-column = give the column a name of letters, digits and _: SELECT COUNT(*) AS n … \gset
sql-no-argument = the function { $name } takes at least one argument
sql-no-pipeline = no pipeline is open
sql-no-script = no script is given
sql-no-such-generator = there is no generator { $name }; there are { $names }
sql-no-values = there are no values to choose from
sql-not-a-count = not a number of rows, nor a generator
sql-not-a-date = not a date as in "2024-05-31" or "2024-05-31 12:30:00"
sql-not-json = what the template makes is not JSON: { $row }
sql-not-one-row = { $script }, line { $line }: \gset needs one row, and the result has { $rows }
sql-nothing-to-store = \gset and \aset follow a statement of which nothing is stored yet
sql-null-needs-generator = null takes a share and a generator: null(0.1, name)
sql-number-too-large = the number { $text } is too large
sql-other-columns = { $script }, line { $line }: the result has { $found } { $found ->
    [1] column
   *[other] columns
  }, and the server had described { $described }
sql-permit-call = take the call out; to permit it: --allow write-unmarked, or allow = ["write-unmarked"] in the target
sql-permit-shell = set shell = "on" in the load, if you trust the script with everything that you may do on this machine
sql-permit-writing = no statement is seen to write, so the session only reads; to permit it: --allow write-unmarked, or allow = ["write-unmarked"] in the target
sql-pipeline-in-pipeline = a pipeline is open already
sql-pipeline-open-at-end = the script ends with a pipeline open
sql-quote-open = { $script }, line { $line }: the quote or comment that starts with { $quote } has no end
sql-range-too-large = the range is too large
sql-ref-another = name another column
sql-ref-in-a-circle = the column { $column } of the table { $table } refers to { $reference }, which leads back to it
sql-ref-needs-column = ref takes a table and a column: ref("account.id")
sql-ref-needs-rows = give { $table } rows in place of a size
sql-ref-to-nothing = the column { $column } of the table { $table } refers to { $reference }, which the plan does not have
sql-ref-to-size = the table { $table } takes values from { $other }, of which it is not known before how many rows fill its size
sql-say-type-or-text = values went as parameters: say the type (:name::numeric), or send this statement as text: -- tenbin: text before it, or ps_mode = "disable" in the load
sql-script-empty = it has no statement
sql-script-line = { $script }, line { $line }
sql-script-wrong = the script { $script } cannot be used: { $what }
sql-script-wrong-at-line = { $script }, line { $line }: { $what }
sql-send-as-text = write the name outside of quotes, or send values as text: -- tenbin: text before the statement, or ps_mode = "disable" in the load
sql-set-before = give it a value before this line, in all branches: \set, \gset or the option define
sql-shell-no-number = the command { $command } printed no whole number: { $printed }
sql-shell-not-permitted = { $script }, line { $line }: a command of the shell is not permitted
sql-size-estimated = the server does not tell the size of the table { $table }: { $rows } rows were loaded, by the length of some of them
sql-size-not-reached = the server says that the table { $table } is smaller than its size still with { $rows } rows: it was filled no further
sql-sleep-time = the time is not a whole number: { $text }
sql-sleep-unit = the unit is none of us, ms and s: { $text }
sql-slices-are-not-the-whole = { $inserted } of { $all } rows were inserted
sql-store-from-text = send it as text: -- tenbin: text before the statement
sql-store-in-pipeline = \gset and \aset cannot stand in a pipeline
sql-store-of-several = { $script }, line { $line }: the result of several statements that are joined by \; cannot be stored
sql-syntax = this is not an expression
sql-table-example = write a section such as [datasets.bank.fill.account] with rows = 1000, id = "serial", owner = "name"
sql-table-in-the-way = the table { $table }, which { $script } is about, exists and has no mark of ours
sql-table-key-wrong = table { $table }, { $key }: { $why }
sql-table-line-wrong = not a line of a table: { $line }
sql-table-not-created = { $script } creates no table { $table }
sql-table-nowhere = { $script }, line { $line }: there is no table { $table }, and the data set creates none
sql-table-rows-and-size = table { $table }: both rows and size say how much is loaded
sql-table-without-rows = table { $table }: neither rows nor size says how much is loaded: with a generator they are columns
sql-too-many-arguments = there are more arguments than the command takes
sql-too-many-names = the scripts have { $names } statements with different names, and at most { $most } are counted
sql-too-many-parameters = the statement has more than { $most } variables
sql-transaction-left-open = { $script }, line { $line }: a transaction begins here and never ends
sql-transaction-open-at-end = the script { $script } ended with an open transaction
sql-unexpected-character = the character { $character } cannot be in an expression
sql-unknown-command = there is no such command
sql-unknown-function = there is no function { $name }
sql-unknown-word-in-comment = the comment for Tenbin has the unknown word { $name }
sql-use-command = use one of \set, \if, \elif, \else, \endif, \sleep, \gset, \aset, \startpipeline, \syncpipeline, \endpipeline, \shell, \setshell
sql-use-created = it creates: { $names }
sql-use-function = use one of abs, debug, double, exp, greatest, hash, hash_fnv1a, hash_murmur2, int, least, ln, mod, permute, pi, pow, power, random, random_exponential, random_gaussian, random_zipfian, sqrt
sql-use-other-schema = name a schema without it in the address
sql-value-too-long = { $length } is too long: at most { $most }
sql-variable-in-quotes = { $script }, line { $line }: { $name } is within quotes, where a prepared statement has no parameters
sql-variable-malformed = the variable { $name } has no value of an expression: { $text }
sql-variable-without-value = the variable { $name } has no value
sql-weight-too-large = the weight of { $script } is too large
sql-weight-wrong = the weight of { $script } is not a whole number: { $weight }
sql-weights-all-zero = all weights are 0
sql-write-a-statement = write a statement into it, such as SELECT 1;
sql-write-groups = describe groups in a plan: [[experiment.load.group]] with name, scripts and clients
    .remedy = tenbin
sql-write-statements-apart = write them as statements of their own, with ; in place of \;
sql-wrong-arguments = the function { $name } does not take this number of arguments
sql-wrong-value-in-comment = in the comment for Tenbin, { $name } cannot be { $value }
sql-zipfian-parameter = the parameter of a Zipf distribution must be from 1.001 to 1000
