# Doubts about a result.

and-more-settings = and { $more } more
and-pausing = { " " }and { $pausing } paused
doubt-accounting = transactions are missing from the record
doubt-accounting-seen = in progress at the start { $before } + scheduled { $scheduled } ≠ completed { $completed } + failed { $failed } + skipped { $skipped } + open { $open }
doubt-all-failed = { $n ->
    [1] the only transaction failed, with the error
   *[other] all { $n } transactions failed, most of them with the error
  } { $code } of the statement { $statement }
doubt-all-failed-hint = execute the statement by hand, or without on_error = "count": the first error then ends the run with its text
doubt-all-failed-without-code = { $n ->
    [1] the only transaction failed
   *[other] all { $n } transactions failed
  }
doubt-another-server = after the load another server answered than before it
doubt-another-server-hint = give an address that always leads to the same server, and measure again
    .remedy = tenbin
doubt-carried-only = none of the starts of the measured window completed
doubt-carried-only-hint = ask for less than { $tps } per second, or shorten the warm-up
doubt-carried-only-seen = only { $n } that had fallen due in the warm-up did
doubt-client-busy = the client was the limit, or close to it
doubt-client-busy-hint = drive from a machine of its own, give it more cores, or set load.workers
    .remedy = tenbin
doubt-client-busy-seen = Tenbin used { $used } of the { $reachable } cores its { $workers } { $workers ->
    [1] worker
   *[other] workers
  } can use
doubt-client-busy-seen-duet = for this target Tenbin used { $used } of the { $reachable } cores its { $workers } { $workers ->
    [1] worker
   *[other] workers
  } can use, and for the other targets of the duet { $beside }, of { $all } in all
doubt-client-ceiling = the clients could hardly have executed more: Tenbin decides how much is done, and not the server
doubt-client-ceiling-seen = { $qps } statements per second are { $percent } % (limit { $limit } %) of what { $clients ->
    [1] this client
   *[other] these { $clients } clients
  } reached with { $statement }, which does nothing: { $ceiling } per second, for which Tenbin used { $used } of { $cores } cores
doubt-client-delayed = Tenbin's threads were ready to run and waited for a processor: times are too long by what they waited
doubt-client-delayed-seen = { $workers ->
    [1] the only thread
   *[other] each of { $workers } threads
  } waited { $percent } % of the window (limit { $limit } %)
doubt-client-late = Tenbin started transactions late although clients were free: response times include its own delay
doubt-client-late-seen = one in a hundred starts was { $p99_ms } ms late or more (limit { $limit } ms)
doubt-client-stopped = Tenbin itself did not run for a part of the measurement
doubt-client-stopped-hint = measure again without stopping it, on a machine that has a processor for it
doubt-client-stopped-seen = for { $time } of { $window }: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or got no processor
doubt-client-suspended = the client's machine was suspended during the measurement
doubt-client-suspended-hint = keep the machine awake (systemd-inhibit tenbin …), and measure again
    .remedy = tenbin
doubt-client-suspended-seen = for { $time }, which the { $window } measured do not contain
doubt-client-throttled = the quota of processor time of Tenbin was used up
doubt-client-throttled-hint = give the control group or container of Tenbin a larger quota: cpu.max, docker run --cpus, resources.limits.cpu
doubt-client-throttled-seen = the quota of its control group, { $cores } processors, was used up in { $percent } % of the periods; limit { $limit } %
doubt-clients-lost = at the end fewer clients were connected than asked for
doubt-clients-lost-hint = see in the server's error log why it closed connections or takes no new ones, and measure again
doubt-clients-lost-seen = { $connected } of { $asked } clients
doubt-clients-starved = clients waited for the whole time: no percentile contains their waiting
doubt-clients-starved-hint = look in the server's list of sessions for what they wait for, such as a lock that is never released, or give a proxy as many connections as there are clients
doubt-clients-starved-seen = { $n } of { $clients } clients completed nothing, the rest { $mean } transactions each on average
doubt-clients-waiting = clients still waited at the end, longer than any transaction took: neither percentiles nor the maximum contain that
doubt-clients-waiting-hint = look in the server's list of sessions for what they wait for, such as a lock; if some transactions take that long, measure for ten times as long
doubt-clients-waiting-seen = the oldest transaction had been in progress for { $oldest } of { $window } at the end, the longest that ended took { $longest }
doubt-clock = the clock of the client's machine was set during the measurement: figures of a provider and of logs may belong to another time
doubt-clock-hint = start time synchronisation before a run (timedatectl set-ntp true), and measure again
doubt-clock-seen = it was set by { $step } s (limit { $limit } s); Tenbin's own times do not depend on it
doubt-clock-stepped = { $hosts ->
    [1] the clock of a load host was stepped during the trial
   *[other] the clocks of { $hosts } load hosts were stepped during the trial
  }
