# Addresses of databases.

address-has-no-option = an address of { $whose } has no option "{ $option }"
address-unreadable = the address of the database cannot be read: { $what }
at-sign-after-host = an @ stands after the host; in a password write @ as %40, / as %2F and ? as %3F
did-you-mean-of = did you mean { $near }? There are { $names }
host-is-empty = there is no host after the @
ipv6-without-bracket = an IPv6 address needs its closing ]
it-has-no-scheme = it has no scheme
leave-it-out = leave it out: there are no options here
leave-it-out-or-use = leave it out, or use one of { $names }
not-a-database = "{ $scheme }" is not a database we speak to (mysql, mariadb, postgres, postgresql, sqlite, null)
not-a-port-after-host = what follows the host's colon is not a port (1 to 65535)
option-is-not-a-port = { $option } is not a port (1 to 65535)
option-not-true-or-false = { $option } is neither true nor false
option-stands-twice = { $option } stands there twice, with different values
options-are-the-same = { $other } and { $option } are the same and have different values
setting-through-options = a server setting goes through options=-c%20NAME=VALUE
tls-forbidden-and-demanded = { $no } forbids TLS and { $yes } demands it
tls-mode-of-option-unknown = there is no TLS mode "{ $mode }" for { $option }
two-slashes-before-host = two slashes are missing before the host
use-tls-modes = use tls={ $modes }
write-address = write { $address }
    .remedy = tenbin
write-address-like = write it like mysql://user@127.0.0.1:3306/sbtest, postgres://user@127.0.0.1:5432/sbtest, sqlite:/tmp/test.db or null:
    .remedy = tenbin
write-true-or-tls = write { $option }=true, or tls=required
