# What the terminal shows.

and = { " " }and{ " " }
and-in-more-cells = { "  " }(and in { $n } more { $n ->
    [1] cell
   *[other] cells
  })
and-in-more-trials = { "  " }(and in { $n } more { $n ->
    [1] trial
   *[other] trials
  })
clock-response = response
clock-service = service
clock-wait = wait
column-address = address
column-data = data
column-mean = mean
column-name = name
column-note = note
column-tags = tags
column-trials = trials
ended-failed = { "  " }(failed)
ended-partial = { "  " }(partial)
ended-truncated = { "  " }(truncated)
interval-away = { "  " }{ $n } { $n ->
    [1] client
   *[other] clients
  } without a connection
interval-failed = { "  " }{ $n } failed
interval-shown = { $title }  { $phase } { $within } of { $of } s  { $figures }
label-answer = answer
label-caution = caution
label-client = client
label-cost = cost
label-digest = digest
label-disk = disk
label-error = error
label-file = file
label-finds = finds
label-left = left
label-loaded = loaded
label-lost = lost
label-measured = measured
label-next = next
label-note = note
label-page = page
label-password = password
label-plan = plan
label-reasons = reasons
label-removed = removed
label-replica = replica
label-resume = resume
label-saved = saved
label-socket = socket
label-started = started
label-stopped = stopped
label-target = target
label-tcp = tcp
label-time = time
label-try-out = try-out
label-verdict = verdict
label-warning = warning
label-will = will
level-doubt = doubt
level-error = error
level-fails = fails
level-note = note
level-ok = ok
level-warning = warning
list-commands = commands
list-dataset = data set { $kind }: { $about }; options (name, default, meaning)
list-datasets = data sets (kind of [datasets.<name>]; tenbin list KIND explains one)
list-more-runs = { $n ->
    [1] and 1 older run: --all
   *[other] and { $n } older runs: --all
  }
list-no-runs = no runs in { $folder } (those of another folder: --runs DIR)
list-none-of-runs = { $n ->
    [1] the only run in { $folder } is not listed with { $asked }
   *[other] none of the { $n } runs in { $folder } is listed with { $asked }
  }
list-options = options (name, default, meaning)
list-runs = runs, the newest first (tenbin report DIR)
list-statement-reads = { $name } (reads)
list-statement-writes = { $name } (writes)
list-statements = statements of a transaction, with the default options
list-workloads = workloads (name, kind of [experiment.load], what it does; tenbin list NAME explains one)
load-dropped = dropped
load-took = { $streams ->
    [1] { $rows } { $unit } in { $took } ({ $rate }, 1 stream)
   *[other] { $rows } { $unit } in { $took } ({ $rate }, { $streams } streams)
  }
more-reasons-on-page = and { $n } more { $n ->
    [1] reason
   *[other] reasons
  }; the page has all
more-replicas-on-page = { $n } more on the page
not-known-what-is-lost = not known: the present data were not looked at
nothing-completed = nothing completed
nothing-is-lost = nothing: no table is dropped
phase-catch-up = replicas catch up
phase-check = check
phase-cool-down = cool-down
phase-load = load
phase-measure = measure
phase-restore = restore
phase-settle = settle
phase-warm-up = warm-up
progress-of-load = { $done } of { $of } { $unit }  { $rate }  { $left }
progress-rows = { $title }  { $phase }  { $rows } of { $of } rows  { $rate } rows/s{ $left }
rate-of-load = { $n } { $unit }/s
same-error-in-trial = the same in trial { $trial }
sandbox-is-in-use = { $name }: in use by { $user }
sandbox-is-in-use-hint = They are stopped by the runs that started them; `tenbin sandbox stop --all --force` breaks those runs.
sandbox-none = no private servers
sandbox-password-in = in { $file }, which no other account may read
says-undecided = undecided
script-compiles = { $path }: a sysbench script; it compiles, and was not run
script-execute = What options and commands it has is known when its top level has run. A script is a program and may do{ "\u000A" }anything its user may; read it first, then: { $how }
script-listed = { $path }: a sysbench script
standing-still = standing still
statements-with-sql = { $n ->
    [1] 1 statement creates or drops a table; --sql shows it
   *[other] { $n } statements create and drop tables; --sql shows them
  }
table-clocks = (ms; response = wait for a free client, from the intended start + service)
table-invalid-left-out = (INVALID trials are not in these figures)
table-repeated = (TPS: mean of n repeats; spread: ± half its 95 % interval, or the lowest and{ "\u000A" }the highest repeat where they are two or differ too much for a mean; times in{ "\u000A" }ms, percentiles over all repeats together)
table-seconds = (seconds: mean of n repeats; TPS: statements over these seconds; times in ms,{ "\u000A" }percentiles over all repeats together)
table-times = (times in ms)
table-truncated = (✂: truncated: cut off by time before its count was done)
time-left = { $time } left
tpcc-line = { $nopm } NOPM, { $committed } without rolled-back orders; { $size }, { $terminals }{ $together }
tpcc-line-departs = departs from clauses { $clauses }; the page tells how
tpcc-line-efficiency = efficiency { $share } of 12.86 per warehouse
tpcc-line-kept = ok
tpcc-line-least = { " " }(at least { $share })
tpcc-line-limit = p90 at most { $time }
tpcc-line-not-kept = NOT KEPT
tpcc-line-out-of-range = out of range: { $what } { $value } ({ $from } to { $to })
tpcc-line-together = , statements sent together
trial-title = trial { $number }/{ $of }  { $target }{ $axes }  repeat { $repeat }
try-out-fails = this try-out did not do what the plan says: the reasons are with the verdict
try-out-works = the plan works: { $n ->
    [1] its trial
   *[other] all { $n } trials
  } came to an end. This was a try-out, whose figures say nothing about the targets
wait-in-trials = (why starts waited: { $why }; trials { $trials })
