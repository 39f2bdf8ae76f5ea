# The command line.

add-option = add { $option }
allow-compare-changed-server = to compare them nevertheless, add --allow changed-server; the answer then says what differs
allow-is-not-known = --allow cannot be { $word }
and-more-trials = … and { $n } more (--json lists all)
at-most = at most { $value }
charts-need-a-directory = charts are files, one each
check-example = --check 'p99 < 20ms'; the figures are tps, qps, nopm, seconds, mean, p50 to p99.9, max and errors
clock-shows-no-date = the clock of this machine shows no date that a run can be named after
clock-shows-year = its clock shows the year { $year }
column-variable = variable
compare-names-do-not-fit = each of the { $runs } runs needs a name of its own; { $names } were given
compare-names-example = --names before,after
compare-runs-of-one-plan = compare runs of one plan, or of plans whose matrix values are equal
compared-run-is-continued = one of { $first } and { $second } continues the other: they are no two measurements
compared-run-is-same = { $first } and { $second } are the same run: there is nothing to compare
compared-server-changed = the server of target { $target } was not the same in these runs
connections-in-databases = connections work in { $count } databases in turn, { $first } to { $last }
diff-changed-mark = * not the value that the server was built with
diff-column-of-remarks = the column “{ $name }” is of remarks, and is left out
diff-computed = not compared: { $n } that a server computes from what is written: { $names }
diff-conf-includes-left = { $file } includes { $files }, which was not read
diff-counted = { $n ->
    [0] no setting differs, of { $compared } variables compared
    [1] 1 setting differs, of { $compared } variables compared
   *[other] { $n } settings differ, of { $compared } variables compared
  }
