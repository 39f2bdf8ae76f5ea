# Several load hosts that act as one client.

about-load-hosts = All trials of a target together. Hosts with the same number of machine share that machine. The share is of all completed transactions of the measured window; TPS is of all clients of the host, p99 of its own transactions, of TPC-C of its New-Orders. CPU is the processor time of its process, and in parentheses the cores that it may use. A start is late by the time by which its clients missed the common start. The offset of its clock is known to within the error shown; drift is by how much it changed since the host joined. – stands for what a lost host did not report.
checked-by-run = target { $target } is a private server, which the run starts
clients-kept-together = clients that the workload keeps together stay on one host, as the terminals of a warehouse: { $groups ->
    [1] one host
   *[other] { $groups } hosts
  } would have clients
clock-error-seen = known to within { $micros } µs
clock-is-followed = its clock can be followed
clock-is-not-followed = its clock cannot be followed well enough for a common start
clock-stepped-by = by { $ms } ms or more
column-clients = clients
column-clock-drift = clock drift, µs
column-clock-error = clock error, ± µs
column-cpu-of-cores = CPU, cores
column-load-host = load host
column-lost = lost
column-machine = machine
column-share-of-throughput = share of throughput
column-start-late = start late by, ms
column-threads = threads
condition-clients-of-hosts = { $clients } from { $numbers ->
    [1] 1 load host
   *[other] { $numbers } load hosts
  }
condition-clients-of-local-hosts = { $clients } from { $numbers ->
    [1] 1 load host
   *[other] { $numbers } load hosts on one machine
  }
connections-kept-on-hosts = pool = { $pool }: the terminals of each host need one of them for each set of tables, and a host would have none
coordinator-closed-connection = the process that runs the plan has closed the connection
coordinator-orders-missing = orders of the process that runs the plan did not arrive; the load was stopped
coordinator-sends-too-much = standard input has more than the process that runs a plan sends, or something else
coordinator-silent = nothing was heard of the process that runs the plan; the load was stopped
distance-seen = { $statement } µs for a statement that does nothing, { $connect } µs to connect
give-address-for-hosts = use a server that all load hosts reach by the same address, or load hosts of this machine: at = "local"
    .remedy = tenbin
give-fewer-hosts = use fewer load hosts or more clients
give-hosts = at = ["bench@load-1", "bench@load-2"], or at = "local" with count = 2
give-hosts-count = count = 2
give-hosts-option = give them with --hosts
give-more-connections = raise pool, or use fewer load hosts
give-ray-head = at = "ray://head:6379"
give-ray-token = give Ray the cluster's token: RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or ~/.ray/auth_token
host-and-share = { $host } { $share } %
host-by-number = load host { $number }
host-clock-stepped = the clock of load host { $host } was stepped
host-connection-closed = its connection was closed
host-did-not-join = it did not answer within { $seconds } s
host-did-not-join-first = it reported about a trial before it joined
host-does-not-connect = it is there, but did not report its clients connected within { $seconds } s
host-does-not-end = it did not report the end of the trial within { $seconds } s
host-does-not-load = it reported no further row for { $minutes } minutes
host-does-not-stop = it did not stop loading within { $seconds } s
host-ends-with-another-interval = load host { $host } learned too late that the trial ended; what it did after that is left out
host-has-our-version = version { $version }, as here
host-has-version = it has version { $version }, and this is { $ours }
host-is-usable = load host { $host }
host-lost = load host { $host } was lost
host-measures-from-another-interval = a load host did not begin to measure with the same interval as the others
host-not-started = load host { $host } could not be started: { $program }
host-notes-left-out = load host { $host } noted more than { $most } things; the others are left out
host-of-another-version = load host { $host } has another version of Tenbin
host-order-not-understood = the coordinator sent something that this load host does not understand
host-report-not-understood = it reported something that is not understood: { $line }
host-reports-missing = { $reports } of its reports did not arrive
host-sends-too-much = it sent more than a load host does
host-silent-for = nothing was heard of it for { $seconds } s
host-told-to-stop-before-start = the coordinator stopped the trial before its start
host-without-clients = { $host } would have none
hosts-cannot-reach-target = target { $target } is on this machine, and its address means another server on load host { $host }
hosts-left-out = More load hosts are in the JSON export:
hosts-local-among-others = load hosts are processes of this machine, nodes of one Ray cluster, or machines that ssh reaches: only one of these
hosts-no-destination = a load host is no destination for ssh
hosts-no-ray-head = the address of a Ray cluster is ray:// with the host of its head, and its port unless that is 6379
hosts-of-embedded = load hosts cannot drive { $target } together: it runs inside the process that drives it
hosts-share-each = { $least } to { $most } % of the throughput each
hosts-shown = { $n }: { $shown }
hosts-shown-lost = { $n }: { $shown }; lost: { $lost }
hosts-without-clients = { $hosts } load hosts cannot share { $clients ->
    [1] the only client
   *[other] the { $clients } clients
  } of { $workload }
