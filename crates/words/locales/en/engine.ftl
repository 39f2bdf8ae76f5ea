# Driving clients.

all-clients-lost-their-connections = all clients lost their connections, and new ones were not to be opened
ask-for-a-lower-rate = ask for a lower rate, give more clients, or set overload = "queue" (bench: --overload queue)
    .elsewhere = ask for a lower rate, or give more clients
client-panicked = client { $number } panicked: a fault of the workload or of Tenbin
client-panicked-because = client { $number } panicked: { $said }
clients-came-to-their-end = { $ended } of { $clients } clients came to their end
clients-could-not-keep-up = the clients could not keep up with the requested rate, and were to stop then
clients-keep-own-pace = the clients of { $workload } keep their own pace, so a rate cannot be set
clients-lost-their-connections-before = clients lost their connections before they had done their part, and new ones were not to be opened
clients-panicked-when-made = the clients of workload { $workload } could not be made: a panic
clients-were-connected = { $connected } of { $clients } clients were connected
connecting-clients = connecting the clients
count-errors-and-go-on = to count such errors and go on: on_error = "count" (bench: --on-error count)
    .remedy = ignore
drive-needs-a-client = a drive needs at least one client
end-of-client = the end of client { $number }
end-of-clients = the end of { $n ->
    [1] 1 client
   *[other] { $n } clients
  } failed{ $unwritten ->
    [0] { "" }
    [1] ; 1 transaction that was counted has not written its rows
   *[other] ; { $unwritten } transactions that were counted have not written their rows
  }
end-of-some-clients = the end of clients
event-loop-failed = an event loop could not be made: { $error }
give-an-interval = give an interval of at least 1 ms
give-rate-up-to = give a rate above 0 and up to { $highest } per second
interval-of-zero = a reporting interval of 0 ms never ends
last-statement-without-answer = their last statement was not answered within { $seconds } s
look-what-it-is-busy-with = look what it is busy with: SHOW PROCESSLIST, or pg_stat_activity
mappings-wanted = { $threads } threads with { $each } each and { $others } others make { $wanted }; vm.max_map_count is { $allowed }
not-enough-mappings = { $threads } threads need more memory mappings than this process may have
not-enough-open-files = { $clients } clients need more open files than this process may have
open-files-wanted = { $clients } connections and { $others } others make { $wanted }; the limit is { $allowed }
raise-max-map-count = sysctl -w vm.max_map_count={ $wanted } (as root), or fewer clients
raise-processes = raise the limit of processes (ulimit -u), or set load.workers to a small number
    .remedy = tenbin
    .elsewhere = raise the limit of processes (ulimit -u)
raise-ulimit-or-fewer-clients = { $allowed ->
    [0] ulimit -Hn { $wanted } (as root)
   *[other] ulimit -Hn { $wanted } (as root), or at most { $allowed } clients
  }
rate-cannot-be-kept = an arrival rate of { $rate } per second cannot be kept
remove-rate-or-let-clients = remove the rate, or let the clients go on without a rest
see-why-connections-close = see in the server's log why it closes them, or set on_lost = "reconnect" (bench: --on-lost reconnect)
    .remedy = tenbin
    .elsewhere = see in the server's log why it closes them
sessions-not-begun = the server did not begin the clients' sessions within { $seconds } s
set-max-connections-or-fewer = SET GLOBAL max_connections = { $enough }; or fewer clients
starts-were-waiting = { $waiting } starts were waiting for one of { $clients } clients
statement-of-client = statement { $name } of client { $number }
stopped-at-once-by-user = stopped at once by the user
stopped-by-user = stopped by the user
stopped-in-last-transactions = stopped by the user while the last transactions were under way
stopped-while-connecting = stopped by the user while the clients were connecting
too-few-threads = only { $started } of { $workers } threads could be started
transaction-of-client = a transaction of client { $number }
window-could-begin = it was to begin with interval { $index }, and could not begin before interval { $first }
window-named-too-late = the start of the measured window was named too late
worker-panicked = worker { $number } panicked: a fault of Tenbin
