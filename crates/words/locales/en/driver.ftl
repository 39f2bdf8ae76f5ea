# Connections and statements.

add-pg-hba-line = add a line for this host, user and database to the server's pg_hba.conf: SHOW hba_file tells its path; if it has one for TLS only, add ?tls=required to the address
    .remedy = require-tls
add-tls-ca = add tls_ca=/path/to/ca.pem to the address
    .remedy = authority
add-tls-or-allow-cleartext = add ?tls=required to the address; or, on a line that you trust, ?cleartext=allow
    .remedy = require-tls
add-tls-or-drop-channel-binding = add tls=required to the address, or leave channel_binding out
    .remedy = require-tls
add-tls-required = add ?tls=required to the address
    .remedy = require-tls
address-of-list = { $address }
alter-user-caching-sha2 = ALTER USER … IDENTIFIED WITH caching_sha2_password BY …
answer-too-large = the answer's rows take more than { $mib } MiB of memory
ask-for-compression-algorithms = SHOW VARIABLES LIKE 'protocol_compression_algorithms' tells what it offers; or leave compress out of the address
    .remedy = compression
ask-for-fewer-rows = ask for fewer rows: add LIMIT to the statement
authentication-unknown = the account uses the authentication { $method }, which Tenbin does not speak
begin-mode-unknown = begin={ $value } is not known
cannot-be-read-as-pem = { $file } cannot be read as PEM
certificate-expired = the server's certificate has expired: renew it on the server (and look at this machine's clock: date)
certificate-for-another-name = the server's certificate is for another name: connect by a name that is in it, or use tls=verify-ca, which does not check the name
    .remedy = tls-mode
    .elsewhere = the server's certificate is for another name: connect by a name that is in it, or use { $mode }verify-ca, which does not check the name
certificate-not-yet-valid = the server's certificate is not valid yet: look at the clocks of both machines (date)
certificate-signs-itself = the server shows a certificate that signs itself: name exactly this one as tls_ca (or give the server one that an authority has signed)
certificate-version-1 = the server's certificate is of X.509 version 1, which is not verified: make it anew with extensions (subjectAltName), or use tls=required
    .remedy = tls-mode
    .elsewhere = the server's certificate is of X.509 version 1, which is not verified: make it anew with extensions (subjectAltName), or use { $option }
channel-binding-impossible = channel binding is required and cannot be had: it takes TLS, SCRAM and a certificate with a hash
channel-binding-unknown = channel_binding={ $value } is not known
check-host-name = check its name, or give its address
    .remedy = tenbin
check-user-and-password = check user and password: --password-env NAME, password_env in the plan, or a file named in the address (option_file, login_path, passfile)
    .remedy = account
check-user-may-log-in = check the user's name, and whether it may log in: CREATE ROLE … LOGIN
clear-password-refused = the server wants the password in clear text over an open line; it was not sent
cleartext-unknown = cleartext={ $value } is not known
client-certificate-refused = the server does not accept our certificate: give one that its authority has signed: tls_cert=… and tls_key=…
client-certificate-unusable = our own certificate cannot be used
close-group = write the group as [NAME]
close-to-others = chmod 600 { $file }
close-to-writers = chmod o-w { $file }
commit-rolled-back = COMMIT has rolled the transaction back: an earlier statement of it had failed
compressed-takes-one-statement = a compressed line takes one statement at a time
connect-timeout-not-seconds = connect_timeout_s={ $value } is not a number of seconds
connecting-panicked = connecting panicked
connection-lost = the connection to the server is lost: { $error }
connection-needs-thread = a connection needs a thread to open it: { $error }
connection-of-no-use = the connection is of no more use: the server ended it, or an earlier answer was not read to its end
create-or-name-database = CREATE DATABASE …, or name an existing one in the address
create-or-name-schema = CREATE DATABASE …, or name an existing schema in the address
    .remedy = schema
