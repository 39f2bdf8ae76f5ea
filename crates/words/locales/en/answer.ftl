# The answer of a run, its conditions and its verdict.

answer-alike = No difference between { $a } and { $b } is larger than { $within }: { $statement } (95 % interval { $interval }, { $pairs } pairs of runs).
answer-alike-duet = No difference between { $a } and { $b } is larger than { $within }: { $statement } ({ $sure }).
answer-all-invalid = { $n ->
    [1] There is no result: the trial is INVALID, because { $why }.
   *[other] There is no result: all { $n } trials are INVALID, the first one because { $why }.
  }
answer-alone = { $target } completed { $done }{ $at }{ $sure }, with a p99 response time of { $p99 }.{ $least }{ $still }
answer-alone-at = { " " }at { $cell }
answer-alone-falls = { " " }At { $cell } it falls to { $n }: { $ratio }× of that.
answer-alone-flat = { " " }From { $cell } on the means are flat, within 5 % of that.
answer-alone-flat-by-fit = { " " }By the fitted curve it is flat, within 5 % of its highest, from { $cell } on{ $between }.
answer-alone-flat-by-fit-to = { " " }By the fitted curve it is flat, within 5 % of its highest, from { $from }{ $between } to { $cell }.
answer-alone-flat-to = { " " }From { $from } to { $cell } the means are flat, within 5 % of that.
answer-alone-interval = { " " }(95 % interval { $spread }, { $n } repeats)
answer-alone-least = { " " }The least was { $n } at { $cell }: { $ratio }× of that.
answer-alone-least-by-chance = { " " }The least was { $n } at { $cell }: { $ratio }× of that (one repeat only: how much of this is chance is not known).
answer-alone-least-unclear = { " " }The least was { $n } at { $cell }: { $ratio }× of that, but these repeats cannot tell the two apart.
answer-alone-lower-by-chance = { " " }At { $cell } it was { $n }: { $ratio }× of that (one repeat only: how much of this is chance is not known).
answer-alone-lower-unclear = { " " }At { $cell } it was { $n }: { $ratio }× of that, but these repeats cannot tell the two apart.
answer-alone-most-by-chance = { " " }It completed most at { $cell }, the most that were measured (one repeat only: how much of this is chance is not known).
answer-alone-most-unclear = { " " }Whether it still rose at { $cell }, the most that were measured, these repeats cannot tell.
answer-alone-once = { " " }(one repeat only: how much of this is chance is not known)
answer-alone-range = { " " }({ $spread } in { $n } repeats)
answer-alone-rises = { " " }It still rose at { $cell }, the most that were measured.
answer-alone-still = { " " }For { $seconds } s none completed, which that hardly shows.
answer-apart = Of { $names } there is no comparison: no cell is in common with { $base }.
answer-beside-cells = { $statement } in { $n } of { $all } cells; in the rest they cannot be told apart.
answer-beside-no-cell = In no cell can the { $percentile } response times of { $a } and { $b } be told apart.
answer-beside-scattered = The { $percentile } response times of { $a } and { $b } cannot be told apart: they differ too much from pair to pair.
answer-beside-unclear = The { $percentile } response times of { $a } and { $b } cannot be told apart (95 % interval of the ratio { $interval }).
answer-cells = { $parts } (95 % intervals of the cells together, { $pairs } pairs of runs).
answer-cells-duet = { $parts } (95 % intervals of the cells together, { $duet }).
answer-cells-unpaired = At { $cells } no repeat has a result of both { $a } and { $b }: nothing is compared there.
answer-cells-without = At { $cells } there is no result of { $target }.
answer-chance = one repeat only: how much of this is chance is not known
answer-few-pairs = { $pairs } pairs of runs are too few to say how sure that is: it takes at least { $n } more { $n ->
    [1] repeat
   *[other] repeats
  }
