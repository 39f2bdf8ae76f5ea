# What limited a target: the rules, their figures, what one transaction cost, and the latency budget.

about-budget = Of what the mean response time of all transactions consists, of whatever type or group of clients. The parts are measured independently; where they overlap they are reduced in proportion, and what none of them explains is shown as unexplained.
about-costs = What one completed transaction cost the server: the increase of a counter over the measured window, divided by the completed transactions. A dash: the counter was not there at both ends of the window, or was reset.
about-why = What limited each target, by the figures of exactly the measured window. Figures in a sentence are those of the first trial that shows what most trials of its cell show; those in the tables are of all trials. The rules are examined in this order: client, replica, network, the server's processors, disk reads, commit, row locks, latches, admission; the first one that reaches a limit is named. A diagnosis is not proven by its figures alone: the plan beside it would refute it.
between-proofs = ;{ " " }
bottleneck-admission = admission: sessions wait until they are let in
bottleneck-busy-clients = { $n ->
    [1] its only client, always busy
   *[other] its { $n } clients, all busy
  }
bottleneck-client = the client
bottleneck-commit = the commit
bottleneck-disk-reads = reading from the disk
bottleneck-latches = latches
bottleneck-network = the network
bottleneck-none = nothing
bottleneck-not-known = not enough evidence
bottleneck-replica = the replica
bottleneck-row-locks = row locks
bottleneck-server-cpu = the server's processors
bottleneck-server-cpu-taken = processors that other programs took
budget-commit = commit
budget-cpu = processors of the server
budget-heading = Latency budget
budget-how-commit = { $syncs } flushes × { $flush_ms } ms, the mean time of a flush of the disk
budget-how-cpu = CPU time of the server's processes ÷ completed transactions
budget-how-files = time of reads of the data files by { $source } ÷ completed transactions
budget-how-flushes = time of flushes of the logs by { $source } ÷ completed transactions
budget-how-network = { $statements } statements × { $rtt } ms of a round trip
budget-how-queue = time in which the server's threads were ready to run and waited for a processor, and sampled sessions that wait for a latch or a thread ÷ completed transactions
budget-how-read = { $pages } pages × { $wait_ms } ms, the mean time of a disk read
budget-how-rest = the response time less all other parts
budget-how-row-lock = time of waits for row locks by InnoDB ÷ completed transactions
budget-how-sampled = mean number of sessions seen in the class { $class } ÷ throughput ({ $samples } { $samples ->
    [1] sample
   *[other] samples
  })
