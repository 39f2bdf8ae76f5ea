# Findings of the doctor.

a-source-not-named = a source that it does not name
account-has-privileges = the account has the privileges
account-in-schema = { $account } in { $schema }
account-lacks-privileges = the account lacks privileges that the run needs
as-administrator = { $hint } (as an administrator)
client-machine = client  { $cpu }, { $cores } cores, { $memory }
client-system = system  { $system }, Linux { $kernel }
connecting-to = connecting to { $dsn }
connections-are-enough = connections are enough
connections-besides-ours = { $connections ->
    [1] 1 connection besides ours
   *[other] { $connections } connections besides ours
  }
connections-wanted = { $variable } { $limit }, { $connections } in use by others, { $wanted } wanted
connections-wanted-of-reserved = { $variable } { $limit }, { $reserved } of them reserved, { $others } in use by others, { $wanted } wanted
durability-as-it-is-set = durability as it is set
durability-of-tables = durability as it is set: { $promise } (tables of the default engine)
fact-not-known = (not known)
findings-counted = { $ok } ok, { $notes } { $notes ->
    [1] note
   *[other] notes
  }, { $warnings } { $warnings ->
    [1] warning
   *[other] warnings
  }, { $errors } { $errors ->
    [1] error
   *[other] errors
  }
fsync-off = fsync off
give-address-of-one-server = give the address of one server; to measure several as one, name them: mysql://…?hosts=a:3306,b:3307
    .remedy = tenbin
governor = governor { $governor }
load-data-local-off = loading will be slower: the server does not take LOAD DATA LOCAL
load-of-others = load average { $load } on { $cores } cores; { $running } other tasks run or wait for a processor
local-infile-off = local_infile OFF
machine-busy = something else is running on this machine
many-servers = the address leads to more than one server
mount-proc = mount -t proc proc /proc
no-proc = there is no /proc: the load of this machine and of its programs is not observed
no-proc-seen = whether the client or another program limits a measurement is not known
not-everything-seen = not everything could be looked at
or-ps-mode-disable = { $raise } (or ps_mode = "disable")
    .remedy = unprepared
others-at-work = others are at work on the server
others-connected = others are connected to the server
prepared-statements-are-enough = prepared statements are enough
prepared-statements-wanted = { $variable } { $limit }, { $used } in use; { $clients } clients × { $each } statements = { $wanted }
privileges-missing = privileges of { $account } missing in { $schema }: { $missing }
processor-speed-varies = the processor's speed follows the load
raise-max-connections-postgresql = ALTER SYSTEM SET max_connections = { $enough }, and restart the server
replica-of = replica of { $source }, { $seconds } s behind by its own account
replica-of-unknown = replica of { $source }, how far behind is not known (replication may be stopped)
sandbox-is-here = sandbox { $binary } is here: { $path }
select-pg-stat-activity = SELECT * FROM pg_stat_activity
server-at = server  { $called } at { $dsn }
server-did-not-answer-questions = { $dsn } did not answer our questions within { $patience } s
server-does-not-sync = the server does not wait for its disk: a crash of the machine destroys the data
server-is-no-replica = the server is no replica and has none connected
server-is-read-only = the server is read-only
server-is-replica = the server is a replica
server-on-same-machine = client and server share this machine: throughput is less than with a client of its own
set-fsync-on = ALTER SYSTEM SET fsync = on, then SELECT pg_reload_conf(); for faster commits that lose no data but the last, synchronous_commit = off
set-global = SET GLOBAL { $variable } = { $value }
set-in-plan = set server.{ $variable } = { $value } in the plan
set-local-infile = SET GLOBAL local_infile = 1
set-performance-governor = cpupower frequency-set -g performance
show-processlist = SHOW PROCESSLIST
source-of = source of { $n } replicas
source-of-one = source of 1 replica
statement-size-wanted = { $variable } { $limit }, statements of up to { $statement } bytes
statements-are-short-enough = statements are short enough
statements-too-long = the server does not take statements as long as the workload sends
steal = the hypervisor takes processor time away
steal-since-boot = steal { $percent } % since boot
stopped-asking-server = stopped while the server was asked
too-few-connections = the server does not allow so many connections
too-many-prepared-statements = the server does not allow so many prepared statements
top = top
use-read-only-workload = use a read-only workload such as oltp_read_only, or the address of the source
writes-go-to-replicas = what is written to the server goes to its replicas too
