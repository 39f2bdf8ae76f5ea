# Golden copies: data put back from a copy.

account-creates-no-databases = account { $account } may not create databases, which restoring from a golden database needs
account-is-not-owner = account { $account } does not own the database { $database }, and cannot replace it
allow-replace-server = allow = ["replace-server"] in the target, if nothing in them must be kept; otherwise restore = "reload"
    .remedy = tenbin
backup-tool-failed = { $tool } failed
backup-tool-of-other-series = { $tool } is of another version than the server ({ $series })
backup-tool-says-too-much = { $tool } has printed more than { $mib } MiB, and was stopped
belongs-to-another-account = it belongs to account { $user }, and Tenbin runs as account { $us }: only root may act with the rights of another account
column-made = made
column-made-by = made by
column-server = server
column-size = size
column-unused-for = unused for
copy-and-free = the copy has { $bytes }; { $free } are free, and the present data have { $there }
data-are-in = its data are in { $place }; the command that starts it: { $command }
data-directory-unseen = the data directory of the server { $dsn } cannot be replaced from here
data-half-replaced = { $data } contains half of a golden copy, and it is not known which
data-directory-exchanged = { $data } is not the directory any more in which the server worked, and is neither copied nor replaced
data-in-use = the data in { $data } are in use, and are neither copied nor replaced
data-made-by-others = { $data } was made by somebody else while a killed process of Tenbin had its data aside: nothing was removed
data-not-brought-back = its former data were not brought back: { $why }
data-outside-of-directory = { $variable } is { $place }, outside of the data directory: a copy would lack it
database-cannot-be-replaced = the database { $database } has something that a copy of it could not be given
database-in-use = the database { $database } cannot be restored: { $count ->
    [1] one session of others is
   *[other] { $count } sessions of others are
  } connected to it
database-not-ours = there is already a database { $name }, which Tenbin did not make
database-of-replica = the database { $database } is on a replica, on which no database can be created
database-properties-differ = the copy of the database did not get its privileges and settings
database-settings-of-superuser = account { $account } cannot give a copy of the database { $database } its settings
database-unseen = the server does not list the database { $database }
disconnect-others = disconnect them, or wait for their end; Tenbin ends no sessions of others
drop-golden-database = psql postgres -c 'DROP DATABASE { $name }'; the next run makes it again
execute-as-administrator = as an administrator of the server: { $sql }
export-data-dir = export TENBIN_DATA_DIR=/path/to/a/directory/with/room
file-cannot-be-copied = { $file } cannot be copied
files-outside-of-directory = the server { $dsn } has files of tables outside of its data directory: a copy would lack them
files-outside-unseen = the account does not see whether the server { $dsn } has files of tables outside of its data directory, which a copy would lack
files-took-too-long = { $dsn } did not tell where its files are within { $seconds } s
former-and-restored-data = its former data: { $former }; the copy that was to replace them: { $restored }
former-data-but-no-start = its former data were brought back, but it does not start on them either: { $why }
former-data-left = the former data of { $data } could not be removed completely; the rest is in { $dir }
former-data-removed = the former content of { $data } was removed to make room for the copy, and cannot be brought back
free-space-for-copy = free space there, or give a smaller data set
give-address-of-primary = give the address of the primary
    .remedy = tenbin
give-command-that-stops = give a command that stops the server and waits for its end, instead of: { $command }
golden-copies-none = there are no golden copies in { $store }
golden-copies-none-to-remove = there is nothing to remove in { $store }
golden-copies-together = golden copies: { $n }, together { $bytes }, in { $store }
golden-copy-cannot-be-made = the golden copy { $path } cannot be made
golden-copy-changed = the golden copy { $name } was changed after it was made
golden-copy-file-differs = the content of { $file } is not what it was
golden-copy-files = it had { $all ->
    [1] 1 file
   *[other] { $all } files
  } with { $length } bytes; now there are { $files } with { $bytes }, or their times differ
golden-copy-in-use = the golden copy { $name } is in use, and was not removed
golden-copy-in-use-by-run = another process of Tenbin makes it, or restores data from it
golden-copy-incomplete = it is incomplete: its creation was interrupted, or is in progress
golden-copy-lacks-data = the golden copy { $name } does not contain the data of the trial
golden-copy-made = golden copy { $name } made by { $by }: { $bytes } in { $files } { $files ->
    [1] file
   *[other] files
  } in { $took }
