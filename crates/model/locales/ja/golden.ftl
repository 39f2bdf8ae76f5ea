# ゴールデンコピー: コピーから戻すデータ。

allow-replace-server = その内容が不要なら、対象に allow = ["replace-server"] と書いてください。必要なら restore = "reload" にしてください
backup-tool-failed = { $tool } が失敗しました
backup-tool-of-other-series = { $tool } のバージョンがサーバー({ $series })と違います
column-made = 作成日時
column-made-by = 作成方法
column-server = サーバー
column-size = サイズ
copy-and-free = コピーは { $bytes }、空きは { $free }、現在のデータは { $there } です
data-directory-unseen = サーバー { $dsn } のデータディレクトリを、ここからは置き換えられません
data-not-brought-back = 以前のデータは元に戻していません: { $why }
data-outside-of-directory = { $variable } が { $place } で、データディレクトリの外にあります。コピーに含まれません
export-data-dir = export TENBIN_DATA_DIR=/空きのあるディレクトリのパス
file-cannot-be-copied = { $file } をコピーできません
former-data-but-no-start = 以前のデータを元に戻しましたが、それでも起動しません: { $why }
former-data-removed = コピーの場所を空けるために { $data } の以前の内容を削除したので、元に戻せません
free-space-for-copy = そこの空きを増やすか、データセットを小さくしてください
give-command-that-stops = サーバーを停止して終了を待つコマンドを指定してください。現在のコマンド: { $command }
golden-copies-none = { $store } にゴールデンコピーはありません
golden-copy-cannot-be-made = ゴールデンコピー { $path } を作成できません
golden-copy-changed = ゴールデンコピー { $name } は、作成後に変更されています
golden-copy-files = 作成時は { $all } ファイル、{ $length } バイトでした。現在は { $files } ファイル、{ $bytes } バイトであるか、更新時刻が違います
golden-copy-incomplete = 不完全です。作成が中断されたか、作成中です
golden-copy-lacks-data = ゴールデンコピー { $name } に、試行のデータがありません
golden-copy-made = { $by } でゴールデンコピー { $name } を作成しました: { $files } ファイル、{ $bytes }、{ $took }
golden-copy-not-put-back = { $data } をゴールデンコピーで置き換えられません
golden-copy-of-other-data = ゴールデンコピー { $name } の内容が、名前の示すデータと違います
golden-copy-of-other-format = 形式のバージョン { $format } を、このバージョンの Tenbin は扱えません
golden-copy-put-back = ゴールデンコピー { $name } からデータをリストアしました: { $files } ファイル、{ $bytes }
golden-copy-put-back-times = コピー { $copying }(うちブロックの共有 { $shared })、ディスクへの書き込み { $writing }、サーバーの起動 { $starting }
golden-copy-unknown = { $store } にゴールデンコピー { $name } はありません
golden-copy-unusable = ゴールデンコピー { $name } を使えません
golden-copy-without-description = 説明ファイル golden.json が通常のファイルでないか、長すぎます
install-mariadb-backup = apt-get install mariadb-backup(サーバーと同じバージョン)
install-xtrabackup = サーバーと同じバージョンの percona-xtrabackup を https://www.percona.com/downloads からインストールしてください
keep-command-only = restore から kind、store、stop、start を取り除くか、command を取り除いてください
link-in-data-directory = { $link } はシンボリックリンクです。リンク先の内容は、データディレクトリのコピーに含まれません
no-backup-of-series = { $series } のサーバーをバックアップするプログラムがありません
no-room-for-golden-copy = ゴールデンコピー { $name } を { $data } に置く空きがありません
process-is-alive = コマンドの { $seconds } 秒後に、プロセス { $pid } があります
restore-by-copy = この対象に restore = "copy" と書いてください
restore-by-reload = この対象に restore = "reload" と書いてください
restore-command-failed = 対象 { $target } のデータをリストアするコマンドが失敗しました
restore-command-is-all = 対象 { $target } の restore には、コマンドのほかに Tenbin がリストアする方法も書かれています
restore-command-lacks-data = リストアのコマンドの後に、{ $dataset } のデータがありません
restore-commands-unused = 対象 { $target } のサーバーは、コマンドでは停止、起動しません
restore-has-no-command = 対象 { $target } の restore は "command" ですが、コマンドがありません
restore-needs-commands = 対象 { $target } のデータのリストアではサーバーの停止と起動が必要ですが、その方法がプランにありません
restore-timeout-unused = restore の timeout はコマンドの制限時間ですが、コマンドがありません
restore-unsupported = 対象 { $target } のデータは { $kind } ではリストアできません
restored-by-command = 対象 { $target } のデータをプランのコマンドでリストアしました({ $took })
run-on-server-or-reload = サーバーのマシンで Tenbin を実行するか、restore = "reload" と書いてください
runs-on-former-data = 以前のデータを元に戻し、サーバーはそのデータで動作しています
server-does-not-return = 起動するコマンドの後、サーバー { $dsn } が接続を受け付けません
server-gone-after-restore = データをリストアするコマンドの開始から { $waited } たっても、サーバー { $dsn } が接続を受け付けません
server-runs-after-stop = 停止するコマンドの後も、サーバー { $dsn } が動いています
service-command-failed = サーバーに対するコマンドが失敗しました: { $command }
service-is-stopped = プロセス { $owner } が、データのリストアのためにサーバー { $dsn } を停止しています
service-note-damaged = 停止したサーバーの記録 { $path } を使えません
service-recovered = 強制終了された実行がサーバー { $dsn } を停止していました。データディレクトリを整え、サーバーを起動しました
service-was-started = 強制終了された実行がサーバー { $dsn } を停止していましたが、現在は動いています
start-server-and-remove = サーバーを起動して、rm { $path } を実行してください
stopped-while-copying = コピー中に停止しました
tables-of-others = サーバー { $dsn } をリストアすると、Tenbin が作成していない { $count } テーブルも元に戻ります
take-stop-and-start-out = restore から stop と start を取り除いてください
tenbin-data-list = tenbin data list
tenbin-data-remove = tenbin data remove { $name }。次の実行が作り直します
will-create-golden = ゴールデンコピーがなければ、{ $rows } { $unit }(約 { $size })をロードし、データディレクトリ全体のコピーを残す
will-put-back = サーバーを停止し、データディレクトリ全体をゴールデンコピーで置き換えて起動する({ $n } 回)
will-restore-by-command = プランのコマンドでデータをリストアする({ $n } 回): { $command }
