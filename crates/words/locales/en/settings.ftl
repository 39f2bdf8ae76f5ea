# Variables of existing servers: set for a run, and put back.
change-pin-or-address = give the address of another server, or change pin in [targets.{ $target }]
    .remedy = tenbin
cloud-allowed-values = allowed: { $allowed }
cloud-default-group-fixed = Amazon RDS does not let default groups be changed
cloud-group-changed = the parameter group { $group } of { $name } was changed
cloud-group-has-no-parameter = the parameter group { $group } has no parameter { $variable }
cloud-group-is-default = { $name } uses the default parameter group { $group }, which cannot be changed
cloud-group-is-shared = other instances use the parameter group { $group } of { $name } too
cloud-group-replaced = { $name } does not use the parameter group { $group } any more
cloud-group-users = they would be changed as well: { $names }
cloud-has-no-group = { $name } has no parameter group
cloud-instance-not-rebooted = { $name } was not rebooted
cloud-instance-rebooted = { $name } was rebooted for it, and had the values after { $seconds } s
cloud-parameter-fixed = Amazon RDS does not let the parameter { $variable } be changed
cloud-parameter-is-static = it is a static parameter of { $group }
cloud-parameter-needs-reboot = { $variable } takes effect only when { $name } is rebooted, which the plan does not permit
cloud-value-not-allowed = Amazon RDS does not take { $variable } = { $value }
cloud-waited = waited { $seconds } s
command-cannot-be-started = the command cannot be started: { $command }
command-exit-code = exit code { $code }
command-took-too-long = not ended after { $seconds } s
command-was-killed = killed by signal { $signal }
command-was-stopped = stopped before its end
file-is-a-device = it is a device, and no file
file-is-a-directory = it is a directory, and no file
file-is-a-pipe = it is a named pipe, and no file
finish-with-restore-settings = tenbin restore-settings
    .remedy = tenbin
give-allowed-value = give { $variable } one of the allowed values
give-apply-restart-only = give the target apply.restart = "…", the command that restarts the server
give-apply-with-restart = give the target apply.file = "…", an option file, and apply.restart = "…", the command that restarts the server
give-option-file-absolute = give the absolute path of a file in a directory that the server reads, for example /etc/mysql/conf.d/zz-tenbin.cnf
give-other-option-file = give the name of a file that does not exist yet
give-value-that-server-takes = give a value that the server takes as it is
grant-alter-system = GRANT ALTER SYSTEM ON PARAMETER { $variable } TO { $account }; GRANT EXECUTE ON FUNCTION pg_reload_conf(), pg_show_all_file_settings() TO { $account }; GRANT SELECT ON pg_file_settings TO { $account }
grant-privilege = GRANT { $privilege } ON *.* TO { $account }
hook-ended = { $hook } of target { $target } ended after { $seconds } s
hook-failed = { $hook } of target { $target } failed
interrupted-run-left-settings = an interrupted run had left variables of { $dsn } changed; they are put back
journal-is-empty = nothing is recorded
journal-line-damaged = line { $line }: { $error }
journal-not-ours = it is a link, or belongs to another user
journal-of-other-server = it is of another server: { $server }
journal-of-other-version = format { $format } is of another version of Tenbin
journal-unusable = the journal of changed variables cannot be used: { $file }
keep-others-from-changing-settings = make sure that no other client changes its variables, and run it again
list-cannot-be-empty = ALTER SYSTEM cannot store an empty list for { $variable }, and without a stored value it is not empty
look-at-journal = look at it; when the variables of the server are as they should be: rm { $file }
look-into-error-log-of-server = look into the error log of the server
name-server-or-none = name a server of MySQL, MariaDB or PostgreSQL, or none for all that runs have left changed: tenbin restore-settings
    .remedy = tenbin
no-settings-left = no run has left variables of a server changed
no-settings-of-server-there = runs change variables of servers, and { $dsn } is none
option-file-changed = somebody else has changed the option file { $file }
option-file-has-no-directory = the option file { $file } is not in an existing directory
option-file-has-other-lines = the option file { $file } has lines that this run did not write; they were left there
option-file-not-ours = the option file { $file } was not written by Tenbin
pin-differs = the server of target { $target } is not the one that the plan is for
pin-is-and-wants = { $name } is { $found }, pinned is { $wanted }
pin-version = the version
resize-not-ended = the server has not ended resizing: { $said }
restart-brought-another = after the restart another server answers at { $dsn }
restart-failed = the command that restarts the server at { $dsn } failed
restart-or-permit-settings = restart the server when that is right for these changes, or take them back; to put them in force by the run's restart: allow = ["change-other-settings"] in the plan's target
    .remedy = tenbin
restore-settings-of = tenbin restore-settings { $address }
    .remedy = tenbin
server-cannot-persist = this server does not know SET PERSIST, which MySQL has from 8.0 on
server-did-not-come-back = the server at { $dsn } did not answer within { $seconds } s after its restart
server-has-no-variable = the server has no variable { $variable }
setting-adjusted = the server has adjusted { $variable } = { $value }
setting-did-not-come = the server did not take { $variable } = { $value }
setting-is-now = { $variable } is { $value }
setting-not-put-back = SET GLOBAL { $variable } = { $value }: { $error }
setting-of-somebody-else = { $variable } of { $dsn } is { $value }, which this run did not set: somebody else has changed it, and it was left as it is
setting-of-somebody-else-kept = somebody else has set { $variable } of { $dsn } during the run: { $value } is put back at its end
setting-refused = { $variable }: { $error }
setting-variables-of = setting variables of { $dsn }
setting-was = { $variable } was { $value } before the run
setting-was-lost = { $variable } = { $value } was set, and is { $now }
setting-would-not-go-back = { $variable } is not changed, because the server would not take back the value that it has now, { $value }: { $error }
settings-are-set = set: { $variables }; in effect after { $seconds } s
settings-before = before: { $variables }
settings-in-use = another run is changing variables of this server
settings-left = { $address }, changed by { $run }; former values:
settings-left-by-other-address = an interrupted run has left variables changed on a server that may be this one, by another address: { $address }
settings-not-in-force = the server of target { $target } does not have the values that the plan asks for
settings-not-locked = the variables of { $dsn } are set without a lock on the server: another account or machine may set them at the same time
settings-not-put-back = variables of { $dsn } could not be put back
settings-put-back = put back: { $variables }
settings-wait-for-reload = a reload of { $dsn } would also put in force { $count ->
    [1] 1 change
   *[other] { $count } changes
  } to its configuration files that others have made since it last read them
settings-wait-for-restart = a restart of { $dsn } would also put in force { $count ->
    [1] 1 change
   *[other] { $count } changes
  } to its configuration that others have made since it was started
settings-were-lost = variables that were set on { $dsn } have other values: the server was started again, or somebody else changed them; they are set again
stopped-with-settings-changed = variables of a server are still changed
take-off-command-line = start the server without it, for example with the setting in postgresql.conf
try-command = try it: sh -c { $command }
variable-cannot-be-set = the variable { $variable } cannot be set
variable-is-command = the variable { $variable } is a command: what it has done cannot be put back by its former value
variable-is-read-only = the variable { $variable } can only be set at the start of the server
variable-may-hold-secret = the variable { $variable } may hold a secret, so it is neither recorded nor set
variable-not-permitted = the account may not set { $variable }
variable-on-command-line = the variable { $variable } is on the command line of the server, which takes precedence
variable-set-for-sessions = { $variable } is set for the sessions of this account or database ({ $source }), which do not have the value of the server
wait-for-other-run = wait until it has ended
write-apply-set-global = write apply = "set-global"
