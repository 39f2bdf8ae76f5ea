# Mistakes in a plan.

a-date = a date
a-list = a list
a-number-with-fraction = a number with a fraction
a-table = a table
a-text = a text
a-whole-number = a whole number
add-a-target = add [targets.a] with dsn = "mysql://user@host:3306/schema" or sandbox = "mariadbd"
    .remedy = tenbin
add-an-experiment = add [[experiment]]
add-axis-to-matrix = add "{ $axis }" = […] to the matrix
add-experiment-with-load = add [[experiment]] with [experiment.load] and workload = "oltp_read_write"
add-load = add [experiment.load] with workload = "oltp_read_write"
add-target-with-dsn = add [targets.a] with dsn = "…"
amount-empty = it is empty; write for example { $example }
amount-too-large = { $text } is too large
amount-without-number = { $text } does not begin with a number; write for example { $example }
amount-without-unit = { $text } has no unit { $unit }
and-more-mistakes = and { $more } more { $more ->
    [1] mistake
   *[other] mistakes
  }; the first { $most } are shown
and-more-notes = and { $more } more { $more ->
    [1] note
   *[other] notes
  }; the first { $most } are shown
apply-group-and-restart = apply is a parameter group or a command that restarts the server, not both
apply-group-without-cloud = target { $target }: apply = "parameter-group" is for managed instances, and it has no cloud
apply-has-no-restart = apply has no command that restarts the server
apply-not-of-target = the server variables of target { $target } cannot be set in this way
apply-timeout-unused = timeout in apply is for parameter groups only
at-line = line { $line }, column { $column }: { $what }
axis-given-twice = { $axis } is given twice
axis-takes-a-list = { $axis } takes a list of values, not { $kind }
axis-unknown = { $axis } is not an axis of this matrix
axis-without-values = { $axis } has no values, so the matrix has no cells
axis-zipped-already = { $axis } steps with others already
begin-with-schema = begin it with schema = 1
belongs-in-section = { $name } belongs in { $section }
check-below-nothing = { $text } can never hold: { $figure } is not below 0; with <= it may be 0
check-of-plan-example = check = ["p99 < 20ms", "errors < 0.1%", "tps > 500"]
check-unreadable = { $text } is no condition of a figure
check-wrong-side = { $text } would accept every bad value: { $figure } is better on the other side
choose-longer-interval = choose a longer interval
cloud-has-no-instance = cloud names neither an instance (rds) nor a cluster
cloud-has-no-region = cloud has no region
cloud-of-existing-servers = target { $target }: only servers of MySQL, MariaDB and PostgreSQL that have an address can have cloud
compare-base-unknown = the axis { $axis } does not have the value that the others are to be compared with
compare-no-axis = the experiment is to be compared along { $axis }, which is no axis of its matrix
compare-one-value = the axis { $axis } has one value, so there is nothing to compare
compare-sizes-differ = along { $axis } the amount of data changes too: { $option } is { $of_a } at { $a } and { $of_b } at { $b }, so the ratio is not that of { $axis } alone
compare-sizes-differ-hint = give both the same { $option }, unless the question is about the amount of data
compare-with-search = a search for a limit cannot be compared along an axis: it has levels of its own
compare-without-axis = compare does not say which axis
copied-quote = { $quote } is a typographic quote as pages of the web show them
copied-space = there is a no-break space as pages of the web have them
copied-wide-space = there is a full-width space
correct-and-look-again = correct these and look again with: tenbin plan check PLAN
    .remedy = tenbin
