# Doubts about a result.

and-for-failed = { " " }+ { $time } for { $n } failed
doubt-accounting = transactions are missing from the record
doubt-accounting-seen = scheduled { $scheduled } ≠ completed { $completed } + failed { $failed } + skipped { $skipped } + open { $open }
doubt-client-busy = the client was the limit, or close to it
doubt-client-busy-hint = drive from a machine of its own, give it more cores, or set load.workers
doubt-client-busy-seen = Tenbin used { $used } of the { $reachable } cores its { $workers } workers can use
doubt-client-delayed = Tenbin's threads were ready to run and waited for a processor: times are too long by what they waited
doubt-client-delayed-seen = each of { $workers } threads waited { $percent } % of the window (limit { $limit } %)
doubt-client-late = Tenbin started transactions late although clients were free: response times include its own delay
doubt-client-late-seen = one in a hundred starts was { $p99_ms } ms late or more (limit { $limit } ms)
doubt-client-stopped = Tenbin itself did not run for a part of the measurement
doubt-client-stopped-hint = measure again without stopping it, on a machine that has a processor for it
doubt-client-stopped-seen = for { $time } of { $window }: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or got no processor
doubt-client-suspended = the client's machine was suspended during the measurement
doubt-client-suspended-hint = keep the machine awake (systemd-inhibit tenbin …), and measure again
doubt-client-suspended-seen = for { $time }, which the { $window } measured do not contain
doubt-clients-lost = at the end fewer clients were connected than asked for
doubt-clients-lost-hint = see in the server's error log why it closed connections or takes no new ones, and measure again
doubt-clients-lost-seen = { $connected } of { $asked } clients
doubt-clock = the clock of the client's machine was set during the measurement: figures of a provider and of logs may belong to another time
doubt-clock-hint = start time synchronisation before a run (timedatectl set-ntp true), and measure again
doubt-clock-seen = it was set by { $step } s (limit { $limit } s); Tenbin's own times do not depend on it
doubt-cold-cache = the buffer pool was still being filled: the window contains a warm-up of the cache
doubt-cold-cache-hint = set a longer warmup, or prewarm the tables
doubt-cold-cache-seen = { $first } pages per second were read from the disk in the first quarter of the window, { $last } in the last
doubt-drift = throughput drifted: the mean depends on how long it was measured
doubt-drift-hint = set a longer warmup or measure, and look at the chart over time for the cause
doubt-drift-seen = { $percent } % within { $time } s (limit ± { $limit } %)
doubt-errors = some transactions failed
doubt-errors-seen = { $failed } of { $all } ({ $percent } %); statement errors by code: { $codes }
doubt-failed = the trial ended with an error
doubt-few-samples = too few transactions for a p99
doubt-few-samples-hint = measure longer
doubt-few-samples-seen = { $n } completed; p99 wants 1,000
doubt-foreign-statements = the server executed statements of others during the measurement
doubt-foreign-statements-hint = look at SHOW PROCESSLIST, stop what else uses the server, and measure again
doubt-foreign-statements-seen = { $others } per second besides { $mine } of Tenbin (limit { $limit } %)
doubt-heat = processors of { $machine } were slowed down because of heat
doubt-heat-hint = improve the cooling, or limit the clock rate to what the processor sustains, and measure again
doubt-heat-seen = { $times } times in the window
doubt-littles-law = throughput × mean response time does not give the number of clients
doubt-littles-law-seen = { $tps }/s × { $mean_ms } ms{ $and_failed } = { $product }, clients { $clients }: the rest of their time went into { $open } transactions that did not end in the window, or into Tenbin itself
doubt-memory = tasks waited for memory on { $machine }
doubt-memory-seen = in { $percent } % of the window (limit { $limit } %)
doubt-no-transactions = the tables have no transactions, and TPC-C is made of them: what it rolls back stays
doubt-no-transactions-hint = load the tables with an engine that has transactions: tenbin load tpcc … -o mysql_storage_engine=innodb
doubt-no-transactions-seen = storage engine { $engines }
doubt-not-measured = nothing was measured
doubt-not-measured-hint = read the notes of this trial, correct the cause and run the plan again
doubt-not-measured-seen = the record of the trial has no end: the run was killed, or its last lines are lost
doubt-not-restored = trials ran on data that earlier trials had changed
doubt-not-restored-hint = set restore = "before-run"
doubt-not-restored-seen = { $n } changes of rows since the data were restored or loaded, { $percent } % of the number of rows (limit { $limit } %)
doubt-not-settled = the clients started while the server still had work in the background
doubt-not-settled-hint = raise at_most of settle; an idle MariaDB writes its pages only with { $setting } in the target
doubt-oscillation = throughput oscillates, and the window has too few periods for a mean
doubt-oscillation-hint = set measure = "{ $measure }" or longer
doubt-oscillation-seen = a period of { $period } s in a window of { $window } s (at least { $limit } periods)
doubt-others-busy = other programs took processor time that this measurement needed
doubt-others-busy-hint = stop what else runs there (top shows it), and measure again
doubt-others-busy-seen = of the { $all } cores of the client's machine others used { $others }, Tenbin { $client }, the server { $server }; { $left } were left{ $threads }
doubt-partial = the trial was stopped before its end
doubt-rate = the asked rate was not reached: percentiles are a lower bound
doubt-rate-hint = ask for less than { $tps } per second, or give more clients
doubt-rate-seen = asked { $rate } per second; due { $offered }, completed { $reached }, skipped { $skipped }, open { $open }
doubt-scaled = This is a try-out of the plan, not a measurement of its targets
doubt-scaled-hint = run the plan without --scale
doubt-scaled-seen = data and time were multiplied by { $scale }
doubt-scatter = the repeats differ from one another more than repeats of the same should
doubt-scatter-hint = find out what differed (other programs, the data's state, caches), measure longer, or repeat more often
doubt-scatter-seen = { $low } to { $high } TPS in { $n } repeats: the standard deviation is { $percent } % of the mean
doubt-server-gone = the server's process ended before the measurement did
doubt-server-gone-hint = find out from the server's error log and the kernel's (dmesg) why it ended, and measure again
doubt-server-gone-seen = the process that was observed is no longer there
doubt-silent-at-end = nothing completed any more before the end: the server hung or was gone
doubt-silent-at-end-hint = look what the server waits for (SHOW PROCESSLIST, pg_stat_activity, its error log), and measure again
doubt-silent-at-end-seen = no transaction completed in the last { $time } of { $window }; { $open } were under way
doubt-standstill = for some time no transaction completed, and percentiles hardly show it
doubt-standstill-hint = look what the server did then (checkpoints, locks, its error log); a rate (load.rate) brings such waits into the percentiles
doubt-standstill-seen = none completed for { $time }{ $all }, of { $window } measured; p99 is { $p99_ms } ms
doubt-statement-times = the statements lasted longer than the transactions that they are part of: one of the two times is wrong
doubt-statement-times-seen = { $statements } s in statements, { $transactions } s in transactions (limit { $limit } %)
doubt-steal = the hypervisor took processor time away from the client's machine
doubt-steal-seen = steal { $percent } % of { $cores } cores in the measured window
doubt-swap = { $machine } read memory back from swap space
doubt-swap-hint = give the machine more memory, or the server a smaller buffer pool
doubt-swap-seen = { $rate } pages per second (limit { $limit })
doubt-unavailable = clients spent time without a connection after losing it
doubt-unavailable-hint = see in the server's error log why it closes connections
doubt-unavailable-seen = { $time } of client time, { $percent } % of { $clients } clients × { $value }; { $reconnects ->
    [1] 1 connection was opened again
   *[other] { $reconnects } connections were opened again
  }
doubt-warming = the window contains a warm-up
doubt-warming-hint = set warmup = "{ $warmup }"
doubt-warming-seen = { $before } transactions per second in the first { $time } s, then { $after } (95 % interval of this run { $low } to { $high }); the mean of the whole window is { $percent } % off (limit ± { $limit } %)
machine-of-client = the client's machine
machine-of-server = the server's machine
measured-of-planned = measured { $measured } of { $planned }
problem-with-evidence = { $what }; { $seen }
problem-with-evidence-and-hint = { $what }; { $seen }; hint: { $hint }
problem-with-hint = { $what }; hint: { $hint }
seconds = { $value } s
seen-then = { $seen }; { $why }
such-times-in-all = { " " }({ $n } such times, { $total } in all)
threads-waited = ; Tenbin's threads waited { $time } s in each second
