# Tests of this machine.

block-read-while-written = 別の要求が書き込み中のブロックを読むと、チェックサムが正しくなりません
blocks-of-length = ブロックの長さは { $length } バイトです
blocks-too-small-for-checksum = { $block } バイトのブロックにはチェックサムが入りません
bytes-each-and-limit = 1 ファイル { $size } バイト。上限は { $limit } バイトです(ulimit -f)
bytes-in-files = { $num } ファイルで計 { $total } バイトのため、1 ファイルは { $size } バイトです。ブロックは { $block } バイトです
direct-io-wants-whole-blocks = ダイレクト I/O はデバイスのブロック単位です。file_block_size を { $block } から 4096 の倍数にするか、direct を外してください
directory-cannot-be-looked-into = { $path } の中を確認できません
enable-io-uring = コンテナーなら docker run --security-opt seccomp=unconfined で起動するか、root で sysctl kernel.io_uring_disabled=0 を実行するか、file_io_mode = sync を指定してください
file-cannot-be-emptied = { $path } を空にできません
file-cannot-be-looked-at = { $path } を確認できません
file-cannot-be-made-longer = { $path } を拡張できません
file-cannot-be-opened = { $path } を開けません
file-cannot-be-read-here = { $path } を読めません
file-cannot-be-removed = { $path } を削除できません
file-cannot-be-written-here = { $path } に書き込めません
file-content-wrong = { $path } のバイト { $at } から読んだ内容が、書いたものと違います: { $why }
file-extra-flags-cannot-be = { $option } に { $value } は指定できません
file-has-wrong-size = { $file } は { $size } バイトのはずですが、{ $length } バイトです
file-operation-failed = { $path } のバイト { $at } での { $operation }: { $error }
file-without-mark = { $file } に Tenbin の印がないため、何も削除・上書きしません
files-above-limit = このプロセスはこの大きさのファイルを書けません
files-are-complete = { $num } ファイルのうち { $whole } が完全です
files-are-not-open = ファイルが開かれていません
files-cannot-be-mapped = ファイルをメモリーにマップできません
files-too-small = ファイルにブロックが 1 つも入りません
files-without-checked-blocks = { $dir } のファイルには、チェックサム付きの { $block } バイトのブロックがありません
filled-with-zeros = 0 で埋められています
give-extra-flags = sync、dsync、direct、またはコンマ区切りで複数を指定してください
give-larger-blocks = file_block_size を { $smallest } 以上にしてください
give-larger-files = file_total_size を大きくするか、ファイル数(file_num)またはブロック(file_block_size)を減らしてください
give-larger-memory-total-size = memory_total_size を大きくするか、クライアントを減らしてください
give-smaller-files = file_total_size を小さくするか、別のディレクトリを指定してください: file_dir
give-smaller-memory-block-size = memory_block_size を小さくしてください
io-uring = io_uring: { $error }
io-uring-needs-kernel = Linux 5.1 以降が必要です。file_io_mode = sync ならこのカーネルでも動きます
load-makes-files-anew = { $load } --drop でファイルを作り直せます
load-with-drop-again = { $load } --drop
make-room-for-files = 空きを作る(tenbin load fileio … --only-drop で Tenbin が作成したものを削除できます)か、file_total_size を小さくしてください
making-memory-block = メモリーブロックの作成
mark-does-not-name-it = { $mark } に書かれていません
memory-block-no-power-of-two = { $option } に { $size } バイトは指定できません。2 の累乗ではありません
memory-total-too-small = 総量が、クライアントあたり 1 ブロックに足りません
mkdir-p = mkdir -p '{ $dir }'
name-a-directory = ディレクトリを指定してください: file_dir、または対象の接続先に host:DIRECTORY
name-another-directory-file-dir = 別のディレクトリを指定してください: file_dir
name-writable-directory = 書き込めるディレクトリを指定してください: file_dir、または対象の接続先に host:DIRECTORY
no-block = ブロックがありません
no-direct-io = このファイルシステムはダイレクト I/O に対応していません。file_extra_flags から direct を外してください
no-huge-pages = { $bytes } バイト分のヒュージページがありません: { $error }
no-io-uring = 非同期 I/O に必要な io_uring をカーネルで使えません: { $error }
no-memory-for-block = { $bytes } バイトのブロックを確保できません: { $error }
no-room-for-files = ファイルシステムにファイルの入る空きがありません
not-a-directory = { $dir } はディレクトリではありません
not-a-file = { $path } はファイルではありません
not-tenbins-mark = { $path } は Tenbin の印ではありません
raise-huge-pages = root で sysctl vm.nr_hugepages={ $pages } を実行するか、memory_hugetlb = off を指定してください
rename-or-name-another = 名前を変えるか、別のディレクトリを指定してください。Tenbin は、作成したファイルと同じディレクトリに、この名前の管理用ファイルを置きます
rm-test-files-yourself = 手動で削除する(rm '{ $dir }'/test_file.*)か、別のディレクトリを指定してください
room-cannot-be-asked = { $path } の空き容量を確認できません
ulimit-f-or-smaller-files = ulimit -f unlimited とするか、ファイルを増やして小さくしてください(file_num)
validate-with-async = validate と { $option } = async は併用できません
wanted-and-free = { $dir } に { $wanted } 必要ですが、空きは { $free } です
what-seen = { $what }: { $seen }
write-sync-or-mmap = file_io_mode = sync または mmap を指定するか、validate を外してください
