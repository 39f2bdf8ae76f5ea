# Servers, sandboxes and observers.

asking-for-replication = レプリケーションの状態の問い合わせ
asking-server-for-settings = サーバーの設定の問い合わせ
binary-does-not-run = { $binary } を実行できません
binary-not-on-machine = このマシンに { $binary } がありません
cannot-be-looked-at = { $place } を確認できません
clean-sandboxes-or-name = サンドボックスの残りは tenbin sandbox list --clean で削除できます。または別の --name を指定してください
connecting-to-observe-server = 観測のための接続
dev-urandom = /dev/urandom: { $error }
directory-of-another-user = ユーザー { $owner } のものです。このプロセスはユーザー { $user } です
export-short-state-dir = export TENBIN_STATE_DIR=/tmp/t
export-state-dir = export TENBIN_STATE_DIR=/a/directory/of/your/own
first-login-on-sandbox = 専用サーバーへの最初のログイン
free-space-and-wait = サーバーのディスクの空きを増やしてください。サーバーは 1 分ごとに確認し、処理は自動的に続きます
free-space-or-export-state-dir = 空きを増やすか、export TENBIN_STATE_DIR=… を指定してください
install-mariadb = apt-get install mariadb-server(サービスの起動は不要です)
install-or-give-path = インストールするか、パスを指定してください: sandbox = "/path/to/{ $binary }"
install-postgresql = apt-get install postgresql(サービスの起動は不要です)
install-util-linux = apt-get install util-linux
it-says = 値は { $value } です
less-file = less { $kept }
lock-file-replaced = { $file } が繰り返し置き換えられています
locking = ロックの取得
look-at-server-variables = プランのサーバー変数を確認してください。拒否された変数は上のログにあります
look-up-pg-setting = 確認してください: SELECT * FROM pg_settings WHERE name = '{ $name }'
looked-in-path = PATH と /usr/sbin を調べました
looked-in-path-postgresql = PATH と /usr/lib/postgresql/*/bin を調べました
looking-for-server-counters = サーバーのカウンターの確認
making-database-sbtest-failed = データベース sbtest の作成に失敗しました
no-answer-on-another-connection = 別の接続からも { $patience } 秒以内に状態を確認できません
no-free-port = 空いているポートがありません
no-password-can-be-drawn = パスワードを生成できません
no-proc-stat = /proc/{ $pid }/stat がありません
no-statement-was-given = 文が指定されていません
no-such-binary = { $binary } がありません
not-a-sandbox-name = { $name } はサンドボックスの名前にできません
observer-hangs = オブザーバー { $observer } が応答しません。以降、この観測値は記録されません
observer-not-started = オブザーバー { $observer } を開始できませんでした
observer-panicked = オブザーバー { $observer } が異常終了しました。Tenbin の不具合です。以降、この観測値は記録されません
observer-read-undeclared = オブザーバー { $observer } が、宣言していない観測値または数値でない値を返しました。その値は記録していません
reading-server-status = サーバーのステータスの読み取り
reading-server-variables = サーバー変数の読み取り
role-took-too-long = { $dsn } がレプリケーションの状態を { $seconds } 秒以内に返しませんでした
sandbox-directory-unusable = サンドボックスのディレクトリ { $path } を使えません
sandbox-directory-without-note = { $dir } がすでにありますが、サンドボックスの記録がありません
sandbox-ended = 専用サーバー { $sandbox } が途中で終了しました
sandbox-exists = サンドボックス { $sandbox } はすでにあります
sandbox-in-use = サンドボックス { $sandbox } は実行で使用中です
sandbox-path-too-long = サンドボックスのパスがソケットには長すぎます
sandbox-unknown = サンドボックス { $sandbox } はありません
server-answers-nothing-under-way = サーバーは応答していますが、実行中の文はありません
server-cannot-be-started = サーバーを起動できません
server-did-not-answer-in-time = サーバーが時間内に応答しませんでした
server-did-not-answer-within = サーバーが { $seconds } 秒以内に応答しませんでした
server-did-not-say-directory = サーバーがデータディレクトリを返しませんでした
server-did-not-start = サーバーが起動しませんでした
server-disk-full = サーバーのディスクがいっぱいで、空きを待っています
server-does-not-answer = サーバーが応答しません
server-does-not-say-directory = サーバーがデータディレクトリを返しません
server-in-container = サーバーはコンテナー内で動いており、そのファイルシステムは見えません
server-on-another-machine = サーバーは別のマシンにあります
server-process-gone = サーバーのプロセスがなくなりました
server-process-unknown = このマシンのプロセスの中にサーバーを特定できません
server-still-busy = サーバーはまだ処理中です
server-took-no-connections = サーバーが時間内に接続を受け付けませんでした
statement-in-state = { $statement } は { $seconds } 秒間 { $state } の状態です
status-took-too-long = サーバーがステータスの問い合わせに { $seconds } 秒以内に応答しませんでした
step-failed = { $doing } に失敗しました
stop-sandbox-force = tenbin sandbox stop { $name } --force で止められますが、その実行は失敗します
stop-sandbox-or-name = tenbin sandbox stop { $name } を実行するか、別の --name を指定してください
stopped-connecting-to = { $dsn } への接続中に停止しました
stopped-reading-variables = サーバー変数の読み取り中に停止しました
stopped-while-sandbox-starts = 専用サーバーの起動中にユーザーが停止しました
tenbin-sandbox-list = tenbin sandbox list
there-are-none = 1 つもありません
there-are-these = 現在あるもの: { $names }
there-is-no-database = データベースがありません
use-letters-and-digits = 英数字、-、_ を使ってください
user-started-it = 起動と停止は { $user } が行います
variable-not-known = サーバーにこの変数はありません
variable-not-taken-on = サーバーが { $variable } = { $wanted } を適用しませんでした
variables-took-too-long = { $dsn } がサーバー変数を { $patience } 秒以内に返しませんでした
waited-for = { $seconds } 秒待ちました
waited-with-log = { $patience } 秒待ちました{ "\u000A" }{ $log }
without-a-message = メッセージなし
write-in-place-of = { $name } の代わりに { $nearest } と書いてください