diff-csv-field-of-lines = from line { $line } on a field runs over several lines: a quote is not closed
diff-csv-is-empty = it has no column of values
diff-csv-looks-like = a line with heads (variable,a,b), then a line per variable
diff-csv-too-many-fields = line { $line } has more fields than the heading: a comma within a value needs quotes
diff-figures-of-status = a table of SHOW STATUS has figures and no settings, and is left out
diff-file-cannot-be-read = the file { $file } cannot be read
diff-file-sets-nothing = the file { $file } sets no variable of a server
diff-file-too-long = it is longer than { $most }
diff-give-address-directory-or-file = give an address (mysql://user@host:3306/), a run directory, an option file or a CSV file
    .remedy = tenbin
diff-includes-left = { $file } includes { $files }, which is not below its directory and was not read
diff-includes-left-hint = name those files too if they belong to the same server
diff-includes-read = { $file } includes { $files }, which were read too
diff-log-bin-name = { $file } sets log_bin = { $value }: this is the name of a binary log, which is on
diff-missing = not compared: { $n } that not every server has: { $names }
diff-name-another = name another run, or the servers themselves
diff-name-two = name two at least: tenbin diff mysql://user@a/ mysql://user@b/
    .remedy = tenbin
diff-names-and-more = { $names } and { $n } more
diff-nothing-in-common = no variable is in all of them
diff-nothing-in-common-hint = name servers of the same kind, or their files; a table has its names below a heading such as Variable_name or name
diff-nothing-there = there is no file or directory { $source }, and it is no address
diff-option-file-looks-like = an option file has a group [mysqld], [mariadb] or [server] with lines NAME=VALUE; a CSV file is called .csv
diff-own-to-server = { $n ->
    [1] not shown: 1 path, address, identifier or clock, which differs on every server: { $names }
   *[other] not shown: { $n } paths, addresses, identifiers and clocks, which differ on every server: { $names }
  }
diff-partial = an option file is compared in what it sets; the rest has defaults that it does not tell
diff-run-has-no-variables = the run in { $dir } has no variables of a server
diff-secret = left out: { $n } that may hold a password: { $names }
diff-statements-left = { $file }: left out, what is set for a session, a role or a database only: { $names }
diff-too-many-columns = { $columns } servers; at most { $most } are compared
diff-too-many-values = more than { $most } values
diff-two-values = { $file } has two values of { $name }, { $former } and { $now }: what follows is in a column of its own, as that of another server
diff-unset = { $n ->
    [1] 1 setting is set
   *[other] { $n } settings are set
  } in some of the files only (–: the default of that server)
diff-unset-known = { $n ->
    [1] 1 setting is set
   *[other] { $n } settings are set
  } in some of the files only (–: the default of that server, by version as the servers tell it:)
diff-version-unknown = the defaults of { $version } are not known here, and may be others: SHOW VARIABLES or SHOW ALL of such a server has them
diff-wants-two = there is nothing to compare: only one server is named
disk-planned = about { $bytes } in the databases
event-given-up-after-end = the event was begun again after such errors, and given up 3 s after the end of the run
figure-unknown = there is no figure { $name }
figures-that-there-are = use tps, qps, nopm, seconds, mean, or p50 to p99.9
file-cannot-be-written = { $file } cannot be written
file-is-read-for-it = it is read for this result
gate-server-differs = The server of { $target }: { $seen }.
history-continued = left out, because a later run continues it and has its trials: { $dirs }
history-edited = not as in the run before: { $differing }
history-figure-is-in-no-run = no load in the runs of { $name } has the figure { $figure }
history-files-changed = the content of { $files } changed between { $before } and { $after }
history-of-searches = the runs of { $name } search for a limit: their levels differ from run to run, and have no history
history-plan-changed = { $differing } differ between { $before } and { $after }, and stand in one history
history-rate-not-held = the rate was not held: this time grows with the length of the run
history-without-results = no run of { $name } has results: all trials are INVALID, completed nothing, or did not come to their end
link-names-elsewhere = name another directory, which is before it on the PATH: { $example }
name-folder-for-links = name a directory that can be written: tenbin names --dir DIR
    .remedy = tenbin
name-is-taken = { $path } already exists, and is not a link to this program; no link was made
names-cannot-be-linked = links cannot be made in { $dir }
first-transactions = first transaction of each script ({ $experiment }, { $target }):
list-sql-not-set = (nothing in this script sets it)
list-sql-script = { $path }, weight { $weight }
list-sql-variables = variables:
not-a-whole-number = a whole number is wanted, such as 4
old-option-cannot-be = { $option } cannot be { $value }
file-is-of-run = it is a part of the record of a run, which is never overwritten
for-example-innodb-buffer-pool-size-64m = for example innodb_buffer_pool_size=64M
free-space-for-output = free space where it goes; a run that was kept is in the list of `tenbin list`
    .remedy = tenbin
gate-at-cells = { " " }at { $cells }
gate-baseline-is-degraded = The baseline is DEGRADED: { $why }.
gate-baseline-is-try-out = The baseline is a try-out of its plan, with its data and time multiplied by { $scale }: its figures say nothing about the targets.
gate-check-is-of-no-load = no load of the run has the figure of the limit { $limit }
gate-compares-nothing = the two runs have no figure in common that has a limit
gate-failed = gate    FAILED
gate-failed-undecided = gate    FAILED: no limit is exceeded, but { $n ->
    [1] one limit is
   *[other] { $n } limits are
  } undecided, which fails with --strict, or with undecided = "fail" in the plan's table gate
gate-few-pairs = too few repeats for an interval: at least { $n } more
gate-figure-is-in-no-experiment = no experiment of the two runs has the figure { $figure }, which has a limit
gate-has-no-limits = the plan of { $dir } has no limits for the gate
gate-invalid-run-alone = the run { $dir } is INVALID: its figures must not be used, and no limit can be checked
gate-line = { $figure }  { $b } { $ratio }× { $a } ({ $interval }); largest regression { $limit }: { $outcome }
gate-line-at = { $figure }  { $place }: { $b } { $ratio }× { $a } ({ $interval }); largest regression { $limit }: { $outcome }
gate-line-at-rate = { $figure }  { $place }: not compared, because it says nothing where the rate is not held; largest regression { $limit }: { $outcome }
gate-line-without-result = { $figure }  not in both runs; largest regression { $limit }: { $outcome }
gate-name-baseline = name the run to compare with: tenbin gate BASELINE { $dir }
    .remedy = tenbin
gate-not-all-ended = not all of its statements ended
gate-not-begun = not measured, because the run ended before: trials { $trials }
gate-not-checked = not checked, because there is no baseline: { $limits }
gate-not-measured = not measured in the run, but in the baseline: { $cells }
gate-not-measured-more = not measured in the run, but in the baseline: { $cells }; and { $n } more
gate-nothing-measured = nothing was measured
gate-own-line = { $limit }  { $place }: { $value }: { $outcome }
gate-own-line-repeats = { $limit }  { $place }: { $value }, within it in { $held } of { $all } repeats: { $outcome }
gate-passed = gate    passed
gate-passed-partly = gate    passed, but { $n } of { $all } limits are undecided; undecided = "fail" in the plan's table gate, or --strict, makes it fail
gate-passed-undecided = gate    passed, but nothing is decided: { $n ->
    [1] the only limit is
   *[other] all { $n } limits are
  } undecided; undecided = "fail" in the plan's table gate, or --strict, makes it fail
gate-passed-unchecked = gate    passed: nothing was checked
gate-rate-not-held = { $value }, but the rate was not held
gate-rate-not-held-in = { $value }, but the rate was not held in { $behind } of { $all } repeats
gate-regression-without-baseline = a regression is compared with another run, and there is one run only
gate-run-is-degraded = The run is DEGRADED: { $why }.
gate-run-is-invalid = the run { $dir } is INVALID: nothing can be checked against it
gate-run-is-try-out = The run is a try-out of its plan, with its data and time multiplied by { $scale }: its figures say nothing about the targets.
gate-searches-have-limits = runs of a search have the limit that they found, and no other figure may regress
give-a-plan = give a plan: tenbin plan example prints one
give-another-metrics-port = give another port: --metrics 127.0.0.1:9465
give-authority-by-option = give the authority that signed it: { $option }=/path/to/ca.pem
give-check = --check 'p99 < 20ms', or in the plan: [gate] check = ["p99 < 20ms"]
give-limit-of-search = --max-regression 'tps 5%': of a search that is the limit that it found
    .remedy = tenbin
give-limits-of-figures-that-runs-have = leave that limit out, or give one of a figure that they have: --max-regression 'p99 5%'
give-max-regression = --max-regression 'p99 5%', or in the plan: [gate] max_regression = ["p99 5%"]
    .remedy = tenbin
give-metrics-address = give address and port: --metrics 127.0.0.1:9464; on all addresses of this machine, 0.0.0.0:9464
    .remedy = tenbin
give-path-or-begin-plan = give the path of a plan, or begin one: tenbin plan example > { $name }
give-plan-in-it = give a plan in it: ls { $name }
ignore-error = to begin the event again after such an error: { $option }
in-file = { $file }: { $what }
in-file-line = { $file }: line { $line }: { $what }
is-server-running-here = is the server running on this machine? Over TCP it is reached with { $option }
is-server-running-ping = is the server running, and is this its port? { $ping }
keep-or-load-again = { $keep }, or load again: { $load }
leave-out-option = leave out { $option }
level-changed = { $percent } % from here on: { $before } before, { $after } since
level-did-not-change = no change of the level was found in { $n ->
    [1] 1 run
   *[other] { $n } runs
  } (changes below 2 % are not reported; about ten runs are needed)
limit-example = --max-regression 'p99 5%'; the figures are tps, qps, nopm, seconds, mean, and p50 to p99.9
limit-exceeded = EXCEEDED
limit-exceeded-rate-lost = EXCEEDED: the baseline held the rate, and the run does not{ $at }
limit-held = held
limit-undecided = UNDECIDED: it takes more repeats to tell
limit-undecided-not-measured = UNDECIDED: the run did not measure all of it
limit-undecided-rate-not-held = UNDECIDED: the rate was not held{ $at }
limit-undecided-without-ratio = UNDECIDED: no ratio can be made of it
limit-unreadable = { $limit } is no limit of a regression
longer-than-4-mib = it is longer than 4 MiB
look-at-file = look at the file: ls -l { $name }
look-at-report = tenbin report { $dir } --format text
    .remedy = tenbin
look-into-error-log = look into its error log, and at the room on its disk
ls-ld-tells-who-may = ls -ld { $folder } tells who may write there
ls-tells-who-may-read = ls -l { $name } tells who may read it
manual-pages-cannot-be-written = the manual pages could not be written to { $dir }
metrics-address-failed = live figures cannot be served at { $address }
mkdir-p-unquoted = mkdir -p { $folder }
name-another-file = name another file with --out
name-directory-for-charts = name a directory for them: --out charts
name-file-in-it = name a file in it: { $path }
name-writable-folder = name a folder that can be written: tenbin man --dir FOLDER
    .remedy = tenbin
no-more-threads = no more threads can be made
no-report-in-language = there is no report in the language { $language }
no-runs-of-plan = there is no run of a plan named { $name } in { $folder }
no-runs-of-plan-with-tag = there is no run of a plan named { $name } with the tag { $tag } in { $folder }
no-thread-for-signals = no thread for signals can be started
no-thread-for-trace-files = no thread for -f and -t can be started
not-name-value = { $pair } is not NAME=VALUE
plan-cannot-be-read = the plan { $plan } cannot be read
raise-limit-of-processes = raise the limit of processes and threads of this account (ulimit -u tells it), or use fewer clients and workers
redo-of-open-ended = --redo adds repeats, and the plan itself decides how many trials it needs (repeats with until, or search)
repeat-number = repeat { $n }
run-without-redo = run the plan anew, and compare the two runs with tenbin compare
    .remedy = tenbin
runs-have-no-common-cell = these runs have no cell in common: nothing of them can be compared
script-thread-panicked = the script's thread panicked; this is a fault of Tenbin
server-or-option = { $server }, or { $option }
server-silent-for-a-minute = the server has not answered for more than a minute, and is not waited for any longer
set-the-clock = date tells the time; timedatectl set-ntp true sets it
signals-cannot-be-received = signals cannot be received
standard-output-lost = standard output could not be written: what was to be printed is lost, or a part of it
stopped-at-once-kept = stopped at once; what was written until now is kept
stopping = stopping: finishing the interval and closing the run (again to stop at once)
stopping-after-command = stopping: waiting for the end of the command of the plan that is at work, so that it leaves nothing half done (again to end it and stop at once)
stopping-loading = stopping: closing what is being loaded (again to stop at once)
stopping-looks = stopping: the other targets are not looked at
stopping-sandbox = stopping: the server that is starting is stopped and removed
table-not-written = the table cannot be written; this is a fault of Tenbin
tables-are-taken-as-they = the tables are taken as they were loaded: { $all }
tables-are-there-already-complete = the tables are there already, complete
tenbin-load-command = tenbin load { $workload } '{ $dsn }'{ $secret }{ $options }
thing-address = an address
thing-plan = a plan
thing-run = a run
thing-workload = a workload
time-at-most = at most about { $whole } ({ $drive } driving, about { $load } loading)
time-planned = about { $whole } ({ $drive } driving, about { $load } loading)
too-few-open-files-to-store = too few files may be open
trace-files-not-whole = the files of -f and -t are not whole
trials-at-most = { $name }: at most { $n ->
    [1] 1 trial
   *[other] { $n } trials, in this order
  }
trials-in-both-runs = { $n ->
    [1] one trial is the same measurement
   *[other] { $n } trials are the same measurements
  } in both
trials-in-order = { $n ->
    [1] { $name }: 1 trial
   *[other] { $name }: { $n } trials, in this order
  }
ulimit-u-tells-how-many = ulimit -u tells how many there may be
usage-address = host, port, user and schema are one argument, the address: mysql://USER@HOST:3306/SCHEMA, postgres://USER@HOST:5432/DATABASE
usage-argument-missing = { $command } needs { $arguments }
usage-argument-too-many = { $command } does not take { $argument } too
usage-command-unknown = { $command } has no command { $word }
usage-compare-takes-runs = tenbin compare takes stored runs, and these are addresses of servers
usage-conflict = { $argument } cannot be given together with { $prior }
usage-diff-or-plan = their variables: tenbin diff { $servers }; their speed: a plan with both as targets (tenbin plan example)
    .remedy = tenbin
usage-given-twice = { $argument } is given more than once
usage-in-plan = { $key } is a key of the plan; without a plan: tenbin bench WORKLOAD DSN
usage-is = usage: { $usage }
usage-option-unknown = { $command } has no option { $option }
usage-password = passwords are not given on command lines: --password-env NAME, or --password-file FILE
usage-see-help = { $command } --help
usage-swapped = the arguments of { $command } are in the wrong order
usage-value-missing = { $argument } needs a value
usage-value-wrong = { $argument } cannot be { $value }
usage-write-option = write { $option }
usage-wrong-thing = { $word } is { $is }, and { $command } takes { $takes }
use-empty-database = use an empty database
use-it-or-drop-first = use it as it is, or drop it first: { $drop }
use-lang-en-or-ja = use --lang en or --lang ja
use-one-of-all = use one of { $names }
use-option-on-trusted-line = use { $option } on a line that you trust
use-them-as-they-are = use them as they are, or load again with --drop
    .remedy = recreate
use-them-as-they-are-not-ours = use them as they are; Tenbin did not make them and does not drop them
w-or-load-others = -w { $there }, or load the others: { $load }
warehouses-in-each = { $warehouses ->
    [1] 1 warehouse in each
   *[other] { $warehouses } warehouses in each
  }
workload-has-no-option = the workload { $workload } has no option { $option }
workload-loads-nothing = { $workload } has no tables that Tenbin could load
