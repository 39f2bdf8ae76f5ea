# sysbench's Lua scripts.

any-number = a number
bulk-insert-next-before-bulk-insert-init = bulk_insert_next() before bulk_insert_init()
client-panicked-before = this client has panicked before
command-thread-panicked = a thread of the command { $command } panicked: a fault of Tenbin
correct-line = correct the line
correct-script-line = correct the script at that line
counted-by-script = counted by the script
driver-cannot-block = this driver cannot block, as a script needs
execute-own-run = execute it by: tenbin sysbench { $script } run; or leave run out of sysbench.cmdline.commands, so that event() is measured
    .remedy = tenbin
give-more-script-memory = let the script keep less, or give each client more: script_memory = "{ $memory }"
    .elsewhere = let the script keep less, or use fewer --threads
give-path-of-lua-file = give the path of a Lua file, or name one of the workloads of `tenbin list`
    .remedy = tenbin
give-script-memory = give a size of at least 8M, for example 256M; 0 parts 2G among the clients
give-wanted = give { $wanted }
lua-api-unavailable = the Lua API cannot be put in place
no-stack-for-client = a client of a script needs a stack: { $error }
panic = a panic: a fault of Tenbin
remove-script-option = remove it: the script declares no options
script-cannot-be-run = the script { $script } cannot be run
script-cannot-be-used = the script { $script } cannot be used
script-closed-connection = the script has closed this connection
script-function-says = the script's { $function }: { $message }{ $place }
script-has-no-command = the script { $script } has no command { $command }
script-hook-failed = the script's sysbench.hooks.{ $hook } failed
script-memory-cannot-be = script_memory cannot be { $value }
script-not-found = there is no script { $script }
script-option-cannot-be = the script { $script }: { $option } cannot be { $value }
script-option-unknown = the script { $script } has no option { $option }
script-refuses-option = the script { $script } does not take { $option } = { $value }
script-replaces-run = the script { $script } has a command run of its own, which is executed once and is no load of clients
script-says-it-failed = the script's { $function } says that it failed (it returned false)
script-typographic-quotes = line { $line } has { $quote }, a typographic quote as pages of the web show them: Lua reads only " and '
script-unreadable-from-stdin = the script cannot be read from standard input
script-without-event = cannot find the event() function in { $script }
scripts-function = the script's { $function }
size-with-letter = a size such as 512K or 1G
statement-sent = statement: { $statement }
static-build-has-no-symbol = { $name } is not there: this Tenbin is linked statically, has sysbench's functions and the usual ones of the C library, and can load no library; the build for glibc can
stopped = stopped
take-out-delay = take the delay out of the address
    .remedy = tenbin
the-scripts-random-numbers = the script's random numbers
write-event-function = write function event() … end: it is what each client does again and again
write-or-remove-it = write { $right }, or remove it