answer-group = { $group } { $figures }
answer-group-p99 = p99 { $ratio }
answer-group-tps = transactions per second { $ratio }
answer-groups = By group, { $b } compared with { $a }: { $parts }{ $more }{ $intervals }.
answer-groups-intervals = { "" } (95 % intervals)
answer-interval = 95 % interval { $interval }, { $pairs } pairs of runs
answer-interval-alone = 95 % interval { $interval }
answer-interval-duet = 95 % interval { $interval }, { $duet }
answer-leaders = Of the first two: { $told }
answer-left-out = { $n ->
    [1] 1 of { $begun } trials is INVALID and not in these figures: { $why }.
   *[other] { $n } of { $begun } trials are INVALID and not in these figures; the first one because { $why }.
  }
answer-many-cells-unpaired = In { $n } cells no repeat has a result of both { $a } and { $b }: nothing is compared there.
answer-many-cells-without = In { $n } cells there is no result of { $target }.
answer-mean-of-cells = That is a mean over { $n } cells: { $ratios }.
answer-more-groups = ; { $n } more in the table of groups
answer-more-repeats = { " " }About { $n } more { $n ->
    [1] repeat
   *[other] repeats
  } would narrow it to ±5 %.
answer-more-targets = ; { $n } more { $n ->
    [1] target lies
   *[other] targets lie
  } between them
answer-not-run = { $n ->
    [1] 1 of { $all } trials was not run.
   *[other] { $n } of { $all } trials were not run.
  }
answer-nothing = Nothing was measured.
answer-nothing-because = Nothing was measured: { $why }.
answer-of-experiment = { $experiment }: { $answer }
answer-paced = Clients pause between their transactions: what they complete is what they ask for, and no capacity.
answer-ratio = { $statement } ({ $sure }).
answer-ratio-alone = { $statement }.
answer-replica = { $sentence }.
answer-seconds = { $target } needed { $parts }{ $more }.
answer-seconds-cut-off = { $target } completed none of its numbers of statements before its time was up.
answer-seconds-left = { $target } completed none of its numbers of statements: its clients ended after errors.
answer-seconds-more = ; the page has { $n } more { $n ->
    [1] kind
   *[other] kinds
  } of load
answer-several = { $what } compared with { $base }: { $parts }{ $more } ({ $n ->
    [1] 95 % interval
   *[other] 95 % intervals of { $n } comparisons together
  }).
answer-several-by-chance = { $what } compared with { $base }: { $parts }{ $more } (one repeat only: how much of this is chance is not known).
answer-several-duet = { $what } compared with { $base }, driven at the same time: { $parts }{ $more } ({ $n ->
    [1] 95 % interval
   *[other] 95 % intervals of { $n } comparisons together
  }).
