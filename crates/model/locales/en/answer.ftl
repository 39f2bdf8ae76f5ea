# The answer of a run, its conditions and its verdict.

answer-alike = { $targets ->
    [2] No
   *[other] The two fastest of { $targets } targets: no
  } difference between { $a } and { $b } is larger than { $within }: { $b } completed { $ratio }× the { $unit } of { $a } (95 % interval { $interval }, { $pairs } pairs of runs).
answer-all-invalid = { $n ->
    [1] There is no result: the trial is INVALID, because { $why }.
   *[other] There is no result: all { $n } trials are INVALID, the first one because { $why }.
  }
answer-alone = { $target } completed { $done }{ $at }, with a p99 response time of { $p99 }.{ $still }
answer-alone-at = { " " }at { $cell }
answer-alone-still = { " " }For { $seconds } s none completed, which that hardly shows.
answer-chance = one repeat only: how much of this is chance cannot be said
answer-faster = { $targets ->
    [2] { "" }
   *[other] The two fastest of { $targets } targets:{ " " }
  }{ $b } completed { $ratio }× the { $unit } of { $a } ({ $sure }).{ $range }
answer-interval = 95 % interval { $interval }, { $pairs } pairs of runs
answer-left-out = { $n ->
    [1] 1 of { $begun } trials is INVALID and not in these figures: { $why }.
   *[other] { $n } of { $begun } trials are INVALID and not in these figures; the first one because { $why }.
  }
answer-more-repeats = { " " }About { $n } more { $n ->
    [1] repeat
   *[other] repeats
  } would narrow it to ±5 %.
answer-nothing = Nothing was measured.
answer-nothing-because = Nothing was measured: { $why }.
answer-of-experiment = { $experiment }: { $answer }
answer-range = { " " }It ranges from { $low }× at { $low_cell } to { $high }× at { $high_cell }.
answer-too-many-repeats = { " " }It would take more than 100 further repeats to narrow it to ±5 %: first find out why the repeats differ so much.
answer-try-out = This is a try-out of the plan with its data and time multiplied by { $scale }: it shows that the plan works, not how fast the targets are.
answer-unclear = { $targets ->
    [2] These
   *[other] The two fastest of { $targets } targets: these
  } runs cannot tell { $a } and { $b } apart: { $b } completed { $ratio }× the { $unit } of { $a }, but anything from { $interval } would fit (95 % interval, { $pairs } pairs of runs).{ $more }
answer-without-result = Of { $targets } there is no result.
arrivals-even = even
axis-clients = clients
axis-dataset = data set
axis-experiment = experiment
axis-rate = transactions per second asked
axis-table-size = rows per table
axis-tables = tables
axis-warehouses = warehouses
axis-workload = workload
between-sentences = { " " }
between-values = ,{ " " }
cell-clients = { $value ->
    [1] 1 client
   *[other] { $value } clients
  }
cell-dataset = data set { $value }
cell-rate = rate { $value }/s
cell-table-size = { $value } rows per table
cell-tables = { $value ->
    [1] 1 table
   *[other] { $value } tables
  }
cell-warehouses = { $value ->
    [1] 1 warehouse
   *[other] { $value } warehouses
  }
closed-loop = closed loop
comma = ,{ " " }
condition-clients = { $numbers ->
    [1] 1 client
   *[other] { $numbers } clients
  }
condition-link = { $target } behind a simulated link of { $link }
condition-measured = measured for { $long }, { $n ->
    [1] once
   *[other] { $n } times
  }
condition-one-machine = client and server on one machine
condition-open-loop = { $rate } transactions per second asked ({ $arrivals })
condition-profile = { $workload } (profile { $profile })
condition-rows = { $n } rows
condition-scaled = try-out at scale { $scale }
done-new-orders = { $n } New-Orders per minute
done-transactions = { $n } transactions per second
doubt-with-evidence = { $what } ({ $seen })
durability-differs = Durability settings differ between the targets ({ $names }): this is no like-for-like comparison of speed unless that is the question.
footnote-standstill = ‡: for a time, up to { $seconds } s, no transaction completed, and percentiles hardly show it.
from-to = { $from } to { $to }
label-evidence = evidence
label-hint = hint
link-of-delay = { $delay } ms each way
link-of-rate-and-delay = { $rate }, { $delay } ms each way
network-path-carried = received { $received } Mbit/s (at most { $received_max }) and sent { $sent } Mbit/s (at most { $sent_max }); { $share } % of the TCP segments were sent again
network-path-carried-no-tcp = received { $received } Mbit/s (at most { $received_max }) and sent { $sent } Mbit/s (at most { $sent_max })
p99-of-new-orders = { $time } for a New-Order
p99-of-transactions = { $time }
percent = { $n } %
promise-crash = a power failure may lose the last commits
promise-crash-damage = even a crash of the server may damage the database
promise-damage = a power failure may damage the database
promise-emptied = a crash of the server empties the tables
promise-neither = even a crash of the server may lose the last commits
promise-no-transactions = the tables have no transactions: nothing is rolled back, and a crash may lose or damage rows
promise-not-known = not known: the server's own documentation has to say
promise-power-failure = commits survive a power failure
ratio-interval = { $low }× to { $high }×
replica-catches-up = replica { $replica } catches up by { $rate } seconds each second: { $end } s behind at the end of the load
replica-caught-up = { $during }; it had everything { $after } s after the load
replica-falls-behind = replica { $replica } falls behind by { $rate } seconds each second: { $end } s at the end of the load
replica-in-trial = Trial { $trial }: { $sentence }
replica-keeps-up = replica { $replica } keeps up: at most { $max } s behind
replica-not-caught-up = { $during }; it did not have everything { $after } s after the load
replica-trend-unknown = replica { $replica } was at most { $max } s behind; there are too few readings to say whether it keeps up
semicolon = ;{ " " }
session-admission = thread pool queue
session-client = client and network
session-commit = commit
session-executing = executing
session-latch = latches
session-other = other waits
session-read = reading data
session-requested-wait = requested waits (sleep, user locks)
session-row-lock = row locks
session-running = running (no wait)
session-table-lock = table and metadata locks
session-write = writing data
sessions-active = { $n } active sessions on average ({ $samples ->
    [1] 1 sample
   *[other] { $samples } samples
  }): { $classes }
sessions-at-the-ends = the sessions of the server were not sampled in the measured window, because load.observe is "ends"
sessions-none-active = no active session in { $samples ->
    [1] 1 sample
   *[other] { $samples } samples
  }
sessions-not-sampled = the sessions of the server were not sampled in the measured window: see the notes of the trial
sessions-share = { $class } { $share } %
sessions-with-gap = { $seen }; without a sample for up to { $seconds } s
span-hours-minutes = { $h } h { $min } min
span-minutes = { $min } min
span-minutes-seconds = { $min } min { $s } s
trials-counted = { $n ->
    [1] 1 trial
   *[other] { $n } trials
  }
unit-new-orders-per-minute = New-Orders per minute
unit-transactions-per-second = transactions per second
verdict-degraded = DEGRADED
verdict-invalid = INVALID
verdict-valid = VALID