data-after-greeting = something follows the server's greeting before TLS has begun
data-before-compression = something follows the end of the login before compression has begun
data-before-tls = something follows the server's word that TLS may begin
doing-at-place = { $place }: { $doing }
driver-connects-only-asynchronously = this driver cannot connect without waiting
earlier-answer-unread = an earlier answer was not read to its end
failed = { $doing } failed: { $why }
failed-with-number = { $doing } failed: { $why } (error { $number })
firewall-in-between = is a firewall in between, or a server of another kind at this port? add connect_timeout_s=60 to the address to wait longer
    .remedy = tenbin
    .elsewhere = is a firewall in between, or a server of another kind at this port?
free-memory-on-server-host = free memory on the server's host
free-space-for-file = free space on the disk that holds the file
free-space-on-server-disk = free space on the server's disk
generate-primary-keys = SET GLOBAL sql_generate_invisible_primary_key = ON (MySQL 8.0.30 and later, as an administrator): such a table then gets an invisible key; on older servers SET GLOBAL sql_require_primary_key = OFF
give-account-newer-password = give the account a newer one: ALTER USER … IDENTIFIED BY …
give-both-or-neither = give both, or neither
give-host-name-or-ip = give the server's host name, or its IP address
    .remedy = tenbin
give-password-env = --password-env NAME, or password_env in the plan
    .remedy = account
give-the-authority = give the authority that signed the server's certificate: { $authority }
    .remedy = authority
grant-access-from-host = GRANT the account access from this host
grant-all-on-schema = GRANT ALL ON the schema TO the account
grant-what-it-needs = GRANT the account what it needs
host-list-unreadable = the list of hosts in the address cannot be read
host-unknown = the host { $host } is not known: { $error }
include-a-path = name a path: { $word } /path
input-too-long = longer than { $most }
is-file-writable = is { $database } a file this user may write?
is-it-database-file = is { $database } a file? what only looks creates none; tenbin load does
    .remedy = tenbin
is-port-right = is the port right? tenbin doctor { $address }
    .remedy = server
is-server-running = is the server running? { $where_it_is }
is-server-running-at-port = is the server running, and is this its port? tenbin doctor { $address }
    .remedy = server
journal-mode-refused = journal_mode={ $value } was not taken on; SQLite says { $got }
lift-limits-of-account = ALTER USER … WITH MAX_USER_CONNECTIONS 0 MAX_QUERIES_PER_HOUR 0 MAX_CONNECTIONS_PER_HOUR 0
local-file-unreadable = the file { $file } of LOAD DATA LOCAL cannot be read: { $error }
login-answer-makes-no-sense = the server's answer to our password makes no sense
login-file-foreign = { $file } was not written by mysql_config_editor
login-file-has = login paths in { $file }: { $names }
login-file-is-empty = there are no login paths in { $file }
login-file-unreadable = the login file { $file } cannot be read
login-goes-on-after-plugin = the server goes on where { $plugin } has no more to say
login-never-ends = the server never comes to the end of the login
login-path-missing = there is no login path "{ $name }"
login-took-too-long = the server did not let us in within { $patience } s
look-at-certificate = look at the server's certificate: openssl x509 -text -in …; or use tls=required, which does not verify it
    .remedy = tls-mode
    .elsewhere = look at the server's certificate: openssl x509 -text -in …; or use { $option }, which does not verify it