data-sets = data sets
dataset-kind-cannot-be-varied = the kind of a data set cannot be varied
dataset-missing = the experiment does not say which data set it uses: { $names }
dataset-unknown = there is no data set { $dataset } in the plan
describe-dataset = describe it in [datasets.{ $name }]
describe-dataset-or-use = describe it in [datasets.{ $name }], or use one of: { $datasets }
describe-target = describe it in [targets.{ $name }]
describe-target-or-use = describe it in [targets.{ $name }], or use one of: { $names }
duet-allow-shared-machine = put them on machines of their own, use order = "random-block", or permit it for all of them: allow = ["shared-machine"]
duet-beside-clients = target { $target } is on the machine of the clients, which drive all targets at the same time
duet-compares-targets = order = "duet" drives the targets of a cell at the same time; the levels of a search and the values of an axis follow one another
duet-needs-equal-times = order = "duet" needs a warm-up and a measurement of fixed lengths and clients that do not end by themselves, so that all targets are driven for the same time
duet-needs-targets = order = "duet" drives at least two targets at the same time, and there is one
duet-same-server = targets { $a } and { $b } are the same server: two trials at the same time would use each other's tables and memory
duet-shared-machine = targets { $a } and { $b } share a machine ({ $machine }): driven at the same time they would disturb each other
duet-use-blocks = use order = "random-block"
duet-with-hosts = order = "duet" is driven by this process, and not by load hosts
every-cell-excluded = every cell of the matrix is left out
exchange-from-and-to = exchange from and to
exclude-empty = an empty exclude leaves out nothing
exclude-less = take something out of exclude
exclude-takes-tables = exclude takes a list of tables
excluded-value-unknown = { $axis } never has this value, so nothing would be left out
exclusions = exclusions
experiment-named-twice = two experiments are called { $name }
experiments = experiments
experiments-empty = the list of experiments is empty
exporter-has-no-address = exporter { $exporter } has no address
exporter-period-out-of-range = an exporter is read every 100 ms to 1 h
exporters = exporters
field-cannot-be-varied = { $axis } is not a field that can be varied
file-of-sql-is-no-workload = { $file } is a file of SQL, and no workload
gate-figure-not-had = no load of the plan has the figure of the limit { $limit }
gate-figures-of-loads = tps and qps of a closed loop may regress, nopm is of tpcc, seconds of slap with a number of queries; every load but a search has mean, p50 to p99.9, max and errors; of a search the limit found may regress, as tps
give-at-least-one-value = give at least one value, or remove the axis
give-axis-another-value = give { $axis } another value in the matrix, or remove compare
give-number-from-zero = give { $key } a number of at least 0
give-one-another-name = give one of them another name
give-replica-address = give the address of its replica: "mysql://user@host:port"
give-replica-dsn-or-sandbox = give dsn = "mysql://user@host:port", or sandbox = true
give-restart-command = give it, for example restart = "systemctl restart mariadb"
give-starts-per-second = give starts per second
give-value-or-remove = give it a value or remove { $key }
give-whole-number = give a whole number from { $from } to { $to }
group-named-twice = two groups of clients are called { $name }
group-without-name = a group of clients has no name
group-without-scripts = the group { $name } has no scripts
groups-of-clients = groups of clients
host-is-no-destination = host is "local", "none", or a destination of ssh without a password
host-of-sandbox = target { $target }: a private server runs on this machine, so host cannot be another one
interval-too-short = an interval is at least 10ms
keep-dsn-or-sandbox = keep dsn for a server that runs, sandbox for one to start
keep-one-of-repeats = keep one; repeats says how often a cell is run
keep-one-of-them = keep one of them
keep-one-you-mean = keep the one you mean
keep-those-you-mean = keep those you mean; a plan may be parted into several
key-beside-groups = { $key } is given beside groups of clients, which each have their own
key-cannot-be = { $key } cannot be { $value }
key-cannot-be-set-here = { $key } cannot be set here
key-given-twice = { $key } is given twice, as { $before } and as { $again }
key-is-a-duration = { $key } is a duration, not { $kind }
key-is-a-number = { $key } is a number, not { $kind }
key-is-a-text = { $key } is a text, not { $kind }
key-is-a-whole-number = { $key } is a whole number, not { $kind }
key-is-empty = { $key } is empty
key-is-no-amount = { $key }: { $why }
key-is-true-or-false = { $key } is true or false, not { $kind }
key-not-with-groups = { $key } is not possible with groups of clients
key-of = { $name } of { $section }
key-of-private-servers = target { $target }: only private servers have a { $key }
key-takes-one-value = { $key } takes one value, not { $kind }
key-takes-tables = { $key } has a section for each table
key-unknown = { $key } is not a key of { $section }
keys-in = keys in { $section }
later-experiment-chart = the page chooses its own charts
later-experiment-check = conditions that pass or abort a run come later
later-experiment-table = the page chooses its own tables
later-experiment-watch = replicas, their binary logs and CloudWatch are observed always
later-metrics-host = the machines of the client and of the servers are observed always, choosing among observers comes later
later-metrics-server = the status variables are observed always, choosing among observers comes later
later-top-allow-drop = Tenbin drops only what carries its own mark
limit-of-plan-example = write for example "p99 5%"; the figures are tps, qps, nopm, seconds, mean, and p50 to p99.9
line-of-plan = { $line } | { $text }
link-of-private-servers = target { $target }: only private servers of MySQL, MariaDB and PostgreSQL can have a simulated link
list-the-values = list the values themselves: "{ $axis }" = […]
load-kind-unknown = there is no kind of load { $kind }
longer-than-a-month = { $key } is longer than a month
longest-is-31d = the longest is "31d"
make-their-lists-equally-long = make their lists equally long
max-cell-time-zero = a max_cell_time of 0 leaves no time
measure-until-figure = a measurement can only end by tps: other figures are known from several runs
measure-until-limits = min must be less than max
measure-zero = nothing would be measured: measure is 0
more-than-most = there are { $all } { $what }, more than { $most }
name-axes-to-exclude = name the axes and values to leave out
name-axis-once-in-zip = name each axis once in zip
name-each-target-once = name each target once, or describe a second one with the same address
name-of-group = use letters, digits, - and _, 40 at most
name-targets-or-remove-key = name targets, or remove the key to take all
name-with-letters-and-digits = use letters, digits, "-" and "_"
no-target-in-targets = there is no target in [targets]
no-unit = no unit
not-a-count = a number is wanted: 10000, 10k, 1M or 1e6
not-a-replica-name = { $name } is not a name for a replica
not-a-unit = { $text } is not a unit { $unit }
not-an-exporter-address = { $address } is not the address of an exporter
not-an-exporter-name = { $name } is not a name for an exporter
not-toml = this is not TOML: { $message }
not-utf-8 = the byte 0x{ $byte } is not UTF-8, which plans are written in
not-yet = not yet: { $thing } ({ $why })
objective-for-example = write it as "p99 < 20ms, errors < 0.1%": mean, p50 to p99.9 or max with a time, errors with a percentage, tps > a number
objective-unreadable = { $text } is no objective
one-cell = 1 cell
operations-given-twice = operations and operations_per_client are both given
option-in-address-too = { $option } is in the address too
option-means-nothing = { $option } means nothing to this database
password-given-twice = the password of target { $target } is given twice
password-in-plan = the password of target { $target } is in the plan; it is left out of everything that is written
path-not-absolute = { $key } is an absolute path, which { $value } is not
paths-of-run-start-here = paths in the plan of a run start at the current directory: change to the folder of the plan that was run, or give that plan
    .remedy = tenbin