doubt-clock-stepped-hint = find what sets the clock of that machine or suspends it, and repeat the trial
doubt-clock-stepped-seen = { $host }: by { $step } ms or more; an interval is { $interval } ms
doubt-cold-cache = the buffer pool was still being filled: the window contains a warm-up of the cache
doubt-cold-cache-hint = set a longer { $key }, or prewarm the tables
doubt-cold-cache-seen = { $first } pages per second were read from the disk in the first quarter of the window, { $last } in the last
doubt-drain-short = transactions had not ended when the drain was over: the longest are in no percentile
doubt-drain-short-hint = set { $drain } to more than the longest transaction takes
doubt-drain-short-seen = { $n } of { $all } { $n ->
    [1] was
   *[other] were
  } still in progress after it
doubt-drift = throughput drifted: the mean depends on how long it was measured
doubt-drift-hint = set a longer { $warmup } or { $measure }, and look at the chart over time for the cause
doubt-drift-seen = { $percent } % within { $time } s (limit ± { $limit } %)
doubt-errors = some transactions failed
doubt-errors-seen = { $failed } of { $all } ({ $percent } %); errors by code: { $codes }
doubt-executed-fewer = the server did not execute what the clients were answered
doubt-executed-fewer-hint = connect to the server itself: a cache or a proxy may answer in its place, or spread the statements over several servers of which one is observed
doubt-executed-fewer-seen = the server counted { $theirs } per second, Tenbin { $ours }
doubt-failed = the trial ended with an error
doubt-few-orders-seen = { $n } New-Orders completed; p99 wants 1,000
doubt-few-samples = too few transactions for a p99
doubt-few-samples-hint = measure longer
doubt-few-samples-seen = { $n } completed; p99 wants 1,000
doubt-foreign-statements = the server executed statements of others during the measurement
doubt-foreign-statements-hint = look at SHOW PROCESSLIST, stop what else uses the server, and measure again
doubt-foreign-statements-seen = { $others } per second besides { $mine } of Tenbin (limit { $limit } %)
doubt-foreign-transactions = the server executed transactions that are not Tenbin's
doubt-foreign-transactions-hint = see who is at work (SELECT datname, usename, client_addr, query FROM pg_stat_activity), stop that, and measure again
doubt-foreign-transactions-seen = { $others } per second ({ $elsewhere } of them in other databases) besides { $mine } of Tenbin (limit { $limit } %)
doubt-group-without-figures = a group of clients has no figures: none of its transactions completed
doubt-heat = processors of { $machine } were slowed down because of heat
doubt-heat-hint = improve the cooling, or limit the clock rate to what the processor sustains, and measure again
doubt-heat-seen = { $times } { $times ->
    [1] time
   *[other] times
  } in the window
doubt-host-lost = { $lost } of { $hosts } load hosts { $lost ->
    [1] was
   *[other] were
 } lost during the trial
doubt-host-lost-hint = look at that host and at the network to it, and repeat the trial with all hosts
doubt-host-lost-late = { $late } late reports were left out
doubt-hosts-not-together = the load hosts did not start together, or their clocks could not be followed closely enough
doubt-hosts-not-together-hint = free the load hosts and the network between them from other work, or use longer intervals
doubt-hosts-not-together-seen = { $host }: its clients started { $late } ms late, its clock was known to { $error } ms and changed by { $drift } ms; limit { $limit } ms ({ $percent } % of an interval)
doubt-littles-law = the clients spent less or more time in transactions than there was
doubt-littles-law-more = { $busy } clients were in a transaction on average{ $and_pausing }, of { $clients }: more than there are, so that some of their time was counted twice
doubt-littles-law-seen = { $busy } clients were in a transaction on average{ $and_pausing }, of { $clients }: what is missing of their time went into Tenbin itself
doubt-long-transactions = transactions are too long for the measured window
doubt-long-transactions-edges = the longest { $longest }, the window { $window }: those that ended in it took { $percent } % of the time that its clients were in transactions, so that throughput is about { $percent } % of that in a long window
doubt-long-transactions-hint = measure for at least ten times as long
doubt-long-transactions-seen = the longest { $longest }, the window { $window }: how many of them end within it is a matter of chance
doubt-memory = tasks waited for memory on { $machine }
doubt-memory-seen = in { $percent } % of the window (limit { $limit } %)
doubt-never-committed = nothing was committed
doubt-never-committed-hint = let the load commit, or look at autocommit and init_connect of the server: SHOW GLOBAL VARIABLES WHERE variable_name IN ('autocommit', 'init_connect')
doubt-never-committed-hint-script = end each transaction that the load begins with COMMIT: COMMIT AND CHAIN begins the next one, and so does a SAVEPOINT of SQLite outside of a transaction
doubt-never-committed-seen = after each of { $n } completed transactions, which changed { $rows } rows, the transaction of the session was still open
doubt-no-transactions = the tables have no transactions, and TPC-C is made of them: what it rolls back stays
doubt-no-transactions-hint = load the tables with an engine that has transactions: tenbin load tpcc … -o mysql_storage_engine=innodb
    .remedy = tenbin