golden-copy-not-put-back = { $data } cannot be replaced by the golden copy
golden-copy-of-other-data = the golden copy { $name } contains other data than its name says
golden-copy-of-other-format = its layout has version { $format }, which this version of Tenbin does not know
golden-copy-put-back = data restored from the golden copy { $name }: { $bytes } in { $files } { $files ->
    [1] file
   *[other] files
  }
golden-copy-put-back-times = copied in { $copying } ({ $shared } by sharing blocks), written to disk in { $writing }, server ready after { $starting }
golden-copy-unknown = there is no golden copy { $name } in { $store }
golden-copy-unusable = the golden copy { $name } cannot be used
golden-copy-without-description = its description golden.json is not a regular file, or is too long
golden-database-lacks-data = the golden database { $name } does not contain the data of the trial
golden-database-made = golden database { $name } made from { $database }: { $bytes } in { $took }
golden-database-opened = the golden database { $name } was opened to connections and may have been changed
golden-database-put-back = data restored from the golden database { $name } of { $made }: { $bytes }, { $rows } rows
golden-database-put-back-times = copied in { $copying }, put in place in { $swapping }
golden-database-remains-dropped = dropped what is left of an earlier run: { $names }
install-mariadb-backup = apt-get install mariadb-backup, of the version of the server
install-xtrabackup = install percona-xtrabackup of the version of the server, from https://www.percona.com/downloads
    .remedy = tenbin
keep-command-only = take kind, store, stop and start out of restore, or take command out
keep-template-only = take store, stop and start out of restore
link-in-data-directory = { $link } leads elsewhere: a copy of the data directory would not contain what it points to
look-before-replacing-panicked = the look at what others have put into the database meanwhile panicked; nothing was replaced; this is a fault of Tenbin
looking-for-golden-database = looking for the golden database
looking-for-rights = looking for what may be done with the database { $database }
looking-for-sessions = looking for sessions in the database { $database }
making-golden-database = making the golden database { $name }
memory-after-copy-by-pages = the server ran on, and made the copy through its buffers: they have a part of it, and not all of it may have been written to disk
memory-after-copy-of-files = the server ran on: its buffers started with nothing of the copy, the memory of its machine may have all of it
mount-in-data-directory = { $mount } is mounted in { $data }: what is there is not part of the data directory
name-with-line-break = a file in the data directory has a line break in its name
no-backup-of-series = there is no program for backups of { $series } servers
no-data-directory-of-server = process { $pid } of the server has no data open in { $place }
no-room-for-golden-copy = there is no room for the golden copy { $name } in { $data }
objects-of-others = restoring the database { $database } would also bring back { $count ->
    [1] 1 table or other object
   *[other] { $count } tables or other objects
  } that Tenbin did not create
owner-of-database = its owner is { $owner }
permit-database-postgres = permit the account to connect to the database postgres or template1
process-is-alive = process { $pid } is there { $seconds } s after the command
process-works-in = process { $pid } ({ $name }) works in { $place }
put-former-data-back = with the server stopped, move { $data } away, then: mv { $former } { $data }
readers-of-log-of-restored-server = the log of the server { $dsn } is kept elsewhere: with restored data it would write other records under the same positions
rename-database = as its owner: { $sql }
replicas-of-restored-server = replicas are connected to the server { $dsn } ({ $count }): with restored data it would have less than they have
restore-by-copy = write restore = "copy" for this target
    .remedy = tenbin
restore-by-reload = write restore = "reload" for this target
    .remedy = tenbin
