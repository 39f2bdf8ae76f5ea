# Findings of the doctor.

a-source-not-named = 名前の分からないソース
account-has-privileges = アカウントに必要な権限があります
account-in-schema = { $schema } での { $account }
account-lacks-privileges = 実行に必要な権限がアカウントにありません
as-administrator = { $hint }(管理者として)
client-machine = クライアント  { $cpu }、{ $cores } コア、{ $memory }
client-system = システム  { $system }、Linux { $kernel }
connecting-to = { $dsn } への接続
connections-are-enough = 接続数は足りています
connections-besides-ours = Tenbin 以外の接続 { $connections } 本
connections-wanted = { $variable } { $limit }、ほかで使用中 { $connections }、必要 { $wanted }
connections-wanted-of-reserved = { $variable } { $limit }(うち予約 { $reserved })、ほかで使用中 { $others }、必要 { $wanted }
durability-as-it-is-set = 現在の耐久性の設定
durability-of-tables = 現在の耐久性の設定: { $promise }(既定のストレージエンジンのテーブル)
fact-not-known = (不明)
findings-counted = 正常 { $ok }、情報 { $notes }、警告 { $warnings }、エラー { $errors }
fsync-off = fsync off
give-address-of-one-server = 接続先には 1 台のサーバーを指定してください。複数をまとめて計測する場合は mysql://…?hosts=a:3306,b:3307 のように列挙してください
governor = ガバナー { $governor }
load-data-local-off = サーバーが LOAD DATA LOCAL を受け付けないため、ロードが遅くなります
load-of-others = { $cores } コアでロードアベレージ { $load }。ほかに { $running } タスクが実行中または CPU 待ち
local-infile-off = local_infile OFF
machine-busy = このマシンでほかの処理が動いています
many-servers = この接続先は複数のサーバーにつながります
mount-proc = mount -t proc proc /proc
no-proc = /proc がないため、このマシンとプログラムの負荷は観測できません
no-proc-seen = クライアントやほかのプログラムが計測を制限しているかどうかはわかりません
not-everything-seen = 一部を確認できませんでした
or-ps-mode-disable = { $raise }(または ps_mode = "disable")
others-at-work = ほかの処理がサーバーで動いています
others-connected = ほかの接続がサーバーにあります
prepared-statements-are-enough = プリペアド文の数は足りています
prepared-statements-wanted = { $variable } { $limit }、使用中 { $used }。{ $clients } クライアント × { $each } 文 = { $wanted }
privileges-missing = { $schema } で { $account } に不足している権限: { $missing }
processor-speed-varies = CPU の周波数が負荷に応じて変わります
raise-max-connections-postgresql = ALTER SYSTEM SET max_connections = { $enough } を実行し、サーバーを再起動してください
replica-of = { $source } のレプリカ、サーバーの申告では { $seconds } 秒遅れ
replica-of-unknown = { $source } のレプリカ、遅れは不明(レプリケーションが停止しているかもしれません)
sandbox-is-here = 専用サーバーに使える { $binary } があります: { $path }
select-pg-stat-activity = SELECT * FROM pg_stat_activity
server-at = サーバー  { $called }({ $dsn })
server-did-not-answer-questions = { $dsn } が { $patience } 秒以内に問い合わせに応答しませんでした
server-does-not-sync = サーバーがディスクへの書き込みを待ちません。マシンが停止するとデータが壊れます
server-is-no-replica = サーバーはレプリカではなく、レプリカも接続していません
server-is-read-only = サーバーは読み取り専用です
server-is-replica = サーバーはレプリカです
server-on-same-machine = クライアントとサーバーが同じマシンにあります。別のマシンから負荷をかける場合よりスループットは低くなります
set-fsync-on = ALTER SYSTEM SET fsync = on の後に SELECT pg_reload_conf() を実行してください。直近のコミット以外を失わずにコミットを速くするには、synchronous_commit = off を使えます
set-global = SET GLOBAL { $variable } = { $value }
set-in-plan = プランで server.{ $variable } = { $value } を指定してください
set-local-infile = SET GLOBAL local_infile = 1
set-performance-governor = cpupower frequency-set -g performance
show-processlist = SHOW PROCESSLIST
source-of = レプリカ { $n } 台のソース
source-of-one = レプリカ 1 台のソース
statement-size-wanted = { $variable } { $limit }、文は最大 { $statement } バイト
statements-are-short-enough = 文の長さは上限に収まっています
statements-too-long = ワークロードが送る文の長さがサーバーの上限を超えます
steal = ハイパーバイザーが CPU 時間を奪っています
steal-since-boot = 起動以降のスティール { $percent }%
stopped-asking-server = サーバーへの問い合わせ中に停止しました
too-few-connections = サーバーの接続数の上限を超えます
too-many-prepared-statements = サーバーのプリペアド文の上限を超えます
top = top
use-read-only-workload = oltp_read_only などの読み取り専用ワークロードか、ソースの接続先を使ってください
writes-go-to-replicas = このサーバーへの書き込みは、そのレプリカにも反映されます
