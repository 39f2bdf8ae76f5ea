# 既存サーバーの変数: 実行のための設定と復元。
change-pin-or-address = 別のサーバーのアドレスを指定するか、[targets.{ $target }] の pin を変更してください
cloud-allowed-values = 指定できる値: { $allowed }
cloud-default-group-fixed = Amazon RDS ではデフォルトのパラメーターグループを変更できません
cloud-group-changed = { $name } のパラメーターグループ { $group } を変更しました
cloud-group-has-no-parameter = パラメーターグループ { $group } にパラメーター { $variable } はありません
cloud-group-is-default = { $name } は変更できないデフォルトのパラメーターグループ { $group } を使っています
cloud-group-is-shared = { $name } のパラメーターグループ { $group } はほかのインスタンスも使っています
cloud-group-replaced = { $name } はもうパラメーターグループ { $group } を使っていません
cloud-group-users = 次のインスタンスも変更されます: { $names }
cloud-has-no-group = { $name } にはパラメーターグループがありません
cloud-instance-not-rebooted = { $name } は再起動されていません
cloud-instance-rebooted = そのために { $name } を再起動し、{ $seconds } 秒後に値が有効になりました
cloud-parameter-fixed = Amazon RDS ではパラメーター { $variable } を変更できません
cloud-parameter-is-static = { $group } の静的パラメーターです
cloud-parameter-needs-reboot = { $variable } は { $name } を再起動しないと反映されませんが、プランが再起動を許可していません
cloud-value-not-allowed = Amazon RDS では { $variable } = { $value } を指定できません
cloud-waited = { $seconds } 秒待ちました
command-cannot-be-started = コマンドを起動できません: { $command }
command-exit-code = 終了コード { $code }
command-took-too-long = { $seconds } 秒たっても終わりません
command-was-killed = シグナル { $signal } で終了しました
command-was-stopped = 終わる前に停止しました
file-is-a-device = ファイルではなく、デバイスです
file-is-a-directory = ファイルではなく、ディレクトリです
file-is-a-pipe = ファイルではなく、名前付きパイプです
finish-with-restore-settings = tenbin restore-settings
give-allowed-value = { $variable } に指定できる値のどれかを書いてください
give-apply-restart-only = サーバーを再起動するコマンドを apply.restart = "…" で対象に指定してください
give-apply-with-restart = オプションファイルを apply.file = "…" で、サーバーを再起動するコマンドを apply.restart = "…" で対象に指定してください
give-option-file-absolute = サーバーが読むディレクトリにあるファイルの絶対パスを指定してください(例: /etc/mysql/conf.d/zz-tenbin.cnf)
give-other-option-file = まだ存在しないファイルの名前を指定してください
give-value-that-server-takes = サーバーがそのまま受け付ける値を指定してください
grant-alter-system = GRANT ALTER SYSTEM ON PARAMETER { $variable } TO { $account }; GRANT EXECUTE ON FUNCTION pg_reload_conf(), pg_show_all_file_settings() TO { $account }; GRANT SELECT ON pg_file_settings TO { $account }
grant-privilege = GRANT { $privilege } ON *.* TO { $account }
hook-ended = 対象 { $target } の { $hook } が { $seconds } 秒で終わりました
hook-failed = 対象 { $target } の { $hook } が失敗しました
interrupted-run-left-settings = 中断した実行が { $dsn } の変数を変更したまま残していたため、元に戻しました
journal-is-empty = 何も記録されていません
journal-line-damaged = { $line } 行目: { $error }
journal-not-ours = リンクか、別のユーザーのファイルです
journal-of-other-server = 別のサーバーのものです: { $server }
journal-of-other-version = 形式 { $format } は別のバージョンの Tenbin のものです
journal-unusable = 変更した変数のジャーナルを使えません: { $file }
keep-others-from-changing-settings = ほかから変数が変更されないようにして、もう一度実行してください
list-cannot-be-empty = ALTER SYSTEM では { $variable } に空のリストを保存できず、保存された値がなくても空になりません
look-at-journal = 内容を確認し、サーバーの変数が正しければ削除してください: rm { $file }
look-into-error-log-of-server = サーバーのエラーログを確認してください
name-server-or-none = MySQL、MariaDB、PostgreSQL のサーバーを指定してください。指定しなければ、実行が変更したまま残したすべてのサーバーが対象です: tenbin restore-settings
no-settings-left = 変数を変更したまま残っているサーバーはありません
no-settings-of-server-there = 実行が変更するのはサーバーの変数ですが、{ $dsn } はサーバーではありません
option-file-changed = オプションファイル { $file } をほかの人が変更しました
option-file-has-no-directory = オプションファイル { $file } のディレクトリがありません
option-file-has-other-lines = オプションファイル { $file } には、この実行が書いたものではない行があります。それらの行は残しました
option-file-not-ours = オプションファイル { $file } は Tenbin が書いたものではありません
pin-differs = 対象 { $target } のサーバーは、プランが対象とするサーバーではありません
pin-is-and-wants = { $name } は { $found } ですが、pin では { $wanted } です
pin-version = バージョン
resize-not-ended = サーバーのサイズ変更が終わっていません: { $said }
restart-brought-another = 再起動のあと、{ $dsn } では別のサーバーが応答しています
restart-failed = { $dsn } のサーバーを再起動するコマンドが失敗しました
restart-or-permit-settings = その変更を有効にしてよい時にサーバーを再起動するか、変更を取り消してください。実行中の再起動で有効にしてよければ、プランの対象に allow = ["change-other-settings"] と書いてください
restore-settings-of = tenbin restore-settings { $address }
server-cannot-persist = このサーバーは SET PERSIST(MySQL 8.0 以降)に対応していません
server-did-not-come-back = { $dsn } のサーバーが再起動後 { $seconds } 秒以内に応答しませんでした
server-has-no-variable = サーバーに変数 { $variable } はありません
setting-adjusted = サーバーが { $variable } = { $value } を調整しました
setting-did-not-come = サーバーは { $variable } = { $value } を受け付けませんでした
setting-is-now = { $variable } は { $value } です
setting-not-put-back = SET GLOBAL { $variable } = { $value }: { $error }
setting-of-somebody-else = { $dsn } の { $variable } は { $value } で、この実行が設定した値ではありません。ほかの人が変更したため、そのままにしました
setting-of-somebody-else-kept = 実行中にほかの人が { $dsn } の { $variable } を変更しました。実行の終わりには { $value } に戻します
setting-refused = { $variable }: { $error }
setting-variables-of = { $dsn } の変数の設定
setting-was = 実行前の { $variable } は { $value } でした
setting-was-lost = { $variable } = { $value } を設定しましたが、現在は { $now } です
setting-would-not-go-back = { $variable } は変更しません。今の値 { $value } に戻すことを、サーバーが拒否するためです: { $error }
settings-are-set = 設定しました: { $variables }({ $seconds } 秒後に有効)
settings-before = 変更前: { $variables }
settings-in-use = 別の実行がこのサーバーの変数を変更しています
settings-left = { $address } は { $run } が変更しました。元の値:
settings-left-by-other-address = 中断した実行が、このサーバーと同じ可能性のあるサーバーの変数を変更したまま残しています。接続先の指定が異なります: { $address }
settings-not-in-force = 対象 { $target } のサーバーの値がプランの指定と異なります
settings-not-locked = { $dsn } の変数を、サーバーのロックなしで設定します。ほかのアカウントやマシンが同時に設定する可能性があります
settings-not-put-back = { $dsn } の変数を元に戻せませんでした
settings-put-back = 元に戻しました: { $variables }
settings-wait-for-reload = { $dsn } をリロードすると、前回の読み込み以降にほかの人が設定ファイルに加えた { $count } 件の変更も有効になります
settings-wait-for-restart = { $dsn } を再起動すると、起動以降にほかの人が設定に加えた { $count } 件の変更も有効になります
settings-were-lost = { $dsn } で設定した変数の値が変わっています。サーバーが再起動したか、ほかから変更されました。設定し直します
stopped-with-settings-changed = サーバーの変数が変更されたままです
take-off-command-line = postgresql.conf で設定するなどして、コマンドラインの指定を外してサーバーを起動してください
try-command = 試してください: sh -c { $command }
variable-cannot-be-set = 変数 { $variable } は設定できません
variable-is-command = 変数 { $variable } は命令であり、その結果を元の値で戻すことはできません
variable-is-read-only = 変数 { $variable } はサーバーの起動時にしか設定できません
variable-may-hold-secret = 変数 { $variable } は秘密を含むことがあるため、記録も設定もしません
variable-not-permitted = このアカウントは { $variable } を設定できません
variable-on-command-line = 変数 { $variable } はサーバーのコマンドラインで指定されており、そちらが優先されます
variable-set-for-sessions = { $variable } はこのアカウントまたはデータベースのセッションに設定されていて({ $source })、サーバーの値は使われません
wait-for-other-run = 終わるまで待ってください
write-apply-set-global = apply = "set-global" と書いてください