look-for-log-error = look into the server's error log: SHOW VARIABLES LIKE 'log_error' tells its path
look-into-error-log-and-disk = look into the server's error log, and at the room on its disk
look-into-server-log = look into the server's log: SHOW log_destination and SHOW log_directory tell where it is
mysqladmin-flush-hosts = mysqladmin flush-hosts
name-another-file-or-remove = name another file, or remove this one
no-answer-is-owed = no answer is owed
no-event-loop = no event loop can be made
no-pipelines = the protocol has no pipelines
no-service-in = no service in { $files }
node-not-in-cluster = this node does not take part in its cluster: SHOW STATUS LIKE 'wsrep_ready'
not-a-postgresql-server = this is no PostgreSQL server: its answer to a request for TLS is something else
not-a-pragma = { $name }={ $value } is not a pragma
not-milliseconds = { $name }={ $value } is not a number of milliseconds
not-the-mysql-protocol = the server does not speak the MySQL protocol as we know it: { $fault }
not-the-postgresql-protocol = the server does not speak the PostgreSQL protocol as we know it: { $fault }
nothing-answers-at-port = nothing answers at { $host }:{ $port }: { $error }
nothing-answers-at-socket = nothing answers at the socket { $path }: { $error }
option-file-group-not-closed = line { $line } of the option file { $file } begins a group without ] at its end
option-file-includes-nothing = line { $line } of the option file { $file }, { $word }, names nothing
option-file-option-without-group = line { $line } of the option file { $file } is an option before any group
option-file-unreadable = the option file { $file } cannot be read
option-file-without-client = the option file { $file } sets nothing for clients
option-file-writable-by-all = the option file { $file } may be written by everybody and is not used
option-not-on-or-off = { $name }={ $value } makes no sense
passfile-unreadable = the password file { $file } cannot be read
password-file-of-address-unreadable = the password file of the address cannot be read
password-missing = the server asks for a password, and none was given
peer-account = this account may be one that goes by the system's user, not by a password: over the socket as that user (sudo -u USER tenbin …), or an account with a password: CREATE USER … IDENTIFIED BY …
    .remedy = tenbin
    .elsewhere = this account may be one that goes by the system's user, not by a password: over the socket as that user (sudo -u USER …), or an account with a password: CREATE USER … IDENTIFIED BY …
pool-in-transaction-mode = is a pool in transaction mode (PgBouncer) in between? ps_mode = "disable" (-o ps_mode=disable), pipeline off, or the server's own address
    .remedy = unprepared
prepared-on-another-connection = the statement was prepared on another connection
proxy-in-between = is a proxy that shares connections (Router, ProxySQL, PgBouncer in transaction mode) in between? ps_mode = "disable" (-o ps_mode=disable), pipeline off, or the server's own address
    .remedy = unprepared
raise-lock-wait-timeout = SET GLOBAL innodb_lock_wait_timeout = … (s), or fewer clients on the same rows
raise-max-allowed-packet = SET GLOBAL max_allowed_packet = …
raise-max-connections = SET GLOBAL max_connections = … (as an administrator), or fewer clients
raise-max-connections-system = fewer clients, or ALTER SYSTEM SET max_connections = … (as an administrator) and restart the server
raise-max-prepared-stmt-count = { $raise }, or ps_mode = "disable"
    .remedy = unprepared
raise-open-files = raise the limit of open files (ulimit -n)
refused-prepared-statement = prepared statement: { $statement } (SQLSTATE { $state })
refused-statement = statement: { $statement } (SQLSTATE { $state })
rollback-first = ROLLBACK; what failed before says why
row-unreadable = a row of the answer cannot be read
rsa-key-unreadable = the server's RSA key cannot be read
scram-before-it-begins = SCRAM goes on before it begins
scram-ends-before = SCRAM ends before it begins
scram-stops = it stops in the middle of SCRAM
secrets-open-to-others = { $file } may be read by others and is not used
server-asked-for-a-file = the server asked for our file { $file }, which was not offered; nothing was sent
server-asks-for-rows = the server asks for rows that were not offered
server-closed-connection = the server has closed the connection
server-does-not-know-password = the server does not prove that it knows the password: { $why }
server-hint = server's hint: "{ $advice }"
server-keeps-asking-for-proofs = the server keeps asking for other proofs of the password
server-silent-after-login = the server let us in, and then did not answer for { $patience } s (the first statement was { $first })
server-wants-old-password = the server asks for the password form of before MySQL 4.1
server-without-tls = the server does not offer TLS
server-without-zlib = the server does not offer zlib compression
service-file-unreadable = the service file { $file } cannot be read
service-line-wrong = { $file }, line { $line }: a service cannot set this
service-missing = there is no service "{ $name }"
services-are = services: { $names }
set-local-infile-as-administrator = SET GLOBAL local_infile = 1 (as an administrator)
set-lock-timeout = SET lock_timeout = 0, or fewer clients on the same rows
set-login-path = mysql_config_editor set --login-path={ $name } --host=HOST --user=USER --password
set-pg-hba-scram = let pg_hba.conf ask this account for scram-sha-256
set-up-tls-mysql = set it up on the server (ssl_cert, ssl_key), or use { $plain } on a line that you trust
    .remedy = disable-tls
