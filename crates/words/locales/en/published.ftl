# Results that others published: reading them, and doubts about them.

doubt-exchanged = the { $figure } stands under the wrong target
doubt-exchanged-either-hint = read the { $figure } of { $targets } exchanged, and ask the author: with the { $other } exchanged instead the products are the same, and the table does not tell which of the two columns is wrong
doubt-exchanged-hint = read the { $figure } of { $targets } exchanged, and ask the author
doubt-exchanged-little-seen = TPS × mean response time must be the number of clients (Little's law, closed loop). As printed { $agree } of { $n } results agree within 5 %; { $example }. With the { $figure } of { $targets } exchanged, { $mended } of { $n } agree within { $percent } %
doubt-exchanged-percentile-seen = in { $n } of { $all } results { $figure } and mean cannot be of the same response times; { $example }. With the { $figure } of { $targets } exchanged they can in all
doubt-exchanged-percentile-then-seen = with the { $other } exchanged, { $figure } and mean cannot be of the same response times in { $n } of { $all } results; { $example }. With the { $figure } of { $targets } exchanged too they can in all
doubt-published-above = the clients would have been in more transactions at once than there were clients
doubt-published-above-hint = see in the source which of TPS, mean response time and clients is wrong, or whether starts were scheduled at a rate
doubt-published-above-of-runs-hint = both are means of several runs, and where these differ their product is above the number of clients: look at each run
doubt-published-above-unsaid-hint = the table does not say that it is the mean, and a percentile would be larger: see in the source what it is
doubt-published-below = throughput × mean response time does not give the number of clients
doubt-published-below-hint = see in the source whether clients paused, or ran at a given rate; otherwise the rest of their time is missing
doubt-published-comparison = { $n ->
    [1] 1 of the comparisons does not follow from the figures that it compares
   *[other] { $n } of the comparisons do not follow from the figures that they compare
  }, of { $all }
doubt-published-comparison-seen = { $place }: { $heading } is { $said } where the figures ({ $figure }) give { $expected }
doubt-published-copies = { $n } results have the same figures to the last digit: rows were copied
doubt-published-failed-seen = { $place }: { $failed } failed, { $percent } %
doubt-published-growth = more queries took less time, { $n ->
    [1] once
   *[other] { $n } times
  }
doubt-published-growth-seen = { $place }: { $many } queries per client took { $a }, { $few } took { $b }
doubt-published-implied = the times of { $n } { $n ->
    [1] result are too short for its
   *[other] results are too short for their
  } throughput
doubt-published-implied-hint = ask whether the clients pause between transactions, and whether times and throughput are of one run
doubt-published-implied-seen = { $place }: { $clients } { $clients ->
    [1] client
   *[other] clients
  } at { $tps } TPS { $clients ->
    [1] has
   *[other] have
  } a mean of { $mean } without pauses; { $figure } { $time }
doubt-published-known-queries = the queries per transaction of { $n } { $n ->
    [1] result
   *[other] results
  } are not those of the workload that is named
doubt-published-known-queries-hint = see whether the workload had other options (--range-selects, --point-selects and the like), or TPS and QPS are of different runs or workloads
doubt-published-known-queries-of-options-seen = { $place }: { $ratio } queries per transaction; { $name } sends { $queries } with the options that are named
doubt-published-known-queries-seen = { $place }: { $ratio } queries per transaction; { $name } sends { $queries } with its default options
doubt-published-little-seen = { $n } of { $all } results; { $example }
doubt-published-look-at-source = compare with the source of the table, and ask the author
doubt-published-mean-of-periods = the periods of the log do not give its result
doubt-published-mean-of-periods-hint = see whether lines are missing, or of another run
doubt-published-mean-of-periods-seen = { $place }: mean of the periods { $mean }/s, result { $rate }/s, { $percent } % apart
doubt-published-negative = figures are below zero: { $n }
doubt-published-no-clients = { $n } { $n ->
    [1] result has
   *[other] results have
  } a throughput without clients
doubt-published-note = the total counts other periods than the remark says
doubt-published-note-seen = { $n } periods are in the total; { $from } s to { $to } s are { $expected }
doubt-published-order = { $n } { $n ->
    [1] pair of figures is
   *[other] pairs of figures are
  } in the wrong order
doubt-published-order-seen = { $place }: { $low } { $a } is above { $high } { $b }
doubt-published-own-check = the tool's own checks found { $n } broken
doubt-published-own-check-hint = its figures of throughput count what was too slow: compare only results whose checks all hold
doubt-published-part = { $part } above { $whole } in { $n } { $n ->
    [1] result
   *[other] results
  }
doubt-published-part-seen = { $place }: { $part } { $a }, { $whole } { $b }; each of the first is one of the second at least
doubt-published-percentile-below = { $figure } is below the mean
doubt-published-percentile-below-seen = in { $n } of { $all } results; { $example }: the slowest { $part } % would have taken { $rest } each
doubt-published-percentile-high = { $figure } is too high for the mean
doubt-published-percentile-high-seen = in { $n } of { $all } results; { $example }: the mean had to be { $least } at least
doubt-published-periods = a total and its mean per period do not belong together
doubt-published-periods-seen = { $place }: { $total } / { $mean } = { $n }, which is no whole number of periods
doubt-published-queries = the number of queries per transaction is not the same in all results
doubt-published-queries-seen = { $n } of { $all } differ; { $example }: { $ratio } queries per transaction, of the others { $middle }
doubt-published-standstill = nothing completed in some periods
doubt-published-standstill-seen = { $place }: { $n } of { $all } periods, the first at { $first } s
doubt-published-step = the throughput changed for good within the measurement
doubt-published-step-hint = tell both, with what changed then (a cache that is full, a log that is full, another load on the machine), or measure one of them
doubt-published-step-seen = { $place }: { $before } per second until { $seconds } s, { $after } after it; the mean of { $mean } is that of neither
doubt-published-sum = reads, writes and other statements do not add up to all queries
doubt-published-sum-seen = { $place }: { $sum } together, { $queries } in all
doubt-published-summary = { $n ->
    [1] 1 of the values that sum up the measurements beside them does not follow
   *[other] { $n } of the values that sum up the measurements beside them do not follow
  } from these, of { $all }
doubt-published-summary-seen = { $place }: { $heading } is { $said } where the measurements beside it give { $expected }
doubt-published-too-fast = { $n } { $n ->
    [1] rate is
   *[other] rates are
  } higher than the clients can reach
doubt-published-too-fast-seen = { $place }: { $tps } TPS; { $clients } { $clients ->
    [1] client completes
   *[other] clients complete
  } at most { $most } per second if none takes less than { $min } ms
doubt-published-total = { $equation } does not hold in { $n } of { $all } results
doubt-published-total-seen = { $place }: { $product } computed, { $total } printed, { $percent } % apart
doubt-published-unit-hint = the response times seem to be in { $unit }: name the unit in the heading, as in avg_us
doubt-published-zeros = all values are 0: { $figures }
doubt-published-zeros-seen = { $n ->
    [1] 1 result, in
   *[other] { $n } results, the first in
  } { $place }
label-holds = holds
label-skipped = skipped
published-a-and-b = { $a } and { $b }
published-about = Published by others; read and checked by Tenbin, which did not measure it.
published-as-sysbench = , as sysbench's { $name } sends
published-beyond-histogram = line { $line }: “{ $text }” is where the histogram of sysbench ends: the percentile is that or longer, and is left out
published-cannot-be-opened = { $file } cannot be read
published-caption-unknown = “{ $caption }” above the table is not understood: it may say that the figures are no transactions per second, and they are not read
published-chart-code = { $file } is the code of a chart ({ $library }): which of its numbers are clients, and which are figures, is not known; give them as a table (threads, target, TPS)
published-chart-means-over-time = Throughput over time (means of { $n } periods)
published-chart-per-query = Time per query of one client
published-chart-times = Response times
published-checks-hold = What holds
published-checks-remarks = How the file was read
published-checks-skipped = What could not be checked
published-client-seconds = time of a client in transactions
published-client-seconds-deviation = standard deviation of the time of a client
published-clients = number of clients
published-clients-multiplied = { $each } × { $clients } are taken as the number of clients
published-clock-open = “{ $cell }” in the column “{ $name }” may be minutes and seconds or hours and minutes: it is not read; mm:ss in the heading says which
published-column-clock = the column “{ $name }” grows evenly from row to row: it is taken as the clock of a run, whose rows are neither runs nor repeats
published-column-swept = the column “{ $name }” is not known: its numbers are taken as what was changed from row to row
published-column-unknown = the column “{ $name }” is not understood: it is shown, and not checked
published-comma-open = “{ $cell }” can be read in two ways, and no other cell says which: its comma is taken to separate thousands
published-comparisons-hold = { $n ->
    [1] 1 comparison (a ratio or a difference) follows from its figures
   *[other] { $n } comparisons (ratios, differences) follow from their figures
  }
published-deviation = standard deviation
published-doubted-chart = doubted
published-empty = { $file } is empty
published-encoding = { $file } is read as { $encoding }
published-equation = { $a } × { $b } = { $c }
published-events-deviation = standard deviation of transactions per client
published-events-per-client = transactions per client
published-failed = failed
published-figure-at = { $place }: { $figure } { $value }
published-figure-in-corner = the numbers below “{ $name }” are taken as numbers of clients, and the other columns as targets of which this is the figure
published-growth-holds = more queries took more time in all series ({ $n }); the time per query of one client is { $low } to { $high } of that with the most queries
published-head = { $results ->
    [0] no results
    [1] 1 result
   *[other] { $results } results
  }{ $targets }
published-hint = name a file with a table of results (CSV, Markdown, HTML, JSON, markup of a wiki) with headings such as threads, target, tps, avg_ms, p99_ms, or the log of sysbench, tpcc-mysql, mysqlslap, go-tpc, HammerDB, pgbench, BenchmarkSQL, BenchBase, JdbcRunner, JMeter, YCSB, k6, cockroach workload or memtier_benchmark
published-implied-holds = no longest time or high percentile is below clients ÷ TPS, { $all }
published-in-a-circle = { $names } in a circle
published-in-all = { $n ->
    [1] the one result
   *[other] all { $n } results
  }
published-in-groups = { $cycles } in { $groups }
published-is-directory = { $dir } is a directory
published-is-directory-hint = the verdict on a run of Tenbin: tenbin report { $dir } --format text
    .remedy = tenbin
published-is-of-run = { $file } is a part of a run of Tenbin, and no published result
published-line = line { $line }
published-lines-unlike = the lines above reports that nothing else distinguishes differ, and are not understood (“{ $line }”): it is not known whether they are repeats of one measurement
published-little-at-a-rate = Little's law (all results were measured at a given rate)
published-little-holds = TPS × mean response time = clients (Little's law) in { $all }, within { $percent } %
published-little-of-few-digits = Little's law (of the figures too few digits are printed)
published-little-of-queries-holds = QPS × mean response time of a query = clients (Little's law) in { $all }, within { $percent } %
published-log-without-report = { $file } is the log of a run of { $tool } without the report that it prints at its end: { $n ->
    [1] 1 line of a period says
   *[other] { $n } lines of periods say
  } neither the mean of the run nor its response times
published-marks = [n]: see reason n below
published-max = longest response time
published-max-seconds = longest time
published-mean = mean response time
published-mean-of-periods-holds = the periods of { $n } logs give their results
published-mean-seconds = mean time
published-min = shortest response time
published-min-seconds = shortest time
published-more-remarks = and { $n } more { $n ->
    [1] remark
   *[other] remarks
  }
published-more-rows = … { $n } more { $n ->
    [1] row
   *[other] rows
  }: --format html or markdown has all
published-new-orders = New-Orders
published-no-doubts = No reason for doubt was found by the checks that the figures permit.
published-no-number = line { $line }: “{ $text }” in the column “{ $name }” is no number, and is left out
published-no-results-seen = { $rows } { $rows ->
    [1] row
   *[other] rows
  }; columns: { $headings }
published-no-results-unknown = { $rows } { $rows ->
    [1] row
   *[other] rows
  }; these columns are not understood: { $headings }
published-no-such-form = published results have no { $format } form
published-no-such-form-hint = choose html, markdown, json or text
published-no-text = { $file } is no text
published-no-text-hint = export the table as CSV in UTF-8
published-no-text-seen = neither UTF-8, UTF-16, Shift_JIS nor EUC-JP: byte { $byte } at position { $at }
published-nopm = New-Orders per minute
published-not-measured = line { $line }: { $figure } is 0 and other response times are not: it was not computed, and is left out
published-not-read = no results can be read from { $file }
published-not-understood = not understood
published-of-targets = { " " }of { $n ->
    [1] 1 target
   *[other] { $n } targets
  }: { $names }
published-of-variables = { $file } is a table of { $rows } variables and no result; to compare its columns: tenbin diff { $path }
published-of-variables-of-one = { $file } is a table of { $rows } variables and no result; to compare it with another: tenbin diff { $path } OTHER
published-of-workload = { " " }of { $workload }
published-order-holds = minimum, mean, percentiles and maximum are in order in { $all }
published-other-tool = { $file } is the output of { $tool }, a tool for other servers than databases, which is not read; give its figures as a table (clients, requests/s, avg_ms)
published-others = other statements
published-own-page = { $file } is a page that Tenbin has written
published-own-page-hint = name what the page was made from, and not { $file }: a run (tenbin show RUN; its directory has the page as report.html) or the published file
published-per-period = mean per period
published-percentile-and-mean = { $place }: { $figure } { $high } ms, mean { $mean } ms
published-percentiles-hold = percentiles and mean can be of the same response times in { $all }
published-period = length of a period
published-periods-hold = total / mean per { $seconds } s = { $n } periods in { $all }
published-periods-of-no-length-hold = total / mean per period = { $n } periods in { $all }; the table does not say how long a period is
published-periods-of-note = { $whole }; { $from } s to { $to } s are { $expected }, and one more if both ends count
published-point-open = “{ $cell }” in the column “{ $name }” can be read in two ways, and no other cell says which: the column is not read
published-product = { $place }: { $tps }/s × { $mean_ms } ms = { $product }, clients { $clients }
published-qps = QPS
published-queries = queries
published-queries-hold = { $ratio } queries per transaction in { $all }{ $of } ({ $range }){ $known }
published-queries-per-client = queries per client
published-reads = reads
published-repeated = each result is there { $n } times or more
published-reports-in-turns = { $file } has reports whose lines stand in turns, as runs at the same time write them into one file: { $n } that cannot be told apart are left out
published-retried = started again after errors
published-row-left-out = line { $line } has { $cells } { $cells ->
    [1] cell
   *[other] cells
  } below { $headings } { $headings ->
    [1] heading
   *[other] headings
  }: it is left out
published-row-of-means = line { $line }: “{ $text }” is computed from the rows above it, and is no further result
published-row-unknown = the figure “{ $name }” (line { $line }) is not understood: it is shown, and not checked
published-scatter-in-one-run = scatter of repeats (one result each; the standard deviation is of periods within one run)
published-scatter-min-max = scatter of repeats beyond the shortest and longest time (the number of repeats and their deviation are not printed)
published-scatter-of-course = scatter of repeats (the rows are moments of one run)
published-scatter-unknown = scatter of repeats (one result each: a small difference cannot be told from chance)
published-scripts-left-out = { $file } has figures of { $n } scripts of pgbench too, whose clients are not known: they are left out, and those of all together are read
published-seconds = time
published-section = line { $line }: “{ $text }” is taken as the name of the rows below it
published-sentence-not-understood = line { $line }: the figures of the sentence “{ $text }” are not read: not all of its words are known
published-sentences-hint = write them as a table, with headings such as target, threads, TPS
published-several-chart = means of the results at one place, with each of them as a dot
published-shares-hold = each transaction: { $reads } reads, { $writes } writes, { $others } other statements, in { $all }
published-sum = sum of response times
published-summaries-hold = { $n ->
    [1] 1 mean or other summary follows from the measurements beside it
   *[other] { $n } means and other summaries follow from the measurements beside them
  }
published-tables-beside-log = { $file } also has { $n ->
    [1] a table
   *[other] { $n } tables
  } of results, not read beside the log: put the tables into a file of their own
published-taken-as-clients = the headings { $names } are taken as numbers of clients: no word of the table says what they are
published-taken-as-ms = without a unit, taken as milliseconds: { $names }
published-times-of-types = { $file } has response times of { $types } types of transactions; they cannot be joined to those of all, and are left out
published-too-large = it has { $size }; at most { $most } are read
published-too-many-cells = { $cells } cells, with those that short rows lack; at most { $most } are read
published-too-many-columns = { $columns } columns; at most { $most } are read
published-too-many-rows = { $rows } rows; at most { $most } are read
published-too-many-tables = more than { $most } tables
published-tool = Audited by Tenbin { $version }
published-total = total
published-totals-hold = { $equations } (within { $percent } %)
published-tpm = transactions per minute
published-tps = TPS
published-transactions = transactions
published-unit-beside = without a unit, taken as { $unit } as the times beside them, which they would contradict in milliseconds: { $names }
published-unit-by-rate = without a unit, taken as { $unit }, with which throughput × mean response time is the number of clients: { $names }
published-unit-of-another-figure = line { $line }, { $name }: { $text } has the unit of another figure ({ $unit }), and is left out
published-unstated = figure that is not named
published-unstated-below = the table does not say what its figures are: those below { $names } are shown as they stand, and are taken as no throughput; to say it above the table, as TPS or QPS: { $command }
published-unstated-by-title = the table does not say what its figures are: taken as { $figure }, which the title or the name of the file says
published-wants-little = Little's law (wants clients, TPS and mean response time)
published-wants-order = order of the response times (wants two of minimum, mean, percentiles and maximum)
published-wants-percentiles = percentiles beside the mean (wants both)
published-wants-queries = queries per transaction (wants TPS and QPS, or both totals)
published-wants-totals = totals beside rates (wants a rate, the time and the total)
published-warehouses = warehouses
published-writes = writes
section-published-charts = Charts
section-published-checks = Checks
section-published-doubts = Doubts
section-published-table = Published figures
verdict-unchecked = UNCHECKED