answer-several-few-pairs = { $what } compared with { $base }: { $parts }{ $more } (too few repeats to say how sure that is: it takes at least { $n } more).
answer-throughput-without-rate = Transactions per second are those of the groups without a rate: what the others complete is what their rates ask for.
answer-times-not-compared = Response times are not compared, because they grow with the length of the run where the rate is not held.
answer-times-not-compared-at = At { $cells } response times are not compared, because they grow with the length of the run where the rate is not held.
answer-times-not-compared-in = In { $n } cells response times are not compared, because they grow with the length of the run where the rate is not held.
answer-times-of-orders = Response times are those of New-Orders.
answer-too-many-repeats = { " " }It would take more than 100 further repeats to narrow it to ±5 %: measure longer, or find out why the repeats differ so much.
answer-try-out = This is a try-out of the plan with its data and time multiplied by { $scale }: it shows that the plan works, not how fast the targets are.
answer-unclear = These runs cannot tell { $a } and { $b } apart: { $statement }, but anything from { $interval } would fit (95 % interval, { $pairs } pairs of runs).{ $more }
answer-unclear-duet = These runs cannot tell { $a } and { $b } apart: { $statement }, but anything from { $interval } would fit (95 % interval, { $duet }).{ $more }
answer-without-experiments = Of the experiment { $names } there is no result.
answer-without-result = Of { $targets } there is no result.
arrivals-even = even
axis-changes-size = What is compared along { $axis } also has unlike amounts of data ({ $parts }): the ratio is not that of { $axis } alone.
axis-clients = clients
axis-dataset = data set
axis-experiment = experiment
axis-rate = transactions per second requested
axis-rows-of = { $name } { $rows } rows
axis-table-size = rows per table
axis-tables = tables
axis-warehouses = warehouses
axis-workload = workload
beside-base = { $b } { $ratio } ({ $interval })
beside-base-alike = { $b } within { $within }
beside-base-alone = { $b } { $ratio }
beside-base-by-cell = { $b } { $ratio }, which differs by cell
beside-base-mean = { $b } { $ratio } ({ $interval }), a mean of { $cells }
beside-base-unclear = { $b } cannot be told apart from it ({ $interval })
between-claims = ;{ " " }
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
cells-all = { $statement } in all { $n } cells
cells-many-not-told-apart = in { $n } cells they cannot be told apart
cells-none-told-apart = The ratio differs by cell, { $ratio }, but in no cell can { $a } and { $b } be told apart
cells-not-told-apart = at { $cells } they cannot be told apart
cells-one = { $statement }
cells-only-together = { $statement }; over all cells together it is { $ratio }× (95 % interval { $interval }), single cells are uncertain with so few repeats
cells-some = { $statement } in { $n } of { $all } cells
cells-uncertain = { $ratio } is uncertain with so few repeats
changed-files = Trials of the same cell had different contents of { $files }: their mean is of both.
changed-identity = identity
changed-role = role in replication
changed-server-seen = { $name } { $former } → { $now }
changed-tables = tables
changed-version = version
client-changed-in-run = The client was not the same in all trials ({ $seen }): their figures are of different systems.
closed-loop = closed loop
comma = ,{ " " }
condition-buffer-pool = buffer pool { $size }
condition-clients = { $numbers ->
    [1] 1 client
   *[other] { $numbers } clients
  }
condition-duet = targets driven at the same time
condition-duet-shared-machine = targets driven at the same time, permitted to share a machine
condition-group = { $name }: { $clients } ({ $schedule })
condition-link = { $target } behind a simulated link of { $link }
condition-measured = measured for { $long }, { $n ->
    [1] once
   *[other] { $n } times
  }
condition-not-steady = not steady after a warm-up of { $long }
condition-one-machine = client and server on one machine
condition-open-loop = { $rate } { $rate ->
    [1] transaction
   *[other] transactions
  } per second requested ({ $arrivals })
condition-paced = { $starts } with keying and think times
condition-paced-by = { $starts } with keying and think times, multiplied by { $pace }
condition-pauses = { $starts } of clients that pause
condition-profile = { $workload } (profile { $profile })
condition-profile-pool = { $workload } (profile { $profile }, { $pool ->
    [1] 1 connection
   *[other] { $pool } connections
  } shared)
condition-rows = { $n } rows
condition-rows-size = { $n } rows (about { $size })
condition-scaled = try-out at scale { $scale }
condition-shared-buffers = shared buffers { $size }
condition-warm-up = warm-up until steady: { $long }
cost-at = { " " }({ $cell })
cost-of-thousand = { $target } costs { $hour } { $currency } per hour: at { $tps } per second{ $at }, { $thousand } { $currency } per 1,000 transactions.
cost-without-price = The plan has no price for { $target }.
done-new-orders = { $n } New-Orders per minute
done-transactions = { $n } { $n ->
    [1] transaction
   *[other] transactions
  } per second
done-transactions-without-rate = { $n } { $n ->
    [1] transaction
   *[other] transactions
  } per second in its groups without a rate
doubt-with-evidence = { $what } ({ $seen })
duet-by-instants = { $pairs } pairs of runs at the same time, by their instants
duet-by-instants-once = { $pairs ->
    [1] 1 pair
   *[other] { $pairs } pairs
  } of runs at the same time, by instants; with one repeat it is not known how much runs differ
duet-by-pairs = { $pairs ->
    [1] 1 pair of runs at the same time
   *[other] { $pairs } pairs of runs at the same time
  }
