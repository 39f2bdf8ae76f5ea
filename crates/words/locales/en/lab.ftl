# The course of a run.

a-private-server = a private { $binary }, started for the run and removed after it
allow-changed-files = to take the trials over nevertheless, add --allow changed-files; the answer then says what differs
allow-changed-server = to take them over nevertheless, add --allow changed-server; the answer then says what differs
and-more-tables = { " " }and { $more } more
belonging-of-others = { $table } has { $object }, which Tenbin did not create
bytes-per-target = { " " }({ $each })
ceiling-not-measured = the ceiling of the clients was not measured: how often they can execute a statement that does nothing
ceiling-not-measured-seen = { $round_trips } were executed in a second, and none for { $gap_s } s
changes-server-itself = a statement of { $workload } changes the server itself, not rows: its settings, accounts, schemas or files
choose-fewer-series = choose fewer in the table of { $exporter }, names = ["…"]; it has { $count }
choose-other-series = choose others in the table of { $exporter }, names = ["*"] is all of them
client-is-not-that-of-run = the client's machine, or the build of Tenbin, is not that of the run to resume
cloudwatch-late = CloudWatch has no figures for the end of the measured window: { $readings }
cloudwatch-no-whole-minute = the measured window of { $seconds } contains no whole minute: there are no figures of CloudWatch for it
cloudwatch-nothing = CloudWatch has no figures for the measured window
cloudwatch-raise-wait = raise wait in cloud of the target
cloudwatch-waited = waited for { $waited }
cloudwatch-waiting = waiting at most { $at_most } for the figures of CloudWatch, which come one to three minutes late
conditions-hold = { $all } consistency conditions hold: { $rows } rows examined in { $time }
data-missing = the { $unit } of { $workload } are not there
data-not-ours = the { $unit } of data set { $dataset } were not made by Tenbin, so they are not dropped and loaded again
debt-checkpoint-age = checkpoint age { $left } (limit { $limit })
debt-dirty-pages = dirty pages { $left } % (limit { $limit } %)
debt-purge = history list { $left } (limit { $limit })
debt-replica-lag = replica lag { $left } s (limit { $limit } s)
debt-vacuum = { $left } autovacuum workers
describe-config-lists-variables = { $binary } --describe-config lists those it has
detach-or-allow-drop = remove it, or use another schema; if it may be lost: --allow write-unmarked, or allow = ["write-unmarked"] in the plan's target
    .remedy = tenbin
    .elsewhere = remove it, or use another schema
df-on-server = df -h, on the server, for the directory of its data
did-you-mean = did you mean { $nearest }?
disk-has-room = the disk has room
disk-may-become-full = the disk may become full while the data are loaded
drops-what-others-attached = dropping the tables that Tenbin made would take with them what others have attached
duet-driven-alone = driven alone for a part of the time at least, and not at the same time as another target; not driven to the end: { $targets }
duet-driven-alone-hint = see in the notes of the other trial what happened, and measure again
duet-driven-without = driven at the same time as fewer targets than planned for a part of the time at least; not driven to the end: { $targets }
duet-not-driven = not driven, because { $target } cannot be driven at the same time
duet-not-driven-hint = see in the notes of that trial what happened; order = "random-block" drives each target by itself
duet-thread-gone = the thread that drove the clients has ended by itself
export-variable = export { $name }=…
exporter-can-be-read = exporter { $exporter } can be read: { $recorded } of { $offered } series are recorded
file-changed-during-run = the file { $file } has been changed since the run was planned
files-are-not-those-of-run = trial { $trial } of the run to resume had files with another content
foreign-key-of-others = the foreign key { $constraint } of { $table } changes or deletes its rows with those of { $ours }
found-new = nothing: it is new
found-no-file = no file: it is new
found-none = none of the tables
found-not-looked = not looked at (--offline)
found-not-ours = the tables, complete, not made by Tenbin
found-ours = the tables, complete, made by Tenbin
found-unseen = it could not be looked at
give-address-of-source = give the address of the source, or use a workload that only reads, such as oltp_read_only; to write here all the same: --allow write-replica, or allow = ["write-replica"] in the plan's target
    .remedy = tenbin
    .elsewhere = connect to the source
give-dsn-or-sandbox = give it dsn = "mysql://…" or sandbox = "mariadbd"
    .remedy = tenbin
give-workload-its-data = give { $workload } an [[experiment]] of its own with dataset = "{ $needed }", and describe [datasets.{ $needed }] with kind = "{ $needed }"
    .remedy = tenbin