paths-start-at-plan = paths in a plan start at the folder of the plan: move the file beside it, or write the whole path
    .remedy = tenbin
plan-has-no-experiment = the plan has no experiment
plan-has-no-targets = the plan has no targets
plan-path-elsewhere = { $path } is not beside the plan
plan-path-of-run = { $path }, which the plan of a run names, is not in the current directory
plan-path-only-here = there is { $here }, but no { $file }
plan-path-without-home = the home directory is not known, in which { $path } would be
plan-schema-missing = the plan does not say which schema it follows
plan-schema-unknown = schema { $schema } is not known to this version
precision-for-example = write it as "ci(tps) < 2%": tps, qps, nopm, seconds, mean or p50 to p99.9, and 0.1 to 50 %
precision-unreadable = { $text } is no precision
prefer-password-env = prefer password_env = "NAME" or password_file = "PATH": then the stored plan can be run again
private-replica-of-own-server = replica { $replica } cannot be a private server, because its source is not one: it would have none of its data
range-ends-before = the range of { $axis } ends before it begins
range-from-zero = the range of { $axis } does not grow: { $times } times 0, or a negative number, is not more
range-of-different-units = the range of { $axis } has units that are no multiples of one another: { $units }
range-step-too-small = step in the range of { $axis } must be more than 0
range-takes-numbers = { $key } in the range of { $axis } is a number, perhaps with a unit, not { $found }
range-times-too-small = times in the range of { $axis } is a number above 1
range-too-long = the range of { $axis } has more than { $most } values
range-with-both = the range of { $axis } has both times and step
range-without-ends = the range of { $axis } needs from and to
range-without-step = the range of { $axis } says neither times nor step
rate-too-high = the rate is above 10⁹ per second
refutes-lacks = [refutes] lacks { $key }
remove-option = remove { $option }
repeats-until = { $min } to { $max } repeats, until { $until }
repeats-until-limits = min must be 2 or more, and less than max
repeats-until-order = repeats that end when enough is known need targets that are interleaved
repeats-until-order-hint = set order = "random-block" or "abba"
replica-address-and-sandbox = replica { $replica } has an address and is a sandbox
replica-delay-in-seconds = the delay of a replica is a whole number of seconds, a day at most
replica-has-no-address = replica { $replica } has no address
replica-sandbox-is-true = sandbox of a replica is true or false: the server is of the same kind as its source
replica-settings-of-sandboxes = server and delay of replica { $replica } can be set for a private server only
replicas = replicas
replicas-of-mysql-only = replicas are observed for MySQL and MariaDB only
restore-with-replicas = target { $target } cannot be restored by { $kind }, because it has replicas, which would keep the data of before
scale-out-of-range = { $scale } is not a number more than 0 and less than 1, such as 0.001
search-limits = from must be greater than 0, and less than to
section-is-a-table = { $section } is a table, not { $kind }
see-plan-reference = see the plan reference
see-tenbin-plan-example = see `tenbin plan example`
server-variables = server variables
set-home-or-write-whole-path = set HOME, or write the whole path: /home/… in place of ~/…
set-on-replica-itself = set them on the replica itself
shorten-matrix = shorten the lists of the matrix, or tie axes together with zip
shorten-range = let it grow faster, or end earlier
take-out-key = take it out; the rest of the plan does not need it
    .remedy = tenbin