durability-differs = Durability settings differ between the targets ({ $names }): this is no like-for-like comparison of speed unless that is the question.
durability-differs-along = Durability settings differ between the values that are compared ({ $names }): this is no like-for-like comparison of speed unless that is the question.
footnote-groups = Times in this table are of all groups of clients together, and mostly of the group that completes most; each group is listed by itself.
footnote-standstill = ‡: for a time, up to { $seconds } s, no transaction completed, and percentiles hardly show it.
footnote-types = Response times of TPC-C are those of New-Orders, which are compared and limited; TPS and QPS are of all five transaction types.
footnote-without-rate = TPS and QPS are of the groups of clients without a rate: what the others complete is what their rates ask for.
from-to = { $from } to { $to }
group-ratio = { $ratio } ({ $low }× to { $high }×)
group-ratio-alike = within { $within }
group-ratio-by-chance = { $ratio } (one repeat only)
group-ratio-few-pairs = { $ratio } (too few repeats for an interval)
group-ratio-scattered = cannot be told apart (it differs too much from pair to pair)
group-ratio-unclear = cannot be told apart ({ $low }× to { $high }×)
label-evidence = evidence
label-hint = hint
label-values = values
limit-all = { $target }{ $cell } holds { $until } at every level probed, up to { $holds }.
limit-between = { $target }{ $cell } holds { $until } at { $holds } and no longer at { $fails }; the trials allowed did not bring the two closer.
limit-found = { $target }{ $cell } holds { $until } up to { $holds }, and no longer at { $fails }.
limit-in-cell =  ({ $cell })
limit-is-undecided = { $target }{ $cell }: whether { $until } holds at { $holds } is not decided{ $fails }: { $why }.
limit-lead = The limit of { $b }{ $cell } is { $ratio }× that of { $a }: between { $low }× and { $high }×, by the levels that held and those that did not.
limit-lead-at-least = The limit of { $b }{ $cell } is at least { $low }× that of { $a }.
limit-lead-open = The levels that were tried cannot tell the limits of { $a } and { $b }{ $cell } apart: { $ratio }×, but anything from { $low }× to { $high }× would fit.
limit-none = { $target }{ $cell } does not hold { $until } even at { $fails }.
limit-nothing = { $target }{ $cell }: nothing was completed, so no limit for { $until } was found.
limit-rate = { $rate } { $rate ->
    [1] transaction
   *[other] transactions
  } per second
limit-undecided-below = { " " }(at { $fails } it does not)
limit-undecided-level = it was met by { $completed } { $completed ->
    [1] transaction
   *[other] transactions
  }, and it takes at least { $needed } to show it; write measure = "{ $window }s" into the plan
limit-until-of-orders = { $until } (times of New-Orders)
link-of-delay = { $delay } ms each way
link-of-rate-and-delay = { $rate }, { $delay } ms each way
network-path-carried = received { $received } Mbit/s (at most { $received_max }) and sent { $sent } Mbit/s (at most { $sent_max }); { $share } % of the TCP segments were sent again
network-path-carried-no-tcp = received { $received } Mbit/s (at most { $received_max }) and sent { $sent } Mbit/s (at most { $sent_max })
p99-of-groups = { $time } over all groups together
p99-of-new-orders = { $time } for a New-Order
p99-of-transactions = { $time }
percent = { $n } %
promise-crash = a power failure may lose the last commits
promise-crash-damage = even a crash of the server may damage the database
promise-damage = a power failure may damage the database
promise-emptied = a crash of the server empties the tables
promise-in-memory = the data are in memory: a power failure loses all of them
promise-neither = even a crash of the server may lose the last commits
promise-no-transactions = the tables have no transactions: nothing is rolled back, and a crash may lose or damage rows
promise-not-known = not known: the server's own documentation has to say
promise-power-failure = commits survive a power failure
promise-set-by-load = what commits survive is set by the load: { $statement }
rate-held = { $targets } held the rate of { $asked } transactions per second.
rate-not-held = { $target } did not hold the rate: of { $asked } transactions per second requested it completed { $done }{ $failed ->
    [1] { "" }
   *[other] { "" } in the worst of { $failed } such trials
  }.
