# Servers, sandboxes and observers.

asking-for-replication = asking for its part in replication
asking-server-for-settings = asking the server for its settings
binary-does-not-run = { $binary } does not run
binary-not-on-machine = there is no { $binary } on this machine
cannot-be-looked-at = { $place } cannot be looked at
clean-sandboxes-or-name = tenbin sandbox list --clean, which removes what is left of a sandbox; or another --name
connecting-to-observe-server = connecting to observe the server
dev-urandom = /dev/urandom: { $error }
directory-of-another-user = it belongs to user { $owner }, we are user { $user }
export-short-state-dir = export TENBIN_STATE_DIR=/tmp/t
export-state-dir = export TENBIN_STATE_DIR=/a/directory/of/your/own
first-login-on-sandbox = the first login on a private server
free-space-and-wait = free space on the server's disk; it looks once a minute, and the work goes on by itself
free-space-or-export-state-dir = free space, or export TENBIN_STATE_DIR=…
install-mariadb = apt-get install mariadb-server (its service need not run)
install-or-give-path = install it, or give its path: sandbox = "/path/to/{ $binary }"
install-postgresql = apt-get install postgresql (its service need not run)
install-util-linux = apt-get install util-linux
it-says = it says { $value }
less-file = less { $kept }
lock-file-replaced = { $file } is replaced again and again
locking = locking
look-at-server-variables = look at the server variables in the plan: the log above names the one it refuses
look-up-pg-setting = look it up: SELECT * FROM pg_settings WHERE name = '{ $name }'
looked-in-path = looked in PATH and /usr/sbin
looked-in-path-postgresql = looked in PATH and /usr/lib/postgresql/*/bin
looking-for-server-counters = looking for the server's counters
making-database-sbtest-failed = making the database sbtest failed
no-answer-on-another-connection = nor does it tell on another connection, within { $patience } s, what it is at
no-free-port = there is no free port
no-password-can-be-drawn = no password can be drawn
no-proc-stat = no /proc/{ $pid }/stat
no-statement-was-given = no statement was given
no-such-binary = there is no { $binary }
not-a-sandbox-name = { $name } cannot be a sandbox's name
observer-hangs = observer { $observer } hangs; it is left out from here on
observer-not-started = observer { $observer } could not be started
observer-panicked = observer { $observer } panicked: a fault of Tenbin, its readings end here
observer-read-undeclared = observer { $observer } read what it did not declare, or no number; that is left out
reading-server-status = reading the server's status
reading-server-variables = reading the server's variables
role-took-too-long = { $dsn } did not tell its part in replication within { $seconds } s
sandbox-directory-unusable = the sandboxes' directory { $path } cannot be used
sandbox-directory-without-note = { $dir } is there already, without a note of a sandbox
sandbox-ended = the private server { $sandbox } has ended by itself
sandbox-exists = a sandbox named { $sandbox } is there already
sandbox-in-use = the sandbox { $sandbox } is in use by a run
sandbox-path-too-long = the sandbox's path is too long for a socket
sandbox-unknown = there is no sandbox named { $sandbox }
server-answers-nothing-under-way = the server answers, and none of our statements is under way
server-cannot-be-started = the server cannot be started
server-did-not-answer-in-time = the server did not answer in time
server-did-not-answer-within = the server did not answer within { $seconds } s
server-did-not-say-directory = the server did not say where its data are
server-did-not-start = the server did not start
server-disk-full = the server waits for room: its disk is full
server-does-not-answer = the server does not answer
server-does-not-say-directory = the server does not say where its data are
server-in-container = the server runs in a container, whose file systems are not seen
server-on-another-machine = the server is on another machine
server-process-gone = the server's process is gone
server-process-unknown = none of the processes seen on this machine is known to be the server
server-still-busy = the server is still at it
server-took-no-connections = the server did not take connections in time
statement-in-state = { $statement } has been in the state { $state } for { $seconds } s
status-took-too-long = the server did not tell its status within { $seconds } s
step-failed = { $doing } failed
stop-sandbox-force = tenbin sandbox stop { $name } --force, which breaks that run
stop-sandbox-or-name = tenbin sandbox stop { $name }, or another --name
stopped-connecting-to = stopped while connecting to { $dsn }
stopped-reading-variables = stopped while the server's variables were read
stopped-while-sandbox-starts = stopped by the user while a private server was starting
tenbin-sandbox-list = tenbin sandbox list
there-are-none = there are none
there-are-these = there are: { $names }
there-is-no-database = there is no database
use-letters-and-digits = use letters, digits, - and _
user-started-it = { $user } has started it and stops it
variable-not-known = it does not know it
variable-not-taken-on = the server did not take on { $variable } = { $wanted }
variables-took-too-long = { $dsn } did not tell its variables within { $patience } s
waited-for = it was waited for { $seconds } s
waited-with-log = waited { $patience } s{ "\u000A" }{ $log }
without-a-message = without a message
write-in-place-of = write { $nearest } in the place of { $name }