budget-how-schedule = from the intended start to the actual one
budget-methods = How the parts were computed
budget-network = network
budget-queue = queues for processors, latches and threads
budget-read = reading data
budget-reduced = the parts overlap: all were multiplied by { $factor }
budget-row-lock = row locks
budget-schedule = wait for a free client
budget-unexplained = unexplained
budget-whole = Mean response time
column-limit = limit
cost-binlog-bytes = binary log
cost-bytes-received = received by the server
cost-bytes-sent = sent by the server
cost-cpu = processor time
cost-cpu-wait = waits for a processor
cost-deadlocks = deadlocks
cost-disk-read = read from the disk
cost-disk-written = written to the disk
cost-log-bytes = redo or write-ahead log
cost-page-requests = pages requested
cost-pages-read = pages not in memory
cost-row-lock-time = waits for row locks
cost-row-lock-waits = waits for row locks, times
cost-rows-changed = rows changed
cost-rows-read = rows read
cost-sort-rows = rows sorted
cost-syncs = flushes to the disk
cost-tmp-disk-tables = temporary tables or files on the disk
cost-tmp-tables = temporary tables
costs-head = What a transaction cost the server
costs-per-second = per second
costs-per-transaction = per transaction
expects-by = { $what } ({ $ratio })
expects-fewer-clients-admission = the throughput stays the same with half the clients
expects-fewer-clients-latches = the throughput does not fall with half the clients
expects-fewer-clients-line = the throughput falls by less than a tenth with half the clients: a full line carries as much for them
expects-fewer-clients-locks = the throughput does not fall with half the clients
expects-fewer-clients-same = the throughput falls by less than a tenth with half the clients
expects-in-time = transactions start when they are due at half the rate
expects-larger-cache = the throughput rises with twice the memory for pages, once it is full
expects-less-for-replica = the replica keeps up at half of the rate that it applied
expects-more-clients = the throughput rises with twice the clients
expects-more-clients-same = the throughput stays the same with twice the clients
expects-more-rate = twice the rate is held, too
expects-more-workers = the throughput rises with twice the threads
expects-nearer = the throughput rises without the line between them
expects-relaxed-commit = the throughput rises when commits do not wait for the disk
label-experiment = to refute
label-missing = missing
label-next-limit = next
label-why = limit
missing-client = how many processors the client may use
missing-client-how = run again with this version of Tenbin
missing-commit = the waits in commits
missing-instead = what limits it instead of { $limit }, which was refuted
missing-instead-how = see the rules in JSON, and observe more: { $host } of the target, { $setting }
missing-latches = the waits for latches
missing-latches-how = in a run of its own, waits recorded by { $setting }
missing-line = the rate of the line
missing-line-how = write it in [targets.{ $target }], for example { $setting }
missing-path = what the network carried
missing-path-elsewhere-how = run the plan on the machine of the clients: of load hosts on other machines it is not recorded
missing-path-how = write { $setting } in { $section }
missing-reads = the waits for reads from the disk
missing-reads-how = { $host } of the target, or { $setting } of the server
missing-replica = the lag of the replica
missing-replica-how = a longer measured window, and see the notes of the trial
missing-rest = on what { $percent } % of the response time was spent
missing-rest-how = a machine without other load, the privilege { $privilege }, and { $setting } of the server
missing-row-locks = the waits for row locks
missing-rtt = the round-trip time
missing-server-cpu = the processor use of the server
missing-server-cpu-how = { $host } of the target, or for a managed server its name at the provider
missing-sessions-how = { $setting } in { $section }, and the privilege { $privilege } for the account
proof-admission-concurrency = { $running } { $running ->
    [1] thread runs
   *[other] threads run
  } and { $variable } is { $limit }
proof-admission-connections = the server has { $n } { $n ->
    [1] connection
   *[other] connections
  } for { $clients } { $clients ->
    [1] client
   *[other] clients
  }
proof-admission-queue = { $n } { $n ->
    [1] statement waits
   *[other] statements wait
  } for a thread of the pool, { $percent } % of those in progress
proof-admission-refused = { $n ->
    [1] 1 connection was
   *[other] { $n } connections were
  } refused because there were too many, { $percent } % of the attempts
proof-client-between = { $percent } % of the clients' time lies between two transactions
proof-client-cpu = Tenbin used { $used } of { $of } processors
proof-client-cpu-duet = Tenbin used { $used } of { $of } processors for this target, and { $beside } of { $all } for the others of the duet
proof-client-late = at p99 starts were { $ms } ms late although a client was free
proof-client-quota = the quota of its control group, { $cores } processors, was used up in { $percent } % of the periods
proof-client-starved = { $workers ->
    [1] its only thread
   *[other] its { $workers } threads
  } used { $used } { $used ->
    [1] processor
   *[other] processors
  } and waited for { $delay } more
proof-commit-share = { $percent } % of { $time } is spent in it
proof-commit-share-least = at least { $percent } % of { $time } is spent in it
proof-commit-syncs = { $each } flushes for each transaction, { $per_second } per second
proof-io-pressure = a task of the machine waited for I/O in { $percent } % of the time
proof-latches = { $n } { $n ->
    [1] session waits
   *[other] sessions wait
  } for a latch, { $percent } % of those in progress
proof-limit = { $what }, limit { $limit }
proof-machine = { $busy } of { $all } processors of its machine were busy
proof-network-even = { $mbit } Mbit/s, even from sample to sample
proof-network-flat = { $mbit } Mbit/s, the same with { $clients } { $clients ->
    [1] client
   *[other] clients
  }
