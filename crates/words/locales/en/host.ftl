# Tests of this machine.

block-read-while-written = a block that is read while another request writes it has no checksum that could be right
blocks-of-length = theirs are { $length } bytes long
blocks-too-small-for-checksum = blocks of { $block } bytes have no room for a checksum
bytes-each-and-limit = { $size } bytes each; the limit is { $limit } bytes (ulimit -f)
bytes-in-files = { $total } bytes in { $num } files make { $size } bytes each; a block is { $block }
direct-io-wants-whole-blocks = direct I/O takes whole blocks of the device: give file_block_size a multiple of 4096 instead of { $block }, or leave direct out
    .elsewhere = direct I/O takes whole blocks of the device: give --file-block-size a multiple of 4096 instead of { $block }, or leave direct out
directory-cannot-be-looked-into = { $path } cannot be looked into
enable-io-uring = docker run --security-opt seccomp=unconfined, if this is a container; sysctl kernel.io_uring_disabled=0 (as root); or file_io_mode = sync
    .elsewhere = docker run --security-opt seccomp=unconfined, if this is a container; sysctl kernel.io_uring_disabled=0 (as root); or --file-io-mode=sync
file-cannot-be-emptied = { $path } cannot be emptied
file-cannot-be-looked-at = { $path } cannot be looked at
file-cannot-be-made-longer = { $path } cannot be made longer
file-cannot-be-opened = { $path } cannot be opened
file-cannot-be-read-here = { $path } cannot be read
file-cannot-be-removed = { $path } cannot be removed
file-cannot-be-written-here = { $path } cannot be written
file-content-wrong = what was read of { $path } at byte { $at } is not what was written: { $why }
file-extra-flags-cannot-be = { $option } cannot be { $value }
file-has-wrong-size = { $file } has { $length } of { $size } bytes
file-operation-failed = { $operation } of { $path } at byte { $at }: { $error }
file-without-mark = { $file } does not carry Tenbin's mark, so nothing is removed or overwritten
files-above-limit = this process may not write files so large
files-are-complete = { $whole } of { $num } files are complete
files-are-not-open = the files are not open
files-cannot-be-mapped = the files cannot be mapped into memory
files-too-small = the files have no room for a single block
files-without-checked-blocks = the files in { $dir } hold no checked blocks of { $block } bytes
filled-with-zeros = they are filled with zeros
give-extra-flags = give sync, dsync, direct, or several with commas
give-larger-blocks = give file_block_size at least { $smallest }
    .elsewhere = give --file-block-size at least { $smallest }
give-larger-files = give a larger file_total_size, fewer files (file_num) or smaller blocks (file_block_size)
    .elsewhere = give a larger --file-total-size, fewer files (--file-num) or smaller blocks (--file-block-size)
give-larger-memory-total-size = give a larger memory_total_size or fewer clients
    .elsewhere = give a larger --memory-total-size or fewer --threads
give-smaller-files = give a smaller file_total_size, or name another directory: file_dir
    .elsewhere = give a smaller --file-total-size, or start it in another directory
give-smaller-memory-block-size = give a smaller memory_block_size
    .elsewhere = give a smaller --memory-block-size
io-uring = io_uring: { $error }
io-uring-needs-kernel = Linux 5.1 or later has it; file_io_mode = sync needs no more than this one
    .elsewhere = Linux 5.1 or later has it; --file-io-mode=sync needs no more than this one
load-makes-files-anew = { $load } --drop makes the files anew
    .remedy = recreate
load-with-drop-again = { $load } --drop
    .remedy = recreate
make-room-for-files = make room (tenbin load fileio … --only-drop removes what Tenbin made), or give a smaller file_total_size
    .elsewhere = make room, or give a smaller --file-total-size
    .remedy = recreate
making-memory-block = making the memory block
mark-does-not-name-it = { $mark } does not name it
memory-block-no-power-of-two = { $option } cannot be { $size } bytes: it is not a power of two
memory-total-too-small = the total size is less than one block for each client
mkdir-p = mkdir -p '{ $dir }'
name-a-directory = name one: file_dir, or host:DIRECTORY as the target's address
    .elsewhere = start it in another directory
    .remedy = tenbin
name-another-directory-file-dir = name another directory: file_dir
    .elsewhere = start it in another directory
name-writable-directory = name a directory that you may write to: file_dir, or host:DIRECTORY as the target's address
    .elsewhere = start it in a directory that you may write to
no-block = there is no block
no-direct-io = this file system has no direct I/O: leave direct out of file_extra_flags
    .elsewhere = this file system has no direct I/O: leave direct out of --file-extra-flags
no-huge-pages = no huge pages for { $bytes } bytes: { $error }
no-io-uring = the kernel gives no io_uring for asynchronous I/O: { $error }
no-memory-for-block = a block of { $bytes } bytes cannot be had: { $error }
no-room-for-files = the file system has no room for the files
not-a-directory = { $dir } is no directory
not-a-file = { $path } is no file
not-tenbins-mark = { $path } is not Tenbin's mark
raise-huge-pages = sysctl vm.nr_hugepages={ $pages } (as root), or memory_hugetlb = off
    .elsewhere = sysctl vm.nr_hugepages={ $pages } (as root), or leave --memory-hugetlb out
rename-or-name-another = rename it, or name another directory: Tenbin keeps its own file of this name beside what it makes
rm-test-files-yourself = rm it yourself (rm '{ $dir }'/test_file.*), or name another directory
room-cannot-be-asked = { $path } cannot be asked for room
ulimit-f-or-smaller-files = ulimit -f unlimited, or more and smaller files (file_num)
    .elsewhere = ulimit -f unlimited, or more and smaller files (--file-num)
validate-with-async = validate and { $option } = async do not go together
wanted-and-free = { $wanted } are wanted in { $dir }, { $free } are free
what-seen = { $what }: { $seen }
write-sync-or-mmap = write file_io_mode = sync or mmap, or leave validate out
    .elsewhere = write --file-io-mode=sync or mmap, or leave --validate out
