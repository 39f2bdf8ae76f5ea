# The course of a run.

a-private-server = 専用サーバー { $binary }(実行のために起動し、終了後に削除)
allow-changed-files = それでも試行を引き継ぐには --allow changed-files を付けてください。違いは結果に表示されます
allow-changed-server = それでも引き継ぐには --allow changed-server を付けてください。違いは結果に表示されます
and-more-tables = 、ほか { $more } 個
belonging-of-others = { $table } に、Tenbin が作成していない { $object } があります
bytes-per-target = ({ $each })
ceiling-not-measured = クライアントの上限(何もしない文を毎秒何回実行できるか)を計測できませんでした
ceiling-not-measured-seen = 1 秒間に実行できたのは { $round_trips } 回で、{ $gap_s } 秒間は 1 回も実行できませんでした
changes-server-itself = { $workload } の文は行ではなくサーバー自体(設定、アカウント、スキーマ、ファイル)を変更します
choose-fewer-series = { $exporter } のテーブルの names = ["…"] で絞ってください。{ $count } 個あります
choose-other-series = { $exporter } のテーブルの names で選び直してください。["*"] はすべてを表します
client-is-not-that-of-run = クライアントマシンまたは Tenbin のビルドが、再開する実行のものと違います
cloudwatch-late = 計測区間の終わりの CloudWatch の値がありません: { $readings }
cloudwatch-no-whole-minute = 計測区間({ $seconds })に丸 1 分の枠が 1 つも含まれないため、CloudWatch の値はありません
cloudwatch-nothing = 計測区間の CloudWatch の値がありません
cloudwatch-raise-wait = 対象の cloud の wait を長くしてください
cloudwatch-waited = { $waited } 待ちました
cloudwatch-waiting = CloudWatch の値を最長 { $at_most } 待ちます(1~3 分遅れて届きます)
conditions-hold = 整合性条件 { $all } 個がすべて成り立ちます。{ $time }で { $rows } 行を検査しました
data-missing = { $workload } の{ $unit }がありません
data-not-ours = データセット { $dataset } の{ $unit }は Tenbin が作成したものではないため、削除と再ロードを行いません
debt-checkpoint-age = チェックポイント経過量 { $left }(上限 { $limit })
debt-dirty-pages = ダーティーページ { $left }%(上限 { $limit }%)
debt-purge = ヒストリーリスト { $left }(上限 { $limit })
debt-replica-lag = レプリカの遅延 { $left } 秒(上限 { $limit } 秒)
debt-vacuum = autovacuum ワーカー { $left }
describe-config-lists-variables = 変数の一覧は { $binary } --describe-config で分かります
detach-or-allow-drop = それを外すか、別のスキーマを使ってください。失われてよい場合は --allow write-unmarked、またはプランの対象に allow = ["write-unmarked"] を指定してください
df-on-server = サーバー上で、データディレクトリについて df -h を実行してください
did-you-mean = { $nearest } ではありませんか?
disk-has-room = ディスクの空きは足りています
disk-may-become-full = ロード中にディスクがいっぱいになるおそれがあります
drops-what-others-attached = Tenbin が作成したテーブルを削除すると、ほかの人がそれに付けたものも失われます
duet-driven-alone = 少なくとも一部の時間、ほかの対象と同時ではなく単独で駆動されました。最後まで駆動されなかった対象: { $targets }
duet-driven-alone-hint = もう一方の試行の注記で原因を確認し、もう一度計測してください
duet-driven-without = 少なくとも一部の時間、同時に駆動した対象が予定より少なくなりました。最後まで駆動されなかった対象: { $targets }
duet-not-driven = { $target } を同時に駆動できないため、実行しませんでした
duet-not-driven-hint = その試行の注記で原因を確認してください。order = "random-block" では対象を 1 つずつ駆動します
duet-thread-gone = クライアントを駆動するスレッドが終了しました
export-variable = export { $name }=…
exporter-can-be-read = エクスポーター { $exporter } を読み取れます: { $offered } 個の系列のうち { $recorded } 個を記録します
file-changed-during-run = 実行の計画後にファイル { $file } が変更されました
files-are-not-those-of-run = 再開する実行の試行 { $trial } とはファイルの内容が違います
foreign-key-of-others = { $table } の外部キー { $constraint } により、{ $ours } の行とともに { $table } の行も変更または削除されます
found-new = なし(新規)
found-no-file = ファイルなし(新規)
found-none = テーブルなし
found-not-looked = 未確認(--offline)
found-not-ours = 完全なテーブル(Tenbin 以外が作成)
found-ours = 完全なテーブル(Tenbin が作成)
found-unseen = 確認できませんでした
give-address-of-source = ソースの接続先を指定するか、oltp_read_only などの読み取り専用ワークロードを使ってください。それでも書き込むには --allow write-replica、またはプランの対象に allow = ["write-replica"] を指定してください
give-dsn-or-sandbox = dsn = "mysql://…" または sandbox = "mariadbd" を指定してください
give-workload-its-data = { $workload } に専用の [[experiment]] を設け、dataset = "{ $needed }" と書き、[datasets.{ $needed }] を kind = "{ $needed }" で定義してください
grant-for-checkpoint = アカウントに GRANT pg_checkpoint を与えるか(PostgreSQL 15 以降)、スーパーユーザーを使ってください
grant-for-flush = アカウントに GRANT RELOAD ON *.* と、スキーマの SELECT、LOCK TABLES を与えてください
letting-settle = { $dsn } の安定待ち
load-and-free = { $place }{ $parts } に約 { $load } をロードします。空きは { $free } です
load-and-free-with-logs = { $place }{ $parts } に約 { $load } をロードします。空きは { $free } です。ログと索引作成時のソートに、さらにその半分ほど必要になることがあります
load-and-why = 約 { $load } をロードします。{ $why }
loaded = { $rows } { $unit }をロードしました({ $took }、毎秒 { $per_second } { $unit }、{ $streams } 並列)
loaded-by-hosts = { $rows } { $unit }をロードしました({ $took }、毎秒 { $per_second } { $unit }、負荷ホスト { $hosts } 台で { $streams } 並列)
loading-thread-panicked = ロードまたは検査のスレッドが異常終了しました。Tenbin の不具合です
lock-was-lost = { $dsn } のテーブルのロックが試行中に失われ、取り直されました。その間に別の実行がテーブルを変更した可能性があります
lock-was-lost-to-other = { $dsn } のテーブルのロックが試行中に失われ、現在は別の実行が保持しています
look-for-other-runs = どの実行がそこで動いていたか、ロックの接続を終わらせたもの(時間制限、KILL、プロキシー)またはファイルを消したものは何かを調べ、計測し直してください
looked-in = { $dsn } を調べました
make-data-smaller = データを小さくする(table_size、tables、warehouses)か、そこに { $room } の空きを作ってください
may-write-to-foreign-tables = { $workload } が何を書き込むかは実行するまで分かりません。Tenbin が作成したものではないテーブルがあります
no-room-for-load = ロードするデータがディスクに入りません
no-tenbin-mark-in = { $dsn } に tenbin_mark がありません
no-tenbin-mark-of-now = { $dsn } に、現在のこれらのテーブルについての tenbin_mark がありません(ALTER TABLE、CREATE INDEX、OPTIMIZE の後は別のテーブルとして扱います。作成と同じ 1 秒の間の TRUNCATE の後も同様です)
of-target = 対象 { $target }: { $what }
option-file-empty = 設定ファイル { $file } に、専用サーバーが使える設定がありません
option-file-in-part = 設定ファイル { $file } の一部は使いません
option-file-line = 設定ファイル { $file } に使えない行があります
option-file-unused = 専用サーバーが自分の値を持つ、またはほかのサーバーにつながるため使わない: { $names }
option-file-without-directory = ディレクトリを除いて使う: { $names }
option-file-without-group = 設定ファイル { $file } のグループ { $groups } に、専用サーバーが使える設定がありません
password-env-missing = 対象 { $target } のパスワードが環境変数にありません
password-env-not-set = password_env = { $name } が設定されていません
password-file-unreadable = 対象 { $target } のパスワードファイルを読めません
plan-is-not-that-of-run = このプランの試行 { $trial } は、再開する実行のものと違います
prepared-by-script = { $script } の prepare コマンドを実行しました({ $took })
raise-catch-up = catch_up を長くするか、追いつかないことが分かっている場合は catch_up = "none" としてください
remove-it-or-allow-change = 設定はプランの対象の server キーで指定すると終了時に元に戻されます。または文を削除してください。それでも実行する場合は --allow write-unmarked、またはプランの対象に allow = ["write-unmarked"] を指定してください
replica-cannot-be-inspected = レプリカ { $replica } の設定を読み取れませんでした
replica-unknown = サーバーがレプリカかどうかを確認できませんでした
replicas-not-caught-up = { $waited } 待っても、次のレプリカは書き込みのすべてには追いつきませんでした: { $replicas }
resume-with-its-scale = その実行と同じ --scale を指定するか、--resume なしで実行してください
room-unknown = ロードするデータがディスクに入るかどうかは確認できません
run-again-with-file = 現在のファイルでプランを実行し直してください
run-to-resume-has-other-scale = 再開する実行は、この --scale で行われたものではありません
run-without-resume = その実行のプラン(ディレクトリの plan.toml)で再開するか、--resume なしで実行してください
sandbox-is-empty = { $workload } のテーブルがありません。対象 { $target } の専用サーバーは空の状態で起動します
sandbox-started = 対象 { $target } のための専用サーバーを起動しました
schema-in-use = { $place } のテーブルは、Tenbin の別の実行またはロードが使用中です
schema-of = { $dsn } の { $schema }
script-compiled-only = スクリプト { $script } はコンパイルしただけで、実行していません。オプションは実行の開始時に検査されます
script-leaves-tables-alone = スクリプトがこれらのテーブルを変更しないことを確かめてください。変更してよい場合は --allow write-unmarked、またはプランの対象に allow = ["write-unmarked"] を指定してください
script-rebuilds-tables = スクリプトの文の後、{ $dataset } のテーブルは MySQL と MariaDB では別のテーブルになります。以降の試行は、それを Tenbin のテーブルとして扱わず、再ロードもしません
server-cannot-be-inspected = 負荷の後、サーバーの設定を読み取れませんでした
server-is-not-that-of-run = 対象 { $target } のサーバーが、再開する実行のときと違います
server-is-read-only-refused = サーバーは読み取り専用です。書き込み権限のあるアカウントでも書き込みません
server-is-replica-refused = サーバーはレプリカです。書き込むとデータがソースと食い違い、レプリケーションが止まるおそれがあります
server-not-settled = { $waited } 待っても、サーバーのバックグラウンド処理が残っています
server-settled = サーバーは { $took } で安定しました
server-settles-in-silence = 安定待ちの間、{ $dsn } が { $seconds } 秒以内に応答しませんでした
server-silent = サーバーから { $time } の間応答がないため、待つのをやめました
server-would-have = サーバーの値は { $value } になります
set-restore-never-to-load = 不足分だけをロードする restore = "never"、または restore = "before-run" を指定してください
set-restore-never-to-use = そのまま使うには restore = "never" を指定してください。または、空のスキーマを対象にしてください
stopped-while-settling = サーバーの安定待ち中にユーザーが停止しました
table-inherits-from-ours = { $table } は { $ours } を継承しており、{ $ours } への書き込みは { $table } の行にも及びます
tables-not-locked = Tenbin のほかの実行を防ぐためのテーブルのロックを取得できませんでした
tables-without-mark = tenbin_mark に記録のないテーブルが { $dsn } にあります: { $first }{ $several }
take-rebuilding-out = スクリプトからこの文を除いてください。TRUNCATE と ANALYZE ではテーブルは変わりません
target-has-no-address = 対象 { $target } の接続先がありません
target-has-no-variable = 対象 { $target }: { $binary } には変数 { $variable } がありません
target-is-gone = 対象がなくなりました
target-leads-out = 対象 { $target }: { $what }
target-not-looked = 対象を確認していません(--offline)
target-refuses-value = 対象 { $target }: { $binary } は { $variable } = { $value } を受け付けません
target-replaced = この試し実行では、対象 { $target } は { $address } の代わりの専用サーバー({ $binary })です
tenbin-load = tenbin load { $workload } { $address }{ $options }
threads-rate = { $threads } スレッド: 毎秒 { $tps } トランザクション
threads-remembered = { $clients } クライアントを { $chosen } スレッドで実行します。このマシンでの以前の実行で最良でした
threads-tried = { $clients } クライアントを { $chosen } スレッドで実行します。短い試しで最良でした
trial-planned-twice = 試行 { $trial } が二重に計画されたか、記録されませんでした。これは Tenbin の不具合です
trials-taken-over = 完了していた { $trials } 試行を { $place } から引き継ぎました
trigger-of-others = { $table } に、Tenbin が作成していないトリガーまたはルール { $trigger } があります
unit-bytes = バイト
unit-files = ファイル
unit-rows = 行
unit-tables = テーブル
use-workload-that-reads = 読み取り専用のワークロードか、空のスキーマを使ってください。行を変更してよい場合は --allow write-unmarked、またはプランの対象に allow = ["write-unmarked"] を指定してください
verbose-help-lists-variables = 変数の一覧は { $binary } --verbose --help で分かります
wait-or-share-tables = 終わるまで待つか、別のスキーマを使ってください。並行してそのまま使うには --allow share-tables、またはプランの対象に allow = ["share-tables"] を指定してください
will-change-group = そのために { $name } のパラメーターグループを変更し、終了時に元に戻す
will-change-group-and-reboot = そのために { $name } のパラメーターグループを変更し、終了時に元に戻す。必要なパラメーターがあれば { $name } を再起動する
will-create = { $n ->
    [1] 作成してロード: { $rows } { $unit }、約 { $size }
   *[other] 作成してロード: { $rows } { $unit }、約 { $size }({ $n } 回)
  }
will-drop = { $n ->
    [1] Tenbin が作成したものを削除
   *[other] Tenbin が作成したものを削除({ $n } 回)
  }
will-lie-in = サーバーのデータを { $directory } の中の専用ディレクトリに置き、最後に削除する
will-prepare = { $n ->
    [1] { $script } の prepare コマンドを実行(作成される量はスクリプトだけが知っている)
   *[other] { $script } の prepare コマンドを実行(作成される量はスクリプトだけが知っている。{ $n } 回)
  }
will-set = 設定(終了時に元に戻す): { $variables }
will-use = テーブルをそのまま使用
workload-lacks-data = ワークロード { $workload } には種類 { $needed } のデータセットが必要ですが、{ $dataset } の種類は { $kind } です
write-one-option-file = include を使わず、すべての設定を 1 つのファイルに書いてください
write-settings-of-server = サーバーの設定を書いてください(MySQL と MariaDB では [mysqld] の下)
writes-to-foreign-tables = { $workload } は、Tenbin が作成したものではないテーブルに書き込もうとしています
writes-to-replica = 許可の指定により、レプリカまたは読み取り専用のサーバーに書き込みます
writing-refused = { $dsn } が変更の書き出しを拒否したため、待つだけにします