grant-for-checkpoint = GRANT pg_checkpoint TO the account (PostgreSQL 15 and later), or use a superuser
grant-for-flush = GRANT RELOAD ON *.* and SELECT, LOCK TABLES on the schema to the account
letting-settle = letting { $dsn } settle
load-and-free = about { $load } to load into { $place }{ $parts }; { $free } are free there
load-and-free-with-logs = about { $load } to load into { $place }{ $parts }; { $free } are free there; logs and the sorting for indexes may take half as much again
load-and-why = about { $load } to load; { $why }
loaded = { $streams ->
    [1] loaded { $rows } { $unit } in { $took } ({ $per_second } { $unit }/s, 1 stream)
   *[other] loaded { $rows } { $unit } in { $took } ({ $per_second } { $unit }/s, { $streams } streams)
  }
loaded-by-hosts = loaded { $rows } { $unit } in { $took } ({ $per_second } { $unit }/s, { $streams } streams of { $hosts } load hosts)
loading-thread-panicked = the thread that loads or checks panicked; this is a fault of Tenbin
lock-was-lost = the lock on the tables in { $dsn } was lost during the trial and acquired again: another run could have changed them meanwhile
lock-was-lost-to-other = the lock on the tables in { $dsn } was lost during the trial, and another run has it now
look-for-other-runs = look which run was at work there, and what has ended the connection of the lock (a time limit, KILL, a proxy) or removed its file; then measure again
looked-in = looked in { $dsn }
make-data-smaller = make the data smaller (table_size, tables, warehouses), or free { $room } there
    .elsewhere = make the data smaller, or free { $room } there
may-write-to-foreign-tables = what { $workload } writes is not known beforehand, and there are tables that Tenbin did not make
no-room-for-load = the disk has no room for what is to be loaded
no-tenbin-mark-in = no tenbin_mark in { $dsn }
no-tenbin-mark-of-now = no tenbin_mark in { $dsn } is about these tables as they are now: ALTER TABLE, CREATE INDEX and OPTIMIZE make another table of one, and TRUNCATE does in the second in which the table was created
of-target = target { $target }: { $what }
option-file-empty = the option file { $file } has no setting that a private server can use
option-file-in-part = not all of the option file { $file } is used
option-file-line = the option file { $file } has a line that cannot be used
option-file-unused = not used, because a private server has its own, or would reach other servers by it: { $names }
option-file-without-directory = used without the directory: { $names }
option-file-without-group = the option file { $file } has no setting that a private server can use, in none of the groups { $groups }
password-env-missing = the password of target { $target } is not in the environment
password-env-not-set = password_env = { $name }, which is not set
password-file-unreadable = the password file of target { $target } cannot be read
plan-is-not-that-of-run = trial { $trial } of this plan differs from that of the run to resume
prepared-by-script = the command prepare of { $script } took { $took }
raise-catch-up = raise catch_up, or set catch_up = "none" if it is known that they fall behind
remove-it-or-allow-change = set settings by the key server of the plan's target, which puts them back; or remove it; to execute it nevertheless: --allow write-unmarked, or allow = ["write-unmarked"] in the plan's target
    .remedy = tenbin
replica-cannot-be-inspected = replica { $replica } could not be asked for its settings
replica-unknown = whether the server is a replica could not be seen
replicas-not-caught-up = after { $waited } these replicas did not have everything that was written: { $replicas }
resume-with-its-scale = give --scale as for that run, or run this one without --resume
room-unknown = whether the disk has room for what is to be loaded is not known
run-again-with-file = run the plan again with the file as it is now
    .remedy = tenbin
run-to-resume-has-other-scale = the run to resume was not made with this --scale
run-without-resume = resume with the plan of that run (plan.toml in its directory), or run this one without --resume
    .remedy = tenbin
sandbox-is-empty = the tables of { $workload } are not there: the private server of target { $target } begins empty
sandbox-started = started a private server for target { $target }
schema-in-use = another run or load of Tenbin is under way on the tables in { $place }
schema-of = { $schema } of { $dsn }
script-compiled-only = the script { $script } was compiled, not run: its options are checked when the run begins
script-leaves-tables-alone = make sure that the script leaves them alone; --allow write-unmarked, or allow = ["write-unmarked"] in the plan's target, permits everything
    .remedy = tenbin
