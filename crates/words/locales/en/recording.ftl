# Recordings: run directories.

add-repeats-or-report = give --redo to add the repeats of the plan once more, or see the result: tenbin report { $dir }
    .remedy = tenbin
all-trials-finished = { $trials ->
    [1] its only trial is finished
   *[other] all { $trials } trials are finished
  }
allow-longer-files = allow longer files (ulimit -f unlimited), or { $elsewhere }
allow-more-open-files = allow more open files: ulimit -n 4096
beginning-of-log-lost = the beginning of the run's log is lost
fact-no = no
fact-none = none
fact-not-seen = not seen
fact-unlimited = unlimited
fact-yes = yes
file-of-others-is-there = there is a file of that name, which Tenbin has not written
file-unreadable = { $file } cannot be read
first-unreadable = the first is line { $line }: { $why }
folder-not-there = the folder is not there, or was deleted: { $elsewhere }
format-too-new = its format is { $format }, this version reads up to { $newest }
free-space-there = free space there (df -h { $run }), then: tenbin report { $run }
    .remedy = tenbin
get-that-version = get that version of Tenbin
intervals-left-out = { $n ->
    [1] 1 interval is left out: its histograms
   *[other] { $n } intervals are left out: their histograms
  } would take more memory than { $limit }
kept-trials = { $error }; kept: { $kept } of { $planned } trials whole, and the lines before
label-a-copy = label a copy of the run: cp -a { $word } FOLDER
lines-unreadable = { $broken } of { $all } lines of { $file } cannot be read and are left out
may-not-write-there = this account may not write there (ls -ld { $place }): { $elsewhere }
mounted-read-only = the file system is mounted read-only: { $elsewhere }
name-another-folder = name another folder with --runs
name-too-long = the name is too long for the file system: { $elsewhere }
no-quota-there = free space there or have the quota raised (quota -s), or { $elsewhere }
no-real-recording = no recording of a real run comes near that: it was damaged, or made up
no-run-files-in-it = neither run.json nor events.jsonl nor trials/ is in it
no-space-there = free space there (df -h { $place }; df -i { $place }), or { $elsewhere }
not-a-run-directory = { $dir } is not a run directory
nothing-to-resume = there is nothing to resume in { $dir }
page-cannot-be-written = the page { $file } cannot be written
plan-taken-from-folders = plan and trials are taken from plan.toml and the folders of the trials that had begun
run-directory-cannot-be-written = the run directory { $dir } cannot be written
run-directory-not-removed = the empty run directory { $dir } cannot be removed
run-of-newer-version = the run was recorded by a newer Tenbin
run-without-end = the run has no end: it goes on, was killed, or the end of its log is lost
something-in-the-way = something else is in the way there (ls -l { $place }): { $elsewhere }
storage-fails = the storage fails (dmesg | tail): { $elsewhere }
tenbin-list-shows-runs = tenbin list shows the runs
    .remedy = tenbin
too-many-trials-to-read = { $trials } trials are more than are read: { $most }
trial-plan-lost = what trial { $number } was to do is lost: { $events ->
    [1] its only event is
   *[other] its { $events } events are
  } left out
trial-without-end = trial { $number } has no end: the run was killed in it, or the end of its log is lost
trials-missing = { $n ->
    [1] trial { $trials } is not there: it was not begun, or its folder is lost
   *[other] trials { $trials } are not there: they were not begun, or their folders are lost
  }
trials-not-begun = trials that were not begun, because the run was stopped before: { $trials }