proof-network-lost = { $percent } % of the TCP segments that the client sent were sent again
proof-network-lost-server = { $percent } % of the TCP segments that the server sent were sent again
proof-network-queue = a statement that does nothing takes { $loaded } ms under load and { $idle } ms without: this queue is { $percent } % of { $time }
proof-network-rate = { $mbit } of { $of } Mbit/s, { $percent } % of the line
proof-network-trips = { $statements } round trips of { $rtt } ms are { $percent } % of { $time }
proof-no-writes = the load changes nothing
proof-of = { $bottleneck }: { $what }
proof-on-host = on load host { $host }: { $what }
proof-pages-read = { $pages } pages not in memory for each transaction
proof-rate-held = { $tps } of { $rate } transactions per second requested
proof-read-share = { $percent } % of { $time } is spent in it
proof-replica-confirms = { $percent } % of the response time waits for its confirmation
proof-replica-disk = its disk: in { $percent } % of the samples it waits in a commit
proof-replica-disk-syncs = its disk: in { $percent } % of the samples it waits in a commit, { $syncs } flushes of InnoDB per second
proof-replica-falls-behind = { $replica } falls behind by { $grows } s each second
proof-replica-keeps-up = { $replica } keeps up
proof-row-lock-sessions = { $waiting } of { $clients } clients wait on average
proof-row-lock-share = { $percent } % of { $time } is spent waiting for them
proof-row-lock-waits = { $each } waits for each transaction
proof-server-cloudwatch = { $percent } % by CloudWatch
proof-server-cpu = it used { $used } of the { $cores } processors that it may use, { $percent } %
proof-server-others = other programs took { $others } of them
proof-server-queue = its threads waited for a processor in { $percent } % of { $time }
proof-server-throttled = its quota was used up in { $percent } % of the periods
proof-setting = { $name } = { $value }
proof-share = { $what }; limit { $limit } %
ratio-at-least = { $ratio }× or more
ratio-less-than = less than { $ratio }×
refutation = Put to the test { $by }, { $limit } as the limit of { $of } is { $words }.
refutation-by = by { $key }
refutation-by-plan = by this plan
refutation-confirmed = confirmed: { $figures }
refutation-hold = the rate was held in { $held } of { $n } trials
refutation-in-time = transactions started when they were due in { $held } of { $n } trials
refutation-keep-up = the replicas kept up in { $held } of { $n } trials
refutation-no-pairs = there is no valid pair of trials
refutation-no-trials = fewer than two valid trials tell
refutation-not-filled = not decided: { $figures }; in { $cold } of { $n } pairs the larger memory was not full yet
refutation-not-read = not decided: { $figures }; in { $without } of { $n } pairs nothing was read from the disk without the change
refutation-of-a-run = another run
refutation-of-nothing = “nothing at its limit”
refutation-of-run = trial { $trial } of { $run }
refutation-ratio = { $ratio }× (95 % interval { $low }× to { $high }×), expected { $expected }
refutation-ratio-alone = { $ratio }× in one pair of trials, expected { $expected }
refutation-refuted = refuted: { $figures }
refutation-undecided = not decided: { $figures }
section-why = Bottleneck
the-response-time = the response time
the-service-time = the service time
why-clients = { $clients ->
    [1] its client was busy all the time
   *[other] all { $clients } clients were busy
  } and nothing else was at its limit, { $more } ({ $proofs })
why-clients-alone = { $clients ->
    [1] its client was busy all the time
   *[other] all { $clients } clients were busy
  } and nothing else was at its limit, { $more }
why-elsewhere = { $told } Elsewhere: { $others }.
why-elsewhere-one = { $n ->
    [1] { $outcome } in 1 cell
   *[other] { $outcome } in { $n } cells
  }
why-embedded = the database runs within the client (SQLite): there is no server whose limits could be told apart from those of the client
why-experiment = change { $key }; if the diagnosis is right, { $expects }
why-invalid = no trial of it is valid, so there is nothing to diagnose
why-limit = the limit was { $bottleneck } ({ $proofs })
why-more-clients = so more clients would complete more
why-more-clients-measured = and { $n } clients completed { $ratio }× of that
why-no-experiment = there is no diagnosis that an experiment could refute
why-not-known = there is not enough evidence to name the limit; it would need { $needed }
why-not-known-yet = there is not enough evidence to name the limit; tenbin show RUN --why says what is missing
why-nothing = nothing was at its limit ({ $proofs })
why-nothing-alone = nothing was at its limit
why-on-host = the machine itself was tested: there is no server whose limits could be told apart from those of the client
why-runner-up = next would be { $bottleneck } ({ $proof })
why-short = { $target } was limited by { $parts }.
why-short-part = { $bottleneck } ({ $experiments })
why-target = { $target }: { $words }.
why-target-at = { $target } at { $cell }: { $words }.
why-tested-by = tested by { $run }: { $sentence }