ratio-at-cell = { $n }× ({ $cell })
ratio-beside = The { $percentile } response time of { $b } was { $ratio } that of { $a }
ratio-interval = { $low }× to { $high }×
ratio-of-mean = { $b } had { $ratio } the mean response time of { $a }
ratio-of-new-orders = { $b } completed { $ratio } the New-Orders per minute of { $a }
ratio-of-percentile = { $b } had { $ratio } the { $percentile } response time of { $a }
ratio-of-queries = { $b } completed { $ratio } the statements per second of { $a }
ratio-of-seconds = { $b } took { $ratio } the time of { $a }
ratio-of-transactions = { $b } completed { $ratio } the transactions per second of { $a }
ratio-times = { $n }×
replica-catches-up = Replica { $replica } catches up by { $rate } seconds each second: { $end } s behind at the end of the load
replica-caught-up = { $during }; it had everything { $after } s after the load
replica-falls-behind = Replica { $replica } falls behind by { $rate } seconds each second: { $end } s at the end of the load
replica-in-trial = Trial { $trial }: { $sentence }
replica-keeps-up = Replica { $replica } keeps up: at most { $max } s behind
replica-not-caught-up = { $during }; it did not have everything { $after } s after the load
replica-trend-unknown = Replica { $replica } was at most { $max } s behind; there are too few readings to say whether it keeps up
scaling-between = { " " }(95 % of fits to runs drawn anew: { $low } to { $high })
scaling-does-not-fit = { $target }: the scalability law explains only { $percent } % of how throughput changes with clients, so it says nothing about a peak.
scaling-from = { " " }(95 % of fits to runs drawn anew: { $low } or more, or none)
scaling-no-peak = { $target }: no peak up to { $most } { $most ->
    [1] client
   *[other] clients
  }, nor close beyond them; contention { $sigma } %.
scaling-peak = { $target } peaks at { $clients } { $clients ->
    [1] client
   *[other] clients
  }{ $between } with { $tps } per second; contention { $sigma } %.
seconds-at = { " " }at { $cell }
seconds-needed = { $seconds } s{ $spread }{ $at }, { $each } ms for each statement of a client
seconds-spread = { " " }({ $low } to { $high } s in { $n } runs)
semicolon = ;{ " " }
server-changed-in-run = The server of { $target } was not the same in all trials ({ $seen }): their figures are of different systems.
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
stored-runs = These are stored runs, not measured in turns: what changed on the machines between them is not in the intervals.
stored-runs-differ = These are stored runs, not measured in turns: what changed on the machines between them is not in the intervals. They also differ in { $differing }: this is no like-for-like comparison.
stored-runs-file = the file { $file }
stored-runs-group = { $key } of the group { $group }
stored-runs-machine = the client's machine
stored-runs-options = options of the workload
stored-runs-server = the server (its version, its machine, or variables that the plan does not set)
stored-runs-tables = columns, indexes or triggers of the tables
stored-runs-tool = the build of Tenbin
subset-limit = the limit found
subset-new-orders = New-Orders
subset-without-rate = groups without a rate
tables-unlike = The tables of { $one } and { $other } are not alike ({ $seen }): the ratio of their figures is not that of the servers alone.
tables-unlike-seen = { $one }: { $own }; { $other }: { $others }
times-of-all-groups = all groups together
trials-counted = { $n ->
    [1] 1 trial
   *[other] { $n } trials
  }
unit-new-orders-per-minute = New-Orders per minute
unit-queries-per-second = Queries per second
unit-response-time = { $percentile } response time
unit-seconds-needed = Time needed
unit-transactions-per-second = Transactions per second
values-both = parameters, text
values-mostly-parameters = parameters ({ $n } as text)
values-parameters = parameters
values-sent-as-parameters = as parameters
values-sent-as-text = as text
values-sent-both = as parameters; as text in { $statements }
values-sent-both-and-more = as parameters; as text in { $statements } and { $more } more
values-text = text
verdict-degraded = DEGRADED
verdict-invalid = INVALID
verdict-valid = VALID
