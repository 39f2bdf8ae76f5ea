# mysqlslap.

check-name-and-rights = 名前と権限を確認してください
command-failed = コマンドが失敗しました: { $command }
connection-is-closed = 接続は閉じられています
correct-the-command = コマンドを修正してください。mysqlslap はそのまま計測を続けます(`… || true` とすれば、ここでも続けます)
delimiter-is-empty = 区切り文字が空です
drawn-statements-run-once = 乱数で選ぶ文には、1 回だけ実行する一覧がありません
engine-replaced = サーバーがテーブルをストレージエンジン { $wanted } ではなく { $found } で作成しました
file-cannot-be-read = ファイル { $file } を読めません
file-larger-than-4-mib = { $file } は 4 MiB を超えています
foreign-tables-in-schema = Tenbin が作成していないものが含まれています: { $shown }{ $more }
give-a-column = int_cols または char_cols を 1 以上にしてください(--number-int-cols、--number-char-cols)
give-a-delimiter = 指定してください(例: --delimiter=';')
give-a-primary-key = primary_key = "autoincrement" または "guid" を指定してください(--auto-generate-sql-add-autoincrement、-guid-primary)
give-a-query = --query に 1 つ以上の文を指定してください
give-queries-per-client = queries_per_client = 1000 または profile = "mysqlslap" を指定してください
key-load-needs-primary-key = key の負荷には主キーが必要です
load-with-mariadb-client = この大きさのファイルは mariadb クライアントでロードしてください
mysqlslap-sends-no-sql = mysqlslap はこの場合 `SELECT  FROM t1` を送りますが、これは有効な SQL ではありません
name-another-schema = 別の名前を指定してください: schema = "…"
name-another-schema-or-allow-drop = --create-schema(プランでは schema = "…")で別のスキーマを指定するか、失ってよければ --allow-drop(allow_drop = true)を加えてください
name-the-schema = 名前を指定してください: schema = "…"
no-statement-to-run = 実行する文がありません
preload-a-row = 1 行以上を事前にロードしてください(--auto-generate-sql-write-number を 2 以上に)
printing-statements = 文の表示
queries-contradict = queries、queries_per_client、once の指定が矛盾しています
query-file-empty = クエリーファイルに文がありません
query-file-unreadable = クエリーファイルを読めません: { $error }
query-given-twice = query と query_file が両方指定されています
restore-before-run-or-name-schema = 作り直すには restore = "before-run" を指定してください。または別のスキーマを指定してください
schema-empty-without-mark = 空で、Tenbin の印もありません
schema-made-otherwise = スキーマ { $schema } は Tenbin が作成したものですが、オプションが違うか、途中で終わっています
schema-not-ours = スキーマ { $schema } は Tenbin が作成したものではないため、削除しません
schema-without-name = 作成するスキーマの名前がありません
server-replaces-engines = このサーバーは、使えないストレージエンジンを別のものに置き換えます
show-engines = 使えるストレージエンジンは SHOW ENGINES で分かります
slap-csv-not-opened = Could not open csv file: { $path }(CSV ファイルを開けません)
slap-needs-mysql = mysqlslap の SQL は MySQL 用で、このデータベースでは使えません
stopped-while-loading = ロード中に停止しました
table-without-columns = int の列も char の列もないテーブルには、問い合わせる列がありません
table-without-rows = テーブルに行がないため、探すキーがありません
use-mysql-or-oltp = mysql://… の対象を使うか、oltp_ で始まるワークロードを使ってください