script-rebuilds-tables = after a statement of the scripts MySQL and MariaDB have another table in place of the one of { $dataset }: no later trial takes it for Tenbin's or loads it again
server-cannot-be-inspected = the server could not be asked for its settings after the load
server-is-not-that-of-run = the server of target { $target } is not as it was in the run to resume
server-is-read-only-refused = the server is read-only: nothing is written to it, also by an account that could
server-is-replica-refused = the server is a replica: rows written to it would make its data differ from its source's and may stop replication
server-not-settled = after { $waited } the server still had work in the background
server-settled = the server has settled after { $took }
server-settles-in-silence = { $dsn } did not answer within { $seconds } s while it settles
server-silent = the server has not answered for { $time }, and is not waited for any longer
server-would-have = the server would have { $value }
set-restore-never-to-load = set restore = "never", which loads what is not there, or restore = "before-run"
    .remedy = recreate
set-restore-never-to-use = set restore = "never" to use them as they are, or point the target at an empty schema
    .remedy = tenbin
stopped-while-settling = stopped by the user while waiting for the server to settle
table-inherits-from-ours = { $table } inherits from { $ours }: what is written to { $ours } is written to its rows too
tables-not-locked = the tables could not be locked against other runs of Tenbin
tables-without-mark = { $first }{ $several } in { $dsn } without a row in tenbin_mark
take-rebuilding-out = take it out of the script; TRUNCATE and ANALYZE leave the table what it is
target-has-no-address = target { $target } has no address
target-has-no-variable = target { $target }: { $binary } has no variable { $variable }
target-is-gone = the target is gone
target-leads-out = target { $target }: { $what }
target-not-looked = the target was not looked at (--offline)
target-refuses-value = target { $target }: { $binary } does not take { $variable } = { $value }
target-replaced = for this try-out the target { $target } is a private server ({ $binary }) in place of { $address }
tenbin-load = tenbin load { $workload } { $address }{ $options }
threads-rate = { $threads } { $threads ->
    [1] thread
   *[other] threads
  }: { $tps } { $tps ->
    [1] transaction
   *[other] transactions
  } per second
threads-remembered = { $clients ->
    [1] 1 client is
   *[other] { $clients } clients are
  } driven by { $chosen } { $chosen ->
    [1] thread
   *[other] threads
  }, which an earlier run on this machine found best
threads-tried = { $clients ->
    [1] 1 client is
   *[other] { $clients } clients are
  } driven by { $chosen } { $chosen ->
    [1] thread
   *[other] threads
  }, which short tries found best
trial-planned-twice = trial { $trial } was planned twice, or was not recorded; this is a fault of Tenbin
trials-taken-over = { $trials } finished trials were taken over from { $place }
trigger-of-others = { $table } has { $trigger }, a trigger or rule that Tenbin did not create
unit-bytes = bytes
unit-files = files
unit-rows = rows
unit-tables = tables
use-workload-that-reads = use a workload that only reads, or an empty schema; if the rows may be changed: --allow write-unmarked, or allow = ["write-unmarked"] in the plan's target
    .remedy = tenbin
    .elsewhere = use a workload that only reads, or an empty schema
verbose-help-lists-variables = { $binary } --verbose --help lists those it has
wait-or-share-tables = wait until it has ended, or use another schema; to use the tables beside it as they are: --allow share-tables, or allow = ["share-tables"] in the plan's target
    .remedy = tenbin
    .elsewhere = wait until it has ended, or use another schema
will-change-group = change the parameter group of { $name } for that, and put it back at the end
will-change-group-and-reboot = change the parameter group of { $name } for that, put it back at the end, and reboot { $name } for parameters that need it
will-create = { $n ->
    [1] create and fill: { $rows } { $unit }, about { $size }
   *[other] create and fill: { $rows } { $unit }, about { $size }, { $n } times
  }
will-drop = { $n ->
    [1] drop what Tenbin made there
   *[other] drop what Tenbin made there, { $n } times
  }
will-lie-in = keep the data of the server in a directory of its own in { $directory }, and remove it at the end
will-prepare = { $n ->
    [1] run the command prepare of { $script }, which alone knows how much it creates
   *[other] run the command prepare of { $script }, which alone knows how much it creates, { $n } times
  }
will-set = set, and put back at the end: { $variables }
will-use = use the tables as they are
workload-lacks-data = the workload { $workload } needs a data set of kind { $needed }, and { $dataset } is one of kind { $kind }
write-one-option-file = write all settings into one file, without includes
write-settings-of-server = write the settings of the server into it: for MySQL and MariaDB below [mysqld]
writes-to-foreign-tables = { $workload } would write into tables that Tenbin did not make
writes-to-replica = this run writes to a replica or a read-only server, as it was allowed to
writing-refused = { $dsn } refuses to write what it has changed; it is only waited for
