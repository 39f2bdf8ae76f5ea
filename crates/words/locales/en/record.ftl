# Whether the files of a run are as they were written, and bundles.

and-more-files = and { $n } more
bundle-cannot-be-read = the bundle { $bundle } cannot be read
bundle-cannot-be-written = the bundle { $file } cannot be written
bundle-cut-off = it is cut off: its end is missing
bundle-elsewhere = name another file: tenbin bundle { $run } another/file.tar.zst
bundle-file-twice = it has { $path } twice
bundle-has-links = { $path } in it is a link or a device, which no run has
bundle-has-no-run = there is no run in it: neither events.jsonl nor run.json
bundle-has-several = it has { $n } directories, and a bundle has one run
bundle-how-made = have it made anew from the run directory: tenbin bundle RUN
    .remedy = tenbin
bundle-is-none = it is no archive that is compressed with zstd, or it is damaged: { $why }
bundle-is-one-already = { $bundle } is a bundle already
bundle-is-only-read = { $bundle } is a bundle, into which nothing is written
bundle-left-out = { $n ->
    [1] 1 file is not of the run, and not in the bundle: { $names }
   *[other] { $n } files are not of the run, and not in the bundle: { $names }
  }
bundle-path-leads-out = the path { $path } in it is none of a run
bundle-too-large = unpacked, it has more than { $most }, which no run has that is packed to this size
bundle-too-many-files = it has more than { $most } files
bundle-unpack = unpack it, and name its directory: tar --zstd -xf { $bundle }
file-added = was put there
file-altered = altered
file-end-missing = its end is missing: { $lines ->
    [1] 1 line is there, as it was written
   *[other] { $lines } lines are there, as they were written
  }
file-free = may be changed at any time
file-ignored = not a file of the run, and not read
file-is = { $file }: { $state }
file-is-there = there is a file of this name already
file-lines-altered = { $n ->
    [1] line { $lines } is not what was written there
   *[other] { $n } lines are not what was written there: { $lines }
  }
file-missing = missing
file-spared = missing, which makes no difference
file-unchanged = unchanged
file-unfinished = unchanged as far as it was written, { $lines } { $lines ->
    [1] line
   *[other] lines
  }
file-without-digest = no digest yet
look-at-altered = see each file and what is left to be believed: tenbin verify { $run }
    .remedy = tenbin
record-altered = files of the run are not as they were written
record-is-altered = Files of this run are not as they were written:
record-unchanged = Digest of the files of this run, which are as they were written (SHA-256; tenbin verify compares them):
record-unfinished = The files of this run are as they were written so far; it has no end, and thus no digest:
record-without-digest = This run was recorded by a version that wrote no digests: whether its files are as they were written is not known.
verify-all-trials = the figures of all trials must not be used
verify-altered = { $run }: ALTERED, { $altered } of { $n } files
verify-trials = the figures of these trials must not be used: { $numbers }
verify-unchanged = { $run }: unchanged, { $n } { $n ->
    [1] file
   *[other] files
  }
verify-unfinished = { $run }: unchanged as far as it was written, { $n } { $n ->
    [1] file
   *[other] files
  }; the run has no end
verify-without-digest = { $run }: cannot be verified, it was recorded by a version that wrote no digests