doubt-no-transactions-seen = storage engine { $engines }
doubt-not-as-asked = the server has other values than the plan asks for
doubt-not-as-asked-seen = { $variable } = { $asked } was asked for, it is { $has }
doubt-not-measured = nothing was measured
doubt-not-measured-hint = read the notes of this trial, correct the cause and run the plan again
    .remedy = tenbin
doubt-not-measured-seen = the record of the trial has no end: the run was killed, or its last lines are lost
doubt-not-restored = trials ran on data that earlier trials had changed
doubt-not-restored-hint = set { $setting }
doubt-not-restored-seen = { $n } changes of rows since the data were restored or loaded, { $percent } % of the number of rows (limit { $limit } %)
doubt-not-settled = the clients started while the server still had work in the background
doubt-not-settled-hint = raise at_most of settle; an idle MariaDB writes its pages only with { $setting } in the target
doubt-nothing-sent = no statement was sent to the server
doubt-nothing-sent-hint = look at the script: no transaction of it reached a statement
doubt-nothing-sent-seen = { $n } { $n ->
    [1] transaction
   *[other] transactions
  } completed without one
doubt-of-replica = { $replica }: { $what }
doubt-oscillation = throughput oscillates, and the window has too few periods for a mean
doubt-oscillation-hint = set { $setting }, or longer
doubt-oscillation-seen = a period of { $period } s in a window of { $window } s (at least { $limit } periods)
doubt-other-role = the role of the server in replication, or whether it is read-only, changed during the trial
doubt-other-role-seen = before: { $before }; after: { $after }
doubt-other-settings-changed = variables of the server changed during the trial
doubt-others-busy = other programs took processor time that this measurement needed
doubt-others-busy-hint = stop what else runs there (top shows it), and measure again
doubt-others-busy-seen = of the { $all } cores of the client's machine others used { $others }, Tenbin { $client }, the server { $server }; { $left } were left{ $threads }
doubt-partial = the trial was stopped before its end
doubt-rate = the requested rate was not reached: percentiles are a lower bound
doubt-rate-grown = { $before } had not ended in the middle of the window, { $after } at its end
doubt-rate-grown-hint = ask for less than { $tps } per second: more clients would not complete more
doubt-rate-grown-since-start = { $before } had not ended at the start of the window, { $after } at its end
doubt-rate-hint = ask for less than { $tps } per second, or give more clients
doubt-rate-more-in-progress = { $after } had not ended at the end of the window, and by rate and response time it would be { $before }
doubt-rate-seen = requested { $rate } per second; due { $offered }, completed { $reached }, failed { $failed }, skipped { $skipped }, open { $open }
doubt-restarted = the server was started again during the trial
doubt-restarted-at = it was started at { $former } before the load, and at { $now } after it
doubt-restarted-hint = find out from the server's error log why it was started again, and measure again
doubt-restarted-seen = it was up for { $before } before the load, and { $elapsed } later for { $after }
doubt-rows-missing = rows that were loaded are gone: statements by their keys did not find them
doubt-rows-missing-hint = load the tables again, and let nothing else change them while they are measured
doubt-rows-missing-seen = { $empty } of { $all } statements on one row by its key found none ({ $percent } %)
doubt-scaled = This is a try-out of the plan, not a measurement of its targets
doubt-scaled-hint = run the plan without --scale
    .remedy = tenbin
