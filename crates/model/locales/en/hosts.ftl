# Several load hosts that act as one client.

coordinator-closed-connection = the process that runs the plan has closed the connection
coordinator-silent = nothing was heard of the process that runs the plan; the load was stopped
give-address-for-hosts = use a server that all load hosts reach by the same address, or load hosts of this machine: at = "local"
give-fewer-hosts = use fewer load hosts or more clients
give-hosts = at = ["bench@load-1", "bench@load-2"], or at = "local" with count = 2
give-hosts-count = count = 2
give-warmup-for-hosts = give a duration: warmup = "60s"
host-connection-closed = its connection was closed
host-did-not-join = it did not answer within { $seconds } s
host-does-not-end = it did not report the end of the trial within { $seconds } s
host-has-version = it has version { $version }, and this is { $ours }
host-lost = load host { $host } was lost
host-not-started = load host { $host } could not be started: { $program }
host-of-another-version = load host { $host } has another version of Tenbin
host-order-not-understood = the coordinator sent something that this load host does not understand
host-report-not-understood = it reported something that is not understood: { $line }
host-silent-for = nothing was heard of it for { $seconds } s
host-told-to-stop-before-start = the coordinator stopped the trial before its start
host-without-clients = { $host } would have none
hosts-cannot-reach-target = target { $target } is on this machine, and its address means another server on load host { $host }
hosts-local-among-others = load hosts are processes of this machine or machines that ssh reaches, not both
hosts-no-destination = a load host is no destination for ssh
hosts-of-embedded = load hosts cannot drive { $target } together: it runs inside the process that drives it
hosts-with-auto-warmup = several load hosts cannot decide together yet when experiment { $experiment } has warmed up
hosts-without-count = [hosts] does not say how many load hosts there are
look-at-the-host = look at that host and at the network to it, and run the plan again
more-hosts-than-clients = { $hosts } load hosts cannot share { $clients } clients
more-hosts-than-destinations = { $count } load hosts are asked for, and { $there } are named
on-host = on load host { $host }
own-program-unknown = the load hosts cannot be started, because the file of this program cannot be found
remove-hosts-or-target = remove [hosts], or use a target that is a server
same-version-on-hosts = install the same version of Tenbin on all load hosts
stopped-while-hosts-joined = stopped by the user while the load hosts were joining
