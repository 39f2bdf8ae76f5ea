# What a run of TPC-C comes to.

derived-from-tpcc = Derived from TPC-C; not comparable with published TPC-C results, and not compliant with all its requirements.
deviation-cards = the deck has { $cards } cards of the five transactions; it says 10:10:1:1:1, or a multiple
deviation-constant-not-known = which constant the last names were loaded with (C-Load) is not known, so that of the run may be too near
deviation-delivery-not-queued = a delivery is carried out by its terminal and not queued; its time is held against the limit of deferred ones
deviation-durability = durability was not tested in this run
deviation-isolation = isolation level { $level }; rows that are written later are read with a lock
deviation-isolation-unlocked = isolation level { $level }; a delivery reads its oldest order without a lock
deviation-loaded-by-another = another program loaded the tables; whether the population is as it says was not looked at
deviation-minutes = measured for { $minutes } { $minutes ->
    [1] minute
   *[other] minutes
  }; it says at least 120
deviation-mix-by-weight = the mix is drawn by weight and not steered to its minimums
deviation-narrow = tax and discount have { $rate } decimals (it says 4), limits of credit { $limit } (it says 2), numbers of warehouses { $bits } bits
deviation-no-audit = no price, no full disclosure, no audit
deviation-no-screens = terminals have no screens, menus or presentation services
deviation-no-times = no keying and think times: terminals go on at once, so that few warehouses carry many transactions
deviation-order-status = an order status by last name shows the orders of a customer drawn at random: tpcc-mysql's statements do not tell who was found
deviation-pace = keying and think times are { $pace } times what it says
deviation-payment-counts = c_ytd_payment and c_payment_cnt stand still: tpcc-mysql's statements do not write them, and consistency condition 12 does not hold
deviation-population-dated = the population is dated 2020-01-01, so that equal seeds give equal rows
deviation-queued-results = the results of queued deliveries are counted in the run's events, not written to a file one by one
deviation-random-home = terminals have no warehouse of their own: each transaction draws one
deviation-sets = { $sets } { $kind } with { $each ->
    [1] 1 warehouse
   *[other] { $each } warehouses
  } each: remote lines and payments stay within one, and each has items of its own
deviation-sets-are-databases = databases
deviation-sets-are-tables = sets of tables
deviation-stock-counts = s_ytd, s_order_cnt and s_remote_cnt stand still: tpcc-mysql's statements do not write them
deviation-terminals = { $terminals ->
    [1] 1 terminal
   *[other] { $terminals } terminals
  } on { $warehouses ->
    [1] 1 warehouse
   *[other] { $warehouses } warehouses
  }; it says ten for each
profile-batched = Profile batched: several rows in a statement, about 7 a transaction; not comparable with tpcc-mysql or with runs of the profile tpcc-mysql.
profile-tpcc-mysql = Profile tpcc-mysql: the statements of tpcc-mysql, one row each, about 37 a transaction; not comparable with runs of the profile batched.
profiles-differ = This run has TPC-C trials of the profiles batched and tpcc-mysql. They send other statements for the same transactions: compare only trials of one profile.
share-lines-of-an-order = lines of an order, mean
share-order-status-by-name = order status by last name
share-orders-rolled-back = orders rolled back
share-payments-by-name = payments by last name
share-queued-deliveries = queued deliveries done within 80 s
share-remote-lines = remote lines
share-remote-payments = remote payments
share-skipped-deliveries = deliveries that skipped a district
steady-figures = mean { $mean }, standard deviation { $deviation } ({ $share })
steady-from = Steady from { $seconds } s on: { $orders } New-Orders in { $length }; per minute, in stretches of ten seconds: { $figures }.
steady-never = Not steady: throughput did not come to rest in the first half of the run. All of it, in stretches of ten seconds: { $figures }.
steady-too-short = Too short to tell from when on it is steady (two minutes at least). In stretches of ten seconds: { $figures }.
terminals-counted = { $n ->
    [1] 1 terminal
   *[other] { $n } terminals
  }
warehouses-counted = { $n ->
    [1] 1 warehouse
   *[other] { $n } warehouses
  }
warehouses-in-sets = { $n } warehouses ({ $sets } sets of { $each })