hosts-without-connections = the connections that the clients of { $workload } share cannot be divided among { $hosts } load hosts
hosts-without-count = [hosts] does not say how many load hosts there are
hosts-without-plan = the plan asks for no load hosts
install-tenbin-ray = install the package tenbin-ray here: pip install ./python in Tenbin's source, with the Python that Ray uses
join-ray-cluster = let each machine join the cluster, this one with --num-cpus=0: ray start --address={ $head }
    .remedy = tenbin
label-hosts = hosts
load-host-is-started = a load host is started by the process that runs the plan: tenbin run PLAN --hosts HOST,…
    .remedy = tenbin
look-at-the-host = look at that host and at the network to it, and run the plan again
    .remedy = tenbin
more-hosts-than-clients = { $hosts } load hosts cannot share { $clients ->
    [1] one client
   *[other] { $clients } clients
  }
more-hosts-than-destinations = { $count } load hosts are asked for, and { $there } are named
on-host = on load host { $host }
open-files-are-enough = open files are enough
open-files-are-too-few = open files are too few
open-files-seen = { $allowed } allowed for { $clients } clients
own-program-unknown = the load hosts cannot be started, because the file of this program cannot be found
password-not-for-ray = the password of target { $target } is in the plan, and what Ray transfers is not confidential: it cannot be sent to the load hosts
password-on-hosts = let each load host read it: password_env = "NAME", set there before ray start, or password_file = "PATH"
ports-are-enough = ports are enough
ports-are-too-few = ports are too few
ports-seen = { $there } for { $clients } clients
raise-hard-limit-of-files = ulimit -Hn { $wanted } as root, before the program is started
ray-has-nodes = { $there ->
    [0] no node of the cluster has a CPU
    [1] one node of the cluster has a CPU: { $names }
   *[other] { $there } nodes of the cluster have a CPU: { $names }
  }
ray-has-too-few-nodes = { $hosts } load hosts are asked for, and the Ray cluster of { $head } has fewer nodes
ray-hosts-not-placed = Ray has placed no load hosts; its head is { $head }
ray-nodes-busy = the nodes could not be reserved within { $seconds } s: { $evidence }
ray-token-refused = the token is missing or wrong
readings-of-hosts = Readings of the load hosts
readings-of-hosts-left-out = More conditions of load hosts are left out here:
remove-hosts-or-target = remove [hosts], or use a target that is a server
same-version-on-hosts = install the same version of Tenbin on all load hosts
script-of-hosts-unreadable = the file { $file } cannot be carried to the load hosts
section-load-hosts = Load hosts
see-ray-status = see who uses the cluster: ray status
server-unusable-from-host = target { $target } cannot be used from this load host
server-usable-from-host = target { $target } can be used
start-ray-head = start Ray there: RAY_AUTH_MODE=token ray start --head --port=6379
stop-what-runs-there = stop what else runs on that host or on the way to it
stopped-while-hosts-joined = stopped by the user while the load hosts were joining
trial-and-why = trial { $trial }: { $why }
widen-port-range = sysctl -w net.ipv4.ip_local_port_range='1024 65535'