restore-command-failed = the command that restores the data of target { $target } failed
restore-command-is-all = restore of target { $target } has a command and also says how Tenbin should restore
restore-command-lacks-data = the command that restores the data has not brought those of { $dataset }
restore-commands-unused = the server of target { $target } is not stopped and started by commands
restore-has-no-command = restore of target { $target } says "command", but has no command
restore-needs-commands = to restore the data of target { $target } its server is stopped and started, but the plan does not say how
restore-other-backup = restore the directory from a backup, and remove .tenbin-incomplete in it
restore-template-is-all = restore of target { $target } is by a golden database on its server: there is no store, and nothing is stopped
restore-timeout-unused = timeout of restore is that of its command, and there is none
restore-unsupported = data of target { $target } cannot be restored by { $kind }
restored-by-command = data of target { $target } restored by the command of the plan in { $took }
restoring-database = restoring the database { $database }
restoring-thread-panicked = the thread that restores the data panicked; this is a fault of Tenbin
run-as-that-account-or-reload = run Tenbin as that account or as root, or write restore = "reload"
    .remedy = tenbin
run-on-server-or-reload = run Tenbin on the server's machine, or write restore = "reload"
    .remedy = tenbin
run-plan-to-start-server = tenbin run with the same plan puts its data in order and starts it
    .remedy = tenbin
runs-on-former-data = its former data were brought back, and it runs on them
server-came-back = the server { $dsn } came back after the command that stops it
server-does-not-own-data = { $place } belongs to account { $owner }, but process { $pid } of the server acts as account { $account }
server-does-not-return = the server { $dsn } does not accept connections after the command that starts it
server-gone-after-restore = the server { $dsn } does not accept connections { $waited } after the start of the command that restores its data
server-left-stopped = the server was left stopped: { $data } contains half of the golden copy; the next run puts it in order
server-objects-of-others = restoring the server { $dsn } would remove { $count ->
    [1] 1 table or other object
   *[other] { $count } tables or other objects
  } that Tenbin did not create, or bring back an earlier state of { $count ->
    [1] it
   *[other] them
  }
server-runs-after-stop = the server { $dsn } still runs after the command that stops it
server-works-elsewhere = the server says that its data are in { $place }, but its process { $pid } works in { $works }
service-command-failed = the command for the server failed: { $command }
service-is-stopped = process { $owner } has stopped the server { $dsn } to restore its data
service-left-stopped = a run that was killed has left the server { $dsn } stopped
service-note-damaged = the note of a stopped server, { $path }, cannot be used
service-recovered = a run that was killed had stopped the server { $dsn }; its data directory was put in order and the server started
service-was-started = a run that was killed had stopped the server { $dsn }; it runs again
start-server-and-remove = start the server, and rm { $path }
stop-what-starts-it = ps -f -p { $pid } shows what has started it; stop the server by the command of its service manager (systemctl stop …)
stopped-while-copying = stopped while copying
tables-of-other-plans = restoring the server { $dsn } would also remove { $count ->
    [1] 1 table
   *[other] { $count } tables
  } that Tenbin has loaded for other plans, or bring back an earlier state of { $count ->
    [1] it
   *[other] them
  }
tables-of-others = restoring the server { $dsn } would also bring back { $count ->
    [1] 1 table
   *[other] { $count } tables
  } that Tenbin did not create
take-stop-and-start-out = take stop and start out of restore
tenbin-data-list = tenbin data list
    .remedy = tenbin
tenbin-data-remove = tenbin data remove { $name }; the next run makes it again
    .remedy = tenbin
tenbin-data-remove-unused = they are kept for later runs; tenbin data remove --unused removes those that no run has used for 30 days
    .remedy = tenbin
use-superuser-or-reload = use an account of a superuser, or write restore = "reload" for this target
    .remedy = tenbin
will-create-golden = load { $rows } { $unit }, about { $size }, and keep a golden copy of the whole data directory, about { $whole }, in { $store }, unless there is one
will-create-golden-database = load { $rows } { $unit }, about { $size }, and keep a golden database of them on the server, unless there is one; while it restores, the server needs room for three times the data
will-put-back = { $n ->
    [1] stop the server, replace its whole data directory by the golden copy, and start it
   *[other] stop the server, replace its whole data directory by the golden copy, and start it, { $n } times
  }
will-put-back-database = { $n ->
    [1] replace the whole database by a copy of the golden database
   *[other] replace the whole database by a copy of the golden database, { $n } times
  }
will-restore-by-command = { $n ->
    [1] run the command of the plan that restores the data: { $command }
   *[other] run the command of the plan that restores the data, { $n } times: { $command }
  }