doubt-scaled-seen = data and time were multiplied by { $scale }
doubt-scatter = the repeats differ from one another more than repeats of the same should
doubt-scatter-hint = find out what differed (other programs, the data's state, caches), measure longer, or repeat more often
doubt-scatter-seen = { $low } to { $high } TPS in { $n } repeats: the standard deviation is { $percent } % of the mean
doubt-server-gone = the server's process ended before the measurement did
doubt-server-gone-hint = find out from the server's error log and the kernel's (dmesg) why it ended, and measure again
doubt-server-gone-seen = the process that was observed is no longer there
doubt-settings-changed = variables that decide what was measured changed during the trial
doubt-settings-changed-hint = no other client may change variables of the server while it is measured; measure again
doubt-settings-changed-seen = { $variable } was { $former } before the load, and { $now } after it
doubt-settings-not-read = whether the server still had the same settings after the load is not known
doubt-settings-not-read-hint = look at the notes of the trial for the reason, and measure again
doubt-settings-not-read-seen = it was asked for them before the load, and did not answer after it
doubt-settings-put-back = settings of the server were set during the trial and put back: what was in force in between is not known
doubt-settings-put-back-at = { $variable } was set at { $at }, and has its former value
doubt-settings-put-back-read = the server read its configuration again at { $at }
doubt-settings-put-back-set = { $variable } was set by a statement, and has its former value
doubt-silent-at-end = nothing completed any more before the end: the server hung or was gone
doubt-silent-at-end-hint = look what the server waits for (SHOW PROCESSLIST, pg_stat_activity, its error log), and measure again
doubt-silent-at-end-seen = no transaction completed in the last { $time } of { $window }; { $open } were under way
doubt-slow-clock = the processors of { $machine } ran slower than they can
doubt-slow-clock-seen = { $mhz } MHz on average are { $percent } % (limit { $limit } %) of { $of_mhz } MHz, at { $busy } % use; { $governor }
doubt-standstill = for some time no transaction completed, and percentiles hardly show it
doubt-standstill-hint = look what the server did then (checkpoints, locks, its error log); a rate (load.rate) brings such waits into the percentiles
    .remedy = tenbin
doubt-standstill-hint-at-rate = look what the server did then (checkpoints, locks, its error log)
doubt-standstill-seen = none completed for { $time }{ $all }, of { $window } measured; p99 is { $p99 }
doubt-standstill-shown = for some time no transaction completed
doubt-statement-times = the statements lasted longer than the transactions that they are part of: one of the two times is wrong
doubt-statement-times-seen = { $statements } s in statements, { $transactions } s in transactions (limit { $limit } %)
doubt-statements-in-flight = more of the statement { $statement } were in progress at a time than clients can have: its times or counts are wrong
doubt-statements-in-flight-hint = measure again; if it remains, it is a fault of Tenbin or of the workload: report it with the run directory
doubt-statements-in-flight-seen = { $count } × { $mean } in { $window } are { $found } at a time on average, by { $clients ->
    [1] 1 client
   *[other] { $clients } clients
  }
doubt-steal = the hypervisor took processor time away from the client's machine
doubt-steal-seen = steal { $percent } % of { $cores } cores in the measured window
doubt-swap = { $machine } read memory back from swap space
doubt-swap-hint = give the machine more memory, or the server a smaller buffer pool
doubt-swap-seen = { $rate } pages per second (limit { $limit })
doubt-tables-changed = tables of the trial were altered, emptied or replaced while it ran: what was measured changed
doubt-tables-changed-hint = no other client may change tables while they are measured; load them again, and measure again
doubt-tables-changed-seen = { $table }: before the load { $former }; after it { $now }
doubt-unavailable = clients spent time without a connection after losing it
doubt-unavailable-errors = connects that failed: { $codes }
doubt-unavailable-hint = see in the server's error log why it closes connections
doubt-unavailable-seen = { $time } of client time, { $percent } % of { $clients } clients × { $value }; { $reconnects ->
    [1] 1 connection was opened again
   *[other] { $reconnects } connections were opened again
  }
doubt-warming = the window contains a warm-up
doubt-warming-hint = set { $setting }
doubt-warming-seen = { $before } transactions per second in the first { $time } s, then { $after } (95 % interval of this run { $low } to { $high }); the mean of the whole window is { $percent } % off (limit ± { $limit } %)
doubt-warmup-not-steady = the measurement began before throughput was steady
doubt-warmup-not-steady-seen = the warm-up ended at its upper limit, { $time } s; transactions per second in its third quarter { $before }, in its last { $after }
governor-is-another = the governor is not performance
governor-is-performance = the governor is performance
governor-not-known = the governor is not known
machine-of-client = the client's machine
machine-of-server = the server's machine
measured-all-of-planned = all { $planned } were measured; it ended in what follows them
measured-of-planned = measured { $measured } of { $planned }
of-the-group = group { $group }
problem-with-evidence = { $what }; { $seen }
problem-with-evidence-and-hint = { $what }; { $seen }; hint: { $hint }
problem-with-hint = { $what }; hint: { $hint }
seconds = { $value } s
seen-then = { $seen }; { $why }
such-times-in-all = { " " }({ $n } such times, { $total } in all)
threads-waited = ; Tenbin's threads waited { $time } s in each second