set-up-tls-postgresql = set it up on the server (ssl = on, ssl_cert_file, ssl_key_file), or use { $plain } on a line that you trust
    .remedy = disable-tls
show-socket = SHOW VARIABLES LIKE 'socket' tells its path
show-socket-directories = SHOW unix_socket_directories tells where its sockets are
somebody-in-between = somebody between here and the server may have put it there: look at what is in between (a proxy, another program at this port)
sqlite-has-no-load-data = SQLite has no LOAD DATA
sqlite-has-no-pragma = SQLite { $version } has no pragma { $name }
sqlite-options-are-pragmas = options of a sqlite address are pragmas such as journal_mode=wal or synchronous=normal
    .remedy = tenbin
sqlite-owes-no-answer = SQLite owes no answer
sqlite-parameter-without-value = the statement has a parameter { $name }, for which there is no value
sqlite-pragma-list = https://www.sqlite.org/pragma.html lists them
    .remedy = tenbin
sqlite-sends-nothing-ahead = SQLite answers in the call: nothing is sent ahead
statement-not-utf-8 = the statement is not UTF-8, which this database wants
tenbin-load-makes-tables = tenbin load makes the tables of a workload; tenbin list WORKLOAD tells which they are
    .remedy = load
tls-ca-missing = verifying the server's certificate needs the authority's
tls-ca-unusable = the certificate authority in tls_ca cannot be used
tls-cannot-be-set-up = TLS cannot be set up
tls-cert-and-tls-key-belong-together = tls_cert and tls_key belong together
tls-closed = the server may be too old for TLS 1.2, or not be what answers at this port; its error log may say why
tls-failed = TLS with the server failed: { $error }
tls-mode-unknown = there is no TLS mode { $mode }
tls-too-old = the server may be too old for TLS 1.2; use { $plain } on a line that you trust
    .remedy = disable-tls
unset-read-only = SET GLOBAL read_only = 0 (as an administrator), or a workload that only reads: oltp_read_only
    .elsewhere = SET GLOBAL read_only = 0 (as an administrator)
use-a-begin-mode = use begin=immediate, deferred or exclusive
use-a-channel-binding = use channel_binding=disable, prefer or require
use-a-tls-mode = use tls=disabled, preferred, required, verify-ca or verify-identity
    .remedy = tenbin
use-account-with-known-plugin = use an account with caching_sha2_password, mysql_native_password, sha256_password or ed25519
use-cleartext-refuse-or-allow = use cleartext=refuse or allow
use-option-on-or-off = use { $name }=on or { $name }=off
values-for-parameters = { $values } { $values ->
    [1] value
   *[other] values
  } for { $parameters } { $parameters ->
    [1] parameter
   *[other] parameters
  }
wait-until-started = wait until the server has started
write-client-group = write user, password and host below a line [client]
write-group-above = write the line of its group above it, such as [client] or [mysqld]
write-hosts-as = write it as hosts=a:3306,b:3307
write-service = write [{ $name }] with host, port, dbname and user into { $file }