take-out-of-address = take it out of the address
target-address-and-sandbox = target { $target } has an address and is a sandbox
target-has-no-name = a target has no name
target-named-twice = target { $target } is named twice; against itself it would weigh nothing
target-of-axis-unknown = { $axis } is of a target that the experiment does not have
target-unknown = there is no target { $target } in the plan
targets = targets
targets-are-no-axis = the targets are no axis of the matrix: every cell is run on all of them
targets-empty = targets is empty: there is nothing to weigh
toml-copied = { $character }: TOML reads only " and ' and plain spaces
toml-in-short = texts are in "quotes", lists in [brackets], and each key is on its own line
toml-put-comma = put a comma between them
toml-says-no-bracket = unclosed table, expected `]`
toml-says-no-comma = missing comma between key-value pairs, expected `,`
toml-says-no-end = invalid basic string, expected `"`
toml-says-no-key = invalid unquoted key, expected letters, numbers, `-`, `_`
toml-says-no-quotes = string values must be quoted, expected literal string
toml-says-no-value = key with no value, expected `=`
toml-says-twice = duplicate key
toml-table-in-lines = a table in braces cannot be continued: write [experiment.load] and below it a line for each key
too-many-axes = the matrix has more than { $most_axes } axes
too-many-intervals = measure { $measure } in intervals of { $interval } makes more than a million intervals
too-many-patterns = exporter { $exporter } has more than { $most } patterns
too-many-trials = the plan comes to { $trials } trials ({ $cells } × { $repeats } { $repeats ->
    [1] repeat
   *[other] repeats
  } × { $targets } { $targets ->
    [1] target
   *[other] targets
  }), more than 10,000
