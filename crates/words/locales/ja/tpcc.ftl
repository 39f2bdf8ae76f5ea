# TPC-C.

another-load-under-way = 同じテーブルの別のロードが実行中です
connection-compressed = この接続は圧縮されているため、文を一度に 1 つしか送れません
engine-without-foreign-keys = ストレージエンジン { $engine } は外部キーに対応していません
engine-without-transactions = ストレージエンジン { $engine } はトランザクションに対応しておらず、TPC-C の前提を満たしません
fewer-warehouses-complete = { $wanted } 倉庫が必要ですが、ロード済みは { $there } です
foreign-key-without-effect = 外部キーを加える文は受け付けますが、何も加えません。何も変更していません
foreign-keys-not-taken = データベースが外部キーの一部を受け付けませんでした
foreign-keys-there = { $wanted } 個のうち { $there } 個があります。ストレージエンジン { $engine }
give-one-weight = どれか 1 つを増やしてください(例: -o new_order=45)
is-missing = { $name } がありません
leave-out-deferred-or-profile = deferred_delivery か profile を外してください
leave-out-pipeline = pipeline を外してください
leave-out-pipeline-or-compression = pipeline = on を外すか、接続先の圧縮を外してください
leave-out-pipeline-or-profile = pipeline か profile を外してください
leave-out-pool = pool を外してください
leave-out-profile = profile を外してください。batched の文はすべてのデータベースで使えます
load-adds-warehouses = ロードは不足分を加え、今あるものはそのまま残します
load-tpcc-first = 先にテーブルをロードしてください: tenbin load tpcc { $dsn } -o warehouses=N
load-tpcc-with-warehouses = ロードしてください: tenbin load tpcc { $dsn } -o warehouses=N
loading = ロード
look-who-writes = ほかにこのテーブルへ書き込んでいるものがないか、サーバーのログと合わせて確認してください
look-with-check = 確認してください: tenbin check { $dsn }
met-fewer-rows = { $transaction } で { $wanted } 行あるはずのところ、{ $got } 行でした。テーブルがロード時の状態ではありません
name-and-why = { $name }: { $why }
neither-of-two-tables = テーブル { $ours } も { $theirs } もありません
no-connection-to-share = このスレッドの端末が共有する接続がありません
no-load-has-begun = 分担してロードする対象のテーブルがありません
no-number-in-column = { $transaction }: { $row } 行目の列 { $column } が数値ではありません: { $found }
no-tpcc-tables = 検査する TPC-C のテーブルがありません
no-transaction-weights = 5 つのトランザクションのカードの枚数(または重み)がすべて 0 です
order-taken-by-another = 別の配送処理がその注文を先に処理しました
other-warehouses-there = { $wanted } 倉庫が必要ですが、{ $count } 倉庫があります
pipeline-needs-server = pipeline = on はサーバー用です。SQLite は呼び出しの中で応答するため、省ける往復がありません
pool-empty = プールが空です。Tenbin の不具合です
pool-needs-server = 接続を共有できるのはサーバーだけです。SQLite では端末ごとにスレッドがあります
profile-for-mysql = は MySQL と MariaDB 用です
profile-no-queue = にはキューによる配送がありません
profile-one-statement = は文を 1 つずつ送ります
profile-refused = profile = { $profile } { $why }
range-loaded-part-by-part = 倉庫の範囲を指定するときは、part ごとにロードします
range-without-part = { $warehouses } 倉庫のうち倉庫 { $first } から { $last }。part の指定がありません
rollback-without-effect = ROLLBACK しても何も取り消されません。何も変更していません
rows-are-in = 行のあるテーブル: { $tables }
rows-are-in-and-stay = 約 { $all } 行のうち { $n } 行があり、そのまま残ります
rows-in-load-goes-on = 約 { $all } 行のうち { $rows } 行があります。ロードはそこから続きます
run-or-empty-yourself = そのまま実行するか、手動で空にするか、空のスキーマを使ってください
same-again-goes-on = 同じコマンドをもう一度実行すると、そこから続きます: { $load }
server-without-locks = このサーバーには、同じテーブルへの二重のロードを防ぐロックがありません
set-foreign-keys-off = foreign_keys = off を指定するか、外部キーに対応したストレージエンジンを使ってください(mysql_storage_engine = innodb)
set-option-or-load-again = { $option } = { $value } を指定するか、ロードし直してください: { $load } --drop
set-part = part に items、warehouse、customer、orders のいずれかを指定してください
set-range-of-warehouses = first_warehouse と last_warehouse を 1 から warehouses の間にしてください
set-warehouses-or-empty-schema = warehouses を実際の数にするか、空のスキーマを使ってください
set-warehouses-or-load = warehouses = { $there } を指定するか、tenbin load tpcc { $dsn }{ $sets } -o warehouses={ $wanted } を実行してください
set-workers-to-number = load.workers に 2 のような数を指定してください
set-workers-to-pool = load.workers を、テーブルのセットごとの pool の接続数以下にしてください
somebody-else-loads = ほかの誰かが { $dsn } に TPC-C のテーブルをロードしています
statistics-not-updated = サーバーはテーブルの統計情報を更新しませんでした。実行計画が小さいテーブル向けのままになっている可能性があります
stopped-while-checking = 検査中に停止しました
table-is-empty = テーブル { $table } は空です
table-of-another-tool = { $why }。go-tpc、HammerDB、BenchBase が作るようなテーブル { $table } があります
tables-loaded-otherwise = テーブルは別の{ $property }でロードされています
tables-not-loaded-to-end = テーブルのロードが最後まで終わっていません
threads-cannot-share = 端末ごとにスレッドがある場合、端末間で接続を共有できません
tpcc-tables-not-ours = Tenbin が作成していない TPC-C のテーブルがあります
use-empty-schema = 空のスキーマを使ってください。Tenbin は自分で作成していないものに書き込まず、削除もしません
use-engine-with-transactions = トランザクションに対応したストレージエンジンを使ってください(mysql_storage_engine = innodb)
use-them-or-load-again = そのまま使うか、ロードし直してください: { $load } --drop
wait-or-name-schema = 終わるまで待つか、別のスキーマを指定してください
warehouses-and-last = 倉庫は { $count } 個で、最後の番号は { $last } です
warehouses-no-part = 倉庫 { $first } から { $last } は、全 { $warehouses } 倉庫の範囲に収まっていません
warehouses-with-gaps = 倉庫の番号が 1 からの連番になっていません