top-of-plan = the top of the plan
true-or-false = true or false
two-baselines = targets { $one } and { $other } are both the baseline
unit-of-bit-rate = of a rate per second (bit, kbit, Mbit, Gbit)
unit-of-short-time = of time (us, ms, s)
unit-of-size = of size (B, KiB, MiB, GiB, TiB, KB, MB, GB, TB)
unit-of-time = of time (ms, s, m, h, d)
until-missing = { $key } as a table needs until
use-an-axis = use load.NAME, dataset.NAME, server.NAME, targets.TARGET.server.NAME or one of { $swept }
use-apply-of-mysql = write apply = "set-global", "persist" or "parameter-group", or give apply.file and apply.restart
use-apply-of-postgres = write apply = "alter-system", or give apply.restart
use-fewer-patterns = use fewer patterns; * stands for any text
use-value-of-matrix = use a value of its list in the matrix
value-stands-twice = { $value } stands twice in { $axis }
values-of = values of { $axis }
values-of-axis = { $n } { $n ->
    [1] value
   *[other] values
  } of { $axis }
variables-cannot-be-set = target { $target } has no server variables that could be set
vary-less = vary less at once, or in several experiments
vary-server-of-target = of a target only server variables can be varied: "targets.NAME.server.VARIABLE"
vary-two-datasets = describe two data sets and vary "dataset"
warmup-shorter-than-interval = a warm-up of at least { $min } is shorter than an interval of { $interval }: whether throughput is steady is judged by intervals
warmup-takes-clients-part = clients that have a part of their own would do it in the warm-up
warmup-too-few-intervals = a warm-up of at most { $max } has too few intervals of { $interval } to tell whether throughput is steady (at least { $least })
workload-missing = the experiment does not say what its clients do
workload-without-groups = the workload { $workload } has no groups of clients
write-dataset = write dataset = { $dataset } in [[experiment]]
write-dataset-axis = write "{ $axis }": it is of the data set that the experiment uses
write-it = write { $near }
write-key = write { $key } = { $value }
    .remedy = tenbin
write-key-for-example = write for example { $key } = { $value }
    .remedy = tenbin
write-key-in = write { $key } = { $value } in { $section }
    .remedy = tenbin
write-key-in-group = write { $key } in each [[experiment.load.group]]
    .remedy = tenbin
write-kind-or-workload = write kind = { $kind }, or workload = { $workload } if that is the workload's name
write-load-axis = write "load.{ $axis }"
write-named-dataset = write [datasets.d]
write-named-target = write [targets.a]
write-one-unit = write all with one unit
write-retried-errors = write { $key } = "known", "all", or the server's codes: "1213, 1205" or "40P01, 23505"
write-schema-or-update = write schema = 1, or get a newer Tenbin
write-server-variable = if it is a variable of the server, write { $server }; the keys are { $names }
write-table-section = write [datasets.NAME.{ $key }.TABLE] with rows and a generator for each column: id = "serial"
write-targets-in-experiment = write targets = ["…"] in [[experiment]]
write-value-or-sweep = write { $key } = VALUE, or sweep it in [experiment.matrix]
write-warmup-zero = write warmup = "0s", or measure by time
zip-takes-lists = zip takes a list of lists of axes
zipped-axes-differ = axes that step together need equally many values, not { $lengths }
zipped-values-stand-twice = { $values } stand twice in axes that step together
